// machine_places.c - where the plan puts values: the gmem.* attributes of a
// scope, and the bytes of types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "machine_program.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"
#include "mlir-c/Dialect/SparseTensor.h"
#include "vocabulary.h"

//===--- bytes of types ---------------------------------------------------===//

static uint64_t bits_of(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type);
  if (mlirTypeIsAIndex(type))
    return 64;
  if (mlirTypeIsAQuantizedType(type)) {
    MlirType stored = mlirQuantizedTypeGetStorageType(type);
    if (mlirTypeIsNull(stored))
      stored = mlirQuantizedTypeGetExpressedType(type);
    return mlirTypeIsNull(stored) ? 0 : bits_of(stored);
  }
  return 0;
}

static uint64_t elements_of(MlirType type) {
  uint64_t count = 1;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count *= (uint64_t)mlirShapedTypeGetDimSize(type, i);
  return count;
}

// Bits from one element of a tensor to the next: a power of two of bytes, or
// fewer than a byte, packed. 0: unknown.
static uint64_t element_bits(MlirType type) {
  uint64_t count = 1;
  if (mlirTypeIsAVector(type) && !mlirVectorTypeIsScalable(type)) {
    count = elements_of(type);
    type = mlirShapedTypeGetElementType(type);
  } else if (mlirTypeIsAComplex(type)) {
    count = 2;
    type = mlirComplexTypeGetElementType(type);
  }
  uint64_t bits = bits_of(type), rounded = 8;
  while (rounded < bits)
    rounded *= 2;
  return (bits < 8 ? bits : rounded) * count;
}

static bool tuple_bytes(MlirType type, uint64_t *bytes) {
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) {
    uint64_t element;
    if (!type_bytes(mlirTupleTypeGetType(type, i), &element))
      return false;
    *bytes = (*bytes + TUPLE_ALIGNMENT - 1) / TUPLE_ALIGNMENT * TUPLE_ALIGNMENT;
    *bytes += element;
  }
  return *bytes != 0;
}

bool type_bytes(MlirType type, uint64_t *bytes) {
  *bytes = 0;
  if (mlirTypeIsATuple(type))
    return tuple_bytes(type, bytes);
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type))
    return false;
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (!mlirAttributeIsNull(encoding) &&
      mlirAttributeIsASparseTensorEncodingAttr(encoding))
    return false;
  uint64_t bits = element_bits(mlirShapedTypeGetElementType(type));
  *bytes = (elements_of(type) * bits + 7) / 8;
  return bits != 0;
}

//===--- places -----------------------------------------------------------===//

typedef struct lists_s {
  MlirAttribute pools, offsets, sizes;
  MlirAttribute payloads; // null: the offsets
} lists_t;

typedef struct place_s {
  MlirStringRef pool;
  int64_t offset, size; // of all that is kept for the value
  int64_t payload;      // where in the pool it is itself
} place_t;

static MlirAttribute entry_of(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(name));
}

static bool is_list(MlirAttribute list, intptr_t count) {
  return !mlirAttributeIsNull(list) && mlirAttributeIsADenseI64Array(list) &&
         mlirDenseArrayGetNumElements(list) == count;
}

static uint32_t find_pool(const program_t *program, MlirStringRef name) {
  for (uint32_t i = 0; i < program->pool_count; ++i)
    if (program->pools[i].name_length == name.length &&
        memcmp(program->pools[i].name, name.data, name.length) == 0)
      return i;
  return NONE;
}

// Bytes around a value.
typedef struct sides_s {
  uint64_t before, after;
} sides_t;

// What lies around the value, which has been found a pool.
static const char *set_padding(value_t *value, const place_t *place) {
  uint64_t before = (uint64_t)(place->payload - place->offset);
  if (place->payload < place->offset || before > (uint64_t)place->size ||
      (value->wants_place && (uint64_t)place->size - before < value->size))
    return "a value that is not inside of its place";
  // Beyond the value there is nothing to read.
  if (!value->wants_place)
    value->size = (uint64_t)place->size - before;
  value->before = before;
  value->after = (uint64_t)place->size - before - value->size;
  return NULL;
}

//===--- padding per dimension --------------------------------------------===//

