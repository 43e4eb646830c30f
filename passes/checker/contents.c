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
// error.
//
// Joins. What is lost on some path is lost. Branches and blocks join the states
// at their ends; loops of blocks are walked until their heads do not change. A
// structured loop needs no such rounds: SSA values of its body are defined anew
// in each iteration, so its head is the state before it without what any op of
// the body may write. Memrefs that it carries are followed round by round, by a
// name for each memory that they may point to (proof_memory.h).
//
// Calls. A function is checked once, with intact arguments; its footprint, the
// bytes that it and its callees write, is what a call loses. A function that
// takes memrefs is walked once per call instead, up to a limit of ops; beyond
// it, what is passed must be intact from the call's begin to its end.
//
// Soundness. By induction along any execution: a value that is in neither set
// has no contents that an op may rely on; an intact one has all its bytes,
// since every write in the program is one of those above. The join keeps what
// is lost, so the state at a point covers all executions that reach it.
// Concurrency is proved apart: code that runs at any time until its function
// ends keeps its bytes ("hot"), and proof_streams.h orders the accesses of
// streams.
//
// Cost. Each value is lost at most once per time that it is written, in O(log
// n); a join takes O(log n) per difference. Nested structured loops multiply
// the cost of their bodies' writes by their depth, a call costs the ranges of
// its callee's footprint, and loops of blocks a few rounds.
//
// What is taken on trust is what an op reads and writes (op models, effects),
// the sizes of types, and the reading of IR: allowed-symbols lists it.

#include "contents.h"

#include <assert.h>
#include <stdlib.h>

#include "ir_reading.h"
#include "partition_point.h"
#include "proof_accesses.h"
#include "proof_contents.h"
#include "proof_messages.h"
#include "proof_places.h"
#include "proof_rules.h"
#include "proof_state.h"
#include "proof_streams.h"
#include "type_size.h"

// Calls that are walked with what the caller's memory holds: at most so many
// ops in all, and so deep. Beyond that a call counts as a whole.
enum { OPS_PER_OP = 8, OPS_ANYWAY = 1 << 20, MOST_DEPTH = 128 };

// The run of a function. What its arguments point to depends on the call.
typedef struct frame_s {
  const gmem_proof_set_t *arguments; // NULL: memory from outside
  uint32_t function, depth;
  uint32_t call;   // op
  uint32_t number; // of the run, from 1 on
} frame_t;

typedef struct write_s {
  gmem_proof_range_t bytes;
  uint32_t id;   // the memory that is modified, or GMEM_NO_INDEX
  uint32_t from; // the value whose contents are written, from byte |at| on, or
  uint64_t at;   //   GMEM_NO_INDEX
} write_t;

// All writes of the regions of a loop or the like, in a run of its function.
typedef struct summary_s {
  gmem_proof_area_t area; // of those that nothing is known of
  // The others, by address: each to a memory, by its name, or of the contents
  // of value |id| without KNOWN_VALUE; and by the first op that makes it.
  gmem_proof_state_t known;
  gmem_proof_area_t known_area;
  uint32_t frame; // number of the run
} summary_t;

#define KNOWN_VALUE (UINT32_C(1) << 31)

// A value was lost by an op inside of the one that is named.
#define INSIDE (UINT32_C(1) << 31)

// A value that must be intact when its function returns.
typedef struct pin_s {
  uint32_t value;
  const char *what;
} pin_t;

// Bytes that code may use at any time until the function ends.
typedef struct hot_s {
  gmem_proof_range_t bytes;
  uint32_t op;
} hot_t;

// What is known of a name.
typedef struct status_s {
  uint32_t name;
  bool is_intact, is_lost;
  gmem_proof_entry_t loss;
} status_t;

// A record of the edge, and the target of the row that it brings contents to.
typedef struct record_s {
  uint64_t to, from, size;
  uint32_t copy, target;
} record_t;

// The bytes that functions write.
typedef struct footprints_s {
  gmem_proof_area_t *of;       // by function, once it has been walked
  uint32_t function;           // that is walked
  gmem_proof_ranges_t written; // by its own ops
  GMEM_LIST(uint32_t) run;     // functions that it runs
  uint32_t *run_by;            // by function: the last one that runs it, + 1
} footprints_t;

typedef struct summaries_s {
  summary_t **of;           // by first region of an op; NULL: none was made
  gmem_proof_ranges_t used; // bytes that anything has: sorted and disjoint
  uint32_t runs;            // of functions, that have been numbered
} summaries_t;

typedef struct walker_s {
  const gmem_proof_program_t *program;
  gmem_proof_memory_t memory;
  gmem_proof_contents_t contents;
  gmem_proof_accesses_t own; // of the current op
  gmem_proof_store_t store;
  gmem_proof_state_t state; // at the current point
  frame_t frame;
  bool is_checked;   // errors are reported; else only the state changes
  bool is_in_callee; // writes are those of functions that the op runs
  footprints_t footprints;
  summaries_t summaries;
  GMEM_LIST(write_t) writes; // of the current op
  GMEM_LIST(gmem_proof_entry_t) entries;
  GMEM_LIST(uint32_t) ids; // of the current value
  GMEM_LIST(pin_t) pins;
  GMEM_LIST(hot_t) hot;
  GMEM_LIST(status_t) statuses;
  GMEM_LIST(record_t) records; // of the current edge
  size_t steps_left;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} walker_t;

static const gmem_proof_op_t *op_at(const walker_t *walker, uint32_t op) {
  assert(op < walker->program->ops.count);
  return &walker->program->ops.at[op];
}

static const gmem_proof_value_t *value_at(const walker_t *walker,
                                          uint32_t value) {
  assert(value < walker->program->values.count);
  return &walker->program->values.at[value];
}

//===--- messages ---------------------------------------------------------===//

// The value that name |id| is of.
static const gmem_proof_value_t *value_of(const walker_t *walker, uint32_t id) {
  const gmem_proof_memory_t *memory = &walker->memory;
  return id < 2 * memory->value_count
             ? value_at(walker, gmem_proof_owner(memory, id))
             : value_at(walker,
                        memory->names.at[id - 2 * memory->value_count].value);
}

static gmem_proof_text_t op_text(const walker_t *walker, uint32_t op) {
  return gmem_proof_op_text(walker->program, op);
}

static gmem_proof_text_t bytes_text(const walker_t *walker,
                                    gmem_proof_range_t bytes) {
  return gmem_proof_bytes_text(walker->program, bytes);
}

static MlirLocation location_of(const walker_t *walker, uint32_t op) {
  return mlirOperationGetLocation(
      op == GMEM_NO_INDEX
          ? walker->program->functions.at[walker->frame.function].op
          : op_at(walker, op)->op);
}

static gmem_proof_range_t bytes_of(const walker_t *walker, uint32_t id) {
  return value_at(walker, gmem_proof_owner(&walker->memory, id))->bytes;
}

static uint32_t find_writer(walker_t *walker, gmem_proof_entry_t *loss);

// Reports that op |op| does not find memory |id|, which has been lost.
static gmem_status_t report_loss(walker_t *walker, uint32_t op,
                                 const char *what, gmem_proof_entry_t loss) {
  const gmem_proof_value_t *lost = value_of(walker, loss.id);
  loss.by = find_writer(walker, &loss);
  gmem_proof_text_t value = gmem_proof_value_text(walker->program, lost);
  gmem_proof_text_t writer = op_text(walker, loss.by);
  gmem_note_t notes[2] = {
      gmem_proof_note(mlirValueGetLocation(lost->value), "%s has %s", value.at,
                      bytes_text(walker, bytes_of(walker, loss.id)).at),
      gmem_proof_note(location_of(walker, loss.by), "%s writes there",
                      writer.at)};
  return gmem_error(walker->diag, GMEM_ERR_OVERLAP, location_of(walker, op),
                    notes, 2, "%s %s %s, but %s has overwritten %s",
                    op_text(walker, op).at, what, value.at, writer.at,
                    bytes_text(walker, loss.bytes).at);
}

//===--- memory that values denote ----------------------------------------===//

// What argument |number| is in the current frame.
static gmem_proof_set_t given_as(const walker_t *walker, uint32_t number) {
  return walker->frame.arguments ? walker->frame.arguments[number]
                                 : (gmem_proof_set_t){0};
}

// Whether the current frame gives the site of |id|, if it is the name of one
// that an argument may point to.
static bool is_given(const walker_t *walker, uint32_t id) {
  const gmem_proof_memory_t *memory = &walker->memory;
  const gmem_proof_name_t *name =
      id < 2 * memory->value_count
          ? NULL
          : &memory->names.at[id - 2 * memory->value_count];
  if (!name || name->argument == GMEM_NO_INDEX)
    return true;
  gmem_proof_set_t given = given_as(walker, name->argument);
  for (uint32_t i = 0; i < given.count; ++i)
    if (gmem_proof_site(memory, given.at[i]) == name->site)
      return true;
  return false;
}

// Sets walker->ids to the memories that |value| denotes in the current frame.
static void list_ids(walker_t *walker, uint32_t value) {
  walker->ids.count = 0;
  if (value == GMEM_NO_INDEX)
    return;
  gmem_proof_set_t set = walker->memory.of[value];
  for (uint32_t i = 0; i < set.count; ++i) {
    if (set.at[i] < GMEM_PROOF_ARGUMENT) {
      if (is_given(walker, set.at[i]))
        GMEM_APPEND(walker->arena, &walker->ids, set.at[i]);
      continue;
    }
    gmem_proof_set_t given = given_as(walker, set.at[i] & ~GMEM_PROOF_ARGUMENT);
    for (uint32_t k = 0; k < given.count; ++k)
      GMEM_APPEND(walker->arena, &walker->ids, given.at[k]);
  }
}

// Whether the plan may leave |value|, a tensor, without memory.
static bool may_be_nowhere(const walker_t *walker, uint32_t index) {
  const gmem_proof_program_t *program = walker->program;
  const gmem_proof_value_t *value = value_at(walker, index);
  const gmem_proof_function_t *function =
      &program->functions.at[value->function];
  const gmem_proof_op_t *op =
      value->op == GMEM_NO_INDEX ? NULL : op_at(walker, value->op);
  gmem_op_kind_t kind = op ? op->model->kind : GMEM_OP_UNKNOWN;
  if (value->is_memref || value->is_repeated)
    return true;
  if (kind == GMEM_OP_RESHAPE && op->operand_count &&
      op->operands[0] != GMEM_NO_INDEX)
    return may_be_nowhere(walker, op->operands[0]);
  bool is_parallel = op && op->is_parallel;
  for (uint32_t at = op ? op->parent : GMEM_NO_INDEX; at != GMEM_NO_INDEX;
       at = op_at(walker, at)->parent)
    is_parallel |= op_at(walker, at)->is_parallel;
  const gmem_proof_region_t *region =
      &program->regions.at[program->blocks.at[value->block].region];
  return !value->is_sized || value->is_local || kind == GMEM_OP_EMPTY ||
         kind == GMEM_OP_NONE || is_parallel || program->has_streams ||
         function->is_recursive || function->may_run_with_self ||
         region->is_graph;
}

