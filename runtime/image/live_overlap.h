// live_overlap.h - the proof that no two buffers that are live at the same
// step share a byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LIVE_OVERLAP_H_
#define GMEM_RUNTIME_LIVE_OVERLAP_H_

#include "plan_image.h"

// Checks that no two buffers that are live together share a byte
// (live_overlap.c); the last step of the above.
gmem_status_t gmem_image_check_overlap(const gmem_image_view_t *view,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag);

#endif // GMEM_RUNTIME_LIVE_OVERLAP_H_
