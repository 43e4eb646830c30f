// choose_aliases.c - selects optional aliases that can be used together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Aliases are used one after the other, each unless
// * the two buffers are already joined at another distance;
// * they cannot be joined (offset_groups.h), or a buffer that needs the
//   alignment of its pool would be misaligned at every offset;
// * two buffers that interfere would overlap: the alias only allows its own two
//   buffers to share bytes.
//
// The last test looks up every member of the smaller group in the larger one.
// Each member is looked up O(log n) times in total, because its group at least
// doubles each time.

#include "choose_aliases.h"

#include <assert.h>
#include <string.h>

#include "offset_groups.h"
#include "packing_query.h"
#include "problem_store.h"

//===--- pairs of buffers -------------------------------------------------===//

static uint32_t lower_of(const gmem_alias_spec_t *alias) {
  return alias->child < alias->parent ? alias->child : alias->parent;
}

static uint32_t upper_of(const gmem_alias_spec_t *alias) {
  return alias->child < alias->parent ? alias->parent : alias->child;
}

// The first leaf in [low, high) whose upper buffer is not below |upper|.
static uint32_t find_upper(const gmem_choice_t *choice, uint32_t low,
                           uint32_t high, uint64_t upper) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (upper_of(gmem_problem_alias(choice->problem,
                                    choice->leaves.at[middle])) < upper)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t gmem_choice_find(const gmem_choice_t *choice, uint32_t a, uint32_t b,
                          uint32_t *position) {
  uint32_t lower = a < b ? a : b, upper = a < b ? b : a;
  uint32_t end = choice->leaves.first[lower + 1];
  *position = find_upper(choice, choice->leaves.first[lower], end, upper);
  return find_upper(choice, *position, end, (uint64_t)upper + 1) - *position;
}

// Whether an optional alias lets the two share bytes when they begin at these
// distances from one root.
static bool may_share_by_alias(const gmem_choice_t *choice, uint32_t a,
                               int64_t a_low, uint32_t b, int64_t b_low) {
  uint32_t first, count = gmem_choice_find(choice, a, b, &first);
  for (uint32_t i = first; i < first + count; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(choice->problem, choice->leaves.at[i]);
    int64_t distance = alias->child == a ? a_low - b_low : b_low - a_low;
    if (distance == (int64_t)alias->offset)
      return true;
  }
  return false;
}

//===--- compatibility of two groups --------------------------------------===//

// Two groups that an alias would join, or one and the same. The alias holds
// when they are the same and the shift is 0.
typedef struct sides_s {
  uint32_t child, parent; // roots of their groups
  int64_t shift;          // bytes from |parent| to |child|
  uint32_t inner_count;   // buffers that would start inside others, in |queue|
} sides_t;

// Whether the group of |root|, moved up by |shift| bytes, has distances that
// can be represented.
static bool can_move(const gmem_choice_t *choice, uint32_t root,
                     int64_t shift) {
  gmem_offset_group_t group =
      gmem_offset_groups_group(&choice->groups, choice->problem, root);
  int64_t moved;
  return !__builtin_add_overflow(group.low, shift, &moved) &&
         !__builtin_add_overflow(group.high, shift, &moved);
}

// False when distances are too large for the two groups to be one.
static bool find_sides(const gmem_choice_t *choice,
                       const gmem_alias_spec_t *alias, sides_t *sides) {
  int64_t child, parent, shift;
  *sides = (sides_t){0};
  sides->child = gmem_offset_groups_root(&choice->groups, alias->child, &child);
  sides->parent =
      gmem_offset_groups_root(&choice->groups, alias->parent, &parent);
  if (__builtin_add_overflow(parent, (int64_t)alias->offset, &shift) ||
      __builtin_sub_overflow(shift, child, &shift) || shift == INT64_MIN)
    return false;
  sides->shift = shift;
  return can_move(choice, sides->child, shift) &&
         can_move(choice, sides->parent, -shift);
}

