// weight_store.c - content-addressed store; each weight is filled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weight is inserted into the table before it is filled, so that later
// requests find it and wait. Only its filler accesses it then, without the
// lock. Once ready it is immutable. If filling fails it is removed from the
// table before the waiters wake: they share the failure, and the next request
// starts again.

#include <inttypes.h>
#include <string.h>

#include "runtime_support.h"
#include "sha256.h"
#include "weight_entry.h"

enum { FIRST_BUCKETS = 64 };

//===--- the store --------------------------------------------------------===//

// A store in creation or destruction is not shared with other threads, so no
// lock is needed.

static void destroy_store(gmem_weights_t *weights) GMEM_UNCHECKED {
  gmem_allocator_t allocator = weights->allocator;
  pthread_cond_destroy(&weights->changed);
  gmem_mutex_destroy(&weights->lock);
  GMEM_RT_FREE(&allocator, weights->buckets, weights->bucket_count);
  GMEM_RT_FREE(&allocator, weights, 1);
}

// Initialises the members of a store. On failure everything is freed.
static bool set_up(gmem_weights_t *weights) GMEM_UNCHECKED {
  weights->bucket_count = FIRST_BUCKETS;
  weights->buckets = gmem_rt_alloc(&weights->allocator, FIRST_BUCKETS,
                                   sizeof *weights->buckets);
  if (!weights->buckets)
    return false;
  if (gmem_mutex_init(&weights->lock)) {
    if (pthread_cond_init(&weights->changed, NULL) == 0)
      return true;
    gmem_mutex_destroy(&weights->lock);
  }
  GMEM_RT_FREE(&weights->allocator, weights->buckets, FIRST_BUCKETS);
  return false;
}

gmem_status_t gmem_weights_create(const gmem_provider_t *provider,
                                  uint64_t budget,
                                  const gmem_allocator_t *allocator,
                                  gmem_weights_t **out_weights,
                                  gmem_diag_t *diag) {
  if (!out_weights)
    return gmem_rt_invalid(diag, "out_weights is NULL");
  *out_weights = NULL;
  if (!gmem_provider_is_complete(provider))
    return gmem_rt_invalid(
        diag, "the provider lacks a function, or its granularity is "
              "not a power of two");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_weights_t *weights;
  GMEM_RT_ALLOC(weights, &own, 1, diag);
  atomic_init(&weights->references, 1);
  weights->allocator = own;
  weights->provider = *provider;
  weights->budget = budget;
  if (!set_up(weights)) {
    GMEM_RT_FREE(&own, weights, 1);
    return gmem_rt_out_of_memory(diag);
  }
  *out_weights = weights;
  return GMEM_OK;
}

void gmem_weights_retain(gmem_weights_t *weights) {
  atomic_fetch_add_explicit(&weights->references, 1, memory_order_relaxed);
}

void gmem_weights_release(gmem_weights_t *weights) {
  if (weights && gmem_rt_drop_reference(&weights->references))
    destroy_store(weights);
}

void gmem_weights_stats(gmem_weights_t *weights,
                        gmem_weights_stats_t *out_stats) {
  gmem_mutex_lock(&weights->lock);
  *out_stats = weights->stats;
  gmem_mutex_unlock(&weights->lock);
}

static void count(gmem_weights_t *weights, bool asked, bool filled,
                  bool failed) {
  gmem_mutex_lock(&weights->lock);
  weights->stats.asked += asked;
  weights->stats.filled += filled;
  weights->stats.failures += failed;
  gmem_mutex_unlock(&weights->lock);
}

//===--- table and list; the lock is held ---------------------------------===//

// The head of the chain of |key|. Digests are random; the rest of the key only
// distinguishes weights made from the same source.
static gmem_weight_t **chain_of(gmem_weights_t *weights,
                                const gmem_weight_key_t *key)
    GMEM_REQUIRES(&weights->lock) {
  uint64_t hash;
  memcpy(&hash, key->digest, sizeof hash);
  hash += (key->transform ^ key->size) * UINT64_C(0x9E3779B97F4A7C15);
  return &weights->buckets[(hash ^ hash >> 32) & (weights->bucket_count - 1)];
}

static gmem_weight_t *find(gmem_weights_t *weights,
                           const gmem_weight_key_t *key)
    GMEM_REQUIRES(&weights->lock) {
  for (gmem_weight_t *w = *chain_of(weights, key); w; w = w->next_bucket)
    if (memcmp(w->key.digest, key->digest, sizeof key->digest) == 0 &&
        w->key.transform == key->transform && w->key.size == key->size &&
        w->key.align == key->align)
      return w;
  return NULL;
}

