// manager_object.h - definitions of memory managers and of their queue.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lock order: the manager's lock, then a pool's. No lock is held while slots
// are mapped or unmapped, or their bytes zeroed.

#ifndef GMEM_RUNTIME_MANAGER_OBJECT_H_
#define GMEM_RUNTIME_MANAGER_OBJECT_H_

#include "gmem/manager.h"
#include "slot_pool.h"

// A pool of a manager.
typedef struct gmem_manager_member_s {
  gmem_pool_gate_t gate;                       // first
  gmem_manager_t *manager;                     // retained
  gmem_pool_t *pool;                           // NULL while it is created
  struct gmem_manager_member_s *newer, *older; // by last use
} gmem_manager_member_t;

// A request in the queue, on its thread's stack. It is settled when it has a
// slot or a verdict, and then no longer in the queue.
typedef struct gmem_manager_waiter_s {
  struct gmem_manager_waiter_s *previous, *next;
  gmem_manager_member_t *member;
  pthread_cond_t ready;
  gmem_slot_node_t *slot;
  gmem_status_t verdict;
  bool ordered;   // to add a slot to its pool
  bool failed;    // to do so, for lack of memory,
  uint64_t tried; // when the manager had this |changes|
} gmem_manager_waiter_t;

struct gmem_manager_s {
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  uint64_t byte_budget; // 0: none

  gmem_mutex_t lock;
  uint32_t references GMEM_GUARDED_BY(&lock); // of the creator and of the pools
  gmem_manager_member_t *newest GMEM_GUARDED_BY(&lock);
  gmem_manager_member_t *oldest GMEM_GUARDED_BY(&lock);
  gmem_manager_waiter_t *first GMEM_GUARDED_BY(&lock); // by arrival
  gmem_manager_waiter_t *last GMEM_GUARDED_BY(&lock);
  bool growing GMEM_GUARDED_BY(&lock);     // a waiter adds a slot now,
  pthread_t grower GMEM_GUARDED_BY(&lock); // on this thread, once it has begun
  bool begun GMEM_GUARDED_BY(&lock);
  // How often slots or memory became free, but for what the grower unmaps.
  uint64_t changes GMEM_GUARDED_BY(&lock);
  uint64_t pending GMEM_GUARDED_BY(&lock); // bytes that are being mapped
  gmem_manager_stats_t stats GMEM_GUARDED_BY(&lock);
};

// Links |member| as the most recently used one, and the reverse.
void gmem_manager_link(gmem_manager_t *manager, gmem_manager_member_t *member)
    GMEM_REQUIRES(&manager->lock);
void gmem_manager_unlink(gmem_manager_t *manager, gmem_manager_member_t *member)
    GMEM_REQUIRES(&manager->lock);

//===--- the queue (manager_queue.c) --------------------------------------===//

// Serves waiters after a slot or memory has become free.
void gmem_manager_changed(gmem_manager_t *manager)
    GMEM_REQUIRES(&manager->lock);

// The functions of a pool's gate.
gmem_status_t gmem_manager_acquire(gmem_pool_gate_t *gate, int64_t timeout_ns,
                                   gmem_slot_node_t **out_slot);
void gmem_manager_slot_changed(gmem_pool_gate_t *gate);
void gmem_manager_interrupt(gmem_pool_gate_t *gate);

#endif // GMEM_RUNTIME_MANAGER_OBJECT_H_
