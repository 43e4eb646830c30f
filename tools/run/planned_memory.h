// planned_memory.h - the memory of a planned module, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLANNED_MEMORY_H_
#define GMEM_TOOLS_PLANNED_MEMORY_H_

#include "gmem/passes.h"
#include "init_memory.h"
#include "run_modes.h"
#include "weight_exchange.h"

// Reads the plan of |module|, which has been verified, converts it to a plan
// image, opens that, and maps weights (filled with the bytes of the
// memref.globals, or from the image in the options) and arenas. Constants that
// are computed are copied from |computed|, which may be empty if they are in
// the program. With a weight store in the options they are shared by
// |exchange|. Prints a message on failure. Destroy all results in any case, the
// exchange last.
gmem_status_t gmem_planned_memory_map(MlirModule module,
                                      const gmem_run_options_t *options,
                                      gmem_init_memory_t *computed,
                                      gmem_weight_exchange_t *exchange,
                                      gmem_planned_t **out_planned,
                                      gmem_mapped_plan_t *out_memory);

// Initialises |out_zeroed| with the model of |memory| and a new pool whose
// arenas are zeroed for each lease. Prints a message on failure. Release only
// its pool, before |memory|.
gmem_status_t gmem_planned_memory_zeroed(const gmem_mapped_plan_t *memory,
                                         uint32_t slots,
                                         gmem_mapped_plan_t *out_zeroed);

// Returns the region of the pool of that name, or GMEM_NONE.
gmem_region_t gmem_planned_memory_region(const gmem_mapped_plan_t *memory,
                                         const char *pool);

#endif // GMEM_TOOLS_PLANNED_MEMORY_H_
