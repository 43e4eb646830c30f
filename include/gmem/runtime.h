// runtime.h - running a plan: model, pool, lease, cache. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   provider (provider.h)       source of memory
//   weights (weight_store.h)    weight store, shared by models
//   plan (plan.h)               placement of buffers; immutable
//    `- model                   + shared memory: weights, immutable workbuffers
//        `- pool                + slots of mutable memory
//            |- reservation     slots reserved for one user; they keep STATE
//            `- lease           one slot for one request; the only object that
//                               provides addresses
//   cache                       LRU cache of pools of many plans
//
//   gmem_provider_t provider;
//   gmem_provider_mmap(NULL, NULL, &provider);
//   gmem_model_create(plan, &provider, NULL, NULL, &model, &diag);
//   gmem_pool_options_t options = {sizeof options, .initial_slots = 2};
//   gmem_pool_create(model, &provider, &options, NULL, &pool, &diag);
//   gmem_lease_acquire(pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER, &lease);
//   gmem_lease_host(lease, gmem_plan_find(plan, "input"), &pointer);
//   ...
//   gmem_lease_release(lease);
//
// Plans, models and weights are immutable and may be used by any thread without
// locking; pools and caches synchronise internally; a lease belongs to one
// request. Constructors are all-or-nothing: on failure *out is NULL and all
// memory has been freed. Acquiring, querying and releasing a lease, and
// reserving and unreserving free slots again, allocate nothing and make no
// system call, unless the caller must wait or the pool grows. No lock is held
// while a provider or a callback runs. Release functions accept NULL and cannot
// fail. Releasing more often than retaining is undefined, except where stated
// for pools and leases.

#ifndef GMEM_RUNTIME_H_
#define GMEM_RUNTIME_H_

#include "gmem/plan.h"
#include "gmem/provider.h"
#include "gmem/weight_store.h"

GMEM_BEGIN_C

//===--- model: a plan with its shared memory -----------------------------===//

typedef struct gmem_model_s gmem_model_t; // counted, immutable

// Writes the contents of buffer |id| to the |size| zeroed bytes at |dst|. A
// status other than GMEM_OK aborts gmem_model_create, which returns it. |diag|
// may be NULL.
typedef gmem_status_t (*gmem_buffer_fill_fn)(void *user, gmem_buffer_t id,
                                             void *dst, uint64_t size,
                                             gmem_diag_t *diag);

enum {
  // Checks every untransformed weight against its digest in the plan.
  GMEM_MODEL_VERIFY = 1u << 0,
  // Reads the contents of an image file instead of mapping them; needed if the
  // file may be truncated while it is in use.
  GMEM_MODEL_COPY = 1u << 1,
  // With |weights|: shares individual weights instead of whole regions. Each
  // weight then has an address of its own: gmem_lease_region of such a region
  // is UNSUPPORTED, and command streams must be relocated.
  GMEM_MODEL_SCATTER = 1u << 2,
  // Requests the planned addresses (region base) from the provider as device
  // addresses; no relocation is then needed.
  GMEM_MODEL_FIXED_DEVICE = 1u << 3,
};

// Sources of the contents of shared buffers. Zero-initialise except
// |struct_size|. A NULL function leaves its buffers as they are: the contents
// in the image, or zero.
typedef struct gmem_model_sources_s {
  uint32_t struct_size;       // sizeof(gmem_model_sources_t)
  uint32_t flags;             // GMEM_MODEL_*
  void *user;                 // passed to the functions
  gmem_buffer_fill_fn weight; // called once per WEIGHT buffer whose bytes are
                              //   neither in the image nor the store, in id
                              //   order; first for buffers added to the store
  gmem_buffer_fill_fn work; // called once per SHARED_WORK buffer, in id order,
                            //   after all weights; after those of its region
                            //   for what is added to the store
  gmem_weights_t *weights;  // retained; NULL: the model has its own copies. The
                            //   plan must contain the digests of its weights
} gmem_model_sources_t;

