// loose_buffers.c - placed buffers, each with an offset of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loose_buffers.h"

#include <assert.h>

#include "packing_query.h"
#include "problem_store.h"

// The limits of the lists: buffers, and entries.
enum { MOST_BUFFERS = 1 << 11, MOST_RIVALS = 1 << 20 };

bool gmem_can_be_loose(const gmem_problem_t *problem) {
  bool is_loose = gmem_problem_pool_count(problem) == 1 &&
                  gmem_problem_block_count(problem) == 0 &&
                  !gmem_problem_traits(problem).has_fixed;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i)
    is_loose &= gmem_problem_alias(problem, i)->is_optional &&
                gmem_problem_alias(problem, i)->offset <= GMEM_MAX_ADDRESS / 8;
  return is_loose;
}

static const gmem_alias_spec_t *alias_of(const gmem_loose_buffers_t *loose,
                                         uint32_t alias) {
  return gmem_problem_alias(loose->problem, alias);
}

//===--- creation ---------------------------------------------------------===//

// Lists the aliases of each buffer.
static void list_ties(gmem_loose_buffers_t *loose) {
  size_t count = gmem_problem_alias_count(loose->problem);
  for (size_t i = 0; i < count; ++i) {
    ++loose->first_tie[alias_of(loose, (uint32_t)i)->child];
    ++loose->first_tie[alias_of(loose, (uint32_t)i)->parent];
  }
  for (uint32_t i = 0; i < loose->count; ++i) {
    if (loose->first_tie[i] > loose->most_ties)
      loose->most_ties = (uint32_t)loose->first_tie[i];
    loose->first_tie[i + 1] += loose->first_tie[i];
  }
  for (size_t i = count; i-- > 0;) {
    const gmem_alias_spec_t *alias = alias_of(loose, (uint32_t)i);
    loose->ties[--loose->first_tie[alias->child]] = (uint32_t)i;
    loose->ties[--loose->first_tie[alias->parent]] = (uint32_t)i;
  }
}

gmem_status_t gmem_loose_buffers_create(const gmem_problem_t *problem,
                                        const gmem_choice_t *choice,
                                        const gmem_alias_pressure_t *live,
                                        gmem_scratch_t *memory,
                                        gmem_loose_buffers_t *loose) {
  uint32_t count = gmem_problem_buffer_count(problem);
  assert(gmem_can_be_loose(problem));
  *loose = (gmem_loose_buffers_t){.problem = problem,
                                  .choice = choice,
                                  .live = live,
                                  .count = count,
                                  .base = gmem_problem_pool(problem, 0)->base};
  GMEM_TRY_NEW(loose->masks, memory, count);
  for (uint32_t i = 0; i < count; ++i)
    loose->masks[i] = gmem_alignment_in(gmem_problem_buffer(problem, i),
                                        gmem_problem_pool(problem, 0)) -
                      1;
  GMEM_TRY_ZEROS(loose->is_used, memory, count);
  GMEM_TRY_ZEROS(loose->is_placed, memory, count);
  GMEM_TRY_ZEROS(loose->offsets, memory, count);
  GMEM_TRY_NEW(loose->first_rival, memory, (size_t)count + 1);
  GMEM_TRY_ZEROS(loose->first_tie, memory, (size_t)count + 1);
  GMEM_TRY_NEW(loose->ties, memory, 2 * gmem_problem_alias_count(problem));
  list_ties(loose);
  return GMEM_OK;
}

//===--- rivals -----------------------------------------------------------===//

static bool are_live_together(const gmem_alias_pressure_t *live, uint32_t a,
                              uint32_t b) {
  const size_t *first = live->first_span;
  return gmem_spans_meet(
      live->spans + first[a], (uint32_t)(first[a + 1] - first[a]),
      live->spans + first[b], (uint32_t)(first[b + 1] - first[b]));
}

static bool is_conflict(const gmem_choice_t *choice, uint32_t a, uint32_t b) {
  gmem_key_list_t conflicts = choice->conflicts;
  uint64_t key = (uint64_t)a << 32 | b;
  size_t at = gmem_find_key(conflicts.at, conflicts.count, key);
  return at < conflicts.count && conflicts.at[at].key == key;
}

