// slot_pool.h - the insides of a pool and its slots.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SLOT_POOL_H_
#define GMEM_RUNTIME_SLOT_POOL_H_

#include <stdatomic.h>

#include "slot_memory.h"
#include "slot_queue.h"
#include "thread_safety.h"

// A buffer that a lease may import. An import of it must be congruent to |lead|
// modulo |align|: then its aliases are aligned, too.
typedef struct gmem_importable_s {
  gmem_buffer_t buffer;
  uint64_t align, lead;
} gmem_importable_t;

// Memory of the caller's in place of a buffer.
typedef struct gmem_import_s {
  bool present;
  gmem_place_t place; // of the buffer; device 0: the device cannot see it
  uint64_t size;      // bytes of the buffer
} gmem_import_t;

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
  gmem_import_t *imports; // by number of the importable buffer
  uint32_t import_count;  // of these, how many are present
  bool begun;             // a step has begun: imports are over
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
  uint32_t importable_count;
  gmem_importable_t *importables; // by ascending buffer

  gmem_mutex_t lock;
  // Handles, leases, reservations, waiting threads, and calls at work.
  uint64_t references GMEM_GUARDED_BY(&lock);
  uint64_t handles GMEM_GUARDED_BY(&lock); // the user's: retains - releases
  gmem_slot_queue_t queue GMEM_GUARDED_BY(&lock);
};

//===--- imports (lease_import.c) -----------------------------------------===//

//===--- addresses (lease_address.c) --------------------------------------===//

// Where a buffer is.
typedef struct gmem_spot_s {
  gmem_place_t place; // of its first byte
  bool imported;      // then device 0 is no device address
} gmem_spot_t;

// A buffer and where it is.
typedef struct gmem_found_s {
  gmem_image_buffer_t buffer;
  gmem_spot_t spot;
} gmem_found_t;

#endif // GMEM_RUNTIME_SLOT_POOL_H_
