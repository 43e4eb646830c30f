// model.h - the insides of a model, which pools share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_H_
#define GMEM_RUNTIME_MODEL_H_

#include "region_map.h"

struct gmem_model_s {
  atomic_uint references;
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_plan_t *plan; // retained
  // By region; only the shared ones are mapped. One whose buffers are not
  // together has no place (all zero).
  gmem_mapped_region_t regions[GMEM_PLAN_MAX_REGIONS];
};

// Where buffer |id| of the plan, which is in a shared region, is. False: the
// model has no place for it.
bool gmem_model_place(const gmem_model_t *model, gmem_buffer_t id,
                      gmem_place_t *out_place);

#endif // GMEM_RUNTIME_MODEL_H_
