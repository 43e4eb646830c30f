// load_algorithm.h - algorithms from shared libraries, for --load-algorithm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LOAD_ALGORITHM_H_
#define GMEM_TOOLS_LOAD_ALGORITHM_H_

#include "gmem/planner.h"

typedef struct gmem_loaded_s {
  const gmem_algorithm_t **at; // in the order of loading
  size_t count;
  const gmem_algorithm_t *chosen; // the last that was named; NULL: none was
} gmem_loaded_t;

// Loads what |text| names: FILE, all algorithms of that shared library, or
// FILE:NAME, the one of that name, which becomes |chosen|. A FILE without a
// slash is in the current folder. False: |message| says why. A library stays
// open to the end of the process.
bool gmem_loaded_add(gmem_loaded_t *loaded, const char *text,
                     gmem_diag_t *message);

// The loaded or built-in algorithm of that name, or NULL.
const gmem_algorithm_t *gmem_loaded_find(const gmem_loaded_t *loaded,
                                         const char *name);

// The built-in algorithms, then the loaded ones; NULL behind the last.
const gmem_algorithm_t *gmem_loaded_at(const gmem_loaded_t *loaded,
                                       size_t index);

void gmem_loaded_free(gmem_loaded_t *loaded);

#endif // GMEM_TOOLS_LOAD_ALGORITHM_H_
