// memref_coalescing.c - roots of which there is never more than one at a time:
// what the arms of a branch allocate and hand on as one memref, or one
// iteration of a loop and what is before the loop. They can be at one place,
// although both may be live, by the same name, at one step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two roots take turns when at no time two memrefs are live of which the one
// may be the one root and the other the other. A memref and its views are one
// here. Where control flow hands one memref on as another, both are live at
// that step but what is in the one is what goes to the other.

#include "memref_coalescing.h"

#include <stdlib.h>

#include "ir_reading.h"
#include "memref_alignment.h"
#include "memref_analysis.h"
#include "memref_liveness.h"
#include "vocabulary.h"

// Roots with more are not looked at, nor beyond so many others.
enum {
  MOST_VALUES = 64,
  MOST_USES = 4096,
  MOST_SPANS = 128,
  MOST_HANDED = 128,
  MOST_TRIES = 4,
  MOST_PLACED = 16
};

// Which of two roots a memref may be.
enum { IS_LEFT = 1, IS_RIGHT = 2 };

typedef struct span_s {
  int64_t begin, end; // on the timeline
  uint32_t base;      // value that it is a view of, or itself
  uint8_t is;         // IS_LEFT or IS_RIGHT, or both
} span_t;

typedef struct handed_s {
  uint32_t from, to; // bases
  int64_t time;      // on the timeline
} handed_t;

typedef struct turns_s {
  gmem_memref_analysis_t *finder;
  uint32_t *first_handed; // by value: of the transfers from it, and those from
  uint32_t *handed_on;    //   the next end: transfers
  uint32_t *latest;       // by value: the latest root that may be it, + 1
  uint32_t *last_of;      // by root: the last one at the same place
  uint32_t *previous;     // by root: the one before at the same place, or
                          //   GMEM_NO_INDEX
  uint8_t *is;            // by value: of the pair at hand
  span_t spans[MOST_SPANS];
  size_t span_count;
  handed_t handed[MOST_HANDED];
  size_t handed_count;
  bool is_too_much;
} turns_t;

//===--- what is handed on ------------------------------------------------===//

// Sorts the transfers by where they come from, by counting: many may go to one
// memref, and few of those are of the roots at hand.
static bool list_handed(turns_t *turns) {
  const gmem_memref_analysis_t *finder = turns->finder;
  const gmem_control_flow_t *control = finder->control;
  size_t count = finder->program->value_count;
  turns->first_handed =
      gmem_bump_alloc(finder->arena, count + 1, sizeof(uint32_t));
  turns->handed_on =
      gmem_bump_alloc(finder->arena, control->transfer_count, sizeof(uint32_t));
  if (!turns->first_handed || !turns->handed_on)
    return false;
  for (size_t i = 0; i < control->transfer_count; ++i)
    ++turns->first_handed[control->transfers[i].from];
  uint32_t total = 0;
  for (size_t i = 0; i <= count; ++i)
    turns->first_handed[i] = total += turns->first_handed[i];
  for (uint32_t i = (uint32_t)control->transfer_count; i-- > 0;)
    turns->handed_on[--turns->first_handed[control->transfers[i].from]] = i;
  return true;
}

// What |value| is a view of.
static uint32_t base_of(const gmem_program_t *program, uint32_t value) {
  for (;;) {
    uint32_t op = program->values[value].op;
    if (op == GMEM_NO_INDEX || program->ops[op].kind != GMEM_OP_VIEW ||
        !mlirOperationGetNumOperands(program->ops[op].op))
      return value;
    uint32_t shown = gmem_memref_of(
        program, mlirOperationGetOperand(program->ops[op].op, 0));
    if (shown == GMEM_NO_INDEX || shown >= value)
      return value;
    value = shown;
  }
}

// Adds when |transfer|, of what may be one of the roots, arrives. What it goes
// to may be that root, too.
static void add_handed(turns_t *turns, const gmem_transfer_t *transfer) {
  const gmem_memref_analysis_t *finder = turns->finder;
  size_t count;
  uint32_t function = gmem_program_function_at(finder->program, transfer->time);
  const uint32_t *contexts =
      gmem_contexts_of(finder->contexts, function, &count);
  for (size_t i = 0; i < count && !turns->is_too_much; ++i) {
    turns->is_too_much = turns->handed_count == MOST_HANDED;
    if (!turns->is_too_much)
      turns->handed[turns->handed_count++] = (handed_t){
          base_of(finder->program, transfer->from),
          base_of(finder->program, transfer->to),
          gmem_context_time(finder->contexts, contexts[i], transfer->time)};
  }
}

//===--- one pair ---------------------------------------------------------===//