static void insert(gmem_weights_t *weights, gmem_weight_t *weight)
    GMEM_REQUIRES(&weights->lock) {
  gmem_weight_t **chain = chain_of(weights, &weight->key);
  weight->next_bucket = *chain;
  *chain = weight;
  ++weights->entries;
}

static void take_out(gmem_weights_t *weights, const gmem_weight_t *weight)
    GMEM_REQUIRES(&weights->lock) {
  gmem_weight_t **link = chain_of(weights, &weight->key);
  GMEM_ASSERT(weights->entries > 0);
  while (*link != weight)
    link = &(*link)->next_bucket;
  *link = weight->next_bucket;
  --weights->entries;
}

#ifdef GMEM_RUNTIME_ASSERTS
// Whether the weights from |first| to |last| are a list of |count| ready ones.
static bool check_list(const gmem_weight_t *first, const gmem_weight_t *last,
                       uint64_t count) {
  const gmem_weight_t *previous = NULL;
  for (const gmem_weight_t *weight = first; weight; weight = weight->next) {
    if (weight->previous != previous || weight->state != GMEM_WEIGHT_READY ||
        count-- == 0)
      return false;
    previous = weight;
  }
  return previous == last && count == 0;
}
#endif

static void append(gmem_weights_t *weights, gmem_weight_t *weight)
    GMEM_REQUIRES(&weights->lock) {
  GMEM_ASSERT(weight->state == GMEM_WEIGHT_READY && !weight->next);
  weight->previous = weights->last;
  *(weights->last ? &weights->last->next : &weights->first) = weight;
  weights->last = weight;
  ++weights->stats.count;
}

static void unlink_ready(gmem_weights_t *weights, gmem_weight_t *weight)
    GMEM_REQUIRES(&weights->lock) {
  *(weight->previous ? &weight->previous->next : &weights->first) =
      weight->next;
  *(weight->next ? &weight->next->previous : &weights->last) = weight->previous;
  --weights->stats.count;
}

// Doubles the buckets of a table that is too full. The lock is not held, as the
// allocator is user code. If out of memory, the chains get longer.
static void grow(gmem_weights_t *weights) {
  gmem_mutex_lock(&weights->lock);
  uint64_t count = weights->bucket_count;
  bool full = weights->entries > count;
  gmem_mutex_unlock(&weights->lock);
  if (!full)
    return;
  gmem_weight_t **spare =
      gmem_rt_alloc(&weights->allocator, 2 * count, sizeof *spare);
  if (!spare)
    return;
  uint64_t spare_count = 2 * count;
  gmem_mutex_lock(&weights->lock);
  if (weights->bucket_count == count) { // no other thread has grown it
    gmem_weight_t **old = weights->buckets;
    GMEM_ASSERT(gmem_rt_is_power_of_two(spare_count));
    weights->buckets = spare;
    weights->bucket_count = spare_count;
    weights->entries = 0;
    for (uint64_t i = 0; i < count; ++i)
      for (gmem_weight_t *w = old[i], *next; w; w = next) {
        next = w->next_bucket;
        insert(weights, w);
      }
    spare = old;
    spare_count = count;
  }
  gmem_mutex_unlock(&weights->lock);
  GMEM_RT_FREE(&weights->allocator, spare, spare_count);
}

//===--- filling; the lock is not held ------------------------------------===//

// Charges |bytes| for |weight|, if the budget allows.
static gmem_status_t charge(gmem_weight_t *weight, uint64_t bytes,
                            gmem_diag_t *diag) {
  gmem_weights_t *weights = weight->store;
  gmem_mutex_lock(&weights->lock);
  uint64_t others = weights->stats.bytes - weight->charged;
  uint64_t limit = weights->budget ? weights->budget : UINT64_MAX;
  GMEM_ASSERT(others <= limit);
  bool fits = bytes <= limit - others;
  if (fits) {
    weight->charged = bytes;
    weights->stats.bytes = others + bytes;
    // The peak counts only memory that the provider has returned.
    if (weight->memory.range.size && weights->stats.peak < others + bytes)
      weights->stats.peak = others + bytes;
  }
  gmem_mutex_unlock(&weights->lock);
  if (fits)
    return GMEM_OK;
  return gmem_rt_fail(diag, GMEM_ERR_OVER_BUDGET,
                      "a weight of %" PRIu64
                      " bytes exceeds the store's budget of %" PRIu64
                      ", of which %" PRIu64 " are used",
                      bytes, limit, others);
}

