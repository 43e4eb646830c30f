// report_remarks.c - a report as remarks at the ops that define the buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_facts.h"

#include <inttypes.h>
#include <stdio.h>

#include "mlir_seam.h"

static void remark_pool(const gmem_report_t *report, uint32_t index) {
  const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, index);
  const gmem_report_pool_t *figures = &report->pools[index];
  gmem_remark(report->location,
              "pool=%s: size=%" PRIu64 " bytes, lower-bound=%" PRIu64
              " bytes, buffers=%zu, sum=%" PRIu64 " bytes",
              pool->name, pool->size, pool->lower_bound, figures->buffers,
              figures->sum);
  if (pool->size_hint != GMEM_UNLIMITED && pool->size > pool->size_hint)
    gmem_remark(report->location,
                "pool=%s: size=%" PRIu64 " bytes, size-hint=%" PRIu64 " bytes",
                pool->name, pool->size, pool->size_hint);
  if (pool->spilled)
    gmem_remark(report->location,
                "pool=%s: spilled=%" PRIu64 " buffers, spilled-bytes=%" PRIu64
                " bytes",
                pool->name, pool->spilled, pool->spilled_bytes);
}

static void remark_buffer(const gmem_report_t *report, uint32_t index) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(report->planned, index);
  const gmem_planned_pool_t *pool =
      gmem_planned_pool(report->planned, buffer->pool);
  if (pool->constant || buffer->alias_of != GMEM_NO_BUFFER)
    return;
  // The interval is closed, unlike gmem's live ranges, for consistency with the
  // remarks of upstream's memory planning.
  gmem_remark(report->locations.at[index],
              "planned: pool=%s, offset=%" PRIu64 ", size=%" PRIu64
              " bytes, interval=[%" PRId64 ",%" PRId64 "]",
              pool->name, buffer->offset, buffer->size,
              gmem_report_begin(buffer), gmem_report_end(buffer) - 1);
}

static void remark_unplanned(const gmem_report_unplanned_t *value) {
  char text[512];
  gmem_note_t note = {.text = "because of this op"};
  bool has_cause = !mlirOperationIsNull(value->cause);
  if (has_cause)
    note.location = mlirOperationGetLocation(value->cause);
  snprintf(text, sizeof text, "not planned: %s: %s", value->value,
           value->reason);
  gmem_emit(GMEM_SEVERITY_REMARK, value->location, text, &note, has_cause);
}

static void remark_what_if(const gmem_report_t *report, size_t index) {
  const gmem_what_if_t *what_if = &report->what_ifs.at[index];
  gmem_remark(report->location,
              "what if %zu: %s: peak=%" PRIu64 " bytes, over=%" PRIu64
              " bytes, same bits: %s",
              index + 1, what_if->text, what_if->peak, what_if->over,
              gmem_change_keeps_bits(what_if->change.kind) ? "yes" : "no");
}

void gmem_report_to_remarks(const gmem_report_t *report) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i)
    remark_pool(report, i);
  for (uint32_t i = 0; i < report->locations.count; ++i)
    remark_buffer(report, i);
  for (size_t i = 0; i < report->unplanned.count; ++i)
    remark_unplanned(&report->unplanned.at[i]);
  for (size_t i = 0; i < report->what_ifs.count; ++i)
    remark_what_if(report, i);
}

void gmem_report_advise(const gmem_report_t *report) {
  enum { MOST = 3 };
  const gmem_what_ifs_t *ifs = &report->what_ifs;
  for (size_t i = 0; i < ifs->count && i < MOST && ifs->at[i].over == 0; ++i)
    gmem_remark(report->location,
                "it fits with this change: %s: %" PRIu64
                " bytes; gmem-report what-if=true explains",
                ifs->at[i].text, ifs->at[i].peak);
}
