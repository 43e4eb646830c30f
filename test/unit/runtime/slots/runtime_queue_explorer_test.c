// runtime_queue_explorer_test.c - every interleaving of short programs over the
// state machine of a pool (slot_queue.c), with all its invariants after each
// step. An argument (1, 2...) makes it explore longer programs.
// RUN: %unit/runtime_queue_explorer_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of the model does in one step what a real one does under the lock,
// and the mapping of slots between two steps may succeed or fail. The world is
// one object that never moves, so its pointers stay right when it is saved and
// put back: depth-first search over all choices, each state visited once.

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "slot_queue.h"

enum { THREADS = 3, OPS = 4, SLOTS = 4, HELD = OPS, SLOT_BYTES = 10 };
enum { MAX_DEPTH = 200, TABLE = 1 << 22 };

typedef enum op_e {
  END, // gives back all that it has, then is done
  ACQUIRE,
  TRY,
  TIMED,
  FROM, // a slot of the reservation, if there is one
  FROM_TRY,
  FROM_TIMED,
  RELEASE, // the last lease it got, if any
  INTERRUPT,
  RESERVE_1,
  RESERVE_2,
  UNRESERVE, // whoever made it
  TRIM,
  POPULATE,
  OP_COUNT
} op_t;

typedef enum phase_e {
  READY,     // the next step begins an operation
  WAITING,   // in the queue, awake or asleep
  MAPPING,   // carries out an order
  ADDING,    // maps slots for populate or reserve
  CLEARING,  // zeroes STATE of a slot that comes back
  RETURNING, // zeroes STATE of an ended reservation
  TRIMMING,  // unmaps
  DONE
} phase_t;

typedef struct thread_s {
  gmem_slot_waiter_t waiter; // first
  op_t program[OPS + 1];
  int pc;
  phase_t phase;
  op_t op; // at work
  bool asleep;
  unsigned ticket; // order of arrival in a queue
  bool was_queued; // before this step
  gmem_slot_node_t *held[HELD];
  int held_count;
  gmem_slot_transit_t transit;
  gmem_slot_node_t *chain;
} thread_t;

typedef struct scenario_s {
  uint32_t initial, max_slots;
  uint64_t budget;
  bool large; // a mapped slot may be larger than was thought
  op_t programs[THREADS][OPS];
} scenario_t;

typedef struct world_s {
  gmem_slot_queue_t queue;
  gmem_slot_set_t reservation;
  bool reserved;  // there is a reservation that can be used
  bool has_owner; // it has not been ended, or is being ended
  gmem_slot_node_t slots[SLOTS];
  bool mapped[SLOTS];
  thread_t threads[THREADS];
  unsigned tickets;
  gmem_pool_stats_t expected; // only what is counted for good
  bool large;
} world_t;

typedef enum bug_e {
  NO_BUG,
  BARGE,        // a slot becomes free although someone waits
  NO_WAKE,      // nobody is told
  LAST_FIRST,   // the last waiter is put in front
  TWICE,        // a slot comes back twice
  FORGET_ORDER, // an order that was not begun is dropped
  LOSE_SLOTS,   // an ended reservation keeps its slots
  LOSE_ROOM,    // unmapped slots count for ever
  BUGS
} bug_t;

static world_t world;
static bug_t planted;
static const char *broken; // what is wrong with the world, or NULL
static uint64_t visited[TABLE], steps, states;
static uint32_t visited_at[TABLE / 2], visited_count; // places in use
static char trace[MAX_DEPTH];

static void require(bool condition, const char *what) {
  if (!condition && !broken)
    broken = what;
}

static void wake(gmem_slot_waiter_t *waiter) {
  if (planted != NO_WAKE)
    ((thread_t *)waiter)->asleep = false;
}

//===--- invariants -------------------------------------------------------===//

static gmem_pool_stats_t counted;   // what the walk has found
static uint32_t seen[SLOTS];        // how often each slot was found
static gmem_slot_transit_t transit; // of all threads

