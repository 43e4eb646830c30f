// memref_liveness.c - live ranges of allocation sites: from the first access
// through any memref that may denote the site to the last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memref_analysis.h"

#include <assert.h>

//===--- live ranges of memrefs -------------------------------------------===//

// Adds steps [begin, end) of |value| in the contexts in which it denotes the
// site; context GMEM_NO_INDEX: in all.
static void add_steps(gmem_memref_analysis_t *analysis,
                      const gmem_site_value_t *value, int64_t begin,
                      int64_t end) {
  if (value->context == GMEM_NO_INDEX)
    gmem_contexts_add_range_of(
        analysis->contexts,
        gmem_value_function(analysis->program, value->value), begin, end,
        &analysis->ranges);
  else
    gmem_contexts_add_range_below(analysis->contexts, value->context,
                                  value->base, begin, end, &analysis->ranges);
}

// Adds the parts of |range| outside of |cuts|, or all of it unless |is_cut|.
static void add_parts(gmem_memref_analysis_t *analysis,
                      const gmem_site_value_t *value, bool is_cut,
                      gmem_live_range_t range) {
  const gmem_ranges_t *cuts = &analysis->cuts;
  size_t c = is_cut
                 ? gmem_first_range_after(cuts->data, cuts->count, range.begin)
                 : cuts->count;
  for (; c < cuts->count && cuts->data[c].begin < range.end; ++c) {
    add_steps(analysis, value, range.begin, cuts->data[c].begin);
    range.begin = cuts->data[c].end;
  }
  add_steps(analysis, value, range.begin, range.end);
}

// Adds the live ranges of one value in the contexts in which it denotes the
// site; if |is_cut|, without the cuts. In single contexts, ranges outside of
// the value's own function are single steps of calls, which the operand or
// result of the call covers.
static void add_site_value(gmem_memref_analysis_t *analysis,
                           gmem_site_value_t value, bool is_cut) {
  const gmem_live_value_t *live = &analysis->live_values[value.value];
  const gmem_function_t *home =
      &analysis->program
           ->functions[gmem_value_function(analysis->program, value.value)];
  bool is_single = value.context != GMEM_NO_INDEX;
  size_t i = is_single ? gmem_first_range_after(live->ranges, live->range_count,
                                                home->begin)
                       : 0;
  for (; i < live->range_count; ++i) {
    gmem_live_range_t range = live->ranges[i];
    if (is_single && range.begin >= home->end)
      break;
    if (is_single) {
      range.begin = range.begin > home->begin ? range.begin : home->begin;
      range.end = range.end < home->end ? range.end : home->end;
    }
    add_parts(analysis, &value, is_cut, range);
  }
}

// Adds the live ranges of |value| in all contexts; if |is_cut|, without the
// cuts.
static void add_value(gmem_memref_analysis_t *analysis, uint32_t value,
                      bool is_cut) {
  add_site_value(analysis,
                 (gmem_site_value_t){value, GMEM_NO_INDEX, GMEM_NO_INDEX},
                 is_cut);
}

// Whether |ranges| contains a time at which op |index| runs.
static bool contain_op(const gmem_memref_analysis_t *analysis, uint32_t index) {
  const gmem_program_op_t *op = &analysis->program->ops[index];
  const gmem_ranges_t *ranges = &analysis->ranges;
  size_t count;
  const uint32_t *contexts =
      gmem_contexts_of(analysis->contexts, op->function, &count);
  for (size_t i = 0; i < count; ++i)
    if (gmem_ranges_contain(
            ranges->data, ranges->count,
            gmem_context_time(analysis->contexts, contexts[i], op->begin)))
      return true;
  return false;
}

// Sets |ranges| to the live ranges of all values that may denote the site,
// except allocation results.
static void add_others(gmem_memref_analysis_t *analysis,
                       const gmem_allocation_site_t *site, bool is_cut) {
  analysis->ranges.count = 0;
  if (site->is_shared && analysis->shared.data) {
    gmem_ranges_add_all(&analysis->ranges, analysis->shared.data,
                        analysis->shared.count);
    return;
  }
  for (size_t i = 0; i < site->site_value_count; ++i)
    if (!gmem_is_memref_root(analysis->program, site->site_values[i].value))
      add_site_value(analysis, site->site_values[i], is_cut);
  for (size_t i = 0; i < site->alias_count && site->is_shared; ++i)
    if (!gmem_is_memref_root(analysis->program, site->aliases[i]))
      add_value(analysis, site->aliases[i], is_cut);
  gmem_ranges_normalise(&analysis->ranges);
  if (site->is_shared) {
    analysis->shared.data = gmem_ranges_copy(&analysis->ranges);
    analysis->shared.count = analysis->ranges.count;
  }
}

