// plan_attributes.c - see plan_attributes.h. Only discardable attributes of
// builtin kinds are used, so that tools without gmem can read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_attributes.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "program.h"
#include "scopes.h"
#include "vocabulary.h"

static MlirNamedAttribute named(MlirContext context, MlirStringRef name,
                                MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, name), attribute);
}

//===--- writing ----------------------------------------------------------===//

typedef struct writer_s {
  const gmem_program_t *program;
  const gmem_value_place_t *places;
  gmem_place_part_t part;
  MlirContext context;
  gmem_bump_t *arena;
  // Scratch arrays for the op or block with the most values.
  MlirAttribute *pools;
  int64_t *offsets;
  int64_t *sizes;
  int64_t *payloads;
} writer_t;

// The attributes of a list of values.
typedef struct place_attributes_s {
  MlirAttribute pools, offsets, sizes;
  MlirAttribute payloads; // null: no value is padded
} place_attributes_t;

// The attributes of the placement of a value.
static const gmem_attr_t place_names[] = {
    GMEM_ATTR_POOL, GMEM_ATTR_OFFSET, GMEM_ATTR_SIZE, GMEM_ATTR_PAYLOAD_OFFSET};
enum { PLACE_NAMES = sizeof place_names / sizeof *place_names };

static gmem_value_place_t place_of(const writer_t *writer, MlirValue value) {
  uint32_t index = gmem_program_find(writer->program, value);
  if (index == GMEM_NO_INDEX || !writer->places[index].pool.length)
    return (gmem_value_place_t){{"", 0}, -1, -1, -1};
  return writer->places[index];
}

// Writes value |i| to the scratch arrays; returns whether it has memory.
static bool set_value(writer_t *writer, intptr_t i, MlirValue value) {
  gmem_value_place_t place = place_of(writer, value);
  writer->pools[i] = mlirStringAttrGet(writer->context, place.pool);
  writer->offsets[i] = place.offset;
  writer->sizes[i] = place.size;
  writer->payloads[i] = place.payload;
  return place.pool.length != 0;
}

static bool has_padding(const writer_t *writer, intptr_t count) {
  for (intptr_t i = 0; i < count; ++i)
    if (writer->payloads[i] != writer->offsets[i])
      return true;
  return false;
}

static place_attributes_t make_attributes(const writer_t *writer,
                                          intptr_t count) {
  MlirContext context = writer->context;
  return (place_attributes_t){
      mlirArrayAttrGet(context, count, writer->pools),
      mlirDenseI64ArrayGet(context, count, writer->offsets),
      mlirDenseI64ArrayGet(context, count, writer->sizes),
      has_padding(writer, count)
          ? mlirDenseI64ArrayGet(context, count, writer->payloads)
          : mlirAttributeGetNull()};
}

static void set_or_remove(MlirOperation op, gmem_attr_t name,
                          MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    mlirOperationRemoveDiscardableAttributeByName(op, gmem_attr_name(name));
  else
    mlirOperationSetDiscardableAttributeByName(op, gmem_attr_name(name),
                                               attribute);
}

static void write_results(writer_t *writer, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  place_attributes_t made = {{NULL}, {NULL}, {NULL}, {NULL}};
  bool any = false;
  for (intptr_t i = 0; i < count; ++i)
    any |= set_value(writer, i, mlirOperationGetResult(op, i));
  if (any)
    made = make_attributes(writer, count);
  set_or_remove(op, GMEM_ATTR_POOL, made.pools);
  set_or_remove(op, GMEM_ATTR_OFFSET, made.offsets);
  set_or_remove(op, GMEM_ATTR_SIZE, made.sizes);
  set_or_remove(op, GMEM_ATTR_PAYLOAD_OFFSET, made.payloads);
}

// The entry of a block: {region, block, pool, offset, size}, and payload_offset
// if a value is padded; null if no argument has memory.
static MlirAttribute block_attribute(writer_t *writer, MlirBlock block,
                                     int64_t region, int64_t number) {
  intptr_t count = mlirBlockGetNumArguments(block);
  bool any = false;
  for (intptr_t i = 0; i < count; ++i)
    any |= set_value(writer, i, mlirBlockGetArgument(block, i));
  if (!any)
    return mlirAttributeGetNull();
  MlirContext context = writer->context;
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  place_attributes_t made = make_attributes(writer, count);
  MlirNamedAttribute entries[] = {
      named(context, gmem_string("block"), mlirIntegerAttrGet(i64, number)),
      named(context, gmem_string("offset"), made.offsets),
      named(context, gmem_string("pool"), made.pools),
      named(context, gmem_string("region"), mlirIntegerAttrGet(i64, region)),
      named(context, gmem_string("size"), made.sizes),
      named(context, gmem_string("payload_offset"), made.payloads)};
  return mlirDictionaryAttrGet(
      context, mlirAttributeIsNull(made.payloads) ? 5 : 6, entries);
}

