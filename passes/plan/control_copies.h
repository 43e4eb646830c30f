// control_copies.h - the copies that control flow makes in a plan, as
// gmem.copies attributes (ops/copy_records.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow transfers the contents of values to others: the operands of a
// call to the arguments of the function, the values that a loop carries to the
// next iteration. Where both have memory, at different places, this is a copy.

#ifndef GMEM_PASSES_CONTROL_COPIES_H_
#define GMEM_PASSES_CONTROL_COPIES_H_

#include "analysis.h"
#include "copy_order.h"
#include "plan_attributes.h"
#include "scope_plan.h"

typedef struct gmem_control_copies_s {
  gmem_control_copy_t *at; // by op, edge and number, then as they can be made
  size_t count, room;
} gmem_control_copies_t;

// The copies that |places|, one per value of the program, imply. Allocates in
// the arena of the analysis. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_control_copies_find(const gmem_analysis_t *analysis,
                                       const gmem_pool_table_t *table,
                                       const gmem_value_place_t *places,
                                       gmem_control_copies_t *out_copies,
                                       gmem_diag_t *diag);

// Sets gmem.copies on every op that makes copies, and removes it from all
// others. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_control_copies_write(const gmem_analysis_t *analysis,
                                        const gmem_pool_table_t *table,
                                        const gmem_value_place_t *places,
                                        gmem_diag_t *diag);

// Checks that gmem.copies states all copies that the places imply, in an order
// that works. Superfluous ones that do no harm are stale. Fails with
// OUT_OF_MEMORY or, reported at the op, CORRUPT.
gmem_status_t gmem_control_copies_verify(gmem_scope_plan_t *plan,
                                         gmem_diag_t *diag);

// Reads the copies that gmem.copies states, with the values that they copy, but
// superfluous ones.
// Allocates in the arena of the analysis. Fails with OUT_OF_MEMORY or, reported
// at the op, CORRUPT: the plan, if verified, has changed since.
gmem_status_t gmem_control_copies_read(const gmem_analysis_t *analysis,
                                       const gmem_pool_table_t *table,
                                       const gmem_value_place_t *places,
                                       gmem_control_copies_t *out_copies,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_CONTROL_COPIES_H_
