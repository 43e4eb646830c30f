// variants.h - the merge search on other forms of the same packing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_VARIANTS_H_
#define GMEM_PLANNER_VARIANTS_H_

#include "packing.h"

// Improves a placement.
gmem_pack_t gmem_variants_pack;

// The same, for a second time: by exact search alone, with other orders.
gmem_pack_t gmem_exact_variants_pack;

#endif // GMEM_PLANNER_VARIANTS_H_
