// happens_before.c - see happens_before.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "happens_before.h"

#include <assert.h>
#include <stdlib.h>

#include "partition_point.h"

// An op accesses a buffer; |stream| is where the access may still run when the
// op ends, 0: it is done by then.
typedef struct access_s { // sorted by its fields in this order
  uint32_t op;
  uint32_t is_last; // 1: after the accesses inside of the op or its callee
  uint32_t buffer, stream;
} access_t;

typedef GMEM_LIST(access_t) accesses_t;

typedef GMEM_LIST(gmem_stream_pair_t) pairs_t;

typedef struct analysis_s {
  const gmem_streams_t *streams;
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const gmem_stream_inputs_t *from;
  gmem_bump_t *arena;
  gmem_happens_before_t *order;
  size_t buffer_count;
  accesses_t accesses; // in blocks with an op in a stream
  accesses_t
      *by_calls; // by function: accesses that a call of it performs; |op| is 0
  accesses_t *direct;  // by function: direct accesses of its ops
  accesses_t *running; // by stream - 1: earlier accesses in the current block,
                       // in program order
  gmem_ranges_t *extensions; // by buffer, on the timeline
  pairs_t pairs;
  GMEM_LIST(uint32_t) hosts; // of a block, in program order
  uint32_t *visited; // by value: alias set + 1 for which it was visited last
  uint32_t *stack;   // values
} analysis_t;

static void add_access(analysis_t *analysis, accesses_t *accesses,
                       access_t access) {
  assert(access.buffer < analysis->buffer_count &&
         access.stream <= analysis->streams->count);
  GMEM_APPEND(analysis->arena, accesses, access);
}

static void extend(analysis_t *analysis, uint32_t buffer, uint32_t function,
                   int64_t begin, int64_t end) {
  assert(buffer < analysis->buffer_count && begin <= end);
  gmem_contexts_add_range(analysis->from->facts->contexts, function, begin, end,
                          &analysis->extensions[buffer]);
}

static void keep_always(analysis_t *analysis, uint32_t buffer) {
  analysis->order->is_pending_at_exit[buffer] = true;
  gmem_ranges_add(&analysis->extensions[buffer], 0,
                  gmem_call_contexts_length(analysis->from->facts->contexts));
}

//===--- accesses of ops to buffers --------------------------------------===//

static void add_direct(analysis_t *analysis, uint32_t op, uint32_t buffer,
                       bool is_last) {
  const gmem_layer_group_t *group = gmem_layer_group_of(
      analysis->streams->groups, &analysis->program->ops[op]);
  accesses_t *direct = &analysis->direct[analysis->program->ops[op].function];
  add_access(analysis, direct, (access_t){op, is_last, buffer, 0});
  if (!group)
    return;
  // A layer group may access its buffers from its first op to its last.
  if (group->block == GMEM_NO_INDEX)
    keep_always(analysis, buffer);
  add_access(analysis, direct, (access_t){group->first, 0, buffer, 0});
  add_access(analysis, direct, (access_t){group->last, 1, buffer, 0});
}

// Whether |view| has no memory of its own (a handle or a memref), so that its
// uses may access the memory that it was made from.
static bool is_view_without_memory(const analysis_t *analysis, uint32_t view) {
  gmem_type_kind_t type = analysis->program->values[view].type;
  return analysis->from->sets->of[view] == GMEM_NO_INDEX &&
         !gmem_is_memref_root(analysis->program, view) &&
         (type == GMEM_TYPE_NO_MEMORY || type == GMEM_TYPE_MEMREF);
}

static void visit(analysis_t *analysis, uint32_t value, uint32_t set,
                  size_t *depth) {
  if (analysis->visited[value] == set + 1)
    return;
  assert(*depth < analysis->program->value_count);
  analysis->visited[value] = set + 1;
  analysis->stack[(*depth)++] = value;
}

// Adds the access of op |user| to the alias set through |value|, and follows
// the views that it makes.
static void add_user(analysis_t *analysis, uint32_t user, uint32_t value,
                     uint32_t set, size_t *depth) {
  const gmem_program_op_t *op = &analysis->program->ops[user];
  if (!gmem_only_makes_view(analysis->program, user, value))
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
  const gmem_ir_region_t *region = gmem_region_of(program, entry->block);
  if (entry->op != GMEM_NO_INDEX) {
    gmem_op_kind_t kind = program->ops[entry->op].kind;
    if (kind != GMEM_OP_EMPTY && kind != GMEM_OP_ALLOC &&
        kind != GMEM_OP_RESHAPE && kind != GMEM_OP_VIEW)
      add_direct(analysis, entry->op, set, true);
  } else if (region->owner != GMEM_NO_INDEX) {
    add_direct(analysis, region->owner, set, false);
  } else {
    add_access(analysis, &analysis->by_calls[region->function],
               (access_t){0, 0, set, 0});
  }
}

