// model.h - definition of models and of their creation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_H_
#define GMEM_RUNTIME_MODEL_H_

#include "region_map.h"

struct gmem_model_s {
  atomic_uint references;
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_plan_t *plan; // retained
  // By region, for shared regions. A range of size 0: the memory belongs to a
  // store. A scattered region has no place (all zero).
  gmem_mapped_region_t regions[GMEM_PLAN_MAX_REGIONS];
  gmem_weights_t *weights; // retained; NULL: none
  gmem_weight_t **held;    // weights held in the store; may contain NULLs
  uint32_t held_count;
  gmem_place_t *places; // GMEM_MODEL_SCATTER: by buffer; else NULL
};

// Contents of a shared region, aliases excluded.
typedef struct gmem_region_use_s {
  uint32_t begin, end; // id range of its buffers; may include others
  bool weight;         // has weights that are not empty
  bool missing;        // some of their bytes are not in the image
  bool work;           // has shared work that is not empty
  bool unknown_work;   // some of it has no digest in the plan
  bool empty;          // has empty buffers
  bool scattered;      // its weights are placed individually, in the store
  bool stored;         // the whole region is in the store
  bool writable;       // mapped writable; must be sealed
} gmem_region_use_t;

// State of gmem_model_create.
typedef struct gmem_model_job_s {
  gmem_model_t *model;
  gmem_model_sources_t sources; // all zero if the caller passed none
  gmem_region_use_t use[GMEM_PLAN_MAX_REGIONS];
} gmem_model_job_t;

// The place of buffer |id| of the plan, which is in a shared region.
gmem_place_t gmem_model_place(const gmem_model_t *model, gmem_buffer_t id);

//===--- creation ---------------------------------------------------------===//

// Whether |buffer|, which is shared, has bytes of its own to initialise.
static inline bool gmem_model_brings(const gmem_image_buffer_t *buffer) {
  return buffer->parent == GMEM_NONE && buffer->size > 0;
}

#endif // GMEM_RUNTIME_MODEL_H_