static gmem_status_t map_memory(gmem_weight_t *weight,
                                const gmem_weight_source_t *source,
                                gmem_diag_t *diag) {
  const gmem_provider_t *provider = &weight->store->provider;
  const gmem_region_layout_t layout = {.align = weight->key.align,
                                       .size = weight->key.size};
  const gmem_file_part_t part = {.fd = source->fd};
  if (!source->fill)
    return gmem_region_map_file(provider, &layout, &part, &weight->memory,
                                diag);
  uint32_t flags = provider->seal ? (uint32_t)GMEM_RANGE_SEALABLE : 0;
  uint32_t shared = provider->export_fd ? (uint32_t)GMEM_RANGE_SHAREABLE : 0;
  gmem_status_t status =
      gmem_region_map_at(provider, &layout, source->fixed_device,
                         flags | shared, &weight->memory, diag);
  if (status != GMEM_ERR_UNSUPPORTED || !shared)
    return status;
  // The provider cannot share this range; only exporting will fail.
  return gmem_region_map_at(provider, &layout, source->fixed_device, flags,
                            &weight->memory, diag);
}

static gmem_status_t fill_and_check(gmem_weight_t *weight,
                                    const gmem_weight_source_t *source,
                                    gmem_diag_t *diag) {
  const gmem_weight_key_t *key = &weight->key;
  uint8_t *host = weight->memory.place.host;
  if (!host)
    return gmem_rt_unsupported(
        diag, "a weight cannot be filled: its memory has no host "
              "address");
  if (source->fill) {
    count(weight->store, false, true, false);
    GMEM_TRY(source->fill(source->user, key, host, diag));
  }
  gmem_sha256(host, (size_t)key->size, weight->made);
  if (key->transform == 0 &&
      memcmp(weight->made, key->digest, sizeof key->digest) != 0)
    return gmem_rt_fail(diag, GMEM_ERR_CORRUPT,
                        "the %" PRIu64
                        " bytes of a weight do not match the digest of its key",
                        key->size);
  return GMEM_OK;
}

static gmem_status_t make_weight(gmem_weight_t *weight,
                                 const gmem_weight_source_t *source,
                                 gmem_diag_t *diag) {
  const gmem_provider_t *provider = &weight->store->provider;
  uint64_t expected = gmem_rt_round_up(weight->key.size, provider->granularity);
  GMEM_TRY(charge(weight, expected, diag));
  GMEM_TRY(map_memory(weight, source, diag));
  GMEM_TRY(charge(weight, weight->memory.range.size, diag));
  GMEM_TRY(fill_and_check(weight, source, diag));
  // Memory mapped from a descriptor is already sealed.
  return gmem_region_finish(provider, weight->key.align, &weight->memory,
                            source->fill != NULL, diag);
}

// Releases the memory, then its charge.
static void unmap(gmem_weight_t *weight) {
  gmem_weights_t *weights = weight->store;
  gmem_region_unmap(&weights->provider, &weight->memory);
  gmem_mutex_lock(&weights->lock);
  weights->stats.bytes -= weight->charged;
  weight->charged = 0;
  gmem_mutex_unlock(&weights->lock);
}

//===--- requests ---------------------------------------------------------===//

static gmem_weight_t *new_weight(gmem_weights_t *weights,
                                 const gmem_weight_key_t *key) {
  gmem_weight_t *weight = gmem_rt_alloc(&weights->allocator, 1, sizeof *weight);
  if (!weight)
    return NULL;
  weight->store = weights;
  weight->key = *key;
  weight->references = 1;
  weight->filler = pthread_self();
  gmem_weights_retain(weights);
  return weight;
}

static void free_weight(gmem_weight_t *weight) {
  gmem_weights_t *weights = weight->store;
  GMEM_RT_FREE(&weights->allocator, weight, 1);
  gmem_weights_release(weights);
}

void gmem_weight_release(gmem_weight_t *weight) {
  if (!weight)
    return;
  gmem_weights_t *weights = weight->store;
  gmem_mutex_lock(&weights->lock);
  GMEM_ASSERT(weight->references > 0);
  bool last = --weight->references == 0;
  if (last && weight->state == GMEM_WEIGHT_READY) {
    take_out(weights, weight);
    unlink_ready(weights, weight);
  }
  gmem_mutex_unlock(&weights->lock);
  if (!last)
    return;
  unmap(weight);
  free_weight(weight);
}

