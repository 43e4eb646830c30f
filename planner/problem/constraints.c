// constraints.c - hard and soft constraints of a problem
// (gmem/planner/constraints.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <string.h>

#include "problem_store.h"

//===--- names ------------------------------------------------------------===//

static const char *const kinds[] = {[GMEM_APART] = "apart",
                                    [GMEM_BANKS] = "banks",
                                    [GMEM_BOUNDARY] = "boundary",
                                    [GMEM_NEAR] = "near",
                                    [GMEM_AT] = "at"};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *gmem_constraint_kind_name(gmem_constraint_kind_t kind) {
  return (unsigned)kind < KINDS ? kinds[kind] : NULL;
}

bool gmem_constraint_kind_find(const char *name,
                               gmem_constraint_kind_t *out_kind) {
  for (unsigned i = 0; i < KINDS; ++i)
    if (strcmp(kinds[i], name) == 0)
      return *out_kind = (gmem_constraint_kind_t)i, true;
  return false;
}

//===--- additions --------------------------------------------------------===//

static bool is_pair(gmem_constraint_kind_t kind) {
  return kind == GMEM_APART || kind == GMEM_BANKS || kind == GMEM_NEAR;
}

static gmem_status_t invalid(const gmem_constraint_t *spec, const char *reason,
                             gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, spec->first,
                           "a constraint of kind '%s' %s", kinds[spec->kind],
                           reason);
}

// The banks that |size| bytes occupy at best.
static uint64_t least_banks(uint64_t size, uint64_t bytes) {
  return size / bytes + (size % bytes != 0);
}

// Whether the two are in one pool in every plan, as far as candidates say.
static bool have_one_pool(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b) {
  return a->pool_count == 1 && b->pool_count == 1 && a->pools[0] == b->pools[0];
}

// Whether sizes and candidate pools rule out that a plan satisfies |spec|.
static bool is_impossible(const gmem_problem_t *problem,
                          const gmem_constraint_t *spec) {
  uint64_t size = problem->buffers[spec->first].size;
  if (spec->kind == GMEM_BOUNDARY)
    return size > spec->bytes;
  if (spec->kind != GMEM_BANKS)
    return false;
  uint64_t other = problem->buffers[spec->second].size;
  return size && other &&
         have_one_pool(&problem->buffers[spec->first],
                       &problem->buffers[spec->second]) &&
         least_banks(size, spec->bytes) + least_banks(other, spec->bytes) >
             spec->banks;
}

static gmem_status_t check_buffers(const gmem_problem_t *problem,
                                   const gmem_constraint_t *spec,
                                   gmem_diag_t *diag) {
  if (spec->first >= problem->buffer_count)
    return invalid(spec, "refers to an unknown buffer", diag);
  if (!is_pair(spec->kind))
    return GMEM_OK;
  if (spec->second >= problem->buffer_count)
    return invalid(spec, "refers to an unknown buffer", diag);
  if (spec->first == spec->second)
    return invalid(spec, "has the same buffer twice", diag);
  return GMEM_OK;
}

static gmem_status_t check_numbers(const gmem_problem_t *problem,
                                   const gmem_constraint_t *spec,
                                   gmem_diag_t *diag) {
  if (spec->kind == GMEM_AT && spec->pool >= problem->pool_count)
    return invalid(spec, "refers to an unknown pool", diag);
  if (spec->kind == GMEM_BANKS && spec->banks < 2)
    return invalid(spec, "has fewer than 2 banks", diag);
  bool needs_bytes = spec->kind == GMEM_BANKS || spec->kind == GMEM_BOUNDARY;
  if (needs_bytes && spec->bytes == 0)
    return invalid(spec, "has no bytes", diag);
  if (spec->kind != GMEM_APART && spec->bytes > GMEM_MAX_ADDRESS)
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, spec->first,
                             "a constraint of kind '%s': the bytes %" PRIu64
                             " are above %" PRIu64,
                             kinds[spec->kind], spec->bytes, GMEM_MAX_ADDRESS);
  return GMEM_OK;
}

static gmem_status_t check_penalty(const gmem_problem_t *problem,
                                   const gmem_constraint_t *spec,
                                   gmem_diag_t *diag) {
  uint64_t sum;
  if (spec->penalty == 0)
    return invalid(spec, "has no penalty", diag);
  if (spec->penalty == GMEM_HARD)
    return is_impossible(problem, spec)
               ? invalid(spec, "cannot be satisfied by any plan", diag)
               : GMEM_OK;
  if (gmem_add_bytes(problem->penalties, spec->penalty, &sum))
    return GMEM_OK;
  return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, spec->first,
                           "the sum of all penalties is above %" PRIu64,
                           GMEM_MAX_ADDRESS);
}

gmem_status_t gmem_problem_add_constraint(gmem_problem_t *problem,
                                          const gmem_constraint_t *spec,
                                          gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && spec, diag);
  if ((unsigned)spec->kind >= KINDS)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, spec->first,
                             "a constraint of the unknown kind %u",
                             (unsigned)spec->kind);
  GMEM_TRY(check_buffers(problem, spec, diag));
  GMEM_TRY(check_numbers(problem, spec, diag));
  GMEM_TRY(check_penalty(problem, spec, diag));
  if (spec->kind == GMEM_APART && spec->penalty == GMEM_HARD)
    return gmem_problem_add_conflict(problem, spec->first, spec->second, diag);
  problem->memory.diag = diag;
  GMEM_TRY_ROOM(problem->constraints, &problem->memory,
                problem->constraint_count, problem->constraint_capacity);
  problem->constraints[problem->constraint_count++] = *spec;
  if (spec->penalty != GMEM_HARD)
    problem->penalties += spec->penalty;
  return GMEM_OK;
}

//===--- access -----------------------------------------------------------===//

size_t gmem_problem_constraint_count(const gmem_problem_t *problem) {
  return problem->constraint_count;
}

const gmem_constraint_t *gmem_problem_constraint(const gmem_problem_t *problem,
                                                 size_t index) {
  return &problem->constraints[index];
}