// Checks that op |op| finds the contents of |value|.
static gmem_status_t read_value(walker_t *walker, uint32_t op, const char *what,
                                uint32_t value) {
  if (!walker->is_checked || value == GMEM_NO_INDEX ||
      value_at(walker, value)->is_constant)
    return GMEM_OK;
  list_ids(walker, value);
  for (size_t i = 0; i < walker->ids.count; ++i) {
    const gmem_proof_entry_t *loss =
        gmem_proof_loss(&walker->state, walker->ids.at[i]);
    if (loss)
      return report_loss(walker, op, what, *loss);
  }
  if (walker->ids.count || may_be_nowhere(walker, value))
    return GMEM_OK;
  return gmem_error_at(
      walker->diag, GMEM_ERR_CORRUPT, location_of(walker, op),
      "%s %s %s, which has no place in the plan", op_text(walker, op).at, what,
      gmem_proof_value_text(walker->program, value_at(walker, value)).at);
}

//===--- writes -----------------------------------------------------------===//

static bool overlap(gmem_proof_range_t left, gmem_proof_range_t right) {
  return left.begin < right.end && right.begin < left.end;
}

// Whether |id| is an argument of the function that is checked.
static bool is_argument(const walker_t *walker, uint32_t id) {
  const gmem_proof_function_t *function =
      &walker->program->functions.at[walker->frame.function];
  return walker->frame.call == GMEM_NO_INDEX &&
         value_at(walker, id)->op == GMEM_NO_INDEX &&
         value_at(walker, id)->block ==
             gmem_proof_entry(walker->program, function->region);
}

// Whether |write| leaves what |entry|, an intact value, has in |common|.
static bool has_same(const walker_t *walker, const write_t *write,
                     const gmem_proof_entry_t *entry,
                     gmem_proof_range_t common) {
  return write->from != GMEM_NO_INDEX &&
         entry->id < walker->program->values.count &&
         gmem_proof_is_equal(&walker->contents, entry->id,
                             common.begin - entry->begin, write->from,
                             common.begin - write->bytes.begin + write->at,
                             common.end - common.begin);
}

// Whether |write| modifies the memory of |entry|, or cannot happen while that
// is a memory of its own.
static bool is_own(const walker_t *walker, const write_t *write,
                   const gmem_proof_entry_t *entry) {
  const gmem_proof_memory_t *memory = &walker->memory;
  return write->id != GMEM_NO_INDEX &&
         (gmem_proof_site(memory, entry->id) ==
              gmem_proof_site(memory, write->id) ||
          !gmem_proof_may_coexist(walker->program, memory, entry->id,
                                  write->id));
}

static gmem_proof_range_t common_bytes(const write_t *write,
                                       const gmem_proof_entry_t *entry) {
  gmem_proof_range_t common = write->bytes;
  common.begin = entry->begin > common.begin ? entry->begin : common.begin;
  common.end = entry->end < common.end ? entry->end : common.end;
  return common;
}

// Intact values are lost with the first byte that is written over, unless it is
// the same as before.
static void overwrite(walker_t *walker, uint32_t op, const write_t *write) {
  gmem_proof_range_t changed = write->bytes;
  gmem_proof_list(&walker->store, &walker->state, write->bytes);
  for (size_t i = 0; i < walker->store.found.count; ++i) {
    gmem_proof_entry_t entry = walker->store.found.at[i];
    gmem_proof_range_t common = common_bytes(write, &entry);
    bool is_same = has_same(walker, write, &entry, common);
    if (!is_same && !is_own(walker, write, &entry))
      gmem_proof_lose(&walker->store, &walker->state, &entry, write->bytes, op);
    // What an argument has already does not change the caller's operand.
    if (is_same && is_argument(walker, entry.id) &&
        common.begin >= changed.begin) {
      GMEM_APPEND(walker->arena, &walker->footprints.written,
                  (gmem_proof_range_t){changed.begin, common.begin});
      changed.begin = common.end;
    }
  }
  GMEM_APPEND(walker->arena, &walker->footprints.written, changed);
}

// Checks that op |op| may write |bytes|.
static gmem_status_t check_write(const walker_t *walker, uint32_t op,
                                 gmem_proof_range_t bytes) {
  for (size_t i = 0; i < walker->program->pools.count && walker->is_checked;
       ++i)
    if (walker->program->pools.at[i].is_constant &&
        overlap(walker->program->pools.at[i].bytes, bytes))
      return gmem_error_at(
          walker->diag, GMEM_ERR_OVERLAP, location_of(walker, op),
          "%s writes %s, which holds constants", op_text(walker, op).at,
          bytes_text(walker, bytes).at);
  for (size_t i = 0; i < walker->hot.count && walker->is_checked; ++i)
    if ((walker->hot.at[i].op != op || walker->is_in_callee) &&
        overlap(walker->hot.at[i].bytes, bytes)) {
      gmem_proof_text_t other = op_text(walker, walker->hot.at[i].op);
      gmem_note_t note =
          gmem_proof_note(location_of(walker, walker->hot.at[i].op),
                          "%s has not ended", other.at);
      return gmem_error(walker->diag, GMEM_ERR_OVERLAP, location_of(walker, op),
                        &note, 1, "%s writes %s, which %s may still use",
                        op_text(walker, op).at, bytes_text(walker, bytes).at,
                        other.at);
    }
  return GMEM_OK;
}

static gmem_status_t make_write(walker_t *walker, uint32_t op,
                                const write_t *write) {
  if (write->bytes.begin >= write->bytes.end)
    return GMEM_OK;
  GMEM_TRY(check_write(walker, op, write->bytes));
  overwrite(walker, op, write);
  return GMEM_OK;
}

// Op |op| writes |bytes|, of unknown contents.
static gmem_status_t write_bytes(walker_t *walker, uint32_t op,
                                 gmem_proof_range_t bytes) {
  return make_write(walker, op,
                    &(write_t){bytes, GMEM_NO_INDEX, GMEM_NO_INDEX, 0});
}

static void define(walker_t *walker, uint32_t id, uint32_t by) {
  gmem_proof_range_t bytes = bytes_of(walker, id);
  gmem_proof_define(&walker->store, &walker->state, bytes, id, by);
}

// The memory of name |id| has contents: so it has by all its names.
static void define_names(walker_t *walker, uint32_t id, uint32_t by) {
  uint32_t site = gmem_proof_site(&walker->memory, id);
  gmem_proof_range_t bytes = bytes_of(walker, id);
  if (!gmem_proof_loss(&walker->state, site) &&
      !gmem_proof_is_intact(&walker->state, bytes, site))
    define(walker, site, by);
  GMEM_CSR_EACH (name, &walker->memory.names_of, site)
    if (!gmem_proof_loss(&walker->state, *name) &&
        !gmem_proof_is_intact(&walker->state, bytes, *name))
      define(walker, *name, by);
}

// Contents appear in a row of values at once; of two that share bytes, only one
// can have them.
static void define_row(walker_t *walker, gmem_proof_row_t row, uint32_t by) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    if (!value_at(walker, v)->is_placed || value_at(walker, v)->is_memref ||
        value_at(walker, v)->is_constant)
      continue;
    define(walker, v, by);
    gmem_proof_list(&walker->store, &walker->state, bytes_of(walker, v));
    for (size_t i = 0; i < walker->store.found.count && row.count > 1; ++i) {
      gmem_proof_entry_t entry = walker->store.found.at[i];
      if (entry.id != v && entry.id >= row.first && entry.id < v)
        gmem_proof_lose(&walker->store, &walker->state, &entry,
                        bytes_of(walker, v), by);
    }
  }
}

static void add_write(walker_t *walker, gmem_proof_range_t bytes, uint32_t id) {
  if (bytes.begin < bytes.end)
    GMEM_APPEND(walker->arena, &walker->writes,
                (write_t){bytes, id, GMEM_NO_INDEX, 0});
}

// The bytes around |value| that whatever works on it may write.
static void add_padding(walker_t *walker, uint32_t value) {
  list_ids(walker, value);
  for (size_t i = 0; i < walker->ids.count; ++i) {
    const gmem_proof_value_t *owner =
        value_at(walker, gmem_proof_owner(&walker->memory, walker->ids.at[i]));
    gmem_proof_range_t before = {owner->buffer.begin, owner->bytes.begin};
    gmem_proof_range_t behind = {owner->bytes.end, owner->buffer.end};
    add_write(walker, before, GMEM_NO_INDEX);
    add_write(walker, behind, GMEM_NO_INDEX);
  }
}

static bool is_terminator(const gmem_proof_op_t *op) {
  return op->next == GMEM_NO_INDEX && op->results.count == 0;
}

// Writes that happen at any time while the op runs: to workbuffers and padding.
static void list_scratch(walker_t *walker, uint32_t index) {
  const gmem_proof_accesses_t *own = &walker->own;
  walker->writes.count = 0;
  gmem_proof_accesses_list(&walker->own, index);
  for (size_t i = 0; i < own->list.count; ++i) {
    const gmem_proof_access_t *access = &own->list.at[i];
    if (access->kind == GMEM_PROOF_SCRATCH)
      add_write(walker, access->bytes, GMEM_NO_INDEX);
    else if (access->kind == GMEM_PROOF_PADS)
      add_padding(walker, access->value);
  }
}

static bool is_at(const walker_t *walker, uint32_t value, uint64_t begin) {
  return gmem_proof_is_at(walker->program, value, begin);
}

static void add_row(walker_t *walker, gmem_proof_row_t row) {
  for (uint32_t i = 0; i < row.count; ++i) {
    const gmem_proof_value_t *value = value_at(walker, row.first + i);
    if (value->is_placed && !value->is_memref)
      add_write(walker, value->bytes, GMEM_NO_INDEX);
  }
}

// Sets walker->writes to what op |index| itself writes, at once.
static void list_writes(walker_t *walker, uint32_t index) {
  const gmem_proof_accesses_t *own = &walker->own;
  walker->writes.count = 0;
  gmem_proof_accesses_list(&walker->own, index);
  for (size_t i = 0; i < own->list.count; ++i) {
    const gmem_proof_access_t *access = &own->list.at[i];
    if (access->kind == GMEM_PROOF_MAKES)
      add_write(walker, access->bytes, GMEM_NO_INDEX);
    if (access->kind == GMEM_PROOF_COPIES)
      GMEM_APPEND(walker->arena, &walker->writes,
                  (write_t){access->bytes, GMEM_NO_INDEX, access->value,
                            access->bytes.begin -
                                value_at(walker, access->value)->bytes.begin});
    if (access->kind != GMEM_PROOF_MODIFIES)
      continue;
    list_ids(walker, access->value);
    for (size_t k = 0; k < walker->ids.count; ++k)
      add_write(walker, bytes_of(walker, walker->ids.at[k]), walker->ids.at[k]);
  }
}

