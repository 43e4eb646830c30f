// proof_walk.h - the walk through a function of the scope: its state, and what
// its parts, from proof_frames.c up to proof_loops.c, do for each other. The
// essay on it is in contents.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions that return a status fail with OVERLAP or CORRUPT, reported, or
// OUT_OF_MEMORY. Other failures are seen by gmem_bump_status.

#ifndef GMEM_PASSES_PROOF_WALK_H_
#define GMEM_PASSES_PROOF_WALK_H_

#include "proof_accesses.h"
#include "proof_state.h"

// The run of a function. What its arguments point to depends on the call.
typedef struct gmem_walk_frame_s {
  const gmem_proof_set_t *arguments; // NULL: memory from outside
  const bool *is_whole; // by argument: it is all of the memory that it denotes
  uint32_t function, depth;
  uint32_t call;                         // op
  uint32_t number;                       // of the run, from 1 on
  const struct gmem_walk_frame_s *outer; // of the call; NULL: it is checked
} gmem_walk_frame_t;

typedef struct gmem_walk_write_s {
  gmem_proof_range_t bytes;
  uint32_t id;   // the memory that is modified, or GMEM_NO_INDEX
  uint32_t made; // the value that an op makes, + 1
  uint32_t from; // the value whose contents are written, from byte |at| on, or
  uint64_t at;   //   GMEM_NO_INDEX
  gmem_proof_columns_t columns; // of |bytes|
  bool is_whole;                // all of memory |id|, of which nothing is read
  bool is_padding;              // of what lies around contents
  bool is_to_copy;              // of |bytes|, which are out of date then
} gmem_walk_write_t;

// The state of a name at one point.
typedef struct gmem_walk_status_s {
  uint32_t name;
  bool is_intact, is_lost;
  gmem_proof_entry_t loss;
} gmem_walk_status_t;

// A name with the number of its site.
typedef struct gmem_walk_site_s {
  uint32_t site, name;
} gmem_walk_site_t;

// A value that must be intact when its function returns.
typedef struct gmem_walk_pin_s {
  uint32_t value;
  uint32_t position; // of the block of the function that was walked
  bool is_input;     // newer contents at the same place will do
  const char *what;
} gmem_walk_pin_t;

// Op |op| pins |value|, a tensor that a region makes which runs again.
typedef struct gmem_walk_pinned_s {
  uint32_t op, value;
} gmem_walk_pinned_t;

// Bytes that code may use at any time until an op or the function ends.
typedef struct gmem_walk_hot_s {
  gmem_proof_range_t bytes;
  uint32_t op;
  uint32_t value;   // of the held ones: what they are the bytes of; of padding
                    //   that deferred code writes: the tensor beside it; of a
                    //   group: the memory or result, or GMEM_NO_INDEX
  bool is_of_group; // until the flat layer group of |op| ends
  bool is_held;     // as |op| has gmem.hold
  bool is_padding;  // other ops may write them as padding, too
  uint64_t reach;   // of the held ones up to this one: the largest end
} gmem_walk_hot_t;

// The bytes that functions write (proof_footprints.c).
typedef struct gmem_walk_footprints_s {
  gmem_proof_area_t *of;       // by function, once it has been walked
  uint32_t function;           // that is walked
  gmem_proof_ranges_t written; // by its own ops
  GMEM_LIST(uint32_t) run;     // functions that it runs
  uint32_t *run_by;            // by function: the last one that runs it, + 1
  gmem_proof_ranges_t used;    // bytes that anything has: sorted and disjoint
} gmem_walk_footprints_t;

// All writes of the regions of a loop or the like (proof_summaries.c).
typedef struct gmem_walk_summary_s gmem_walk_summary_t;

// The current op runs a function that modifies |argument|, which its operand
// |operand| is passed to.
typedef struct gmem_walk_change_s {
  uint32_t argument, operand;
  uint32_t id; // the operand's memory if that is where the argument is, or
               //   GMEM_NO_INDEX
} gmem_walk_change_t;

