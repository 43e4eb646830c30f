// streams.c - see streams.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "streams.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pointer_map.h"

// Limits the memory for clocks: programs with more entries get none, and no
// completion is known.
#define MOST_KNOWN ((size_t)1 << 24)

// An op that asks to be in a stream.
typedef struct request_s {
  int64_t name; // of the stream; comes first, for compare_names
  uint32_t op;
} request_t;

typedef struct requests_s {
  request_t *at;
  size_t count, room;
} requests_t;

typedef struct finder_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  gmem_bump_t *arena;
  gmem_streams_t *streams;
  gmem_diag_t *diag;
  requests_t requests;
  MlirOperation whole;     // an opaque op that is being read
  gmem_pointer_map_t ops;  // from MlirOperation
  bool *uses_streams;      // by function, with all that it calls
  uint64_t *function_left; // by function: sets, as by op
  // Clocks of the current block, by stream - 1:
  uint32_t *host_clock;  // clock of the host
  uint32_t *tail_clocks; // by stream: clock after its last op
  uint32_t *is_tail_of;  // by stream: block of that op, + 1
} finder_t;

//===--- attributes -------------------------------------------------------===//

// Streams are numbered from 0 to this. The numbers of queues are small; a large
// one is a mistake.
#define MOST_STREAM INT32_MAX
static_assert(MOST_STREAM == 2147483647, "as the messages say");

// The stream of |op|, or -1.
static gmem_status_t read_stream(const finder_t *finder, MlirOperation op,
                                 int64_t *out) {
  MlirAttribute stream = gmem_op_annotation(op, GMEM_ATTR_STREAM);
  *out = -1;
  return mlirAttributeIsNull(stream) ||
                 (gmem_i64_get(stream, out) && *out >= 0 && *out <= MOST_STREAM)
             ? GMEM_OK
             : gmem_bad_annotation(mlirOperationGetLocation(op),
                                   GMEM_ATTR_STREAM,
                                   "an i64 from 0 to 2147483647", finder->diag);
}

static gmem_status_t check_wait(const finder_t *finder, MlirOperation op) {
  MlirAttribute wait = gmem_op_annotation(op, GMEM_ATTR_WAIT);
  bool is_list = gmem_is_i64_list(wait, -1), is_good = true;
  for (intptr_t i = 0; is_list && i < mlirDenseArrayGetNumElements(wait); ++i)
    is_good = is_good && mlirDenseI64ArrayGetElement(wait, i) >= 0 &&
              mlirDenseI64ArrayGetElement(wait, i) <= MOST_STREAM;
  return mlirAttributeIsNull(wait) || (is_list && is_good)
             ? GMEM_OK
             : gmem_bad_annotation(
                   mlirOperationGetLocation(op), GMEM_ATTR_WAIT,
                   "an array<i64> of numbers from 0 to 2147483647",
                   finder->diag);
}

static bool has_annotation(MlirOperation op) {
  return !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_STREAM)) ||
         !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_WAIT));
}

// An opaque op runs as a unit: its nested ops cannot be in streams.
static gmem_status_t check_nested(MlirOperation op, void *user) {
  const finder_t *finder = user;
  if (mlirOperationEqual(op, finder->whole) || !has_annotation(op))
    return GMEM_OK;
  return gmem_reject(finder->diag, op,
                     "gmem.stream and gmem.wait are not supported inside an "
                     "op that is planned as a unit; set them on that op");
}

static gmem_status_t read_op(finder_t *finder, const gmem_program_op_t *step,
                             int64_t *out_stream) {
  *out_stream = -1;
  if (step->own >> GMEM_ATTR_STREAM & 1)
    GMEM_TRY(read_stream(finder, step->op, out_stream));
  if (step->own >> GMEM_ATTR_WAIT & 1)
    GMEM_TRY(check_wait(finder, step->op));
  if (*out_stream >= 0 && gmem_ends_block(step->op))
    return gmem_reject(finder->diag, step->op,
                       "a terminator cannot be in a stream: control flow runs "
                       "on the host");
  finder->whole = step->op;
  return step->opaque ? gmem_walk(step->op, check_nested, finder) : GMEM_OK;
}

