// offset_groups.c - groups of buffers at fixed relative offsets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "offset_groups.h"

#include <assert.h>
#include <string.h>

#include "problem_store.h"

enum {
  MOST_CANDIDATES = 64
}; // candidate pools considered for a buffer in a group

//===--- union-find forest ------------------------------------------------===//

static gmem_offset_group_t group_of_one(const gmem_problem_t *problem,
                                        uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  return (gmem_offset_group_t){
      .high = (int64_t)spec->size,
      .fixed = (int64_t)spec->fixed_offset,
      .alignment = {.bytes = spec->alignment},
      .candidates =
          count >= MOST_CANDIDATES ? UINT64_MAX : (UINT64_C(1) << count) - 1,
      .pools_of = buffer,
      .is_fixed = spec->has_fixed_offset,
  };
}

gmem_status_t gmem_offset_groups_extend(gmem_offset_groups_t *groups,
                                        const gmem_problem_t *problem,
                                        gmem_scratch_t *memory) {
  for (uint32_t i = (uint32_t)groups->count;
       i < gmem_problem_buffer_count(problem); ++i) {
    GMEM_TRY_ROOM(groups->at, memory, groups->count, groups->capacity);
    groups->at[groups->count++] = (gmem_offset_link_t){.up = i, .count = 1};
  }
  while (groups->joint_capacity <
         groups->count / 2) // one for two of one buffer
    GMEM_TRY(gmem_scratch_grow(memory, &groups->joint, groups->joint_capacity,
                               &groups->joint_capacity, sizeof *groups->joint));
  return GMEM_OK;
}

gmem_status_t gmem_offset_groups_copy(const gmem_offset_groups_t *from,
                                      const gmem_problem_t *problem,
                                      gmem_scratch_t *memory,
                                      gmem_offset_groups_t *to) {
  size_t count = gmem_problem_buffer_count(problem);
  if (to->capacity < count) {
    GMEM_TRY_NEW(to->at, memory, count);
    GMEM_TRY_NEW(to->joint, memory, count / 2);
    to->capacity = count;
    to->joint_capacity = count / 2;
  }
  to->count = from ? from->count : 0;
  to->joint_count = from ? from->joint_count : 0;
  assert(to->count <= count && to->joint_count <= count / 2);
  if (to->count)
    memcpy(to->at, from->at, to->count * sizeof *to->at);
  if (to->joint_count)
    memcpy(to->joint, from->joint, to->joint_count * sizeof *to->joint);
  return gmem_offset_groups_extend(to, problem, memory);
}

uint32_t gmem_offset_groups_root(const gmem_offset_groups_t *groups,
                                 uint32_t buffer, int64_t *out_distance) {
  int64_t distance = 0;
  // Union by size keeps the paths short.
  while (groups && buffer < groups->count && groups->at[buffer].up != buffer) {
    distance += groups->at[buffer].distance;
    buffer = groups->at[buffer].up;
  }
  if (out_distance)
    *out_distance = distance;
  return buffer;
}

static gmem_offset_group_t group_of_root(const gmem_offset_groups_t *groups,
                                         const gmem_problem_t *problem,
                                         uint32_t root) {
  const gmem_offset_link_t *link = &groups->at[root];
  return link->count > 1 ? groups->joint[link->joint]
                         : group_of_one(problem, root);
}

gmem_offset_group_t gmem_offset_groups_group(const gmem_offset_groups_t *groups,
                                             const gmem_problem_t *problem,
                                             uint32_t buffer) {
  return groups && buffer < groups->count
             ? group_of_root(groups, problem,
                             gmem_offset_groups_root(groups, buffer, NULL))
             : group_of_one(problem, buffer);
}

uint32_t gmem_offset_groups_number(const gmem_offset_groups_t *groups,
                                   const gmem_problem_t *problem,
                                   uint32_t *by_root, uint32_t *number_of) {
  uint32_t buffers = gmem_problem_buffer_count(problem), count = 0;
  for (uint32_t i = 0; i < buffers; ++i)
    by_root[i] = GMEM_NO_BUFFER;
  for (uint32_t i = 0; i < buffers; ++i) {
    number_of[i] = GMEM_NO_BUFFER;
    if (gmem_problem_buffer(problem, i)->size == 0)
      continue;
    uint32_t root = gmem_offset_groups_root(groups, i, NULL);
    if (by_root[root] == GMEM_NO_BUFFER)
      by_root[root] = count++;
    number_of[i] = by_root[root];
  }
  return count;
}

