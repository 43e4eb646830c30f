// happens_before.c - see happens_before.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "happens_before.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "uses.h"

// An op uses a buffer, in |stream| (0: and is done with it when it ends).
typedef struct touch_s {
  uint32_t op, stream, buffer;
  bool is_last; // after all that is inside of the op, or called by it
} touch_t;

// A buffer is kept for steps [begin, end) of a function, or for ever.
typedef struct extension_s {
  uint32_t buffer, function; // GMEM_NO_INDEX: for ever
  int64_t begin, end;
} extension_t;

typedef struct touches_s {
  touch_t *at;
  size_t count, room;
} touches_t;

typedef struct finder_s {
  const gmem_streams_t *streams;
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  gmem_liveness_t *liveness;
  gmem_stream_buffer_t *extra;
  size_t buffer_count;
  gmem_bump_t *arena;
  gmem_happens_before_t *order;
  touches_t touches;   // of blocks in which something is in a stream
  touches_t *of_calls; // by function: of its callers' call, as op 0
  touches_t *own;      // by function: of its ops
  touches_t *running;  // by stream - 1: of the block at hand, in its order
  extension_t *extensions;
  size_t extension_count, extension_room;
  size_t pair_room;
  uint32_t *seen;  // by value: class that it has been looked at for, + 1
  uint32_t *stack; // values
  bool out_of_memory;
} finder_t;

static bool add_touch(finder_t *finder, touches_t *touches, touch_t touch) {
  finder->out_of_memory |=
      !gmem_bump_grow(finder->arena, &touches->at, touches->count,
                      &touches->room, sizeof touch);
  if (!finder->out_of_memory)
    touches->at[touches->count++] = touch;
  return !finder->out_of_memory;
}

static void extend(finder_t *finder, uint32_t buffer, uint32_t function,
                   int64_t begin, int64_t end) {
  finder->out_of_memory |= !gmem_bump_grow(
      finder->arena, &finder->extensions, finder->extension_count,
      &finder->extension_room, sizeof *finder->extensions);
  if (!finder->out_of_memory)
    finder->extensions[finder->extension_count++] =
        (extension_t){buffer, function, begin, end};
}

static void keep_for_ever(finder_t *finder, uint32_t buffer) {
  finder->order->is_open[buffer] = true;
  extend(finder, buffer, GMEM_NO_INDEX, 0, 0);
}

//===--- which ops use which buffers --------------------------------------===//

static void add_own(finder_t *finder, uint32_t op, uint32_t buffer,
                    bool is_last) {
  const gmem_stream_group_t *group = gmem_stream_group_of(finder->streams, op);
  touches_t *own = &finder->own[finder->program->ops[op].function];
  add_touch(finder, own, (touch_t){op, 0, buffer, is_last});
  if (!group)
    return;
  // It reads and writes from its first op to its last.
  if (group->is_scattered)
    keep_for_ever(finder, buffer);
  add_touch(finder, own, (touch_t){group->first, 0, buffer, false});
  add_touch(finder, own, (touch_t){group->last, 0, buffer, true});
}

// Whether the op does no more with |value| than to make a view of it.
static bool only_shows(const gmem_op_t *op, MlirValue value) {
  if (op->kind != GMEM_OP_VIEW && op->kind != GMEM_OP_RESHAPE)
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op->op, i), value))
      return false;
  return true;
}

// Whether |value| is seen as something that has no memory of its own: a handle,
// or a memref.
static bool is_seen_as(const finder_t *finder, uint32_t view) {
  gmem_type_kind_t type = finder->program->values[view].type;
  return finder->liveness->set_of[view] == GMEM_NO_INDEX &&
         !gmem_is_memref_root(finder->program, view) &&
         (type == GMEM_TYPE_NO_MEMORY || type == GMEM_TYPE_MEMREF);
}

static void look_at(finder_t *finder, uint32_t value, uint32_t set,
                    size_t *depth) {
  if (finder->seen[value] == set + 1)
    return;
  finder->seen[value] = set + 1;
  finder->stack[(*depth)++] = value;
}

// Adds what op |user| does to the class by what it sees of it as |value|.
static void add_user(finder_t *finder, uint32_t user, uint32_t value,
                     uint32_t set, size_t *depth) {
  const gmem_op_t *op = &finder->program->ops[user];
  if (!only_shows(op, finder->program->values[value].value))
    add_own(finder, user, set, false);
  if (op->kind != GMEM_OP_RESHAPE && op->kind != GMEM_OP_VIEW &&
      op->kind != GMEM_OP_UNKNOWN)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op->op); ++i) {
    uint32_t view =
        gmem_program_find(finder->program, mlirOperationGetResult(op->op, i));
    if (view != GMEM_NO_INDEX && is_seen_as(finder, view))
      look_at(finder, view, set, depth);
  }
}

