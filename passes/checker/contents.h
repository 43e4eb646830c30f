// contents.h - a second proof of a plan: a forward, symbolic check of memory
// contents that shares nothing with the planner but the reading of ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CONTENTS_H_
#define GMEM_PASSES_CONTENTS_H_

#include "bump.h"
#include "gmem/passes.h"
#include "op_model_text.h"

typedef GMEM_LIST(MlirOperation) gmem_contents_frees_t;

// Checks that every op of |scope| finds in memory, where the plan in the IR
// places them, the contents of the values that it reads. |options| are those
// that the plan was made with. Temporary data is allocated in |arena|. Fails
// with OVERLAP or CORRUPT, reported at the op that reads with notes on the
// value and on the op that overwrote it, or OUT_OF_MEMORY. Thread-safe for
// different scopes.
gmem_status_t gmem_contents_check(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  const gmem_model_options_t *options,
                                  gmem_bump_t *arena, gmem_diag_t *diag);

// Lists the ops of |scope| that free memory which the plan in the IR places: of
// a plan that gmem_contents_check accepts, they free no other. Allocates in
// |arena|. Fails with CORRUPT, reported, or OUT_OF_MEMORY.
gmem_status_t
gmem_contents_frees(MlirOperation scope, const gmem_op_models_t *models,
                    const gmem_model_options_t *options, gmem_bump_t *arena,
                    gmem_contents_frees_t *out_frees, gmem_diag_t *diag);

#endif // GMEM_PASSES_CONTENTS_H_
