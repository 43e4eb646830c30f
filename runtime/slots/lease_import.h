// lease_import.h - imports: caller memory in place of buffers of a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LEASE_IMPORT_H_
#define GMEM_RUNTIME_LEASE_IMPORT_H_

#include "slot_pool.h"

// Collects the importable buffers of the pool's plan. Requires the model. On
// failure the pool is unchanged.
gmem_status_t gmem_imports_prepare(gmem_pool_t *pool, gmem_diag_t *diag);

void gmem_imports_release(gmem_pool_t *pool);

// Allocates, and frees, the import table of a slot.
gmem_status_t gmem_lease_imports_make(gmem_lease_t *slot, gmem_diag_t *diag);

void gmem_lease_imports_free(gmem_lease_t *slot);

// Removes all imports when a lease ends.
void gmem_lease_imports_clear(gmem_lease_t *lease);

// The import of |id|, which is not an alias, in this lease, or NULL.
const gmem_import_t *gmem_lease_import_of(const gmem_lease_t *lease,
                                          gmem_buffer_t id);

#endif // GMEM_RUNTIME_LEASE_IMPORT_H_
