// plan_attributes.c - see plan_attributes.h. Only discardable attributes of
// builtin kinds are used, so that tools without gmem can read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_attributes.h"

#include <assert.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir_seam.h"
#include "scopes.h"

// The attributes of a placement, and their keys in gmem.block_args.
enum { POOL, OFFSET, SIZE, PAYLOAD, PARTS };
static const gmem_attr_t part_names[PARTS] = {
    GMEM_ATTR_POOL, GMEM_ATTR_OFFSET, GMEM_ATTR_SIZE, GMEM_ATTR_PAYLOAD_OFFSET};
static const char *const part_keys[PARTS] = {"pool", "offset", "size",
                                             "payload_offset"};

static const gmem_value_place_t no_place = {GMEM_NO_POOL, -1, -1, -1};

// The placements of the results of an op or of the arguments of a block, as one
// list per attribute. The payloads are null if no value is padded, and all are
// if none has memory.
typedef struct lists_s {
  MlirAttribute of[PARTS];
} lists_t;

// The results of an op, or the arguments of a block.
typedef struct values_s {
  MlirOperation op;
  MlirBlock block; // null: the results
  intptr_t count;
} values_t;

static values_t results_of(MlirOperation op) {
  return (values_t){op, {NULL}, mlirOperationGetNumResults(op)};
}

static values_t arguments_of(MlirBlock block) {
  return (values_t){{NULL}, block, mlirBlockGetNumArguments(block)};
}

static MlirValue value_at(const values_t *values, intptr_t i) {
  return mlirBlockIsNull(values->block)
             ? mlirOperationGetResult(values->op, i)
             : mlirBlockGetArgument(values->block, i);
}

gmem_status_t gmem_places_alloc(gmem_bump_t *arena, size_t count,
                                gmem_value_place_t **out_places,
                                gmem_diag_t *diag) {
  GMEM_TRY_ALLOC(*out_places, arena, count, diag);
  for (size_t i = 0; i < count; ++i)
    (*out_places)[i] = no_place;
  return GMEM_OK;
}

uint32_t gmem_place_pool(const gmem_pool_table_t *table, MlirAttribute name) {
  MlirStringRef text = mlirStringAttrGetValue(name);
  if (!text.length)
    return GMEM_NO_POOL;
  uint32_t pool = gmem_pool_table_find(table, text);
  return pool == GMEM_NO_INDEX ? GMEM_UNLISTED_POOL : pool;
}

MlirStringRef gmem_place_pool_name(const gmem_pool_table_t *table,
                                   uint32_t pool) {
  if (pool == GMEM_NO_POOL)
    return gmem_string("");
  assert(pool < table->count);
  return table->entries[pool].name;
}

//===--- writing ----------------------------------------------------------===//

// The attributes of an op in ascending order: gmem.alias, and its parts.
static const int order_of_parts[PARTS] = {OFFSET, PAYLOAD, POOL, SIZE};

// The last list of a part that was made: many ops have the same.
typedef struct made_list_s {
  int64_t *numbers; // of pools: their indices
  size_t count;
  MlirAttribute list; // null: none was made
} made_list_t;

typedef struct writer_s {
  const gmem_program_t *program;
  const gmem_pool_table_t *table;
  const gmem_value_place_t *places;
  const MlirAttribute *aliases; // by op; NULL: weights are written
  MlirContext context;
  MlirIdentifier names[1 + PARTS];
  gmem_bump_t *arena;
  // Scratch arrays for the values of an op or block.
  size_t room;
  MlirAttribute *pools;
  int64_t *numbers[PARTS];
  made_list_t made[PARTS];
} writer_t;

static bool writes_weights(const writer_t *writer) { return !writer->aliases; }

static gmem_value_place_t place_of(const writer_t *writer, MlirValue value) {
  uint32_t index = gmem_program_find(writer->program, value);
  return index == GMEM_NO_INDEX || !gmem_has_place(&writer->places[index])
             ? no_place
             : writer->places[index];
}

