// proof_summaries.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include <assert.h>

#include "partition_point.h"

// All writes of the regions of a loop or the like, in a run of its function.
struct gmem_walk_summary_s {
  gmem_proof_area_t area; // of those that nothing is known of
  // The others, by address: each to a memory, by its name, or of the contents
  // of value |id| without KNOWN_VALUE; and by the first op that makes it.
  gmem_proof_state_t known;
  gmem_proof_area_t known_area;
  uint32_t frame; // number of the run
};

#define KNOWN_VALUE (UINT32_C(1) << 31)

// A value was lost by an op inside of the one that is named.
#define INSIDE (UINT32_C(1) << 31)

// Where the writes of a region go: to a summary, or, if |lost| is not NULL, to
// the search for the first one that |lost| was lost by.
typedef struct sink_s {
  gmem_walk_summary_t *summary;
  gmem_proof_entry_t *lost;
  uint32_t writer; // GMEM_NO_INDEX: not found
} sink_t;

static void take_area(gmem_walk_t *walk, sink_t *sink, uint32_t op,
                      gmem_proof_area_t area) {
  gmem_proof_range_t bytes;
  if (!sink->lost) {
    gmem_proof_area_unite(&walk->store, &sink->summary->area, area);
  } else if (sink->writer == GMEM_NO_INDEX &&
             gmem_proof_area_meets(area, gmem_walk_bytes(walk, sink->lost->id),
                                   &bytes)) {
    sink->writer = op;
    sink->lost->bytes = bytes;
  }
}

static void take_write(gmem_walk_t *walk, sink_t *sink, uint32_t op,
                       const gmem_walk_write_t *write) {
  gmem_walk_summary_t *summary = sink->summary;
  uint32_t id =
      write->from == GMEM_NO_INDEX ? write->id : write->from | KNOWN_VALUE;
  if (write->bytes.begin >= write->bytes.end)
    return;
  if (sink->lost) {
    gmem_proof_range_t bytes = gmem_walk_bytes(walk, sink->lost->id);
    gmem_proof_entry_t entry = {
        .begin = bytes.begin, .end = bytes.end, .id = sink->lost->id};
    gmem_proof_range_t common = gmem_walk_common(walk, write, &entry);
    if (sink->writer != GMEM_NO_INDEX || common.begin >= common.end ||
        gmem_walk_has_same(walk, write, &entry, common) ||
        gmem_walk_is_own(walk, write, &entry))
      return;
    sink->writer = op;
    sink->lost->bytes = write->is_to_copy ? GMEM_WALK_COPIED : common;
  } else if (id == GMEM_NO_INDEX) {
    gmem_walk_add_to_area(walk, &summary->area, write->bytes);
  } else if (!gmem_proof_is_intact(&summary->known, write->bytes, id)) {
    gmem_proof_define(&walk->store, &summary->known, write->bytes, id, op);
    gmem_walk_add_to_area(walk, &summary->known_area, write->bytes);
  }
}

static void take_writes(gmem_walk_t *walk, sink_t *sink, uint32_t op) {
  for (size_t k = 0; k < walk->now.writes.count; ++k)
    take_write(walk, sink, op, &walk->now.writes.at[k]);
}

static gmem_status_t summarize(gmem_walk_t *walk, uint32_t first, uint32_t end,
                               sink_t *sink);

// Adds what the functions write that op |index| runs.
static gmem_status_t summarize_callees(gmem_walk_t *walk, uint32_t index,
                                       sink_t *sink) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  const gmem_proof_program_t *program = walk->program;
  gmem_walk_frame_t saved;
  // As a whole, a call of the loop writes all that it is given.
  if (op->flow == GMEM_PROOF_CALL && sink->lost &&
      gmem_walk_gives_tracked(walk, index) &&
      gmem_walk_begin_inline(walk, index, &saved)) {
    const gmem_proof_function_t *callee =
        &program->functions.at[walk->frame.function];
    gmem_status_t status =
        summarize(walk, callee->first_op, callee->end_op, sink);
    walk->frame = saved;
    return status;
  }
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    uint32_t callee = program->callees.at[op->first_callee + c];
    take_area(walk, sink, index, walk->footprints.of[callee]);
    if (op->flow != GMEM_PROOF_CALL) {
      gmem_walk_list_arguments(walk, callee);
      take_writes(walk, sink, index);
    }
  }
  gmem_walk_list_modified(walk, index);
  take_writes(walk, sink, index);
  for (uint32_t i = 0; i < op->operand_count && op->flow == GMEM_PROOF_CALL;
       ++i) {
    gmem_walk_list_memory(walk, op->operands[i]);
    take_writes(walk, sink, index);
  }
  return GMEM_OK;
}

