// workbuffer_places.c - see workbuffer_places.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workbuffer_places.h"

#include <assert.h>

#include "attribute_codec.h"
#include "diagnostics.h"

// The number of workbuffers of the op whose first workbuffer is |first|.
static size_t count_of_op(const gmem_workbuffers_t *workbuffers, size_t first) {
  size_t end = first;
  while (end < workbuffers->count &&
         mlirOperationEqual(workbuffers->all[end].op,
                            workbuffers->all[first].op)) {
    assert(workbuffers->all[end].number == end - first);
    ++end;
  }
  return end - first;
}

// The attribute of |op| that is not a list of |count| elements; GMEM_ATTR_COUNT
// if none.
static gmem_attr_t find_malformed(MlirOperation op, size_t count) {
  if (!gmem_is_string_list(gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_POOL),
                           (intptr_t)count))
    return GMEM_ATTR_WORKBUFFER_POOL;
  return gmem_is_i64_list(gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_OFFSET),
                          (intptr_t)count)
             ? GMEM_ATTR_COUNT
             : GMEM_ATTR_WORKBUFFER_OFFSET;
}

//===--- writing ----------------------------------------------------------===//

gmem_status_t
gmem_workbuffer_places_write(const gmem_workbuffers_t *workbuffers,
                             const gmem_pool_table_t *table,
                             const gmem_value_place_t *places, bool immutable,
                             gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirAttribute *pools;
  GMEM_TRY_ALLOC(pools, arena, workbuffers->count, diag);
  int64_t *offsets;
  GMEM_TRY_ALLOC(offsets, arena, workbuffers->count, diag);
  for (size_t i = 0; i < workbuffers->stale_count; ++i) {
    gmem_op_annotate(workbuffers->stale[i], GMEM_ATTR_WORKBUFFER_POOL,
                     mlirAttributeGetNull());
    gmem_op_annotate(workbuffers->stale[i], GMEM_ATTR_WORKBUFFER_OFFSET,
                     mlirAttributeGetNull());
  }
  for (size_t i = 0, count; i < workbuffers->count; i += count) {
    MlirOperation op = workbuffers->all[i].op;
    MlirContext context = mlirOperationGetContext(op);
    count = count_of_op(workbuffers, i);
    bool is_stated = find_malformed(op, count) == GMEM_ATTR_COUNT;
    MlirAttribute old_pools = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_POOL);
    MlirAttribute old = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_OFFSET);
    for (size_t k = i; k < i + count; ++k) {
      const gmem_op_workbuffer_t *one = &workbuffers->all[k];
      bool is_own = one->immutable == immutable;
      if (!is_own && is_stated) { // keep it
        pools[k] = mlirArrayAttrGetElement(old_pools, one->number);
        offsets[k] = mlirDenseI64ArrayGetElement(old, one->number);
        continue;
      }
      uint32_t pool = is_own && one->size ? places[k].pool : GMEM_NO_POOL;
      pools[k] = mlirStringAttrGet(context, gmem_place_pool_name(table, pool));
      offsets[k] = pool == GMEM_NO_POOL ? -1 : places[k].offset;
    }
    gmem_op_annotate(op, GMEM_ATTR_WORKBUFFER_POOL,
                     mlirArrayAttrGet(context, (intptr_t)count, &pools[i]));
    gmem_op_annotate(
        op, GMEM_ATTR_WORKBUFFER_OFFSET,
        mlirDenseI64ArrayGet(context, (intptr_t)count, &offsets[i]));
  }
  return GMEM_OK;
}

//===--- reading ----------------------------------------------------------===//

gmem_status_t gmem_workbuffer_places_read(const gmem_workbuffers_t *workbuffers,
                                          const gmem_pool_table_t *table,
                                          gmem_bump_t *arena,
                                          gmem_value_place_t **out_places,
                                          gmem_diag_t *diag) {
  GMEM_TRY(gmem_places_alloc(arena, workbuffers->count, out_places, diag));
  if (workbuffers->stale_count)
    return gmem_op_error(diag, GMEM_ERR_CORRUPT, workbuffers->stale[0],
                         "this op has workbuffer offsets but no "
                         "gmem.workbuffers");
  for (size_t i = 0, count; i < workbuffers->count; i += count) {
    MlirOperation op = workbuffers->all[i].op;
    count = count_of_op(workbuffers, i);
    gmem_attr_t wrong = find_malformed(op, count);
    if (wrong != GMEM_ATTR_COUNT)
      return gmem_op_error(
          diag, GMEM_ERR_CORRUPT, op,
          "%s is malformed: gmem-plan writes %s, one element for each "
          "workbuffer",
          gmem_vocabulary[wrong].name, gmem_vocabulary[wrong].type);
    MlirAttribute pools = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_POOL);
    MlirAttribute offsets = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_OFFSET);
    for (size_t k = 0; k < count; ++k)
      (*out_places)[i + k] = (gmem_value_place_t){
          .pool = gmem_place_pool(table,
                                  mlirArrayAttrGetElement(pools, (intptr_t)k)),
          .offset = mlirDenseI64ArrayGetElement(offsets, (intptr_t)k),
          .size = (int64_t)workbuffers->all[i + k].size};
  }
  return GMEM_OK;
}