// Writes gmem.block_args of |op|, skipping its first |skip| blocks.
static gmem_status_t write_blocks(writer_t *writer, MlirOperation op,
                                  uint32_t skip, gmem_diag_t *diag) {
  MlirAttribute *entries = NULL;
  size_t count = 0, room = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    int64_t number = 0;
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirAttribute entry = mlirAttributeGetNull();
      if (skip == 0)
        entry = block_attribute(writer, block, i, number);
      skip -= skip != 0;
      ++number;
      if (mlirAttributeIsNull(entry))
        continue;
      if (!gmem_bump_grow(writer->arena, &entries, count, &room, sizeof entry))
        return gmem_out_of_memory(diag);
      entries[count++] = entry;
    }
  }
  if (count)
    mlirOperationSetDiscardableAttributeByName(
        op, gmem_attr_name(GMEM_ATTR_BLOCK_ARGS),
        mlirArrayAttrGet(writer->context, (intptr_t)count, entries));
  else
    mlirOperationRemoveDiscardableAttributeByName(
        op, gmem_attr_name(GMEM_ATTR_BLOCK_ARGS));
  return GMEM_OK;
}

static bool is_place_name(MlirStringRef name) {
  for (int i = 0; i < PLACE_NAMES; ++i)
    if (mlirStringRefEqual(name, gmem_attr_name(place_names[i])))
      return true;
  return false;
}

// Copies the attributes of other dictionaries except the placement.
static intptr_t copy_foreign(MlirAttribute dictionary,
                             MlirNamedAttribute *entries) {
  intptr_t count = 0;
  if (mlirAttributeIsNull(dictionary))
    return 0;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(dictionary); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    if (!is_place_name(mlirIdentifierStr(entry.name)))
      entries[count++] = entry;
  }
  return count;
}

static MlirAttribute argument_attributes(const gmem_function_t *function) {
  MlirAttribute all = gmem_op_attribute(function->op, "arg_attrs");
  return !mlirAttributeIsNull(all) && mlirAttributeIsAArray(all)
             ? all
             : mlirAttributeGetNull();
}

static bool is_weight(const gmem_program_t *program, MlirValue argument) {
  uint32_t value = gmem_program_find(program, argument);
  return value != GMEM_NO_INDEX && gmem_value_is_weight(program, value);
}

// The attribute dictionary of an argument with its placement.
static MlirAttribute placed_argument(writer_t *writer,
                                     const gmem_function_t *function,
                                     intptr_t number, MlirValue argument) {
  MlirContext context = writer->context;
  MlirAttribute old = gmem_argument_attributes(function->op, number);
  size_t room = PLACE_NAMES;
  if (!mlirAttributeIsNull(old))
    room += (size_t)mlirDictionaryAttrGetNumElements(old);
  MlirNamedAttribute *entries =
      gmem_bump_alloc(writer->arena, room, sizeof *entries);
  if (!entries)
    return mlirAttributeGetNull();
  if (is_weight(writer->program, argument) !=
      (writer->part == GMEM_PLACES_OF_WEIGHTS))
    return mlirAttributeIsNull(old) ? mlirDictionaryAttrGet(context, 0, NULL)
                                    : old; // keeps its placement
  intptr_t count = copy_foreign(old, entries);
  gmem_value_place_t place = place_of(writer, argument);
  if (place.pool.length) {
    MlirType i64 = mlirIntegerTypeGet(context, 64);
    entries[count++] = named(context, gmem_attr_name(GMEM_ATTR_OFFSET),
                             mlirIntegerAttrGet(i64, place.offset));
    entries[count++] = named(context, gmem_attr_name(GMEM_ATTR_POOL),
                             mlirStringAttrGet(context, place.pool));
    entries[count++] = named(context, gmem_attr_name(GMEM_ATTR_SIZE),
                             mlirIntegerAttrGet(i64, place.size));
    if (place.payload != place.offset)
      entries[count++] =
          named(context, gmem_attr_name(GMEM_ATTR_PAYLOAD_OFFSET),
                mlirIntegerAttrGet(i64, place.payload));
  }
  return mlirDictionaryAttrGet(context, count, entries);
}

