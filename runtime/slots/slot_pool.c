// slot_pool.c - pools of slots, and leases of slots.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// slot_queue.c assigns slots under the pool's lock. This file does the work
// outside of the lock: it maps and unmaps slots, zeroes bytes and blocks
// threads. A slot and its lease are one object, created when the slot is
// mapped, so leasing allocates nothing.
//
// The pool is freed with its last reference. References are held by the user,
// leases, reservations, waiting threads and calls in progress.

#include "slot_pool.h"

#include <inttypes.h>

#include "runtime_support.h"
#include "slot_areas.h"

// A waiter of the queue with its condition variable, on its thread's stack.
typedef struct sleeper_s {
  gmem_slot_waiter_t waiter; // first
  pthread_cond_t ready;
} sleeper_t;

static void wake(gmem_slot_waiter_t *waiter) {
  GMEM_YIELD_POINT();
  // The lock is held: after it is released, the waiter may return and its stack
  // frame end.
  pthread_cond_signal(&((sleeper_t *)waiter)->ready);
}

//===--- slots ------------------------------------------------------------===//

static uint64_t slot_object_size(const gmem_pool_t *pool) {
  return sizeof(gmem_lease_t) +
         (uint64_t)pool->region_count * sizeof(gmem_mapped_region_t);
}

static void destroy_slot(gmem_pool_t *pool, gmem_lease_t *slot) {
  gmem_slot_unmap(slot);
  gmem_rt_free(&pool->allocator, slot, slot_object_size(pool), 1);
}

static gmem_status_t create_slot(gmem_pool_t *pool, gmem_lease_t **out_slot,
                                 gmem_diag_t *diag) {
  gmem_lease_t *slot =
      gmem_rt_alloc(&pool->allocator, slot_object_size(pool), 1);
  if (!slot)
    return gmem_rt_out_of_memory(diag);
  slot->pool = pool;
  slot->regions = (gmem_mapped_region_t *)(slot + 1);
  gmem_status_t status = gmem_slot_map(slot, diag);
  if (status != GMEM_OK) {
    destroy_slot(pool, slot);
    return status;
  }
  *out_slot = slot;
  return GMEM_OK;
}

static void destroy_slots(gmem_pool_t *pool, gmem_slot_node_t *chain) {
  while (chain) {
    gmem_slot_node_t *slot = chain;
    chain = chain->above;
    destroy_slot(pool, (gmem_lease_t *)slot);
  }
}

// Creates a chain of |count| slots, all or none.
static gmem_status_t create_slots(gmem_pool_t *pool, uint32_t count,
                                  gmem_slot_node_t **out_chain,
                                  gmem_diag_t *diag) {
  gmem_slot_node_t *chain = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_lease_t *slot = NULL;
    gmem_status_t status = create_slot(pool, &slot, diag);
    if (status != GMEM_OK) {
      destroy_slots(pool, chain);
      return status;
    }
    slot->node.above = chain;
    chain = &slot->node;
  }
  *out_chain = chain;
  return GMEM_OK;
}

//===--- pool -------------------------------------------------------------===//

// No other thread has a reference: all slots are free. Until the gate is closed
// a memory manager may still read the statistics.
static void destroy(gmem_pool_t *pool) GMEM_UNCHECKED {
  gmem_allocator_t allocator = pool->allocator;
  gmem_slot_transit_t all;
  GMEM_ASSERT(pool->queue.stats.leased == 0 && pool->queue.stats.waiting == 0);
  gmem_mutex_lock(&pool->lock);
  gmem_slot_node_t *slots = gmem_queue_begin_trim(&pool->queue, 0, &all);
  gmem_mutex_unlock(&pool->lock);
  destroy_slots(pool, slots);
  for (gmem_reservation_t *spare; (spare = pool->spare);) {
    pool->spare = spare->spare;
    GMEM_RT_FREE(&allocator, spare, 1);
  }
  gmem_slot_memory_clear(pool);
  if (pool->gate)
    pool->gate->close(pool->gate);
  gmem_model_release(pool->model);
  gmem_mutex_destroy(&pool->lock);
  GMEM_RT_FREE(&allocator, pool, 1);
}

