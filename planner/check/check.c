// check.c - the independent checker of plans. Uses the public view of a problem
// only: no sum, sort or search of the algorithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two phases. The first checks each buffer by itself: pool, fixed offset,
// alignment, end. The second checks the buffers that passed against each other:
// aliases, blocks and conflicts one by one (check_relations.c), and over time
// whether live buffers share bytes (check_sweep.c, or check_relations.c when
// some of them may).

#include <assert.h>
#include <inttypes.h>

#include "check_places.h"
#include "checker.h"
#include "planner_memory.h"
#include "problem_store.h"

//===--- single buffers ---------------------------------------------------===//

static bool is_candidate(const gmem_buffer_spec_t *spec, uint32_t pool) {
  // A fixed offset applies to the first candidate.
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count; ++i)
    if (spec->pools[i] == pool)
      return true;
  return false;
}

static bool is_aligned(const gmem_checker_t *checker, uint32_t buffer,
                       const gmem_buffer_spec_t *spec,
                       const gmem_pool_spec_t *pool, uint64_t offset) {
  uint64_t address = pool->base + offset; // wraps only above every limit
  bool is_inside = checker->is_inside && checker->is_inside[buffer];
  return (address & (spec->alignment - 1)) == 0 &&
         (is_inside || (address & (pool->alignment - 1)) == 0);
}

static bool fits(const gmem_buffer_spec_t *spec, const gmem_pool_spec_t *pool,
                 uint64_t offset) {
  uint64_t room = GMEM_MAX_ADDRESS - pool->base;
  if (pool->capacity < room)
    room = pool->capacity;
  return offset <= room && spec->size <= room - offset;
}

static gmem_violation_t violation_of(const gmem_checker_t *checker,
                                     uint32_t buffer) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(checker->problem, buffer);
  gmem_placement_t placement = checker->plan[buffer];
  if (!is_candidate(spec, placement.pool))
    return GMEM_VIOLATION_POOL;
  if (spec->has_fixed_offset && spec->fixed_offset != placement.offset)
    return GMEM_VIOLATION_FIXED;
  const gmem_pool_spec_t *pool =
      gmem_problem_pool(checker->problem, placement.pool);
  if (!is_aligned(checker, buffer, spec, pool, placement.offset))
    return GMEM_VIOLATION_ALIGNMENT;
  if (!fits(spec, pool, placement.offset))
    return GMEM_VIOLATION_CAPACITY;
  return GMEM_VIOLATION_NONE;
}

// Lists the live ranges of the next block, which ends at |top|.
static gmem_status_t list_ranges(gmem_checker_t *checker,
                                 const gmem_buffer_spec_t *spec, uint64_t top) {
  for (size_t i = 0; i < spec->range_count; ++i) {
    size_t count = checker->range_count;
    GMEM_TRY_ROOM(checker->ranges, &checker->memory, count,
                  checker->range_room);
    GMEM_TRY_ROOM(checker->begins, &checker->memory, count,
                  checker->begin_room);
    checker->begins[count] = (gmem_check_entry_t){
        gmem_check_key(spec->ranges[i].begin), (uint32_t)count};
    checker->ranges[count] =
        (gmem_check_range_t){.end = gmem_check_key(spec->ranges[i].end),
                             .top = top,
                             .block = (uint32_t)checker->block_count};
    checker->range_count = count + 1;
  }
  return GMEM_OK;
}

static void found_misplaced(gmem_checker_t *checker, uint32_t buffer,
                            gmem_violation_t violation) {
  gmem_check_result_t misplaced = {
      .violation = violation,
      .first = buffer,
      .second = GMEM_NO_BUFFER,
      .pool = checker->plan[buffer].pool,
      .time = gmem_problem_buffer(checker->problem, buffer)->ranges[0].begin};
  gmem_check_found(checker, &misplaced);
}

// Checks every buffer by itself. A buffer that passes and is not empty gets a
// block.
static gmem_status_t check_single(gmem_checker_t *checker) {
  for (uint32_t i = 0; i < checker->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(checker->problem, i);
    gmem_placement_t placement = checker->plan[i];
    gmem_violation_t violation = violation_of(checker, i);
    bool has_block = violation == GMEM_VIOLATION_NONE && spec->size;
    if (checker->has_block)
      checker->has_block[i] = has_block;
    if (violation != GMEM_VIOLATION_NONE)
      found_misplaced(checker, i, violation);
    checker->has_branches = checker->has_branches || spec->branch_count;
    if (!has_block)
      continue;
    uint64_t top = placement.offset + spec->size;
    GMEM_TRY(list_ranges(checker, spec, top));
    checker->blocks[checker->block_count++] =
        (gmem_check_block_t){.begin = placement.offset,
                             .end = top,
                             .pool = placement.pool,
                             .buffer = i};
  }
  return GMEM_OK;
}

