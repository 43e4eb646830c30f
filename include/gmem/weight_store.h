// weight_store.h - content-addressed store of weights. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_weights_create(&provider, 0, NULL, &weights, &diag);
//   gmem_model_sources_t sources = {sizeof sources, .weights = weights};
//   ... models created with these sources share equal weights ...
//
// A store holds each weight once, sealed, for all models and, if the provider
// supports sharing, all processes that use it. Names and pointers are ignored:
// equal keys mean equal bytes. Any thread may use it. No lock is held while a
// fill function or the provider runs, so a fill function may request other
// weights.

#ifndef GMEM_WEIGHT_STORE_H_
#define GMEM_WEIGHT_STORE_H_

#include "gmem/plan.h"
#include "gmem/provider.h"

GMEM_BEGIN_C

typedef struct gmem_weights_s
    gmem_weights_t;                         // counted, internally synchronised
typedef struct gmem_weight_s gmem_weight_t; // counted, immutable, sealed

// Identifies a weight in a store.
typedef struct gmem_weight_key_s {
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE]; // SHA-256 of the source bytes
  uint64_t transform;                    // 0: none; else the id of a transform
  uint64_t size;                         // bytes after the transform; not 0
  uint64_t align;                        // power of two
} gmem_weight_key_t;

// Two transforms used by models only (runtime.h); callers must not use these
// ids for their own transforms. Integers are hashed as 8 bytes each,
// little-endian; weights that are aliases or empty are skipped. Shared work
// with a digest in the plan counts as a weight. GMEM_TRANSFORM_PADDED: the
// source bytes, zero-padded to |size|. GMEM_TRANSFORM_REGION: a region of
// weights after |lead| zero bytes, where lead is its planned base modulo
// |align|, and |align| the largest alignment of the region and of the buffers
// in it. |digest| is the SHA-256 of UINT64_MAX, lead, the region's size and,
// for each weight in id order, its offset in the region, its size, its
// transform and the 32 bytes of its digest. (With GMEM_MODEL_FIXED_DEVICE the
// region's base is hashed instead of UINT64_MAX, and |align| is at least the
// granularity of the provider.)
// A third one is that of constants that a program computes (constants=hoist),
// in plan images of gmem-translate.
#define GMEM_TRANSFORM_COMPUTED (UINT64_MAX - 2)
#define GMEM_TRANSFORM_PADDED (UINT64_MAX - 1)
#define GMEM_TRANSFORM_REGION UINT64_MAX

// Writes the |key->size| bytes of a weight to |dst|, which is zeroed. A status
// other than GMEM_OK is returned to all threads that wait for the key, and is
// not cached. |diag| may be NULL.
typedef gmem_status_t (*gmem_weight_fill_fn)(void *user,
                                             const gmem_weight_key_t *key,
                                             void *dst, gmem_diag_t *diag);

// Creates an empty store that allocates from |provider| (copied). |budget|
// limits the bytes held at once, as rounded by the provider; 0: no limit. Fails
// with INVALID_ARGUMENT or OUT_OF_MEMORY. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_weights_create(const gmem_provider_t *provider, uint64_t budget,
                    const gmem_allocator_t *allocator,
                    gmem_weights_t **out_weights, gmem_diag_t *diag);

// Add and drop a reference; weights with references keep the store's memory
// alive. Any thread.
void gmem_weights_retain(gmem_weights_t *weights);
void gmem_weights_release(gmem_weights_t *weights);

// Returns the weight of |key| with a reference for the caller. A missing weight
// is filled by |fill| and sealed, once even if several threads request it
// concurrently; the others wait. Fails with INVALID_ARGUMENT, OVER_BUDGET,
// OUT_OF_MEMORY, CORRUPT (a transform of 0 whose bytes do not match the key's
// digest), UNSUPPORTED (memory that the CPU cannot access), STATE (|fill|
// requests the weight that it fills; two fill functions that request each
// other's weight deadlock), or the status of |fill| or the provider; the store
// is then unchanged. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weights_acquire(gmem_weights_t *weights,
                                                 const gmem_weight_key_t *key,
                                                 gmem_weight_fill_fn fill,
                                                 void *user,
                                                 gmem_weight_t **out_weight,
                                                 gmem_diag_t *diag);

