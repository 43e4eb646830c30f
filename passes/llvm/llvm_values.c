// llvm_values.c - see llvm_values.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm_values.h"

#include <assert.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Maximum length of a chain of llvm.insertvalue. The limit is necessary because
// unreachable code may be cyclic.
enum { MAX_CHAIN = 128 };

MlirOperation gmem_defining_op(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

MlirOperation gmem_op_defining(MlirValue value, const char *name) {
  MlirOperation op = gmem_defining_op(value);
  return op.ptr && gmem_op_is(op, name) ? op : (MlirOperation){NULL};
}

bool gmem_position_read(MlirOperation op, int64_t position[2]) {
  MlirAttribute list =
      mlirOperationGetInherentAttributeByName(op, gmem_string("position"));
  if (!gmem_attribute_is(list, mlirAttributeIsADenseI64Array))
    return false;
  intptr_t depth = mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < 2; ++i)
    position[i] = i < depth ? mlirDenseI64ArrayGetElement(list, i) : -1;
  return depth == 1 || depth == 2;
}

bool gmem_constant_read(MlirValue value, int64_t *out) {
  MlirOperation op = gmem_op_defining(value, "llvm.mlir.constant");
  if (!op.ptr)
    return false;
  MlirAttribute number =
      mlirOperationGetInherentAttributeByName(op, gmem_string("value"));
  if (!gmem_attribute_is(number, mlirAttributeIsAInteger))
    return false;
  MlirType type = mlirAttributeGetType(number);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    return false;
  *out = mlirIntegerAttrGetValueInt(number);
  return true;
}

//===--- elements ---------------------------------------------------------===//

// The bytes of a scalar, rounded up to a power of two: an upper bound of its
// alignment.
static bool scalar_bytes(MlirType type, uint64_t *out) {
  uint64_t bits;
  if (mlirTypeIsAIndex(type))
    bits = 64;
  else if (mlirTypeIsAInteger(type))
    bits = mlirIntegerTypeGetWidth(type);
  else if (mlirTypeIsAFloat(type))
    bits = mlirFloatTypeGetWidth(type);
  else
    return false;
  for (*out = 1; *out * 8 < bits;)
    *out *= 2;
  return true;
}

bool gmem_element_stride(MlirType type, uint64_t *out_bytes) {
  if (!mlirTypeIsAVector(type))
    return scalar_bytes(type, out_bytes);
  uint64_t bytes, count = 1;
  if (mlirVectorTypeIsScalable(type) ||
      !scalar_bytes(mlirShapedTypeGetElementType(type), &bytes))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(
            count, (uint64_t)mlirShapedTypeGetDimSize(type, i), &count))
      return false;
  if (count > UINT32_MAX)
    return false;
  for (*out_bytes = bytes; *out_bytes < count * bytes;)
    *out_bytes *= 2;
  return true;
}

//===--- descriptors ------------------------------------------------------===//

// One llvm.insertvalue: puts |member| at |position| of |rest|.
typedef struct link_s {
  MlirValue member, rest;
  int64_t position[2]; // second -1: there is none
} link_t;

// Reads the llvm.insertvalue that defines |value|; false if there is none.
static bool read_link(MlirValue value, link_t *out) {
  MlirOperation op = gmem_op_defining(value, "llvm.insertvalue");
  if (!op.ptr || !gmem_position_read(op, out->position))
    return false;
  out->rest = mlirOperationGetOperand(op, 0);
  out->member = mlirOperationGetOperand(op, 1);
  return true;
}

bool gmem_descriptor_pointer(MlirValue descriptor, MlirValue *out) {
  link_t link;
  for (int i = 0; i < MAX_CHAIN && read_link(descriptor, &link); ++i) {
    if (link.position[0] == GMEM_DESCRIPTOR_ALIGNED) {
      *out = link.member;
      return link.position[1] < 0;
    }
    descriptor = link.rest;
  }
  return false;
}

// State of reading a descriptor from its last llvm.insertvalue to the first:
// the first value found for each member is the valid one.
typedef struct reader_s {
  gmem_descriptor_t *out;
  bool has_pointer, has_offset;
  uint32_t has_sizes, has_strides; // by dimension
} reader_t;

static bool read_dimension(const link_t *link, uint32_t *has, int64_t *numbers,
                           int64_t *rank) {
  int64_t axis = link->position[1];
  if (axis < 0 || axis >= GMEM_MAX_DESCRIPTOR_RANK)
    return false;
  uint32_t bit = UINT32_C(1) << axis;
  *rank = *rank <= axis ? axis + 1 : *rank;
  if (*has & bit)
    return true;
  *has |= bit;
  return gmem_constant_read(link->member, &numbers[axis]);
}

static bool read_member(reader_t *reader, const link_t *link) {
  gmem_descriptor_t *out = reader->out;
  int64_t member = link->position[0];
  if (member == GMEM_DESCRIPTOR_SIZES)
    return read_dimension(link, &reader->has_sizes, out->sizes, &out->rank);
  if (member == GMEM_DESCRIPTOR_STRIDES)
    return read_dimension(link, &reader->has_strides, out->strides, &out->rank);
  if (link->position[1] >= 0)
    return false;
  if (member == GMEM_DESCRIPTOR_ALIGNED && !reader->has_pointer) {
    reader->has_pointer = true;
    out->aligned = link->member;
  }
  if (member != GMEM_DESCRIPTOR_OFFSET || reader->has_offset)
    return true;
  reader->has_offset = true;
  return gmem_constant_read(link->member, &out->offset);
}

bool gmem_descriptor_read(MlirValue descriptor, gmem_descriptor_t *out) {
  reader_t reader = {.out = out};
  *out = (gmem_descriptor_t){.rank = 0};
  link_t link;
  int length = 0;
  while (read_link(descriptor, &link)) {
    if (++length > MAX_CHAIN || !read_member(&reader, &link))
      return false;
    descriptor = link.rest;
  }
  // All members must come from the chain.
  MlirOperation first = gmem_defining_op(descriptor);
  uint32_t all = (uint32_t)((UINT64_C(1) << out->rank) - 1);
  return first.ptr &&
         (gmem_op_is(first, "llvm.mlir.poison") ||
          gmem_op_is(first, "llvm.mlir.undef")) &&
         reader.has_pointer && reader.has_offset && reader.has_sizes == all &&
         reader.has_strides == all;
}

bool gmem_descriptor_extent(const gmem_descriptor_t *descriptor,
                            uint64_t *out_elements) {
  if (descriptor->offset < 0)
    return false;
  uint64_t extent = (uint64_t)descriptor->offset + 1;
  assert(descriptor->rank <= GMEM_MAX_DESCRIPTOR_RANK);
  for (int64_t i = 0; i < descriptor->rank; ++i) {
    uint64_t reach;
    if (descriptor->sizes[i] < 0 || descriptor->strides[i] < 0)
      return false;
    if (descriptor->sizes[i] == 0)
      return *out_elements = 0, true;
    if (__builtin_mul_overflow((uint64_t)descriptor->sizes[i] - 1,
                               (uint64_t)descriptor->strides[i], &reach) ||
        __builtin_add_overflow(extent, reach, &extent))
      return false;
  }
  *out_elements = extent;
  return true;
}
