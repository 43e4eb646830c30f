// manager.h - one memory for the pools of several plans. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_manager_create(&provider, 1 << 20, NULL, &manager, &diag);
//   gmem_manager_pool(manager, model_a, &options, &pool_a, &diag);
//   gmem_manager_pool(manager, model_b, &options, &pool_b, &diag);
//   gmem_lease_acquire(pool_a, GMEM_NONE, NULL, GMEM_WAIT_FOREVER, &lease);
//
// Networks that were planned apart have pools of their own. Pools of one
// *memory manager* take their slots from one provider, within one budget: where
// a pool needs a slot and there is no memory for it, the manager unmaps free
// slots of the least recently used other pools. Where all are in use, the
// request waits, as in a pool: in order of arrival, over all pools, so that
// every request gets its slot while leases end. While a slot is mapped for one
// request, later ones wait. Requests for a pool that may not grow wait for its
// own slots and block no other pool.
//
// A manager changes no other function: pools, leases, reservations and caches
// of pools are used as described in runtime.h. Reserved slots are not unmapped.
// A thread that acquires a second lease while it holds one can wait for itself,
// as in a pool whose slots it all holds.
//
// This header belongs to the library gmem_manager.

#ifndef GMEM_MANAGER_H_
#define GMEM_MANAGER_H_

#include "gmem/runtime.h"

GMEM_BEGIN_C

typedef struct gmem_manager_s gmem_manager_t; // counted, synchronised

// Creates a manager without pools over |provider| (copied; it must outlive the
// manager and its pools). |byte_budget| limits the bytes mapped at once by all
// pools, as rounded by the provider; 0: what the provider has. |allocator| is
// copied (NULL: libc). Fails with INVALID_ARGUMENT or OUT_OF_MEMORY;
// *out_manager is then NULL. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_manager_create(const gmem_provider_t *provider, uint64_t byte_budget,
                    const gmem_allocator_t *allocator,
                    gmem_manager_t **out_manager, gmem_diag_t *diag);

// Drops the creator's reference; the last of its pools frees it. NULL is
// allowed. Any thread, once.
void gmem_manager_release(gmem_manager_t *manager);

// Creates a pool of |model| whose slots are in the manager's memory, with the
// options and failures of gmem_pool_create; also OVER_BUDGET if one slot
// exceeds the manager's budget. Initial slots may unmap those of other pools.
// |max_slots| and |byte_budget| of |options| limit this pool beside the
// manager's budget. Any thread.
//
// The pool differs from others as follows. Waiting requests and their time-outs
// count in gmem_manager_stats, not in gmem_pool_stats. A request that fails for
// lack of memory waits while slots of any pool are mapped, also if the host
// allocator failed; with a time-out of 0 it is TIMEOUT, and free slots of other
// pools may have been unmapped. gmem_pool_populate and gmem_pool_reserve unmap
// free slots of other pools as well, but do not wait.
GMEM_MUST_USE gmem_status_t
gmem_manager_pool(gmem_manager_t *manager, gmem_model_t *model,
                  const gmem_pool_options_t *options, gmem_pool_t **out_pool,
                  gmem_diag_t *diag);

// Unmaps free slots, least recently used pools first, until at most
// |keep_bytes| are mapped or no slot is free. Returns the number of bytes
// unmapped. Any thread.
uint64_t gmem_manager_trim(gmem_manager_t *manager, uint64_t keep_bytes);

typedef struct gmem_manager_stats_s {
  uint64_t bytes;     // mapped by all pools now
  uint64_t peak;      // largest |bytes| so far
  uint32_t pools;     // existing now
  uint32_t waiting;   // requests in the queue
  uint64_t waits;     // requests that queued
  uint64_t timeouts;  // requests that returned TIMEOUT
  uint64_t cancels;   // requests that returned CANCELLED
  uint64_t evictions; // slots unmapped for another pool, or by a trim
} gmem_manager_stats_t;

// A consistent snapshot of the manager's counters. Any thread.
void gmem_manager_stats(gmem_manager_t *manager,
                        gmem_manager_stats_t *out_stats);

GMEM_END_C
#endif // GMEM_MANAGER_H_
