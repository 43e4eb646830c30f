// proof_streams.c - see proof_streams.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_streams.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribute_codec.h"
#include "ir_reading.h"
#include "partition_point.h"
#include "proof_accesses.h"
#include "proof_messages.h"
#include "proof_runs.h"

// Programs with more clock entries get none: nothing is then complete before
// its block ends, and all ops that are in a stream are in an unordered one.
#define MOST_CLOCKS ((size_t)1 << 25)

typedef enum kind_e {
  READ,
  WRITE,
  PAD, // bytes beside a value, which any op may write and none relies on
  KIND_COUNT,
} kind_t;

// When in a unit: as it begins or computes, in its regions or callees, or when
// those have ended.
typedef enum phase_e { FIRST, INSIDE, LAST } phase_t;

typedef struct access_s {
  gmem_proof_range_t bytes;
  uint32_t id;   // the memory, a workbuffer, or GMEM_NO_INDEX
  uint32_t op;   // that makes it
  uint32_t at;   // the op of the current block that is or contains |op|
  uint32_t run;  // the stream that it runs in; 0: the host
  uint32_t left; // the same, if it may still run when its unit ends; or 0
  uint8_t kind, phase;
  bool is_old;   // a loop has made the memory anew behind it
  bool is_early; // of a layer group as it begins; the memory is made later
} access_t;

typedef GMEM_LIST(access_t) accesses_t;

// Of the accesses to some bytes, all in one stream, the last one, and the last
// one to other memory, or to an older instance: one of them is of other memory
// than any access. If streams are unknown, the first one, two to other memory
// in two streams, and two in other streams to two memories: if any is of
// another memory and stream than some access, one of these is.
enum { KEPT = 5 };
typedef struct last_s {
  uint32_t at[KIND_COUNT][KEPT]; // indices + 1
} last_t;

// A segment tree. The leaves are the bytes between neighbouring addresses.
typedef struct tree_s {
  const access_t *all; // in which the indices are
  uint64_t *addresses; // ascending
  size_t address_count, leaves;
  last_t *whole; // by node: accesses to all its bytes
  last_t *any;   // by node: to some of them
  size_t address_room, node_room;
  uint32_t last_at; // the last unit with an access
} tree_t;

typedef struct stream_op_s { // that asks for a stream
  int64_t name;              // comes first, for compare_names
  uint32_t op;
} stream_op_t;

typedef struct clocks_s {
  int64_t *names; // of streams, ascending
  uint32_t count;
  bool is_unknown; // there are too many
  uint32_t *of;    // by op: its stream, from 1; 0: the host
  // By op and stream - 1: units of the block with a smaller index are done when
  // it begins.
  uint32_t *known;
  uint32_t *host, *tails; // at the current point; by stream
  uint32_t *is_tail_of;   // by stream: block of the last op, + 1
} clocks_t;

typedef struct prover_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  const gmem_proof_contents_t *contents;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  clocks_t clocks;
  bool *is_gone;                     // by op: it lowers to no code
  accesses_t *inside;                // by op
  accesses_t *calls;                 // by function: what a call of it does
  GMEM_LIST(stream_op_t) stream_ops; // sorted
  GMEM_LIST(uint32_t) ids;           // of the current value
  accesses_t block;                  // of the current one, in order
  accesses_t results;                // the last ones of the current op
  uint32_t at;                       // the op that has the listed accesses
  uint32_t begun; // first op of the layer group that begins with it, or
                  //   GMEM_NO_INDEX
  gmem_proof_accesses_t own; // of the current op, without its inside
  tree_t tree;
  gmem_proof_runs_t runs;
} prover_t;

static const gmem_proof_op_t *op_at(const prover_t *prover, uint32_t op) {
  assert(op < prover->program->ops.count);
  return &prover->program->ops.at[op];
}

static const gmem_proof_value_t *value_at(const prover_t *prover,
                                          uint32_t value) {
  assert(value < prover->program->values.count);
  return &prover->program->values.at[value];
}

//===--- messages ---------------------------------------------------------===//

// "'x.load' in stream 1".
static gmem_proof_text_t text_of(const prover_t *prover,
                                 const access_t *access) {
  gmem_proof_text_t text;
  gmem_proof_text_t op = gmem_proof_op_text(prover->program, access->op);
  if (access->run)
    snprintf(text.at, sizeof text.at, "%.64s in stream %lld", op.at,
             (long long)prover->clocks.names[access->run - 1]);
  else
    snprintf(text.at, sizeof text.at, "%.64s in no stream", op.at);
  return text;
}

static const char *verb_of(const access_t *access) {
  return access->kind == READ ? "reads" : "writes";
}

// Where the later access of a message is, and the earlier one.
static const char *const IN_BLOCK[2] = {"", ""};
static const char *const IN_LOOP[2] = {" in a later iteration",
                                       " in an earlier one"};
static const char *const IN_BLOCKS[2] = {" in another block or iteration", ""};

static gmem_status_t report(const prover_t *prover, const access_t *earlier,
                            const access_t *later, const char *const *where) {
  const access_t *both[2] = {earlier, later};
  gmem_note_t notes[2];
  for (int i = 0; i < 2; ++i)
    notes[i] = gmem_proof_note(
        mlirOperationGetLocation(op_at(prover, both[i]->op)->op), "%s %s %s",
        text_of(prover, both[i]).at, verb_of(both[i]),
        gmem_proof_bytes_text(prover->program, both[i]->bytes).at);
  gmem_proof_range_t common = gmem_proof_common(earlier->bytes, later->bytes);
  return gmem_error(
      prover->diag, GMEM_ERR_OVERLAP, notes[1].location, notes, 2,
      "%s %s %s%s, but nothing orders it after %s, which %s them%s",
      text_of(prover, later).at, verb_of(later),
      gmem_proof_bytes_text(prover->program, common).at, where[0],
      text_of(prover, earlier).at, verb_of(earlier), where[1]);
}

