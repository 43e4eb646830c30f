// pool_cache.c - LRU cache of pools by key.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries form a list from most to least recently used. A look-up scans it:
// there are only tens of entries, as a pool has megabytes. An entry is in one
// of three states:
//
//   making    its maker runs |make| without the lock; other threads that
//             request the key wait
//   kept      it has a pool and owns one reference to it
//   unlisted  creation failed, it did not fit, or it was evicted; it exists
//             until its users are done
//
// Pools grow and shrink on their own, so their sizes are queried before each
// decision.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/runtime.h"
#include "runtime_support.h"
#include "thread_safety.h"

typedef struct entry_s {
  struct entry_s *newer,
      *older;     // in the list; |older| also links evicted entries
  uint32_t users; // gets in progress that refer to it; not freed while > 0
  bool listed;
  bool made;            // |make| has returned
  bool idle;            // when last queried: no leases or reservations
  uint64_t bytes;       // when last queried
  gmem_status_t status; // of |make|
  gmem_diag_t diag;     // of |make|, if it failed
  gmem_pool_t *pool;
  size_t key_size;
  uint8_t key[];
} entry_t;

struct gmem_cache_s {
  gmem_allocator_t allocator;
  pthread_cond_t made; // an entry has been made
  gmem_mutex_t lock; // guards the members below, and entries except their keys
  gmem_cache_limits_t limits GMEM_GUARDED_BY(&lock);
  entry_t *newest GMEM_GUARDED_BY(&lock);
  entry_t *oldest GMEM_GUARDED_BY(&lock);
  uint64_t hits GMEM_GUARDED_BY(&lock);
  uint64_t misses GMEM_GUARDED_BY(&lock);
  uint64_t evictions GMEM_GUARDED_BY(&lock);
  uint64_t not_kept GMEM_GUARDED_BY(&lock);
};

//===--- entries ----------------------------------------------------------===//

static entry_t *new_entry(const gmem_cache_t *cache, const void *key,
                          size_t key_size) {
  if (key_size > SIZE_MAX - sizeof(entry_t))
    return NULL;
  entry_t *entry =
      gmem_rt_alloc(&cache->allocator, sizeof *entry + key_size, 1);
  if (!entry)
    return NULL;
  entry->key_size = key_size;
  memcpy(entry->key, key, key_size);
  return entry;
}

// The lock must not be held: releasing a pool calls its provider.
static void free_entry(const gmem_cache_t *cache, entry_t *entry) {
  GMEM_ASSERT(entry->users == 0 && !entry->listed);
  gmem_pool_release(entry->pool);
  gmem_rt_free(&cache->allocator, entry, sizeof *entry + entry->key_size, 1);
}

#ifdef GMEM_RUNTIME_ASSERTS
// Whether the entries from |newest| to |oldest| are a list.
static bool check_list(const entry_t *newest, const entry_t *oldest) {
  const entry_t *newer = NULL;
  for (const entry_t *entry = newest; entry; entry = entry->older) {
    if (entry->newer != newer || !entry->listed)
      return false;
    newer = entry;
  }
  return newer == oldest;
}
#endif

static void link_newest(gmem_cache_t *cache, entry_t *entry)
    GMEM_REQUIRES(&cache->lock) {
  GMEM_ASSERT(!entry->listed);
  entry->newer = NULL;
  entry->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
  cache->newest = entry;
  entry->listed = true;
}

static void unlink_entry(gmem_cache_t *cache, entry_t *entry)
    GMEM_REQUIRES(&cache->lock) {
  GMEM_ASSERT(entry->listed);
  *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
  *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
  entry->listed = false;
}

static entry_t *find(const gmem_cache_t *cache, const void *key,
                     size_t key_size) GMEM_REQUIRES(&cache->lock) {
  entry_t *entry = cache->newest;
  while (entry && (entry->key_size != key_size ||
                   memcmp(entry->key, key, key_size) != 0))
    entry = entry->older;
  return entry;
}

//===--- limits -----------------------------------------------------------===//

// Total size of entries; |bytes| saturates at UINT64_MAX.
typedef struct total_s {
  uint64_t entries, bytes;
} total_t;

static total_t with(total_t total, const entry_t *entry) {
  ++total.entries;
  total.bytes = gmem_rt_sum(total.bytes, entry->bytes);
  return total;
}

static bool fits(const gmem_cache_t *cache, total_t total)
    GMEM_REQUIRES(&cache->lock) {
  return total.entries <= cache->limits.entries &&
         (cache->limits.bytes == 0 || total.bytes <= cache->limits.bytes);
}

// Queries all pools, and returns the total of those that cannot be evicted,
// except |added|.
static total_t total_in_use(gmem_cache_t *cache, const entry_t *added)
    GMEM_REQUIRES(&cache->lock) {
  total_t staying = {0, 0};
  for (entry_t *entry = cache->newest; entry; entry = entry->older) {
    if (!entry->made)
      continue;
    gmem_pool_stats_t stats;
    gmem_pool_stats(entry->pool, &stats);
    entry->bytes = stats.bytes_committed;
    entry->idle = entry->users == 0 && stats.leased == 0 && stats.reserved == 0;
    if (!entry->idle && entry != added)
      staying = with(staying, entry);
  }
  return staying;
}

