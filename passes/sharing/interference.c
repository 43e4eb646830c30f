// interference.c - which results may lie over operands, and what control
// flow hands on in its own place, by when both are live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two classes that share all bytes must be live together only where an op turns
// one into the other. Several ops can do so for the same two: in
//
//   loop(%v) { %r = relu(%v); yield %r }
//
// %r is written over %v, and then handed to it, so they meet twice. And what an
// op does is done in each context of its function.

#include "interference.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "happens_before.h"
#include "live_ranges.h"
#include "sharing_finder.h"

// An alias of one of the kinds that end a life.
typedef struct meeting_s {
  uint32_t low, high; // classes
  int64_t begin, end; // when they may meet, on the timeline
  uint32_t alias;
} meeting_t;

static uint32_t set_of(const gmem_sharing_finder_t *finder, uint32_t value) {
  return finder->liveness->set_of[value];
}

static bool ends_a_life(const gmem_alias_t *alias) {
  return alias->kind == GMEM_SHARE_INPLACE ||
         alias->kind == GMEM_SHARE_DESTINATION ||
         alias->kind == GMEM_SHARE_TRANSFER;
}

typedef struct meetings_s {
  meeting_t *at;
  size_t count, room;
  gmem_ranges_t times; // of the alias at hand
} meetings_t;

// Adds the meetings of alias |index|, one for each context. Returns whether
// there was memory.
static bool add_meetings(const gmem_sharing_finder_t *finder, uint32_t index,
                         meetings_t *meetings) {
  const gmem_alias_t *alias = &finder->aliases->aliases[index];
  uint32_t child = set_of(finder, alias->child);
  uint32_t parent = set_of(finder, alias->parent);
  gmem_ranges_t *times = &meetings->times;
  times->count = 0;
  gmem_contexts_add_steps(
      finder->liveness->contexts,
      gmem_program_function_at(finder->program, alias->begin), alias->begin,
      alias->end, times);
  for (size_t i = 0; i < times->count; ++i) {
    if (!gmem_bump_grow(finder->arena, &meetings->at, meetings->count,
                        &meetings->room, sizeof *meetings->at))
      return false;
    meetings->at[meetings->count++] =
        (meeting_t){.low = child < parent ? child : parent,
                    .high = child < parent ? parent : child,
                    .begin = times->data[i].begin,
                    .end = times->data[i].end,
                    .alias = index};
  }
  return !times->out_of_memory;
}

static int compare(const void *a, const void *b) {
  const meeting_t *left = a, *right = b;
  if (left->low != right->low)
    return left->low < right->low ? -1 : 1;
  if (left->high != right->high)
    return left->high < right->high ? -1 : 1;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->alias > right->alias) - (left->alias < right->alias);
}

//===--- when two classes are live together -------------------------------===//

// Whether steps [begin, end) are all among those of |count| meetings, sorted
// by their beginning. |*next|: the first that was not behind the steps before.
static bool is_covered(const meeting_t *meetings, size_t count, size_t *next,
                       int64_t begin, int64_t end) {
  while (*next < count && meetings[*next].end <= begin)
    ++*next;
  for (size_t i = *next; i < count && meetings[i].begin <= begin; ++i) {
    if (meetings[i].end > begin)
      begin = meetings[i].end;
    if (begin >= end)
      return true;
  }
  return false;
}

// Whether the two classes of the meetings are live together there alone.
static bool meet_nowhere_else(const gmem_sharing_finder_t *finder,
                              const meeting_t *meetings, size_t count) {
  const gmem_alias_set_t *few = &finder->liveness->sets[meetings->low];
  const gmem_alias_set_t *many = &finder->liveness->sets[meetings->high];
  if (few->range_count > many->range_count) {
    const gmem_alias_set_t *other = few;
    few = many;
    many = other;
  }
  size_t next = 0;
  for (size_t i = 0; i < few->range_count; ++i) {
    gmem_live_range_t range = few->ranges[i];
    for (size_t k = gmem_first_range_after(many->ranges, many->range_count,
                                           range.begin);
         k < many->range_count && many->ranges[k].begin < range.end; ++k) {
      gmem_live_range_t other = many->ranges[k];
      int64_t begin = range.begin > other.begin ? range.begin : other.begin;
      int64_t end = range.end < other.end ? range.end : other.end;
      if (!is_covered(meetings, count, &next, begin, end))
        return false;
    }
  }
  return true;
}

