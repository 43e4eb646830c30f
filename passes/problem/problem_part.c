// problem_part.c - see problem_part.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_part.h"

#include <assert.h>

//===--- buffers ----------------------------------------------------------===//

gmem_status_t gmem_problem_part_find(const gmem_analysis_t *analysis,
                                     bool constant,
                                     gmem_problem_part_t *out_part,
                                     gmem_diag_t *diag) {
  const gmem_workbuffers_t *work = &analysis->workbuffers;
  const gmem_constants_t *constants = &analysis->constants;
  const gmem_placement_constraints_t *constraints = &analysis->constraints;
  *out_part = (gmem_problem_part_t){
      .analysis = analysis,
      .constant = constant,
      .pools = constant ? &constants->pools : &constraints->pools,
      .value_count = (uint32_t)analysis->liveness.set_count,
      .work = constant ? work->immutables : work->mutables,
      .demands = constant ? constants->work : constraints->work};
  if (constant) {
    uint32_t *weights, count = 0;
    GMEM_TRY_ALLOC(weights, analysis->arena, constants->count, diag);
    for (uint32_t i = 0; i < constants->count; ++i)
      if (constants->weights[i].source == constants->weights[i].value)
        weights[count++] = i;
    out_part->weights = weights;
    out_part->value_count = count;
  }
  out_part->count =
      out_part->value_count +
      (uint32_t)(constant ? work->immutable_count : work->mutable_count);
  return GMEM_OK;
}

uint32_t gmem_part_value(const gmem_problem_part_t *part, uint32_t buffer) {
  assert(buffer < part->count);
  if (buffer >= part->value_count)
    return GMEM_NO_INDEX;
  return part->constant
             ? part->analysis->constants.weights[part->weights[buffer]].value
             : part->analysis->liveness.sets[buffer].root;
}

uint32_t gmem_part_workbuffer(const gmem_problem_part_t *part,
                              uint32_t buffer) {
  assert(buffer >= part->value_count && buffer < part->count);
  uint32_t index = part->work[buffer - part->value_count];
  assert(index < part->analysis->workbuffers.count);
  return index;
}

static const gmem_op_workbuffer_t *
workbuffer_of(const gmem_problem_part_t *part, uint32_t buffer) {
  return &part->analysis->workbuffers.all[gmem_part_workbuffer(part, buffer)];
}

MlirLocation gmem_part_location(const gmem_problem_part_t *part,
                                uint32_t buffer) {
  uint32_t value = gmem_part_value(part, buffer);
  return value == GMEM_NO_INDEX
             ? mlirOperationGetLocation(workbuffer_of(part, buffer)->op)
             : gmem_value_location(&part->analysis->program, value);
}

void gmem_part_describe(const gmem_problem_part_t *part, uint32_t buffer,
                        char *text, size_t size) {
  uint32_t value = gmem_part_value(part, buffer);
  if (value == GMEM_NO_INDEX)
    gmem_workbuffer_describe(workbuffer_of(part, buffer), text, size);
  else
    gmem_value_describe(&part->analysis->program, value, text, size);
}

//===--- alias sets -------------------------------------------------------===//

// A tensor that may begin inside another one is aligned to |view_alignment|. It
// never needs more than the alignment of its pools, but a memref may.
uint64_t gmem_alias_set_alignment(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools, uint32_t set) {
  const gmem_buffer_constraint_t *constraint = &analysis->constraints.sets[set];
  uint64_t least = analysis->constraints.aliases.view_alignment;
  if (constraint->alignment_code)
    return gmem_constraint_alignment(constraint);
  for (uint32_t i = 0; i < constraint->pool_count; ++i)
    if (pools[constraint->pools[i]].alignment < least)
      least = pools[constraint->pools[i]].alignment;
  return least;
}

gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t set) {
  const gmem_buffer_constraint_t *constraint = &analysis->constraints.sets[set];
  gmem_padding_t padding = gmem_set_padding(analysis, set);
  if (!padding.before)
    return padding;
  uint64_t alignment = gmem_alias_set_alignment(analysis, pools, set);
  for (uint32_t i = 0; i < constraint->pool_count; ++i) // of any candidate
    if (pools[constraint->pools[i]].alignment > alignment)
      alignment = pools[constraint->pools[i]].alignment;
  assert(alignment && !(alignment & (alignment - 1)));
  padding.before = (padding.before + alignment - 1) & ~(alignment - 1);
  return padding;
}

// No overflow: gmem.padding and alignments are limited to 63 bits in total.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t set) {
  gmem_padding_t padding = gmem_padding_in_buffer(analysis, pools, set);
  uint32_t root = analysis->liveness.sets[set].root;
  return padding.before + analysis->program.values[root].size + padding.after;
}