// What makes a value of the class, unless that is no more than a place. Control
// flow writes arguments of blocks, around which is an op or a call.
static void add_maker(finder_t *finder, uint32_t value, uint32_t set) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_ir_region_t *region =
      &program->regions[program->blocks[entry->block].region];
  if (entry->op != GMEM_NO_INDEX) {
    gmem_op_kind_t kind = program->ops[entry->op].kind;
    if (kind != GMEM_OP_EMPTY && kind != GMEM_OP_ALLOC &&
        kind != GMEM_OP_RESHAPE && kind != GMEM_OP_VIEW)
      add_own(finder, entry->op, set, true);
  } else if (region->owner != GMEM_NO_INDEX) {
    add_own(finder, region->owner, set, false);
  } else {
    add_touch(finder, &finder->of_calls[region->function],
              (touch_t){0, 0, set, false});
  }
}

static void look_at_members(finder_t *finder, uint32_t value, uint32_t set,
                            size_t *depth) {
  const gmem_allocation_site_t *root =
      gmem_allocation_site_of(&finder->liveness->memrefs, value);
  const gmem_live_value_t *live = &finder->liveness->live_values[value];
  look_at(finder, value, set, depth);
  if (!root)
    add_maker(finder, value, set);
  // Who uses it is not known then, or too much to look at for each.
  if (live->is_escaping || (root && root->is_shared))
    keep_for_ever(finder, set);
  for (size_t i = 0; root && !root->is_shared && i < root->seen_count; ++i)
    look_at(finder, root->seen_as[i], set, depth);
}

static void list_touches(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  const gmem_uses_t *uses = finder->liveness->uses;
  size_t sets = finder->liveness->set_count;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t set = finder->liveness->set_of[i];
    size_t depth = 0;
    if (set == GMEM_NO_INDEX)
      continue;
    look_at_members(finder, i, set, &depth);
    while (depth) {
      uint32_t value = finder->stack[--depth];
      for (uint32_t u = uses->first_user[value];
           u < uses->first_user[value + 1]; ++u)
        add_user(finder, uses->users[u], value, set, &depth);
    }
  }
  for (size_t i = sets; i < finder->buffer_count; ++i)
    add_own(finder, finder->extra[i - sets].op, (uint32_t)i, false);
}

//===--- block by block ---------------------------------------------------===//

static int compare_touches(const void *a, const void *b) {
  const touch_t *left = a, *right = b;
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  if (left->is_last != right->is_last)
    return left->is_last ? 1 : -1;
  if (left->buffer != right->buffer)
    return left->buffer < right->buffer ? -1 : 1;
  return (left->stream > right->stream) - (left->stream < right->stream);
}

// Sorts them; each is left once.
static void tidy(touches_t *touches) {
  size_t kept = 0;
  if (touches->count)
    qsort(touches->at, touches->count, sizeof *touches->at, compare_touches);
  for (size_t i = 0; i < touches->count; ++i)
    if (kept == 0 ||
        compare_touches(&touches->at[kept - 1], &touches->at[i]) != 0)
      touches->at[kept++] = touches->at[i];
  touches->count = kept;
}

// Whether nothing can be said of when the op runs.
static bool is_anytime(const finder_t *finder, uint32_t op) {
  const gmem_program_t *program = finder->program;
  const gmem_op_t *step = &program->ops[op];
  const gmem_callee_t *callee = &finder->calls->callees[step->function];
  return step->late || callee->recursive || callee->escapes ||
         finder->liveness->uses->unordered[program->blocks[step->block].region];
}

// Notes the touch in its block, as that of each op around its op, and as that
// of the function's calls.
static void climb(finder_t *finder, touch_t touch) {
  const gmem_streams_t *streams = finder->streams;
  const gmem_program_t *program = finder->program;
  for (;;) {
    const gmem_op_t *step = &program->ops[touch.op];
    const gmem_ir_region_t *region =
        &program->regions[program->blocks[step->block].region];
    if (streams->stream_of[touch.op])
      touch.stream = streams->stream_of[touch.op];
    if (is_anytime(finder, touch.op))
      keep_for_ever(finder, touch.buffer);
    if (streams->has_streams[step->block])
      add_touch(finder, &finder->touches, touch);
    if (touch.stream &&
        gmem_stream_is_done(streams, touch.op, touch.stream, GMEM_NO_INDEX))
      touch.stream = 0;
    bool is_called = region->owner == GMEM_NO_INDEX &&
                     finder->calls->callees[region->function].mentions != 0;
    bool is_left = touch.stream && (region->owner != GMEM_NO_INDEX ||
                                    region->block_count > 1 || is_called);
    if (is_left)
      finder->order->is_open[touch.buffer] = true;
    if (is_left && !(is_called && region->block_count == 1))
      extend(finder, touch.buffer, region->function, region->begin,
             region->end);
    if (region->owner == GMEM_NO_INDEX) {
      touch.op = 0;
      touch.is_last = false;
      if (is_called)
        add_touch(finder, &finder->of_calls[region->function], touch);
      return;
    }
    touch.op = region->owner;
    touch.is_last = false;
  }
}

