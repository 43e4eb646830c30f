// workspace_io.c - gmem-workspace-io.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: results are arguments marked bufferize.result
//           (buffer-results-to-out-params{add-result-attr=true}).
// produces: public functions without arguments that are memrefs: each is an
//           allocation, which can be planned like others, in whose memory the
//           caller puts the inputs and finds the outputs.
//
//   func.func @main(%a: memref<4xf32>,       func.func @main() {
//       %b: memref<4xf32>                      %a = memref.alloc()
//         {bufferize.result}) {                %b = memref.alloc()
//     ...                                      gmem.inputs(%a)
//     return                                   ...
//   }                                          gmem.outputs(%b)
//                                              return
//
//           An input that the function may write to, or keep, is an operand of
//           gmem.outputs as well: the caller finds in it what has been written.
//           Memrefs of several types have an op each, in one layer group, as
//           the operands of one op have one type.
// fails:    when such a function returns results, takes something else than
//           memrefs of static shape and identity layout, is called by others,
//           or has an argument with gmem.state, which the caller keeps; the IR
//           is then unchanged. When memory is out.

#include "workspace_io.h"

#include <string.h>

#include "annotations.h"
#include "bump.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "scopes.h"
#include "symbol_uses.h"
#include "vocabulary.h"

const char *const gmem_workspace_io_dialects[] = {"memref", NULL};

typedef struct rewriter_s {
  gmem_bump_t *arena;
  GMEM_LIST(MlirOperation) functions;
  GMEM_LIST(MlirValue) names; // of one argument: views of it
  GMEM_LIST(MlirValue) inputs, outputs;
  int64_t next_group; // more than those of the program below INT32_MAX
  gmem_diag_t *diag;
} rewriter_t;

//===--- what can be rewritten --------------------------------------------===//

static bool is_output(MlirOperation function, intptr_t number) {
  MlirAttribute all = gmem_argument_attributes(function, number);
  return !mlirAttributeIsNull(all) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             all, gmem_string("bufferize.result")));
}

// Why the argument cannot be an allocation, or NULL.
static const char *why_not(MlirOperation function, intptr_t number,
                           MlirType type) {
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
    return "is not a memref of static shape";
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return "has a layout";
  if (!mlirAttributeIsNull(
          gmem_argument_annotation(function, number, GMEM_ATTR_STATE)))
    return "has gmem.state: the caller keeps the memory of states";
  return NULL;
}

static gmem_status_t check(rewriter_t *rewriter, MlirOperation top,
                           MlirOperation function) {
  MlirBlock entry = gmem_entry_block(function);
  MlirStringRef name =
      mlirStringAttrGetValue(gmem_op_attribute(function, "sym_name"));
  bool is_called;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    const char *why =
        why_not(function, i, mlirValueGetType(mlirBlockGetArgument(entry, i)));
    if (why)
      return gmem_reject(rewriter->diag, function,
                         "argument #%td of @%.*s %s, so that it cannot be in "
                         "the workspace",
                         i, (int)name.length, name.data, why);
  }
  if (mlirFunctionTypeGetNumResults(
          mlirTypeAttrGetValue(gmem_op_attribute(function, "function_type"))))
    return gmem_reject(rewriter->diag, function,
                       "@%.*s returns results, which are memory of their own: "
                       "convert them to arguments (out-params=true)",
                       (int)name.length, name.data);
  GMEM_TRY(gmem_is_mentioned(top, function, &is_called));
  if (is_called)
    return gmem_reject(rewriter->diag, function,
                       "@%.*s is public and called by the module: its inputs "
                       "are memory of the callers",
                       (int)name.length, name.data);
  return GMEM_OK;
}

//===--- inputs that are written ------------------------------------------===//

// The number of operands of an op of linalg that it only reads; 0 if unknown.
static intptr_t input_count(MlirOperation op) {
  static const char *const with_one_output[] = {
      "linalg.transpose", "linalg.broadcast", "linalg.map", NULL};
  static const char linalg[] = "linalg.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  MlirAttribute segments = gmem_op_attribute(op, "operandSegmentSizes");
  if (gmem_op_is_any(op, with_one_output))
    return mlirOperationGetNumOperands(op) - 1;
  if (gmem_op_is(op, "linalg.reduce"))
    return mlirOperationGetNumOperands(op) / 2;
  return name.length >= sizeof linalg &&
                 memcmp(name.data, linalg, sizeof linalg - 1) == 0 &&
                 gmem_attribute_is(segments, mlirAttributeIsADenseI32Array) &&
                 mlirDenseArrayGetNumElements(segments) == 2
             ? mlirDenseI32ArrayGetElement(segments, 0)
             : 0;
}

// Whether the op reads operand |number|, a memref, and does nothing else to it.
static bool is_read(MlirOperation op, intptr_t number) {
  static const char *const reads[] = {"memref.load", "memref.dim",
                                      "affine.load", "affine.vector_load",
                                      "vector.load", NULL};
  return gmem_op_is_any(op, reads) || number < input_count(op) ||
         (number == 0 && gmem_op_is(op, "memref.copy"));
}

// Whether all uses of |name| are reads, and views, which are listed.
static bool are_reads(rewriter_t *rewriter, MlirValue name) {
  static const char *const views[] = {
      "memref.subview", "memref.collapse_shape",   "memref.expand_shape",
      "memref.cast",    "memref.transpose",        "memref.reinterpret_cast",
      "memref.view",    "memref.assume_alignment", NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(name);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (gmem_op_is_any(op, views) && mlirOperationGetNumResults(op) == 1)
      GMEM_APPEND(rewriter->arena, &rewriter->names,
                  mlirOperationGetResult(op, 0));
    else if (!is_read(op, (intptr_t)mlirOpOperandGetOperandNumber(use)))
      return false;
  }
  return true;
}

