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
gmem_status_t gmem_alias_scopes(MlirOperation top,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag);
gmem_status_t gmem_check_index_width(MlirOperation top,
                                     const gmem_plan_options_t *options,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag);

gmem_status_t gmem_report(MlirOperation top, const gmem_plan_options_t *options,
                          const gmem_allocator_t *allocator, gmem_diag_t *diag);

// The steps of the pipelines, in pipelines.c.
extern const gmem_pipeline_step_t gmem_plan_steps[];
extern const gmem_pipeline_step_t gmem_bufferize_and_plan_steps[];
extern const gmem_pipeline_step_t gmem_lower_to_llvm_steps[];

#ifdef __cplusplus
extern "C" {
#endif

// Whether |descriptor| has an option of that name.
bool gmem_pass_has_option(const gmem_pass_descriptor_t *descriptor,
                          const char *name);

// A flag's value as passes take it: "", "true" and "1", or "false" and "0".
// False, and *out_flag unchanged, when it is none of these.
bool gmem_flag_find(const char *text, bool *out_flag);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PASSES_PASS_TABLE_H_
