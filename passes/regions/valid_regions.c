// valid_regions.c - see valid_regions.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "valid_regions.h"

#include <assert.h>

#include "annotations.h"
#include "ir_reading.h"
#include "mapped_operands.h"
#include "mlir-c/BuiltinTypes.h"
#include "neighbours.h"
#include "permutations.h"
#include "subtensor_boxes.h"

typedef struct finder_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  gmem_valid_region_t **of; // by value
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} finder_t;

// An op, one of whose operands at least is partly valid.
typedef struct reader_s {
  finder_t *finder;
  uint32_t index;
  const gmem_program_op_t *entry;
  MlirOperation op;
  intptr_t first; // operand of which a part is valid; -1: another value, which
                  //   a region of the op reads
} reader_t;

//===--- messages ---------------------------------------------------------===//

static const char unstated[] =
    "its op model does not say which elements of the results are valid then "
    "(valid_region)";

static const gmem_valid_region_t *region_of(const finder_t *finder,
                                            MlirValue value) {
  uint32_t index = gmem_program_find(finder->program, value);
  return index == GMEM_NO_INDEX ? NULL : finder->of[index];
}

static gmem_status_t refuse(const reader_t *reader, const char *why) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(reader->op));
  char region[256] = "";
  GMEM_TRY(gmem_bump_status(reader->finder->arena, reader->finder->diag));
  if (reader->first < 0)
    return gmem_reject(reader->finder->diag, reader->op,
                       "gmem.valid_region: a region of '%.*s' reads a value "
                       "that is partly valid: %s",
                       (int)name.length, name.data, why);
  gmem_valid_region_print(
      region_of(reader->finder,
                mlirOperationGetOperand(reader->op, reader->first)),
      region, sizeof region);
  return gmem_reject(reader->finder->diag, reader->op,
                     "gmem.valid_region: '%.*s' reads operand #%td, of which "
                     "only the elements %s are valid: %s",
                     (int)name.length, name.data, reader->first, region, why);
}

static gmem_status_t refuse_empty(const finder_t *finder, MlirValue result) {
  MlirOperation op = mlirOpResultGetOwner(result);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return gmem_reject(finder->diag, op,
                     "gmem.valid_region: no element of result #%td of '%.*s' "
                     "is valid",
                     mlirOpResultGetResultNumber(result), (int)name.length,
                     name.data);
}

//===--- regions ----------------------------------------------------------===//

// Sets the region of a result, which may be empty or whole.
static gmem_status_t set_region(const finder_t *finder, MlirValue result,
                                const gmem_valid_region_t *region) {
  uint32_t index = gmem_program_find(finder->program, result);
  gmem_padded_layout_t layout;
  bool is_whole = true;
  if (index == GMEM_NO_INDEX || !gmem_dense_layout_of(result, &layout))
    return GMEM_OK; // it has no memory
  assert(region->rank == layout.rank);
  for (uint32_t i = 0; i < region->rank; ++i) {
    if (region->begin[i] >= region->end[i])
      return refuse_empty(finder, result);
    is_whole &= region->begin[i] == 0 && region->end[i] == layout.sizes[i];
  }
  if (is_whole)
    return GMEM_OK;
  GMEM_TRY_ALLOC(finder->of[index], finder->arena, 1, finder->diag);
  *finder->of[index] = *region;
  return GMEM_OK;
}

// All elements of a value. False if it is no tensor of static shape with whole
// bytes.
static bool whole_of(MlirValue value, gmem_valid_region_t *out) {
  gmem_padded_layout_t layout;
  if (!gmem_dense_layout_of(value, &layout))
    return false;
  *out = (gmem_valid_region_t){.rank = layout.rank};
  for (uint32_t i = 0; i < layout.rank; ++i)
    out->end[i] = layout.sizes[i];
  return true;
}

static void intersect(gmem_valid_region_t *region,
                      const gmem_valid_region_t *other) {
  for (uint32_t i = 0; i < region->rank; ++i) {
    if (region->begin[i] < other->begin[i])
      region->begin[i] = other->begin[i];
    if (region->end[i] > other->end[i])
      region->end[i] = other->end[i];
  }
}

// Whether both have the same sizes.
static bool same_sizes(MlirValue left, MlirValue right) {
  gmem_valid_region_t a, b;
  bool is_same = whole_of(left, &a) && whole_of(right, &b) && a.rank == b.rank;
  for (uint32_t i = 0; is_same && i < a.rank; ++i)
    is_same = a.end[i] == b.end[i];
  return is_same;
}

