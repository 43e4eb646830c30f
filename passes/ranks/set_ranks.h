// set_ranks.h - the number of ranks of a program with shardings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SET_RANKS_H_
#define GMEM_PASSES_SET_RANKS_H_

#include <stdint.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

// Makes each shard.grid in |top| as large as |count|, which is not 0: its first
// axis changes, the others keep their sizes. Fails, reported at the op, with
// NOT_FOUND if there is no grid, or INVALID_ARGUMENT if |count| is not a
// multiple of the sizes of the other axes.
gmem_status_t gmem_set_ranks(MlirOperation top, uint32_t count,
                             gmem_diag_t *diag);

#endif // GMEM_PASSES_SET_RANKS_H_
