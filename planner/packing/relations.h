// relations.h - applies the aliases, blocks and conflicts of a problem to the
// buffers of one packing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_RELATIONS_H_
#define GMEM_PLANNER_RELATIONS_H_

#include "packing_builder.h"

// relations.c: computes which buffers start inside others. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_find_inner(gmem_packing_builder_t *builder);

// relations.c: lists pairs of items with an explicit conflict. |scratch|: for
// temporary arrays.
gmem_status_t gmem_list_extra(gmem_packing_t *packing, gmem_scratch_t *scratch);

#endif // GMEM_PLANNER_RELATIONS_H_
