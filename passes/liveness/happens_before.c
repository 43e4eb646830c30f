// happens_before.c - see happens_before.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "happens_before.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "uses.h"

// An op accesses a buffer; |stream| is where the access may still run when the
// op ends, 0: it is done by then.
typedef struct access_s {
  uint32_t op, stream, buffer;
  bool is_last; // ordered after the accesses inside of the op or its callee
} access_t;

// Extends the live range of a buffer to steps [begin, end) of a function, or to
// the whole timeline.
typedef struct extension_s {
  uint32_t buffer, function; // GMEM_NO_INDEX: the whole timeline
  int64_t begin, end;
} extension_t;

typedef struct accesses_s {
  access_t *at;
  size_t count, room;
} accesses_t;

typedef struct analysis_s {
  const gmem_streams_t *streams;
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  gmem_liveness_t *liveness;
  gmem_stream_buffer_t *extra;
  size_t buffer_count;
  gmem_bump_t *arena;
  gmem_happens_before_t *order;
  accesses_t accesses; // in blocks with an op in a stream
  accesses_t
      *by_calls; // by function: accesses that a call of it performs; |op| is 0
  accesses_t *direct;  // by function: direct accesses of its ops
  accesses_t *running; // by stream - 1: earlier accesses in the current block,
                       // in program order
  extension_t *extensions;
  size_t extension_count, extension_room;
  size_t pair_room;
  uint32_t *visited; // by value: alias set + 1 for which it was visited last
  uint32_t *stack;   // values
  bool out_of_memory;
} analysis_t;

static bool add_access(analysis_t *analysis, accesses_t *accesses,
                       access_t access) {
  analysis->out_of_memory |=
      !gmem_bump_grow(analysis->arena, &accesses->at, accesses->count,
                      &accesses->room, sizeof access);
  if (!analysis->out_of_memory)
    accesses->at[accesses->count++] = access;
  return !analysis->out_of_memory;
}

static void extend(analysis_t *analysis, uint32_t buffer, uint32_t function,
                   int64_t begin, int64_t end) {
  analysis->out_of_memory |= !gmem_bump_grow(
      analysis->arena, &analysis->extensions, analysis->extension_count,
      &analysis->extension_room, sizeof *analysis->extensions);
  if (!analysis->out_of_memory)
    analysis->extensions[analysis->extension_count++] =
        (extension_t){buffer, function, begin, end};
}

static void keep_always(analysis_t *analysis, uint32_t buffer) {
  analysis->order->is_pending_at_exit[buffer] = true;
  extend(analysis, buffer, GMEM_NO_INDEX, 0, 0);
}

//===--- accesses of ops to buffers --------------------------------------===//

static void add_direct(analysis_t *analysis, uint32_t op, uint32_t buffer,
                       bool is_last) {
  const gmem_stream_group_t *group =
      gmem_stream_group_of(analysis->streams, op);
  accesses_t *direct = &analysis->direct[analysis->program->ops[op].function];
  add_access(analysis, direct, (access_t){op, 0, buffer, is_last});
  if (!group)
    return;
  // A layer group may access its buffers from its first op to its last.
  if (group->is_scattered)
    keep_always(analysis, buffer);
  add_access(analysis, direct, (access_t){group->first, 0, buffer, false});
  add_access(analysis, direct, (access_t){group->last, 0, buffer, true});
}

// Whether the op only makes a view of |value| and does not access its memory.
static bool only_makes_view(const gmem_program_op_t *op, MlirValue value) {
  if (op->kind != GMEM_OP_VIEW && op->kind != GMEM_OP_RESHAPE)
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op->op, i), value))
      return false;
  return true;
}

// Whether |view| has no memory of its own (a handle or a memref), so that its
// uses may access the memory that it was made from.
static bool is_view_without_memory(const analysis_t *analysis, uint32_t view) {
  gmem_type_kind_t type = analysis->program->values[view].type;
  return analysis->liveness->set_of[view] == GMEM_NO_INDEX &&
         !gmem_is_memref_root(analysis->program, view) &&
         (type == GMEM_TYPE_NO_MEMORY || type == GMEM_TYPE_MEMREF);
}

