// manager_queue.c - which request of a memory manager is served next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests of all pools form one queue by arrival. A waiter needs a free slot
// of its pool, or memory for another one; only one waiter at a time adds a slot
// (*grows*). Rules:
//
//   (1) A waiter that needs memory blocks those behind it: no lease begins
//       then, so that all memory becomes free in the end, and the first such
//       waiter gets it. It tries again when a slot or memory has become free.
//   (2) A waiter whose pool may not grow waits for a slot of its pool; it
//       blocks no other pool, and the waiters of its pool stay in order.
//   (3) Growth that fails for want of memory while nothing is mapped, and
//       nothing became free meanwhile, can never succeed: the waiter returns
//       the failure. Where another thread maps or unmaps slots of the pool, so
//       that it has no room, rule (2) holds.

#include "manager_object.h"
#include "runtime_support.h"

//===--- the list ---------------------------------------------------------===//

static bool is_settled(const gmem_manager_waiter_t *waiter) {
  return waiter->slot || waiter->verdict != GMEM_OK;
}

static void enqueue(gmem_manager_t *manager, gmem_manager_waiter_t *waiter)
    GMEM_REQUIRES(&manager->lock) {
  waiter->previous = manager->last;
  *(manager->last ? &manager->last->next : &manager->first) = waiter;
  manager->last = waiter;
  ++manager->stats.waiting;
  ++manager->stats.waits;
}

static void settle(gmem_manager_t *manager, gmem_manager_waiter_t *waiter,
                   gmem_slot_node_t *slot, gmem_status_t verdict)
    GMEM_REQUIRES(&manager->lock) {
  GMEM_ASSERT(!is_settled(waiter) && manager->stats.waiting > 0);
  *(waiter->previous ? &waiter->previous->next : &manager->first) =
      waiter->next;
  *(waiter->next ? &waiter->next->previous : &manager->last) = waiter->previous;
  waiter->slot = slot;
  waiter->verdict = verdict;
  --manager->stats.waiting;
  manager->stats.timeouts += verdict == GMEM_ERR_TIMEOUT;
  manager->stats.cancels += verdict == GMEM_ERR_CANCELLED;
  // The lock is held: the waiter's stack frame still exists.
  pthread_cond_signal(&waiter->ready);
}

//===--- serving ----------------------------------------------------------===//

// Serves |waiter| if it can be served now. Returns whether those behind it must
// wait.
static bool serve(gmem_manager_t *manager, gmem_manager_waiter_t *waiter)
    GMEM_REQUIRES(&manager->lock) {
  gmem_pool_t *pool = waiter->member->pool;
  gmem_slot_node_t *slot = gmem_pool_take_free(pool);
  if (slot) {
    settle(manager, waiter, slot, GMEM_OK);
    return false;
  }
  gmem_status_t room = gmem_pool_room(pool);
  if (room == GMEM_ERR_STATE)
    settle(manager, waiter, NULL, room);
  if (room != GMEM_OK)
    return false;
  bool is_new = !waiter->failed || waiter->tried != manager->changes;
  if (!manager->growing && is_new) {
    manager->growing = waiter->ordered = true;
    pthread_cond_signal(&waiter->ready);
  }
  return true;
}

static void serve_all(gmem_manager_t *manager) GMEM_REQUIRES(&manager->lock) {
  gmem_manager_waiter_t *next;
  bool blocked = false;
  for (gmem_manager_waiter_t *waiter = manager->first; waiter && !blocked;
       waiter = next) {
    next = waiter->next;
    blocked = serve(manager, waiter);
  }
}

void gmem_manager_changed(gmem_manager_t *manager) {
  // What the grower unmaps, it uses or has tried to use.
  if (!manager->begun || !pthread_equal(manager->grower, pthread_self()))
    ++manager->changes;
  serve_all(manager);
}

void gmem_manager_slot_changed(gmem_pool_gate_t *gate) {
  gmem_manager_t *manager = ((gmem_manager_member_t *)gate)->manager;
  gmem_mutex_lock(&manager->lock);
  gmem_manager_changed(manager);
  gmem_mutex_unlock(&manager->lock);
}

