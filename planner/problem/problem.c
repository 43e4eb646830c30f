// problem.c - builds a problem: pools, buffers, conflicts, aliases, blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "offset_groups.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"

//===--- copies -----------------------------------------------------------===//

static void *keep_room(gmem_problem_t *problem, size_t count,
                       size_t element_size) {
  enum { BLOCK = 1 << 16, ALIGNMENT = 8 }; // bytes
  if (count > (SIZE_MAX - ALIGNMENT) / element_size)
    return NULL;
  size_t bytes =
      (count * element_size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (bytes > problem->room_left) {
    size_t size = bytes > BLOCK ? bytes : BLOCK;
    problem->memory.diag = NULL; // of an earlier call; the callers report
    problem->room = gmem_scratch_alloc(&problem->memory, size, 1);
    problem->room_left = problem->room ? size : 0;
  }
  if (!problem->room)
    return NULL;
  void *room = problem->room;
  assert(bytes <= problem->room_left);
  problem->room += bytes;
  problem->room_left -= bytes;
  return room;
}

static void *keep_copy(gmem_problem_t *problem, const void *from, size_t count,
                       size_t element_size) {
  void *copy = keep_room(problem, count, element_size);
  if (copy)
    memcpy(copy, from, count * element_size);
  return copy;
}

static const char *keep_name(gmem_problem_t *problem, const char *name) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325); // FNV-1a
  if (!name || !*name)
    return "";
  if (problem->last_name && strcmp(problem->last_name, name) == 0)
    return problem->last_name;
  for (const char *at = name; *at; ++at)
    hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
  const char **recent =
      &problem->recent_names[hash >> 32 & (GMEM_RECENT_NAMES - 1)];
  if (!*recent || strcmp(*recent, name) != 0)
    *recent = keep_copy(problem, name, strlen(name) + 1, 1);
  return problem->last_name = *recent;
}

// The memory of |problem|, for an addition that reports to |diag|.
static gmem_scratch_t *memory_of(gmem_problem_t *problem, gmem_diag_t *diag) {
  problem->memory.diag = diag;
  return &problem->memory;
}

//===--- creation ---------------------------------------------------------===//

gmem_status_t gmem_problem_create(const gmem_allocator_t *allocator,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(out_problem, diag);
  *out_problem = NULL;
  gmem_allocator_t chosen = gmem_planner_allocator(allocator);
  gmem_problem_t *problem = gmem_planner_alloc(&chosen, 1, sizeof *problem);
  if (!problem)
    return gmem_planner_out_of_memory(diag);
  *problem = (gmem_problem_t){.allocator = chosen};
  problem->memory.allocator = &problem->allocator;
  *out_problem = problem;
  return GMEM_OK;
}

void gmem_problem_borrow(gmem_problem_t *problem) {
  assert(problem);
  problem->borrows = true;
}

void gmem_problem_destroy(gmem_problem_t *problem) {
  if (!problem)
    return;
  gmem_allocator_t allocator = problem->allocator;
  gmem_scratch_free(&problem->memory);
  gmem_planner_free(&allocator, problem, 1, sizeof *problem);
}

//===--- pools ------------------------------------------------------------===//

static gmem_status_t check_alignment(const char *what, const char *name,
                                     uint64_t alignment, gmem_diag_t *diag) {
  if (!gmem_is_power_of_two(alignment))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "%s '%.60s': the alignment %" PRIu64
                             " is not a power of two",
                             what, name, alignment);
  if (alignment > GMEM_MAX_ALIGNMENT)
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
                             "%s '%.60s': the alignment %" PRIu64
                             " is above %" PRIu64,
                             what, name, alignment, GMEM_MAX_ALIGNMENT);
  return GMEM_OK;
}

static gmem_status_t check_pool_name(const gmem_problem_t *problem,
                                     const char *name, gmem_diag_t *diag) {
  if (!name || !*name)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "a pool must have a name");
  for (size_t i = 0; i < problem->pool_count; ++i)
    if (strcmp(problem->pools[i].name, name) == 0)
      return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, i,
                               "duplicate pool name '%.60s'", name);
  return GMEM_OK;
}