//===--- results that nobody reads ----------------------------------------===//

static bool is_live_at(const gmem_sharing_finder_t *finder, uint32_t set,
                       int64_t time) {
  const gmem_alias_set_t *entry = &finder->liveness->sets[set];
  size_t first =
      gmem_first_range_after(entry->ranges, entry->range_count, time);
  return first < entry->range_count && entry->ranges[first].begin <= time;
}

// The result 0 of |op| if it is of the class: a reshape.
static MlirValue view_of(const gmem_sharing_finder_t *finder, MlirOperation op,
                         uint32_t set) {
  MlirValue none = {NULL};
  if (mlirOperationGetNumResults(op) == 0)
    return none;
  MlirValue result = mlirOperationGetResult(op, 0);
  uint32_t view = gmem_finder_tensor(finder, result);
  return view != GMEM_NO_INDEX && set_of(finder, view) == set ? result : none;
}

// Whether |op| is the last that reads the argument |value| of its own block, as
// itself or through reshapes: whatever runs then, it is another value when it
// is read again.
static bool reads_last(const gmem_sharing_finder_t *finder, MlirOperation op,
                       MlirValue value) {
  enum { MOST_VIEWS = 16 };
  MlirValue views[MOST_VIEWS] = {value};
  uint32_t set = set_of(finder, gmem_finder_tensor(finder, value));
  uint64_t reads = 1; // as the class counts them: it is made
  int count = 1;
  for (int i = 0; i < count; ++i) {
    uint32_t index = gmem_finder_tensor(finder, views[i]);
    reads += finder->liveness->live_values[index].uses;
    for (MlirOpOperand use = mlirValueGetFirstUse(views[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      MlirValue view = view_of(finder, user, set);
      if (!mlirBlockEqual(mlirOperationGetBlock(user),
                          mlirOperationGetBlock(op)) ||
          mlirOperationIsBeforeInBlock(op, user) ||
          (view.ptr && count == MOST_VIEWS))
        return false;
      if (view.ptr)
        views[count++] = view;
    }
  }
  // All that read it have been seen.
  return reads == finder->liveness->sets[set].uses;
}

// Whether the operand of meeting |over| is live behind its op only because one
// of the |count| meetings hands the result to it there. They are sorted by
// their beginning.
static bool is_handed_over(const gmem_sharing_finder_t *finder,
                           const meeting_t *meetings, size_t count,
                           size_t over) {
  const gmem_alias_t *written = &finder->aliases->aliases[meetings[over].alias];
  uint32_t set = set_of(finder, written->parent);
  MlirOperation op = finder->program->ops[written->op].op;
  int64_t end = meetings[over].end;
  for (size_t i = over; i < count && meetings[i].begin <= end; ++i) {
    const gmem_alias_t *alias = &finder->aliases->aliases[meetings[i].alias];
    MlirValue to = finder->program->values[alias->parent].value;
    if (alias->kind == GMEM_SHARE_TRANSFER && meetings[i].begin == end &&
        set_of(finder, alias->parent) == set && mlirValueIsABlockArgument(to) &&
        mlirBlockEqual(mlirBlockArgumentGetOwner(to),
                       mlirOperationGetBlock(op)))
      return reads_last(finder, op, to);
  }
  return false;
}

// Whether the operand of an op is not wanted behind it. A result that nobody
// reads is written all the same, and so destroys it.
static bool operand_dies(const gmem_sharing_finder_t *finder,
                         const meeting_t *meetings, size_t count,
                         size_t index) {
  const gmem_alias_t *alias = &finder->aliases->aliases[meetings[index].alias];
  uint32_t operand = set_of(finder, alias->parent);
  return !is_live_at(finder, operand, meetings[index].end) ||
         is_handed_over(finder, meetings, count, index);
}

// Whether the class may be there only because something is written to it.
static bool may_be_unread(const gmem_sharing_finder_t *finder, uint32_t set) {
  const gmem_alias_set_t *entry = &finder->liveness->sets[set];
  return !entry->is_lasting || entry->uses <= 1; // one for each that is written
}

// Whether what else is written to the target leaves the source alone. If the
// target is read they are then live together elsewhere, too; else the source
// must die, which the text alone says of results only.
static bool source_is_safe(const gmem_sharing_finder_t *finder,
                           const meeting_t *meeting) {
  const gmem_alias_t *alias = &finder->aliases->aliases[meeting->alias];
  return !may_be_unread(finder, set_of(finder, alias->parent)) ||
         (finder->program->values[alias->parent].op != GMEM_NO_INDEX &&
          !is_live_at(finder, set_of(finder, alias->child), meeting->end));
}

//===--- streams ----------------------------------------------------------===//

// Whether two classes must not share bytes by the alias because of streams.
// What is written over must be used by nobody any more. A part and its whole
// have the same contents, and the op between them writes nothing; but that
// cannot be said of two that are related by others, and what a stream may still
// use behind its block may be made again there.
static bool is_forbidden(const gmem_sharing_finder_t *finder,
                         const gmem_alias_t *alias) {
  const gmem_happens_before_t *order = finder->liveness->order;
  uint32_t child = set_of(finder, alias->child);
  uint32_t parent = set_of(finder, alias->parent);
  if (!order)
    return false;
  bool is_direct = !ends_a_life(alias) && alias->operand != GMEM_NO_INDEX;
  if (!is_direct && gmem_stream_pair_of(order, child, parent))
    return true;
  return !ends_a_life(alias) &&
         (order->is_open[child] || order->is_open[parent]);
}

//===--- all --------------------------------------------------------------===//

static bool are_legal(const gmem_sharing_finder_t *finder,
                      const meeting_t *meetings, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_t *alias = &finder->aliases->aliases[meetings[i].alias];
    bool is_safe = alias->kind == GMEM_SHARE_TRANSFER
                       ? source_is_safe(finder, &meetings[i])
                       : operand_dies(finder, meetings, count, i);
    if (!is_safe)
      return false;
  }
  return meet_nowhere_else(finder, meetings, count);
}

// Without those that are refused.
static void compact(gmem_aliases_t *list, const bool *is_refused) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; ++i)
    if (!is_refused[i])
      list->aliases[kept++] = list->aliases[i];
  list->count = kept;
}

gmem_status_t gmem_refuse_other_meetings(gmem_sharing_finder_t *finder) {
  gmem_aliases_t *list = finder->aliases;
  meetings_t all = {.times = {.arena = finder->arena}};
  bool *is_refused = gmem_bump_alloc(finder->arena, list->count, sizeof(bool));
  if (!is_refused)
    return gmem_out_of_memory(finder->diag);
  for (uint32_t i = 0; i < list->count; ++i) {
    is_refused[i] = is_forbidden(finder, &list->aliases[i]);
    if (ends_a_life(&list->aliases[i]) && !add_meetings(finder, i, &all))
      return gmem_out_of_memory(finder->diag);
  }
  if (all.count)
    qsort(all.at, all.count, sizeof *all.at, compare);
  meeting_t *meetings = all.at;
  size_t count = all.count;
  for (size_t first = 0, next; first < count; first = next) {
    for (next = first + 1; next < count &&
                           meetings[next].low == meetings[first].low &&
                           meetings[next].high == meetings[first].high;)
      ++next;
    if (!are_legal(finder, &meetings[first], next - first))
      for (size_t i = first; i < next; ++i)
        is_refused[meetings[i].alias] = true;
  }
  compact(list, is_refused);
  return GMEM_OK;
}
