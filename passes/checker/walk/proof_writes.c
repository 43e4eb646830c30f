// proof_writes.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_walk.h"

#include <assert.h>
#include <stdlib.h>

#include "proof_branches.h"
#include "proof_coexistence.h"
#include "proof_messages.h"

//===--- writes -----------------------------------------------------------===//

// Whether |id| is an argument of the function that is checked.
static bool is_argument(const gmem_walk_t *walk, uint32_t id) {
  const gmem_proof_function_t *function =
      &walk->program->functions.at[walk->frame.function];
  return walk->frame.call == GMEM_NO_INDEX && id < walk->memory.value_count &&
         gmem_walk_value(walk, id)->op == GMEM_NO_INDEX &&
         gmem_walk_value(walk, id)->block ==
             gmem_proof_entry(walk->program, function->region);
}

// The value of which bytes |entry| have the contents; GMEM_NO_INDEX: not known.
// A name has those of its site if that is intact and made once in the run of
// the function that is checked: an earlier instance, of a loop or another run,
// is made of other instances of its parts.
static uint32_t contents_of(const gmem_walk_t *walk,
                            const gmem_proof_entry_t *entry) {
  gmem_proof_range_t bytes = {entry->begin, entry->end};
  if (entry->id < walk->memory.value_count)
    return entry->id;
  uint32_t site = gmem_proof_site(&walk->memory, entry->id);
  const gmem_proof_value_t *owner = gmem_walk_value(walk, site);
  return walk->frame.depth == 0 && owner->function == walk->frame.function &&
                 !gmem_proof_may_repeat(walk->program, owner->block) &&
                 gmem_proof_is_intact(&walk->state, bytes, site)
             ? site
             : GMEM_NO_INDEX;
}

bool gmem_walk_has_same(const gmem_walk_t *walk, const gmem_walk_write_t *write,
                        const gmem_proof_entry_t *entry,
                        gmem_proof_range_t common) {
  uint32_t value = contents_of(walk, entry);
  if (value == GMEM_NO_INDEX)
    return false;
  gmem_proof_range_t of_entry = {common.begin - entry->begin,
                                 common.end - entry->begin};
  return gmem_proof_is_gap(&walk->contents, value, of_entry) ||
         (write->from != GMEM_NO_INDEX &&
          gmem_proof_is_equal(&walk->contents, value, of_entry.begin,
                              write->from,
                              common.begin - write->bytes.begin + write->at,
                              common.end - common.begin));
}

// Whether |id| is a tensor that calls have passed to the function that is
// walked as |argument|: what modifies one modifies the other.
static bool is_passed_as(const gmem_walk_t *walk, uint32_t id,
                         uint32_t argument) {
  const gmem_walk_frame_t *frame = &walk->frame;
  for (; frame && frame->arguments; frame = frame->outer) {
    const gmem_proof_value_t *value = gmem_walk_value(walk, argument);
    if (value->is_memref || value->function != frame->function ||
        !gmem_proof_is_argument(walk->program, value) ||
        frame->arguments[value->number].count != 1)
      return false;
    argument =
        gmem_proof_site(&walk->memory, frame->arguments[value->number].at[0]);
    if (argument == id)
      return true;
  }
  return false;
}

bool gmem_walk_is_own(const gmem_walk_t *walk, const gmem_walk_write_t *write,
                      const gmem_proof_entry_t *entry) {
  const gmem_proof_memory_t *memory = &walk->memory;
  if (write->id == GMEM_NO_INDEX)
    return false;
  uint32_t written = gmem_proof_site(memory, write->id);
  uint32_t intact = gmem_proof_site(memory, entry->id);
  return written == intact ||
         !gmem_proof_may_coexist(walk->program, memory, entry->id, write->id) ||
         is_passed_as(walk, intact, written);
}

gmem_proof_range_t gmem_walk_common(const gmem_walk_t *walk,
                                    const gmem_walk_write_t *write,
                                    const gmem_proof_entry_t *entry) {
  if (gmem_proof_are_apart(write->columns, write->bytes.begin,
                           gmem_proof_columns_of(
                               walk->program, gmem_walk_named(walk, entry->id)),
                           entry->begin))
    return (gmem_proof_range_t){0, 0};
  return gmem_proof_common(write->bytes,
                           (gmem_proof_range_t){entry->begin, entry->end});
}

void gmem_walk_lose(gmem_walk_t *walk, uint32_t op, uint32_t written,
                    const gmem_proof_entry_t *entry, gmem_proof_range_t bytes) {
  if (gmem_walk_is_elsewhere(walk, written, entry->id))
    gmem_proof_forget(&walk->store, &walk->state,
                      (gmem_proof_range_t){entry->begin, entry->end},
                      entry->id);
  else
    gmem_proof_lose(&walk->store, &walk->state, entry, bytes, op);
}