// gmem.padding of the value, or null.
static MlirAttribute padding_of(const program_t *program,
                                const value_t *value) {
  const char *name = gmem_vocabulary[GMEM_ATTR_PADDING].name;
  if (value->op != NONE) {
    MlirAttribute all = attribute_of(program->ops[value->op].op, name);
    return mlirAttributeIsNull(all)
               ? all
               : mlirArrayAttrGetElement(all, value->number);
  }
  for (size_t i = 0; i < program->function_count; ++i) {
    const function_t *function = &program->functions[i];
    MlirAttribute all = attribute_of(function->op, "arg_attrs");
    if (program->regions[function->region].blocks[0] == value->block &&
        !mlirAttributeIsNull(all) &&
        value->number < mlirArrayAttrGetNumElements(all))
      return entry_of(mlirArrayAttrGetElement(all, value->number), name);
  }
  return mlirAttributeGetNull();
}

// Reads a number per dimension: none are 0.
static bool read_sides(MlirAttribute padding, const char *key, intptr_t rank,
                       int64_t *out) {
  MlirAttribute list = entry_of(padding, key);
  memset(out, 0, (size_t)rank * sizeof *out);
  if (mlirAttributeIsNull(list))
    return true;
  if (!is_list(list, rank))
    return false;
  for (intptr_t i = 0; i < rank; ++i)
    out[i] = mlirDenseI64ArrayGetElement(list, i);
  return true;
}

static uint64_t mix(uint64_t hash, int64_t number) {
  return (hash ^ (uint64_t)number) * UINT64_C(0x100000001B3) + 1;
}

// Where the elements of a value are that has numbers of elements around it: its
// size, from the first to the last one, and what is before it and behind it.
static const char *read_layout(program_t *program, value_t *value,
                               MlirAttribute padding, sides_t *around) {
  enum { MOST = 16 };
  MlirType type = mlirValueGetType(value->value);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t before[MOST], after[MOST], count = 1, lead = 0, last = 0, dense = 1;
  if (rank > MOST || !read_sides(padding, "before", rank, before) ||
      !read_sides(padding, "after", rank, after))
    return "a gmem.padding that cannot be read";
  shape_t *shape = machine_alloc(program->arena, 1, sizeof *shape);
  shape->rank = rank;
  value->padded = shape;
  for (intptr_t i = rank; i-- > 0;) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    shape->dims[i] = size;
    shape->at[i] = count;
    lead += before[i] * count;
    last += (size - 1) * count;
    value->layout = mix(mix(value->layout, size), count);
    count *= before[i] + size + after[i];
    dense *= size;
  }
  uint64_t element = value->size / (uint64_t)dense;
  shape->element = element;
  value->layout = mix(value->layout, (int64_t)element);
  value->size = (uint64_t)(last + 1) * element;
  around->before = (uint64_t)lead * element;
  around->after = (uint64_t)count * element - around->before - value->size;
  return NULL;
}

//===--- strides ----------------------------------------------------------===//

static int64_t integer_of(MlirAttribute dictionary, const char *name) {
  MlirAttribute entry = entry_of(dictionary, name);
  return mlirAttributeIsNull(entry) || !mlirAttributeIsAInteger(entry)
             ? -1
             : mlirIntegerAttrGetValueInt(entry);
}

// gmem.strides of the value, or null.
static MlirAttribute strides_of(const program_t *program,
                                const value_t *value) {
  if (value->op == NONE)
    return mlirAttributeGetNull();
  MlirAttribute all = attribute_of(program->ops[value->op].op,
                                   gmem_vocabulary[GMEM_ATTR_STRIDES].name);
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
      value->number >= mlirArrayAttrGetNumElements(all))
    return mlirAttributeGetNull();
  MlirAttribute one = mlirArrayAttrGetElement(all, value->number);
  return mlirAttributeIsADictionary(one) &&
                 mlirDictionaryAttrGetNumElements(one)
             ? one
             : mlirAttributeGetNull();
}