// Marks what |root| may be seen as, or takes the marks away.
static void mark(turns_t *turns, const gmem_allocation_site_t *root,
                 uint8_t bits, bool is_set) {
  for (size_t i = 0; i < root->seen_count; ++i) {
    uint8_t *is = &turns->is[root->seen_as[i]];
    *is = is_set ? (uint8_t)(*is | bits) : 0;
  }
}

// Adds when |value| is live: what is only |root|, without its cuts.
static void add_spans(turns_t *turns, uint32_t value) {
  gmem_memref_analysis_t *finder = turns->finder;
  uint8_t is = turns->is[value];
  finder->ranges.count = 0;
  gmem_memref_add_value(finder, value, is != (IS_LEFT | IS_RIGHT));
  gmem_ranges_normalise(&finder->ranges);
  for (size_t i = 0; i < finder->ranges.count && !turns->is_too_much; ++i) {
    turns->is_too_much = turns->span_count == MOST_SPANS;
    if (!turns->is_too_much)
      turns->spans[turns->span_count++] =
          (span_t){finder->ranges.data[i].begin, finder->ranges.data[i].end,
                   base_of(finder->program, value), is};
  }
}

// Adds all that |root| may be seen as, but for what has been added with the
// other root.
static bool add_root(turns_t *turns, const gmem_allocation_site_t *root,
                     bool has_both) {
  gmem_memref_analysis_t *finder = turns->finder;
  if (!gmem_memref_find_cuts(finder, root))
    return false;
  for (size_t i = 0; i < root->seen_count; ++i) {
    uint32_t value = root->seen_as[i];
    if (turns->is[value] == (IS_LEFT | IS_RIGHT) && !has_both)
      continue;
    add_spans(turns, value);
    for (uint32_t t = turns->first_handed[value];
         t < turns->first_handed[value + 1]; ++t)
      add_handed(turns, &finder->control->transfers[turns->handed_on[t]]);
  }
  return !finder->ranges.out_of_memory;
}

static bool is_handed(const turns_t *turns, uint32_t a, uint32_t b,
                      int64_t time) {
  for (size_t i = 0; i < turns->handed_count; ++i) {
    const handed_t *handed = &turns->handed[i];
    if (handed->time == time && ((handed->from == a && handed->to == b) ||
                                 (handed->from == b && handed->to == a)))
      return true;
  }
  return false;
}

// Whether two memrefs may be both roots at once.
static bool clash(const turns_t *turns, const span_t *a, const span_t *b) {
  int64_t begin = a->begin > b->begin ? a->begin : b->begin;
  int64_t end = a->end < b->end ? a->end : b->end;
  bool is_one = (a->is | b->is) != (IS_LEFT | IS_RIGHT);
  if (begin >= end || is_one || a->base == b->base)
    return false;
  return end - begin > 1 || !is_handed(turns, a->base, b->base, begin);
}

// Sets *out_turn to whether |left| and |right| take turns. Returns whether
// there was memory.
static bool judge_pair(turns_t *turns, const gmem_allocation_site_t *left,
                       const gmem_allocation_site_t *right, bool *out_turn) {
  turns->span_count = turns->handed_count = 0;
  turns->is_too_much = false;
  mark(turns, left, IS_LEFT, true);
  mark(turns, right, IS_RIGHT, true);
  bool is_fine = add_root(turns, left, true) && add_root(turns, right, false);
  mark(turns, left, 0, false);
  mark(turns, right, 0, false);
  *out_turn = is_fine && !turns->is_too_much;
  for (size_t i = 0; i < turns->span_count && *out_turn; ++i)
    for (size_t k = 0; k < i && *out_turn; ++k)
      *out_turn = !clash(turns, &turns->spans[i], &turns->spans[k]);
  return is_fine;
}

//===--- all roots --------------------------------------------------------===//

static MlirAttribute alignment_of(const gmem_memref_analysis_t *finder,
                                  const gmem_allocation_site_t *root) {
  return gmem_op_attribute(
      finder->program->ops[finder->program->values[root->value].op].op,
      "alignment");
}

// Whether the root is used, and handed on, in few places and few contexts, so
// that a pair is judged in no time.
static bool is_simple(const turns_t *turns,
                      const gmem_allocation_site_t *root) {
  const gmem_memref_analysis_t *finder = turns->finder;
  const uint32_t *first_user = finder->uses->first_user;
  size_t uses = 0, handed = 0, spans = 0;
  for (size_t i = 0; i < root->seen_count; ++i) {
    uint32_t value = root->seen_as[i];
    size_t contexts;
    gmem_contexts_of(finder->contexts,
                     gmem_value_function(finder->program, value), &contexts);
    uses += first_user[value + 1] - first_user[value];
    handed += turns->first_handed[value + 1] - turns->first_handed[value];
    spans += finder->live_values[value].range_count * contexts;
  }
  return uses <= MOST_USES && handed <= MOST_HANDED && spans <= MOST_SPANS;
}

