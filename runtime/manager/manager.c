// manager.c - memory managers, their pools, and the provider of these pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>

#include "manager_object.h"
#include "runtime_support.h"
#include "slot_areas.h"

//===--- life -------------------------------------------------------------===//

gmem_status_t gmem_manager_create(const gmem_provider_t *provider,
                                  uint64_t byte_budget,
                                  const gmem_allocator_t *allocator,
                                  gmem_manager_t **out_manager,
                                  gmem_diag_t *diag) {
  if (!out_manager)
    return gmem_rt_invalid(diag, "out_manager is NULL");
  *out_manager = NULL;
  if (!gmem_provider_is_complete(provider))
    return gmem_rt_invalid(diag, "the provider lacks a function or its "
                                 "granularity is not a power of two");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_manager_t *manager;
  GMEM_RT_ALLOC(manager, &own, 1, diag);
  if (!gmem_mutex_init(&manager->lock)) {
    GMEM_RT_FREE(&own, manager, 1);
    return gmem_rt_out_of_memory(diag);
  }
  manager->allocator = own;
  manager->provider = *provider;
  manager->byte_budget = byte_budget;
  gmem_mutex_lock(&manager->lock);
  manager->references = 1;
  gmem_mutex_unlock(&manager->lock);
  *out_manager = manager;
  return GMEM_OK;
}

static void unlock_and_drop(gmem_manager_t *manager)
    GMEM_RELEASES(&manager->lock) {
  GMEM_ASSERT(manager->references > 0);
  bool last = --manager->references == 0;
  gmem_mutex_unlock(&manager->lock);
  if (!last)
    return;
  gmem_allocator_t own = manager->allocator;
  gmem_mutex_destroy(&manager->lock);
  GMEM_RT_FREE(&own, manager, 1);
}

void gmem_manager_release(gmem_manager_t *manager) {
  if (!manager)
    return;
  gmem_mutex_lock(&manager->lock);
  unlock_and_drop(manager);
}

void gmem_manager_stats(gmem_manager_t *manager,
                        gmem_manager_stats_t *out_stats) {
  gmem_mutex_lock(&manager->lock);
  *out_stats = manager->stats;
  gmem_mutex_unlock(&manager->lock);
}

void gmem_manager_link(gmem_manager_t *manager, gmem_manager_member_t *member) {
  member->newer = NULL;
  member->older = manager->newest;
  *(manager->newest ? &manager->newest->newer : &manager->oldest) = member;
  manager->newest = member;
}

void gmem_manager_unlink(gmem_manager_t *manager,
                         gmem_manager_member_t *member) {
  *(member->newer ? &member->newer->older : &manager->newest) = member->older;
  *(member->older ? &member->older->newer : &manager->oldest) = member->newer;
}

//===--- unmapping --------------------------------------------------------===//

// Whether |pool| has a free slot with bytes.
static bool has_idle(gmem_pool_t *pool) {
  gmem_pool_stats_t stats;
  gmem_pool_stats(pool, &stats);
  return stats.free > 0 && stats.bytes_committed > 0;
}

// The least recently used pool but |except| with a free slot, with a reference;
// or NULL.
static gmem_pool_t *find_idle(gmem_manager_t *manager,
                              const gmem_manager_member_t *except)
    GMEM_REQUIRES(&manager->lock) {
  for (gmem_manager_member_t *member = manager->oldest; member;
       member = member->newer)
    if (member != except && member->pool && has_idle(member->pool) &&
        gmem_pool_pin(member->pool))
      return member->pool;
  return NULL;
}

// Unmaps a free slot of a pool other than |except|. Returns the number of
// bytes; 0 if there is none.
static uint64_t evict(gmem_manager_t *manager,
                      const gmem_manager_member_t *except) {
  uint64_t bytes = 0;
  while (bytes == 0) {
    gmem_mutex_lock(&manager->lock);
    gmem_pool_t *pool = find_idle(manager, except);
    gmem_mutex_unlock(&manager->lock);
    if (!pool)
      return 0;
    gmem_pool_stats_t stats;
    gmem_pool_stats(pool, &stats);
    if (stats.bytes_committed > 0) // one slot; another thread may be faster
      bytes = gmem_pool_trim(pool, stats.bytes_committed - 1);
    gmem_pool_unpin(pool);
  }
  gmem_mutex_lock(&manager->lock);
  ++manager->stats.evictions;
  gmem_mutex_unlock(&manager->lock);
  return bytes;
}

