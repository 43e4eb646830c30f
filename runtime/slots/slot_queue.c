// slot_queue.c - assignment of slots to waiters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slot_queue.h"

#include <stdlib.h>

#include "runtime_support.h"

GMEM_COLD void gmem_queue_init(gmem_slot_queue_t *queue, uint32_t max_slots,
                               uint64_t byte_budget, uint64_t slot_bytes,
                               void (*wake)(gmem_slot_waiter_t *waiter)) {
  *queue = (gmem_slot_queue_t){.max_slots = max_slots,
                               .byte_budget = byte_budget,
                               .slot_bytes = slot_bytes,
                               .wake = wake,
                               .everyone.uses = 1};
}

//===--- sets -------------------------------------------------------------===//

static uint32_t *free_count(gmem_slot_queue_t *queue,
                            const gmem_slot_set_t *set) {
  return set == &queue->everyone ? &queue->stats.free : &queue->stats.reserved;
}

static void push_free(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                      gmem_slot_node_t *slot) {
  GMEM_ASSERT(slot->home == set && !set->first);
  slot->above = NULL;
  slot->below = set->top;
  *(slot->below ? &slot->below->above : &set->bottom) = slot;
  set->top = slot;
  ++*free_count(queue, set);
}

static void remove_free(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                        gmem_slot_node_t *slot) {
  GMEM_ASSERT(slot->home == set && *free_count(queue, set) > 0);
  *(slot->above ? &slot->above->below : &set->top) = slot->below;
  *(slot->below ? &slot->below->above : &set->bottom) = slot->above;
  --*free_count(queue, set);
}

static void enqueue(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter) {
  gmem_slot_set_t *set = waiter->set;
  GMEM_ASSERT(!set->top && !waiter->queued);
  waiter->previous = set->last;
  *(waiter->previous ? &waiter->previous->next : &set->first) = waiter;
  set->last = waiter;
  waiter->queued = true;
  ++set->waiting;
  ++queue->stats.waiting;
}

static void dequeue(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter) {
  gmem_slot_set_t *set = waiter->set;
  GMEM_ASSERT(waiter->queued && set->waiting > 0);
  *(waiter->previous ? &waiter->previous->next : &set->first) = waiter->next;
  *(waiter->next ? &waiter->next->previous : &set->last) = waiter->previous;
  waiter->queued = false;
  --set->waiting;
  --queue->stats.waiting;
}

//===--- leases -----------------------------------------------------------===//

static void begin_lease(gmem_slot_queue_t *queue, gmem_slot_node_t *slot) {
  gmem_pool_stats_t *stats = &queue->stats;
  ++slot->home->uses;
  ++stats->acquires;
  ++stats->leased;
  stats->bytes_leased += slot->bytes;
  if (stats->bytes_peak < stats->bytes_leased)
    stats->bytes_peak = stats->bytes_leased;
}

gmem_slot_node_t *gmem_queue_take(gmem_slot_queue_t *queue,
                                  gmem_slot_set_t *set) {
  gmem_slot_node_t *slot = set->top;
  if (!slot)
    return NULL;
  remove_free(queue, set, slot);
  begin_lease(queue, slot);
  return slot;
}

// Moves |slot| to |set|: its first waiter gets it, or it becomes free.
static void arrive(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                   gmem_slot_node_t *slot) {
  gmem_slot_waiter_t *waiter = set->first;
  slot->home = set;
  if (!waiter) {
    push_free(queue, set, slot);
    return;
  }
  dequeue(queue, waiter);
  begin_lease(queue, slot);
  waiter->slot = slot;
  queue->wake(waiter);
}

gmem_slot_set_t *gmem_queue_come_back(gmem_slot_queue_t *queue,
                                      gmem_slot_node_t *slot) {
  gmem_slot_set_t *home = slot->home;
  GMEM_ASSERT(home->uses > 0 && queue->stats.leased > 0);
  --home->uses;
  --queue->stats.leased;
  queue->stats.bytes_leased -= slot->bytes;
  arrive(queue, home->over ? &queue->everyone : home, slot);
  return home->uses == 0 ? home : NULL;
}

//===--- room -------------------------------------------------------------===//

