// proof_places.c - see proof_places.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_places.h"

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "padded_layout.h"
#include "scopes.h"
#include "type_models.h"
#include "type_size.h"
#include "vocabulary.h"

// The attributes that say where the results of an op are.
enum { POOL, OFFSET, SIZE, PAYLOAD, PADDING, RESULT_ATTRIBUTES };
static const gmem_attr_t result_attributes[RESULT_ATTRIBUTES] = {
    GMEM_ATTR_POOL, GMEM_ATTR_OFFSET, GMEM_ATTR_SIZE, GMEM_ATTR_PAYLOAD_OFFSET,
    GMEM_ATTR_PADDING};

typedef struct reader_s {
  gmem_proof_program_t *program;
  const gmem_model_options_t *options;
  gmem_proof_ranges_t workbuffers, immutables; // of the current op
  bool has_threads; // each thread has its own part of all workbuffers
  bool has_padding; // values of the scope: a place may exceed its type
  MlirIdentifier names[RESULT_ATTRIBUTES];
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} reader_t;

// The attributes of one row of values; |payload| may be null.
typedef struct lists_s {
  MlirAttribute pool, offset, size, payload;
} lists_t;

static gmem_status_t malformed(const reader_t *reader, MlirOperation op,
                               gmem_attr_t attribute) {
  return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                       "%s is malformed: gmem-plan writes %s; plan again",
                       gmem_vocabulary[attribute].name,
                       gmem_vocabulary[attribute].type);
}

static MlirAttribute entry_of(MlirAttribute dictionary, const char *key) {
  return mlirDictionaryAttrGetElementByName(dictionary, gmem_string(key));
}

//===--- pools ------------------------------------------------------------===//

static const gmem_proof_pool_t *find_pool(const reader_t *reader,
                                          MlirAttribute name) {
  for (size_t i = 0; i < reader->program->pools.count; ++i)
    if (mlirAttributeEqual(reader->program->pools.at[i].name, name))
      return &reader->program->pools.at[i];
  return NULL;
}

// Whether some address is in both pools.
static bool do_overlap(const gmem_proof_pool_t *left,
                       const gmem_proof_pool_t *right) {
  const gmem_proof_pool_t *low = left->base <= right->base ? left : right;
  const gmem_proof_pool_t *high = low == left ? right : left;
  return left->has_base && right->has_base &&
         high->bytes.begin < high->bytes.end &&
         high->base - low->base < low->bytes.end - low->bytes.begin;
}

// Adds a pool, whose memory is its own: the checks know of offsets in pools
// alone.
static gmem_status_t add_pool(reader_t *reader, const gmem_proof_pool_t *pool) {
  const gmem_proof_program_t *program = reader->program;
  if (find_pool(reader, pool->name))
    return malformed(reader, program->scope, GMEM_ATTR_POOL_TABLE);
  for (size_t i = 0; i < program->pools.count; ++i)
    if (do_overlap(&program->pools.at[i], pool))
      return gmem_op_error(reader->diag, GMEM_ERR_OVERLAP, program->scope,
                           "pools #%zu and #%zu of the plan share addresses", i,
                           program->pools.count);
  GMEM_APPEND(reader->arena, &reader->program->pools, *pool);
  return GMEM_OK;
}

