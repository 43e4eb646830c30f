// align_arguments.c - gmem-align-arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: functions of the LLVM dialect directly after the lowering of
//           memrefs.
// produces: llvm.align of pointer arguments instead of the assertions
//           (memref.assume_alignment) of the entry block, in front of all
//           calls. LLVM derives the same alignment of accesses from both, but
//           for an assertion it looks at all uses of the pointer once more: for
//           an arena, at all accesses of the function.
// fails:    when memory is out.

#include "llvm_passes.h"

#include "attribute_codec.h"
#include "bump.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "llvm_values.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct walker_s {
  gmem_bump_t arena;
  gmem_diag_t *diag;
  gmem_status_t status;
} walker_t;

// The pointer of which |op| asserts an alignment and nothing else: llvm.assume
// of a constant, with a bundle "align" of the pointer and a constant.
static bool asserts_alignment(MlirOperation op, MlirValue *out_pointer,
                              int64_t *out_alignment) {
  int64_t condition;
  if (!gmem_op_is(op, "llvm.intr.assume") ||
      mlirOperationGetNumOperands(op) != 3 ||
      !gmem_constant_read(mlirOperationGetOperand(op, 0), &condition) ||
      condition == 0 ||
      !gmem_constant_read(mlirOperationGetOperand(op, 2), out_alignment) ||
      *out_alignment < 1)
    return false;
  MlirAttribute tags = mlirOperationGetInherentAttributeByName(
      op, gmem_string("op_bundle_tags"));
  MlirStringRef tag;
  if (!gmem_attribute_is(tags, mlirAttributeIsAArray) ||
      mlirArrayAttrGetNumElements(tags) != 1 ||
      !gmem_string_get(mlirArrayAttrGetElement(tags, 0), &tag) ||
      !gmem_string_is(tag, "align"))
    return false;
  *out_pointer = mlirOperationGetOperand(op, 1);
  MlirOperation part = gmem_op_defining(*out_pointer, "llvm.extractvalue");
  int64_t position[2];
  if (part.ptr && gmem_position_read(part, position) &&
      position[0] == GMEM_DESCRIPTOR_ALIGNED && position[1] < 0)
    return gmem_descriptor_pointer(mlirOperationGetOperand(part, 0),
                                   out_pointer);
  return true;
}

// The attributes of an argument, |old| or none, with llvm.align, or |old| if it
// has a larger one.
static MlirAttribute with_alignment(walker_t *walker, MlirContext context,
                                    MlirAttribute old, int64_t alignment) {
  static const char name[] = "llvm.align";
  intptr_t count = gmem_attribute_is(old, mlirAttributeIsADictionary)
                       ? mlirDictionaryAttrGetNumElements(old)
                       : 0;
  MlirNamedAttribute *list =
      gmem_bump_alloc(&walker->arena, (size_t)count + 1, sizeof *list);
  intptr_t kept = 0;
  for (intptr_t i = 0; list && i < count; ++i) {
    list[kept] = mlirDictionaryAttrGetElement(old, i);
    if (!gmem_string_is(mlirIdentifierStr(list[kept].name), name))
      ++kept;
    else if (mlirIntegerAttrGetValueInt(list[kept].attribute) >= alignment)
      return old;
  }
  if (!list)
    return mlirAttributeGetNull();
  list[kept++] = gmem_named(name, gmem_i64_attribute(context, alignment));
  return mlirDictionaryAttrGet(context, kept, list);
}

static gmem_status_t align_argument(walker_t *walker, MlirOperation function,
                                    intptr_t number, int64_t alignment) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute all = mlirOperationGetInherentAttributeByName(
      function, gmem_string("arg_attrs"));
  intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(function));
  bool has_all = gmem_attribute_is(all, mlirAttributeIsAArray) &&
                 mlirArrayAttrGetNumElements(all) == count;
  MlirAttribute *list;
  GMEM_TRY_ALLOC(list, &walker->arena, (size_t)count, walker->diag);
  for (intptr_t i = 0; i < count; ++i) {
    list[i] = has_all ? mlirArrayAttrGetElement(all, i)
                      : mlirDictionaryAttrGet(context, 0, NULL);
    if (i == number)
      list[i] = with_alignment(walker, context, list[i], alignment);
  }
  GMEM_TRY(gmem_bump_status(&walker->arena, walker->diag));
  mlirOperationSetInherentAttributeByName(
      function, gmem_string("arg_attrs"),
      mlirArrayAttrGet(context, count, list));
  return GMEM_OK;
}

// Whether |op| may not return, so that assertions behind it need not hold.
static bool is_call(MlirOperation op) {
  return gmem_op_is(op, "llvm.call") || gmem_op_is(op, "llvm.inline_asm");
}

static gmem_status_t visit_function(walker_t *walker, MlirOperation function) {
  MlirBlock entry = gmem_entry_block(function);
  if (mlirBlockIsNull(entry))
    return GMEM_OK;
  MlirOperation op = mlirBlockGetFirstOperation(entry), next;
  for (; !mlirOperationIsNull(op) && !is_call(op); op = next) {
    MlirValue pointer;
    int64_t alignment;
    next = mlirOperationGetNextInBlock(op);
    if (!asserts_alignment(op, &pointer, &alignment) ||
        !mlirValueIsABlockArgument(pointer))
      continue;
    // The entry block of a function dominates all, and has no predecessors.
    GMEM_TRY(align_argument(walker, function,
                            mlirBlockArgumentGetArgNumber(pointer), alignment));
    mlirOperationDestroy(op);
  }
  return GMEM_OK;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  walker_t *walker = user;
  if (!gmem_op_is(op, "llvm.func"))
    return MlirWalkResultAdvance;
  walker->status = visit_function(walker, op);
  return walker->status == GMEM_OK ? MlirWalkResultSkip
                                   : MlirWalkResultInterrupt;
}

gmem_status_t gmem_align_arguments(MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag) {
  (void)options;
  walker_t walker = {.diag = diag};
  gmem_bump_init(&walker.arena, allocator);
  mlirOperationWalk(top, visit, &walker, MlirWalkPreOrder);
  gmem_bump_destroy(&walker.arena);
  return walker.status;
}