static gmem_status_t check_pool_bytes(const gmem_pool_spec_t *spec,
                                      gmem_diag_t *diag) {
  if (spec->capacity == 0)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "pool '%.60s': the capacity is 0", spec->name);
  if (spec->base & (spec->alignment - 1))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "pool '%.60s': the base %" PRIu64
                             " is not a multiple of %" PRIu64,
                             spec->name, spec->base, spec->alignment);
  uint64_t bytes = spec->capacity == GMEM_UNLIMITED ? 0 : spec->capacity;
  uint64_t end;
  if (!gmem_add_bytes(spec->base, bytes, &end))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
                             "pool '%.60s': it ends above the largest address",
                             spec->name);
  return GMEM_OK;
}

static gmem_status_t check_pool(const gmem_problem_t *problem,
                                const gmem_pool_spec_t *spec,
                                gmem_diag_t *diag) {
  GMEM_TRY(check_pool_name(problem, spec->name, diag));
  GMEM_TRY(check_alignment("pool", spec->name, spec->alignment, diag));
  GMEM_TRY(check_pool_bytes(spec, diag));
  if (problem->pool_count == UINT32_MAX)
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
                             "too many pools");
  return GMEM_OK;
}

// The list 0, 1, ... with room for one more pool. Buffers refer to its start,
// so an outgrown list stays allocated.
static bool extend_all_pools(gmem_problem_t *problem) {
  size_t count = problem->pool_count;
  if (count == problem->all_pools_capacity) {
    size_t capacity = count ? count * 2 : 4;
    uint32_t *longer = keep_room(problem, capacity, sizeof *longer);
    if (!longer)
      return false;
    if (count)
      memcpy(longer, problem->all_pools, count * sizeof *longer);
    problem->all_pools = longer;
    problem->all_pools_capacity = capacity;
  }
  problem->all_pools[count] = (uint32_t)count;
  return true;
}

gmem_status_t gmem_problem_add_pool(gmem_problem_t *problem,
                                    const gmem_pool_spec_t *spec,
                                    uint32_t *out_pool, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && spec && out_pool, diag);
  GMEM_TRY(check_pool(problem, spec, diag));
  gmem_pool_spec_t pool = *spec;
  pool.name = keep_name(problem, spec->name);
  if (!pool.name || !extend_all_pools(problem))
    return gmem_planner_out_of_memory(diag);
  GMEM_TRY_ROOM(problem->pools, memory_of(problem, diag), problem->pool_count,
                problem->pool_capacity);
  *out_pool = (uint32_t)problem->pool_count;
  assert(problem->all_pools[*out_pool] == *out_pool);
  problem->pools[problem->pool_count++] = pool;
  return GMEM_OK;
}

//===--- buffers ----------------------------------------------------------===//

static gmem_status_t invalid_buffer(const gmem_buffer_spec_t *spec,
                                    const char *problem, gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                           "buffer '%.60s': %s", spec->name, problem);
}

static gmem_status_t check_ranges(const gmem_buffer_spec_t *spec,
                                  gmem_diag_t *diag) {
  if (spec->range_count == 0 || !spec->ranges)
    return invalid_buffer(spec, "it has no live range", diag);
  for (size_t i = 0; i < spec->range_count; ++i) {
    if (spec->ranges[i].begin >= spec->ranges[i].end)
      return invalid_buffer(spec, "a live range is empty", diag);
    if (i && spec->ranges[i - 1].end > spec->ranges[i].begin)
      return invalid_buffer(spec, "its live ranges are not sorted and disjoint",
                            diag);
  }
  return GMEM_OK;
}

static bool is_listed_before(const uint32_t *pools, size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (pools[i] == pools[index])
      return true;
  return false;
}

// |spec| lists its candidates: the given ones, or all pools.
static gmem_status_t check_candidates(const gmem_problem_t *problem,
                                      const gmem_buffer_spec_t *spec,
                                      gmem_diag_t *diag) {
  if (spec->pool_count == 0)
    return invalid_buffer(spec, "it has no candidate pool", diag);
  if (spec->pools == problem->all_pools)
    return GMEM_OK;
  for (size_t i = 0; i < spec->pool_count; ++i) {
    if (spec->pools[i] >= problem->pool_count)
      return invalid_buffer(spec, "a candidate pool does not exist", diag);
    if (is_listed_before(spec->pools, i))
      return invalid_buffer(spec, "a candidate pool is listed twice", diag);
  }
  return GMEM_OK;
}