// Bytes of the loss of a value of which a callee has modified a copy.
#define GMEM_WALK_COPIED ((gmem_proof_range_t){0, 0})

// Lists of the current op.
typedef struct gmem_walk_lists_s {
  gmem_proof_accesses_t own;
  GMEM_LIST(gmem_walk_write_t) writes;
  GMEM_LIST(gmem_walk_change_t) changes;
  GMEM_LIST(uint32_t) ids; // of the current value
  GMEM_LIST(gmem_walk_status_t) statuses;
  GMEM_LIST(gmem_walk_site_t) sites; // of |ids|, ascending
  GMEM_LIST(gmem_proof_entry_t) entries;
  gmem_proof_ranges_t ranges; // that may share bytes
} gmem_walk_lists_t;

// Of the current function.
typedef struct gmem_walk_kept_s {
  GMEM_LIST(gmem_walk_pin_t) pins;
  GMEM_LIST(gmem_walk_hot_t) hot;
  GMEM_LIST(gmem_walk_hot_t) held;      // to the end; sorted by begin
  GMEM_LIST(gmem_walk_pinned_t) pinned; // in the order of the ops
  uint32_t position;                    // of its block that is walked
  bool is_deferring; // some code runs at any time until its function ends
} gmem_walk_kept_t;

// What a callee has done to the state (proof_repeats.c).
typedef struct gmem_walk_effect_s gmem_walk_effect_t;

typedef struct gmem_walk_calls_s {
  size_t steps_left; // ops that may be walked with the caller's memory
  uint32_t runs;     // of functions
  uint32_t *rank;    // by function: in program->order
  const gmem_walk_effect_t **effects; // by a hash & |mask|
  size_t mask;
  GMEM_LIST(uint32_t) written; // names, by the walks of callees
} gmem_walk_calls_t;

typedef struct gmem_walk_s gmem_walk_t;

struct gmem_walk_s {
  const gmem_proof_program_t *program;
  gmem_proof_memory_t memory;
  gmem_proof_contents_t contents;
  gmem_proof_store_t store;
  gmem_proof_state_t state; // at the current point
  gmem_walk_frame_t frame;
  bool *is_read;      // by value: an op other than control flow reads it
  uint32_t *known_to; // by value: the last function that was checked of which a
                      //   value denotes its memory, + 1
  bool is_checked;    // errors are reported; else only the state changes
  bool is_in_callee;  // writes are those of functions that the op runs
  gmem_walk_footprints_t footprints;
  gmem_walk_summary_t **summaries; // by first region of an op, or NULL
  uint32_t *padded_by; // by value: the op of a flat layer group that has begun,
                       //   which may write its padding when it is made, + 1
  uint32_t *written_by; // the same of the memory that it denotes
  bool *is_modified;    // by value: an argument, a tensor, that its function or
                        //   what that calls modifies in place
  uint32_t taken;       // an argument that a function modifies which may be
                        //   called by a value, or GMEM_NO_INDEX
  uint32_t *origin;     // by value: see gmem_walk_origin, + 1; 0: itself
  uint32_t *walked;     // by block: walks of it that have begun and not ended
  bool is_anew;         // a loop makes its values anew before they are read
  gmem_walk_lists_t now;
  gmem_walk_kept_t kept;
  gmem_walk_calls_t calls;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  // Goes through a region from the current state, which becomes that at its
  // end. (A pointer: the files below do not see the one that has it.)
  gmem_status_t (*enter)(gmem_walk_t *walk, uint32_t region);
};

static inline const gmem_proof_op_t *gmem_walk_op(const gmem_walk_t *walk,
                                                  uint32_t op) {
  return gmem_proof_op_at(walk->program, op);
}

static inline const gmem_proof_value_t *gmem_walk_value(const gmem_walk_t *walk,
                                                        uint32_t value) {
  return gmem_proof_value_at(walk->program, value);
}

// The bytes of the memory of a name.
static inline gmem_proof_range_t gmem_walk_bytes(const gmem_walk_t *walk,
                                                 uint32_t id) {
  return gmem_walk_value(walk, gmem_proof_site(&walk->memory, id))->bytes;
}