// Whether |buffer|, moved up by |shift| bytes, interferes with none of the
// buffers it overlaps in the group |other|.
static bool may_overlap_group(gmem_choice_t *choice, uint32_t buffer,
                              int64_t shift, uint32_t other) {
  gmem_live_boxes_t *stays = &choice->stays;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(choice->problem, buffer);
  for (size_t i = choice->first_stay[buffer];
       i < choice->first_stay[buffer + 1]; ++i) {
    gmem_live_box_t box = stays->at[i].box;
    box.low += shift;
    box.high += shift;
    for (uint32_t met =
             gmem_stay_first(stays, choice->origins[other].tree, &box);
         met != GMEM_NO_STAY; met = gmem_stay_next(stays, met, &box)) {
      uint32_t upon = stays->at[met].buffer;
      if (!may_share_by_alias(choice, buffer, box.low, upon,
                              stays->at[met].box.low) &&
          !gmem_buffers_exclude(spec,
                                gmem_problem_buffer(choice->problem, upon)))
        return false;
    }
  }
  return true;
}

// Whether |buffer| shares no bytes with the buffers of the group |other| that
// have an explicit conflict with it.
static bool keeps_conflicts(gmem_choice_t *choice, uint32_t buffer,
                            int64_t shift, uint32_t other) {
  uint64_t size = gmem_problem_buffer(choice->problem, buffer)->size;
  gmem_key_list_t conflicts = choice->conflicts;
  size_t i =
      gmem_find_key(conflicts.at, conflicts.count, (uint64_t)buffer << 32);
  for (; i < conflicts.count && conflicts.at[i].key >> 32 == buffer; ++i) {
    uint32_t second = (uint32_t)conflicts.at[i].key;
    int64_t low, other_low;
    ++choice->stays.looks;
    if (gmem_offset_groups_root(&choice->groups, second, &other_low) != other)
      continue;
    gmem_offset_groups_root(&choice->groups, buffer, &low);
    low += shift;
    if (low < other_low +
                  (int64_t)gmem_problem_buffer(choice->problem, second)->size &&
        other_low < low + (int64_t)size)
      return false;
  }
  return true;
}

static bool groups_may_overlap(gmem_choice_t *choice, uint32_t root,
                               int64_t shift, uint32_t other) {
  uint32_t buffer = root;
  do {
    if (choice->stays.looks > choice->stays.look_limit ||
        !may_overlap_group(choice, buffer, shift, other) ||
        !keeps_conflicts(choice, buffer, shift, other))
      return false;
    buffer = choice->next[buffer];
  } while (buffer != root);
  return true;
}

// Tests the two buffers themselves first: usually something close to them is
// the reason for a rejection.
static bool groups_agree(gmem_choice_t *choice, const gmem_alias_spec_t *alias,
                         const sides_t *sides) {
  enum { FEW = 8 };
  uint32_t mine = choice->groups.at[sides->child].count;
  uint32_t other = choice->groups.at[sides->parent].count;
  if (mine > FEW && other > FEW &&
      (!may_overlap_group(choice, alias->child, sides->shift, sides->parent) ||
       !may_overlap_group(choice, alias->parent, -sides->shift, sides->child)))
    return false;
  return mine <= other ? groups_may_overlap(choice, sides->child, sides->shift,
                                            sides->parent)
                       : groups_may_overlap(choice, sides->parent,
                                            -sides->shift, sides->child);
}

//===--- the alignment of the pool ----------------------------------------===//

// Marks all that start with the |count| buffers of |queue|, which are inner,
// through an alias, and lists those that were not. Returns their number.
static uint32_t spread_inner(gmem_choice_t *choice, uint32_t count) {
  gmem_aliases_by_buffer_t starts = choice->starts;
  for (uint32_t done = 0; done < count; ++done) {
    uint32_t buffer = choice->queue[done];
    for (uint32_t i = starts.first[buffer]; i < starts.first[buffer + 1]; ++i) {
      const gmem_alias_spec_t *alias =
          gmem_problem_alias(choice->problem, starts.at[i]);
      if (choice->is_inner[alias->child] ||
          (alias->is_optional && !choice->chosen[starts.at[i]]))
        continue;
      choice->is_inner[alias->child] = true;
      choice->queue[count++] = alias->child;
    }
  }
  return count;
}