static void see(const gmem_slot_node_t *slot, uint32_t *count) {
  ptrdiff_t i = slot - world.slots;
  require(i >= 0 && i < SLOTS, "a stray pointer to a slot");
  if (broken)
    return;
  ++seen[i];
  ++*count;
  ++counted.slots;
  counted.bytes_committed += slot->bytes;
  require(world.mapped[i], "a slot that is not mapped");
}

static void walk_set(const gmem_slot_set_t *set, uint32_t *free_count) {
  const gmem_slot_node_t *above = NULL;
  int guard = 0;
  for (const gmem_slot_node_t *slot = set->top; slot && !broken;
       above = slot, slot = slot->below) {
    require(slot->above == above && slot->home == set, "a bad link");
    require(++guard <= SLOTS, "a loop of slots");
    see(slot, free_count);
  }
  require(set->bottom == above, "a bad bottom");
  const gmem_slot_waiter_t *previous = NULL;
  uint32_t waiting = 0;
  for (const gmem_slot_waiter_t *waiter = set->first; waiter && !broken;
       previous = waiter, waiter = waiter->next) {
    require(waiter->previous == previous && waiter->queued &&
                waiter->set == set && !gmem_waiter_is_settled(waiter),
            "a bad waiter");
    require(!previous || ((const thread_t *)previous)->ticket <
                             ((const thread_t *)waiter)->ticket,
            "the queue is not in the order of arrival");
    require(++waiting <= THREADS, "a loop of waiters");
  }
  require(set->last == previous && set->waiting == waiting, "a bad queue");
  counted.waiting += waiting;
  require(!set->first || !set->top, "someone waits and a slot is free"); // (1)
}

static void walk_thread(const thread_t *thread, uint32_t *uses,
                        uint32_t *orders) {
  const gmem_slot_waiter_t *waiter = &thread->waiter;
  for (int i = 0; i <= thread->held_count; ++i) {
    const gmem_slot_node_t *slot =
        i < thread->held_count ? thread->held[i] : waiter->slot;
    if (!slot)
      continue;
    see(slot, &counted.leased);
    counted.bytes_leased += slot->bytes;
    *uses += slot->home == &world.reservation;
  }
  if (thread->phase == RETURNING)
    for (const gmem_slot_node_t *slot = thread->chain; slot && !broken;
         slot = slot->above)
      see(slot, &counted.reserved);
  *orders += waiter->order.slots;
  transit.slots += thread->transit.slots + waiter->order.slots;
  transit.bytes += thread->transit.bytes + waiter->order.bytes;
  require(!thread->asleep || thread->phase == WAITING, "asleep at work");
  require(!thread->asleep ||
              (!gmem_waiter_is_settled(waiter) && waiter->order.slots == 0),
          "asleep although there is something to do");
}

// Whether another slot of the size that is known would fit.
static bool room(void) {
  const gmem_slot_queue_t *queue = &world.queue;
  uint64_t bytes = counted.bytes_committed + transit.bytes + queue->slot_bytes;
  return counted.slots + transit.slots < queue->max_slots &&
         (!queue->byte_budget || bytes <= queue->byte_budget);
}

static void compare_counters(void) {
  const gmem_pool_stats_t *stats = &world.queue.stats;
  const gmem_pool_stats_t *expected = &world.expected;
  require(stats->slots == counted.slots && stats->free == counted.free &&
              stats->reserved == counted.reserved &&
              stats->leased == counted.leased &&
              stats->waiting == counted.waiting,
          "numbers of slots or waiters");
  require(stats->bytes_committed == counted.bytes_committed &&
              stats->bytes_leased == counted.bytes_leased &&
              stats->bytes_peak >= counted.bytes_leased,
          "numbers of bytes");
  require(stats->timeouts == expected->timeouts &&
              stats->cancels == expected->cancels &&
              stats->trims == expected->trims &&
              stats->failures == expected->failures &&
              stats->grows == expected->grows &&
              stats->acquires == expected->acquires + counted.leased,
          "numbers of events");
}