static gmem_status_t check_fixed_offset(const gmem_problem_t *problem,
                                        const gmem_buffer_spec_t *spec,
                                        gmem_diag_t *diag) {
  const gmem_pool_spec_t *pool = &problem->pools[spec->pools[0]];
  uint64_t address, end;
  if (!gmem_add_bytes(pool->base, spec->fixed_offset, &address) ||
      !gmem_add_bytes(address, spec->size, &end))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
                             "buffer '%.60s': at the fixed offset %" PRIu64
                             " it ends above the largest address",
                             spec->name, spec->fixed_offset);
  if (address & (gmem_alignment_in(spec, pool) - 1))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "buffer '%.60s': the fixed offset %" PRIu64
                             " is not aligned to %" PRIu64,
                             spec->name, spec->fixed_offset,
                             gmem_alignment_in(spec, pool));
  return GMEM_OK;
}

static gmem_status_t check_branches(const gmem_buffer_spec_t *spec,
                                    gmem_diag_t *diag) {
  if (spec->branch_count && !spec->branches)
    return invalid_buffer(spec, "'branches' is NULL", diag);
  for (size_t i = 1; i < spec->branch_count; ++i)
    if (spec->branches[i - 1].choice >= spec->branches[i].choice)
      return invalid_buffer(
          spec, "its branches are not sorted by unique choice", diag);
  return GMEM_OK;
}

static gmem_status_t check_buffer(const gmem_problem_t *problem,
                                  const gmem_buffer_spec_t *spec,
                                  gmem_diag_t *diag) {
  if (problem->buffer_count == GMEM_NO_BUFFER)
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
                             "too many buffers");
  if (spec->size > GMEM_MAX_ADDRESS)
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
                             "buffer '%.60s': the size %" PRIu64
                             " is above %" PRIu64,
                             spec->name, spec->size, GMEM_MAX_ADDRESS);
  GMEM_TRY(check_alignment("buffer", spec->name, spec->alignment, diag));
  GMEM_TRY(check_ranges(spec, diag));
  GMEM_TRY(check_candidates(problem, spec, diag));
  GMEM_TRY(check_branches(spec, diag));
  if (spec->has_fixed_offset)
    GMEM_TRY(check_fixed_offset(problem, spec, diag));
  return GMEM_OK;
}

static bool has_touching_ranges(const gmem_buffer_spec_t *spec) {
  for (size_t i = 1; i < spec->range_count; ++i)
    if (spec->ranges[i - 1].end == spec->ranges[i].begin)
      return true;
  return false;
}

// Ranges that touch are one: how a live range is cut up changes no plan.
static bool keep_ranges(gmem_problem_t *problem, const gmem_buffer_spec_t *spec,
                        gmem_buffer_spec_t *buffer) {
  gmem_live_range_t *ranges =
      keep_copy(problem, spec->ranges, spec->range_count, sizeof *ranges);
  size_t last = 0;
  for (size_t i = 1; ranges && i < spec->range_count; ++i)
    if (ranges[last].end == ranges[i].begin)
      ranges[last].end = ranges[i].end;
    else
      ranges[++last] = ranges[i];
  buffer->ranges = ranges;
  buffer->range_count = last + 1;
  return ranges != NULL;
}

// Copies the arrays and strings that |spec| points to.
static bool keep_buffer(gmem_problem_t *problem, const gmem_buffer_spec_t *spec,
                        gmem_buffer_spec_t *buffer) {
  buffer->name = keep_name(problem, spec->name);
  if (problem->borrows && !has_touching_ranges(spec))
    return buffer->name != NULL;
  if (!keep_ranges(problem, spec, buffer))
    return false;
  if (spec->pools)
    buffer->pools =
        keep_copy(problem, spec->pools, spec->pool_count, sizeof *spec->pools);
  buffer->branches = NULL;
  if (spec->branch_count)
    buffer->branches = keep_copy(problem, spec->branches, spec->branch_count,
                                 sizeof *spec->branches);
  return buffer->name && buffer->pools &&
         (buffer->branches || !spec->branch_count);
}

static void note_traits(gmem_traits_t *traits,
                        const gmem_buffer_spec_t *buffer) {
  if (buffer->size == 0)
    traits->has_empty = true;
  if (buffer->has_fixed_offset)
    traits->has_fixed = true;
  else if (buffer->pool_count > 1)
    traits->has_moves = true;
}

