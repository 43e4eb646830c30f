// lease_import.h - memory of the caller's in place of buffers of a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LEASE_IMPORT_H_
#define GMEM_RUNTIME_LEASE_IMPORT_H_

#include "slot_pool.h"

// Finds the importable buffers of the pool's plan. Needs the model. On failure
// the pool holds nothing more than before.
gmem_status_t gmem_imports_prepare(gmem_pool_t *pool, gmem_diag_t *diag);

void gmem_imports_release(gmem_pool_t *pool);

// Makes room for the imports of a slot, which has none yet, and gives it back.
gmem_status_t gmem_lease_imports_make(gmem_lease_t *slot, gmem_diag_t *diag);

void gmem_lease_imports_free(gmem_lease_t *slot);

// Forgets all imports of a lease that ends.
void gmem_lease_imports_clear(gmem_lease_t *lease);

// The import that |id|, which is no alias, has in this lease, or NULL.
const gmem_import_t *gmem_lease_import_of(const gmem_lease_t *lease,
                                          gmem_buffer_t id);

#endif // GMEM_RUNTIME_LEASE_IMPORT_H_
