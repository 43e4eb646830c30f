// best_first.c - the exact search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dijkstra's algorithm for bottleneck paths over the sets of executed ops
// (down-sets): the state with the smallest peak so far is expanded next, among
// equal ones the one that has executed most. States are stored once, closed
// under closure.h and with identical branches sorted (twins.h). The peak of the
// state that is expanded next is a lower bound on all orders.

#include "best_first.h"

#include <assert.h>
#include <string.h>

#include "closure.h"
#include "twins.h"

typedef struct state_s {
  uint64_t peak; // bytes: the largest need on the way here, at least the floor
  uint64_t live;
  uint32_t parent;
  uint32_t count;  // executed ops
  size_t begin;    // in store_t.ways: the ops since the parent
  uint32_t length; // their number
  bool is_old;     // reached again with a lower peak, as another state
} state_t;

// All states.
typedef struct store_s {
  state_t *states;
  uint64_t *sets;  // by state, executed.words each
  uint32_t *ways;  // ops
  uint32_t *slots; // hash table of states, 0: empty, else the number + 1
  size_t state_count, state_room, set_count, set_room;
  size_t way_count, way_room, slot_count;
} store_t;

typedef struct search_s {
  const gmem_order_net_t *net;
  gmem_order_work_t *work;
  gmem_order_goal_t *goal;
  gmem_scratch_t memory;
  gmem_order_executed_t executed;
  gmem_order_moves_t moves;
  gmem_order_twins_t twins;
  size_t width;     // states kept of a generation: the beam; 0: all
  uint64_t *sorted; // one bit set
  store_t store;
  uint32_t *heap; // states to expand
  size_t heap_count, heap_room;
} search_t;

//===--- heap -------------------------------------------------------------===//

static bool is_before(const search_t *s, uint32_t a, uint32_t b) {
  const state_t *x = &s->store.states[a], *y = &s->store.states[b];
  if (x->peak != y->peak)
    return x->peak < y->peak;
  if (x->count != y->count && !s->width)
    return x->count > y->count;
  if (x->live != y->live)
    return x->live < y->live;
  return a < b;
}

static gmem_status_t push(search_t *s, uint32_t state) {
  GMEM_TRY_ROOM(s->heap, &s->memory, s->heap_count, s->heap_room);
  size_t at = s->heap_count++;
  for (; at > 0 && is_before(s, state, s->heap[(at - 1) / 2]);
       at = (at - 1) / 2)
    s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = state;
  return GMEM_OK;
}

static uint32_t pop(search_t *s) {
  uint32_t top = s->heap[0], last = s->heap[--s->heap_count];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < s->heap_count; at = child) {
    if (child + 1 < s->heap_count &&
        is_before(s, s->heap[child + 1], s->heap[child]))
      ++child;
    if (!is_before(s, s->heap[child], last))
      break;
    s->heap[at] = s->heap[child];
  }
  s->heap[at] = last;
  return top;
}

//===--- states -----------------------------------------------------------===//

static uint64_t *set_of(const search_t *s, uint32_t state) {
  return s->store.sets + (size_t)state * s->executed.words;
}

static uint64_t hash(const uint64_t *set, uint32_t words) {
  uint64_t h = UINT64_C(0x9E3779B97F4A7C15);
  for (uint32_t w = 0; w < words; ++w) {
    h = (h ^ set[w]) * UINT64_C(0xBF58476D1CE4E5B9);
    h ^= h >> 29;
  }
  return h;
}

// The slot of |set|, or the empty one where it belongs.
static uint32_t *find_slot(const search_t *s, const uint64_t *set) {
  uint32_t words = s->executed.words;
  size_t at = hash(set, words) & (s->store.slot_count - 1);
  while (s->store.slots[at] && memcmp(set_of(s, s->store.slots[at] - 1), set,
                                      words * sizeof *set) != 0)
    at = (at + 1) & (s->store.slot_count - 1);
  return &s->store.slots[at];
}

static gmem_status_t grow_table(search_t *s) {
  if (s->store.state_count * 2 < s->store.slot_count)
    return GMEM_OK;
  gmem_scratch_drop(&s->memory, s->store.slots);
  s->store.slots = NULL;
  s->store.slot_count = s->store.slot_count ? s->store.slot_count * 2 : 256;
  GMEM_TRY_ZEROS(s->store.slots, &s->memory, s->store.slot_count);
  for (uint32_t i = 0; i < s->store.state_count; ++i)
    *find_slot(s, set_of(s, i)) = i + 1;
  return GMEM_OK;
}

