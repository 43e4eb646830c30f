// slot_pool.c - pools of slots, and leases of one slot.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slot and its lease are one object, made when the pool is made: leasing
// allocates nothing. Free slots are a stack (the last used is the warmest).
// Waiters are a queue of nodes on their threads' stacks; a slot that comes back
// while anyone waits is handed to the first of them directly and never becomes
// free, so nobody can overtake. Hence, under the lock:
//
//     someone waits  ==>  no slot is free
//
// The pool is freed by whoever drops the last of its references: handles of
// the user, leases, and waiting threads.

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime_support.h"
#include "slot_pool.h"

//===--- creation and destruction -----------------------------------------===//

static void destroy(gmem_pool_t *pool) {
  gmem_allocator_t allocator = pool->allocator;
  for (uint32_t i = 0; pool->slots && i < pool->slot_count; ++i)
    if (pool->slots[i].regions)
      gmem_slot_unmap(&pool->slots[i]);
  gmem_slot_memory_clear(pool);
  gmem_rt_free(&allocator, pool->regions,
               (uint64_t)pool->slot_count * pool->region_count,
               sizeof *pool->regions);
  gmem_rt_free(&allocator, pool->slots, pool->slot_count, sizeof *pool->slots);
  gmem_model_release(pool->model);
  pthread_mutex_destroy(&pool->lock);
  gmem_rt_free(&allocator, pool, 1, sizeof *pool);
}

// Everything that can fail after the pool object itself exists.
static gmem_status_t set_up(gmem_pool_t *pool, gmem_diag_t *diag) {
  pool->slots =
      gmem_rt_alloc(&pool->allocator, pool->slot_count, sizeof *pool->slots);
  pool->regions = gmem_rt_alloc(&pool->allocator,
                                (uint64_t)pool->slot_count * pool->region_count,
                                sizeof *pool->regions);
  if (!pool->slots || !pool->regions)
    return gmem_rt_out_of_memory(diag);
  GMEM_RT_TRY(gmem_slot_memory_prepare(pool, diag));
  for (uint32_t i = pool->slot_count; i-- > 0;) {
    gmem_lease_t *slot = &pool->slots[i];
    slot->pool = pool;
    slot->regions = pool->regions + (uint64_t)i * pool->region_count;
    GMEM_RT_TRY(gmem_slot_map(slot, diag));
    pool->stats.bytes_committed += slot->bytes;
    slot->next_free = pool->free_slots;
    pool->free_slots = slot;
  }
  pool->stats.slots = pool->stats.free = pool->slot_count;
  return GMEM_OK;
}

static gmem_status_t check_options(const gmem_pool_options_t *options,
                                   gmem_diag_t *diag) {
  if (!options || options->struct_size != sizeof *options)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "options are NULL, or their struct_size is wrong");
  if (options->initial_slots < 1 ||
      options->initial_slots > GMEM_POOL_MAX_SLOTS)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE, "a pool has 1 to %u slots",
                        GMEM_POOL_MAX_SLOTS);
  return GMEM_OK;
}

gmem_status_t gmem_pool_create(gmem_model_t *model,
                               const gmem_provider_t *provider,
                               const gmem_pool_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_pool_t **out_pool, gmem_diag_t *diag) {
  if (!out_pool)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "out_pool is NULL");
  *out_pool = NULL;
  if (!model || !gmem_provider_is_complete(provider))
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "model is NULL, or the provider is incomplete or its "
                        "granularity no power of two");
  GMEM_RT_TRY(check_options(options, diag));
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_pool_t *pool = gmem_rt_alloc(&own, 1, sizeof *pool);
  if (!pool)
    return gmem_rt_out_of_memory(diag);
  if (pthread_mutex_init(&pool->lock, NULL) != 0) {
    gmem_rt_free(&own, pool, 1, sizeof *pool);
    return gmem_rt_out_of_memory(diag);
  }
  pool->allocator = own;
  pool->provider = *provider;
  pool->model = model;
  pool->region_count = gmem_plan_region_count(model->plan);
  pool->flags = options->flags;
  pool->slot_count = options->initial_slots;
  pool->references = pool->handles = 1;
  gmem_model_retain(model);
  gmem_status_t status = set_up(pool, diag);
  if (status != GMEM_OK) {
    destroy(pool);
    return status;
  }
  *out_pool = pool;
  return GMEM_OK;
}

void gmem_pool_retain(gmem_pool_t *pool) {
  pthread_mutex_lock(&pool->lock);
  ++pool->handles;
  ++pool->references;
  pthread_mutex_unlock(&pool->lock);
}

// Unlocks the pool and drops one reference to it.
static void unlock_and_drop(gmem_pool_t *pool) {
  bool last = --pool->references == 0;
  pthread_mutex_unlock(&pool->lock);
  if (last)
    destroy(pool);
}

void gmem_pool_release(gmem_pool_t *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->lock);
  if (pool->handles == 0) { // what is left belongs to leases and waiters
    pthread_mutex_unlock(&pool->lock);
    return;
  }
  --pool->handles;
  unlock_and_drop(pool);
}

void gmem_pool_stats(gmem_pool_t *pool, gmem_pool_stats_t *out_stats) {
  pthread_mutex_lock(&pool->lock);
  *out_stats = pool->stats;
  pthread_mutex_unlock(&pool->lock);
}

//===--- acquiring --------------------------------------------------------===//

// The lock is held in all but the entry point.

// Counts |slot| as leased; its lease is a reference to the pool.
static void begin_lease(gmem_pool_t *pool, gmem_lease_t *slot) {
  atomic_store_explicit(&slot->references, 1, memory_order_relaxed);
  ++pool->references;
  ++pool->stats.acquires;
  ++pool->stats.leased;
  pool->stats.bytes_leased += slot->bytes;
  if (pool->stats.bytes_peak < pool->stats.bytes_leased)
    pool->stats.bytes_peak = pool->stats.bytes_leased;
}

