// copy_order.h - an order in which copies can be made one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_COPY_ORDER_H_
#define GMEM_PASSES_COPY_ORDER_H_

#include "copy_records.h"

// A copy of the plan: its record, and what it means.
typedef struct gmem_control_copy_s {
  gmem_copy_record_t record;
  uint32_t op;                 // of the program
  uint32_t from, to;           // values of the program
  uint32_t from_pool, to_pool; // of the pool table
} gmem_control_copy_t;

// Orders |copies|, which all read before any of them writes, so that they can
// be made one after the other: each before those that overwrite its source.
// Where they form cycles, that is impossible: those in cycles and between two
// cycles are marked |record.cycle| and stay together, between those that must
// be made before and after them. Keeps the order as far as nothing
// requires another one. Almost linear if few targets overlap few sources.
// Temporary data is in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_copies_order(gmem_control_copy_t *copies, size_t count,
                                gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_COPY_ORDER_H_
