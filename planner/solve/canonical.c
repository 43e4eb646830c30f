// canonical.c - see canonical.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A search breaks ties by the order of buffers and of aliases, and depends on
// lengths of time. Here these come from the structure of the problem: times are
// numbers of sections, as in a packing, and buffers are sorted by begin, end,
// size, and a digest of the rest with their relations to others.

#include "canonical.h"

#include <assert.h>

#include "problem_store.h"

typedef struct maker_s {
  const gmem_problem_t *problem;
  gmem_scratch_t *memory;
  gmem_canonical_t *to;
  uint32_t *index;    // by buffer: that in the copy; GMEM_NO_BUFFER: left out
  uint32_t count;     // buffers of the copy
  size_t range_count; // their live ranges
  gmem_live_range_t *ranges; // the same, in the order of |problem|
  size_t *first_range;       // by buffer
  uint64_t *digest;          // by buffer
} maker_t;

static const gmem_buffer_spec_t *spec_of(const maker_t *maker,
                                         uint32_t buffer) {
  return gmem_problem_buffer(maker->problem, buffer);
}

static bool is_empty(const maker_t *maker, uint32_t buffer) {
  return spec_of(maker, buffer)->size == 0;
}

static uint32_t buffers_of(const maker_t *maker) {
  return gmem_problem_buffer_count(maker->problem);
}

// A digest of a sequence so far and the next number.
static uint64_t fold(uint64_t digest, uint64_t next) {
  return gmem_mix((digest ^ next) + UINT64_C(0x9E3779B97F4A7C15));
}

//===--- time -------------------------------------------------------------===//

// Lists the begins and ends of all ranges: index 2 i or 2 i + 1 of range i.
static void list_times(maker_t *maker, gmem_order_t *times) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < buffers_of(maker); ++i) {
    const gmem_buffer_spec_t *spec = spec_of(maker, i);
    maker->first_range[i] = next / 2;
    for (size_t k = 0; spec->size && k < spec->range_count; ++k) {
      times[next] = (gmem_order_t){gmem_time_key(spec->ranges[k].begin), next};
      times[next + 1] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].end), next + 1};
      next += 2;
    }
  }
  assert(next == 2 * maker->range_count);
}

// Sets the ranges to numbers of sections; returns how many there are. A section
// ends where a range begins after another has ended.
static int64_t number_sections(maker_t *maker, const gmem_order_t *times) {
  int64_t section = 0;
  bool ended = false;
  size_t count = 2 * maker->range_count;
  for (size_t first = 0, last; first < count; first = last) {
    bool begins = false;
    for (last = first; last < count && times[last].key == times[first].key;
         ++last) {
      bool is_end = times[last].index & 1;
      if (is_end)
        maker->ranges[times[last].index / 2].end = section + 1;
      ended |= is_end;
      begins |= !is_end;
    }
    if (!begins)
      continue;
    section += ended;
    ended = false;
    for (size_t i = first; i < last; ++i)
      if (!(times[i].index & 1))
        maker->ranges[times[i].index / 2].begin = section;
  }
  return section + 1;
}

// Bytes times sections: 62 and 34 bits, of 2^32 ranges at most.
__extension__ typedef __int128 moment_t;

// Whether more bytes are live in the second half of the time. If it makes no
// difference, another sum decides that is not the same in both directions.
static bool is_backwards(const maker_t *maker, int64_t sections) {
  moment_t late = 0;
  uint64_t forwards = 0, backwards = 0;
  for (uint32_t i = 0; i < buffers_of(maker); ++i)
    for (size_t k = maker->first_range[i]; k < maker->first_range[i + 1]; ++k) {
      int64_t begin = maker->ranges[k].begin, end = maker->ranges[k].end;
      uint64_t size = spec_of(maker, i)->size;
      late += (moment_t)(begin + end - sections) * (moment_t)size;
      forwards += fold(fold(size, (uint64_t)begin), (uint64_t)end);
      backwards += fold(fold(size, (uint64_t)(sections - end)),
                        (uint64_t)(sections - begin));
    }
  return late ? late > 0 : backwards < forwards;
}

static void mirror(maker_t *maker, int64_t sections) {
  for (uint32_t i = 0; i < buffers_of(maker); ++i) {
    size_t first = maker->first_range[i], last = maker->first_range[i + 1];
    for (; first < last; ++first) {
      gmem_live_range_t *a = &maker->ranges[first], *b = &maker->ranges[--last];
      gmem_live_range_t low = *a, high = *b;
      *a = (gmem_live_range_t){sections - high.end, sections - high.begin};
      *b = (gmem_live_range_t){sections - low.end, sections - low.begin};
    }
  }
}

