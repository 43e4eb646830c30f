// run_inputs.h - the arguments of a request: given, or pseudo-random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_INPUTS_H_
#define GMEM_TOOLS_RUN_INPUTS_H_

#include "run_request.h"

// Makes the inputs of a function of |signature|: from files and numbers where
// they are given, pseudo-random by |seed| where not. Returns 0 or an exit code
// with a message. gmem_inputs_destroy is to be called in any case.
int gmem_inputs_create(const gmem_signature_t *signature,
                       const gmem_givens_t *givens, uint64_t seed,
                       gmem_inputs_t *out_inputs);

void gmem_inputs_destroy(gmem_inputs_t *inputs);

#endif // GMEM_TOOLS_RUN_INPUTS_H_