// Maps the shared regions of |plan|, initialises every non-empty buffer in them
// that is not an alias, and seals them read-only if the provider supports it.
// |sources| may be NULL. Retains |plan|; copies |provider| and |allocator|
// (NULL: libc). With a store, regions that hold only weights, and shared work
// with digests if there is a function for it, come from the store and are
// filled once for all models. Fails with INVALID_ARGUMENT,
// OUT_OF_MEMORY, NOT_FOUND (with a store: the plan has no digest for a weight),
// CORRUPT (digest), IO (reading the image), UNSUPPORTED (a buffer must be
// filled in memory without a host address), the status of the provider, the
// store or a function, ALIGNMENT or TOO_SMALL (the provider violates its
// contract). Any thread.
GMEM_MUST_USE gmem_status_t gmem_model_create(
    gmem_plan_t *plan, const gmem_provider_t *provider,
    const gmem_model_sources_t *sources, const gmem_allocator_t *allocator,
    gmem_model_t **out_model, gmem_diag_t *diag);

// Add and drop a reference; the last one frees the shared memory. Any thread.
void gmem_model_retain(gmem_model_t *model);
void gmem_model_release(gmem_model_t *model);

// The plan of the model, valid for the lifetime of the model. Any thread.
const gmem_plan_t *gmem_model_plan(const gmem_model_t *model);

// Hashes every untransformed weight that has a digest in the plan and stores
// the first one whose bytes differ in *out_bad (or GMEM_NONE). Fails with
// CORRUPT if there is one, UNSUPPORTED if the CPU cannot access the memory. Any
// thread.
GMEM_MUST_USE gmem_status_t gmem_model_verify(const gmem_model_t *model,
                                              gmem_buffer_t *out_bad,
                                              gmem_diag_t *diag);

//===--- pool: slots, each for one request at a time ----------------------===//

typedef struct gmem_pool_s gmem_pool_t; // counted, internally synchronised

#define GMEM_POOL_MAX_SLOTS UINT32_C(4096)

enum {
  // Every byte that a request can write, except STATE, is zero when its lease
  // begins; or is zeroed after its lease ends, before the slot is reused.
  GMEM_POOL_ZERO_ON_ACQUIRE = 1u << 0,
  GMEM_POOL_ZERO_ON_RELEASE = 1u << 1,
  // Detects writes and reads of bytes where no buffer is live; for tests. Bytes
  // that are dead, in gaps or around the buffers hold a pattern (0xCB); with
  // AddressSanitizer (if the library is built with it) and Valgrind they are
  // also poisoned, as are all bytes of unleased slots. When a lease begins
  // everything except STATE holds the pattern. See gmem_lease_begin_op.
  // Excludes ZERO_ON_ACQUIRE.
  GMEM_POOL_CHECK = 1u << 2,
  // Places buffers in separate memory, each with its end at a guard page if the
  // provider has guard pages and the alignment permits. Outputs that differ
  // from those of a pool without this flag show that the plan or a kernel uses
  // bytes outside of a live range. Buffers that may hold one value in place
  // stay together as planned: aliases with their parents, views with all
  // buffers they overlap, and buffers with common bytes where one becomes live
  // at the step where the other one ends. Non-linear control flow can pass a
  // value in place to a step that is not the next one; the image does not
  // record this, and outputs then differ as well.
  GMEM_POOL_UNSHARED = 1u << 3,
  GMEM_POOL_PREFAULT = 1u << 4, // slots are backed with memory when mapped
  // Requires each region at its planned base as device address; for at most one
  // slot, and not with UNSHARED.
  GMEM_POOL_FIXED_DEVICE = 1u << 5,
};

// Zero-initialise except |struct_size|.
typedef struct gmem_pool_options_s {
  uint32_t struct_size;   // sizeof(gmem_pool_options_t)
  uint32_t initial_slots; // 0 to GMEM_POOL_MAX_SLOTS, mapped at once
  uint32_t max_slots;     // limit of growth; 0: |initial_slots|
  uint32_t flags;         // GMEM_POOL_*
  uint64_t byte_budget;   // most bytes mapped at once; 0: no limit
} gmem_pool_options_t;

