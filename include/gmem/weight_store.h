// weight_store.h - weights found by content, filled once. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_weights_create(&provider, 0, NULL, &weights, &diag);
//   gmem_model_sources_t sources = {sizeof sources, .weights = weights};
//   ... two models made with these sources share what is equal ...
//
// A store holds each weight once, sealed, for all models and, if the provider
// shares, all processes that ask for it. It never looks at names or pointers:
// what has the same key has the same bytes. It may be used from any thread. No
// lock is held while a fill function or the provider runs, so a fill function
// may ask for other weights.

#ifndef GMEM_WEIGHT_STORE_H_
#define GMEM_WEIGHT_STORE_H_

#include "gmem/plan.h"
#include "gmem/provider.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmem_weights_s
    gmem_weights_t;                         // counted, internally synchronised
typedef struct gmem_weight_s gmem_weight_t; // counted, immutable, sealed

// What identifies bytes in a store.
typedef struct gmem_weight_key_s {
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE]; // SHA-256 of the source bytes
  uint64_t transform;                    // 0: as they are; else whose result
  uint64_t size;                         // bytes, after the transform; not 0
  uint64_t align;                        // power of two
} gmem_weight_key_t;

// Two transforms that only models ask for (runtime.h); no caller may give these
// numbers to transforms of its own. Integers are hashed as 8 bytes each, the
// lowest first; weights that are aliases or empty do not count.
// GMEM_TRANSFORM_PADDED: the source bytes, and zeros behind them up to |size|.
// GMEM_TRANSFORM_REGION: a region of weights after |lead| zero bytes, where
// lead is its planned base modulo |align|, and |align| the largest alignment of
// the region and of the buffers in it. |digest| is the SHA-256 of UINT64_MAX,
// lead, the region's size and, for each weight in id order, its offset in the
// region, its size, its transform and the 32 bytes of its digest. (With
// GMEM_MODEL_FIXED_DEVICE the region's base is hashed in the place of
// UINT64_MAX, and |align| is at least the granularity of the provider.)
#define GMEM_TRANSFORM_PADDED (UINT64_MAX - 1)
#define GMEM_TRANSFORM_REGION UINT64_MAX

// Fills the |key->size| zeroed bytes at |dst|. A status other than GMEM_OK is
// handed to all who wait for the key, and is not remembered. |diag| may be
// NULL.
typedef gmem_status_t (*gmem_weight_fill_fn)(void *user,
                                             const gmem_weight_key_t *key,
                                             void *dst, gmem_diag_t *diag);

// Makes an empty store whose memory comes from |provider| (copied). |budget| is
// the most bytes it holds at once, as the provider rounds them; 0: no limit.
// Fails with INVALID_ARGUMENT or OUT_OF_MEMORY. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_weights_create(const gmem_provider_t *provider, uint64_t budget,
                    const gmem_allocator_t *allocator,
                    gmem_weights_t **out_weights, gmem_diag_t *diag);

// Add and drop a reference; weights that are still held keep the store's memory
// alive. Any thread.
void gmem_weights_retain(gmem_weights_t *weights);
void gmem_weights_release(gmem_weights_t *weights);

// Gets the weight of |key|, counted for the caller. When the store has none it
// is filled by |fill|, once even if many threads ask at once: the others wait.
// Then it is sealed. Fails with INVALID_ARGUMENT, OVER_BUDGET, OUT_OF_MEMORY,
// CORRUPT (a transform of 0 whose bytes do not have the key's digest), or what
// |fill| or the provider returns, UNSUPPORTED (memory that the CPU cannot see),
// STATE (|fill| asks for the weight that it fills; two that ask for each
// other's wait forever); the store is then as before. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weights_acquire(gmem_weights_t *weights,
                                                 const gmem_weight_key_t *key,
                                                 gmem_weight_fill_fn fill,
                                                 void *user,
                                                 gmem_weight_t **out_weight,
                                                 gmem_diag_t *diag);

// Drops what an acquire, a transform or an import gave; the last frees the
// memory. NULL is allowed. Any thread.
void gmem_weight_release(gmem_weight_t *weight);

