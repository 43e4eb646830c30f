// plan_lookup.c - see plan_lookup.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_lookup.h"

#include "partition_point.h"

static gmem_status_t index_values(const gmem_plan_lookup_source_t *source,
                                  gmem_bump_t *arena,
                                  gmem_plan_lookup_t *lookup,
                                  gmem_diag_t *diag) {
  GMEM_TRY(gmem_pointer_map_make(&lookup->buffer_of, source->value_count, arena,
                                 diag));
  for (uint32_t i = 0; i < source->value_count; ++i)
    if (source->values[i].ptr)
      gmem_pointer_map_add(&lookup->buffer_of, source->values[i].ptr, i);
  return GMEM_OK;
}

static gmem_status_t index_ops(const gmem_planned_ops_t *ops,
                               gmem_bump_t *arena, gmem_plan_lookup_t *lookup,
                               gmem_diag_t *diag) {
  GMEM_TRY(gmem_pointer_map_make(&lookup->op_of, ops->all.count, arena, diag));
  for (size_t i = 0; i < ops->all.count; ++i)
    gmem_pointer_map_add(&lookup->op_of, ops->all.at[i].ir.ptr, (uint32_t)i);
  return GMEM_OK;
}

// The copies of an op follow one another.
static gmem_status_t index_copies(const gmem_planned_flow_copies_t *copies,
                                  gmem_bump_t *arena,
                                  gmem_plan_lookup_t *lookup,
                                  gmem_diag_t *diag) {
  GMEM_TRY(gmem_pointer_map_make(&lookup->copy_of, copies->count, arena, diag));
  for (size_t i = 0; i < copies->count; ++i) {
    const void *op = copies->at[i].ir.ptr;
    if (i == 0 || copies->at[i - 1].ir.ptr != op)
      gmem_pointer_map_add(&lookup->copy_of, op, (uint32_t)i);
  }
  return GMEM_OK;
}

// The spans of an op are linked from the first to the last.
static gmem_status_t index_spans(const gmem_planned_spans_t *spans,
                                 gmem_bump_t *arena, gmem_plan_lookup_t *lookup,
                                 gmem_diag_t *diag) {
  uint32_t *last; // by first span of an op: the last one so far
  GMEM_TRY(gmem_pointer_map_make(&lookup->span_of, spans->count, arena, diag));
  GMEM_TRY_ALLOC(lookup->next_span, arena, spans->count, diag);
  GMEM_TRY_ALLOC(last, arena, spans->count, diag);
  for (size_t i = 0; i < spans->count; ++i) {
    const void *op = spans->at[i].ir.ptr;
    uint32_t first = gmem_pointer_map_find(&lookup->span_of, op);
    lookup->next_span[i] = GMEM_NO_INDEX;
    if (first == GMEM_NO_INDEX)
      gmem_pointer_map_add(&lookup->span_of, op, first = (uint32_t)i);
    else
      lookup->next_span[last[first]] = (uint32_t)i;
    last[first] = (uint32_t)i;
  }
  return GMEM_OK;
}

gmem_status_t gmem_plan_lookup_make(const gmem_plan_lookup_source_t *source,
                                    gmem_bump_t *arena,
                                    gmem_plan_lookup_t *out_lookup,
                                    gmem_diag_t *diag) {
  GMEM_TRY(index_values(source, arena, out_lookup, diag));
  GMEM_TRY(index_ops(source->ops, arena, out_lookup, diag));
  GMEM_TRY(index_copies(source->copies, arena, out_lookup, diag));
  return index_spans(source->spans, arena, out_lookup, diag);
}

static bool is_below(const void *alias, const void *child) {
  return ((const gmem_planned_alias_t *)alias)->child <
         *(const uint32_t *)child;
}

size_t gmem_plan_aliases_below(const gmem_planned_alias_t *aliases,
                               size_t count, uint32_t child) {
  return gmem_partition_point(&child, aliases, count, sizeof *aliases,
                              is_below);
}