static gmem_status_t read_pools(reader_t *reader) {
  MlirOperation scope = reader->program->scope;
  MlirAttribute table = gmem_op_annotation(scope, GMEM_ATTR_POOL_TABLE);
  uint64_t end = 0;
  if (!gmem_attribute_is(table, mlirAttributeIsAArray))
    return malformed(reader, scope, GMEM_ATTR_POOL_TABLE);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(table); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(table, i);
    MlirStringRef kind, name;
    int64_t size, base = 0;
    bool has_base = mlirAttributeIsADictionary(entry) &&
                    !mlirAttributeIsNull(entry_of(entry, "base"));
    if (!mlirAttributeIsADictionary(entry) ||
        !gmem_string_get(entry_of(entry, "name"), &name) ||
        !gmem_string_get(entry_of(entry, "kind"), &kind) ||
        !gmem_i64_get(entry_of(entry, "size"), &size) || size < 0 ||
        (has_base && !gmem_i64_get(entry_of(entry, "base"), &base)) || base < 0)
      return malformed(reader, scope, GMEM_ATTR_POOL_TABLE);
    if ((uint64_t)size > UINT64_MAX - end)
      return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, scope,
                           "the pools of the plan are larger than 2^64 bytes");
    // Attributes are unique: equal names are one pointer.
    gmem_proof_pool_t pool = {
        .name = mlirStringAttrGet(mlirOperationGetContext(scope), name),
        .bytes = {end, end + (uint64_t)size},
        .base = (uint64_t)base,
        .has_base = has_base,
        .is_constant = gmem_string_is(kind, "constant")};
    end = pool.bytes.end;
    GMEM_TRY(add_pool(reader, &pool));
  }
  return gmem_bump_status(reader->arena, reader->diag);
}

// Whether bytes [offset, offset + size) lie in |pool|.
static bool is_in(const gmem_proof_pool_t *pool, int64_t offset, int64_t size) {
  uint64_t room = pool ? pool->bytes.end - pool->bytes.begin : 0;
  return pool && offset >= 0 && size >= 0 && (uint64_t)offset <= room &&
         (uint64_t)size <= room - (uint64_t)offset;
}

//===--- values -----------------------------------------------------------===//

static const char *kind_of(const gmem_proof_value_t *value) {
  return value->op == GMEM_NO_INDEX ? "argument" : "result";
}

// Checks that there is as much memory around a value as |asked|, an array<i64>,
// requests.
static gmem_status_t check_padding(const reader_t *reader, MlirOperation op,
                                   uint32_t index, MlirAttribute asked) {
  const gmem_proof_value_t *value = &reader->program->values.at[index];
  if (!value->is_placed || !gmem_is_i64_list(asked, 2))
    return GMEM_OK;
  int64_t before = mlirDenseI64ArrayGetElement(asked, 0);
  int64_t behind = mlirDenseI64ArrayGetElement(asked, 1);
  if (before >= 0 && behind >= 0 &&
      value->bytes.begin - value->buffer.begin >= (uint64_t)before &&
      value->buffer.end - value->bytes.end >= (uint64_t)behind)
    return GMEM_OK;
  return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                       "%s #%u has less memory around it than its "
                       "gmem.padding: plan again",
                       kind_of(value), value->number);
}

// Whether a pass has turned the op of |value| into one whose results are not
// planned, so that its place is stale.
static bool needs_none(const reader_t *reader,
                       const gmem_proof_value_t *value) {
  const gmem_op_model_t *model = value->op == GMEM_NO_INDEX
                                     ? NULL
                                     : reader->program->ops.at[value->op].model;
  return model && model->kind == GMEM_OP_ALLOC &&
         (!reader->options->memrefs ||
          (model->stack && !reader->options->allocas));
}

static gmem_status_t set_columns(const reader_t *reader, uint32_t index,
                                 const gmem_padded_layout_t *layout) {
  gmem_proof_program_t *program = reader->program;
  if (!program->columns)
    GMEM_TRY_ALLOC(program->columns, reader->arena, program->values.count,
                   reader->diag);
  program->columns[index] = (gmem_proof_columns_t){
      (uint64_t)layout->view.pitch * layout->element,
      (uint64_t)layout->view.first * layout->element,
      (uint64_t)(layout->view.first + layout->view.width) * layout->element};
  return GMEM_OK;
}

static bool is_sized_within(const reader_t *reader, MlirValue value,
                            const gmem_type_bounds_t *bounds,
                            uint64_t *out_bytes) {
  MlirType type = mlirValueGetType(value);
  gmem_type_kind_t kind =
      gmem_is_memref_type(type)
          ? gmem_memref_size(type, bounds, out_bytes)
          : gmem_value_size(reader->program->models, value, bounds, out_bytes);
  return kind == GMEM_TYPE_SIZED;
}