// Whether |write| modifies an argument, a tensor: the calls of its function
// make that write (proof_modified.c).
static bool is_to_argument(const gmem_walk_t *walk,
                           const gmem_walk_write_t *write) {
  const gmem_proof_value_t *owner =
      write->id == GMEM_NO_INDEX
          ? NULL
          : gmem_walk_value(walk, gmem_proof_site(&walk->memory, write->id));
  return owner && !owner->is_memref &&
         gmem_proof_is_argument(walk->program, owner);
}

void gmem_walk_overwrite(gmem_walk_t *walk, uint32_t op,
                         const gmem_walk_write_t *write) {
  gmem_proof_range_t changed = write->bytes;
  assert(changed.begin < changed.end);
  if (walk->frame.depth && write->id != GMEM_NO_INDEX)
    GMEM_APPEND(walk->arena, &walk->calls.written, write->id);
  gmem_proof_list(&walk->store, &walk->state, write->bytes);
  for (size_t i = 0; i < walk->store.found.count; ++i) {
    gmem_proof_entry_t entry = walk->store.found.at[i];
    gmem_proof_range_t common = gmem_walk_common(walk, write, &entry);
    if (common.begin >= common.end)
      continue;
    bool is_same = gmem_walk_has_same(walk, write, &entry, common);
    if (!is_same && !gmem_walk_is_own(walk, write, &entry))
      gmem_walk_lose(walk, op, write->id, &entry, write->bytes);
    // Bytes that an argument has already do not change the caller's operand.
    if (is_same && is_argument(walk, entry.id) &&
        common.begin >= changed.begin) {
      GMEM_APPEND(walk->arena, &walk->footprints.written,
                  (gmem_proof_range_t){changed.begin, common.begin});
      changed.begin = common.end;
    }
  }
  if (is_to_argument(walk, write))
    walk->is_modified[gmem_proof_site(&walk->memory, write->id)] = true;
  else
    GMEM_APPEND(walk->arena, &walk->footprints.written, changed);
}

// Whether |op| passes arguments to |block|: it has the region that begins with
// that, ends a block of that region, or branches there.
static bool passes_to(const gmem_walk_t *walk, const gmem_proof_op_t *op,
                      uint32_t block) {
  const gmem_proof_program_t *program = walk->program;
  uint32_t region = program->blocks.at[block].region;
  uint32_t owner = program->regions.at[region].owner;
  if (gmem_proof_entry(program, region) == block)
    return owner != GMEM_NO_INDEX &&
           (op == gmem_walk_op(walk, owner) ||
            (op->parent == owner && op->next == GMEM_NO_INDEX));
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op->op); ++s)
    if (gmem_proof_successor(program, op, (uint32_t)s) == block)
      return true;
  return false;
}

// Whether |value| has always been made when op |op| runs, in this run of its
// region: op |op| is behind it in its block, or that is the first one.
static bool is_made_before(const gmem_proof_program_t *program,
                           const gmem_proof_value_t *value, uint32_t op) {
  uint32_t region = program->blocks.at[value->block].region;
  if (program->regions.at[region].is_graph ||
      (value->op != GMEM_NO_INDEX && op <= value->op))
    return false;
  while (op != GMEM_NO_INDEX &&
         program->blocks.at[program->ops.at[op].block].region != region)
    op = program->ops.at[op].parent;
  return op != GMEM_NO_INDEX &&
         (program->ops.at[op].block == value->block ||
          gmem_proof_entry(program, region) == value->block);
}

// Whether |write| by |op| brings what |hot| has there already, of this round.
static bool has_held(const gmem_walk_t *walk, const gmem_walk_hot_t *hot,
                     uint32_t op, const gmem_walk_write_t *write) {
  gmem_proof_entry_t held = {
      .begin = hot->bytes.begin, .end = hot->bytes.end, .id = hot->value};
  return is_made_before(walk->program, gmem_walk_value(walk, hot->value), op) &&
         gmem_proof_is_intact(&walk->state, hot->bytes, hot->value) &&
         gmem_walk_has_same(walk, write, &held,
                            gmem_proof_common(hot->bytes, write->bytes));
}

// Whether |write| by |op|, or by a function that it calls, is of what makes the
// value of |hot|, modifies it, or changes nothing.
static bool may_write_held(const gmem_walk_t *walk, const gmem_walk_hot_t *hot,
                           uint32_t op, const gmem_walk_write_t *write) {
  const gmem_walk_frame_t *frame = &walk->frame;
  const gmem_proof_value_t *value = gmem_walk_value(walk, hot->value);
  if (write->id != GMEM_NO_INDEX &&
      gmem_proof_site(&walk->memory, write->id) == hot->value)
    return true;
  for (; frame->outer && frame->call != GMEM_NO_INDEX; frame = frame->outer)
    op = frame->call;
  if (has_held(walk, hot, op, write))
    return true;
  if (value->op == GMEM_NO_INDEX)
    return passes_to(walk, gmem_walk_op(walk, op), value->block);
  return op >= value->op && op < gmem_walk_op(walk, value->op)->end;
}

