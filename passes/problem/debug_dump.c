// debug_dump.c - see debug_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug_dump.h"

#include <inttypes.h>
#include <string.h>

#include "liveness_dump.h"
#include "pass_options.h"
#include "planner_problem.h"
#include "pools_dump.h"
#include "program_dump.h"
#include "sharing_dump.h"

//===--- debug=problem ----------------------------------------------------===//

static void dump_buffer(const gmem_problem_t *problem, uint32_t index,
                        gmem_text_t *text) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, index);
  gmem_text_print(text,
                  "buffer %u: %s, %" PRIu64 " bytes, alignment %" PRIu64
                  ", %" PRIu64 " uses, pools",
                  index, spec->name, spec->size, spec->alignment, spec->uses);
  for (size_t i = 0; i < spec->pool_count; ++i)
    gmem_text_print(text, " %u", spec->pools[i]);
  if (spec->has_fixed_offset)
    gmem_text_print(text, ", fixed at %" PRIu64, spec->fixed_offset);
  gmem_text_print(text, ", times");
  for (size_t i = 0; i < spec->range_count; ++i)
    gmem_dump_range(text, spec->ranges[i].begin, spec->ranges[i].end);
  gmem_text_print(text, "\n");
}

static void dump_problem(const gmem_problem_t *problem, gmem_text_t *text) {
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
    const gmem_pool_spec_t *pool = gmem_problem_pool(problem, i);
    gmem_text_print(text, "pool %u: '%s', alignment %" PRIu64, i, pool->name,
                    pool->alignment);
    if (pool->capacity != GMEM_UNLIMITED)
      gmem_text_print(text, ", capacity %" PRIu64, pool->capacity);
    gmem_text_print(text, "\n");
  }
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    dump_buffer(problem, i, text);
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    gmem_text_print(text, "buffer %u %s at byte %" PRIu64 " of buffer %u\n",
                    alias->child, alias->is_optional ? "may be" : "is",
                    alias->offset, alias->parent);
  }
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t low, high;
    gmem_problem_conflict(problem, i, &low, &high);
    gmem_text_print(text, "buffers %u and %u share no bytes\n", low, high);
  }
}

// Builds the problem of |part| and appends it, or why it cannot be built.
static void dump_problem_of(const gmem_problem_part_t *part,
                            const gmem_pool_spec_t *pools, gmem_text_t *text) {
  gmem_problem_t *problem;
  gmem_diag_t diag;
  if (gmem_planner_problem(part, pools, &problem, &diag) == GMEM_OK)
    dump_problem(problem, text);
  else
    gmem_text_print(text, "no problem: %s\n", diag.text);
  gmem_problem_destroy(problem);
}

//===--- phases -----------------------------------------------------------===//

// Whether |phase| is one of |phases|; appends its title.
static bool has_phase(uint32_t phases, gmem_debug_t phase, gmem_text_t *text) {
  if (phases & phase)
    gmem_text_print(text, "== %s\n", gmem_debug_name(phase));
  return phases & phase;
}

gmem_status_t gmem_debug_dump(const gmem_problem_part_t *part,
                              const gmem_pool_spec_t *pools, uint32_t phases,
                              gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = part->analysis;
  gmem_text_t text = {.arena = analysis->arena};
  if (has_phase(phases, GMEM_DEBUG_PROGRAM, &text))
    gmem_program_dump(&analysis->facts, &text);
  if (has_phase(phases, GMEM_DEBUG_LIVENESS, &text))
    gmem_liveness_dump(&analysis->liveness, &text);
  if (has_phase(phases, GMEM_DEBUG_SHARING, &text))
    gmem_sharing_dump(&analysis->liveness, &analysis->constraints.aliases,
                      &text);
  if (has_phase(phases, GMEM_DEBUG_POOLS, &text))
    gmem_pools_dump(&analysis->constraints, analysis->liveness.set_count,
                    &text);
  if (has_phase(phases, GMEM_DEBUG_PROBLEM, &text))
    dump_problem_of(part, pools, &text);
  const char *bytes = gmem_text_get(&text);
  if (!bytes)
    return gmem_out_of_memory(diag);
  gmem_print(bytes, strlen(bytes));
  return GMEM_OK;
}
