// scopes.h - planning scopes and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPES_H_
#define GMEM_PASSES_SCOPES_H_

#include <stdbool.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

// Calls |visit| for every planning scope in |top| (an op that holds functions
// in the first block of a region), outermost first, in walk order; stops at the
// first status other than GMEM_OK and returns it.
typedef gmem_status_t (*gmem_scope_fn)(MlirOperation scope, void *user);

gmem_status_t gmem_for_each_scope(MlirOperation top, gmem_scope_fn visit,
                                  void *user);

// Whether |op| is a function with a body: it has a symbol name, a function type
// and a region with blocks.
bool gmem_is_function(MlirOperation op);

// The attributes of argument |number| of a function, a dictionary; null when it
// has none, and when the arguments of the function's body are not those of its
// type.
MlirAttribute gmem_argument_attributes(MlirOperation function, intptr_t number);

// Whether the arguments of the function's body are those of its type: then they
// have attributes of their own. Bodies of other functions, those with extra
// buffers for example, are treated as any block.
bool gmem_has_argument_attributes(MlirOperation function);

#endif // GMEM_PASSES_SCOPES_H_
