// memref_gaps.c - between the last op that reads the contents of an allocation
// and one that overwrites all of them, others may have its bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   make(%a); read(%a); ...; fill(%a); read(%a)
//
// Liveness of contents, as of variables: backwards along all paths, a read
// makes them live and an op that overwrites the whole allocation without
// reading it makes them dead. Only ops that access the site are looked at: once
// for what they and their regions and callees do to the contents that they
// find, and once more, from the end of the block of the allocation, for what is
// read behind them. In both, the last ones come first.
//
// An op overwrites the site only through the allocation itself, a view of all
// of it, or an argument that the calls pass such a memref for. All other
// accesses count as reads. A branch may run none of its regions, a loop no
// iteration. If contents are live at the head of a loop there are no gaps
// inside, and none in regions in no known order. Blocks that jump to others
// read everything at their ends, and so do callees. A gap in a callee is one of
// the contexts in which its argument is the site.

#include <assert.h>

#include "calls.h"
#include "memref_analysis.h"
#include "mlir_seam.h"
#include "overwrites.h"
#include "sorting.h"

enum { READ = GMEM_CONTENTS_READ, KEPT = GMEM_CONTENTS_KEPT };

// The effect of |first| and then |second|.
static uint8_t in_sequence(uint8_t first, uint8_t second) {
  return (uint8_t)((first & READ) | (first & KEPT ? second : 0));
}

static bool is_live_before(uint8_t effect, bool is_live_after) {
  return effect & READ || (effect & KEPT && is_live_after);
}

//===--- effects on the contents ------------------------------------------===//

static bool is_accessed(const gmem_memref_analysis_t *analysis,
                        uint32_t block) {
  return analysis->contents[block].stamp == analysis->accesses.stamp;
}

// The effect of all accesses in |region|; of several blocks, the first always
// runs.
static uint8_t effect_of_region(const gmem_memref_analysis_t *analysis,
                                uint32_t region) {
  const gmem_ir_region_t *entry = &analysis->program->regions[region];
  uint32_t first = entry->first_block;
  bool is_read = false;
  if (first == GMEM_NO_INDEX)
    return KEPT;
  uint8_t effect =
      is_accessed(analysis, first) ? analysis->contents[first].effect : KEPT;
  if (analysis->facts->uses.unordered[region])
    return effect == KEPT ? KEPT : READ | KEPT;
  for (uint32_t b = analysis->program->blocks[first].next; b != GMEM_NO_INDEX;
       b = analysis->program->blocks[b].next)
    is_read |= is_accessed(analysis, b);
  return in_sequence(effect, is_read ? READ | KEPT : KEPT);
}

// Whether |memref|, an operand of an op in |function|, is all of the site.
static bool is_whole(const gmem_memref_analysis_t *analysis, uint32_t site,
                     uint32_t function, MlirValue memref) {
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  uint32_t whole = gmem_whole_memref(analysis->program, memref);
  return whole != GMEM_NO_INDEX &&
         (whole == site ||
          (accesses->in_function[function] == accesses->stamp &&
           whole == accesses->arguments[function]));
}

// A plain call, of which operand |number| is the only one that may denote the
// site.
static uint8_t effect_of_call(const gmem_memref_analysis_t *analysis,
                              const gmem_program_op_t *op, intptr_t number,
                              bool passes_whole) {
  const gmem_program_t *program = analysis->program;
  const gmem_calls_t *calls = &analysis->facts->calls;
  const gmem_call_t *call =
      &calls->calls[gmem_first_call_from(calls, op->function, op->begin)];
  const gmem_function_t *callee = &program->functions[call->callee];
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  assert(call->is_plain);
  if (calls->callees[call->callee].recursive ||
      callee->first_block == callee->end_block)
    return READ | KEPT;
  uint8_t effect =
      effect_of_region(analysis, program->blocks[callee->first_block].region);
  uint32_t argument = gmem_program_find(
      program, mlirBlockGetArgument(gmem_callee_entry(calls, call), number));
  bool is_argument = argument != GMEM_NO_INDEX &&
                     accesses->in_function[call->callee] == accesses->stamp &&
                     argument == accesses->arguments[call->callee];
  return effect == KEPT || (passes_whole && is_argument) ? effect : READ | KEPT;
}

