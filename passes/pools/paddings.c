// paddings.c - see paddings.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "paddings.h"

#include <assert.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "calls.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "padded_layout.h"
#include "strided_views.h"

typedef struct reader_s {
  const gmem_liveness_t *liveness;
  gmem_padding_t *paddings; // by alias set
  gmem_diag_t *diag;
} reader_t;

//===--- gmem.padding -----------------------------------------------------===//

// Reads gmem.padding of an op, for all results; null if it has none.
static gmem_status_t list_of_op(const reader_t *reader, MlirOperation op,
                                MlirAttribute *out) {
  *out = gmem_op_annotation(op, GMEM_ATTR_PADDING);
  if (mlirAttributeIsNull(*out) ||
      (mlirAttributeIsAArray(*out) &&
       mlirArrayAttrGetNumElements(*out) == mlirOperationGetNumResults(op)))
    return GMEM_OK;
  return gmem_bad_annotation(
      mlirOperationGetLocation(op), GMEM_ATTR_PADDING,
      "an array with one array<i64: before, after>, or one dictionary, per "
      "result",
      reader->diag);
}

// Reads the padding of one value at |location| from |list|; zero if it is null.
static gmem_status_t read_sides(const reader_t *reader, MlirAttribute list,
                                MlirLocation location, MlirValue value,
                                gmem_padding_t *out) {
  int64_t before = 0, after = 0;
  gmem_padded_layout_t layout;
  gmem_layout_kind_t kind = gmem_padded_layout_of(value, &layout);
  if (kind == GMEM_LAYOUT_MALFORMED)
    return gmem_bad_annotation(
        location, GMEM_ATTR_PADDING,
        "{before = array<i64>, after = array<i64>, border = \"undefined\", "
        "\"constant\" or \"replicate\"} with non-negative numbers of elements "
        "for each dimension of a tensor of static shape, of elements of whole "
        "bytes",
        reader->diag);
  if (kind == GMEM_LAYOUT_PADDED) {
    *out = (gmem_padding_t){layout.lead, layout.tail};
    return GMEM_OK;
  }
  if (gmem_is_i64_list(list, 2)) {
    before = mlirDenseI64ArrayGetElement(list, 0);
    after = mlirDenseI64ArrayGetElement(list, 1);
  } else if (!mlirAttributeIsNull(list)) {
    before = -1;
  }
  *out = (gmem_padding_t){(uint64_t)before, (uint64_t)after};
  return before >= 0 && after >= 0
             ? GMEM_OK
             : gmem_bad_annotation(location, GMEM_ATTR_PADDING,
                                   "array<i64: before, after> with two "
                                   "non-negative numbers of bytes",
                                   reader->diag);
}

//===--- alias sets -------------------------------------------------------===//

// Reports "gmem.padding: VALUE WHAT".
static gmem_status_t value_error(const reader_t *reader, uint32_t value,
                                 gmem_status_t status, const char *what) {
  const gmem_program_t *program = reader->liveness->program;
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  return gmem_error_at(reader->diag, status,
                       gmem_value_location(program, value),
                       "gmem.padding: %s %s", name, what);
}

// Whether |size| bytes with that padding fit in the address range.
static bool is_short(uint64_t size, gmem_padding_t padding) {
  return size <= GMEM_MAX_ADDRESS &&
         padding.before <= GMEM_MAX_ADDRESS - size &&
         padding.after <= GMEM_MAX_ADDRESS - size - padding.before;
}

static void raise(uint64_t *bytes, uint64_t least) {
  if (*bytes < least)
    *bytes = least;
}

static void raise_both(gmem_padding_t *padding, gmem_padding_t least) {
  raise(&padding->before, least.before);
  raise(&padding->after, least.after);
}