static gmem_status_t store_way(search_t *s, state_t *state) {
  state->begin = s->store.way_count;
  state->length = s->moves.count;
  for (uint32_t i = 0; i < s->moves.count; ++i) {
    GMEM_TRY_ROOM(s->store.ways, &s->memory, s->store.way_count,
                  s->store.way_room);
    s->store.ways[s->store.way_count++] = s->moves.ops[i];
  }
  return GMEM_OK;
}

// Adds the current state, reached from |parent| by the moves, unless it is
// known with a peak that is as low.
static gmem_status_t add_state(search_t *s, uint32_t parent, uint64_t peak) {
  uint32_t words = s->executed.words;
  memcpy(s->sorted, s->executed.done, words * sizeof *s->sorted);
  gmem_order_twins_sort(&s->twins, s->sorted, NULL);
  GMEM_TRY(grow_table(s));
  uint32_t *slot = find_slot(s, s->sorted);
  state_t state = {.peak = peak,
                   .live = s->executed.live,
                   .parent = parent,
                   .count = s->executed.count};
  if (*slot && s->store.states[*slot - 1].peak <= peak)
    return GMEM_OK;
  GMEM_TRY(store_way(s, &state));
  if (*slot) // it has not been expanded: that had been done at a lower peak
    s->store.states[*slot - 1].is_old = true;
  uint32_t number = (uint32_t)s->store.state_count;
  GMEM_TRY_ROOM(s->store.states, &s->memory, s->store.state_count,
                s->store.state_room);
  for (uint32_t w = 0; w < words; ++w) {
    GMEM_TRY_ROOM(s->store.sets, &s->memory, s->store.set_count,
                  s->store.set_room);
    s->store.sets[s->store.set_count++] = s->sorted[w];
  }
  *slot = number + 1;
  s->store.states[s->store.state_count++] = state;
  return push(s, number);
}

//===--- the order --------------------------------------------------------===//

// Writes the order that ends with the way to |last|. Ways are in terms of
// sorted branches: |where| maps them to ops.
static gmem_status_t write_order(search_t *s, uint32_t last) {
  uint32_t depth = 0, count = 0;
  uint32_t *path, *where;
  uint64_t *done;
  GMEM_TRY_NEW(path, &s->memory, s->store.state_count);
  GMEM_TRY_NEW(where, &s->memory, s->net->op_count);
  GMEM_TRY_ZEROS(done, &s->memory, s->executed.words);
  for (uint32_t i = last; i != GMEM_ORDER_NONE; i = s->store.states[i].parent)
    path[depth++] = i;
  for (uint32_t op = 0; op < s->net->op_count; ++op)
    where[op] = op;
  while (depth > 0) {
    const state_t *state = &s->store.states[path[--depth]];
    for (uint32_t i = 0; i < state->length; ++i) {
      uint32_t op = s->store.ways[state->begin + i];
      s->goal->order[count++] = where[op];
      done[op / 64] |= UINT64_C(1) << op % 64;
    }
    gmem_order_twins_sort(&s->twins, done, where);
  }
  assert(count == s->net->op_count);
  gmem_scratch_drop(&s->memory, done);
  gmem_scratch_drop(&s->memory, where);
  gmem_scratch_drop(&s->memory, path);
  return GMEM_OK;
}

//===--- the search -------------------------------------------------------===//

// The state after |op| and all that follows at once.
static gmem_status_t try_op(search_t *s, uint32_t parent, uint32_t op,
                            uint64_t peak, uint64_t *work) {
  uint64_t need = gmem_order_need(&s->executed, op);
  peak = need > peak ? need : peak;
  if (peak >= s->goal->peak)
    return GMEM_OK;
  gmem_order_move(&s->executed, &s->moves, op);
  *work += gmem_order_close(&s->executed, peak, &s->moves);
  gmem_status_t status = add_state(s, parent, peak);
  if (status == GMEM_OK && s->executed.count == s->net->op_count) {
    uint32_t *slot = find_slot(s, s->sorted);
    s->goal->peak = peak;
    status = write_order(s, *slot - 1);
  }
  *work += s->moves.count + s->executed.words / 8;
  gmem_order_move_back(&s->executed, &s->moves, 0);
  return status;
}

static gmem_status_t expand(search_t *s, uint32_t state) {
  uint64_t peak = s->store.states[state].peak;
  uint64_t work = gmem_order_executed_load(&s->executed, set_of(s, state));
  for (uint32_t op =
           gmem_order_next_bit(s->executed.ready, s->executed.words, 0);
       op < s->net->op_count;
       op = gmem_order_next_bit(s->executed.ready, s->executed.words, op + 1))
    GMEM_TRY(try_op(s, state, op, peak, &work));
  gmem_order_spend(s->work, work);
  return GMEM_OK;
}

