// stale_figures.c - see stale_figures.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stale_figures.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void gmem_stale_figures_add(gmem_stale_figures_t *stale, MlirLocation location,
                            const char *format, ...) {
  gmem_note_t note = {.location = location};
  va_list values;
  if (stale->count++ >= GMEM_MAX_STALE_NOTES)
    return;
  va_start(values, format);
  vsnprintf(note.text, sizeof note.text, format, values);
  va_end(values);
  GMEM_APPEND(stale->arena, &stale->notes, note);
}

gmem_status_t gmem_stale_figures_report(const gmem_stale_figures_t *stale,
                                        MlirOperation scope, bool is_strict,
                                        gmem_diag_t *diag) {
  char more[64] = "";
  size_t count = stale->notes.count;
  GMEM_TRY(gmem_bump_status(stale->arena, diag));
  assert(count <= stale->count && count <= GMEM_MAX_STALE_NOTES);
  if (!stale->count)
    return GMEM_OK;
  if (stale->count > count)
    snprintf(more, sizeof more, " (%zu more than noted)", stale->count - count);
  return gmem_error(
      is_strict ? diag : NULL, is_strict ? GMEM_ERR_CORRUPT : GMEM_OK,
      mlirOperationGetLocation(scope), stale->notes.at, count,
      "the plan is sound, but its figures in the IR no longer hold%s: plan "
      "again to update them",
      more);
}
