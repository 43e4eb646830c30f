// dimension_check.h - decodes and checks the dimensions of an image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime itself does not need them, and carries none of this: inline, for
// the libraries gmem_layouts and gmem_plan_writer.

#ifndef GMEM_RUNTIME_DIMENSION_CHECK_H_
#define GMEM_RUNTIME_DIMENSION_CHECK_H_

#include <inttypes.h>

#include "image_codec.h"
#include "runtime_support.h"

static inline uint32_t gmem_image_dimensions(const gmem_image_view_t *view) {
  return view->section[GMEM_IMAGE_DIMENSIONS].count;
}

static inline gmem_plan_dimension_t
gmem_image_dimension(const gmem_image_view_t *view, uint32_t id) {
  gmem_plan_dimension_t dimension;
  gmem_image_convert(gmem_image_kind(GMEM_IMAGE_DIMENSIONS)->fields,
                     view->data + view->section[GMEM_IMAGE_DIMENSIONS].offset +
                         (uint64_t)id * sizeof dimension,
                     &dimension, sizeof dimension);
  return dimension;
}

// Adds |count| strides, in bytes; false if there are too many.
static inline bool gmem_image_add_strides(const gmem_plan_dimension_t *it,
                                          uint64_t count, uint64_t *sum) {
  uint64_t bytes;
  return !__builtin_mul_overflow(count, it->stride, &bytes) &&
         !__builtin_mul_overflow(bytes, it->element, &bytes) &&
         !__builtin_add_overflow(*sum, bytes, sum);
}

// Whether the elements of a buffer, whose first dimension is |first|, fill its
// payload from end to end, and the borders lie in the buffer.
static inline bool gmem_image_layout_fits(const gmem_image_view_t *view,
                                          uint32_t first) {
  gmem_plan_dimension_t it = gmem_image_dimension(view, first);
  const gmem_image_buffer_t buffer = gmem_image_buffer(view, it.buffer);
  uint64_t offset = gmem_image_payload_offset(view, it.buffer);
  uint64_t before = 0, span = it.element, after = 0;
  const uint32_t owner = it.buffer;
  for (uint32_t id = first; it.buffer == owner;) {
    if (id - first == GMEM_PLAN_MAX_RANK ||
        !gmem_image_add_strides(&it, it.before, &before) ||
        !gmem_image_add_strides(&it, it.size - 1, &span) ||
        !gmem_image_add_strides(&it, it.after, &after))
      return false;
    if (++id == gmem_image_dimensions(view))
      break;
    it = gmem_image_dimension(view, id);
  }
  return before <= offset && span == buffer.payload &&
         after <= buffer.size - offset - span;
}

// What is wrong with dimension |id|, or NULL. The first one of a buffer answers
// for the layout.
static inline const char *
gmem_image_dimension_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_plan_dimension_t it = gmem_image_dimension(view, id);
  gmem_plan_dimension_t previous = {.buffer = GMEM_NONE};
  if (id > 0)
    previous = gmem_image_dimension(view, id - 1);
  if (it.buffer >= view->section[GMEM_IMAGE_BUFFERS].count)
    return "refers to a buffer that does not exist";
  if (it.border >= GMEM_PLAN_BORDERS || it.reserved != 0)
    return "has an unknown border, or a reserved field that is not zero";
  if (!it.element || !it.size || !it.stride)
    return "has no elements, or a stride of 0";
  if (it.valid_begin >= it.valid_end || it.valid_end > it.size)
    return "has no valid elements, or more than it has elements";
  if (previous.buffer == it.buffer)
    return previous.border == it.border && previous.element == it.element
               ? NULL
               : "differs from the previous one in its border or element";
  if (id > 0 && previous.buffer > it.buffer)
    return "is not in ascending order of buffers";
  return gmem_image_layout_fits(view, id)
             ? NULL
             : "begins a layout that does not fit its buffer";
}

// Checks dimension |id|. Fails with OUT_OF_RANGE.
static inline gmem_status_t
gmem_image_check_dimension(const gmem_image_view_t *view, uint32_t id,
                           gmem_diag_t *diag) {
  const char *problem = gmem_image_dimension_problem(view, id);
  if (!problem)
    return GMEM_OK;
  return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE,
                         view->section[GMEM_IMAGE_DIMENSIONS].offset +
                             (uint64_t)id * sizeof(gmem_plan_dimension_t),
                         id, "entry %" PRIu32 " of the dimensions %s", id,
                         problem);
}

#endif // GMEM_RUNTIME_DIMENSION_CHECK_H_