// Whether the root can be at one place with others, as far as that depends on
// it alone.
static bool may_take_turns(const turns_t *turns,
                           const gmem_allocation_site_t *root) {
  const gmem_memref_analysis_t *finder = turns->finder;
  const gmem_op_t *op =
      &finder->program->ops[finder->program->values[root->value].op];
  return root->reason == GMEM_MEMREF_PLANNED && !root->is_shared &&
         root->seen_count > 1 && root->seen_count <= MOST_VALUES &&
         is_simple(turns, root) && !op->hold &&
         mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
             op->op, gmem_attr_name(GMEM_ATTR_FIXED)));
}

static bool are_alike(const gmem_memref_analysis_t *finder,
                      const gmem_allocation_site_t *left,
                      const gmem_allocation_site_t *right) {
  const gmem_value_t *values = finder->program->values;
  return values[left->value].size == values[right->value].size &&
         mlirTypeEqual(mlirValueGetType(values[left->value].value),
                       mlirValueGetType(values[right->value].value)) &&
         mlirAttributeEqual(alignment_of(finder, left),
                            alignment_of(finder, right)) &&
         gmem_alignment_assumed(values[left->value].value) ==
             gmem_alignment_assumed(values[right->value].value);
}

// Puts root |index| where root |other| is, if it takes turns with all that are
// there.
static bool try_place(turns_t *turns, uint32_t index, uint32_t other) {
  gmem_allocation_site_t *roots = turns->finder->memrefs->roots;
  uint32_t first = (uint32_t)gmem_allocation_sites_from(turns->finder->memrefs,
                                                        roots[other].place);
  int tries = 0;
  for (uint32_t at = turns->last_of[first]; at != GMEM_NO_INDEX;
       at = turns->previous[at]) {
    bool takes_turns = false;
    if (++tries > MOST_PLACED ||
        !are_alike(turns->finder, &roots[at], &roots[index]))
      return true;
    if (!judge_pair(turns, &roots[at], &roots[index], &takes_turns))
      return false;
    if (!takes_turns)
      return true;
  }
  roots[index].place = roots[other].place;
  turns->previous[index] = turns->last_of[first];
  turns->last_of[first] = index;
  return true;
}

// Looks for a place among those of the roots that are seen as the same
// memrefs.
static bool find_place(turns_t *turns, uint32_t index) {
  gmem_allocation_site_t *roots = turns->finder->memrefs->roots;
  gmem_allocation_site_t *root = &roots[index];
  uint32_t tried = 0;
  int tries = 0;
  for (size_t i = 0;
       i < root->seen_count && tries < MOST_TRIES && root->place == root->value;
       ++i) {
    uint32_t other = turns->latest[root->seen_as[i]];
    if (other == 0 || other == tried)
      continue;
    tried = other;
    ++tries;
    if (!try_place(turns, index, other - 1))
      return false;
  }
  for (size_t i = 0; i < root->seen_count; ++i)
    turns->latest[root->seen_as[i]] = index + 1;
  return true;
}

bool gmem_memref_coalesce(gmem_memref_analysis_t *finder) {
  const gmem_memrefs_t *memrefs = finder->memrefs;
  gmem_bump_t *arena = finder->arena;
  size_t values = finder->program->value_count, roots = memrefs->root_count;
  turns_t *turns = gmem_bump_alloc(arena, 1, sizeof *turns);
  if (!turns)
    return false;
  *turns =
      (turns_t){.finder = finder,
                .latest = gmem_bump_alloc(arena, values, sizeof(uint32_t)),
                .last_of = gmem_bump_alloc(arena, roots, sizeof(uint32_t)),
                .previous = gmem_bump_alloc(arena, roots, sizeof(uint32_t)),
                .is = gmem_bump_alloc(arena, values, sizeof(uint8_t))};
  if (!turns->latest || !turns->last_of || !turns->previous || !turns->is ||
      !list_handed(turns))
    return false;
  for (uint32_t i = 0; i < roots; ++i) {
    turns->last_of[i] = i;
    turns->previous[i] = GMEM_NO_INDEX;
  }
  for (uint32_t i = 0; i < roots; ++i)
    if (may_take_turns(turns, &memrefs->roots[i]) && !find_place(turns, i))
      return false;
  return true;
}