// The loop or the like at |index| runs its regions in any order.
static bool repeats(const gmem_proof_op_t *op) {
  return op->region_count && op->flow != GMEM_PROOF_STEP &&
         op->flow != GMEM_PROOF_BRANCH;
}

static gmem_status_t summarize_loop(gmem_walk_t *walk, uint32_t index,
                                    gmem_walk_summary_t **out_summary) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_walk_summary_t *summary = walk->summaries[op->first_region];
  if (!summary)
    GMEM_TRY_ALLOC(summary, walk->arena, 1, walk->diag);
  walk->summaries[op->first_region] = *out_summary = summary;
  assert(walk->frame.number);
  if (summary->frame == walk->frame.number)
    return GMEM_OK;
  *summary = (gmem_walk_summary_t){.known = {.is_reached = true},
                                   .frame = walk->frame.number};
  return summarize(walk, index + 1, op->end,
                   &(sink_t){summary, NULL, GMEM_NO_INDEX});
}

// Takes all writes of ops [first, end). Those of the loops among them are
// summarized first, so that each op is looked at once.
static gmem_status_t summarize(gmem_walk_t *walk, uint32_t first, uint32_t end,
                               sink_t *sink) {
  for (uint32_t i = first; i < end; ++i) {
    const gmem_proof_op_t *op = gmem_walk_op(walk, i);
    gmem_walk_summary_t *inner;
    if (walk->program->blocks.at[op->block].is_reached) {
      gmem_walk_list_writes(walk, i);
      take_writes(walk, sink, i);
      gmem_walk_list_copies(walk, i);
      take_writes(walk, sink, i);
      gmem_walk_list_scratch(walk, i);
      take_writes(walk, sink, i);
      if (op->callee_count)
        GMEM_TRY(summarize_callees(walk, i, sink));
    }
    if (sink->lost || !repeats(op))
      continue;
    GMEM_TRY(summarize_loop(walk, i, &inner));
    gmem_proof_area_unite(&walk->store, &sink->summary->area, inner->area);
    gmem_proof_area_unite(&walk->store, &sink->summary->known_area,
                          inner->known_area);
    gmem_proof_join(&walk->store, &sink->summary->known, &inner->known);
    i = op->end - 1;
  }
  return GMEM_OK;
}

void gmem_walk_mark_summaries(const gmem_walk_t *walk) {
  for (size_t i = 0; i < walk->program->regions.count; ++i)
    if (walk->summaries[i]) {
      gmem_proof_area_mark(walk->summaries[i]->area);
      gmem_proof_area_mark(walk->summaries[i]->known_area);
      gmem_proof_mark(&walk->summaries[i]->known);
    }
}

uint32_t gmem_walk_find_writer(gmem_walk_t *walk, gmem_proof_entry_t *loss) {
  sink_t sink = {NULL, loss, GMEM_NO_INDEX};
  if (loss->by == GMEM_NO_INDEX || !(loss->by & INSIDE))
    return loss->by;
  uint32_t loop = loss->by & ~INSIDE;
  gmem_walk_frame_t saved = walk->frame;
  if (gmem_walk_op(walk, loop)->function != saved.function)
    walk->frame.arguments = NULL, walk->frame.is_whole = NULL;
  (void)summarize(walk, loop + 1, gmem_walk_op(walk, loop)->end, &sink);
  walk->frame = saved;
  return sink.writer == GMEM_NO_INDEX ? loop : sink.writer;
}

static gmem_walk_write_t known_write(const gmem_walk_t *walk,
                                     const gmem_proof_entry_t *entry) {
  gmem_proof_range_t bytes = {entry->begin, entry->end};
  uint32_t value = entry->id & ~KNOWN_VALUE;
  if (!(entry->id & KNOWN_VALUE))
    return (gmem_walk_write_t){
        .bytes = bytes, .id = entry->id, .from = GMEM_NO_INDEX};
  return (gmem_walk_write_t){.bytes = bytes,
                             .id = GMEM_NO_INDEX,
                             .from = value,
                             .at = bytes.begin -
                                   gmem_walk_value(walk, value)->bytes.begin};
}

