// pass_table.h - queries on the table of passes; see gmem_pass_at and
// gmem_pass_find in gmem/passes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PASS_TABLE_H_
#define GMEM_PASSES_PASS_TABLE_H_

#include "gmem/passes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether |descriptor| has an option |name|.
bool gmem_pass_has_option(const gmem_pass_descriptor_t *descriptor,
                          const char *name);

// Whether MLIR's verifier has to run after the pass: it may have changed more
// than attributes. Two passes of gmem-plan change nothing by default.
bool gmem_pass_needs_verifier(const gmem_pass_descriptor_t *descriptor,
                              const gmem_plan_options_t *options);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PASSES_PASS_TABLE_H_
