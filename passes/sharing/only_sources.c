// only_sources.c - see only_sources.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// If all that control flow brings to %b is %a, both have the same contents
// wherever both are live, and may share bytes however long that is:
//
//   %a = op()
//   while { condition(%a) } do { ^bb(%b): use(%b) }
//   use(%a)
//
// In SSA form the definition of %a dominates each transfer to %b, and one of
// these is on every path to a use of %b. So %b is not live where %a is defined
// anew, except in code that is not reached: "values interfere if they are live
// together with different contents"
// (Boissinot et al., "Revisiting Out-of-SSA Translation for Correctness, Code
// Quality and Efficiency", CGO 2009).

#include "only_sources.h"

typedef struct finder_s {
  const gmem_liveness_t *liveness;
  const gmem_program_t *program;
  int64_t *writes;   // by value: accesses by control flow that are no transfer
  uint32_t *sources; // by alias set: GMEM_NO_INDEX: several; its own: none
} finder_t;

static const gmem_ir_region_t *home_of(const finder_t *finder, uint32_t value) {
  return gmem_region_of(finder->program, finder->program->values[value].block);
}

// Whether nothing but control flow writes |value|, in the order of the text.
static bool is_only_copied_to(const finder_t *finder, uint32_t value) {
  const gmem_program_facts_t *facts = finder->liveness->facts;
  const gmem_value_t *entry = &finder->program->values[value];
  uint32_t region = finder->program->blocks[entry->block].region;
  bool is_ordered = !facts->uses.unordered[region];
  if (entry->op != GMEM_NO_INDEX)
    return is_ordered && gmem_flow_is_exact(facts->flow.flows[entry->op]) &&
           facts->flow.flows[entry->op] != GMEM_FLOW_CALL;
  return is_ordered && !(home_of(finder, value)->owner == GMEM_NO_INDEX &&
                         finder->program->blocks[entry->block].number == 0);
}

// Whether the transfer is from one value of a function to another, and runs
// once, as a whole.
static bool is_plain(const finder_t *finder, const gmem_transfer_t *transfer) {
  const gmem_program_op_t *op = &finder->program->ops[transfer->op];
  const gmem_ir_region_t *from = home_of(finder, transfer->from);
  return from->function == home_of(finder, transfer->to)->function &&
         op->group == GMEM_NO_GROUP && !op->parallel && !op->deferred;
}

static void add_transfer(finder_t *finder, const gmem_transfer_t *transfer) {
  const gmem_liveness_t *liveness = finder->liveness;
  uint32_t from = liveness->set_of[transfer->from];
  uint32_t to = liveness->set_of[transfer->to];
  --finder->writes[transfer->from];
  --finder->writes[transfer->to];
  if (to == GMEM_NO_INDEX || from == to)
    return;
  uint32_t *source = &finder->sources[to];
  bool is_right =
      from != GMEM_NO_INDEX && (*source == to || *source == from) &&
      !liveness->sets[from].is_written && !liveness->sets[to].is_written &&
      liveness->sets[to].root == transfer->to && is_plain(finder, transfer) &&
      is_only_copied_to(finder, transfer->to);
  *source = is_right ? from : GMEM_NO_INDEX;
}

// Whether |set| is live where its source is defined.
static bool outlives_source(const finder_t *finder, uint32_t set) {
  const gmem_program_t *program = finder->program;
  uint32_t source = finder->liveness->sets[finder->sources[set]].root;
  const gmem_program_op_t *op = gmem_defining_op(program, source);
  int64_t begin =
      op ? op->begin : program->blocks[program->values[source].block].begin;
  int64_t last = op ? op->end - 1 : begin;
  return gmem_alias_set_is_live_at(finder->liveness, set, begin) ||
         gmem_alias_set_is_live_at(finder->liveness, set, last);
}

gmem_status_t gmem_only_sources_find(const gmem_liveness_t *liveness,
                                     gmem_bump_t *arena, uint32_t **out_sources,
                                     gmem_diag_t *diag) {
  const gmem_control_flow_t *flow = &liveness->facts->flow;
  finder_t finder = {.liveness = liveness, .program = liveness->program};
  GMEM_TRY_ALLOC(finder.writes, arena, liveness->program->value_count, diag);
  GMEM_TRY_ALLOC(finder.sources, arena, liveness->set_count, diag);
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    finder.sources[i] = i;
  for (size_t i = 0; i < flow->accesses.count; ++i)
    ++finder.writes[flow->accesses.at[i].value];
  for (size_t i = 0; i < flow->transfers.count; ++i)
    add_transfer(&finder, &flow->transfers.at[i]);
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    if (finder.sources[i] == i || finder.writes[liveness->sets[i].root] ||
        (finder.sources[i] != GMEM_NO_INDEX && outlives_source(&finder, i)))
      finder.sources[i] = GMEM_NO_INDEX;
  *out_sources = finder.sources;
  return GMEM_OK;
}
