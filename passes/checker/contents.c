// contents.c - see contents.h: the walk through one scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The idea is that of the checker of register allocators in Cranelift's
// regalloc2 (Fallin, 2021): go forward through the program, know only what each
// op reads and writes and where the plan puts values, and demand of each read
// that memory still holds the value. Nothing is known of live ranges, alias
// sets or buffers, so an error in their analysis has no place to repeat itself
// here.
//
// State. At each point, the set of values whose contents are intact, ordered by
// address, and the set of those that have been lost, each with the op that
// wrote over it (proof_state.h). A value that is in neither has never been
// written: an empty tensor, an allocation, a loop body entered anew. Reading it
// is no error, as there is nothing to lose.
//
// Steps. An op reads its operands; writes its results, workbuffers and
// paddings, which loses every intact value that has one of the bytes, unless it
// writes what is there already (proof_contents.h); and must then still have its
// operands, except those that its model permits it to write over at the same
// bytes. Copies of control flow happen exactly as gmem.copies records them: a
// value that should arrive somewhere else than it is, without a record, is an
// error. A value without a place is copied to one without a record.
//
// A write of all of an allocation, by an op that reads none of it, makes it
// intact again after it has been lost.
//
// Joins. A value that is lost on some path is lost. Branches and blocks join
// the states at their ends; loops of blocks are walked until their heads do not
// change. A value of which ops of its block alone know is forgotten behind
// that. A structured loop needs no such rounds: SSA values of its body are
// defined anew in each iteration, so its head is the state before it without
// what any op of the body may write, and with what it must have made and kept
// when the function returns. Memrefs that it carries are followed round by
// round, by a name for each memory that they may point to (proof_memory.h).
//
// Instances. An allocation in a loop, or in a function that is called again, is
// made anew in the same bytes. No op uses an older instance then
// (proof_instances.h), so that memory is known by the value that owns it.
//
// Calls. A function is checked once, with intact arguments; its footprint, the
// bytes that it and its callees write, is what a call loses. A function that is
// given memrefs of the function that is checked is walked for the call instead,
// for what either does to the memory of the other: what it does to its own has
// been checked with itself. A later call that gives it the same has the same
// effect (proof_repeats.c). A tensor that a callee modifies is its caller's:
// the call modifies the operand, or a copy of it (proof_modified.c). There is a
// limit of ops; beyond it, what is passed must be intact from the call's begin
// to its end.
//
// Soundness. By induction along any execution: a value that is in neither set
// has no contents that an op may rely on; an intact one has all its bytes,
// since every write in the program is one of those above. The join keeps what
// is lost, so the state at a point covers all executions that reach it.
// Concurrency is proved apart: code that runs at any time until its function
// ends keeps its bytes ("hot"), and proof_streams.h orders the accesses of
// streams. Writes of memory that control flow has passed on without its being
// followed (proof_untracked.h) are left out: nothing else has its bytes.
//
// Cost. Each value is lost at most once per time that it is written, in O(log
// n); a join takes O(log n) per difference, and those at one block are made in
// pairs of about as many. A loop costs its body once, at whatever depth, a call
// the places where its callee's footprint begins or ends between intact values,
// and loops of blocks a few rounds. Memrefs that the blocks of a loop pass on
// have a name for each allocation that reaches them, but for those that nothing
// can lose (proof_private.h), and a set of all of them, but for those that need
// not be followed (proof_untracked.h): if all others reach all, their number,
// and so the time, is quadratic in that of the blocks. So is the memory; nodes
// that no state has any more are used again from block to block.
//
// The check relies on op models and effects (what an op reads and writes), on
// the sizes of types, and on the reading of IR: allowed-symbols lists it.

#include "contents.h"

#include <assert.h>

#include "mlir-c/BuiltinTypes.h"
#include "proof_branches.h"
#include "proof_claims.h"
#include "proof_escapes.h"
#include "proof_instances.h"
#include "proof_layouts.h"
#include "proof_places.h"
#include "proof_rules.h"
#include "proof_states.h"
#include "proof_streams.h"
#include "proof_walk.h"

// Calls that are walked with what the caller's memory holds: at most so many
// ops in all. Beyond that a call counts as a whole.
enum { OPS_PER_OP = 8, OPS_ANYWAY = 1 << 20 };

// Blocks that are walked again behind one from which a change goes back.
enum { NEAR = 16 };

//===--- regions ----------------------------------------------------------===//

static gmem_status_t walk_op(gmem_walk_t *walk, uint32_t index);
static gmem_status_t leave(gmem_walk_t *walk, uint32_t index);

// Goes on at successor |number| of branch |index|; the state is that before its
// copies.
static gmem_status_t jump(gmem_walk_t *walk, uint32_t index, uint32_t number,
                          uint32_t to) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_proof_row_t row = walk->program->blocks.at[to].arguments;
  uint32_t first;
  if (gmem_proof_branch_operands(op, number, &first)) {
    gmem_walk_move_t move = {GMEM_EDGE_SUCCESSOR, number, op->operands + first,
                             row};
    return gmem_walk_move(walk, index, &move);
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    GMEM_TRY(gmem_walk_read(walk, index, "reads", op->operands[i]));
  walk->now.writes.count = 0;
  gmem_walk_add_row(walk, row);
  GMEM_TRY(gmem_walk_make_writes(walk, index));
  gmem_walk_bind_to_any(walk, row);
  gmem_walk_define_row(walk, row, NULL, index);
  return gmem_walk_check_row(walk, index, "passes", row);
}

// Walks a block; sets |*out_last| to its last op, which has not been left.
static gmem_status_t walk_block(gmem_walk_t *walk, uint32_t index,
                                uint32_t *out_last) {
  const gmem_proof_block_t *block = &walk->program->blocks.at[index];
  *out_last = block->last_op;
  for (uint32_t i = block->first_op; i != GMEM_NO_INDEX;
       i = gmem_walk_op(walk, i)->next)
    GMEM_TRY(walk_op(walk, i));
  return GMEM_OK;
}

// States that lead to a block from blocks before it, each joined from |weight|
// of them, which falls. Joins of states that differ in about as much make the
// whole n log n.
typedef struct part_s {
  gmem_proof_state_t state;
  uint32_t weight;
} part_t;

typedef GMEM_LIST(part_t) parts_t;

// The walk of the blocks of a region.
typedef struct blocks_s {
  const gmem_proof_region_t *region;
  gmem_proof_state_t *states; // by position: at the begin of the block
  bool *is_due;   // by position: the state has changed since the walk
  parts_t *parts; // by position: not yet in the state
  gmem_proof_state_t exit;
  bool is_final; // the states do not change any more
} blocks_t;