// The place of a value whose elements have others between them.
static const char *set_strided(program_t *program, value_t *value,
                               MlirAttribute strides, const place_t *place) {
  MlirType type = mlirValueGetType(value->value);
  shape_t *shape = machine_alloc(program->arena, 1, sizeof *shape);
  MlirAttribute list = entry_of(strides, "strides");
  int64_t elements = 1, last = integer_of(strides, "first"), first = last;
  shape->rank = mlirShapedTypeGetRank(type);
  if (shape->rank > MAX_RANK || first < 0 || !is_list(list, shape->rank))
    return "a gmem.strides that cannot be read";
  for (int64_t i = 0; i < shape->rank; ++i) {
    shape->dims[i] = mlirShapedTypeGetDimSize(type, i);
    shape->at[i] = mlirDenseI64ArrayGetElement(list, i);
    elements *= shape->dims[i];
    last += (shape->dims[i] - 1) * shape->at[i];
    if (shape->at[i] < 1)
      return "a gmem.strides that cannot be read";
  }
  shape->element = value->size / (uint64_t)elements;
  if ((uint64_t)(last + 1) * shape->element > (uint64_t)place->size)
    return "a place smaller than its value";
  value->strided = shape;
  value->begin = (uint64_t)place->offset;
  value->offset = value->begin + (uint64_t)first * shape->element;
  return NULL;
}

static const char *set_place(program_t *program, uint32_t index,
                             place_t place) {
  MlirStringRef pool = place.pool;
  int64_t offset = place.offset, size = place.size;
  if (index == NONE || pool.length == 0)
    return NULL;
  value_t *value = &program->values[index];
  program->wrong_value = index;
  value->pool = find_pool(program, pool);
  if (value->pool == NONE)
    return "a place in a pool that is not in the pool table";
  if (offset < 0 || size < 0)
    return "a place below its pool";
  MlirAttribute padding = padding_of(program, value);
  MlirAttribute strides = strides_of(program, value);
  sides_t around = {0, 0};
  if (value->wants_place && !mlirAttributeIsNull(strides)) {
    const char *bad = set_strided(program, value, strides, &place);
    program->wrong_value = bad ? index : NONE;
    return bad;
  }
  const char *wrong = NULL;
  if (value->wants_place && !mlirAttributeIsNull(padding) &&
      mlirAttributeIsADictionary(padding))
    wrong = read_layout(program, value, padding, &around);
  if (wrong)
    return wrong;
  if (value->wants_place && (uint64_t)size < value->size)
    return "a place smaller than its value";
  wrong = set_padding(value, &place);
  if (wrong)
    return wrong;
  if (around.before > value->before || around.after > value->after)
    return "a place without room for its gmem.padding";
  program->wrong_value = NONE;
  value->offset = value->begin = (uint64_t)place.payload;
  return NULL;
}

// The places of |count| values that are numbered from |first| on.
static const char *set_places(program_t *program, uint32_t first,
                              uint32_t count, lists_t lists) {
  if (mlirAttributeIsNull(lists.pools) && mlirAttributeIsNull(lists.offsets))
    return NULL;
  if (!count) // a pass has removed the values
    return NULL;
  if (mlirAttributeIsNull(lists.pools) || !mlirAttributeIsAArray(lists.pools) ||
      mlirArrayAttrGetNumElements(lists.pools) != count ||
      !is_list(lists.offsets, count) || !is_list(lists.sizes, count) ||
      (!mlirAttributeIsNull(lists.payloads) && !is_list(lists.payloads, count)))
    return "places that are no lists, or too short";
  MlirAttribute payloads =
      mlirAttributeIsNull(lists.payloads) ? lists.offsets : lists.payloads;
  const char *wrong = NULL;
  for (uint32_t i = 0; i < count && !wrong; ++i) {
    MlirAttribute pool = mlirArrayAttrGetElement(lists.pools, i);
    wrong =
        !mlirAttributeIsAString(pool)
            ? "a pool that is no name"
            : set_place(program, first + i,
                        (place_t){mlirStringAttrGetValue(pool),
                                  mlirDenseI64ArrayGetElement(lists.offsets, i),
                                  mlirDenseI64ArrayGetElement(lists.sizes, i),
                                  mlirDenseI64ArrayGetElement(payloads, i)});
  }
  return wrong;
}

// Places of the arguments of blocks: gmem.block_args of |op|, whose regions are
// |regions|.
static const char *set_block_places(program_t *program, MlirOperation op,
                                    const uint32_t *regions,
                                    uint32_t region_count) {
  MlirAttribute list =
      attribute_of(op, gmem_vocabulary[GMEM_ATTR_BLOCK_ARGS].name);
  const char *wrong = NULL;
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return NULL;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list) && !wrong; ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(list, i);
    if (!mlirAttributeIsADictionary(entry))
      return "gmem.block_args that are no dictionaries";
    int64_t region = integer_of(entry, "region");
    int64_t number = integer_of(entry, "block");
    if (region < 0 || number < 0)
      return "gmem.block_args of no block";
    if (region >= region_count ||
        (size_t)number >= program->regions[regions[region]].count)
      continue; // a pass has removed the block
    const block_t *block =
        &program->blocks[program->regions[regions[region]].blocks[number]];
    wrong = set_places(
        program, block->first_argument, block->argument_count,
        (lists_t){entry_of(entry, "pool"), entry_of(entry, "offset"),
                  entry_of(entry, "size"), entry_of(entry, "payload_offset")});
  }
  return wrong;
}