//===--- order of addresses -----------------------------------------------===//

// Sorts the blocks, in place.
static gmem_status_t rank_blocks(gmem_checker_t *checker) {
  gmem_scratch_t *memory = &checker->memory;
  gmem_check_block_t *blocks = checker->blocks;
  gmem_check_entry_t *order = checker->order;
  uint32_t *rank_of;
  GMEM_TRY_NEW(rank_of, memory, checker->block_count);
  for (uint32_t rank = 0; rank < checker->block_count; ++rank)
    rank_of[order[rank].index] = rank;
  for (size_t i = 0; i < checker->range_count; ++i)
    checker->ranges[i].block = rank_of[checker->ranges[i].block];
  gmem_scratch_drop(memory, rank_of);
  for (uint32_t i = 0; i < checker->block_count; ++i) {
    gmem_check_block_t moved = blocks[i];
    uint32_t to = i;
    for (uint32_t from; (from = order[to].index) != i; to = from) {
      blocks[to] = blocks[from];
      order[to].index = to;
    }
    blocks[to] = moved;
    order[to].index = to;
  }
  return GMEM_OK;
}

//===--- pairs of buffers -------------------------------------------------===//

static bool has_relations(const gmem_problem_t *problem) {
  return gmem_problem_alias_count(problem) ||
         gmem_problem_block_count(problem) ||
         gmem_problem_conflict_count(problem);
}

static gmem_status_t check_pairs(gmem_checker_t *checker, bool related) {
  size_t count = checker->range_count; // every block has a range
  if (checker->block_count < 2)
    return GMEM_OK;
  assert(checker->block_count <= count);
  GMEM_TRY_NEW(checker->order, &checker->memory, count);
  GMEM_TRY_NEW(checker->scratch, &checker->memory, count);
  gmem_check_order_blocks(checker);
  gmem_check_sort(checker->begins, checker->scratch, count);
  if (!related)
    return gmem_check_sweep(checker);
  GMEM_TRY(rank_blocks(checker));
  gmem_scratch_drop(&checker->memory, checker->scratch);
  gmem_scratch_drop(&checker->memory, checker->order);
  return gmem_check_sweep_relations(checker);
}

static gmem_status_t check_all(gmem_checker_t *checker) {
  bool related = has_relations(checker->problem);
  size_t count = checker->buffer_count;
  checker->range_room = checker->begin_room = count; // one range each, mostly
  GMEM_TRY_NEW(checker->blocks, &checker->memory, count);
  GMEM_TRY_NEW(checker->ranges, &checker->memory, count);
  GMEM_TRY_NEW(checker->begins, &checker->memory, count);
  if (related)
    GMEM_TRY(gmem_check_find_relations(checker));
  GMEM_TRY(check_single(checker));
  if (!related && checker->has_branches)
    GMEM_TRY(gmem_check_find_relations(checker));
  GMEM_TRY(check_pairs(checker, related || checker->has_branches));
  if (related)
    gmem_check_ties(checker);
  return GMEM_OK;
}

//===--- report -----------------------------------------------------------===//

// The violations by one buffer.
static const struct {
  gmem_status_t status;
  const char *text;
} singles[] = {
    [GMEM_VIOLATION_POOL] = {GMEM_ERR_INVALID_ARGUMENT,
                             "is not in one of its candidate pools"},
    [GMEM_VIOLATION_FIXED] = {GMEM_ERR_INVALID_ARGUMENT,
                              "is not at its fixed offset"},
    [GMEM_VIOLATION_ALIGNMENT] = {GMEM_ERR_ALIGNMENT, "is misaligned"},
    [GMEM_VIOLATION_CAPACITY] = {GMEM_ERR_OVER_BUDGET,
                                 "ends past the end of its pool"},
};

