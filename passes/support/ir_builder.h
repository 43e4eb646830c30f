// ir_builder.h - creates ops with less code than the C API requires.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_IR_BUILDER_H_
#define GMEM_PASSES_IR_BUILDER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/IR.h"

// An insertion point and the location of new ops.
typedef struct gmem_builder_s {
  MlirBlock block;
  MlirOperation before; // insert before this op; null: at the end of the block
  MlirLocation location;
} gmem_builder_t;

gmem_builder_t gmem_build_before(MlirOperation op);
gmem_builder_t gmem_build_at_begin(MlirBlock block, MlirLocation location);

// An attribute of an op to be created.
typedef struct gmem_named_s {
  const char *name;
  MlirAttribute value;
} gmem_named_t;

// The parts of an op to be created; counts of 0 need no array.
typedef struct gmem_op_parts_s {
  const char *name;
  const MlirValue *operands;
  const MlirType *results;
  const gmem_named_t *attributes; // at most GMEM_BUILDER_ATTRIBUTES
  size_t operand_count, result_count, attribute_count;
  bool has_region; // an empty one
} gmem_op_parts_t;

#define GMEM_BUILDER_ATTRIBUTES 8

// Creates an op at the insertion point. Its dialect must be loaded.
MlirOperation gmem_build(const gmem_builder_t *at,
                         const gmem_op_parts_t *parts);

// As gmem_build; returns the first result of the op.
MlirValue gmem_build_value(const gmem_builder_t *at,
                           const gmem_op_parts_t *parts);

// Creates an arith.constant of type index.
MlirValue gmem_build_index(const gmem_builder_t *at, int64_t value);

// An entry of a dictionary or an attribute of an op.
MlirNamedAttribute gmem_named(const char *name, MlirAttribute value);

MlirAttribute gmem_i64_attribute(MlirContext context, int64_t value);
MlirAttribute gmem_text_attribute(MlirContext context, const char *text);

#endif // GMEM_PASSES_IR_BUILDER_H_
