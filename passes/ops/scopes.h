// scopes.h - planning scopes and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPES_H_
#define GMEM_PASSES_SCOPES_H_

#include <stdbool.h>

#include "bump.h"
#include "op_model_text.h"

// Calls |visit| for every planning scope in |top| (an op with functions in the
// first block of a region), outermost first, in walk order; stops at the first
// status other than GMEM_OK and returns it.
typedef gmem_status_t (*gmem_scope_fn)(MlirOperation scope, void *user);

gmem_status_t gmem_for_each_scope(MlirOperation top, gmem_scope_fn visit,
                                  void *user);

// Calls |visit| for every function of the scopes in |top| and for every op in
// it, an op before those in its regions; stops at the first status other than
// GMEM_OK and returns it. |op| is |function| the first time.
typedef gmem_status_t (*gmem_function_op_fn)(MlirOperation function,
                                             MlirOperation op, void *user);

gmem_status_t gmem_for_each_op_of_functions(MlirOperation top,
                                            gmem_function_op_fn visit,
                                            void *user);

// A pass's work on one scope. |user| belongs to the pass.
typedef gmem_status_t (*gmem_scope_work_fn)(MlirOperation scope,
                                            const gmem_op_models_t *models,
                                            gmem_bump_t *arena, void *user,
                                            gmem_diag_t *diag);

// Calls |work| for every scope in |top|, each with its own bump allocator,
// which is destroyed afterwards. |diag| passed to |work| is never NULL; |work|
// reports its own errors, except OUT_OF_MEMORY.
gmem_status_t gmem_for_each_scope_in(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_scope_work_fn work, void *user,
                                     gmem_diag_t *diag);

// Calls |visit| for every symbol that |op| and the ops in it name, such as the
// entries of a table; those in a scope are the scope's own.
void gmem_for_each_symbol_in(MlirOperation op, gmem_symbol_fn visit,
                             void *user);

// Whether |op| has functions in the first block of a region.
bool gmem_is_scope(MlirOperation op);

// The number of planning scopes in |top|.
size_t gmem_count_scopes(MlirOperation top);

// Whether |op| is a function with a body: it has a symbol name, a function type
// and a region with blocks.
bool gmem_is_function(MlirOperation op);

// Whether the attribute "callee" of |op| names |function|, and its operands and
// results have the types of that.
bool gmem_is_call_of(MlirOperation op, MlirOperation function);

// The attribute dictionary of argument |number| of a function; null when there
// is none or when the arguments of the entry block differ from the function
// type.
MlirAttribute gmem_argument_attributes(MlirOperation function, intptr_t number);

// Whether the arguments of the entry block match the function type, so that
// argument attributes apply to them. Other functions, such as those with
// additional buffer arguments, have an ordinary entry block.
bool gmem_has_argument_attributes(MlirOperation function);

#endif // GMEM_PASSES_SCOPES_H_