static inline MlirLocation gmem_walk_location(const gmem_walk_t *walk,
                                              uint32_t op) {
  return mlirOperationGetLocation(
      op == GMEM_NO_INDEX ? walk->program->functions.at[walk->frame.function].op
                          : gmem_walk_op(walk, op)->op);
}

// The tensor of which |value| is newer contents at the same place: a call was
// given it and has returned |value|. Else |value| itself.
static inline uint32_t gmem_walk_origin(const gmem_walk_t *walk,
                                        uint32_t value) {
  return walk->origin[value] ? walk->origin[value] - 1 : value;
}

// The value that a name is of.
static inline const gmem_proof_value_t *gmem_walk_named(const gmem_walk_t *walk,
                                                        uint32_t id) {
  const gmem_proof_memory_t *memory = &walk->memory;
  return gmem_walk_value(
      walk, id < memory->value_count
                ? gmem_proof_site(memory, id)
                : memory->names.at[id - memory->value_count].value);
}

//===--- frames (proof_frames.c) ------------------------------------------===//

// Before the walk of the function that is checked: finds the memory that its
// values denote.
void gmem_walk_find_known(gmem_walk_t *walk);

// Whether a callee of the function that is checked, which knows neither memory
// |written|, or GMEM_NO_INDEX, nor |intact|, writes to the former. What that
// does to the latter is seen when the callee is checked.
bool gmem_walk_is_elsewhere(const gmem_walk_t *walk, uint32_t written,
                            uint32_t intact);

// Sets now.ids to the memories that |value| denotes in the current frame.
void gmem_walk_list_ids(gmem_walk_t *walk, uint32_t value);

// Whether the function that is checked knows the memory of |id|; whether
// |value| is all of one memory: an allocation, an argument that is given such a
// memref, or a dense view of either that has its size.
bool gmem_walk_is_known(const gmem_walk_t *walk, uint32_t id);
bool gmem_walk_is_whole(const gmem_walk_t *walk, uint32_t value);

// Whether |op| replaces all of the memory that operand |number| denotes, and
// reads none of it through this operand.
bool gmem_walk_replaces(const gmem_walk_t *walk, const gmem_proof_op_t *op,
                        uint32_t number);

// Whether what the callee of |call| does depends on the memory that it is
// given: the function that is checked knows some of that, or some is lost,
// which the callee may write anew.
bool gmem_walk_gives_tracked(gmem_walk_t *walk, uint32_t call);

// Enters the callee of |call|. Returns false if the call counts as a whole.
bool gmem_walk_begin_inline(gmem_walk_t *walk, uint32_t call,
                            gmem_walk_frame_t *out_saved);

//===--- writes (proof_writes.c) ------------------------------------------===//

// The bytes that |write| and |entry|, an intact value, have in common; whether
// the write leaves what the value has there; or modifies its own memory, or
// cannot happen while that is a memory of its own.
gmem_proof_range_t gmem_walk_common(const gmem_walk_t *walk,
                                    const gmem_walk_write_t *write,
                                    const gmem_proof_entry_t *entry);
bool gmem_walk_has_same(const gmem_walk_t *walk, const gmem_walk_write_t *write,
                        const gmem_proof_entry_t *entry,
                        gmem_proof_range_t common);
bool gmem_walk_is_own(const gmem_walk_t *walk, const gmem_walk_write_t *write,
                      const gmem_proof_entry_t *entry);

// Checks that op |op| may make |write|.
gmem_status_t gmem_walk_check_write(const gmem_walk_t *walk, uint32_t op,
                                    const gmem_walk_write_t *write);

// A write of |bytes| by op |op|, to memory |written| or GMEM_NO_INDEX, has
// changed |entry|, an intact value. If a callee alone knows both, its own check
// has found the loss: the value is forgotten. Else the state would have all
// values of a long callee that uses its bytes again and again.
void gmem_walk_lose(gmem_walk_t *walk, uint32_t op, uint32_t written,
                    const gmem_proof_entry_t *entry, gmem_proof_range_t bytes);

