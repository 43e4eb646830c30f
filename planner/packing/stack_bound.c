// stack_bound.c - a lower bound by the best order in which the items of one
// section can be stacked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Items that are live together lie one above the other. With different
// alignments the bytes between them depend on their order, and fixed items
// leave gaps below them into which not all may fit. Stacked in the order of a
// placement, each at its lowest offset above the one before and between the
// fixed ones, they end no higher than there. So the least end of all orders is
// a bound. Of the orders of one set only that with the least end matters, and
// whatever follows, all of the other items end above it: the sets are looked at
// in the order of what they need at least, as in Hart, Nilsson and Raphael, "A
// formal basis for the heuristic determination of minimum cost paths" (1968).
// Where the work ends before, the next set to be looked at has a bound, too.

#include <assert.h>
#include <string.h>

#include "exclusive_branches.h"
#include "finer_bounds.h"
#include "live_sets.h"

enum {
  MOST = 40,           // items that are stacked
  MOST_SETS = 1 << 16, // of one section
};

// Steps in all, by item: some milliseconds for few items.
static const uint64_t STEPS_PER_ITEM = 1 << 14, MOST_STEPS = 1 << 22;

// Bytes of an item that are live in a span of sections.
typedef struct layer_s {
  uint64_t begin, size, alignment; // begin: from the start of the item
  uint64_t fixed;                  // offset of these bytes; GMEM_NOT_FIXED
} layer_t;

// The least end so far of a set of free layers; valid in one round.
typedef struct found_s {
  uint64_t set, end;
  uint32_t round;
} found_t;

// A set whose supersets have not been looked at.
typedef struct open_s {
  uint64_t set, end; // bytes
  uint64_t needed;   // least end of all
} open_t;

typedef struct stacks_s {
  const gmem_packing_t *packing;
  layer_t *layers;
  gmem_span_t *spans; // of the layers
  size_t count, room;
  gmem_order_t *fixed; // of these the fixed ones by offset; and scratch
  size_t fixed_count;
  const layer_t *free[MOST]; // the others, largest alignment first
  uint32_t free_count;
  uint64_t free_bytes;
  size_t set_room; // of the largest section so far
  found_t *found;  // 2 * set_room: by hash of the set
  uint32_t round;  // the section's number
  open_t *open;    // a heap of up to set_room: the least need first
  size_t open_count;
  uint64_t best;         // the bound
  uint64_t steps, limit; // units of work
} stacks_t;

//===--- one section ------------------------------------------------------===//

// The end of |layer| at its lowest place above |top|; UINT64_MAX beyond all
// addresses.
static uint64_t place(const stacks_t *stacks, const layer_t *layer,
                      uint64_t top) {
  uint64_t base = stacks->packing->base, offset, end;
  size_t next = 0;
  for (;;) {
    offset = top > layer->begin ? top - layer->begin : 0;
    if (!gmem_align_offset(base, offset, layer->alignment, &offset) ||
        !gmem_add_bytes(offset, layer->begin, &offset) ||
        !gmem_add_bytes(offset, layer->size, &end))
      return UINT64_MAX;
    for (; next < stacks->fixed_count; ++next) {
      const layer_t *other = &stacks->layers[stacks->fixed[next].index];
      if (other->fixed + other->size > offset)
        break;
    }
    if (next == stacks->fixed_count || stacks->fixed[next].key >= end)
      return end;
    const layer_t *other = &stacks->layers[stacks->fixed[next++].index];
    top = other->fixed + other->size;
  }
}

// By alignment, then size, largest first; equal ones, twins, are neighbours.
static bool comes_before(const layer_t *a, const layer_t *b) {
  if (a->alignment != b->alignment)
    return a->alignment > b->alignment;
  return a->size != b->size ? a->size > b->size : a->begin < b->begin;
}

static void insert(stacks_t *stacks, const layer_t *layer) {
  uint32_t at = stacks->free_count++;
  for (; at && comes_before(layer, stacks->free[at - 1]); --at)
    stacks->free[at] = stacks->free[at - 1];
  stacks->free[at] = layer;
  stacks->free_bytes += layer->size;
}