// Existing slots and slots in transit never exceed the limits.
bool gmem_queue_has_room(const gmem_slot_queue_t *queue, uint32_t slots) {
  uint32_t used_slots = queue->stats.slots + queue->transit.slots;
  uint64_t used = queue->stats.bytes_committed + queue->transit.bytes;
  GMEM_ASSERT(used_slots <= queue->max_slots);
  GMEM_ASSERT(queue->byte_budget == 0 || used <= queue->byte_budget);
  return slots <= queue->max_slots - used_slots &&
         (queue->byte_budget == 0 || queue->slot_bytes == 0 ||
          slots <= (queue->byte_budget - used) / queue->slot_bytes);
}

static void leave_transit(gmem_slot_queue_t *queue,
                          gmem_slot_transit_t *transit) {
  GMEM_ASSERT(transit->slots <= queue->transit.slots &&
              transit->bytes <= queue->transit.bytes);
  queue->transit.slots -= transit->slots;
  queue->transit.bytes -= transit->bytes;
  *transit = (gmem_slot_transit_t){0};
}

GMEM_COLD bool gmem_queue_begin_add(gmem_slot_queue_t *queue, uint32_t slots,
                                    gmem_slot_transit_t *out_transit) {
  if (!gmem_queue_has_room(queue, slots))
    return false;
  out_transit->slots = slots;
  out_transit->bytes = slots * queue->slot_bytes;
  queue->transit.slots += slots;
  queue->transit.bytes += out_transit->bytes;
  return true;
}

GMEM_COLD static void dismiss_all(gmem_slot_queue_t *queue,
                                  gmem_slot_set_t *set, gmem_status_t verdict) {
  while (set->first)
    gmem_queue_dismiss(queue, set->first, verdict);
}

// Whether no waiter can ever get a slot: none exists, and none can be added.
bool gmem_queue_is_exhausted(const gmem_slot_queue_t *queue) {
  return queue->stats.slots == 0 && queue->transit.slots == 0 &&
         !gmem_queue_has_room(queue, 1);
}

// Orders waiters for common slots to add slots while the limits allow it.
GMEM_COLD static void offer_room(gmem_slot_queue_t *queue) {
  gmem_slot_set_t *set = &queue->everyone;
  for (gmem_slot_waiter_t *waiter = set->first;
       waiter && queue->orders < set->waiting; waiter = waiter->next) {
    if (waiter->order.slots)
      continue;
    if (!gmem_queue_begin_add(queue, 1, &waiter->order))
      break;
    ++queue->orders;
    queue->wake(waiter);
  }
  if (gmem_queue_is_exhausted(queue))
    dismiss_all(queue, set, GMEM_ERR_STATE);
}

//===--- waiting ----------------------------------------------------------===//

static gmem_status_t verdict_at_once(const gmem_slot_queue_t *queue,
                                     const gmem_slot_waiter_t *waiter,
                                     bool wait) {
  if (waiter->order.slots)
    return GMEM_OK;
  if (gmem_queue_is_exhausted(queue))
    return GMEM_ERR_STATE;
  return wait ? GMEM_OK : GMEM_ERR_TIMEOUT;
}

GMEM_COLD void gmem_queue_join(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                               gmem_slot_waiter_t *waiter, bool wait) {
  waiter->set = set;
  if (set == &queue->everyone && gmem_queue_begin_add(queue, 1, &waiter->order))
    ++queue->orders;
  waiter->verdict = verdict_at_once(queue, waiter, wait);
  if (waiter->verdict != GMEM_OK)
    return;
  ++queue->stats.waits;
  enqueue(queue, waiter);
  GMEM_ASSERT(gmem_queue_check(queue));
}

GMEM_COLD bool gmem_queue_fulfil(gmem_slot_queue_t *queue,
                                 gmem_slot_waiter_t *waiter,
                                 gmem_slot_node_t *slot, gmem_status_t status) {
  GMEM_ASSERT(queue->orders > 0 && waiter->order.slots == 1);
  --queue->orders;
  // First, because gmem_queue_add_failed would order this waiter again.
  if (!slot && waiter->queued)
    gmem_queue_dismiss(queue, waiter, status);
  if (!slot) {
    gmem_queue_add_failed(queue, &waiter->order);
    return true;
  }
  return gmem_queue_add(queue, &waiter->order, &queue->everyone, slot);
}

