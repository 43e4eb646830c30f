// plan_copies.c - see plan_copies.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_copies.h"

#include <assert.h>

#include "call_contexts.h"
#include "diagnostics.h"
#include "text.h"

typedef struct adder_s {
  const gmem_planned_copies_source_t *source;
  const gmem_program_t *program;
  gmem_bump_t *arena;
} adder_t;

// The step within its function at which the copy is made.
static int64_t step_of(const adder_t *adder, const gmem_control_copy_t *copy) {
  const gmem_program_op_t *op = &adder->program->ops[copy->op];
  return copy->record.edge == GMEM_COPY_RESULTS ? op->end - 1 : op->begin;
}

// The steps of the copy on the timeline of all scopes.
static const int64_t *find_steps(const adder_t *adder,
                                 const gmem_control_copy_t *copy,
                                 size_t *out_count) {
  const gmem_call_contexts_t *contexts =
      adder->source->analysis->liveness.contexts;
  const uint32_t *list = gmem_contexts_of(
      contexts, adder->program->ops[copy->op].function, out_count);
  int64_t *steps = gmem_bump_alloc(adder->arena, *out_count, sizeof *steps);
  for (size_t i = 0; steps && i < *out_count; ++i)
    steps[i] = adder->source->first_step +
               gmem_context_time(contexts, list[i], step_of(adder, copy));
  return steps;
}

// The fields that are the same in the records of all copies of an op.
static gmem_planned_flow_copy_t describe_op(const adder_t *adder,
                                            uint32_t index) {
  const gmem_program_op_t *op = &adder->program->ops[index];
  const gmem_function_t *function = &adder->program->functions[op->function];
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  gmem_text_t location = {.arena = adder->arena};
  mlirLocationPrint(mlirOperationGetLocation(op->op), gmem_text_piece,
                    &location);
  return (gmem_planned_flow_copy_t){
      .op = gmem_bump_string(adder->arena, name.data, name.length),
      .location = gmem_text_get(&location),
      .function = gmem_bump_string(adder->arena, function->name.data,
                                   function->name.length),
      .ir = op->op};
}

gmem_status_t gmem_planned_copies_add(
    const gmem_planned_copies_source_t *source, gmem_bump_t *arena,
    gmem_planned_flow_copies_t *out_copies, gmem_diag_t *diag) {
  const adder_t adder = {source, &source->analysis->program, arena};
  const gmem_control_copies_t *copies = source->copies;
  gmem_planned_flow_copy_t made = {.op = NULL};
  for (size_t i = 0; i < copies->count; ++i) {
    const gmem_control_copy_t *copy = &copies->at[i];
    const gmem_copy_record_t *record = &copy->record;
    assert(i == 0 || copies->at[i - 1].op <= copy->op);
    if (i == 0 || copies->at[i - 1].op != copy->op)
      made = describe_op(&adder, copy->op);
    made.edge = record->edge;
    made.cycle = record->cycle;
    made.number = record->number;
    made.steps = find_steps(&adder, copy, &made.step_count);
    made.from_pool = source->first_pool + copy->from_pool;
    made.to_pool = source->first_pool + copy->to_pool;
    made.from_buffer = source->buffer_of[copy->from];
    made.to_buffer = source->buffer_of[copy->to];
    made.from = record->from;
    made.to = record->to;
    made.size = record->size;
    GMEM_APPEND(arena, out_copies, made);
  }
  return gmem_bump_status(arena, diag);
}
