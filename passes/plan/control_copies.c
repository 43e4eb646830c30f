// control_copies.c - see control_copies.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_copies.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "copy_check.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "partition_point.h"
#include "value_rows.h"
#include "vocabulary.h"

typedef struct finder_s {
  const gmem_analysis_t *analysis;
  const gmem_program_t *program;
  const gmem_pool_table_t *table;
  const gmem_value_place_t *places;
  gmem_control_copies_t *copies;
  gmem_control_copies_t *stated; // when they are read
  gmem_scope_plan_t *plan;       // when it is verified
  gmem_diag_t *diag;
} finder_t;

//===--- one transfer -----------------------------------------------------===//

// Whether a call makes the transfer.
static bool is_between_functions(const gmem_program_t *program,
                                 const gmem_transfer_t *transfer) {
  return gmem_value_function(program, transfer->from) !=
         gmem_value_function(program, transfer->to);
}

static gmem_copy_edge_t edge_of(const finder_t *finder,
                                const gmem_transfer_t *transfer) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *to = &program->values[transfer->to];
  const gmem_program_op_t *op = &program->ops[transfer->op];
  if (to->op == transfer->op)
    return GMEM_COPY_RESULTS;
  if (to->op != GMEM_NO_INDEX)
    return op->parent == to->op ? GMEM_COPY_PARENT : GMEM_COPY_CALLER;
  uint32_t owner = gmem_region_of(program, to->block)->owner;
  if (owner == transfer->op)
    return GMEM_COPY_REGION;
  if (is_between_functions(program, transfer))
    return GMEM_COPY_CALLEE;
  if (mlirOperationGetNumSuccessors(op->op))
    return GMEM_COPY_SUCCESSOR;
  assert(owner != GMEM_NO_INDEX && owner == op->parent);
  return GMEM_COPY_NEXT;
}

// Adds the copy unless both are at the same place.
static void add_copy(finder_t *finder, const gmem_transfer_t *transfer,
                     gmem_copy_edge_t edge, uint64_t number) {
  const gmem_value_place_t *from = &finder->places[transfer->from];
  const gmem_value_place_t *to = &finder->places[transfer->to];
  uint64_t size = finder->program->values[transfer->to].size;
  uint64_t source_size = finder->program->values[transfer->from].size;
  if (source_size < size) // of another upper bound
    size = source_size;
  assert(gmem_has_place(from) && gmem_has_place(to));
  if (size == 0 || (from->pool == to->pool && from->payload == to->payload))
    return;
  GMEM_APPEND(
      finder->analysis->arena, finder->copies,
      (gmem_control_copy_t){
          .record = {.edge = edge,
                     .number = number,
                     .from_pool =
                         gmem_place_pool_name(finder->table, from->pool),
                     .to_pool = gmem_place_pool_name(finder->table, to->pool),
                     .from = (uint64_t)from->payload,
                     .to = (uint64_t)to->payload,
                     .size = size},
          .op = transfer->op,
          .from = transfer->from,
          .to = transfer->to,
          .from_pool = from->pool,
          .to_pool = to->pool});
}

// Adds the copies to a block that may be several successors of the op, which
// may pass the same value to each.
static void add_successors(finder_t *finder, const gmem_transfer_t *transfer) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *to = &program->values[transfer->to];
  MlirOperation op = program->ops[transfer->op].op;
  intptr_t count = mlirOperationGetNumSuccessors(op), total = 0;
  for (intptr_t i = 0; i < count; ++i)
    total += mlirBlockGetNumArguments(mlirOperationGetSuccessor(op, i));
  intptr_t first = mlirOperationGetNumOperands(op) - total;
  assert(first >= 0);
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock block = mlirOperationGetSuccessor(op, i);
    if (mlirBlockEqual(block, program->blocks[to->block].block) &&
        gmem_operand_value(program, op, first + to->number) == transfer->from)
      add_copy(finder, transfer, GMEM_COPY_SUCCESSOR, (uint64_t)i);
    first += mlirBlockGetNumArguments(block);
  }
}

// Adds the copies to a result of a call, one for each return that returns the
// value.
static void add_returned(finder_t *finder, const gmem_transfer_t *transfer) {
  const gmem_program_t *program = finder->program;
  const gmem_calls_t *calls = &finder->analysis->facts.calls;
  const gmem_callee_t *callee =
      &calls->callees[gmem_value_function(program, transfer->from)];
  for (uint32_t i = callee->first_return; i < callee->end_return; ++i)
    if (gmem_operand_value(program, program->ops[calls->returns[i]].op,
                           program->values[transfer->to].number) ==
        transfer->from)
      add_copy(finder, transfer, GMEM_COPY_RESULTS, i - callee->first_return);
}

