// slot_pool.h - the insides of a pool and its slots.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SLOT_POOL_H_
#define GMEM_RUNTIME_SLOT_POOL_H_

#include <stdatomic.h>

#include "slot_memory.h"
#include "slot_queue.h"
#include "thread_safety.h"

// A slot and its lease are one object, which never moves.
struct gmem_lease_s {
  gmem_slot_node_t node;         // first; under the pool's lock
  gmem_pool_t *pool;             // not retained by a free slot
  atomic_uint references;        // 0: not leased
  gmem_group_t group;            // of this lease, or GMEM_NONE
  bool keep_state;               // leased from a reservation
  gmem_mapped_region_t *regions; // by region; shared ones only have a place
  // With GMEM_POOL_UNSHARED, by buffer: where those of the slot are, and the
  // range around them; the regions of the slot are then not mapped. Else NULL.
  gmem_mapped_region_t *buffers;
  gmem_slot_memory_t memory;
};

struct gmem_reservation_s {
  gmem_slot_set_t set; // first; under the pool's lock
  gmem_pool_t *pool;   // retained until it is unreserved
};

struct gmem_pool_s {
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_model_t *model; // retained
  uint32_t flags;      // GMEM_POOL_*
  uint32_t region_count;
  gmem_pool_memory_t memory;

  gmem_mutex_t lock;
  // Handles, leases, reservations, waiting threads, and calls at work.
  uint64_t references GMEM_GUARDED_BY(&lock);
  uint64_t handles GMEM_GUARDED_BY(&lock); // the user's: retains - releases
  gmem_slot_queue_t queue GMEM_GUARDED_BY(&lock);
};

#endif // GMEM_RUNTIME_SLOT_POOL_H_