// Fills |weight|, which is in the table, and wakes its waiters.
static gmem_status_t lead(gmem_weight_t *weight,
                          const gmem_weight_source_t *source,
                          gmem_diag_t *diag) {
  gmem_weights_t *weights = weight->store;
  gmem_diag_t failure = {0};
  gmem_status_t status = make_weight(weight, source, &failure);
  if (status != GMEM_OK) {
    if (failure.status != status) // not set by the callback
      gmem_rt_fail(&failure, status, "a weight could not be filled");
    unmap(weight);
    if (diag)
      *diag = failure;
  }
  gmem_mutex_lock(&weights->lock);
  if (status == GMEM_OK) {
    weight->state = GMEM_WEIGHT_READY;
    append(weights, weight);
  } else {
    weight->state = GMEM_WEIGHT_FAILED;
    weight->failure = failure;
    ++weights->stats.failures;
    take_out(weights, weight);
  }
  GMEM_ASSERT(check_list(weights->first, weights->last, weights->stats.count));
  pthread_cond_broadcast(&weights->changed);
  gmem_mutex_unlock(&weights->lock);
  return status;
}

// Waits until another thread has filled |weight|, to which the caller holds a
// reference.
static gmem_status_t follow(gmem_weight_t *weight, gmem_diag_t *diag) {
  gmem_weights_t *weights = weight->store;
  gmem_mutex_lock(&weights->lock);
  bool own = pthread_equal(weight->filler, pthread_self());
  while (weight->state == GMEM_WEIGHT_FILLING && !own)
    gmem_mutex_wait(&weights->lock, &weights->changed, NULL);
  gmem_weight_state_t state = weight->state;
  weights->stats.failures += state != GMEM_WEIGHT_READY;
  gmem_mutex_unlock(&weights->lock);
  if (state == GMEM_WEIGHT_READY)
    return GMEM_OK;
  if (state == GMEM_WEIGHT_FILLING)
    return gmem_rt_fail(diag, GMEM_ERR_STATE,
                        "a fill function requests the weight that it fills");
  if (diag)
    *diag = weight->failure; // immutable after the failure
  return weight->failure.status;
}

// Finds the weight of |key| and adds a reference for the caller, or inserts
// |fresh| (may be NULL).
static gmem_weight_t *find_or_insert(gmem_weights_t *weights,
                                     const gmem_weight_key_t *key,
                                     gmem_weight_t *fresh) {
  gmem_mutex_lock(&weights->lock);
  gmem_weight_t *weight = find(weights, key);
  if (weight)
    ++weight->references;
  else if (fresh)
    insert(weights, weight = fresh);
  gmem_mutex_unlock(&weights->lock);
  return weight;
}

gmem_status_t gmem_weights_get(gmem_weights_t *weights,
                               const gmem_weight_key_t *key,
                               const gmem_weight_source_t *source,
                               gmem_weight_t **out_weight, gmem_diag_t *diag) {
  gmem_weight_t *fresh = NULL, *weight = find_or_insert(weights, key, NULL);
  if (!weight) {
    fresh = new_weight(weights, key);
    weight = fresh ? find_or_insert(weights, key, fresh) : NULL;
  }
  count(weights, true, false, !weight);
  if (!weight)
    return gmem_rt_out_of_memory(diag);
  bool first = weight == fresh;
  if (first)
    grow(weights);
  else if (fresh) // another thread inserted the key first
    free_weight(fresh);
  gmem_status_t status =
      first ? lead(weight, source, diag) : follow(weight, diag);
  if (status != GMEM_OK) {
    gmem_weight_release(weight);
    return status;
  }
  *out_weight = weight;
  return GMEM_OK;
}

gmem_status_t gmem_weight_key_check(const gmem_weight_key_t *key,
                                    gmem_diag_t *diag) {
  if (key && key->size > 0 && key->size <= GMEM_PLAN_MAX_ADDRESS &&
      gmem_rt_is_power_of_two(key->align))
    return GMEM_OK;
  return gmem_rt_invalid(diag,
                         "the key is NULL, its size is 0 or too large, or its "
                         "alignment is not a power of two");
}

gmem_status_t gmem_weights_acquire(gmem_weights_t *weights,
                                   const gmem_weight_key_t *key,
                                   gmem_weight_fill_fn fill, void *user,
                                   gmem_weight_t **out_weight,
                                   gmem_diag_t *diag) {
  if (out_weight)
    *out_weight = NULL;
  if (!weights || !fill || !out_weight)
    return gmem_rt_invalid(diag, "weights, fill or out_weight is NULL");
  GMEM_TRY(gmem_weight_key_check(key, diag));
  gmem_weight_source_t source = {
      .fill = fill, .user = user, .fixed_device = GMEM_ANY_ADDRESS};
  return gmem_weights_get(weights, key, &source, out_weight, diag);
}

