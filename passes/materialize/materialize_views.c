// materialize_views.c - see materialization.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "materialization.h"

#include <assert.h>
#include <stdio.h>

#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "vocabulary.h"

//===--- checks -----------------------------------------------------------===//

static gmem_status_t refuse_part(const gmem_materialization_t *job,
                                 const gmem_arena_part_t *part,
                                 const char *why) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(part->op));
  return gmem_reject(job->diag, part->op, "'%.*s' cannot become a view: %s",
                     (int)name.length, name.data, why);
}

static MlirType type_of(const gmem_arena_part_t *part) {
  return mlirValueGetType(mlirOperationGetResult(part->op, 0));
}

static intptr_t count_dynamic_sizes(MlirType type) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count += mlirShapedTypeIsDynamicDim(type, i);
  return count;
}

static intptr_t count_dynamic_strides(const gmem_arena_part_t *part) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type_of(part)); ++i)
    count += part->strides &&
             mlirShapedTypeIsDynamicStrideOrOffset(part->strides[i]);
  return count;
}

// The gmem.upper_bound of the result, which verification of the plan has
// checked.
static MlirAttribute upper_bound(const gmem_arena_part_t *part) {
  MlirAttribute all = gmem_op_annotation(part->op, GMEM_ATTR_UPPER_BOUND);
  return mlirAttributeIsNull(all) ? all : mlirArrayAttrGetElement(all, 0);
}

static gmem_status_t find_bounds(const gmem_materialization_t *job,
                                 gmem_arena_part_t *part,
                                 uint64_t dynamic_bound) {
  MlirType type = type_of(part);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (mlirShapedTypeHasStaticShape(type))
    return GMEM_OK;
  MlirAttribute list = upper_bound(part);
  int64_t *bounds;
  GMEM_TRY_ALLOC(bounds, job->arena, (size_t)rank, job->diag);
  for (intptr_t i = 0; i < rank; ++i) {
    if (!mlirShapedTypeIsDynamicDim(type, i))
      bounds[i] = mlirShapedTypeGetDimSize(type, i);
    else if (!mlirAttributeIsNull(list))
      bounds[i] = mlirDenseI64ArrayGetElement(list, i);
    else if (dynamic_bound)
      bounds[i] = (int64_t)dynamic_bound;
    else
      return refuse_part(job, part, "its size is dynamic and has no bound");
  }
  part->bounds = bounds;
  return GMEM_OK;
}

// Finds the end of the last element. Verification of the plan has checked that
// the sizes are within range, so this cannot overflow. Returns false if the
// layout is not static.
static bool find_end(gmem_arena_part_t *part) {
  MlirType type = type_of(part);
  bool is_empty = false;
  part->end = part->begin + 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    int64_t count =
        part->bounds ? part->bounds[i] : mlirShapedTypeGetDimSize(type, i);
    is_empty |= count == 0;
    if (count < 2)
      continue; // the stride is irrelevant
    if (mlirShapedTypeIsDynamicStrideOrOffset(part->strides[i]))
      return false;
    part->end += (count - 1) * part->strides[i];
  }
  if (is_empty)
    part->end = 0;
  assert(part->end >= 0);
  return true;
}

static gmem_status_t find_layout(const gmem_materialization_t *job,
                                 gmem_arena_part_t *part) {
  MlirType type = type_of(part);
  size_t rank = (size_t)mlirShapedTypeGetRank(type);
  if (mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return GMEM_OK;
  int64_t *strides;
  GMEM_TRY_ALLOC(strides, job->arena, rank, job->diag);
  part->strides = strides;
  return mlirLogicalResultIsSuccess(
             mlirMemRefTypeGetStridesAndOffset(type, strides, &part->begin)) &&
                 !mlirShapedTypeIsDynamicStrideOrOffset(part->begin) &&
                 find_end(part)
             ? GMEM_OK
             : refuse_part(job, part, "its layout is not static");
}

// Whether the first operands are the dynamic sizes and then the dynamic
// strides.
static bool has_operands(const gmem_arena_part_t *part) {
  intptr_t count =
      count_dynamic_sizes(type_of(part)) + count_dynamic_strides(part);
  if (mlirOperationGetNumOperands(part->op) < count)
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirTypeIsAIndex(
            mlirValueGetType(mlirOperationGetOperand(part->op, i))))
      return false;
  return true;
}

// Whether an op between |part| and its function is isolated from above, so that
// the arena cannot be used there.
static bool is_isolated(const gmem_materialization_t *job,
                        const gmem_arena_part_t *part) {
  MlirOperation function = job->functions[part->function].op;
  MlirOperation op = mlirOperationGetParentOperation(part->op);
  for (; !mlirOperationEqual(op, function);
       op = mlirOperationGetParentOperation(op))
    if (gmem_is_isolated(op))
      return true;
  return false;
}