//===--- streams of ops ---------------------------------------------------===//

static int compare_names(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

// The number of the stream of that name; 0 when no op is in it.
static uint32_t find_stream(const clocks_t *clocks, int64_t name) {
  const int64_t *found =
      bsearch(&name, clocks->names, clocks->count, sizeof name, compare_names);
  return found ? (uint32_t)(found - clocks->names) + 1 : 0;
}

static gmem_status_t read_op(prover_t *prover, uint32_t index) {
  MlirOperation op = op_at(prover, index)->op;
  MlirAttribute stream = gmem_op_annotation(op, GMEM_ATTR_STREAM);
  MlirAttribute wait = gmem_op_annotation(op, GMEM_ATTR_WAIT);
  int64_t name = -1;
  if (!mlirAttributeIsNull(stream) &&
      (!gmem_i64_get(stream, &name) || name < 0))
    return gmem_reject(prover->diag, op,
                       "gmem.stream must be a non-negative i64");
  if (!mlirAttributeIsNull(wait) && !gmem_is_i64_list(wait, -1))
    return gmem_reject(prover->diag, op,
                       "gmem.wait must be an array<i64> of non-negative "
                       "numbers");
  if (name >= 0)
    GMEM_APPEND(prover->arena, &prover->stream_ops, (stream_op_t){name, index});
  return GMEM_OK;
}

static gmem_status_t read_streams(prover_t *prover) {
  clocks_t *clocks = &prover->clocks;
  size_t ops = prover->program->ops.count;
  for (uint32_t i = 0; i < ops; ++i)
    GMEM_TRY(read_op(prover, i));
  GMEM_TRY(gmem_bump_status(prover->arena, prover->diag));
  const stream_op_t *at = prover->stream_ops.at;
  size_t asked = prover->stream_ops.count;
  if (asked)
    qsort(prover->stream_ops.at, asked, sizeof *at, compare_names);
  GMEM_TRY_ALLOC(clocks->of, prover->arena, ops, prover->diag);
  GMEM_TRY_ALLOC(clocks->names, prover->arena, asked, prover->diag);
  for (size_t i = 0; i < asked; ++i) {
    if (i == 0 || at[i].name != at[i - 1].name)
      clocks->names[clocks->count++] = at[i].name;
    clocks->of[at[i].op] = clocks->count;
  }
  size_t count = clocks->count;
  clocks->is_unknown = count && ops + count > MOST_CLOCKS / count;
  if (clocks->is_unknown) {
    clocks->count = 1; // all work that is left counts as that of one stream
    return GMEM_OK;
  }
  GMEM_TRY_ALLOC(clocks->known, prover->arena, ops * count, prover->diag);
  GMEM_TRY_ALLOC(clocks->host, prover->arena, count, prover->diag);
  GMEM_TRY_ALLOC(clocks->tails, prover->arena, count * count, prover->diag);
  GMEM_TRY_ALLOC(clocks->is_tail_of, prover->arena, count, prover->diag);
  return GMEM_OK;
}

//===--- clocks -----------------------------------------------------------===//

static uint32_t *known_at(const prover_t *prover, uint32_t op) {
  return &prover->clocks.known[op * (size_t)prover->clocks.count];
}

static void join(uint32_t *known, const uint32_t *other, size_t count) {
  for (size_t i = 0; i < count; ++i)
    known[i] = known[i] > other[i] ? known[i] : other[i];
}

// Joins what is known after the last op of |stream| in |block|, if it has one.
static void join_tail(const clocks_t *clocks, uint32_t stream, uint32_t block,
                      uint32_t *known) {
  if (stream && clocks->is_tail_of[stream - 1] == block + 1)
    join(known, &clocks->tails[(stream - 1) * (size_t)clocks->count],
         clocks->count);
}

// Op |op|, before which |known| is done, is the last one in |stream|.
static void set_tail(const prover_t *prover, uint32_t stream, uint32_t op,
                     const uint32_t *known) {
  const clocks_t *clocks = &prover->clocks;
  uint32_t *tail = &clocks->tails[(stream - 1) * (size_t)clocks->count];
  if (clocks->is_tail_of[stream - 1] != op_at(prover, op)->block + 1)
    memset(tail, 0, clocks->count * sizeof *tail);
  clocks->is_tail_of[stream - 1] = op_at(prover, op)->block + 1;
  join(tail, known, clocks->count);
  tail[stream - 1] = op + 1;
}

static void join_operands(const prover_t *prover, uint32_t index,
                          uint32_t *known) {
  const gmem_proof_op_t *op = op_at(prover, index);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t from = op->operands[i] == GMEM_NO_INDEX
                        ? GMEM_NO_INDEX
                        : value_at(prover, op->operands[i])->op;
    if (from == GMEM_NO_INDEX || from >= index ||
        op_at(prover, from)->block != op->block)
      continue;
    join(known, known_at(prover, from), prover->clocks.count);
    uint32_t stream = prover->clocks.of[from];
    if (stream && !prover->is_gone[from] && known[stream - 1] <= from)
      known[stream - 1] = from + 1;
  }
}