// Sets |*out_bytes| to the size of value |index|, of dynamic shape, or leaves
// it if nothing states that: a view is as large as its operand, unless it has a
// bound itself.
static gmem_status_t find_bound(const reader_t *reader, uint32_t index,
                                uint64_t *out_bytes) {
  const gmem_proof_program_t *program = reader->program;
  const gmem_proof_value_t *value = &program->values.at[index];
  const gmem_proof_op_t *op =
      value->op == GMEM_NO_INDEX ? NULL : &program->ops.at[value->op];
  uint32_t from = op && op->model->kind == GMEM_OP_RESHAPE && op->operand_count
                      ? op->operands[0]
                      : GMEM_NO_INDEX;
  MlirType type = mlirValueGetType(value->value);
  gmem_type_bounds_t bounds = {NULL, 0};
  uint64_t bytes;
  if (mlirTypeIsARankedTensor(type) || mlirTypeIsAMemRef(type))
    GMEM_TRY(gmem_bounds_read(value->value, 0, reader->arena, &bounds,
                              reader->diag));
  if (is_sized_within(reader, value->value, &bounds, &bytes)) {
    *out_bytes = bytes;
    return GMEM_OK;
  }
  bounds.others = reader->options->dynamic_bound;
  if (from != GMEM_NO_INDEX && program->values.at[from].is_placed)
    *out_bytes = program->values.at[from].bytes.end -
                 program->values.at[from].bytes.begin;
  else if (is_sized_within(reader, value->value, &bounds, &bytes))
    *out_bytes = bytes;
  return GMEM_OK;
}

// Reports a place that is in no pool, by its offset and size.
static gmem_status_t report_outside(const reader_t *reader, MlirOperation op,
                                    const gmem_proof_value_t *value,
                                    MlirAttribute name,
                                    const int64_t *numbers) {
  const gmem_proof_pool_t *pool = find_pool(reader, name);
  MlirStringRef text = mlirStringAttrGetValue(name);
  if (!pool)
    return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                         "%s #%u is in pool '%.*s', which gmem.pool_table does "
                         "not list: plan again",
                         kind_of(value), value->number, (int)text.length,
                         text.data);
  return gmem_op_error(
      reader->diag, GMEM_ERR_CORRUPT, op,
      "%s #%u is placed outside of its pool: it has %lld bytes at offset %lld, "
      "and pool '%.*s' has %llu; plan again",
      kind_of(value), value->number, (long long)numbers[1],
      (long long)numbers[0], (int)text.length, text.data,
      (unsigned long long)(pool->bytes.end - pool->bytes.begin));
}

static gmem_status_t set_place(const reader_t *reader, MlirOperation op,
                               uint32_t index, MlirAttribute name,
                               const int64_t *numbers) {
  gmem_proof_value_t *value = &reader->program->values.at[index];
  const gmem_proof_pool_t *pool = find_pool(reader, name);
  int64_t offset = numbers[0], size = numbers[1];
  uint64_t bytes = value->bytes.end; // of its type
  if (mlirStringAttrGetValue(name).length == 0 || needs_none(reader, value))
    return GMEM_OK;
  if (!is_in(pool, offset, size))
    return report_outside(reader, op, value, name, numbers);
  int64_t before = numbers[2] - offset;
  if (before < 0 || before > size)
    return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                         "%s #%u has a gmem.payload_offset of %lld, outside of "
                         "its bytes [%lld, %lld): plan again",
                         kind_of(value), value->number, (long long)numbers[2],
                         (long long)offset, (long long)(offset + size));
  if (value->has_size && bytes > (uint64_t)(size - before) && before > 0)
    return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                         "%s #%u has %lld bytes from its gmem.payload_offset "
                         "on but a type of %llu bytes: plan again",
                         kind_of(value), value->number,
                         (long long)(size - before), (unsigned long long)bytes);
  if (value->has_size && (bytes > (uint64_t)size ||
                          (!reader->has_padding && bytes != (uint64_t)size)))
    return gmem_op_error(reader->diag, GMEM_ERR_CORRUPT, op,
                         "%s #%u has a gmem.size of %lld bytes but a type of "
                         "%llu bytes: plan again",
                         kind_of(value), value->number, (long long)size,
                         (unsigned long long)bytes);
  value->is_placed = true;
  value->is_constant = pool->is_constant;
  value->buffer = (gmem_proof_range_t){pool->bytes.begin + (uint64_t)offset,
                                       pool->bytes.begin + (uint64_t)offset +
                                           (uint64_t)size};
  value->bytes.begin = value->buffer.begin + (uint64_t)before;
  uint64_t room = value->buffer.end - value->bytes.begin;
  if (!value->has_size)
    bytes = room;
  if (!value->has_size && reader->has_padding)
    GMEM_TRY(find_bound(reader, index, &bytes));
  value->bytes.end = value->bytes.begin + (bytes < room ? bytes : room);
  reader->program->has_room_around |=
      before > 0 || value->bytes.end < value->buffer.end;
  gmem_padded_layout_t layout;
  if ((reader->program->own >> GMEM_ATTR_STRIDES & 1) &&
      gmem_padded_layout_of(value->value, &layout) == GMEM_LAYOUT_STRIDED)
    return set_columns(reader, index, &layout);
  return GMEM_OK;
}

