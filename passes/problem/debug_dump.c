// debug_dump.c - see debug_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug_dump.h"

#include <string.h>

#include "liveness_dump.h"
#include "mlir_seam.h"
#include "pass_options.h"
#include "pools_dump.h"
#include "problem_dump.h"
#include "program_dump.h"
#include "sharing_dump.h"

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
    gmem_pools_dump(&analysis->liveness, &analysis->workbuffers,
                    &analysis->constraints, &text);
  if (has_phase(phases, GMEM_DEBUG_PROBLEM, &text))
    gmem_problem_dump(part, pools, &text);
  const char *bytes = gmem_text_get(&text);
  if (!bytes)
    return gmem_out_of_memory(diag);
  gmem_print(bytes, strlen(bytes));
  return GMEM_OK;
}
