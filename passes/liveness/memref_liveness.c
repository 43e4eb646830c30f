// memref_liveness.c - when a root is wanted, by whatever memref it is seen:
// from the first touch of its memory to the last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memref_liveness.h"

#include "memref_analysis.h"
#include "memref_first_use.h"

//===--- lives ------------------------------------------------------------===//

// Adds steps [begin, end) of any functions. What is live at a call from before
// to after it, in the function |home| of the value, is live as long as the
// callee runs. In other functions control flow touches it at single steps.
static void add_steps(gmem_memref_analysis_t *finder, uint32_t home,
                      int64_t begin, int64_t end) {
  const gmem_program_t *program = finder->program;
  while (begin < end) {
    uint32_t function = gmem_program_function_at(program, begin);
    int64_t last = program->functions[function].end;
    int64_t next = end < last ? end : last;
    if (function == home)
      gmem_contexts_add_range(finder->contexts, function, begin, next,
                              &finder->ranges);
    else
      gmem_contexts_add_steps(finder->contexts, function, begin, next,
                              &finder->ranges);
    begin = next;
  }
}

void gmem_memref_add_value(gmem_memref_analysis_t *finder, uint32_t value,
                           bool is_cut) {
  const gmem_live_value_t *live = &finder->live_values[value];
  uint32_t home = gmem_value_function(finder->program, value);
  const gmem_ranges_t *cuts = &finder->cuts;
  for (size_t i = 0; i < live->range_count; ++i) {
    int64_t begin = live->ranges[i].begin, end = live->ranges[i].end;
    size_t c = is_cut ? gmem_first_range_after(cuts->data, cuts->count, begin)
                      : cuts->count;
    for (; c < cuts->count && cuts->data[c].begin < end; ++c) {
      add_steps(finder, home, begin, cuts->data[c].begin);
      begin = cuts->data[c].end;
    }
    add_steps(finder, home, begin, end);
  }
}

// Adds when the root is wanted as what it is seen as; if |is_cut|, without the
// cuts. In other functions control flow touches the value at single steps of
// calls, where operand or result are seen.
static void add_sight(gmem_memref_analysis_t *finder, gmem_site_value_t sight,
                      bool is_cut) {
  const gmem_live_value_t *live = &finder->live_values[sight.value];
  const gmem_function_t *home =
      &finder->program
           ->functions[gmem_value_function(finder->program, sight.value)];
  const gmem_ranges_t *cuts = &finder->cuts;
  for (size_t i = 0; i < live->range_count; ++i) {
    int64_t begin = live->ranges[i].begin, end = live->ranges[i].end;
    begin = begin > home->begin ? begin : home->begin;
    end = end < home->end ? end : home->end;
    size_t c = is_cut ? gmem_first_range_after(cuts->data, cuts->count, begin)
                      : cuts->count;
    for (; c < cuts->count && cuts->data[c].begin < end; ++c) {
      gmem_contexts_add_range_below(finder->contexts, sight.context, sight.base,
                                    begin, cuts->data[c].begin,
                                    &finder->ranges);
      begin = cuts->data[c].end;
    }
    gmem_contexts_add_range_below(finder->contexts, sight.context, sight.base,
                                  begin, end, &finder->ranges);
  }
}

// Whether the ranges contain a time at which op |index| runs.
static bool contain_op(const gmem_memref_analysis_t *finder, uint32_t index) {
  const gmem_op_t *op = &finder->program->ops[index];
  const gmem_ranges_t *ranges = &finder->ranges;
  size_t count;
  const uint32_t *contexts =
      gmem_contexts_of(finder->contexts, op->function, &count);
  for (size_t i = 0; i < count; ++i) {
    int64_t time = gmem_context_time(finder->contexts, contexts[i], op->begin);
    size_t r = gmem_first_range_after(ranges->data, ranges->count, time);
    if (r < ranges->count && ranges->data[r].begin <= time)
      return true;
  }
  return false;
}

