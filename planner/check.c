// check.c - the independent proof of a plan. Uses the public view of a problem
// and nothing else: no sum, sort or search of the algorithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two steps. First every buffer is looked at alone: its pool, its fixed offset,
// its alignment, its end. Then all that are well placed by themselves are
// looked at together: aliases, blocks and conflicts one by one
// (check_relations.c), and over time whether two that are live together share
// bytes (check_sweep.c, or check_relations.c when some of them may).

#include <inttypes.h>
#include <string.h>

#include "check_internal.h"

//===--- the first violation ----------------------------------------------===//

static bool comes_before(const gmem_check_result_t *a,
                         const gmem_check_result_t *b) {
  if (b->violation == GMEM_VIOLATION_NONE)
    return true;
  if (a->time != b->time)
    return a->time < b->time;
  if (a->first != b->first)
    return a->first < b->first;
  if (a->second != b->second)
    return a->second < b->second;
  return a->violation < b->violation;
}

void gmem_check_found(gmem_checker_t *checker,
                      const gmem_check_result_t *found) {
  if (comes_before(found, &checker->first))
    checker->first = *found;
}

//===--- every buffer alone -----------------------------------------------===//

static bool is_candidate(const gmem_buffer_spec_t *spec, uint32_t pool) {
  // A fixed offset is one in the first candidate.
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

// Looks at every buffer; those that are well placed and not empty get a block.
static void check_alone(gmem_checker_t *checker) {
  for (uint32_t i = 0; i < checker->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(checker->problem, i);
    gmem_violation_t violation = violation_of(checker, i);
    checker->rank_of[i] = GMEM_NO_BUFFER;
    if (violation != GMEM_VIOLATION_NONE) {
      gmem_check_result_t misplaced = {.violation = violation,
                                       .first = i,
                                       .second = GMEM_NO_BUFFER,
                                       .pool = checker->plan[i].pool,
                                       .time = spec->ranges[0].begin};
      gmem_check_found(checker, &misplaced);
      continue;
    }
    if (spec->size == 0)
      continue;
    uint64_t begin = checker->plan[i].offset;
    checker->blocks[checker->block_count++] = (gmem_check_block_t){
        begin, begin + spec->size, checker->plan[i].pool, i};
    checker->range_count += spec->range_count;
  }
}

//===--- ranks and events -------------------------------------------------===//

// Sorts the blocks by (pool, offset, index). They are listed by index.
static void rank_blocks(gmem_checker_t *checker, gmem_check_block_t *unsorted) {
  size_t count = checker->block_count;
  gmem_check_entry_t *order = checker->begins; // every block has a range
  memcpy(unsorted, checker->blocks, count * sizeof *unsorted);
  for (size_t i = 0; i < count; ++i)
    order[i] = (gmem_check_entry_t){unsorted[i].begin, (uint32_t)i};
  gmem_check_sort(order, checker->scratch, count);
  for (size_t i = 0; i < count; ++i)
    order[i].key = unsorted[order[i].index].pool;
  gmem_check_sort(order, checker->scratch, count);
  for (size_t rank = 0; rank < count; ++rank) {
    checker->blocks[rank] = unsorted[order[rank].index];
    checker->rank_of[checker->blocks[rank].buffer] = (uint32_t)rank;
  }
}

static void list_events(gmem_checker_t *checker) {
  size_t count = 0;
  for (uint32_t i = 0; i < checker->buffer_count; ++i) {
    uint32_t rank = checker->rank_of[i];
    if (rank == GMEM_NO_BUFFER)
      continue;
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(checker->problem, i);
    for (size_t k = 0; k < spec->range_count; ++k, ++count) {
      checker->begins[count] =
          (gmem_check_entry_t){gmem_check_key(spec->ranges[k].begin), rank};
      checker->ends[count] =
          (gmem_check_entry_t){gmem_check_key(spec->ranges[k].end), rank};
    }
  }
  gmem_check_sort(checker->begins, checker->scratch, count);
  gmem_check_sort(checker->ends, checker->scratch, count);
}

//===--- all together -----------------------------------------------------===//

static bool has_relations(const gmem_problem_t *problem) {
  if (gmem_problem_alias_count(problem) || gmem_problem_block_count(problem) ||
      gmem_problem_conflict_count(problem))
    return true;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (gmem_problem_buffer(problem, i)->branch_count)
      return true;
  return false;
}

static gmem_status_t check_events(gmem_checker_t *checker, bool related,
                                  gmem_diag_t *diag) {
  size_t room = checker->block_count;
  gmem_check_block_t *unsorted =
      gmem_planner_alloc(checker->allocator, room, sizeof *unsorted);
  if (!unsorted)
    return gmem_planner_out_of_memory(diag);
  rank_blocks(checker, unsorted);
  gmem_planner_free(checker->allocator, unsorted, room, sizeof *unsorted);
  list_events(checker);
  return related ? gmem_check_sweep_relations(checker, diag)
                 : gmem_check_sweep(checker, diag);
}

static gmem_status_t check_together(gmem_checker_t *checker, bool related,
                                    gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = checker->allocator;
  size_t count = checker->range_count;
  checker->begins =
      gmem_planner_alloc(allocator, count, sizeof *checker->begins);
  checker->ends = gmem_planner_alloc(allocator, count, sizeof *checker->ends);
  checker->scratch =
      gmem_planner_alloc(allocator, count, sizeof *checker->scratch);
  gmem_status_t status = GMEM_OK;
  if (!checker->begins || !checker->ends || !checker->scratch)
    status = gmem_planner_out_of_memory(diag);
  else if (checker->block_count > 1)
    status = check_events(checker, related, diag);
  gmem_planner_free(allocator, checker->begins, count, sizeof *checker->begins);
  gmem_planner_free(allocator, checker->ends, count, sizeof *checker->ends);
  gmem_planner_free(allocator, checker->scratch, count,
                    sizeof *checker->scratch);
  return status;
}

static gmem_status_t check_all(gmem_checker_t *checker, gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = checker->allocator;
  uint32_t count = checker->buffer_count;
  bool related = has_relations(checker->problem);
  checker->blocks =
      gmem_planner_alloc(allocator, count, sizeof *checker->blocks);
  checker->rank_of =
      gmem_planner_alloc(allocator, count, sizeof *checker->rank_of);
  gmem_status_t status = checker->blocks && checker->rank_of
                             ? GMEM_OK
                             : gmem_planner_out_of_memory(diag);
  if (status == GMEM_OK && related)
    status = gmem_check_find_relations(checker, diag);
  if (status == GMEM_OK) {
    check_alone(checker);
    status = check_together(checker, related, diag);
  }
  if (status == GMEM_OK && related)
    gmem_check_ties(checker);
  gmem_check_free_relations(checker);
  gmem_planner_free(allocator, checker->blocks, count, sizeof *checker->blocks);
  gmem_planner_free(allocator, checker->rank_of, count,
                    sizeof *checker->rank_of);
  return status;
}

//===--- report -----------------------------------------------------------===//

// What is wrong with one buffer, and the status that goes with it.
static const char *describe_alone(gmem_violation_t violation,
                                  gmem_status_t *status) {
  *status = GMEM_ERR_INVALID_ARGUMENT;
  if (violation == GMEM_VIOLATION_FIXED)
    return "is not at its fixed offset";
  if (violation == GMEM_VIOLATION_POOL)
    return "is in a pool that is no candidate of it";
  *status = GMEM_ERR_ALIGNMENT;
  if (violation == GMEM_VIOLATION_ALIGNMENT)
    return "is misaligned";
  *status = GMEM_ERR_OVER_BUDGET;
  return "ends after its pool";
}

static gmem_status_t report_alone(const gmem_checker_t *checker,
                                  gmem_diag_t *diag) {
  const gmem_check_result_t *result = &checker->first;
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(checker->problem, result->first);
  gmem_status_t status;
  const char *what = describe_alone(result->violation, &status);
  return gmem_planner_fail(
      diag, status, result->first,
      "buffer '%.60s' of %" PRIu64 " bytes at offset %" PRIu64
      " of pool %" PRIu32 " %s",
      spec->name, spec->size, checker->plan[result->first].offset, result->pool,
      what);
}

static gmem_status_t report_tie(const gmem_checker_t *checker,
                                gmem_diag_t *diag) {
  const gmem_check_result_t *result = &checker->first;
  const char *first =
      gmem_problem_buffer(checker->problem, result->first)->name;
  const char *second =
      gmem_problem_buffer(checker->problem, result->second)->name;
  if (result->violation == GMEM_VIOLATION_ALIAS)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, result->first,
                             "buffer '%.60s' is not where it lies in '%.60s'",
                             first, second);
  return gmem_planner_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT, result->first,
      "buffer '%.60s' does not lie behind '%.60s' in their block", first,
      second);
}