static void climb_all(finder_t *finder) {
  for (size_t i = 0; i < finder->program->function_count; ++i) {
    uint32_t function = finder->calls->order[i];
    const gmem_callee_t *caller = &finder->calls->callees[function];
    tidy(&finder->own[function]);
    for (size_t t = 0; t < finder->own[function].count; ++t)
      climb(finder, finder->own[function].at[t]);
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      const gmem_call_t *call = &finder->calls->calls[c];
      const touches_t *inside = &finder->of_calls[call->callee];
      for (size_t t = 0; t < inside->count && !finder->out_of_memory; ++t)
        climb(finder, (touch_t){call->op, inside->at[t].stream,
                                inside->at[t].buffer, false});
    }
    tidy(&finder->of_calls[function]);
  }
  tidy(&finder->touches);
}

//===--- what nothing orders ----------------------------------------------===//

static gmem_stream_use_t use_of(const touch_t *touch) {
  return (gmem_stream_use_t){touch->op, touch->stream};
}

static void add_pair(finder_t *finder, const touch_t *first,
                     const touch_t *second) {
  gmem_happens_before_t *order = finder->order;
  const touch_t *low = first->buffer < second->buffer ? first : second;
  const touch_t *high = low == first ? second : first;
  finder->out_of_memory |=
      !gmem_bump_grow(finder->arena, &order->pairs, order->count,
                      &finder->pair_room, sizeof *order->pairs);
  if (!finder->out_of_memory)
    order->pairs[order->count++] = (gmem_stream_pair_t){
        low->buffer, high->buffer, use_of(low), use_of(high), false};
}

// Whether the one is over, but for what is in a stream, when the other begins.
// What is inside of one op has been compared there.
static bool comes_before(const touch_t *left, const touch_t *right) {
  return left->op != right->op ? left->op < right->op
                               : !left->is_last && right->is_last;
}

// Adds the pairs of |touch| with what may still run in other streams when it is
// made.
static void add_pairs(finder_t *finder, const touch_t *touch) {
  for (uint32_t s = 1; s <= finder->streams->count; ++s) {
    const touches_t *running = &finder->running[s - 1];
    for (size_t i = running->count; i-- > 0 && s != touch->stream;) {
      const touch_t *earlier = &running->at[i];
      if (gmem_stream_is_done(finder->streams, earlier->op, s, touch->op))
        break; // and so is all that is before it
      if (earlier->buffer != touch->buffer)
        add_pair(finder, earlier, touch);
    }
  }
}

// Finds the pairs among |count| touches of one block, in its order. Returns
// false when there are more than |most|.
static bool pair_up(finder_t *finder, const touch_t *touches, size_t count,
                    size_t most) {
  size_t first_pair = finder->order->count, begun = 0;
  for (uint32_t s = 0; s < finder->streams->count; ++s)
    finder->running[s].count = 0;
  for (size_t i = 0; i < count && !finder->out_of_memory; ++i) {
    for (; comes_before(&touches[begun], &touches[i]); ++begun)
      if (touches[begun].stream)
        add_touch(finder, &finder->running[touches[begun].stream - 1],
                  touches[begun]);
    add_pairs(finder, &touches[i]);
    if (finder->order->count - first_pair <= most)
      continue;
    finder->order->count = first_pair;
    return false;
  }
  return true;
}

// The step from which on all know that what |touch| is of is done.
static int64_t end_of(const finder_t *finder, const touch_t *touch) {
  const gmem_program_t *program = finder->program;
  const gmem_streams_t *streams = finder->streams;
  const gmem_block_t *block = &program->blocks[program->ops[touch->op].block];
  for (uint32_t i = streams->next_op[touch->op]; i != GMEM_NO_INDEX;
       i = streams->next_op[i])
    if (!streams->stream_of[i] && !gmem_may_vanish(&program->ops[i]) &&
        gmem_stream_is_done(streams, touch->op, touch->stream, i))
      return program->ops[i].begin;
  return block->end;
}

