// image_weights.h - the constants of a planned module, for its plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_IMAGE_WEIGHTS_H_
#define GMEM_PASSES_IMAGE_WEIGHTS_H_

#include "bump.h"
#include "gmem/planned_image.h"

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

// Reads the constants of |planned| that own bytes. Those that the program
// computes have digests, too, if |options| has one and a mode other than NONE.
// Allocates in |arena|. Fails with OUT_OF_MEMORY, and for ALL like
// gmem_planned_contents.
gmem_status_t gmem_image_weights_read(
    const gmem_planned_t *planned, const gmem_planned_image_options_t *options,
    gmem_bump_t *arena, gmem_image_weights_t *out_weights, gmem_diag_t *diag);

#endif // GMEM_PASSES_IMAGE_WEIGHTS_H_
