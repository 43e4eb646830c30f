// planned_memory.h - the memory of a planned module, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLANNED_MEMORY_H_
#define GMEM_TOOLS_PLANNED_MEMORY_H_

#include "gmem/runtime.h"
#include "mlir-c/IR.h"

// Zero-initialise.
typedef struct gmem_planned_memory_s {
  gmem_plan_t *plan;
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool; // NULL: nothing is mapped
} gmem_planned_memory_t;

// How to map it.
typedef struct gmem_planned_memory_options_s {
  uint32_t slots;    // arenas
  const char *image; // NULL, or a plan image of the module that is mapped, with
                     //   the bytes of constants that it has
} gmem_planned_memory_options_t;

// Proves the plan that |module| carries, makes a plan image of it, loads it,
// and maps weights (filled with the bytes of the memref.globals) and arenas.
// Returns 0 or an exit code with a message. gmem_planned_memory_destroy is to
// be called in any case.
int gmem_planned_memory_create(MlirModule module,
                               const gmem_planned_memory_options_t *options,
                               gmem_planned_memory_t *out_memory);
void gmem_planned_memory_destroy(gmem_planned_memory_t *memory);

// Makes |out_zeroed| the same memory, with a pool of its own whose arenas are
// zeroed for each lease. Returns 0 or an exit code with a message. It ends with
// gmem_pool_release, before |memory|.
int gmem_planned_memory_zeroed(const gmem_planned_memory_t *memory,
                               uint32_t slots,
                               gmem_planned_memory_t *out_zeroed);

// The region of the pool of that name, or GMEM_NONE.
gmem_region_t gmem_planned_memory_region(const gmem_planned_memory_t *memory,
                                         const char *pool);

#endif // GMEM_TOOLS_PLANNED_MEMORY_H_