// Sets the places of a row of values from lists.
static gmem_status_t set_places(const reader_t *reader, MlirOperation op,
                                gmem_proof_row_t row, const lists_t *lists) {
  MlirAttribute payload =
      mlirAttributeIsNull(lists->payload) ? lists->offset : lists->payload;
  if (!gmem_is_string_list(lists->pool, row.count))
    return malformed(reader, op, GMEM_ATTR_POOL);
  if (!gmem_is_i64_list(lists->offset, row.count))
    return malformed(reader, op, GMEM_ATTR_OFFSET);
  if (!gmem_is_i64_list(lists->size, row.count))
    return malformed(reader, op, GMEM_ATTR_SIZE);
  if (!gmem_is_i64_list(payload, row.count))
    return malformed(reader, op, GMEM_ATTR_PAYLOAD_OFFSET);
  for (uint32_t i = 0; i < row.count; ++i)
    GMEM_TRY(set_place(
        reader, op, row.first + i, mlirArrayAttrGetElement(lists->pool, i),
        (int64_t[]){mlirDenseI64ArrayGetElement(lists->offset, i),
                    mlirDenseI64ArrayGetElement(lists->size, i),
                    mlirDenseI64ArrayGetElement(payload, i)}));
  return GMEM_OK;
}

static gmem_status_t read_results(const reader_t *reader,
                                  const gmem_proof_op_t *op) {
  MlirAttribute of[RESULT_ATTRIBUTES];
  gmem_get_attributes(op->op, reader->names, of, RESULT_ATTRIBUTES);
  lists_t lists = {of[POOL], of[OFFSET], of[SIZE], of[PAYLOAD]};
  MlirAttribute paddings = of[PADDING];
  bool is_planned =
      !mlirAttributeIsNull(lists.pool) || !mlirAttributeIsNull(lists.offset) ||
      !mlirAttributeIsNull(lists.size) || !mlirAttributeIsNull(lists.payload);
  if (is_planned && op->results.count)
    GMEM_TRY(set_places(reader, op->op, op->results, &lists));
  intptr_t count = gmem_attribute_is(paddings, mlirAttributeIsAArray)
                       ? mlirArrayAttrGetNumElements(paddings)
                       : 0;
  for (uint32_t i = 0; i < op->results.count && (intptr_t)i < count; ++i)
    GMEM_TRY(check_padding(reader, op->op, op->results.first + i,
                           mlirArrayAttrGetElement(paddings, i)));
  return GMEM_OK;
}

