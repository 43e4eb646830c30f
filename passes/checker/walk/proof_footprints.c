// proof_footprints.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include <assert.h>
#include <stdlib.h>

#include "partition_point.h"

//===--- sets of bytes ----------------------------------------------------===//

// Whether the extents are ascending and do not touch.
static bool are_apart(const gmem_proof_ranges_t *extents) {
  bool are = true;
  for (size_t i = 0; i < extents->count; ++i)
    are &= extents->at[i].begin < extents->at[i].end &&
           (i == 0 || extents->at[i - 1].end < extents->at[i].begin);
  return are;
}

// Sorts and merges the extents.
static void merge_extents(gmem_proof_ranges_t *extents) {
  size_t merged = 0;
  if (extents->count)
    qsort(extents->at, extents->count, sizeof *extents->at,
          gmem_walk_compare_ranges);
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
  assert(are_apart(extents));
}

// Sets of bytes are made of fewer ranges if they have those between, too, which
// nothing has: a write to them changes nothing.
static void use(gmem_walk_t *walk, gmem_proof_range_t bytes) {
  GMEM_APPEND(walk->arena, &walk->footprints.used, bytes);
}

static void list_used(gmem_walk_t *walk) {
  const gmem_proof_program_t *program = walk->program;
  for (uint32_t i = 0; i < program->values.count; ++i) {
    gmem_proof_range_t bytes = gmem_walk_value(walk, i)->bytes;
    gmem_proof_range_t buffer = gmem_walk_value(walk, i)->buffer;
    if (!gmem_walk_value(walk, i)->is_placed)
      continue;
    use(walk, buffer);
    if (bytes.begin < buffer.begin || bytes.end > buffer.end)
      use(walk, bytes);
  }
  for (uint32_t i = 0; i < program->ops.count; ++i)
    for (uint32_t k = 0; k < gmem_walk_op(walk, i)->planned->workbuffer_count;
         ++k)
      use(walk, gmem_walk_op(walk, i)->planned->workbuffers[k]);
  for (size_t i = 0; i < program->pools.count; ++i) {
    uint64_t begin = program->pools.at[i].bytes.begin;
    use(walk, (gmem_proof_range_t){begin, begin + 1}); // pools stay apart
  }
  merge_extents(&walk->footprints.used);
}

static bool ends_before(const void *range, const void *address) {
  return ((const gmem_proof_range_t *)range)->end <= *(const uint64_t *)address;
}

void gmem_walk_add_to_area(gmem_walk_t *walk, gmem_proof_area_t *area,
                           gmem_proof_range_t bytes) {
  if (walk->footprints.used.count == 0)
    list_used(walk);
  size_t next = gmem_partition_point(&bytes.end, walk->footprints.used.at,
                                     walk->footprints.used.count, sizeof bytes,
                                     ends_before);
  if (bytes.begin < bytes.end && next < walk->footprints.used.count &&
      walk->footprints.used.at[next].begin > bytes.end)
    bytes.end = walk->footprints.used.at[next].begin;
  gmem_proof_area_add(&walk->store, area, bytes);
}

// Whether |area| has bytes of |entry| with contents: those that are not gaps.
static bool meets_contents(const gmem_walk_t *walk, gmem_proof_area_t area,
                           const gmem_proof_entry_t *entry,
                           gmem_proof_range_t *out_bytes) {
  struct gmem_proof_gaps_s gaps = {0};
  gmem_proof_range_t bytes = {entry->begin, entry->end};
  if (entry->id < walk->program->values.count)
    gaps = walk->contents.gaps[entry->id];
  for (uint32_t i = 0; i < gaps.count; ++i) {
    bytes.end = entry->begin + gaps.at[i].begin;
    if (gmem_proof_area_meets(area, bytes, out_bytes))
      return true;
    bytes.begin = entry->begin + gaps.at[i].end;
  }
  bytes.end = entry->end;
  return gmem_proof_area_meets(area, bytes, out_bytes);
}

void gmem_walk_lose_to_area(gmem_walk_t *walk, uint32_t by,
                            gmem_proof_area_t area) {
  gmem_proof_range_t bytes;
  gmem_proof_list_area(&walk->store, &walk->state, area);
  for (size_t i = 0; i < walk->store.found.count; ++i) {
    gmem_proof_entry_t entry = walk->store.found.at[i];
    if (meets_contents(walk, area, &entry, &bytes))
      gmem_walk_lose(walk, by, GMEM_NO_INDEX, &entry, bytes);
  }
}

//===--- functions --------------------------------------------------------===//