// Makes the writes that are listed; those of memories are contents.
static gmem_status_t make_writes(walker_t *walker, uint32_t op) {
  for (size_t i = 0; i < walker->writes.count; ++i)
    GMEM_TRY(make_write(walker, op, &walker->writes.at[i]));
  for (size_t i = 0; i < walker->writes.count; ++i) {
    uint32_t id = walker->writes.at[i].id;
    if (id != GMEM_NO_INDEX)
      define_names(walker, id, op);
  }
  return GMEM_OK;
}

static gmem_status_t scratch(walker_t *walker, uint32_t op) {
  list_scratch(walker, op);
  return make_writes(walker, op);
}

// Loses the intact values that have bytes of |area|.
static void lose_to_area(walker_t *walker, uint32_t by,
                         gmem_proof_area_t area) {
  gmem_proof_range_t bytes;
  gmem_proof_list_area(&walker->store, &walker->state, area);
  for (size_t i = 0; i < walker->store.found.count; ++i) {
    gmem_proof_entry_t entry = walker->store.found.at[i];
    if (gmem_proof_area_meets(
            area, (gmem_proof_range_t){entry.begin, entry.end}, &bytes))
      gmem_proof_lose(&walker->store, &walker->state, &entry, bytes, by);
  }
}

// Op |index| runs a function.
static gmem_status_t write_footprint(walker_t *walker, uint32_t index,
                                     uint32_t callee) {
  gmem_proof_area_t footprint = walker->footprints.of[callee];
  gmem_proof_range_t bytes;
  for (size_t i = 0; i < walker->hot.count; ++i)
    if (gmem_proof_area_meets(footprint, walker->hot.at[i].bytes, &bytes))
      GMEM_TRY(check_write(walker, index, bytes));
  lose_to_area(walker, index, footprint);
  if (walker->footprints.run_by[callee] != walker->footprints.function + 1)
    GMEM_APPEND(walker->arena, &walker->footprints.run, callee);
  walker->footprints.run_by[callee] = walker->footprints.function + 1;
  return GMEM_OK;
}

// Sets walker->writes to those of what is passed to a function.
static void list_arguments(walker_t *walker, uint32_t function) {
  const gmem_proof_program_t *program = walker->program;
  uint32_t region = program->functions.at[function].region;
  gmem_proof_row_t row =
      program->blocks.at[gmem_proof_entry(program, region)].arguments;
  walker->writes.count = 0;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (value_at(walker, v)->is_placed && !value_at(walker, v)->is_constant)
      add_write(walker, value_at(walker, v)->bytes, GMEM_NO_INDEX);
}

// Sets walker->writes to those of the memory that |value|, a memref, denotes.
static void list_memory(walker_t *walker, uint32_t value) {
  walker->writes.count = 0;
  if (value == GMEM_NO_INDEX || !value_at(walker, value)->is_memref)
    return;
  list_ids(walker, value);
  for (size_t k = 0; k < walker->ids.count; ++k)
    add_write(walker, bytes_of(walker, walker->ids.at[k]), walker->ids.at[k]);
}

// The op runs functions of which only their footprints are known.
static gmem_status_t write_footprints(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    GMEM_TRY(write_footprint(
        walker, index, walker->program->callees.at[op->first_callee + c]));
    if (op->is_direct)
      continue; // its copies write the arguments
    const gmem_proof_function_t *callee =
        &walker->program->functions
             .at[walker->program->callees.at[op->first_callee + c]];
    gmem_proof_row_t row =
        gmem_proof_arguments(walker->program, callee->region);
    for (uint32_t v = row.first; v < row.first + row.count; ++v)
      if (value_at(walker, v)->is_placed && !value_at(walker, v)->is_constant)
        GMEM_TRY(write_bytes(walker, index, value_at(walker, v)->bytes));
  }
  return GMEM_OK;
}

static gmem_status_t run_callees(walker_t *walker, uint32_t index) {
  walker->is_in_callee = true;
  gmem_status_t status = write_footprints(walker, index);
  walker->is_in_callee = false;
  return status;
}

//===--- copies -----------------------------------------------------------===//

// A row of operands that control flow copies to a row of values.
typedef struct move_s {
  gmem_edge_t edge;
  uint32_t number;
  const uint32_t *from;
  gmem_proof_row_t to;
  bool is_aged; // it begins the next iteration of a loop
} move_t;

static gmem_status_t report_copy(const walker_t *walker, uint32_t op,
                                 uint32_t value, const char *what) {
  return gmem_error_at(
      walker->diag, GMEM_ERR_CORRUPT, location_of(walker, op),
      "%s passes contents to %s, but %s; plan again", op_text(walker, op).at,
      gmem_proof_value_text(walker->program, value_at(walker, value)).at, what);
}

static int compare_records(const void *left, const void *right) {
  const record_t *a = left, *b = right;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->size > b->size) - (a->size < b->size);
}

static int in_order(const void *left, const void *right) {
  const record_t *a = left, *b = right;
  return (a->copy > b->copy) - (a->copy < b->copy);
}

static bool is_copied(const walker_t *walker, uint32_t from, uint32_t to) {
  gmem_proof_range_t bytes = value_at(walker, to)->bytes;
  return value_at(walker, to)->is_placed && !value_at(walker, to)->is_memref &&
         bytes.begin < bytes.end && from != GMEM_NO_INDEX &&
         value_at(walker, from)->is_placed;
}

static bool is_undefined(const walker_t *walker, uint32_t value) {
  return value != GMEM_NO_INDEX && !value_at(walker, value)->is_placed &&
         walker->memory.of[value].count == 0;
}

// Adds what |state| knows of |name| to |status|.
static void join_status(const walker_t *walker, const gmem_proof_state_t *state,
                        uint32_t name, status_t *status) {
  const gmem_proof_entry_t *loss = gmem_proof_loss(state, name);
  status->is_intact |=
      gmem_proof_is_intact(state, bytes_of(walker, name), name);
  if (loss && !status->is_lost)
    status->loss = *loss;
  status->is_lost |= loss != NULL;
}

static void set_status(walker_t *walker, const status_t *status) {
  gmem_proof_range_t bytes = bytes_of(walker, status->name);
  gmem_proof_entry_t entry = {
      .begin = bytes.begin, .end = bytes.end, .id = status->name};
  gmem_proof_forget(&walker->store, &walker->state, bytes, status->name);
  if (status->is_intact || status->is_lost)
    define(walker, status->name, status->loss.by);
  if (status->is_lost)
    gmem_proof_lose(&walker->store, &walker->state, &entry, status->loss.bytes,
                    status->loss.by);
}

// Lists what the names of |to| are when it becomes the memref |from|.
static void list_status(walker_t *walker, uint32_t from, uint32_t to,
                        bool is_aged) {
  const gmem_proof_memory_t *memory = &walker->memory;
  gmem_proof_set_t names = memory->of[to];
  list_ids(walker, from);
  for (uint32_t i = 0; i < names.count; ++i) {
    status_t status = {.name = names.at[i]};
    if (names.at[i] >= GMEM_PROOF_ARGUMENT ||
        names.at[i] < 2 * memory->value_count)
      continue;
    uint32_t site = gmem_proof_site(memory, names.at[i]);
    for (size_t k = 0; k < walker->ids.count; ++k) {
      uint32_t other = gmem_proof_site(memory, walker->ids.at[k]);
      if (other == site || (is_aged && other + memory->value_count == site))
        join_status(walker, &walker->state, walker->ids.at[k], &status);
    }
    GMEM_APPEND(walker->arena, &walker->statuses, status);
  }
}

static void set_statuses(walker_t *walker) {
  for (size_t i = 0; i < walker->statuses.count; ++i)
    set_status(walker, &walker->statuses.at[i]);
  walker->statuses.count = 0;
}

static void forget_names(walker_t *walker, gmem_proof_row_t row) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    for (uint32_t i = 0; i < walker->memory.of[v].count; ++i)
      if (walker->memory.of[v].at[i] < GMEM_PROOF_ARGUMENT &&
          walker->memory.of[v].at[i] >= 2 * walker->memory.value_count)
        set_status(walker, &(status_t){.name = walker->memory.of[v].at[i]});
}

// Memrefs of which only the sites are known that they may point to.
static void bind_to_any(walker_t *walker, gmem_proof_row_t row) {
  const gmem_proof_memory_t *memory = &walker->memory;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    for (uint32_t i = 0; i < memory->of[v].count; ++i) {
      status_t status = {.name = memory->of[v].at[i]};
      if (status.name >= GMEM_PROOF_ARGUMENT ||
          status.name < 2 * memory->value_count)
        continue;
      uint32_t site = gmem_proof_site(memory, status.name);
      join_status(walker, &walker->state, site, &status);
      GMEM_CSR_EACH (name, &memory->names_of, site)
        join_status(walker, &walker->state, *name, &status);
      GMEM_APPEND(walker->arena, &walker->statuses, status);
    }
  set_statuses(walker);
}

// As define_row; targets of one source may share its bytes.
static void define_targets(walker_t *walker, uint32_t index,
                           const move_t *move) {
  gmem_proof_row_t row = move->to;
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    const gmem_proof_value_t *value = value_at(walker, v);
    if (!value->is_placed || value->is_memref || value->is_constant)
      continue;
    define(walker, v, index);
    gmem_proof_list(&walker->store, &walker->state, value->bytes);
    for (size_t i = 0; i < walker->store.found.count && row.count > 1; ++i) {
      gmem_proof_entry_t entry = walker->store.found.at[i];
      if (entry.id < row.first || entry.id >= v)
        continue;
      uint32_t one = move->from[v - row.first];
      uint32_t other = move->from[entry.id - row.first];
      // Two sources that are intact where their targets are share bytes
      // already.
      if (one != GMEM_NO_INDEX && other != GMEM_NO_INDEX &&
          is_at(walker, one, value->bytes.begin) &&
          is_at(walker, other, entry.begin))
        continue;
      uint64_t begin =
          entry.begin > value->bytes.begin ? entry.begin : value->bytes.begin;
      uint64_t end =
          entry.end < value->bytes.end ? entry.end : value->bytes.end;
      if (one == GMEM_NO_INDEX || other == GMEM_NO_INDEX ||
          !gmem_proof_is_equal(&walker->contents, one,
                               begin - value->bytes.begin, other,
                               begin - entry.begin, end - begin))
        gmem_proof_lose(&walker->store, &walker->state, &entry, value->bytes,
                        index);
    }
  }
}

// The targets have their contents when all copies have been made.
static gmem_status_t end_move(walker_t *walker, uint32_t index,
                              const move_t *move) {
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (is_copied(walker, move->from[i], move->to.first + i) &&
        is_at(walker, move->from[i],
              value_at(walker, move->to.first + i)->bytes.begin))
      GMEM_TRY(read_value(walker, index, "still has", move->from[i]));
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (!is_copied(walker, move->from[i], move->to.first + i) &&
        value_at(walker, move->to.first + i)->is_placed &&
        !value_at(walker, move->to.first + i)->is_memref)
      gmem_proof_forget(&walker->store, &walker->state,
                        bytes_of(walker, move->to.first + i),
                        move->to.first + i);
  define_targets(walker, index, move);
  for (uint32_t i = 0; i < move->to.count; ++i) {
    uint32_t to = move->to.first + i;
    if (!value_at(walker, to)->is_placed || value_at(walker, to)->is_memref)
      continue;
    if (is_undefined(walker, move->from[i]))
      gmem_proof_forget(&walker->store, &walker->state, bytes_of(walker, to),
                        to);
    else
      GMEM_TRY(read_value(walker, index, "has copied", to));
  }
  return GMEM_OK;
}