static bool is_only_read(rewriter_t *rewriter, MlirValue argument) {
  rewriter->names.count = 0;
  GMEM_APPEND(rewriter->arena, &rewriter->names, argument);
  for (size_t i = 0; i < rewriter->names.count; ++i)
    if (!are_reads(rewriter, rewriter->names.at[i]))
      return false;
  return true;
}

//===--- rewriting --------------------------------------------------------===//

static MlirValue build_alloc(const gmem_builder_t *at, MlirType type) {
  const gmem_named_t attributes[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(mlirTypeGetContext(type), 2,
                                                   (const int32_t[]){0, 0})},
      {NULL, {NULL}}};
  return gmem_build_value(at, "memref.alloc", NULL, 0, type, attributes);
}

static bool have_one_type(const MlirValue *values, size_t count) {
  for (size_t i = 1; i < count; ++i)
    if (!mlirTypeEqual(mlirValueGetType(values[i]),
                       mlirValueGetType(values[0])))
      return false;
  return true;
}

// The caller accesses all of |values| at one time, as an op does its operands
// and a layer group those of its ops. IRDL has no operands of several types.
static void build_access(rewriter_t *rewriter, const gmem_builder_t *at,
                         const char *name, const MlirValue *values,
                         size_t count) {
  if (have_one_type(values, count)) {
    gmem_build(at, name, values, count, NULL);
    return;
  }
  MlirContext context = mlirTypeGetContext(mlirValueGetType(values[0]));
  MlirAttribute group = gmem_i64_attribute(context, rewriter->next_group++);
  for (size_t i = 0; i < count; ++i)
    gmem_op_annotate(gmem_build(at, name, &values[i], 1, NULL),
                     GMEM_ATTR_LAYER_GROUP, group);
}

// Puts gmem.outputs before each return.
static void build_outputs(rewriter_t *rewriter, MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation end = mlirBlockGetTerminator(block);
    if (!gmem_op_is(end, "func.return"))
      continue;
    const gmem_builder_t at = gmem_build_before(end);
    build_access(rewriter, &at, "gmem.outputs", rewriter->outputs.at,
                 rewriter->outputs.count);
  }
}

static void remove_arguments(MlirOperation function, MlirBlock entry) {
  MlirContext context = mlirOperationGetContext(function);
  while (mlirBlockGetNumArguments(entry))
    mlirBlockEraseArgument(entry,
                           (unsigned)mlirBlockGetNumArguments(entry) - 1);
  mlirOperationSetAttributeByName(
      function, gmem_string("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, 0, NULL, 0, NULL)));
  mlirOperationRemoveAttributeByName(function, gmem_string("arg_attrs"));
}

static gmem_status_t rewrite(rewriter_t *rewriter, MlirOperation function) {
  MlirBlock entry = gmem_entry_block(function);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  gmem_builder_t at = gmem_build_before(first);
  rewriter->inputs.count = rewriter->outputs.count = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    bool is_kept = is_output(function, i) || !is_only_read(rewriter, argument);
    at.location = mlirValueGetLocation(argument);
    MlirValue alloc = build_alloc(&at, mlirValueGetType(argument));
    if (!is_output(function, i))
      GMEM_APPEND(rewriter->arena, &rewriter->inputs, alloc);
    if (is_kept)
      GMEM_APPEND(rewriter->arena, &rewriter->outputs, alloc);
    mlirValueReplaceAllUsesOfWith(argument, alloc);
  }
  GMEM_TRY(gmem_bump_status(rewriter->arena, rewriter->diag));
  at.location = mlirOperationGetLocation(function);
  build_access(rewriter, &at, "gmem.inputs", rewriter->inputs.at,
               rewriter->inputs.count);
  build_outputs(rewriter, function);
  remove_arguments(function, entry);
  return GMEM_OK;
}

static bool is_entry(MlirOperation op) {
  return gmem_op_is(op, "func.func") && !gmem_is_private(op) &&
         mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT)) &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))) &&
         mlirBlockGetNumArguments(gmem_entry_block(op));
}

static MlirWalkResult read_group(MlirOperation op, void *user) {
  rewriter_t *rewriter = user;
  MlirAttribute group = gmem_op_annotation(op, GMEM_ATTR_LAYER_GROUP);
  if (gmem_attribute_is(group, mlirAttributeIsAInteger) &&
      mlirIntegerAttrGetValueInt(group) >= rewriter->next_group &&
      mlirIntegerAttrGetValueInt(group) < INT32_MAX)
    rewriter->next_group = mlirIntegerAttrGetValueInt(group) + 1;
  return MlirWalkResultAdvance;
}

static gmem_status_t rewrite_all(rewriter_t *rewriter, MlirOperation top) {
  MlirOperation op = gmem_first_op(top, 0);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_entry(op))
      continue;
    GMEM_TRY(check(rewriter, top, op));
    GMEM_APPEND(rewriter->arena, &rewriter->functions, op);
  }
  GMEM_TRY(gmem_bump_status(rewriter->arena, rewriter->diag));
  mlirOperationWalk(top, read_group, rewriter, MlirWalkPreOrder);
  for (size_t i = 0; i < rewriter->functions.count; ++i)
    GMEM_TRY(rewrite(rewriter, rewriter->functions.at[i]));
  return GMEM_OK;
}

gmem_status_t gmem_workspace_io(MlirOperation top,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag) {
  (void)options;
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  rewriter_t rewriter = {.arena = &arena, .diag = diag};
  gmem_status_t status = rewrite_all(&rewriter, top);
  gmem_bump_destroy(&arena);
  return status;
}
