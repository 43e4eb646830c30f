// live_bytes.c - see live_bytes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live_bytes.h"

#include <assert.h>
#include <stdlib.h>

#include "sharing_finder.h"

static int64_t bytes_of(const gmem_live_bytes_t *live, uint32_t set) {
  uint32_t root = live->liveness->sets[set].root;
  uint64_t bytes = live->liveness->program->values[root].size;
  return (int64_t)((bytes + live->alignment - 1) & ~(live->alignment - 1));
}

//===--- times ------------------------------------------------------------===//

static int compare_times(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

static gmem_status_t make_profile(gmem_live_bytes_t *live, gmem_bump_t *arena,
                                  gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = live->liveness;
  GMEM_LIST(int64_t) times = {0};
  size_t count = 0;
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    for (size_t k = 0; k < liveness->sets[i].range_count; ++k) {
      GMEM_APPEND(arena, &times, liveness->sets[i].ranges[k].begin);
      GMEM_APPEND(arena, &times, liveness->sets[i].ranges[k].end);
    }
  GMEM_TRY(gmem_bump_status(arena, diag));
  if (times.count)
    qsort(times.at, times.count, sizeof *times.at, compare_times);
  for (size_t i = 0; i < times.count; ++i)
    if (count == 0 || times.at[count - 1] != times.at[i])
      times.at[count++] = times.at[i];
  return gmem_profile_make(times.at, count, arena, &live->profile, diag);
}

//===--- overlaps ---------------------------------------------------------===//

static void add_overlaps(gmem_live_bytes_t *live, uint32_t child,
                         uint32_t parent, gmem_csr_pairs_t *pairs,
                         gmem_bump_t *arena) {
  const gmem_alias_set_t *one = &live->liveness->sets[child];
  const gmem_alias_set_t *other = &live->liveness->sets[parent];
  for (size_t i = 0, k = 0; i < one->range_count && k < other->range_count;) {
    gmem_live_range_t left = one->ranges[i], right = other->ranges[k];
    gmem_live_range_t both = {left.begin > right.begin ? left.begin
                                                       : right.begin,
                              left.end < right.end ? left.end : right.end};
    if (both.begin < both.end) {
      uint32_t index = (uint32_t)live->overlaps.count;
      GMEM_APPEND(arena, pairs, (gmem_csr_pair_t){child, index});
      GMEM_APPEND(arena, pairs, (gmem_csr_pair_t){parent, index});
      GMEM_APPEND(arena, &live->overlaps,
                  (gmem_overlap_t){child, parent, both, false});
    }
    if (left.end < right.end)
      ++i;
    else
      ++k;
  }
}

// Of the aliases of a set the first one in which it has the contents of a part
// of another set, and the first one in which it is written over another at an
// op: it can lie in one place only.
static gmem_status_t find_overlaps(gmem_live_bytes_t *live,
                                   const gmem_aliases_t *aliases,
                                   gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = live->liveness;
  gmem_csr_pairs_t pairs = {0};
  bool *is_part, *is_over;
  GMEM_TRY_ALLOC(is_part, arena, liveness->set_count, diag);
  GMEM_TRY_ALLOC(is_over, arena, liveness->set_count, diag);
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    uint32_t child = liveness->set_of[alias->child];
    uint32_t parent = liveness->set_of[alias->parent];
    bool *taken = gmem_alias_overwrites(alias) ? is_over : is_part;
    if (child == parent || taken[child])
      continue;
    taken[child] = true;
    add_overlaps(live, child, parent, &pairs, arena);
  }
  GMEM_TRY(gmem_bump_status(arena, diag));
  return gmem_csr_build(&pairs, liveness->set_count, arena, &live->overlaps_of,
                        diag);
}

//===--- counting ---------------------------------------------------------===//

static void update_overlap(gmem_live_bytes_t *live, gmem_overlap_t *overlap) {
  bool is_one =
      live->is_counted[overlap->child] && live->is_counted[overlap->parent];
  if (overlap->is_counted == is_one)
    return;
  overlap->is_counted = is_one;
  gmem_profile_add(&live->profile, overlap->range,
                   (is_one ? -1 : 1) * bytes_of(live, overlap->child));
}

void gmem_live_bytes_count(gmem_live_bytes_t *live, uint32_t set,
                           bool is_counted) {
  const gmem_alias_set_t *entry = &live->liveness->sets[set];
  assert(live->is_counted[set] != is_counted);
  live->is_counted[set] = is_counted;
  for (size_t i = 0; i < entry->range_count; ++i)
    gmem_profile_add(&live->profile, entry->ranges[i],
                     (is_counted ? 1 : -1) * bytes_of(live, set));
  GMEM_CSR_EACH (overlap, &live->overlaps_of, set)
    update_overlap(live, &live->overlaps.at[*overlap]);
}

gmem_status_t gmem_live_bytes_make(const gmem_analysis_t *analysis,
                                   uint64_t alignment, gmem_bump_t *arena,
                                   gmem_live_bytes_t *out_live,
                                   gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = &analysis->liveness;
  const gmem_program_t *program = &analysis->program;
  *out_live = (gmem_live_bytes_t){.liveness = liveness, .alignment = alignment};
  GMEM_TRY_ALLOC(out_live->is_counted, arena, liveness->set_count, diag);
  GMEM_TRY(make_profile(out_live, arena, diag));
  GMEM_TRY(
      find_overlaps(out_live, &analysis->constraints.aliases, arena, diag));
  for (uint32_t i = 0; i < liveness->set_count; ++i) {
    uint32_t function = gmem_value_function(program, liveness->sets[i].root);
    if (!program->functions[function].is_init)
      gmem_live_bytes_count(out_live, i, true);
  }
  return GMEM_OK;
}
