// plan_constants.h - finds and writes the elements of constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_CONSTANTS_H_
#define GMEM_PASSES_PLAN_CONSTANTS_H_

#include <stdint.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

// Returns the elements attribute of the constant that |op| defines: its own, or
// that of the |global| that it gets (null: the global whose symbol it names,
// looked up in |symbols|, which may be null). Null if there is none or it is
// ambiguous.
MlirAttribute gmem_contents_find(MlirOperation op, MlirOperation global,
                                 MlirSymbolTable symbols);

// Writes the elements to |out| in the layout of a value of |type|, of |size|
// bytes. Fails with NOT_FOUND (the attribute is null or has no data) or
// UNSUPPORTED (the size differs); *out_why is then the reason, as a clause.
gmem_status_t gmem_contents_write(MlirAttribute elements, MlirType type,
                                  uint8_t *out, uint64_t size,
                                  const char **out_why);

#endif // GMEM_PASSES_PLAN_CONSTANTS_H_