// Loses the intact values that a write of |summary| goes to, each of which is
// to known contents or to memory that may be the value's own.
static void lose_to_known(gmem_walk_t *walk, uint32_t index,
                          const gmem_walk_summary_t *summary) {
  gmem_proof_store_t *store = &walk->store;
  gmem_proof_list_area(store, &walk->state, summary->known_area);
  walk->now.entries.count = 0;
  for (size_t i = 0; i < store->found.count; ++i)
    GMEM_APPEND(walk->arena, &walk->now.entries, store->found.at[i]);
  for (size_t i = 0; i < walk->now.entries.count; ++i) {
    gmem_proof_entry_t entry = walk->now.entries.at[i];
    gmem_proof_list(store, &summary->known,
                    (gmem_proof_range_t){entry.begin, entry.end});
    for (size_t k = 0; k < store->found.count; ++k) {
      gmem_walk_write_t write = known_write(walk, &store->found.at[k]);
      if (gmem_walk_has_same(walk, &write, &entry,
                             gmem_walk_common(walk, &write, &entry)) ||
          gmem_walk_is_own(walk, &write, &entry) ||
          gmem_walk_is_elsewhere(walk, write.id, entry.id))
        continue;
      gmem_proof_lose(store, &walk->state, &entry, write.bytes, index | INSIDE);
      break;
    }
  }
}

bool gmem_walk_is_inside(const gmem_walk_t *walk, uint32_t value,
                         uint32_t index) {
  const gmem_proof_program_t *program = walk->program;
  const gmem_proof_value_t *entry = gmem_walk_value(walk, value);
  uint32_t region = program->blocks.at[entry->block].region;
  uint32_t owner = program->regions.at[region].owner;
  return owner != GMEM_NO_INDEX && owner >= index &&
         owner < gmem_walk_op(walk, index)->end;
}

gmem_status_t gmem_walk_enter_loop(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_walk_summary_t *summary;
  if (op->region_count == 0)
    return GMEM_OK;
  GMEM_TRY(summarize_loop(walk, index, &summary));
  // Memories from outside have contents.
  gmem_proof_list(&walk->store, &summary->known,
                  (gmem_proof_range_t){0, UINT64_MAX});
  for (size_t i = 0; i < walk->store.found.count; ++i) {
    gmem_proof_entry_t entry = walk->store.found.at[i];
    uint32_t site = entry.id & KNOWN_VALUE
                        ? entry.id
                        : gmem_proof_site(&walk->memory, entry.id);
    if (site < walk->memory.value_count &&
        !gmem_walk_is_inside(walk, site, index))
      gmem_walk_define_names(walk, entry.id, entry.by);
  }
  gmem_walk_lose_to_area(walk, index | INSIDE, summary->area);
  lose_to_known(walk, index, summary);
  return gmem_bump_status(walk->arena, walk->diag);
}

//===--- what is pinned in loops ------------------------------------------===//

static bool is_before(const void *pinned, const void *op) {
  return ((const gmem_walk_pinned_t *)pinned)->op < *(const uint32_t *)op;
}

// Sets walk->now.ids to the values that ops inside of op |index| pin and that
// its regions make.
static void list_pinned(gmem_walk_t *walk, uint32_t index) {
  const gmem_walk_pinned_t *pinned = walk->kept.pinned.at;
  size_t count = walk->kept.pinned.count;
  uint32_t end = gmem_walk_op(walk, index)->end;
  walk->now.ids.count = 0;
  for (size_t i = gmem_partition_point(&index, pinned, count, sizeof *pinned,
                                       is_before);
       i < count && pinned[i].op < end; ++i)
    if (gmem_walk_is_inside(walk, pinned[i].value, index))
      GMEM_APPEND(walk->arena, &walk->now.ids, pinned[i].value);
}

void gmem_walk_keep_pinned(gmem_walk_t *walk, uint32_t index,
                           const gmem_proof_state_t *begin) {
  list_pinned(walk, index);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    uint32_t id = walk->now.ids.at[i];
    const gmem_proof_entry_t *loss = gmem_proof_loss(begin, id);
    gmem_walk_status_t status = {
        .name = id, .is_intact = true, .loss.by = index};
    if (loss)
      status.is_lost = true, status.loss = *loss;
    gmem_walk_set_status(walk, &status);
  }
}

void gmem_walk_lose_pinned(gmem_walk_t *walk, uint32_t index,
                           gmem_proof_state_t *exit) {
  gmem_proof_state_t end = walk->state;
  list_pinned(walk, index);
  walk->state = *exit;
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    uint32_t id = walk->now.ids.at[i];
    const gmem_proof_entry_t *loss = gmem_proof_loss(&end, id);
    if (loss && !gmem_proof_loss(exit, id))
      gmem_walk_set_status(
          walk,
          &(gmem_walk_status_t){.name = id, .is_lost = true, .loss = *loss});
  }
  *exit = walk->state;
  walk->state = end;
}
