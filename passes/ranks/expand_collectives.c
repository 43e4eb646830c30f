// expand_collectives.c - gmem-expand-collectives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a program after MLIR's shard-partition.
// produces: collective ops that MLIR 22 does not convert to messages, by one
//           that it does: shard.all_gather as the sum over ranks of arrays in
//           which each rank has its part and zeros; shard.all_slice as the
//           rank's slice; shard.reduce_scatter as shard.all_reduce and a slice;
//           shard.all_to_all as a gather and a slice. Elements are equal, but
//           -0.0 of a gathered array becomes 0.0. Ops whose shapes or grids are
//           not static stay; gmem-check-sharding rejects them.
// fails:    when out of memory.

#include "rank_passes.h"

#include "attribute_codec.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

const char *const gmem_collective_dialects[] = {"arith", "linalg", "shard",
                                                "tensor", NULL};

enum { MAX_AXES = 16, MAX_RANK = 64 };

// A collective op on one ranked tensor.
typedef struct collective_s {
  MlirOperation op;
  gmem_builder_t at;
  MlirType operand, result;
  MlirType whole; // of all ranks of the group together, if that is needed
  MlirAttribute grid, axes; // the grid's name; the axes of the group of ranks
  int64_t sizes[MAX_AXES];  // of these axes
  int64_t axis;             // of the tensor
} collective_t;

//===--- reading ----------------------------------------------------------===//

static MlirAttribute shape_of_grid(MlirOperation top, MlirAttribute name) {
  MlirOperation op = gmem_first_op(top, 0);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute own = gmem_op_attribute(op, "sym_name");
    if (gmem_op_is(op, "shard.grid") && !mlirAttributeIsNull(own) &&
        mlirStringRefEqual(mlirStringAttrGetValue(own),
                           mlirFlatSymbolRefAttrGetValue(name)))
      return gmem_op_attribute(op, "shape");
  }
  return mlirAttributeGetNull();
}

static bool is_static_tensor(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) <= MAX_RANK;
}

// Whether the group of ranks and the axis are known.
static bool read_group(MlirOperation top, const char *axis_name,
                       collective_t *out) {
  MlirAttribute axis = gmem_op_attribute(out->op, axis_name);
  out->grid = gmem_op_attribute(out->op, "grid");
  out->axes = gmem_op_attribute(out->op, "grid_axes");
  if (!gmem_attribute_is(axis, mlirAttributeIsAInteger) ||
      !gmem_attribute_is(out->grid, mlirAttributeIsAFlatSymbolRef) ||
      !gmem_attribute_is(out->axes, mlirAttributeIsADenseI16Array))
    return false;
  MlirAttribute shape = shape_of_grid(top, out->grid);
  intptr_t count = mlirDenseArrayGetNumElements(out->axes);
  if (!gmem_attribute_is(shape, mlirAttributeIsADenseI64Array) || count < 1 ||
      count > MAX_AXES)
    return false;
  out->axis = mlirIntegerAttrGetValueInt(axis);
  for (intptr_t i = 0; i < count; ++i) {
    int16_t number = mlirDenseI16ArrayGetElement(out->axes, i);
    out->sizes[i] = mlirDenseI64ArrayGetElement(shape, number);
    if (out->sizes[i] < 1)
      return false;
  }
  return true;
}

static bool read_collective(MlirOperation top, MlirOperation op,
                            const char *axis_name, collective_t *out) {
  *out = (collective_t){
      .op = op,
      .at = gmem_build_before(op),
      .operand = mlirValueGetType(mlirOperationGetOperand(op, 0)),
      .result = mlirValueGetType(mlirOperationGetResult(op, 0))};
  return is_static_tensor(out->operand) && is_static_tensor(out->result) &&
         read_group(top, axis_name, out);
}

//===--- building ---------------------------------------------------------===//

static MlirContext context_of(const collective_t *collective) {
  return mlirOperationGetContext(collective->op);
}