static void keep_until_done(finder_t *finder, const touch_t *touch) {
  const gmem_op_t *step = &finder->program->ops[touch->op];
  if (touch->stream)
    extend(finder, touch->buffer, step->function, step->begin,
           end_of(finder, touch));
}

static uint32_t block_of(const finder_t *finder, const touch_t *touch) {
  return finder->program->ops[touch->op].block;
}

// Sorts the touches by block, by counting, in the order that they have.
static touch_t *sort_by_block(finder_t *finder, size_t **out_first) {
  size_t blocks = finder->program->block_count;
  const touches_t *all = &finder->touches;
  size_t *first = gmem_bump_alloc(finder->arena, blocks + 1, sizeof *first);
  touch_t *sorted = gmem_bump_alloc(finder->arena, all->count, sizeof *sorted);
  *out_first = first;
  if (!first || !sorted)
    return NULL;
  size_t total = 0;
  for (size_t i = 0; i < all->count; ++i)
    ++first[block_of(finder, &all->at[i])];
  for (size_t b = 0; b <= blocks; ++b)
    first[b] = total += first[b];
  for (size_t i = all->count; i-- > 0;)
    sorted[--first[block_of(finder, &all->at[i])]] = all->at[i];
  return sorted;
}

static void order_blocks(finder_t *finder) {
  enum { PAIRS_PER_BUFFER = 64, PAIRS_ANYWAY = 1 << 20 };
  size_t most = finder->buffer_count * PAIRS_PER_BUFFER + PAIRS_ANYWAY;
  size_t *first;
  touch_t *touches = sort_by_block(finder, &first);
  finder->out_of_memory |= !touches;
  for (size_t b = 0; !finder->out_of_memory && b < finder->program->block_count;
       ++b) {
    size_t count = first[b + 1] - first[b];
    if (count == 0 || (finder->streams->known &&
                       pair_up(finder, &touches[first[b]], count, most)))
      continue;
    for (size_t i = first[b]; i < first[b + 1]; ++i)
      keep_until_done(finder, &touches[i]);
  }
}

//===--- longer lives -----------------------------------------------------===//