//===--- operands ---------------------------------------------------------===//

// Operand |i|, if the op reads it and a part is valid.
static const gmem_valid_region_t *part_read(const reader_t *reader,
                                            intptr_t i) {
  bool is_read = i >= 64 || !(reader->entry->model->unread >> i & 1);
  return is_read
             ? region_of(reader->finder, mlirOperationGetOperand(reader->op, i))
             : NULL;
}

typedef struct capture_s {
  gmem_valid_region_t **of;
  bool is_found;
} capture_t;

static void see_operand(uint32_t value, void *user) {
  capture_t *capture = user;
  capture->is_found |= capture->of[value] != NULL;
}

// Whether the op reads a value of which a part is valid; sets |reader->first|.
static bool reads_part(reader_t *reader) {
  reader->first = -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(reader->op); ++i)
    if (part_read(reader, i)) {
      reader->first = i;
      return true;
    }
  capture_t capture = {reader->finder->of, false};
  if (reader->entry->opaque)
    gmem_for_each_operand(reader->finder->program, reader->index, see_operand,
                          &capture);
  return capture.is_found;
}

// Refuses operands other than |allowed| of which a part is valid.
static gmem_status_t refuse_others(reader_t *reader, intptr_t allowed) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(reader->op); ++i)
    if (i != allowed && part_read(reader, i)) {
      reader->first = i;
      return refuse(reader, unstated);
    }
  return GMEM_OK;
}

//===--- views and parts --------------------------------------------------===//

// The region of a result that has the elements of the operand in the same
// order, by a shape that differs in axes of size 1 only.
static gmem_status_t find_reshaped(const reader_t *reader, MlirValue from,
                                   MlirValue to) {
  const gmem_valid_region_t *valid = region_of(reader->finder, from);
  gmem_valid_region_t all, result;
  uint32_t k = 0;
  if (!whole_of(from, &all) || !whole_of(to, &result))
    return refuse(reader, unstated);
  for (uint32_t i = 0; i < result.rank; ++i) {
    if (result.end[i] == 1)
      continue;
    while (k < all.rank && all.end[k] == 1)
      ++k;
    if (k == all.rank || all.end[k] != result.end[i])
      return refuse(reader, "the result has other axes than the operand");
    result.begin[i] = valid->begin[k];
    result.end[i] = valid->end[k++];
  }
  return set_region(reader->finder, to, &result);
}

// Reads the box of |model| in a tensor.
static bool read_box(const reader_t *reader, const gmem_op_box_t *model,
                     MlirValue whole, MlirValue part, int64_t *begin,
                     int64_t *size) {
  gmem_subtensor_t subtensor = {.op = reader->op, .model = model};
  return gmem_layout_of(mlirValueGetType(whole), &subtensor.whole) &&
         gmem_layout_of(mlirValueGetType(part), &subtensor.part) &&
         gmem_subtensor_box(&subtensor, reader->finder->program->models,
                            reader->finder->arena, begin, size);
}

static gmem_status_t find_slice(reader_t *reader) {
  int32_t operand = reader->entry->model->slice.operand;
  MlirValue part = mlirOperationGetResult(reader->op, 0);
  int64_t begin[GMEM_MAX_RANK], size[GMEM_MAX_RANK];
  gmem_valid_region_t result;
  uint32_t k = 0;
  GMEM_TRY(refuse_others(reader, operand));
  MlirValue whole = mlirOperationGetOperand(reader->op, operand);
  const gmem_valid_region_t *valid = region_of(reader->finder, whole);
  if (!whole_of(part, &result) ||
      !read_box(reader, &reader->entry->model->slice, whole, part, begin, size))
    return refuse(reader, "it takes a part whose box is not constant, or has "
                          "steps");
  for (uint32_t i = 0; i < valid->rank; ++i) {
    int64_t first = valid->begin[i] - begin[i], end = valid->end[i] - begin[i];
    first = first < 0 ? 0 : first;
    end = end > size[i] ? size[i] : end;
    if (first >= end)
      return refuse_empty(reader->finder, part);
    if (size[i] == 1) // the result may not have this axis
      continue;
    while (result.end[k] == 1)
      ++k;
    assert(result.end[k] == size[i]); // the box was checked
    result.begin[k] = first;
    result.end[k++] = end;
  }
  return set_region(reader->finder, part, &result);
}

