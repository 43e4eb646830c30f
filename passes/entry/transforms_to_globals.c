// transforms_to_globals.c - gmem-transforms-to-globals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: functions that read each constant with gmem.transform from a global
//           of its own, which has the attribute, and gmem.source, and no
//           contents: folding would compute with the elements of the constant,
//           or merge it with one that has the same, and bufferization would
//           drop the attribute.
// fails:    when the attribute is malformed, when no memref has the bytes of
//           the constant, or when out of memory.

#include "transforms_to_globals.h"

#include "choice.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"
#include "plan_constants.h"
#include "type_size.h"
#include "vocabulary.h"
#include "weight_transforms.h"

const char *const gmem_transforms_dialects[] = {"bufferization", "memref",
                                                NULL};

typedef struct rewriter_s {
  GMEM_LIST(MlirOperation) constants;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} rewriter_t;

//===--- finding ----------------------------------------------------------===//

// The op that is or is around |op| and is in the body of a module; null if
// there is none.
static MlirOperation symbol_around(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(parent) &&
         !gmem_op_is(parent, "builtin.module")) {
    op = parent;
    parent = mlirOperationGetParentOperation(op);
  }
  return mlirOperationIsNull(parent) ? parent : op;
}

static gmem_status_t find(MlirOperation op, void *user) {
  rewriter_t *rewriter = user;
  gmem_stated_transform_t *stated;
  size_t count;
  uint64_t bytes;
  if (gmem_op_is(op, "memref.global"))
    return GMEM_OK;
  GMEM_TRY(gmem_weight_transforms_read(op, rewriter->arena, &stated, &count,
                                       rewriter->diag));
  if (count == 0)
    return GMEM_OK;
  MlirType memref =
      gmem_constant_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (mlirTypeIsNull(memref) ||
      gmem_memref_size(memref, NULL, &bytes) != GMEM_TYPE_SIZED ||
      bytes != stated[count - 1].bytes)
    return gmem_reject(rewriter->diag, op,
                       "gmem.transform: no memref has the bytes of this type");
  if (mlirOperationIsNull(symbol_around(op)))
    return gmem_reject(rewriter->diag, op,
                       "gmem.transform: the constant is in no module");
  GMEM_APPEND(rewriter->arena, &rewriter->constants, op);
  return gmem_bump_status(rewriter->arena, rewriter->diag);
}

//===--- rewriting --------------------------------------------------------===//

// Declares the global for |op| before its function, and returns its name.
static MlirAttribute declare(MlirOperation op, MlirType memref) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute source = gmem_op_annotation(op, GMEM_ATTR_SOURCE);
  if (mlirAttributeIsNull(source))
    source =
        gmem_contents_find(op, (MlirOperation){NULL}, (MlirSymbolTable){NULL});
  gmem_builder_t at = gmem_build_before(symbol_around(op));
  at.location = mlirOperationGetLocation(op);
  MlirOperation global = gmem_build(
      &at, "memref.global", NULL, 0,
      (gmem_named_t[]){
          {"sym_name", gmem_text_attribute(context, "transformed")},
          {"sym_visibility", gmem_text_attribute(context, "private")},
          {"type", mlirTypeAttrGet(memref)},
          {"initial_value", mlirUnitAttrGet(context)},
          {"constant", mlirUnitAttrGet(context)},
          {gmem_vocabulary[GMEM_ATTR_TRANSFORM].name,
           gmem_op_annotation(op, GMEM_ATTR_TRANSFORM)},
          {gmem_vocabulary[GMEM_ATTR_SOURCE].name, source},
          {NULL, {NULL}}});
  MlirSymbolTable symbols =
      mlirSymbolTableCreate(mlirOperationGetParentOperation(global));
  MlirAttribute name =
      mlirSymbolTableInsert(symbols, global); // makes it unique
  mlirSymbolTableDestroy(symbols);
  return name;
}

// Annotates |to| as |from| is, but for the chain.
static void copy_requests(MlirOperation from, MlirOperation to) {
  for (int i = 0; i < GMEM_ATTR_COUNT; ++i) {
    MlirAttribute value = gmem_op_annotation(from, (gmem_attr_t)i);
    if (!mlirAttributeIsNull(value) && i != GMEM_ATTR_TRANSFORM &&
        i != GMEM_ATTR_SOURCE)
      gmem_op_annotate(to, (gmem_attr_t)i, value);
  }
}

static void rewrite(MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  MlirContext context = mlirOperationGetContext(op);
  MlirType memref = gmem_constant_memref(mlirValueGetType(value));
  MlirStringRef name = mlirStringAttrGetValue(declare(op, memref));
  const gmem_builder_t at = gmem_build_before(op);
  MlirValue global = gmem_build_value(
      &at, "memref.get_global", NULL, 0, memref,
      (gmem_named_t[]){{"name", mlirFlatSymbolRefAttrGet(context, name)},
                       {NULL, {NULL}}});
  MlirValue tensor = gmem_build_value(
      &at, "bufferization.to_tensor", &global, 1, mlirValueGetType(value),
      (gmem_named_t[]){{"restrict", mlirUnitAttrGet(context)}, {NULL, {NULL}}});
  copy_requests(op, mlirOpResultGetOwner(global));
  mlirValueReplaceAllUsesOfWith(value, tensor);
  mlirOperationDestroy(op);
}

gmem_status_t gmem_transforms_to_globals(MlirOperation top,
                                         const gmem_plan_options_t *options,
                                         const gmem_allocator_t *allocator,
                                         gmem_diag_t *diag) {
  (void)options;
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  rewriter_t rewriter = {.arena = &arena, .diag = diag};
  gmem_status_t status = gmem_walk(top, find, &rewriter);
  for (size_t i = 0; i < rewriter.constants.count && status == GMEM_OK; ++i)
    rewrite(rewriter.constants.at[i]);
  gmem_bump_destroy(&arena);
  return status;
}