// Unlocks the pool and drops one reference to it.
static void unlock_and_drop(gmem_pool_t *pool) GMEM_RELEASES(&pool->lock) {
  GMEM_ASSERT(pool->references > 0 && pool->references >= pool->handles);
  bool last = --pool->references == 0;
  gmem_mutex_unlock(&pool->lock);
  if (last)
    destroy(pool);
}

// As unlock_and_drop, after a slot, or room for one, may have become free.
static void tell_and_drop(gmem_pool_t *pool) GMEM_RELEASES(&pool->lock) {
  if (pool->gate) {
    gmem_mutex_unlock(&pool->lock);
    pool->gate->changed(pool->gate);
    gmem_mutex_lock(&pool->lock);
  }
  unlock_and_drop(pool);
}

void gmem_pool_retain(gmem_pool_t *pool) {
  gmem_mutex_lock(&pool->lock);
  ++pool->handles;
  ++pool->references;
  gmem_mutex_unlock(&pool->lock);
}

void gmem_pool_release(gmem_pool_t *pool) {
  if (!pool)
    return;
  gmem_mutex_lock(&pool->lock);
  if (pool->handles == 0) { // only leases and waiters remain
    gmem_mutex_unlock(&pool->lock);
    return;
  }
  --pool->handles;
  unlock_and_drop(pool);
}

gmem_model_t *gmem_pool_model(const gmem_pool_t *pool) { return pool->model; }

void gmem_pool_stats(gmem_pool_t *pool, gmem_pool_stats_t *out_stats) {
  gmem_mutex_lock(&pool->lock);
  *out_stats = pool->queue.stats;
  gmem_mutex_unlock(&pool->lock);
  out_stats->corruptions =
      atomic_load_explicit(&pool->memory.corruptions, memory_order_relaxed);
}

//===--- growing and shrinking --------------------------------------------===//

static gmem_status_t over_budget(gmem_pool_t *pool, uint32_t count,
                                 gmem_diag_t *diag) GMEM_REQUIRES(&pool->lock) {
  const gmem_slot_queue_t *queue = &pool->queue;
  return gmem_rt_fail(
      diag, GMEM_ERR_OVER_BUDGET,
      "%" PRIu32 " slots of %" PRIu64 " bytes more: %" PRIu32 " of %" PRIu32
      " slots and %" PRIu64 " bytes of a budget of %" PRIu64 " are in use",
      count, queue->slot_bytes, queue->stats.slots + queue->transit.slots,
      queue->max_slots, queue->stats.bytes_committed + queue->transit.bytes,
      queue->byte_budget ? queue->byte_budget : UINT64_MAX);
}

// Adds |count| slots to |set|, all or none. Temporarily releases the lock.
// *is_full: whether the limits of the pool do not allow it.
static gmem_status_t add_slots(gmem_pool_t *pool, gmem_slot_set_t *set,
                               uint32_t count, bool *is_full, gmem_diag_t *diag)
    GMEM_REQUIRES(&pool->lock) {
  gmem_slot_transit_t transit;
  gmem_slot_node_t *chain = NULL;
  *is_full = true;
  if (!gmem_queue_begin_add(&pool->queue, count, &transit))
    return over_budget(pool, count, diag);
  gmem_mutex_unlock(&pool->lock);
  gmem_status_t status = create_slots(pool, count, &chain, diag);
  gmem_mutex_lock(&pool->lock);
  *is_full = false;
  if (status != GMEM_OK) {
    gmem_queue_add_failed(&pool->queue, &transit);
    return status;
  }
  if (gmem_queue_add(&pool->queue, &transit, set, chain))
    return GMEM_OK;
  gmem_mutex_unlock(&pool->lock);
  destroy_slots(pool, chain);
  gmem_mutex_lock(&pool->lock);
  *is_full = true;
  return over_budget(pool, count, diag);
}

static gmem_status_t populate(gmem_pool_t *pool, uint32_t slots, bool *is_full,
                              gmem_diag_t *diag) {
  gmem_mutex_lock(&pool->lock);
  ++pool->references;
  gmem_status_t status =
      add_slots(pool, &pool->queue.everyone, slots, is_full, diag);
  tell_and_drop(pool);
  return status;
}

gmem_status_t gmem_pool_populate(gmem_pool_t *pool, uint32_t slots,
                                 gmem_diag_t *diag) {
  bool is_full;
  if (!pool || slots == 0)
    return gmem_rt_invalid(diag, "pool is NULL, or slots is 0");
  return populate(pool, slots, &is_full, diag);
}