// Of a write: the memory that is modified, or the value that is made, or
// GMEM_NO_INDEX.
static uint32_t written_value(const gmem_walk_write_t *write) {
  return write->id != GMEM_NO_INDEX ? write->id
         : write->made              ? write->made - 1
                                    : GMEM_NO_INDEX;
}

// Whether |write| is to what a group modifies or makes there itself, or what
// makes that.
static bool is_of_hot(const gmem_walk_t *walk, const gmem_walk_hot_t *hot,
                      const gmem_walk_write_t *write) {
  gmem_walk_write_t named = *write;
  named.id = written_value(write);
  return hot->value != GMEM_NO_INDEX &&
         gmem_walk_is_own(walk, &named,
                          &(gmem_proof_entry_t){.begin = hot->bytes.begin,
                                                .end = hot->bytes.end,
                                                .id = hot->value});
}

// Whether op |op| may write |bytes| though it keeps those of |hot| itself: they
// are those of a workbuffer, or those of a value inside of deferred code.
// Others may modify memory that a group modifies.
static bool may_write_own(const gmem_walk_t *walk, const gmem_walk_hot_t *hot,
                          uint32_t op, const gmem_walk_write_t *write) {
  const gmem_proof_op_t *entry = gmem_walk_op(walk, hot->op);
  if (hot->is_held)
    return may_write_held(walk, hot, op, write);
  if (hot->is_padding && write->is_padding)
    return true;
  if (hot->is_of_group && is_of_hot(walk, hot, write))
    return true;
  if (hot->op != op || walk->is_in_callee)
    return false;
  for (uint32_t i = 0; i < entry->planned->workbuffer_count; ++i)
    if (gmem_walk_compare_ranges(&entry->planned->workbuffers[i],
                                 &hot->bytes) == 0)
      return gmem_walk_compare_ranges(&hot->bytes, &write->bytes) == 0;
  return true;
}

static bool is_clash(const gmem_walk_t *walk, const gmem_walk_hot_t *hot,
                     uint32_t op, const gmem_walk_write_t *write) {
  return gmem_proof_do_meet(hot->bytes, write->bytes) &&
         !may_write_own(walk, hot, op, write);
}

// The bytes in use that |write| may not change; NULL: none.
static const gmem_walk_hot_t *find_clash(const gmem_walk_t *walk, uint32_t op,
                                         const gmem_walk_write_t *write) {
  const gmem_walk_hot_t *held = walk->kept.held.at;
  size_t first = 0, end = walk->kept.held.count; // that begins behind |write|
  for (size_t i = 0; i < walk->kept.hot.count; ++i)
    if (is_clash(walk, &walk->kept.hot.at[i], op, write))
      return &walk->kept.hot.at[i];
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (held[middle].bytes.begin < write->bytes.end)
      first = middle + 1;
    else
      end = middle;
  }
  for (; first > 0 && held[first - 1].reach > write->bytes.begin; --first)
    if (is_clash(walk, &held[first - 1], op, write))
      return &held[first - 1];
  return NULL;
}

static gmem_status_t report_hot(const gmem_walk_t *walk, uint32_t op,
                                const gmem_walk_hot_t *hot,
                                gmem_proof_range_t bytes) {
  gmem_proof_text_t other = gmem_proof_op_text(walk->program, hot->op);
  gmem_note_t note = gmem_proof_note(
      gmem_walk_location(walk, hot->op),
      hot->is_held ? "%s has gmem.hold" : "%s has not ended", other.at);
  return gmem_error(walk->diag, GMEM_ERR_OVERLAP, gmem_walk_location(walk, op),
                    &note, 1, "%s writes %s, which %s may still use",
                    gmem_proof_op_text(walk->program, op).at,
                    gmem_proof_bytes_text(walk->program, bytes).at, other.at);
}

gmem_status_t gmem_walk_check_write(const gmem_walk_t *walk, uint32_t op,
                                    const gmem_walk_write_t *write) {
  gmem_proof_range_t bytes = write->bytes;
  for (size_t i = 0; i < walk->program->pools.count && walk->is_checked; ++i)
    if (walk->program->pools.at[i].is_constant &&
        gmem_proof_do_meet(walk->program->pools.at[i].bytes, bytes))
      return gmem_error_at(walk->diag, GMEM_ERR_OVERLAP,
                           gmem_walk_location(walk, op),
                           "%s writes %s, which holds constants",
                           gmem_proof_op_text(walk->program, op).at,
                           gmem_proof_bytes_text(walk->program, bytes).at);
  const gmem_walk_hot_t *hot =
      walk->is_checked ? find_clash(walk, op, write) : NULL;
  return hot ? report_hot(walk, op, hot, bytes) : GMEM_OK;
}

gmem_status_t gmem_walk_write(gmem_walk_t *walk, uint32_t op,
                              const gmem_walk_write_t *write) {
  if (write->bytes.begin >= write->bytes.end)
    return GMEM_OK;
  GMEM_TRY(gmem_walk_check_write(walk, op, write));
  gmem_walk_overwrite(walk, op, write);
  return GMEM_OK;
}