static gmem_status_t write_arguments(writer_t *writer,
                                     const gmem_function_t *function,
                                     gmem_diag_t *diag) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function->op, 0));
  intptr_t count = mlirBlockGetNumArguments(entry);
  bool any = !mlirAttributeIsNull(argument_attributes(function));
  MlirAttribute *all =
      gmem_bump_alloc(writer->arena, (size_t)count, sizeof *all);
  for (intptr_t i = 0; all && i < count; ++i) {
    all[i] =
        placed_argument(writer, function, i, mlirBlockGetArgument(entry, i));
    if (mlirAttributeIsNull(all[i]))
      return gmem_out_of_memory(diag);
    any |= mlirDictionaryAttrGetNumElements(all[i]) != 0;
  }
  if (!all)
    return gmem_out_of_memory(diag);
  if (any)
    mlirOperationSetAttributeByName(
        function->op, gmem_string("arg_attrs"),
        mlirArrayAttrGet(writer->context, count, all));
  return GMEM_OK;
}

static size_t widest(const gmem_program_t *program) {
  size_t most = 1;
  for (size_t i = 0; i < program->value_count; ++i)
    if (program->values[i].number >= most)
      most = (size_t)program->values[i].number + 1;
  for (size_t i = 0; i < program->op_count; ++i)
    if ((size_t)mlirOperationGetNumResults(program->ops[i].op) > most)
      most = (size_t)mlirOperationGetNumResults(program->ops[i].op);
  for (size_t i = 0; i < program->block_count; ++i)
    if ((size_t)mlirBlockGetNumArguments(program->blocks[i].block) > most)
      most = (size_t)mlirBlockGetNumArguments(program->blocks[i].block);
  return most;
}

gmem_status_t gmem_places_write(const gmem_program_t *program,
                                const gmem_value_place_t *places,
                                gmem_place_part_t part, gmem_bump_t *arena,
                                gmem_diag_t *diag) {
  size_t room = widest(program);
  writer_t writer = {.program = program,
                     .places = places,
                     .part = part,
                     .context = mlirOperationGetContext(program->scope),
                     .arena = arena,
                     .pools =
                         gmem_bump_alloc(arena, room, sizeof(MlirAttribute)),
                     .offsets = gmem_bump_alloc(arena, room, sizeof(int64_t)),
                     .sizes = gmem_bump_alloc(arena, room, sizeof(int64_t)),
                     .payloads = gmem_bump_alloc(arena, room, sizeof(int64_t))};
  if (!writer.pools || !writer.offsets || !writer.sizes || !writer.payloads)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < program->op_count; ++i)
    if (gmem_makes_weights(&program->ops[i]) ==
        (part == GMEM_PLACES_OF_WEIGHTS))
      write_results(&writer, program->ops[i].op);
  bool of_tensors = part != GMEM_PLACES_OF_WEIGHTS;
  for (size_t i = 0; of_tensors && i < program->op_count; ++i)
    if (!program->ops[i].opaque &&
        mlirOperationGetNumRegions(program->ops[i].op))
      GMEM_TRY(write_blocks(&writer, program->ops[i].op, 0, diag));
  for (size_t i = 0; i < program->function_count; ++i) {
    const gmem_function_t *function = &program->functions[i];
    bool own = gmem_has_argument_attributes(function->op);
    if (of_tensors)
      GMEM_TRY(write_blocks(&writer, function->op, own, diag));
    if (own)
      GMEM_TRY(write_arguments(&writer, function, diag));
  }
  return GMEM_OK;
}

//===--- reading ----------------------------------------------------------===//

static gmem_status_t report_malformed(MlirOperation op, gmem_attr_t attribute,
                                      gmem_diag_t *diag) {
  return gmem_error(diag, GMEM_ERR_CORRUPT, mlirOperationGetLocation(op), NULL,
                    0, "%s is malformed: gmem-plan writes %s",
                    gmem_vocabulary[attribute].name,
                    gmem_vocabulary[attribute].type);
}

static bool is_i64_list(MlirAttribute list, intptr_t count) {
  return !mlirAttributeIsNull(list) && mlirAttributeIsADenseI64Array(list) &&
         mlirDenseArrayGetNumElements(list) == count;
}

