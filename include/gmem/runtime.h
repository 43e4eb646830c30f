// runtime.h - a plan on real memory: model, pool, lease, cache. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   provider (provider.h)       where memory comes from
//   weights (weight_store.h)    a store that models share
//   plan (plan.h)               what lives where; immutable
//    `- model                   + shared memory: weights, immutable workbuffers
//        `- pool                + slots of mutable memory
//            |- reservation     slots set aside; they keep STATE
//            `- lease           one slot for one request: the only place with
//                               addresses
//   cache                       LRU of pools over many plans
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
// Plan, model and weights never change after creation and may be used by any
// thread without a lock; pools and caches lock themselves; a lease belongs to
// one request. Every constructor is all or nothing: on failure *out is NULL and
// all memory is given back. Acquiring, looking up and releasing allocate
// nothing and make no system call, unless they must wait or the pool grows. No
// lock is held while a provider or a function of the caller runs. Functions
// named release take NULL and cannot fail. One call too many is undefined,
// unless the memory is known to be still there: see the releases of a pool and
// a lease.

#ifndef GMEM_RUNTIME_H_
#define GMEM_RUNTIME_H_

#include "gmem/plan.h"
#include "gmem/provider.h"
#include "gmem/weight_store.h"

#ifdef __cplusplus
extern "C" {
#endif

//===--- model: a plan with its shared memory -----------------------------===//

typedef struct gmem_model_s gmem_model_t; // counted, immutable

// Fills the |size| zeroed bytes at |dst| of buffer |id|. A status other than
// GMEM_OK ends gmem_model_create, which returns it. |diag| may be NULL.
typedef gmem_status_t (*gmem_buffer_fill_fn)(void *user, gmem_buffer_t id,
                                             void *dst, uint64_t size,
                                             gmem_diag_t *diag);

enum {
  // Compares every untransformed weight with the digest that the plan has.
  GMEM_MODEL_VERIFY = 1u << 0,
  // Reads the contents of an image file instead of mapping them: for files that
  // somebody may shorten while they are in use.
  GMEM_MODEL_COPY = 1u << 1,
  // With |weights|: shares single weights, wherever the plan puts them, not
  // whole regions. Each is then at an address of its own: gmem_lease_region of
  // such a region is UNSUPPORTED, and relocations are needed.
  GMEM_MODEL_SCATTER = 1u << 2,
  // Asks the provider for the planned addresses (region base) as device
  // addresses; nothing is then to be relocated.
  GMEM_MODEL_FIXED_DEVICE = 1u << 3,
};

// Where shared bytes come from. Zero-initialise but for |struct_size|. A NULL
// function leaves its buffers as they are: the image's content, or zero.
typedef struct gmem_model_sources_s {
  uint32_t struct_size; // sizeof(gmem_model_sources_t)
  uint32_t flags;       // GMEM_MODEL_*
  void *user;           // of the functions
  gmem_buffer_fill_fn
      weight;               // asked once per WEIGHT buffer, in id order, whose
                            //   bytes are neither in the image nor the store;
                            //   for those that go to the store first
  gmem_buffer_fill_fn work; // asked once per SHARED_WORK buffer, in id order,
                            //   after all weights
  gmem_weights_t *weights;  // retained; NULL: the model has its own copies. The
                            //   plan must know the digests of its weights
} gmem_model_sources_t;

// Maps the shared regions of |plan|, brings every buffer in them that is no
// alias and not empty to its value, and seals them read-only (when the provider
// can). |sources| may be NULL. Retains |plan|; copies |provider| and
// |allocator| (NULL: libc). With a store, regions of weights alone come from
// it, and what another model has put there is not filled again. Fails with
// INVALID_ARGUMENT, OUT_OF_MEMORY, NOT_FOUND (a store is given, and the plan
// does not know a weight's digest), CORRUPT (digest), IO (reading the image),
// UNSUPPORTED (something to fill in memory without a host address), what the
// provider, the store or a function returns, ALIGNMENT or TOO_SMALL (the
// provider broke its word). Any thread.
GMEM_MUST_USE gmem_status_t gmem_model_create(
    gmem_plan_t *plan, const gmem_provider_t *provider,
    const gmem_model_sources_t *sources, const gmem_allocator_t *allocator,
    gmem_model_t **out_model, gmem_diag_t *diag);

// Add and drop a reference; the last frees the shared memory. Any thread.
void gmem_model_retain(gmem_model_t *model);
void gmem_model_release(gmem_model_t *model);

// The plan of the model, which it keeps alive. Any thread.
const gmem_plan_t *gmem_model_plan(const gmem_model_t *model);

// Hashes every untransformed weight that the plan has a digest of, and returns
// the first whose bytes are others in *out_bad (or GMEM_NONE). Fails with
// CORRUPT when there is one, UNSUPPORTED when the CPU cannot see the memory.
// Any thread.
GMEM_MUST_USE gmem_status_t gmem_model_verify(const gmem_model_t *model,
                                              gmem_buffer_t *out_bad,
                                              gmem_diag_t *diag);

//===--- pool of slots, each for one request at a time --------------------===//

typedef struct gmem_pool_s gmem_pool_t; // counted, internally synchronised

#define GMEM_POOL_MAX_SLOTS UINT32_C(4096)

enum {
  // Every byte a request can write, but for STATE, is zero when its lease
  // begins; or when it has ended, before the slot is used again.
  GMEM_POOL_ZERO_ON_ACQUIRE = 1u << 0,
  GMEM_POOL_ZERO_ON_RELEASE = 1u << 1,
  // Finds what is written, or read, where no buffer is live; for tests. Bytes
  // that are dead, in gaps, or around the buffers hold a pattern (0xCB); for
  // AddressSanitizer, when the library is built with it, and for Valgrind they
  // are also poisoned, with the bytes of slots that are not leased. When a
  // lease begins all but STATE holds the pattern. See gmem_lease_begin_op. Not
  // with ZERO_ON_ACQUIRE.
  GMEM_POOL_CHECK = 1u << 2,
  // Buffers in memory of their own, each with its end against a guard page, if
  // the provider has them and the alignment lets it: outputs that differ from
  // those of a pool without this flag show that a plan, or a kernel, uses bytes
  // at the wrong time. What may be one value at one place stays together, as
  // planned: aliases with their parents; views with whatever they touch;
  // buffers with common bytes, one of which begins to live when the other ends.
  // Control flow that jumps may hand on a value in place to a step that is not
  // the next: that an image does not tell, and outputs then differ, too.
  GMEM_POOL_UNSHARED = 1u << 3,
  GMEM_POOL_PREFAULT = 1u << 4, // slots backed with memory when they are mapped
  // Each region at its planned base as device address: for one slot at most,
  // and not with UNSHARED.
  GMEM_POOL_FIXED_DEVICE = 1u << 5,
};

// Zero-initialise but for |struct_size|.
typedef struct gmem_pool_options_s {
  uint32_t struct_size;   // sizeof(gmem_pool_options_t)
  uint32_t initial_slots; // 0 to GMEM_POOL_MAX_SLOTS, mapped at once
  uint32_t max_slots;     // it grows up to this; 0: as many as |initial_slots|
  uint32_t flags;         // GMEM_POOL_*
  uint64_t byte_budget;   // most bytes mapped at once; 0: no limit
} gmem_pool_options_t;

// Maps the first slots of a pool: each has its own copy of every region that is
// not shared. Buffers are at addresses that honour their alignment. Retains
// |model|; copies |provider| (which need not be the model's) and |allocator|.
// Fails with INVALID_ARGUMENT, OUT_OF_RANGE (numbers of slots), OVER_BUDGET,
// OUT_OF_MEMORY, UNSUPPORTED (bytes that must be zeroed or checked in memory
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

// Adds |slots| >= 1 free slots, all or none; those who wait get them first.
// Fails with INVALID_ARGUMENT, OVER_BUDGET (slots or bytes), or as
// gmem_pool_create does; the pool is then as before. Any thread, also during
// requests.
GMEM_MUST_USE gmem_status_t gmem_pool_populate(gmem_pool_t *pool,
                                               uint32_t slots,
                                               gmem_diag_t *diag);

// Gives free slots back to the provider, those used longest ago first, until no
// more than |keep_bytes| are mapped or none is free. Leased and reserved slots
// stay. Returns the bytes given back. Any thread.
uint64_t gmem_pool_trim(gmem_pool_t *pool, uint64_t keep_bytes);

// Ends the waiting of all threads that wait now: their acquires return
// CANCELLED. Later ones wait again. Any thread.
void gmem_pool_interrupt(gmem_pool_t *pool);

typedef struct gmem_pool_stats_s {
  uint64_t bytes_committed; // mapped for all slots
  uint64_t bytes_leased;    // of these, in slots that are leased now
  uint64_t bytes_peak;      // largest bytes_leased so far
  uint32_t slots;           // free + reserved + leased
  uint32_t free;            // for anyone
  uint32_t reserved;        // free, but for their reservation only
  uint32_t leased;
  uint32_t waiting;     // threads in the queue, also while they map a slot
  uint64_t acquires;    // leases given
  uint64_t waits;       // acquires that found no free slot and queued
  uint64_t timeouts;    // acquires that returned TIMEOUT
  uint64_t cancels;     // acquires that returned CANCELLED
  uint64_t grows;       // slots added after creation
  uint64_t trims;       // slots given back to the provider
  uint64_t failures;    // slots that could not be mapped, each time tried
  uint64_t corruptions; // leases that ended with something written where no
                        //   buffer was live (with GMEM_POOL_CHECK)
} gmem_pool_stats_t;

// A consistent picture of the pool at one moment. Any thread.
void gmem_pool_stats(gmem_pool_t *pool, gmem_pool_stats_t *out_stats);

//===--- reservation: slots set aside -------------------------------------===//

typedef struct gmem_reservation_s gmem_reservation_t;

// Sets |slots| >= 1 slots aside: free ones first, then new ones; all or none.
// Nobody else sees them: a lease from a reservation that has a free slot never
// waits. STATE buffers keep their values from lease to lease of a slot. Fails
// with INVALID_ARGUMENT, OVER_BUDGET (more than the pool may have) or as
// gmem_pool_create does; the pool is then as before. Never waits for slots that
// are leased. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_pool_reserve(gmem_pool_t *pool, uint32_t slots,
                  gmem_reservation_t **out_reservation, gmem_diag_t *diag);