static void visit_members(analysis_t *analysis, uint32_t value, uint32_t set,
                          size_t *depth) {
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(analysis->from->memrefs, value);
  const gmem_live_value_t *live = &analysis->from->live_values[value];
  visit(analysis, value, set, depth);
  if (!site)
    add_definition(analysis, value, set);
  // The users are unknown, or too many to enumerate per site.
  if (live->is_escaping || (site && site->is_shared))
    keep_always(analysis, set);
  for (size_t i = 0; site && !site->is_shared && i < site->alias_count; ++i)
    visit(analysis, site->aliases[i], set, depth);
}

static void list_accesses(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  size_t sets = analysis->from->sets->count;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t set = analysis->from->sets->of[i];
    size_t depth = 0;
    if (set == GMEM_NO_INDEX)
      continue;
    visit_members(analysis, i, set, &depth);
    while (depth) {
      uint32_t value = analysis->stack[--depth];
      GMEM_CSR_EACH (user, &analysis->from->facts->uses.users, value)
        add_user(analysis, *user, value, set, &depth);
    }
  }
  for (size_t i = sets; i < analysis->buffer_count; ++i)
    add_direct(analysis, analysis->order->buffers[i - sets].op, (uint32_t)i,
               false);
}

//===--- propagation to enclosing blocks and callers ---------------------===//

static int compare_accesses(const void *a, const void *b) {
  return gmem_compare_numbers(a, b, 4);
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
  return entry->deferred || callee->recursive || callee->escapes ||
         analysis->from->facts->uses
             .unordered[program->blocks[entry->block].region];
}

// Records the access in the block of its op, of each enclosing op, and for
// calls of the function.
static void propagate(analysis_t *analysis, access_t access) {
  const gmem_streams_t *streams = analysis->streams;
  const gmem_program_t *program = analysis->program;
  for (;;) {
    const gmem_program_op_t *entry = &program->ops[access.op];
    const gmem_ir_region_t *region = gmem_region_of(program, entry->block);
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
      access.is_last = 0;
      if (has_calls)
        add_access(analysis, &analysis->by_calls[region->function], access);
      return;
    }
    access.op = region->owner;
    access.is_last = 0;
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
      // A function that calls itself appends to the list that is read.
      for (size_t t = 0, count = inside->count; t < count; ++t)
        propagate(analysis, (access_t){call->op, 0, inside->at[t].buffer,
                                       inside->at[t].stream});
    }
    sort_unique(&analysis->by_calls[function]);
  }
  sort_unique(&analysis->accesses);
}

//===--- pairs without a happens-before order -----------------------------===//

