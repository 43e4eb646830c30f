// model.h - the insides of a model, which pools share, and of its making.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_H_
#define GMEM_RUNTIME_MODEL_H_

#include "region_map.h"

struct gmem_model_s {
  atomic_uint references;
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_plan_t *plan; // retained
  // By region, of the shared ones. A range of size 0: the memory is a store's.
  // One whose buffers are not together has no place (all zero).
  gmem_mapped_region_t regions[GMEM_PLAN_MAX_REGIONS];
  gmem_weights_t *weights; // retained; NULL: none
  gmem_weight_t **held;    // what it holds of the store, and NULLs
  uint32_t held_count;
  gmem_place_t *places; // GMEM_MODEL_SCATTER: by buffer; else NULL
};

// What lies in a shared region. Aliases do not count.
typedef struct gmem_region_use_s {
  uint32_t begin, end; // ids of its buffers; others are between them
  bool weight;         // there are weights that are not empty
  bool missing;        // the image does not have the bytes of some of them
  bool work;           // there is work that is not empty
  bool empty;          // there are empty buffers
  bool scattered;      // its weights are elsewhere, in the store
  bool stored;         // all of it is in the store
  bool writable;       // mapped for writing: to be sealed
} gmem_region_use_t;

// The making of a model.
typedef struct gmem_model_job_s {
  gmem_model_t *model;
  gmem_model_sources_t sources; // all zero when there are none
  gmem_region_use_t use[GMEM_PLAN_MAX_REGIONS];
} gmem_model_job_t;

// Where buffer |id| of the plan, which is in a shared region, is.
gmem_place_t gmem_model_place(const gmem_model_t *model, gmem_buffer_t id);

//===--- making one -------------------------------------------------------===//

// Whether |buffer|, which is shared, has bytes of its own that a model must
// bring.
static inline bool gmem_model_brings(const gmem_image_buffer_t *buffer) {
  return buffer->parent == GMEM_NONE && buffer->size > 0;
}

#endif // GMEM_RUNTIME_MODEL_H_