static void join_last(gmem_walk_t *walk, parts_t *parts) {
  part_t *last = &parts->at[--parts->count];
  gmem_proof_join(&walk->store, &last[-1].state, &last->state);
  last[-1].weight += last->weight;
}

static void add_part(gmem_walk_t *walk, parts_t *parts) {
  GMEM_APPEND(walk->arena, parts, (part_t){walk->state, 1});
  while (parts->count > 1 && parts->at[parts->count - 2].weight ==
                                 parts->at[parts->count - 1].weight)
    join_last(walk, parts);
}

// Joins what leads to the block at |position|. Returns whether that is new.
static bool join_parts(gmem_walk_t *walk, blocks_t *blocks, uint32_t position) {
  gmem_proof_state_t *state = &blocks->states[position];
  parts_t *parts = &blocks->parts[position];
  size_t before = gmem_proof_size(state);
  bool was_reached = state->is_reached;
  while (parts->count > 1)
    join_last(walk, parts);
  if (parts->count)
    gmem_proof_join(&walk->store, state, &parts->at[0].state);
  parts->count = 0;
  return state->is_reached != was_reached || gmem_proof_size(state) != before;
}

// Forgets those values of a row, or their names, of which ops of their block
// alone know.
static void forget_row(gmem_walk_t *walk, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (!walk->memory.is_of_block[v])
      continue;
    else if (!gmem_walk_value(walk, v)->is_memref)
      gmem_proof_forget(&walk->store, &walk->state, gmem_walk_bytes(walk, v),
                        v);
    else if (gmem_walk_value(walk, v)->op == GMEM_NO_INDEX)
      gmem_walk_forget_names(walk, (gmem_proof_row_t){v, 1});
}

// Forgets the values that only ops of a block use, at its end. Else the state
// of each block would have the values of all others. |keeps_arguments|: control
// flow goes to the block again and has just passed them.
static void forget_block(gmem_walk_t *walk, uint32_t index,
                         bool keeps_arguments) {
  const gmem_proof_block_t *block = &walk->program->blocks.at[index];
  if (!walk->memory.has_values_of_blocks)
    return;
  if (!keeps_arguments)
    forget_row(walk, block->arguments);
  for (uint32_t i = block->first_op; i != GMEM_NO_INDEX;
       i = gmem_walk_op(walk, i)->next)
    forget_row(walk, gmem_walk_op(walk, i)->results);
}

// Whether the current state, at the end of the block at |from|, adds nothing to
// that of the block at |to|, before it: nothing has been lost since then. What
// the loop has made is made anew before an op reads it, as its maker dominates
// that op; all other intact values are in the state at |to| already. A return
// may read what is pinned without that.
static bool brings_nothing(const gmem_walk_t *walk, const blocks_t *blocks,
                           uint32_t from, uint32_t to) {
  return to <= from && walk->is_anew && !walk->kept.pins.count &&
         blocks->states[to].is_reached &&
         blocks->states[to].lost == walk->state.lost;
}

// Goes on at the successors of the block at |from|, whose last op is |last|.
static gmem_status_t walk_on(gmem_walk_t *walk, blocks_t *blocks, uint32_t from,
                             uint32_t last) {
  const gmem_proof_program_t *program = walk->program;
  GMEM_TRY(gmem_walk_scratch(walk, last));
  gmem_proof_state_t end = walk->state;
  intptr_t count = mlirOperationGetNumSuccessors(gmem_walk_op(walk, last)->op);
  for (uint32_t s = 0; s < (uint32_t)count; ++s) {
    uint32_t to = gmem_proof_successor(program, gmem_walk_op(walk, last), s);
    if (to == GMEM_NO_INDEX || !end.is_reached)
      continue;
    uint32_t position = program->blocks.at[to].position;
    gmem_proof_freeze(&walk->store);
    walk->state = end;
    GMEM_TRY(jump(walk, last, s, to));
    forget_block(walk, blocks->region->order[from],
                 to == blocks->region->order[from]);
    if (blocks->is_final || brings_nothing(walk, blocks, from, position))
      continue;
    add_part(walk, &blocks->parts[position]);
    // Only a loop that changes leads back.
    if (position > from || !join_parts(walk, blocks, position))
      continue;
    blocks->is_due[position] = true;
  }
  return GMEM_OK;
}

// Whether the block at |position| may have to be walked.
static bool is_due(const blocks_t *blocks, uint32_t position) {
  return blocks->parts[position].count ||
         (blocks->is_due[position] && blocks->states[position].is_reached);
}

// Frees the nodes of states of earlier rounds, and of values that are forgotten
// at the end of a block. Inside of other regions, and in callees, there are
// more states than these.
static void sweep(gmem_walk_t *walk, const blocks_t *blocks) {
  if (walk->frame.depth || blocks->region->owner != GMEM_NO_INDEX ||
      !gmem_proof_is_due(&walk->store))
    return;
  for (uint32_t i = 0; i < blocks->region->block_count; ++i) {
    gmem_proof_mark(&blocks->states[i]);
    for (size_t k = 0; k < blocks->parts[i].count; ++k)
      gmem_proof_mark(&blocks->parts[i].at[k].state);
  }
  gmem_proof_mark(&blocks->exit);
  gmem_proof_mark(&walk->state);
  for (size_t i = 0; i < walk->program->functions.count; ++i)
    gmem_proof_area_mark(walk->footprints.of[i]);
  gmem_walk_mark_summaries(walk);
  gmem_proof_sweep(&walk->store);
}

// Walks the block at |position|, if it is due, from the state at its begin, and
// joins that at its end to those of its successors, or to the exit.
static gmem_status_t walk_due(gmem_walk_t *walk, blocks_t *blocks,
                              uint32_t position) {
  uint32_t block = blocks->region->order[position], last;
  if (!is_due(blocks, position))
    return GMEM_OK;
  blocks->is_due[position] |= join_parts(walk, blocks, position);
  if (!is_due(blocks, position))
    return GMEM_OK;
  blocks->is_due[position] = false;
  if (blocks->region->owner == GMEM_NO_INDEX)
    walk->kept.position = position;
  gmem_proof_freeze(&walk->store);
  walk->state = blocks->states[position];
  ++walk->walked[block];
  GMEM_TRY(walk_block(walk, block, &last));
  if (last != GMEM_NO_INDEX &&
      mlirOperationGetNumSuccessors(gmem_walk_op(walk, last)->op)) {
    GMEM_TRY(walk_on(walk, blocks, position, last));
  } else {
    if (last != GMEM_NO_INDEX)
      GMEM_TRY(leave(walk, last));
    forget_block(walk, block, false);
    gmem_proof_join(&walk->store, &blocks->exit, &walk->state);
  }
  --walk->walked[block];
  sweep(walk, blocks);
  return GMEM_OK;
}

