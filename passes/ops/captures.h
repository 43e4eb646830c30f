// captures.h - what types, ops and declarations say of memrefs that an op is
// given: whether a value can hold one, and whether a function keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is reading of IR, which the planner and the checker of contents have in
// common. What follows from it, each of them finds for itself.

#ifndef GMEM_PASSES_CAPTURES_H_
#define GMEM_PASSES_CAPTURES_H_

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "op_models.h"
#include "value_rows.h"

// Whether a value of this type may represent work that is still running, such
// as a token or a function pointer; plain data never does.
bool gmem_is_handle_type(const gmem_op_models_t *models, MlirType type);

// The same of a value, of which gmem.bytes or a type model may say that it is
// plain data.
bool gmem_is_handle_value(const gmem_op_models_t *models, MlirValue value);

// Whether a result of the op is such a value.
bool gmem_yields_handle(const gmem_op_models_t *models, MlirOperation op);

// Whether a result of the op is of function type.
bool gmem_yields_function(MlirOperation op);

// Whether the op may return what it names, or run it after its own step. A
// func.call does neither, whatever its results are.
bool gmem_may_return_code(const gmem_op_models_t *models, MlirOperation op);

// Whether the op, which has this model, may use tensors after its step: it has
// regions and returns a handle of what runs them, or the model says it
// (escapes) and it has regions or is given tensors.
bool gmem_may_run_on(const gmem_op_models_t *models,
                     const gmem_op_model_t *model, MlirOperation op);

// The types, besides that of functions, of values that may be functions: those
// of handles, and of tuples and vectors of some, that ops return which name a
// function or are given one. Zero to begin with.
typedef struct gmem_code_types_s {
  const void *at[8];
  size_t count;
  bool is_any; // there are more: all handles
} gmem_code_types_t;

// |op| names a function, or a symbol that leads to one, and does not merely
// call it.
void gmem_code_types_add(gmem_code_types_t *types,
                         const gmem_op_models_t *models, MlirOperation op);

// If an operand of |op| may be a function, a handle that it returns may, too.
void gmem_code_types_pass(gmem_code_types_t *types,
                          const gmem_op_models_t *models, MlirOperation op);

// Whether an operand of the op may be a function: the op may call one that it
// does not name.
bool gmem_takes_code(const gmem_code_types_t *types,
                     const gmem_op_models_t *models, MlirOperation op);

// Whether a value of this type may contain a memref or a pointer.
bool gmem_can_hold_memref(const gmem_op_models_t *models, MlirType type);

// The same of any value of the row.
bool gmem_any_can_hold_memref(const gmem_op_models_t *models,
                              gmem_value_row_t row);

// Whether elements of this memref type may be memrefs or pointers.
bool gmem_holds_memrefs(MlirType type);

// The number of the only operand in which the op can store memrefs, or -1.
intptr_t gmem_sole_container(const gmem_op_models_t *models, MlirOperation op);

// Whether the op, whose model is |model|, names a function of |symbols|, the
// table of the scope, which may be null, or what may be one: a symbol that is
// not in there, unless the op has a model, which then tells what the kernel of
// that name does.
bool gmem_names_code(MlirSymbolTable symbols, MlirOperation op,
                     const gmem_op_model_t *model);

// The function or declaration that the op calls without doing anything else, or
// null.
MlirOperation gmem_function_called(MlirSymbolTable symbols, MlirOperation op);

// Whether |function|, which may be null, is annotated to neither capture nor
// return argument |number|.
bool gmem_is_not_captured(MlirOperation function, intptr_t number);

#endif // GMEM_PASSES_CAPTURES_H_
