// llvm_values.c - see llvm_values.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm_values.h"

#include <assert.h>
#include <string.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Positions of a descriptor's members.
enum { ALIGNED = 1, OFFSET = 2, SIZES = 3, STRIDES = 4 };

// Maximum length of a chain of llvm.insertvalue. The limit is necessary because
// unreachable code may be cyclic.
enum { MAX_CHAIN = 128 };

MlirOperation gmem_defining_op(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

bool gmem_constant_read(MlirValue value, int64_t *out) {
  MlirOperation op = gmem_defining_op(value);
  if (!op.ptr || !gmem_op_is(op, "llvm.mlir.constant"))
    return false;
  MlirAttribute number =
      mlirOperationGetInherentAttributeByName(op, gmem_string("value"));
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number))
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

// One llvm.insertvalue: puts |member| at position [first] or [first, second] of
// |rest|.
typedef struct link_s {
  MlirValue member, rest;
  int64_t first, second; // -1: no second
} link_t;

// Reads the llvm.insertvalue that defines |value|; false if there is none.
static bool read_link(MlirValue value, link_t *out) {
  MlirOperation op = gmem_defining_op(value);
  if (!op.ptr || !gmem_op_is(op, "llvm.insertvalue"))
    return false;
  MlirAttribute position =
      mlirOperationGetInherentAttributeByName(op, gmem_string("position"));
  if (mlirAttributeIsNull(position) || !mlirAttributeIsADenseI64Array(position))
    return false;
  intptr_t depth = mlirDenseArrayGetNumElements(position);
  if (depth < 1 || depth > 2)
    return false;
  *out = (link_t){.rest = mlirOperationGetOperand(op, 0),
                  .member = mlirOperationGetOperand(op, 1),
                  .first = mlirDenseI64ArrayGetElement(position, 0),
                  .second = -1};
  if (depth == 2)
    out->second = mlirDenseI64ArrayGetElement(position, 1);
  return true;
}

bool gmem_descriptor_pointer(MlirValue descriptor, MlirValue *out) {
  link_t link;
  for (int i = 0; i < MAX_CHAIN && read_link(descriptor, &link); ++i) {
    if (link.first == ALIGNED) {
      *out = link.member;
      return link.second < 0;
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
  if (link->second < 0 || link->second >= GMEM_MAX_DESCRIPTOR_RANK)
    return false;
  uint32_t bit = UINT32_C(1) << link->second;
  if (*rank <= link->second)
    *rank = link->second + 1;
  if (*has & bit)
    return true;
  *has |= bit;
  return gmem_constant_read(link->member, &numbers[link->second]);
}

static bool read_member(reader_t *reader, const link_t *link) {
  gmem_descriptor_t *out = reader->out;
  if (link->first == SIZES)
    return read_dimension(link, &reader->has_sizes, out->sizes, &out->rank);
  if (link->first == STRIDES)
    return read_dimension(link, &reader->has_strides, out->strides, &out->rank);
  if (link->second >= 0)
    return false;
  if (link->first == ALIGNED && !reader->has_pointer) {
    reader->has_pointer = true;
    out->aligned = link->member;
  }
  if (link->first != OFFSET || reader->has_offset)
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