// Sorts the layers that are live in a section into the free and the fixed ones.
// False when there are too many.
static bool list_section(stacks_t *stacks, const uint32_t *live, size_t count) {
  stacks->free_count = 0;
  stacks->free_bytes = 0;
  stacks->fixed_count = 0;
  stacks->steps += count;
  for (size_t i = 0; i < count; ++i) {
    const layer_t *layer = &stacks->layers[live[i]];
    if (layer->fixed != GMEM_NOT_FIXED) {
      stacks->fixed[stacks->fixed_count++] =
          (gmem_order_t){layer->fixed, live[i]};
      continue;
    }
    if (stacks->free_count == MOST)
      return false;
    insert(stacks, layer);
  }
  gmem_sort_order(stacks->fixed, stacks->fixed + stacks->room,
                  stacks->fixed_count);
  return true;
}

static uint64_t stack_by_alignment(const stacks_t *stacks) {
  uint64_t top = 0;
  for (uint32_t i = 0; i < stacks->free_count && top < UINT64_MAX; ++i)
    top = place(stacks, stacks->free[i], top);
  return top;
}

//===--- sets of layers ---------------------------------------------------===//

// The bytes of fixed layers above |end|.
static uint64_t fixed_above(const stacks_t *stacks, uint64_t end) {
  uint64_t bytes = 0;
  for (size_t i = stacks->fixed_count; i-- > 0;) {
    const layer_t *layer = &stacks->layers[stacks->fixed[i].index];
    bytes += layer->fixed >= end ? layer->size : 0;
  }
  return bytes;
}

// Makes room for the sets of the section. Each is reached at most once from
// each that lacks one layer.
static gmem_status_t make_room(stacks_t *stacks, gmem_scratch_t *memory) {
  uint64_t count = stacks->free_count;
  uint64_t most = count < 16 ? ((count + 1) << count) + MOST : MOST_SETS;
  size_t room = MOST;
  while (room < most && room < MOST_SETS)
    room *= 2;
  room = room < MOST_SETS ? room : MOST_SETS;
  if (room <= stacks->set_room)
    return GMEM_OK;
  GMEM_TRY_ZEROS(stacks->found, memory, 2 * room);
  GMEM_TRY_NEW(stacks->open, memory, room);
  stacks->set_room = room;
  return GMEM_OK;
}

static found_t *find(stacks_t *stacks, uint64_t set) {
  size_t places = 2 * stacks->set_room, place = gmem_mix(set) % places;
  while (stacks->found[place].round == stacks->round &&
         stacks->found[place].set != set)
    place = (place + 1) % places;
  return &stacks->found[place];
}

static void push(stacks_t *stacks, open_t open) {
  size_t at = stacks->open_count++;
  for (; at && stacks->open[(at - 1) / 2].needed > open.needed;
       at = (at - 1) / 2)
    stacks->open[at] = stacks->open[(at - 1) / 2];
  stacks->open[at] = open;
}

static open_t pop(stacks_t *stacks) {
  open_t *heap = stacks->open, first = heap[0], last;
  size_t count = --stacks->open_count, at = 0;
  last = heap[count];
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    child += child + 1 < count && heap[child + 1].needed < heap[child].needed;
    if (heap[child].needed >= last.needed)
      break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return first;
}

// Notes that |set| can be stacked up to |end|, with |rest| bytes left.
static void reach(stacks_t *stacks, uint64_t set, uint64_t end, uint64_t rest) {
  found_t *found = find(stacks, set);
  if (found->round == stacks->round && found->end <= end)
    return;
  *found = (found_t){set, end, stacks->round};
  push(stacks, (open_t){set, end, end + rest + fixed_above(stacks, end)});
}

static uint64_t bytes_left(const stacks_t *stacks, uint64_t set) {
  uint64_t bytes = stacks->free_bytes;
  for (; set; set &= set - 1)
    bytes -= stacks->free[__builtin_ctzll(set)]->size;
  return bytes;
}