static bool has_due(const blocks_t *blocks) {
  for (uint32_t i = 0; i < blocks->region->reached; ++i)
    if (is_due(blocks, i))
      return true;
  return false;
}

// Walks the blocks that are due until no head of a loop changes any more: first
// to last, then last to first and so on. On the way back, the blocks behind
// each one are walked again with it: what a chain of loops that overlap passes
// back, by a few blocks at a time or with a few steps forward in between, gets
// to its begin in one round. As states only grow, what is an error in an
// earlier round is one in the last, too.
static gmem_status_t walk_blocks(gmem_walk_t *walk, blocks_t *blocks) {
  uint32_t count = blocks->region->reached;
  do {
    for (uint32_t i = 0; i < count; ++i)
      GMEM_TRY(walk_due(walk, blocks, i));
    for (uint32_t i = has_due(blocks) ? count : 0; i-- > 0;)
      for (uint32_t k = i; k < count && k < i + NEAR; ++k)
        GMEM_TRY(walk_due(walk, blocks, k));
    GMEM_TRY(gmem_bump_status(walk->arena, walk->diag));
  } while (has_due(blocks));
  return GMEM_OK;
}

// The states do not change any more: each block is to be walked once more.
static void walk_all_again(blocks_t *blocks) {
  blocks->is_final = true;
  for (uint32_t i = 0; i < blocks->region->reached; ++i)
    blocks->is_due[i] = true;
}

// Whether |bytes| are inside of a result of the op.
static bool is_in_results(const gmem_walk_t *walk, const gmem_proof_op_t *op,
                          gmem_proof_range_t bytes) {
  bool is_inside = false;
  for (uint32_t i = 0; i < op->results.count; ++i) {
    uint32_t v = op->results.first + i;
    gmem_proof_range_t result = gmem_walk_value(walk, v)->bytes;
    is_inside |= gmem_proof_is_target(walk->program, v) &&
                 result.begin <= bytes.begin && bytes.end <= result.end;
  }
  return is_inside;
}

// Makes the writes that are listed again, but for those of the results of op
// |index|. They make nothing intact: what has lost that may run behind the op.
static gmem_status_t write_again(gmem_walk_t *walk, uint32_t index) {
  size_t kept = 0;
  for (size_t i = 0; i < walk->now.writes.count; ++i) {
    gmem_walk_write_t write = walk->now.writes.at[i];
    write.is_whole = false;
    if (!write.is_to_copy &&
        !is_in_results(walk, gmem_walk_op(walk, index), write.bytes))
      walk->now.writes.at[kept++] = write;
  }
  walk->now.writes.count = kept;
  return gmem_walk_make_writes(walk, index);
}

// Op |index| and its callees write memory, arguments and what copies bring.
static gmem_status_t repeat_own(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_walk_list_writes(walk, index);
  GMEM_TRY(write_again(walk, index));
  gmem_walk_list_copies(walk, index);
  GMEM_TRY(write_again(walk, index));
  gmem_walk_list_modified(walk, index);
  GMEM_TRY(write_again(walk, index));
  for (uint32_t i = 0; i < op->operand_count && op->flow == GMEM_PROOF_CALL;
       ++i) {
    gmem_walk_list_memory(walk, op->operands[i]);
    GMEM_TRY(write_again(walk, index));
  }
  return GMEM_OK;
}

// Op |index| runs after others that follow it in the text: what it writes
// beside its results, its workbuffers and what is inside of it, must not be
// theirs.
static gmem_status_t repeat_writes(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_proof_freeze(&walk->store);
  gmem_proof_state_t before = walk->state;
  GMEM_TRY(gmem_walk_scratch(walk, index));
  GMEM_TRY(repeat_own(walk, index));
  GMEM_TRY(gmem_walk_run_callees(walk, index));
  GMEM_TRY(gmem_walk_lose_copied(walk, index));
  GMEM_TRY(gmem_walk_enter_loop(walk, index));
  gmem_walk_keep_pinned(walk, index, &before);
  for (uint32_t v = op->results.first;
       v < op->results.first + op->results.count; ++v)
    if (gmem_proof_is_target(walk->program, v) && !gmem_proof_loss(&before, v))
      gmem_walk_define(walk, v, index);
  return GMEM_OK;
}

// The ops of a graph region run in another order than that of the text: all
// values of it must be intact when all have run.
static gmem_status_t check_graph(gmem_walk_t *walk,
                                 const gmem_proof_region_t *region) {
  const gmem_proof_block_t *blocks =
      &walk->program->blocks.at[region->first_block];
  for (uint32_t b = 0; b < region->block_count; ++b)
    for (uint32_t i = blocks[b].first_op; i != GMEM_NO_INDEX;
         i = gmem_walk_op(walk, i)->next)
      GMEM_TRY(repeat_writes(walk, i));
  for (uint32_t b = 0; b < region->block_count; ++b)
    for (uint32_t i = blocks[b].first_op; i != GMEM_NO_INDEX;
         i = gmem_walk_op(walk, i)->next) {
      GMEM_TRY(gmem_walk_read_operands(walk, i, "reads"));
      GMEM_TRY(gmem_walk_check_results(walk, i));
    }
  return GMEM_OK;
}

// Walks a region from the current state, which becomes that at its end.
static gmem_status_t walk_region(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_region_t *region = &walk->program->regions.at[index];
  blocks_t blocks = {.region = region};
  bool was_checked = walk->is_checked;
  size_t hot = walk->kept.hot.count;
  if (region->block_count == 0)
    return GMEM_OK;
  GMEM_TRY_ALLOC(blocks.states, walk->arena, region->block_count, walk->diag);
  GMEM_TRY_ALLOC(blocks.is_due, walk->arena, region->block_count, walk->diag);
  GMEM_TRY_ALLOC(blocks.parts, walk->arena, region->block_count, walk->diag);
  gmem_proof_freeze(&walk->store);
  blocks.states[0] = walk->state;
  blocks.is_due[0] = true;
  // Bytes that deferred code uses from one round on are forbidden to those ops
  // alone that follow it in the text: a round of its own checks such regions.
  if (walk->kept.is_deferring && region->has_loop) {
    walk->is_checked = false;
    gmem_status_t status = walk_blocks(walk, &blocks);
    walk->is_checked = was_checked;
    GMEM_TRY(status);
    if (was_checked)
      walk_all_again(&blocks);
  }
  GMEM_TRY(walk_blocks(walk, &blocks));
  // A return may be walked before the block of a loop that pins a value. Code
  // that such a round has deferred is ahead again.
  if (region->owner == GMEM_NO_INDEX && region->has_loop &&
      walk->kept.pins.count) {
    walk->kept.hot.count = hot;
    walk_all_again(&blocks);
    GMEM_TRY(walk_blocks(walk, &blocks));
  }
  walk->state = blocks.exit;
  return region->is_graph ? check_graph(walk, region) : GMEM_OK;
}