// The operand covers a box of the destination: what was valid stays so.
static gmem_status_t find_insert(reader_t *reader) {
  int32_t whole = reader->entry->model->destination_operand;
  MlirValue result = mlirOperationGetResult(reader->op, 0);
  GMEM_TRY(refuse_others(reader, whole));
  MlirValue operand = mlirOperationGetOperand(reader->op, whole);
  return same_sizes(operand, result)
             ? set_region(reader->finder, result,
                          region_of(reader->finder, operand))
             : refuse(reader, unstated);
}

// The longest row of pieces [*begin, *end) along |axis| that is valid without a
// gap, and the region of the others axes in which all pieces are.
static bool join(const reader_t *reader, int axis,
                 gmem_valid_region_t *result) {
  intptr_t count = mlirOperationGetNumOperands(reader->op);
  int64_t at = 0, begin = 0, best_begin = 0, best_end = 0;
  for (intptr_t i = reader->entry->model->concat.first; i < count; ++i) {
    MlirValue piece = mlirOperationGetOperand(reader->op, i);
    const gmem_valid_region_t *valid = region_of(reader->finder, piece);
    gmem_valid_region_t all, inside;
    if (!mlirTypeIsAShaped(mlirValueGetType(piece)))
      continue;
    if (!whole_of(piece, &all))
      return false;
    inside = valid ? *valid : all;
    begin = inside.begin[axis] > 0 ? at + inside.begin[axis] : begin;
    if (at + inside.end[axis] - begin > best_end - best_begin) {
      best_begin = begin;
      best_end = at + inside.end[axis];
    }
    at += all.end[axis];
    begin = inside.end[axis] < all.end[axis] ? at : begin;
    inside.begin[axis] = 0;
    inside.end[axis] = INT64_MAX;
    intersect(result, &inside);
  }
  result->begin[axis] = best_begin;
  result->end[axis] = best_end;
  return true;
}

static gmem_status_t find_concat(reader_t *reader) {
  const gmem_op_model_t *model = reader->entry->model;
  MlirValue whole = mlirOperationGetResult(reader->op, 0);
  gmem_valid_region_t result;
  gmem_layout_t layout;
  bool is_known = gmem_layout_of(mlirValueGetType(whole), &layout) &&
                  whole_of(whole, &result);
  int axis = is_known ? gmem_concat_axis(reader->op, model, &layout) : -1;
  if (axis < 0 || !gmem_pieces_fit(reader->op, model, &layout, axis) ||
      reader->first < model->concat.first || !join(reader, axis, &result))
    return refuse(reader, unstated);
  return set_region(reader->finder, whole, &result);
}

static gmem_status_t find_permuted(reader_t *reader) {
  MlirValue result = mlirOperationGetResult(reader->op, 0);
  int64_t axes[GMEM_PERMUTATION_MAX_RANK];
  gmem_valid_region_t region;
  GMEM_TRY(refuse_others(reader, 0));
  const gmem_valid_region_t *valid =
      region_of(reader->finder, mlirOperationGetOperand(reader->op, 0));
  if (!whole_of(result, &region) ||
      !gmem_op_permutation(reader->entry->model, reader->op,
                           reader->finder->program->models,
                           reader->finder->arena, axes))
    return refuse(reader, unstated);
  for (uint32_t i = 0; i < region.rank; ++i) {
    region.begin[i] = valid->begin[axes[i]];
    region.end[i] = valid->end[axes[i]];
  }
  return set_region(reader->finder, result, &region);
}

//===--- ops that compute -------------------------------------------------===//

// Whether an element of result |r| depends on operand |i| at its place alone.
static bool is_same_place(const reader_t *reader, intptr_t i, intptr_t r) {
  const gmem_op_model_t *model = reader->entry->model;
  intptr_t output = mlirOperationGetNumOperands(reader->op) -
                    mlirOperationGetNumResults(reader->op) + r;
  bool is_listed = r == 0 && (model->inplace.operands == UINT64_MAX ||
                              (i < 64 && model->inplace.operands >> i & 1));
  bool is_alike =
      model->valid_region.rule == GMEM_REGION_SAME || is_listed ||
      (model->inplace.by_map && gmem_is_mapped_alike(reader->op, i, output));
  return is_alike && same_sizes(mlirOperationGetOperand(reader->op, i),
                                mlirOperationGetResult(reader->op, r));
}

// An element is valid where those of the operands at its place are.
static gmem_status_t find_same(reader_t *reader) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(reader->op); ++r) {
    MlirValue result = mlirOperationGetResult(reader->op, r);
    gmem_valid_region_t region;
    bool is_known = whole_of(result, &region);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(reader->op); ++i) {
      const gmem_valid_region_t *part = part_read(reader, i);
      if (!part)
        continue;
      reader->first = i;
      if (!is_known || !is_same_place(reader, i, r))
        return refuse(reader, unstated);
      intersect(&region, part);
    }
    GMEM_TRY(set_region(reader->finder, result, &region));
  }
  return GMEM_OK;
}