// Computes what is known when op |index| begins. An op that lowers to no code
// waits for nothing and only passes on what its operands have waited for.
static void visit_clock(const prover_t *prover, uint32_t index) {
  const clocks_t *clocks = &prover->clocks;
  const gmem_proof_op_t *op = op_at(prover, index);
  uint32_t stream = clocks->of[index], *known = known_at(prover, index);
  join(known, clocks->host, clocks->count);
  if (prover->is_gone[index]) {
    if (stream)
      set_tail(prover, stream, index, known);
    join_operands(prover, index, known);
    return;
  }
  join_operands(prover, index, known);
  MlirAttribute wait = gmem_op_annotation(op->op, GMEM_ATTR_WAIT);
  intptr_t count =
      mlirAttributeIsNull(wait) ? 0 : mlirDenseArrayGetNumElements(wait);
  for (intptr_t i = 0; i < count; ++i)
    join_tail(clocks, find_stream(clocks, mlirDenseI64ArrayGetElement(wait, i)),
              op->block, known);
  join_tail(clocks, stream, op->block, known);
  if (stream)
    set_tail(prover, stream, index, known);
  else
    join(clocks->host, known, clocks->count);
}

// Computes the clocks of the ops of a block, whose accesses are listed.
static void visit_clocks(prover_t *prover, uint32_t block) {
  clocks_t *clocks = &prover->clocks;
  size_t next = 0;
  if (clocks->is_unknown)
    return;
  memset(clocks->host, 0, clocks->count * sizeof *clocks->host);
  for (uint32_t i = prover->program->blocks.at[block].first_op;
       i != GMEM_NO_INDEX; i = op_at(prover, i)->next) {
    visit_clock(prover, i);
    for (; next < prover->block.count && prover->block.at[next].at <= i;
         ++next) {
      const access_t *access = &prover->block.at[next];
      size_t row = (access->left - (size_t)1) * clocks->count;
      if (access->left && access->at == i && access->left != clocks->of[i] &&
          (clocks->is_tail_of[access->left - 1] != block + 1 ||
           clocks->tails[row + access->left - 1] <= i))
        set_tail(prover, access->left, i, known_at(prover, i));
    }
  }
}

// Whether |access| is done when op |later| begins or, for GMEM_NO_INDEX, when
// its block ends.
static bool is_done(const prover_t *prover, const access_t *access,
                    uint32_t later) {
  if (!access->left || prover->clocks.is_unknown)
    return !access->left;
  const uint32_t *known =
      later == GMEM_NO_INDEX ? prover->clocks.host : known_at(prover, later);
  return known[access->left - 1] > access->at;
}

//===--- accesses of ops --------------------------------------------------===//

// Sets prover->ids to the memories that |value| denotes in any call.
static void list_ids(prover_t *prover, uint32_t value) {
  prover->ids.count = 0;
  if (value == GMEM_NO_INDEX)
    return;
  const gmem_proof_function_t *function =
      &prover->program->functions.at[value_at(prover, value)->function];
  uint32_t own = gmem_proof_arguments(prover->program, function->region).first;
  gmem_proof_set_t set = prover->memory->sites[value];
  for (uint32_t i = 0; i < set.count; ++i) {
    if (set.at[i] < GMEM_PROOF_ARGUMENT) {
      GMEM_APPEND(prover->arena, &prover->ids, set.at[i]);
      continue;
    }
    gmem_proof_set_t given =
        prover->memory->given[own + (set.at[i] & ~GMEM_PROOF_ARGUMENT)];
    for (uint32_t k = 0; k < given.count; ++k)
      GMEM_APPEND(prover->arena, &prover->ids, given.at[k]);
  }
}

// Where work of |stream| is left: see is_unknown.
static uint32_t left_in(const prover_t *prover, uint32_t stream) {
  return prover->clocks.is_unknown ? stream != 0 : stream;
}

// Whether value |id| is made in the block of the layer group that begins, by an
// op behind its first one that is not of the group.
static bool is_made_in_group(const prover_t *prover, uint32_t id) {
  uint32_t first = prover->begun;
  if (first == GMEM_NO_INDEX || id >= prover->program->values.count)
    return false;
  uint32_t op = value_at(prover, id)->op;
  return op != GMEM_NO_INDEX && op > first &&
         prover->program->group_first[op] !=
             prover->program->group_first[first] &&
         op_at(prover, op)->block == op_at(prover, first)->block;
}

static void add(prover_t *prover, uint32_t op, phase_t phase, kind_t kind,
                gmem_proof_range_t bytes, uint32_t id) {
  uint32_t stream = prover->clocks.of[op];
  accesses_t *list = phase == LAST ? &prover->results : &prover->block;
  if (bytes.begin < bytes.end)
    GMEM_APPEND(prover->arena, list,
                (access_t){.bytes = bytes,
                           .id = id,
                           .op = op,
                           .at = prover->at,
                           .run = stream,
                           .left = left_in(prover, stream),
                           .kind = (uint8_t)kind,
                           .phase = (uint8_t)phase,
                           .is_early = is_made_in_group(prover, id)});
}

// Op |op| accesses the memory of |value|; PAD: what is beside it.
static void add_value(prover_t *prover, uint32_t op, kind_t kind,
                      uint32_t value) {
  list_ids(prover, value);
  for (size_t i = 0; i < prover->ids.count; ++i) {
    uint32_t id = prover->ids.at[i];
    const gmem_proof_value_t *owner = value_at(prover, id);
    if (!owner->is_placed || owner->is_constant)
      continue;
    if (kind != PAD) {
      add(prover, op, FIRST, kind, owner->bytes, id);
      continue;
    }
    add(prover, op, FIRST, PAD,
        (gmem_proof_range_t){owner->buffer.begin, owner->bytes.begin}, id);
    add(prover, op, FIRST, PAD,
        (gmem_proof_range_t){owner->bytes.end, owner->buffer.end}, id);
  }
}