// The attribute that is not a list of |count| elements; GMEM_ATTR_COUNT if
// none.
static gmem_attr_t find_malformed(place_attributes_t read, intptr_t count) {
  if (mlirAttributeIsNull(read.pools) || !mlirAttributeIsAArray(read.pools) ||
      mlirArrayAttrGetNumElements(read.pools) != count)
    return GMEM_ATTR_POOL;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(read.pools, i)))
      return GMEM_ATTR_POOL;
  if (!is_i64_list(read.offsets, count))
    return GMEM_ATTR_OFFSET;
  if (!is_i64_list(read.sizes, count))
    return GMEM_ATTR_SIZE;
  return mlirAttributeIsNull(read.payloads) || is_i64_list(read.payloads, count)
             ? GMEM_ATTR_COUNT
             : GMEM_ATTR_PAYLOAD_OFFSET;
}

static gmem_value_place_t element(place_attributes_t read, intptr_t i) {
  MlirAttribute payloads =
      mlirAttributeIsNull(read.payloads) ? read.offsets : read.payloads;
  return (gmem_value_place_t){
      mlirStringAttrGetValue(mlirArrayAttrGetElement(read.pools, i)),
      mlirDenseI64ArrayGetElement(read.offsets, i),
      mlirDenseI64ArrayGetElement(read.sizes, i),
      mlirDenseI64ArrayGetElement(payloads, i)};
}

static void set_place(const gmem_program_t *program, gmem_value_place_t *places,
                      MlirValue value, gmem_value_place_t place) {
  uint32_t index = gmem_program_find(program, value);
  if (index != GMEM_NO_INDEX)
    places[index] = place;
}

static gmem_status_t read_results(const gmem_program_t *program,
                                  gmem_value_place_t *places, MlirOperation op,
                                  gmem_diag_t *diag) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirAttribute read_by_name[PLACE_NAMES];
  bool any = false;
  for (int i = 0; i < PLACE_NAMES; ++i) {
    read_by_name[i] = mlirOperationGetDiscardableAttributeByName(
        op, gmem_attr_name(place_names[i]));
    any |= !mlirAttributeIsNull(read_by_name[i]);
  }
  if (!any)
    return GMEM_OK;
  place_attributes_t read = {read_by_name[0], read_by_name[1], read_by_name[2],
                             read_by_name[3]};
  gmem_attr_t bad = find_malformed(read, count);
  if (bad != GMEM_ATTR_COUNT)
    return report_malformed(op, bad, diag);
  for (intptr_t i = 0; i < count; ++i)
    set_place(program, places, mlirOperationGetResult(op, i), element(read, i));
  return GMEM_OK;
}

static int64_t integer_entry(MlirAttribute dictionary, const char *name) {
  MlirAttribute entry =
      mlirDictionaryAttrGetElementByName(dictionary, gmem_string(name));
  return mlirAttributeIsNull(entry) || !mlirAttributeIsAInteger(entry)
             ? -1
             : mlirIntegerAttrGetValueInt(entry);
}

// A block in the regions of an op; entries are in block order.
typedef struct block_cursor_s {
  int64_t region, number;
  MlirBlock block;
} block_cursor_t;

// Advances to the block of |entry|; null if it is not ahead.
static void seek_block(block_cursor_t *cursor, MlirOperation op,
                       MlirAttribute entry) {
  int64_t region = integer_entry(entry, "region");
  int64_t number = integer_entry(entry, "block");
  if (region != cursor->region && region >= 0 &&
      region < mlirOperationGetNumRegions(op))
    *cursor = (block_cursor_t){
        region, 0, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region))};
  if (region != cursor->region || number < cursor->number)
    cursor->block = (MlirBlock){NULL};
  for (; cursor->number < number && !mlirBlockIsNull(cursor->block);
       ++cursor->number)
    cursor->block = mlirBlockGetNextInRegion(cursor->block);
}

static gmem_status_t read_block(const gmem_program_t *program,
                                gmem_value_place_t *places, MlirOperation op,
                                block_cursor_t *cursor, MlirAttribute entry,
                                gmem_diag_t *diag) {
  if (!mlirAttributeIsADictionary(entry))
    return report_malformed(op, GMEM_ATTR_BLOCK_ARGS, diag);
  seek_block(cursor, op, entry);
  MlirBlock block = cursor->block;
  place_attributes_t read = {
      mlirDictionaryAttrGetElementByName(entry, gmem_string("pool")),
      mlirDictionaryAttrGetElementByName(entry, gmem_string("offset")),
      mlirDictionaryAttrGetElementByName(entry, gmem_string("size")),
      mlirDictionaryAttrGetElementByName(entry, gmem_string("payload_offset"))};
  if (mlirBlockIsNull(block) ||
      find_malformed(read, mlirBlockGetNumArguments(block)) != GMEM_ATTR_COUNT)
    return report_malformed(op, GMEM_ATTR_BLOCK_ARGS, diag);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    set_place(program, places, mlirBlockGetArgument(block, i),
              element(read, i));
  return GMEM_OK;
}

