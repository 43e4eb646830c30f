// region_marks.c - see region_marks.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region_marks.h"

#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

// Sets |*out| to the attribute of an op; null if all its results are valid.
static gmem_status_t mark_of(const gmem_program_t *program,
                             const gmem_valid_regions_t *regions,
                             MlirOperation op, gmem_bump_t *arena,
                             MlirAttribute *out, gmem_diag_t *diag) {
  intptr_t count = regions->of ? mlirOperationGetNumResults(op) : 0;
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute *entries;
  bool has_any = false;
  *out = mlirAttributeGetNull();
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t value = gmem_result_value(program, op, i);
    has_any |= value != GMEM_NO_INDEX && regions->of[value];
  }
  if (!has_any)
    return GMEM_OK;
  GMEM_TRY_ALLOC(entries, arena, (size_t)count, diag);
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t value = gmem_result_value(program, op, i);
    entries[i] = gmem_valid_region_attribute(
        context, value == GMEM_NO_INDEX ? NULL : regions->of[value]);
  }
  *out = mlirArrayAttrGet(context, count, entries);
  return GMEM_OK;
}

// Writes the attributes, or compares them with those that are stated.
static gmem_status_t visit_marks(const gmem_liveness_t *liveness, bool writes,
                                 gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  gmem_valid_regions_t regions;
  GMEM_TRY(gmem_valid_regions_find(liveness, arena, &regions, diag));
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    MlirAttribute mark;
    GMEM_TRY(mark_of(program, &regions, op, arena, &mark, diag));
    if (mlirAttributeEqual(
            mark, gmem_own_attribute(&program->ops[i], GMEM_ATTR_VALID_REGION)))
      continue;
    if (!writes)
      return gmem_reject(diag, op,
                         "gmem.valid_region is not what op models, borders and "
                         "operands say: plan again");
    gmem_op_annotate(op, GMEM_ATTR_VALID_REGION, mark);
  }
  return GMEM_OK;
}

gmem_status_t gmem_region_marks_write(const gmem_liveness_t *liveness,
                                      gmem_bump_t *arena, gmem_diag_t *diag) {
  return visit_marks(liveness, true, arena, diag);
}

gmem_status_t gmem_region_marks_verify(const gmem_liveness_t *liveness,
                                       gmem_bump_t *arena, gmem_diag_t *diag) {
  return visit_marks(liveness, false, arena, diag);
}