const void *gmem_weight_host(const gmem_weight_t *weight) {
  return weight->memory.place.host;
}

uint64_t gmem_weight_device(const gmem_weight_t *weight) {
  return weight->memory.place.device;
}

const gmem_weight_key_t *gmem_weight_key(const gmem_weight_t *weight) {
  return &weight->key;
}

//===--- transforms -------------------------------------------------------===//

static void put_u64(uint8_t *bytes, uint64_t value) {
  for (int i = 0; i < 8; ++i)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

gmem_weight_key_t gmem_weight_key_after(const gmem_weight_key_t *source,
                                        uint64_t transform, uint64_t size,
                                        uint64_t align) {
  gmem_weight_key_t key = {
      .transform = transform, .size = size, .align = align};
  uint8_t text[GMEM_PLAN_DIGEST_SIZE + 16];
  memcpy(text, source->digest, GMEM_PLAN_DIGEST_SIZE);
  put_u64(text + GMEM_PLAN_DIGEST_SIZE, source->transform);
  put_u64(text + GMEM_PLAN_DIGEST_SIZE + 8, source->size);
  if (source->transform == 0)
    memcpy(key.digest, source->digest, sizeof key.digest);
  else
    gmem_sha256(text, sizeof text, key.digest);
  return key;
}

typedef struct transform_s {
  gmem_weight_transform_fn make;
  void *user;
  const gmem_weight_t *source;
} transform_t;

static gmem_status_t fill_by_transform(void *user, const gmem_weight_key_t *key,
                                       void *dst, gmem_diag_t *diag) {
  const transform_t *transform = user;
  return transform->make(transform->user, transform->source, key, dst, diag);
}

gmem_status_t
gmem_weights_transform(gmem_weights_t *weights, const gmem_weight_t *source,
                       uint64_t transform, uint64_t size, uint64_t align,
                       gmem_weight_transform_fn make, void *user,
                       gmem_weight_t **out_weight, gmem_diag_t *diag) {
  if (out_weight)
    *out_weight = NULL;
  if (!source || transform == 0 || !make)
    return gmem_rt_invalid(diag, "source or make is NULL, or transform is 0");
  transform_t context = {make, user, source};
  gmem_weight_key_t key =
      gmem_weight_key_after(&source->key, transform, size, align);
  return gmem_weights_acquire(weights, &key, fill_by_transform, &context,
                              out_weight, diag);
}

//===--- verification -----------------------------------------------------===//

// The ready weight after |weight| (NULL: the first) with a reference, or NULL.
// The caller's reference keeps |weight| in the list.
static gmem_weight_t *next_ready(gmem_weights_t *weights,
                                 const gmem_weight_t *weight) {
  gmem_mutex_lock(&weights->lock);
  gmem_weight_t *next = weight ? weight->next : weights->first;
  if (next)
    ++next->references;
  gmem_mutex_unlock(&weights->lock);
  return next;
}

// Checks that the bytes are unchanged: CORRUPT, or UNSUPPORTED if the CPU
// cannot access them.
static gmem_status_t check_bytes(const gmem_weight_t *weight,
                                 gmem_diag_t *diag) {
  const uint8_t *host = weight->memory.place.host;
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
  if (!host)
    return gmem_rt_unsupported(
        diag, "a weight cannot be verified: its memory has no host address");
  gmem_sha256(host, (size_t)weight->key.size, digest);
  if (memcmp(digest, weight->made, sizeof digest) == 0)
    return GMEM_OK;
  return gmem_rt_fail(diag, GMEM_ERR_CORRUPT,
                      "the bytes of a weight of %" PRIu64
                      " bytes at %p have changed",
                      weight->key.size, (const void *)host);
}

gmem_status_t gmem_weights_verify(gmem_weights_t *weights, uint64_t *out_bad,
                                  gmem_diag_t *diag) {
  if (!weights || !out_bad)
    return gmem_rt_invalid(diag, "weights or out_bad is NULL");
  gmem_status_t status = GMEM_OK;
  *out_bad = 0;
  gmem_weight_t *weight = next_ready(weights, NULL);
  while (weight) {
    gmem_status_t found = check_bytes(weight, *out_bad ? NULL : diag);
    if (found != GMEM_OK && *out_bad == 0)
      status = found;
    *out_bad += found == GMEM_ERR_CORRUPT;
    gmem_weight_t *next = next_ready(weights, weight);
    gmem_weight_release(weight);
    weight = next;
  }
  return status;
}