static gmem_status_t find_times(maker_t *maker) {
  gmem_order_t *times;
  size_t count = 2 * maker->range_count;
  GMEM_TRY_NEW(maker->ranges, maker->memory, maker->range_count);
  GMEM_TRY_NEW(maker->first_range, maker->memory,
               (size_t)buffers_of(maker) + 1);
  GMEM_TRY_NEW(times, maker->memory, 2 * count);
  list_times(maker, times);
  maker->first_range[buffers_of(maker)] = maker->range_count;
  gmem_sort_order(times, times + count, count);
  int64_t sections = number_sections(maker, times);
  gmem_scratch_drop(maker->memory, times);
  if (is_backwards(maker, sections))
    mirror(maker, sections);
  return GMEM_OK;
}

//===--- digests ----------------------------------------------------------===//

// Of all but the size: the order of arms and choices says nothing.
static uint64_t digest_alone(const maker_t *maker, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = spec_of(maker, buffer);
  uint64_t digest = fold(spec->alignment, spec->branch_count);
  digest = fold(digest, spec->has_fixed_offset ? spec->fixed_offset + 1 : 0);
  digest = fold(digest, spec->uses);
  for (size_t i = 0; i < spec->pool_count; ++i)
    digest = fold(digest, spec->pools[i]);
  for (size_t k = maker->first_range[buffer];
       k < maker->first_range[buffer + 1]; ++k)
    digest = fold(fold(digest, (uint64_t)maker->ranges[k].begin),
                  (uint64_t)maker->ranges[k].end);
  return fold(digest, spec->size);
}

static uint64_t digest_of_block(const maker_t *maker,
                                const gmem_block_spec_t *block) {
  uint64_t digest = 0;
  for (size_t i = 0; i < block->count; ++i)
    if (!is_empty(maker, block->buffers[i]))
      digest = fold(digest, maker->digest[block->buffers[i]]);
  return digest;
}

// Adds to |next| what the relations of each buffer say of the others.
static void digest_relations(const maker_t *maker, uint64_t *next) {
  const gmem_problem_t *problem = maker->problem;
  const uint64_t *digest = maker->digest;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    uint64_t rest = fold(fold(alias->kind, alias->is_optional), alias->offset);
    next[alias->child] += fold(rest, digest[alias->parent]);
    next[alias->parent] += fold(~rest, digest[alias->child]);
  }
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t a, b;
    gmem_problem_conflict(problem, i, &a, &b);
    next[a] += gmem_mix(digest[b]);
    next[b] += gmem_mix(digest[a]);
  }
  for (size_t i = 0; i < gmem_problem_block_count(problem); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(problem, i);
    uint64_t all = digest_of_block(maker, block), position = 0;
    for (size_t k = 0; k < block->count; ++k)
      if (!is_empty(maker, block->buffers[k]))
        next[block->buffers[k]] += fold(all, position++);
  }
}

// Weisfeiler and Leman's colours: so buffers that are alike are told apart by
// those to which they are related, and in the next round by theirs.
static gmem_status_t find_digests(maker_t *maker) {
  enum { ROUNDS = 3 };
  uint64_t *next;
  size_t count = buffers_of(maker);
  GMEM_TRY_NEW(maker->digest, maker->memory, count);
  GMEM_TRY_NEW(next, maker->memory, count);
  for (uint32_t i = 0; i < count; ++i)
    maker->digest[i] = is_empty(maker, i) ? 0 : digest_alone(maker, i);
  for (int round = 0; round < ROUNDS; ++round) {
    for (uint32_t i = 0; i < count; ++i)
      next[i] = gmem_mix(maker->digest[i]);
    digest_relations(maker, next);
    for (uint32_t i = 0; i < count; ++i)
      maker->digest[i] = is_empty(maker, i) ? 0 : next[i];
  }
  gmem_scratch_drop(maker->memory, next);
  return GMEM_OK;
}

//===--- buffers ----------------------------------------------------------===//

// From the last to be compared to the first. Names decide between buffers that
// are alike, so that each has the same place in every order of the rows.
enum { BY_NAME, BY_DIGEST, BY_SIZE, BY_END, BY_BEGIN, KEYS };

static uint64_t hash_name(const char *name) {
  uint64_t hash = 0;
  for (; *name; ++name)
    hash = fold(hash, (unsigned char)*name);
  return hash;
}