// gmem.block_args of |op|, whose regions are numbered from |first| on.
static gmem_status_t read_blocks(const reader_t *reader, MlirOperation op,
                                 uint32_t first) {
  const gmem_proof_program_t *program = reader->program;
  MlirAttribute list = gmem_op_annotation(op, GMEM_ATTR_BLOCK_ARGS);
  uint32_t next = 0; // entries are in the order of the blocks
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(list))
    return malformed(reader, op, GMEM_ATTR_BLOCK_ARGS);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(list, i);
    int64_t region, block;
    if (!mlirAttributeIsADictionary(entry) ||
        !gmem_i64_get(entry_of(entry, "region"), &region) || region < 0 ||
        !gmem_i64_get(entry_of(entry, "block"), &block) || block < 0)
      return malformed(reader, op, GMEM_ATTR_BLOCK_ARGS);
    if (region >= mlirOperationGetNumRegions(op) ||
        block >= program->regions.at[first + region].block_count)
      continue; // a pass has removed it
    lists_t lists = {entry_of(entry, "pool"), entry_of(entry, "offset"),
                     entry_of(entry, "size"),
                     entry_of(entry, "payload_offset")};
    uint32_t index =
        program->regions.at[first + region].first_block + (uint32_t)block;
    if (index < next)
      return malformed(reader, op, GMEM_ATTR_BLOCK_ARGS); // one comes twice
    next = index + 1;
    if (program->blocks.at[index].arguments.count) // else they are removed
      GMEM_TRY(
          set_places(reader, op, program->blocks.at[index].arguments, &lists));
  }
  return GMEM_OK;
}

static gmem_status_t read_arguments(const reader_t *reader,
                                    const gmem_proof_function_t *function) {
  const gmem_proof_program_t *program = reader->program;
  gmem_proof_row_t row = gmem_proof_arguments(program, function->region);
  bool has_own = gmem_has_argument_attributes(function->op);
  GMEM_TRY(read_blocks(reader, function->op, function->region));
  for (uint32_t i = 0; i < row.count && has_own; ++i) {
    MlirAttribute all = gmem_argument_attributes(function->op, i);
    MlirAttribute parts[4];
    int64_t numbers[3];
    const gmem_attr_t names[] = {GMEM_ATTR_OFFSET, GMEM_ATTR_SIZE,
                                 GMEM_ATTR_PAYLOAD_OFFSET};
    if (mlirAttributeIsNull(all) ||
        mlirAttributeIsNull(parts[0] = mlirDictionaryAttrGetElementByName(
                                all, gmem_attr_name(GMEM_ATTR_POOL))))
      continue;
    if (!mlirAttributeIsAString(parts[0]))
      return malformed(reader, function->op, GMEM_ATTR_POOL);
    for (int k = 0; k < 3; ++k) {
      parts[k + 1] =
          mlirDictionaryAttrGetElementByName(all, gmem_attr_name(names[k]));
      if (k == 2 && mlirAttributeIsNull(parts[3]))
        parts[3] = parts[1];
      if (!gmem_i64_get(parts[k + 1], &numbers[k]))
        return malformed(reader, function->op, names[k]);
    }
    GMEM_TRY(set_place(reader, function->op, row.first + i, parts[0], numbers));
    GMEM_TRY(check_padding(reader, function->op, row.first + i,
                           mlirDictionaryAttrGetElementByName(
                               all, gmem_attr_name(GMEM_ATTR_PADDING))));
  }
  return GMEM_OK;
}

//===--- workbuffers ------------------------------------------------------===//

// Sets |*number| if the request has an entry |key|; false if that is no i64.
static bool read_optional(MlirAttribute request, const char *key,
                          int64_t *number) {
  MlirAttribute entry = entry_of(request, key);
  return mlirAttributeIsNull(entry) || gmem_i64_get(entry, number);
}

// Bytes of all threads of a workbuffer that is placed; -1 if malformed.
static int64_t workbuffer_bytes(MlirAttribute request) {
  enum { APART = 64 }; // bytes between the parts of two threads, at least
  int64_t size = 0, threads = 1, alignment = 1;
  if (!mlirAttributeIsADictionary(request) ||
      !gmem_i64_get(entry_of(request, "size"), &size) || size < 0 ||
      !read_optional(request, "threads", &threads) ||
      !read_optional(request, "alignment", &alignment))
    return -1;
  if (alignment < APART)
    alignment = APART;
  if (threads < 1 || threads > INT32_MAX || alignment > INT32_MAX ||
      size > INT64_MAX - alignment)
    return -1;
  if (threads > 1)
    size = (size + alignment - 1) / alignment * alignment;
  return size > INT64_MAX / threads ? -1 : size * threads;
}

