// layouts.c - see gmem/layouts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/layouts.h"

#include "dimension_check.h"
#include "plan_object.h"

static uint32_t buffer_of(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_dimension(view, id).buffer;
}

gmem_status_t gmem_layouts_read(const gmem_plan_t *plan, gmem_buffer_t buffer,
                                gmem_buffer_layout_t *out_layout,
                                gmem_diag_t *diag) {
  if (!plan || !out_layout)
    return gmem_rt_invalid(diag, "plan or out_layout is NULL");
  const gmem_image_view_t *view = &plan->view;
  gmem_buffer_layout_t layout = {.rank = 0};
  uint32_t count = gmem_image_dimensions(view);
  // Of entries that are not sorted it finds another one, or none.
  uint32_t id = gmem_image_first_at_least(view, 0, count, buffer_of, buffer);
  for (; id < count && buffer_of(view, id) == buffer; ++id, ++layout.rank) {
    GMEM_TRY(gmem_image_check_dimension(view, id, diag)); // at most MAX_RANK
    gmem_plan_dimension_t it = gmem_image_dimension(view, id);
    layout.border = (gmem_plan_border_t)it.border;
    layout.element = it.element;
    layout.sizes[layout.rank] = it.size;
    layout.strides[layout.rank] = it.stride;
    layout.before[layout.rank] = it.before;
    layout.after[layout.rank] = it.after;
    layout.valid_begin[layout.rank] = it.valid_begin;
    layout.valid_end[layout.rank] = it.valid_end;
  }
  if (!layout.rank)
    return gmem_rt_fail(
        diag, GMEM_ERR_NOT_FOUND,
        "the elements of the buffer are contiguous, and all are valid");
  *out_layout = layout;
  return GMEM_OK;
}
