// plan_transforms.c - see plan_transforms.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_transforms.h"

#include "ir_reading.h"
#include "vocabulary.h"
#include "weight_transforms.h"

gmem_status_t
gmem_planned_transforms_add(MlirOperation op, uint32_t buffer,
                            gmem_bump_t *arena,
                            gmem_planned_transforms_t *out_transforms,
                            MlirAttribute *out_source, gmem_diag_t *diag) {
  gmem_stated_transform_t *stated;
  size_t count;
  GMEM_TRY(gmem_weight_transforms_read(op, arena, &stated, &count, diag));
  for (size_t i = 0; i < count; ++i)
    GMEM_APPEND(arena, out_transforms,
                (gmem_planned_transform_t){
                    .name = gmem_bump_string(arena, stated[i].name.data,
                                             stated[i].name.length),
                    .buffer = buffer,
                    .size = stated[i].bytes});
  MlirAttribute source = gmem_op_annotation(op, GMEM_ATTR_SOURCE);
  if (!mlirAttributeIsNull(source))
    *out_source = source;
  return gmem_bump_status(arena, diag);
}