void gmem_walk_define(gmem_walk_t *walk, uint32_t id, uint32_t by) {
  gmem_proof_range_t bytes = gmem_walk_bytes(walk, id);
  gmem_proof_define(&walk->store, &walk->state, bytes, id, by);
}

bool gmem_walk_is_in_scope(const gmem_walk_t *walk, uint32_t name) {
  const gmem_proof_memory_t *memory = &walk->memory;
  uint32_t value = memory->names.at[name - memory->value_count].value;
  return !memory->is_of_block[value] ||
         walk->walked[gmem_walk_value(walk, value)->block] > 0;
}

void gmem_walk_define_names(gmem_walk_t *walk, uint32_t id, uint32_t by) {
  uint32_t site = gmem_proof_site(&walk->memory, id);
  gmem_proof_range_t bytes = gmem_walk_bytes(walk, id);
  if (gmem_proof_is_private(&walk->memory, site))
    return; // no state has it
  if (!gmem_proof_loss(&walk->state, site) &&
      !gmem_proof_is_intact(&walk->state, bytes, site))
    gmem_walk_define(walk, site, by);
  GMEM_CSR_EACH (name, &walk->memory.names_of, site)
    if (gmem_walk_is_in_scope(walk, *name) &&
        !gmem_proof_loss(&walk->state, *name) &&
        !gmem_proof_is_intact(&walk->state, bytes, *name))
      gmem_walk_define(walk, *name, by);
}

// Whether values |from| of the operands that are moved to |to| have the same
// contents where |to| shares bytes with the value of |entry|.
static bool is_shared(const gmem_walk_t *walk, gmem_proof_row_t row,
                      const uint32_t *from, uint32_t to,
                      const gmem_proof_entry_t *entry) {
  gmem_proof_range_t bytes = gmem_walk_value(walk, to)->bytes;
  gmem_proof_range_t common =
      gmem_proof_common(bytes, (gmem_proof_range_t){entry->begin, entry->end});
  uint32_t one = from[to - row.first], other = from[entry->id - row.first];
  if (one == GMEM_NO_INDEX || other == GMEM_NO_INDEX)
    return false;
  // Two sources that are intact where their targets are share bytes already.
  return (gmem_proof_is_at(walk->program, one, bytes.begin) &&
          gmem_proof_is_at(walk->program, other, entry->begin)) ||
         gmem_proof_is_equal(&walk->contents, one, common.begin - bytes.begin,
                             other, common.begin - entry->begin,
                             common.end - common.begin);
}

int gmem_walk_compare_ranges(const void *left, const void *right) {
  const gmem_proof_range_t *a = left, *b = right;
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  return (a->end > b->end) - (a->end < b->end);
}

// Whether |value|, one of a row, has contents from |from|, if not NULL.
static bool is_defined(const gmem_walk_t *walk, gmem_proof_row_t row,
                       const uint32_t *from, uint32_t value) {
  return gmem_proof_is_target(walk->program, value) &&
         !gmem_walk_value(walk, value)->is_constant &&
         !(from && gmem_proof_is_undefined(walk->program, &walk->memory,
                                           from[value - row.first]));
}

// Whether two of now.ranges share bytes. Sorts them.
static bool has_overlap(gmem_walk_t *walk) {
  gmem_proof_ranges_t *ranges = &walk->now.ranges;
  if (ranges->count > 1)
    qsort(ranges->at, ranges->count, sizeof *ranges->at,
          gmem_walk_compare_ranges);
  for (size_t i = 1; i < ranges->count; ++i)
    if (ranges->at[i].begin < ranges->at[i - 1].end)
      return true;
  return false;
}

// Whether two values of the row share bytes. Seldom: the values of the state
// that have bytes of each need not be listed.
static bool has_shared(gmem_walk_t *walk, gmem_proof_row_t row,
                       const uint32_t *from) {
  walk->now.ranges.count = 0;
  for (uint32_t v = row.first; v < row.first + row.count && row.count > 1; ++v)
    if (is_defined(walk, row, from, v))
      GMEM_APPEND(walk->arena, &walk->now.ranges,
                  gmem_walk_value(walk, v)->bytes);
  return has_overlap(walk);
}

void gmem_walk_define_row(gmem_walk_t *walk, gmem_proof_row_t row,
                          const uint32_t *from, uint32_t by) {
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (is_defined(walk, row, from, v))
      gmem_walk_define(walk, v, by);
  if (!has_shared(walk, row, from))
    return;
  // The order in which they are written is not known.
  walk->now.entries.count = 0;
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    gmem_proof_range_t bytes = gmem_walk_value(walk, v)->bytes;
    gmem_proof_entry_t own = {.begin = bytes.begin, .end = bytes.end, .id = v};
    gmem_proof_list(&walk->store, &walk->state, bytes);
    for (size_t i = 0;
         i < walk->store.found.count && is_defined(walk, row, from, v); ++i) {
      gmem_proof_entry_t entry = walk->store.found.at[i];
      if (entry.id == v || entry.id < row.first ||
          entry.id >= row.first + row.count ||
          gmem_proof_are_apart(
              gmem_proof_columns_of(walk->program, gmem_walk_value(walk, v)),
              bytes.begin,
              gmem_proof_columns_of(walk->program,
                                    gmem_walk_value(walk, entry.id)),
              entry.begin) ||
          (from && is_shared(walk, row, from, v, &entry)))
        continue;
      own.bytes = (gmem_proof_range_t){entry.begin, entry.end};
      GMEM_APPEND(walk->arena, &walk->now.entries, own);
      break;
    }
  }
  for (size_t i = 0; i < walk->now.entries.count; ++i)
    gmem_proof_lose(&walk->store, &walk->state, &walk->now.entries.at[i],
                    walk->now.entries.at[i].bytes, by);
}

