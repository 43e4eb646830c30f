// content_check.h - verifies the contents of a region against the digests of a
// plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_CONTENT_CHECK_H_
#define GMEM_RUNTIME_CONTENT_CHECK_H_

#include "plan_image.h"

// Checks that |bytes| is a valid content of |region|: every untransformed
// weight matches its digest, and all other bytes are zero. Loading does not
// check this. Requires a verified image. Fails with CORRUPT.
gmem_status_t gmem_image_check_content(const gmem_image_view_t *view,
                                       uint32_t region, const uint8_t *bytes,
                                       gmem_diag_t *diag);

#endif // GMEM_RUNTIME_CONTENT_CHECK_H_