static void add_transfer(finder_t *finder, const gmem_transfer_t *transfer) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *to = &program->values[transfer->to];
  gmem_copy_edge_t edge = edge_of(finder, transfer);
  if (edge == GMEM_COPY_SUCCESSOR)
    add_successors(finder, transfer);
  else if (edge == GMEM_COPY_RESULTS && is_between_functions(program, transfer))
    add_returned(finder, transfer);
  else if (edge == GMEM_COPY_REGION || edge == GMEM_COPY_NEXT)
    add_copy(finder, transfer, edge,
             gmem_region_of(program, to->block)->number);
  else
    add_copy(finder, transfer, edge, 0);
}

//===--- all copies -------------------------------------------------------===//

static int by_edge(const void *a, const void *b) {
  const gmem_control_copy_t *left = a, *right = b;
  const gmem_copy_record_t *one = &left->record, *other = &right->record;
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  if (one->edge != other->edge)
    return one->edge < other->edge ? -1 : 1;
  if (one->number != other->number)
    return one->number < other->number ? -1 : 1;
  return (left->to > right->to) - (left->to < right->to);
}

// Whether both are copies of one edge of one op.
static bool are_together(const gmem_control_copy_t *left,
                         const gmem_control_copy_t *right) {
  return left->op == right->op && left->record.edge == right->record.edge &&
         left->record.number == right->record.number;
}

static gmem_status_t order_all(const finder_t *finder) {
  gmem_control_copies_t *copies = finder->copies;
  if (copies->count > 1)
    qsort(copies->at, copies->count, sizeof *copies->at, by_edge);
  for (size_t begin = 0, end; begin < copies->count; begin = end) {
    for (end = begin + 1; end < copies->count &&
                          are_together(&copies->at[begin], &copies->at[end]);)
      ++end;
    GMEM_TRY(gmem_copies_order(&copies->at[begin], end - begin,
                               finder->analysis->arena, finder->diag));
  }
  return GMEM_OK;
}

gmem_status_t gmem_control_copies_find(const gmem_analysis_t *analysis,
                                       const gmem_pool_table_t *table,
                                       const gmem_value_place_t *places,
                                       gmem_control_copies_t *out_copies,
                                       gmem_diag_t *diag) {
  finder_t finder = {.analysis = analysis,
                     .program = &analysis->program,
                     .table = table,
                     .places = places,
                     .copies = out_copies,
                     .diag = diag};
  *out_copies = (gmem_control_copies_t){NULL, 0, 0};
  for (size_t i = 0; i < analysis->liveness.transfer_count; ++i)
    add_transfer(&finder, &analysis->liveness.transfers[i]);
  GMEM_TRY(gmem_bump_status(analysis->arena, diag));
  return order_all(&finder);
}

//===--- the ops ----------------------------------------------------------===//

// An op and the copies that it makes. |index| is GMEM_NO_INDEX for a function
// and in an opaque body.
typedef struct copying_op_s {
  MlirOperation op;
  uint32_t index;
  const gmem_control_copy_t *copies;
  size_t count;
} copying_op_t;

typedef gmem_status_t (*copies_fn)(const finder_t *finder,
                                   const copying_op_t *op);

static bool may_state_copies(const finder_t *finder, const copying_op_t *op) {
  return op->index == GMEM_NO_INDEX ||
         finder->program->ops[op->index].own >> GMEM_ATTR_COPIES & 1;
}

typedef struct inside_s {
  const finder_t *finder;
  copies_fn use;
  MlirOperation around;
  gmem_status_t status;
} inside_t;

static MlirWalkResult visit_inside(MlirOperation op, void *user) {
  inside_t *inside = user;
  if (!mlirOperationEqual(op, inside->around))
    inside->status = inside->use(inside->finder,
                                 &(copying_op_t){op, GMEM_NO_INDEX, NULL, 0});
  return inside->status == GMEM_OK ? MlirWalkResultAdvance
                                   : MlirWalkResultInterrupt;
}

