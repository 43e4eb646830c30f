// input_review.h - what of the input the plan guesses or ignores: ops without a
// model, types of unknown size, attributes and models without effect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_INPUT_REVIEW_H_
#define GMEM_PASSES_INPUT_REVIEW_H_

#include "program.h"

// The ops of one name that have no model.
typedef struct gmem_unmodelled_s {
  MlirStringRef name;  // in the context
  MlirOperation first; // of them
  size_t count;
  uint64_t bytes;    // of their results
  bool has_operands; // some of them have
  bool has_regions;  // some of them have
} gmem_unmodelled_t;

// Lists the ops without a model that take or make memory, by name; those whose
// results need most bytes first. Calls and terminators need none. Allocates in
// |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_unmodelled_find(const gmem_program_t *program,
                                   gmem_bump_t *arena,
                                   gmem_unmodelled_t **out_list,
                                   size_t *out_count, gmem_diag_t *diag);

// Fails if a global names a function that there is not in gmem.init. Reports,
// each once per scope: ops without a model (a remark, or with
// |is_strict| an error), types whose sizes are unknown (a remark), tensors of
// i1 (a remark), values outside of functions (a remark, or with |is_strict| an
// error), op models of the scope that match nothing but nearly the name of an
// op without a model (a warning; with |is_strict| all that match nothing), and
// attributes and kinds of ops without effect where they stand (warnings). Fails
// with INVALID_ARGUMENT or OUT_OF_MEMORY.
gmem_status_t gmem_input_review(const gmem_program_t *program, bool is_strict,
                                gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_INPUT_REVIEW_H_
