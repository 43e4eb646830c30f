// pass_table.h - what each pass file offers to the table in pass_table.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PASS_TABLE_H_
#define GMEM_PASSES_PASS_TABLE_H_

#include "gmem/passes.h"

// The contract of each stands at the top of its file.
gmem_status_t gmem_assign_weights(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag);
gmem_status_t gmem_assign_tensors(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag);
gmem_status_t gmem_verify_plan(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag);
gmem_status_t gmem_import_addresses(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag);
gmem_status_t gmem_encode_addresses(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag);
gmem_status_t gmem_materialize(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_PASS_TABLE_H_
