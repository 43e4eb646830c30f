// slot_queue.h - assignment of slots to waiters: the state machine of a pool,
// independent of threads and memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots belong to sets: a common set (|everyone|), and one per reservation.
// Each set has a stack of free slots and a queue of waiters. Invariants:
//
//   (1) a set has waiters     ==>  it has no free slot
//   (2) the common set has more waiters than orders to add a slot
//                             ==>  the limits allow no further slot
//   (3) the common set has waiters
//                             ==>  a slot exists or is being added
//
// A returned slot is given to the first waiter directly without becoming free,
// so no thread can overtake. The caller holds a lock around each call, owns all
// nodes, and does slow work between the calls: a slot that is being mapped or
// unmapped is in transit, and counts against the limits.

#ifndef GMEM_RUNTIME_SLOT_QUEUE_H_
#define GMEM_RUNTIME_SLOT_QUEUE_H_

#include <stdbool.h>

#include "gmem/runtime.h"

typedef struct gmem_slot_set_s gmem_slot_set_t;

// A slot. Chains of slots outside of a set are linked by |above|.
typedef struct gmem_slot_node_s {
  struct gmem_slot_node_s *above, *below; // in the free stack of |home|
  gmem_slot_set_t *home; // set to which it returns when its lease ends
  uint64_t bytes;        // mapped bytes
} gmem_slot_node_t;

// Slots that are being mapped or unmapped.
typedef struct gmem_slot_transit_s {
  uint32_t slots;
  uint64_t bytes;
} gmem_slot_transit_t;

// A waiting thread. It is settled when it has a slot or a verdict.
typedef struct gmem_slot_waiter_s {
  struct gmem_slot_waiter_s *previous, *next;
  gmem_slot_set_t *set;
  bool queued;
  gmem_slot_node_t *slot;    // assigned slot, whose lease has begun
  gmem_status_t verdict;     // or the status to return
  gmem_slot_transit_t order; // slots 1: ordered to add a slot
} gmem_slot_waiter_t;

struct gmem_slot_set_s {
  gmem_slot_node_t *top, *bottom;      // free slots; top is most recently used
  gmem_slot_waiter_t *first, *last;    // waiters by arrival
  struct gmem_slot_set_s *left, *next; // list of all sets, |everyone| first
  uint32_t waiting;
  uint32_t uses; // leased slots, plus 1 for its owner
  bool over;     // unreserved: its slots return to |everyone|
};

typedef struct gmem_slot_queue_s {
  uint32_t max_slots;
  uint64_t byte_budget;                     // 0: none
  uint64_t slot_bytes;                      // estimated size of a new slot
  void (*wake)(gmem_slot_waiter_t *waiter); // called when settled or ordered
  gmem_slot_set_t everyone;
  gmem_slot_transit_t transit;
  uint32_t orders; // number of waiters with an order
  gmem_pool_stats_t stats;
} gmem_slot_queue_t;

static inline bool gmem_waiter_is_settled(const gmem_slot_waiter_t *waiter) {
  return waiter->slot || waiter->verdict != GMEM_OK;
}

// Initialises an empty queue; the limits are those of gmem_pool_options_t, with
// max_slots resolved.
void gmem_queue_init(gmem_slot_queue_t *queue, uint32_t max_slots,
                     uint64_t byte_budget, uint64_t slot_bytes,
                     void (*wake)(gmem_slot_waiter_t *waiter));

// Whether the lists and counts are consistent and the invariants above hold, in
// test builds (GMEM_RUNTIME_ASSERTS). In proportion to free slots and waiters.
bool gmem_queue_check(const gmem_slot_queue_t *queue);

// Whether the limits allow |slots| more slots; and whether no slot exists or
// can ever exist.
bool gmem_queue_has_room(const gmem_slot_queue_t *queue, uint32_t slots);
bool gmem_queue_is_exhausted(const gmem_slot_queue_t *queue);

//===--- leases -----------------------------------------------------------===//

// Begins a lease of the most recently used free slot of |set|; NULL if none is
// free.
gmem_slot_node_t *gmem_queue_take(gmem_slot_queue_t *queue,
                                  gmem_slot_set_t *set);

// Ends a lease. Returns the set that has no users any more, or NULL. STATE of a
// slot whose home is |over| must have been cleared.
gmem_slot_set_t *gmem_queue_come_back(gmem_slot_queue_t *queue,
                                      gmem_slot_node_t *slot);

//===--- waiting ----------------------------------------------------------===//

// Appends |waiter| (zeroed) to the queue of |set|, and orders it to add a slot
// if the limits allow. If they do not, and |wait| is false or no slot can ever
// become available, it is settled at once and not queued.
void gmem_queue_join(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                     gmem_slot_waiter_t *waiter, bool wait);

// Completes an order: |slot| goes to the first waiter. If |slot| is NULL,
// adding failed with |status|, which becomes the verdict unless the waiter is
// settled. Returns false if the slot is larger than estimated and exceeds the
// budget; then as for failure.
bool gmem_queue_fulfil(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter,
                       gmem_slot_node_t *slot, gmem_status_t status);

// Settles a queued |waiter|.
void gmem_queue_dismiss(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter,
                        gmem_status_t verdict);

// Removes a settled |waiter|. An order that it has not started is passed on.
void gmem_queue_leave(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter);

// Dismisses all waiters of all sets.
void gmem_queue_interrupt(gmem_slot_queue_t *queue);

//===--- growing and shrinking --------------------------------------------===//

// Reserves capacity for |slots| more slots; false if the limits do not allow
// it.
bool gmem_queue_begin_add(gmem_slot_queue_t *queue, uint32_t slots,
                          gmem_slot_transit_t *out_transit);

// Adds the chain of transit->slots new slots to |set|. Returns false if they
// are larger than estimated and exceed the budget; nothing is added, as after
// gmem_queue_add_failed.
bool gmem_queue_add(gmem_slot_queue_t *queue, gmem_slot_transit_t *transit,
                    gmem_slot_set_t *set, gmem_slot_node_t *chain);
void gmem_queue_add_failed(gmem_slot_queue_t *queue,
                           gmem_slot_transit_t *transit);

// Removes free slots of the common set, least recently used first, until at
// most |keep_bytes| are mapped; 0: all. Returns their chain.
gmem_slot_node_t *gmem_queue_begin_trim(gmem_slot_queue_t *queue,
                                        uint64_t keep_bytes,
                                        gmem_slot_transit_t *out_transit);
void gmem_queue_end_trim(gmem_slot_queue_t *queue,
                         gmem_slot_transit_t *transit);

//===--- reservations -----------------------------------------------------===//

// Initialises |set| (zeroed) with up to |slots| > 0 free slots of the common
// set. Returns the number of missing slots.
uint32_t gmem_queue_reserve(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                            uint32_t slots);

// Ends |set|: dismisses its waiters, and returns the chain of its free slots,
// which count as reserved until gmem_queue_end_unreserve.
gmem_slot_node_t *gmem_queue_begin_unreserve(gmem_slot_queue_t *queue,
                                             gmem_slot_set_t *set);

// Moves the chain to the common set. Returns whether |set| has no users any
// more.
bool gmem_queue_end_unreserve(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                              gmem_slot_node_t *chain);

#endif // GMEM_RUNTIME_SLOT_QUEUE_H_