// Makes room for |count| values; false when memory is out.
static bool make_room(writer_t *writer, size_t count) {
  if (count > writer->room) {
    writer->room = 2 * count;
    writer->pools =
        gmem_bump_alloc(writer->arena, writer->room, sizeof(MlirAttribute));
    for (int i = 0; i < PARTS; ++i) {
      writer->numbers[i] =
          gmem_bump_alloc(writer->arena, writer->room, sizeof(int64_t));
      writer->made[i] = (made_list_t){
          gmem_bump_alloc(writer->arena, writer->room, sizeof(int64_t)),
          0,
          {NULL}};
    }
  }
  return !writer->arena->out_of_memory;
}

static MlirAttribute make_list(writer_t *writer, int part, size_t count) {
  const int64_t *numbers = writer->numbers[part];
  if (part != POOL)
    return mlirDenseI64ArrayGet(writer->context, (intptr_t)count, numbers);
  for (size_t i = 0; i < count; ++i)
    writer->pools[i] = mlirStringAttrGet(
        writer->context,
        gmem_place_pool_name(writer->table, (uint32_t)numbers[i]));
  return mlirArrayAttrGet(writer->context, (intptr_t)count, writer->pools);
}

static MlirAttribute list_of(writer_t *writer, int part, size_t count) {
  made_list_t *made = &writer->made[part];
  size_t bytes = count * sizeof *made->numbers;
  if (mlirAttributeIsNull(made->list) || made->count != count ||
      memcmp(made->numbers, writer->numbers[part], bytes) != 0) {
    made->list = make_list(writer, part, count);
    made->count = count;
    memcpy(made->numbers, writer->numbers[part], bytes);
  }
  return made->list;
}

static lists_t make_lists(writer_t *writer, const values_t *values) {
  lists_t made = {{{NULL}, {NULL}, {NULL}, {NULL}}};
  bool has_memory = false, has_padding = false;
  if (!make_room(writer, (size_t)values->count))
    return made;
  for (intptr_t i = 0; i < values->count; ++i) {
    gmem_value_place_t place = place_of(writer, value_at(values, i));
    writer->numbers[POOL][i] = place.pool;
    writer->numbers[OFFSET][i] = place.offset;
    writer->numbers[SIZE][i] = place.size;
    writer->numbers[PAYLOAD][i] = place.payload;
    has_memory |= gmem_has_place(&place);
    has_padding |= place.payload != place.offset;
  }
  for (int i = 0; has_memory && i < PARTS; ++i)
    if (i != PAYLOAD || has_padding)
      made.of[i] = list_of(writer, i, (size_t)values->count);
  return made;
}

static void write_results(writer_t *writer, uint32_t index) {
  const gmem_program_op_t *op = &writer->program->ops[index];
  MlirAttribute values[1 + PARTS] = {{NULL}};
  bool has_parts = gmem_makes_weights(op) == writes_weights(writer);
  size_t first = writes_weights(writer) ? 1 : 0;
  if (!first)
    values[0] = writer->aliases[index];
  if (has_parts) {
    values_t results = results_of(op->op);
    lists_t made = make_lists(writer, &results);
    for (int i = 0; i < PARTS; ++i)
      values[1 + i] = made.of[order_of_parts[i]];
  }
  gmem_set_attributes(op->op, writer->names + first, values + first,
                      1 - first + (has_parts ? PARTS : 0));
}

// The entry of a block: {region, block, pool, offset, size}, and payload_offset
// if a value is padded; null if no argument has memory.
static MlirAttribute block_attribute(writer_t *writer, MlirBlock block,
                                     int64_t region, int64_t number) {
  values_t arguments = arguments_of(block);
  lists_t made = make_lists(writer, &arguments);
  MlirNamedAttribute entries[PARTS + 2] = {
      gmem_named("block", gmem_i64_attribute(writer->context, number)),
      gmem_named("region", gmem_i64_attribute(writer->context, region))};
  intptr_t count = 2;
  if (mlirAttributeIsNull(made.of[POOL]))
    return mlirAttributeGetNull();
  for (int i = 0; i < PARTS; ++i)
    if (!mlirAttributeIsNull(made.of[i]))
      entries[count++] = gmem_named(part_keys[i], made.of[i]);
  return mlirDictionaryAttrGet(writer->context, count, entries);
}