static uint64_t key_of(const maker_t *maker, uint32_t buffer, int key) {
  const gmem_live_range_t *ranges = maker->ranges;
  switch (key) {
  case BY_NAME:
    return hash_name(spec_of(maker, buffer)->name);
  case BY_DIGEST:
    return maker->digest[buffer];
  case BY_SIZE:
    return spec_of(maker, buffer)->size;
  case BY_END:
    return (uint64_t)ranges[maker->first_range[buffer + 1] - 1].end;
  default:
    return (uint64_t)ranges[maker->first_range[buffer]].begin;
  }
}

static gmem_status_t sort_buffers(maker_t *maker) {
  gmem_order_t *order;
  uint32_t next = 0;
  GMEM_TRY_NEW(order, maker->memory, 2 * (size_t)maker->count);
  for (uint32_t i = 0; i < buffers_of(maker); ++i)
    if (!is_empty(maker, i))
      order[next++].index = i;
  for (int key = 0; key < KEYS; ++key) {
    for (uint32_t i = 0; i < maker->count; ++i)
      order[i].key = key_of(maker, order[i].index, key);
    gmem_sort_order(order, order + maker->count, maker->count);
  }
  for (uint32_t i = 0; i < maker->count; ++i) {
    maker->to->original[i] = order[i].index;
    maker->index[order[i].index] = i;
  }
  gmem_scratch_drop(maker->memory, order);
  return GMEM_OK;
}

// Names are for messages only.
static gmem_status_t add_buffers(maker_t *maker) {
  gmem_problem_t *to = maker->to->problem;
  uint32_t id;
  for (uint32_t i = 0; i < gmem_problem_pool_count(maker->problem); ++i)
    GMEM_TRY(gmem_problem_add_pool(to, gmem_problem_pool(maker->problem, i),
                                   &id, maker->memory->diag));
  gmem_problem_borrow(to);
  GMEM_TRY_NEW(to->buffers, &to->memory, maker->count);
  to->buffer_capacity = maker->count;
  for (uint32_t i = 0; i < maker->count; ++i) {
    uint32_t from = maker->to->original[i];
    gmem_buffer_spec_t spec = *spec_of(maker, from);
    size_t first = maker->first_range[from];
    spec.name = "";
    spec.ranges = &maker->ranges[first];
    spec.range_count = maker->first_range[from + 1] - first;
    GMEM_TRY(gmem_problem_add_buffer(to, &spec, &id, maker->memory->diag));
    to->buffers[id].name = spec_of(maker, from)->name;
  }
  to->traits.is_canonical = true;
  return GMEM_OK;
}

//===--- relations --------------------------------------------------------===//

// Whether both are in the copy; then sets their numbers.
static bool find_pair(const maker_t *maker, uint32_t *a, uint32_t *b) {
  *a = maker->index[*a];
  *b = maker->index[*b];
  return *a != GMEM_NO_BUFFER && *b != GMEM_NO_BUFFER;
}

static uint64_t key_of_alias(const maker_t *maker, uint32_t index, int key) {
  const gmem_alias_spec_t *alias = gmem_problem_alias(maker->problem, index);
  uint32_t child = alias->child, parent = alias->parent;
  (void)find_pair(maker, &child, &parent);
  return key == 0   ? (uint64_t)alias->kind << 1 | alias->is_optional
         : key == 1 ? alias->offset
                    : (uint64_t)child << 32 | parent;
}

static gmem_status_t add_aliases(maker_t *maker) {
  enum { ALIAS_KEYS = 3 };
  gmem_order_t *order;
  size_t count = gmem_problem_alias_count(maker->problem);
  GMEM_TRY_NEW(order, maker->memory, 2 * count);
  GMEM_TRY_NEW(maker->to->problem->aliases, &maker->to->problem->memory, count);
  maker->to->problem->alias_capacity = count;
  for (uint32_t i = 0; i < count; ++i)
    order[i].index = i;
  for (int key = 0; key < ALIAS_KEYS; ++key) {
    for (size_t i = 0; i < count; ++i)
      order[i].key = key_of_alias(maker, order[i].index, key);
    gmem_sort_order(order, order + count, count);
  }
  for (size_t i = 0; i < count; ++i) {
    gmem_alias_spec_t alias =
        *gmem_problem_alias(maker->problem, order[i].index);
    if (find_pair(maker, &alias.child, &alias.parent))
      GMEM_TRY(gmem_problem_add_alias(maker->to->problem, &alias,
                                      maker->memory->diag));
  }
  gmem_scratch_drop(maker->memory, order);
  return GMEM_OK;
}

