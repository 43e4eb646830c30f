// vocabulary.c - the attribute table of vocabulary.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vocabulary.h"

#define ENTRY(symbol, name, side, on, type, meaning)                           \
  {name, side, on, type, meaning, sizeof(name) - 1},
const gmem_vocabulary_entry_t gmem_vocabulary[GMEM_ATTR_COUNT] = {
    GMEM_VOCABULARY(ENTRY)};

MlirStringRef gmem_attr_name(gmem_attr_t attribute) {
  return mlirStringRefCreate(gmem_vocabulary[attribute].name,
                             gmem_vocabulary[attribute].name_length);
}

MlirAttribute gmem_op_annotation(MlirOperation op, gmem_attr_t name) {
  return mlirOperationGetDiscardableAttributeByName(op, gmem_attr_name(name));
}

void gmem_op_annotate(MlirOperation op, gmem_attr_t name, MlirAttribute value) {
  if (mlirAttributeIsNull(value))
    mlirOperationRemoveDiscardableAttributeByName(op, gmem_attr_name(name));
  else
    mlirOperationSetDiscardableAttributeByName(op, gmem_attr_name(name), value);
}
