// plan_violations.c - what the planner's checker finds, in terms of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <stdio.h>

#include "diagnostics.h"
#include "plan_verifier.h"

const gmem_value_place_t *
gmem_verifier_place(const gmem_plan_verifier_t *verifier, uint32_t buffer) {
  const gmem_problem_part_t *part = &verifier->part;
  uint32_t value = gmem_part_value(part, buffer);
  return value == GMEM_NO_INDEX
             ? &verifier->plan->work_places[gmem_part_workbuffer(part, buffer)]
             : &verifier->plan->places[value];
}

// A buffer of the problem.
typedef struct subject_s {
  MlirLocation location;
  char name[128]; // "result #0 of 'npu.conv'"
} subject_t;

static subject_t subject_of(const gmem_plan_verifier_t *verifier,
                            uint32_t buffer) {
  subject_t subject = {.location = gmem_part_location(&verifier->part, buffer)};
  gmem_part_describe(&verifier->part, buffer, subject.name,
                     sizeof subject.name);
  return subject;
}

static gmem_status_t buffer_error(const gmem_plan_verifier_t *verifier,
                                  uint32_t buffer, gmem_status_t status,
                                  const char *what) {
  subject_t subject = subject_of(verifier, buffer);
  return gmem_error_at(verifier->diag, status, subject.location, "%s %s",
                       subject.name, what);
}

// The two subjects of a violation, with a note on each.
typedef struct pair_s {
  subject_t first, second;
  gmem_note_t notes[2];
} pair_t;

static gmem_note_t note(const subject_t *subject,
                        const gmem_value_place_t *place) {
  gmem_note_t made = {.location = subject->location};
  snprintf(made.text, sizeof made.text, "%s has bytes [%lld, %lld)",
           subject->name, (long long)place->offset,
           (long long)place->offset + (long long)place->size);
  return made;
}

static pair_t pair_of(const gmem_plan_verifier_t *verifier, uint32_t first,
                      uint32_t second) {
  pair_t pair = {.first = subject_of(verifier, first),
                 .second = subject_of(verifier, second)};
  pair.notes[0] = note(&pair.first, gmem_verifier_place(verifier, first));
  pair.notes[1] = note(&pair.second, gmem_verifier_place(verifier, second));
  return pair;
}

// Reports at |location| that the pair shares bytes, followed by |what|.
static gmem_status_t report_sharing(const gmem_plan_verifier_t *verifier,
                                    const pair_t *pair,
                                    const gmem_check_result_t *found,
                                    MlirLocation location, const char *what) {
  return gmem_error(
      verifier->diag, GMEM_ERR_OVERLAP, location, pair->notes, 2,
      "%s and %s share bytes [%llu, %llu) of pool '%s'%s", pair->first.name,
      pair->second.name, (unsigned long long)found->begin,
      (unsigned long long)found->end,
      gmem_problem_pool(verifier->problem, found->pool)->name, what);
}

static gmem_status_t report_overlap(const gmem_plan_verifier_t *verifier,
                                    const gmem_check_result_t *found) {
  const gmem_call_contexts_t *contexts = verifier->analysis->liveness.contexts;
  pair_t pair = pair_of(verifier, found->first, found->second);
  return verifier->part.constant
             ? report_sharing(verifier, &pair, found, pair.second.location,
                              " while both are constants")
             : report_sharing(verifier, &pair, found,
                              mlirOperationGetLocation(
                                  gmem_contexts_op_at(contexts, found->time)),
                              " while both are live at this op");
}

// "'npu.conv' in stream 1".
static void describe_use(const gmem_plan_verifier_t *verifier,
                         const gmem_stream_use_t *use, char *text,
                         size_t size) {
  const gmem_analysis_t *analysis = verifier->analysis;
  MlirStringRef name = mlirIdentifierStr(
      mlirOperationGetName(analysis->program.ops[use->op].op));
  char stream[48];
  gmem_stream_describe(analysis->liveness.order.streams, use->stream, stream,
                       sizeof stream);
  snprintf(text, size, "'%.*s' in %s", (int)name.length, name.data, stream);
}