// Ends a reservation: its free slots are everyone's again, with their memory
// (the next reserve maps nothing) but for STATE, which becomes zero; leased
// ones when their leases end; threads that wait for it return CANCELLED. NULL
// is allowed. Any thread, once.
void gmem_pool_unreserve(gmem_reservation_t *reservation);

//===--- lease: exclusive use of one slot ---------------------------------===//

typedef struct gmem_lease_s gmem_lease_t; // counted, of one request

#define GMEM_WAIT_FOREVER INT64_MAX

// Gets a slot of |pool|, of the reservation |from| when it is not NULL, for the
// buffers of |group| (GMEM_NONE: all). Takes the free slot used last, whose
// bytes are still cached. Without one it queues, for up to |timeout_ns| (0: not
// at all, GMEM_WAIT_FOREVER: without end); and if the pool may grow it maps a
// slot, whatever the time-out, for the first in the queue. Slots are given in
// the order of arrival, and nobody is overtaken. A reservation does not grow.
// STATE buffers are zero, or, from a reservation, as the slot's last lease left
// them; other bytes are what the last request left. Fails with
// INVALID_ARGUMENT, OUT_OF_RANGE (no such group), TIMEOUT, CANCELLED, STATE
// (there is no slot and can never be one), or what growing returns; nothing has
// then changed, and *out_lease is NULL. Any thread. A forked child may only
// release what it has, if no other thread was in a call of the pool.
GMEM_MUST_USE gmem_status_t gmem_lease_acquire(gmem_pool_t *pool,
                                               gmem_group_t group,
                                               gmem_reservation_t *from,
                                               int64_t timeout_ns,
                                               gmem_lease_t **out_lease);