gmem_status_t gmem_problem_add_buffer(gmem_problem_t *problem,
                                      const gmem_buffer_spec_t *spec,
                                      uint32_t *out_buffer, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && spec && out_buffer, diag);
  gmem_buffer_spec_t buffer = *spec;
  buffer.name = spec->name ? spec->name : "";
  if (!spec->pools) {
    buffer.pools = problem->all_pools;
    buffer.pool_count = problem->pool_count;
  }
  GMEM_TRY(check_buffer(problem, &buffer, diag));
  if (!keep_buffer(problem, spec, &buffer))
    return gmem_planner_out_of_memory(diag);
  GMEM_TRY_ROOM(problem->buffers, memory_of(problem, diag),
                problem->buffer_count, problem->buffer_capacity);
  *out_buffer = (uint32_t)problem->buffer_count;
  problem->buffers[problem->buffer_count++] = buffer;
  note_traits(&problem->traits, &buffer);
  return GMEM_OK;
}

//===--- conflicts --------------------------------------------------------===//

static gmem_status_t check_index(const gmem_problem_t *problem, uint32_t buffer,
                                 const char *what, gmem_diag_t *diag) {
  if (buffer < problem->buffer_count)
    return GMEM_OK;
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
                           "%s refers to unknown buffer %" PRIu32
                           " of %zu buffers",
                           what, buffer, problem->buffer_count);
}

gmem_status_t gmem_problem_add_conflict(gmem_problem_t *problem, uint32_t first,
                                        uint32_t second, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem, diag);
  GMEM_TRY(check_index(problem, first, "a conflict", diag));
  GMEM_TRY(check_index(problem, second, "a conflict", diag));
  if (first == second)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, first,
                             "buffer '%.60s' cannot conflict with itself",
                             problem->buffers[first].name);
  GMEM_TRY_ROOM(problem->conflicts, memory_of(problem, diag),
                problem->conflict_count, problem->conflict_capacity);
  problem->conflicts[problem->conflict_count++] =
      (gmem_problem_conflict_t){first, second};
  return GMEM_OK;
}

//===--- aliases ----------------------------------------------------------===//

static const char *const reasons[] = {
    [GMEM_UNTIED_ELSEWHERE] =
        "other aliases and blocks give it a different offset",
    [GMEM_UNTIED_RANGE] = "together they are larger than every pool",
    [GMEM_UNTIED_ALIGNMENT] = "their alignments are incompatible",
    [GMEM_UNTIED_POOLS] = "they have no candidate pool in common",
    [GMEM_UNTIED_FIXED] = "their fixed offsets are incompatible",
};

static gmem_status_t check_alias(const gmem_problem_t *problem,
                                 const gmem_alias_spec_t *spec,
                                 gmem_diag_t *diag) {
  GMEM_TRY(check_index(problem, spec->child, "an alias", diag));
  GMEM_TRY(check_index(problem, spec->parent, "an alias", diag));
  const gmem_buffer_spec_t *child = &problem->buffers[spec->child];
  const gmem_buffer_spec_t *parent = &problem->buffers[spec->parent];
  if (spec->child == spec->parent)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, spec->child,
                             "buffer '%.60s' cannot be a view of itself",
                             child->name);
  if (spec->offset > parent->size || child->size > parent->size - spec->offset)
    return gmem_planner_fail(
        diag, GMEM_ERR_INVALID_ARGUMENT, spec->child,
        "buffer '%.60s' of %" PRIu64 " bytes at %" PRIu64
        " ends past the end of '%.60s' of %" PRIu64 " bytes",
        child->name, child->size, spec->offset, parent->name, parent->size);
  return GMEM_OK;
}

static gmem_status_t join_alias(gmem_problem_t *problem,
                                const gmem_alias_spec_t *spec,
                                gmem_diag_t *diag) {
  const gmem_buffer_spec_t *child = &problem->buffers[spec->child];
  if (spec->is_optional || child->size == 0)
    return GMEM_OK;
  GMEM_TRY(gmem_offset_groups_extend(&problem->groups, problem,
                                     memory_of(problem, diag)));
  gmem_untied_t untied = gmem_offset_groups_join(
      &problem->groups, problem, spec->child, spec->parent, spec->offset, NULL);
  if (untied == GMEM_TIED)
    return GMEM_OK;
  return gmem_planner_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT, spec->child,
      "buffer '%.60s' cannot be at offset %" PRIu64 " in '%.60s': %s",
      child->name, spec->offset, problem->buffers[spec->parent].name,
      reasons[untied]);
}