static int compare_names(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

// Lists the ops that ask for a stream.
static gmem_status_t read_all(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (size_t i = 0; i < program->function_count; ++i)
    if (has_annotation(program->functions[i].op))
      return gmem_reject(finder->diag, program->functions[i].op,
                         "gmem.stream and gmem.wait are not supported on a "
                         "function; set them on its ops or on calls to it");
  for (uint32_t i = 0; i < program->op_count; ++i) {
    int64_t name;
    GMEM_TRY(read_op(finder, &program->ops[i], &name));
    if (name >= 0)
      GMEM_APPEND(finder->arena, &finder->requests, (request_t){name, i});
  }
  return gmem_bump_status(finder->arena, finder->diag);
}

// Numbers the streams in the order of their names.
static gmem_status_t number_streams(finder_t *finder) {
  gmem_streams_t *streams = finder->streams;
  const requests_t *requests = &finder->requests;
  GMEM_TRY_ALLOC(streams->stream_of, finder->arena, finder->program->op_count,
                 finder->diag);
  GMEM_TRY_ALLOC(streams->names, finder->arena, requests->count, finder->diag);
  qsort(requests->at, requests->count, sizeof *requests->at, compare_names);
  for (const request_t *one = requests->at;
       one < requests->at + requests->count; ++one) {
    if (one == requests->at || one->name != one[-1].name)
      streams->names[streams->count++] = one->name;
    streams->stream_of[one->op] = streams->count;
  }
  return GMEM_OK;
}

// The number of the stream of that name; 0 when no op is in it.
static uint32_t find_stream(const gmem_streams_t *streams, int64_t name) {
  const int64_t *found = bsearch(&name, streams->names, streams->count,
                                 sizeof name, compare_names);
  return found ? (uint32_t)(found - streams->names) + 1 : 0;
}

//===--- enclosing ops and callees ----------------------------------------===//

// The stream of |op| or of an enclosing op, or 0.
static uint32_t stream_around(const finder_t *finder, uint32_t op) {
  uint32_t stream = 0;
  for (; op != GMEM_NO_INDEX && !stream;
       op = gmem_op_around(finder->program, op))
    stream = finder->streams->stream_of[op];
  return stream;
}

// Propagates stream use between |function| and its callees, in both directions.
// Returns whether anything changed.
static bool follow_calls_of(finder_t *finder, uint32_t function) {
  const gmem_callee_t *caller = &finder->calls->callees[function];
  bool *uses = finder->uses_streams, *runs = finder->streams->runs_in_stream;
  bool is_changed = false;
  for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
    uint32_t op = finder->calls->calls[c].op;
    uint32_t callee = finder->calls->calls[c].callee;
    bool is_run = runs[function] || stream_around(finder, op);
    is_changed |=
        (uses[callee] && !uses[function]) || (is_run && !runs[callee]);
    uses[function] |= uses[callee];
    runs[callee] |= is_run;
  }
  return is_changed;
}

// Finds the functions that use streams and those that run in one. Recursion may
// take more than one round.
static void follow_calls(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (size_t i = 0; i < program->op_count; ++i)
    finder->uses_streams[program->ops[i].function] |=
        finder->streams->stream_of[i] != 0;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t i = 0; i < program->function_count; ++i)
      is_changed |= follow_calls_of(finder, finder->calls->order[i]);
    for (size_t i = program->function_count; i-- > 0;)
      is_changed |= follow_calls_of(finder, finder->calls->order[i]);
  }
}

// Finds the functions that run in several streams, or in one and on the host.
// Recursive functions are not planned.
static gmem_status_t find_mixed(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  const gmem_calls_t *calls = finder->calls;
  bool *is_mixed = finder->streams->runs_in_several;
  uint32_t *runs_in;
  GMEM_TRY_ALLOC(runs_in, finder->arena, program->function_count, finder->diag);
  for (size_t i = 0; i < program->function_count; ++i)
    runs_in[i] = calls->callees[i].mentions ? GMEM_NO_INDEX : 0;
  for (size_t i = program->function_count; i-- > 0;) { // callers first
    uint32_t function = calls->order[i];
    const gmem_callee_t *caller = &calls->callees[function];
    for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
      uint32_t callee = calls->calls[c].callee;
      uint32_t stream = stream_around(finder, calls->calls[c].op);
      is_mixed[callee] |= !stream && is_mixed[function];
      stream = stream ? stream : runs_in[function];
      is_mixed[callee] |=
          runs_in[callee] != GMEM_NO_INDEX && runs_in[callee] != stream;
      runs_in[callee] = stream;
    }
  }
  return GMEM_OK;
}

