// weight_transforms.h - which functions make a constant, as its attributes
// gmem.transform and gmem.source state them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WEIGHT_TRANSFORMS_H_
#define GMEM_PASSES_WEIGHT_TRANSFORMS_H_

#include <stdint.h>

#include "bump.h"
#include "gmem/status.h"
#include "mlir-c/IR.h"

// One function of a chain.
typedef struct gmem_stated_transform_s {
  MlirStringRef name; // 1 to 255 bytes
  uint64_t bytes;     // of its result, at least 1
} gmem_stated_transform_t;

// Reads the chain of |op| into an array in |arena|; none without the attribute.
// An op with a chain is a memref.global, or has no operands and one result; the
// last function writes it, of a size that is known. Fails with OUT_OF_MEMORY
// or, reported at the op, INVALID_ARGUMENT.
gmem_status_t
gmem_weight_transforms_read(MlirOperation op, gmem_bump_t *arena,
                            gmem_stated_transform_t **out_transforms,
                            size_t *out_count, gmem_diag_t *diag);

#endif // GMEM_PASSES_WEIGHT_TRANSFORMS_H_