// Whether operand |number| is in the result already.
static bool is_in_result(const prover_t *prover, const gmem_proof_op_t *op,
                         uint32_t number) {
  const gmem_proof_parts_t *parts =
      &prover->contents->parts[op - prover->program->ops.at];
  if (parts->shape != GMEM_PROOF_JOINS && parts->shape != GMEM_PROOF_INSERTS)
    return false;
  uint64_t begin = value_at(prover, op->results.first)->bytes.begin;
  if (!value_at(prover, op->results.first)->is_placed)
    return false;
  if (number < op->operand_count &&
      op->operands[number] == gmem_proof_rest(op, parts))
    return gmem_proof_is_at(prover->program, op->operands[number], begin);
  return number >= parts->first && number < parts->end &&
         parts->offsets[number - parts->first] != GMEM_PROOF_NO_PART &&
         gmem_proof_is_at(prover->program, op->operands[number],
                          begin + parts->offsets[number - parts->first]);
}

// Whether the op lowers to no code. |makes|: it writes a result.
static bool is_no_code(const prover_t *prover, uint32_t index, bool makes) {
  const gmem_proof_op_t *op = op_at(prover, index);
  switch (op->model->kind) {
  case GMEM_OP_EMPTY:
  case GMEM_OP_ALLOC:
  case GMEM_OP_VIEW:
  case GMEM_OP_NONE:
  case GMEM_OP_GLOBAL:
  case GMEM_OP_INPUT:
  case GMEM_OP_WEIGHT:
    return true;
  case GMEM_OP_DEALLOC:
    return op->results.count == 0;
  case GMEM_OP_RESHAPE:
    return !makes;
  default:
    return !makes &&
           prover->contents->parts[index].shape != GMEM_PROOF_COMPUTES;
  }
}

// Adds an access to an operand, or beside it.
static void add_operand(prover_t *prover, uint32_t index,
                        const gmem_proof_access_t *access) {
  const gmem_proof_op_t *op = op_at(prover, index);
  bool is_memref = value_at(prover, access->value)->is_memref;
  if (access->operand != GMEM_NO_INDEX &&
      (is_in_result(prover, op, access->operand) ||
       (is_memref && gmem_proof_is_flow(op))))
    return;
  bool is_written = access->kind == GMEM_PROOF_MODIFIES || is_memref;
  add_value(prover, index,
            access->kind == GMEM_PROOF_PADS ? PAD
            : is_written                    ? WRITE
                                            : READ,
            access->value);
}

// Whether a view is made with the operand, such as a shape in memory.
static bool is_made_with(const gmem_proof_op_t *op, uint32_t operand) {
  return (op->model->kind == GMEM_OP_RESHAPE ||
          op->model->kind == GMEM_OP_VIEW) &&
         operand != 0 && operand != GMEM_NO_INDEX;
}

static void add_own(prover_t *prover, uint32_t index) {
  gmem_proof_accesses_t *own = &prover->own;
  bool makes = false;
  gmem_proof_accesses_list(own, index);
  for (size_t i = 0; i < own->list.count; ++i) {
    const gmem_proof_access_t *access = &own->list.at[i];
    bool is_result = access->value != GMEM_NO_INDEX &&
                     value_at(prover, access->value)->op == index;
    if (access->kind == GMEM_PROOF_SCRATCH)
      add(prover, index, FIRST, WRITE, access->bytes,
          (uint32_t)prover->program->values.count + index);
    if (access->kind == GMEM_PROOF_PASSES)
      add(prover, index, is_result ? LAST : FIRST, WRITE, access->bytes,
          GMEM_NO_INDEX);
    if (access->kind != GMEM_PROOF_MAKES && access->kind != GMEM_PROOF_COPIES)
      continue;
    makes |= is_result;
    if (!value_at(prover, access->value)->is_constant)
      add(prover, index, is_result ? LAST : FIRST, WRITE, access->bytes,
          access->value);
  }
  prover->is_gone[index] = is_no_code(prover, index, makes);
  // An insertion that covers its destination may still read that, and a part
  // without a place is a copy of its operand.
  const gmem_proof_parts_t *parts = &prover->contents->parts[index];
  bool is_silent =
      prover->is_gone[index] && parts->shape != GMEM_PROOF_INSERTS &&
      (parts->shape == GMEM_PROOF_COMPUTES ||
       value_at(prover, op_at(prover, index)->results.first)->is_placed);
  for (size_t i = 0; i < own->list.count; ++i)
    if ((own->list.at[i].kind <= GMEM_PROOF_MODIFIES ||
         own->list.at[i].kind == GMEM_PROOF_PADS) &&
        (!is_silent ||
         is_made_with(op_at(prover, index), own->list.at[i].operand)))
      add_operand(prover, index, &own->list.at[i]);
}

// The memory of the operand at address |begin|.
static uint32_t operand_at(prover_t *prover, const gmem_proof_op_t *op,
                           uint64_t begin) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (!gmem_proof_is_at(prover->program, op->operands[i], begin))
      continue;
    list_ids(prover, op->operands[i]);
    if (prover->ids.count == 1)
      return prover->ids.at[0];
  }
  return GMEM_NO_INDEX;
}

