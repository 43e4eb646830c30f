// placement_inputs.h - what placement constraints are found from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLACEMENT_INPUTS_H_
#define GMEM_PASSES_PLACEMENT_INPUTS_H_

#include "sharing_finder.h"
#include "workbuffers.h"

typedef struct gmem_placement_inputs_s {
  const gmem_liveness_t *liveness;
  const gmem_model_options_t *options;
  const gmem_aliases_t *aliases; // that the options allow
  const gmem_workbuffers_t *workbuffers;
} gmem_placement_inputs_t;

#endif // GMEM_PASSES_PLACEMENT_INPUTS_H_
