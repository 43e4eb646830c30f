// proof_copies.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include <assert.h>
#include <stdlib.h>

#include "proof_messages.h"

// A record of the edge, and the target of the row that it brings contents to.
typedef struct record_s {
  uint64_t to, from, size;
  uint32_t copy, target;
} record_t;

typedef GMEM_LIST(record_t) records_t;

gmem_status_t gmem_walk_report_copy(const gmem_walk_t *walk, uint32_t op,
                                    uint32_t value, const char *what) {
  return gmem_error_at(
      walk->diag, GMEM_ERR_CORRUPT, gmem_walk_location(walk, op),
      "%s passes contents to %s, but %s; plan again",
      gmem_proof_op_text(walk->program, op).at,
      gmem_proof_value_text(walk->program, gmem_walk_value(walk, value)).at,
      what);
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

// The targets have their contents when all copies have been made.
static gmem_status_t end_move(gmem_walk_t *walk, uint32_t index,
                              const gmem_walk_move_t *move) {
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (gmem_proof_is_copied(walk->program, move->from[i],
                             move->to.first + i) &&
        gmem_proof_is_at(walk->program, move->from[i],
                         gmem_walk_bytes(walk, move->to.first + i).begin))
      GMEM_TRY(gmem_walk_read(walk, index, "still has", move->from[i]));
  for (uint32_t v = move->to.first; v < move->to.first + move->to.count; ++v)
    if (!gmem_proof_is_copied(walk->program, move->from[v - move->to.first],
                              v) &&
        gmem_proof_is_target(walk->program, v))
      gmem_proof_forget(&walk->store, &walk->state, gmem_walk_bytes(walk, v),
                        v);
  gmem_walk_define_row(walk, move->to, move->from, index);
  for (uint32_t v = move->to.first; v < move->to.first + move->to.count; ++v) {
    if (!gmem_proof_is_target(walk->program, v))
      continue;
    if (!gmem_proof_is_undefined(walk->program, &walk->memory,
                                 move->from[v - move->to.first]))
      GMEM_TRY(gmem_walk_read(walk, index, "has copied", v));
  }
  return GMEM_OK;
}

// Of the records, sorted, those that copy the same have the same target.
static void share_targets(const records_t *records) {
  record_t *all = records->at;
  for (size_t i = 0; i < records->count;) {
    uint32_t target = GMEM_NO_INDEX;
    size_t end = i;
    for (; end < records->count && compare_records(&all[end], &all[i]) == 0;
         ++end)
      target = all[end].target == GMEM_NO_INDEX ? target : all[end].target;
    for (; i < end; ++i)
      all[i].target = target;
  }
}

// A record that brings no value of the edge its contents, as of one that a pass
// has removed, must not write over these.
static gmem_status_t check_idle(const gmem_walk_t *walk, uint32_t index,
                                const gmem_walk_move_t *move,
                                const record_t *record) {
  gmem_proof_range_t bytes = {record->to, record->to + record->size};
  for (uint32_t v = move->to.first; v < move->to.first + move->to.count; ++v)
    if (gmem_proof_is_target(walk->program, v) && walk->is_checked &&
        gmem_proof_do_meet(gmem_walk_value(walk, v)->bytes, bytes))
      return gmem_walk_report_copy(walk, index, v,
                                   "gmem.copies writes others there, too");
  return GMEM_OK;
}

// Of two values of one dynamic shape, each of its upper bound, the contents
// have the lower one.
static uint64_t least_size(gmem_proof_range_t left, gmem_proof_range_t right) {
  uint64_t one = left.end - left.begin, other = right.end - right.begin;
  return one < other ? one : other;
}

// Reports that no record of op |index| makes |copy|, which brings the contents
// of the first of |values| to the second.
static gmem_status_t report_missing(const gmem_walk_t *walk, uint32_t index,
                                    const uint32_t *values,
                                    const record_t *copy) {
  const gmem_proof_program_t *program = walk->program;
  gmem_proof_range_t from = {copy->from, copy->from + copy->size};
  gmem_proof_range_t to = {copy->to, copy->to + copy->size};
  return gmem_error_at(
      walk->diag, GMEM_ERR_CORRUPT, gmem_walk_location(walk, index),
      "%s passes %s to %s, but no gmem.copies brings %s to %s; plan again",
      gmem_proof_op_text(program, index).at,
      gmem_proof_value_text(program, gmem_walk_value(walk, values[0])).at,
      gmem_proof_value_text(program, gmem_walk_value(walk, values[1])).at,
      gmem_proof_bytes_text(program, from).at,
      gmem_proof_bytes_text(program, to).at);
}

// Sets |*records|, empty, to those of the edge, each with its target, in order.
static gmem_status_t match_records(gmem_walk_t *walk, uint32_t index,
                                   const gmem_walk_move_t *move,
                                   records_t *records) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  record_t *found;
  for (uint32_t k = 0; k < op->planned->copy_count; ++k) {
    const gmem_proof_copy_t *copy = &op->planned->copies[k];
    if (copy->edge == move->edge && copy->number == move->number)
      GMEM_APPEND(
          walk->arena, records,
          (record_t){copy->to, copy->from, copy->size, k, GMEM_NO_INDEX});
  }
  record_t *all = records->at;
  size_t count = records->count;
  if (count > 1)
    qsort(all, count, sizeof *all, compare_records);
  for (uint32_t i = 0; i < move->to.count; ++i) {
    uint32_t from = move->from[i], to = move->to.first + i;
    if (!gmem_proof_is_copied(walk->program, from, to) ||
        gmem_proof_is_at(walk->program, from,
                         gmem_walk_value(walk, to)->bytes.begin))
      continue;
    gmem_proof_range_t target = gmem_walk_value(walk, to)->bytes;
    gmem_proof_range_t source = gmem_walk_value(walk, from)->bytes;
    record_t key = {target.begin, source.begin, least_size(source, target), 0,
                    0};
    found =
        count ? bsearch(&key, all, count, sizeof key, compare_records) : NULL;
    if (!found && walk->is_checked)
      return report_missing(walk, index, (uint32_t[]){from, to}, &key);
    if (found)
      found->target = i;
  }
  share_targets(records);
  for (size_t i = 0; i < count; ++i)
    if (all[i].target == GMEM_NO_INDEX)
      GMEM_TRY(check_idle(walk, index, move, &all[i]));
  if (count > 1)
    qsort(all, count, sizeof *all, in_order);
  return GMEM_OK;
}

