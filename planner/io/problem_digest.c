// problem_digest.c - a canonical order of the buffers of a problem, and a
// digest of everything that affects a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every buffer gets a *colour*: a hash of its own data. Where buffers are
// related, colours are refined by those of the neighbours (Weisfeiler-Leman
// colour refinement), and connected buffers are adjacent in the order, so that
// the order of two equal groups does not matter. Buffers with equal colours
// keep the order of their addition: a reordered problem may then get another
// digest, and is planned again. docs/plan-cache.md specifies the algorithm.

#include "problem_digest.h"

#include <assert.h>
#include <string.h>

#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"
#include "scratch.h"
#include "sha256.h"

enum { REFINEMENTS = 3 };

// The data of a buffer or a relation is sent to a sink number by number.
typedef void (*put_fn)(void *sink, uint64_t number);

typedef struct canon_s {
  const gmem_problem_t *problem;
  uint32_t count;    // buffers
  uint64_t *colours; // by buffer
  uint64_t *sums;    // by buffer: scratch
  uint32_t
      *roots; // by buffer: union-find parent, towards the lowest of its group
  gmem_order_t *order; // scratch: 2 * entry_count
  size_t entry_count;  // at least one per buffer and relation of a kind
  uint32_t *places;    // by buffer: its position in the canonical order
} canon_t;

//===--- numbers ----------------------------------------------------------===//

static uint64_t stir(uint64_t x) {
  return gmem_mix(x + UINT64_C(0x9E3779B97F4A7C15));
}

static void put_colour(void *sink, uint64_t number) {
  uint64_t *colour = sink;
  *colour = stir(*colour + number);
}

// Seven bits per byte, lowest first; all bytes but the last have bit 7 set.
static void put_digest(void *sink, uint64_t number) {
  uint8_t bytes[10];
  size_t length = 0;
  for (; number > 127; number >>= 7)
    bytes[length++] = (uint8_t)(number | 128);
  bytes[length++] = (uint8_t)number;
  gmem_sha256_add(sink, bytes, length);
}

// Zigzag: times close to zero become small numbers.
static uint64_t number_of_time(int64_t time) {
  return time < 0 ? ~((uint64_t)time << 1) : (uint64_t)time << 1;
}

//===--- data of a buffer -------------------------------------------------===//

static bool touches_last(const gmem_buffer_spec_t *spec, size_t range) {
  assert(range == 0 ||
         spec->ranges[range - 1].end <= spec->ranges[range].begin);
  return range > 0 && spec->ranges[range - 1].end == spec->ranges[range].begin;
}

// Merges ranges that touch.
static void put_life(const gmem_buffer_spec_t *spec, put_fn put, void *sink) {
  size_t last = spec->range_count - 1;
  uint64_t count = 0;
  for (size_t i = 0; i <= last; ++i)
    count += !touches_last(spec, i);
  put(sink, count);
  for (size_t i = 0; i <= last; ++i) {
    if (!touches_last(spec, i))
      put(sink, number_of_time(spec->ranges[i].begin));
    if (i == last || !touches_last(spec, i + 1))
      put(sink, number_of_time(spec->ranges[i].end));
  }
}

static void put_buffer(const gmem_buffer_spec_t *spec, put_fn put, void *sink) {
  put(sink, spec->size);
  put(sink, spec->alignment);
  put_life(spec, put, sink);
  put(sink, spec->uses ? spec->uses : 1);
  put(sink, spec->has_fixed_offset);
  if (spec->has_fixed_offset)
    put(sink, spec->fixed_offset);
  // A fixed offset applies to the first candidate.
  size_t pools = spec->has_fixed_offset ? 1 : spec->pool_count;
  put(sink, pools);
  for (size_t i = 0; i < pools; ++i)
    put(sink, spec->pools[i]);
  put(sink, spec->branch_count);
  for (size_t i = 0; i < spec->branch_count; ++i) {
    put(sink, spec->branches[i].choice);
    put(sink, spec->branches[i].arm);
  }
}

//===--- colours ----------------------------------------------------------===//

enum { CONFLICT = 1, PARENT, CHILD, BLOCK };

// The contribution of neighbours to the colour of |buffer|, in any order.
static void add_neighbour(canon_t *canon, uint32_t buffer, uint64_t relation,
                          uint64_t detail, uint64_t colour) {
  uint64_t sum = relation;
  put_colour(&sum, detail);
  put_colour(&sum, colour);
  canon->sums[buffer] += sum;
}