// Sets walker->records to those of the edge, each with its target, in order.
static gmem_status_t match_records(walker_t *walker, uint32_t index,
                                   const move_t *move) {
  const gmem_proof_op_t *op = op_at(walker, index);
  record_t *found;
  walker->records.count = 0;
  for (uint32_t k = 0; k < op->copy_count; ++k) {
    const gmem_proof_copy_t *copy = &op->copies[k];
    if (copy->edge == move->edge && copy->number == move->number)
      GMEM_APPEND(
          walker->arena, &walker->records,
          (record_t){copy->to, copy->from, copy->size, k, GMEM_NO_INDEX});
  }
  record_t *all = walker->records.at;
  size_t count = walker->records.count;
  if (count > 1)
    qsort(all, count, sizeof *all, compare_records);
  for (uint32_t i = 0; i < move->to.count; ++i) {
    uint32_t from = move->from[i], to = move->to.first + i;
    if (!is_copied(walker, from, to) ||
        is_at(walker, from, value_at(walker, to)->bytes.begin))
      continue;
    gmem_proof_range_t bytes = value_at(walker, to)->bytes;
    record_t key = {bytes.begin, value_at(walker, from)->bytes.begin,
                    bytes.end - bytes.begin, 0, 0};
    found =
        count ? bsearch(&key, all, count, sizeof key, compare_records) : NULL;
    if (!found && walker->is_checked)
      return report_copy(walker, index, to, "no gmem.copies brings them there");
    if (found)
      found->target = i;
  }
  if (count > 1)
    qsort(all, count, sizeof *all, in_order);
  return GMEM_OK;
}

static uint32_t source_of(const move_t *move, const record_t *record) {
  return record->target == GMEM_NO_INDEX ? GMEM_NO_INDEX
                                         : move->from[record->target];
}

// Whether record |k| of the edge and the next one are of one cycle.
static bool are_in_cycle(const walker_t *walker, const gmem_proof_op_t *op,
                         size_t k) {
  const record_t *record = &walker->records.at[k];
  return record[1].copy == record->copy + 1 &&
         op->copies[record->copy].is_cycle &&
         op->copies[record[1].copy].is_cycle;
}

// Makes the copies of an edge: all sources are intact before the first target
// is written, and each when it is copied.
static gmem_status_t move_values(walker_t *walker, uint32_t index,
                                 const move_t *move) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (value_at(walker, move->to.first + i)->is_memref && !op->is_direct)
      list_status(walker, move->from[i], move->to.first + i, move->is_aged);
  set_statuses(walker);
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (value_at(walker, move->to.first + i)->is_placed &&
        !value_at(walker, move->to.first + i)->is_memref)
      GMEM_TRY(read_value(walker, index, "copies", move->from[i]));
  GMEM_TRY(match_records(walker, index, move));
  for (size_t k = 0, read = 0; k < walker->records.count; ++k) {
    const record_t *record = &walker->records.at[k];
    uint32_t from = source_of(move, record);
    // Copies are made one after the other, except those in a cycle, which all
    // read before any of them writes.
    for (; read == k ||
           (read < walker->records.count && are_in_cycle(walker, op, read - 1));
         ++read)
      GMEM_TRY(read_value(walker, index, "copies",
                          source_of(move, &walker->records.at[read])));
    GMEM_TRY(make_write(
        walker, index,
        &(write_t){
            {record->to, record->to + record->size}, GMEM_NO_INDEX, from, 0}));
  }
  return end_move(walker, index, move);
}

//===--- bytes that are in use for a while --------------------------------===//

// The workbuffers of op |owner| are in use until release(owner).
static void hold(walker_t *walker, uint32_t index, uint32_t owner) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (uint32_t i = 0; i < op->workbuffer_count && walker->is_checked; ++i)
    GMEM_APPEND(walker->arena, &walker->hot,
                (hot_t){op->workbuffers[i], owner});
}

static void release(walker_t *walker, uint32_t owner) {
  size_t kept = 0;
  for (size_t i = 0; i < walker->hot.count; ++i)
    if (walker->hot.at[i].op != owner)
      walker->hot.at[kept++] = walker->hot.at[i];
  walker->hot.count = kept;
}

//===--- what a region does, at any time ----------------------------------===//

static int compare_extents(const void *left, const void *right) {
  const gmem_proof_range_t *a = left, *b = right;
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  return (a->end > b->end) - (a->end < b->end);
}

// Sorts and merges the extents.
static void merge_extents(gmem_proof_ranges_t *extents) {
  size_t merged = 0;
  if (extents->count)
    qsort(extents->at, extents->count, sizeof *extents->at, compare_extents);
  for (size_t i = 0; i < extents->count; ++i)
    if (extents->at[i].begin >= extents->at[i].end) {
      continue;
    } else if (merged && extents->at[i].begin <= extents->at[merged - 1].end) {
      if (extents->at[i].end > extents->at[merged - 1].end)
        extents->at[merged - 1].end = extents->at[i].end;
    } else {
      extents->at[merged++] = extents->at[i];
    }
  extents->count = merged;
}

// Sets of bytes are made of fewer ranges if they have those between, too, which
// nothing has: a write to them changes nothing.
static void use(walker_t *walker, gmem_proof_range_t bytes) {
  GMEM_APPEND(walker->arena, &walker->summaries.used, bytes);
}

static void list_used(walker_t *walker) {
  const gmem_proof_program_t *program = walker->program;
  for (uint32_t i = 0; i < program->values.count; ++i) {
    gmem_proof_range_t bytes = value_at(walker, i)->bytes;
    gmem_proof_range_t buffer = value_at(walker, i)->buffer;
    if (!value_at(walker, i)->is_placed)
      continue;
    use(walker, buffer);
    if (bytes.begin < buffer.begin || bytes.end > buffer.end)
      use(walker, bytes);
  }
  for (uint32_t i = 0; i < program->ops.count; ++i)
    for (uint32_t k = 0; k < op_at(walker, i)->workbuffer_count; ++k)
      use(walker, op_at(walker, i)->workbuffers[k]);
  for (size_t i = 0; i < program->pools.count; ++i) {
    uint64_t begin = program->pools.at[i].bytes.begin;
    use(walker, (gmem_proof_range_t){begin, begin + 1}); // pools stay apart
  }
  merge_extents(&walker->summaries.used);
}

static bool ends_before(const void *range, const void *address) {
  return ((const gmem_proof_range_t *)range)->end <= *(const uint64_t *)address;
}

// Adds |bytes| to the set, and those up to the next ones that are used.
static void add_to_area(walker_t *walker, gmem_proof_area_t *area,
                        gmem_proof_range_t bytes) {
  if (walker->summaries.used.count == 0)
    list_used(walker);
  size_t next = gmem_partition_point(&bytes.end, walker->summaries.used.at,
                                     walker->summaries.used.count, sizeof bytes,
                                     ends_before);
  if (bytes.begin < bytes.end && next < walker->summaries.used.count &&
      walker->summaries.used.at[next].begin > bytes.end)
    bytes.end = walker->summaries.used.at[next].begin;
  gmem_proof_area_add(&walker->store, area, bytes);
}

// Where the writes of a region go: to a summary, or, if |lost| is not NULL, to
// the search for the first one that |lost| was lost by.
typedef struct sink_s {
  summary_t *summary;
  gmem_proof_entry_t *lost;
  uint32_t writer; // GMEM_NO_INDEX: not found
} sink_t;

static void take_area(walker_t *walker, sink_t *sink, uint32_t op,
                      gmem_proof_area_t area) {
  gmem_proof_range_t bytes;
  if (!sink->lost) {
    gmem_proof_area_unite(&walker->store, &sink->summary->area, area);
  } else if (sink->writer == GMEM_NO_INDEX &&
             gmem_proof_area_meets(area, bytes_of(walker, sink->lost->id),
                                   &bytes)) {
    sink->writer = op;
    sink->lost->bytes = bytes;
  }
}

static void take_write(walker_t *walker, sink_t *sink, uint32_t op,
                       const write_t *write) {
  summary_t *summary = sink->summary;
  uint32_t id =
      write->from == GMEM_NO_INDEX ? write->id : write->from | KNOWN_VALUE;
  if (write->bytes.begin >= write->bytes.end)
    return;
  if (sink->lost) {
    gmem_proof_range_t bytes = bytes_of(walker, sink->lost->id);
    gmem_proof_entry_t entry = {
        .begin = bytes.begin, .end = bytes.end, .id = sink->lost->id};
    gmem_proof_range_t common = common_bytes(write, &entry);
    if (sink->writer != GMEM_NO_INDEX || common.begin >= common.end ||
        has_same(walker, write, &entry, common) ||
        is_own(walker, write, &entry))
      return;
    sink->writer = op;
    sink->lost->bytes = common;
  } else if (id == GMEM_NO_INDEX) {
    add_to_area(walker, &summary->area, write->bytes);
  } else if (!gmem_proof_is_intact(&summary->known, write->bytes, id)) {
    gmem_proof_define(&walker->store, &summary->known, write->bytes, id, op);
    add_to_area(walker, &summary->known_area, write->bytes);
  }
}

static void take_bytes(walker_t *walker, sink_t *sink, uint32_t op,
                       gmem_proof_range_t bytes) {
  take_write(walker, sink, op,
             &(write_t){bytes, GMEM_NO_INDEX, GMEM_NO_INDEX, 0});
}

static void take_writes(walker_t *walker, sink_t *sink, uint32_t op) {
  for (size_t k = 0; k < walker->writes.count; ++k)
    take_write(walker, sink, op, &walker->writes.at[k]);
}

static gmem_status_t summarize(walker_t *walker, uint32_t first, uint32_t end,
                               sink_t *sink);

static bool begin_inline(walker_t *walker, uint32_t index, frame_t *out_saved);

// Adds what the functions write that op |index| runs.
static gmem_status_t summarize_callees(walker_t *walker, uint32_t index,
                                       sink_t *sink) {
  const gmem_proof_op_t *op = op_at(walker, index);
  const gmem_proof_program_t *program = walker->program;
  frame_t saved;
  if (op->flow == GMEM_PROOF_CALL && begin_inline(walker, index, &saved)) {
    const gmem_proof_function_t *callee =
        &program->functions.at[walker->frame.function];
    gmem_status_t status =
        summarize(walker, callee->first_op, callee->end_op, sink);
    walker->frame = saved;
    return status;
  }
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    uint32_t callee = program->callees.at[op->first_callee + c];
    take_area(walker, sink, index, walker->footprints.of[callee]);
    if (op->flow != GMEM_PROOF_CALL) {
      list_arguments(walker, callee);
      take_writes(walker, sink, index);
    }
  }
  for (uint32_t i = 0; i < op->operand_count && op->flow == GMEM_PROOF_CALL;
       ++i) {
    list_memory(walker, op->operands[i]);
    take_writes(walker, sink, index);
  }
  return GMEM_OK;
}