// Marks the child, and all that start with it, as inner when the alias makes it
// start inside its parent. Returns the number of those that were not, in
// |queue|.
static uint32_t make_child_inner(gmem_choice_t *choice,
                                 const gmem_alias_spec_t *alias) {
  if (choice->is_inner[alias->child] ||
      (alias->offset == 0 && !choice->is_inner[alias->parent]))
    return 0;
  choice->is_inner[alias->child] = true;
  choice->queue[0] = alias->child;
  uint32_t count = spread_inner(choice, 1);
  choice->stays.looks += count;
  return count;
}

// Whether some member of the child's group still needs the alignment of the
// pool when the child starts inside its parent: one that the child itself
// starts in, or with. Then the members need not be marked one by one.
static bool stays_aligned(const gmem_choice_t *choice,
                          const gmem_alias_spec_t *alias) {
  return choice->is_child[alias->child] && !choice->is_inner[alias->child];
}

static void undo_inner(gmem_choice_t *choice, const sides_t *sides) {
  for (uint32_t i = 0; i < sides->inner_count; ++i) {
    assert(choice->is_inner[choice->queue[i]]);
    choice->is_inner[choice->queue[i]] = false;
  }
  choice->origins[sides->child].count += sides->inner_count;
}

// Whether all members of both groups that need the alignment of the pool can be
// aligned. Marks the child as inner.
static bool origins_agree(gmem_choice_t *choice, const gmem_alias_spec_t *alias,
                          sides_t *sides) {
  gmem_origin_t *mine = &choice->origins[sides->child];
  const gmem_origin_t *other = &choice->origins[sides->parent];
  uint64_t apart = mine->distance + (uint64_t)sides->shift - other->distance;
  bool agree = !other->count || (apart & (choice->pool_alignment - 1)) == 0;
  if (!agree && mine->count && stays_aligned(choice, alias))
    return false;
  sides->inner_count = make_child_inner(choice, alias);
  mine->count -= sides->inner_count;
  if (agree || !mine->count)
    return true;
  undo_inner(choice, sides);
  return false;
}

//===--- using an alias ---------------------------------------------------===//

// Joins two rings.
static void join_rings(gmem_choice_t *choice, uint32_t a, uint32_t b) {
  uint32_t next = choice->next[a];
  choice->next[a] = choice->next[b];
  choice->next[b] = next;
}

// Merges the group of |lower|, |shift| bytes above |upper|, into that of
// |upper|.
static void absorb(gmem_choice_t *choice, uint32_t lower, uint32_t upper,
                   int64_t shift) {
  uint32_t buffer = lower;
  assert(lower != upper);
  do {
    for (size_t i = choice->first_stay[buffer];
         i < choice->first_stay[buffer + 1]; ++i) {
      choice->stays.at[i].box.low += shift;
      choice->stays.at[i].box.high += shift;
      gmem_stay_insert(&choice->stays, &choice->origins[upper].tree,
                       (uint32_t)i);
    }
    buffer = choice->next[buffer];
  } while (buffer != lower);
  gmem_origin_t *to = &choice->origins[upper], from = choice->origins[lower];
  if (to->count == 0)
    to->distance = from.distance + (uint64_t)shift;
  to->count += from.count;
  join_rings(choice, lower, upper);
}

// Whether the group of |upper| can be aligned after merging that of |lower|,
// |shift| bytes above it.
static bool can_be_aligned(const gmem_choice_t *choice, uint32_t lower,
                           uint32_t upper, int64_t shift) {
  const gmem_origin_t *origin = &choice->origins[upper];
  uint64_t distance = origin->distance;
  if (origin->count == 0) {
    origin = &choice->origins[lower];
    distance = origin->distance + (uint64_t)shift;
  }
  gmem_alignment_t alignment =
      gmem_offset_groups_group(&choice->groups, choice->problem, upper)
          .alignment;
  return origin->count == 0 ||
         gmem_alignment_join(
             &alignment, (gmem_alignment_t){choice->pool_alignment, distance});
}

typedef enum taken_e { TAKEN, REFUSED, MISALIGNED } taken_t;