//===--- ops without regions ----------------------------------------------===//

// Sets |*out| to the bytes of |value|, a memref, if it denotes one memory. That
// it may be untracked memory, too, is no matter: nothing else has those bytes.
static bool find_bytes(gmem_walk_t *walk, uint32_t value,
                       gmem_proof_range_t *out) {
  gmem_walk_list_ids(walk, value);
  if (walk->now.ids.count != 1)
    return false;
  *out = gmem_walk_bytes(walk, walk->now.ids.at[0]);
  return true;
}

// Whether the op may write a memref over operand |number|, one that it reads.
static bool is_written_over(gmem_walk_t *walk, const gmem_proof_op_t *op,
                            uint32_t number) {
  enum { MOST = 64 }; // operands that may be written over, or be written
  gmem_proof_range_t read, written;
  uint32_t count = op->operand_count < MOST ? op->operand_count : MOST;
  if (number >= count || op->results.count ||
      !find_bytes(walk, op->operands[number], &read))
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (i != number && op->operands[i] != GMEM_NO_INDEX &&
        gmem_proof_may_write_over(op, number, i, read.end - read.begin) &&
        find_bytes(walk, op->operands[i], &written) &&
        written.begin == read.begin && written.end == read.end)
      return true;
  return false;
}

// Whether the op may write over operand |number|, which it reads.
static bool is_spent(gmem_walk_t *walk, const gmem_proof_op_t *op,
                     uint32_t number) {
  const gmem_proof_value_t *operand =
      gmem_walk_value(walk, op->operands[number]);
  for (uint32_t i = 0; i < op->results.count && number < op->operand_count;
       ++i) {
    const gmem_proof_value_t *result =
        gmem_walk_value(walk, op->results.first + i);
    if (result->is_placed && result->bytes.begin == operand->bytes.begin &&
        result->bytes.end == operand->bytes.end &&
        gmem_proof_may_overwrite(op, number, i))
      return true;
  }
  return is_written_over(walk, op, number);
}

// Op |index| goes on with a tensor into which it inserts a part and that no
// other uses. If all parts lie in it, nothing is written; but the tensor is the
// result now, and to know all those before it would take quadratic time.
static void take_over(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  uint32_t rest = gmem_proof_rest(op, &walk->contents.parts[index]);
  if (rest == GMEM_NO_INDEX || walk->contents.gaps[rest].count == 0 ||
      !gmem_walk_is_used_once(walk, rest, index))
    return;
  gmem_proof_range_t bytes = gmem_walk_value(walk, rest)->bytes;
  gmem_proof_entry_t entry = {bytes.begin, bytes.end, .id = rest};
  if (gmem_proof_is_at(walk->program, op->results.first, bytes.begin) &&
      gmem_proof_is_intact(&walk->state, bytes, rest))
    gmem_proof_lose(&walk->store, &walk->state, &entry, bytes, index);
}

static gmem_status_t compute(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  GMEM_TRY(gmem_walk_read_and_write(walk, index));
  take_over(walk, index);
  gmem_walk_lose_clashes(walk, index);
  GMEM_TRY(gmem_walk_run_apart(walk, index));
  GMEM_TRY(gmem_walk_scratch(walk, index));
  for (uint32_t i = 0; i < op->read_count; ++i)
    if (!gmem_proof_is_unread(op, i) && op->operands[i] != GMEM_NO_INDEX &&
        !is_spent(walk, op, i))
      GMEM_TRY(gmem_walk_read(walk, index, "still reads", op->operands[i]));
  GMEM_TRY(gmem_walk_lose_copied(walk, index));
  return gmem_walk_check_results(walk, index);
}

// What a view is made with, such as a shape in memory.
static gmem_status_t read_behind_first(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (uint32_t i = 1; i < op->operand_count; ++i)
    if (!gmem_proof_is_unread(op, i))
      GMEM_TRY(gmem_walk_read(walk, index, "reads", op->operands[i]));
  return GMEM_OK;
}

static gmem_status_t view(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  if (op->operand_count == 0 || op->results.count == 0)
    return compute(walk, index);
  uint32_t from = op->operands[0], to = op->results.first;
  const gmem_proof_value_t *result = gmem_walk_value(walk, to);
  if (from == GMEM_NO_INDEX ||
      !gmem_proof_is_view(walk->program, &walk->memory, from, to)) {
    if (from == GMEM_NO_INDEX || gmem_walk_value(walk, from)->is_placed ||
        result->is_placed)
      return compute(walk, index);
    return gmem_walk_scratch(walk, index);
  }
  GMEM_TRY(read_behind_first(walk, index));
  GMEM_TRY(gmem_walk_scratch(walk, index));
  GMEM_TRY(gmem_walk_read(walk, index, "views", from));
  if (walk->is_checked && result->is_placed &&
      gmem_walk_value(walk, from)->is_placed && !result->is_memref &&
      !gmem_proof_is_at(walk->program, from, result->bytes.begin))
    return gmem_walk_report_copy(walk, index, to,
                                 "a view is not where its operand is");
  if (result->is_memref && !gmem_walk_value(walk, from)->is_memref)
    gmem_walk_pin(walk, from, "returns while a handle leads to");
  return GMEM_OK;
}

// Memory |site| is made. Nothing uses an earlier instance any more.
static void make_anew(gmem_walk_t *walk, uint32_t site) {
  gmem_walk_set_status(walk, &(gmem_walk_status_t){.name = site});
  GMEM_CSR_EACH (name, &walk->memory.names_of, site)
    gmem_walk_set_status(walk, &(gmem_walk_status_t){.name = *name});
}