// Writes gmem.block_args of |op|, skipping its first |skip| blocks.
static void write_blocks(writer_t *writer, MlirOperation op, uint32_t skip) {
  GMEM_LIST(MlirAttribute) entries = {NULL, 0, 0};
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    int64_t number = 0;
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirAttribute entry = skip ? mlirAttributeGetNull()
                                 : block_attribute(writer, block, i, number);
      skip -= skip != 0;
      ++number;
      if (!mlirAttributeIsNull(entry))
        GMEM_APPEND(writer->arena, &entries, entry);
    }
  }
  intptr_t count = (intptr_t)entries.count;
  gmem_op_annotate(op, GMEM_ATTR_BLOCK_ARGS,
                   count ? mlirArrayAttrGet(writer->context, count, entries.at)
                         : mlirAttributeGetNull());
}

// Copies the attributes of other dictionaries except the placement.
static intptr_t copy_foreign(MlirAttribute dictionary,
                             MlirNamedAttribute *entries) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(dictionary); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    int part = 0;
    while (part < PARTS &&
           !mlirStringRefEqual(mlirIdentifierStr(entry.name),
                               gmem_attr_name(part_names[part])))
      ++part;
    if (part == PARTS)
      entries[count++] = entry;
  }
  return count;
}

static bool is_weight(const gmem_program_t *program, MlirValue argument) {
  uint32_t value = gmem_program_find(program, argument);
  return value != GMEM_NO_INDEX && gmem_value_is_weight(program, value);
}

// The attribute dictionary of an argument with its placement.
static MlirAttribute placed_argument(const writer_t *writer,
                                     const gmem_function_t *function,
                                     intptr_t number, MlirValue argument) {
  MlirContext context = writer->context;
  MlirAttribute old = gmem_argument_attributes(function->op, number);
  if (mlirAttributeIsNull(old))
    old = mlirDictionaryAttrGet(context, 0, NULL);
  size_t room = PARTS + (size_t)mlirDictionaryAttrGetNumElements(old);
  MlirNamedAttribute *entries =
      gmem_bump_alloc(writer->arena, room, sizeof *entries);
  if (!entries ||
      is_weight(writer->program, argument) != writes_weights(writer))
    return old; // keeps its placement
  intptr_t count = copy_foreign(old, entries);
  gmem_value_place_t place = place_of(writer, argument);
  if (gmem_has_place(&place)) {
    const int64_t numbers[PARTS] = {0, place.offset, place.size, place.payload};
    MlirStringRef pool = gmem_place_pool_name(writer->table, place.pool);
    entries[count++] = gmem_named(gmem_vocabulary[GMEM_ATTR_POOL].name,
                                  mlirStringAttrGet(context, pool));
    for (int i = OFFSET; i < PARTS; ++i)
      if (i != PAYLOAD || place.payload != place.offset)
        entries[count++] = gmem_named(gmem_vocabulary[part_names[i]].name,
                                      gmem_i64_attribute(context, numbers[i]));
  }
  return mlirDictionaryAttrGet(context, count, entries);
}

static void write_arguments(const writer_t *writer,
                            const gmem_function_t *function) {
  values_t arguments = arguments_of(gmem_entry_block(function->op));
  MlirAttribute old = gmem_op_attribute(function->op, "arg_attrs");
  bool any = !mlirAttributeIsNull(old) && mlirAttributeIsAArray(old);
  MlirAttribute *all =
      gmem_bump_alloc(writer->arena, (size_t)arguments.count, sizeof *all);
  for (intptr_t i = 0; all && i < arguments.count; ++i) {
    all[i] = placed_argument(writer, function, i, value_at(&arguments, i));
    any |= mlirDictionaryAttrGetNumElements(all[i]) != 0;
  }
  if (any && all)
    mlirOperationSetAttributeByName(
        function->op, gmem_string("arg_attrs"),
        mlirArrayAttrGet(writer->context, arguments.count, all));
}