// Whether an op that encloses |op| is in a stream.
static bool is_inside_stream(const finder_t *finder, uint32_t op) {
  uint32_t around = gmem_op_around(finder->program, op);
  return around != GMEM_NO_INDEX && stream_around(finder, around) != 0;
}

static gmem_status_t reject_nested(const finder_t *finder) {
  const gmem_program_t *program = finder->program;
  const gmem_streams_t *streams = finder->streams;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *step = &program->ops[i];
    if (streams->stream_of[i] && (is_inside_stream(finder, i) ||
                                  streams->runs_in_stream[step->function]))
      return gmem_reject(
          finder->diag, step->op, "%s",
          streams->runs_in_stream[step->function]
              ? "an op in a stream cannot be in a function that is "
                "called in a stream: the call runs entirely there"
              : "an op in a stream cannot be nested in another op "
                "in a stream: the outer op runs entirely there");
  }
  return GMEM_OK;
}

// A flat layer group is executed as a unit, so in one stream.
static gmem_status_t check_groups(const finder_t *finder) {
  const gmem_program_t *program = finder->program;
  const gmem_streams_t *streams = finder->streams;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_layer_group_t *group =
        gmem_is_group_member(program, i)
            ? gmem_layer_group_of(streams->groups, &program->ops[i])
            : NULL;
    if (group && streams->stream_of[i] != streams->stream_of[group->first])
      return gmem_reject(
          finder->diag, program->ops[i].op,
          "the ops of a flat layer group must all be in the same "
          "stream, or in none");
  }
  return GMEM_OK;
}

//===--- tables -----------------------------------------------------------===//

static gmem_status_t map_ops(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  GMEM_TRY(gmem_pointer_map_make(&finder->ops, program->op_count, finder->arena,
                                 finder->diag));
  for (uint32_t i = 0; i < program->op_count; ++i)
    gmem_pointer_map_add(&finder->ops, program->ops[i].op.ptr, i);
  return GMEM_OK;
}

// The op that defines |value|, or GMEM_NO_INDEX.
static uint32_t find_definition(const finder_t *finder, MlirValue value) {
  return mlirValueIsAOpResult(value)
             ? gmem_pointer_map_find(&finder->ops,
                                     mlirOpResultGetOwner(value).ptr)
             : GMEM_NO_INDEX;
}

static gmem_status_t make_tables(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_bump_t *arena = finder->arena;
  gmem_streams_t *streams = finder->streams;
  size_t functions = program->function_count;
  GMEM_TRY(number_streams(finder));
  GMEM_TRY_ALLOC(streams->has_streams, arena, program->block_count,
                 finder->diag);
  GMEM_TRY_ALLOC(streams->runs_in_stream, arena, functions, finder->diag);
  GMEM_TRY_ALLOC(streams->runs_in_several, arena, functions, finder->diag);
  GMEM_TRY_ALLOC(finder->uses_streams, arena, functions, finder->diag);
  return map_ops(finder);
}

static void merge_streams(gmem_streams_t *streams) {
  streams->count = 1;
  for (size_t i = 0; i < streams->calls->program->op_count; ++i)
    streams->stream_of[i] = streams->stream_of[i] != 0;
}