static gmem_status_t report_single(const gmem_checker_t *checker,
                                   gmem_diag_t *diag) {
  const gmem_check_result_t *result = &checker->first;
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(checker->problem, result->first);
  assert(singles[result->violation].text);
  return gmem_planner_fail(
      diag, singles[result->violation].status, result->first,
      "buffer '%.60s' of %" PRIu64 " bytes at offset %" PRIu64
      " of pool %" PRIu32 " %s",
      spec->name, spec->size, checker->plan[result->first].offset, result->pool,
      singles[result->violation].text);
}

static gmem_status_t report_relation(const gmem_checker_t *checker,
                                     gmem_diag_t *diag) {
  const gmem_check_result_t *result = &checker->first;
  const char *first =
      gmem_problem_buffer(checker->problem, result->first)->name;
  const char *second =
      gmem_problem_buffer(checker->problem, result->second)->name;
  if (result->violation == GMEM_VIOLATION_ALIAS)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, result->first,
                             "buffer '%.60s' is not at its offset in '%.60s'",
                             first, second);
  return gmem_planner_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT, result->first,
      "buffer '%.60s' does not follow '%.60s' in their block", first, second);
}

static gmem_status_t report_constraint(const gmem_checker_t *checker,
                                       gmem_diag_t *diag) {
  static const char *const texts[] = {
      [GMEM_VIOLATION_BANKS] = " has bytes in a bank of ",
      [GMEM_VIOLATION_BOUNDARY] = " lies across a boundary",
      [GMEM_VIOLATION_NEAR] = " is too far from ",
      [GMEM_VIOLATION_AT] = " is not where a constraint places it"};
  const gmem_check_result_t *result = &checker->first;
  bool has_second = result->second != GMEM_NO_BUFFER;
  const char *quote = has_second ? "'" : "";
  return gmem_planner_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT, result->first,
      "buffer '%.60s'%s%s%.60s%s",
      gmem_problem_buffer(checker->problem, result->first)->name,
      texts[result->violation], quote,
      has_second ? gmem_problem_buffer(checker->problem, result->second)->name
                 : "",
      quote);
}

static gmem_status_t report(const gmem_checker_t *checker, gmem_diag_t *diag) {
  const gmem_check_result_t *result = &checker->first;
  if (result->violation == GMEM_VIOLATION_NONE)
    return GMEM_OK;
  if (result->violation < GMEM_VIOLATION_OVERLAP)
    return report_single(checker, diag);
  if (result->violation >= GMEM_VIOLATION_BANKS)
    return report_constraint(checker, diag);
  if (result->violation > GMEM_VIOLATION_CONFLICT)
    return report_relation(checker, diag);
  bool in_conflict = result->violation == GMEM_VIOLATION_CONFLICT;
  return gmem_planner_fail(
      diag, GMEM_ERR_OVERLAP, result->first,
      "buffers '%.60s' and '%.60s' share the bytes [%" PRIu64 ", %" PRIu64
      ") of pool '%.40s' %s %" PRId64,
      gmem_problem_buffer(checker->problem, result->first)->name,
      gmem_problem_buffer(checker->problem, result->second)->name,
      result->begin, result->end,
      gmem_problem_pool(checker->problem, result->pool)->name,
      in_conflict ? "despite a conflict at time" : "at time", result->time);
}

static gmem_status_t check_plan(const gmem_problem_t *problem,
                                const gmem_placement_t *plan,
                                bool with_constraints,
                                gmem_check_result_t *out_result,
                                gmem_diag_t *diag) {
  gmem_checker_t checker = {
      .problem = problem,
      .plan = plan,
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag},
      .buffer_count = gmem_problem_buffer_count(problem),
      .first = {.first = GMEM_NO_BUFFER, .second = GMEM_NO_BUFFER}};
  gmem_status_t status = check_all(&checker);
  gmem_scratch_free(&checker.memory);
  GMEM_TRY(status);
  if (with_constraints)
    gmem_check_constraints(&checker);
  if (out_result)
    *out_result = checker.first;
  return report(&checker, diag);
}

gmem_status_t gmem_check_places(const gmem_problem_t *problem,
                                const gmem_placement_t *plan,
                                gmem_diag_t *diag) {
  return check_plan(problem, plan, false, NULL, diag);
}

gmem_status_t gmem_check(const gmem_problem_t *problem,
                         const gmem_placement_t *plan,
                         gmem_check_result_t *out_result, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(
      problem && (plan || gmem_problem_buffer_count(problem) == 0), diag);
  return check_plan(problem, plan, true, out_result, diag);
}
