// composite.h - items made of several buffers or several live ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_COMPOSITE_H_
#define GMEM_PLANNER_COMPOSITE_H_

#include "packing_builder.h"

// composite.c: makes units of offset groups. Fails with INVALID_ARGUMENT (a
// member is misaligned in the pool) or OUT_OF_RANGE.
gmem_status_t gmem_list_composite_units(gmem_packing_builder_t *builder,
                                        gmem_diag_t *diag);

// composite.c: computes the parts and the duration of an item with several
// members or live ranges. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_describe_parts(gmem_packing_builder_t *builder,
                                  uint32_t item);

#endif // GMEM_PLANNER_COMPOSITE_H_