// The number of this rank in its group, row by row.
static MlirValue build_rank(const collective_t *collective) {
  const gmem_builder_t *at = &collective->at;
  intptr_t count = mlirDenseArrayGetNumElements(collective->axes);
  MlirType index = mlirIndexTypeGet(context_of(collective));
  MlirType types[MAX_AXES];
  for (intptr_t i = 0; i < count; ++i)
    types[i] = index;
  MlirOperation place = gmem_build_parts(
      at, &(gmem_op_parts_t){
              .name = "shard.process_multi_index",
              .results = types,
              .result_count = (size_t)count,
              .attributes = (const gmem_named_t[]){{"grid", collective->grid},
                                                   {"axes", collective->axes},
                                                   {NULL, {NULL}}}});
  MlirValue rank = mlirOperationGetResult(place, 0);
  for (intptr_t i = 1; i < count; ++i) {
    MlirValue row[] = {rank, gmem_build_index(at, collective->sizes[i])};
    MlirValue sum[] = {gmem_build_value(at, "arith.muli", row, 2, index, NULL),
                       mlirOperationGetResult(place, i)};
    rank = gmem_build_value(at, "arith.addi", sum, 2, index, NULL);
  }
  return rank;
}

// The part of this rank, which has type |part|, in |whole|: taken from it, or,
// if |inserted| is not null, with |inserted| there.
static MlirValue build_slice(const collective_t *collective, MlirType part,
                             MlirValue whole, MlirValue inserted) {
  const gmem_builder_t *at = &collective->at;
  MlirContext context = context_of(collective);
  intptr_t rank = mlirShapedTypeGetRank(part);
  int64_t offsets[MAX_RANK] = {0}, sizes[MAX_RANK], strides[MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i) {
    sizes[i] = mlirShapedTypeGetDimSize(part, i);
    strides[i] = 1;
  }
  offsets[collective->axis] = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirValue scale[] = {build_rank(collective),
                       gmem_build_index(at, sizes[collective->axis])};
  MlirValue offset = gmem_build_value(at, "arith.muli", scale, 2,
                                      mlirIndexTypeGet(context), NULL);
  bool inserts = !mlirValueIsNull(inserted);
  const int32_t segments[] = {1, 1, 1, 0, 0};
  const gmem_named_t attributes[] = {
      {"operandSegmentSizes",
       inserts ? mlirDenseI32ArrayGet(context, 5, segments)
               : mlirDenseI32ArrayGet(context, 4, segments + 1)},
      {"static_offsets", mlirDenseI64ArrayGet(context, rank, offsets)},
      {"static_sizes", mlirDenseI64ArrayGet(context, rank, sizes)},
      {"static_strides", mlirDenseI64ArrayGet(context, rank, strides)},
      {NULL, {NULL}}};
  MlirValue operands[] = {inserted, whole, offset};
  return inserts ? gmem_build_value(at, "tensor.insert_slice", operands, 3,
                                    mlirValueGetType(whole), attributes)
                 : gmem_build_value(at, "tensor.extract_slice", operands + 1, 2,
                                    part, attributes);
}

static MlirValue build_reduction(const collective_t *collective,
                                 MlirValue operand) {
  const gmem_named_t attributes[] = {
      {"grid", collective->grid},
      {"grid_axes", collective->axes},
      {"reduction", gmem_op_attribute(collective->op, "reduction")},
      {NULL, {NULL}}};
  return gmem_build_value(&collective->at, "shard.all_reduce", &operand, 1,
                          mlirValueGetType(operand), attributes);
}

