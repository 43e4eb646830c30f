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
  gmem_pool_t *pool; // NULL: not mapped
} gmem_planned_memory_t;

typedef struct gmem_planned_memory_options_s {
  uint32_t slots;    // copies of the arenas
  const char *image; // plan image of the module, from which constants are
                     //   mapped; NULL: constants are copied from the module
} gmem_planned_memory_options_t;

// Verifies the plan of |module|, converts it to a plan image, opens that, and
// maps weights (filled with the bytes of the memref.globals) and arenas.
// Returns 0, or prints a message and returns an exit code. Call
// gmem_planned_memory_destroy in any case.
int gmem_planned_memory_create(MlirModule module,
                               const gmem_planned_memory_options_t *options,
                               gmem_planned_memory_t *out_memory);
void gmem_planned_memory_destroy(gmem_planned_memory_t *memory);

// Initialises |out_zeroed| with the model of |memory| and a new pool whose
// arenas are zeroed for each lease. Returns 0, or prints a message and returns
// an exit code. Release only its pool, before |memory|.
int gmem_planned_memory_zeroed(const gmem_planned_memory_t *memory,
                               uint32_t slots,
                               gmem_planned_memory_t *out_zeroed);

// Returns the region of the pool of that name, or GMEM_NONE.
gmem_region_t gmem_planned_memory_region(const gmem_planned_memory_t *memory,
                                         const char *pool);

#endif // GMEM_TOOLS_PLANNED_MEMORY_H_