gmem_status_t gmem_pool_grow(gmem_pool_t *pool, bool *is_full) {
  return populate(pool, 1, is_full, NULL);
}

uint64_t gmem_pool_trim(gmem_pool_t *pool, uint64_t keep_bytes) {
  gmem_slot_transit_t transit;
  gmem_mutex_lock(&pool->lock);
  gmem_slot_node_t *chain =
      gmem_queue_begin_trim(&pool->queue, keep_bytes, &transit);
  uint64_t bytes = transit.bytes;
  ++pool->references;
  gmem_mutex_unlock(&pool->lock);
  destroy_slots(pool, chain);
  gmem_mutex_lock(&pool->lock);
  gmem_queue_end_trim(&pool->queue, &transit);
  tell_and_drop(pool);
  return bytes;
}

void gmem_pool_interrupt(gmem_pool_t *pool) {
  gmem_mutex_lock(&pool->lock);
  gmem_queue_interrupt(&pool->queue);
  gmem_mutex_unlock(&pool->lock);
  if (pool->gate)
    pool->gate->interrupt(pool->gate);
}

//===--- for a memory manager ---------------------------------------------===//

gmem_slot_node_t *gmem_pool_take_free(gmem_pool_t *pool) {
  gmem_mutex_lock(&pool->lock);
  gmem_slot_node_t *slot = gmem_queue_take(&pool->queue, &pool->queue.everyone);
  gmem_mutex_unlock(&pool->lock);
  return slot;
}

gmem_status_t gmem_pool_room(gmem_pool_t *pool) {
  gmem_status_t status = GMEM_ERR_OVER_BUDGET;
  gmem_mutex_lock(&pool->lock);
  if (gmem_queue_has_room(&pool->queue, 1))
    status = GMEM_OK;
  else if (gmem_queue_is_exhausted(&pool->queue))
    status = GMEM_ERR_STATE;
  gmem_mutex_unlock(&pool->lock);
  return status;
}

bool gmem_pool_pin(gmem_pool_t *pool) {
  gmem_mutex_lock(&pool->lock);
  bool alive = pool->references > 0;
  pool->references += alive;
  gmem_mutex_unlock(&pool->lock);
  return alive;
}

void gmem_pool_unpin(gmem_pool_t *pool) {
  gmem_mutex_lock(&pool->lock);
  unlock_and_drop(pool);
}

//===--- creation ---------------------------------------------------------===//

// Flags must be known and compatible.
static gmem_status_t check_flags(const gmem_pool_options_t *options,
                                 gmem_diag_t *diag) {
  enum {
    ALL = GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE |
          GMEM_POOL_CHECK | GMEM_POOL_UNSHARED | GMEM_POOL_PREFAULT |
          GMEM_POOL_FIXED_DEVICE,
    PATTERN_AND_ZERO = GMEM_POOL_CHECK | GMEM_POOL_ZERO_ON_ACQUIRE,
    TOGETHER_AND_APART = GMEM_POOL_FIXED_DEVICE | GMEM_POOL_UNSHARED,
  };
  uint32_t flags = options->flags;
  bool many = options->initial_slots > 1 || options->max_slots > 1;
  if (flags & ~(uint32_t)ALL ||
      (flags & PATTERN_AND_ZERO) == PATTERN_AND_ZERO ||
      (flags & TOGETHER_AND_APART) == TOGETHER_AND_APART ||
      (flags & GMEM_POOL_FIXED_DEVICE && many))
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "pool flags 0x%x are unknown, mutually exclusive, or "
                        "fix the address of more than one slot",
                        flags);
  return GMEM_OK;
}

static gmem_status_t check_options(const gmem_pool_options_t *options,
                                   gmem_diag_t *diag) {
  if (!options || options->struct_size != sizeof *options)
    return gmem_rt_invalid(diag,
                           "options are NULL, or their struct_size is wrong");
  if (options->initial_slots > GMEM_POOL_MAX_SLOTS ||
      options->max_slots > GMEM_POOL_MAX_SLOTS ||
      (options->max_slots && options->max_slots < options->initial_slots))
    return gmem_rt_fail(
        diag, GMEM_ERR_OUT_OF_RANGE,
        "max_slots is above %u, or initial_slots above max_slots",
        GMEM_POOL_MAX_SLOTS);
  return check_flags(options, diag);
}