// Copies are made by the host. The sources of those to results are what the
// ends of regions and functions have waited for.
static void add_copies(prover_t *prover, uint32_t index) {
  const gmem_proof_op_t *op = op_at(prover, index);
  for (uint32_t i = 0; i < op->planned->copy_count; ++i) {
    const gmem_proof_copy_t *copy = &op->planned->copies[i];
    bool is_last = copy->edge == GMEM_EDGE_RESULTS;
    uint32_t from = operand_at(prover, op, copy->from);
    if (!is_last)
      add(prover, index, FIRST, READ,
          (gmem_proof_range_t){copy->from, copy->from + copy->size}, from);
    add(prover, index, is_last ? LAST : FIRST, WRITE,
        (gmem_proof_range_t){copy->to, copy->to + copy->size}, GMEM_NO_INDEX);
  }
}

// Adds what a unit does inside: nested ops and callees.
static void add_inside(prover_t *prover, uint32_t index,
                       const accesses_t *inside) {
  uint32_t stream = prover->clocks.of[index];
  for (size_t i = 0; i < inside->count; ++i) {
    access_t access = inside->at[i];
    access.at = index;
    access.phase = INSIDE;
    access.is_early = false;
    if (stream)
      access.run = stream, access.left = left_in(prover, stream);
    GMEM_APPEND(prover->arena, &prover->block, access);
  }
}

// The ops of a flat layer group may access what they use from its first op on,
// and up to its last one.
static void add_group(prover_t *prover, uint32_t index) {
  const uint32_t *next = prover->program->group_next;
  uint32_t first = prover->program->group_first[index];
  uint32_t block = op_at(prover, index)->block, last = next[index];
  if (first == GMEM_NO_INDEX)
    return;
  if (op_at(prover, first)->is_scattered) { // of those in the block
    while (op_at(prover, first)->block != block)
      first = next[first];
    while (last != GMEM_NO_INDEX && op_at(prover, last)->block != block)
      last = next[last];
  }
  if (index != first && last != GMEM_NO_INDEX)
    return;
  if (index == first && !op_at(prover, first)->is_scattered)
    prover->begun = first;
  for (uint32_t i = first; i != GMEM_NO_INDEX; i = next[i])
    if (i != index && op_at(prover, i)->block == block)
      add_own(prover, i);
  prover->begun = GMEM_NO_INDEX;
}

static void add_op(prover_t *prover, uint32_t index) {
  const gmem_proof_op_t *op = op_at(prover, index);
  prover->results.count = 0;
  prover->at = index;
  add_group(prover, index);
  add_own(prover, index);
  add_copies(prover, index);
  add_inside(prover, index, &prover->inside[index]);
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    uint32_t callee = prover->program->callees.at[op->first_callee + c];
    add_inside(prover, index, &prover->calls[callee]);
  }
  for (size_t i = 0; i < prover->results.count; ++i)
    GMEM_APPEND(prover->arena, &prover->block, prover->results.at[i]);
}

//===--- instances of memories --------------------------------------------===//

// A region or the regions of an op, which run again and again.
typedef struct again_s {
  uint32_t owner; // op, or GMEM_NO_INDEX: the whole function
  uint32_t function;
} again_t;

static bool is_below(const void *op, const void *limit) {
  return *(const uint32_t *)op < *(const uint32_t *)limit;
}

// Whether an op from |begin| on, before |end|, runs |function|.
static bool may_run(prover_t *prover, uint32_t function, uint32_t begin,
                    uint32_t end) {
  const gmem_proof_run_ops_t *runs =
      gmem_proof_runs_of(&prover->runs, function);
  if (!runs)
    return true;
  size_t first = gmem_partition_point(&begin, runs->at, runs->count,
                                      sizeof *runs->at, is_below);
  return first < runs->count && runs->at[first] < end;
}

// The op that makes memory |id|, a value or a workbuffer, or that passes it to
// its regions; GMEM_NO_INDEX: a block of |*out_function| has it as an argument.
static uint32_t maker_of(const prover_t *prover, uint32_t id,
                         uint32_t *out_function) {
  const gmem_proof_program_t *program = prover->program;
  uint32_t op = id - (uint32_t)program->values.count;
  if (id < program->values.count) {
    const gmem_proof_value_t *value = value_at(prover, id);
    uint32_t region = program->blocks.at[value->block].region;
    *out_function = value->function;
    return value->op == GMEM_NO_INDEX ? program->regions.at[region].owner
                                      : value->op;
  }
  *out_function = op_at(prover, op)->function;
  return op;
}

// Whether each run has its own memory |id|.
static bool is_made_inside(prover_t *prover, const again_t *again,
                           uint32_t id) {
  const gmem_proof_function_t *whole =
      &prover->program->functions.at[again->function];
  bool is_whole = again->owner == GMEM_NO_INDEX;
  uint32_t begin = is_whole ? whole->first_op : again->owner;
  uint32_t end = is_whole ? whole->end_op : op_at(prover, begin)->end;
  uint32_t function, op = maker_of(prover, id, &function);
  if (function != again->function)
    return may_run(prover, function, begin, end);
  return is_whole || (op != GMEM_NO_INDEX && op >= begin && op < end);
}

// Whether op |op| is in a graph region: it runs once in a run of that, and what
// it makes may be used by ops before it in the text.
static bool is_in_graph(const gmem_proof_program_t *program, uint32_t op) {
  uint32_t block = gmem_proof_op_at(program, op)->block;
  return program->regions.at[program->blocks.at[block].region].is_graph;
}