// Reports unordered uses by different streams, or a hard constraint.
static gmem_status_t report_conflict(const gmem_plan_verifier_t *verifier,
                                     const gmem_check_result_t *found) {
  const gmem_analysis_t *analysis = verifier->analysis;
  const gmem_stream_pair_t *uses = gmem_stream_pair_of(
      &analysis->liveness.order, found->first, found->second);
  if (!uses) {
    pair_t apart = pair_of(verifier, found->first, found->second);
    return report_sharing(verifier, &apart, found, apart.second.location,
                          ", but gmem.constraints keeps them apart");
  }
  assert(uses->low < uses->high);
  pair_t pair = pair_of(verifier, uses->low, uses->high);
  uint32_t low = uses->use_of_low.op, high = uses->use_of_high.op;
  char texts[2][192], what[448];
  describe_use(verifier, &uses->use_of_low, texts[0], sizeof texts[0]);
  describe_use(verifier, &uses->use_of_high, texts[1], sizeof texts[1]);
  snprintf(what, sizeof what,
           ", but their uses are not synchronised: %s and %s", texts[0],
           texts[1]);
  MlirOperation later = analysis->program.ops[low > high ? low : high].op;
  return report_sharing(verifier, &pair, found, mlirOperationGetLocation(later),
                        what);
}

// Reports that |first| is not at its offset in |second|.
static gmem_status_t report_alias(const gmem_plan_verifier_t *verifier,
                                  const gmem_check_result_t *found) {
  pair_t pair = pair_of(verifier, found->first, found->second);
  return gmem_error(verifier->diag, GMEM_ERR_CORRUPT, pair.first.location,
                    pair.notes, 2,
                    "%s is not in the memory of %s, which gmem.same_as or "
                    "gmem.state requires",
                    pair.first.name, pair.second.name);
}

// Reports that |buffer| is not in one of its candidate pools.
static gmem_status_t report_pool(const gmem_plan_verifier_t *verifier,
                                 uint32_t buffer) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(verifier->problem, buffer);
  uint32_t entry = gmem_verifier_place(verifier, buffer)->pool;
  MlirStringRef pool = verifier->plan->pools.entries[entry].name;
  char text[256];
  size_t length = (size_t)snprintf(
      text, sizeof text, "is in pool '%.*s' but may only be in",
      (int)(pool.length < 96 ? pool.length : 96), pool.data);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count && length < sizeof text; ++i)
    length += (size_t)snprintf(
        text + length, sizeof text - length, "%s '%s'", i ? "," : "",
        gmem_problem_pool(verifier->problem, spec->pools[i])->name);
  return buffer_error(verifier, buffer, GMEM_ERR_CORRUPT, text);
}

gmem_status_t gmem_verifier_report(const gmem_plan_verifier_t *verifier,
                                   gmem_status_t status,
                                   const gmem_check_result_t *found) {
  const char *what = "does not fit in its pool";
  switch (found->violation) {
  case GMEM_VIOLATION_OVERLAP:
    return report_overlap(verifier, found);
  case GMEM_VIOLATION_CONFLICT:
    return report_conflict(verifier, found);
  case GMEM_VIOLATION_POOL:
    return report_pool(verifier, found->first);
  case GMEM_VIOLATION_ALIAS:
    return report_alias(verifier, found);
  case GMEM_VIOLATION_FIXED:
    what = "is not at its gmem.fixed offset";
    break;
  case GMEM_VIOLATION_ALIGNMENT:
    what = "is not aligned as its pool requires";
    break;
  case GMEM_VIOLATION_BANKS:
    what = "has bytes in a bank of a value that gmem.constraints keeps out";
    break;
  case GMEM_VIOLATION_BOUNDARY:
    what = "lies across a boundary that gmem.constraints forbids";
    break;
  case GMEM_VIOLATION_NEAR:
    what = "is farther from another value than gmem.constraints allows";
    break;
  case GMEM_VIOLATION_AT:
    what = "is not where gmem.constraints places it";
    break;
  default:
    break;
  }
  return buffer_error(verifier, found->first, status, what);
}