// Add and drop a reference, for example one per operation in flight. The last
// zeroes the SENSITIVE and (but for reservations) STATE buffers and returns the
// slot. A release too many does nothing while the slot exists (it is gone with
// the pool or by a trim) and is not leased again; then it would be another's
// lease that ends. Any thread.
void gmem_lease_retain(gmem_lease_t *lease);
void gmem_lease_release(gmem_lease_t *lease);

// The address of a buffer in this lease, for the CPU or the accelerator; valid
// until the last release. It is that of the whole buffer: what is padded in
// front has its payload |payload_offset| bytes (gmem_plan_buffer) behind it.
// Weights and shared work are read-only. Fail with OUT_OF_RANGE (no such
// buffer, or not in the lease's group) or UNSUPPORTED (memory that only the
// other one sees); *out is then NULL or 0. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_host(const gmem_lease_t *lease,
                                            gmem_buffer_t id, void **out_ptr);
GMEM_MUST_USE gmem_status_t gmem_lease_device(const gmem_lease_t *lease,
                                              gmem_buffer_t id,
                                              uint64_t *out_address);

// The address of offset 0 of a region in this lease, for the CPU: for programs
// that take a whole region and add the offsets themselves. Valid as long as
// those of buffers; a region of WEIGHT or SHARED_WORK is read-only, an empty
// one has an address too. Fails as gmem_lease_host does, with OUT_OF_RANGE when
// there is no such region, UNSUPPORTED when its buffers are not together (a
// group, an import, GMEM_POOL_UNSHARED, GMEM_MODEL_SCATTER). Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_region(const gmem_lease_t *lease,
                                              gmem_region_t id, void **out_ptr);