static void visit(analysis_t *analysis, uint32_t value, uint32_t set,
                  size_t *depth) {
  if (analysis->visited[value] == set + 1)
    return;
  analysis->visited[value] = set + 1;
  analysis->stack[(*depth)++] = value;
}

// Adds the access of op |user| to the alias set through |value|, and follows
// the views that it makes.
static void add_user(analysis_t *analysis, uint32_t user, uint32_t value,
                     uint32_t set, size_t *depth) {
  const gmem_program_op_t *op = &analysis->program->ops[user];
  if (!only_makes_view(op, analysis->program->values[value].value))
    add_direct(analysis, user, set, false);
  if (op->kind != GMEM_OP_RESHAPE && op->kind != GMEM_OP_VIEW &&
      op->kind != GMEM_OP_UNKNOWN)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op->op); ++i) {
    uint32_t view =
        gmem_program_find(analysis->program, mlirOperationGetResult(op->op, i));
    if (view != GMEM_NO_INDEX && is_view_without_memory(analysis, view))
      visit(analysis, view, set, depth);
  }
}

// Adds the access that defines a member, unless the op only reserves memory.
// Block arguments are written by control flow: the access belongs to the op
// around the block, or to the calls of the function.
static void add_definition(analysis_t *analysis, uint32_t value, uint32_t set) {
  const gmem_program_t *program = analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_ir_region_t *region =
      &program->regions[program->blocks[entry->block].region];
  if (entry->op != GMEM_NO_INDEX) {
    gmem_op_kind_t kind = program->ops[entry->op].kind;
    if (kind != GMEM_OP_EMPTY && kind != GMEM_OP_ALLOC &&
        kind != GMEM_OP_RESHAPE && kind != GMEM_OP_VIEW)
      add_direct(analysis, entry->op, set, true);
  } else if (region->owner != GMEM_NO_INDEX) {
    add_direct(analysis, region->owner, set, false);
  } else {
    add_access(analysis, &analysis->by_calls[region->function],
               (access_t){0, 0, set, false});
  }
}

static void visit_members(analysis_t *analysis, uint32_t value, uint32_t set,
                          size_t *depth) {
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(&analysis->liveness->memrefs, value);
  const gmem_live_value_t *live = &analysis->liveness->live_values[value];
  visit(analysis, value, set, depth);
  if (!site)
    add_definition(analysis, value, set);
  // The users are unknown, or too many to enumerate per site.
  if (live->is_escaping || (site && site->is_shared))
    keep_always(analysis, set);
  for (size_t i = 0; site && !site->is_shared && i < site->seen_count; ++i)
    visit(analysis, site->seen_as[i], set, depth);
}

static void list_accesses(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  const gmem_uses_t *uses = analysis->liveness->uses;
  size_t sets = analysis->liveness->set_count;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t set = analysis->liveness->set_of[i];
    size_t depth = 0;
    if (set == GMEM_NO_INDEX)
      continue;
    visit_members(analysis, i, set, &depth);
    while (depth) {
      uint32_t value = analysis->stack[--depth];
      for (uint32_t u = uses->first_user[value];
           u < uses->first_user[value + 1]; ++u)
        add_user(analysis, uses->users[u], value, set, &depth);
    }
  }
  for (size_t i = sets; i < analysis->buffer_count; ++i)
    add_direct(analysis, analysis->extra[i - sets].op, (uint32_t)i, false);
}

//===--- propagation to enclosing blocks and callers ---------------------===//

static int compare_accesses(const void *a, const void *b) {
  const access_t *left = a, *right = b;
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  if (left->is_last != right->is_last)
    return left->is_last ? 1 : -1;
  if (left->buffer != right->buffer)
    return left->buffer < right->buffer ? -1 : 1;
  return (left->stream > right->stream) - (left->stream < right->stream);
}

// Sorts the accesses and removes duplicates.
static void sort_unique(accesses_t *accesses) {
  size_t kept = 0;
  if (accesses->count)
    qsort(accesses->at, accesses->count, sizeof *accesses->at,
          compare_accesses);
  for (size_t i = 0; i < accesses->count; ++i)
    if (kept == 0 ||
        compare_accesses(&accesses->at[kept - 1], &accesses->at[i]) != 0)
      accesses->at[kept++] = accesses->at[i];
  accesses->count = kept;
}

