// ir_reading.h - shorthands for reading IR through the C API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_DIALECT_IR_READING_H_
#define GMEM_DIALECT_IR_READING_H_

#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"

// Wraps |text|, NUL-terminated, for the C API; |text| must outlive the result.
static inline MlirStringRef gmem_string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

// Whether |string| consists of |text|.
static inline bool gmem_string_is(MlirStringRef string, const char *text) {
  return mlirStringRefEqual(string, gmem_string(text));
}

// The order of two strings by their bytes, as comparators for qsort return it.
static inline int gmem_string_order(MlirStringRef left, MlirStringRef right) {
  size_t length = left.length < right.length ? left.length : right.length;
  int order = length ? memcmp(left.data, right.data, length) : 0;
  return order ? order
               : (left.length > right.length) - (left.length < right.length);
}

// Whether |op| has this name, for example "memref.alloc".
static inline bool gmem_op_is(MlirOperation op, const char *name) {
  return gmem_string_is(mlirIdentifierStr(mlirOperationGetName(op)), name);
}

// The attribute of this name, inherent or discardable; null when absent.
static inline MlirAttribute gmem_op_attribute(MlirOperation op,
                                              const char *name) {
  return mlirOperationGetAttributeByName(op, gmem_string(name));
}

// Whether |attribute| is one of that kind, such as mlirAttributeIsAString;
// false for null.
static inline bool gmem_attribute_is(MlirAttribute attribute,
                                     bool (*is_kind)(MlirAttribute)) {
  return !mlirAttributeIsNull(attribute) && is_kind(attribute);
}

// The attribute dictionary of argument or result |number| of a function, from
// its |list| ("arg_attrs" or "res_attrs"); null when there is none.
static inline MlirAttribute gmem_entry_attributes(MlirOperation function,
                                                  const char *list,
                                                  intptr_t number) {
  MlirAttribute all = gmem_op_attribute(function, list), none = {NULL};
  if (!gmem_attribute_is(all, mlirAttributeIsAArray) ||
      mlirArrayAttrGetNumElements(all) <= number)
    return none;
  MlirAttribute one = mlirArrayAttrGetElement(all, number);
  return gmem_attribute_is(one, mlirAttributeIsADictionary) ? one : none;
}

// Whether the name of |op| is one of |names|, which end with NULL.
static inline bool gmem_op_is_any(MlirOperation op, const char *const *names) {
  while (*names && !gmem_op_is(op, *names))
    ++names;
  return *names != NULL;
}

// The first block of the first region of |op|; null when it is empty.
static inline MlirBlock gmem_entry_block(MlirOperation op) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

// The first op in the first block of region |number| of |op|; null when there
// is none.
static inline MlirOperation gmem_first_op(MlirOperation op, intptr_t number) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, number));
  return mlirBlockIsNull(block) ? (MlirOperation){NULL}
                                : mlirBlockGetFirstOperation(block);
}

// Whether the symbol that |op| defines has private visibility.
static inline bool gmem_is_private(MlirOperation op) {
  MlirAttribute visibility = gmem_op_attribute(op, "sym_visibility");
  return gmem_attribute_is(visibility, mlirAttributeIsAString) &&
         gmem_string_is(mlirStringAttrGetValue(visibility), "private");
}

// A fixed-size buffer for MLIR's printers; longer text is truncated.
typedef struct gmem_printed_s {
  char *text;  // NUL-terminated; "" to begin with
  size_t room; // bytes, with the NUL
  size_t length;
  bool is_cut; // the text was truncated
} gmem_printed_t;

// Callback for MLIR's printers; |user| is a gmem_printed_t.
static inline void gmem_print_into(MlirStringRef piece, void *user) {
  gmem_printed_t *printed = (gmem_printed_t *)user;
  size_t room = printed->room - 1 - printed->length;
  size_t taken = piece.length < room ? piece.length : room;
  printed->is_cut |= taken < piece.length;
  if (taken)
    memcpy(printed->text + printed->length, piece.data, taken);
  printed->length += taken;
  printed->text[printed->length] = '\0';
}

#endif // GMEM_DIALECT_IR_READING_H_