// The loop or the like at |index| runs its regions in any order.
static bool repeats(const gmem_proof_op_t *op) {
  return op->region_count && op->flow != GMEM_PROOF_STEP &&
         op->flow != GMEM_PROOF_BRANCH;
}

static gmem_status_t summarize_loop(walker_t *walker, uint32_t index,
                                    summary_t **out_summary) {
  const gmem_proof_op_t *op = op_at(walker, index);
  summary_t *summary = walker->summaries.of[op->first_region];
  if (!summary)
    GMEM_TRY_ALLOC(summary, walker->arena, 1, walker->diag);
  walker->summaries.of[op->first_region] = *out_summary = summary;
  if (summary->frame == walker->frame.number)
    return GMEM_OK;
  *summary =
      (summary_t){.known = {.is_reached = true}, .frame = walker->frame.number};
  return summarize(walker, index + 1, op->end,
                   &(sink_t){summary, NULL, GMEM_NO_INDEX});
}

// Takes all writes of ops [first, end). Those of the loops among them are
// summarized first, so that each op is looked at once.
static gmem_status_t summarize(walker_t *walker, uint32_t first, uint32_t end,
                               sink_t *sink) {
  for (uint32_t i = first; i < end; ++i) {
    const gmem_proof_op_t *op = op_at(walker, i);
    summary_t *inner;
    if (walker->program->blocks.at[op->block].is_reached) {
      list_writes(walker, i);
      take_writes(walker, sink, i);
      for (uint32_t k = 0; k < op->copy_count; ++k)
        take_bytes(walker, sink, i,
                   (gmem_proof_range_t){op->copies[k].to,
                                        op->copies[k].to + op->copies[k].size});
      list_scratch(walker, i);
      take_writes(walker, sink, i);
      if (op->callee_count)
        GMEM_TRY(summarize_callees(walker, i, sink));
    }
    if (sink->lost || !repeats(op))
      continue;
    GMEM_TRY(summarize_loop(walker, i, &inner));
    gmem_proof_area_unite(&walker->store, &sink->summary->area, inner->area);
    gmem_proof_area_unite(&walker->store, &sink->summary->known_area,
                          inner->known_area);
    gmem_proof_join(&walker->store, &sink->summary->known, &inner->known);
    i = op->end - 1;
  }
  return GMEM_OK;
}

// The op that |loss| was lost by: one inside of the loop that it names. Sets
// the bytes to those that it writes.
static uint32_t find_writer(walker_t *walker, gmem_proof_entry_t *loss) {
  sink_t sink = {NULL, loss, GMEM_NO_INDEX};
  if (loss->by == GMEM_NO_INDEX || !(loss->by & INSIDE))
    return loss->by;
  uint32_t loop = loss->by & ~INSIDE;
  frame_t saved = walker->frame;
  if (op_at(walker, loop)->function != saved.function)
    walker->frame.arguments = NULL;
  (void)summarize(walker, loop + 1, op_at(walker, loop)->end, &sink);
  walker->frame = saved;
  return sink.writer == GMEM_NO_INDEX ? loop : sink.writer;
}

static write_t known_write(const walker_t *walker,
                           const gmem_proof_entry_t *entry) {
  gmem_proof_range_t bytes = {entry->begin, entry->end};
  uint32_t value = entry->id & ~KNOWN_VALUE;
  if (!(entry->id & KNOWN_VALUE))
    return (write_t){bytes, entry->id, GMEM_NO_INDEX, 0};
  return (write_t){bytes, GMEM_NO_INDEX, value,
                   bytes.begin - value_at(walker, value)->bytes.begin};
}

// Loses the intact values that a write of |summary| goes to, each of which is
// to known contents or to memory that may be the value's own.
static void lose_to_known(walker_t *walker, uint32_t index,
                          const summary_t *summary) {
  gmem_proof_store_t *store = &walker->store;
  gmem_proof_list_area(store, &walker->state, summary->known_area);
  walker->entries.count = 0;
  for (size_t i = 0; i < store->found.count; ++i)
    GMEM_APPEND(walker->arena, &walker->entries, store->found.at[i]);
  for (size_t i = 0; i < walker->entries.count; ++i) {
    gmem_proof_entry_t entry = walker->entries.at[i];
    gmem_proof_list(store, &summary->known,
                    (gmem_proof_range_t){entry.begin, entry.end});
    for (size_t k = 0; k < store->found.count; ++k) {
      write_t write = known_write(walker, &store->found.at[k]);
      if (has_same(walker, &write, &entry, common_bytes(&write, &entry)) ||
          is_own(walker, &write, &entry))
        continue;
      gmem_proof_lose(store, &walker->state, &entry, write.bytes,
                      index | INSIDE);
      break;
    }
  }
}

// The state at a point that the regions of op |index| reach again and again:
// all of their writes have happened, in any order and any number of times.
static gmem_status_t enter_loop(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  summary_t *summary;
  if (op->region_count == 0)
    return GMEM_OK;
  GMEM_TRY(summarize_loop(walker, index, &summary));
  // Memories from outside have contents.
  gmem_proof_list(&walker->store, &summary->known,
                  (gmem_proof_range_t){0, UINT64_MAX});
  for (size_t i = 0; i < walker->store.found.count; ++i) {
    gmem_proof_entry_t entry = walker->store.found.at[i];
    uint32_t site = entry.id & KNOWN_VALUE
                        ? entry.id
                        : gmem_proof_site(&walker->memory, entry.id);
    if (site < walker->memory.value_count &&
        !(value_at(walker, site)->op > index &&
          value_at(walker, site)->op < op->end))
      define_names(walker, entry.id, entry.by);
  }
  lose_to_area(walker, index | INSIDE, summary->area);
  lose_to_known(walker, index, summary);
  return gmem_bump_status(walker->arena, walker->diag);
}

//===--- regions ----------------------------------------------------------===//

static gmem_status_t walk_op(walker_t *walker, uint32_t index);
static gmem_status_t read_operands(walker_t *walker, uint32_t index,
                                   const char *what);
static gmem_status_t check_results(walker_t *walker, uint32_t index);
static gmem_status_t leave(walker_t *walker, uint32_t index);

// Goes on at successor |number| of branch |index|; the state is that before its
// copies.
static gmem_status_t jump(walker_t *walker, uint32_t index, uint32_t number,
                          uint32_t to) {
  const gmem_proof_op_t *op = op_at(walker, index);
  gmem_proof_row_t row = walker->program->blocks.at[to].arguments;
  uint32_t first;
  if (gmem_proof_branch_operands(op, number, &first)) {
    move_t move = {GMEM_EDGE_SUCCESSOR, number, op->operands + first, row,
                   walker->memory.is_aged[index]};
    return move_values(walker, index, &move);
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    GMEM_TRY(read_value(walker, index, "reads", op->operands[i]));
  walker->writes.count = 0;
  add_row(walker, row);
  GMEM_TRY(make_writes(walker, index));
  bind_to_any(walker, row);
  for (uint32_t i = 0; i < row.count; ++i)
    if (value_at(walker, row.first + i)->is_placed &&
        !value_at(walker, row.first + i)->is_memref)
      define(walker, row.first + i, index);
  return GMEM_OK;
}

// Walks a block; sets |*out_last| to its last op, which has not been left.
static gmem_status_t walk_block(walker_t *walker, uint32_t index,
                                uint32_t *out_last) {
  const gmem_proof_block_t *block = &walker->program->blocks.at[index];
  *out_last = block->last_op;
  for (uint32_t i = block->first_op; i != GMEM_NO_INDEX;
       i = op_at(walker, i)->next)
    GMEM_TRY(walk_op(walker, i));
  return GMEM_OK;
}

// The walk of the blocks of a region.
typedef struct blocks_s {
  const gmem_proof_region_t *region;
  gmem_proof_state_t *states; // by position: at the begin of the block
  bool *is_due; // by position: the state has changed since the walk
  gmem_proof_state_t exit;
  bool is_final; // the states do not change any more
} blocks_t;

// Goes on at the successors of the block whose last op is |last|. |*out_next|
// becomes the first position where a block is due, if that is less.
static gmem_status_t walk_on(walker_t *walker, blocks_t *blocks, uint32_t last,
                             uint32_t *out_next) {
  const gmem_proof_program_t *program = walker->program;
  gmem_proof_state_t end = walker->state;
  intptr_t count = mlirOperationGetNumSuccessors(op_at(walker, last)->op);
  for (uint32_t s = 0; s < (uint32_t)count; ++s) {
    uint32_t to = gmem_proof_successor(program, op_at(walker, last), s);
    if (to == GMEM_NO_INDEX || !end.is_reached)
      continue;
    uint32_t position = program->blocks.at[to].position;
    gmem_proof_state_t *next = &blocks->states[position];
    size_t before = gmem_proof_size(next);
    bool was_reached = next->is_reached;
    gmem_proof_freeze(&walker->store);
    walker->state = end;
    GMEM_TRY(jump(walker, last, s, to));
    if (blocks->is_final)
      continue;
    gmem_proof_join(&walker->store, next, &walker->state);
    if (was_reached && gmem_proof_size(next) == before)
      continue;
    blocks->is_due[position] = true;
    if (position < *out_next)
      *out_next = position;
  }
  return GMEM_OK;
}

// Walks the blocks that are due, in order, from the states at their begins, and
// joins those at their ends to the states of their successors, or to the exit.
// A loop is walked until its head does not change any more.
static gmem_status_t walk_blocks(walker_t *walker, blocks_t *blocks) {
  for (uint32_t i = 0, next; i < blocks->region->reached; i = next) {
    uint32_t last;
    next = i + 1;
    if (!blocks->is_due[i] || !blocks->states[i].is_reached)
      continue;
    blocks->is_due[i] = false;
    gmem_proof_freeze(&walker->store);
    walker->state = blocks->states[i];
    GMEM_TRY(walk_block(walker, blocks->region->order[i], &last));
    if (last != GMEM_NO_INDEX &&
        mlirOperationGetNumSuccessors(op_at(walker, last)->op)) {
      GMEM_TRY(walk_on(walker, blocks, last, &next));
      continue;
    }
    if (last != GMEM_NO_INDEX)
      GMEM_TRY(leave(walker, last));
    gmem_proof_join(&walker->store, &blocks->exit, &walker->state);
  }
  return gmem_bump_status(walker->arena, walker->diag);
}

// The ops of a graph region run in another order than that of the text: all
// values of it must be intact when all have run.
static gmem_status_t check_graph(walker_t *walker,
                                 const gmem_proof_region_t *region) {
  for (uint32_t b = 0; b < region->block_count; ++b)
    for (uint32_t i =
             walker->program->blocks.at[region->first_block + b].first_op;
         i != GMEM_NO_INDEX; i = op_at(walker, i)->next) {
      GMEM_TRY(read_operands(walker, i, "reads"));
      GMEM_TRY(check_results(walker, i));
    }
  return GMEM_OK;
}

// Whether a branch leads back: the states at the begins of blocks are then
// those of several rounds.
static bool has_loop(const walker_t *walker,
                     const gmem_proof_region_t *region) {
  for (uint32_t i = 0; i < region->reached && region->reached > 1; ++i) {
    uint32_t last = walker->program->blocks.at[region->order[i]].last_op;
    intptr_t count =
        last == GMEM_NO_INDEX
            ? 0
            : mlirOperationGetNumSuccessors(op_at(walker, last)->op);
    for (uint32_t s = 0; s < (uint32_t)count; ++s) {
      uint32_t to =
          gmem_proof_successor(walker->program, op_at(walker, last), s);
      if (to != GMEM_NO_INDEX && walker->program->blocks.at[to].position <= i)
        return true;
    }
  }
  return false;
}

// Walks a region from the current state, which becomes that at its end.
static gmem_status_t walk_region(walker_t *walker, uint32_t index) {
  const gmem_proof_region_t *region = &walker->program->regions.at[index];
  blocks_t blocks = {.region = region};
  bool was_checked = walker->is_checked;
  if (region->block_count == 0)
    return GMEM_OK;
  GMEM_TRY_ALLOC(blocks.states, walker->arena, region->block_count,
                 walker->diag);
  GMEM_TRY_ALLOC(blocks.is_due, walker->arena, region->block_count,
                 walker->diag);
  gmem_proof_freeze(&walker->store);
  blocks.states[0] = walker->state;
  blocks.is_due[0] = true;
  if (has_loop(walker, region)) {
    walker->is_checked = false;
    gmem_status_t status = walk_blocks(walker, &blocks);
    walker->is_checked = was_checked;
    GMEM_TRY(status);
    blocks.is_final = true;
    for (uint32_t i = 0; i < region->reached; ++i)
      blocks.is_due[i] = was_checked;
  }
  GMEM_TRY(walk_blocks(walker, &blocks));
  walker->state = blocks.exit;
  return region->is_graph ? check_graph(walker, region) : GMEM_OK;
}

//===--- calls ------------------------------------------------------------===//

// Enters the callee of |index| if what it does depends on the memory that it is
// given. Returns false if the call counts as a whole.
static bool begin_inline(walker_t *walker, uint32_t index, frame_t *out_saved) {
  const gmem_proof_op_t *op = op_at(walker, index);
  const gmem_proof_function_t *callee = gmem_proof_callee(walker->program, op);
  size_t ops = callee->end_op - callee->first_op;
  bool is_given = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    bool is_memref = op->operands[i] != GMEM_NO_INDEX &&
                     value_at(walker, op->operands[i])->is_memref;
    if (is_memref)
      list_ids(walker, op->operands[i]);
    is_given |= is_memref && walker->ids.count;
  }
  if (!is_given || walker->frame.depth >= MOST_DEPTH ||
      ops > walker->steps_left)
    return false;
  walker->steps_left -= ops;
  gmem_proof_set_t *sets =
      gmem_bump_alloc(walker->arena, op->operand_count, sizeof *sets);
  for (uint32_t i = 0; sets && i < op->operand_count; ++i) {
    list_ids(walker, op->operands[i]);
    uint32_t *copy =
        gmem_bump_alloc(walker->arena, walker->ids.count, sizeof *copy);
    for (size_t k = 0; copy && k < walker->ids.count; ++k)
      copy[k] = walker->ids.at[k];
    sets[i] = (gmem_proof_set_t){copy, copy ? (uint32_t)walker->ids.count : 0};
  }
  *out_saved = walker->frame;
  walker->frame =
      (frame_t){sets, (uint32_t)(callee - walker->program->functions.at),
                walker->frame.depth + 1, index, ++walker->summaries.runs};
  return true;
}