// Zeros of |type|. Not a constant, which would be a weight.
static MlirValue build_zeros(const collective_t *collective, MlirType type) {
  const gmem_builder_t *at = &collective->at;
  MlirContext context = context_of(collective);
  MlirType element = mlirShapedTypeGetElementType(type);
  bool is_float = mlirTypeIsAFloat(element);
  MlirAttribute zero = is_float ? mlirFloatAttrDoubleGet(context, element, 0)
                                : mlirIntegerAttrGet(element, 0);
  const gmem_named_t value[] = {{"value", zero}, {NULL, {NULL}}};
  const gmem_named_t segments[] = {
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(context, 2, (const int32_t[]){1, 1})},
      {NULL, {NULL}}};
  MlirValue operands[] = {
      gmem_build_value(at, "arith.constant", NULL, 0, element, value),
      gmem_build_value(at, "tensor.empty", NULL, 0, type, NULL)};
  MlirOperation fill =
      gmem_build_parts(at, &(gmem_op_parts_t){.name = "linalg.fill",
                                              .operands = operands,
                                              .operand_count = 2,
                                              .results = &type,
                                              .result_count = 1,
                                              .attributes = segments,
                                              .has_region = true});
  MlirLocation locations[] = {at->location, at->location};
  MlirBlock body =
      mlirBlockCreate(2, (const MlirType[]){element, element}, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(fill, 0), body);
  const gmem_builder_t inside = gmem_build_at_begin(body, at->location);
  MlirValue filler = mlirBlockGetArgument(body, 0);
  gmem_build(&inside, "linalg.yield", &filler, 1, NULL);
  return mlirOperationGetResult(fill, 0);
}

//===--- the ops ----------------------------------------------------------===//

static bool has_simple_element(MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAFloat(element) ||
         (mlirTypeIsAInteger(element) && mlirIntegerTypeIsSignless(element));
}

// The tensors of all ranks of the group, one after the other along the axis.
static MlirValue build_gathered(const collective_t *it) {
  return build_reduction(it, build_slice(it, it->operand,
                                         build_zeros(it, it->whole),
                                         mlirOperationGetOperand(it->op, 0)));
}

// Each rank sends a part to each other one: gathers all, of which it keeps its
// slice along another axis.
static MlirValue expand_all_to_all(MlirOperation top, MlirOperation op) {
  collective_t gathered, sliced;
  int64_t sizes[MAX_RANK], ranks = 1;
  if (!read_collective(top, op, "concat_axis", &gathered) ||
      !read_collective(top, op, "split_axis", &sliced) ||
      !has_simple_element(gathered.result))
    return (MlirValue){NULL};
  intptr_t rank = mlirShapedTypeGetRank(gathered.operand);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(gathered.axes); ++i)
    ranks *= gathered.sizes[i];
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(gathered.operand, i);
  sizes[gathered.axis] *= ranks;
  gathered.whole = mlirRankedTensorTypeGet(
      rank, sizes, mlirShapedTypeGetElementType(gathered.operand),
      mlirAttributeGetNull());
  return build_slice(&sliced, sliced.result, build_gathered(&gathered),
                     (MlirValue){NULL});
}

// Returns what replaces the result, or null.
static MlirValue expand(MlirOperation top, MlirOperation op) {
  collective_t it;
  MlirValue none = {NULL};
  if (gmem_op_is(op, "shard.all_gather") &&
      read_collective(top, op, "gather_axis", &it) &&
      has_simple_element(it.result)) {
    it.whole = it.result;
    return build_gathered(&it);
  }
  if (gmem_op_is(op, "shard.all_to_all"))
    return expand_all_to_all(top, op);
  if (gmem_op_is(op, "shard.all_slice") &&
      read_collective(top, op, "slice_axis", &it))
    return build_slice(&it, it.result, mlirOperationGetOperand(op, 0), none);
  if (gmem_op_is(op, "shard.reduce_scatter") &&
      read_collective(top, op, "scatter_axis", &it))
    return build_slice(&it, it.result,
                       build_reduction(&it, mlirOperationGetOperand(op, 0)),
                       none);
  return none;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  MlirOperation *top = user;
  MlirValue value = expand(*top, op);
  if (mlirValueIsNull(value))
    return MlirWalkResultAdvance;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
  return MlirWalkResultSkip;
}

gmem_status_t gmem_expand_collectives(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  (void)options, (void)allocator, (void)diag;
  // Ops are replaced after those in them.
  mlirOperationWalk(top, visit, &top, MlirWalkPostOrder);
  return GMEM_OK;
}