// Creates a pool and maps its initial slots; each slot has its own copy of
// every region that is not shared. Buffers are aligned as planned. Retains
// |model|; copies |provider| (which need not be the model's) and |allocator|.
// Fails with INVALID_ARGUMENT, OUT_OF_RANGE (numbers of slots), OVER_BUDGET,
// OUT_OF_MEMORY, UNSUPPORTED (memory that must be zeroed or checked has no host
// address), the status of the provider, ALIGNMENT or TOO_SMALL (the provider
// violates its contract). Any thread.
GMEM_MUST_USE gmem_status_t gmem_pool_create(gmem_model_t *model,
                                             const gmem_provider_t *provider,
                                             const gmem_pool_options_t *options,
                                             const gmem_allocator_t *allocator,
                                             gmem_pool_t **out_pool,
                                             gmem_diag_t *diag);

// Add and drop a reference. Leases, and threads that wait for one, keep the
// memory alive; the last of them frees it. While they exist, an excess release
// has no effect. Any thread.
void gmem_pool_retain(gmem_pool_t *pool);
void gmem_pool_release(gmem_pool_t *pool);

// The model of the pool, valid as long as the pool. Any thread.
gmem_model_t *gmem_pool_model(const gmem_pool_t *pool);

// Adds |slots| >= 1 free slots, all or none; waiting threads are served first.
// Fails with INVALID_ARGUMENT, OVER_BUDGET (slots or bytes), or as
// gmem_pool_create does; the pool is then unchanged. Any thread, also during
// requests.
GMEM_MUST_USE gmem_status_t gmem_pool_populate(gmem_pool_t *pool,
                                               uint32_t slots,
                                               gmem_diag_t *diag);

// Returns free slots to the provider, least recently used first, until at most
// |keep_bytes| are mapped or no slot is free. Leased and reserved slots are
// kept. Returns the number of bytes freed. Any thread.
uint64_t gmem_pool_trim(gmem_pool_t *pool, uint64_t keep_bytes);

// Wakes all threads that are waiting now: their acquires return CANCELLED.
// Later acquires wait again. Any thread.
void gmem_pool_interrupt(gmem_pool_t *pool);

typedef struct gmem_pool_stats_s {
  uint64_t bytes_committed; // mapped for all slots
  uint64_t bytes_leased;    // of these, in slots that are leased now
  uint64_t bytes_peak;      // largest bytes_leased so far
  uint32_t slots;           // free + reserved + leased
  uint32_t free;            // for anyone
  uint32_t reserved;        // free for the leases of a reservation
  uint32_t leased;
  uint32_t waiting;     // threads in the queue, including those that map a slot
  uint64_t acquires;    // leases given
  uint64_t waits;       // acquires that found no free slot and queued
  uint64_t timeouts;    // acquires that returned TIMEOUT
  uint64_t cancels;     // acquires that returned CANCELLED
  uint64_t grows;       // slots added after creation
  uint64_t trims;       // slots given back to the provider
  uint64_t failures;    // failed attempts to map a slot
  uint64_t corruptions; // leases with a write where no buffer was live, found
                        //   when they ended (with GMEM_POOL_CHECK)
} gmem_pool_stats_t;

// A consistent snapshot of the pool's counters. Any thread.
void gmem_pool_stats(gmem_pool_t *pool, gmem_pool_stats_t *out_stats);

//===--- reservation: slots for one user ----------------------------------===//

typedef struct gmem_reservation_s gmem_reservation_t;

// Reserves |slots| >= 1 slots: free ones first, then new ones; all or none.
// Only leases of the reservation use them; such a lease does not wait while one
// of them is free. STATE buffers keep their values from lease to lease of a
// slot. Fails with INVALID_ARGUMENT, OVER_BUDGET (more than the pool may have)
// or as gmem_pool_create does; the pool is then unchanged. Never waits for
// leased slots. Allocates and maps nothing if free slots suffice and as many
// reservations existed at one time before. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_pool_reserve(gmem_pool_t *pool, uint32_t slots,
                  gmem_reservation_t **out_reservation, gmem_diag_t *diag);