// The part of a per-thread buffer that belongs to thread |thread| (not: to a
// part of the work), *out_size bytes. Fails as gmem_lease_host does, and with
// OUT_OF_RANGE when the buffer was planned for fewer threads. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_thread_scratch(const gmem_lease_t *lease,
                                                      gmem_buffer_t id,
                                                      uint32_t thread,
                                                      void **out_ptr,
                                                      uint64_t *out_size);

// Writes the addresses of the workbuffers of step |op| to |out_ptrs|, in the
// order in which gmem_plan_workbuffers gives them, and how many to *out_count.
// Immutable ones are read-only. Fails as gmem_lease_host does, with
// OUT_OF_RANGE when there is no such step, too, and with TOO_SMALL when there
// are more than |capacity| (*out_count says how many; else it is 0). Any
// thread.
GMEM_MUST_USE gmem_status_t gmem_lease_workbuffers(const gmem_lease_t *lease,
                                                   gmem_op_t op,
                                                   uint32_t capacity,
                                                   void **out_ptrs,
                                                   uint32_t *out_count);

// Puts an IMPORTABLE buffer, with its aliases, into memory of the caller's,
// until the lease ends. The memory stays the caller's, must outlive the lease,
// is never zeroed or checked, and has |size| bytes at |host| (NULL: the CPU
// cannot see it) and |device| (0: the device cannot see it). The padded size is
// needed, not just the payload, which begins |payload_offset| bytes behind the
// address as everywhere else. Addresses must honour the alignment of the
// buffer and of all its aliases: those that are congruent to the planned one
// modulo the largest of them do. Fails with
// INVALID_ARGUMENT (NULL, both addresses missing), OUT_OF_RANGE (no such
// buffer, an alias, not in the group; memory beyond the last address), STATE
// (not importable, or shared; imported already; gmem_lease_begin_op was
// called), ALIGNMENT, TOO_SMALL or OVERLAP (with another import, the slot, or
// shared memory, as the CPU or the device sees them); the lease is then as
// before. Addresses that were asked for before are void. The lease's owner,
// while no other thread uses the lease.
GMEM_MUST_USE gmem_status_t gmem_lease_import(gmem_lease_t *lease,
                                              gmem_buffer_t id, void *host,
                                              uint64_t device, uint64_t size,
                                              gmem_diag_t *diag);

// Makes what the CPU wrote to a buffer visible to the device, or the other way
// round. Nothing to do when they see the same, when it is shared (the model has
// done it) or empty, or imported: that is its owner's to synchronise. Fails
// with OUT_OF_RANGE, or what the provider returns. Any thread.
GMEM_MUST_USE gmem_status_t gmem_lease_sync(const gmem_lease_t *lease,
                                            gmem_buffer_t id, bool to_device);

// Says that step |op| begins: the last one is over, and imports are. In a pool
// without GMEM_POOL_CHECK nothing else happens, nor when |op| is no step. With
// it, the program has to say each step. Bytes that die are poisoned; bytes that
// begin to live must be as they were left. Steps may come again, in any order:
// what lives in both keeps its value. What is written before the first step
// must be in buffers that live in that step. With GMEM_POOL_CHECK, time is
// linear in the number of buffers. The lease's owner.
void gmem_lease_begin_op(gmem_lease_t *lease, gmem_op_t op);

// Whether nothing was written where no buffer was live, so far: looks at all
// bytes that are dead in the step that has begun. Asked after each step, it
// tells in which it was; else a step before is where it was noticed. Fails with
// INVALID_ARGUMENT (NULL) or CORRUPT, from the first find to the end of the
// lease: |diag| then names the step, the byte of the region (also as |offset|),
// the buffers before and behind it, and one that has the byte at another step
// (also as |object|). The end of a lease looks, too, but only counts: see
// gmem_pool_stats_t. GMEM_OK without GMEM_POOL_CHECK. The lease's owner.
GMEM_MUST_USE gmem_status_t gmem_lease_check(gmem_lease_t *lease,
                                             gmem_diag_t *diag);

