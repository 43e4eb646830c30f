// memref_first_use.c - a memref whose first access is a call is live only from
// the first access in the callee on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   func @f() { %a = alloc; call @g(%a); use(%a) }
//   func @g(%x) { %b = alloc; make(%b); read(%b); make(%x) }
//
// Passing %a to @g does not access it, so %a may share memory with %b. This
// holds only in the run of the callee that contains the first access: in a
// second call of @g, the memory has contents before @g accesses %x, unless @g
// overwrites them. The cuts are therefore times, for each context of the
// function of the allocation, and not steps of the callee.

#include <assert.h>

#include "calls.h"
#include "memref_analysis.h"

// The context of the callee if op |index|, in |context|, is a plain call whose
// callee runs between the two steps of the op; else GMEM_NO_INDEX.
static uint32_t called_by(const gmem_memref_analysis_t *analysis,
                          uint32_t index, uint32_t context) {
  const gmem_program_op_t *op = &analysis->program->ops[index];
  const gmem_calls_t *calls = &analysis->facts->calls;
  uint32_t call = gmem_first_call_from(calls, op->function, op->begin);
  if (call >= calls->callees[op->function].end_call ||
      calls->calls[call].op != index || !calls->calls[call].is_plain)
    return GMEM_NO_INDEX;
  uint32_t callee = gmem_callee_context(analysis->contexts, context, call);
  const gmem_call_context_t *entry =
      gmem_call_context(analysis->contexts, callee);
  return entry->caller == context && entry->call == call ? callee
                                                         : GMEM_NO_INDEX;
}

// The first op of |function| that accesses the site, if it is in the entry
// block and the block runs in program order; else GMEM_NO_INDEX.
static uint32_t first_access_in(const gmem_memref_analysis_t *analysis,
                                uint32_t function) {
  const gmem_program_t *program = analysis->program;
  const gmem_function_t *entry = &program->functions[function];
  if (entry->first_op == entry->end_op)
    return GMEM_NO_INDEX;
  uint32_t block = program->ops[entry->first_op].block;
  if (!gmem_is_entry_block(program, block) ||
      analysis->facts->uses.unordered[program->blocks[block].region])
    return GMEM_NO_INDEX;
  return gmem_memref_first_access(analysis, block);
}

// The time of the first access to the site if op |index| in |context| performs
// it: the begin of the op, or of an op in a callee.
static int64_t access_time(const gmem_memref_analysis_t *analysis,
                           uint32_t index, uint32_t context) {
  int64_t time;
  do {
    time = gmem_context_time(analysis->contexts, context,
                             analysis->program->ops[index].begin);
    context = called_by(analysis, index, context);
    index = context == GMEM_NO_INDEX
                ? GMEM_NO_INDEX
                : first_access_in(
                      analysis,
                      gmem_call_context(analysis->contexts, context)->function);
  } while (index != GMEM_NO_INDEX);
  return time;
}

// Cuts the times, in all contexts, from the begin of op |index| to the access.
static void cut_to_access(gmem_memref_analysis_t *analysis, uint32_t index) {
  const gmem_program_op_t *op = &analysis->program->ops[index];
  size_t count;
  const uint32_t *contexts =
      gmem_contexts_of(analysis->contexts, op->function, &count);
  for (size_t i = 0; i < count; ++i)
    gmem_ranges_add(
        &analysis->cuts,
        gmem_context_time(analysis->contexts, contexts[i], op->begin),
        access_time(analysis, index, contexts[i]));
}

void gmem_memref_find_first_use(gmem_memref_analysis_t *analysis,
                                const gmem_allocation_site_t *site) {
  const gmem_value_t *value = &analysis->program->values[site->value];
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  analysis->cuts.count = 0;
  assert(value->op != GMEM_NO_INDEX);
  // With streams, ops that precede the access in the text may still run.
  if (!accesses->are_known || analysis->facts->streams.count)
    return;
  uint32_t first = gmem_memref_first_access(analysis, value->block);
  if (first != GMEM_NO_INDEX)
    cut_to_access(analysis, first);
  for (size_t i = 0; i < accesses->calls.count; ++i)
    cut_to_access(analysis, accesses->calls.at[i]);
  gmem_memref_cut_callees(analysis, site);
  gmem_ranges_normalise(&analysis->cuts);
}
