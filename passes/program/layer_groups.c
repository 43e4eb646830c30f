// layer_groups.c - see layer_groups.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layer_groups.h"

#include <assert.h>
#include <stdlib.h>

#include "diagnostics.h"

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

static int compare_positions(const void *a, const void *b) {
  const gmem_layer_group_t *left = *(const gmem_layer_group_t *const *)a;
  const gmem_layer_group_t *right = *(const gmem_layer_group_t *const *)b;
  if (left->block != right->block)
    return left->block < right->block ? -1 : 1;
  return (left->first > right->first) - (left->first < right->first);
}

// Rejects groups with ops in one block of which neither ends before the other
// begins: a group is executed as a unit.
static gmem_status_t reject_overlaps(const gmem_program_t *program,
                                     const gmem_layer_groups_t *groups,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_layer_group_t **sorted;
  size_t count = 0;
  GMEM_TRY_ALLOC(sorted, arena, groups->count, diag);
  for (size_t i = 0; i < groups->count; ++i)
    if (groups->spans[i].block != GMEM_NO_INDEX)
      sorted[count++] = &groups->spans[i];
  if (count)
    qsort(sorted, count, sizeof *sorted, compare_positions);
  // The groups before the first overlap are disjoint, so the last ends last.
  for (size_t i = 1; i < count; ++i)
    if (sorted[i]->block == sorted[i - 1]->block &&
        sorted[i]->first < sorted[i - 1]->last)
      return gmem_reject(diag, program->ops[sorted[i]->first].op,
                         "layer groups %lld and %lld overlap: a group is "
                         "executed as a unit, before or after the other",
                         (long long)sorted[i - 1]->group,
                         (long long)sorted[i]->group);
  return GMEM_OK;
}

static void find_mixed(const gmem_program_t *program,
                       const gmem_layer_groups_t *groups) {
  for (size_t i = 0; i < groups->count; ++i) {
    gmem_layer_group_t *span = &groups->spans[i];
    span->is_mixed = span->block == GMEM_NO_INDEX;
    for (uint32_t op = span->first; op <= span->last && !span->is_mixed; ++op)
      span->is_mixed = program->ops[op].group != span->group;
  }
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
          op->function, op->group, op->block, i, i, op->begin, op->end, false};
  }
  join_spans(program, out_spans);
  find_mixed(program, out_spans);
  return reject_overlaps(program, out_spans, arena, diag);
}

const gmem_layer_group_t *gmem_layer_group_of(const gmem_layer_groups_t *spans,
                                              const gmem_program_op_t *op) {
  gmem_layer_group_t key = {.function = op->function, .group = op->group};
  return op->group == GMEM_NO_GROUP ? NULL
                                    : bsearch(&key, spans->spans, spans->count,
                                              sizeof key, compare_spans);
}