// Stacks each layer on |open|; of equal ones the first.
static void extend(stacks_t *stacks, const open_t *open) {
  uint64_t rest = bytes_left(stacks, open->set);
  for (uint32_t i = 0; i < stacks->free_count; ++i) {
    const layer_t *layer = stacks->free[i];
    bool is_twin = i && !(open->set >> (i - 1) & 1) &&
                   stacks->free[i - 1]->size == layer->size &&
                   stacks->free[i - 1]->begin == layer->begin &&
                   stacks->free[i - 1]->alignment == layer->alignment;
    if (open->set >> i & 1 || is_twin)
      continue;
    uint64_t end = place(stacks, layer, open->end);
    if (end < UINT64_MAX)
      reach(stacks, open->set | UINT64_C(1) << i, end, rest - layer->size);
  }
  stacks->steps += stacks->free_count * (1 + stacks->fixed_count);
}

// A lower bound on the end of all layers, the least one unless the work ends.
static uint64_t least_end(stacks_t *stacks) {
  uint64_t all = (UINT64_C(1) << stacks->free_count) - 1, needed = 0;
  ++stacks->round;
  stacks->open_count = 0;
  reach(stacks, 0, 0, stacks->free_bytes);
  for (size_t sets = 0; stacks->open_count && stacks->steps < stacks->limit;
       ++sets) {
    open_t open = pop(stacks);
    needed = open.needed;
    if (open.set == all || stacks->open_count + MOST > stacks->set_room ||
        sets + MOST > stacks->set_room)
      break;
    if (open.end == find(stacks, open.set)->end)
      extend(stacks, &open);
  }
  return needed;
}

static gmem_status_t look_at(stacks_t *stacks, gmem_scratch_t *memory,
                             const uint32_t *live, size_t count) {
  if (!list_section(stacks, live, count) ||
      stack_by_alignment(stacks) <= stacks->best)
    return GMEM_OK;
  GMEM_TRY(make_room(stacks, memory));
  uint64_t end = least_end(stacks);
  if (end > stacks->best && end <= GMEM_MAX_ADDRESS)
    stacks->best = end;
  return GMEM_OK;
}

//===--- all sections -----------------------------------------------------===//

// Items in branches are left out: they may share bytes.
static void list_layers(stacks_t *stacks) {
  const gmem_packing_t *packing = stacks->packing;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    for (gmem_live_part_t live = {0};
         !item->has_branches && gmem_next_live(packing, item, &live);) {
      stacks->spans[stacks->count] = live.span;
      stacks->layers[stacks->count++] = (layer_t){
          .begin = live.begin,
          .size = live.end - live.begin,
          .alignment = item->alignment,
          .fixed = gmem_is_fixed(item) ? item->fixed_offset + live.begin
                                       : GMEM_NOT_FIXED};
    }
  }
}

static gmem_status_t look_at_all(stacks_t *stacks, gmem_scratch_t *memory) {
  gmem_live_sets_t sets;
  stacks->room = stacks->packing->count + stacks->packing->span_count;
  GMEM_TRY_NEW(stacks->layers, memory, stacks->room);
  GMEM_TRY_NEW(stacks->spans, memory, stacks->room);
  GMEM_TRY_NEW(stacks->fixed, memory, 2 * stacks->room);
  list_layers(stacks);
  GMEM_TRY(
      gmem_live_sets_create(stacks->spans, NULL, stacks->count, memory, &sets));
  while (stacks->steps < stacks->limit && gmem_live_sets_next(&sets))
    GMEM_TRY(look_at(stacks, memory, sets.live, sets.live_count));
  return GMEM_OK;
}

// Whether all items are aligned to the granule and none is fixed: the order in
// which they are stacked does not matter then.
static bool is_uniform(const gmem_packing_t *packing) {
  for (uint32_t i = 0; i < packing->count; ++i)
    if (packing->items[i].alignment != packing->granule ||
        gmem_is_fixed(&packing->items[i]))
      return false;
  return true;
}

gmem_status_t gmem_raise_bound_by_stacks(gmem_packing_t *packing,
                                         gmem_diag_t *diag) {
  uint64_t steps = STEPS_PER_ITEM * packing->count;
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  stacks_t stacks = {.packing = packing,
                     .best = packing->bound,
                     .limit = steps < MOST_STEPS ? steps : MOST_STEPS};
  if (is_uniform(packing))
    return GMEM_OK;
  gmem_status_t status = look_at_all(&stacks, &memory);
  gmem_scratch_free(&memory);
  packing->bound_steps += stacks.steps;
  packing->bound = stacks.best;
  return status;
}