GMEM_COLD void gmem_queue_dismiss(gmem_slot_queue_t *queue,
                                  gmem_slot_waiter_t *waiter,
                                  gmem_status_t verdict) {
  dequeue(queue, waiter);
  waiter->verdict = verdict;
  queue->wake(waiter);
}

GMEM_COLD void gmem_queue_leave(gmem_slot_queue_t *queue,
                                gmem_slot_waiter_t *waiter) {
  GMEM_ASSERT(gmem_waiter_is_settled(waiter) && !waiter->queued);
  queue->stats.timeouts += waiter->verdict == GMEM_ERR_TIMEOUT;
  queue->stats.cancels += waiter->verdict == GMEM_ERR_CANCELLED;
  if (waiter->order.slots == 0)
    return;
  --queue->orders;
  leave_transit(queue, &waiter->order);
  offer_room(queue);
  GMEM_ASSERT(gmem_queue_check(queue));
}

GMEM_COLD void gmem_queue_interrupt(gmem_slot_queue_t *queue) {
  for (gmem_slot_set_t *set = &queue->everyone; set; set = set->next)
    dismiss_all(queue, set, GMEM_ERR_CANCELLED);
  GMEM_ASSERT(gmem_queue_check(queue));
}

//===--- growing and shrinking --------------------------------------------===//

// Bytes of all slots of a chain, and of the largest one.
GMEM_COLD static uint64_t chain_bytes(const gmem_slot_node_t *chain,
                                      uint64_t *out_most) {
  uint64_t bytes = 0;
  for (; chain; chain = chain->above) {
    bytes += chain->bytes;
    if (*out_most < chain->bytes)
      *out_most = chain->bytes;
  }
  return bytes;
}

GMEM_COLD bool gmem_queue_add(gmem_slot_queue_t *queue,
                              gmem_slot_transit_t *transit,
                              gmem_slot_set_t *set, gmem_slot_node_t *chain) {
  gmem_pool_stats_t *stats = &queue->stats;
  uint64_t bytes = chain_bytes(chain, &queue->slot_bytes);
  uint64_t others =
      stats->bytes_committed + queue->transit.bytes - transit->bytes;
  if (queue->byte_budget != 0 && bytes > queue->byte_budget - others) {
    gmem_queue_add_failed(queue, transit);
    return false;
  }
  stats->slots += transit->slots;
  stats->grows += transit->slots;
  stats->bytes_committed += bytes;
  leave_transit(queue, transit);
  while (chain) {
    gmem_slot_node_t *slot = chain;
    chain = chain->above;
    arrive(queue, set, slot);
  }
  offer_room(queue);
  GMEM_ASSERT(gmem_queue_check(queue));
  return true;
}

GMEM_COLD void gmem_queue_add_failed(gmem_slot_queue_t *queue,
                                     gmem_slot_transit_t *transit) {
  queue->stats.failures += transit->slots;
  leave_transit(queue, transit);
  offer_room(queue);
  GMEM_ASSERT(gmem_queue_check(queue));
}

GMEM_COLD gmem_slot_node_t *
gmem_queue_begin_trim(gmem_slot_queue_t *queue, uint64_t keep_bytes,
                      gmem_slot_transit_t *out_transit) {
  gmem_slot_node_t *chain = NULL, *slot;
  gmem_pool_stats_t *stats = &queue->stats;
  *out_transit = (gmem_slot_transit_t){0};
  // Slots have no bytes if all regions of the plan are shared.
  while ((slot = queue->everyone.bottom) &&
         (stats->bytes_committed > keep_bytes || keep_bytes == 0)) {
    remove_free(queue, &queue->everyone, slot);
    slot->above = chain;
    chain = slot;
    --stats->slots;
    ++stats->trims;
    stats->bytes_committed -= slot->bytes;
    ++out_transit->slots;
    out_transit->bytes += slot->bytes;
  }
  queue->transit.slots += out_transit->slots;
  queue->transit.bytes += out_transit->bytes;
  GMEM_ASSERT(gmem_queue_check(queue));
  return chain;
}