// Op |op| writes: intact values are lost with the first byte that is written
// over, unless it is the same as before. The second one checks the write, too.
void gmem_walk_overwrite(gmem_walk_t *walk, uint32_t op,
                         const gmem_walk_write_t *write);
gmem_status_t gmem_walk_write(gmem_walk_t *walk, uint32_t op,
                              const gmem_walk_write_t *write);

// Orders ranges by their begins, for qsort.
int gmem_walk_compare_ranges(const void *left, const void *right);

// Whether an op may still use |name|, one of a memref that control flow passes.
// The state has nothing of it else.
bool gmem_walk_is_in_scope(const gmem_walk_t *walk, uint32_t name);

// Memory |id| has its contents, by op |by|; by all its names; a row of values
// has, at once: of two that share bytes, only one can have them, unless what
// operands |from|, if not NULL, bring there is the same.
void gmem_walk_define(gmem_walk_t *walk, uint32_t id, uint32_t by);
void gmem_walk_define_names(gmem_walk_t *walk, uint32_t id, uint32_t by);
void gmem_walk_define_row(gmem_walk_t *walk, gmem_proof_row_t row,
                          const uint32_t *from, uint32_t by);

// Lists in now.writes: one more to each value of a row, with its bytes, to the
// memory of a name, or to the padding of a value; those that the op makes at
// once; those at any time while it runs, to workbuffers and padding; those of
// control flow, by a record or without; those of what is passed to a function;
// those of the memory that |value|, a memref, denotes, and of its padding.
void gmem_walk_add_row(gmem_walk_t *walk, gmem_proof_row_t row);
void gmem_walk_add_write(gmem_walk_t *walk, uint32_t id);
void gmem_walk_add_padding(gmem_walk_t *walk, uint32_t value);
void gmem_walk_list_writes(gmem_walk_t *walk, uint32_t op);
void gmem_walk_list_scratch(gmem_walk_t *walk, uint32_t op);
void gmem_walk_list_copies(gmem_walk_t *walk, uint32_t op);
void gmem_walk_list_arguments(gmem_walk_t *walk, uint32_t function);
void gmem_walk_list_memory(gmem_walk_t *walk, uint32_t value);

// Makes the writes that are listed; those to workbuffers and padding.
gmem_status_t gmem_walk_make_writes(gmem_walk_t *walk, uint32_t op);
gmem_status_t gmem_walk_scratch(gmem_walk_t *walk, uint32_t op);

// The same when the flat layer group that begins with |first| does: without the
// memory and padding of values that are made later, by ops that are not of the
// group; and the writes of those, when op |op| has made its results.
void gmem_walk_list_writes_in_group(gmem_walk_t *walk, uint32_t op,
                                    uint32_t first);
gmem_status_t gmem_walk_scratch_in_group(gmem_walk_t *walk, uint32_t op,
                                         uint32_t first);
gmem_status_t gmem_walk_write_made(gmem_walk_t *walk, uint32_t op);

// The op has made the writes that are listed. Of memories that have the same
// bytes none has its contents, as the order of the writes is not known.
void gmem_walk_lose_clashes(gmem_walk_t *walk, uint32_t op);

// The workbuffers of |op| are in use until the release of |owner|; the writes
// that are listed may be made until that of the flat layer group that begins
// with |first|.
void gmem_walk_hold(gmem_walk_t *walk, uint32_t op, uint32_t owner);
void gmem_walk_release(gmem_walk_t *walk, uint32_t owner);
void gmem_walk_hold_for_group(gmem_walk_t *walk, uint32_t op);
void gmem_walk_release_group(gmem_walk_t *walk, uint32_t first);

// While its function runs, only what makes |value|, a result or argument,
// writes its bytes, as |op| has gmem.hold; from the call of gmem_walk_sort_kept
// on, once all are known.
void gmem_walk_keep(gmem_walk_t *walk, uint32_t value, uint32_t op);
void gmem_walk_sort_kept(gmem_walk_t *walk);