static gmem_status_t add_conflicts(maker_t *maker) {
  gmem_order_t *order;
  size_t all = gmem_problem_conflict_count(maker->problem), count = 0;
  GMEM_TRY_NEW(order, maker->memory, 2 * all);
  for (size_t i = 0; i < all; ++i) {
    uint32_t a, b;
    gmem_problem_conflict(maker->problem, i, &a, &b);
    if (find_pair(maker, &a, &b))
      order[count++].key = gmem_pair_key(a, b);
  }
  count = gmem_sort_distinct(order, order + all, count);
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(gmem_problem_add_conflict(
        maker->to->problem, (uint32_t)(order[i].key >> 32),
        (uint32_t)order[i].key, maker->memory->diag));
  gmem_scratch_drop(maker->memory, order);
  return GMEM_OK;
}

static gmem_status_t add_block(maker_t *maker, const gmem_block_spec_t *block) {
  uint32_t *buffers;
  gmem_block_spec_t spec = {.count = 0};
  GMEM_TRY_NEW(buffers, maker->memory, block->count);
  for (size_t i = 0; i < block->count; ++i)
    if (!is_empty(maker, block->buffers[i]))
      buffers[spec.count++] = maker->index[block->buffers[i]];
  spec.buffers = buffers;
  if (spec.count)
    GMEM_TRY(
        gmem_problem_add_block(maker->to->problem, &spec, maker->memory->diag));
  gmem_scratch_drop(maker->memory, buffers);
  return GMEM_OK;
}

// Their order has no effect but on the roots of groups.
static gmem_status_t add_blocks(maker_t *maker) {
  gmem_order_t *order;
  size_t count = gmem_problem_block_count(maker->problem);
  GMEM_TRY_NEW(order, maker->memory, 2 * count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){
        digest_of_block(maker, gmem_problem_block(maker->problem, i)), i};
  gmem_sort_order(order, order + count, count);
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(
        add_block(maker, gmem_problem_block(maker->problem, order[i].index)));
  gmem_scratch_drop(maker->memory, order);
  return GMEM_OK;
}

//===--- creation ---------------------------------------------------------===//

static gmem_status_t make(maker_t *maker) {
  for (uint32_t i = 0; i < buffers_of(maker); ++i) {
    maker->count += !is_empty(maker, i);
    maker->range_count +=
        is_empty(maker, i) ? 0 : spec_of(maker, i)->range_count;
  }
  GMEM_TRY_NEW(maker->to->original, maker->memory, maker->count);
  GMEM_TRY_NEW(maker->index, maker->memory, buffers_of(maker));
  for (uint32_t i = 0; i < buffers_of(maker); ++i)
    maker->index[i] = GMEM_NO_BUFFER;
  GMEM_TRY(find_times(maker));
  GMEM_TRY(find_digests(maker));
  GMEM_TRY(sort_buffers(maker));
  GMEM_TRY(add_buffers(maker));
  GMEM_TRY(add_blocks(maker));
  gmem_scratch_drop(maker->memory, maker->digest);
  gmem_scratch_drop(maker->memory, maker->first_range);
  GMEM_TRY(add_aliases(maker));
  GMEM_TRY(add_conflicts(maker));
  gmem_scratch_drop(maker->memory, maker->index);
  return GMEM_OK;
}

static bool is_like_first(const gmem_problem_t *problem, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  const gmem_pool_spec_t *pool = gmem_problem_pool(problem, 0);
  return spec->range_count == 1 && spec->branch_count == 0 &&
         gmem_alignment_in(spec, pool) ==
             gmem_alignment_in(gmem_problem_buffer(problem, 0), pool);
}

bool gmem_canonical_helps(const gmem_problem_t *problem) {
  gmem_traits_t traits = gmem_problem_traits(problem);
  bool is_plain = gmem_problem_pool_count(problem) == 1 &&
                  gmem_problem_alias_count(problem) == 0 &&
                  gmem_problem_block_count(problem) == 0 &&
                  gmem_problem_conflict_count(problem) == 0 &&
                  !traits.has_fixed;
  for (uint32_t i = 0; is_plain && i < gmem_problem_buffer_count(problem); ++i)
    is_plain = is_like_first(problem, i);
  return !is_plain;
}

gmem_status_t gmem_canonical_create(const gmem_problem_t *problem,
                                    gmem_scratch_t *memory,
                                    gmem_canonical_t *out) {
  maker_t maker = {.problem = problem, .memory = memory, .to = out};
  GMEM_TRY(gmem_problem_create(gmem_problem_allocator(problem), &out->problem,
                               memory->diag));
  gmem_status_t status = make(&maker);
  if (status != GMEM_OK)
    gmem_problem_destroy(out->problem);
  return status;
}
