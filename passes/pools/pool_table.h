// pool_table.h - the pools and figures of a plan as attributes of its scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOL_TABLE_H_
#define GMEM_PASSES_POOL_TABLE_H_

#include "gmem/passes.h"
#include "program.h"

typedef struct gmem_pool_entry_s {
  MlirStringRef name;
  bool constant;        // kind "constant", else "workspace"
  uint64_t base;        // address of offset 0, or GMEM_NO_BASE
  uint64_t size;        // bytes used
  uint64_t lower_bound; // bytes
  uint64_t capacity;    // bytes, or GMEM_UNLIMITED
  uint64_t alignment;   // bytes
  uint64_t hint;        // bytes: preferred maximum size (size_hint), or 0
  bool is_init;         // functions with gmem.init alone use it (init)
  // Position in memory shared with pools of other modules, in bytes from its
  // start, and the size of that memory in bytes; 0: not shared.
  uint64_t shared_offset, shared_size;
} gmem_pool_entry_t;

// All pools of a plan, the constant ones first. Placements name a pool by its
// index.
typedef struct gmem_pool_table_s {
  gmem_pool_entry_t *entries;
  uint32_t count;
} gmem_pool_table_t;

// Returns the index of the pool of that name, or GMEM_NO_INDEX.
uint32_t gmem_pool_table_find(const gmem_pool_table_t *table,
                              MlirStringRef name);

// Returns the number of constant pools, which come first.
uint32_t gmem_pool_table_constants(const gmem_pool_table_t *table);

// Computes the figures of the pools that a running program needs: the peak, and
// |*bound|, a lower bound of it, which on entry is that of all workspace pools.
void gmem_pool_table_figures(const gmem_pool_table_t *table, uint64_t *out_peak,
                             uint64_t *bound);

// Replaces the pools of one kind, constant or workspace, by those of |made|.
// Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_table_merge(gmem_pool_table_t *table, bool constant,
                                    const gmem_pool_table_t *made,
                                    gmem_bump_t *arena, gmem_diag_t *diag);

// Reads the table into |arena|; empty if the attribute is missing. Names stay
// owned by the IR. Fails with OUT_OF_MEMORY or, reported at the scope, CORRUPT.
gmem_status_t gmem_pool_table_read(MlirOperation scope, gmem_bump_t *arena,
                                   gmem_pool_table_t *out_table,
                                   gmem_diag_t *diag);

// Writes the table. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_table_write(MlirOperation scope,
                                    const gmem_pool_table_t *table,
                                    gmem_bump_t *arena, gmem_diag_t *diag);

// Returns the first multiple of |alignment| after the end of the first |count|
// pools that have addresses, or GMEM_MAX_ADDRESS + 1, which no pool accepts as
// a base, if there is none.
uint64_t gmem_address_behind(const gmem_pool_table_t *table, uint32_t count,
                             uint64_t alignment);

typedef struct gmem_figures_entry_s {
  MlirStringRef algorithm;
  uint64_t peak;        // bytes: total size of the workspace pools, without
                        //   those of initialisation
  uint64_t lower_bound; // bytes: lower bound of the peak
  bool optimal;
  uint64_t order_bound;        // bytes: lower bound of the peak in every order
                               //   of the ops; GMEM_UNLIMITED: not known
  MlirStringRef order_gave_up; // what ended without finding a higher one; "":
                               //   nothing
  uint64_t order_print;        // hash of what the bound is of (scope_bound.h)
  uint64_t penalty;           // of soft gmem.constraints; GMEM_UNLIMITED: there
                              //   are no constraints
  gmem_model_options_t model; // the options that the plan was made with
} gmem_figures_entry_t;

// Writes gmem.plan. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_figures_write(MlirOperation scope,
                                 const gmem_figures_entry_t *figures,
                                 gmem_bump_t *arena, gmem_diag_t *diag);

// Reads gmem.plan. Fails with NOT_FOUND (no plan; not reported) or CORRUPT.
gmem_status_t gmem_figures_read(MlirOperation scope, gmem_bump_t *arena,
                                gmem_figures_entry_t *out_figures,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_POOL_TABLE_H_
