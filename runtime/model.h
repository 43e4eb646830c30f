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

// Where buffer |id| of the plan, which is in a shared region, is.
gmem_place_t gmem_model_place(const gmem_model_t *model, gmem_buffer_t id);

//===--- making one -------------------------------------------------------===//

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

// Whether |buffer|, which is shared, has bytes of its own that a model must
// bring.
static inline bool gmem_model_brings(const gmem_image_buffer_t *buffer) {
  return buffer->parent == GMEM_NONE && buffer->size > 0;
}

// Whether the image holds the bytes of weight |id| as they are used, in the
// content of its region (model_content.c).
bool gmem_model_in_image(const gmem_plan_t *plan, gmem_buffer_t id,
                         gmem_region_t region,
                         gmem_stored_content_t *out_content);

// Maps a region of the model's own and brings what the image holds of it; maps
// the file itself where that does (model_content.c).
gmem_status_t gmem_model_map(gmem_model_job_t *job, gmem_region_t region,
                             gmem_diag_t *diag);

// Copies |size| bytes at |offset| of |content| to |dst| (model_content.c).
gmem_status_t gmem_model_read(const gmem_stored_content_t *content,
                              uint64_t offset, uint64_t size, uint8_t *dst,
                              gmem_diag_t *diag);

// Has a function of the sources fill buffer |id| at |dst|, if there is one and
// the image does not hold its bytes (model_content.c). |dst| may be NULL.
gmem_status_t gmem_model_fill(const gmem_model_job_t *job, gmem_buffer_t id,
                              uint8_t *dst, gmem_diag_t *diag);

// Whether the bytes of buffer |id| at |bytes| have the digest that the plan has
// of them: CORRUPT. Nothing when it has none, or none of the bytes as they are
// (model_content.c).
gmem_status_t gmem_model_check_digest(const gmem_plan_t *plan, gmem_buffer_t id,
                                      const uint8_t *bytes, gmem_diag_t *diag);

// Gets from the store what the model does not have of its own: the regions that
// are |stored|, or with GMEM_MODEL_SCATTER all weights (model_share.c).
gmem_status_t gmem_model_share(gmem_model_job_t *job, gmem_diag_t *diag);

// Says where each buffer is, if weights are scattered; the rest is where it
// will stay (model_share.c).
void gmem_model_find_places(const gmem_model_job_t *job);

#endif // GMEM_RUNTIME_MODEL_H_
