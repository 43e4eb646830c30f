// slot_areas.h - what a slot of a pool consists of: areas to map, owners of
// bytes, spans to zero.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SLOT_AREAS_H_
#define GMEM_RUNTIME_SLOT_AREAS_H_

#include "gmem/runtime.h"

// Finds out what is to be mapped, checked and zeroed in each slot. Needs the
// model, the provider and the flags. gmem_slot_memory_clear is called in any
// case.
gmem_status_t gmem_slot_memory_prepare(gmem_pool_t *pool, gmem_diag_t *diag);

void gmem_slot_memory_clear(gmem_pool_t *pool);

// The bytes that a new slot will need, if the provider gives just what it is
// asked for.
uint64_t gmem_slot_bytes(const gmem_pool_t *pool);

#endif // GMEM_RUNTIME_SLOT_AREAS_H_