// Whether the op may run at any time.
static bool may_run_anytime(const analysis_t *analysis, uint32_t op) {
  const gmem_program_t *program = analysis->program;
  const gmem_program_op_t *entry = &program->ops[op];
  const gmem_callee_t *callee = &analysis->calls->callees[entry->function];
  return entry->late || callee->recursive || callee->escapes ||
         analysis->liveness->uses
             ->unordered[program->blocks[entry->block].region];
}

// Records the access in the block of its op, of each enclosing op, and for
// calls of the function.
static void propagate(analysis_t *analysis, access_t access) {
  const gmem_streams_t *streams = analysis->streams;
  const gmem_program_t *program = analysis->program;
  for (;;) {
    const gmem_program_op_t *entry = &program->ops[access.op];
    const gmem_ir_region_t *region =
        &program->regions[program->blocks[entry->block].region];
    if (streams->stream_of[access.op])
      access.stream = streams->stream_of[access.op];
    if (may_run_anytime(analysis, access.op))
      keep_always(analysis, access.buffer);
    if (streams->has_streams[entry->block])
      add_access(analysis, &analysis->accesses, access);
    if (access.stream &&
        gmem_stream_is_done(streams, access.op, access.stream, GMEM_NO_INDEX))
      access.stream = 0;
    bool has_calls = region->owner == GMEM_NO_INDEX &&
                     analysis->calls->callees[region->function].mentions != 0;
    bool is_left = access.stream && (region->owner != GMEM_NO_INDEX ||
                                     region->block_count > 1 || has_calls);
    if (is_left)
      analysis->order->is_pending_at_exit[access.buffer] = true;
    if (is_left && !(has_calls && region->block_count == 1))
      extend(analysis, access.buffer, region->function, region->begin,
             region->end);
    if (region->owner == GMEM_NO_INDEX) {
      access.op = 0;
      access.is_last = false;
      if (has_calls)
        add_access(analysis, &analysis->by_calls[region->function], access);
      return;
    }
    access.op = region->owner;
    access.is_last = false;
  }
}

static void propagate_all(analysis_t *analysis) {
  for (size_t i = 0; i < analysis->program->function_count; ++i) {
    uint32_t function = analysis->calls->order[i];
    const gmem_callee_t *caller = &analysis->calls->callees[function];
    sort_unique(&analysis->direct[function]);
    for (size_t t = 0; t < analysis->direct[function].count; ++t)
      propagate(analysis, analysis->direct[function].at[t]);
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      const gmem_call_t *call = &analysis->calls->calls[c];
      const accesses_t *inside = &analysis->by_calls[call->callee];
      for (size_t t = 0; t < inside->count && !analysis->out_of_memory; ++t)
        propagate(analysis, (access_t){call->op, inside->at[t].stream,
                                       inside->at[t].buffer, false});
    }
    sort_unique(&analysis->by_calls[function]);
  }
  sort_unique(&analysis->accesses);
}

//===--- pairs without a happens-before order -----------------------------===//

static gmem_stream_use_t use_of(const access_t *access) {
  return (gmem_stream_use_t){access->op, access->stream};
}

static void add_pair(analysis_t *analysis, const access_t *first,
                     const access_t *second) {
  gmem_happens_before_t *order = analysis->order;
  const access_t *low = first->buffer < second->buffer ? first : second;
  const access_t *high = low == first ? second : first;
  analysis->out_of_memory |=
      !gmem_bump_grow(analysis->arena, &order->pairs, order->count,
                      &analysis->pair_room, sizeof *order->pairs);
  if (!analysis->out_of_memory)
    order->pairs[order->count++] = (gmem_stream_pair_t){
        low->buffer, high->buffer, use_of(low), use_of(high), false};
}

// Whether |left| has ended, except for work in a stream, when |right| begins.
// Accesses inside of the same op have been compared in its own blocks.
static bool comes_before(const access_t *left, const access_t *right) {
  return left->op != right->op ? left->op < right->op
                               : !left->is_last && right->is_last;
}

