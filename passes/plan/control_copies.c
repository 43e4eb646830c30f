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
#include "value_rows.h"
#include "vocabulary.h"

typedef struct finder_s {
  const gmem_analysis_t *analysis;
  const gmem_program_t *program;
  const gmem_pool_table_t *table;
  const gmem_value_place_t *places;
  gmem_control_copies_t *copies;
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

// What |visit_op| does with |op|, which makes |count| copies.
typedef gmem_status_t (*copies_fn)(const finder_t *finder, MlirOperation op,
                                   const gmem_control_copy_t *copies,
                                   size_t count);

typedef struct inside_s {
  const finder_t *finder;
  copies_fn use;
  MlirOperation around;
  gmem_status_t status;
} inside_t;

static MlirWalkResult visit_inside(MlirOperation op, void *user) {
  inside_t *inside = user;
  if (!mlirOperationEqual(op, inside->around))
    inside->status = inside->use(inside->finder, op, NULL, 0);
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
    GMEM_TRY(use(finder, program->functions[i].op, NULL, 0));
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    size_t begin = next;
    while (next < copies->count && copies->at[next].op == i)
      ++next;
    GMEM_TRY(use(finder, op->op, copies->at + begin, next - begin));
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

static gmem_status_t write_op(const finder_t *finder, MlirOperation op,
                              const gmem_control_copy_t *copies, size_t count) {
  gmem_bump_t *arena = finder->analysis->arena;
  gmem_copy_record_t *records;
  if (!count) {
    gmem_op_annotate(op, GMEM_ATTR_COPIES, mlirAttributeGetNull());
    return GMEM_OK;
  }
  GMEM_TRY_ALLOC(records, arena, count, finder->diag);
  for (size_t i = 0; i < count; ++i)
    records[i] = copies[i].record;
  MlirAttribute made = gmem_copy_records_write(mlirOperationGetContext(op),
                                               records, count, arena);
  GMEM_TRY(gmem_bump_status(arena, finder->diag));
  gmem_op_annotate(op, GMEM_ATTR_COPIES, made);
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

//===--- verification -----------------------------------------------------===//

static bool is_same(const gmem_copy_record_t *left,
                    const gmem_copy_record_t *right) {
  return left->edge == right->edge && left->number == right->number &&
         mlirStringRefEqual(left->from_pool, right->from_pool) &&
         mlirStringRefEqual(left->to_pool, right->to_pool) &&
         left->from == right->from && left->to == right->to &&
         left->size == right->size && left->cycle == right->cycle;
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

// Reports the first difference: a copy that is superfluous, missing, or not in
// its turn.
static gmem_status_t report_difference(const finder_t *finder, MlirOperation op,
                                       const gmem_control_copy_t *copies,
                                       size_t count,
                                       const gmem_copy_record_t *stated,
                                       size_t stated_count) {
  for (size_t i = 0; i < stated_count; ++i) {
    size_t k = 0;
    while (k < count && !is_same(&stated[i], &copies[k].record))
      ++k;
    if (k == count || i == count) // a duplicate
      return report(finder, op, "has", &stated[i],
                    ", which this plan does not make here");
  }
  for (size_t i = 0; i < count; ++i) {
    size_t k = 0;
    while (k < stated_count && !is_same(&stated[k], &copies[i].record))
      ++k;
    if (k == stated_count)
      return report(finder, op, "lacks", &copies[i].record,
                    ", which this plan makes here");
  }
  size_t turn = 0;
  while (turn + 1 < count && is_same(&stated[turn], &copies[turn].record))
    ++turn;
  return report(finder, op, "has", &stated[turn], " too early");
}

// Checks that the copies of |op| can be made in their order.
static gmem_status_t check_order(const finder_t *finder, MlirOperation op,
                                 const gmem_control_copy_t *copies,
                                 size_t count) {
  for (size_t begin = 0, end, bad; begin < count; begin = end) {
    for (end = begin + 1;
         end < count && are_together(&copies[begin], &copies[end]);)
      ++end;
    GMEM_TRY(gmem_copies_check(&copies[begin], end - begin,
                               finder->analysis->arena, &bad, finder->diag));
    if (bad < end - begin)
      return report(finder, op, "has", &copies[begin + bad].record,
                    " after one that overwrites what it reads");
  }
  return GMEM_OK;
}

static gmem_status_t verify_op(const finder_t *finder, MlirOperation op,
                               const gmem_control_copy_t *copies,
                               size_t count) {
  gmem_copy_record_t *stated;
  size_t stated_count;
  GMEM_TRY(gmem_copy_records_read(op, finder->analysis->arena, &stated,
                                  &stated_count, finder->diag));
  bool is_right = stated_count == count;
  for (size_t i = 0; is_right && i < count; ++i)
    is_right = is_same(&stated[i], &copies[i].record);
  return is_right ? check_order(finder, op, copies, count)
                  : report_difference(finder, op, copies, count, stated,
                                      stated_count);
}

gmem_status_t gmem_control_copies_verify(const gmem_analysis_t *analysis,
                                         const gmem_pool_table_t *table,
                                         const gmem_value_place_t *places,
                                         gmem_diag_t *diag) {
  finder_t finder = {.analysis = analysis,
                     .program = &analysis->program,
                     .table = table,
                     .places = places,
                     .diag = diag};
  return find_for_each(&finder, verify_op);
}

//===--- reading ----------------------------------------------------------===//

// The transfers of one op.
typedef struct transfers_of_s {
  const gmem_transfer_t *at;
  size_t count;
  size_t next; // where to look first
} transfers_of_t;

// Whether the record may be one of the transfer.
static bool is_of(const finder_t *finder, const gmem_copy_record_t *record,
                  const gmem_transfer_t *transfer) {
  const gmem_value_place_t *from = &finder->places[transfer->from];
  const gmem_value_place_t *to = &finder->places[transfer->to];
  return edge_of(finder, transfer) == record->edge &&
         (uint64_t)from->payload == record->from &&
         (uint64_t)to->payload == record->to &&
         mlirStringRefEqual(gmem_place_pool_name(finder->table, from->pool),
                            record->from_pool) &&
         mlirStringRefEqual(gmem_place_pool_name(finder->table, to->pool),
                            record->to_pool);
}

// Adds a record of op |index| with its values; false if there are none.
static bool add_record(finder_t *finder, uint32_t index,
                       const gmem_copy_record_t *record,
                       transfers_of_t *transfers) {
  for (size_t i = 0; i < transfers->count; ++i) {
    size_t at = (transfers->next + i) % transfers->count;
    const gmem_transfer_t *transfer = &transfers->at[at];
    if (!is_of(finder, record, transfer))
      continue;
    GMEM_APPEND(
        finder->analysis->arena, finder->copies,
        (gmem_control_copy_t){.record = *record,
                              .op = index,
                              .from = transfer->from,
                              .to = transfer->to,
                              .from_pool = finder->places[transfer->from].pool,
                              .to_pool = finder->places[transfer->to].pool});
    transfers->next = at + 1;
    return true;
  }
  return false;
}

gmem_status_t gmem_control_copies_read(const gmem_analysis_t *analysis,
                                       const gmem_pool_table_t *table,
                                       const gmem_value_place_t *places,
                                       gmem_control_copies_t *out_copies,
                                       gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = &analysis->liveness;
  finder_t finder = {.analysis = analysis,
                     .program = &analysis->program,
                     .table = table,
                     .places = places,
                     .copies = out_copies,
                     .diag = diag};
  transfers_of_t transfers = {liveness->transfers, 0, 0};
  *out_copies = (gmem_control_copies_t){NULL, 0, 0};
  for (uint32_t i = 0; i < finder.program->op_count; ++i) {
    const gmem_transfer_t *end = liveness->transfers + liveness->transfer_count;
    transfers.at += transfers.count;
    transfers.count = transfers.next = 0;
    while (transfers.at + transfers.count < end &&
           transfers.at[transfers.count].op == i)
      ++transfers.count;
    MlirOperation op = finder.program->ops[i].op;
    gmem_copy_record_t *records;
    size_t count;
    GMEM_TRY(
        gmem_copy_records_read(op, analysis->arena, &records, &count, diag));
    for (size_t k = 0; k < count; ++k)
      if (!add_record(&finder, i, &records[k], &transfers))
        return report(&finder, op, "has", &records[k],
                      ", which this plan does not make here");
  }
  return gmem_bump_status(analysis->arena, diag);
}
