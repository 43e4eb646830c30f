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

// The memory manager of a pool (room manager). The functions are called without
// the pool's lock, while the caller holds a reference to the pool.
typedef struct gmem_pool_gate_s {
  // Takes a free slot of the pool, in the manager's order; the pool itself does
  // not wait or grow for leases.
  gmem_status_t (*acquire)(struct gmem_pool_gate_s *gate, int64_t timeout_ns,
                           gmem_slot_node_t **out_slot);
  void (*changed)(struct gmem_pool_gate_s *gate); // a slot is free
  void (*interrupt)(struct gmem_pool_gate_s *gate);
  void (*close)(struct gmem_pool_gate_s *gate); // no slots or users are left
} gmem_pool_gate_t;

struct gmem_pool_s {
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_model_t *model;    // retained
  gmem_pool_gate_t *gate; // NULL: none; set before the pool is used
  uint32_t flags;         // GMEM_POOL_*
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

//===--- for a memory manager (slot_pool.c) -------------------------------===//

// Leases the most recently used free slot for the caller, who holds the
// reference of its lease; NULL if none is free.
gmem_slot_node_t *gmem_pool_take_free(gmem_pool_t *pool);

// GMEM_OK if the limits of the pool allow one more slot; OVER_BUDGET if there
// are only those that exist, STATE if none can ever exist.
gmem_status_t gmem_pool_room(gmem_pool_t *pool);

// Adds a free slot. If the limits of the pool do not allow it, *is_full is set:
// slots that are being mapped or unmapped count, and the gate is told when they
// are done.
gmem_status_t gmem_pool_grow(gmem_pool_t *pool, bool *is_full);

// Adds a reference unless the pool is being freed, and drops it.
bool gmem_pool_pin(gmem_pool_t *pool);
void gmem_pool_unpin(gmem_pool_t *pool);

// The time |timeout_ns| from now, and a condition variable on the same clock.
struct timespec gmem_deadline_after(int64_t timeout_ns);
bool gmem_condition_init(pthread_cond_t *condition);

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
