// report_sums.c - see report_sums.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_sums.h"

#include <stdlib.h>
#include <string.h>

#include "live_ranges.h"

static int compare_names(const gmem_report_sum_t *a,
                         const gmem_report_sum_t *b) {
  size_t shorter = a->length < b->length ? a->length : b->length;
  int order = memcmp(a->name, b->name, shorter);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int by_name(const void *a, const void *b) { return compare_names(a, b); }

static int by_bytes(const void *a, const void *b) {
  const gmem_report_sum_t *left = a, *right = b;
  if (left->at_peak != right->at_peak)
    return left->at_peak < right->at_peak ? 1 : -1;
  if (left->bytes != right->bytes)
    return left->bytes < right->bytes ? 1 : -1;
  return compare_names(left, right);
}

static void merge_equal(gmem_report_sums_t *sums) {
  size_t count = 0;
  for (size_t i = 0; i < sums->count; ++i) {
    gmem_report_sum_t *last = count ? &sums->at[count - 1] : NULL;
    if (!last || compare_names(last, &sums->at[i]) != 0) {
      sums->at[count++] = sums->at[i];
      continue;
    }
    last->buffers += sums->at[i].buffers;
    last->bytes += sums->at[i].bytes;
    last->at_peak += sums->at[i].at_peak;
  }
  sums->count = count;
}

gmem_status_t gmem_report_sum_ops(const gmem_report_t *report, bool by_dialect,
                                  gmem_report_sums_t *out_sums,
                                  gmem_diag_t *diag) {
  *out_sums = (gmem_report_sums_t){NULL, 0};
  GMEM_TRY_ALLOC(out_sums->at, report->arena, report->locations.count, diag);
  for (uint32_t i = 0; i < report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (!gmem_report_is_listed(buffer, buffer->pool) ||
        gmem_planned_pool(report->planned, buffer->pool)->constant)
      continue;
    int64_t peak = report->pools[buffer->pool].peak_step;
    bool is_at_peak = gmem_report_owns_at(buffer, peak);
    size_t length = by_dialect ? strcspn(buffer->op, ".") : strlen(buffer->op);
    out_sums->at[out_sums->count++] = (gmem_report_sum_t){
        buffer->op, length, 1, buffer->size, is_at_peak ? buffer->size : 0};
  }
  if (out_sums->count == 0)
    return GMEM_OK;
  qsort(out_sums->at, out_sums->count, sizeof *out_sums->at, by_name);
  merge_equal(out_sums);
  qsort(out_sums->at, out_sums->count, sizeof *out_sums->at, by_bytes);
  return GMEM_OK;
}

static bool is_live_at(const gmem_planned_buffer_t *buffer, int64_t step) {
  return gmem_ranges_contain(buffer->ranges, buffer->range_count, step);
}

uint64_t gmem_report_alias_saves(const gmem_report_t *report, uint32_t index) {
  const gmem_planned_alias_t *alias =
      gmem_planned_alias(report->planned, index);
  const gmem_planned_buffer_t *child =
      gmem_planned_buffer(report->planned, alias->child);
  const gmem_planned_buffer_t *parent =
      gmem_planned_buffer(report->planned, alias->parent);
  int64_t peak = report->pools[child->pool].peak_step;
  if (!is_live_at(child, peak) || !is_live_at(parent, peak))
    return 0;
  return child->size < parent->size ? child->size : parent->size;
}