static gmem_status_t run_inline(walker_t *walker, frame_t saved) {
  size_t pins = walker->pins.count, hot = walker->hot.count;
  gmem_status_t status = walk_region(
      walker, walker->program->functions.at[walker->frame.function].region);
  walker->frame = saved;
  walker->pins.count = pins;
  walker->hot.count = hot;
  return status;
}

// The callee counts as a whole: what it is given is used from its begin to its
// end.
static gmem_status_t run_whole(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      if (op->operands[i] == GMEM_NO_INDEX ||
          !value_at(walker, op->operands[i])->is_memref)
        continue;
      list_memory(walker, op->operands[i]);
      GMEM_TRY(make_writes(walker, index));
      if (round)
        GMEM_TRY(read_value(walker, index, "passes", op->operands[i]));
    }
    if (!round)
      GMEM_TRY(run_callees(walker, index));
  }
  return GMEM_OK;
}

// A callee that counts as a whole leaves the contents of what it returns.
static void define_returned(walker_t *walker, uint32_t index, uint32_t value) {
  gmem_proof_set_t set = walker->memory.of[value];
  for (uint32_t k = 0; k < set.count; ++k)
    if (set.at[k] < GMEM_PROOF_ARGUMENT)
      define(walker, set.at[k], index);
}

// Takes over the results: each return may be the one that ran.
static gmem_status_t take_results(walker_t *walker, uint32_t index,
                                  bool is_inline) {
  const gmem_proof_op_t *op = op_at(walker, index);
  const gmem_proof_program_t *program = walker->program;
  const gmem_proof_region_t *body =
      &program->regions.at[gmem_proof_callee(walker->program, op)->region];
  for (uint32_t b = 0, number = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    bool at_return = false;
    if (!end)
      continue;
    for (uint32_t i = 0; i < end->copy_count; ++i)
      at_return |= end->copies[i].edge == GMEM_EDGE_CALLER;
    for (uint32_t i = 0; i < op->results.count; ++i) {
      uint32_t from = end->operands[i];
      if (at_return && value_at(walker, op->results.first + i)->is_placed)
        define(walker, op->results.first + i, index);
      else if (value_at(walker, op->results.first + i)->is_memref) {
        if (!is_inline && op->flow == GMEM_PROOF_CALL)
          define_returned(walker, index, op->results.first + i);
      } else if (!is_inline && from != GMEM_NO_INDEX)
        define_returned(walker, index, from);
    }
    move_t move = {GMEM_EDGE_RESULTS, number++, end->operands, op->results,
                   false};
    if (!at_return)
      GMEM_TRY(move_values(walker, index, &move));
  }
  return GMEM_OK;
}

static gmem_status_t pass_operands(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  gmem_proof_row_t arguments = gmem_proof_arguments(
      walker->program, gmem_proof_callee(walker->program, op)->region);
  arguments.count = op->operand_count;
  move_t move = {GMEM_EDGE_CALLEE, 0, op->operands, arguments, false};
  return move_values(walker, index, &move);
}

// A call in deferred code, or of a function that may run at other times, too:
// nobody else has its bytes, and what memrefs it is given is unknown.
static gmem_status_t run_apart(walker_t *walker, uint32_t index) {
  if (!op_at(walker, index)->is_direct)
    return run_callees(walker, index);
  GMEM_TRY(pass_operands(walker, index));
  GMEM_TRY(run_callees(walker, index));
  return take_results(walker, index, false);
}

static gmem_status_t walk_call(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  frame_t saved;
  GMEM_TRY(scratch(walker, index));
  GMEM_TRY(pass_operands(walker, index));
  forget_names(walker, op->results);
  bool is_inline = begin_inline(walker, index, &saved);
  GMEM_TRY(is_inline ? run_inline(walker, saved) : run_whole(walker, index));
  if (!walker->state.is_reached)
    return GMEM_OK; // it does not return
  GMEM_TRY(take_results(walker, index, is_inline));
  return scratch(walker, index);
}

//===--- ops with regions -------------------------------------------------===//

static void pin(walker_t *walker, uint32_t value, const char *what) {
  if (walker->is_checked && value != GMEM_NO_INDEX)
    GMEM_APPEND(walker->arena, &walker->pins, (pin_t){value, what});
}

static gmem_status_t read_operands(walker_t *walker, uint32_t index,
                                   const char *what) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (uint32_t i = 0; i < op->read_count; ++i)
    if (!gmem_proof_is_unread(op, i))
      GMEM_TRY(read_value(walker, index, what, op->operands[i]));
  return GMEM_OK;
}

static gmem_status_t walk_branch(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  gmem_proof_state_t before, after;
  GMEM_TRY(read_operands(walker, index, "reads"));
  GMEM_TRY(scratch(walker, index));
  forget_names(walker, op->results); // those of an earlier run
  for (uint32_t i = 0; i < op->results.count; ++i)
    gmem_proof_forget(&walker->store, &walker->state,
                      bytes_of(walker, op->results.first + i),
                      op->results.first + i);
  gmem_proof_freeze(&walker->store);
  before = after = walker->state;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    uint32_t entry = gmem_proof_entry(walker->program, op->first_region + r);
    if (entry == GMEM_NO_INDEX)
      continue;
    gmem_proof_row_t row = walker->program->blocks.at[entry].arguments;
    move_t move = {GMEM_EDGE_REGION, r,
                   op->operands + op->operand_count - row.count, row, false};
    gmem_proof_freeze(&walker->store);
    walker->state = before;
    GMEM_TRY(move_values(walker, index, &move));
    GMEM_TRY(walk_region(walker, op->first_region + r));
    gmem_proof_join(&walker->store, &after, &walker->state);
  }
  walker->state = after;
  return scratch(walker, index);
}

// Walks the regions of a loop once, from its head; |*out_exit| becomes the
// state in which it is left, |*out_passed| the values that are then its
// results.
static gmem_status_t walk_round(walker_t *walker, uint32_t index,
                                const uint32_t *carried,
                                const uint32_t **out_passed,
                                gmem_proof_state_t *out_exit) {
  const gmem_proof_op_t *op = op_at(walker, index);
  const gmem_proof_program_t *program = walker->program;
  gmem_proof_freeze(&walker->store);
  *out_exit = walker->state;
  *out_passed = carried;
  GMEM_TRY(walk_region(walker, op->first_region));
  if (op->flow == GMEM_PROOF_FOR)
    return GMEM_OK;
  const gmem_proof_block_t *before =
      &program->blocks.at[gmem_proof_entry(program, op->first_region)];
  const gmem_proof_block_t *after =
      &program->blocks.at[gmem_proof_entry(program, op->first_region + 1)];
  if (op->model->kind == GMEM_OP_LOOP)
    GMEM_TRY(read_operands(walker, before->last_op, "reads"));
  else
    *out_passed = op_at(walker, before->last_op)->operands + 1;
  gmem_proof_freeze(&walker->store);
  *out_exit = walker->state;
  move_t move = {GMEM_EDGE_NEXT, 1, *out_passed, after->arguments, false};
  GMEM_TRY(move_values(walker, before->last_op, &move));
  return walk_region(walker, op->first_region + 1);
}