// |value| must be intact when its function returns; |input|, an argument that
// an op has modified or a network input, or newer contents of it must be: its
// caller reads them.
void gmem_walk_pin(gmem_walk_t *walk, uint32_t value, const char *what);
void gmem_walk_pin_input(gmem_walk_t *walk, uint32_t input);

// Those memories of |value| that are inputs of the network: its host is their
// caller.
void gmem_walk_pin_inputs(gmem_walk_t *walk, uint32_t value);

// Whether newer contents of the value of |pin| are intact at return |op|, if
// they will do.
bool gmem_walk_has_newer(gmem_walk_t *walk, uint32_t op,
                         const gmem_walk_pin_t *pin);

//===--- footprints (proof_footprints.c) ----------------------------------===//

// Before the first function, and when the current one has been walked.
gmem_status_t gmem_walk_begin_footprints(gmem_walk_t *walk);
void gmem_walk_end_footprint(gmem_walk_t *walk);

// Adds |bytes| to the set, and those behind that nothing has.
void gmem_walk_add_to_area(gmem_walk_t *walk, gmem_proof_area_t *area,
                           gmem_proof_range_t bytes);

// Loses the intact values that have bytes of |area|.
void gmem_walk_lose_to_area(gmem_walk_t *walk, uint32_t by,
                            gmem_proof_area_t area);

// Op |op| runs functions of which only their footprints are known.
gmem_status_t gmem_walk_run_callees(gmem_walk_t *walk, uint32_t op);

//===--- operands that a callee modifies (proof_modified.c) ---------------===//

// Whether op |op|, of the block of |value|, is all that uses it, and once: once
// for each time that it is made.
bool gmem_walk_is_used_once(const gmem_walk_t *walk, uint32_t value,
                            uint32_t op);

// Before call |op| passes its operands: it modifies those that its callee
// modifies where they are.
gmem_status_t gmem_walk_modify_operands(gmem_walk_t *walk, uint32_t op);

// Op |op| has run: operands of which its callees have modified a copy are lost.
gmem_status_t gmem_walk_lose_copied(gmem_walk_t *walk, uint32_t op);

// Lists in now.writes, for a loop around op |op|, what the two do.
void gmem_walk_list_modified(gmem_walk_t *walk, uint32_t op);

// Sets the origins of the results of a call that its callee returns arguments
// for.
void gmem_walk_find_origins(gmem_walk_t *walk, uint32_t call);

//===--- loops as a whole (proof_summaries.c) -----------------------------===//

// Whether |value| is made inside of op |op|, or is an argument of its regions.
bool gmem_walk_is_inside(const gmem_walk_t *walk, uint32_t value, uint32_t op);

// Marks the nodes of all summaries, for a sweep of the store.
void gmem_walk_mark_summaries(const gmem_walk_t *walk);

// The state at a point that the regions of op |op| reach again and again: all
// of their writes have happened, in any order and any number of times.
gmem_status_t gmem_walk_enter_loop(gmem_walk_t *walk, uint32_t op);

// At the head of the loop or the like at |op|, what is pinned in it is there
// from an earlier round, or is lost, as in state |begin|, before the loop; it
// is lost at |exit|, too, if it is so now that a round has ended.
void gmem_walk_keep_pinned(gmem_walk_t *walk, uint32_t op,
                           const gmem_proof_state_t *begin);
void gmem_walk_lose_pinned(gmem_walk_t *walk, uint32_t op,
                           gmem_proof_state_t *exit);

// The op that |loss| was lost by: one inside of the loop that it names. Sets
// the bytes to those that it writes.
uint32_t gmem_walk_find_writer(gmem_walk_t *walk, gmem_proof_entry_t *loss);

//===--- reads (proof_reads.c) --------------------------------------------===//

// Checks that op |op| finds the contents of |value|; |what| is the verb.
gmem_status_t gmem_walk_read(gmem_walk_t *walk, uint32_t op, const char *what,
                             uint32_t value);