gmem_status_t gmem_problem_add_alias(gmem_problem_t *problem,
                                     const gmem_alias_spec_t *spec,
                                     gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && spec, diag);
  GMEM_TRY(check_alias(problem, spec, diag));
  GMEM_TRY_ROOM(problem->aliases, memory_of(problem, diag),
                problem->alias_count, problem->alias_capacity);
  GMEM_TRY(join_alias(problem, spec, diag));
  problem->aliases[problem->alias_count++] = *spec;
  problem->traits.has_optional |= spec->is_optional;
  return GMEM_OK;
}

//===--- blocks -----------------------------------------------------------===//

static gmem_status_t check_block(const gmem_problem_t *problem,
                                 const gmem_block_spec_t *spec,
                                 gmem_diag_t *diag) {
  if (spec->count == 0 || !spec->buffers)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "a block must have buffers");
  for (size_t i = 0; i < spec->count; ++i)
    GMEM_TRY(check_index(problem, spec->buffers[i], "a block", diag));
  return GMEM_OK;
}

static gmem_status_t fail_block(const gmem_problem_t *problem, uint32_t buffer,
                                uint32_t first, const char *reason,
                                gmem_diag_t *diag) {
  return gmem_planner_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
      "buffer '%.60s' cannot be in one block with '%.60s': %s",
      problem->buffers[buffer].name, problem->buffers[first].name, reason);
}

// Joins the buffers with the first that is not empty. |joins|: undo records.
static gmem_status_t join_block(gmem_problem_t *problem,
                                const gmem_block_spec_t *spec,
                                gmem_join_t *joins, size_t *join_count,
                                gmem_diag_t *diag) {
  uint32_t first = GMEM_NO_BUFFER;
  uint64_t end = 0, distance;
  for (size_t i = 0; i < spec->count; ++i) {
    uint32_t buffer = spec->buffers[i];
    if (problem->buffers[buffer].size == 0)
      continue;
    if (!gmem_block_next(problem, buffer, &end, &distance))
      return fail_block(problem, buffer, spec->buffers[0],
                        reasons[GMEM_UNTIED_RANGE], diag);
    if (first == GMEM_NO_BUFFER) {
      first = buffer;
      continue;
    }
    if (buffer == first)
      return fail_block(problem, buffer, first, "it is listed twice", diag);
    gmem_untied_t untied =
        gmem_offset_groups_join(&problem->groups, problem, buffer, first,
                                distance, &joins[*join_count]);
    if (untied != GMEM_TIED)
      return fail_block(problem, buffer, first, reasons[untied], diag);
    ++*join_count;
  }
  return GMEM_OK;
}

static gmem_status_t join_block_or_undo(gmem_problem_t *problem,
                                        const gmem_block_spec_t *spec,
                                        gmem_diag_t *diag) {
  gmem_scratch_t *memory = memory_of(problem, diag);
  gmem_join_t *joins;
  size_t join_count = 0;
  GMEM_TRY(gmem_offset_groups_extend(&problem->groups, problem, memory));
  GMEM_TRY_NEW(joins, memory, spec->count);
  gmem_status_t status = join_block(problem, spec, joins, &join_count, diag);
  while (status != GMEM_OK && join_count > 0)
    gmem_offset_groups_undo(&problem->groups, &joins[--join_count]);
  gmem_scratch_drop(memory, joins);
  return status;
}

gmem_status_t gmem_problem_add_block(gmem_problem_t *problem,
                                     const gmem_block_spec_t *spec,
                                     gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && spec, diag);
  GMEM_TRY(check_block(problem, spec, diag));
  gmem_block_spec_t set = {.count = spec->count};
  set.buffers =
      keep_copy(problem, spec->buffers, spec->count, sizeof *spec->buffers);
  if (!set.buffers)
    return gmem_planner_out_of_memory(diag);
  GMEM_TRY_ROOM(problem->sets, memory_of(problem, diag), problem->set_count,
                problem->set_capacity);
  GMEM_TRY(join_block_or_undo(problem, spec, diag));
  problem->sets[problem->set_count++] = set;
  return GMEM_OK;
}