uint64_t gmem_manager_trim(gmem_manager_t *manager, uint64_t keep_bytes) {
  uint64_t total = 0, bytes = 1;
  while (bytes > 0) {
    gmem_manager_stats_t stats;
    gmem_manager_stats(manager, &stats);
    if (stats.bytes <= keep_bytes)
      return total;
    bytes = evict(manager, NULL);
    total += bytes;
  }
  return total;
}

//===--- the provider of a pool -------------------------------------------===//

// Whether |bytes| more are within the budget.
static bool has_budget(const gmem_manager_t *manager, uint64_t bytes)
    GMEM_REQUIRES(&manager->lock) {
  uint64_t used = gmem_rt_sum(manager->stats.bytes, manager->pending);
  return manager->byte_budget == 0 ||
         gmem_rt_sum(used, bytes) <= manager->byte_budget;
}

// Keeps |bytes| of the budget for a range to be mapped, if there are as many.
static bool begin_range(gmem_manager_t *manager, uint64_t bytes) {
  gmem_mutex_lock(&manager->lock);
  bool fits = has_budget(manager, bytes);
  manager->pending += fits ? bytes : 0;
  gmem_mutex_unlock(&manager->lock);
  return fits;
}

// Counts a range of |mapped| bytes in place of |pending| ones; 0: there is
// none. Returns false if it is larger than asked for and exceeds the budget.
static bool end_range(gmem_manager_t *manager, uint64_t pending,
                      uint64_t mapped) {
  gmem_mutex_lock(&manager->lock);
  gmem_manager_stats_t *stats = &manager->stats;
  GMEM_ASSERT(pending <= manager->pending);
  manager->pending -= pending;
  bool fits = has_budget(manager, mapped);
  stats->bytes += fits ? mapped : 0;
  if (stats->peak < stats->bytes)
    stats->peak = stats->bytes;
  if (!fits || mapped == 0)
    gmem_manager_changed(manager);
  gmem_mutex_unlock(&manager->lock);
  return fits;
}

// A range of the manager's provider to be mapped.
typedef struct range_request_s {
  uint64_t size, align, fixed_device;
  uint32_t flags;
} range_request_t;

static gmem_status_t over_budget(gmem_manager_t *manager, uint64_t bytes,
                                 gmem_diag_t *diag) {
  gmem_mutex_lock(&manager->lock);
  uint64_t used = gmem_rt_sum(manager->stats.bytes, manager->pending);
  gmem_mutex_unlock(&manager->lock);
  return gmem_rt_fail(diag, GMEM_ERR_OVER_BUDGET,
                      "%" PRIu64 " bytes exceed the byte budget of the memory "
                      "manager, of whose %" PRIu64 " bytes %" PRIu64
                      " are in use",
                      bytes, manager->byte_budget, used);
}

static gmem_status_t try_range(gmem_manager_t *manager,
                               const range_request_t *request,
                               gmem_range_t *out_range, gmem_diag_t *diag) {
  const gmem_provider_t *base = &manager->provider;
  if (!begin_range(manager, request->size))
    return over_budget(manager, request->size, diag);
  gmem_status_t status =
      base->acquire(base->user, request->size, request->align,
                    request->fixed_device, request->flags, out_range, diag);
  uint64_t mapped = status == GMEM_OK ? out_range->size : 0;
  bool fits = end_range(manager, request->size, mapped);
  if (status == GMEM_OK && !fits) {
    base->release(base->user, out_range);
    status = over_budget(manager, mapped, diag);
  }
  if (status != GMEM_OK)
    *out_range = (gmem_range_t){0};
  return status;
}

static gmem_status_t member_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed_device, uint32_t flags,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  gmem_manager_member_t *member = user;
  range_request_t request = {size, align, fixed_device, flags};
  gmem_status_t status;
  *out_range = (gmem_range_t){0};
  do {
    status = try_range(member->manager, &request, out_range, diag);
  } while (
      (status == GMEM_ERR_OUT_OF_MEMORY || status == GMEM_ERR_OVER_BUDGET) &&
      evict(member->manager, member) > 0);
  return status;
}

