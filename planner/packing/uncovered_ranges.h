// uncovered_ranges.h - when optional children are outside of a live parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_UNCOVERED_RANGES_H_
#define GMEM_PLANNER_UNCOVERED_RANGES_H_

#include "packing_builder.h"

// uncovered_ranges.c: computes when no optional parent is live. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_find_uncovered(gmem_packing_builder_t *builder);

#endif // GMEM_PLANNER_UNCOVERED_RANGES_H_
