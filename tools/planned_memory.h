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

// Proves the plan that |module| carries, makes a plan image of it, loads it,
// and maps weights (filled with the bytes of the memref.globals) and |slots|
// arenas. Returns 0 or an exit code with a message.
// gmem_planned_memory_destroy is to be called in any case.
int gmem_planned_memory_create(MlirModule module, uint32_t slots,
                               gmem_planned_memory_t *out_memory);
void gmem_planned_memory_destroy(gmem_planned_memory_t *memory);

// The region of the pool of that name, or GMEM_NONE.
gmem_region_t gmem_planned_memory_region(const gmem_planned_memory_t *memory,
                                         const char *pool);

#endif // GMEM_TOOLS_PLANNED_MEMORY_H_
