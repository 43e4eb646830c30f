// symbol_uses.c - see symbol_uses.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "symbol_uses.h"

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"

typedef struct search_s {
  MlirStringRef name;
  bool is_found;
} search_t;

static void compare_name(MlirStringRef name, void *user) {
  search_t *search = user;
  search->is_found |= mlirStringRefEqual(name, search->name);
}

static gmem_status_t visit(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, compare_name, user);
  return GMEM_OK;
}

gmem_status_t gmem_is_mentioned(MlirOperation top, MlirOperation function,
                                bool *out) {
  search_t search = {
      mlirStringAttrGetValue(gmem_op_attribute(function, "sym_name")), false};
  gmem_status_t status = gmem_walk(top, visit, &search);
  *out = search.is_found;
  return status;
}