static gmem_status_t step(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  switch (op->model->kind) {
  case GMEM_OP_EMPTY:
  case GMEM_OP_ALLOC:
    for (uint32_t i = 0; i < op->results.count; ++i)
      if (gmem_walk_value(walk, op->results.first + i)->is_placed)
        make_anew(walk, op->results.first + i);
    return gmem_walk_scratch(walk, index);
  case GMEM_OP_VIEW:
    GMEM_TRY(read_behind_first(walk, index));
    return gmem_walk_scratch(walk, index);
  case GMEM_OP_NONE:
  case GMEM_OP_GLOBAL:
    return gmem_walk_scratch(walk, index);
  case GMEM_OP_INPUT:
    return gmem_walk_check_results(walk, index);
  case GMEM_OP_DEALLOC:
    return op->results.count ? compute(walk, index) : GMEM_OK;
  case GMEM_OP_RESHAPE:
    return view(walk, index);
  default:
    return compute(walk, index);
  }
}

//===--- flat layer groups ------------------------------------------------===//

// The ops of a group may write their results, workbuffers, paddings and the
// memory that they are given from its first op on, or from when that is made.
static gmem_status_t open_group(gmem_walk_t *walk, uint32_t first) {
  const uint32_t *next = walk->program->group_next;
  for (uint32_t i = first; i != GMEM_NO_INDEX; i = next[i]) {
    GMEM_TRY(gmem_walk_scratch_in_group(walk, i, first));
    gmem_walk_hold_for_group(walk, i);
    gmem_walk_list_writes_in_group(walk, i, first);
    GMEM_TRY(gmem_walk_make_writes(walk, i));
    gmem_walk_hold_for_group(walk, i);
  }
  return GMEM_OK;
}

// Whether |op| reads the contents of its operands: one that makes a view of
// memory or frees it does not.
static bool reads_contents(const gmem_proof_op_t *op) {
  gmem_op_kind_t kind = op->model->kind;
  return kind != GMEM_OP_VIEW && (kind != GMEM_OP_DEALLOC || op->results.count);
}

// They may read their operands up to its last op.
static gmem_status_t close_group(gmem_walk_t *walk, uint32_t first) {
  const uint32_t *next = walk->program->group_next;
  for (uint32_t i = first; i != GMEM_NO_INDEX; i = next[i]) {
    if (reads_contents(gmem_walk_op(walk, i)))
      GMEM_TRY(
          gmem_walk_read_operands(walk, i, "reads, until its group ends,"));
    GMEM_TRY(gmem_walk_check_results(walk, i));
  }
  gmem_walk_release_group(walk, first);
  return GMEM_OK;
}

//===--- ops --------------------------------------------------------------===//

// Whether |block| is in a region or one of several blocks: there, a later op of
// the text may run before those of the block.
static bool is_among_others(const gmem_proof_program_t *program,
                            uint32_t block) {
  const gmem_proof_region_t *region =
      &program->regions.at[program->blocks.at[block].region];
  return region->owner != GMEM_NO_INDEX || region->block_count > 1;
}

// Whether the memory of |site|, for which a result of |op| stands, is kept from
// the begin of the function on, as |op| has gmem.hold: it may be there from an
// earlier round. An allocation may be, too, if it is made once: what writes all
// of it makes its contents again.
static bool is_kept(const gmem_walk_t *walk, const gmem_proof_op_t *op,
                    uint32_t site) {
  if (site >= walk->memory.value_count)
    return false;
  const gmem_proof_value_t *owner =
      gmem_walk_value(walk, gmem_proof_site(&walk->memory, site));
  if (owner->is_memref)
    return owner->op != GMEM_NO_INDEX &&
           is_among_others(walk->program, op->block);
  return owner->function == op->function &&
         !gmem_proof_is_argument(walk->program, owner) &&
         is_among_others(walk->program, op->block) &&
         is_among_others(walk->program, owner->block);
}

// Keeps what has gmem.hold there from the begin of the function on.
static void keep_held(gmem_walk_t *walk, uint32_t function) {
  const gmem_proof_function_t *entry = &walk->program->functions.at[function];
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i) {
    const gmem_proof_op_t *op = gmem_walk_op(walk, i);
    for (uint32_t k = 0; k < op->results.count && op->is_held; ++k) {
      gmem_proof_set_t sites = walk->memory.sites[op->results.first + k];
      for (uint32_t s = 0; s < sites.count; ++s)
        if (is_kept(walk, op, sites.at[s]))
          gmem_walk_keep(walk, gmem_proof_site(&walk->memory, sites.at[s]), i);
    }
  }
  gmem_walk_sort_kept(walk);
}

// Keeps result |v| of |op|, which has gmem.hold, to the end of the function. Of
// tensors that are kept from its begin on, that is known: the state has them
// lost where a loop may make them again. Other tensors of a list in a loop are
// made before that.
static void pin_held(gmem_walk_t *walk, const gmem_proof_op_t *op, uint32_t v) {
  static const char what[] = "returns while gmem.hold keeps";
  gmem_proof_set_t sites = walk->memory.sites[v];
  MlirType type = mlirValueGetType(gmem_walk_value(walk, v)->value);
  if (!is_among_others(walk->program, op->block) || sites.count == 0 ||
      gmem_is_memref_type(type)) {
    gmem_walk_pin(walk, v, what);
    return;
  }
  for (uint32_t i = 0; i < sites.count; ++i) {
    uint32_t site = sites.at[i];
    bool is_own = site < walk->memory.value_count &&
                  !gmem_walk_value(walk, site)->is_memref &&
                  gmem_walk_value(walk, site)->function == op->function;
    if (!is_kept(walk, op, site))
      gmem_walk_pin(walk, is_own ? site : v, what);
  }
}

// Whether |value| is made in a region that runs again: behind that, the state
// has nothing of it.
static bool is_in_loop(const gmem_proof_program_t *program,
                       const gmem_proof_value_t *value) {
  uint32_t region = program->blocks.at[value->block].region;
  for (uint32_t op; (op = program->regions.at[region].owner) != GMEM_NO_INDEX;
       region = program->blocks.at[program->ops.at[op].block].region)
    if (program->ops.at[op].flow != GMEM_PROOF_BRANCH)
      return true;
  return false;
}