// Writes the device addresses of this lease into a command stream of
// |stream_size| bytes at |stream|, at the |count| places that |relocs| says, by
// ascending |where| (as gmem_plan_relocs gives them); their |stream| does not
// matter. Addresses are of 64 bits; LO32 and HI32 are halves of the whole.
// |relocs| and stream are hostile input. Fails with INVALID_ARGUMENT (NULL, an
// unknown kind), OUT_OF_RANGE (a place outside the stream, a buffer or an
// addend that does not exist, not in the group, an address that wraps), OVERLAP
// (places that share a byte, or are not in order) or UNSUPPORTED (a buffer
// without a device address); the stream is then as before. Any thread, while
// nobody imports.
GMEM_MUST_USE gmem_status_t gmem_lease_relocate(const gmem_lease_t *lease,
                                                const gmem_reloc_t *relocs,
                                                size_t count, void *stream,
                                                uint64_t stream_size,
                                                gmem_diag_t *diag);

// Whether an unpatched stream holds the planned addresses at these places.
// Fails as gmem_lease_relocate does, and with CORRUPT at the first other
// address. Any thread.
GMEM_MUST_USE gmem_status_t gmem_plan_check_stream(
    const gmem_plan_t *plan, const gmem_reloc_t *relocs, size_t count,
    const void *stream, uint64_t stream_size, gmem_diag_t *diag);

//===--- cache of pools over many plans -----------------------------------===//

typedef struct gmem_cache_s gmem_cache_t; // internally synchronised

typedef struct gmem_cache_limits_s {
  uint32_t entries; // 0 turns the cache off
  uint64_t bytes;   // 0: no limit
} gmem_cache_limits_t;

// Makes the pool of a key: *out_pool is the cache's to release; what is left
// there by a failure is not. It must not ask the cache for the same key. |diag|
// may be NULL.
typedef gmem_status_t (*gmem_cache_make_fn)(void *user, gmem_pool_t **out_pool,
                                            gmem_diag_t *diag);

// Makes an empty cache. |limits| NULL: what the environment says in
// GMEM_CACHE_ENTRIES and GMEM_CACHE_BYTES (decimal numbers; anything else is
// INVALID_ARGUMENT), or 64 entries without a limit in bytes. A call always wins
// over the environment. Any thread.
GMEM_MUST_USE gmem_status_t gmem_cache_create(const gmem_cache_limits_t *limits,
                                              const gmem_allocator_t *allocator,
                                              gmem_cache_t **out_cache,
                                              gmem_diag_t *diag);

// Releases all pools. NULL is allowed. No other thread may be using the cache;
// pools that are in use live on.
void gmem_cache_destroy(gmem_cache_t *cache);

// Gets the pool of |key|, counted for the caller, and makes it the one used
// last. When there is none it is made by |make|, once even if many threads ask
// at once for the same key; other keys are not held up. Then the pools used
// longest ago are evicted until the limits are kept: an evicted pool gives its
// free slots back at once, and whoever holds it may go on using it. Pools with
// leases or reservations are not evicted; if there is no room for the new pool
// beside them, it is given but not kept, and nothing is evicted for it. Time is
// linear in the number of pools. Fails with INVALID_ARGUMENT, OUT_OF_MEMORY or
// what |make| returns, which is not remembered. Any thread.
GMEM_MUST_USE gmem_status_t gmem_cache_get(gmem_cache_t *cache, const void *key,
                                           size_t key_size,
                                           gmem_cache_make_fn make, void *user,
                                           gmem_pool_t **out_pool,
                                           gmem_diag_t *diag);

// Sets new limits and evicts at once what is over them. Any thread.
void gmem_cache_set_limits(gmem_cache_t *cache,
                           const gmem_cache_limits_t *limits);

typedef struct gmem_cache_stats_s {
  uint32_t entries;   // pools kept
  uint64_t bytes;     // mapped by them now
  uint64_t hits;      // gets that found their pool, or found it being made
  uint64_t misses;    // gets that had it made, or tried to
  uint64_t evictions; // pools dropped to keep the limits
  uint64_t not_kept;  // pools made that there was no room for
} gmem_cache_stats_t;

// A consistent picture of the cache at one moment. Any thread.
void gmem_cache_stats(gmem_cache_t *cache, gmem_cache_stats_t *out_stats);

#ifdef __cplusplus
}
#endif
#endif // GMEM_RUNTIME_H_