// An op with an operand that may denote the site.
static uint8_t effect_of_access(const gmem_memref_analysis_t *analysis,
                                uint32_t site, uint32_t index) {
  const gmem_program_op_t *op = &analysis->program->ops[index];
  uint32_t through = analysis->accesses.through[index];
  intptr_t number = 0, count = mlirOperationGetNumOperands(op->op);
  while (number < count &&
         gmem_operand_value(analysis->program, op->op, number) != through)
    ++number;
  if (through == GMEM_NO_INDEX || number == count)
    return READ | KEPT; // through several, or in its body
  MlirValue operand = mlirOperationGetOperand(op->op, number);
  switch (analysis->facts->flow.flows[index]) {
  case GMEM_FLOW_CALL:
    return effect_of_call(analysis, op, number,
                          is_whole(analysis, site, op->function, operand));
  case GMEM_FLOW_STEP:
    return (op->kind == GMEM_OP_COMPUTE || op->kind == GMEM_OP_SCALAR_BODY) &&
                   gmem_op_overwrites(op->model, op->op, number) &&
                   gmem_may_write_operand(op->op, number) &&
                   is_whole(analysis, site, op->function, operand)
               ? 0
               : READ | KEPT;
  default:
    return READ | KEPT;
  }
}

// A branch or loop: any number of its regions may run.
static uint8_t effect_of_regions(const gmem_memref_analysis_t *analysis,
                                 uint32_t index) {
  const gmem_program_t *program = analysis->program;
  uint8_t effect = KEPT;
  for (uint32_t r = program->ops[index].first_region; r != GMEM_NO_INDEX;
       r = program->regions[r].next)
    effect |= effect_of_region(analysis, r);
  return effect;
}

static bool has_known_regions(const gmem_memref_analysis_t *analysis,
                              uint32_t index) {
  uint8_t flow = analysis->facts->flow.flows[index];
  return (flow == GMEM_FLOW_BRANCH || flow == GMEM_FLOW_FOR ||
          flow == GMEM_FLOW_WHILE) &&
         !analysis->program->ops[index].parallel &&
         analysis->accesses.directly[index] != analysis->accesses.stamp;
}

// Finds the effects of op |index| and adds them to those of its block, of which
// all accesses behind it have been added. For |first|, before which the site
// has no contents, any will do.
static void add_effect(gmem_memref_analysis_t *analysis, uint32_t site,
                       uint32_t first, uint32_t index) {
  uint32_t stamp = analysis->accesses.stamp;
  gmem_block_contents_t *block =
      &analysis->contents[analysis->program->ops[index].block];
  uint8_t effect = READ | KEPT;
  if (analysis->accesses.directly[index] == stamp && index != first)
    effect = effect_of_access(analysis, site, index);
  else if (has_known_regions(analysis, index))
    effect = effect_of_regions(analysis, index);
  analysis->effects[index] = effect;
  block->effect =
      in_sequence(effect, block->stamp == stamp ? block->effect : KEPT);
  block->stamp = stamp;
}

//===--- gaps -------------------------------------------------------------===//

// Of the function of |top|: that of the allocation, or a callee that is given
// it.
static void add_gap(gmem_memref_analysis_t *analysis, uint32_t top,
                    int64_t begin, int64_t end) {
  gmem_ranges_add(analysis->accesses.top == top ? &analysis->cuts
                                                : &analysis->callee_gaps,
                  begin, end);
}

// The state at the ends of the blocks of the regions of op |index|.
static gmem_block_contents_t end_of_regions(gmem_memref_analysis_t *analysis,
                                            uint32_t index) {
  gmem_block_contents_t end =
      analysis->contents[analysis->program->ops[index].block];
  end.may_have_gaps &= has_known_regions(analysis, index);
  if (analysis->facts->flow.flows[index] != GMEM_FLOW_BRANCH) {
    end.is_live |= (analysis->effects[index] & READ) != 0;
    end.may_have_gaps &= !end.is_live;
  }
  return end;
}

// Enters |block| from its end, and before it the blocks around it up to the
// region of |top|, the block of the allocation or of the arguments of a callee.
// Accesses behind those in the blocks around have been looked at.
static void enter_block(gmem_memref_analysis_t *analysis, uint32_t top,
                        uint32_t block) {
  const gmem_program_t *program = analysis->program;
  gmem_block_contents_t *contents = &analysis->contents[block];
  const gmem_ir_region_t *region = gmem_region_of(program, block);
  gmem_block_contents_t end = {.is_live = true};
  if (contents->entered == analysis->accesses.stamp)
    return;
  if (program->blocks[block].region == program->blocks[top].region) {
    end.may_have_gaps = true;
  } else if (region->owner != GMEM_NO_INDEX) {
    enter_block(analysis, top, program->ops[region->owner].block);
    end = end_of_regions(analysis, region->owner);
  }
  contents->entered = analysis->accesses.stamp;
  contents->is_live = end.is_live || region->block_count > 1;
  contents->may_have_gaps =
      end.may_have_gaps &&
      !analysis->facts->uses.unordered[program->blocks[block].region];
  contents->next = program->blocks[block].end;
}