// The tables whose size depends on the number of streams.
static gmem_status_t make_wide_tables(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_bump_t *arena = finder->arena;
  gmem_streams_t *streams = finder->streams;
  size_t count = streams->count, ops = program->op_count;
  size_t rows = ops + program->block_count + count;
  bool is_too_much = rows > MOST_KNOWN / count;
  if (is_too_much)
    merge_streams(streams);
  size_t words = streams->set_words = (streams->count + 63) / 64;
  GMEM_TRY_ALLOC(streams->left, arena, ops * words, finder->diag);
  GMEM_TRY_ALLOC(finder->function_left, arena, program->function_count * words,
                 finder->diag);
  if (is_too_much)
    return GMEM_OK;
  GMEM_TRY_ALLOC(streams->known, arena, ops * count, finder->diag);
  GMEM_TRY_ALLOC(streams->known_at_end, arena, program->block_count * count,
                 finder->diag);
  GMEM_TRY_ALLOC(finder->host_clock, arena, count, finder->diag);
  GMEM_TRY_ALLOC(finder->tail_clocks, arena, count * count, finder->diag);
  GMEM_TRY_ALLOC(finder->is_tail_of, arena, count, finder->diag);
  return GMEM_OK;
}

//===--- clocks -----------------------------------------------------------===//

static void join(uint32_t *known, const uint32_t *other, size_t count) {
  for (size_t i = 0; i < count; ++i)
    known[i] = known[i] > other[i] ? known[i] : other[i];
}

// The clock after the last op of the stream in block |block|, or NULL when
// there is none.
static const uint32_t *tail_clock_of(const finder_t *finder, uint32_t stream,
                                     uint32_t block) {
  size_t clock = (stream - 1) * (size_t)finder->streams->count;
  return finder->is_tail_of[stream - 1] == block + 1
             ? &finder->tail_clocks[clock]
             : NULL;
}

// Sets the clock after the last op of the stream: |known| and the op itself.
static void set_tail_clock(finder_t *finder, uint32_t stream, uint32_t op,
                           const uint32_t *known) {
  size_t count = finder->streams->count;
  uint32_t block = finder->program->ops[op].block;
  uint32_t *tail_clock = &finder->tail_clocks[(stream - 1) * count];
  assert(stream >= 1 && stream <= count);
  if (finder->is_tail_of[stream - 1] != block + 1)
    memset(tail_clock, 0, count * sizeof *tail_clock);
  finder->is_tail_of[stream - 1] = block + 1;
  join(tail_clock, known, count);
  tail_clock[stream - 1] = op + 1;
}

// Joins the clocks of the streams that the op waits for.
static void join_waits(const finder_t *finder, uint32_t op, uint32_t *known) {
  const gmem_program_op_t *step = &finder->program->ops[op];
  MlirAttribute wait = gmem_op_annotation(step->op, GMEM_ATTR_WAIT);
  intptr_t count =
      mlirAttributeIsNull(wait) ? 0 : mlirDenseArrayGetNumElements(wait);
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t stream =
        find_stream(finder->streams, mlirDenseI64ArrayGetElement(wait, i));
    const uint32_t *tail_clock =
        stream ? tail_clock_of(finder, stream, step->block) : NULL;
    if (tail_clock)
      join(known, tail_clock, finder->streams->count);
  }
}

// Joins the clocks of the ops that define the operands. An op that may lower to
// no code is not waited for, only its own operands are.
static void join_operands(const finder_t *finder, uint32_t op,
                          uint32_t *known) {
  const gmem_program_t *program = finder->program;
  const gmem_streams_t *streams = finder->streams;
  const gmem_program_op_t *step = &program->ops[op];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(step->op); ++i) {
    uint32_t definition =
        find_definition(finder, mlirOperationGetOperand(step->op, i));
    if (definition == GMEM_NO_INDEX || definition >= op ||
        program->ops[definition].block != step->block)
      continue;
    join(known, &streams->known[definition * (size_t)streams->count],
         streams->count);
    uint32_t stream = streams->stream_of[definition];
    if (stream && !gmem_may_vanish(&program->ops[definition]) &&
        known[stream - 1] <= definition)
      known[stream - 1] = definition + 1;
  }
}

static bool set_contains(const uint64_t *set, uint32_t stream) {
  assert(stream >= 1);
  return set[(stream - 1) / 64] >> ((stream - 1) % 64) & 1;
}

static void add_to_set(uint64_t *set, uint32_t stream) {
  set[(stream - 1) / 64] |= UINT64_C(1) << ((stream - 1) % 64);
}