// Ends a reservation. Its free slots become free for all with their memory (the
// next reserve maps nothing), except that STATE becomes zero; leased ones
// follow when their leases end. Threads that wait for the reservation return
// CANCELLED. NULL is allowed. Any thread, once.
void gmem_pool_unreserve(gmem_reservation_t *reservation);

//===--- lease: exclusive use of one slot ---------------------------------===//

typedef struct gmem_lease_s gmem_lease_t; // counted, of one request

#define GMEM_WAIT_FOREVER INT64_MAX

// Leases a slot of |pool|, or of the reservation |from| if it is not NULL, for
// the buffers of |group| (GMEM_NONE: all). Takes the most recently used free
// slot, whose bytes are likely to be cached. If none is free, the caller queues
// for up to |timeout_ns| (0: does not wait, GMEM_WAIT_FOREVER: no limit); if
// the pool may grow, the first in the queue maps a slot regardless of the
// timeout. Slots are assigned in order of arrival. A reservation does not grow.
// STATE buffers are zero or, in a reservation, as the slot's last lease left
// them; other bytes are as the last request left them. Fails with
// INVALID_ARGUMENT, OUT_OF_RANGE (no such group), TIMEOUT, CANCELLED, STATE (no
// slot exists or can ever exist), or the status of growing; nothing has then
// changed, and *out_lease is NULL. Any thread. A forked child may only release
// its leases, provided that no other thread was in a call of the pool at the
// fork.
GMEM_MUST_USE gmem_status_t gmem_lease_acquire(gmem_pool_t *pool,
                                               gmem_group_t group,
                                               gmem_reservation_t *from,
                                               int64_t timeout_ns,
                                               gmem_lease_t **out_lease);

// Add and drop a reference, for example one per operation in flight. The last
// release zeroes the SENSITIVE and (outside of reservations) STATE buffers and
// returns the slot. An excess release has no effect while the slot exists
// (until the pool is freed or trimmed) and is not leased again; after that it
// would end another request's lease. Any thread.
void gmem_lease_retain(gmem_lease_t *lease);
void gmem_lease_release(gmem_lease_t *lease);

// The host or device address of a buffer in this lease; valid until the last
// release. It is the address of the whole buffer: the payload of a buffer with
// leading padding begins |payload_offset| bytes (gmem_plan_buffer) after it.
// Weights and shared work are read-only. Fail with OUT_OF_RANGE (no such
// buffer, or not in the lease's group) or UNSUPPORTED (the memory has no
// address of this kind); *out is then NULL or 0. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_host(const gmem_lease_t *lease,
                                            gmem_buffer_t id, void **out_ptr);
GMEM_MUST_USE gmem_status_t gmem_lease_device(const gmem_lease_t *lease,
                                              gmem_buffer_t id,
                                              uint64_t *out_address);

// The host address of offset 0 of a region in this lease, for programs that add
// the offsets themselves. Valid as long as the addresses of buffers. A region
// of WEIGHT or SHARED_WORK is read-only; an empty region has an address too.
// Fails as gmem_lease_host does, with OUT_OF_RANGE if there is no such region,
// and UNSUPPORTED if its buffers are not contiguous (a group, an import,
// GMEM_POOL_UNSHARED, GMEM_MODEL_SCATTER). Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_region(const gmem_lease_t *lease,
                                              gmem_region_t id, void **out_ptr);

// The *out_size bytes of a per-thread buffer that belong to thread |thread|
// (a thread, not a part of the work). Fails as gmem_lease_host does, and with
// OUT_OF_RANGE if the buffer was planned for fewer threads. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_thread_scratch(const gmem_lease_t *lease,
                                                      gmem_buffer_t id,
                                                      uint32_t thread,
                                                      void **out_ptr,
                                                      uint64_t *out_size);