// The regions of op |index| that do not access the site.
static void add_idle_regions(gmem_memref_analysis_t *analysis, uint32_t top,
                             uint32_t index) {
  const gmem_program_t *program = analysis->program;
  gmem_block_contents_t end = end_of_regions(analysis, index);
  for (uint32_t r = program->ops[index].first_region; r != GMEM_NO_INDEX;
       r = program->regions[r].next) {
    uint32_t block = program->regions[r].first_block;
    if (program->regions[r].block_count == 1 && !is_accessed(analysis, block) &&
        end.may_have_gaps && !end.is_live)
      add_gap(analysis, top, program->blocks[block].begin,
              program->blocks[block].end);
  }
}

// Adds the gaps behind op |index|, the last access that has not been looked at,
// and before it if its block, other than that of the allocation, has none
// before.
static void add_gaps(gmem_memref_analysis_t *analysis, uint32_t top,
                     uint32_t index) {
  const gmem_program_op_t *op = &analysis->program->ops[index];
  enter_block(analysis, top, op->block);
  gmem_block_contents_t *block = &analysis->contents[op->block];
  bool has_regions = has_known_regions(analysis, index);
  bool is_call = analysis->facts->flow.flows[index] == GMEM_FLOW_CALL;
  bool is_live = is_live_before(analysis->effects[index], block->is_live);
  if (block->may_have_gaps && !block->is_live)
    add_gap(analysis, top,
            has_regions ? op->end - 1
            : is_call   ? op->begin + 1
                        : op->end,
            block->next);
  if (has_regions)
    add_idle_regions(analysis, top, index);
  if (block->may_have_gaps)
    analysis->effects[index] |= GMEM_CONTENTS_SHOWN;
  block->is_live = is_live;
  block->next = op->begin;
  if (is_live || !block->may_have_gaps)
    return;
  if (has_regions)
    add_gap(analysis, top, op->begin, op->begin + 1);
  if (is_call && analysis->accesses.top == top)
    GMEM_APPEND(analysis->arena, &analysis->accesses.calls, index);
  if (op->block != analysis->accesses.top &&
      gmem_memref_first_access(analysis, op->block) == index)
    add_gap(analysis, top, analysis->program->blocks[op->block].begin,
            op->begin);
}

// The block from whose region on op |index| may have gaps behind it: that of
// the allocation, unless the op is before it there, or of the argument of a
// callee that denotes the site; GMEM_NO_INDEX if there is none.
static uint32_t top_of(const gmem_memref_analysis_t *analysis, uint32_t index,
                       const gmem_value_t *allocation) {
  const gmem_program_t *program = analysis->program;
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  const gmem_program_op_t *op = &program->ops[index];
  const gmem_block_t *top = &program->blocks[allocation->block];
  if (op->function == program->ops[allocation->op].function)
    return index > allocation->op || op->begin < top->begin ? allocation->block
                                                            : GMEM_NO_INDEX;
  return accesses->in_function[op->function] == accesses->stamp &&
                 accesses->arguments[op->function] != GMEM_NO_INDEX
             ? program->values[accesses->arguments[op->function]].block
             : GMEM_NO_INDEX;
}