static taken_t join_groups(gmem_choice_t *choice,
                           const gmem_alias_spec_t *alias, sides_t *sides) {
  gmem_join_t join;
  if (!origins_agree(choice, alias, sides))
    return MISALIGNED;
  if (!groups_agree(choice, alias, sides) ||
      gmem_offset_groups_join(&choice->groups, choice->problem, alias->child,
                              alias->parent, alias->offset,
                              &join) != GMEM_TIED) {
    undo_inner(choice, sides);
    return REFUSED;
  }
  int64_t shift = join.lower == sides->child ? sides->shift : -sides->shift;
  if (!can_be_aligned(choice, join.lower, join.upper, shift)) {
    gmem_offset_groups_undo(&choice->groups, &join);
    undo_inner(choice, sides);
    return MISALIGNED;
  }
  absorb(choice, join.lower, join.upper, shift);
  return TAKEN;
}

static bool is_possible(const gmem_choice_t *choice, size_t index) {
  const gmem_alias_spec_t *alias = gmem_problem_alias(choice->problem, index);
  return alias->is_optional && !choice->chosen[index] &&
         gmem_problem_buffer(choice->problem, alias->child)->size > 0;
}

static taken_t use_alias(gmem_choice_t *choice, size_t index) {
  const gmem_alias_spec_t *alias = gmem_problem_alias(choice->problem, index);
  sides_t sides;
  if (!is_possible(choice, index) || !find_sides(choice, alias, &sides) ||
      sides.child == sides.parent)
    return REFUSED;
  taken_t taken = join_groups(choice, alias, &sides);
  choice->chosen[index] = taken == TAKEN;
  choice->is_child[alias->child] |= taken == TAKEN;
  return taken;
}

// Uses the possible aliases of |order| and returns how many were rejected for
// alignment only, in |late|, which may be |order|. These may become possible
// when other aliases place a buffer inside another.
static size_t use_in_order(gmem_choice_t *choice, const uint32_t *order,
                           size_t count, uint32_t *late) {
  size_t left = 0;
  for (size_t i = 0; i < count; ++i)
    if (use_alias(choice, order[i]) == MISALIGNED)
      late[left++] = order[i];
  return left;
}

// An alias may hold as a consequence of others; it counts as used.
static void mark_used(gmem_choice_t *choice) {
  for (size_t i = 0; i < choice->alias_count; ++i) {
    sides_t sides;
    choice->chosen[i] |=
        is_possible(choice, i) &&
        find_sides(choice, gmem_problem_alias(choice->problem, i), &sides) &&
        sides.child == sides.parent && sides.shift == 0;
  }
}

//===--- creation ---------------------------------------------------------===//

static void add_conflict(gmem_key_list_t *list, uint32_t a, uint32_t b,
                         size_t index) {
  list->at[list->count++] =
      (gmem_order_t){(uint64_t)a << 32 | b, (uint32_t)index};
}

static gmem_status_t sort_conflicts(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  gmem_key_list_t *list = &choice->conflicts;
  size_t count = gmem_problem_conflict_count(problem);
  gmem_order_t *scratch;
  GMEM_TRY_NEW(list->at, &choice->memory, 2 * count);
  GMEM_TRY_NEW(scratch, &choice->memory, 2 * count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t a, b;
    gmem_problem_conflict(problem, i, &a, &b);
    add_conflict(list, a, b, i);
    add_conflict(list, b, a, i);
  }
  gmem_sort_order(list->at, scratch, list->count);
  gmem_scratch_drop(&choice->memory, scratch);
  return GMEM_OK;
}

typedef uint32_t buffer_of_fn(const gmem_alias_spec_t *alias);

static uint32_t parent_of(const gmem_alias_spec_t *alias) {
  return alias->parent;
}

// Fills |to| with |aliases|, in stable order, by the buffer that |of| names.
static void group_by(const gmem_problem_t *problem, const uint32_t *aliases,
                     uint32_t count, buffer_of_fn *of,
                     gmem_aliases_by_buffer_t *to) {
  uint32_t buffers = gmem_problem_buffer_count(problem), sum = 0;
  memset(to->first, 0, ((size_t)buffers + 1) * sizeof *to->first);
  for (uint32_t i = 0; i < count; ++i)
    ++to->first[of(gmem_problem_alias(problem, aliases[i]))];
  for (uint32_t i = 0; i <= buffers; ++i)
    to->first[i] = sum += to->first[i];
  for (uint32_t i = count; i-- > 0;)
    to->at[--to->first[of(gmem_problem_alias(problem, aliases[i]))]] =
        aliases[i];
}