// Whether memory |id| may be made behind the unit at |from|, in that at |to| or
// before it: a group makes its memories as it begins.
static bool is_made_between(prover_t *prover, uint32_t id, uint32_t from,
                            uint32_t to) {
  uint32_t begin = op_at(prover, from)->end, end = op_at(prover, to)->end;
  uint32_t function, op = maker_of(prover, id, &function);
  if (function != op_at(prover, to)->function)
    return may_run(prover, function, begin, end);
  return op != GMEM_NO_INDEX && op >= begin && op < end &&
         prover->program->group_first[op] == GMEM_NO_INDEX &&
         !is_in_graph(prover->program, op);
}

// Whether both access one instance of one memory, whose contents are the
// program's affair. |again| NULL: in one run of a block.
static bool is_same_memory(prover_t *prover, const access_t *earlier,
                           const access_t *later, const again_t *again) {
  uint32_t values = (uint32_t)prover->program->values.count;
  if (later->id == GMEM_NO_INDEX || later->id != earlier->id)
    return false;
  if (later->id >= values &&
      op_at(prover, later->id - values)->planned->has_threads)
    return true; // each thread has its own
  if (again)
    return !is_made_inside(prover, again, later->id);
  return !earlier->is_old &&
         (earlier->is_early ||
          !is_made_between(prover, later->id, earlier->at, later->at));
}

//===--- the last accesses to bytes ---------------------------------------===//