static uint32_t source_of(const gmem_walk_move_t *move,
                          const record_t *record) {
  return record->target == GMEM_NO_INDEX ? GMEM_NO_INDEX
                                         : move->from[record->target];
}

// Whether |record| and the next one of the edge are of one cycle.
static bool are_in_cycle(const gmem_proof_op_t *op, const record_t *record) {
  return record[1].copy == record->copy + 1 &&
         op->planned->copies[record->copy].is_cycle &&
         op->planned->copies[record[1].copy].is_cycle;
}

// Whether the contents of |from| must be there for those of |to|. Where |to|
// has no place, as a stream or a list may still need it, none of its readers
// looks for them.
static bool is_needed(const gmem_walk_t *walk, uint32_t from, uint32_t to) {
  const gmem_proof_value_t *target = gmem_walk_value(walk, to);
  if (target->is_memref || target->is_placed)
    return !target->is_memref;
  return walk->is_read[to] && from != GMEM_NO_INDEX &&
         gmem_walk_value(walk, from)->is_placed;
}

gmem_status_t gmem_walk_move(gmem_walk_t *walk, uint32_t index,
                             const gmem_walk_move_t *move) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  records_t records = {0};
  assert(move->to.count == 0 || move->from);
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (gmem_walk_value(walk, move->to.first + i)->is_memref && !op->is_direct)
      gmem_walk_list_status(walk, move->from[i], move->to.first + i);
  gmem_walk_set_statuses(walk);
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (is_needed(walk, move->from[i], move->to.first + i))
      GMEM_TRY(gmem_walk_read(walk, index, "copies", move->from[i]));
  GMEM_TRY(match_records(walk, index, move, &records));
  for (size_t k = 0, read = 0; k < records.count; ++k) {
    const record_t *record = &records.at[k];
    uint32_t from = source_of(move, record);
    // Copies are made one after the other, except those in a cycle, which all
    // read before any of them writes.
    for (; read == k ||
           (read < records.count && are_in_cycle(op, &records.at[read - 1]));
         ++read)
      GMEM_TRY(gmem_walk_read(walk, index, "copies",
                              source_of(move, &records.at[read])));
    GMEM_TRY(gmem_walk_write(
        walk, index,
        &(gmem_walk_write_t){.bytes = {record->to, record->to + record->size},
                             .id = GMEM_NO_INDEX,
                             .from = from}));
  }
  for (uint32_t i = 0; i < move->to.count; ++i)
    if (gmem_proof_is_passed(walk->program, &walk->memory, move->from[i],
                             move->to.first + i))
      GMEM_TRY(gmem_walk_write(
          walk, index,
          &(gmem_walk_write_t){.bytes =
                                   gmem_walk_bytes(walk, move->to.first + i),
                               .id = GMEM_NO_INDEX,
                               .from = GMEM_NO_INDEX}));
  return end_move(walk, index, move);
}