// Writes the addresses of the workbuffers of step |op| to |out_ptrs|, in the
// order of gmem_plan_workbuffers, and their number to *out_count. Immutable
// ones are read-only. Fails as gmem_lease_host does, also with OUT_OF_RANGE if
// there is no such step, and with TOO_SMALL if there are more than |capacity|
// (*out_count is then their number; on other failures it is 0). Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_workbuffers(const gmem_lease_t *lease,
                                                   gmem_op_t op,
                                                   uint32_t capacity,
                                                   void **out_ptrs,
                                                   uint32_t *out_count);

// Places an IMPORTABLE buffer and its aliases in memory of the caller until the
// lease ends. The memory stays owned by the caller, must outlive the lease, is
// never zeroed or checked, and has |size| bytes at |host| (NULL: no host
// address) and |device| (0: no device address). |size| must cover the padded
// size; the payload begins |payload_offset| bytes after the address, as
// everywhere. Addresses must satisfy the alignment of the buffer and of all its
// aliases: it suffices that they are congruent to the planned address modulo
// the largest of these alignments. Fails with INVALID_ARGUMENT (NULL, both
// addresses missing), OUT_OF_RANGE (no such buffer, an alias, not in the group;
// memory past the last address), STATE (not importable, or shared; already
// imported; after gmem_lease_begin_op), ALIGNMENT, TOO_SMALL or OVERLAP (with
// another import, the slot or shared memory, in host or device addresses); the
// lease is then unchanged. Invalidates addresses of the buffer obtained
// earlier. Only the owner of the lease, while no other thread uses the lease.
GMEM_MUST_USE gmem_status_t gmem_lease_import(gmem_lease_t *lease,
                                              gmem_buffer_t id, void *host,
                                              uint64_t device, uint64_t size,
                                              gmem_diag_t *diag);

// Makes the bytes that the CPU wrote to a buffer visible to the device, or the
// reverse. No effect if memory is coherent, or the buffer is shared (the model
// has synchronised it), empty or imported (its owner synchronises it). Fails
// with OUT_OF_RANGE, or the status of the provider. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_sync(const gmem_lease_t *lease,
                                            gmem_buffer_t id, bool to_device);

// Marks the beginning of step |op| and the end of the previous one; no import
// is possible afterwards. In a pool without GMEM_POOL_CHECK, or if |op| is not
// a step, there is no other effect. With GMEM_POOL_CHECK, the program must mark
// every step: bytes that die are poisoned, and bytes that become live must be
// unchanged since they were poisoned. Steps may repeat in any order; buffers
// that are live in both steps keep their values. Bytes written before the first
// step must belong to buffers that are live in that step. With GMEM_POOL_CHECK,
// time is linear in the number of buffers. Only the owner of the lease.
void gmem_lease_begin_op(gmem_lease_t *lease, gmem_op_t op);

// Checks that nothing was written so far where no buffer was live, by reading
// all bytes that are dead in the current step. Called after each step, it
// identifies the step that wrote; otherwise it names the step at which the
// write was detected. Fails with INVALID_ARGUMENT (NULL) or CORRUPT, from
// the first error to the end of the lease: |diag| then names the step, the byte
// of the region (also as |offset|), the buffers before and after it, and a
// buffer that owns the byte at another step (also as |object|). The end of a
// lease checks as well, but only counts errors: see gmem_pool_stats_t. GMEM_OK
// without GMEM_POOL_CHECK. Only the owner of the lease.
GMEM_MUST_USE gmem_status_t gmem_lease_check(gmem_lease_t *lease,
                                             gmem_diag_t *diag);