static uint32_t root_of(canon_t *canon, uint32_t buffer) {
  uint32_t *roots = canon->roots;
  while (roots[buffer] != buffer) {
    assert(roots[buffer] < buffer); // towards the lowest: no circle
    buffer = roots[buffer] = roots[roots[buffer]];
  }
  return buffer;
}

// Puts the two in one group.
static void join(canon_t *canon, uint32_t a, uint32_t b) {
  a = root_of(canon, a);
  b = root_of(canon, b);
  canon->roots[a > b ? a : b] = a > b ? b : a;
}

// How an alias is to be used.
static uint64_t character_of(const gmem_alias_spec_t *alias) {
  return alias->is_optional + 2 * (uint64_t)alias->kind;
}

static void add_aliases(canon_t *canon) {
  for (size_t i = 0; i < gmem_problem_alias_count(canon->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(canon->problem, i);
    uint64_t detail = stir(alias->offset) + character_of(alias);
    add_neighbour(canon, alias->child, PARENT, detail,
                  canon->colours[alias->parent]);
    add_neighbour(canon, alias->parent, CHILD, detail,
                  canon->colours[alias->child]);
    join(canon, alias->child, alias->parent);
  }
}

static void add_conflicts(canon_t *canon) {
  for (size_t i = 0; i < gmem_problem_conflict_count(canon->problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(canon->problem, i, &first, &second);
    add_neighbour(canon, first, CONFLICT, 0, canon->colours[second]);
    add_neighbour(canon, second, CONFLICT, 0, canon->colours[first]);
    join(canon, first, second);
  }
}

static void add_blocks(canon_t *canon) {
  for (size_t i = 0; i < gmem_problem_block_count(canon->problem); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(canon->problem, i);
    uint64_t colour = block->count;
    for (size_t k = 0; k < block->count; ++k)
      put_colour(&colour, canon->colours[block->buffers[k]]);
    for (size_t k = 0; k < block->count; ++k) {
      add_neighbour(canon, block->buffers[k], BLOCK, k, colour);
      join(canon, block->buffers[0], block->buffers[k]);
    }
  }
}

static bool has_relations(const gmem_problem_t *problem) {
  return gmem_problem_conflict_count(problem) > 0 ||
         gmem_problem_alias_count(problem) > 0 ||
         gmem_problem_block_count(problem) > 0;
}

// Gives each buffer a colour, and each connected group one, in the sum of its
// root, that is independent of the order of its members.
static void choose_colours(canon_t *canon) {
  for (uint32_t i = 0; i < canon->count; ++i) {
    canon->roots[i] = i;
    canon->colours[i] = 0;
    put_buffer(gmem_problem_buffer(canon->problem, i), put_colour,
               &canon->colours[i]);
  }
  size_t bytes = canon->count * sizeof *canon->sums;
  int rounds = has_relations(canon->problem) ? REFINEMENTS : 0;
  for (int round = 0; round < rounds; ++round) {
    memset(canon->sums, 0, bytes);
    add_aliases(canon);
    add_conflicts(canon);
    add_blocks(canon);
    for (uint32_t i = 0; i < canon->count; ++i)
      put_colour(&canon->colours[i], canon->sums[i]);
  }
  memset(canon->sums, 0, bytes);
  for (uint32_t i = 0; i < canon->count; ++i)
    canon->sums[root_of(canon, i)] += stir(canon->colours[i]);
}

//===--- order ------------------------------------------------------------===//

typedef enum sort_key_e { BY_COLOUR, BY_ROOT, BY_GROUP } sort_key_t;

// Sorts the first |count| entries of |order| by key.
static void sort(canon_t *canon, size_t count) {
  gmem_sort_order(canon->order, canon->order + canon->entry_count, count);
}

static void sort_by(canon_t *canon, sort_key_t key) {
  for (uint32_t i = 0; i < canon->count; ++i) {
    gmem_order_t *entry = &canon->order[i];
    uint32_t root = root_of(canon, entry->index);
    entry->key = key == BY_COLOUR ? canon->colours[entry->index]
                 : key == BY_ROOT ? root
                                  : canon->sums[root];
  }
  sort(canon, canon->count);
}

static void sort_buffers(canon_t *canon, uint32_t *order) {
  for (uint32_t i = 0; i < canon->count; ++i)
    canon->order[i].index = i;
  // A buffer without relations is a group of its own; the group includes its
  // colour.
  int first = has_relations(canon->problem) ? BY_COLOUR : BY_GROUP;
  for (int key = first; key <= BY_GROUP; ++key)
    sort_by(canon, (sort_key_t)key);
  for (uint32_t i = 0; i < canon->count; ++i) {
    order[i] = canon->order[i].index;
    assert(order[i] < canon->count);
    canon->places[order[i]] = i;
  }
}

//===--- digest -----------------------------------------------------------===//

static void digest_pools(const gmem_problem_t *problem, gmem_sha256_t *sha) {
  uint32_t count = gmem_problem_pool_count(problem);
  bool has_speeds = false;
  for (uint32_t i = 0; i < count; ++i)
    has_speeds = has_speeds || gmem_problem_pool(problem, i)->speed;
  put_digest(sha, count | (uint64_t)has_speeds << 63);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_pool_spec_t *pool = gmem_problem_pool(problem, i);
    put_digest(sha, pool->capacity);
    put_digest(sha, pool->alignment);
    put_digest(sha, pool->base);
    if (has_speeds)
      put_digest(sha, pool->speed);
  }
}

static void digest_buffers(const canon_t *canon, const uint32_t *order,
                           gmem_sha256_t *sha) {
  put_digest(sha, canon->count);
  for (uint32_t i = 0; i < canon->count; ++i)
    put_buffer(gmem_problem_buffer(canon->problem, order[i]), put_digest, sha);
}

// Duplicate conflicts count once.
static void digest_conflicts(canon_t *canon, gmem_sha256_t *sha) {
  size_t count = gmem_problem_conflict_count(canon->problem), distinct = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t first, second;
    gmem_problem_conflict(canon->problem, i, &first, &second);
    canon->order[i].key =
        gmem_pair_key(canon->places[first], canon->places[second]);
  }
  sort(canon, count);
  for (size_t i = 0; i < count; ++i)
    if (i == 0 || canon->order[i].key != canon->order[distinct - 1].key)
      canon->order[distinct++] = canon->order[i];
  put_digest(sha, distinct);
  for (size_t i = 0; i < distinct; ++i) {
    put_digest(sha, canon->order[i].key >> 32);
    put_digest(sha, canon->order[i].key & UINT32_MAX);
  }
}

