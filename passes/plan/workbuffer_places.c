// workbuffer_places.c - see workbuffer_places.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workbuffer_places.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

static MlirAttribute attribute_of(MlirOperation op, gmem_attr_t name) {
  return mlirOperationGetDiscardableAttributeByName(op, gmem_attr_name(name));
}

// The number of workbuffers of the op whose first workbuffer is |first|.
static size_t count_of_op(const gmem_workbuffers_t *workbuffers, size_t first) {
  size_t end = first;
  while (
      end < workbuffers->count &&
      mlirOperationEqual(workbuffers->all[end].op, workbuffers->all[first].op))
    ++end;
  return end - first;
}

// The attribute of |op| that is not a list of |count| elements; GMEM_ATTR_COUNT
// if none.
static gmem_attr_t find_malformed(MlirOperation op, size_t count) {
  MlirAttribute pools = attribute_of(op, GMEM_ATTR_WORKBUFFER_POOL);
  MlirAttribute offsets = attribute_of(op, GMEM_ATTR_WORKBUFFER_OFFSET);
  if (mlirAttributeIsNull(pools) || !mlirAttributeIsAArray(pools) ||
      mlirArrayAttrGetNumElements(pools) != (intptr_t)count)
    return GMEM_ATTR_WORKBUFFER_POOL;
  for (size_t i = 0; i < count; ++i)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(pools, (intptr_t)i)))
      return GMEM_ATTR_WORKBUFFER_POOL;
  return !mlirAttributeIsNull(offsets) &&
                 mlirAttributeIsADenseI64Array(offsets) &&
                 mlirDenseArrayGetNumElements(offsets) == (intptr_t)count
             ? GMEM_ATTR_COUNT
             : GMEM_ATTR_WORKBUFFER_OFFSET;
}

static gmem_value_place_t stated_place(const gmem_op_workbuffer_t *workbuffer) {
  MlirAttribute pools = attribute_of(workbuffer->op, GMEM_ATTR_WORKBUFFER_POOL);
  MlirAttribute offsets =
      attribute_of(workbuffer->op, GMEM_ATTR_WORKBUFFER_OFFSET);
  return (gmem_value_place_t){
      .pool = mlirStringAttrGetValue(
          mlirArrayAttrGetElement(pools, workbuffer->number)),
      .offset = mlirDenseI64ArrayGetElement(offsets, workbuffer->number),
      .size = (int64_t)workbuffer->size};
}

//===--- writing ----------------------------------------------------------===//

static gmem_status_t write_op(const gmem_op_workbuffer_t *workbuffers,
                              size_t count, const gmem_value_place_t *places,
                              bool immutable, gmem_bump_t *arena,
                              gmem_diag_t *diag) {
  MlirOperation op = workbuffers[0].op;
  MlirContext context = mlirOperationGetContext(op);
  bool is_stated = find_malformed(op, count) == GMEM_ATTR_COUNT;
  MlirAttribute *pools;
  GMEM_TRY_ALLOC(pools, arena, count, diag);
  int64_t *offsets;
  GMEM_TRY_ALLOC(offsets, arena, count, diag);
  for (size_t i = 0; i < count; ++i) {
    gmem_value_place_t place = {.pool = {"", 0}, .offset = -1};
    if (workbuffers[i].immutable != immutable && is_stated)
      place = stated_place(&workbuffers[i]);
    else if (workbuffers[i].immutable == immutable && workbuffers[i].size)
      place = places[i];
    pools[i] = mlirStringAttrGet(context, place.pool);
    offsets[i] = place.offset;
  }
  mlirOperationSetDiscardableAttributeByName(
      op, gmem_attr_name(GMEM_ATTR_WORKBUFFER_POOL),
      mlirArrayAttrGet(context, (intptr_t)count, pools));
  mlirOperationSetDiscardableAttributeByName(
      op, gmem_attr_name(GMEM_ATTR_WORKBUFFER_OFFSET),
      mlirDenseI64ArrayGet(context, (intptr_t)count, offsets));
  return GMEM_OK;
}

gmem_status_t
gmem_workbuffer_places_write(const gmem_workbuffers_t *workbuffers,
                             const gmem_value_place_t *places, bool immutable,
                             gmem_bump_t *arena, gmem_diag_t *diag) {
  for (size_t i = 0; i < workbuffers->stale_count; ++i) {
    mlirOperationRemoveDiscardableAttributeByName(
        workbuffers->stale[i], gmem_attr_name(GMEM_ATTR_WORKBUFFER_POOL));
    mlirOperationRemoveDiscardableAttributeByName(
        workbuffers->stale[i], gmem_attr_name(GMEM_ATTR_WORKBUFFER_OFFSET));
  }
  for (size_t i = 0, count; i < workbuffers->count; i += count) {
    count = count_of_op(workbuffers, i);
    GMEM_TRY(write_op(&workbuffers->all[i], count, &places[i], immutable, arena,
                      diag));
  }
  return GMEM_OK;
}

//===--- reading ----------------------------------------------------------===//

static gmem_status_t report_malformed(MlirOperation op, gmem_attr_t attribute,
                                      gmem_diag_t *diag) {
  return gmem_error(
      diag, GMEM_ERR_CORRUPT, mlirOperationGetLocation(op), NULL, 0,
      "%s is malformed: gmem-plan writes %s, one element for "
      "each workbuffer",
      gmem_vocabulary[attribute].name, gmem_vocabulary[attribute].type);
}

gmem_status_t gmem_workbuffer_places_read(const gmem_workbuffers_t *workbuffers,
                                          gmem_bump_t *arena,
                                          gmem_value_place_t **out_places,
                                          gmem_diag_t *diag) {
  gmem_value_place_t *places =
      gmem_bump_alloc(arena, workbuffers->count, sizeof *places);
  *out_places = places;
  if (!places)
    return gmem_out_of_memory(diag);
  if (workbuffers->stale_count)
    return gmem_error(diag, GMEM_ERR_CORRUPT,
                      mlirOperationGetLocation(workbuffers->stale[0]), NULL, 0,
                      "this op has workbuffer offsets but no gmem.workbuffers");
  for (size_t i = 0, count; i < workbuffers->count; i += count) {
    MlirOperation op = workbuffers->all[i].op;
    count = count_of_op(workbuffers, i);
    gmem_attr_t wrong = find_malformed(op, count);
    if (wrong != GMEM_ATTR_COUNT)
      return report_malformed(op, wrong, diag);
    for (size_t k = i; k < i + count; ++k)
      places[k] = stated_place(&workbuffers->all[k]);
  }
  return GMEM_OK;
}