// Op |index| pins the tensors that |value| denotes.
static void add_pinned(gmem_walk_t *walk, uint32_t index, uint32_t value) {
  gmem_proof_set_t set =
      value == GMEM_NO_INDEX ? (gmem_proof_set_t){0} : walk->memory.of[value];
  for (uint32_t i = 0; i < set.count; ++i)
    if (set.at[i] < walk->program->values.count &&
        gmem_proof_is_target(walk->program, set.at[i]) &&
        is_in_loop(walk->program, gmem_walk_value(walk, set.at[i])))
      GMEM_APPEND(walk->arena, &walk->kept.pinned,
                  (gmem_walk_pinned_t){index, set.at[i]});
}

// Whether op |index| is of a layer group in several blocks, or makes a handle
// to its first operand.
static bool pins(const gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  uint32_t group = walk->program->group_first[index];
  return (group != GMEM_NO_INDEX && gmem_walk_op(walk, group)->is_scattered) ||
         (op->model->kind == GMEM_OP_RESHAPE && op->operand_count &&
          op->results.count &&
          gmem_walk_value(walk, op->results.first)->is_memref);
}

// Lists what ops of a function pin to its end that is made in loops.
static void find_pinned(gmem_walk_t *walk, uint32_t function) {
  const gmem_proof_function_t *entry = &walk->program->functions.at[function];
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i) {
    const gmem_proof_op_t *op = gmem_walk_op(walk, i);
    for (uint32_t k = 0; k < op->read_count && pins(walk, i); ++k)
      if (!gmem_proof_is_unread(op, k))
        add_pinned(walk, i, op->operands[k]);
  }
}

// Holds the workbuffers of deferred code of a function that may be run again
// before it has ended.
static void hold_deferred(gmem_walk_t *walk, uint32_t function) {
  const gmem_proof_function_t *entry = &walk->program->functions.at[function];
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i) {
    const gmem_proof_op_t *op = gmem_walk_op(walk, i);
    if (op->is_deferred && op->is_parallel)
      gmem_walk_hold(walk, i, i);
  }
}

// Opens the groups of a function that are in several blocks.
static gmem_status_t open_scattered(gmem_walk_t *walk, uint32_t function) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_function_t *entry = &program->functions.at[function];
  for (uint32_t first = entry->first_op; first < entry->end_op; ++first) {
    if (!program->ops.at[first].is_scattered)
      continue;
    GMEM_TRY(open_group(walk, first));
    for (uint32_t i = first; i != GMEM_NO_INDEX; i = program->group_next[i]) {
      const gmem_proof_op_t *op = gmem_walk_op(walk, i);
      for (uint32_t k = 0; k < op->read_count; ++k)
        if (!gmem_proof_is_unread(op, k))
          gmem_walk_pin(walk, op->operands[k],
                        "returns while a layer group uses");
      for (uint32_t k = 0; k < op->results.count; ++k)
        gmem_walk_pin(walk, op->results.first + k,
                      "returns while a layer group uses");
    }
  }
  return GMEM_OK;
}

static gmem_status_t walk_by_flow(gmem_walk_t *walk, uint32_t index) {
  gmem_status_t status;
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  if (op->flow == GMEM_PROOF_STEP && !op->callee_count)
    return step(walk, index);
  gmem_walk_hold(walk, index, index);
  switch (op->flow) {
  case GMEM_PROOF_STEP:
    status = step(walk, index);
    break;
  case GMEM_PROOF_CALL:
    status = gmem_walk_call(walk, index);
    break;
  case GMEM_PROOF_BRANCH:
    status = gmem_walk_branch(walk, index);
    break;
  case GMEM_PROOF_ANY:
    status = gmem_walk_any(walk, index);
    break;
  case GMEM_PROOF_LATER: // it goes on running
    if (op->region_count)
      return gmem_walk_any(walk, index);
    GMEM_TRY(compute(walk, index));
    gmem_walk_keep_running(walk, index);
    return GMEM_OK;
  default:
    status = gmem_walk_loop(walk, index);
  }
  gmem_walk_release(walk, index);
  return status;
}

static gmem_status_t walk_op(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  uint32_t group = walk->program->group_first[index];
  if (group != GMEM_NO_INDEX && gmem_walk_op(walk, group)->is_scattered)
    group = GMEM_NO_INDEX; // it is open
  if (!walk->state.is_reached)
    return GMEM_OK;
  if (op->is_end && op->flow == GMEM_PROOF_STEP && !op->callee_count)
    return GMEM_OK; // it is left
  if (group == index)
    GMEM_TRY(open_group(walk, group));
  GMEM_TRY(walk_by_flow(walk, index));
  for (uint32_t k = 0; k < op->operand_count; ++k)
    if (gmem_op_model_writes(op->model, op->op, k))
      gmem_walk_pin_inputs(walk, op->operands[k]);
  GMEM_TRY(gmem_walk_write_made(walk, index));
  for (uint32_t k = 0; k < op->results.count && op->is_held; ++k)
    pin_held(walk, op, op->results.first + k);
  return group != GMEM_NO_INDEX &&
                 walk->program->group_next[index] == GMEM_NO_INDEX
             ? close_group(walk, group)
             : GMEM_OK;
}

static bool has_known_calls_only(const gmem_proof_function_t *function) {
  return function->mentions && !function->has_other_calls;
}

// A caller outside of the module works on what it is given, in any order.
static gmem_status_t pad_returned(gmem_walk_t *walk, const gmem_proof_op_t *op,
                                  uint32_t index) {
  walk->now.writes.count = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX)
      gmem_walk_add_padding(walk, op->operands[i]);
  return gmem_walk_make_writes(walk, index);
}

// Whether the value of |pin| must be intact at return |op|.
static bool is_pinned(gmem_walk_t *walk, const gmem_walk_pin_t *pin,
                      uint32_t op) {
  const gmem_proof_program_t *program = walk->program;
  uint32_t function = gmem_walk_op(walk, op)->function;
  const gmem_proof_value_t *value = gmem_walk_value(walk, pin->value);
  uint32_t region = program->functions.at[function].region;
  if (value->function != function || (pin->position > walk->kept.position &&
                                      !program->regions.at[region].has_loop))
    return false;
  if (!pin->is_input || !gmem_proof_loss(&walk->state, pin->value))
    return true;
  // An op that calls the function reads its operand, not the result.
  bool is_followed = gmem_proof_is_argument(program, value) &&
                     program->functions.at[function].mentions == 0 &&
                     gmem_proof_is_followed(program, function, value->number);
  return !is_followed && !gmem_walk_has_newer(walk, op, pin);
}