// Adds what |state| knows of the names of |row| to the current state. Returns
// whether it is new.
static bool join_names(walker_t *walker, const gmem_proof_state_t *state,
                       gmem_proof_row_t row) {
  size_t lost = 0, intact = 0;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    for (uint32_t i = 0; i < walker->memory.of[v].count; ++i) {
      status_t status = {.name = walker->memory.of[v].at[i]};
      if (status.name >= GMEM_PROOF_ARGUMENT ||
          status.name < 2 * walker->memory.value_count)
        continue;
      join_status(walker, &walker->state, status.name, &status);
      status_t old = status;
      join_status(walker, state, status.name, &status);
      lost += status.is_lost != old.is_lost;
      intact += status.is_intact != old.is_intact;
      GMEM_APPEND(walker->arena, &walker->statuses, status);
    }
  set_statuses(walker);
  return lost || intact;
}

// The state at the head of a loop whose carried values are |row|. Sets the
// state at its exit, too, unless the last round remains to be checked.
static gmem_status_t begin_loop(walker_t *walker, uint32_t index,
                                gmem_proof_row_t row, const uint32_t *carried,
                                const uint32_t **out_passed,
                                gmem_proof_state_t *out_exit) {
  bool was_checked = walker->is_checked;
  gmem_proof_freeze(&walker->store);
  gmem_proof_state_t begin = walker->state;
  GMEM_TRY(enter_loop(walker, index));
  define_row(walker, row, index);
  // What carried memrefs point to is that of the first iteration, or what an
  // iteration leaves to the next one.
  forget_names(walker, row);
  bool is_changed = join_names(walker, &begin, row) || !was_checked;
  walker->is_checked = false;
  gmem_status_t status = GMEM_OK;
  while (is_changed && status == GMEM_OK) {
    gmem_proof_freeze(&walker->store);
    gmem_proof_state_t head = walker->state;
    status = walk_round(walker, index, carried, out_passed, out_exit);
    gmem_proof_freeze(&walker->store);
    gmem_proof_state_t end = walker->state;
    walker->state = head;
    is_changed = end.is_reached && join_names(walker, &end, row);
  }
  walker->is_checked = was_checked;
  return status;
}

static gmem_status_t walk_loop(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  gmem_proof_row_t row =
      gmem_proof_arguments(walker->program, op->first_region);
  if (op->flow == GMEM_PROOF_FOR) {
    row.first += row.count - op->results.count;
    row.count = op->results.count;
  }
  uint32_t *carried;
  const uint32_t *passed;
  GMEM_TRY_ALLOC(carried, walker->arena, row.count, walker->diag);
  for (uint32_t i = 0; i < row.count; ++i)
    carried[i] = row.first + i;
  GMEM_TRY(scratch(walker, index));
  list_writes(walker, index);
  GMEM_TRY(make_writes(walker, index));
  move_t move = {GMEM_EDGE_REGION, 0,
                 op->operands + op->operand_count - row.count, row, false};
  GMEM_TRY(move_values(walker, index, &move));
  gmem_proof_state_t exit;
  GMEM_TRY(begin_loop(walker, index, row, carried, &passed, &exit));
  if (walker->is_checked)
    GMEM_TRY(walk_round(walker, index, carried, &passed, &exit));
  gmem_proof_freeze(&walker->store);
  walker->state = exit;
  move = (move_t){GMEM_EDGE_RESULTS, 0, passed, op->results, false};
  GMEM_TRY(move_values(walker, index, &move));
  return scratch(walker, index);
}

// Uses from outside of op |index| last until the function ends, and so does the
// memory of what is inside of it.
static void keep_running(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (uint32_t i = index; i < op->end; ++i)
    for (uint32_t k = 0; k < op_at(walker, i)->read_count; ++k)
      if (!gmem_proof_is_unread(op_at(walker, i), k))
        pin(walker, op_at(walker, i)->operands[k],
            "returns while deferred code uses");
  uint32_t first = op->results.first + op->results.count;
  uint32_t end = op->end < walker->program->ops.count
                     ? op_at(walker, op->end)->results.first
                     : (uint32_t)walker->program->values.count;
  for (uint32_t v = first; v < end && walker->is_checked; ++v) {
    const gmem_proof_value_t *value = value_at(walker, v);
    bool is_inside =
        value->op != GMEM_NO_INDEX
            ? value->op > index && value->op < op->end
            : value->function == op->function && op->region_count != 0;
    gmem_proof_set_t sites = walker->memory.sites[v];
    bool is_own = sites.count == 1 && sites.at[0] == v; // not a view of another
    if (is_inside && is_own)
      GMEM_APPEND(walker->arena, &walker->hot, (hot_t){value->buffer, index});
  }
  for (uint32_t i = index; i < op->end; ++i)
    hold(walker, i, index);
}

static gmem_status_t check_results(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  for (uint32_t i = 0; i < op->results.count; ++i)
    if (value_at(walker, op->results.first + i)->is_placed &&
        !value_at(walker, op->results.first + i)->is_memref)
      GMEM_TRY(read_value(walker, index, "has made", op->results.first + i));
  return GMEM_OK;
}

// Regions that run in any order, any number of times.
static gmem_status_t walk_any(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  GMEM_TRY(read_operands(walker, index, "reads"));
  GMEM_TRY(scratch(walker, index));
  list_writes(walker, index);
  GMEM_TRY(make_writes(walker, index));
  define_row(walker, op->results, index);
  bind_to_any(walker, op->results);
  for (uint32_t r = 0; r < op->region_count; ++r) {
    gmem_proof_row_t row =
        gmem_proof_arguments(walker->program, op->first_region + r);
    walker->writes.count = 0; // of those of other regions, too
    add_row(walker, row);
    GMEM_TRY(make_writes(walker, index));
    define_row(walker, row, index);
    bind_to_any(walker, row);
  }
  GMEM_TRY(run_callees(walker, index));
  GMEM_TRY(enter_loop(walker, index));
  gmem_proof_freeze(&walker->store);
  gmem_proof_state_t head = walker->state;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    gmem_proof_freeze(&walker->store);
    walker->state = head;
    GMEM_TRY(walk_region(walker, op->first_region + r));
  }
  gmem_proof_freeze(&walker->store);
  walker->state = head;
  GMEM_TRY(read_operands(walker, index, "still reads"));
  GMEM_TRY(check_results(walker, index));
  if (op->flow == GMEM_PROOF_LATER)
    keep_running(walker, index);
  return scratch(walker, index);
}

//===--- ops without regions ----------------------------------------------===//

// Whether the op may write over operand |number|, which it reads.
static bool is_spent(const walker_t *walker, const gmem_proof_op_t *op,
                     uint32_t number) {
  const gmem_proof_value_t *operand = value_at(walker, op->operands[number]);
  for (uint32_t i = 0; i < op->results.count && number < op->operand_count;
       ++i) {
    const gmem_proof_value_t *result = value_at(walker, op->results.first + i);
    if (result->is_placed && result->bytes.begin == operand->bytes.begin &&
        result->bytes.end == operand->bytes.end &&
        gmem_proof_may_overwrite(op, number, i))
      return true;
  }
  return false;
}

// An input of the network that an op modifies belongs to a caller who reads the
// new contents.
static void pin_if_input(walker_t *walker, uint32_t value) {
  list_ids(walker, value);
  for (size_t i = 0; i < walker->ids.count; ++i) {
    uint32_t id = walker->ids.at[i];
    if (id >= walker->program->values.count)
      continue;
    const gmem_proof_value_t *owner = value_at(walker, id);
    const gmem_proof_function_t *function =
        &walker->program->functions.at[owner->function];
    bool is_input =
        owner->op == GMEM_NO_INDEX
            ? owner->block ==
                  gmem_proof_entry(walker->program, function->region)
            : op_at(walker, owner->op)->model->kind == GMEM_OP_INPUT;
    if (is_input && function->mentions == 0)
      pin(walker, id, "returns after an op modified");
  }
}

static gmem_status_t compute(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  GMEM_TRY(read_operands(walker, index, "reads"));
  GMEM_TRY(scratch(walker, index));
  list_writes(walker, index);
  GMEM_TRY(make_writes(walker, index));
  define_row(walker, op->results, index);
  GMEM_TRY(run_apart(walker, index));
  GMEM_TRY(scratch(walker, index));
  for (uint32_t i = 0; i < op->read_count; ++i)
    if (!gmem_proof_is_unread(op, i) && op->operands[i] != GMEM_NO_INDEX &&
        !is_spent(walker, op, i))
      GMEM_TRY(read_value(walker, index, "still reads", op->operands[i]));
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (gmem_op_model_writes(op->model, op->op, i))
      pin_if_input(walker, op->operands[i]);
  return check_results(walker, index);
}

static gmem_status_t view(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  if (op->operand_count == 0 || op->results.count == 0)
    return compute(walker, index);
  uint32_t from = op->operands[0], to = op->results.first;
  const gmem_proof_value_t *result = value_at(walker, to);
  if (from == GMEM_NO_INDEX ||
      !gmem_proof_is_view(walker->program, &walker->memory, from, to)) {
    if (from == GMEM_NO_INDEX || value_at(walker, from)->is_placed ||
        result->is_placed)
      return compute(walker, index);
    return GMEM_OK;
  }
  GMEM_TRY(read_value(walker, index, "views", from));
  if (walker->is_checked && result->is_placed &&
      value_at(walker, from)->is_placed && !result->is_memref &&
      !is_at(walker, from, result->bytes.begin))
    return report_copy(walker, index, to, "a view is not where its operand is");
  if (result->is_memref && !value_at(walker, from)->is_memref)
    pin(walker, from, "returns while a handle leads to");
  return GMEM_OK;
}

static gmem_status_t step(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  switch (op->model->kind) {
  case GMEM_OP_EMPTY:
  case GMEM_OP_ALLOC:
    for (uint32_t i = 0; i < op->results.count; ++i) {
      uint32_t value = op->results.first + i;
      if (!value_at(walker, value)->is_placed)
        continue;
      set_status(walker, &(status_t){.name = value});
      GMEM_CSR_EACH (name, &walker->memory.names_of, value)
        set_status(walker, &(status_t){.name = *name});
    }
    return scratch(walker, index);
  case GMEM_OP_NONE:
  case GMEM_OP_VIEW:
  case GMEM_OP_GLOBAL:
    return scratch(walker, index);
  case GMEM_OP_INPUT:
    return check_results(walker, index);
  case GMEM_OP_DEALLOC:
    return op->results.count ? compute(walker, index) : GMEM_OK;
  case GMEM_OP_RESHAPE:
    return view(walker, index);
  default:
    return compute(walker, index);
  }
}

//===--- flat layer groups ------------------------------------------------===//

// The ops of a group may write their results from its first op on.
static gmem_status_t open_group(walker_t *walker, uint32_t first) {
  const uint32_t *next = walker->program->group_next;
  for (uint32_t i = first; i != GMEM_NO_INDEX; i = next[i]) {
    list_writes(walker, i);
    GMEM_TRY(make_writes(walker, i));
  }
  for (uint32_t i = first; i != GMEM_NO_INDEX; i = next[i])
    hold(walker, i, i);
  return GMEM_OK;
}