// Adds the workbuffers of |op|, which is the current op or inside of it.
static gmem_status_t add_workbuffers(MlirOperation op, void *user) {
  reader_t *reader = user;
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFERS);
  MlirAttribute pools = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_POOL);
  MlirAttribute offsets = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_OFFSET);
  if (mlirAttributeIsNull(all))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(all))
    return malformed(reader, op, GMEM_ATTR_WORKBUFFERS);
  intptr_t count = mlirArrayAttrGetNumElements(all);
  if (count && !gmem_is_string_list(pools, count))
    return malformed(reader, op, GMEM_ATTR_WORKBUFFER_POOL);
  if (count && !gmem_is_i64_list(offsets, count))
    return malformed(reader, op, GMEM_ATTR_WORKBUFFER_OFFSET);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute request = mlirArrayAttrGetElement(all, i);
    int64_t size = workbuffer_bytes(request);
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, i);
    const gmem_proof_pool_t *pool =
        find_pool(reader, mlirArrayAttrGetElement(pools, i));
    if (size < 0)
      return malformed(reader, op, GMEM_ATTR_WORKBUFFERS);
    if (size == 0)
      continue;
    if (!is_in(pool, offset, size))
      return gmem_op_error(
          reader->diag, GMEM_ERR_CORRUPT, op,
          "workbuffer #%ld is not inside of a pool: plan again", (long)i);
    MlirStringRef kind = {NULL, 0};
    (void)gmem_string_get(entry_of(request, "kind"), &kind);
    if (gmem_string_is(kind, "immutable") != pool->is_constant)
      return gmem_op_error(
          reader->diag, GMEM_ERR_CORRUPT, op,
          "workbuffer #%ld is %s constant pool; plan again", (long)i,
          pool->is_constant ? "mutable but in a" : "immutable but not in a");
    reader->has_threads &=
        pool->is_constant || !mlirAttributeIsNull(entry_of(request, "threads"));
    uint64_t begin = pool->bytes.begin + (uint64_t)offset;
    gmem_proof_ranges_t *list =
        pool->is_constant ? &reader->immutables : &reader->workbuffers;
    GMEM_APPEND(reader->arena, list,
                (gmem_proof_range_t){begin, begin + (uint64_t)size});
  }
  return GMEM_OK;
}

static gmem_status_t read_workbuffers(reader_t *reader,
                                      const gmem_proof_op_t *op,
                                      gmem_proof_planned_t *planned) {
  reader->workbuffers = reader->immutables = (gmem_proof_ranges_t){0};
  reader->has_threads = true;
  if (op->is_opaque)
    GMEM_TRY(gmem_walk(op->op, add_workbuffers, reader));
  else if (op->own >> GMEM_ATTR_WORKBUFFERS & 1)
    GMEM_TRY(add_workbuffers(op->op, reader));
  planned->workbuffers = reader->workbuffers.at;
  planned->workbuffer_count = (uint32_t)reader->workbuffers.count;
  planned->has_threads = reader->has_threads;
  planned->immutables = reader->immutables.at;
  planned->immutable_count = (uint32_t)reader->immutables.count;
  return GMEM_OK;
}

//===--- copies -----------------------------------------------------------===//

static bool read_copy(const reader_t *reader, MlirAttribute entry,
                      gmem_proof_copy_t *out) {
  static const char *const edges[] = {
      "callee", "results", "region", "successor", "parent", "next", "caller"};
  MlirStringRef edge;
  int64_t number = 0, from, to, size;
  size_t i = 0;
  if (!mlirAttributeIsADictionary(entry) ||
      !gmem_string_get(entry_of(entry, "edge"), &edge) ||
      !gmem_i64_get(entry_of(entry, "number"), &number) || number < 0 ||
      number > INT32_MAX || !gmem_i64_get(entry_of(entry, "from"), &from) ||
      !gmem_i64_get(entry_of(entry, "to"), &to) ||
      !gmem_i64_get(entry_of(entry, "size"), &size))
    return false;
  const gmem_proof_pool_t *source =
      find_pool(reader, entry_of(entry, "from_pool"));
  const gmem_proof_pool_t *target =
      find_pool(reader, entry_of(entry, "to_pool"));
  while (i < sizeof edges / sizeof *edges && !gmem_string_is(edge, edges[i]))
    ++i;
  if (i == sizeof edges / sizeof *edges || !is_in(source, from, size) ||
      !is_in(target, to, size))
    return false;
  *out = (gmem_proof_copy_t){
      .edge = (gmem_edge_t)i,
      .number = (uint32_t)number,
      .from = source->bytes.begin + (uint64_t)from,
      .to = target->bytes.begin + (uint64_t)to,
      .size = (uint64_t)size,
      .is_cycle = !mlirAttributeIsNull(entry_of(entry, "cycle"))};
  return true;
}

