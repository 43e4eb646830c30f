// report_facts.c - queries on the buffers and ops of a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_facts.h"

#include <assert.h>

#include "gmem/passes.h"
#include "live_ranges.h"
#include "text.h"

int64_t gmem_report_begin(const gmem_planned_buffer_t *buffer) {
  assert(buffer->range_count);
  return buffer->ranges[0].begin;
}

int64_t gmem_report_end(const gmem_planned_buffer_t *buffer) {
  return buffer->ranges[buffer->range_count - 1].end;
}

bool gmem_report_is_listed(const gmem_planned_buffer_t *buffer, uint32_t pool) {
  return buffer->pool == pool && buffer->alias_of == GMEM_NO_BUFFER;
}

bool gmem_report_owns_at(const gmem_planned_buffer_t *buffer, int64_t step) {
  return gmem_ranges_contain(buffer->owned, buffer->owned_count, step);
}

void gmem_report_op(gmem_text_t *text, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_text_print(text, "%.*s (", (int)name.length, name.data);
  gmem_text_place(text, mlirOperationGetLocation(op), true);
  gmem_text_append(text, ")", 1);
}
