// slot_pool.h - the insides of a pool and its slots.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SLOT_POOL_H_
#define GMEM_RUNTIME_SLOT_POOL_H_

#include <pthread.h>
#include <stdatomic.h>

#include "model.h"

// Bytes of a slot that must be zeroed before another request gets it.
typedef struct gmem_zero_span_s {
  uint32_t region;
  uint64_t offset, size; // bytes
} gmem_zero_span_t;

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

// A slot and its lease are one object.
struct gmem_lease_s {
  gmem_pool_t *pool;
  atomic_uint references;        // 0: not leased
  gmem_lease_t *next_free;       // under the lock
  uint64_t bytes;                // mapped for this slot
  gmem_group_t group;            // of this lease, or GMEM_NONE
  gmem_mapped_region_t *regions; // by region; shared ones only have a place
  gmem_import_t *imports;        // by number of the importable buffer
  uint32_t import_count;         // of these, how many are present
  bool begun;                    // a step has begun: imports are over
};

// A thread that waits for a slot, on its stack.
typedef struct gmem_waiter_s {
  pthread_cond_t ready;
  gmem_lease_t *slot; // what it was handed, or NULL
  struct gmem_waiter_s *next, *previous;
} gmem_waiter_t;

struct gmem_pool_s {
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  gmem_model_t *model; // retained
  uint32_t flags;      // GMEM_POOL_*
  uint32_t region_count;
  uint32_t slot_count;
  gmem_lease_t *slots;
  gmem_mapped_region_t *regions; // slot_count times region_count
  uint32_t zero_count;
  gmem_zero_span_t *zero_spans;
  uint32_t importable_count;
  gmem_importable_t *importables; // by ascending buffer

  pthread_mutex_t lock; // guards all below, and next_free of the slots
  uint64_t references;  // handles, leases and waiting threads
  uint64_t handles;     // the user's: retains minus releases
  gmem_lease_t *free_slots;
  gmem_waiter_t *first_waiter, *last_waiter;
  gmem_pool_stats_t stats;
};

//===--- the memory of a slot (slot_memory.c) -----------------------------===//

// Finds out what is to be zeroed in each slot. Needs the model. On failure the
// pool holds nothing more than before.
gmem_status_t gmem_slot_memory_prepare(gmem_pool_t *pool, gmem_diag_t *diag);
void gmem_slot_memory_clear(gmem_pool_t *pool);

// Maps the memory of a slot whose |pool| and |regions| are set, and counts its
// bytes. On failure some may be mapped: gmem_slot_unmap is called in any case.
// No lock is held.
gmem_status_t gmem_slot_map(gmem_lease_t *slot, gmem_diag_t *diag);
void gmem_slot_unmap(gmem_lease_t *slot);

// Before the owner of a new lease, and after the last of an old one, has the
// slot: brings its bytes into the state that the pool promises. No lock is
// held.
void gmem_slot_begin(gmem_lease_t *slot);
void gmem_slot_end(gmem_lease_t *slot);

//===--- imports (lease_import.c) -----------------------------------------===//

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

//===--- addresses (lease_address.c) --------------------------------------===//

// Where a buffer is.
typedef struct gmem_found_s {
  gmem_image_buffer_t buffer;
  gmem_place_t place; // of its first byte
  bool imported;
} gmem_found_t;

// Finds buffer |id| in a lease; the one way to an address. OUT_OF_RANGE: there
// is no such buffer, or the lease's group does not have it.
gmem_status_t gmem_lease_find(const gmem_lease_t *lease, gmem_buffer_t id,
                              gmem_found_t *out_found);

#endif // GMEM_RUNTIME_SLOT_POOL_H_
