// strided_marks.c - see strided_marks.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "strided_marks.h"

#include "alias_attributes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

static MlirWalkResult clear(MlirOperation op, void *user) {
  (void)user;
  if (!mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_STRIDES)))
    gmem_op_annotate(op, GMEM_ATTR_STRIDES, mlirAttributeGetNull());
  return MlirWalkResultAdvance;
}

void gmem_strided_marks_clear(MlirOperation scope) {
  mlirOperationWalk(scope, clear, NULL, MlirWalkPreOrder);
}

// The entries of |op| so far: {} of results without one.
static void read_entries(MlirOperation op, MlirAttribute *out) {
  MlirAttribute old = gmem_op_annotation(op, GMEM_ATTR_STRIDES);
  MlirAttribute none =
      gmem_strides_attribute(mlirOperationGetContext(op), NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    out[i] = mlirAttributeIsNull(old) ? none : mlirArrayAttrGetElement(old, i);
}

void gmem_strided_marks_write(const gmem_program_t *program,
                              const gmem_strided_parts_t *parts,
                              gmem_bump_t *arena) {
  for (size_t i = 0; i < parts->count; ++i) {
    const gmem_value_t *part = &program->values[parts->at[i].alias.child];
    MlirOperation op = program->ops[part->op].op;
    MlirContext context = mlirOperationGetContext(op);
    intptr_t count = mlirOperationGetNumResults(op);
    MlirAttribute *entries =
        gmem_bump_alloc(arena, (size_t)count, sizeof *entries);
    if (!entries)
      return;
    read_entries(op, entries);
    entries[part->number] =
        gmem_strides_attribute(context, &parts->at[i].strides);
    gmem_op_annotate(op, GMEM_ATTR_STRIDES,
                     mlirArrayAttrGet(context, count, entries));
  }
}

void gmem_strided_parts_keep(gmem_strided_parts_t *parts,
                             const gmem_live_value_t *live,
                             const gmem_value_place_t *places) {
  size_t kept = 0;
  for (size_t i = 0; i < parts->count; ++i) {
    gmem_alias_t alias = parts->at[i].alias;
    alias.child = live[alias.child].root;
    alias.parent = live[alias.parent].root;
    if (gmem_alias_holds(&alias, places))
      parts->at[kept++] = parts->at[i];
  }
  parts->count = kept;
}
