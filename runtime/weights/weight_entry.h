// weight_entry.h - definitions of the weight store and its entries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_WEIGHT_ENTRY_H_
#define GMEM_RUNTIME_WEIGHT_ENTRY_H_

#include <pthread.h>
#include <stdatomic.h>

#include "gmem/weight_store.h"
#include "region_map.h"
#include "thread_safety.h"

typedef enum gmem_weight_state_e {
  GMEM_WEIGHT_FILLING, // in the table; only its filler accesses the memory
  GMEM_WEIGHT_READY,   // in table and list; immutable
  GMEM_WEIGHT_FAILED,  // in neither, without memory; kept for waiters
} gmem_weight_state_t;

struct gmem_weight_s {
  gmem_weights_t *store; // retained
  gmem_weight_key_t key;
  gmem_mapped_region_t memory;
  uint8_t made[GMEM_PLAN_DIGEST_SIZE]; // SHA-256 of the bytes when filled

  // Guarded by the store's lock:
  gmem_weight_state_t state;
  uint64_t references;            // holders, waiters and the filler
  uint64_t charged;               // bytes counted in the store
  pthread_t filler;               // thread that fills it
  gmem_weight_t *next_bucket;     // chain of the hash bucket
  gmem_weight_t *previous, *next; // list of ready weights
  gmem_diag_t failure;
};

struct gmem_weights_s {
  atomic_uint references; // held by users and weights
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  uint64_t budget; // bytes; 0: none

  pthread_cond_t changed; // a weight left the state FILLING
  gmem_mutex_t lock;      // not held during callbacks
  gmem_weight_t **buckets GMEM_GUARDED_BY(&lock);
  uint64_t bucket_count GMEM_GUARDED_BY(&lock); // a power of two
  uint64_t entries GMEM_GUARDED_BY(&lock);      // in the table
  // List of ready weights.
  gmem_weight_t *first GMEM_GUARDED_BY(&lock);
  gmem_weight_t *last GMEM_GUARDED_BY(&lock);
  gmem_weights_stats_t stats GMEM_GUARDED_BY(&lock);
};

// Source of the bytes of a weight that the store does not have.
typedef struct gmem_weight_source_s {
  gmem_weight_fill_fn fill; // NULL: the bytes are in |fd|
  void *user;               // of |fill|
  int fd;                   // a sealed file to be mapped
  uint64_t fixed_device;    // required device address, or GMEM_ANY_ADDRESS
} gmem_weight_source_t;

// Returns the weight of |key| with a reference for the caller, created from
// |source| if the store has none. Fails as gmem_weights_acquire and
// gmem_weights_import do.
gmem_status_t gmem_weights_get(gmem_weights_t *weights,
                               const gmem_weight_key_t *key,
                               const gmem_weight_source_t *source,
                               gmem_weight_t **out_weight, gmem_diag_t *diag);

// Checks that |key| is valid; fails with INVALID_ARGUMENT.
gmem_status_t gmem_weight_key_check(const gmem_weight_key_t *key,
                                    gmem_diag_t *diag);

#endif // GMEM_RUNTIME_WEIGHT_ENTRY_H_
