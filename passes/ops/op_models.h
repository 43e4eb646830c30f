// op_models.h - the memory semantics of ops. The models themselves are data:
// dialect/models/*.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODELS_H_
#define GMEM_PASSES_OP_MODELS_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/passes.h"
#include "op_model_read.h"
#include "op_model_text.h"

// Reads the gmem.op_models attributes of |scope| and its ancestors on top of
// |outer|; inner ones override outer ones. Errors are reported at the op that
// has the attribute.
gmem_status_t gmem_op_models_of_scope(MlirOperation scope,
                                      const gmem_op_models_t *outer,
                                      gmem_bump_t *arena,
                                      const gmem_op_models_t **out_models,
                                      gmem_diag_t *diag);

// The names under which models of an op are looked for, the first one that has
// a model counts. Of an op that stands for many (gmem_op_name_t):
// "torch.operator.onnx.Add", "onnx.Add", "torch.operator".
enum { GMEM_LONGEST_NAME = 200 }; // a longer name has no part of its own
typedef struct gmem_op_names_s {
  char text[GMEM_LONGEST_NAME];
  MlirStringRef at[3]; // into |text| and |op|
  size_t count;
} gmem_op_names_t;

void gmem_op_names_of(const gmem_op_models_t *models, MlirOperation op,
                      gmem_op_names_t *out);

// The model of |op| by name; never NULL: an op without one gets the model of an
// unknown op.
const gmem_op_model_t *gmem_op_models_find(const gmem_op_models_t *models,
                                           MlirOperation op);

// The model of |op|: its gmem.op_model attribute, read into |arena|, or else
// the model of its name. Errors are reported at |op|.
gmem_status_t gmem_op_models_of_op(const gmem_op_models_t *models,
                                   MlirOperation op, gmem_bump_t *arena,
                                   const gmem_op_model_t **out_model,
                                   gmem_diag_t *diag);

// Models that have been looked up, by the address of the op's name in a
// context; zero to begin with.
typedef struct gmem_models_seen_s {
  const void *names[GMEM_SEEN];
  const gmem_op_model_t *models[GMEM_SEEN]; // NULL: none has that name
  bool is_one_of_many[GMEM_SEEN];           // an attribute says which model
} gmem_models_seen_t;

// As gmem_op_models_of_op, for many ops. |own|: of gmem_own_attributes.
gmem_status_t gmem_op_models_of_each(const gmem_op_models_t *models,
                                     MlirOperation op, uint64_t own,
                                     gmem_models_seen_t *seen,
                                     gmem_bump_t *arena,
                                     const gmem_op_model_t **out_model,
                                     gmem_diag_t *diag);

// That of a reshape between values of different sizes: it copies, and its
// result is no view.
extern const gmem_op_model_t gmem_copy_model;

// Whether the model is none that a toolchain has stated.
bool gmem_op_model_is_built_in(const gmem_op_model_t *model);

// Whether |op| may write a result into the memory of operand |number|.
bool gmem_op_model_is_destination(const gmem_op_model_t *model,
                                  MlirOperation op, intptr_t number);

// Whether |op| modifies the contents of operand |number|, visible to later
// readers of the operand. The destination of a result does not count: the
// result is a new value.
static inline bool gmem_op_model_writes(const gmem_op_model_t *model,
                                        MlirOperation op, intptr_t number) {
  return number < 64 && model->writes >> number & 1 &&
         !gmem_op_model_is_destination(model, op, number);
}

// Whether the results of |op| depend on nothing but its operands and
// attributes and it has no other effect: a registered op by its interfaces,
// any other one by gmem.pure_ops.
bool gmem_op_models_is_pure(const gmem_op_models_t *models, MlirOperation op);

// Whether a function argument with these attributes (a dictionary) is a weight.
bool gmem_op_models_is_weight(const gmem_op_models_t *models,
                              MlirAttribute argument_attributes);

#endif // GMEM_PASSES_OP_MODELS_H_
