// layer_groups.c - see layer_groups.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layer_groups.h"

#include <assert.h>
#include <stdlib.h>

static int compare_spans(const void *a, const void *b) {
  const gmem_layer_group_t *left = a, *right = b;
  if (left->function != right->function)
    return left->function < right->function ? -1 : 1;
  return (left->group > right->group) - (left->group < right->group);
}

static void join_span(gmem_layer_group_t *span,
                      const gmem_layer_group_t *added) {
  span->begin = added->begin < span->begin ? added->begin : span->begin;
  span->end = added->end > span->end ? added->end : span->end;
  span->first = added->first < span->first ? added->first : span->first;
  span->last = added->last > span->last ? added->last : span->last;
  if (span->block != added->block)
    span->block = GMEM_NO_INDEX;
}

// Merges the spans of one group.
static void join_spans(const gmem_program_t *program,
                       gmem_layer_groups_t *out) {
  gmem_layer_group_t *spans = out->spans;
  size_t merged = 0;
  qsort(spans, out->count, sizeof *spans, compare_spans);
  for (size_t i = 0; i < out->count; ++i) {
    if (merged && compare_spans(&spans[merged - 1], &spans[i]) == 0)
      join_span(&spans[merged - 1], &spans[i]);
    else
      spans[merged++] = spans[i];
  }
  for (size_t i = 0; i < merged; ++i) {
    assert(spans[i].first <= spans[i].last && spans[i].begin < spans[i].end);
    const gmem_function_t *function = &program->functions[spans[i].function];
    if (spans[i].block == GMEM_NO_INDEX) {
      spans[i].begin = function->begin;
      spans[i].end = function->end;
    }
  }
  out->count = merged;
}

bool gmem_is_group_member(const gmem_program_t *program, uint32_t op) {
  const gmem_program_op_t *entry = &program->ops[op];
  return entry->group != GMEM_NO_GROUP &&
         (entry->parent == GMEM_NO_INDEX ||
          program->ops[entry->parent].group != entry->group);
}

gmem_status_t gmem_layer_groups_find(const gmem_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_layer_groups_t *out_spans,
                                     gmem_diag_t *diag) {
  size_t count = 0;
  for (uint32_t i = 0; i < program->op_count; ++i)
    count += gmem_is_group_member(program, i);
  *out_spans = (gmem_layer_groups_t){0};
  GMEM_TRY_ALLOC(out_spans->spans, arena, count, diag);
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    if (gmem_is_group_member(program, i))
      out_spans->spans[out_spans->count++] = (gmem_layer_group_t){
          op->function, op->group, op->block, i, i, op->begin, op->end};
  }
  join_spans(program, out_spans);
  return GMEM_OK;
}

const gmem_layer_group_t *gmem_layer_group_of(const gmem_layer_groups_t *spans,
                                              const gmem_program_op_t *op) {
  gmem_layer_group_t key = {.function = op->function, .group = op->group};
  return op->group == GMEM_NO_GROUP ? NULL
                                    : bsearch(&key, spans->spans, spans->count,
                                              sizeof key, compare_spans);
}
