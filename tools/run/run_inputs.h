// run_inputs.h - the inputs of a request: user-supplied or pseudo-random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_INPUTS_H_
#define GMEM_TOOLS_RUN_INPUTS_H_

#include "run_request.h"

// Creates the inputs of a function of |signature| from the files and numbers in
// |given|; others are pseudo-random, with |seed|. Returns 0, or prints a
// message and returns an exit code. Call gmem_inputs_destroy in any case.
int gmem_inputs_create(const gmem_signature_t *signature,
                       const gmem_run_arguments_t *given, uint64_t seed,
                       gmem_inputs_t *out_inputs);

void gmem_inputs_destroy(gmem_inputs_t *inputs);

#endif // GMEM_TOOLS_RUN_INPUTS_H_