// They may read their operands up to its last op.
static gmem_status_t close_group(walker_t *walker, uint32_t first) {
  const uint32_t *next = walker->program->group_next;
  for (uint32_t i = first; i != GMEM_NO_INDEX; i = next[i]) {
    GMEM_TRY(read_operands(walker, i, "reads, until its group ends,"));
    GMEM_TRY(check_results(walker, i));
    release(walker, i);
  }
  return GMEM_OK;
}

//===--- walks ------------------------------------------------------------===//

static gmem_status_t walk_by_flow(walker_t *walker, uint32_t index) {
  gmem_status_t status;
  switch (op_at(walker, index)->flow) {
  case GMEM_PROOF_STEP:
    return step(walker, index);
  case GMEM_PROOF_LATER:
    return walk_any(walker, index);
  default:
    break;
  }
  hold(walker, index, index);
  switch (op_at(walker, index)->flow) {
  case GMEM_PROOF_CALL:
    status = walk_call(walker, index);
    break;
  case GMEM_PROOF_BRANCH:
    status = walk_branch(walker, index);
    break;
  case GMEM_PROOF_ANY:
    status = walk_any(walker, index);
    break;
  default:
    status = walk_loop(walker, index);
  }
  release(walker, index);
  return status;
}

static gmem_status_t walk_op(walker_t *walker, uint32_t index) {
  const gmem_proof_op_t *op = op_at(walker, index);
  uint32_t group = walker->program->group_first[index];
  if (!walker->state.is_reached)
    return GMEM_OK;
  if (is_terminator(op) && op->flow == GMEM_PROOF_STEP &&
      (op->parent != GMEM_NO_INDEX || !op->callee_count) &&
      !gmem_op_model_writes(op->model, op->op, 0) &&
      op->model->kind != GMEM_OP_DEALLOC)
    return GMEM_OK; // it is left
  if (group == index)
    GMEM_TRY(open_group(walker, group));
  GMEM_TRY(walk_by_flow(walker, index));
  for (uint32_t i = 0; i < op->results.count && op->is_held; ++i)
    pin(walker, op->results.first + i, "returns while gmem.hold keeps");
  return group != GMEM_NO_INDEX &&
                 walker->program->group_next[index] == GMEM_NO_INDEX
             ? close_group(walker, group)
             : GMEM_OK;
}

static gmem_status_t leave_function(walker_t *walker, uint32_t index) {
  const gmem_proof_program_t *program = walker->program;
  const gmem_proof_op_t *op = op_at(walker, index);
  const gmem_proof_function_t *function = &program->functions.at[op->function];
  gmem_proof_row_t arguments = gmem_proof_arguments(program, function->region);
  for (size_t i = 0; i < walker->pins.count; ++i)
    if (value_at(walker, walker->pins.at[i].value)->function == op->function)
      GMEM_TRY(read_value(walker, index, walker->pins.at[i].what,
                          walker->pins.at[i].value));
  if (program->keeps_inputs && function->mentions == 0)
    for (uint32_t i = 0; i < arguments.count; ++i)
      if (value_at(walker, arguments.first + i)->is_placed)
        GMEM_TRY(read_value(walker, index, "returns, but must keep",
                            arguments.first + i));
  GMEM_TRY(read_operands(walker, index, "returns"));
  if (walker->frame.call != GMEM_NO_INDEX) {
    gmem_proof_row_t results = op_at(walker, walker->frame.call)->results;
    for (uint32_t i = 0; i < results.count && i < op->operand_count; ++i)
      if (value_at(walker, results.first + i)->is_memref)
        list_status(walker, op->operands[i], results.first + i, false);
    set_statuses(walker);
  }
  bool to_caller = false;
  for (uint32_t i = 0; i < op->copy_count; ++i)
    to_caller |= op->copies[i].edge == GMEM_EDGE_CALLER;
  const gmem_proof_op_t *call = op_at(walker, function->caller);
  if (!to_caller || function->mentions != 1 ||
      call->results.count > op->operand_count)
    return GMEM_OK;
  move_t move = {GMEM_EDGE_CALLER, 0, op->operands, call->results, false};
  return move_values(walker, index, &move);
}

// Leaves the region that ends with op |index|.
static gmem_status_t leave(walker_t *walker, uint32_t index) {
  const gmem_proof_program_t *program = walker->program;
  const gmem_proof_op_t *op = op_at(walker, index);
  if (!walker->state.is_reached)
    return GMEM_OK;
  GMEM_TRY(scratch(walker, index));
  if (op->parent == GMEM_NO_INDEX)
    return leave_function(walker, index);
  const gmem_proof_op_t *around = op_at(walker, op->parent);
  uint32_t region = program->blocks.at[op->block].region - around->first_region;
  gmem_proof_row_t row = gmem_proof_arguments(program, around->first_region);
  move_t move = {GMEM_EDGE_NEXT, 0, op->operands, row,
                 walker->memory.is_aged[op->parent]};
  switch (around->flow) {
  case GMEM_PROOF_BRANCH:
    move = (move_t){GMEM_EDGE_PARENT, 0, op->operands, around->results, false};
    return move_values(walker, index, &move);
  case GMEM_PROOF_FOR:
    move.to.first += row.count - around->results.count;
    move.to.count = around->results.count;
    return move_values(walker, index, &move);
  case GMEM_PROOF_WHILE:
    return region ? move_values(walker, index, &move) : GMEM_OK;
  default:
    return read_operands(walker, index, "reads");
  }
}

//===--- functions --------------------------------------------------------===//

// Until more is known, functions that call themselves write all their memory.
static void take_all_bytes(walker_t *walker) {
  const gmem_proof_program_t *program = walker->program;
  gmem_proof_area_t all = NULL;
  for (uint32_t i = 0; i < program->values.count; ++i) {
    const gmem_proof_value_t *value = value_at(walker, i);
    if (program->functions.at[value->function].is_recursive &&
        value->is_placed && !value->is_constant)
      add_to_area(walker, &all, value->buffer);
  }
  for (uint32_t i = 0; i < program->ops.count; ++i)
    for (uint32_t k = 0; k < op_at(walker, i)->workbuffer_count; ++k)
      if (program->functions.at[op_at(walker, i)->function].is_recursive)
        add_to_area(walker, &all, op_at(walker, i)->workbuffers[k]);
  for (uint32_t f = 0; f < program->functions.count; ++f)
    if (program->functions.at[f].is_recursive)
      walker->footprints.of[f] = all;
}

// The footprint of a function that has been walked: what it and the functions
// that it runs write.
static void end_footprint(walker_t *walker, uint32_t function) {
  gmem_proof_area_t footprint = walker->footprints.of[function];
  if (walker->program->functions.at[function].mentions == 0)
    return; // nobody asks
  merge_extents(&walker->footprints.written);
  for (size_t i = 0; i < walker->footprints.run.count; ++i)
    gmem_proof_area_unite(&walker->store, &footprint,
                          walker->footprints.of[walker->footprints.run.at[i]]);
  gmem_proof_freeze(&walker->store);
  for (size_t i = 0; i < walker->footprints.written.count; ++i)
    add_to_area(walker, &footprint, walker->footprints.written.at[i]);
  walker->footprints.of[function] = footprint;
}

// Inputs are in memory before the function starts.
static gmem_status_t place_inputs(walker_t *walker, uint32_t function) {
  const gmem_proof_program_t *program = walker->program;
  const gmem_proof_function_t *entry = &program->functions.at[function];
  walker->writes.count = 0;
  add_row(walker, gmem_proof_arguments(program, entry->region));
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i)
    if (op_at(walker, i)->model->kind == GMEM_OP_INPUT)
      add_row(walker, op_at(walker, i)->results);
  for (size_t i = 0; i < walker->writes.count; ++i)
    overwrite(walker, GMEM_NO_INDEX, &walker->writes.at[i]);
  gmem_proof_row_t row = gmem_proof_arguments(program, entry->region);
  // A call may pass a value and a part of it: it checks what it passes.
  bool is_called = entry->mentions && !entry->has_other_calls;
  if (!is_called)
    define_row(walker, row, GMEM_NO_INDEX);
  for (uint32_t v = row.first; v < row.first + row.count && is_called; ++v)
    define_row(walker, (gmem_proof_row_t){v, 1}, GMEM_NO_INDEX);
  for (uint32_t i = entry->first_op; i < entry->end_op; ++i)
    if (op_at(walker, i)->model->kind == GMEM_OP_INPUT)
      define_row(walker, op_at(walker, i)->results, i);
  return GMEM_OK;
}

static gmem_status_t check_function(walker_t *walker, uint32_t function) {
  walker->state = (gmem_proof_state_t){.is_reached = true};
  walker->frame =
      (frame_t){NULL, function, 0, GMEM_NO_INDEX, ++walker->summaries.runs};
  walker->footprints.function = function;
  walker->pins.count = walker->hot.count = walker->footprints.run.count = 0;
  walker->is_checked = true;
  GMEM_TRY(place_inputs(walker, function));
  walker->footprints.written.count = 0; // those are its caller's
  GMEM_TRY(walk_region(walker, walker->program->functions.at[function].region));
  end_footprint(walker, function);
  return gmem_bump_status(walker->arena, walker->diag);
}

static gmem_status_t check_program(walker_t *walker) {
  const gmem_proof_program_t *program = walker->program;
  take_all_bytes(walker);
  for (size_t i = 0; i < program->functions.count; ++i)
    GMEM_TRY(check_function(walker, program->order[i]));
  return GMEM_OK;
}

gmem_status_t gmem_contents_check(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  const gmem_model_options_t *options,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_proof_program_t program;
  walker_t walker = {.program = &program, .arena = arena, .diag = diag};
  walker.store = (gmem_proof_store_t){.arena = arena};
  GMEM_TRY(gmem_proof_program_read(scope, models, arena, &program, diag));
  program.keeps_inputs = options->keep_inputs;
  GMEM_TRY(gmem_proof_places_read(&program, options, arena, diag));
  GMEM_TRY(gmem_proof_memory_find(&program, arena, &walker.memory, diag));
  GMEM_TRY(gmem_proof_rules_check(&program, &walker.memory, arena, diag));
  GMEM_TRY(gmem_proof_contents_find(&program, &walker.memory, arena,
                                    &walker.contents, diag));
  GMEM_TRY_ALLOC(walker.footprints.of, arena, program.functions.count, diag);
  GMEM_TRY_ALLOC(walker.summaries.of, arena, program.regions.count, diag);
  GMEM_TRY_ALLOC(walker.footprints.run_by, arena, program.functions.count,
                 diag);
  walker.own = (gmem_proof_accesses_t){.program = &program,
                                       .memory = &walker.memory,
                                       .contents = &walker.contents,
                                       .arena = arena};
  walker.steps_left = program.ops.count * OPS_PER_OP + OPS_ANYWAY;
  GMEM_TRY(check_program(&walker));
  return program.has_streams
             ? gmem_proof_streams_check(&program, &walker.memory,
                                        &walker.contents, arena, diag)
             : GMEM_OK;
}