GMEM_COLD void gmem_queue_end_trim(gmem_slot_queue_t *queue,
                                   gmem_slot_transit_t *transit) {
  leave_transit(queue, transit);
  offer_room(queue);
}

//===--- reservations -----------------------------------------------------===//

GMEM_COLD uint32_t gmem_queue_reserve(gmem_slot_queue_t *queue,
                                      gmem_slot_set_t *set, uint32_t slots) {
  gmem_slot_set_t *everyone = &queue->everyone;
  set->uses = 1;
  set->left = everyone;
  set->next = everyone->next;
  if (set->next)
    set->next->left = set;
  everyone->next = set;
  gmem_slot_node_t *slot = everyone->top;
  uint32_t found = slot != NULL; // |slots| is not 0
  for (; found && found < slots && slot->below; ++found)
    slot = slot->below;
  for (uint32_t i = 0; i < found; ++i) { // bottom-up, to keep their order
    gmem_slot_node_t *above = slot->above;
    remove_free(queue, everyone, slot);
    slot->home = set;
    push_free(queue, set, slot);
    slot = above;
  }
  GMEM_ASSERT(found <= slots && gmem_queue_check(queue));
  return slots - found;
}

GMEM_COLD gmem_slot_node_t *gmem_queue_begin_unreserve(gmem_slot_queue_t *queue,
                                                       gmem_slot_set_t *set) {
  gmem_slot_node_t *chain = set->bottom;
  set->over = true;
  set->top = set->bottom = NULL;
  set->left->next = set->next;
  if (set->next)
    set->next->left = set->left;
  dismiss_all(queue, set, GMEM_ERR_CANCELLED);
  return chain;
}

GMEM_COLD bool gmem_queue_end_unreserve(gmem_slot_queue_t *queue,
                                        gmem_slot_set_t *set,
                                        gmem_slot_node_t *chain) {
  while (chain) {
    gmem_slot_node_t *slot = chain;
    chain = chain->above;
    --queue->stats.reserved;
    arrive(queue, &queue->everyone, slot);
  }
  GMEM_ASSERT(set->over && set->uses > 0 && gmem_queue_check(queue));
  return --set->uses == 0;
}

//===--- checks -----------------------------------------------------------===//

#ifdef GMEM_RUNTIME_ASSERTS

// Counts the free slots of |set|; false if its stack is inconsistent.
static bool check_free(const gmem_slot_set_t *set, uint32_t *count) {
  const gmem_slot_node_t *above = NULL, *slot = set->top;
  for (; slot; above = slot, slot = slot->below, ++*count)
    if (slot->above != above || slot->home != set)
      return false;
  return set->bottom == above;
}

// Whether the waiters of |set| are in a consistent list of |set->waiting|.
static bool check_waiters(const gmem_slot_set_t *set) {
  const gmem_slot_waiter_t *previous = NULL, *waiter = set->first;
  uint32_t count = 0;
  for (; waiter; previous = waiter, waiter = waiter->next, ++count)
    if (waiter->previous != previous || waiter->set != set || !waiter->queued ||
        gmem_waiter_is_settled(waiter))
      return false;
  return set->last == previous && count == set->waiting;
}

bool gmem_queue_check(const gmem_slot_queue_t *queue) {
  const gmem_pool_stats_t *stats = &queue->stats;
  const gmem_slot_set_t *everyone = &queue->everyone;
  uint32_t free = 0, reserved = 0, waiting = 0;
  for (const gmem_slot_set_t *set = everyone; set; set = set->next) {
    if (!check_free(set, set == everyone ? &free : &reserved) ||
        !check_waiters(set) || (set->first && set->top) ||
        (set->next && set->next->left != set))
      return false;
    waiting += set->waiting;
  }
  return free == stats->free && reserved <= stats->reserved &&
         waiting == stats->waiting &&
         stats->free + stats->reserved + stats->leased == stats->slots &&
         (everyone->waiting <= queue->orders ||
          !gmem_queue_has_room(queue, 1)) &&
         (!everyone->waiting || stats->slots + queue->transit.slots > 0);
}

#endif
