// loop_hazards.c - values that are redefined while a stream may still access
// them: see streams.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "control_flow.h"
#include "streams.h"

//===--- repeated execution -----------------------------------------------===//

// Whether the function may run several times, given the results for its
// callers; |call| is one of its calls.
static bool is_called_again(const gmem_streams_t *streams, uint32_t call,
                            uint32_t function) {
  const gmem_calls_t *calls = streams->calls;
  const gmem_callee_t *callee = &calls->callees[function];
  if (callee->recursive || callee->parallel || callee->escapes ||
      callee->mentions > 1)
    return true;
  if (callee->mentions == 0)
    return false;
  assert(calls->calls[call].callee == function);
  uint32_t op = calls->calls[call].op;
  return streams->is_repeated[calls->program->ops[op].block];
}

static bool is_repeated(const gmem_streams_t *streams, uint32_t block,
                        bool is_function_repeated) {
  const gmem_program_t *program = streams->calls->program;
  const gmem_ir_region_t *region = gmem_region_of(program, block);
  if (region->block_count > 1)
    return true;
  if (region->owner == GMEM_NO_INDEX)
    return is_function_repeated;
  return streams->flow->flows[region->owner] != GMEM_FLOW_BRANCH ||
         streams->is_repeated[program->ops[region->owner].block];
}

gmem_status_t gmem_stream_loops_find(gmem_streams_t *streams,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_calls_t *calls = streams->calls;
  const gmem_program_t *program = calls->program;
  uint32_t *call_of; // by function
  GMEM_TRY_ALLOC(call_of, arena, program->function_count, diag);
  GMEM_TRY_ALLOC(streams->is_repeated, arena, program->block_count, diag);
  for (uint32_t i = 0; i < calls->count; ++i)
    call_of[calls->calls[i].callee] = i;
  for (size_t i = program->function_count; i-- > 0;) { // callers first
    uint32_t index = calls->order[i];
    const gmem_function_t *function = &program->functions[index];
    bool is_again = is_called_again(streams, call_of[index], index);
    for (uint32_t b = function->first_block; b < function->end_block; ++b)
      streams->is_repeated[b] = is_repeated(streams, b, is_again);
  }
  return GMEM_OK;
}

//===--- late accesses ----------------------------------------------------===//

// Whether op |op|, which is in block |home| or nested in or called from it, may
// still run when control reaches |home| again.
static bool outlasts(const gmem_streams_t *streams, uint32_t op,
                     uint32_t home) {
  const gmem_program_t *program = streams->calls->program;
  uint32_t stream = 0;
  for (;;) {
    const gmem_program_op_t *step = &program->ops[op];
    if (streams->stream_of[op])
      stream = streams->stream_of[op];
    if (stream && gmem_stream_is_done(streams, op, stream, GMEM_NO_INDEX))
      stream = 0;
    uint32_t around = gmem_op_around(program, op);
    assert(!stream || stream <= streams->count);
    if (step->block == home)
      return stream != 0;
    if (around == GMEM_NO_INDEX)
      return stream != 0 || streams->runs_in_stream[step->function];
    op = around;
  }
}

// The accesses of one value.
typedef struct accesses_s {
  const gmem_streams_t *streams;
  uint32_t home;   // the block that defines the value
  uint32_t stream; // of all accesses so far
  uint32_t cause;  // an op that may still run, or GMEM_NO_INDEX
  bool is_any, is_mixed;
} accesses_t;

static void add_access(accesses_t *accesses, uint32_t op) {
  uint32_t stream = accesses->streams->stream_of[op];
  accesses->is_mixed |=
      stream == 0 || (accesses->is_any && stream != accesses->stream);
  accesses->is_any = true;
  accesses->stream = stream;
  if (accesses->cause == GMEM_NO_INDEX &&
      outlasts(accesses->streams, op, accesses->home))
    accesses->cause = op;
}

// Ops of one stream are ordered by it.
static bool are_late(const accesses_t *accesses) {
  return accesses->cause != GMEM_NO_INDEX &&
         (accesses->is_mixed || !accesses->streams->known);
}

static void add_users(accesses_t *accesses, uint32_t value, bool with_views) {
  const gmem_program_t *program = accesses->streams->calls->program;
  GMEM_CSR_EACH (user, &accesses->streams->uses->users, value)
    if (with_views || program->ops[*user].kind != GMEM_OP_VIEW)
      add_access(accesses, *user);
}

// Returns whether |value| may be defined several times.
static bool begin(const gmem_streams_t *streams, uint32_t value,
                  accesses_t *accesses) {
  *accesses = (accesses_t){.streams = streams,
                           .home = streams->calls->program->values[value].block,
                           .cause = GMEM_NO_INDEX};
  return streams->is_repeated && streams->is_repeated[accesses->home];
}

// Whether two calls of the function that defines |value| may run concurrently.
static bool runs_beside_itself(const gmem_streams_t *streams, uint32_t value) {
  uint32_t function = gmem_value_function(streams->calls->program, value);
  return streams->runs_in_several[function];
}

bool gmem_is_loop_hazard(const gmem_streams_t *streams, uint32_t value) {
  accesses_t accesses;
  if (!begin(streams, value, &accesses))
    return false;
  uint32_t definition = streams->calls->program->values[value].op;
  accesses.is_mixed = definition == GMEM_NO_INDEX; // control flow writes it
  if (definition != GMEM_NO_INDEX)
    add_access(&accesses, definition);
  add_users(&accesses, value, true);
  return are_late(&accesses) || runs_beside_itself(streams, value);
}

bool gmem_is_memref_hazard(const gmem_streams_t *streams, uint32_t root,
                           const uint32_t *values, size_t count,
                           uint32_t *out_culprit) {
  accesses_t accesses;
  if (!begin(streams, root, &accesses))
    return false;
  for (size_t i = 0; i < count; ++i)
    add_users(&accesses, values[i], false);
  *out_culprit = accesses.cause;
  return are_late(&accesses) || runs_beside_itself(streams, root);
}