// Lists the aliases, those of empty children aside, in |queue|: the optional
// ones, or those at offset 0.
static uint32_t list_aliases(const gmem_choice_t *choice, bool optional,
                             uint32_t *to) {
  const gmem_problem_t *problem = choice->problem;
  uint32_t count = 0;
  for (size_t i = 0; i < choice->alias_count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (gmem_problem_buffer(problem, alias->child)->size > 0 &&
        (optional ? alias->is_optional : alias->offset == 0))
      to[count++] = (uint32_t)i;
  }
  return count;
}

static gmem_status_t group_aliases(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  gmem_scratch_t *memory = &choice->memory;
  size_t buffers = gmem_problem_buffer_count(problem);
  size_t aliases = choice->alias_count;
  gmem_aliases_by_buffer_t *leaves = &choice->leaves, *starts = &choice->starts;
  GMEM_TRY_NEW(leaves->first, memory, buffers + 1);
  GMEM_TRY_NEW(leaves->at, memory, aliases);
  GMEM_TRY_NEW(starts->first, memory, buffers + 1);
  GMEM_TRY_NEW(starts->at, memory, aliases);
  GMEM_TRY_NEW(choice->late, memory, aliases);
  uint32_t count = list_aliases(choice, true, choice->late);
  gmem_aliases_by_buffer_t by_upper = {leaves->first, starts->at};
  group_by(problem, choice->late, count, upper_of, &by_upper);
  group_by(problem, starts->at, count, lower_of, leaves);
  choice->leaf_count = count;
  count = list_aliases(choice, false, choice->late);
  group_by(problem, choice->late, count, parent_of, starts);
  return GMEM_OK;
}

// Only buffers whose group an optional alias may join have stays.
static size_t number_stays(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  const gmem_offset_groups_t *groups = gmem_problem_offset_groups(problem);
  uint32_t buffers = gmem_problem_buffer_count(problem);
  bool *is_touched = choice->is_inner; // as scratch, by root
  int64_t distance;
  memset(is_touched, 0, buffers * sizeof *is_touched);
  for (uint32_t i = 0; i < choice->leaf_count; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(problem, choice->leaves.at[i]);
    is_touched[gmem_offset_groups_root(groups, alias->child, &distance)] = true;
    is_touched[gmem_offset_groups_root(groups, alias->parent, &distance)] =
        true;
  }
  size_t count = 0;
  for (uint32_t i = 0; i < buffers; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    choice->first_stay[i] = (uint32_t)count;
    if (spec->size && is_touched[gmem_offset_groups_root(groups, i, &distance)])
      count += spec->range_count;
  }
  choice->first_stay[buffers] = (uint32_t)count;
  return count;
}

static uint64_t largest_pool_alignment(const gmem_problem_t *problem) {
  uint64_t largest = 1;
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i)
    if (gmem_problem_pool(problem, i)->alignment > largest)
      largest = gmem_problem_pool(problem, i)->alignment;
  return largest;
}

static gmem_status_t create(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  gmem_scratch_t *memory = &choice->memory;
  size_t buffers = gmem_problem_buffer_count(problem);
  if (choice->alias_count >= UINT32_MAX)
    return gmem_planner_out_of_memory(memory->diag);
  GMEM_TRY_NEW(choice->chosen, memory, choice->alias_count);
  GMEM_TRY_NEW(choice->next, memory, buffers);
  GMEM_TRY_NEW(choice->first_stay, memory, buffers + 1);
  GMEM_TRY_NEW(choice->is_inner, memory, buffers);
  GMEM_TRY_NEW(choice->is_child, memory, buffers);
  GMEM_TRY_NEW(choice->queue, memory, buffers);
  GMEM_TRY(group_aliases(choice));
  GMEM_TRY(sort_conflicts(choice));
  choice->stays.count = number_stays(choice);
  return choice->stays.count < GMEM_NO_STAY
             ? GMEM_OK
             : gmem_planner_out_of_memory(memory->diag);
}