// Calls |use| for every op of the scope, also those in opaque bodies, which
// make no copies.
static gmem_status_t for_each_op(const finder_t *finder, copies_fn use) {
  const gmem_program_t *program = finder->program;
  const gmem_control_copies_t *copies = finder->copies;
  size_t next = 0;
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(use(finder, &(copying_op_t){program->functions[i].op,
                                         GMEM_NO_INDEX, NULL, 0}));
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    size_t begin = next;
    while (next < copies->count && copies->at[next].op == i)
      ++next;
    const copying_op_t made = {op->op, i, copies->at + begin, next - begin};
    GMEM_TRY(use(finder, &made));
    inside_t inside = {finder, use, op->op, GMEM_OK};
    if (op->opaque)
      mlirOperationWalk(op->op, visit_inside, &inside, MlirWalkPreOrder);
    GMEM_TRY(inside.status);
  }
  assert(next == copies->count);
  return GMEM_OK;
}

// Finds the copies and calls |use| for every op.
static gmem_status_t find_for_each(finder_t *finder, copies_fn use) {
  gmem_control_copies_t copies;
  GMEM_TRY(gmem_control_copies_find(finder->analysis, finder->table,
                                    finder->places, &copies, finder->diag));
  finder->copies = &copies;
  return for_each_op(finder, use);
}

static gmem_status_t write_op(const finder_t *finder, const copying_op_t *op) {
  gmem_bump_t *arena = finder->analysis->arena;
  gmem_copy_record_t *records;
  if (!op->count) {
    if (may_state_copies(finder, op))
      gmem_op_annotate(op->op, GMEM_ATTR_COPIES, mlirAttributeGetNull());
    return GMEM_OK;
  }
  GMEM_TRY_ALLOC(records, arena, op->count, finder->diag);
  for (size_t i = 0; i < op->count; ++i)
    records[i] = op->copies[i].record;
  MlirAttribute made = gmem_copy_records_write(mlirOperationGetContext(op->op),
                                               records, op->count, arena);
  GMEM_TRY(gmem_bump_status(arena, finder->diag));
  gmem_op_annotate(op->op, GMEM_ATTR_COPIES, made);
  return GMEM_OK;
}

gmem_status_t gmem_control_copies_write(const gmem_analysis_t *analysis,
                                        const gmem_pool_table_t *table,
                                        const gmem_value_place_t *places,
                                        gmem_diag_t *diag) {
  finder_t finder = {.analysis = analysis,
                     .program = &analysis->program,
                     .table = table,
                     .places = places,
                     .diag = diag};
  return find_for_each(&finder, write_op);
}

//===--- stated copies ----------------------------------------------------===//

// The records of an op beside the copies that it makes.
typedef struct stated_s {
  gmem_copy_record_t *at;
  size_t count;
  uint32_t *made; // by record: index of the copy, or GMEM_NO_INDEX
  size_t missing; // index of the first copy that no record states, or their
                  //   number
} stated_t;

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

// Orders records by what they copy on which edge, but for the pools.
static int compare_copies(const gmem_copy_record_t *left,
                          const gmem_copy_record_t *right) {
  int order = compare_numbers(left->to, right->to);
  order = order ? order : compare_numbers(left->from, right->from);
  order = order ? order : compare_numbers(left->size, right->size);
  order = order ? order : compare_numbers(left->edge, right->edge);
  return order ? order : compare_numbers(left->number, right->number);
}

// A copy that an op makes, and whether a record states it.
typedef struct made_s {
  const gmem_copy_record_t *record;
  uint32_t index;
  bool is_stated;
} made_t;

static int compare_made(const void *a, const void *b) {
  const made_t *left = a, *right = b;
  int order = compare_copies(left->record, right->record);
  return order ? order : compare_numbers(left->index, right->index);
}

static bool is_below(const void *element, const void *record) {
  return compare_copies(((const made_t *)element)->record, record) < 0;
}

// The copy of |made|, sorted, that |record| states and no other one; NULL if
// there is none.
static made_t *find_made(made_t *made, size_t count,
                         const gmem_copy_record_t *record) {
  for (size_t i =
           gmem_partition_point(record, made, count, sizeof *made, is_below);
       i < count && compare_copies(made[i].record, record) == 0; ++i)
    if (!made[i].is_stated &&
        mlirStringRefEqual(made[i].record->from_pool, record->from_pool) &&
        mlirStringRefEqual(made[i].record->to_pool, record->to_pool))
      return &made[i];
  return NULL;
}