// Sets the ranges to those of all that the root is seen as but roots.
static bool add_others(gmem_memref_analysis_t *finder,
                       const gmem_allocation_site_t *root, bool is_cut) {
  finder->ranges.count = 0;
  if (root->is_shared && finder->shared_ranges) {
    gmem_ranges_add_all(&finder->ranges, finder->shared_ranges,
                        finder->shared_count);
    return !finder->ranges.out_of_memory;
  }
  for (size_t i = 0; i < root->sight_count; ++i)
    if (!gmem_is_memref_root(finder->program, root->site_values[i].value))
      add_sight(finder, root->site_values[i], is_cut);
  for (size_t i = 0; i < root->seen_count && root->is_shared; ++i)
    if (!gmem_is_memref_root(finder->program, root->seen_as[i]))
      gmem_memref_add_value(finder, root->seen_as[i], is_cut);
  gmem_ranges_normalise(&finder->ranges);
  if (root->is_shared) {
    finder->shared_ranges = gmem_ranges_copy(&finder->ranges);
    finder->shared_count = finder->ranges.count;
    return finder->shared_ranges != NULL;
  }
  return !finder->ranges.out_of_memory;
}

//===--- before the first touch -------------------------------------------===//

// Whether the op only makes a view of |value|: it does not touch its memory.
static bool only_shows(const gmem_memref_analysis_t *finder, uint32_t user,
                       uint32_t value) {
  const gmem_op_t *op = &finder->program->ops[user];
  if (op->kind != GMEM_OP_VIEW)
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op->op, i),
                       finder->program->values[value].value))
      return false;
  return true;
}

// Notes for each block around |user|, up to block |top|, that the op in it
// which is, or holds, |user| touches the root; but for what is before the
// allocation. Around what has been noted all has been.
static void note_touch(gmem_memref_analysis_t *finder, uint32_t user,
                       uint32_t top, uint32_t made) {
  const gmem_program_t *program = finder->program;
  finder->touches_itself[user] = finder->stamp;
  for (uint32_t at = user; at != GMEM_NO_INDEX; at = program->ops[at].parent) {
    uint32_t block = program->ops[at].block;
    if (finder->touches[at] == finder->stamp)
      return;
    finder->touches[at] = finder->stamp;
    if (finder->touched[block] != finder->stamp) {
      finder->touched[block] = finder->stamp;
      finder->first_touch[block] = GMEM_NO_INDEX;
    }
    if ((block != top || at > made) && at < finder->first_touch[block])
      finder->first_touch[block] = at;
    if (block == top)
      return;
  }
}

// Returns false if a flat layer group touches it, which may do so before its
// own step.
static bool note_touches(gmem_memref_analysis_t *finder,
                         const gmem_allocation_site_t *root) {
  const gmem_uses_t *uses = finder->uses;
  const gmem_value_t *entry = &finder->program->values[root->value];
  ++finder->stamp;
  for (size_t i = 0; i < root->seen_count; ++i) {
    uint32_t value = root->seen_as[i];
    for (uint32_t u = uses->first_user[value]; u < uses->first_user[value + 1];
         ++u) {
      if (finder->program->ops[uses->users[u]].group != GMEM_NO_GROUP)
        return false;
      if (!only_shows(finder, uses->users[u], value))
        note_touch(finder, uses->users[u], entry->block, entry->op);
    }
  }
  return true;
}

// Cuts what is in |block| before the first op that touches the root, from step
// |begin| on. If that is a branch which does so only inside, the same in the
// arms of it, whose blocks are put on the stack.
static void cut_block(gmem_memref_analysis_t *finder, uint32_t block,
                      int64_t begin, size_t *depth) {
  const gmem_program_t *program = finder->program;
  uint32_t at = finder->touched[block] == finder->stamp
                    ? finder->first_touch[block]
                    : GMEM_NO_INDEX;
  if (at == GMEM_NO_INDEX) {
    gmem_ranges_add(&finder->cuts, begin, program->blocks[block].end);
    return;
  }
  gmem_ranges_add(&finder->cuts, begin, program->ops[at].begin);
  if (finder->control->flows[at] != GMEM_FLOW_BRANCH ||
      finder->touches_itself[at] == finder->stamp)
    return;
  gmem_ranges_add(&finder->cuts, program->ops[at].begin,
                  program->ops[at].begin + 1);
  for (uint32_t i = finder->first_region[at]; i != GMEM_NO_INDEX;
       i = finder->next_region[i])
    if (program->regions[i].first_block != GMEM_NO_INDEX)
      finder->blocks[(*depth)++] = program->regions[i].first_block;
}