static gmem_status_t refuse_around(const reader_t *reader, MlirValue result,
                                   gmem_neighbours_status_t found) {
  const char *what = "";
  switch (found) {
  case GMEM_NEIGHBOURS_EMPTY:
    return refuse_empty(reader->finder, result);
  case GMEM_NEIGHBOURS_LISTS:
    what = "the lists of its op model are not constant, do not match the "
           "operand, or have numbers that are negative, 0 or too large";
    break;
  case GMEM_NEIGHBOURS_SHAPE:
    what = "operand and result must be tensors of static shape, of equal "
           "ranks, with elements of whole bytes";
    break;
  default:
    assert(found == GMEM_NEIGHBOURS_AXES);
    what = "a part of the operand is valid along an axis that its op model "
           "does not list";
  }
  return gmem_reject(reader->finder->diag, reader->op,
                     "valid_region of result #%td: %s",
                     mlirOpResultGetResultNumber(result), what);
}

static gmem_status_t find_around(reader_t *reader) {
  const finder_t *finder = reader->finder;
  const gmem_op_region_t *model = &reader->entry->model->valid_region;
  GMEM_TRY(refuse_others(reader, model->operand));
  gmem_neighbours_t around = {.op = reader->op, .model = model};
  if (model->operand < mlirOperationGetNumOperands(reader->op))
    around.valid =
        region_of(finder, mlirOperationGetOperand(reader->op, model->operand));
  for (intptr_t r = 0; r < mlirOperationGetNumResults(reader->op); ++r) {
    MlirValue result = mlirOperationGetResult(reader->op, r);
    gmem_valid_region_t region;
    gmem_neighbours_status_t found = gmem_neighbours_find(
        &around, result, finder->program->models, finder->arena, &region);
    GMEM_TRY(gmem_bump_status(finder->arena, finder->diag));
    if (found == GMEM_NEIGHBOURS_PART)
      GMEM_TRY(set_region(finder, result, &region));
    else if (found != GMEM_NEIGHBOURS_WHOLE)
      return refuse_around(reader, result, found);
  }
  return GMEM_OK;
}

//===--- ops --------------------------------------------------------------===//

// Whether the op passes operands to blocks, functions or memrefs, all of whose
// elements must be valid.
static bool passes_operands(const reader_t *reader) {
  const gmem_program_op_t *entry = reader->entry;
  bool is_return = gmem_is_return(reader->finder->program, reader->index) &&
                   !reader->finder->calls->callees[entry->function].mentions;
  if (entry->first_region != GMEM_NO_INDEX ||
      (gmem_ends_block(reader->op) && !is_return))
    return true;
  switch (entry->kind) {
  case GMEM_OP_UNKNOWN:
  case GMEM_OP_COMPUTE:
  case GMEM_OP_SCALAR_BODY:
  case GMEM_OP_LAYER_GROUP:
  case GMEM_OP_RESHAPE:
  case GMEM_OP_NONE:
    return false;
  default:
    return true;
  }
}

static gmem_status_t find_results(reader_t *reader) {
  const gmem_op_model_t *model = reader->entry->model;
  if (model->valid_region.rule == GMEM_REGION_FULL ||
      reader->entry->kind == GMEM_OP_NONE ||
      mlirOperationGetNumResults(reader->op) == 0)
    return GMEM_OK;
  if (reader->first < 0)
    return refuse(reader, unstated);
  if (model->valid_region.rule == GMEM_REGION_SAME)
    return find_same(reader);
  if (reader->entry->kind == GMEM_OP_RESHAPE)
    return find_reshaped(reader,
                         mlirOperationGetOperand(reader->op, reader->first),
                         mlirOperationGetResult(reader->op, 0));
  if (model->slice.operand != GMEM_NO_OPERAND)
    return find_slice(reader);
  if (model->insert.operand != GMEM_NO_OPERAND)
    return find_insert(reader);
  if (model->concat.axis)
    return find_concat(reader);
  if (model->moves.permutes || model->moves.swaps)
    return find_permuted(reader);
  return find_same(reader);
}

