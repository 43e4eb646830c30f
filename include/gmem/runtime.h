// runtime.h - a plan mapped onto real memory: provider, model, pool, lease.
// C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   plan                        what lives where; immutable
//    `- model                   + shared memory: weights, sealed
//        `- pool                + slots of mutable memory
//            `- lease           one slot for one request: the only place with
//                               addresses
//   (a provider is where the memory of a model and of a pool comes from)
//
//   gmem_provider_t provider;
//   gmem_provider_mmap(NULL, NULL, &provider);
//   gmem_model_create(plan, &provider, NULL, NULL, &model, &diag);
//   gmem_pool_options_t options = {sizeof options, .initial_slots = 2};
//   gmem_pool_create(model, &provider, &options, NULL, &pool, &diag);
//   gmem_lease_acquire(pool, GMEM_WAIT_FOREVER, &lease);
//   gmem_lease_host(lease, gmem_plan_find(plan, "input"), &pointer);
//   ...
//   gmem_lease_release(lease);
//
// Plan and model never change after creation and may be used by any thread
// without a lock; a pool locks itself; a lease belongs to one request. Every
// constructor is all or nothing: on failure *out is NULL and all memory is
// given back. Acquiring, looking up and releasing allocate nothing and make no
// system call, unless they must wait. No lock is held while a provider or a
// fill function runs. Functions named release take NULL and cannot fail. One
// call too many is undefined, unless the memory is known to be still there:
// see the releases of a pool and a lease.

#ifndef GMEM_RUNTIME_H_
#define GMEM_RUNTIME_H_

#include <stdbool.h>

#include "gmem/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

//===--- memory provider --------------------------------------------------===//

// One contiguous range of memory. |host| is NULL for device-only memory.
typedef struct gmem_range_s {
  void *host;      // address for the CPU
  uint64_t device; // address for the accelerator
  uint64_t size;   // bytes, at least what was asked for
  uint64_t token;  // the provider's own
} gmem_range_t;

#define GMEM_ANY_ADDRESS UINT64_MAX // no wish for a device address

enum {
  GMEM_RANGE_SEALABLE = 1u << 1, // |seal| will be called on it
};

// The seam to a device or an operating system. A user's own is made by filling
// one of these. The functions must be thread-safe and must not call back into
// this library. Copied by value; what |user| points to must outlive all that
// was made from it.
typedef struct gmem_provider_s {
  void *user;
  uint64_t granularity; // bytes, a power of two; what has none says 1
  // Gets |size| > 0 zeroed bytes whose |host| and |device| addresses are
  // multiples of |align| (a power of two). Both are multiples of |granularity|.
  // |fixed_device| is the device address wanted, or GMEM_ANY_ADDRESS. |flags|
  // is of GMEM_RANGE_*. Fails with OUT_OF_MEMORY, UNSUPPORTED or IO; |diag| may
  // be NULL.
  gmem_status_t (*acquire)(void *user, uint64_t size, uint64_t align,
                           uint64_t fixed_device, uint32_t flags,
                           gmem_range_t *out_range, gmem_diag_t *diag);
  // Takes back what |acquire| gave, sealed or not.
  void (*release)(void *user, const gmem_range_t *range);
  // Makes the range read-only for good; NULL when the provider cannot.
  gmem_status_t (*seal)(void *user, gmem_range_t *range, gmem_diag_t *diag);
} gmem_provider_t;

typedef enum gmem_huge_pages_e {
  GMEM_HUGE_PAGES_NEVER = 0,
  GMEM_HUGE_PAGES_ADVISE = 1, // transparent huge pages where the system can
  GMEM_HUGE_PAGES_REQUIRE = 2,
  GMEM_HUGE_PAGES_PREFER = 3,
} gmem_huge_pages_t;

typedef struct gmem_mmap_options_s {
  uint32_t huge_pages; // GMEM_HUGE_PAGES_*
  int32_t numa_node;   // -1: no preference
  bool guard_pages;    // an inaccessible page on both sides of each range
  bool shared;         // memory that other processes can map
} gmem_mmap_options_t;
// The defaults, also used for a NULL gmem_mmap_options_t pointer.
#define GMEM_MMAP_OPTIONS_INIT                                                 \
  { GMEM_HUGE_PAGES_NEVER, -1, false, false }

// Makes a provider of private anonymous mappings; the device address is the
// host address. Fails with UNSUPPORTED for options that this version or system
// does not have (huge pages REQUIRE and PREFER, a NUMA node, shared),
// INVALID_ARGUMENT or OUT_OF_MEMORY; *out_provider is then all zero.
GMEM_MUST_USE gmem_status_t gmem_provider_mmap(
    const gmem_mmap_options_t *options, const gmem_allocator_t *allocator,
    gmem_provider_t *out_provider);

// Ends a provider that this library made and clears it. All its ranges must
// have been released. NULL and an all-zero provider are allowed.
void gmem_provider_destroy(gmem_provider_t *provider);

//===--- model: a plan with its shared memory -----------------------------===//

typedef struct gmem_model_s gmem_model_t; // counted, immutable

// Fills the |size| zeroed bytes at |dst| of buffer |id|. A status other than
// GMEM_OK ends gmem_model_create, which returns it. |diag| may be NULL.
typedef gmem_status_t (*gmem_buffer_fill_fn)(void *user, gmem_buffer_t id,
                                             void *dst, uint64_t size,
                                             gmem_diag_t *diag);

// Where shared bytes come from. A NULL function leaves its buffers zero.
typedef struct gmem_model_sources_s {
  uint32_t struct_size; // sizeof(gmem_model_sources_t)
  void *user;
  gmem_buffer_fill_fn weight; // asked once per WEIGHT buffer, in id order
  gmem_buffer_fill_fn work;   // asked once per SHARED_WORK buffer
} gmem_model_sources_t;

