// optional_verify.h - verifies the optional sections of an image: groups,
// workbuffers, weights, contents, payloads, relocations, copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_OPTIONAL_VERIFY_H_
#define GMEM_RUNTIME_OPTIONAL_VERIFY_H_

#include "plan_image.h"

// Checks the optional sections. Requires buffers whose fields, names and
// placements were checked.
gmem_status_t gmem_image_check_optional(const gmem_image_view_t *view,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag);

#endif // GMEM_RUNTIME_OPTIONAL_VERIFY_H_
