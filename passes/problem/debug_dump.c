// debug_dump.c - see debug_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug_dump.h"

#include <string.h>

#include "liveness_dump.h"
#include "mlir_seam.h"
#include "pass_options.h"
#include "program_dump.h"
#include "sharing_dump.h"
#include "text.h"

static void dump_program(const gmem_analysis_t *analysis, gmem_text_t *text) {
  gmem_program_dump(&analysis->facts, text);
}

static void dump_liveness(const gmem_analysis_t *analysis, gmem_text_t *text) {
  gmem_liveness_dump(&analysis->liveness, text);
}

static void dump_sharing(const gmem_analysis_t *analysis, gmem_text_t *text) {
  gmem_sharing_dump(&analysis->liveness, &analysis->constraints.aliases, text);
}

// In the order of the phases.
static const struct {
  gmem_debug_t phase;
  void (*dump)(const gmem_analysis_t *analysis, gmem_text_t *text);
} dumps[] = {
    {GMEM_DEBUG_PROGRAM, dump_program},
    {GMEM_DEBUG_LIVENESS, dump_liveness},
    {GMEM_DEBUG_SHARING, dump_sharing},
};

gmem_status_t gmem_debug_dump(const gmem_analysis_t *analysis, uint32_t phases,
                              gmem_diag_t *diag) {
  gmem_text_t text = {.arena = analysis->arena};
  for (size_t i = 0; i < sizeof dumps / sizeof *dumps; ++i) {
    if (!(phases & dumps[i].phase))
      continue;
    gmem_text_print(&text, "== %s\n", gmem_debug_name(dumps[i].phase));
    dumps[i].dump(analysis, &text);
  }
  const char *bytes = gmem_text_get(&text);
  if (!bytes)
    return gmem_out_of_memory(diag);
  gmem_print(bytes, strlen(bytes));
  return GMEM_OK;
}