static void add_pair(analysis_t *analysis, const access_t *first,
                     const access_t *second) {
  assert(first->buffer != second->buffer);
  const access_t *low = first->buffer < second->buffer ? first : second;
  const access_t *high = low == first ? second : first;
  GMEM_APPEND(analysis->arena, &analysis->pairs,
              (gmem_stream_pair_t){.low = low->buffer,
                                   .high = high->buffer,
                                   .use_of_low = {low->op, low->stream},
                                   .use_of_high = {high->op, high->stream}});
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

// Finds the pairs among the accesses [first, end) of one block, in program
// order. Returns false, and adds none, if there are more than |limit|.
static bool find_pairs(analysis_t *analysis, const access_t *first,
                       const access_t *end, size_t limit) {
  size_t first_pair = analysis->pairs.count;
  const access_t *ended = first;
  for (uint32_t s = 0; s < analysis->streams->count; ++s)
    analysis->running[s].count = 0;
  for (const access_t *access = first; access < end; ++access) {
    assert(ended <= access);
    for (; comes_before(ended, access); ++ended)
      if (ended->stream)
        add_access(analysis, &analysis->running[ended->stream - 1], *ended);
    add_pairs(analysis, access);
    if (analysis->pairs.count - first_pair <= limit)
      continue;
    analysis->pairs.count = first_pair;
    return false;
  }
  return true;
}

// Lists the ops of |block| that are steps of the host.
static void list_hosts(analysis_t *analysis, uint32_t block) {
  const gmem_program_t *program = analysis->program;
  analysis->hosts.count = 0;
  for (uint32_t i = program->blocks[block].first_op; i != GMEM_NO_INDEX;
       i = program->ops[i].next)
    if (!analysis->streams->stream_of[i] && !gmem_may_vanish(&program->ops[i]))
      GMEM_APPEND(analysis->arena, &analysis->hosts, i);
}

// The first step of the block at which the host knows that |access| is done, or
// the end of the block. What the host knows at one of the listed ops it knows
// at all later ones.
static int64_t end_of(const analysis_t *analysis, const access_t *access) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *hosts = analysis->hosts.at;
  size_t low = 0, high = analysis->hosts.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (hosts[middle] > access->op &&
        gmem_stream_is_done(analysis->streams, access->op, access->stream,
                            hosts[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low < analysis->hosts.count
             ? program->ops[hosts[low]].begin
             : program->blocks[program->ops[access->op].block].end;
}

static void keep_until_done(analysis_t *analysis, const access_t *access) {
  const gmem_program_op_t *entry = &analysis->program->ops[access->op];
  if (access->stream)
    extend(analysis, access->buffer, entry->function, entry->begin,
           end_of(analysis, access));
}

// The accesses in the order of their blocks; |*out_by_block| are their indices.
static gmem_status_t sort_by_block(analysis_t *analysis, access_t **out_sorted,
                                   gmem_csr_t *out_by_block,
                                   gmem_diag_t *diag) {
  const gmem_program_t *program = analysis->program;
  const accesses_t *all = &analysis->accesses;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(pairs.at, analysis->arena, all->count, diag);
  GMEM_TRY_ALLOC(*out_sorted, analysis->arena, all->count, diag);
  for (uint32_t i = 0; i < all->count; ++i)
    pairs.at[pairs.count++] =
        (gmem_csr_pair_t){program->ops[all->at[i].op].block, i};
  GMEM_TRY(gmem_csr_build(&pairs, program->block_count, analysis->arena,
                          out_by_block, diag));
  for (size_t i = 0; i < all->count; ++i)
    (*out_sorted)[i] = all->at[out_by_block->items[i]];
  return GMEM_OK;
}

static gmem_status_t order_blocks(analysis_t *analysis, gmem_diag_t *diag) {
  enum { PAIRS_PER_BUFFER = 64, PAIRS_ANYWAY = 1 << 20 };
  size_t limit = analysis->buffer_count * PAIRS_PER_BUFFER + PAIRS_ANYWAY;
  access_t *accesses;
  gmem_csr_t by_block;
  GMEM_TRY(sort_by_block(analysis, &accesses, &by_block, diag));
  for (size_t b = 0; b < analysis->program->block_count; ++b) {
    const access_t *first = &accesses[by_block.first[b]];
    const access_t *end = &accesses[by_block.first[b + 1]];
    if (first == end ||
        (analysis->streams->known && find_pairs(analysis, first, end, limit)))
      continue;
    list_hosts(analysis, (uint32_t)b);
    for (const access_t *access = first; access < end; ++access)
      keep_until_done(analysis, access);
  }
  return gmem_bump_status(analysis->arena, diag);
}

// The live ranges of buffers with their extensions.
static void apply_extensions(analysis_t *analysis) {
  size_t set_count = analysis->from->sets->count;
  for (size_t i = 0; i < analysis->buffer_count; ++i) {
    gmem_ranges_t *ranges = &analysis->extensions[i];
    gmem_alias_set_t *set = i < set_count ? &analysis->from->sets->at[i] : NULL;
    if (!ranges->count)
      continue;
    if (set)
      gmem_ranges_add_all(ranges, set->ranges, set->range_count);
    gmem_ranges_normalise(ranges);
    if (set) {
      set->ranges = ranges->data;
      set->range_count = ranges->count;
    } else {
      analysis->order->buffers[i - set_count].ranges = ranges->data;
      analysis->order->buffers[i - set_count].range_count = ranges->count;
    }
  }
}

//===--- the analysis -----------------------------------------------------===//

// By the numbers of the buffers, then by their uses.
static int compare_pairs(const void *a, const void *b) {
  return gmem_compare_numbers(a, b, 6);
}

static bool are_live_together(const gmem_alias_set_t *left,
                              const gmem_alias_set_t *right) {
  return gmem_ranges_meet(left->ranges, left->range_count, right->ranges,
                          right->range_count);
}

// Sorts the pairs, keeps one per pair of buffers, and sets |is_conflict|.
static void sort_unique_pairs(const gmem_alias_sets_t *sets, pairs_t *pairs) {
  gmem_stream_pair_t *at = pairs->at;
  size_t kept = 0;
  if (pairs->count)
    qsort(at, pairs->count, sizeof *at, compare_pairs);
  for (size_t i = 0; i < pairs->count; ++i)
    if (kept == 0 || gmem_compare_numbers(&at[kept - 1], &at[i], 2) != 0)
      at[kept++] = at[i];
  pairs->count = kept;
  for (size_t i = 0; i < kept; ++i)
    at[i].is_conflict =
        at[i].high >= sets->count ||
        !are_live_together(&sets->at[at[i].low], &sets->at[at[i].high]);
}

static gmem_status_t make_tables(analysis_t *analysis, gmem_diag_t *diag) {
  const gmem_stream_inputs_t *inputs = analysis->from;
  const gmem_program_t *program = analysis->program;
  gmem_happens_before_t *order = analysis->order;
  gmem_bump_t *arena = analysis->arena;
  size_t values = program->value_count, functions = program->function_count;
  size_t buffers = analysis->buffer_count;
  GMEM_TRY_ALLOC(order->is_pending_at_exit, arena, buffers, diag);
  GMEM_TRY_ALLOC(order->buffers, arena, inputs->buffer_count, diag);
  GMEM_TRY_ALLOC(analysis->extensions, arena, buffers, diag);
  GMEM_TRY_ALLOC(analysis->by_calls, arena, functions, diag);
  GMEM_TRY_ALLOC(analysis->direct, arena, functions, diag);
  GMEM_TRY_ALLOC(analysis->running, arena, analysis->streams->count, diag);
  GMEM_TRY_ALLOC(analysis->visited, arena, values, diag);
  GMEM_TRY_ALLOC(analysis->stack, arena, values, diag);
  for (size_t i = 0; i < buffers; ++i)
    analysis->extensions[i].arena = arena;
  for (size_t i = 0; i < inputs->buffer_count; ++i) {
    assert(inputs->buffer_ops[i] < program->op_count);
    order->buffers[i].op = inputs->buffer_ops[i];
  }
  return GMEM_OK;
}

gmem_status_t gmem_happens_before_find(const gmem_stream_inputs_t *inputs,
                                       gmem_bump_t *arena,
                                       gmem_happens_before_t *out_order,
                                       gmem_diag_t *diag) {
  const gmem_program_facts_t *facts = inputs->facts;
  *out_order = (gmem_happens_before_t){.streams = &facts->streams};
  if (facts->streams.count == 0)
    return GMEM_OK;
  analysis_t analysis = {.streams = &facts->streams,
                         .program = facts->program,
                         .calls = &facts->calls,
                         .from = inputs,
                         .buffer_count =
                             inputs->sets->count + inputs->buffer_count,
                         .arena = arena,
                         .order = out_order};
  GMEM_TRY(make_tables(&analysis, diag));
  list_accesses(&analysis);
  propagate_all(&analysis);
  GMEM_TRY(order_blocks(&analysis, diag));
  apply_extensions(&analysis);
  GMEM_TRY(gmem_bump_status(arena, diag));
  sort_unique_pairs(inputs->sets, &analysis.pairs);
  out_order->pairs = analysis.pairs.at;
  out_order->count = analysis.pairs.count;
  return GMEM_OK;
}

static bool pair_is_less(const void *pair, const void *key) {
  return gmem_compare_numbers(pair, key, 2) < 0;
}

const gmem_stream_pair_t *
gmem_stream_pair_of(const gmem_happens_before_t *order, uint32_t a,
                    uint32_t b) {
  gmem_stream_pair_t key = {.low = a < b ? a : b, .high = a < b ? b : a};
  size_t i = gmem_partition_point(&key, order->pairs, order->count, sizeof key,
                                  pair_is_less);
  return i < order->count &&
                 gmem_compare_numbers(&order->pairs[i], &key, 2) == 0
             ? &order->pairs[i]
             : NULL;
}
