// image_weights.h - the constants of a planned module, for its plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_IMAGE_WEIGHTS_H_
#define GMEM_TOOLS_IMAGE_WEIGHTS_H_

#include "gmem/passes.h"
#include "gmem/plan.h"

typedef enum gmem_image_weights_mode_e {
  GMEM_IMAGE_WEIGHTS_NONE,    // offsets only
  GMEM_IMAGE_WEIGHTS_DIGESTS, // and digests of constants whose bytes are known
  GMEM_IMAGE_WEIGHTS_KNOWN,   // and bytes of pools that are completely known
  GMEM_IMAGE_WEIGHTS_ALL,     // and bytes of all constants, or fail
} gmem_image_weights_mode_t;

// Input of gmem_plan_desc_t. Zero-initialise.
typedef struct gmem_image_weights_s {
  gmem_weight_info_t *weights;
  uint32_t weight_count;
  gmem_plan_transform_t *transforms; // names are those of the plan
  uint32_t transform_count;
  gmem_content_t *contents;
  uint32_t content_count;
  uint32_t unknown; // constants whose bytes the module does not contain
} gmem_image_weights_t;

// Reads the constants of |planned| that own bytes. |init|, or NULL, is the
// digest of what computes others (init_digest.h), which then have digests, too,
// if |mode| is not NONE. Modes with bytes allocate as much memory as all
// constant pools. Fails with OUT_OF_MEMORY, and for ALL like
// gmem_planned_contents. Call gmem_image_weights_free in any case.
GMEM_MUST_USE gmem_status_t gmem_image_weights_read(
    const gmem_planned_t *planned, gmem_image_weights_mode_t mode,
    const uint8_t *init, gmem_image_weights_t *out_weights, gmem_diag_t *diag);
void gmem_image_weights_free(gmem_image_weights_t *weights);

#endif // GMEM_TOOLS_IMAGE_WEIGHTS_H_