// All steps of creation that can fail after the pool object is allocated.
static gmem_status_t set_up(gmem_pool_t *pool,
                            const gmem_pool_options_t *options,
                            gmem_diag_t *diag) {
  GMEM_TRY(gmem_slot_memory_prepare(pool, diag));
  uint32_t initial = options->initial_slots;
  gmem_status_t status = GMEM_OK;
  bool is_full;
  gmem_mutex_lock(&pool->lock);
  pool->references = pool->handles = 1;
  gmem_queue_init(&pool->queue,
                  options->max_slots ? options->max_slots : initial,
                  options->byte_budget, gmem_slot_bytes(pool), wake);
  if (initial > 0)
    status = add_slots(pool, &pool->queue.everyone, initial, &is_full, diag);
  pool->queue.stats.grows = 0; // initial slots do not count
  gmem_mutex_unlock(&pool->lock);
  return status;
}

static gmem_status_t create_pool(gmem_model_t *model,
                                 const gmem_provider_t *provider,
                                 uint32_t flags,
                                 const gmem_allocator_t *allocator,
                                 gmem_pool_t **out_pool, gmem_diag_t *diag) {
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_pool_t *pool;
  GMEM_RT_ALLOC(pool, &own, 1, diag);
  if (!gmem_mutex_init(&pool->lock)) {
    GMEM_RT_FREE(&own, pool, 1);
    return gmem_rt_out_of_memory(diag);
  }
  pool->allocator = own;
  pool->provider = *provider;
  pool->model = model;
  pool->region_count = gmem_plan_region_count(model->plan);
  pool->flags = flags;
  gmem_model_retain(model);
  *out_pool = pool;
  return GMEM_OK;
}

gmem_status_t gmem_pool_create(gmem_model_t *model,
                               const gmem_provider_t *provider,
                               const gmem_pool_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_pool_t **out_pool, gmem_diag_t *diag) {
  if (!out_pool)
    return gmem_rt_invalid(diag, "out_pool is NULL");
  *out_pool = NULL;
  if (!model || !gmem_provider_is_complete(provider))
    return gmem_rt_invalid(diag,
                           "model is NULL, or the provider lacks a function or "
                           "its granularity is not a power of two");
  GMEM_TRY(check_options(options, diag));
  gmem_pool_t *pool = NULL;
  GMEM_TRY(
      create_pool(model, provider, options->flags, allocator, &pool, diag));
  gmem_status_t status = set_up(pool, options, diag);
  if (status != GMEM_OK) {
    destroy(pool);
    return status;
  }
  *out_pool = pool;
  return GMEM_OK;
}

//===--- reservations -----------------------------------------------------===//

// The object of a reservation that has ended, or NULL.
static gmem_reservation_t *take_spare(gmem_pool_t *pool)
    GMEM_REQUIRES(&pool->lock) {
  gmem_reservation_t *spare = pool->spare;
  if (spare)
    pool->spare = spare->spare;
  return spare;
}

// Keeps the object of a reservation without users for the next one.
static void keep_reservation(gmem_pool_t *pool, gmem_slot_set_t *unused)
    GMEM_REQUIRES(&pool->lock) {
  gmem_reservation_t *reservation = (gmem_reservation_t *)unused;
  reservation->spare = pool->spare;
  pool->spare = reservation;
}

// Makes the slots of |reservation| free for all, without their STATE.
// Temporarily releases the lock.
static void end_reservation(gmem_pool_t *pool, gmem_reservation_t *reservation)
    GMEM_REQUIRES(&pool->lock) {
  gmem_slot_node_t *chain =
      gmem_queue_begin_unreserve(&pool->queue, &reservation->set);
  gmem_mutex_unlock(&pool->lock);
  for (gmem_slot_node_t *slot = chain; slot; slot = slot->above)
    gmem_slot_clear_state((gmem_lease_t *)slot);
  gmem_mutex_lock(&pool->lock);
  if (gmem_queue_end_unreserve(&pool->queue, &reservation->set, chain))
    keep_reservation(pool, &reservation->set); // else its last lease does
}

