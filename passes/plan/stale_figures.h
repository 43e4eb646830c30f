// stale_figures.h - what the IR states of a plan and no longer holds, although
// the plan is sound: other passes have changed the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_STALE_FIGURES_H_
#define GMEM_PASSES_STALE_FIGURES_H_

#include "bump.h"

// Zero but for the arena: everything holds.
typedef struct gmem_stale_figures_s {
  gmem_bump_t *arena;
  GMEM_LIST(gmem_note_t) notes; // the first GMEM_MAX_STALE_NOTES
  size_t count;                 // of all
} gmem_stale_figures_t;

enum { GMEM_MAX_STALE_NOTES = 16 };

// Adds a note at |location| on what no longer holds. Longer notes are cut. When
// there is no memory the note is lost, to be seen by gmem_bump_status.
void gmem_stale_figures_add(gmem_stale_figures_t *stale, MlirLocation location,
                            const char *format, ...) GMEM_PRINTF(3, 4);

// Reports at |scope|, with the notes, that figures are stale: a remark or, if
// |is_strict|, an error with the status CORRUPT, which it returns. Nothing if
// everything holds.
gmem_status_t gmem_stale_figures_report(const gmem_stale_figures_t *stale,
                                        MlirOperation scope, bool is_strict,
                                        gmem_diag_t *diag);

#endif // GMEM_PASSES_STALE_FIGURES_H_
