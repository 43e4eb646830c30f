// pool_table.h - the pools and figures of a plan, as attributes of its scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOL_TABLE_H_
#define GMEM_PASSES_POOL_TABLE_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/passes.h"

typedef struct gmem_pool_entry_s {
  MlirStringRef name;
  bool constant;        // kind "constant", else "workspace"
  uint64_t base;        // address of offset 0, or GMEM_NO_BASE
  uint64_t size;        // bytes used
  uint64_t lower_bound; // bytes
  uint64_t capacity;    // bytes, or GMEM_UNLIMITED
  uint64_t alignment;   // bytes
  uint64_t hint;        // bytes that it was to have at most where others have
                        //   room, or 0: none
  // Where it lies in memory that it has together with pools of other modules,
  // bytes from the start of that, and how many bytes that is; 0: in none.
  uint64_t shared_offset, shared_size;
} gmem_pool_entry_t;

// The first address at or behind the end of all |pools| that have addresses
// that is a multiple of |alignment|; GMEM_MAX_ADDRESS + 1, which no pool
// accepts as a base, when there is none.
uint64_t gmem_address_behind(const gmem_pool_entry_t *pools, size_t count,
                             uint64_t alignment);

typedef struct gmem_figures_entry_s {
  MlirStringRef algorithm;
  uint64_t peak;        // bytes of the workspace pools
  uint64_t lower_bound; // bytes of the same
  bool optimal;
  gmem_model_options_t model; // the plan holds under these
} gmem_figures_entry_t;

// Replaces the scope's pools of one kind, constant or not, by |entries|;
// constant pools come first in the table.
gmem_status_t gmem_pool_table_set(MlirOperation scope, bool constant,
                                  const gmem_pool_entry_t *entries,
                                  size_t count, gmem_bump_t *arena,
                                  gmem_diag_t *diag);

// Reads the whole table into an array in |arena|; no attribute: no entries.
// Fails with CORRUPT, reported at the scope. Names stay in the IR.
gmem_status_t gmem_pool_table_read(MlirOperation scope, gmem_bump_t *arena,
                                   gmem_pool_entry_t **out_entries,
                                   size_t *out_count, gmem_diag_t *diag);

// Writes |entries|, those of both kinds, as they are. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_table_write(MlirOperation scope,
                                    const gmem_pool_entry_t *entries,
                                    size_t count, gmem_bump_t *arena,
                                    gmem_diag_t *diag);

void gmem_figures_set(MlirOperation scope, const gmem_figures_entry_t *figures);

// Fails with NOT_FOUND (no plan; nothing is reported) or CORRUPT.
gmem_status_t gmem_figures_read(MlirOperation scope,
                                gmem_figures_entry_t *out_figures,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_POOL_TABLE_H_