static void check_world(void) {
  const gmem_slot_queue_t *queue = &world.queue;
  uint32_t uses = world.has_owner, orders = 0;
  counted = (gmem_pool_stats_t){0};
  transit = (gmem_slot_transit_t){0};
  memset(seen, 0, sizeof seen);
  walk_set(&queue->everyone, &counted.free);
  if (world.has_owner)
    walk_set(&world.reservation, &counted.reserved);
  for (int t = 0; t < THREADS; ++t)
    walk_thread(&world.threads[t], &uses, &orders);
  for (int i = 0; i < SLOTS; ++i)
    require(seen[i] <= 1, "a slot in two places");
  compare_counters();
  require(queue->transit.slots == transit.slots &&
              queue->transit.bytes == transit.bytes && queue->orders == orders,
          "numbers of slots under way");
  require(counted.slots + transit.slots <= queue->max_slots, "too many slots");
  require(!queue->byte_budget ||
              counted.bytes_committed + transit.bytes <= queue->byte_budget,
          "over the budget");
  require(!queue->byte_budget || counted.bytes_committed <= queue->byte_budget,
          "over the budget for good");
  require(!world.reserved || world.reservation.uses == uses, "uses of a set");
  require(orders >= queue->everyone.waiting || !room(), // (2)
          "someone waits although there is room");
  require(!queue->everyone.first || counted.slots + transit.slots > 0, // (3)
          "someone waits in vain");
  require(broken || gmem_queue_check(queue), "gmem_queue_check");
}

//===--- steps ------------------------------------------------------------===//

static gmem_slot_node_t *map_slot(uint64_t bytes) {
  for (int i = 0; i < SLOTS; ++i)
    if (!world.mapped[i]) {
      world.mapped[i] = true;
      world.slots[i] = (gmem_slot_node_t){.bytes = bytes};
      return &world.slots[i];
    }
  require(false, "more slots were mapped than there may be");
  return NULL;
}

static void unmap_chain(gmem_slot_node_t *chain) {
  for (; chain; chain = chain->above)
    world.mapped[chain - world.slots] = false;
}

static void finish_op(thread_t *thread) {
  thread->phase = READY;
  thread->op = END;
}

static void come_back(gmem_slot_node_t *slot) {
  gmem_slot_set_t *home = slot->home, saved = *home;
  ++world.expected.acquires; // it is no longer among the leased ones
  if (planted == BARGE)
    home->first = NULL;
  bool unused = gmem_queue_come_back(&world.queue, slot) != NULL;
  if (planted == BARGE)
    home->first = saved.first;
  if (planted == TWICE)
    (void)gmem_queue_come_back(&world.queue, slot);
  require(!unused || home->over, "a set is gone before its time");
}

static void begin_release(thread_t *thread) {
  if (thread->held_count == 0) {
    finish_op(thread);
    return;
  }
  if (thread->held[thread->held_count - 1]->home->over) {
    thread->phase = CLEARING;
    return;
  }
  come_back(thread->held[--thread->held_count]);
  thread->held[thread->held_count] = NULL;
  finish_op(thread);
}

static void end_waiting(thread_t *thread) {
  gmem_slot_waiter_t *waiter = &thread->waiter;
  if (planted == FORGET_ORDER)
    waiter->order = (gmem_slot_transit_t){0};
  gmem_queue_leave(&world.queue, waiter);
  world.expected.timeouts += waiter->verdict == GMEM_ERR_TIMEOUT;
  world.expected.cancels += waiter->verdict == GMEM_ERR_CANCELLED;
  require(!waiter->slot || waiter->verdict == GMEM_OK, "a slot and a verdict");
  require(waiter->verdict != GMEM_ERR_STATE || world.queue.max_slots == 0 ||
              world.queue.byte_budget < world.queue.slot_bytes,
          "given up too early");
  if (waiter->slot)
    thread->held[thread->held_count++] = waiter->slot;
  *waiter = (gmem_slot_waiter_t){0};
  finish_op(thread);
}

