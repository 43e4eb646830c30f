// init_digest.c - see init_digest.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "init_digest.h"

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"
#include "vocabulary.h"

typedef struct hasher_s {
  gmem_sha256_t sha;
  MlirOperation function; // whose ops are walked
  bool has_any, is_closed;
} hasher_t;

static void add_text(MlirStringRef text, void *user) {
  hasher_t *hasher = user;
  gmem_sha256_add(&hasher->sha, text.data, text.length);
}

// Removes the name of a function or a global, and that of a global that is
// read. They depend on the rest of the module, and on the run: bufferization
// numbers constants in an order of addresses.
static MlirWalkResult remove_name(MlirOperation op, void *user) {
  MlirContext context = mlirOperationGetContext(op);
  MlirStringRef any = gmem_string("any");
  (void)user;
  if (gmem_op_is(op, "memref.get_global"))
    mlirOperationSetAttributeByName(op, gmem_string("name"),
                                    mlirFlatSymbolRefAttrGet(context, any));
  if (!mlirAttributeIsNull(gmem_op_attribute(op, "sym_name")))
    mlirOperationSetAttributeByName(op, gmem_string("sym_name"),
                                    mlirStringAttrGet(context, any));
  gmem_op_annotate(op, GMEM_ATTR_INIT, mlirAttributeGetNull());
  return MlirWalkResultAdvance;
}

// The text of an op without a parent is complete: with the bytes of resources.
static void add_op(hasher_t *hasher, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  mlirOperationWalk(copy, remove_name, NULL, MlirWalkPreOrder);
  mlirOperationPrint(copy, add_text, hasher);
  mlirOperationDestroy(copy);
}

static bool is_symbol(MlirAttribute attribute) {
  return mlirAttributeIsASymbolRef(attribute) ||
         mlirAttributeIsAFlatSymbolRef(attribute);
}

// Adds the globals that the op reads; nothing else may be outside of the
// function.
static MlirWalkResult add_globals(MlirOperation op, void *user) {
  hasher_t *hasher = user;
  MlirAttribute all = gmem_all_attributes(op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i) {
    MlirAttribute attribute = mlirDictionaryAttrGetElement(all, i).attribute;
    if (!is_symbol(attribute))
      continue;
    MlirOperation global = {NULL};
    if (gmem_op_is(op, "memref.get_global") &&
        mlirAttributeIsAFlatSymbolRef(attribute)) {
      MlirStringRef name = mlirFlatSymbolRefAttrGetValue(attribute);
      MlirOperation sibling =
          mlirBlockGetFirstOperation(mlirOperationGetBlock(hasher->function));
      for (; !mlirOperationIsNull(sibling);
           sibling = mlirOperationGetNextInBlock(sibling))
        if (gmem_op_is(sibling, "memref.global") &&
            mlirStringRefEqual(
                mlirStringAttrGetValue(gmem_op_attribute(sibling, "sym_name")),
                name))
          global = sibling;
    }
    if (mlirOperationIsNull(global))
      hasher->is_closed = false;
    else
      add_op(hasher, global);
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult add_function(MlirOperation op, void *user) {
  hasher_t *hasher = user;
  if (!gmem_op_is(op, "func.func") ||
      mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT)) ||
      mlirOperationIsNull(gmem_first_op(op, 0)))
    return MlirWalkResultAdvance;
  hasher->has_any = true;
  hasher->is_closed &= mlirBlockGetNumArguments(gmem_entry_block(op)) == 0;
  hasher->function = op;
  add_op(hasher, op);
  mlirOperationWalk(op, add_globals, hasher, MlirWalkPreOrder);
  return MlirWalkResultSkip;
}

bool gmem_init_digest(MlirOperation top, uint8_t out_digest[GMEM_SHA256_SIZE]) {
  hasher_t hasher = {.is_closed = true};
  gmem_sha256_begin(&hasher.sha);
  mlirOperationWalk(top, add_function, &hasher, MlirWalkPreOrder);
  gmem_sha256_end(&hasher.sha, out_digest);
  return hasher.has_any && hasher.is_closed;
}
