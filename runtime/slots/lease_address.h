// lease_address.h - addresses of buffers in a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_LEASE_ADDRESS_H_
#define GMEM_RUNTIME_LEASE_ADDRESS_H_

#include "slot_pool.h"

// Finds buffer |id| in a lease; every address is computed here. OUT_OF_RANGE:
// no such buffer, or not in the lease's group.
gmem_status_t gmem_lease_find(const gmem_lease_t *lease, gmem_buffer_t id,
                              gmem_found_t *out_found);

#endif // GMEM_RUNTIME_LEASE_ADDRESS_H_