// Writes the device addresses of this lease into a command stream of
// |stream_size| bytes at |stream|, at the |count| places in |relocs|, sorted by
// |where| (as gmem_plan_relocs returns them); their |stream| is ignored.
// Addresses have 64 bits; LO32 and HI32 are halves of the full address.
// |relocs| and the stream are untrusted input. Fails with INVALID_ARGUMENT
// (NULL, an unknown kind), OUT_OF_RANGE (a place outside the stream, a buffer
// or an addend that does not exist, a buffer not in the group, an address that
// wraps around), OVERLAP (places that overlap or are not sorted) or UNSUPPORTED
// (a buffer without a device address); the stream is then unchanged. Any
// thread, but not concurrently with imports.
GMEM_MUST_USE gmem_status_t gmem_lease_relocate(const gmem_lease_t *lease,
                                                const gmem_reloc_t *relocs,
                                                size_t count, void *stream,
                                                uint64_t stream_size,
                                                gmem_diag_t *diag);

// Checks that an unpatched stream holds the planned addresses at these places.
// Fails as gmem_lease_relocate does, and with CORRUPT at the first other
// address. Any thread.
GMEM_MUST_USE gmem_status_t gmem_plan_check_stream(
    const gmem_plan_t *plan, const gmem_reloc_t *relocs, size_t count,
    const void *stream, uint64_t stream_size, gmem_diag_t *diag);

//===--- cache of pools of many plans -------------------------------------===//
// A library of its own (gmem::pool_cache).

typedef struct gmem_cache_s gmem_cache_t; // internally synchronised

typedef struct gmem_cache_limits_s {
  uint32_t entries; // 0 turns the cache off
  uint64_t bytes;   // 0: no limit
} gmem_cache_limits_t;

// Creates the pool of a key. The cache owns the reference in *out_pool on
// success; on failure *out_pool is ignored. Must not call the cache for the
// same key. |diag| may be NULL.
typedef gmem_status_t (*gmem_cache_make_fn)(void *user, gmem_pool_t **out_pool,
                                            gmem_diag_t *diag);

// Creates an empty cache. |limits| NULL: the environment variables
// GMEM_CACHE_ENTRIES and GMEM_CACHE_BYTES (decimal numbers; anything else is
// INVALID_ARGUMENT), or else 64 entries without a limit in bytes. Limits passed
// in a call override the environment. Any thread.
GMEM_MUST_USE gmem_status_t gmem_cache_create(const gmem_cache_limits_t *limits,
                                              const gmem_allocator_t *allocator,
                                              gmem_cache_t **out_cache,
                                              gmem_diag_t *diag);

// Releases all pools. NULL is allowed. No other thread may use the cache; pools
// with other references stay valid.
void gmem_cache_destroy(gmem_cache_t *cache);

// Returns the pool of |key| with a reference for the caller, and marks it most
// recently used. A missing pool is created by |make|, once even if several
// threads request the same key concurrently; other keys do not wait. Then least
// recently used pools are evicted until the limits hold: an evicted pool frees
// its free slots at once and stays usable by holders of a reference. Pools with
// leases or reservations are not evicted; if the new pool does not fit beside
// them, it is returned but not cached, and nothing is evicted for it. Time is
// linear in the number of pools. Fails with INVALID_ARGUMENT, OUT_OF_MEMORY or
// the status of |make|; failures are not cached. Any thread.
GMEM_MUST_USE gmem_status_t gmem_cache_get(gmem_cache_t *cache, const void *key,
                                           size_t key_size,
                                           gmem_cache_make_fn make, void *user,
                                           gmem_pool_t **out_pool,
                                           gmem_diag_t *diag);

// Sets new limits and evicts pools at once until they hold. Any thread.
void gmem_cache_set_limits(gmem_cache_t *cache,
                           const gmem_cache_limits_t *limits);

typedef struct gmem_cache_stats_s {
  uint32_t entries;   // pools kept
  uint64_t bytes;     // currently mapped by them
  uint64_t hits;      // gets that found the pool, or waited for its creation
  uint64_t misses;    // gets that called |make|
  uint64_t evictions; // pools evicted
  uint64_t not_kept;  // pools created but not cached for lack of room
} gmem_cache_stats_t;

// A consistent snapshot of the cache's counters. Any thread.
void gmem_cache_stats(gmem_cache_t *cache, gmem_cache_stats_t *out_stats);

GMEM_END_C
#endif // GMEM_RUNTIME_H_