// Finds where nothing is in the memory yet: from the allocation to the first
// touch, if that is in its block, else to the end of the block.
bool gmem_memref_find_cuts(gmem_memref_analysis_t *finder,
                           const gmem_allocation_site_t *root) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *entry = &program->values[root->value];
  const gmem_op_t *op = &program->ops[entry->op];
  size_t depth = 0;
  finder->cuts.count = 0;
  finder->has_touches = false;
  if (root->is_shared || op->late || op->hold || op->group != GMEM_NO_GROUP ||
      finder->uses->unordered[program->blocks[entry->block].region] ||
      !note_touches(finder, root))
    return true;
  finder->has_touches = true;
  cut_block(finder, entry->block, op->begin, &depth);
  while (depth) {
    uint32_t block = finder->blocks[--depth];
    cut_block(finder, block, program->blocks[block].begin, &depth);
  }
  gmem_ranges_normalise(&finder->cuts);
  return !finder->cuts.out_of_memory;
}

//===--- the life of a root -----------------------------------------------===//

static void count_uses(const gmem_memref_analysis_t *finder,
                       gmem_allocation_site_t *root) {
  for (size_t i = 0; i < root->seen_count && !root->is_shared; ++i)
    root->uses += finder->live_values[root->seen_as[i]].uses;
}

// Sets the ranges of a planned root. It takes a step even if nobody wants it.
bool gmem_memref_find_live_ranges(gmem_memref_analysis_t *finder,
                                  gmem_allocation_site_t *root) {
  const gmem_op_t *op =
      &finder->program->ops[finder->program->values[root->value].op];
  if (!gmem_memref_find_cuts(finder, root) || !add_others(finder, root, true))
    return false;
  gmem_memref_add_value(finder, root->value, true);
  gmem_ranges_normalise(&finder->ranges);
  if (!gmem_memref_find_first_use(finder, root))
    return false;
  finder->wanted.count = 0;
  gmem_ranges_add_difference(&finder->wanted, &finder->ranges, &finder->cuts);
  if (finder->wanted.count == 0)
    gmem_contexts_add_steps(finder->contexts, op->function, op->begin, op->end,
                            &finder->wanted);
  gmem_ranges_normalise(&finder->wanted);
  root->ranges = gmem_ranges_copy(&finder->wanted);
  root->range_count = finder->wanted.count;
  count_uses(finder, root);
  return root->ranges != NULL;
}

//===--- several at once --------------------------------------------------===//

// A value by which the root is live when op |made| runs, for diagnostics: its
// op. Of roots that share a list there are too many to look at each.
static uint32_t culprit_at(gmem_memref_analysis_t *finder,
                           const gmem_allocation_site_t *root, uint32_t made) {
  for (size_t i = 0; i < root->seen_count && !root->is_shared; ++i) {
    uint32_t value = root->seen_as[i];
    if (gmem_is_memref_root(finder->program, value))
      continue;
    finder->ranges.count = 0;
    gmem_memref_add_value(finder, value, false);
    gmem_ranges_normalise(&finder->ranges);
    if (!contain_op(finder, made))
      continue;
    const gmem_value_t *entry = &finder->program->values[value];
    const gmem_block_t *block = &finder->program->blocks[entry->block];
    return entry->op != GMEM_NO_INDEX
               ? entry->op
               : finder->program->regions[block->region].owner;
  }
  return GMEM_NO_INDEX;
}

// Whether what one iteration, or one call, allocates may be wanted when the
// next one does.
bool gmem_memref_judge_carried(gmem_memref_analysis_t *finder,
                               gmem_allocation_site_t *root) {
  const gmem_program_t *program = finder->program;
  uint32_t made = program->values[root->value].op;
  if (root->reason != GMEM_MEMREF_PLANNED)
    return true;
  if (!add_others(finder, root, false))
    return false;
  bool is_overtaken = finder->live_values[root->value].overtaken;
  for (size_t i = 0; i < root->seen_count && !root->is_shared; ++i)
    is_overtaken |= finder->live_values[root->seen_as[i]].overtaken;
  if (contain_op(finder, made))
    gmem_memref_leave(root, GMEM_MEMREF_CARRIED,
                      culprit_at(finder, root, made));
  else if (is_overtaken)
    gmem_memref_leave(root, GMEM_MEMREF_PARALLEL, GMEM_NO_INDEX);
  else if (gmem_loop_hazards_memref(finder->hazards, root->value, root->seen_as,
                                    root->seen_count, &made))
    gmem_memref_leave(root, GMEM_MEMREF_LAPPED, made);
  return !finder->ranges.out_of_memory;
}
