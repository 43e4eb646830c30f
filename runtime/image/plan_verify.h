// plan_verify.h - verifies the entries of a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PLAN_VERIFY_H_
#define GMEM_RUNTIME_PLAN_VERIFY_H_

#include "entry_check.h"

// Checks all entries. Requires a view filled by gmem_image_open.
gmem_status_t gmem_image_verify(const gmem_image_view_t *view,
                                const gmem_allocator_t *allocator,
                                gmem_image_facts_t *out_facts,
                                gmem_diag_t *diag);

#endif // GMEM_RUNTIME_PLAN_VERIFY_H_
