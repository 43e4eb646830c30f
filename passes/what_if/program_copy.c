// program_copy.c - see program_copy.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program_copy.h"

#include <stddef.h>

#include "vocabulary.h"

// Attributes of an op that apply to everything nested in it.
static const gmem_attr_t inherited[] = {GMEM_ATTR_OP_MODELS, GMEM_ATTR_MEMORIES,
                                        GMEM_ATTR_TARGET};

MlirOperation gmem_program_copy(MlirOperation top, MlirOperation *out_around) {
  MlirOperation copy = mlirOperationClone(top);
  *out_around = copy;
  for (MlirOperation op = mlirOperationGetParentOperation(top);
       !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    MlirModule around = {NULL}; // until there is an attribute
    for (size_t i = 0; i < sizeof inherited / sizeof *inherited; ++i) {
      MlirAttribute attribute = gmem_op_annotation(op, inherited[i]);
      if (mlirAttributeIsNull(attribute))
        continue;
      if (mlirModuleIsNull(around)) {
        around = mlirModuleCreateEmpty(mlirOperationGetLocation(op));
        mlirBlockAppendOwnedOperation(mlirModuleGetBody(around), *out_around);
        *out_around = mlirModuleGetOperation(around);
      }
      gmem_op_annotate(*out_around, inherited[i], attribute);
    }
  }
  return copy;
}