// Maps the shared regions of |plan|, fills every buffer in them that is no
// alias and not empty, and seals them read-only (when the provider can).
// |sources| may be NULL. Retains |plan|; copies |provider| and |allocator|
// (NULL: libc).
// Fails with INVALID_ARGUMENT, OUT_OF_MEMORY, UNSUPPORTED (something to fill in
// memory without a host address), what the provider or a fill function
// returns, ALIGNMENT or TOO_SMALL (the provider broke its word). Any thread.
GMEM_MUST_USE gmem_status_t gmem_model_create(
    gmem_plan_t *plan, const gmem_provider_t *provider,
    const gmem_model_sources_t *sources, const gmem_allocator_t *allocator,
    gmem_model_t **out_model, gmem_diag_t *diag);

// Add and drop a reference; the last frees the shared memory. Any thread.
void gmem_model_retain(gmem_model_t *model);
void gmem_model_release(gmem_model_t *model);

// The plan of the model, which it keeps alive.
const gmem_plan_t *gmem_model_plan(const gmem_model_t *model);

//===--- pool of slots, each for one request at a time --------------------===//

typedef struct gmem_pool_s gmem_pool_t; // counted, internally synchronised

#define GMEM_POOL_MAX_SLOTS UINT32_C(4096)

typedef struct gmem_pool_options_s {
  uint32_t struct_size;   // sizeof(gmem_pool_options_t)
  uint32_t initial_slots; // 1 to GMEM_POOL_MAX_SLOTS, mapped at once
} gmem_pool_options_t;

// Maps the slots of a pool: each has its own copy of every region that is not
// shared. Buffers are at addresses that honour their alignment. Retains
// |model|; copies |provider| (which need not be the model's) and |allocator|.
// Fails with INVALID_ARGUMENT, OUT_OF_RANGE (number of slots), OUT_OF_MEMORY,
// UNSUPPORTED (SENSITIVE or STATE buffers, which must be zeroed, in memory
// without a host address), what the provider returns, ALIGNMENT or TOO_SMALL
// (the provider broke its word). Any thread.
GMEM_MUST_USE gmem_status_t gmem_pool_create(gmem_model_t *model,
                                             const gmem_provider_t *provider,
                                             const gmem_pool_options_t *options,
                                             const gmem_allocator_t *allocator,
                                             gmem_pool_t **out_pool,
                                             gmem_diag_t *diag);

// Add and drop a reference. Leases, and threads that wait for one, keep the
// memory alive: the last of all gives it back. While they do, a release too
// many does nothing. Any thread.
void gmem_pool_retain(gmem_pool_t *pool);
void gmem_pool_release(gmem_pool_t *pool);

typedef struct gmem_pool_stats_s {
  uint64_t bytes_committed; // mapped for all slots
  uint64_t bytes_leased;    // of these, in slots that are leased now
  uint64_t bytes_peak;      // largest bytes_leased so far
  uint32_t slots;           // free + leased
  uint32_t free;
  uint32_t leased;
  uint32_t waiting;  // threads in gmem_lease_acquire
  uint64_t acquires; // leases given
  uint64_t waits;    // acquires that had to queue
  uint64_t timeouts; // acquires that returned TIMEOUT
} gmem_pool_stats_t;

// A consistent picture of the pool at one moment. Any thread.
void gmem_pool_stats(gmem_pool_t *pool, gmem_pool_stats_t *out_stats);

//===--- lease: exclusive use of one slot ---------------------------------===//

typedef struct gmem_lease_s gmem_lease_t; // counted, of one request

#define GMEM_WAIT_FOREVER INT64_MAX

// Gets a slot, waiting up to |timeout_ns| for one: 0 never blocks,
// GMEM_WAIT_FOREVER never gives up. Waiters are served in the order of their
// arrival and are never overtaken; of the free slots the one used last is
// given, as its bytes are still cached. STATE buffers are zero; other bytes
// are what the last request left. Fails with TIMEOUT (nothing changed) or
// INVALID_ARGUMENT; *out_lease is then NULL. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_acquire(gmem_pool_t *pool,
                                               int64_t timeout_ns,
                                               gmem_lease_t **out_lease);

// Add and drop a reference, for example one per operation in flight. The last
// zeroes the SENSITIVE and STATE buffers and returns the slot. A release too
// many does nothing while the pool exists and the slot is not leased again;
// then it would be another's lease that ends. Any thread.
void gmem_lease_retain(gmem_lease_t *lease);
void gmem_lease_release(gmem_lease_t *lease);

// The address of a buffer in this lease, for the CPU or the accelerator; valid
// until the last release. Weights and shared work are read-only. Fail with
// OUT_OF_RANGE (no such buffer) or, for the host, UNSUPPORTED (device-only
// memory); *out is then NULL or 0. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_host(const gmem_lease_t *lease,
                                            gmem_buffer_t id, void **out_ptr);
GMEM_MUST_USE gmem_status_t gmem_lease_device(const gmem_lease_t *lease,
                                              gmem_buffer_t id,
                                              uint64_t *out_address);

// The address of offset 0 of a region in this lease, for the CPU: for programs
// that take a whole region and add the offsets themselves. Valid as long as
// those of buffers; a region of WEIGHT or SHARED_WORK is read-only, an empty
// one has an address too. Fails as gmem_lease_host does, with OUT_OF_RANGE when
// there is no such region. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_region(const gmem_lease_t *lease,
                                              gmem_region_t id, void **out_ptr);

#ifdef __cplusplus
}
#endif
#endif // GMEM_RUNTIME_H_
