// symbol_uses.h - which symbols ops name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SYMBOL_USES_H_
#define GMEM_PASSES_SYMBOL_USES_H_

#include <stdbool.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

// Sets *out to whether an op in |top| names |function|, to call it or to pass
// it on.
GMEM_MUST_USE gmem_status_t gmem_is_mentioned(MlirOperation top,
                                              MlirOperation function,
                                              bool *out);

#endif // GMEM_PASSES_SYMBOL_USES_H_
