// load_algorithm.h - loads algorithms from shared libraries (--load-algorithm).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LOAD_ALGORITHM_H_
#define GMEM_TOOLS_LOAD_ALGORITHM_H_

#include "gmem/planner.h"

typedef struct gmem_loaded_s {
  const gmem_algorithm_t **at; // in the order of loading
  size_t count;
  const gmem_algorithm_t *chosen; // the last one selected by NAME, or NULL
} gmem_loaded_t;

// Loads all algorithms of the shared library FILE, or for |text| = FILE:NAME
// the one of that name, which becomes |chosen|. A FILE without a slash is in
// the current directory. Fails with INVALID_ARGUMENT and sets |message|.
// Libraries are never unloaded.
gmem_status_t gmem_loaded_add(gmem_loaded_t *loaded, const char *text,
                              gmem_diag_t *message);

// Returns the loaded or built-in algorithm of that name, or NULL.
const gmem_algorithm_t *gmem_loaded_find(const gmem_loaded_t *loaded,
                                         const char *name);

// Enumerates the built-in algorithms, then the loaded ones; NULL after the
// last.
const gmem_algorithm_t *gmem_loaded_at(const gmem_loaded_t *loaded,
                                       size_t index);

void gmem_loaded_free(gmem_loaded_t *loaded);

#endif // GMEM_TOOLS_LOAD_ALGORITHM_H_