static uint64_t alias_key(const canon_t *canon, size_t index, int pass) {
  const gmem_alias_spec_t *alias = gmem_problem_alias(canon->problem, index);
  uint64_t child = canon->places[alias->child];
  return pass == 0   ? character_of(alias)
         : pass == 1 ? alias->offset
                     : child << 32 | canon->places[alias->parent];
}

static void digest_aliases(canon_t *canon, gmem_sha256_t *sha) {
  size_t count = gmem_problem_alias_count(canon->problem);
  for (size_t i = 0; i < count; ++i)
    canon->order[i].index = (uint32_t)i;
  for (int pass = 0; pass < 3; ++pass) {
    for (size_t i = 0; i < count; ++i)
      canon->order[i].key = alias_key(canon, canon->order[i].index, pass);
    sort(canon, count);
  }
  put_digest(sha, count);
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(canon->problem, canon->order[i].index);
    put_digest(sha, canon->places[alias->child]);
    put_digest(sha, canon->places[alias->parent]);
    put_digest(sha, alias->offset);
    put_digest(sha, character_of(alias));
  }
}

static void digest_blocks(canon_t *canon, gmem_sha256_t *sha) {
  size_t count = gmem_problem_block_count(canon->problem);
  for (size_t i = 0; i < count; ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(canon->problem, i);
    uint32_t first = block->count ? canon->places[block->buffers[0]] : 0;
    canon->order[i] = (gmem_order_t){first, (uint32_t)i};
  }
  sort(canon, count);
  put_digest(sha, count);
  for (size_t i = 0; i < count; ++i) {
    const gmem_block_spec_t *block =
        gmem_problem_block(canon->problem, canon->order[i].index);
    put_digest(sha, block->count);
    for (size_t k = 0; k < block->count; ++k)
      put_digest(sha, canon->places[block->buffers[k]]);
  }
}