// The new waiter jumps the queue.
static void put_in_front(gmem_slot_waiter_t *waiter) {
  gmem_slot_set_t *set = waiter->set;
  if (!waiter->queued || set->first == waiter)
    return;
  set->last = waiter->previous;
  set->last->next = NULL;
  waiter->previous = NULL;
  waiter->next = set->first;
  set->first->previous = waiter;
  set->first = waiter;
}

static void begin_acquire(thread_t *thread) {
  bool from = thread->op >= FROM && thread->op <= FROM_TIMED;
  gmem_slot_set_t *set = from ? &world.reservation : &world.queue.everyone;
  if (from && !world.reserved) {
    finish_op(thread);
    return;
  }
  bool waits = set->first != NULL;
  gmem_slot_node_t *slot = gmem_queue_take(&world.queue, set);
  require(!slot || !waits, "overtaken");
  if (slot) {
    thread->held[thread->held_count++] = slot;
    finish_op(thread);
    return;
  }
  thread->phase = WAITING;
  thread->ticket = ++world.tickets;
  gmem_queue_join(&world.queue, set, &thread->waiter,
                  thread->op != TRY && thread->op != FROM_TRY);
  if (planted == LAST_FIRST)
    put_in_front(&thread->waiter);
  if (gmem_waiter_is_settled(&thread->waiter))
    end_waiting(thread);
}

static void go_on_waiting(thread_t *thread) {
  if (gmem_waiter_is_settled(&thread->waiter))
    end_waiting(thread);
  else if (thread->waiter.order.slots > 0)
    thread->phase = MAPPING;
  else if (thread->op == TRY)
    gmem_queue_dismiss(&world.queue, &thread->waiter, GMEM_ERR_TIMEOUT);
  else
    thread->asleep = true;
}

static void end_mapping(thread_t *thread, uint64_t bytes) {
  gmem_slot_node_t *slot = bytes ? map_slot(bytes) : NULL;
  thread->phase = WAITING;
  if (!gmem_queue_fulfil(&world.queue, &thread->waiter, slot,
                         GMEM_ERR_OUT_OF_MEMORY)) {
    unmap_chain(slot);
    ++world.expected.failures;
  } else {
    ++*(slot ? &world.expected.grows : &world.expected.failures);
  }
}

static void begin_end_of_reservation(thread_t *thread) {
  world.reserved = false;
  thread->phase = RETURNING;
  thread->chain = gmem_queue_begin_unreserve(&world.queue, &world.reservation);
}

static void end_returning(thread_t *thread) {
  gmem_slot_node_t *chain = thread->chain;
  if (planted == LOSE_SLOTS)
    chain = NULL;
  (void)gmem_queue_end_unreserve(&world.queue, &world.reservation, chain);
  thread->chain = NULL;
  world.has_owner = false;
  finish_op(thread);
}

static void begin_adding(thread_t *thread, uint32_t slots) {
  if (gmem_queue_begin_add(&world.queue, slots, &thread->transit))
    thread->phase = ADDING;
  else if (thread->op == POPULATE)
    finish_op(thread);
  else
    begin_end_of_reservation(thread);
}

static void begin_reserve(thread_t *thread, uint32_t slots) {
  // One at a time: the old one must be gone, its last lease too.
  if (world.has_owner || world.reservation.uses > 0) {
    finish_op(thread);
    return;
  }
  memset(&world.reservation, 0, sizeof world.reservation);
  world.has_owner = true;
  uint32_t missing =
      gmem_queue_reserve(&world.queue, &world.reservation, slots);
  if (missing > 0) {
    begin_adding(thread, missing);
    return;
  }
  world.reserved = true;
  finish_op(thread);
}

