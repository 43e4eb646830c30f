// annotations.c - see annotations.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "annotations.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"

static MlirAttribute entry(MlirOperation function, const char *list,
                           intptr_t number, gmem_attr_t name) {
  MlirAttribute all = gmem_entry_attributes(function, list, number);
  return mlirAttributeIsNull(all)
             ? all
             : mlirDictionaryAttrGetElementByName(all, gmem_attr_name(name));
}

MlirAttribute gmem_argument_annotation(MlirOperation function, intptr_t number,
                                       gmem_attr_t name) {
  return entry(function, "arg_attrs", number, name);
}

MlirAttribute gmem_function_result_annotation(MlirOperation function,
                                              intptr_t number,
                                              gmem_attr_t name) {
  return entry(function, "res_attrs", number, name);
}

bool gmem_attribute_text(MlirAttribute attribute, char *text, size_t size) {
  gmem_printed_t out = {text, size, 0, false};
  text[0] = '\0';
  mlirAttributePrint(attribute, gmem_print_into, &out);
  return !out.is_cut;
}

gmem_status_t gmem_bad_annotation(MlirLocation location, gmem_attr_t name,
                                  const char *what, gmem_diag_t *diag) {
  return gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT, location,
                       "%s must be %s", gmem_vocabulary[name].name, what);
}