bool gmem_group_candidate(const gmem_offset_groups_t *groups,
                          const gmem_problem_t *problem, uint32_t buffer,
                          uint32_t *position, uint32_t *out_pool) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  uint32_t root = gmem_offset_groups_root(groups, buffer, NULL);
  if (groups && root < groups->count && groups->at[root].count > 1) {
    const gmem_offset_group_t *group = &groups->joint[groups->at[root].joint];
    uint64_t left =
        *position < 64 ? group->candidates >> *position << *position : 0;
    *position = left ? (uint32_t)__builtin_ctzll(left) : UINT32_MAX;
    spec = gmem_problem_buffer(problem, group->pools_of);
    count = spec->pool_count;
  }
  if (*position >= count)
    return false;
  *out_pool = spec->pools[*position];
  return true;
}

bool gmem_group_is_only_in(const gmem_offset_groups_t *groups,
                           const gmem_problem_t *problem, uint32_t buffer,
                           uint32_t pool) {
  uint32_t position = 0, found;
  if (!gmem_group_candidate(groups, problem, buffer, &position, &found) ||
      found != pool)
    return false;
  ++position;
  return !gmem_group_candidate(groups, problem, buffer, &position, &found);
}

//===--- joining groups ---------------------------------------------------===//

// Translates to a root that is |shift| bytes below the group's own root.
static bool move_root(gmem_offset_group_t *group, int64_t shift) {
  gmem_alignment_t *alignment = &group->alignment;
  alignment->anchor =
      (alignment->anchor + (uint64_t)shift) & (alignment->bytes - 1);
  return !__builtin_add_overflow(group->low, shift, &group->low) &&
         !__builtin_add_overflow(group->high, shift, &group->high) &&
         !__builtin_sub_overflow(group->fixed, shift, &group->fixed);
}

static bool join_ranges(gmem_offset_group_t *to,
                        const gmem_offset_group_t *from) {
  int64_t size;
  to->low = from->low < to->low ? from->low : to->low;
  to->high = from->high > to->high ? from->high : to->high;
  return !__builtin_sub_overflow(to->high, to->low, &size);
}

bool gmem_alignment_join(gmem_alignment_t *to, gmem_alignment_t from) {
  assert(gmem_is_power_of_two(to->bytes) && gmem_is_power_of_two(from.bytes));
  uint64_t shared = from.bytes < to->bytes ? from.bytes : to->bytes;
  if ((from.anchor ^ to->anchor) & (shared - 1))
    return false;
  if (from.bytes > to->bytes)
    *to = from;
  return true;
}

static bool has_candidate(const gmem_offset_group_t *group,
                          const gmem_buffer_spec_t *spec, uint32_t pool) {
  for (size_t i = 0; i < spec->pool_count && i < MOST_CANDIDATES; ++i)
    if (spec->pools[i] == pool)
      return group->candidates >> i & 1;
  return false;
}

static bool join_pools(const gmem_problem_t *problem, gmem_offset_group_t *to,
                       const gmem_offset_group_t *from) {
  const gmem_buffer_spec_t *mine = gmem_problem_buffer(problem, to->pools_of);
  const gmem_buffer_spec_t *other =
      gmem_problem_buffer(problem, from->pools_of);
  uint64_t candidates = to->candidates;
  for (size_t i = 0; i < mine->pool_count && i < MOST_CANDIDATES; ++i)
    if (!has_candidate(from, other, mine->pools[i]))
      candidates &= ~(UINT64_C(1) << i);
  to->candidates = candidates;
  return candidates != 0;
}

static bool join_fixed(const gmem_problem_t *problem, gmem_offset_group_t *to,
                       const gmem_offset_group_t *from) {
  if (to->is_fixed && from->is_fixed && to->fixed != from->fixed)
    return false;
  if (from->is_fixed) {
    to->is_fixed = true;
    to->fixed = from->fixed;
  }
  if (!to->is_fixed)
    return true;
  // The only candidate pool left is that of the fixed buffer.
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, to->pools_of);
  const gmem_pool_spec_t *pool =
      gmem_problem_pool(problem, spec->pools[__builtin_ctzll(to->candidates)]);
  uint64_t address = pool->base + (uint64_t)to->fixed + to->alignment.anchor;
  int64_t begin, end;
  return !__builtin_add_overflow(to->fixed, to->low, &begin) && begin >= 0 &&
         !__builtin_add_overflow(to->fixed, to->high, &end) &&
         (uint64_t)end <= GMEM_MAX_ADDRESS - pool->base &&
         (address & (to->alignment.bytes - 1)) == 0;
}