static void end_adding(thread_t *thread, uint64_t bytes) {
  bool populate = thread->op == POPULATE;
  uint32_t slots = thread->transit.slots;
  gmem_slot_node_t *chain = NULL;
  for (uint32_t i = 0; bytes && i < slots; ++i) {
    gmem_slot_node_t *slot = map_slot(bytes);
    if (!slot)
      return;
    slot->above = chain;
    chain = slot;
  }
  gmem_slot_set_t *set = populate ? &world.queue.everyone : &world.reservation;
  bool added = false;
  if (!bytes)
    gmem_queue_add_failed(&world.queue, &thread->transit);
  else if (!(added =
                 gmem_queue_add(&world.queue, &thread->transit, set, chain)))
    unmap_chain(chain);
  *(added ? &world.expected.grows : &world.expected.failures) += slots;
  if (!populate && !added) {
    begin_end_of_reservation(thread);
    return;
  }
  world.reserved |= !populate;
  finish_op(thread);
}

static void begin_trim(thread_t *thread) {
  thread->phase = TRIMMING;
  thread->chain = gmem_queue_begin_trim(&world.queue, 0, &thread->transit);
  world.expected.trims += thread->transit.slots;
}

static void end_trimming(thread_t *thread) {
  unmap_chain(thread->chain);
  thread->chain = NULL;
  if (planted == LOSE_ROOM)
    thread->transit = (gmem_slot_transit_t){0};
  gmem_queue_end_trim(&world.queue, &thread->transit);
  finish_op(thread);
}

static void begin_op(thread_t *thread) {
  thread->op = thread->program[thread->pc];
  if (thread->op != END)
    ++thread->pc;
  switch (thread->op) {
  case END:
    if (thread->held_count > 0)
      begin_release(thread);
    else
      thread->phase = DONE;
    return;
  case RELEASE:
    begin_release(thread);
    return;
  case INTERRUPT:
    gmem_queue_interrupt(&world.queue);
    finish_op(thread);
    return;
  case RESERVE_1:
  case RESERVE_2:
    begin_reserve(thread, thread->op == RESERVE_1 ? 1 : 2);
    return;
  case UNRESERVE:
    if (world.reserved)
      begin_end_of_reservation(thread);
    else
      finish_op(thread);
    return;
  case TRIM:
    begin_trim(thread);
    return;
  case POPULATE:
    begin_adding(thread, 1);
    return;
  default:
    begin_acquire(thread);
  }
}

static void step(thread_t *thread, int choice) {
  static const uint64_t bytes[] = {SLOT_BYTES, 0, SLOT_BYTES + 5};
  switch (thread->phase) {
  case READY:
    begin_op(thread);
    return;
  case WAITING:
    if (thread->asleep) { // the deadline passes
      thread->asleep = false;
      gmem_queue_dismiss(&world.queue, &thread->waiter, GMEM_ERR_TIMEOUT);
    } else {
      go_on_waiting(thread);
    }
    return;
  case MAPPING:
    end_mapping(thread, bytes[choice]);
    return;
  case ADDING:
    end_adding(thread, bytes[choice]);
    return;
  case CLEARING:
    come_back(thread->held[--thread->held_count]);
    thread->held[thread->held_count] = NULL;
    finish_op(thread);
    return;
  case RETURNING:
    end_returning(thread);
    return;
  case TRIMMING:
    end_trimming(thread);
    return;
  case DONE:
    return;
  }
}

// How many ways the next step of |thread| can go.
static int choices(const thread_t *thread) {
  bool timed = thread->op == TIMED || thread->op == FROM_TIMED;
  if (thread->phase == DONE || (thread->asleep && !timed))
    return 0;
  if (thread->phase == MAPPING || thread->phase == ADDING)
    return world.large ? 3 : 2;
  return 1;
}

