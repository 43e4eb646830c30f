// requests.h - ops that go on accessing their memrefs until another op waits
// for them, such as mpi.isend and mpi.irecv.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REQUESTS_H_
#define GMEM_PASSES_REQUESTS_H_

#include "bump.h"
#include "op_models.h"

// Sets |*out| to whether |op|, by its model, goes on until ops of its own block
// wait for it: the model |starts| a request, and all uses of the results that
// may represent it, one at least, are ops of that block that |waits|.
gmem_status_t gmem_request_is_waited_for(const gmem_op_models_t *models,
                                         MlirOperation op, gmem_bump_t *arena,
                                         bool *out, gmem_diag_t *diag);

// If |op| waits for a request that is its operand |number|, sets |*out| to the
// op that started it; otherwise to null.
gmem_status_t gmem_request_of(const gmem_op_models_t *models, MlirOperation op,
                              intptr_t number, gmem_bump_t *arena,
                              MlirOperation *out, gmem_diag_t *diag);

#endif // GMEM_PASSES_REQUESTS_H_
