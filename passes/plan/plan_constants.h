// plan_constants.h - where the IR keeps the elements of constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_CONSTANTS_H_
#define GMEM_PASSES_PLAN_CONSTANTS_H_

#include <stdint.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

// The elements attribute of what |op| makes: its own, or that of the |global|
// that it gets (null: the one whose symbol it names, in |symbols|, which may be
// null). A null attribute when there is none, or it is not clear which.
MlirAttribute gmem_contents_find(MlirOperation op, MlirOperation global,
                                 MlirSymbolTable symbols);

// Writes the elements as they lie in a value of |type|, of |size| bytes, to
// |out|. Fails with NOT_FOUND (the attribute is null, or without bytes) or
// UNSUPPORTED (they take another number of bytes); *out_why then says so, as
// the end of a sentence.
gmem_status_t gmem_contents_write(MlirAttribute elements, MlirType type,
                                  uint8_t *out, uint64_t size,
                                  const char **out_why);

#endif // GMEM_PASSES_PLAN_CONSTANTS_H_