// Where the bytes are, read-only; NULL when the CPU cannot see them. Valid
// while held. Any thread.
const void *gmem_weight_host(const gmem_weight_t *weight);
uint64_t gmem_weight_device(const gmem_weight_t *weight);
const gmem_weight_key_t *gmem_weight_key(const gmem_weight_t *weight);

//===--- transforms -------------------------------------------------------===//

// Makes |dst| (|key->size| zeroed bytes) of the source's bytes.
typedef gmem_status_t (*gmem_weight_transform_fn)(void *user,
                                                  const gmem_weight_t *source,
                                                  const gmem_weight_key_t *key,
                                                  void *dst, gmem_diag_t *diag);

// The key of what |transform| (not 0; the caller's number for a layout or a
// packing) makes of the weight with the key |source|: it depends on the whole
// chain of transforms, so that equal keys mean equal bytes. Its digest is that
// of |source| when source->transform is 0; else the SHA-256 of the 48 bytes
// source->digest, source->transform and source->size (8 bytes each, the lowest
// first). Any thread.
gmem_weight_key_t gmem_weight_key_after(const gmem_weight_key_t *source,
                                        uint64_t transform, uint64_t size,
                                        uint64_t align);

// Gets the weight of that key, made by |make| of |source| if the store has
// none. It does not keep |source| alive: once it is made, the source may be
// dropped. Fails as gmem_weights_acquire does. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weights_transform(
    gmem_weights_t *weights, const gmem_weight_t *source, uint64_t transform,
    uint64_t size, uint64_t align, gmem_weight_transform_fn make, void *user,
    gmem_weight_t **out_weight, gmem_diag_t *diag);

//===--- other processes --------------------------------------------------===//

// Gives a new file descriptor of a weight's sealed memory, closed on exec, to
// be sent to another process (SCM_RIGHTS). Fails with INVALID_ARGUMENT,
// UNSUPPORTED (the provider does not share: that of mmap does when it is made
// with |shared|, and then takes a descriptor for each weight; or the weight was
// imported itself), or what the provider returns. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weight_export(const gmem_weight_t *weight,
                                               int *out_fd, gmem_diag_t *diag);

// Puts the memory behind |fd| into the store as the weight of |key|, without a
// copy, or finds the one that is there. The descriptor is hostile input: it
// must be sealed against writing, resizing and unsealing, must be large
// enough, and (a transform of 0) its bytes must have the key's digest; of other
// transforms the sender is believed. |fd| stays the caller's. Fails with
// INVALID_ARGUMENT, UNSUPPORTED (the provider cannot map), STATE (not sealed),
// TOO_SMALL, CORRUPT, OVER_BUDGET, IO or OUT_OF_MEMORY. Any thread.
GMEM_MUST_USE gmem_status_t gmem_weights_import(gmem_weights_t *weights,
                                                const gmem_weight_key_t *key,
                                                int fd,
                                                gmem_weight_t **out_weight,
                                                gmem_diag_t *diag);

//===--- looking after it -------------------------------------------------===//

// Hashes every weight again and counts in *out_bad those whose bytes are not
// what they were when they were made or imported. Fails with INVALID_ARGUMENT
// or, when there are any, CORRUPT (|diag| describes the first), or UNSUPPORTED
// when the CPU cannot see all. Any thread; weights come and go meanwhile.
GMEM_MUST_USE gmem_status_t gmem_weights_verify(gmem_weights_t *weights,
                                                uint64_t *out_bad,
                                                gmem_diag_t *diag);

typedef struct gmem_weights_stats_s {
  uint64_t bytes;    // held now or being filled, as the provider rounds them
  uint64_t peak;     // largest |bytes| so far
  uint64_t count;    // weights held now
  uint64_t asked;    // acquires, transforms and imports
  uint64_t filled;   // of these, how many ran a function
  uint64_t failures; // of these, how many failed
} gmem_weights_stats_t;

// A consistent picture of the store at one moment. Any thread.
void gmem_weights_stats(gmem_weights_t *weights,
                        gmem_weights_stats_t *out_stats);

#ifdef __cplusplus
}
#endif
#endif // GMEM_WEIGHT_STORE_H_