gmem_status_t gmem_places_write(const gmem_program_t *program,
                                const gmem_pool_table_t *table,
                                const gmem_value_place_t *places,
                                const MlirAttribute *aliases,
                                gmem_bump_t *arena, gmem_diag_t *diag) {
  writer_t writer = {.program = program,
                     .table = table,
                     .places = places,
                     .aliases = aliases,
                     .context = mlirOperationGetContext(program->scope),
                     .arena = arena};
  bool constant = writes_weights(&writer);
  writer.names[0] =
      mlirIdentifierGet(writer.context, gmem_attr_name(GMEM_ATTR_ALIAS));
  for (int i = 0; i < PARTS; ++i)
    writer.names[1 + i] = mlirIdentifierGet(
        writer.context, gmem_attr_name(part_names[order_of_parts[i]]));
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    write_results(&writer, i);
    if (!constant && !op->opaque && mlirOperationGetNumRegions(op->op))
      write_blocks(&writer, op->op, 0);
  }
  for (size_t i = 0; i < program->function_count; ++i) {
    const gmem_function_t *function = &program->functions[i];
    bool own = gmem_has_argument_attributes(function->op);
    if (!constant)
      write_blocks(&writer, function->op, own);
    if (own)
      write_arguments(&writer, function);
  }
  return gmem_bump_status(arena, diag);
}

//===--- reading ----------------------------------------------------------===//

typedef struct reader_s {
  const gmem_program_t *program;
  const gmem_pool_table_t *table;
  gmem_value_place_t *places;
  bool constant;
  gmem_stale_figures_t *stale; // or NULL
  MlirIdentifier names[PARTS];
  gmem_diag_t *diag;
} reader_t;

static gmem_status_t report_malformed(const reader_t *reader, MlirOperation op,
                                      gmem_attr_t attribute) {
  return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                       "%s is malformed: gmem-plan writes %s",
                       gmem_vocabulary[attribute].name,
                       gmem_vocabulary[attribute].type);
}

// The number of elements of the list of a part; -1 if it has another type.
static intptr_t list_length(int part, MlirAttribute list) {
  if (part == POOL)
    return gmem_is_string_list(list, -1) ? mlirArrayAttrGetNumElements(list)
                                         : -1;
  return gmem_is_i64_list(list, -1) ? mlirDenseArrayGetNumElements(list) : -1;
}

// Whether all parts are lists of one length.
static bool are_lists(const lists_t *read) {
  intptr_t length = list_length(POOL, read->of[POOL]);
  bool are_good = length >= 0;
  for (int i = OFFSET; i < PARTS; ++i)
    are_good &= (i == PAYLOAD && mlirAttributeIsNull(read->of[i])) ||
                list_length(i, read->of[i]) == length;
  return are_good;
}

// Notes at |op| that |values| of it are gone.
static gmem_status_t add_stale(const reader_t *reader, MlirOperation op,
                               const char *values) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (reader->stale)
    gmem_stale_figures_add(reader->stale, mlirOperationGetLocation(op),
                           "%s of '%.*s' no longer exist", values,
                           (int)(name.length < 96 ? name.length : 96),
                           name.data);
  return GMEM_OK;
}

static void set_place(const reader_t *reader, MlirValue value,
                      gmem_value_place_t place) {
  uint32_t index = gmem_program_find(reader->program, value);
  if (index != GMEM_NO_INDEX)
    reader->places[index] = place;
}

