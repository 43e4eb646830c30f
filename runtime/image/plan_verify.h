// plan_verify.h - the proof that the entries of a plan image make sense.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PLAN_VERIFY_H_
#define GMEM_RUNTIME_PLAN_VERIFY_H_

#include "plan_image.h"

// Checks all that the entries say (plan_verify.c). Needs an open view.
gmem_status_t gmem_image_verify(const gmem_image_view_t *view,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag);

#endif // GMEM_RUNTIME_PLAN_VERIFY_H_