gmem_status_t gmem_choice_create(const gmem_problem_t *problem,
                                 gmem_choice_t *choice, gmem_diag_t *diag) {
  *choice = (gmem_choice_t){
      .problem = problem,
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag},
      .alias_count = gmem_problem_alias_count(problem),
      .pool_alignment = largest_pool_alignment(problem)};
  return create(choice);
}

//===--- non-optional groups ----------------------------------------------===//

static void mark_inner(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  uint32_t buffers = gmem_problem_buffer_count(problem), count = 0;
  memset(choice->is_inner, 0, buffers * sizeof *choice->is_inner);
  memset(choice->is_child, 0, buffers * sizeof *choice->is_child);
  gmem_mark_inner_of_blocks(problem, choice->is_inner);
  for (size_t i = 0; i < choice->alias_count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->is_optional ||
        gmem_problem_buffer(problem, alias->child)->size == 0)
      continue;
    choice->is_child[alias->child] = true;
    choice->is_inner[alias->child] |= alias->offset > 0;
  }
  for (uint32_t i = 0; i < buffers; ++i)
    if (choice->is_inner[i])
      choice->queue[count++] = i;
  spread_inner(choice, count);
}

// Inserts the stays of |buffer|, |distance| bytes above |root|, into its tree.
static void place_stays(gmem_choice_t *choice, uint32_t buffer, uint32_t root,
                        int64_t distance) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(choice->problem, buffer);
  size_t first = choice->first_stay[buffer];
  for (size_t i = first; i < choice->first_stay[buffer + 1]; ++i) {
    choice->stays.at[i] = (gmem_stay_t){
        .box = {distance, distance + (int64_t)spec->size,
                spec->ranges[i - first].begin, spec->ranges[i - first].end},
        .buffer = buffer};
    gmem_stay_insert(&choice->stays, &choice->origins[root].tree, (uint32_t)i);
  }
}

// The root of a group is in its ring from the start; every other member is
// inserted after it.
static void add_member(gmem_choice_t *choice, uint32_t buffer) {
  int64_t distance;
  uint32_t root = gmem_offset_groups_root(&choice->groups, buffer, &distance);
  if (root != buffer)
    join_rings(choice, root, buffer);
  place_stays(choice, buffer, root, distance);
  gmem_origin_t *origin = &choice->origins[root];
  if (!choice->is_inner[buffer] && origin->count++ == 0)
    origin->distance = (uint64_t)distance;
}

static gmem_status_t start_groups(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  uint32_t count = gmem_problem_buffer_count(problem);
  GMEM_TRY_NEW(choice->stays.at, &choice->memory, choice->stays.count);
  GMEM_TRY_NEW(choice->origins, &choice->memory, count);
  GMEM_TRY(gmem_offset_groups_copy(gmem_problem_offset_groups(problem), problem,
                                   &choice->memory, &choice->groups));
  memset(choice->chosen, 0, choice->alias_count * sizeof *choice->chosen);
  mark_inner(choice);
  for (uint32_t i = 0; i < count; ++i) {
    choice->next[i] = i;
    choice->origins[i] = (gmem_origin_t){.tree = GMEM_NO_STAY};
  }
  for (uint32_t i = 0; i < count; ++i)
    add_member(choice, i);
  return GMEM_OK;
}

gmem_status_t gmem_choose_aliases(gmem_choice_t *choice, const uint32_t *order,
                                  size_t count) {
  enum { LOOKS_PER_STAY = 256, LOOKS = 1 << 20, ROUNDS = 3 };
  GMEM_TRY(start_groups(choice));
  choice->stays.look_limit =
      choice->stays.looks + LOOKS +
      LOOKS_PER_STAY * (uint64_t)(choice->stays.count + choice->alias_count);
  size_t left = use_in_order(choice, order, count, choice->late);
  for (int round = 1; round < ROUNDS && left; ++round)
    left = use_in_order(choice, choice->late, left, choice->late);
  mark_used(choice);
  gmem_scratch_drop(&choice->memory, choice->origins);
  gmem_scratch_drop(&choice->memory, choice->stays.at);
  return GMEM_OK;
}