// States that |work| allows: what they take is limited, too.
static bool has_room(const search_t *s) {
  size_t most = s->work->effort == GMEM_EFFORT_FAST         ? (size_t)1 << 22
                : s->work->effort == GMEM_EFFORT_EXHAUSTIVE ? (size_t)1 << 28
                                                            : (size_t)1 << 25;
  return s->store.set_count + s->store.way_count / 2 +
             4 * s->store.state_count <
         most;
}

static gmem_status_t run(search_t *s) {
  gmem_order_goal_t *goal = s->goal;
  bool is_over = false;
  while (s->heap_count > 0 && !is_over) {
    uint32_t state = pop(s);
    uint64_t peak = s->store.states[state].peak;
    if (peak >= goal->peak)
      break; // the order that was found is best
    if (!s->store.states[state].is_old)
      GMEM_TRY(expand(s, state));
    is_over = !gmem_order_spend(s->work, 1) || !has_room(s);
  }
  uint64_t next = s->heap_count > 0 && is_over
                      ? s->store.states[s->heap[0]].peak
                      : goal->peak;
  goal->bound = next < goal->peak ? next : goal->peak;
  return GMEM_OK;
}

// Expands the best states of each generation only.
static gmem_status_t run_beam(search_t *s) {
  uint32_t *generation;
  bool is_over = false;
  GMEM_TRY_NEW(generation, &s->memory, s->width);
  while (s->heap_count > 0 && !is_over) {
    size_t count = 0;
    while (s->heap_count > 0 && count < s->width) {
      uint32_t state = pop(s);
      if (!s->store.states[state].is_old)
        generation[count++] = state;
    }
    s->heap_count = 0;
    for (size_t i = 0; i < count && !is_over; ++i) {
      if (s->store.states[generation[i]].peak < s->goal->peak)
        GMEM_TRY(expand(s, generation[i]));
      is_over = !gmem_order_spend(s->work, 1) || !has_room(s);
    }
  }
  return GMEM_OK;
}

static gmem_status_t search(search_t *s) {
  gmem_order_goal_t *goal = s->goal;
  GMEM_TRY(gmem_order_executed_create(s->net, &s->memory, &s->executed));
  GMEM_TRY_NEW(s->moves.ops, &s->memory, s->net->op_count);
  GMEM_TRY_NEW(s->sorted, &s->memory, s->executed.words);
  GMEM_TRY(gmem_order_twins_find(s->net, &s->memory, &s->twins));
  gmem_order_spend(s->work,
                   gmem_order_close(&s->executed, goal->floor, &s->moves));
  GMEM_TRY(add_state(s, GMEM_ORDER_NONE, goal->floor));
  if (s->executed.count == s->net->op_count) {
    goal->peak = goal->bound = goal->floor;
    return write_order(s, 0);
  }
  s->moves.count = 0;
  return s->width ? run_beam(s) : run(s);
}

static gmem_status_t start(const gmem_order_net_t *net, gmem_order_work_t *work,
                           const gmem_allocator_t *allocator, size_t width,
                           gmem_order_goal_t *goal, gmem_diag_t *diag) {
  search_t s = {.net = net,
                .work = work,
                .goal = goal,
                .width = width,
                .memory = {.allocator = allocator, .diag = diag}};
  goal->bound = goal->floor < goal->peak ? goal->floor : goal->peak;
  if (goal->peak <= goal->floor)
    return GMEM_OK;
  gmem_status_t status = search(&s);
  gmem_scratch_free(&s.memory);
  return status;
}

gmem_status_t gmem_order_best_first(const gmem_order_net_t *net,
                                    gmem_order_work_t *work,
                                    const gmem_allocator_t *allocator,
                                    gmem_order_goal_t *goal,
                                    gmem_diag_t *diag) {
  return start(net, work, allocator, 0, goal, diag);
}

gmem_status_t gmem_order_beam(const gmem_order_net_t *net,
                              gmem_order_work_t *work,
                              const gmem_allocator_t *allocator,
                              gmem_order_goal_t *goal, gmem_diag_t *diag) {
  size_t width = work->effort == GMEM_EFFORT_FAST         ? 4
                 : work->effort == GMEM_EFFORT_EXHAUSTIVE ? 512
                                                          : 64;
  return start(net, work, allocator, width, goal, diag);
}
