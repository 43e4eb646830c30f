// layouts.h - where the elements of a buffer are, and which are valid: strides,
// borders and valid regions. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_buffer_layout_t layout;
//   if (gmem_layouts_read(plan, buffer, &layout, NULL) == GMEM_OK)
//     conv(address, layout.sizes, layout.strides, layout.before, layout.after);
//
// Padding per dimension, views with strides and valid regions
// (docs/memory-model.md), for kernels that are called with addresses of a
// lease. This header belongs to the library gmem_layouts.

#ifndef GMEM_LAYOUTS_H_
#define GMEM_LAYOUTS_H_

#include "gmem/plan.h"

GMEM_BEGIN_C

// The layout of a buffer, in elements of |element| bytes. The element with
// index 0 of each dimension is at the start of the payload. What lies between
// the rows of a view without a border belongs to other buffers.
typedef struct gmem_buffer_layout_s {
  uint32_t rank;                        // at least 1
  gmem_plan_border_t border;            // what the kernels put around it
  uint64_t element;                     // bytes
  uint64_t sizes[GMEM_PLAN_MAX_RANK];   // the outermost dimension first
  uint64_t strides[GMEM_PLAN_MAX_RANK]; // from one element to the next
  uint64_t before[GMEM_PLAN_MAX_RANK];  // elements of border in front
  uint64_t after[GMEM_PLAN_MAX_RANK];   // and behind
  // The first valid element, and the one behind the last: 0 and |sizes| if all
  // are. The other elements are undefined.
  uint64_t valid_begin[GMEM_PLAN_MAX_RANK];
  uint64_t valid_end[GMEM_PLAN_MAX_RANK];
} gmem_buffer_layout_t;

// Describes the layout of |buffer|. Fails with NOT_FOUND if its elements are
// contiguous and valid (in all images before 1.6) or it does not exist, and
// with OUT_OF_RANGE if the image is wrong: gmem_plan_load_memory leaves these
// entries to this function. *out_layout is untouched on failure. O(log n). Any
// thread.
GMEM_MUST_USE gmem_status_t gmem_layouts_read(const gmem_plan_t *plan,
                                              gmem_buffer_t buffer,
                                              gmem_buffer_layout_t *out_layout,
                                              gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_LAYOUTS_H_