static const char *set_argument_places(program_t *program,
                                       const function_t *function) {
  MlirAttribute all = attribute_of(function->op, "arg_attrs");
  const block_t *entry =
      &program->blocks[program->regions[function->region].blocks[0]];
  const char *wrong = NULL;
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return NULL;
  intptr_t count = mlirArrayAttrGetNumElements(all);
  for (uint32_t i = 0; i < entry->argument_count && i < count && !wrong; ++i) {
    MlirAttribute one = mlirArrayAttrGetElement(all, i);
    if (!mlirAttributeIsADictionary(one))
      continue;
    MlirAttribute pool = entry_of(one, gmem_vocabulary[GMEM_ATTR_POOL].name);
    if (mlirAttributeIsNull(pool) || !mlirAttributeIsAString(pool))
      continue;
    place_t place = {
        mlirStringAttrGetValue(pool),
        integer_of(one, gmem_vocabulary[GMEM_ATTR_OFFSET].name),
        integer_of(one, gmem_vocabulary[GMEM_ATTR_SIZE].name),
        integer_of(one, gmem_vocabulary[GMEM_ATTR_PAYLOAD_OFFSET].name)};
    if (place.payload == -1)
      place.payload = place.offset;
    wrong = set_place(program, entry->first_argument + i, place);
  }
  return wrong;
}

//===--- paddings ---------------------------------------------------------===//

// Whether there is as much around the value as |asked| says.
static bool has_room(const value_t *value, MlirAttribute asked) {
  return mlirAttributeIsNull(asked) || mlirAttributeIsADictionary(asked) ||
         (is_list(asked, 2) &&
          (uint64_t)mlirDenseI64ArrayGetElement(asked, 0) <= value->before &&
          (uint64_t)mlirDenseI64ArrayGetElement(asked, 1) <= value->after);
}

static const char *check_paddings(program_t *program) {
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (!has_room(&program->values[i],
                  padding_of(program, &program->values[i]))) {
      program->wrong_value = i;
      return "a place without room for its gmem.padding";
    }
  return NULL;
}

//===--- pools ------------------------------------------------------------===//

static const char *read_pools(program_t *program) {
  MlirAttribute table =
      attribute_of(program->scope, gmem_vocabulary[GMEM_ATTR_POOL_TABLE].name);
  if (mlirAttributeIsNull(table) || !mlirAttributeIsAArray(table))
    return "no gmem.pool_table";
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(table); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(table, i);
    MlirAttribute name = entry_of(entry, "name"),
                  kind = entry_of(entry, "kind");
    if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) ||
        mlirAttributeIsNull(kind) || !mlirAttributeIsAString(kind))
      return "a pool without name or kind";
    MlirStringRef text = mlirStringAttrGetValue(name);
    pool_t *pool =
        machine_push(program->arena, &program->pools, &program->pool_count,
                     &program->pool_room, sizeof *program->pools);
    *pool = (pool_t){.name = text.data,
                     .name_length = text.length,
                     .constant = mlirStringRefEqual(
                         mlirStringAttrGetValue(kind),
                         mlirStringRefCreateFromCString("constant"))};
  }
  MlirAttribute plan =
      attribute_of(program->scope, gmem_vocabulary[GMEM_ATTR_PLAN].name);
  if (!mlirAttributeIsNull(plan) && mlirAttributeIsADictionary(plan)) {
    MlirAttribute keep = entry_of(plan, "keep_inputs");
    program->keep_inputs = !mlirAttributeIsNull(keep) &&
                           mlirAttributeIsABool(keep) &&
                           mlirBoolAttrGetValue(keep);
  }
  return NULL;
}

//===--- weights ----------------------------------------------------------===//

typedef struct weight_s {
  uint32_t pool, value;
  uint64_t offset;
} weight_t;