// Op |by| has written all contents of memory |id| anew: what was lost is intact
// again, by each of its names.
static void restore(gmem_walk_t *walk, uint32_t id, uint32_t by) {
  uint32_t site = gmem_proof_site(&walk->memory, id);
  if (gmem_proof_loss(&walk->state, site))
    gmem_walk_define(walk, site, by);
  GMEM_CSR_EACH (name, &walk->memory.names_of, site)
    if (gmem_proof_loss(&walk->state, *name))
      gmem_walk_define(walk, *name, by);
}

gmem_status_t gmem_walk_make_writes(gmem_walk_t *walk, uint32_t op) {
  for (size_t i = 0; i < walk->now.writes.count; ++i)
    GMEM_TRY(gmem_walk_write(walk, op, &walk->now.writes.at[i]));
  for (size_t i = 0; i < walk->now.writes.count; ++i) {
    const gmem_walk_write_t *write = &walk->now.writes.at[i];
    if (write->is_whole)
      restore(walk, write->id, op);
    if (write->id != GMEM_NO_INDEX)
      gmem_walk_define_names(walk, write->id, op);
  }
  return GMEM_OK;
}

void gmem_walk_lose_clashes(gmem_walk_t *walk, uint32_t op) {
  walk->now.ranges.count = 0;
  for (size_t i = 0; i < walk->now.writes.count && walk->now.writes.count > 1;
       ++i)
    GMEM_APPEND(walk->arena, &walk->now.ranges, walk->now.writes.at[i].bytes);
  if (!has_overlap(walk))
    return;
  for (size_t i = 0; i < walk->now.writes.count; ++i)
    if (walk->now.writes.at[i].id != GMEM_NO_INDEX)
      gmem_walk_overwrite(walk, op, &walk->now.writes.at[i]);
}

//===--- lists of writes --------------------------------------------------===//

static void add_write(gmem_walk_t *walk, gmem_proof_range_t bytes,
                      uint32_t id) {
  if (bytes.begin < bytes.end)
    GMEM_APPEND(
        walk->arena, &walk->now.writes,
        (gmem_walk_write_t){.bytes = bytes, .id = id, .from = GMEM_NO_INDEX});
}

static void add_bytes_around(gmem_walk_t *walk,
                             const gmem_proof_value_t *value) {
  gmem_proof_range_t before = {value->buffer.begin, value->bytes.begin};
  gmem_proof_range_t behind = {value->bytes.end, value->buffer.end};
  size_t first = walk->now.writes.count;
  add_write(walk, before, GMEM_NO_INDEX);
  add_write(walk, behind, GMEM_NO_INDEX);
  for (size_t i = first; i < walk->now.writes.count; ++i)
    walk->now.writes.at[i].is_padding = true;
}

// The bytes around |value| that each op on it may write. A view may have
// another buffer than the tensor that it is a view of.
void gmem_walk_add_padding(gmem_walk_t *walk, uint32_t value) {
  const gmem_proof_value_t *own = gmem_walk_value(walk, value);
  bool is_view = own->is_placed && !own->is_memref;
  if (!walk->program->has_room_around)
    return;
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    const gmem_proof_value_t *owner = gmem_walk_value(
        walk, gmem_proof_site(&walk->memory, walk->now.ids.at[i]));
    add_bytes_around(walk, owner);
    is_view &= owner != own;
  }
  if (is_view)
    add_bytes_around(walk, own);
}

// Whether |value| is made in the block of op |first| of a layer group, behind
// that op and by none of the group: no op of the group that uses the value can
// run before that.
static bool is_made_later(const gmem_walk_t *walk, uint32_t value,
                          uint32_t first) {
  const uint32_t *group = walk->program->group_first;
  uint32_t op = gmem_walk_value(walk, value)->op;
  return op != GMEM_NO_INDEX && op > first && group[op] != first &&
         gmem_walk_op(walk, op)->block == gmem_walk_op(walk, first)->block;
}