// Reads the lists of |values|; returns the malformed one, or PARTS if none is.
static int read_lists(const reader_t *reader, const values_t *values,
                      lists_t read) {
  if (!gmem_is_string_list(read.of[POOL], values->count))
    return POOL;
  for (int i = OFFSET; i < PARTS; ++i)
    if ((i != PAYLOAD || !mlirAttributeIsNull(read.of[i])) &&
        !gmem_is_i64_list(read.of[i], values->count))
      return i;
  if (mlirAttributeIsNull(read.of[PAYLOAD]))
    read.of[PAYLOAD] = read.of[OFFSET];
  for (intptr_t i = 0; i < values->count; ++i)
    set_place(reader, value_at(values, i),
              (gmem_value_place_t){
                  gmem_place_pool(reader->table,
                                  mlirArrayAttrGetElement(read.of[POOL], i)),
                  mlirDenseI64ArrayGetElement(read.of[OFFSET], i),
                  mlirDenseI64ArrayGetElement(read.of[SIZE], i),
                  mlirDenseI64ArrayGetElement(read.of[PAYLOAD], i)});
  return PARTS;
}

static gmem_status_t read_results(const reader_t *reader, MlirOperation op) {
  values_t results = results_of(op);
  lists_t read;
  bool any = false;
  gmem_get_attributes(op, reader->names, read.of, PARTS);
  for (int i = 0; i < PARTS; ++i)
    any |= !mlirAttributeIsNull(read.of[i]);
  int bad = any ? read_lists(reader, &results, read) : PARTS;
  if (bad == PARTS)
    return GMEM_OK;
  if (!results.count && are_lists(&read))
    return add_stale(reader, op, "the results");
  intptr_t length = list_length(bad, read.of[bad]);
  if (length < 0)
    return report_malformed(reader, op, part_names[bad]);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                       "the number of results of '%.*s', %lld, differs from "
                       "that in %s, %lld, so "
                       "the result of each place is unknown: plan again",
                       (int)(name.length < 64 ? name.length : 64), name.data,
                       (long long)results.count,
                       gmem_vocabulary[part_names[bad]].name,
                       (long long)length);
}

// The number of that key; -1 if there is none.
static int64_t integer_entry(MlirAttribute dictionary, const char *key) {
  int64_t number = -1;
  (void)gmem_i64_get(
      mlirDictionaryAttrGetElementByName(dictionary, gmem_string(key)),
      &number);
  return number;
}

static lists_t lists_of_block(MlirAttribute entry) {
  lists_t read;
  for (int i = 0; i < PARTS; ++i)
    read.of[i] =
        mlirDictionaryAttrGetElementByName(entry, gmem_string(part_keys[i]));
  return read;
}

// A block of an op, or the end of a region.
typedef struct place_in_op_s {
  int64_t region, number;
  MlirBlock block; // null: behind the last block
} place_in_op_t;

static MlirBlock first_block(MlirOperation op, int64_t region) {
  return region < mlirOperationGetNumRegions(op)
             ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region))
             : (MlirBlock){NULL};
}

// Moves |at| forward to the block that |entry| describes, or to the end of its
// region if there is no such block. False for an entry that describes no block
// or one before |at|.
static bool move_to(place_in_op_t *at, MlirOperation op, MlirAttribute entry) {
  if (!gmem_attribute_is(entry, mlirAttributeIsADictionary))
    return false;
  int64_t region = integer_entry(entry, "region");
  int64_t number = integer_entry(entry, "block");
  if (number < 0 || region < at->region ||
      (region == at->region && number <= at->number))
    return false;
  if (region > at->region)
    *at = (place_in_op_t){region, 0, first_block(op, region)};
  for (; at->number < number && !mlirBlockIsNull(at->block); ++at->number)
    at->block = mlirBlockGetNextInRegion(at->block);
  at->number = number;
  return true;
}

// Reads the entry of the block |at|.
static gmem_status_t read_block(const reader_t *reader, MlirOperation op,
                                const place_in_op_t *at, MlirAttribute entry) {
  lists_t read = lists_of_block(entry);
  if (!are_lists(&read))
    return report_malformed(reader, op, GMEM_ATTR_BLOCK_ARGS);
  values_t arguments = {.count = 0};
  if (!mlirBlockIsNull(at->block))
    arguments = arguments_of(at->block);
  if (!arguments.count)
    return add_stale(reader, op, "the arguments of a block");
  if (read_lists(reader, &arguments, read) == PARTS)
    return GMEM_OK;
  return gmem_op_error(
      reader->diag, GMEM_ERR_CORRUPT, op,
      "the number of arguments of block %lld in region %lld, %lld, differs "
      "from that in gmem.block_args, %lld, so the argument of each place is "
      "unknown: plan again",
      (long long)at->number, (long long)at->region, (long long)arguments.count,
      (long long)list_length(POOL, read.of[POOL]));
}