gmem_status_t gmem_pool_reserve(gmem_pool_t *pool, uint32_t slots,
                                gmem_reservation_t **out_reservation,
                                gmem_diag_t *diag) {
  if (out_reservation)
    *out_reservation = NULL;
  if (!pool || !out_reservation || slots == 0)
    return gmem_rt_invalid(diag,
                           "pool or out_reservation is NULL, or slots is 0");
  gmem_mutex_lock(&pool->lock);
  gmem_reservation_t *spare = take_spare(pool), *reservation = spare;
  gmem_mutex_unlock(&pool->lock);
  if (!spare)
    GMEM_RT_ALLOC(reservation, &pool->allocator, 1, diag);
  *reservation = (gmem_reservation_t){.pool = pool};
  gmem_mutex_lock(&pool->lock);
  ++pool->references; // held by the reservation
  uint32_t missing = gmem_queue_reserve(&pool->queue, &reservation->set, slots);
  gmem_status_t status = GMEM_OK;
  bool is_full;
  if (missing > 0)
    status = add_slots(pool, &reservation->set, missing, &is_full, diag);
  if (status != GMEM_OK) {
    end_reservation(pool, reservation); // it is now the first spare one
    if (!spare) {                       // a failure leaves no trace
      reservation = take_spare(pool);
      gmem_mutex_unlock(&pool->lock);
      GMEM_RT_FREE(&pool->allocator, reservation, 1);
      gmem_mutex_lock(&pool->lock);
    }
    tell_and_drop(pool);
    return status;
  }
  gmem_mutex_unlock(&pool->lock);
  *out_reservation = reservation;
  return GMEM_OK;
}

void gmem_pool_unreserve(gmem_reservation_t *reservation) {
  if (!reservation)
    return;
  gmem_pool_t *pool = reservation->pool;
  gmem_mutex_lock(&pool->lock);
  end_reservation(pool, reservation);
  tell_and_drop(pool);
}

//===--- acquiring --------------------------------------------------------===//

#ifdef GMEM_RUNTIME_ASSERTS
// Whether the imports of |lease| are those that are counted, and its group is
// one of the plan.
static bool check_lease(const gmem_lease_t *lease) {
  const gmem_pool_t *pool = lease->pool;
  uint32_t present = 0;
  for (uint32_t i = 0; i < pool->importable_count; ++i)
    present += lease->imports[i].present;
  return present == lease->import_count &&
         (lease->group == GMEM_NONE ||
          lease->group < gmem_plan_group_count(pool->model->plan));
}
#endif

struct timespec gmem_deadline_after(int64_t timeout_ns) {
  // Timeouts are limited to 34 years, as a time_t may have 32 bits.
  enum { NS_PER_S = 1000000000, MOST_S = 1 << 30 };
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t seconds = timeout_ns / NS_PER_S;
  now.tv_sec += (time_t)(seconds < MOST_S ? seconds : MOST_S);
  now.tv_nsec += (long)(timeout_ns % NS_PER_S);
  if (now.tv_nsec >= NS_PER_S) {
    now.tv_nsec -= NS_PER_S;
    ++now.tv_sec;
  }
  return now;
}

// A condition variable on CLOCK_MONOTONIC, independent of changes of the system
// time.
bool gmem_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0)
    return false;
  bool made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(condition, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  return made;
}

// Adds the slot that |waiter| was ordered to add, for the first in the queue.
// Temporarily releases the lock.
static void carry_out_order(gmem_pool_t *pool, gmem_slot_waiter_t *waiter)
    GMEM_REQUIRES(&pool->lock) {
  gmem_lease_t *slot = NULL;
  GMEM_ASSERT(waiter->set == &pool->queue.everyone);
  gmem_mutex_unlock(&pool->lock);
  gmem_status_t status = create_slot(pool, &slot, NULL);
  gmem_mutex_lock(&pool->lock);
  if (gmem_queue_fulfil(&pool->queue, waiter, slot ? &slot->node : NULL,
                        status))
    return;
  gmem_mutex_unlock(&pool->lock);
  destroy_slot(pool, slot);
  gmem_mutex_lock(&pool->lock);
}