// Removes entries from the list until the limits hold, and returns them linked
// by |older|. Evicting from the oldest is equivalent to keeping the newest
// while they fit. |added| is a new entry, or NULL: if it does not fit beside
// the entries that cannot be evicted, it is not kept, and nothing is evicted
// for it.
static entry_t *enforce_limits(gmem_cache_t *cache, entry_t *added)
    GMEM_REQUIRES(&cache->lock) {
  total_t total = total_in_use(cache, added);
  GMEM_ASSERT(check_list(cache->newest, cache->oldest));
  if (added && fits(cache, with(total, added))) {
    total = with(total, added);
  } else if (added) {
    unlink_entry(cache, added);
    ++cache->not_kept;
  }
  entry_t *evicted = NULL, *older;
  bool is_full = false;
  for (entry_t *entry = cache->newest; entry; entry = older) {
    older = entry->older;
    if (!entry->made || !entry->idle) // |added| is in use by its maker
      continue;
    is_full = is_full || !fits(cache, with(total, entry));
    if (!is_full) {
      total = with(total, entry);
      continue;
    }
    unlink_entry(cache, entry);
    ++cache->evictions;
    entry->older = evicted;
    evicted = entry;
  }
  return evicted;
}

// The lock must not be held. Pools with other references stay usable; their
// free slots are returned at once.
static void free_evicted(const gmem_cache_t *cache, entry_t *evicted) {
  while (evicted) {
    entry_t *next = evicted->older;
    gmem_pool_trim(evicted->pool, 0);
    free_entry(cache, evicted);
    evicted = next;
  }
}

//===--- creation and destruction -----------------------------------------===//

// Reads a decimal number of at most |most| from the environment; |value| is
// unchanged if |name| is not set.
static gmem_status_t read_limit(const char *name, uint64_t most,
                                uint64_t *value, gmem_diag_t *diag) {
  const char *text = getenv(name);
  if (!text)
    return GMEM_OK;
  size_t digits = strspn(text, "0123456789");
  errno = 0;
  unsigned long long number = strtoull(text, NULL, 10);
  if (digits == 0 || text[digits] || errno || number > most)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "%s is not a decimal number in range", name);
  *value = number;
  return GMEM_OK;
}

static gmem_status_t default_limits(gmem_cache_limits_t *limits,
                                    gmem_diag_t *diag) {
  uint64_t entries = 64, bytes = 0;
  GMEM_TRY(read_limit("GMEM_CACHE_ENTRIES", UINT32_MAX, &entries, diag));
  GMEM_TRY(read_limit("GMEM_CACHE_BYTES", UINT64_MAX, &bytes, diag));
  *limits = (gmem_cache_limits_t){(uint32_t)entries, bytes};
  return GMEM_OK;
}

static bool make_locks(gmem_cache_t *cache) {
  if (!gmem_mutex_init(&cache->lock))
    return false;
  if (pthread_cond_init(&cache->made, NULL) == 0)
    return true;
  gmem_mutex_destroy(&cache->lock);
  return false;
}

gmem_status_t gmem_cache_create(const gmem_cache_limits_t *limits,
                                const gmem_allocator_t *allocator,
                                gmem_cache_t **out_cache, gmem_diag_t *diag) {
  if (!out_cache)
    return gmem_rt_invalid(diag, "out_cache is NULL");
  *out_cache = NULL;
  gmem_cache_limits_t own_limits;
  if (limits)
    own_limits = *limits;
  else
    GMEM_TRY(default_limits(&own_limits, diag));
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_cache_t *cache;
  GMEM_RT_ALLOC(cache, &own, 1, diag);
  if (!make_locks(cache)) {
    GMEM_RT_FREE(&own, cache, 1);
    return gmem_rt_out_of_memory(diag);
  }
  cache->allocator = own;
  gmem_mutex_lock(&cache->lock);
  cache->limits = own_limits;
  gmem_mutex_unlock(&cache->lock);
  *out_cache = cache;
  return GMEM_OK;
}

void gmem_cache_destroy(gmem_cache_t *cache) GMEM_UNCHECKED {
  if (!cache) // not shared with other threads: no lock needed
    return;
  while (cache->newest) {
    entry_t *entry = cache->newest;
    unlink_entry(cache, entry);
    free_entry(cache, entry);
  }
  pthread_cond_destroy(&cache->made);
  gmem_mutex_destroy(&cache->lock);
  gmem_allocator_t own = cache->allocator;
  GMEM_RT_FREE(&own, cache, 1);
}

//===--- use --------------------------------------------------------------===//