// Field |pass| of a constraint, the minor ones first.
static uint64_t constraint_key(const canon_t *canon,
                               const gmem_constraint_t *spec, int pass) {
  bool has_second = spec->kind != GMEM_BOUNDARY && spec->kind != GMEM_AT;
  uint32_t a = canon->places[spec->first];
  uint32_t b = has_second ? canon->places[spec->second] : a;
  const uint64_t keys[] = {spec->penalty,
                           spec->kind == GMEM_AT      ? spec->pool
                           : spec->kind == GMEM_BANKS ? spec->banks
                                                      : 0,
                           spec->kind == GMEM_APART ? 0 : spec->bytes,
                           gmem_pair_key(a, b), spec->kind};
  return keys[pass];
}

// Only if there are any: the digests of other problems stay as they were.
static void digest_constraints(canon_t *canon, gmem_sha256_t *sha) {
  enum { PASSES = 5 };
  size_t count = gmem_problem_constraint_count(canon->problem);
  for (size_t i = 0; i < count; ++i)
    canon->order[i].index = (uint32_t)i;
  for (int pass = 0; pass < PASSES; ++pass) {
    for (size_t i = 0; i < count; ++i)
      canon->order[i].key = constraint_key(
          canon, gmem_problem_constraint(canon->problem, canon->order[i].index),
          pass);
    sort(canon, count);
  }
  if (count)
    put_digest(sha, count);
  for (size_t i = 0; i < count; ++i)
    for (int pass = PASSES; pass-- > 0;)
      put_digest(sha, constraint_key(canon,
                                     gmem_problem_constraint(
                                         canon->problem, canon->order[i].index),
                                     pass));
}

static void digest_all(canon_t *canon, const uint32_t *order,
                       uint8_t digest[GMEM_SHA256_SIZE]) {
  static const char start[] = "gmem-problem 1\n";
  gmem_sha256_t sha;
  gmem_sha256_begin(&sha);
  gmem_sha256_add(&sha, start, sizeof start - 1);
  digest_pools(canon->problem, &sha);
  digest_buffers(canon, order, &sha);
  digest_conflicts(canon, &sha);
  digest_aliases(canon, &sha);
  digest_blocks(canon, &sha);
  digest_constraints(canon, &sha);
  gmem_sha256_end(&sha, digest);
}

//===--- the whole --------------------------------------------------------===//

static size_t most_of(size_t a, size_t b) { return a > b ? a : b; }

static gmem_status_t allocate(canon_t *canon, gmem_scratch_t *memory) {
  const gmem_problem_t *problem = canon->problem;
  size_t entries = most_of(canon->count, gmem_problem_conflict_count(problem));
  entries = most_of(entries, gmem_problem_alias_count(problem));
  entries = most_of(entries, gmem_problem_block_count(problem));
  entries = most_of(entries, gmem_problem_constraint_count(problem));
  if (entries > UINT32_MAX)
    return gmem_planner_out_of_memory(memory->diag);
  canon->entry_count = entries;
  GMEM_TRY_NEW(canon->colours, memory, canon->count);
  GMEM_TRY_NEW(canon->sums, memory, canon->count);
  GMEM_TRY_NEW(canon->roots, memory, canon->count);
  GMEM_TRY_NEW(canon->places, memory, canon->count);
  GMEM_TRY_NEW(canon->order, memory, 2 * entries);
  return GMEM_OK;
}

gmem_status_t gmem_problem_canonical(const gmem_problem_t *problem,
                                     uint32_t *order, uint8_t digest[32],
                                     gmem_diag_t *diag) {
  canon_t canon = {.problem = problem,
                   .count = gmem_problem_buffer_count(problem)};
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  gmem_status_t status = allocate(&canon, &memory);
  if (status == GMEM_OK) {
    choose_colours(&canon);
    sort_buffers(&canon, order);
    digest_all(&canon, order, digest);
  }
  gmem_scratch_free(&memory);
  return status;
}

gmem_status_t gmem_problem_digest(const gmem_problem_t *problem,
                                  uint8_t out_digest[32], gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && out_digest, diag);
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  uint32_t *order = gmem_scratch_alloc(
      &memory, gmem_problem_buffer_count(problem), sizeof *order);
  gmem_status_t status =
      order ? gmem_problem_canonical(problem, order, out_digest, diag)
            : GMEM_ERR_OUT_OF_MEMORY;
  gmem_scratch_free(&memory);
  return status;
}