// Who was handed a slot by this step had nobody of its queue before it.
static void check_order(void) {
  for (int t = 0; t < THREADS; ++t) {
    const thread_t *one = &world.threads[t];
    if (!one->was_queued || !one->waiter.slot)
      continue;
    for (int u = 0; u < THREADS; ++u) {
      const thread_t *other = &world.threads[u];
      require(!other->waiter.queued || other->waiter.set != one->waiter.set ||
                  other->ticket > one->ticket,
              "served before its turn");
    }
  }
}

//===--- search -----------------------------------------------------------===//

// Whether the state of the world is new.
static bool is_new(void) {
  uint64_t hash = 0x9E3779B97F4A7C15;
  const unsigned char *bytes = (const unsigned char *)&world;
  for (size_t i = 0; i + 8 <= sizeof world; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93;
    hash ^= hash >> 32;
  }
  hash |= 1; // 0 is an empty place
  uint64_t at = hash >> 20 & (TABLE - 1);
  while (visited[at] && visited[at] != hash)
    at = (at + 1) & (TABLE - 1);
  if (visited[at] == hash)
    return false;
  require(visited_count < TABLE / 2 - 1, "the table of states is full");
  visited[at] = hash;
  visited_at[visited_count++] = (uint32_t)at;
  ++states;
  return true;
}

// Nobody can go on. All are done, or some wait for what others never give back.
static void check_end(void) {
  bool kept = world.reserved;
  bool all_done = true;
  for (int t = 0; t < THREADS; ++t) {
    kept |= world.threads[t].held_count > 0;
    all_done &= world.threads[t].phase == DONE;
  }
  require(all_done || kept, "threads wait for slots that nobody has");
}

static void explore(int depth) {
  check_world();
  require(depth < MAX_DEPTH, "an endless run");
  if (broken || !is_new())
    return;
  bool stuck = true;
  world_t saved = world;
  for (int t = 0; t < THREADS; ++t)
    for (int c = 0; c < choices(&world.threads[t]); ++c) {
      stuck = false;
      ++steps;
      trace[depth] = (char)('A' + t + 32 * (c > 0));
      for (int u = 0; u < THREADS; ++u)
        world.threads[u].was_queued = world.threads[u].waiter.queued;
      step(&world.threads[t], c);
      check_order();
      for (int u = 0; u < THREADS; ++u)
        world.threads[u].was_queued = false;
      explore(depth + 1);
      if (broken)
        return;
      world = saved;
    }
  if (stuck)
    check_end();
  if (broken)
    trace[depth] = '\0';
}

static void start(const scenario_t *scenario) {
  memset(&world, 0, sizeof world);
  memset(trace, 0, sizeof trace);
  while (visited_count > 0)
    visited[visited_at[--visited_count]] = 0;
  broken = NULL;
  gmem_queue_init(&world.queue, scenario->max_slots, scenario->budget,
                  SLOT_BYTES, wake);
  world.large = scenario->large;
  for (int t = 0; t < THREADS; ++t)
    memcpy(world.threads[t].program, scenario->programs[t],
           sizeof scenario->programs[t]);
  if (scenario->initial == 0)
    return;
  gmem_slot_transit_t all;
  gmem_slot_node_t *chain = NULL;
  require(gmem_queue_begin_add(&world.queue, scenario->initial, &all), "start");
  for (uint32_t i = 0; i < scenario->initial; ++i) {
    gmem_slot_node_t *slot = map_slot(SLOT_BYTES);
    slot->above = chain;
    chain = slot;
  }
  require(gmem_queue_add(&world.queue, &all, &world.queue.everyone, chain),
          "start");
  world.expected.grows = scenario->initial;
}

static bool run(const scenario_t *scenario) {
  start(scenario);
  explore(0);
  return broken == NULL;
}