static int by_place(const void *a, const void *b) {
  const weight_t *left = a, *right = b;
  if (left->pool != right->pool)
    return left->pool < right->pool ? -1 : 1;
  if (left->offset != right->offset)
    return left->offset < right->offset ? -1 : 1;
  return (left->value > right->value) - (left->value < right->value);
}

// Whether two constants are the same bytes, as far as attributes tell.
static bool is_equal_constant(MlirOperation a, MlirOperation b) {
  static const char *const names[] = {"value", "values", "global",
                                      "torch.onnx.value"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    MlirAttribute left = attribute_of(a, names[i]);
    MlirAttribute right = attribute_of(b, names[i]);
    if (mlirAttributeIsNull(left) || mlirAttributeIsNull(right))
      continue;
    if (mlirAttributeEqual(left, right))
      return true;
    if (mlirAttributeIsADenseElements(left) &&
        mlirAttributeIsADenseElements(right) &&
        mlirDenseElementsAttrIsSplat(left) ==
            mlirDenseElementsAttrIsSplat(right)) {
      uint64_t bytes, others;
      bool is_sized = type_bytes(mlirAttributeGetType(left), &bytes) &&
                      type_bytes(mlirAttributeGetType(right), &others);
      int64_t count = mlirElementsAttrGetNumElements(left);
      if (!is_sized || bytes != others || count == 0 ||
          count != mlirElementsAttrGetNumElements(right))
        continue;
      size_t held = mlirDenseElementsAttrIsSplat(left)
                        ? (size_t)(bytes / (uint64_t)count)
                        : (size_t)bytes;
      return memcmp(mlirDenseElementsAttrGetRawData(left),
                    mlirDenseElementsAttrGetRawData(right), held) == 0;
    }
  }
  return false;
}

// Whether the value is an argument of a function that nobody calls: arguments
// of others can be constants, but only those that they are given.
static bool is_network_argument(const program_t *program,
                                const value_t *value) {
  for (size_t i = 0; i < program->function_count; ++i) {
    const region_t *body = &program->regions[program->functions[i].region];
    if (body->blocks[0] == value->block)
      return !program->functions[i].called;
  }
  return false;
}

// Constants at one place are one, if they are equal.
static void find_weights(program_t *program) {
  weight_t *weights =
      machine_alloc(program->arena, program->value_count, sizeof *weights);
  size_t count = 0;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    value_t *value = &program->values[i];
    value->same_weight = NONE;
    value->is_weight =
        value->pool != NONE && program->pools[value->pool].constant &&
        (value->op == NONE ? is_network_argument(program, value)
                           : program->ops[value->op].does.does == DOES_WEIGHT);
    if (value->is_weight && value->size)
      weights[count++] = (weight_t){value->pool, i, value->offset};
  }
  qsort(weights, count, sizeof *weights, by_place);
  for (size_t i = 1; i < count; ++i) {
    value_t *value = &program->values[weights[i].value];
    const value_t *before = &program->values[weights[i - 1].value];
    if (weights[i].pool == weights[i - 1].pool &&
        weights[i].offset == weights[i - 1].offset &&
        value->size == before->size && value->op != NONE &&
        before->op != NONE &&
        is_equal_constant(program->ops[value->op].op,
                          program->ops[before->op].op))
      value->same_weight = weights[i - 1].value;
  }
}

const char *places_read(program_t *program) {
  const char *wrong = read_pools(program);
  for (size_t i = 0; i < program->op_count && !wrong; ++i) {
    const op_t *op = &program->ops[i];
    lists_t lists = {
        attribute_of(op->op, gmem_vocabulary[GMEM_ATTR_POOL].name),
        attribute_of(op->op, gmem_vocabulary[GMEM_ATTR_OFFSET].name),
        attribute_of(op->op, gmem_vocabulary[GMEM_ATTR_SIZE].name),
        attribute_of(op->op, gmem_vocabulary[GMEM_ATTR_PAYLOAD_OFFSET].name)};
    wrong = set_places(program, op->first_result, op->result_count, lists);
    if (!wrong)
      wrong = set_block_places(program, op->op, op->regions, op->region_count);
  }
  for (size_t i = 0; i < program->function_count && !wrong; ++i) {
    const function_t *function = &program->functions[i];
    wrong = set_block_places(program, function->op, &function->region, 1);
    if (!wrong)
      wrong = set_argument_places(program, function);
  }
  if (!wrong)
    wrong = check_paddings(program);
  find_weights(program);
  return wrong;
}
