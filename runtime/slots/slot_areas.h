// slot_areas.h - layout of the slots of a pool: areas to map, owners of bytes,
// spans to zero.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SLOT_AREAS_H_
#define GMEM_RUNTIME_SLOT_AREAS_H_

#include "gmem/runtime.h"

// Computes the areas, owners and spans of each slot. Requires the model, the
// provider and the flags. gmem_slot_memory_clear must be called even on
// failure.
gmem_status_t gmem_slot_memory_prepare(gmem_pool_t *pool, gmem_diag_t *diag);

void gmem_slot_memory_clear(gmem_pool_t *pool);

// The size of a new slot, if the provider returns exactly the requested sizes.
uint64_t gmem_slot_bytes(const gmem_pool_t *pool);

#endif // GMEM_RUNTIME_SLOT_AREAS_H_