gmem_status_t gmem_part_check(gmem_materialization_t *job,
                              gmem_arena_part_t *part, uint64_t dynamic_bound) {
  gmem_materialization_widen(job, 2 + 2 * mlirShapedTypeGetRank(type_of(part)));
  if (mlirOperationGetNumResults(part->op) != 1)
    return refuse_part(job, part, "it has results other than the memref");
  if (mlirOperationGetNumSuccessors(part->op) > 0)
    return refuse_part(job, part, "it is a terminator");
  if (is_isolated(job, part))
    return refuse_part(job, part, "an enclosing op is isolated from above");
  GMEM_TRY(find_bounds(job, part, dynamic_bound));
  GMEM_TRY(find_layout(job, part));
  return has_operands(part) ? GMEM_OK
                            : refuse_part(job, part,
                                          "its operands are not its dynamic "
                                          "sizes");
}

//===--- views ------------------------------------------------------------===//

// A size beyond the bound would overlap other buffers.
static void assert_size(const gmem_builder_t *at, const gmem_arena_part_t *part,
                        intptr_t dimension, MlirValue size) {
  MlirContext context = mlirLocationGetContext(at->location);
  MlirType i1 = mlirIntegerTypeGet(context, 1);
  MlirValue sizes[] = {size, gmem_build_index(at, part->bounds[dimension])};
  gmem_named_t at_most[] = {{"predicate", gmem_i64_attribute(context, 7)}, {0}};
  MlirValue is_good =
      gmem_build_value(at, "arith.cmpi", sizes, 2, i1, at_most); // ule
  char text[128];
  snprintf(text, sizeof text,
           "dimension #%lld of a planned memref has more elements than its "
           "bound of %lld",
           (long long)dimension, (long long)part->bounds[dimension]);
  gmem_named_t message[] = {{"msg", gmem_text_attribute(context, text)}, {0}};
  gmem_build(at, "cf.assert", &is_good, 1, message);
}

static void assert_sizes(const gmem_builder_t *at,
                         const gmem_arena_part_t *part) {
  MlirType type = type_of(part);
  intptr_t operand = 0;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (mlirShapedTypeIsDynamicDim(type, i))
      assert_size(at, part, i, mlirOperationGetOperand(part->op, operand++));
}

// Builds a view of |type| at |part->offset| with |sizes| dynamic sizes.
static MlirValue build_view(const gmem_materialization_t *job,
                            const gmem_arena_part_t *part,
                            const gmem_builder_t *at, MlirType type,
                            intptr_t sizes) {
  job->scratch.values[0] = job->functions[part->function].arenas[part->arena];
  job->scratch.values[1] = gmem_build_index(at, part->offset);
  for (intptr_t i = 0; i < sizes; ++i)
    job->scratch.values[2 + i] = mlirOperationGetOperand(part->op, i);
  return gmem_build_value(at, "memref.view", job->scratch.values,
                          (size_t)(2 + sizes), type, NULL);
}

// Casts |flat|, the elements as a 1-D memref, to the layout of the part.
static MlirValue build_layout(const gmem_materialization_t *job,
                              const gmem_arena_part_t *part,
                              const gmem_builder_t *at, MlirValue flat) {
  MlirContext context = mlirLocationGetContext(at->location);
  MlirType type = type_of(part);
  intptr_t rank = mlirShapedTypeGetRank(type);
  intptr_t sizes = count_dynamic_sizes(type);
  intptr_t strides = count_dynamic_strides(part);
  int32_t segments[] = {1, 0, (int32_t)sizes, (int32_t)strides};
  job->scratch.values[0] = flat;
  for (intptr_t i = 0; i < sizes + strides; ++i)
    job->scratch.values[1 + i] = mlirOperationGetOperand(part->op, i);
  for (intptr_t i = 0; i < rank; ++i)
    job->scratch.sizes[i] = mlirShapedTypeGetDimSize(type, i);
  gmem_named_t attributes[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)},
      {"static_offsets", mlirDenseI64ArrayGet(context, 1, &part->begin)},
      {"static_sizes", mlirDenseI64ArrayGet(context, rank, job->scratch.sizes)},
      {"static_strides", mlirDenseI64ArrayGet(context, rank, part->strides)},
      {0}};
  return gmem_build_value(at, "memref.reinterpret_cast", job->scratch.values,
                          (size_t)(1 + sizes + strides), type, attributes);
}

void gmem_part_build(const gmem_materialization_t *job,
                     const gmem_arena_part_t *part) {
  assert(mlirOperationGetNumResults(part->op) == 1);
  gmem_builder_t at = gmem_build_before(part->op);
  MlirType type = type_of(part);
  MlirValue made;
  assert_sizes(&at, part);
  if (part->strides) {
    MlirType row = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 1,
                                     &part->end, mlirAttributeGetNull(),
                                     mlirMemRefTypeGetMemorySpace(type));
    made = build_layout(job, part, &at, build_view(job, part, &at, row, 0));
  } else {
    made = build_view(job, part, &at, type, count_dynamic_sizes(type));
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(part->op, 0), made);
  mlirOperationDestroy(part->op);
}