//===--- before the first access ------------------------------------------===//

// Records the access of op |user| in each block from its own up to |top|: the
// first op of the block that accesses the site itself or in its regions. Ops of
// |top| before the allocation |alloc_op| do not count. Stops at an op that is
// already recorded, since its enclosing ops are, too.
static void record_access(gmem_memref_analysis_t *analysis, uint32_t user,
                          uint32_t value, uint32_t top, uint32_t alloc_op) {
  const gmem_program_t *program = analysis->program;
  gmem_site_accesses_t *accesses = &analysis->accesses;
  accesses->through[user] =
      accesses->directly[user] == accesses->stamp ? GMEM_NO_INDEX : value;
  accesses->directly[user] = accesses->stamp;
  for (uint32_t at = user; at != GMEM_NO_INDEX; at = program->ops[at].parent) {
    uint32_t block = program->ops[at].block;
    if (accesses->by_op[at] == accesses->stamp)
      return;
    accesses->by_op[at] = accesses->stamp;
    GMEM_APPEND(analysis->arena, &accesses->ops,
                (uint64_t)analysis->positions[program->ops[at].function] << 32 |
                    (UINT32_MAX - at));
    if (accesses->in_block[block] != accesses->stamp) {
      accesses->in_block[block] = accesses->stamp;
      accesses->first[block] = GMEM_NO_INDEX;
    }
    if ((block != top || at > alloc_op) && at < accesses->first[block])
      accesses->first[block] = at;
    if (block == top) {
      accesses->is_enclosed &= at > alloc_op;
      return;
    }
  }
  accesses->is_enclosed &=
      program->ops[user].function != program->ops[alloc_op].function;
}

// An argument of a function may denote the site.
static void record_argument(gmem_memref_analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  gmem_site_accesses_t *accesses = &analysis->accesses;
  const gmem_value_t *entry = &program->values[value];
  if (entry->op != GMEM_NO_INDEX || !gmem_is_entry_block(program, entry->block))
    return;
  uint32_t function = gmem_region_of(program, entry->block)->function;
  accesses->arguments[function] =
      accesses->in_function[function] == accesses->stamp ? GMEM_NO_INDEX
                                                         : value;
  accesses->in_function[function] = accesses->stamp;
}

// Returns false if an op of a flat layer group accesses the site: the group may
// do so before this op's step.
static bool record_accesses(gmem_memref_analysis_t *analysis,
                            const gmem_allocation_site_t *site) {
  const gmem_program_t *program = analysis->program;
  const gmem_value_t *entry = &program->values[site->value];
  gmem_site_accesses_t *accesses = &analysis->accesses;
  ++accesses->stamp;
  accesses->ops.count = accesses->calls.count = 0;
  accesses->is_enclosed = accesses->is_simple = true;
  for (size_t i = 0; i < site->alias_count; ++i) {
    uint32_t value = site->aliases[i];
    record_argument(analysis, value);
    GMEM_CSR_EACH (user, &analysis->facts->uses.users, value) {
      const gmem_program_op_t *op = &program->ops[*user];
      if (op->group != GMEM_NO_GROUP)
        return false;
      accesses->is_simple &=
          !op->deferred && !op->hold && !op->model->starts && !op->model->waits;
      if (op->kind != GMEM_OP_VIEW ||
          !gmem_only_makes_view(program, *user, value))
        record_access(analysis, *user, value, entry->block, entry->op);
    }
  }
  return true;
}

// Cuts |block| from step |begin| to the first op that accesses the site. If
// this op is a branch that does so only in its regions, continues in their
// entry blocks.
static void cut_block(gmem_memref_analysis_t *analysis, uint32_t block,
                      int64_t begin) {
  const gmem_program_t *program = analysis->program;
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  uint32_t at = gmem_memref_first_access(analysis, block);
  if (at == GMEM_NO_INDEX) {
    gmem_ranges_add(&analysis->cuts, begin, program->blocks[block].end);
    return;
  }
  const gmem_program_op_t *op = &program->ops[at];
  gmem_ranges_add(&analysis->cuts, begin, op->begin);
  if (analysis->facts->flow.flows[at] != GMEM_FLOW_BRANCH ||
      accesses->directly[at] == accesses->stamp)
    return;
  gmem_ranges_add(&analysis->cuts, op->begin, op->begin + 1);
  for (uint32_t i = op->first_region; i != GMEM_NO_INDEX;
       i = program->regions[i].next) {
    uint32_t inner = program->regions[i].first_block;
    if (inner != GMEM_NO_INDEX)
      cut_block(analysis, inner, program->blocks[inner].begin);
  }
}

