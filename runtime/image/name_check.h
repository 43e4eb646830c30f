// name_check.h - the names of a plan image: where they are, what is in them,
// and that no two buffers, regions or groups share one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_NAME_CHECK_H_
#define GMEM_RUNTIME_NAME_CHECK_H_

#include "plan_image.h"

// Checks all names and their order (name_check.c); a step of the above. Needs
// name_order's count to be the number of buffers.
gmem_status_t gmem_image_check_names(const gmem_image_view_t *view,
                                     gmem_diag_t *diag);

// Checks the names of the groups (name_check.c); a step of the next.
gmem_status_t gmem_image_check_group_names(const gmem_image_view_t *view,
                                           const gmem_allocator_t *allocator,
                                           gmem_diag_t *diag);

#endif // GMEM_RUNTIME_NAME_CHECK_H_