// Reads the records of |op| and finds the copy that each of them states.
static gmem_status_t read_stated(const finder_t *finder, const copying_op_t *op,
                                 stated_t *out) {
  gmem_bump_t *arena = finder->analysis->arena;
  made_t *made;
  GMEM_TRY(gmem_copy_records_read(op->op, arena, &out->at, &out->count,
                                  finder->diag));
  GMEM_TRY_ALLOC(out->made, arena, out->count, finder->diag);
  GMEM_TRY_ALLOC(made, arena, op->count, finder->diag);
  for (uint32_t i = 0; i < op->count; ++i)
    made[i] = (made_t){&op->copies[i].record, i, false};
  if (op->count > 1)
    qsort(made, op->count, sizeof *made, compare_made);
  for (size_t i = 0; i < out->count; ++i) {
    made_t *one = find_made(made, op->count, &out->at[i]);
    out->made[i] = one ? one->index : GMEM_NO_INDEX;
    if (one)
      one->is_stated = true;
  }
  out->missing = op->count;
  for (size_t i = 0; i < op->count; ++i)
    if (!made[i].is_stated && made[i].index < out->missing)
      out->missing = made[i].index;
  return GMEM_OK;
}

// "bytes [0, 64) of pool 'tensors' to bytes [64, 128) of pool 'tensors' (edge
// 'next' 0)".
static void describe(const gmem_copy_record_t *record, char *out, size_t room) {
  snprintf(out, room,
           "bytes [%" PRIu64 ", %" PRIu64 ") of pool '%.*s' to bytes [%" PRIu64
           ", %" PRIu64 ") of pool '%.*s' (edge '%s' %" PRIu64 "%s)",
           record->from, record->from + record->size,
           (int)record->from_pool.length, record->from_pool.data, record->to,
           record->to + record->size, (int)record->to_pool.length,
           record->to_pool.data, gmem_copy_edge_name(record->edge),
           record->number, record->cycle ? ", in a cycle" : "");
}

// Reports "gmem.copies VERB the copy of ... TAIL".
static gmem_status_t report(const finder_t *finder, MlirOperation op,
                            const char *verb, const gmem_copy_record_t *record,
                            const char *tail) {
  char text[512];
  describe(record, text, sizeof text);
  return gmem_op_error(finder->diag, GMEM_ERR_CORRUPT, op,
                       "gmem.copies %s the copy of %s%s: run gmem-plan again",
                       verb, text, tail);
}

//===--- verification -----------------------------------------------------===//

// Checks that the copies of |op| can be made in the order of its records.
static gmem_status_t check_order(const finder_t *finder, const copying_op_t *op,
                                 const stated_t *stated) {
  gmem_bump_t *arena = finder->analysis->arena;
  gmem_control_copy_t *ordered;
  size_t *first_of, *filled; // by copy: the first one of its edge; by that
  GMEM_TRY_ALLOC(ordered, arena, op->count, finder->diag);
  GMEM_TRY_ALLOC(first_of, arena, op->count, finder->diag);
  GMEM_TRY_ALLOC(filled, arena, op->count, finder->diag);
  for (size_t i = 0; i < op->count; ++i)
    first_of[i] = i && are_together(&op->copies[i - 1], &op->copies[i])
                      ? first_of[i - 1]
                      : i;
  for (size_t i = 0; i < stated->count; ++i) {
    if (stated->made[i] == GMEM_NO_INDEX)
      continue;
    size_t first = first_of[stated->made[i]], at = first + filled[first]++;
    ordered[at] = op->copies[stated->made[i]];
    ordered[at].record.cycle = stated->at[i].cycle;
  }
  for (size_t begin = 0, end, bad; begin < op->count; begin = end) {
    for (end = begin + 1;
         end < op->count && are_together(&ordered[begin], &ordered[end]);)
      ++end;
    GMEM_TRY(gmem_copies_check(&ordered[begin], end - begin, arena, &bad,
                               finder->diag));
    if (bad < end - begin)
      return report(finder, op->op, "has", &ordered[begin + bad].record,
                    " after one that overwrites what it reads");
  }
  return GMEM_OK;
}

static bool is_overlapping(const gmem_value_place_t *place, uint32_t pool,
                           const gmem_copy_record_t *record) {
  return gmem_has_place(place) && place->pool == pool && place->offset >= 0 &&
         (uint64_t)place->offset < record->to + record->size &&
         record->to < (uint64_t)place->offset + (uint64_t)place->size;
}