// Computes the clock of op |op|, and those after it. An op that may lower to no
// code delays only the users of its results, and its gmem.wait has no effect.
static void visit_op(finder_t *finder, uint32_t op) {
  const gmem_streams_t *streams = finder->streams;
  size_t count = streams->count;
  uint32_t block = finder->program->ops[op].block;
  uint32_t stream = streams->stream_of[op],
           *known = &streams->known[op * count];
  bool is_code = !gmem_may_vanish(&finder->program->ops[op]);
  assert(!stream || streams->has_streams[block]);
  memcpy(known, finder->host_clock, count * sizeof *known);
  if (stream && !is_code)
    set_tail_clock(finder, stream, op, known);
  join_operands(finder, op, known);
  if (is_code) {
    const uint32_t *tail = stream ? tail_clock_of(finder, stream, block) : NULL;
    join_waits(finder, op, known);
    if (tail)
      join(known, tail, count);
    if (stream)
      set_tail_clock(finder, stream, op, known);
    else
      join(finder->host_clock, known, count);
  }
  for (uint32_t s = 1; s <= count && !stream; ++s)
    if (set_contains(&streams->left[op * streams->set_words], s))
      set_tail_clock(finder, s, op, known);
}

static void visit_ops(finder_t *finder, uint32_t block) {
  const gmem_program_t *program = finder->program;
  const gmem_streams_t *streams = finder->streams;
  size_t count = streams->count;
  if (!streams->known)
    return;
  memset(finder->host_clock, 0, count * sizeof *finder->host_clock);
  for (uint32_t i = program->blocks[block].first_op; i != GMEM_NO_INDEX;
       i = program->ops[i].next)
    visit_op(finder, i);
  memcpy(&streams->known_at_end[block * count], finder->host_clock,
         count * sizeof *finder->host_clock);
}

//===--- work left running ------------------------------------------------===//

// Adds the work that callees leave running to the calls in function |function|.
static void join_calls(finder_t *finder, uint32_t function) {
  gmem_streams_t *streams = finder->streams;
  const gmem_callee_t *caller = &finder->calls->callees[function];
  for (uint32_t c = caller->first_call; c < caller->end_call; ++c) {
    const gmem_call_t *call = &finder->calls->calls[c];
    const uint64_t *from =
        &finder->function_left[call->callee * streams->set_words];
    bool is_any = finder->calls->callees[call->callee].recursive &&
                  finder->uses_streams[call->callee];
    for (size_t w = 0; w < streams->set_words; ++w)
      streams->left[call->op * streams->set_words + w] |=
          is_any ? UINT64_MAX : from[w];
  }
}

static bool leaves_any(const gmem_streams_t *streams, uint32_t op) {
  for (size_t w = 0; w < streams->set_words; ++w)
    if (streams->left[op * streams->set_words + w])
      return true;
  return streams->stream_of[op] != 0;
}

// Adds to |set| the streams with work still running when control leaves the
// block.
static void add_left(const gmem_streams_t *streams, uint32_t block,
                     uint64_t *set) {
  const gmem_program_t *program = streams->calls->program;
  for (uint32_t i = program->blocks[block].first_op; i != GMEM_NO_INDEX;
       i = program->ops[i].next) {
    for (uint32_t s = 1; s <= streams->count && leaves_any(streams, i); ++s)
      if (gmem_stream_is_left(streams, i, s) &&
          !gmem_stream_is_done(streams, i, s, GMEM_NO_INDEX))
        add_to_set(set, s);
  }
}

static void visit_block(finder_t *finder, uint32_t block) {
  const gmem_program_t *program = finder->program;
  gmem_streams_t *streams = finder->streams;
  const gmem_ir_region_t *region = gmem_region_of(program, block);
  for (uint32_t i = program->blocks[block].first_op; i != GMEM_NO_INDEX;
       i = program->ops[i].next)
    streams->has_streams[block] |= leaves_any(streams, i);
  if (!streams->has_streams[block])
    return;
  visit_ops(finder, block);
  // An op that runs entirely in a stream has no streams inside.
  uint64_t *set =
      region->owner == GMEM_NO_INDEX
          ? &finder->function_left[region->function * streams->set_words]
          : &streams->left[region->owner * streams->set_words];
  add_left(streams, block, set);
}