// A caller may modify an argument, a tensor, by a memref of it that the
// function returns.
static void note_returned(gmem_walk_t *walk, const gmem_proof_op_t *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    // Through a list or a token, no op writes a tensor.
    if (op->operands[i] == GMEM_NO_INDEX ||
        !gmem_is_memref_type(
            mlirValueGetType(gmem_walk_value(walk, op->operands[i])->value)))
      continue;
    gmem_walk_list_ids(walk, op->operands[i]);
    for (size_t k = 0; k < walk->now.ids.count; ++k) {
      uint32_t site = gmem_proof_site(&walk->memory, walk->now.ids.at[k]);
      walk->is_modified[site] |=
          !gmem_walk_value(walk, site)->is_memref &&
          gmem_walk_value(walk, site)->function == op->function &&
          gmem_proof_is_argument(walk->program, gmem_walk_value(walk, site));
    }
  }
}

static gmem_status_t leave_function(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  const gmem_proof_function_t *function = &program->functions.at[op->function];
  gmem_proof_row_t arguments = gmem_proof_arguments(program, function->region);
  note_returned(walk, op);
  if (!has_known_calls_only(function))
    GMEM_TRY(pad_returned(walk, op, index));
  for (size_t i = 0; i < walk->kept.pins.count; ++i)
    if (is_pinned(walk, &walk->kept.pins.at[i], index))
      GMEM_TRY(gmem_walk_read(walk, index, walk->kept.pins.at[i].what,
                              walk->kept.pins.at[i].value));
  for (uint32_t i = 0; i < arguments.count && function->mentions == 0; ++i)
    if (gmem_walk_value(walk, arguments.first + i)->is_placed &&
        (program->keeps_inputs || gmem_proof_is_kept(program, op->function, i)))
      GMEM_TRY(gmem_walk_read(walk, index, "returns, but must keep",
                              arguments.first + i));
  GMEM_TRY(gmem_walk_read_operands(walk, index, "returns"));
  if (walk->frame.call != GMEM_NO_INDEX) {
    gmem_proof_row_t results = gmem_walk_op(walk, walk->frame.call)->results;
    for (uint32_t i = 0; i < results.count && i < op->operand_count; ++i)
      if (gmem_walk_value(walk, results.first + i)->is_memref)
        gmem_walk_list_status(walk, op->operands[i], results.first + i);
    gmem_walk_set_statuses(walk);
  }
  if (!gmem_proof_copies_to_caller(op))
    return GMEM_OK;
  const gmem_proof_op_t *call = gmem_walk_op(walk, function->caller);
  if (function->mentions != 1 || call->results.count > op->operand_count)
    return gmem_error_at(walk->diag, GMEM_ERR_CORRUPT,
                         gmem_walk_location(walk, index),
                         "gmem.copies copies to the results of the only call, "
                         "but the function has another one; plan again");
  gmem_walk_move_t move = {GMEM_EDGE_CALLER, 0, op->operands, call->results};
  GMEM_TRY(gmem_walk_move(walk, index, &move));
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX &&
        gmem_walk_value(walk, op->operands[i])->is_memref)
      GMEM_TRY(gmem_walk_read(walk, index, "returns", op->operands[i]));
  return GMEM_OK;
}

// Leaves the region that ends with op |index|.
static gmem_status_t leave(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  if (!walk->state.is_reached)
    return GMEM_OK;
  GMEM_TRY(gmem_walk_scratch(walk, index));
  if (op->parent == GMEM_NO_INDEX)
    return leave_function(walk, index);
  const gmem_proof_op_t *around = gmem_walk_op(walk, op->parent);
  uint32_t region = program->blocks.at[op->block].region - around->first_region;
  gmem_walk_move_t move = {GMEM_EDGE_NEXT, 0, op->operands, {0, 0}};
  switch (around->flow) {
  case GMEM_PROOF_BRANCH:
    move =
        (gmem_walk_move_t){GMEM_EDGE_PARENT, 0, op->operands, around->results};
    return gmem_walk_move(walk, index, &move);
  case GMEM_PROOF_FOR:
  case GMEM_PROOF_WHILE:
    if (around->flow == GMEM_PROOF_WHILE && region == 0)
      return GMEM_OK; // the loop goes on
    move.to = gmem_proof_carried(program, around);
    return gmem_walk_move(walk, index, &move);
  default:
    return gmem_walk_read_operands(walk, index, "reads");
  }
}

//===--- functions --------------------------------------------------------===//

// Inputs are in memory before the function starts.
static gmem_status_t place_inputs(gmem_walk_t *walk, uint32_t function) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_function_t *entry = &program->functions.at[function];
  walk->now.writes.count = 0;
  gmem_walk_add_row(walk, gmem_proof_arguments(program, entry->region));
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i)
    if (gmem_walk_op(walk, i)->model->kind == GMEM_OP_INPUT)
      gmem_walk_add_row(walk, gmem_walk_op(walk, i)->results);
  for (size_t i = 0; i < walk->now.writes.count; ++i)
    gmem_walk_overwrite(walk, GMEM_NO_INDEX, &walk->now.writes.at[i]);
  gmem_proof_row_t row = gmem_proof_arguments(program, entry->region);
  // A call may pass a value and a part of it: it checks what it passes.
  bool is_called = has_known_calls_only(entry);
  if (!is_called)
    gmem_walk_define_row(walk, row, NULL, GMEM_NO_INDEX);
  for (uint32_t v = row.first; v < row.first + row.count && is_called; ++v)
    gmem_walk_define_row(walk, (gmem_proof_row_t){v, 1}, NULL, GMEM_NO_INDEX);
  walk->now.writes.count = 0;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (gmem_walk_value(walk, v)->is_placed)
      gmem_walk_add_padding(walk, v);
  for (size_t i = 0; i < walk->now.writes.count && !is_called; ++i)
    gmem_walk_overwrite(walk, GMEM_NO_INDEX, &walk->now.writes.at[i]);
  // Whether or not they are read: a caller may write them in any order.
  if (!is_called)
    GMEM_TRY(gmem_walk_check_row(walk, GMEM_NO_INDEX, "passes", row));
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i)
    if (gmem_walk_op(walk, i)->model->kind == GMEM_OP_INPUT)
      gmem_walk_define_row(walk, gmem_walk_op(walk, i)->results, NULL, i);
  return GMEM_OK;
}

