// image_weights.h - the bytes of a planned module's constants, for its image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_IMAGE_WEIGHTS_H_
#define GMEM_TOOLS_IMAGE_WEIGHTS_H_

#include "gmem/passes.h"
#include "gmem/plan.h"

typedef enum gmem_image_weights_mode_e {
  GMEM_IMAGE_WEIGHTS_NONE,    // places only
  GMEM_IMAGE_WEIGHTS_DIGESTS, // what identifies the bytes, where they are known
  GMEM_IMAGE_WEIGHTS_KNOWN,   // that, and the bytes of pools known as a whole
  GMEM_IMAGE_WEIGHTS_ALL,     // of all constants
} gmem_image_weights_mode_t;

// What gmem_plan_desc_t takes. Zero-initialise.
typedef struct gmem_image_weights_s {
  gmem_weight_info_t *weights;
  uint32_t weight_count;
  gmem_content_t *contents;
  uint32_t content_count;
  uint32_t unknown; // constants whose bytes the module does not hold
} gmem_image_weights_t;

// Reads the constants of |planned| that have a place of their own. With bytes
// this takes as much memory as all constant pools. Fails with OUT_OF_MEMORY, or
// for ALL as gmem_planned_contents does. gmem_image_weights_free is to be
// called in any case.
GMEM_MUST_USE gmem_status_t gmem_image_weights_read(
    const gmem_planned_t *planned, gmem_image_weights_mode_t mode,
    gmem_image_weights_t *out_weights, gmem_diag_t *diag);
void gmem_image_weights_free(gmem_image_weights_t *weights);

#endif // GMEM_TOOLS_IMAGE_WEIGHTS_H_