static void report(const scenario_t *scenario) {
  fprintf(stderr, "%s\n  %u of %u slots, budget %u, steps %s, programs", broken,
          scenario->initial, scenario->max_slots, (unsigned)scenario->budget,
          trace);
  for (int t = 0; t < THREADS; ++t) {
    fprintf(stderr, " {");
    for (int i = 0; i < OPS; ++i)
      fprintf(stderr, " %d", scenario->programs[t][i]);
    fprintf(stderr, " }");
  }
  fprintf(stderr, "\n");
}

//===--- what is explored -------------------------------------------------===//

// Three threads, from the simplest to all at once.
static const scenario_t scenarios[] = {
    {1, 1, 0, false, {{ACQUIRE}, {ACQUIRE}, {ACQUIRE}}},
    {1, 1, 0, false, {{ACQUIRE, RELEASE, TRY}, {TIMED}, {ACQUIRE}}},
    {1, 1, 0, false, {{ACQUIRE}, {TIMED, RELEASE, TRY}, {INTERRUPT, TRY}}},
    {0, 1, 0, false, {{ACQUIRE}, {ACQUIRE}, {TIMED}}},
    {0, 2, 0, false, {{ACQUIRE}, {ACQUIRE}, {TRY, INTERRUPT}}},
    {0, 0, 0, false, {{ACQUIRE, POPULATE}, {TRY, TIMED}, {TRIM}}},
    {0, 3, 15, false, {{ACQUIRE}, {TIMED}, {POPULATE, TRY}}},
    {0, 3, 0, false, {{ACQUIRE}, {TRY, POPULATE}, {TIMED, RELEASE, TRIM}}},
    {1, 2, 0, false, {{TRIM, ACQUIRE}, {ACQUIRE}, {TIMED, RELEASE, TRIM}}},
    {1, 1, 0, false, {{TRIM, TRY}, {ACQUIRE}, {TIMED, INTERRUPT}}},
    {2,
     2,
     0,
     false,
     {{RESERVE_1, FROM, RELEASE, UNRESERVE}, {ACQUIRE}, {TIMED, TRIM}}},
    {2,
     3,
     0,
     false,
     {{RESERVE_2, FROM, UNRESERVE},
      {ACQUIRE, RELEASE, FROM_TRY},
      {FROM_TIMED}}},
    {1,
     3,
     0,
     false,
     {{RESERVE_2, UNRESERVE}, {ACQUIRE, RELEASE, TRIM}, {TIMED}}},
    {1,
     2,
     0,
     false,
     {{RESERVE_1, FROM, UNRESERVE},
      {FROM, INTERRUPT},
      {FROM_TIMED, RELEASE, RESERVE_2}}},
    {2,
     2,
     0,
     false,
     {{RESERVE_2, UNRESERVE, RESERVE_2, UNRESERVE},
      {FROM, RELEASE, ACQUIRE},
      {TRY, TIMED}}},
    {0, 3, 29, true, {{ACQUIRE}, {TIMED, RELEASE, TRIM}, {POPULATE}}},
    {0, 3, 40, true, {{ACQUIRE}, {ACQUIRE}, {ACQUIRE}}},
    {0, 2, 14, true, {{ACQUIRE}, {ACQUIRE}, {TIMED}}},
    {1, 3, 30, true, {{RESERVE_2, UNRESERVE}, {ACQUIRE}, {TIMED, TRIM}}},
};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static void test_scenarios(void) {
  for (int i = 0; i < SCENARIOS; ++i)
    if (!run(&scenarios[i])) {
      report(&scenarios[i]);
      CHECK(!"a scenario fails");
    }
}

// All programs of |length| operations, of two threads, in a small pool.
static void test_all_pairs(int length, uint32_t initial, uint32_t max_slots) {
  op_t all[2 * OPS] = {0};
  int digits = 2 * length;
  for (int i = 0; i < digits; ++i)
    all[i] = ACQUIRE;
  for (bool more = true; more;) {
    scenario_t scenario = {initial, max_slots, 0, false, {{0}}};
    memcpy(scenario.programs[0], all, (size_t)length * sizeof *all);
    memcpy(scenario.programs[1], all + length, (size_t)length * sizeof *all);
    if (!run(&scenario)) {
      report(&scenario);
      CHECK(!"a pair of programs fails");
      return;
    }
    int digit = 0;
    while (digit < digits && ++all[digit] == OP_COUNT)
      all[digit++] = ACQUIRE;
    more = digit < digits;
  }
}