static gmem_status_t read_copies(const reader_t *reader,
                                 const gmem_proof_op_t *op,
                                 gmem_proof_planned_t *planned) {
  MlirAttribute list = gmem_proof_attribute(op, GMEM_ATTR_COPIES);
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(list))
    return malformed(reader, op->op, GMEM_ATTR_COPIES);
  gmem_proof_copy_t *copies;
  size_t count = (size_t)mlirArrayAttrGetNumElements(list);
  GMEM_TRY_ALLOC(copies, reader->arena, count, reader->diag);
  for (size_t i = 0; i < count; ++i)
    if (!read_copy(reader, mlirArrayAttrGetElement(list, (intptr_t)i),
                   &copies[i]))
      return malformed(reader, op->op, GMEM_ATTR_COPIES);
  planned->copies = copies;
  planned->copy_count = (uint32_t)count;
  reader->program->has_copies |= count != 0;
  return GMEM_OK;
}

static gmem_status_t read_planned(reader_t *reader, gmem_proof_op_t *op) {
  gmem_proof_planned_t planned = *op->planned;
  GMEM_TRY(read_workbuffers(reader, op, &planned));
  GMEM_TRY(read_copies(reader, op, &planned));
  if (planned.workbuffer_count || planned.immutable_count || planned.copy_count)
    op->planned = gmem_bump_copy(reader->arena, &planned, 1, sizeof planned);
  return op->planned ? GMEM_OK : gmem_out_of_memory(reader->diag);
}

//===--- the scope --------------------------------------------------------===//

// A reshape between values of different sizes copies: its result is no view.
static void find_copies(gmem_proof_program_t *program) {
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    gmem_proof_op_t *op = &program->ops.at[i];
    if (op->model->kind != GMEM_OP_RESHAPE || op->results.count == 0 ||
        op->operand_count == 0 || op->operands[0] == GMEM_NO_INDEX)
      continue;
    const gmem_proof_value_t *from = &program->values.at[op->operands[0]];
    const gmem_proof_value_t *to = &program->values.at[op->results.first];
    if (from->is_placed && to->is_placed && !from->is_memref &&
        !to->is_memref &&
        from->bytes.end - from->bytes.begin != to->bytes.end - to->bytes.begin)
      op->model = &gmem_copy_model;
  }
}

gmem_status_t gmem_proof_places_read(gmem_proof_program_t *program,
                                     const gmem_model_options_t *options,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  reader_t reader = {.program = program,
                     .options = options,
                     .has_padding = program->own >> GMEM_ATTR_PADDING & 1,
                     .arena = arena,
                     .diag = diag};
  MlirContext context = mlirOperationGetContext(program->scope);
  for (int i = 0; i < RESULT_ATTRIBUTES; ++i)
    reader.names[i] =
        mlirIdentifierGet(context, gmem_attr_name(result_attributes[i]));
  GMEM_TRY(read_pools(&reader));
  for (uint32_t i = 0; i < program->functions.count; ++i)
    GMEM_TRY(read_arguments(&reader, &program->functions.at[i]));
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    gmem_proof_op_t *op = &program->ops.at[i];
    GMEM_TRY(read_results(&reader, op));
    if (op->region_count)
      GMEM_TRY(read_blocks(&reader, op->op, op->first_region));
    GMEM_TRY(read_planned(&reader, op));
  }
  find_copies(program);
  return gmem_bump_status(arena, diag);
}