// |group|: first op of the group that begins, or GMEM_NO_INDEX.
static void list_scratch(gmem_walk_t *walk, uint32_t index, uint32_t group) {
  const gmem_proof_accesses_t *own = &walk->now.own;
  walk->now.writes.count = 0;
  if (!walk->program->has_room_around &&
      gmem_walk_op(walk, index)->planned->workbuffer_count == 0)
    return;
  gmem_proof_accesses_list(&walk->now.own, index);
  for (size_t i = 0; i < own->list.count; ++i) {
    const gmem_proof_access_t *access = &own->list.at[i];
    if (access->kind == GMEM_PROOF_SCRATCH)
      add_write(walk, access->bytes, GMEM_NO_INDEX);
    else if (access->kind != GMEM_PROOF_PADS)
      continue;
    else if (group != GMEM_NO_INDEX &&
             is_made_later(walk, access->value, group))
      walk->padded_by[access->value] = index + 1;
    else
      gmem_walk_add_padding(walk, access->value);
  }
}

void gmem_walk_list_scratch(gmem_walk_t *walk, uint32_t index) {
  list_scratch(walk, index, GMEM_NO_INDEX);
}

void gmem_walk_list_copies(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_accesses_t *own = &walk->now.own;
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  walk->now.writes.count = 0;
  for (uint32_t i = 0; i < op->planned->copy_count; ++i)
    add_write(walk,
              (gmem_proof_range_t){op->planned->copies[i].to,
                                   op->planned->copies[i].to +
                                       op->planned->copies[i].size},
              GMEM_NO_INDEX);
  gmem_proof_accesses_list(&walk->now.own, index);
  for (size_t i = 0; i < own->list.count; ++i)
    if (own->list.at[i].kind == GMEM_PROOF_PASSES)
      add_write(walk, own->list.at[i].bytes, GMEM_NO_INDEX);
}

void gmem_walk_add_write(gmem_walk_t *walk, uint32_t id) {
  add_write(walk, gmem_walk_bytes(walk, id), id);
}

// All memories that |value|, a memref, denotes.
static void add_memory(gmem_walk_t *walk, uint32_t value) {
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i)
    gmem_walk_add_write(walk, walk->now.ids.at[i]);
}

// The first of now.ranges, sorted and apart, that ends behind |begin|.
static size_t first_behind(const gmem_walk_t *walk, uint64_t begin) {
  size_t low = 0, high = walk->now.ranges.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (walk->now.ranges.at[middle].end > begin)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static gmem_status_t report_workbuffer(const gmem_walk_t *walk, uint32_t op,
                                       gmem_proof_range_t bytes,
                                       const char *other) {
  return gmem_error_at(walk->diag, GMEM_ERR_OVERLAP,
                       gmem_walk_location(walk, op),
                       "%s has %s in a workbuffer and in %s",
                       gmem_proof_op_text(walk->program, op).at,
                       gmem_proof_bytes_text(walk->program, bytes).at, other);
}

// An op uses all of its workbuffers while it runs, and may write the paddings,
// with which now.writes begins, at any time of it.
static gmem_status_t check_workbuffers(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  const gmem_proof_ranges_t *own = &walk->now.ranges;
  walk->now.ranges.count = 0;
  for (uint32_t i = 0; i < op->planned->workbuffer_count; ++i)
    if (op->planned->workbuffers[i].begin < op->planned->workbuffers[i].end)
      GMEM_APPEND(walk->arena, &walk->now.ranges, op->planned->workbuffers[i]);
  GMEM_TRY(gmem_bump_status(walk->arena, walk->diag)); // the lists are whole
  bool meet = has_overlap(walk);
  for (size_t i = 1; meet && i < own->count; ++i)
    if (gmem_proof_do_meet(own->at[i - 1], own->at[i]))
      return report_workbuffer(walk, index,
                               gmem_proof_common(own->at[i - 1], own->at[i]),
                               "another one");
  for (size_t i = 0; own->count && i < walk->now.writes.count - own->count;
       ++i) {
    gmem_proof_range_t padding = walk->now.writes.at[i].bytes;
    size_t at = first_behind(walk, padding.begin);
    if (at < own->count && gmem_proof_do_meet(own->at[at], padding))
      return report_workbuffer(walk, index,
                               gmem_proof_common(own->at[at], padding),
                               "the padding of a value that it uses");
  }
  return GMEM_OK;
}

static gmem_status_t scratch(gmem_walk_t *walk, uint32_t op, uint32_t group) {
  list_scratch(walk, op, group);
  if (gmem_walk_op(walk, op)->planned->workbuffer_count && walk->is_checked)
    GMEM_TRY(check_workbuffers(walk, op));
  return gmem_walk_make_writes(walk, op);
}

gmem_status_t gmem_walk_scratch(gmem_walk_t *walk, uint32_t op) {
  return scratch(walk, op, GMEM_NO_INDEX);
}

gmem_status_t gmem_walk_scratch_in_group(gmem_walk_t *walk, uint32_t op,
                                         uint32_t first) {
  return scratch(walk, op, first);
}

static gmem_status_t write_made(gmem_walk_t *walk, uint32_t value,
                                uint32_t *users, bool is_padding) {
  uint32_t user = users[value];
  if (user == 0)
    return GMEM_OK;
  users[value] = 0;
  walk->now.writes.count = 0;
  if (is_padding)
    gmem_walk_add_padding(walk, value);
  else
    add_memory(walk, value);
  GMEM_TRY(gmem_walk_make_writes(walk, user - 1));
  gmem_walk_hold_for_group(walk, user - 1);
  return GMEM_OK;
}

gmem_status_t gmem_walk_write_made(gmem_walk_t *walk, uint32_t op) {
  gmem_proof_row_t row = gmem_walk_op(walk, op)->results;
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    GMEM_TRY(write_made(walk, v, walk->padded_by, true));
    GMEM_TRY(write_made(walk, v, walk->written_by, false));
  }
  return GMEM_OK;
}

