// jit_constants.c - see jit_constants.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jit_constants.h"

#include <stdlib.h>
#include <string.h>

#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { LARGE = 1 << 20, ALIGNMENT = 4096 };

// The bytes of an element in memory; 0 for types whose elements may be stored
// in another way than attributes store them.
static size_t element_bytes(MlirType element) {
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                  : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                                              : 0;
  bool is_plain = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return is_plain ? bits / 8 : 0;
}

// The size of the contents of |op| in bytes, if they are to be taken, else 0.
static size_t bytes_of(MlirOperation op) {
  MlirAttribute type = gmem_op_attribute(op, "type");
  MlirAttribute value = gmem_op_attribute(op, "initial_value");
  if (!gmem_op_is(op, "memref.global") ||
      mlirAttributeIsNull(gmem_op_attribute(op, "constant")) ||
      !gmem_attribute_is(value, mlirAttributeIsADenseElements) ||
      !gmem_attribute_is(type, mlirAttributeIsAType) ||
      !mlirTypeIsAMemRef(mlirTypeAttrGetValue(type)))
    return 0;
  MlirType memref = mlirTypeAttrGetValue(type);
  size_t width = element_bytes(mlirShapedTypeGetElementType(memref));
  size_t bytes = width * (size_t)mlirElementsAttrGetNumElements(value);
  bool is_default = mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(memref));
  return is_default && bytes >= LARGE ? bytes : 0;
}

static void copy_contents(MlirAttribute value, uint8_t *out, size_t bytes) {
  const uint8_t *raw = mlirDenseElementsAttrGetRawData(value);
  size_t width = bytes / (size_t)mlirElementsAttrGetNumElements(value);
  if (!mlirDenseElementsAttrIsSplat(value)) {
    memcpy(out, raw, bytes);
    return;
  }
  for (size_t i = 0; i < bytes; i += width)
    memcpy(out + i, raw, width);
}

static gmem_status_t take(MlirOperation op, size_t bytes,
                          gmem_jit_constant_t **list) {
  MlirStringRef name =
      mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name"));
  gmem_jit_constant_t *made =
      gmem_need(calloc(1, sizeof *made + name.length + 1));
  made->next = *list;
  *list = made;
  memcpy(made->name, name.data, name.length);
  if (posix_memalign(&made->bytes, ALIGNMENT, bytes) != 0) {
    made->bytes = NULL;
    return gmem_tool_error("out of memory for constant @%s of %zu bytes",
                           made->name, bytes);
  }
  copy_contents(gmem_op_attribute(op, "initial_value"), made->bytes, bytes);
  (void)mlirOperationRemoveAttributeByName(op, gmem_string("initial_value"));
  (void)mlirOperationRemoveAttributeByName(op, gmem_string("sym_visibility"));
  return GMEM_OK;
}

gmem_status_t gmem_jit_constants_take(MlirModule module,
                                      gmem_jit_constant_t **list) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    size_t bytes = bytes_of(op);
    if (bytes)
      GMEM_TRY(take(op, bytes, list));
  }
  return GMEM_OK;
}

void gmem_jit_constants_register(const gmem_jit_constant_t *list,
                                 MlirExecutionEngine engine) {
  for (; list; list = list->next)
    mlirExecutionEngineRegisterSymbol(engine, gmem_string(list->name),
                                      list->bytes);
}

void gmem_jit_constants_free(gmem_jit_constant_t *list) {
  while (list) {
    gmem_jit_constant_t *next = list->next;
    free(list->bytes);
    free(list);
    list = next;
  }
}
