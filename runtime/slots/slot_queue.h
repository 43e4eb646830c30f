// slot_queue.h - who gets which slot: the state machine of a pool, without
// threads and without memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots are in sets: one for everyone, and one per reservation. Each set has a
// stack of free slots and a queue of waiters. At any time:
//
//   (1) someone waits for a set     ==>  the set has no free slot
//   (2) more wait for everyone's set than are having a slot added for them
//                                   ==>  there is no room for another slot
//   (3) someone waits for everyone's set  ==>  there is a slot, or one is under
//       way (so nobody waits in vain)
//
// A slot that comes back is given to the first waiter at once and never becomes
// free in between, so nobody can overtake. The caller holds a lock around each
// call, owns all nodes, and does the slow work between the calls: a slot on its
// way from or to the provider is in transit, and counts against the limits.

#ifndef GMEM_RUNTIME_SLOT_QUEUE_H_
#define GMEM_RUNTIME_SLOT_QUEUE_H_

#include <stdbool.h>

#include "gmem/runtime.h"

typedef struct gmem_slot_set_s gmem_slot_set_t;

// A slot. Chains of slots outside of sets are linked by |above|.
typedef struct gmem_slot_node_s {
  struct gmem_slot_node_s *above, *below; // among the free ones of its home
  gmem_slot_set_t *home;                  // where it goes when its lease ends
  uint64_t bytes;                         // mapped for it
} gmem_slot_node_t;

// Slots that are being mapped or unmapped.
typedef struct gmem_slot_transit_s {
  uint32_t slots;
  uint64_t bytes;
} gmem_slot_transit_t;

// A thread that waits. It is settled when it has a slot or a verdict.
typedef struct gmem_slot_waiter_s {
  struct gmem_slot_waiter_s *previous, *next;
  gmem_slot_set_t *set;
  bool queued;
  gmem_slot_node_t *slot;    // what it was given: its lease has begun
  gmem_status_t verdict;     // or why it gets none
  gmem_slot_transit_t order; // slots 1: it has to add a slot
} gmem_slot_waiter_t;

struct gmem_slot_set_s {
  gmem_slot_node_t *top, *bottom;      // free slots; the top was used last
  gmem_slot_waiter_t *first, *last;    // waiters by arrival
  struct gmem_slot_set_s *left, *next; // all sets, everyone's first
  uint32_t waiting;
  uint32_t uses; // its slots that are leased, and 1 for its owner
  bool over;     // unreserved: its slots go home to everyone's set
};

typedef struct gmem_slot_queue_s {
  uint32_t max_slots;
  uint64_t byte_budget; // 0: none
  uint64_t slot_bytes;  // what a new slot will need, as far as we know
  void (*wake)(gmem_slot_waiter_t *waiter); // it is settled, or has an order
  gmem_slot_set_t everyone;
  gmem_slot_transit_t transit;
  uint32_t orders; // of all waiters
  gmem_pool_stats_t stats;
} gmem_slot_queue_t;

static inline bool gmem_waiter_is_settled(const gmem_slot_waiter_t *waiter) {
  return waiter->slot || waiter->verdict != GMEM_OK;
}

// Begins with no slots; the limits are those of gmem_pool_options_t, with
// max_slots as it is meant.
void gmem_queue_init(gmem_slot_queue_t *queue, uint32_t max_slots,
                     uint64_t byte_budget, uint64_t slot_bytes,
                     void (*wake)(gmem_slot_waiter_t *waiter));

//===--- leases -----------------------------------------------------------===//

// Begins a lease of the free slot of |set| that was used last; NULL: none.
gmem_slot_node_t *gmem_queue_take(gmem_slot_queue_t *queue,
                                  gmem_slot_set_t *set);

// Ends a lease. Returns the set that nobody uses any more, or NULL. A slot
// whose home is over must have been cleared of STATE.
gmem_slot_set_t *gmem_queue_come_back(gmem_slot_queue_t *queue,
                                      gmem_slot_node_t *slot);

//===--- waiting ----------------------------------------------------------===//

// Puts |waiter| (zeroed) at the end of the queue of |set|, and orders it to add
// a slot if there is room. Without room, and if it is not to |wait|, or if no
// slot can ever come, it is settled at once and not queued.
void gmem_queue_join(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                     gmem_slot_waiter_t *waiter, bool wait);

// The order is carried out: |slot| goes to whoever is first. Or it has failed,
// with |status| (slot NULL): then that is the verdict, unless it is settled.
// False: the slot is larger than was thought and over the budget; as failed.
bool gmem_queue_fulfil(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter,
                       gmem_slot_node_t *slot, gmem_status_t status);

// Settles |waiter|, which is queued.
void gmem_queue_dismiss(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter,
                        gmem_status_t verdict);

// |waiter| is settled and goes. An order that it has not begun is passed on.
void gmem_queue_leave(gmem_slot_queue_t *queue, gmem_slot_waiter_t *waiter);

// Dismisses all waiters of all sets.
void gmem_queue_interrupt(gmem_slot_queue_t *queue);

//===--- growing and shrinking --------------------------------------------===//

// Takes room for |slots| more; false: there is not so much.
bool gmem_queue_begin_add(gmem_slot_queue_t *queue, uint32_t slots,
                          gmem_slot_transit_t *out_transit);

// Adds the chain of transit->slots new slots to |set|. False: they are larger
// than was thought and over the budget; nothing is added, as if they had
// failed.
bool gmem_queue_add(gmem_slot_queue_t *queue, gmem_slot_transit_t *transit,
                    gmem_slot_set_t *set, gmem_slot_node_t *chain);
void gmem_queue_add_failed(gmem_slot_queue_t *queue,
                           gmem_slot_transit_t *transit);

// Takes the free slots of everyone's set that were used longest ago, until no
// more than |keep_bytes| are there; 0: all. Returns their chain.
gmem_slot_node_t *gmem_queue_begin_trim(gmem_slot_queue_t *queue,
                                        uint64_t keep_bytes,
                                        gmem_slot_transit_t *out_transit);
void gmem_queue_end_trim(gmem_slot_queue_t *queue,
                         gmem_slot_transit_t *transit);

//===--- reservations -----------------------------------------------------===//

// Makes |set| (zeroed) one with up to |slots| > 0 of everyone's free slots.
// Returns how many are missing.
uint32_t gmem_queue_reserve(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                            uint32_t slots);

// |set| is over: its waiters are dismissed, and the chain of its free slots,
// which count as reserved until gmem_queue_end_unreserve, is returned.
gmem_slot_node_t *gmem_queue_begin_unreserve(gmem_slot_queue_t *queue,
                                             gmem_slot_set_t *set);

// Gives them to everyone. Returns whether nobody uses |set| any more.
bool gmem_queue_end_unreserve(gmem_slot_queue_t *queue, gmem_slot_set_t *set,
                              gmem_slot_node_t *chain);

#endif // GMEM_RUNTIME_SLOT_QUEUE_H_
