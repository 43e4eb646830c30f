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

// An entry of a dictionary or an attribute of an op. A name NULL ends a list;
// entries with a null value are skipped.
typedef struct gmem_named_s {
  const char *name;
  MlirAttribute value;
} gmem_named_t;

enum { GMEM_BUILDER_ATTRIBUTES = 8 }; // the longest list

// The parts of an op to be created; counts of 0 need no array.
typedef struct gmem_op_parts_s {
  const char *name;
  const MlirValue *operands;
  const MlirType *results;
  const gmem_named_t *attributes; // or NULL
  size_t operand_count, result_count;
  bool has_region; // an empty one
} gmem_op_parts_t;

// Creates an op at the insertion point. Its dialect must be loaded.
MlirOperation gmem_build_parts(const gmem_builder_t *at,
                               const gmem_op_parts_t *parts);

// The same for an op without results, and for one with a single result, which
// is returned. |attributes| may be NULL.
MlirOperation gmem_build(const gmem_builder_t *at, const char *name,
                         const MlirValue *operands, size_t operand_count,
                         const gmem_named_t *attributes);
MlirValue gmem_build_value(const gmem_builder_t *at, const char *name,
                           const MlirValue *operands, size_t operand_count,
                           MlirType result, const gmem_named_t *attributes);

// Creates an arith.constant of type index.
MlirValue gmem_build_index(const gmem_builder_t *at, int64_t value);

MlirNamedAttribute gmem_named(const char *name, MlirAttribute value);
MlirAttribute gmem_dictionary(MlirContext context, const gmem_named_t *entries);
MlirAttribute gmem_i64_attribute(MlirContext context, int64_t value);
MlirAttribute gmem_text_attribute(MlirContext context, const char *text);
MlirAttribute gmem_symbol_attribute(MlirContext context, const char *text);

#endif // GMEM_PASSES_IR_BUILDER_H_