// Raises the padding of the alias set of a value to that of the value.
static gmem_status_t pad_value(const reader_t *reader, uint32_t value,
                               gmem_padding_t asked) {
  const gmem_liveness_t *liveness = reader->liveness;
  uint32_t set = liveness->set_of[value];
  if (set == GMEM_NO_INDEX)
    return value_error(
        reader, value, GMEM_ERR_INVALID_ARGUMENT,
        liveness->live_values[value].storage == GMEM_STORAGE_WEIGHT
            ? "shares the memory of a constant, which cannot be padded"
            : "has no planned memory");
  gmem_padding_t *padding = &reader->paddings[set];
  raise_both(padding, asked);
  return is_short(liveness->program->values[value].size, *padding)
             ? GMEM_OK
             : value_error(reader, value, GMEM_ERR_OUT_OF_RANGE,
                           "does not fit in 63 bits with its padding");
}

// Reads the padding of result or argument |number|. Scalars are not values of
// the program.
static gmem_status_t pad_one(const reader_t *reader, MlirAttribute list,
                             MlirLocation location, intptr_t number,
                             MlirValue value) {
  uint32_t index = gmem_program_find(reader->liveness->program, value);
  gmem_padding_t asked;
  GMEM_TRY(read_sides(reader, list, location, value, &asked));
  if (!gmem_is_padded(asked))
    return GMEM_OK;
  if (index != GMEM_NO_INDEX)
    return pad_value(reader, index, asked);
  return gmem_error_at(reader->diag, GMEM_ERR_INVALID_ARGUMENT, location,
                       "gmem.padding: %s #%td has no planned memory",
                       mlirValueIsABlockArgument(value) ? "argument" : "result",
                       number);
}

static gmem_status_t pad_results(const reader_t *reader, MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirAttribute all;
  GMEM_TRY(list_of_op(reader, op, &all));
  if (mlirAttributeIsNull(all))
    return GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    GMEM_TRY(pad_one(reader, mlirArrayAttrGetElement(all, i), location, i,
                     mlirOperationGetResult(op, i)));
  return GMEM_OK;
}

static gmem_status_t pad_arguments(const reader_t *reader,
                                   MlirOperation function) {
  MlirBlock entry = gmem_entry_block(function);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    GMEM_TRY(pad_one(reader,
                     gmem_argument_annotation(function, i, GMEM_ATTR_PADDING),
                     mlirValueGetLocation(argument), i, argument));
  }
  return GMEM_OK;
}

static gmem_status_t pad_all(const reader_t *reader) {
  const gmem_program_t *program = reader->liveness->program;
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(pad_arguments(reader, program->functions[i].op));
  for (size_t i = 0; i < program->op_count; ++i)
    if (program->ops[i].own >> GMEM_ATTR_PADDING & 1)
      GMEM_TRY(pad_results(reader, program->ops[i].op));
  return GMEM_OK;
}

//===--- padding per dimension --------------------------------------------===//

static bool has_layout(MlirValue value) {
  gmem_padded_layout_t ignored;
  return gmem_has_layout(value, &ignored);
}

// Reports the first operand or result of an op that has a padding per
// dimension.
static gmem_status_t refuse_layouts(const reader_t *reader, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  intptr_t operands = mlirOperationGetNumOperands(op);
  intptr_t count = operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (has_layout(i < operands ? mlirOperationGetOperand(op, i)
                                : mlirOperationGetResult(op, i - operands)))
      return gmem_reject(reader->diag, op,
                         "gmem.padding per dimension: '%.*s' passes values on "
                         "as they are, %s #%td included; let an op that copies "
                         "it make the padded value",
                         (int)name.length, name.data,
                         i < operands ? "operand" : "result",
                         i < operands ? i : i - operands);
  return GMEM_OK;
}

// Whether the op only reads its operands and makes its results.
static bool computes(const gmem_program_op_t *op) {
  switch (op->kind) {
  case GMEM_OP_UNKNOWN:
  case GMEM_OP_COMPUTE:
  case GMEM_OP_SCALAR_BODY:
  case GMEM_OP_LAYER_GROUP:
    return true;
  default:
    return false;
  }
}

