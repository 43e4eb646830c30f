// plan_transforms.h - the functions that make constants of a planned scope, for
// tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_TRANSFORMS_H_
#define GMEM_PASSES_PLAN_TRANSFORMS_H_

#include "bump.h"
#include "gmem/passes.h"
#include "mlir-c/IR.h"

typedef struct gmem_planned_transforms_s {
  gmem_planned_transform_t *at;
  size_t count, room;
} gmem_planned_transforms_t;

// Appends the chain of the constant |op|, the buffer |buffer|; nothing if it
// has none. *out_source becomes its gmem.source, or stays as it is. Strings are
// allocated in |arena|. Fails as gmem_weight_transforms_read.
gmem_status_t
gmem_planned_transforms_add(MlirOperation op, uint32_t buffer,
                            gmem_bump_t *arena,
                            gmem_planned_transforms_t *out_transforms,
                            MlirAttribute *out_source, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_TRANSFORMS_H_
