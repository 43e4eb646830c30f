// name_check.h - verifies the names of a plan image: layout, contents, and
// uniqueness among buffers, regions and groups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_NAME_CHECK_H_
#define GMEM_RUNTIME_NAME_CHECK_H_

#include "plan_image.h"

// Checks the names of regions, buffers and ops, and the name order. Requires
// that the name order has one entry per buffer.
gmem_status_t gmem_image_check_names(const gmem_image_view_t *view,
                                     gmem_diag_t *diag);

// Checks the names of the groups.
gmem_status_t gmem_image_check_group_names(const gmem_image_view_t *view,
                                           const gmem_allocator_t *allocator,
                                           gmem_diag_t *diag);

// Verifies the names of spans and their order: OK, CORRUPT or OUT_OF_RANGE.
gmem_status_t gmem_image_check_span_names(const gmem_image_view_t *view,
                                          gmem_diag_t *diag);

// Checks the names of transforms, which need not be unique.
gmem_status_t gmem_image_check_transform_names(const gmem_image_view_t *view,
                                               gmem_diag_t *diag);

#endif // GMEM_RUNTIME_NAME_CHECK_H_