// Orders ops by their functions, callees first, and last ones first in each.
static int compare_keys(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

void gmem_memref_find_gaps(gmem_memref_analysis_t *analysis,
                           const gmem_allocation_site_t *site) {
  const gmem_program_t *program = analysis->program;
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  const gmem_value_t *allocation = &program->values[site->value];
  size_t count = accesses->ops.count;
  const uint64_t *keys = accesses->ops.at;
  bool has_any = false;
  uint32_t first = gmem_memref_first_access(analysis, allocation->block);
  analysis->accesses.top = allocation->block;
  analysis->callee_gaps.count = 0;
  if (!accesses->is_simple || analysis->facts->streams.count || count < 2)
    return;
  gmem_sort(accesses->ops.at, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count; ++i) {
    uint32_t index = UINT32_MAX - (uint32_t)keys[i];
    add_effect(analysis, site->value, first, index);
    has_any |= !(analysis->effects[index] & KEPT);
  }
  gmem_block_contents_t *top = &analysis->contents[allocation->block];
  top->entered = accesses->stamp;
  top->is_live = !accesses->is_enclosed;
  top->may_have_gaps = true;
  top->next = program->blocks[allocation->block].end;
  for (size_t i = 0; has_any && i < count; ++i) {
    uint32_t index = UINT32_MAX - (uint32_t)keys[i];
    uint32_t block = top_of(analysis, index, allocation);
    if (block != GMEM_NO_INDEX)
      add_gaps(analysis, block, index);
  }
  gmem_ranges_normalise(&analysis->callee_gaps);
}

//===--- gaps in callees --------------------------------------------------===//

// Whether call |index| passes all of the site for the argument of |callee|,
// where gaps count.
static bool passes_whole(const gmem_memref_analysis_t *analysis, uint32_t site,
                         uint32_t index, uint32_t callee) {
  const gmem_program_t *program = analysis->program;
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  const gmem_program_op_t *op = &program->ops[index];
  uint32_t argument = accesses->arguments[callee];
  if (accesses->directly[index] != accesses->stamp ||
      !(analysis->effects[index] & GMEM_CONTENTS_SHOWN) ||
      accesses->in_function[callee] != accesses->stamp ||
      argument == GMEM_NO_INDEX)
    return false;
  MlirValue operand =
      mlirOperationGetOperand(op->op, program->values[argument].number);
  return is_whole(analysis, site, op->function, operand);
}

// Whether all calls from context |base|, of the function that allocates the
// site, to |context| do so.
static bool is_given_whole(const gmem_memref_analysis_t *analysis,
                           uint32_t site, uint32_t context, uint32_t base) {
  while (context != base) {
    const gmem_call_context_t *entry =
        gmem_call_context(analysis->contexts, context);
    if (entry->caller == GMEM_NO_INDEX ||
        !passes_whole(analysis, site,
                      analysis->facts->calls.calls[entry->call].op,
                      entry->function))
      return false;
    context = entry->caller;
  }
  return gmem_call_context(analysis->contexts, base)->function ==
         gmem_value_function(analysis->program, site);
}

// Cuts the steps of |gap| in |context|, which is |base| or inside of it, and in
// the corresponding contexts. Functions that have a single context also run at
// other times, at which the site may have contents.
static void cut_in_contexts(gmem_memref_analysis_t *analysis, uint32_t context,
                            uint32_t base, gmem_live_range_t gap) {
  const gmem_call_contexts_t *contexts = analysis->contexts;
  const gmem_call_context_t *outer = gmem_call_context(contexts, base);
  int64_t begin =
      gmem_context_time(contexts, context, gap.begin) - outer->begin;
  int64_t end =
      gmem_context_time(contexts, context, gap.end - 1) + 1 - outer->begin;
  size_t count;
  const uint32_t *same = gmem_contexts_of(contexts, outer->function, &count);
  for (size_t i = 0; i < count; ++i) {
    int64_t at = gmem_call_context(contexts, same[i])->begin;
    gmem_ranges_add(&analysis->cuts, at + begin, at + end);
  }
}

void gmem_memref_cut_callees(gmem_memref_analysis_t *analysis,
                             const gmem_allocation_site_t *site) {
  const gmem_program_t *program = analysis->program;
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  const gmem_ranges_t *gaps = &analysis->callee_gaps;
  for (size_t i = 0; i < site->site_value_count && gaps->count; ++i) {
    gmem_site_value_t value = site->site_values[i];
    uint32_t function = gmem_value_function(program, value.value);
    int64_t end = program->functions[function].end;
    size_t g = gmem_first_range_after(gaps->data, gaps->count,
                                      program->functions[function].begin);
    bool has_any = g < gaps->count && gaps->data[g].begin < end;
    if (!has_any || accesses->in_function[function] != accesses->stamp ||
        accesses->arguments[function] != value.value ||
        !is_given_whole(analysis, site->value, value.context, value.base))
      continue;
    for (; g < gaps->count && gaps->data[g].begin < end; ++g)
      cut_in_contexts(analysis, value.context, value.base, gaps->data[g]);
  }
}
