// valid_region.c - see valid_region.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "valid_region.h"

#include <inttypes.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"

enum { KEYS = 2 };

static bool read_ends(MlirAttribute region, const char *key, uint32_t rank,
                      int64_t *out) {
  MlirAttribute list =
      mlirDictionaryAttrGetElementByName(region, gmem_string(key));
  if (!gmem_is_i64_list(list, (intptr_t)rank))
    return false;
  for (uint32_t i = 0; i < rank; ++i)
    out[i] = mlirDenseI64ArrayGetElement(list, (intptr_t)i);
  return true;
}

gmem_region_kind_t gmem_valid_region_of(MlirValue value,
                                        gmem_valid_region_t *out) {
  MlirAttribute region = gmem_value_annotation(value, GMEM_ATTR_VALID_REGION);
  gmem_padded_layout_t layout;
  bool is_part = false, is_box = true;
  if (mlirAttributeIsNull(region))
    return GMEM_REGION_WHOLE;
  if (!mlirAttributeIsADictionary(region))
    return GMEM_REGION_MALFORMED;
  if (mlirDictionaryAttrGetNumElements(region) == 0)
    return GMEM_REGION_WHOLE;
  if (mlirDictionaryAttrGetNumElements(region) != KEYS ||
      !gmem_dense_layout_of(value, &layout) ||
      !read_ends(region, "begin", layout.rank, out->begin) ||
      !read_ends(region, "end", layout.rank, out->end))
    return GMEM_REGION_MALFORMED;
  out->rank = layout.rank;
  for (uint32_t i = 0; i < out->rank; ++i) {
    is_box &= out->begin[i] >= 0 && out->begin[i] < out->end[i] &&
              out->end[i] <= layout.sizes[i];
    is_part |= out->begin[i] > 0 || out->end[i] < layout.sizes[i];
  }
  if (!is_box)
    return GMEM_REGION_MALFORMED;
  return is_part ? GMEM_REGION_PART : GMEM_REGION_WHOLE;
}

MlirAttribute gmem_valid_region_attribute(MlirContext context,
                                          const gmem_valid_region_t *region) {
  if (!region)
    return mlirDictionaryAttrGet(context, 0, NULL);
  const MlirNamedAttribute entries[KEYS] = {
      mlirNamedAttributeGet(
          mlirIdentifierGet(context, gmem_string("begin")),
          mlirDenseI64ArrayGet(context, region->rank, region->begin)),
      mlirNamedAttributeGet(
          mlirIdentifierGet(context, gmem_string("end")),
          mlirDenseI64ArrayGet(context, region->rank, region->end))};
  return mlirDictionaryAttrGet(context, KEYS, entries);
}

void gmem_valid_region_print(const gmem_valid_region_t *region, char *text,
                             size_t size) {
  size_t used = 0;
  for (uint32_t i = 0; i < region->rank && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used,
                             "%s[%" PRId64 ", %" PRId64 ")", i ? " x " : "",
                             region->begin[i], region->end[i]);
}