static int compare_addresses(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static size_t leaf_of(const tree_t *tree, uint64_t address) {
  size_t low = 0, high = tree->address_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (tree->addresses[middle] < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Makes an empty tree for the accesses of |list| that run on in |stream|. Sets
// |*out_count| to their number.
static gmem_status_t begin_tree(prover_t *prover, const accesses_t *list,
                                uint32_t stream, size_t *out_count) {
  tree_t *tree = &prover->tree;
  size_t count = 0, kept = 0;
  for (size_t i = 0; i < list->count; ++i)
    count += list->at[i].left == stream;
  *out_count = count;
  if (2 * count > tree->address_room) {
    tree->address_room = 4 * count;
    GMEM_TRY_ALLOC(tree->addresses, prover->arena, tree->address_room,
                   prover->diag);
  }
  count = 0;
  for (size_t i = 0; i < list->count; ++i)
    if (list->at[i].left == stream) {
      tree->addresses[count++] = list->at[i].bytes.begin;
      tree->addresses[count++] = list->at[i].bytes.end;
    }
  if (count)
    qsort(tree->addresses, count, sizeof *tree->addresses, compare_addresses);
  for (size_t i = 0; i < count; ++i)
    if (!kept || tree->addresses[kept - 1] != tree->addresses[i])
      tree->addresses[kept++] = tree->addresses[i];
  tree->address_count = kept;
  tree->leaves = kept ? kept : 1;
  if (2 * tree->leaves > tree->node_room) {
    tree->node_room = 4 * tree->leaves;
    GMEM_TRY_ALLOC(tree->whole, prover->arena, tree->node_room, prover->diag);
    GMEM_TRY_ALLOC(tree->any, prover->arena, tree->node_room, prover->diag);
  }
  memset(tree->whole, 0, 2 * tree->leaves * sizeof *tree->whole);
  memset(tree->any, 0, 2 * tree->leaves * sizeof *tree->any);
  prover->tree.all = list->at;
  return GMEM_OK;
}

static void push_any(const access_t *all, uint32_t *at, uint32_t index) {
  const access_t *access = &all[index], *first = at[0] ? &all[at[0] - 1] : NULL;
  if (!first)
    at[0] = index + 1;
  else if (access->id != first->id && !at[1])
    at[1] = index + 1;
  else if (access->id != first->id && !at[2] &&
           access->run != all[at[1] - 1].run)
    at[2] = index + 1;
  if (!first || access->run == first->run)
    return;
  if (!at[3])
    at[3] = index + 1;
  else if (!at[4] && access->id != all[at[3] - 1].id)
    at[4] = index + 1;
}

static void push(prover_t *prover, last_t *last, uint32_t index) {
  const access_t *all = prover->tree.all, *access = &all[index];
  uint32_t *at = last->at[access->kind];
  if (prover->clocks.is_unknown) {
    push_any(all, at, index);
    return;
  }
  if (at[0] && !is_same_memory(prover, &all[at[0] - 1], access, NULL))
    at[1] = at[0];
  at[0] = index + 1;
}

static void insert(prover_t *prover, uint32_t index) {
  tree_t *tree = &prover->tree;
  const access_t *access = &prover->tree.all[index];
  size_t first = leaf_of(tree, access->bytes.begin) + tree->leaves;
  size_t end = leaf_of(tree, access->bytes.end) + tree->leaves;
  assert(first < end && end < 2 * tree->leaves);
  tree->last_at = access->at;
  for (size_t l = first, r = end; l < r; l /= 2, r /= 2) {
    if (l & 1)
      push(prover, &tree->whole[l], index),
          push(prover, &tree->any[l++], index);
    if (r & 1)
      push(prover, &tree->whole[--r], index),
          push(prover, &tree->any[r], index);
  }
  for (size_t i = first; i; i /= 2)
    push(prover, &tree->any[i], index);
  for (size_t i = end - 1; i; i /= 2)
    push(prover, &tree->any[i], index);
}

//===--- pairs that nothing orders ----------------------------------------===//

static bool is_conflict(prover_t *prover, const access_t *earlier,
                        const access_t *later, const again_t *again) {
  if (is_same_memory(prover, earlier, later, again) ||
      earlier->run == later->run) // a stream runs in order
    return false;
  if (again)
    return true;
  // An op in a stream runs there as a whole.
  return !(earlier->at == later->at && prover->clocks.of[later->at]) &&
         !is_done(prover, earlier, later->at);
}

// Returns an access of |last| that is in conflict with |access|, or NULL.
static const access_t *find_in(prover_t *prover, const last_t *last,
                               const access_t *access, const again_t *again) {
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    if (last->at[kind][0] == 0 || (kind == PAD && access->kind == PAD))
      continue; // the first is kept first
    for (int i = 0; i < KEPT; ++i) {
      uint32_t at = last->at[kind][i];
      if (at && is_conflict(prover, &prover->tree.all[at - 1], access, again))
        return &prover->tree.all[at - 1];
    }
  }
  return NULL;
}

// The same among all accesses in the tree.
static const access_t *find_earlier(prover_t *prover, const access_t *access,
                                    const again_t *again) {
  const tree_t *tree = &prover->tree;
  size_t first = leaf_of(tree, access->bytes.begin);
  size_t end = leaf_of(tree, access->bytes.end) + tree->leaves;
  const access_t *found = NULL;
  if (first && (first == tree->address_count ||
                tree->addresses[first] > access->bytes.begin))
    --first;
  first += tree->leaves;
  if (first >= end)
    return NULL;
  for (size_t l = first, r = end; l < r && !found; l /= 2, r /= 2) {
    if (l & 1)
      found = find_in(prover, &tree->any[l++], access, again);
    if ((r & 1) && !found)
      found = find_in(prover, &tree->any[--r], access, again);
  }
  for (size_t i = first; i && !found; i /= 2)
    found = find_in(prover, &tree->whole[i], access, again);
  for (size_t i = end - 1; i && !found; i /= 2)
    found = find_in(prover, &tree->whole[i], access, again);
  return found;
}

// Whether |access| must be ordered after those that run on in |stream|. Reads
// need not be checked: an op happens after that which wrote the value that it
// reads, and that after all earlier accesses to the bytes.
static bool is_checked(const prover_t *prover, const access_t *access,
                       uint32_t stream) {
  return access->kind != READ &&
         (access->run != stream || prover->clocks.is_unknown);
}

// Checks the accesses of a block with what runs on in |stream|.
static gmem_status_t check_stream(prover_t *prover, uint32_t stream) {
  const accesses_t *list = &prover->block;
  size_t count;
  bool is_empty = true;
  GMEM_TRY(begin_tree(prover, list, stream, &count));
  for (size_t first = 0, next; first < list->count && count; first = next) {
    const access_t *one = &list->at[first];
    for (next = first; next < list->count && list->at[next].at == one->at &&
                       (list->at[next].phase == LAST) == (one->phase == LAST);
         ++next) {
      const access_t *access = &list->at[next];
      if (is_empty || !is_checked(prover, access, stream) ||
          (!prover->clocks.is_unknown &&
           known_at(prover, access->at)[stream - 1] > prover->tree.last_at))
        continue;
      const access_t *found = find_earlier(prover, access, NULL);
      if (found)
        return report(prover, found, access, IN_BLOCK);
    }
    for (size_t i = first; i < next; ++i)
      if (list->at[i].left == stream) {
        insert(prover, (uint32_t)i);
        is_empty = false;
      }
  }
  return GMEM_OK;
}

// Checks what runs on at the end of a run with all that the next one does, and
// notes what may be of a run before the last one.
static gmem_status_t check_again(prover_t *prover, const accesses_t *list,
                                 const again_t *again) {
  for (uint32_t s = 1; s <= prover->clocks.count; ++s) {
    size_t count;
    GMEM_TRY(begin_tree(prover, list, s, &count));
    for (size_t i = 0; i < list->count && count; ++i)
      if (list->at[i].left == s)
        insert(prover, (uint32_t)i);
    for (size_t i = 0; i < list->count && count; ++i) {
      const access_t *access = &list->at[i], *found = NULL;
      if (is_checked(prover, access, s))
        found = find_earlier(prover, access, again);
      if (found)
        return report(prover, found, access,
                      again->owner == GMEM_NO_INDEX ||
                              op_at(prover, again->owner)->flow ==
                                  GMEM_PROOF_BRANCH
                          ? IN_BLOCKS
                          : IN_LOOP);
    }
  }
  for (size_t i = 0; i < list->count; ++i)
    list->at[i].is_old |= list->at[i].id != GMEM_NO_INDEX &&
                          is_made_inside(prover, again, list->at[i].id);
  return GMEM_OK;
}

//===--- blocks, regions and functions ------------------------------------===//

static int compare_accesses(const void *left, const void *right) {
  const access_t *a = left, *b = right;
  const uint64_t fields[][2] = {{a->bytes.begin, b->bytes.begin},
                                {a->bytes.end, b->bytes.end},
                                {a->id, b->id},
                                {a->kind, b->kind},
                                {a->run, b->run},
                                {a->left, b->left},
                                {a->is_old, b->is_old}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (fields[i][0] != fields[i][1])
      return fields[i][0] < fields[i][1] ? -1 : 1;
  return 0;
}

static int compare_with_ops(const void *left, const void *right) {
  const access_t *a = left, *b = right;
  int order = compare_accesses(left, right);
  return order ? order : (a->op > b->op) - (a->op < b->op);
}

// Keeps one of accesses that differ in their ops only.
static void remove_duplicates(accesses_t *list) {
  size_t kept = 0;
  if (list->count)
    qsort(list->at, list->count, sizeof *list->at, compare_with_ops);
  for (size_t i = 0; i < list->count; ++i)
    if (!kept || compare_accesses(&list->at[kept - 1], &list->at[i]))
      list->at[kept++] = list->at[i];
  list->count = kept;
}

// Whether |access| is one of deferred code outside of the current block: that
// may enqueue it after all waits of the block.
static bool is_late(const prover_t *prover, const access_t *access) {
  const gmem_proof_op_t *op = op_at(prover, access->op);
  const gmem_proof_op_t *unit = op_at(prover, access->at);
  return unit->flow == GMEM_PROOF_LATER ||
         (op->is_deferred && !unit->is_deferred &&
          op->function == unit->function);
}

// Adds the accesses of the current block to those of its region.
static void leave_block(prover_t *prover, accesses_t *to, bool has_streams) {
  for (size_t i = 0; i < prover->block.count; ++i) {
    access_t access = prover->block.at[i];
    if (!has_streams || (is_done(prover, &access, GMEM_NO_INDEX) &&
                         !(access.left && is_late(prover, &access))))
      access.left = 0;
    GMEM_APPEND(prover->arena, to, access);
  }
}

static gmem_status_t visit_block(prover_t *prover, uint32_t index,
                                 accesses_t *to) {
  const gmem_proof_block_t *block = &prover->program->blocks.at[index];
  bool has_streams = false;
  prover->block.count = 0;
  for (uint32_t i = block->first_op; i != GMEM_NO_INDEX && block->is_reached;
       i = op_at(prover, i)->next) {
    add_op(prover, i);
    has_streams |= prover->clocks.of[i] != 0;
  }
  GMEM_TRY(gmem_bump_status(prover->arena, prover->diag));
  for (size_t i = 0; i < prover->block.count && !has_streams; ++i)
    has_streams = prover->block.at[i].left != 0;
  if (has_streams) {
    visit_clocks(prover, index);
    for (uint32_t s = 1; s <= prover->clocks.count; ++s)
      GMEM_TRY(check_stream(prover, s));
  }
  leave_block(prover, to, has_streams);
  return gmem_bump_status(prover->arena, prover->diag);
}

// Nested blocks have greater numbers than those around them. Blocks of one
// region follow each other, and |to| is what they have in common.
static gmem_status_t visit_region_of(prover_t *prover, uint32_t function,
                                     uint32_t block, size_t *first) {
  const gmem_proof_program_t *program = prover->program;
  uint32_t index = program->blocks.at[block].region;
  const gmem_proof_region_t *region = &program->regions.at[index];
  const gmem_proof_op_t *owner =
      region->owner == GMEM_NO_INDEX ? NULL : op_at(prover, region->owner);
  accesses_t *to =
      owner ? &prover->inside[region->owner] : &prover->calls[function];
  again_t again = {region->owner, function};
  if (block + 1 == region->first_block + region->block_count)
    *first = to->count;
  GMEM_TRY(visit_block(prover, block, to));
  if (block != region->first_block)
    return GMEM_OK;
  bool is_branch = !owner || owner->flow == GMEM_PROOF_BRANCH;
  if (is_branch && region->block_count > 1) {
    accesses_t part = {to->at ? to->at + *first : NULL, to->count - *first, 0};
    GMEM_TRY(check_again(prover, &part, &again));
  }
  if (!is_branch && index == owner->first_region)
    GMEM_TRY(check_again(prover, to, &again));
  if (!owner || index == owner->first_region)
    remove_duplicates(to);
  return GMEM_OK;
}

static gmem_status_t visit_function(prover_t *prover, uint32_t index) {
  const gmem_proof_program_t *program = prover->program;
  const gmem_proof_function_t *function = &program->functions.at[index];
  uint32_t first = gmem_proof_entry(program, function->region);
  size_t *firsts; // by region: accesses of others before it
  if (first == GMEM_NO_INDEX)
    return GMEM_OK;
  GMEM_TRY_ALLOC(firsts, prover->arena, function->end_block - first,
                 prover->diag);
  for (uint32_t b = function->end_block; b-- > first;) {
    uint32_t head = gmem_proof_entry(program, program->blocks.at[b].region);
    GMEM_TRY(visit_region_of(prover, index, b, &firsts[head - first]));
  }
  return GMEM_OK;
}

gmem_status_t gmem_proof_streams_check(const gmem_proof_program_t *program,
                                       const gmem_proof_memory_t *memory,
                                       const gmem_proof_contents_t *contents,
                                       gmem_bump_t *arena, gmem_diag_t *diag) {
  prover_t prover = {.program = program,
                     .memory = memory,
                     .contents = contents,
                     .arena = arena,
                     .begun = GMEM_NO_INDEX,
                     .own = {.program = program,
                             .memory = memory,
                             .contents = contents,
                             .arena = arena},
                     .diag = diag};
  GMEM_TRY(read_streams(&prover));
  if (prover.clocks.count == 0)
    return GMEM_OK;
  GMEM_TRY(gmem_proof_runs_find(program, arena, &prover.runs, diag));
  GMEM_TRY_ALLOC(prover.is_gone, arena, program->ops.count, diag);
  GMEM_TRY_ALLOC(prover.inside, arena, program->ops.count, diag);
  GMEM_TRY_ALLOC(prover.calls, arena, program->functions.count, diag);
  for (size_t i = 0; i < program->functions.count; ++i)
    GMEM_TRY(visit_function(&prover, program->order[i]));
  return GMEM_OK;
}
