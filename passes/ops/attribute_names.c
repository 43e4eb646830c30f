// attribute_names.c - see attribute_names.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "attribute_names.h"

#include "diagnostics.h"
#include "edit_distance.h"
#include "ir_reading.h"
#include "mlir_seam.h"

gmem_attr_t gmem_attribute_find(MlirStringRef name) {
  for (int i = 0; i < GMEM_ATTR_COUNT; ++i)
    if (name.length == gmem_vocabulary[i].name_length &&
        memcmp(name.data, gmem_vocabulary[i].name, name.length) == 0)
      return (gmem_attr_t)i;
  return GMEM_ATTR_COUNT;
}

bool gmem_is_plan_attribute(MlirStringRef name) {
  gmem_attr_t found = gmem_attribute_find(name);
  return found != GMEM_ATTR_COUNT &&
         strcmp(gmem_vocabulary[found].side, "output") == 0;
}

// The name that is nearest to |name|, or NULL when none is near.
static const char *nearest(MlirStringRef name) {
  gmem_nearest_t nearest = {NULL, 4};
  for (int i = 0; i < GMEM_ATTR_COUNT; ++i)
    gmem_nearest_try(&nearest, name.data, name.length, gmem_vocabulary[i].name);
  return nearest.found;
}

static gmem_status_t check_name(const gmem_own_attribute_t *own, void *user) {
  gmem_diag_t *diag = user;
  if (own->holder == GMEM_HOLDER_PROPERTIES)
    return gmem_reject(diag, own->op,
                       "'%.*s' is among the properties of this op, <{...}>, "
                       "where it has no effect: attributes of gmem stand "
                       "behind them, in {...}",
                       (int)own->name.length, own->name.data);
  if (gmem_attribute_find(own->name) != GMEM_ATTR_COUNT)
    return GMEM_OK;
  const char *meant = nearest(own->name);
  if (meant)
    return gmem_reject(diag, own->op,
                       "unknown attribute '%.*s': did you mean '%s'?",
                       (int)own->name.length, own->name.data, meant);
  return gmem_reject(diag, own->op,
                     "unknown attribute '%.*s': docs/attributes.md lists the "
                     "attributes of gmem",
                     (int)own->name.length, own->name.data);
}

gmem_status_t gmem_attribute_names_check(MlirOperation top, gmem_diag_t *diag) {
  return gmem_for_each_own_name(top, check_name, diag);
}