// The same for those values of a row that have places; for all operands that
// the op reads; for its results.
gmem_status_t gmem_walk_check_row(gmem_walk_t *walk, uint32_t op,
                                  const char *what, gmem_proof_row_t row);
gmem_status_t gmem_walk_read_operands(gmem_walk_t *walk, uint32_t op,
                                      const char *what);
gmem_status_t gmem_walk_check_results(gmem_walk_t *walk, uint32_t op);

// The op reads its operands, writes, and its results have their contents; the
// writes are in now.writes.
gmem_status_t gmem_walk_read_and_write(gmem_walk_t *walk, uint32_t op);

//===--- names of memrefs (proof_names.c) ---------------------------------===//

gmem_walk_status_t gmem_walk_status_of(const gmem_walk_t *walk, uint32_t name);
void gmem_walk_set_status(gmem_walk_t *walk, const gmem_walk_status_t *status);

// Lists in now.statuses what the names of |to| are when it becomes the memref
// |from|; sets what is listed.
void gmem_walk_list_status(gmem_walk_t *walk, uint32_t from, uint32_t to);
void gmem_walk_set_statuses(gmem_walk_t *walk);

// Whether a value of the row has names that control flow gives to it.
bool gmem_walk_has_names(const gmem_walk_t *walk, gmem_proof_row_t row);

// Nothing is known of the names of a row; they are those of any site that they
// may point to; what |state| knows of them is added, true if it is new.
void gmem_walk_forget_names(gmem_walk_t *walk, gmem_proof_row_t row);
void gmem_walk_bind_to_any(gmem_walk_t *walk, gmem_proof_row_t row);
bool gmem_walk_join_names(gmem_walk_t *walk, const gmem_proof_state_t *state,
                          gmem_proof_row_t row);

//===--- copies of control flow (proof_copies.c) --------------------------===//

// A row of operands that control flow copies to a row of values.
typedef struct gmem_walk_move_s {
  gmem_edge_t edge;
  uint32_t number;
  const uint32_t *from;
  gmem_proof_row_t to;
} gmem_walk_move_t;

gmem_status_t gmem_walk_report_copy(const gmem_walk_t *walk, uint32_t op,
                                    uint32_t value, const char *what);

// Makes the copies of an edge of op |op|.
gmem_status_t gmem_walk_move(gmem_walk_t *walk, uint32_t op,
                             const gmem_walk_move_t *move);

//===--- calls like earlier ones (proof_repeats.c) ------------------------===//

// Before the first function.
gmem_status_t gmem_walk_begin_effects(gmem_walk_t *walk);

// Does what the callee of |call| does, if an earlier walk of it has found that;
// else, sets |*out_effect| for gmem_walk_end_effect behind the walk. It is NULL
// if that does not depend on facts alone that are known here.
gmem_status_t gmem_walk_repeat(gmem_walk_t *walk, uint32_t call,
                               gmem_walk_effect_t **out_effect,
                               bool *out_is_made);
void gmem_walk_end_effect(gmem_walk_t *walk, uint32_t call,
                          gmem_walk_effect_t *effect);

//===--- calls (proof_calls.c) --------------------------------------------===//

gmem_status_t gmem_walk_call(gmem_walk_t *walk, uint32_t call);

// Runs the callees of an op that is no call, or one in deferred code or of a
// function that may run at other times, too: its bytes are its own, and the
// memrefs that it is given are unknown.
gmem_status_t gmem_walk_run_apart(gmem_walk_t *walk, uint32_t op);

//===--- ops with regions (proof_loops.c) ---------------------------------===//

gmem_status_t gmem_walk_branch(gmem_walk_t *walk, uint32_t op);
gmem_status_t gmem_walk_loop(gmem_walk_t *walk, uint32_t op);

// Op |index| is deferred: uses from outside of it last until the function ends,
// and so does the memory of what is inside of it.
void gmem_walk_keep_running(gmem_walk_t *walk, uint32_t index);

// An op whose regions run in any order, any number of times.
gmem_status_t gmem_walk_any(gmem_walk_t *walk, uint32_t op);

#endif // GMEM_PASSES_PROOF_WALK_H_