// Until more is known, functions that call themselves write all their
// workbuffers. Their values have no places: several instances exist at once.
static void take_all_bytes(gmem_walk_t *walk) {
  const gmem_proof_program_t *program = walk->program;
  gmem_proof_area_t all = NULL;
  for (uint32_t i = 0; i < program->ops.count; ++i)
    for (uint32_t k = 0; k < gmem_walk_op(walk, i)->planned->workbuffer_count;
         ++k)
      if (program->functions.at[gmem_walk_op(walk, i)->function].is_recursive)
        gmem_walk_add_to_area(walk, &all,
                              gmem_walk_op(walk, i)->planned->workbuffers[k]);
  for (uint32_t f = 0; f < program->functions.count; ++f)
    if (program->functions.at[f].is_recursive)
      walk->footprints.of[f] = all;
}

gmem_status_t gmem_walk_begin_footprints(gmem_walk_t *walk) {
  size_t count = walk->program->functions.count;
  GMEM_TRY_ALLOC(walk->footprints.of, walk->arena, count, walk->diag);
  GMEM_TRY_ALLOC(walk->footprints.run_by, walk->arena, count, walk->diag);
  GMEM_TRY_ALLOC(walk->summaries, walk->arena, walk->program->regions.count,
                 walk->diag);
  take_all_bytes(walk);
  return GMEM_OK;
}

void gmem_walk_end_footprint(gmem_walk_t *walk) {
  uint32_t function = walk->footprints.function;
  gmem_proof_area_t footprint = walk->footprints.of[function];
  if (walk->program->functions.at[function].mentions == 0)
    return; // no op calls it
  merge_extents(&walk->footprints.written);
  for (size_t i = 0; i < walk->footprints.run.count; ++i)
    gmem_proof_area_unite(&walk->store, &footprint,
                          walk->footprints.of[walk->footprints.run.at[i]]);
  gmem_proof_freeze(&walk->store);
  for (size_t i = 0; i < walk->footprints.written.count; ++i)
    gmem_walk_add_to_area(walk, &footprint, walk->footprints.written.at[i]);
  walk->footprints.of[function] = footprint;
}

// Whether |hot| is the padding of a tensor that op |index| passes: a callee may
// write that, too.
static bool is_padding_of_operand(gmem_walk_t *walk, uint32_t index,
                                  const gmem_walk_hot_t *hot) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  bool is_padding = hot->is_padding && !hot->is_of_group;
  gmem_walk_list_ids(walk, is_padding ? hot->value : GMEM_NO_INDEX);
  if (walk->now.ids.count != 1)
    return false;
  uint32_t id = walk->now.ids.at[0];
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    gmem_walk_list_ids(walk, op->operands[i]);
    if (walk->now.ids.count == 1 && walk->now.ids.at[0] == id)
      return true;
  }
  return false;
}

// Op |index| runs a function that writes |footprint|.
static gmem_status_t check_meeting(gmem_walk_t *walk, uint32_t index,
                                   gmem_proof_area_t footprint,
                                   const gmem_walk_hot_t *hot) {
  gmem_walk_write_t write = {.id = GMEM_NO_INDEX, .from = GMEM_NO_INDEX};
  return gmem_proof_area_meets(footprint, hot->bytes, &write.bytes) &&
                 !is_padding_of_operand(walk, index, hot)
             ? gmem_walk_check_write(walk, index, &write)
             : GMEM_OK;
}

// Op |index| runs a function.
static gmem_status_t write_footprint(gmem_walk_t *walk, uint32_t index,
                                     uint32_t callee) {
  gmem_proof_area_t footprint = walk->footprints.of[callee];
  for (size_t i = 0; i < walk->kept.hot.count; ++i)
    GMEM_TRY(check_meeting(walk, index, footprint, &walk->kept.hot.at[i]));
  for (size_t i = 0; i < walk->kept.held.count; ++i)
    GMEM_TRY(check_meeting(walk, index, footprint, &walk->kept.held.at[i]));
  gmem_walk_lose_to_area(walk, index, footprint);
  if (walk->footprints.run_by[callee] != walk->footprints.function + 1)
    GMEM_APPEND(walk->arena, &walk->footprints.run, callee);
  walk->footprints.run_by[callee] = walk->footprints.function + 1;
  return GMEM_OK;
}

static gmem_status_t write_footprints(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    uint32_t callee = walk->program->callees.at[op->first_callee + c];
    GMEM_TRY(write_footprint(walk, index, callee));
    if (op->is_direct)
      continue; // its copies write the arguments
    gmem_walk_list_arguments(walk, callee);
    for (size_t i = 0; i < walk->now.writes.count; ++i)
      GMEM_TRY(gmem_walk_write(walk, index, &walk->now.writes.at[i]));
  }
  return GMEM_OK;
}

gmem_status_t gmem_walk_run_callees(gmem_walk_t *walk, uint32_t index) {
  walk->is_in_callee = true;
  gmem_status_t status = write_footprints(walk, index);
  walk->is_in_callee = false;
  return status;
}
