// hoist_constants.h - the pass gmem-hoist-constants; its contract is at the top
// of its source file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_HOIST_CONSTANTS_H_
#define GMEM_PASSES_HOIST_CONSTANTS_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_hoist_constants;

#endif // GMEM_PASSES_HOIST_CONSTANTS_H_