void gmem_walk_add_row(gmem_walk_t *walk, gmem_proof_row_t row) {
  for (uint32_t i = 0; i < row.count; ++i) {
    const gmem_proof_value_t *value = gmem_walk_value(walk, row.first + i);
    if (value->is_placed && !value->is_memref)
      add_write(walk, value->bytes, GMEM_NO_INDEX);
  }
}

static void list_writes(gmem_walk_t *walk, uint32_t index, uint32_t group) {
  const gmem_proof_accesses_t *own = &walk->now.own;
  walk->now.writes.count = 0;
  gmem_proof_accesses_list(&walk->now.own, index);
  for (size_t i = 0; i < own->list.count; ++i) {
    const gmem_proof_access_t *access = &own->list.at[i];
    if (access->kind == GMEM_PROOF_MAKES)
      GMEM_APPEND(walk->arena, &walk->now.writes,
                  (gmem_walk_write_t){.bytes = access->bytes,
                                      .id = GMEM_NO_INDEX,
                                      .made = access->value + 1,
                                      .from = GMEM_NO_INDEX,
                                      .columns = access->columns});
    if (access->kind == GMEM_PROOF_COPIES)
      GMEM_APPEND(walk->arena, &walk->now.writes,
                  (gmem_walk_write_t){
                      access->bytes, GMEM_NO_INDEX, access->value + 1,
                      access->value,
                      access->bytes.begin -
                          gmem_walk_value(walk, access->value)->bytes.begin,
                      access->columns, false, false, false});
    if (access->kind != GMEM_PROOF_MODIFIES)
      continue;
    if (group != GMEM_NO_INDEX && is_made_later(walk, access->value, group)) {
      walk->written_by[access->value] = index + 1;
      continue;
    }
    size_t first = walk->now.writes.count;
    add_memory(walk, access->value);
    if (walk->now.ids.count == 1 && walk->now.writes.count > first)
      walk->now.writes.at[first].is_whole =
          gmem_walk_replaces(walk, gmem_walk_op(walk, index), access->operand);
  }
}

void gmem_walk_list_writes(gmem_walk_t *walk, uint32_t index) {
  list_writes(walk, index, GMEM_NO_INDEX);
}

void gmem_walk_list_writes_in_group(gmem_walk_t *walk, uint32_t index,
                                    uint32_t first) {
  list_writes(walk, index, first);
}

void gmem_walk_list_arguments(gmem_walk_t *walk, uint32_t function) {
  const gmem_proof_program_t *program = walk->program;
  gmem_proof_row_t row =
      gmem_proof_arguments(program, program->functions.at[function].region);
  walk->now.writes.count = 0;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (gmem_walk_value(walk, v)->is_placed &&
        !gmem_walk_value(walk, v)->is_constant)
      add_write(walk, gmem_walk_value(walk, v)->bytes, GMEM_NO_INDEX);
}

void gmem_walk_list_memory(gmem_walk_t *walk, uint32_t value) {
  walk->now.writes.count = 0;
  if (value == GMEM_NO_INDEX || !gmem_walk_value(walk, value)->is_memref)
    return;
  add_memory(walk, value);
  gmem_walk_add_padding(walk, value);
}

//===--- bytes and values that are kept -----------------------------------===//

void gmem_walk_hold(gmem_walk_t *walk, uint32_t index, uint32_t owner) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  for (uint32_t i = 0; i < op->planned->workbuffer_count && walk->is_checked;
       ++i)
    GMEM_APPEND(
        walk->arena, &walk->kept.hot,
        (gmem_walk_hot_t){.bytes = op->planned->workbuffers[i], .op = owner});
}

void gmem_walk_hold_for_group(gmem_walk_t *walk, uint32_t index) {
  for (size_t i = 0; i < walk->now.writes.count && walk->is_checked; ++i) {
    const gmem_walk_write_t *write = &walk->now.writes.at[i];
    GMEM_APPEND(walk->arena, &walk->kept.hot,
                (gmem_walk_hot_t){.bytes = write->bytes,
                                  .op = index,
                                  .value = written_value(write),
                                  .is_of_group = true,
                                  .is_padding = write->is_padding});
  }
}