// Callees come before callers; nested blocks have higher numbers than their
// enclosing blocks, so blocks are visited backwards.
static void visit_all(finder_t *finder) {
  for (size_t i = 0; i < finder->program->function_count; ++i) {
    uint32_t index = finder->calls->order[i];
    const gmem_function_t *function = &finder->program->functions[index];
    join_calls(finder, index);
    for (uint32_t b = function->end_block; b-- > function->first_block;)
      visit_block(finder, b);
  }
}

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

static gmem_status_t find_repeated(gmem_streams_t *streams, gmem_bump_t *arena,
                                   gmem_diag_t *diag) {
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

//===--- entry point ------------------------------------------------------===//

gmem_status_t gmem_streams_find(gmem_streams_t *streams, gmem_bump_t *arena,
                                gmem_diag_t *diag) {
  finder_t finder = {.program = streams->calls->program,
                     .calls = streams->calls,
                     .arena = arena,
                     .streams = streams,
                     .diag = diag};
  GMEM_TRY(read_all(&finder));
  if (finder.requests.count == 0)
    return GMEM_OK;
  GMEM_TRY(make_tables(&finder));
  follow_calls(&finder);
  GMEM_TRY(find_mixed(&finder));
  GMEM_TRY(reject_nested(&finder));
  GMEM_TRY(check_groups(&finder));
  GMEM_TRY(make_wide_tables(&finder));
  visit_all(&finder);
  return find_repeated(streams, arena, diag);
}

//===--- queries ----------------------------------------------------------===//

bool gmem_stream_is_done(const gmem_streams_t *streams, uint32_t index,
                         uint32_t stream, uint32_t later) {
  const gmem_program_t *program = streams->calls->program;
  if (!streams->known)
    return false;
  assert(stream >= 1 && stream <= streams->count);
  assert(later == GMEM_NO_INDEX ||
         program->ops[later].block == program->ops[index].block);
  const uint32_t *known =
      later == GMEM_NO_INDEX
          ? &streams->known_at_end[program->ops[index].block *
                                   (size_t)streams->count]
          : &streams->known[later * (size_t)streams->count];
  return known[stream - 1] > index;
}

bool gmem_stream_is_left(const gmem_streams_t *streams, uint32_t index,
                         uint32_t stream) {
  return streams->stream_of[index] == stream ||
         set_contains(&streams->left[index * streams->set_words], stream);
}

void gmem_stream_describe(const gmem_streams_t *streams, uint32_t stream,
                          char *text, size_t size) {
  if (stream == 0)
    snprintf(text, size, "no stream");
  else
    snprintf(text, size, "stream %lld", (long long)streams->names[stream - 1]);
}

//===--- loop hazards -----------------------------------------------------===//

// Whether |home| is in the region of |block|, or inside of an op there.
static bool holds(const gmem_program_t *program, uint32_t block,
                  uint32_t home) {
  while (program->blocks[home].region != program->blocks[block].region) {
    uint32_t owner = gmem_region_of(program, home)->owner;
    if (owner == GMEM_NO_INDEX)
      return false;
    home = program->ops[owner].block;
  }
  return true;
}

// The op of block |home| that is |op| or holds it, or GMEM_NO_INDEX.
// |*out_stream| becomes the stream in which it leaves the work of |op|, or 0.
static uint32_t lift(const gmem_streams_t *streams, uint32_t op, uint32_t home,
                     uint32_t *out_stream) {
  const gmem_program_t *program = streams->calls->program;
  *out_stream = 0;
  for (; op != GMEM_NO_INDEX; op = gmem_op_around(program, op)) {
    if (streams->stream_of[op])
      *out_stream = streams->stream_of[op];
    if (program->ops[op].block == home)
      return op;
    if (*out_stream &&
        gmem_stream_is_done(streams, op, *out_stream, GMEM_NO_INDEX))
      *out_stream = 0;
  }
  return GMEM_NO_INDEX;
}

// Whether a call may run |function|. Callees come first in the order.
static bool may_run(const gmem_calls_t *calls, const gmem_call_t *call,
                    uint32_t function) {
  return calls->callees[call->callee].component >=
         calls->callees[function].component;
}

// Whether |function|, not that of op |op|, may run behind the op while what
// that leaves in |stream| still does: by a call in its region.
static bool is_run_beside(const gmem_streams_t *streams, uint32_t op,
                          uint32_t stream, uint32_t function) {
  const gmem_calls_t *calls = streams->calls;
  const gmem_program_op_t *step = &calls->program->ops[op];
  const gmem_ir_region_t *region = gmem_region_of(calls->program, step->block);
  const gmem_callee_t *around = &calls->callees[step->function];
  bool comes_again =
      (region->block_count > 1 ||
       (region->owner != GMEM_NO_INDEX &&
        streams->flow->flows[region->owner] != GMEM_FLOW_BRANCH)) &&
      !gmem_stream_is_done(streams, op, stream, GMEM_NO_INDEX);
  for (uint32_t c = around->first_call; c < around->end_call; ++c) {
    const gmem_call_t *call = &calls->calls[c];
    uint32_t ignored, later;
    if (!may_run(calls, call, function))
      continue;
    later = lift(streams, call->op, step->block, &ignored);
    if ((comes_again && holds(calls->program, step->block,
                              calls->program->ops[call->op].block)) ||
        (later != GMEM_NO_INDEX && later > op &&
         !gmem_stream_is_done(streams, op, stream, later)))
      return true;
  }
  return false;
}

// Whether op |op| may still run when control reaches block |home| of |function|
// again. It is in |home|, nested in or called from it, or control may hand it a
// memref from there: then, what counts is the loop around both, or the next
// call of |function|.
static bool outlasts(const gmem_streams_t *streams, uint32_t op, uint32_t home,
                     uint32_t function) {
  const gmem_program_t *program = streams->calls->program;
  uint32_t stream = 0;
  for (;;) {
    const gmem_program_op_t *step = &program->ops[op];
    if (streams->stream_of[op])
      stream = streams->stream_of[op];
    if (stream && step->function != function &&
        is_run_beside(streams, op, stream, function))
      return true;
    if (stream && gmem_stream_is_done(streams, op, stream, GMEM_NO_INDEX))
      stream = 0;
    uint32_t around = gmem_op_around(program, op);
    assert(!stream || stream <= streams->count);
    if (step->block == home || (streams->is_repeated[step->block] &&
                                holds(program, step->block, home)))
      return stream != 0;
    if (around == GMEM_NO_INDEX)
      return stream != 0 || streams->runs_in_stream[step->function];
    op = around;
  }
}

// The accesses of one value.
typedef struct accesses_s {
  const gmem_streams_t *streams;
  uint32_t home;     // the block that defines the value
  uint32_t function; // of |home|
  uint32_t stream;   // of all accesses so far
  uint32_t cause;    // an op that may still run, or GMEM_NO_INDEX
  bool is_any, is_mixed;
} accesses_t;

static void add_access(accesses_t *accesses, uint32_t op) {
  uint32_t stream = accesses->streams->stream_of[op];
  accesses->is_mixed |=
      stream == 0 || (accesses->is_any && stream != accesses->stream);
  accesses->is_any = true;
  accesses->stream = stream;
  if (accesses->cause == GMEM_NO_INDEX &&
      outlasts(accesses->streams, op, accesses->home, accesses->function))
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
  *accesses = (accesses_t){
      .streams = streams,
      .home = streams->calls->program->values[value].block,
      .function = gmem_value_function(streams->calls->program, value),
      .cause = GMEM_NO_INDEX};
  return streams->is_repeated && streams->is_repeated[accesses->home];
}

// Whether two calls of the function that defines |value| may run concurrently.
static bool runs_beside_itself(const gmem_streams_t *streams, uint32_t value) {
  uint32_t function = gmem_value_function(streams->calls->program, value);
  return streams->runs_in_several[function];
}

// Whether op |index| only shows the memory of an operand by other names.
static bool makes_views(const gmem_program_t *program, uint32_t index) {
  return program->ops[index].kind == GMEM_OP_RESHAPE ||
         program->ops[index].kind == GMEM_OP_VIEW;
}

// Adds the users of the value and those of its views: control flow may write
// the value on the host while a stream reads a view, whose uses are all in that
// stream.
static void add_all_users(accesses_t *accesses, uint32_t value) {
  enum { MOST_VIEWS = 64 };
  const gmem_program_t *program = accesses->streams->calls->program;
  uint32_t views[MOST_VIEWS] = {value}, count = 1;
  for (uint32_t at = 0; at < count; ++at) {
    add_users(accesses, views[at], true);
    GMEM_CSR_EACH (user, &accesses->streams->uses->users, views[at]) {
      MlirOperation op = program->ops[*user].op;
      intptr_t results =
          makes_views(program, *user) ? mlirOperationGetNumResults(op) : 0;
      for (intptr_t i = 0; i < results && count < MOST_VIEWS; ++i) {
        views[count] =
            gmem_program_find(program, mlirOperationGetResult(op, i));
        count += views[count] != GMEM_NO_INDEX;
      }
    }
  }
  if (count == MOST_VIEWS) { // there may be more
    accesses->is_mixed = true;
    accesses->cause = program->values[views[count - 1]].op;
  }
}

bool gmem_is_loop_hazard(const gmem_streams_t *streams, uint32_t value) {
  accesses_t accesses;
  if (!begin(streams, value, &accesses))
    return false;
  uint32_t definition = streams->calls->program->values[value].op;
  accesses.is_mixed = definition == GMEM_NO_INDEX; // control flow writes it
  if (definition != GMEM_NO_INDEX)
    add_access(&accesses, definition);
  add_all_users(&accesses, value);
  return are_late(&accesses) || runs_beside_itself(streams, value);
}

// The memref of one allocation site: |count| values.
typedef struct instances_s {
  const gmem_streams_t *streams;
  const uint32_t *values;
  size_t count;
  uint32_t alloc, home; // op and its block
} instances_t;

// Whether an access to a new instance may run while op |old|, before the
// allocation in its block, runs in |stream|.
static bool is_met(const instances_t *instances, uint32_t old,
                   uint32_t stream) {
  const gmem_streams_t *streams = instances->streams;
  const gmem_program_t *program = streams->calls->program;
  for (size_t i = 0; i < instances->count; ++i)
    GMEM_CSR_EACH (user, &streams->uses->users, instances->values[i]) {
      uint32_t own;
      uint32_t op = lift(streams, *user, instances->home, &own);
      if (op == GMEM_NO_INDEX || op <= instances->alloc ||
          program->ops[*user].kind == GMEM_OP_VIEW ||
          (streams->known && streams->stream_of[*user] == stream))
        continue;
      if (!gmem_stream_is_done(streams, old, stream, op))
        return true;
    }
  return false;
}

// An op that uses, before op |alloc| in its block, the instance of the
// iteration before, and may still run when the next one is used; or
// GMEM_NO_INDEX.
static uint32_t find_late_user(const instances_t *instances) {
  const gmem_streams_t *streams = instances->streams;
  const gmem_program_t *program = streams->calls->program;
  for (size_t i = 0; i < instances->count; ++i)
    GMEM_CSR_EACH (user, &streams->uses->users, instances->values[i]) {
      uint32_t stream;
      uint32_t op = lift(streams, *user, instances->home, &stream);
      if (op < instances->alloc && stream &&
          program->ops[*user].kind != GMEM_OP_VIEW &&
          is_met(instances, op, stream))
        return *user;
    }
  return GMEM_NO_INDEX;
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
  if (are_late(&accesses) || runs_beside_itself(streams, root))
    return true;
  // A loop may carry an instance beyond the allocation of the next one.
  instances_t instances = {streams, values, count,
                           streams->calls->program->values[root].op,
                           accesses.home};
  if (accesses.is_mixed || !streams->known)
    *out_culprit = find_late_user(&instances);
  return *out_culprit != GMEM_NO_INDEX &&
         (accesses.is_mixed || !streams->known);
}
