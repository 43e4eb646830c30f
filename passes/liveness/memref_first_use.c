// memref_first_use.c - a root that a call touches first is not wanted before
// the callee touches it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   func @f() { %a = alloc; call @g(%a); use(%a) }
//   func @g(%x) { %b = alloc; make(%b); read(%b); make(%x) }
//
// That @f hands %a to @g touches nothing of it, so it may lie where %b is. This
// holds in the run of the callee that the first touch is, and in no other: what
// a second call of @g does before it touches %x happens to memory in use. So
// what is taken away are times, of each context of the root's function.

#include "memref_first_use.h"

#include "calls.h"
#include "memref_analysis.h"

// The first op of |block| that touches the root at hand, or GMEM_NO_INDEX.
static uint32_t first_touch(const gmem_memref_analysis_t *finder,
                            uint32_t block) {
  return finder->touched[block] == finder->stamp ? finder->first_touch[block]
                                                 : GMEM_NO_INDEX;
}

// The context of what op |index|, in |context|, does nothing but call, if that
// runs between its two steps. Or GMEM_NO_INDEX.
static uint32_t called_by(const gmem_memref_analysis_t *finder, uint32_t index,
                          uint32_t context) {
  const gmem_op_t *op = &finder->program->ops[index];
  const gmem_calls_t *calls = finder->calls;
  uint32_t call =
      gmem_first_call_from(finder->program, calls, op->function, op->begin);
  if (call >= calls->callees[op->function].end_call ||
      calls->calls[call].op != index || !calls->calls[call].is_plain)
    return GMEM_NO_INDEX;
  uint32_t callee = gmem_callee_context(finder->contexts, context, call);
  const gmem_call_context_t *entry =
      gmem_call_context(finder->contexts, callee);
  return entry->caller == context && entry->call == call ? callee
                                                         : GMEM_NO_INDEX;
}

// The first op of |function| that touches the root, if it is in the block in
// which the function begins, and that runs in the order of the text.
static uint32_t first_touch_in(const gmem_memref_analysis_t *finder,
                               uint32_t function) {
  const gmem_program_t *program = finder->program;
  const gmem_function_t *entry = &program->functions[function];
  if (entry->first_op == entry->end_op)
    return GMEM_NO_INDEX;
  uint32_t block = program->ops[entry->first_op].block;
  uint32_t region = program->blocks[block].region;
  if (program->regions[region].owner != GMEM_NO_INDEX ||
      program->blocks[block].number != 0 || finder->uses->unordered[region])
    return GMEM_NO_INDEX;
  return first_touch(finder, block);
}

// The time at which the root is touched first, if op |index| in |context| is
// what touches it first: when that op begins, or something in what it calls.
static int64_t touch_time(const gmem_memref_analysis_t *finder, uint32_t index,
                          uint32_t context) {
  int64_t time;
  do {
    time = gmem_context_time(finder->contexts, context,
                             finder->program->ops[index].begin);
    context = called_by(finder, index, context);
    index = context == GMEM_NO_INDEX
                ? GMEM_NO_INDEX
                : first_touch_in(
                      finder,
                      gmem_call_context(finder->contexts, context)->function);
  } while (index != GMEM_NO_INDEX);
  return time;
}

bool gmem_memref_find_first_use(gmem_memref_analysis_t *finder,
                                const gmem_allocation_site_t *root) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *value = &program->values[root->value];
  size_t count;
  const uint32_t *contexts = gmem_contexts_of(
      finder->contexts, program->ops[value->op].function, &count);
  finder->cuts.count = 0;
  // In streams, what is before something in the text may still run.
  if (!finder->has_touches || finder->hazards->is_repeated)
    return true;
  uint32_t at = first_touch(finder, value->block);
  for (size_t i = 0; i < count && at != GMEM_NO_INDEX; ++i)
    gmem_ranges_add(&finder->cuts,
                    gmem_context_time(finder->contexts, contexts[i],
                                      program->ops[at].begin),
                    touch_time(finder, at, contexts[i]));
  gmem_ranges_normalise(&finder->cuts);
  return !finder->cuts.out_of_memory;
}