// Reads gmem.block_args, whose entries are in block order.
static gmem_status_t read_blocks(const reader_t *reader, MlirOperation op) {
  MlirAttribute list = gmem_op_annotation(op, GMEM_ATTR_BLOCK_ARGS);
  place_in_op_t at = {.region = -1};
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(list))
    return report_malformed(reader, op, GMEM_ATTR_BLOCK_ARGS);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(list, i);
    if (!move_to(&at, op, entry))
      return report_malformed(reader, op, GMEM_ATTR_BLOCK_ARGS);
    GMEM_TRY(read_block(reader, op, &at, entry));
  }
  return GMEM_OK;
}

static gmem_status_t read_argument(const reader_t *reader,
                                   const gmem_function_t *function,
                                   intptr_t number, MlirValue argument) {
  MlirAttribute entry = gmem_argument_attributes(function->op, number);
  MlirAttribute of[PARTS] = {{NULL}};
  int64_t numbers[PARTS];
  for (int i = 0; i < PARTS && !mlirAttributeIsNull(entry); ++i)
    of[i] = mlirDictionaryAttrGetElementByName(entry,
                                               gmem_attr_name(part_names[i]));
  if (mlirAttributeIsNull(of[POOL]) && mlirAttributeIsNull(of[OFFSET]) &&
      mlirAttributeIsNull(of[SIZE]) && mlirAttributeIsNull(of[PAYLOAD]))
    return GMEM_OK;
  if (!gmem_attribute_is(of[POOL], mlirAttributeIsAString))
    return report_malformed(reader, function->op, GMEM_ATTR_POOL);
  if (mlirAttributeIsNull(of[PAYLOAD]))
    of[PAYLOAD] = of[OFFSET];
  for (int i = OFFSET; i < PARTS; ++i)
    if (!gmem_i64_get(of[i], &numbers[i]) || numbers[i] < 0)
      return report_malformed(reader, function->op, part_names[i]);
  set_place(reader, argument,
            (gmem_value_place_t){gmem_place_pool(reader->table, of[POOL]),
                                 numbers[OFFSET], numbers[SIZE],
                                 numbers[PAYLOAD]});
  return GMEM_OK;
}

static gmem_status_t read_arguments(const reader_t *reader,
                                    const gmem_function_t *function) {
  values_t arguments = arguments_of(gmem_entry_block(function->op));
  if (!reader->constant)
    GMEM_TRY(read_blocks(reader, function->op));
  bool own = gmem_has_argument_attributes(function->op);
  for (intptr_t i = 0; own && i < arguments.count; ++i)
    if (is_weight(reader->program, value_at(&arguments, i)) == reader->constant)
      GMEM_TRY(read_argument(reader, function, i, value_at(&arguments, i)));
  return GMEM_OK;
}

gmem_status_t gmem_places_read(const gmem_program_t *program,
                               const gmem_pool_table_t *table,
                               gmem_value_place_t *places, bool constant,
                               gmem_stale_figures_t *stale, gmem_diag_t *diag) {
  reader_t reader = {.program = program,
                     .table = table,
                     .places = places,
                     .constant = constant,
                     .stale = stale,
                     .diag = diag};
  for (int i = 0; i < PARTS; ++i)
    reader.names[i] = mlirIdentifierGet(mlirOperationGetContext(program->scope),
                                        gmem_attr_name(part_names[i]));
  for (size_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    if (gmem_makes_weights(op) != constant)
      continue;
    GMEM_TRY(read_results(&reader, op->op));
    if (!op->opaque && op->own >> GMEM_ATTR_BLOCK_ARGS & 1)
      GMEM_TRY(read_blocks(&reader, op->op));
  }
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(read_arguments(&reader, &program->functions[i]));
  return GMEM_OK;
}