void gmem_walk_release_group(gmem_walk_t *walk, uint32_t first) {
  size_t kept = 0;
  for (size_t i = 0; i < walk->kept.hot.count; ++i)
    if (!walk->kept.hot.at[i].is_of_group ||
        walk->program->group_first[walk->kept.hot.at[i].op] != first)
      walk->kept.hot.at[kept++] = walk->kept.hot.at[i];
  walk->kept.hot.count = kept;
}

void gmem_walk_release(gmem_walk_t *walk, uint32_t owner) {
  size_t kept = 0;
  if (gmem_walk_op(walk, owner)->planned->workbuffer_count == 0)
    return;
  for (size_t i = 0; i < walk->kept.hot.count; ++i)
    if (walk->kept.hot.at[i].op != owner || walk->kept.hot.at[i].is_of_group)
      walk->kept.hot.at[kept++] = walk->kept.hot.at[i];
  walk->kept.hot.count = kept;
}

void gmem_walk_keep(gmem_walk_t *walk, uint32_t value, uint32_t op) {
  GMEM_APPEND(walk->arena, &walk->kept.held,
              (gmem_walk_hot_t){.bytes = gmem_walk_value(walk, value)->bytes,
                                .op = op,
                                .value = value,
                                .is_held = true});
}

static int compare_held(const void *left, const void *right) {
  const gmem_walk_hot_t *a = left, *b = right;
  int order = gmem_walk_compare_ranges(&a->bytes, &b->bytes);
  if (order == 0)
    order = (a->value > b->value) - (a->value < b->value);
  return order ? order : (a->op > b->op) - (a->op < b->op);
}

void gmem_walk_sort_kept(gmem_walk_t *walk) {
  uint64_t reach = 0;
  if (walk->kept.held.count)
    qsort(walk->kept.held.at, walk->kept.held.count, sizeof *walk->kept.held.at,
          compare_held);
  for (size_t i = 0; i < walk->kept.held.count; ++i) {
    gmem_walk_hot_t *held = &walk->kept.held.at[i];
    reach = held->bytes.end > reach ? held->bytes.end : reach;
    held->reach = reach;
  }
}

void gmem_walk_pin(gmem_walk_t *walk, uint32_t value, const char *what) {
  gmem_proof_set_t set =
      value == GMEM_NO_INDEX ? (gmem_proof_set_t){0} : walk->memory.of[value];
  for (uint32_t i = 0; i < set.count; ++i) {
    const gmem_proof_name_t *name =
        gmem_proof_name_at(&walk->memory, set.at[i]);
    if (name || set.at[i] < walk->memory.value_count)
      walk->memory.is_of_block[name ? name->value : set.at[i]] = false;
  }
  if (walk->is_checked && value != GMEM_NO_INDEX)
    GMEM_APPEND(walk->arena, &walk->kept.pins,
                (gmem_walk_pin_t){value, walk->kept.position, false, what});
}

void gmem_walk_pin_input(gmem_walk_t *walk, uint32_t input) {
  size_t count = walk->kept.pins.count;
  gmem_walk_pin(walk, input, "returns after an op modified");
  if (walk->kept.pins.count > count)
    walk->kept.pins.at[count].is_input = true;
}

// Whether all ways to return |op| make |value|: elsewhere, a state has what one
// of several ways has made.
static bool is_always_made(const gmem_walk_t *walk, uint32_t value,
                           uint32_t op) {
  uint32_t block = gmem_walk_value(walk, value)->block;
  const gmem_proof_op_t *end = gmem_walk_op(walk, op);
  const gmem_proof_function_t *function =
      &walk->program->functions.at[end->function];
  return block == end->block ||
         block == walk->program->regions.at[function->region].first_block;
}

bool gmem_walk_has_newer(gmem_walk_t *walk, uint32_t op,
                         const gmem_walk_pin_t *pin) {
  gmem_proof_range_t bytes = gmem_walk_value(walk, pin->value)->bytes;
  if (!pin->is_input)
    return false;
  gmem_proof_list(&walk->store, &walk->state, bytes);
  for (size_t i = 0; i < walk->store.found.count; ++i) {
    const gmem_proof_entry_t *entry = &walk->store.found.at[i];
    if (entry->id < walk->program->values.count &&
        entry->begin == bytes.begin && entry->end == bytes.end &&
        gmem_walk_origin(walk, entry->id) == pin->value &&
        is_always_made(walk, entry->id, op))
      return true;
  }
  return false;
}

void gmem_walk_pin_inputs(gmem_walk_t *walk, uint32_t value) {
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    uint32_t id = walk->now.ids.at[i];
    if (id >= walk->program->values.count)
      continue;
    const gmem_proof_value_t *owner = gmem_walk_value(walk, id);
    const gmem_proof_function_t *function =
        &walk->program->functions.at[owner->function];
    bool is_input =
        owner->op == GMEM_NO_INDEX
            ? gmem_proof_is_argument(walk->program, owner)
            : gmem_walk_op(walk, owner->op)->model->kind == GMEM_OP_INPUT;
    if (is_input && function->mentions == 0)
      gmem_walk_pin_input(walk, id);
  }
}