static gmem_status_t read_blocks(const gmem_program_t *program,
                                 gmem_value_place_t *places, MlirOperation op,
                                 gmem_diag_t *diag) {
  MlirAttribute list = mlirOperationGetDiscardableAttributeByName(
      op, gmem_attr_name(GMEM_ATTR_BLOCK_ARGS));
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(list))
    return report_malformed(op, GMEM_ATTR_BLOCK_ARGS, diag);
  block_cursor_t cursor = {-1, 0, {NULL}};
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i)
    GMEM_TRY(read_block(program, places, op, &cursor,
                        mlirArrayAttrGetElement(list, i), diag));
  return GMEM_OK;
}

static gmem_status_t read_argument(const gmem_program_t *program,
                                   gmem_value_place_t *places,
                                   const gmem_function_t *function,
                                   intptr_t number, MlirValue argument,
                                   gmem_diag_t *diag) {
  MlirAttribute entry = gmem_argument_attributes(function->op, number);
  if (mlirAttributeIsNull(entry))
    return GMEM_OK;
  MlirAttribute pool =
      mlirDictionaryAttrGetElementByName(entry, gmem_attr_name(GMEM_ATTR_POOL));
  if (mlirAttributeIsNull(pool))
    return GMEM_OK;
  int64_t offset = integer_entry(entry, gmem_vocabulary[GMEM_ATTR_OFFSET].name);
  int64_t size = integer_entry(entry, gmem_vocabulary[GMEM_ATTR_SIZE].name);
  MlirAttribute padded = mlirDictionaryAttrGetElementByName(
      entry, gmem_attr_name(GMEM_ATTR_PAYLOAD_OFFSET));
  int64_t payload =
      mlirAttributeIsNull(padded)
          ? offset
          : integer_entry(entry,
                          gmem_vocabulary[GMEM_ATTR_PAYLOAD_OFFSET].name);
  if (!mlirAttributeIsAString(pool))
    return report_malformed(function->op, GMEM_ATTR_POOL, diag);
  if (offset < 0 || size < 0)
    return report_malformed(
        function->op, offset < 0 ? GMEM_ATTR_OFFSET : GMEM_ATTR_SIZE, diag);
  if (payload < 0)
    return report_malformed(function->op, GMEM_ATTR_PAYLOAD_OFFSET, diag);
  set_place(program, places, argument,
            (gmem_value_place_t){mlirStringAttrGetValue(pool), offset, size,
                                 payload});
  return GMEM_OK;
}

static gmem_status_t read_arguments(const gmem_program_t *program,
                                    gmem_value_place_t *places,
                                    gmem_place_part_t part,
                                    const gmem_function_t *function,
                                    gmem_diag_t *diag) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function->op, 0));
  bool of_weights = part == GMEM_PLACES_OF_WEIGHTS;
  GMEM_TRY(of_weights ? GMEM_OK
                      : read_blocks(program, places, function->op, diag));
  bool own = gmem_has_argument_attributes(function->op);
  for (intptr_t i = 0; own && i < mlirBlockGetNumArguments(entry); ++i)
    if (is_weight(program, mlirBlockGetArgument(entry, i)) == of_weights)
      GMEM_TRY(read_argument(program, places, function, i,
                             mlirBlockGetArgument(entry, i), diag));
  return GMEM_OK;
}

gmem_status_t gmem_places_read(const gmem_program_t *program,
                               gmem_value_place_t *places,
                               gmem_place_part_t part, gmem_diag_t *diag) {
  for (size_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    if (gmem_makes_weights(op) != (part == GMEM_PLACES_OF_WEIGHTS))
      continue;
    GMEM_TRY(read_results(program, places, op->op, diag));
    if (!op->opaque)
      GMEM_TRY(read_blocks(program, places, op->op, diag));
  }
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(
        read_arguments(program, places, part, &program->functions[i], diag));
  return GMEM_OK;
}