// Sets |cuts| to the steps from the allocation to the first access in its
// block, or to the end of the block if there is none, as the memory has no
// contents yet, and to those between accesses at which it has none that is
// read.
static void find_cuts(gmem_memref_analysis_t *analysis,
                      const gmem_allocation_site_t *site) {
  const gmem_program_t *program = analysis->program;
  const gmem_value_t *entry = &program->values[site->value];
  const gmem_program_op_t *op = &program->ops[entry->op];
  gmem_site_accesses_t *accesses = &analysis->accesses;
  analysis->cuts.count = 0;
  accesses->are_known = false;
  if (site->is_shared || op->deferred || op->hold ||
      op->group != GMEM_NO_GROUP ||
      analysis->facts->uses.unordered[program->blocks[entry->block].region] ||
      !record_accesses(analysis, site))
    return;
  accesses->are_known = true;
  assert(accesses->directly[entry->op] != accesses->stamp);
  cut_block(analysis, entry->block, op->begin);
  gmem_memref_find_gaps(analysis, site);
  gmem_ranges_normalise(&analysis->cuts);
}

//===--- live ranges of a site --------------------------------------------===//

// A site without accesses is live at the step of its allocation.
void gmem_memref_find_live_ranges(gmem_memref_analysis_t *analysis,
                                  gmem_allocation_site_t *site) {
  const gmem_program_op_t *op =
      gmem_defining_op(analysis->program, site->value);
  assert(site->reason == GMEM_MEMREF_PLANNED && op);
  find_cuts(analysis, site);
  add_others(analysis, site, true);
  add_value(analysis, site->value, true);
  gmem_ranges_normalise(&analysis->ranges);
  gmem_memref_find_first_use(analysis, site);
  analysis->live.count = 0;
  gmem_ranges_add_difference(&analysis->live, &analysis->ranges,
                             &analysis->cuts);
  if (analysis->live.count == 0)
    gmem_contexts_add_steps(analysis->contexts, op->function, op->begin,
                            op->end, &analysis->live);
  gmem_ranges_normalise(&analysis->live);
  assert(analysis->live.count || analysis->arena->out_of_memory);
  site->ranges = gmem_ranges_copy(&analysis->live);
  site->range_count = analysis->live.count;
  for (size_t i = 0; i < site->alias_count && !site->is_shared; ++i)
    site->uses += analysis->live_values[site->aliases[i]].uses;
}

//===--- several live instances -------------------------------------------===//

// For the diagnostic: the op that defines a value through which the site is
// live when op |alloc_op| runs, or GMEM_NO_INDEX. Shared points-to sets are too
// large to search.
static uint32_t cause_of_overlap(gmem_memref_analysis_t *analysis,
                                 const gmem_allocation_site_t *site,
                                 uint32_t alloc_op) {
  for (size_t i = 0; i < site->alias_count && !site->is_shared; ++i) {
    uint32_t value = site->aliases[i];
    if (gmem_is_memref_root(analysis->program, value))
      continue;
    analysis->ranges.count = 0;
    add_value(analysis, value, false);
    gmem_ranges_normalise(&analysis->ranges);
    if (!contain_op(analysis, alloc_op))
      continue;
    const gmem_value_t *entry = &analysis->program->values[value];
    return entry->op != GMEM_NO_INDEX
               ? entry->op
               : gmem_region_of(analysis->program, entry->block)->owner;
  }
  return GMEM_NO_INDEX;
}

// If another value keeps the site live while op |alloc_op| executes again, two
// instances are live. The same holds for deferred uses and for streams that may
// still access it.
void gmem_memref_check_loop_carried(gmem_memref_analysis_t *analysis,
                                    gmem_allocation_site_t *site) {
  uint32_t alloc_op = analysis->program->values[site->value].op;
  if (site->reason != GMEM_MEMREF_PLANNED)
    return;
  add_others(analysis, site, false);
  bool is_loop_carried = analysis->live_values[site->value].is_loop_carried;
  for (size_t i = 0; i < site->alias_count && !site->is_shared; ++i)
    is_loop_carried |= analysis->live_values[site->aliases[i]].is_loop_carried;
  if (contain_op(analysis, alloc_op))
    gmem_memref_exclude(site, GMEM_MEMREF_CARRIED,
                        cause_of_overlap(analysis, site, alloc_op));
  else if (is_loop_carried)
    gmem_memref_exclude(site, GMEM_MEMREF_PARALLEL, GMEM_NO_INDEX);
  else if (gmem_is_memref_hazard(&analysis->facts->streams, site->value,
                                 site->aliases, site->alias_count, &alloc_op))
    gmem_memref_exclude(site, GMEM_MEMREF_LAPPED, alloc_op);
}