// Adds the pairs of |access| with earlier accesses that may still run in other
// streams.
static void add_pairs(analysis_t *analysis, const access_t *access) {
  for (uint32_t s = 1; s <= analysis->streams->count; ++s) {
    const accesses_t *running = &analysis->running[s - 1];
    for (size_t i = running->count; i-- > 0 && s != access->stream;) {
      const access_t *earlier = &running->at[i];
      if (gmem_stream_is_done(analysis->streams, earlier->op, s, access->op))
        break; // and so are all earlier ones: a stream runs in order
      if (earlier->buffer != access->buffer)
        add_pair(analysis, earlier, access);
    }
  }
}

// Finds the pairs among the |count| accesses of one block, in program order.
// Returns false, and adds none, if there are more than |limit|.
static bool find_pairs(analysis_t *analysis, const access_t *accesses,
                       size_t count, size_t limit) {
  size_t first_pair = analysis->order->count, ended = 0;
  for (uint32_t s = 0; s < analysis->streams->count; ++s)
    analysis->running[s].count = 0;
  for (size_t i = 0; i < count && !analysis->out_of_memory; ++i) {
    for (; comes_before(&accesses[ended], &accesses[i]); ++ended)
      if (accesses[ended].stream)
        add_access(analysis, &analysis->running[accesses[ended].stream - 1],
                   accesses[ended]);
    add_pairs(analysis, &accesses[i]);
    if (analysis->order->count - first_pair <= limit)
      continue;
    analysis->order->count = first_pair;
    return false;
  }
  return true;
}

// The first step of the block at which the host knows that |access| is done, or
// the end of the block.
static int64_t end_of(const analysis_t *analysis, const access_t *access) {
  const gmem_program_t *program = analysis->program;
  const gmem_streams_t *streams = analysis->streams;
  const gmem_block_t *block = &program->blocks[program->ops[access->op].block];
  for (uint32_t i = streams->next_op[access->op]; i != GMEM_NO_INDEX;
       i = streams->next_op[i])
    if (!streams->stream_of[i] && !gmem_may_vanish(&program->ops[i]) &&
        gmem_stream_is_done(streams, access->op, access->stream, i))
      return program->ops[i].begin;
  return block->end;
}

static void keep_until_done(analysis_t *analysis, const access_t *access) {
  const gmem_program_op_t *entry = &analysis->program->ops[access->op];
  if (access->stream)
    extend(analysis, access->buffer, entry->function, entry->begin,
           end_of(analysis, access));
}

static uint32_t block_of(const analysis_t *analysis, const access_t *access) {
  return analysis->program->ops[access->op].block;
}

// Sorts the accesses by block: a stable counting sort.
static access_t *sort_by_block(analysis_t *analysis, size_t **out_first) {
  size_t blocks = analysis->program->block_count;
  const accesses_t *all = &analysis->accesses;
  size_t *first = gmem_bump_alloc(analysis->arena, blocks + 1, sizeof *first);
  access_t *sorted =
      gmem_bump_alloc(analysis->arena, all->count, sizeof *sorted);
  *out_first = first;
  if (!first || !sorted)
    return NULL;
  size_t total = 0;
  for (size_t i = 0; i < all->count; ++i)
    ++first[block_of(analysis, &all->at[i])];
  for (size_t b = 0; b <= blocks; ++b)
    first[b] = total += first[b];
  for (size_t i = all->count; i-- > 0;)
    sorted[--first[block_of(analysis, &all->at[i])]] = all->at[i];
  return sorted;
}

static void order_blocks(analysis_t *analysis) {
  enum { PAIRS_PER_BUFFER = 64, PAIRS_ANYWAY = 1 << 20 };
  size_t limit = analysis->buffer_count * PAIRS_PER_BUFFER + PAIRS_ANYWAY;
  size_t *first;
  access_t *accesses = sort_by_block(analysis, &first);
  analysis->out_of_memory |= !accesses;
  for (size_t b = 0;
       !analysis->out_of_memory && b < analysis->program->block_count; ++b) {
    size_t count = first[b + 1] - first[b];
    if (count == 0 || (analysis->streams->known &&
                       find_pairs(analysis, &accesses[first[b]], count, limit)))
      continue;
    for (size_t i = first[b]; i < first[b + 1]; ++i)
      keep_until_done(analysis, &accesses[i]);
  }
}