static gmem_lease_t *take_free(gmem_pool_t *pool) {
  gmem_lease_t *slot = pool->free_slots;
  pool->free_slots = slot->next_free;
  --pool->stats.free;
  begin_lease(pool, slot);
  return slot;
}

static void enqueue(gmem_pool_t *pool, gmem_waiter_t *waiter) {
  waiter->previous = pool->last_waiter;
  *(waiter->previous ? &waiter->previous->next : &pool->first_waiter) = waiter;
  pool->last_waiter = waiter;
  ++pool->stats.waiting;
}

static void dequeue(gmem_pool_t *pool, gmem_waiter_t *waiter) {
  *(waiter->previous ? &waiter->previous->next : &pool->first_waiter) =
      waiter->next;
  *(waiter->next ? &waiter->next->previous : &pool->last_waiter) =
      waiter->previous;
  --pool->stats.waiting;
}

static struct timespec deadline_after(int64_t timeout_ns) {
  enum { NS_PER_S = 1000000000 };
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  now.tv_sec += (time_t)(timeout_ns / NS_PER_S);
  now.tv_nsec += (long)(timeout_ns % NS_PER_S);
  if (now.tv_nsec >= NS_PER_S) {
    now.tv_nsec -= NS_PER_S;
    ++now.tv_sec;
  }
  return now;
}

// Returns whether |waiter| was handed a slot. Spurious wake-ups wait on.
static bool wait_until_handed(gmem_pool_t *pool, gmem_waiter_t *waiter,
                              int64_t timeout_ns) {
  if (timeout_ns == GMEM_WAIT_FOREVER) {
    while (!waiter->slot)
      pthread_cond_wait(&waiter->ready, &pool->lock);
    return true;
  }
  struct timespec deadline = deadline_after(timeout_ns);
  int error = 0;
  while (!waiter->slot && error == 0)
    error = pthread_cond_timedwait(&waiter->ready, &pool->lock, &deadline);
  return waiter->slot != NULL;
}

// A condition variable whose time-outs are not moved by setting the clock.
static bool make_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0)
    return false;
  bool made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(condition, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  return made;
}

static gmem_status_t wait_for_slot(gmem_pool_t *pool, int64_t timeout_ns,
                                   gmem_lease_t **out_slot) {
  gmem_waiter_t waiter = {.slot = NULL};
  if (!make_condition(&waiter.ready))
    return GMEM_ERR_OUT_OF_MEMORY;
  ++pool->references;
  ++pool->stats.waits;
  enqueue(pool, &waiter);
  bool handed = wait_until_handed(pool, &waiter, timeout_ns);
  if (!handed) {
    dequeue(pool, &waiter);
    ++pool->stats.timeouts;
  }
  // Never the last reference: as no slot was free, there is a lease.
  --pool->references;
  pthread_cond_destroy(&waiter.ready);
  *out_slot = waiter.slot;
  return handed ? GMEM_OK : GMEM_ERR_TIMEOUT;
}

static gmem_status_t acquire_locked(gmem_pool_t *pool, int64_t timeout_ns,
                                    gmem_lease_t **out_slot) {
  if (pool->free_slots) {
    *out_slot = take_free(pool);
    return GMEM_OK;
  }
  if (timeout_ns == 0) {
    ++pool->stats.timeouts;
    return GMEM_ERR_TIMEOUT;
  }
  return wait_for_slot(pool, timeout_ns, out_slot);
}

gmem_status_t gmem_lease_acquire(gmem_pool_t *pool, gmem_group_t group,
                                 gmem_reservation_t *from, int64_t timeout_ns,
                                 gmem_lease_t **out_lease) {
  if (!out_lease)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_lease = NULL;
  if (!pool || timeout_ns < 0 || group != GMEM_NONE || from)
    return GMEM_ERR_INVALID_ARGUMENT;
  pthread_mutex_lock(&pool->lock);
  gmem_status_t status = acquire_locked(pool, timeout_ns, out_lease);
  pthread_mutex_unlock(&pool->lock);
  if (status != GMEM_OK)
    return status;
  (*out_lease)->group = group;
  gmem_slot_begin(*out_lease);
  return GMEM_OK;
}

//===--- releasing --------------------------------------------------------===//

void gmem_lease_retain(gmem_lease_t *lease) {
  atomic_fetch_add_explicit(&lease->references, 1, memory_order_relaxed);
}

// Gives |slot| to the first waiter, or to the free stack. The lock is held.
static void hand_on(gmem_pool_t *pool, gmem_lease_t *slot) {
  --pool->stats.leased;
  pool->stats.bytes_leased -= slot->bytes;
  gmem_waiter_t *waiter = pool->first_waiter;
  if (!waiter) {
    slot->next_free = pool->free_slots;
    pool->free_slots = slot;
    ++pool->stats.free;
    return;
  }
  dequeue(pool, waiter);
  begin_lease(pool, slot);
  waiter->slot = slot;
  // Under the lock: once it is open, the waiter may return and be gone.
  pthread_cond_signal(&waiter->ready);
}

void gmem_lease_release(gmem_lease_t *lease) {
  if (!lease)
    return;
  if (!gmem_rt_drop_reference(&lease->references))
    return;
  gmem_pool_t *pool = lease->pool;
  gmem_slot_end(lease); // the slot is still ours alone
  pthread_mutex_lock(&pool->lock);
  hand_on(pool, lease);
  unlock_and_drop(pool);
}