static gmem_status_t report(const gmem_checker_t *checker, gmem_diag_t *diag) {
  const gmem_check_result_t *result = &checker->first;
  if (result->violation == GMEM_VIOLATION_NONE)
    return GMEM_OK;
  if (result->violation < GMEM_VIOLATION_OVERLAP)
    return report_alone(checker, diag);
  if (result->violation > GMEM_VIOLATION_CONFLICT)
    return report_tie(checker, diag);
  bool in_conflict = result->violation == GMEM_VIOLATION_CONFLICT;
  return gmem_planner_fail(
      diag, GMEM_ERR_OVERLAP, result->first,
      "buffers '%.60s' and '%.60s' share the bytes [%" PRIu64 ", %" PRIu64
      ") of pool '%.40s' %s %" PRId64,
      gmem_problem_buffer(checker->problem, result->first)->name,
      gmem_problem_buffer(checker->problem, result->second)->name,
      result->begin, result->end,
      gmem_problem_pool(checker->problem, result->pool)->name,
      in_conflict ? "though they conflict; the first is live at" : "at time",
      result->time);
}

gmem_status_t gmem_check(const gmem_problem_t *problem,
                         const gmem_placement_t *plan,
                         gmem_check_result_t *out_result, gmem_diag_t *diag) {
  gmem_checker_t checker = {
      .problem = problem,
      .plan = plan,
      .allocator = gmem_problem_allocator(problem),
      .buffer_count = gmem_problem_buffer_count(problem),
      .first = {.first = GMEM_NO_BUFFER, .second = GMEM_NO_BUFFER}};
  gmem_status_t status = check_all(&checker, diag);
  if (status != GMEM_OK)
    return status;
  if (out_result)
    *out_result = checker.first;
  return report(&checker, diag);
}