// The distance from |other| to |self| of an alias of the two.
static int64_t distance_of(const gmem_loose_buffers_t *loose, uint32_t self,
                           uint32_t other) {
  uint32_t at;
  if (!gmem_choice_find(loose->choice, self, other, &at))
    return GMEM_NO_DISTANCE;
  const gmem_alias_spec_t *alias =
      alias_of(loose, loose->choice->leaves.at[at]);
  return alias->child == self ? (int64_t)alias->offset
                              : -(int64_t)alias->offset;
}

// Sets *rival to what |other| is to |self|; false when they do not interfere.
static bool find_rival(const gmem_loose_buffers_t *loose, uint32_t self,
                       uint32_t other, gmem_rival_t *rival) {
  const gmem_problem_t *problem = loose->problem;
  bool conflict = is_conflict(loose->choice, self, other);
  if (self == other || !loose->is_used[other] ||
      (!conflict &&
       (!are_live_together(loose->live, self, other) ||
        gmem_buffers_exclude(gmem_problem_buffer(problem, self),
                             gmem_problem_buffer(problem, other)))))
    return false;
  *rival = (gmem_rival_t){other, conflict ? GMEM_NO_DISTANCE
                                          : distance_of(loose, self, other)};
  return true;
}

gmem_status_t gmem_list_rivals(gmem_loose_buffers_t *loose, uint64_t least,
                               gmem_scratch_t *memory, bool *out_listed) {
  size_t used = 0, count = 0, room = 0;
  *out_listed = false;
  for (uint32_t i = 0; i < loose->count; ++i) {
    uint64_t size = gmem_problem_buffer(loose->problem, i)->size;
    used += loose->is_used[i] = size && size >= least;
  }
  if (used > MOST_BUFFERS)
    return GMEM_OK;
  loose->rivals = NULL;
  loose->most_rivals = 0;
  for (uint32_t i = 0; i < loose->count; ++i) {
    loose->first_rival[i] = count;
    for (uint32_t k = 0; loose->is_used[i] && k < loose->count; ++k) {
      GMEM_TRY_ROOM(loose->rivals, memory, count, room);
      count += find_rival(loose, i, k, &loose->rivals[count]);
    }
    uint32_t own = (uint32_t)(count - loose->first_rival[i]);
    loose->most_rivals = own > loose->most_rivals ? own : loose->most_rivals;
    if (count > MOST_RIVALS)
      return GMEM_OK;
  }
  loose->first_rival[loose->count] = count;
  *out_listed = true;
  return GMEM_OK;
}

//===--- alignment --------------------------------------------------------===//

static bool is_multiple(const gmem_loose_buffers_t *loose, int64_t offset,
                        uint64_t mask) {
  return ((loose->base + (uint64_t)offset) & mask) == 0;
}

// Whether the parent of |alias| is placed and |offset| is that of the child.
static bool is_place_in_parent(const gmem_loose_buffers_t *loose,
                               const gmem_alias_spec_t *alias, int64_t offset) {
  return loose->is_placed[alias->parent] &&
         offset - loose->offsets[alias->parent] == (int64_t)alias->offset;
}

bool gmem_is_aligned_at(const gmem_loose_buffers_t *loose, uint32_t buffer,
                        int64_t offset) {
  uint64_t own = gmem_problem_buffer(loose->problem, buffer)->alignment;
  if (is_multiple(loose, offset, loose->masks[buffer]))
    return true;
  if (!is_multiple(loose, offset, own - 1))
    return false;
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias = alias_of(loose, loose->ties[i]);
    if (alias->child == buffer && is_place_in_parent(loose, alias, offset))
      return true;
  }
  return false;
}

//===--- aliases in place -------------------------------------------------===//

bool gmem_is_tied(const gmem_loose_buffers_t *loose, uint32_t alias) {
  const gmem_alias_spec_t *spec = alias_of(loose, alias);
  return loose->is_placed[spec->child] &&
         is_place_in_parent(loose, spec, loose->offsets[spec->child]);
}

bool gmem_has_tied_child(const gmem_loose_buffers_t *loose, uint32_t buffer) {
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i)
    if (alias_of(loose, loose->ties[i])->parent == buffer &&
        gmem_is_tied(loose, loose->ties[i]))
      return true;
  return false;
}