static gmem_status_t wait_for_slot(gmem_pool_t *pool, gmem_slot_set_t *set,
                                   int64_t timeout_ns,
                                   gmem_slot_node_t **out_slot)
    GMEM_REQUIRES(&pool->lock) {
  sleeper_t sleeper = {.waiter.set = set};
  gmem_slot_waiter_t *waiter = &sleeper.waiter;
  struct timespec deadline = {0};
  bool ends = timeout_ns != GMEM_WAIT_FOREVER;
  if (ends && timeout_ns > 0)
    deadline = gmem_deadline_after(timeout_ns);
  if (!gmem_condition_init(&sleeper.ready))
    return GMEM_ERR_OUT_OF_MEMORY;
  gmem_queue_join(&pool->queue, set, waiter, timeout_ns > 0);
  while (!gmem_waiter_is_settled(waiter)) {
    if (waiter->order.slots > 0)
      carry_out_order(pool, waiter);
    else if (!gmem_mutex_wait(&pool->lock, &sleeper.ready,
                              ends ? &deadline : NULL) &&
             !gmem_waiter_is_settled(waiter))
      gmem_queue_dismiss(&pool->queue, waiter, GMEM_ERR_TIMEOUT);
  }
  gmem_queue_leave(&pool->queue, waiter);
  pthread_cond_destroy(&sleeper.ready);
  *out_slot = waiter->slot;
  return waiter->verdict;
}

// Acquires a slot of |from|, or a common slot if it is NULL. The lease holds a
// reference to the pool.
static gmem_status_t acquire_slot(gmem_pool_t *pool, gmem_reservation_t *from,
                                  int64_t timeout_ns,
                                  gmem_slot_node_t **out_slot) {
  gmem_mutex_lock(&pool->lock);
  gmem_slot_set_t *set = from ? &from->set : &pool->queue.everyone;
  gmem_status_t status = GMEM_OK;
  ++pool->references;
  if (!from && pool->gate) {
    gmem_mutex_unlock(&pool->lock);
    status = pool->gate->acquire(pool->gate, timeout_ns, out_slot);
    gmem_mutex_lock(&pool->lock);
  } else if (!(*out_slot = gmem_queue_take(&pool->queue, set)))
    status = wait_for_slot(pool, set, timeout_ns, out_slot);
  if (status == GMEM_OK)
    gmem_mutex_unlock(&pool->lock);
  else
    unlock_and_drop(pool);
  return status;
}

gmem_status_t gmem_lease_acquire(gmem_pool_t *pool, gmem_group_t group,
                                 gmem_reservation_t *from, int64_t timeout_ns,
                                 gmem_lease_t **out_lease) {
  if (!out_lease)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_lease = NULL;
  if (!pool || timeout_ns < 0 || (from && from->pool != pool))
    return GMEM_ERR_INVALID_ARGUMENT;
  if (group != GMEM_NONE && group >= gmem_plan_group_count(pool->model->plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_slot_node_t *slot = NULL;
  GMEM_TRY(acquire_slot(pool, from, timeout_ns, &slot));
  gmem_lease_t *lease = (gmem_lease_t *)slot;
  lease->group = group;
  lease->keep_state = from != NULL;
  GMEM_ASSERT(atomic_load(&lease->references) == 0 && check_lease(lease));
  atomic_store_explicit(&lease->references, 1, memory_order_relaxed);
  gmem_slot_begin(lease);
  *out_lease = lease;
  return GMEM_OK;
}

//===--- releasing --------------------------------------------------------===//

void gmem_lease_retain(gmem_lease_t *lease) {
  atomic_fetch_add_explicit(&lease->references, 1, memory_order_relaxed);
}

void gmem_lease_release(gmem_lease_t *lease) {
  if (!lease || !gmem_rt_drop_reference(&lease->references))
    return;
  gmem_pool_t *pool = lease->pool;
  GMEM_ASSERT(check_lease(lease));
  gmem_slot_end(lease); // no other thread uses the slot yet
  gmem_mutex_lock(&pool->lock);
  if (lease->node.home->over) { // unreserved: STATE is cleared as well
    gmem_mutex_unlock(&pool->lock);
    gmem_slot_clear_state(lease);
    gmem_mutex_lock(&pool->lock);
  }
  gmem_slot_set_t *unused = gmem_queue_come_back(&pool->queue, &lease->node);
  if (unused) // this was the last lease of a reservation
    keep_reservation(pool, unused);
  tell_and_drop(pool);
}