void gmem_manager_interrupt(gmem_pool_gate_t *gate) {
  gmem_manager_member_t *member = (gmem_manager_member_t *)gate;
  gmem_manager_t *manager = member->manager;
  gmem_manager_waiter_t *next;
  gmem_mutex_lock(&manager->lock);
  for (gmem_manager_waiter_t *waiter = manager->first; waiter; waiter = next) {
    next = waiter->next;
    if (waiter->member == member)
      settle(manager, waiter, NULL, GMEM_ERR_CANCELLED);
  }
  serve_all(manager); // those that the dismissed ones blocked
  gmem_mutex_unlock(&manager->lock);
}

//===--- waiting ----------------------------------------------------------===//

// Adds a slot to the waiter's pool; the pool reports it as free. Temporarily
// releases the lock.
static void grow(gmem_manager_t *manager, gmem_manager_waiter_t *waiter)
    GMEM_REQUIRES(&manager->lock) {
  GMEM_ASSERT(manager->growing);
  uint64_t changes = manager->changes;
  waiter->ordered = false;
  manager->begun = true;
  manager->grower = pthread_self();
  gmem_mutex_unlock(&manager->lock);
  bool is_full;
  gmem_status_t status = gmem_pool_grow(waiter->member->pool, &is_full);
  gmem_mutex_lock(&manager->lock);
  manager->growing = manager->begun = false;
  bool wants_memory =
      status == GMEM_ERR_OUT_OF_MEMORY || status == GMEM_ERR_OVER_BUDGET;
  bool is_mapped = manager->stats.bytes > 0 || manager->pending > 0;
  bool may_help = is_full || is_mapped || manager->changes != changes;
  if (wants_memory && may_help) {
    waiter->failed = true;
    waiter->tried = changes;
  } else if (status != GMEM_OK && !is_settled(waiter)) {
    settle(manager, waiter, NULL, status);
  }
  serve_all(manager);
}

static gmem_status_t
wait_for_slot(gmem_manager_t *manager, gmem_manager_member_t *member,
              int64_t timeout_ns, gmem_slot_node_t **out_slot)
    GMEM_REQUIRES(&manager->lock) {
  gmem_manager_waiter_t waiter = {.member = member};
  struct timespec deadline = {0};
  bool ends = timeout_ns != GMEM_WAIT_FOREVER;
  if (ends && timeout_ns > 0)
    deadline = gmem_deadline_after(timeout_ns);
  if (!gmem_condition_init(&waiter.ready))
    return GMEM_ERR_OUT_OF_MEMORY;
  enqueue(manager, &waiter);
  serve_all(manager);
  while (!is_settled(&waiter)) {
    if (waiter.ordered)
      grow(manager, &waiter);
    else if ((timeout_ns == 0 || !gmem_mutex_wait(&manager->lock, &waiter.ready,
                                                  ends ? &deadline : NULL)) &&
             !is_settled(&waiter) && !waiter.ordered)
      settle(manager, &waiter, NULL, GMEM_ERR_TIMEOUT);
  }
  if (waiter.ordered) // settled before it began
    manager->growing = false;
  gmem_manager_changed(manager); // it blocks no other waiter any more
  pthread_cond_destroy(&waiter.ready);
  *out_slot = waiter.slot;
  return waiter.verdict;
}

gmem_status_t gmem_manager_acquire(gmem_pool_gate_t *gate, int64_t timeout_ns,
                                   gmem_slot_node_t **out_slot) {
  gmem_manager_member_t *member = (gmem_manager_member_t *)gate;
  gmem_manager_t *manager = member->manager;
  gmem_status_t status = GMEM_OK;
  gmem_mutex_lock(&manager->lock);
  gmem_manager_unlink(manager, member);
  gmem_manager_link(manager, member); // most recently used
  *out_slot = manager->first ? NULL : gmem_pool_take_free(member->pool);
  if (!*out_slot)
    status = wait_for_slot(manager, member, timeout_ns, out_slot);
  gmem_mutex_unlock(&manager->lock);
  return status;
}