static void member_release(void *user, const gmem_range_t *range) {
  gmem_manager_t *manager = ((gmem_manager_member_t *)user)->manager;
  uint64_t bytes = range->size;
  manager->provider.release(manager->provider.user, range);
  gmem_mutex_lock(&manager->lock);
  GMEM_ASSERT(bytes <= manager->stats.bytes);
  manager->stats.bytes -= bytes;
  gmem_manager_changed(manager);
  gmem_mutex_unlock(&manager->lock);
}

static gmem_status_t member_sync(void *user, const gmem_range_t *range,
                                 uint64_t offset, uint64_t size,
                                 bool to_device) {
  const gmem_provider_t *base =
      &((gmem_manager_member_t *)user)->manager->provider;
  return base->sync(base->user, range, offset, size, to_device);
}

//===--- pools ------------------------------------------------------------===//

// The pool is freed, or was never created.
static void close_member(gmem_pool_gate_t *gate) {
  gmem_manager_member_t *member = (gmem_manager_member_t *)gate;
  gmem_manager_t *manager = member->manager;
  gmem_allocator_t own = manager->allocator;
  gmem_mutex_lock(&manager->lock);
  gmem_manager_unlink(manager, member);
  --manager->stats.pools;
  unlock_and_drop(manager);
  GMEM_RT_FREE(&own, member, 1);
}

static gmem_status_t open_member(gmem_manager_t *manager,
                                 gmem_manager_member_t **out_member,
                                 gmem_diag_t *diag) {
  gmem_manager_member_t *member;
  GMEM_RT_ALLOC(member, &manager->allocator, 1, diag);
  member->gate = (gmem_pool_gate_t){.acquire = gmem_manager_acquire,
                                    .changed = gmem_manager_slot_changed,
                                    .interrupt = gmem_manager_interrupt,
                                    .close = close_member};
  member->manager = manager;
  gmem_mutex_lock(&manager->lock);
  gmem_manager_link(manager, member);
  ++manager->references;
  ++manager->stats.pools;
  gmem_mutex_unlock(&manager->lock);
  *out_member = member;
  return GMEM_OK;
}

// A pool that takes its memory through |member|; one slot must fit.
static gmem_status_t create_pool(gmem_manager_member_t *member,
                                 gmem_model_t *model,
                                 const gmem_pool_options_t *options,
                                 gmem_pool_t **out_pool, gmem_diag_t *diag) {
  gmem_manager_t *manager = member->manager;
  gmem_provider_t provider = {.user = member,
                              .granularity = manager->provider.granularity,
                              .acquire = member_acquire,
                              .release = member_release,
                              .sync =
                                  manager->provider.sync ? member_sync : NULL};
  gmem_pool_t *pool = NULL;
  GMEM_TRY(gmem_pool_create(model, &provider, options, &manager->allocator,
                            &pool, diag));
  uint64_t slot = gmem_slot_bytes(pool);
  if (manager->byte_budget != 0 && slot > manager->byte_budget) {
    gmem_pool_release(pool);
    return gmem_rt_fail(diag, GMEM_ERR_OVER_BUDGET,
                        "one slot has %llu bytes, more than the %llu of the "
                        "memory manager",
                        (unsigned long long)slot,
                        (unsigned long long)manager->byte_budget);
  }
  *out_pool = pool;
  return GMEM_OK;
}

gmem_status_t gmem_manager_pool(gmem_manager_t *manager, gmem_model_t *model,
                                const gmem_pool_options_t *options,
                                gmem_pool_t **out_pool, gmem_diag_t *diag) {
  if (out_pool)
    *out_pool = NULL;
  if (!manager || !out_pool)
    return gmem_rt_invalid(diag, "manager or out_pool is NULL");
  gmem_manager_member_t *member = NULL;
  GMEM_TRY(open_member(manager, &member, diag));
  gmem_pool_t *pool = NULL;
  gmem_status_t status = create_pool(member, model, options, &pool, diag);
  if (status != GMEM_OK) {
    close_member(&member->gate);
    return status;
  }
  pool->gate = &member->gate; // no other thread has the pool yet
  gmem_mutex_lock(&manager->lock);
  member->pool = pool;
  gmem_mutex_unlock(&manager->lock);
  *out_pool = pool;
  return GMEM_OK;
}
