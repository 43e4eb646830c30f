// peak_notes.h - which tensors fill a pool, for those who are told that it is
// too small.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PEAK_NOTES_H_
#define GMEM_PASSES_PEAK_NOTES_H_

#include "analysis.h"
#include "diagnostics.h"

#define GMEM_PEAK_NOTES 4

// Writes a note on each of the largest classes that are live in |pool|, one of
// the boundaries', when most bytes are; of equals the first. Returns how many
// there are, none when memory is out.
size_t gmem_peak_notes(const gmem_analysis_t *analysis, uint32_t pool,
                       gmem_note_t notes[GMEM_PEAK_NOTES]);

#endif // GMEM_PASSES_PEAK_NOTES_H_