static gmem_status_t visit(finder_t *finder, uint32_t index) {
  reader_t reader = {.finder = finder,
                     .index = index,
                     .entry = &finder->program->ops[index],
                     .op = finder->program->ops[index].op};
  bool has_part = reads_part(&reader);
  if (has_part && passes_operands(&reader))
    return refuse(
        &reader,
        "control flow and calls require values that are valid as a whole");
  if (reader.entry->model->valid_region.rule == GMEM_REGION_AROUND)
    return find_around(&reader);
  return has_part ? find_results(&reader) : GMEM_OK;
}

//===--- arguments and calls ----------------------------------------------===//

static gmem_status_t read_argument(const finder_t *finder, uint32_t function,
                                   intptr_t number) {
  MlirOperation op = finder->program->functions[function].op;
  MlirValue argument = mlirBlockGetArgument(gmem_entry_block(op), number);
  gmem_valid_region_t region;
  gmem_region_kind_t kind = gmem_valid_region_of(argument, &region);
  if (kind == GMEM_REGION_MALFORMED)
    return gmem_bad_annotation(
        mlirValueGetLocation(argument), GMEM_ATTR_VALID_REGION,
        "{begin = array<i64>, end = array<i64>} with the first valid element "
        "and the one behind the last of each dimension, of a tensor of static "
        "shape, of elements of whole bytes",
        finder->diag);
  if (kind == GMEM_REGION_WHOLE)
    return GMEM_OK;
  if (finder->calls->callees[function].mentions)
    return gmem_reject(finder->diag, op,
                       "gmem.valid_region: calls pass argument #%td of this "
                       "function, and require values that are valid as a whole",
                       number);
  uint32_t index = gmem_program_find(finder->program, argument);
  if (index == GMEM_NO_INDEX)
    return GMEM_OK;
  GMEM_TRY_ALLOC(finder->of[index], finder->arena, 1, finder->diag);
  *finder->of[index] = region;
  return GMEM_OK;
}

static gmem_status_t read_arguments(const finder_t *finder) {
  for (uint32_t f = 0; f < finder->program->function_count; ++f) {
    MlirBlock entry = gmem_entry_block(finder->program->functions[f].op);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
      GMEM_TRY(read_argument(finder, f, i));
  }
  return GMEM_OK;
}

// Refuses calls with values that are partly valid, and uses of such values
// before they are made: in graph regions, whose ops are in no order.
static gmem_status_t check_uses(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  size_t call = 0;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    reader_t reader = {.finder = finder,
                       .index = i,
                       .entry = &program->ops[i],
                       .op = program->ops[i].op};
    bool is_call =
        call < finder->calls->count && finder->calls->calls[call].op == i;
    call += is_call;
    for (; reader.first < mlirOperationGetNumOperands(reader.op);
         ++reader.first) {
      uint32_t value = gmem_operand_value(program, reader.op, reader.first);
      bool is_part = value != GMEM_NO_INDEX && finder->of[value];
      if (is_part && is_call)
        return refuse(
            &reader,
            "control flow and calls require values that are valid as a whole");
      if (is_part && program->values[value].op != GMEM_NO_INDEX &&
          program->values[value].op >= i)
        return refuse(&reader, "its defining op comes later");
    }
  }
  return GMEM_OK;
}

// Whether an argument or an op can have a part that is valid.
static bool has_parts(const gmem_program_t *program) {
  gmem_valid_region_t ignored;
  for (uint32_t i = 0; i < program->op_count; ++i)
    if (program->ops[i].model->valid_region.rule == GMEM_REGION_AROUND)
      return true;
  for (uint32_t f = 0; f < program->function_count; ++f) {
    MlirBlock entry = gmem_entry_block(program->functions[f].op);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
      if (gmem_valid_region_of(mlirBlockGetArgument(entry, i), &ignored) !=
          GMEM_REGION_WHOLE)
        return true;
  }
  return false;
}

gmem_status_t gmem_valid_regions_find(const gmem_liveness_t *liveness,
                                      gmem_bump_t *arena,
                                      gmem_valid_regions_t *out_regions,
                                      gmem_diag_t *diag) {
  finder_t finder = {.program = liveness->program,
                     .calls = liveness->calls,
                     .arena = arena,
                     .diag = diag};
  out_regions->of = NULL;
  if (!has_parts(finder.program))
    return GMEM_OK;
  GMEM_TRY_ALLOC(finder.of, arena, finder.program->value_count, diag);
  GMEM_TRY(read_arguments(&finder));
  for (uint32_t i = 0; i < finder.program->op_count; ++i)
    GMEM_TRY(visit(&finder, i));
  GMEM_TRY(check_uses(&finder));
  GMEM_TRY(gmem_bump_status(arena, diag));
  out_regions->of = finder.of;
  return GMEM_OK;
}
