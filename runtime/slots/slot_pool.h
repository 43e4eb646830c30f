// slot_pool.h - definitions of pools, slots and leases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SLOT_POOL_H_
#define GMEM_RUNTIME_SLOT_POOL_H_

#include <stdatomic.h>

#include "slot_memory.h"
#include "slot_queue.h"
#include "thread_safety.h"

// An importable buffer. Its imports must be congruent to |lead| modulo |align|,
// which aligns its aliases as well.
typedef struct gmem_importable_s {
  gmem_buffer_t buffer;
  uint64_t align, lead;
} gmem_importable_t;

// Caller memory in place of a buffer.
typedef struct gmem_import_s {
  bool present;
  gmem_place_t place; // of the buffer; device 0: no device address
  uint64_t size;      // bytes of the buffer
} gmem_import_t;

// A slot and its lease are one object with a fixed address.
struct gmem_lease_s {
  gmem_slot_node_t node;         // first; guarded by the pool's lock
  gmem_pool_t *pool;             // not retained by a free slot
  atomic_uint references;        // 0: not leased
  gmem_group_t group;            // of this lease, or GMEM_NONE
  bool keep_state;               // leased from a reservation
  gmem_mapped_region_t *regions; // by region; shared ones have only a place
  // With GMEM_POOL_UNSHARED, by buffer: the place of the slot's buffers and the
  // range that contains them; regions of the slot are then not mapped. Else
  // NULL.
  gmem_mapped_region_t *buffers;
  gmem_slot_memory_t memory;
  gmem_import_t *imports; // by index of the importable buffer
  uint32_t import_count;  // number of imports present
  bool begun;             // a step has begun: no more imports
};

struct gmem_reservation_s {
  gmem_slot_set_t set;       // first; guarded by the pool's lock
  gmem_pool_t *pool;         // retained until unreserve
  gmem_reservation_t *spare; // the next one of the pool's list
};

struct gmem_pool_s {
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_model_t *model; // retained
  uint32_t flags;      // GMEM_POOL_*
  uint32_t region_count;
  gmem_pool_memory_t memory;
  uint32_t importable_count;
  gmem_importable_t *importables; // by ascending buffer

  gmem_mutex_t lock;
  // Held by handles, leases, reservations, waiting threads and calls in
  // progress.
  uint64_t references GMEM_GUARDED_BY(&lock);
  uint64_t handles GMEM_GUARDED_BY(&lock); // the user's: retains - releases
  gmem_slot_queue_t queue GMEM_GUARDED_BY(&lock);
  // Objects of reservations that have ended, for the next ones.
  gmem_reservation_t *spare GMEM_GUARDED_BY(&lock);
};

//===--- addresses (lease_address.c) --------------------------------------===//

// The address of a buffer.
typedef struct gmem_spot_s {
  gmem_place_t place; // of its first byte
  bool imported;      // device 0 then means no device address
} gmem_spot_t;

// A buffer and its address.
typedef struct gmem_found_s {
  gmem_image_buffer_t buffer;
  gmem_spot_t spot;
} gmem_found_t;

#endif // GMEM_RUNTIME_SLOT_POOL_H_