static int compare_extensions(const void *a, const void *b) {
  const extension_t *left = a, *right = b;
  if (left->buffer != right->buffer)
    return left->buffer < right->buffer ? -1 : 1;
  if (left->function != right->function)
    return left->function < right->function ? -1 : 1;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

static const gmem_live_range_t *ranges_of(const finder_t *finder,
                                          uint32_t buffer, size_t *out_count) {
  size_t sets = finder->liveness->set_count;
  if (buffer < sets) {
    *out_count = finder->liveness->sets[buffer].range_count;
    return finder->liveness->sets[buffer].ranges;
  }
  *out_count = finder->extra[buffer - sets].range_count;
  return finder->extra[buffer - sets].ranges;
}

static void set_ranges(finder_t *finder, uint32_t buffer,
                       const gmem_live_range_t *ranges, size_t count) {
  size_t sets = finder->liveness->set_count;
  if (buffer < sets) {
    gmem_alias_set_t *set = &finder->liveness->sets[buffer];
    set->ranges = ranges;
    set->range_count = count;
    set->is_lasting = true;
  } else {
    finder->extra[buffer - sets].ranges = ranges;
    finder->extra[buffer - sets].range_count = count;
  }
}

// Adds |count| extensions of one buffer to its life.
static void lengthen(finder_t *finder, const extension_t *extensions,
                     size_t count, gmem_ranges_t *ranges) {
  const gmem_call_contexts_t *contexts = finder->liveness->contexts;
  uint32_t buffer = extensions[0].buffer;
  size_t own_count;
  const gmem_live_range_t *own = ranges_of(finder, buffer, &own_count);
  ranges->count = 0;
  gmem_ranges_add_all(ranges, own, own_count);
  for (size_t i = 0; i < count; ++i) {
    const extension_t *one = &extensions[i];
    if (i && compare_extensions(one, one - 1) == 0)
      continue;
    if (one->function == GMEM_NO_INDEX)
      gmem_ranges_add(ranges, 0, gmem_call_contexts_length(contexts));
    else
      gmem_contexts_add_range(contexts, one->function, one->begin, one->end,
                              ranges);
  }
  gmem_ranges_normalise(ranges);
  const gmem_live_range_t *copy = gmem_ranges_copy(ranges);
  finder->out_of_memory |= !copy;
  if (copy)
    set_ranges(finder, buffer, copy, ranges->count);
}

static void lengthen_all(finder_t *finder) {
  extension_t *all = finder->extensions;
  size_t count = finder->extension_count;
  gmem_ranges_t ranges = {.arena = finder->arena};
  if (count)
    qsort(all, count, sizeof *all, compare_extensions);
  for (size_t i = 0, next; i < count && !finder->out_of_memory; i = next) {
    for (next = i + 1; next < count && all[next].buffer == all[i].buffer;)
      ++next;
    lengthen(finder, &all[i], next - i, &ranges);
  }
}

//===--- all --------------------------------------------------------------===//

static int compare_buffers(const gmem_stream_pair_t *left,
                           const gmem_stream_pair_t *right) {
  if (left->low != right->low)
    return left->low < right->low ? -1 : 1;
  return (left->high > right->high) - (left->high < right->high);
}

static int compare_uses(const gmem_stream_use_t *left,
                        const gmem_stream_use_t *right) {
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  return (left->stream > right->stream) - (left->stream < right->stream);
}

static int compare_pairs(const void *a, const void *b) {
  const gmem_stream_pair_t *left = a, *right = b;
  int order = compare_buffers(left, right);
  if (order == 0)
    order = compare_uses(&left->use_of_low, &right->use_of_low);
  return order ? order : compare_uses(&left->use_of_high, &right->use_of_high);
}

// Each pair once.
static void tidy_pairs(finder_t *finder) {
  const gmem_liveness_t *liveness = finder->liveness;
  gmem_happens_before_t *order = finder->order;
  gmem_stream_pair_t *pairs = order->pairs;
  size_t kept = 0;
  if (order->count)
    qsort(pairs, order->count, sizeof *pairs, compare_pairs);
  for (size_t i = 0; i < order->count; ++i)
    if (kept == 0 || compare_buffers(&pairs[kept - 1], &pairs[i]) != 0)
      pairs[kept++] = pairs[i];
  order->count = kept;
  for (size_t i = 0; i < kept; ++i)
    pairs[i].is_conflict =
        pairs[i].high >= liveness->set_count ||
        !gmem_alias_sets_meet(liveness, pairs[i].low, pairs[i].high);
}

static bool make_tables(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_bump_t *arena = finder->arena;
  size_t values = program->value_count, functions = program->function_count;
  finder->order->is_open =
      gmem_bump_alloc(arena, finder->buffer_count, sizeof(bool));
  finder->of_calls = gmem_bump_alloc(arena, functions, sizeof(touches_t));
  finder->own = gmem_bump_alloc(arena, functions, sizeof(touches_t));
  finder->running =
      gmem_bump_alloc(arena, finder->streams->count, sizeof(touches_t));
  finder->seen = gmem_bump_alloc(arena, values, sizeof(uint32_t));
  finder->stack = gmem_bump_alloc(arena, values, sizeof(uint32_t));
  return finder->order->is_open && finder->of_calls && finder->own &&
         finder->running && finder->seen && finder->stack;
}

gmem_status_t gmem_happens_before_find(const gmem_streams_t *streams,
                                       gmem_liveness_t *liveness,
                                       gmem_stream_buffer_t *buffers,
                                       size_t buffer_count, gmem_bump_t *arena,
                                       gmem_happens_before_t *out_order,
                                       gmem_diag_t *diag) {
  *out_order = (gmem_happens_before_t){.streams = streams};
  if (streams->count == 0)
    return GMEM_OK;
  finder_t finder = {.streams = streams,
                     .program = streams->program,
                     .calls = streams->calls,
                     .liveness = liveness,
                     .extra = buffers,
                     .buffer_count = liveness->set_count + buffer_count,
                     .arena = arena,
                     .order = out_order};
  if (!make_tables(&finder))
    return gmem_out_of_memory(diag);
  list_touches(&finder);
  if (!finder.out_of_memory)
    climb_all(&finder);
  if (!finder.out_of_memory)
    order_blocks(&finder);
  if (!finder.out_of_memory)
    lengthen_all(&finder);
  if (finder.out_of_memory)
    return gmem_out_of_memory(diag);
  tidy_pairs(&finder);
  return GMEM_OK;
}

const gmem_stream_pair_t *
gmem_stream_pair_of(const gmem_happens_before_t *order, uint32_t a,
                    uint32_t b) {
  gmem_stream_pair_t key = {.low = a < b ? a : b, .high = a < b ? b : a};
  size_t low = 0, high = order->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_buffers(&order->pairs[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < order->count && compare_buffers(&order->pairs[low], &key) == 0
             ? &order->pairs[low]
             : NULL;
}