// Whether a superfluous copy of op |index| would overwrite what is in use.
// On an edge that does not exist, it is never made.
static bool is_harmful(const finder_t *finder, uint32_t index,
                       const gmem_copy_record_t *record) {
  const gmem_liveness_t *liveness = &finder->analysis->liveness;
  const gmem_workbuffers_t *workbuffers = &finder->analysis->workbuffers;
  const gmem_value_place_t *work_places = finder->plan->work_places;
  uint32_t to = gmem_pool_table_find(finder->table, record->to_pool);
  if (to == GMEM_NO_INDEX || finder->table->entries[to].constant ||
      gmem_pool_table_find(finder->table, record->from_pool) == GMEM_NO_INDEX)
    return true;
  if (index == GMEM_NO_INDEX)
    return false;
  const gmem_program_op_t *op = &finder->program->ops[index];
  int64_t step = record->edge == GMEM_COPY_RESULTS ? op->end - 1 : op->begin;
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    if (is_overlapping(&finder->places[liveness->sets[i].root], to, record) &&
        gmem_alias_set_is_live_at(liveness, i, step))
      return true;
  for (uint32_t i = 0; i < workbuffers->count; ++i)
    if (is_overlapping(&work_places[i], to, record))
      return true;
  return false;
}

// Checks that the records of |op| state all copies that it makes, in an order
// that works. What they state besides may remain of what other passes have
// removed; it must not do harm.
static gmem_status_t verify_op(const finder_t *finder, const copying_op_t *op) {
  stated_t stated;
  if (!op->count && !may_state_copies(finder, op))
    return GMEM_OK;
  GMEM_TRY(read_stated(finder, op, &stated));
  for (size_t i = 0; i < stated.count; ++i)
    if (stated.made[i] == GMEM_NO_INDEX &&
        is_harmful(finder, op->index, &stated.at[i]))
      return report(finder, op->op, "has", &stated.at[i],
                    ", which this plan does not make here");
  if (stated.missing < op->count)
    return report(finder, op->op, "lacks", &op->copies[stated.missing].record,
                  ", which this plan makes here");
  for (size_t i = 0; i < stated.count; ++i) {
    char text[512];
    if (stated.made[i] != GMEM_NO_INDEX)
      continue;
    describe(&stated.at[i], text, sizeof text);
    gmem_stale_figures_add(&finder->plan->stale,
                           mlirOperationGetLocation(op->op),
                           "gmem.copies has the copy of %s, which is not "
                           "needed any more",
                           text);
  }
  return check_order(finder, op, &stated);
}

gmem_status_t gmem_control_copies_verify(gmem_scope_plan_t *plan,
                                         gmem_diag_t *diag) {
  finder_t finder = {.analysis = &plan->analysis,
                     .program = &plan->analysis.program,
                     .table = &plan->pools,
                     .places = plan->places,
                     .plan = plan,
                     .diag = diag};
  return find_for_each(&finder, verify_op);
}

//===--- reading ----------------------------------------------------------===//

// Adds the copies of |op| that its records state. A superfluous record does no
// harm, and its target is not read.
static gmem_status_t read_op(const finder_t *finder, const copying_op_t *op) {
  stated_t stated;
  GMEM_TRY(read_stated(finder, op, &stated));
  if (stated.missing < op->count)
    return report(finder, op->op, "lacks", &op->copies[stated.missing].record,
                  ", which this plan makes here");
  for (size_t i = 0; i < stated.count; ++i) {
    if (stated.made[i] == GMEM_NO_INDEX)
      continue;
    gmem_control_copy_t copy = op->copies[stated.made[i]];
    copy.record = stated.at[i];
    GMEM_APPEND(finder->analysis->arena, finder->stated, copy);
  }
  return GMEM_OK;
}

gmem_status_t gmem_control_copies_read(const gmem_analysis_t *analysis,
                                       const gmem_pool_table_t *table,
                                       const gmem_value_place_t *places,
                                       gmem_control_copies_t *out_copies,
                                       gmem_diag_t *diag) {
  finder_t finder = {.analysis = analysis,
                     .program = &analysis->program,
                     .table = table,
                     .places = places,
                     .stated = out_copies,
                     .diag = diag};
  *out_copies = (gmem_control_copies_t){NULL, 0, 0};
  GMEM_TRY(find_for_each(&finder, read_op));
  return gmem_bump_status(analysis->arena, diag);
}