static gmem_status_t check_function(gmem_walk_t *walk, uint32_t function) {
  walk->state = (gmem_proof_state_t){.is_reached = true};
  walk->frame = (gmem_walk_frame_t){.function = function,
                                    .call = GMEM_NO_INDEX,
                                    .number = ++walk->calls.runs};
  walk->footprints.function = function;
  assert(function < walk->program->functions.count);
  gmem_walk_find_known(walk);
  walk->kept.pins.count = walk->kept.hot.count = walk->footprints.run.count = 0;
  walk->kept.held.count = walk->kept.pinned.count = 0;
  walk->is_checked = true;
  GMEM_TRY(place_inputs(walk, function));
  walk->footprints.written.count = 0; // those are its caller's
  keep_held(walk, function);
  find_pinned(walk, function);
  hold_deferred(walk, function);
  GMEM_TRY(open_scattered(walk, function));
  GMEM_TRY(walk_region(walk, walk->program->functions.at[function].region));
  gmem_walk_end_footprint(walk);
  return gmem_bump_status(walk->arena, walk->diag);
}

static bool is_scalar(const gmem_proof_value_t *value) {
  MlirType type = mlirValueGetType(value->value);
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type);
}

// Whether all values of the scope are tensors that have contents, or have lost
// them, whenever their op has been walked or control flow is in their block.
static bool are_anew(const gmem_proof_program_t *program) {
  for (size_t v = 0; v < program->values.count; ++v) {
    const gmem_proof_value_t *value = &program->values.at[v];
    uint32_t region = program->blocks.at[value->block].region;
    gmem_op_kind_t kind = value->op == GMEM_NO_INDEX
                              ? GMEM_OP_UNKNOWN
                              : program->ops.at[value->op].model->kind;
    bool is_made =
        kind != GMEM_OP_EMPTY && kind != GMEM_OP_INPUT && kind != GMEM_OP_NONE;
    if (value->is_memref || program->regions.at[region].is_graph ||
        (!is_made && !is_scalar(value)))
      return false;
  }
  return true;
}

gmem_status_t
gmem_contents_frees(MlirOperation scope, const gmem_op_models_t *models,
                    const gmem_model_options_t *options, gmem_bump_t *arena,
                    gmem_contents_frees_t *out_frees, gmem_diag_t *diag) {
  gmem_proof_program_t program;
  gmem_proof_memory_t memory;
  GMEM_TRY(gmem_proof_program_read(scope, models, arena, &program, diag));
  program.keeps_inputs = options->keep_inputs;
  GMEM_TRY(gmem_proof_places_read(&program, options, arena, diag));
  GMEM_TRY(gmem_proof_memory_find(&program, arena, &memory, diag));
  for (uint32_t i = 0; i < program.ops.count; ++i)
    if (gmem_proof_frees_placed(&memory, &program.ops.at[i]))
      GMEM_APPEND(arena, out_frees, program.ops.at[i].op);
  return gmem_bump_status(arena, diag);
}

// Finds an argument that a function modifies whose calls are not known.
static uint32_t find_taken(const gmem_walk_t *walk) {
  const gmem_proof_program_t *program = walk->program;
  for (size_t f = 0; f < program->functions.count; ++f) {
    const gmem_proof_function_t *function = &program->functions.at[f];
    gmem_proof_row_t row = gmem_proof_arguments(program, function->region);
    for (uint32_t v = row.first; v < row.first + row.count; ++v)
      if (function->is_taken && gmem_walk_value(walk, v)->is_placed &&
          walk->contents.is_modified[v])
        return v;
  }
  return GMEM_NO_INDEX;
}

// Sets |is_read| of the walk.
static gmem_status_t mark_read(gmem_walk_t *walk) {
  const gmem_proof_program_t *program = walk->program;
  GMEM_TRY_ALLOC(walk->is_read, walk->arena, program->values.count, walk->diag);
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0; k < op->read_count && !gmem_proof_is_flow(op); ++k)
      if (op->operands[k] != GMEM_NO_INDEX && !gmem_proof_is_unread(op, k))
        walk->is_read[op->operands[k]] = true;
  }
  return GMEM_OK;
}

gmem_status_t gmem_contents_check(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  const gmem_model_options_t *options,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_proof_program_t program;
  gmem_walk_t walk = {.program = &program,
                      .store = {.arena = arena},
                      .arena = arena,
                      .diag = diag,
                      .enter = walk_region};
  GMEM_TRY(gmem_proof_program_read(scope, models, arena, &program, diag));
  walk.is_anew = are_anew(&program);
  program.keeps_inputs = options->keep_inputs;
  GMEM_TRY(gmem_proof_places_read(&program, options, arena, diag));
  GMEM_TRY(gmem_proof_memory_find(&program, arena, &walk.memory, diag));
  GMEM_TRY(gmem_proof_rules_check(&program, &walk.memory, arena, diag));
  GMEM_TRY(gmem_proof_instances_check(&program, &walk.memory, arena, diag));
  GMEM_TRY(gmem_proof_layouts_check(&program, arena, diag));
  GMEM_TRY(gmem_proof_states_check(&program, arena, diag));
  GMEM_TRY(gmem_proof_contents_find(&program, &walk.memory, arena,
                                    &walk.contents, diag));
  walk.taken = find_taken(&walk);
  walk.now.own = (gmem_proof_accesses_t){.program = &program,
                                         .memory = &walk.memory,
                                         .contents = &walk.contents,
                                         .arena = arena};
  for (uint32_t i = 0; i < program.ops.count && program.has_deferred; ++i)
    walk.kept.is_deferring |= program.ops.at[i].flow == GMEM_PROOF_LATER;
  walk.calls.steps_left = program.ops.count * OPS_PER_OP + OPS_ANYWAY;
  GMEM_TRY_ALLOC(walk.walked, arena, program.blocks.count, diag);
  GMEM_TRY(mark_read(&walk));
  GMEM_TRY_ALLOC(walk.padded_by, arena, program.values.count, diag);
  GMEM_TRY_ALLOC(walk.written_by, arena, program.values.count, diag);
  GMEM_TRY_ALLOC(walk.is_modified, arena, program.values.count, diag);
  GMEM_TRY_ALLOC(walk.origin, arena, program.values.count, diag);
  GMEM_TRY_ALLOC(walk.known_to, arena, program.values.count, diag);
  GMEM_TRY(gmem_walk_begin_footprints(&walk));
  GMEM_TRY(gmem_walk_begin_effects(&walk));
  for (size_t i = 0; i < program.functions.count; ++i)
    GMEM_TRY(check_function(&walk, program.order[i]));
  GMEM_TRY(gmem_proof_claims_check(&program, arena, diag));
  return program.own >> GMEM_ATTR_STREAM & 1
             ? gmem_proof_streams_check(&program, &walk.memory, &walk.contents,
                                        arena, diag)
             : GMEM_OK;
}
