// live_overlap.h - verifies that no two buffers that are live at the same step
// share a byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LIVE_OVERLAP_H_
#define GMEM_RUNTIME_LIVE_OVERLAP_H_

#include "plan_image.h"

// The last check of gmem_image_verify. Requires that all other checks have
// passed. |in_order|: live ranges begin in ascending order, except those of
// buffers that have none, are aliases, or are live at every step.
gmem_status_t gmem_image_check_overlap(const gmem_image_view_t *view,
                                       bool in_order,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag);

#endif // GMEM_RUNTIME_LIVE_OVERLAP_H_