static gmem_untied_t join_groups(const gmem_problem_t *problem,
                                 gmem_offset_group_t *to,
                                 const gmem_offset_group_t *from) {
  if (!join_ranges(to, from))
    return GMEM_UNTIED_RANGE;
  if (!gmem_alignment_join(&to->alignment, from->alignment))
    return GMEM_UNTIED_ALIGNMENT;
  if (!join_pools(problem, to, from))
    return GMEM_UNTIED_POOLS;
  return join_fixed(problem, to, from) ? GMEM_TIED : GMEM_UNTIED_FIXED;
}

gmem_untied_t gmem_offset_groups_join(gmem_offset_groups_t *groups,
                                      const gmem_problem_t *problem,
                                      uint32_t child, uint32_t parent,
                                      uint64_t distance,
                                      gmem_join_t *out_join) {
  int64_t below_child, below_parent, shift;
  assert(child < groups->count && parent < groups->count);
  uint32_t lower = gmem_offset_groups_root(groups, child, &below_child);
  uint32_t upper = gmem_offset_groups_root(groups, parent, &below_parent);
  // offset(lower) = offset(upper) + shift
  if (__builtin_add_overflow(below_parent, (int64_t)distance, &shift) ||
      __builtin_sub_overflow(shift, below_child, &shift))
    return GMEM_UNTIED_RANGE;
  if (out_join)
    *out_join = (gmem_join_t){.lower = lower, .upper = lower};
  if (lower == upper)
    return shift == 0 ? GMEM_TIED : GMEM_UNTIED_ELSEWHERE;
  gmem_offset_group_t joined = group_of_root(groups, problem, upper),
                      moved = group_of_root(groups, problem, lower);
  if (!move_root(&moved, shift))
    return GMEM_UNTIED_RANGE;
  gmem_untied_t untied = join_groups(problem, &joined, &moved);
  if (untied != GMEM_TIED)
    return untied;
  if (groups->at[lower].count > groups->at[upper].count) {
    if (shift == INT64_MIN || !move_root(&joined, -shift))
      return GMEM_UNTIED_RANGE;
    uint32_t swap = lower;
    lower = upper;
    upper = swap;
    shift = -shift;
  }
  gmem_offset_link_t *below = &groups->at[lower], *above = &groups->at[upper];
  if (out_join)
    *out_join = (gmem_join_t){lower, upper, below->joint,
                              group_of_root(groups, problem, upper)};
  assert(lower != upper && joined.low < joined.high && joined.candidates);
  if (above->count == 1)
    above->joint = (uint32_t)groups->joint_count++;
  assert(groups->joint_count <= groups->joint_capacity);
  groups->joint[above->joint] = joined;
  above->count += below->count;
  below->up = upper;
  below->distance = shift;
  return GMEM_TIED;
}

void gmem_offset_groups_undo(gmem_offset_groups_t *groups,
                             const gmem_join_t *join) {
  if (join->lower == join->upper)
    return;
  gmem_offset_link_t *below = &groups->at[join->lower];
  gmem_offset_link_t *above = &groups->at[join->upper];
  assert(below->up == join->upper);
  below->up = join->lower;
  below->joint = join->joint;
  above->count -= below->count;
  if (above->count > 1)
    groups->joint[above->joint] = join->group;
  else
    --groups->joint_count;
}

//===--- blocks -----------------------------------------------------------===//

void gmem_mark_inner_of_blocks(const gmem_problem_t *problem, bool *is_inner) {
  for (size_t i = 0; i < gmem_problem_block_count(problem); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(problem, i);
    bool is_first = true;
    for (size_t k = 0; k < block->count; ++k) {
      if (gmem_problem_buffer(problem, block->buffers[k])->size == 0)
        continue;
      is_inner[block->buffers[k]] |= !is_first;
      is_first = false;
    }
  }
}

bool gmem_block_next(const gmem_problem_t *problem, uint32_t buffer,
                     uint64_t *end, uint64_t *distance) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  return gmem_align_offset(0, *end, spec->alignment, distance) &&
         gmem_add_bytes(*distance, spec->size, end);
}
