// content_check.h - the proof that the bytes of a region are what the
// digests of a plan image say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_CONTENT_CHECK_H_
#define GMEM_RUNTIME_CONTENT_CHECK_H_

#include "plan_image.h"

// Checks that |bytes| can be the content of |region|: every untransformed
// weight has its digest, and all other bytes are zero (content_check.c).
// Loading does not do this. Needs all of the above. CORRUPT when it is not so.
gmem_status_t gmem_image_check_content(const gmem_image_view_t *view,
                                       uint32_t region, const uint8_t *bytes,
                                       gmem_diag_t *diag);

#endif // GMEM_RUNTIME_CONTENT_CHECK_H_