// Finds the entry of |key|, or inserts |spare| (may be NULL), whose maker the
// caller then is. Returns NULL if there is neither.
static entry_t *find_or_put(gmem_cache_t *cache, const void *key,
                            size_t key_size, entry_t *spare)
    GMEM_REQUIRES(&cache->lock) {
  entry_t *entry = find(cache, key, key_size);
  if (entry) {
    unlink_entry(cache, entry);
    ++cache->hits;
  } else if (spare) {
    entry = spare;
    ++cache->misses;
  } else {
    return NULL;
  }
  link_newest(cache, entry);
  ++entry->users;
  return entry;
}

// Creates the pool of |entry|; other threads wait for it. The lock is released
// during the call of |make|.
static void make_pool(gmem_cache_t *cache, entry_t *entry,
                      gmem_cache_make_fn make, void *user)
    GMEM_REQUIRES(&cache->lock) {
  gmem_mutex_unlock(&cache->lock);
  entry->status = make(user, &entry->pool, &entry->diag);
  if (entry->status == GMEM_OK && !entry->pool)
    entry->status = gmem_rt_fail(&entry->diag, GMEM_ERR_INVALID_ARGUMENT,
                                 "the make function returned no pool");
  gmem_mutex_lock(&cache->lock);
  entry->made = true;
  if (entry->status != GMEM_OK) {
    entry->pool = NULL; // ignored on failure
    unlink_entry(cache, entry);
  }
  pthread_cond_broadcast(&cache->made);
}

// Returns the pool, or the failure, of a made entry to a caller.
static gmem_status_t return_result(const entry_t *entry, gmem_pool_t **out_pool,
                                   gmem_diag_t *diag) {
  if (entry->status != GMEM_OK) {
    if (diag)
      *diag = entry->diag;
    return entry->status;
  }
  gmem_pool_retain(entry->pool);
  *out_pool = entry->pool;
  return GMEM_OK;
}

// Waits until |entry| is made and returns its result. The lock is held on entry
// and released on return.
static gmem_status_t finish_get(gmem_cache_t *cache, entry_t *entry,
                                bool is_maker, gmem_pool_t **out_pool,
                                gmem_diag_t *diag) GMEM_RELEASES(&cache->lock) {
  while (!entry->made)
    gmem_mutex_wait(&cache->lock, &cache->made, NULL);
  gmem_status_t status = return_result(entry, out_pool, diag);
  bool is_added = is_maker && status == GMEM_OK;
  entry_t *evicted = enforce_limits(cache, is_added ? entry : NULL);
  GMEM_ASSERT(entry->users > 0);
  bool is_last = --entry->users == 0 && !entry->listed;
  gmem_mutex_unlock(&cache->lock);
  free_evicted(cache, evicted);
  if (is_last)
    free_entry(cache, entry);
  return status;
}

gmem_status_t gmem_cache_get(gmem_cache_t *cache, const void *key,
                             size_t key_size, gmem_cache_make_fn make,
                             void *user, gmem_pool_t **out_pool,
                             gmem_diag_t *diag) {
  if (!out_pool)
    return gmem_rt_invalid(diag, "out_pool is NULL");
  *out_pool = NULL;
  if (!cache || !key || !make)
    return gmem_rt_invalid(diag, "cache, key or make is NULL");
  gmem_mutex_lock(&cache->lock);
  entry_t *entry = find_or_put(cache, key, key_size, NULL);
  if (entry)
    return finish_get(cache, entry, false, out_pool, diag);
  // The allocator is user code and not called under the lock.
  gmem_mutex_unlock(&cache->lock);
  entry_t *spare = new_entry(cache, key, key_size);
  if (!spare)
    return gmem_rt_out_of_memory(diag);
  gmem_mutex_lock(&cache->lock);
  entry = find_or_put(cache, key, key_size, spare);
  bool is_maker = entry == spare;
  if (is_maker)
    make_pool(cache, entry, make, user);
  gmem_status_t status = finish_get(cache, entry, is_maker, out_pool, diag);
  if (!is_maker) // another thread inserted the key first
    free_entry(cache, spare);
  return status;
}

void gmem_cache_set_limits(gmem_cache_t *cache,
                           const gmem_cache_limits_t *limits) {
  gmem_mutex_lock(&cache->lock);
  cache->limits = *limits;
  entry_t *evicted = enforce_limits(cache, NULL);
  gmem_mutex_unlock(&cache->lock);
  free_evicted(cache, evicted);
}

void gmem_cache_stats(gmem_cache_t *cache, gmem_cache_stats_t *out_stats) {
  gmem_mutex_lock(&cache->lock);
  total_t total = total_in_use(cache, NULL);
  for (entry_t *entry = cache->newest; entry; entry = entry->older)
    if (entry->made && entry->idle)
      total = with(total, entry);
  *out_stats = (gmem_cache_stats_t){.entries = (uint32_t)total.entries,
                                    .bytes = total.bytes,
                                    .hits = cache->hits,
                                    .misses = cache->misses,
                                    .evictions = cache->evictions,
                                    .not_kept = cache->not_kept};
  gmem_mutex_unlock(&cache->lock);
}