//===--- extension of live ranges -----------------------------------------===//

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

static const gmem_live_range_t *ranges_of(const analysis_t *analysis,
                                          uint32_t buffer, size_t *out_count) {
  size_t sets = analysis->liveness->set_count;
  if (buffer < sets) {
    *out_count = analysis->liveness->sets[buffer].range_count;
    return analysis->liveness->sets[buffer].ranges;
  }
  *out_count = analysis->extra[buffer - sets].range_count;
  return analysis->extra[buffer - sets].ranges;
}

static void set_ranges(analysis_t *analysis, uint32_t buffer,
                       const gmem_live_range_t *ranges, size_t count) {
  size_t sets = analysis->liveness->set_count;
  if (buffer < sets) {
    gmem_alias_set_t *set = &analysis->liveness->sets[buffer];
    set->ranges = ranges;
    set->range_count = count;
    set->is_lasting = true;
  } else {
    analysis->extra[buffer - sets].ranges = ranges;
    analysis->extra[buffer - sets].range_count = count;
  }
}

// Applies |count| extensions to the live range of one buffer.
static void apply_extensions(analysis_t *analysis,
                             const extension_t *extensions, size_t count,
                             gmem_ranges_t *ranges) {
  const gmem_call_contexts_t *contexts = analysis->liveness->contexts;
  uint32_t buffer = extensions[0].buffer;
  size_t own_count;
  const gmem_live_range_t *own = ranges_of(analysis, buffer, &own_count);
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
  analysis->out_of_memory |= !copy;
  if (copy)
    set_ranges(analysis, buffer, copy, ranges->count);
}

static void apply_all_extensions(analysis_t *analysis) {
  extension_t *all = analysis->extensions;
  size_t count = analysis->extension_count;
  gmem_ranges_t ranges = {.arena = analysis->arena};
  if (count)
    qsort(all, count, sizeof *all, compare_extensions);
  for (size_t i = 0, next; i < count && !analysis->out_of_memory; i = next) {
    for (next = i + 1; next < count && all[next].buffer == all[i].buffer;)
      ++next;
    apply_extensions(analysis, &all[i], next - i, &ranges);
  }
}

//===--- the analysis -----------------------------------------------------===//

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

// Sorts the pairs, keeps one per pair of buffers, and sets |is_conflict|.
static void sort_unique_pairs(analysis_t *analysis) {
  const gmem_liveness_t *liveness = analysis->liveness;
  gmem_happens_before_t *order = analysis->order;
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

static bool make_tables(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  gmem_bump_t *arena = analysis->arena;
  size_t values = program->value_count, functions = program->function_count;
  analysis->order->is_pending_at_exit =
      gmem_bump_alloc(arena, analysis->buffer_count, sizeof(bool));
  analysis->by_calls = gmem_bump_alloc(arena, functions, sizeof(accesses_t));
  analysis->direct = gmem_bump_alloc(arena, functions, sizeof(accesses_t));
  analysis->running =
      gmem_bump_alloc(arena, analysis->streams->count, sizeof(accesses_t));
  analysis->visited = gmem_bump_alloc(arena, values, sizeof(uint32_t));
  analysis->stack = gmem_bump_alloc(arena, values, sizeof(uint32_t));
  return analysis->order->is_pending_at_exit && analysis->by_calls &&
         analysis->direct && analysis->running && analysis->visited &&
         analysis->stack;
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
  analysis_t analysis = {.streams = streams,
                         .program = streams->program,
                         .calls = streams->calls,
                         .liveness = liveness,
                         .extra = buffers,
                         .buffer_count = liveness->set_count + buffer_count,
                         .arena = arena,
                         .order = out_order};
  if (!make_tables(&analysis))
    return gmem_out_of_memory(diag);
  list_accesses(&analysis);
  if (!analysis.out_of_memory)
    propagate_all(&analysis);
  if (!analysis.out_of_memory)
    order_blocks(&analysis);
  if (!analysis.out_of_memory)
    apply_all_extensions(&analysis);
  if (analysis.out_of_memory)
    return gmem_out_of_memory(diag);
  sort_unique_pairs(&analysis);
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