// An explorer that finds no planted bug is broken.
static void test_planted_bugs_are_found(void) {
  for (planted = NO_BUG + 1; planted < BUGS; ++planted) {
    bool found = false;
    for (int i = 0; i < SCENARIOS && !found; ++i)
      found = !run(&scenarios[i]);
    if (!found)
      fprintf(stderr, "planted bug %d was not found\n", planted);
    CHECK(found);
  }
  planted = NO_BUG;
}

// Who waits while another's order will serve it is not told to add a slot more.
static void test_no_more_orders_than_waiters(void) {
  gmem_slot_queue_t queue;
  gmem_slot_node_t slot = {.bytes = SLOT_BYTES};
  gmem_slot_transit_t first, second;
  thread_t a = {0}, b = {0};
  gmem_queue_init(&queue, 3, 0, SLOT_BYTES, wake);
  CHECK(gmem_queue_begin_add(&queue, 1, &first));
  CHECK(gmem_queue_add(&queue, &first, &queue.everyone, &slot));
  CHECK(gmem_queue_take(&queue, &queue.everyone) == &slot);
  CHECK(gmem_queue_begin_add(&queue, 1, &second));
  gmem_queue_join(&queue, &queue.everyone, &a.waiter, true);
  gmem_queue_join(&queue, &queue.everyone, &b.waiter, true);
  CHECK(a.waiter.order.slots == 1 && b.waiter.order.slots == 0);
  (void)gmem_queue_come_back(&queue, &slot);
  CHECK(a.waiter.slot == &slot); // its order will be for b
  gmem_queue_add_failed(&queue, &second);
  CHECK(b.waiter.order.slots == 0);
  gmem_queue_leave(&queue, &a.waiter); // but it has not begun
  CHECK(b.waiter.order.slots == 1);
}

// Random programs of three threads, in pools of all shapes.
static void test_random_programs(int count) {
  srand(1);
  for (int i = 0; i < count; ++i) {
    scenario_t scenario = {.initial = (uint32_t)rand() % 3,
                           .budget =
                               rand() % 4 ? 0 : 15 + (unsigned)rand() % 20,
                           .large = rand() % 4 == 0};
    scenario.max_slots = scenario.initial + (uint32_t)rand() % 2;
    if (scenario.budget && scenario.initial * SLOT_BYTES > scenario.budget)
      scenario.budget = scenario.initial * SLOT_BYTES;
    for (int t = 0; t < THREADS; ++t)
      for (int op = 0; op < OPS - 1; ++op)
        scenario.programs[t][op] = (op_t)(rand() % OP_COUNT);
    if (!run(&scenario)) {
      report(&scenario);
      CHECK(!"random programs fail");
      return;
    }
  }
}

static void print_effort(const char *what) {
  printf("%s: %llu states, %llu steps\n", what, (unsigned long long)states,
         (unsigned long long)steps);
  states = steps = 0;
}

int main(int argc, char **argv) {
  int effort = argc > 1 ? atoi(argv[1]) : 0;
  test_no_more_orders_than_waiters();
  test_scenarios();
  print_effort("chosen programs of 3 threads");
  test_planted_bugs_are_found();
  states = steps = 0;
  test_all_pairs(effort > 0 ? 2 : 1, 1, 2);
  test_all_pairs(effort > 0 ? 2 : 1, 1, 1);
  print_effort("all programs of 2 threads");
  test_random_programs(effort > 0 ? 200 * effort : 20);
  print_effort("random programs of 3 threads");
  return CHECK_RESULT();
}
