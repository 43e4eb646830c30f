// random_weights.c - pseudo-random values for the constants of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "random_weights.h"

#include <stdlib.h>
#include <string.h>

#include "array_elements.h"
#include "element_type.h"
#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

typedef struct randomizer_s {
  gmem_random_t random;
  uint32_t changed;
} randomizer_t;

static double near_float(gmem_random_t *random, double value) {
  double factor = gmem_random_from(random, 0.5); // [0.5, 1.5)
  return value == 0 ? (factor - 1) * 0.2 : value * factor;
}

static int64_t near_int(const gmem_element_t *element, gmem_random_t *random,
                        int64_t value) {
  bool is_signed = element->kind == GMEM_ELEMENT_SIGNED;
  int64_t high = (INT64_C(1) << (element->bits - is_signed)) - 1;
  int64_t low = is_signed ? -high - 1 : 0;
  value += gmem_random_between(random, -3, 3);
  return value < low ? low : value > high ? high : value;
}

// Whether elements of that type are replaced.
static bool may_change(const gmem_element_t *element) {
  bool is_int = element->kind == GMEM_ELEMENT_SIGNED ||
                element->kind == GMEM_ELEMENT_UNSIGNED;
  return gmem_element_is_float(element) || (is_int && element->bits <= 16);
}

// The number of elements of a static shape; 0 on overflow.
static int64_t count_of(MlirType type) {
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, i),
                               &count))
      return 0;
  return count;
}

// Returns an attribute of |type| with values near |old|.
static MlirAttribute random_values(MlirType type, const uint8_t *old,
                                   const gmem_element_t *element,
                                   gmem_random_t *random) {
  int64_t count = count_of(type);
  size_t stored = (element->bits + 7) / 8;
  uint8_t *bytes = gmem_need(calloc((size_t)count, stored));
  for (int64_t i = 0; i < count; ++i) {
    uint8_t *at = bytes + (size_t)i * stored;
    if (gmem_element_is_float(element))
      gmem_element_set_float(
          element, at,
          near_float(random, gmem_element_get_float(element, old)));
    else
      gmem_element_set_int(
          element, at,
          near_int(element, random, gmem_element_get_int(element, old)));
  }
  MlirAttribute values =
      mlirDenseElementsAttrRawBufferGet(type, (size_t)count * stored, bytes);
  free(bytes);
  return values;
}

// The same for |old|, a splat attribute; null if it is not to be changed.
static MlirAttribute other_than(MlirAttribute old, gmem_random_t *random) {
  gmem_element_t element;
  uint8_t value[16] = {0};
  MlirType type = mlirAttributeGetType(old);
  if (!mlirAttributeIsADenseElements(old) ||
      !mlirDenseElementsAttrIsSplat(old) || !mlirTypeIsARankedTensor(type) ||
      count_of(type) < 2 ||
      !gmem_element_of_type(mlirShapedTypeGetElementType(type), &element) ||
      mlirTypeIsAIndex(mlirShapedTypeGetElementType(type)) ||
      !may_change(&element))
    return (MlirAttribute){NULL};
  // Attributes store each element in whole bytes.
  memcpy(value, mlirDenseElementsAttrGetRawData(old), (element.bits + 7) / 8);
  return random_values(type, value, &element, random);
}

// Returns the initial value of an uninitialized memref.global; zero for types
// that are not randomized.
static MlirAttribute first_values(MlirType memref, gmem_random_t *random) {
  gmem_element_t element;
  int64_t sizes[GMEM_ARRAY_MAX_RANK];
  static const uint8_t zero[16];
  if (!mlirTypeIsAMemRef(memref) ||
      mlirShapedTypeGetRank(memref) > GMEM_ARRAY_MAX_RANK ||
      !mlirShapedTypeHasStaticShape(memref) ||
      !gmem_element_of_type(mlirShapedTypeGetElementType(memref), &element) ||
      !may_change(&element))
    return (MlirAttribute){NULL};
  int64_t rank = mlirShapedTypeGetRank(memref);
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(memref, i);
  MlirType type =
      mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(memref),
                              mlirAttributeGetNull());
  if (count_of(type) < 2)
    return (MlirAttribute){NULL};
  return random_values(type, zero, &element, random);
}

static void replace(MlirOperation op, const char *name, MlirAttribute values,
                    randomizer_t *randomizer) {
  if (mlirAttributeIsNull(values))
    return;
  mlirOperationSetAttributeByName(op, gmem_string(name), values);
  ++randomizer->changed;
}

static void randomize_global(MlirOperation op, randomizer_t *randomizer) {
  static const char name[] = "initial_value";
  MlirAttribute old = gmem_op_attribute(op, name);
  MlirAttribute type = gmem_op_attribute(op, "type");
  // An external declaration, or a constant that the program computes.
  if (mlirAttributeIsNull(old) ||
      !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_INIT)))
    return;
  replace(op, name,
          mlirAttributeIsAUnit(old)
              ? first_values(mlirTypeAttrGetValue(type), &randomizer->random)
              : other_than(old, &randomizer->random),
          randomizer);
}

static MlirWalkResult randomize(MlirOperation op, void *user) {
  static const char *const names[] = {"value", "values"};
  if (gmem_op_is(op, "memref.global")) {
    randomize_global(op, user);
    return MlirWalkResultAdvance;
  }
  // Ops without operands and with a value attribute are constants.
  if (mlirOperationGetNumOperands(op) != 0 ||
      mlirOperationGetNumResults(op) != 1)
    return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (int i = 0; i < 2; ++i) {
    MlirAttribute old = gmem_op_attribute(op, names[i]);
    if (!mlirAttributeIsNull(old) &&
        mlirTypeEqual(mlirAttributeGetType(old), type))
      replace(op, names[i], other_than(old, &((randomizer_t *)user)->random),
              user);
  }
  return MlirWalkResultAdvance;
}

uint32_t gmem_randomize_constants(MlirModule module, uint64_t seed) {
  randomizer_t randomizer = {.random = {seed}};
  mlirOperationWalk(mlirModuleGetOperation(module), randomize, &randomizer,
                    MlirWalkPreOrder);
  return randomizer.changed;
}