// Drops a reference returned by acquire, transform or import; the last one
// frees the memory. NULL is allowed. Any thread.
void gmem_weight_release(gmem_weight_t *weight);

// The addresses of the bytes, read-only; the host address is NULL if the CPU
// cannot access them. Valid while a reference is held. Any thread.
const void *gmem_weight_host(const gmem_weight_t *weight);
uint64_t gmem_weight_device(const gmem_weight_t *weight);
const gmem_weight_key_t *gmem_weight_key(const gmem_weight_t *weight);

//===--- transforms -------------------------------------------------------===//

// Computes |dst| (|key->size| zeroed bytes) from the bytes of |source|.
typedef gmem_status_t (*gmem_weight_transform_fn)(void *user,
                                                  const gmem_weight_t *source,
                                                  const gmem_weight_key_t *key,
                                                  void *dst, gmem_diag_t *diag);

// The key of the result of |transform| (not 0; an id chosen by the caller for a
// layout or a packing) applied to the weight with the key |source|. It depends
// on the whole chain of transforms, so that equal keys mean equal bytes. Its
// digest is that of |source| if source->transform is 0; else the SHA-256 of the
// 48 bytes source->digest, source->transform and source->size (8 bytes each,
// little-endian). Any thread.
gmem_weight_key_t gmem_weight_key_after(const gmem_weight_key_t *source,
                                        uint64_t transform, uint64_t size,
                                        uint64_t align);

// Returns the weight of that key, computed by |make| from |source| if the store
// does not have it. The result does not keep |source| alive: the source may be
// released afterwards. Fails as gmem_weights_acquire does. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weights_transform(
    gmem_weights_t *weights, const gmem_weight_t *source, uint64_t transform,
    uint64_t size, uint64_t align, gmem_weight_transform_fn make, void *user,
    gmem_weight_t **out_weight, gmem_diag_t *diag);

//===--- other processes --------------------------------------------------===//

// Creates a file descriptor of a weight's sealed memory, closed on exec, to be
// sent to another process (SCM_RIGHTS). Fails with INVALID_ARGUMENT,
// UNSUPPORTED (the provider does not support sharing, or the weight itself was
// imported), or the status of the provider. The mmap provider supports it when
// created with |shared|, and then uses one descriptor per weight. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weight_export(const gmem_weight_t *weight,
                                               int *out_fd, gmem_diag_t *diag);

// Adds the memory of |fd| to the store as the weight of |key|, without a copy,
// or returns the existing weight of that key. The descriptor is untrusted: it
// must be sealed against writing, resizing and unsealing, must be large enough,
// and (a transform of 0) its bytes must match the key's digest; for other
// transforms the sender is trusted. |fd| stays owned by the caller. Fails with
// INVALID_ARGUMENT, UNSUPPORTED (the provider cannot map files), STATE (not
// sealed), TOO_SMALL, CORRUPT, OVER_BUDGET, IO or OUT_OF_MEMORY. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weights_import(gmem_weights_t *weights,
                                                const gmem_weight_key_t *key,
                                                int fd,
                                                gmem_weight_t **out_weight,
                                                gmem_diag_t *diag);

//===--- verification and statistics --------------------------------------===//

// Hashes every weight again and stores in *out_bad the number of weights whose
// bytes have changed since they were created or imported. Fails with
// INVALID_ARGUMENT, CORRUPT if there are any (|diag| describes the first), or
// UNSUPPORTED if the CPU cannot access all weights. Any thread; weights may be
// added and released concurrently.
GMEM_MUST_USE gmem_status_t gmem_weights_verify(gmem_weights_t *weights,
                                                uint64_t *out_bad,
                                                gmem_diag_t *diag);

typedef struct gmem_weights_stats_s {
  uint64_t bytes;    // held or being filled, as rounded by the provider
  uint64_t peak;     // largest |bytes| so far
  uint64_t count;    // weights currently held
  uint64_t asked;    // acquires, transforms and imports
  uint64_t filled;   // of these, those that called a function
  uint64_t failures; // of these, those that failed
} gmem_weights_stats_t;

// A consistent snapshot of the store's counters. Any thread.
void gmem_weights_stats(gmem_weights_t *weights,
                        gmem_weights_stats_t *out_stats);

GMEM_END_C
#endif // GMEM_WEIGHT_STORE_H_