// Rejects padding per dimension where memory is passed on or bytes are copied:
// of control flow, calls and views.
static gmem_status_t check_passed(const reader_t *reader) {
  const gmem_program_t *program = reader->liveness->program;
  const gmem_calls_t *calls = reader->liveness->calls;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *entry = &program->ops[i];
    // The last one may be a terminator that MLIR does not know.
    bool is_end = mlirOperationIsNull(mlirOperationGetNextInBlock(entry->op));
    bool is_last =
        gmem_is_return(program, i) && !calls->callees[entry->function].mentions;
    if (!computes(entry) || (is_end && !is_last))
      GMEM_TRY(refuse_layouts(reader, entry->op));
  }
  for (size_t i = 0; i < calls->count; ++i)
    GMEM_TRY(refuse_layouts(reader, program->ops[calls->calls[i].op].op));
  for (size_t f = 0; f < program->function_count; ++f) {
    MlirBlock entry = gmem_entry_block(program->functions[f].op);
    intptr_t count =
        calls->callees[f].mentions ? mlirBlockGetNumArguments(entry) : 0;
    for (intptr_t i = 0; i < count; ++i)
      if (has_layout(mlirBlockGetArgument(entry, i)))
        return gmem_reject(reader->diag, program->functions[f].op,
                           "gmem.padding per dimension: argument #%td is "
                           "passed by calls of this function",
                           i);
  }
  return GMEM_OK;
}

// Alias sets at one offset have the same padding.
static gmem_status_t pad_tied(const reader_t *reader,
                              const gmem_buffer_constraint_t *sets) {
  const gmem_liveness_t *liveness = reader->liveness;
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    raise_both(&reader->paddings[gmem_offset_leader(sets, i)],
               reader->paddings[i]);
  for (uint32_t i = 0; i < liveness->set_count; ++i) {
    uint32_t root = liveness->sets[i].root;
    uint32_t leader = liveness->sets[gmem_offset_leader(sets, i)].root;
    if (gmem_has_layouts(liveness->program) &&
        !gmem_padded_layouts_equal(liveness->program->values[root].value,
                                   liveness->program->values[leader].value))
      return value_error(reader, root, GMEM_ERR_INVALID_ARGUMENT,
                         "has another padding per dimension than the value "
                         "that it must be in the memory of");
    reader->paddings[i] = reader->paddings[gmem_offset_leader(sets, i)];
    if (!is_short(liveness->program->values[root].size, reader->paddings[i]))
      return value_error(reader, root, GMEM_ERR_OUT_OF_RANGE,
                         "does not fit in 63 bits with the padding of the "
                         "values at its offset");
  }
  return GMEM_OK;
}

gmem_status_t
gmem_paddings_find(const gmem_liveness_t *liveness,
                   const gmem_placement_constraints_t *constraints,
                   gmem_bump_t *arena, gmem_padding_t **out_paddings,
                   gmem_diag_t *diag) {
  reader_t reader = {.liveness = liveness, .diag = diag};
  *out_paddings = NULL;
  GMEM_TRY(gmem_strided_views_check(liveness, arena, diag));
  if (!(liveness->program->own >> GMEM_ATTR_PADDING & 1) &&
      !gmem_has_layouts(liveness->program))
    return GMEM_OK;
  GMEM_TRY_ALLOC(reader.paddings, arena, liveness->set_count, diag);
  *out_paddings = reader.paddings;
  GMEM_TRY(pad_all(&reader));
  if (gmem_has_layouts(liveness->program))
    GMEM_TRY(check_passed(&reader));
  return pad_tied(&reader, constraints->sets);
}

//===--- nested buffers ---------------------------------------------------===//

// Padding of the child must lie in padding of the parent. So on each side where
// the child is padded, it must end where the parent's payload ends and have no
// more padding than the parent.
bool gmem_padding_fits(gmem_padding_t child, uint64_t child_size,
                       gmem_padding_t parent, uint64_t parent_size,
                       uint64_t offset, uint64_t *out_offset) {
  bool is_first = offset == 0 && child.before <= parent.before;
  bool is_last =
      offset + child_size == parent_size && child.after <= parent.after;
  if ((child.before && !is_first) || (child.after && !is_last))
    return false;
  assert(!child.before || child.before <= parent.before);
  *out_offset = parent.before + offset - child.before;
  return true;
}
