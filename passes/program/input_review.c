// input_review.c - see input_review.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "input_review.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "annotations.h"
#include "constant_globals.h"
#include "diagnostics.h"
#include "edit_distance.h"
#include "idle_attributes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "outside_functions.h"
#include "text.h"
#include "type_models.h"

enum { MAX_NOTES = 12, NEAR = 2 };

//===--- ops without a model ----------------------------------------------===//

static bool is_memory(const gmem_op_models_t *models, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsATensor(type) || gmem_is_memref_type(type) ||
         gmem_stated_bytes(value) >= 0 || gmem_is_opaque(models, type);
}

// Whether |value| is one with memory, no handle.
static bool is_value(const gmem_program_t *program, uint32_t value) {
  return value != GMEM_NO_INDEX &&
         program->values[value].type != GMEM_TYPE_NO_MEMORY;
}

// Whether the op takes or makes memory, directly or in its regions.
static bool touches_memory(const gmem_program_t *program, MlirOperation op) {
  bool does = mlirOperationGetNumRegions(op) != 0;
  for (intptr_t i = 0; !does && i < mlirOperationGetNumResults(op); ++i)
    does = is_value(program, gmem_result_value(program, op, i)) ||
           is_memory(program->models, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; !does && i < mlirOperationGetNumOperands(op); ++i)
    does = is_value(program, gmem_operand_value(program, op, i)) ||
           is_memory(program->models, mlirOperationGetOperand(op, i));
  return does;
}

// Whether the op calls a function of the scope. Other dialects name kernels, or
// routines of a library, in an attribute of that name.
static bool is_call(MlirSymbolTable symbols, MlirOperation op) {
  MlirAttribute callee = gmem_op_attribute(op, "callee");
  return gmem_attribute_is(callee, mlirAttributeIsASymbolRef) &&
         (mlirSymbolTableIsNull(symbols) ||
          !mlirOperationIsNull(mlirSymbolTableLookup(
              symbols, mlirSymbolRefAttrGetRootReference(callee))));
}

static bool is_unmodelled(const gmem_program_t *program,
                          MlirSymbolTable symbols,
                          const gmem_program_op_t *op) {
  return op->model->op[0] == '\0' && !gmem_ends_block(op->op) &&
         mlirAttributeIsNull(gmem_op_attribute(op->op, "function_type")) &&
         touches_memory(program, op->op) && !is_call(symbols, op->op);
}

static uint64_t add_bytes(uint64_t sum, uint64_t bytes) {
  return sum > UINT64_MAX - bytes ? UINT64_MAX : sum + bytes;
}

static uint64_t result_bytes(const gmem_program_t *program, MlirOperation op) {
  uint64_t bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    uint32_t value = gmem_result_value(program, op, i);
    uint64_t size =
        value == GMEM_NO_INDEX || program->values[value].type != GMEM_TYPE_SIZED
            ? 0
            : program->values[value].size;
    bytes = add_bytes(bytes, size);
  }
  return bytes;
}

static int by_bytes(const void *a, const void *b) {
  const gmem_unmodelled_t *left = a, *right = b;
  return left->bytes != right->bytes
             ? (left->bytes < right->bytes) - (left->bytes > right->bytes)
         : left->count != right->count
             ? (left->count < right->count) - (left->count > right->count)
             : gmem_string_order(left->name, right->name);
}

static gmem_status_t find_unmodelled(const gmem_program_t *program,
                                     MlirSymbolTable symbols,
                                     gmem_bump_t *arena,
                                     gmem_unmodelled_t **out_list,
                                     size_t *out_count, gmem_diag_t *diag) {
  gmem_pointer_map_t numbers; // of names, which a context has once each
  size_t room = 0, count = 0;
  *out_list = NULL;
  *out_count = 0;
  for (size_t i = 0; i < program->op_count; ++i)
    room += is_unmodelled(program, symbols, &program->ops[i]);
  GMEM_TRY(gmem_pointer_map_make(&numbers, room, arena, diag));
  GMEM_TRY_ALLOC(*out_list, arena, room, diag);
  for (size_t i = 0; i < program->op_count && room; ++i) {
    MlirOperation op = program->ops[i].op;
    if (!is_unmodelled(program, symbols, &program->ops[i]))
      continue;
    gmem_op_names_t names;
    gmem_op_names_of(program->models, op, &names);
    MlirIdentifier name =
        mlirIdentifierGet(mlirOperationGetContext(op), names.at[0]);
    uint32_t number = gmem_pointer_map_find(&numbers, name.ptr);
    if (number == GMEM_NO_INDEX) {
      number = (uint32_t)count;
      gmem_pointer_map_add(&numbers, name.ptr, number);
      (*out_list)[count++] =
          (gmem_unmodelled_t){.name = mlirIdentifierStr(name), .first = op};
    }
    gmem_unmodelled_t *entry = &(*out_list)[number];
    uint64_t bytes = result_bytes(program, op);
    ++entry->count;
    entry->bytes =
        entry->bytes > UINT64_MAX - bytes ? UINT64_MAX : entry->bytes + bytes;
    entry->has_operands |= mlirOperationGetNumOperands(op) != 0;
    entry->has_regions |= mlirOperationGetNumRegions(op) != 0;
  }
  assert(count <= room);
  if (count)
    qsort(*out_list, count, sizeof **out_list, by_bytes);
  *out_count = count;
  return GMEM_OK;
}

gmem_status_t gmem_unmodelled_find(const gmem_program_t *program,
                                   gmem_bump_t *arena,
                                   gmem_unmodelled_t **out_list,
                                   size_t *out_count, gmem_diag_t *diag) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(program->scope);
  gmem_status_t status =
      find_unmodelled(program, symbols, arena, out_list, out_count, diag);
  if (!mlirSymbolTableIsNull(symbols))
    mlirSymbolTableDestroy(symbols);
  return status;
}

static void describe(const gmem_unmodelled_t *entry, gmem_note_t *note) {
  const char *hint = entry->has_regions ? ": a layer group, a loop?"
                     : !entry->has_operands && entry->bytes
                         ? ", no operands: a constant?"
                         : "";
  note->location = mlirOperationGetLocation(entry->first);
  snprintf(note->text, sizeof note->text,
           "'%.*s': %zu op%s, %" PRIu64 " bytes of results%s",
           (int)entry->name.length, entry->name.data, entry->count,
           entry->count == 1 ? "" : "s", entry->bytes, hint);
}

// One remark, or with |is_strict| one error, about all ops without a model.
static gmem_status_t report_unmodelled(const gmem_program_t *program,
                                       const gmem_unmodelled_t *list,
                                       size_t count, bool is_strict,
                                       gmem_diag_t *diag) {
  gmem_note_t notes[MAX_NOTES + 1];
  size_t shown = count < MAX_NOTES ? count : MAX_NOTES, ops = 0;
  if (!count)
    return GMEM_OK;
  for (size_t i = 0; i < count; ++i)
    ops += list[i].count;
  for (size_t i = 0; i < shown; ++i)
    describe(&list[i], &notes[i]);
  if (shown < count) {
    notes[shown].location = mlirOperationGetLocation(list[shown].first);
    snprintf(notes[shown].text, sizeof notes->text,
             "%zu more name%s, such as '%.*s'", count - shown,
             count - shown == 1 ? "" : "s", (int)list[shown].name.length,
             list[shown].name.data);
    ++shown;
  }
  return gmem_report_at(
      diag, is_strict ? GMEM_ERR_INVALID_ARGUMENT : GMEM_OK,
      mlirOperationGetLocation(program->scope), (gmem_notes_t){notes, shown},
      "no model for %zu op%s (%zu name%s): assumed to read all operands and to "
      "write new results (docs/op-models.md)",
      ops, ops == 1 ? "" : "s", count, count == 1 ? "" : "s");
}

//===--- types of unknown size --------------------------------------------===//

typedef struct opaque_s {
  char name[64]; // without parameters
  size_t count;
  MlirLocation first;
} opaque_t;

enum { MAX_OPAQUE = 8 }; // names that are listed

typedef struct opaque_list_s {
  opaque_t at[MAX_OPAQUE];
  size_t count, values;
} opaque_list_t;

// Adds |value|, if the size of its type is unknown.
static void add_opaque(const gmem_program_t *program, MlirValue value,
                       MlirLocation location, opaque_list_t *list) {
  char name[64] = "";
  gmem_printed_t printed = {name, sizeof name, 0, false};
  MlirType type = mlirValueGetType(value);
  if (!gmem_is_opaque(program->models, type) || gmem_stated_bytes(value) >= 0)
    return;
  mlirTypePrint(type, gmem_print_into, &printed);
  name[strcspn(name, "<")] = '\0';
  ++list->values;
  size_t i = 0;
  while (i < list->count && strcmp(list->at[i].name, name) != 0)
    ++i;
  if (i == MAX_OPAQUE)
    return;
  if (i == list->count) {
    memcpy(list->at[i].name, name, sizeof name);
    list->at[i].first = location;
    list->at[list->count++].count = 0;
  }
  ++list->at[i].count;
}

static void report_opaque(const gmem_program_t *program) {
  opaque_list_t list = {.count = 0};
  gmem_note_t notes[MAX_OPAQUE];
  for (size_t i = 0; i < program->block_count; ++i)
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(program->blocks[i].block);
         ++k) {
      MlirValue argument = mlirBlockGetArgument(program->blocks[i].block, k);
      add_opaque(program, argument, mlirValueGetLocation(argument), &list);
    }
  for (size_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    // The result of an op that starts work stands for it.
    for (intptr_t k = 0;
         k < mlirOperationGetNumResults(op) && !program->ops[i].model->starts;
         ++k)
      add_opaque(program, mlirOperationGetResult(op, k),
                 mlirOperationGetLocation(op), &list);
  }
  for (size_t i = 0; i < list.count; ++i) {
    notes[i].location = list.at[i].first;
    snprintf(notes[i].text, sizeof notes->text, "'%s': %zu value%s",
             list.at[i].name, list.at[i].count,
             list.at[i].count == 1 ? "" : "s");
  }
  if (list.values)
    gmem_remark_with_notes(
        mlirOperationGetLocation(program->scope), notes, list.count,
        "%zu value%s of types of unknown size %s not planned: state it with "
        "gmem.bytes or a gmem.type_model (docs/op-models.md)",
        list.values, list.values == 1 ? "" : "s",
        list.values == 1 ? "is" : "are");
}

//===--- truth values -----------------------------------------------------===//

// Whether |type| is a tensor of several truth values.
static bool has_truth_values(MlirType type) {
  if (!mlirTypeIsARankedTensor(type))
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool has_several = false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    has_several |= mlirShapedTypeGetDimSize(type, i) != 1;
  return has_several && mlirTypeIsAInteger(element) &&
         mlirIntegerTypeGetWidth(element) == 1;
}

// MLIR does not say how a tensor of i1 is stored, and compilers differ.
static void report_truth_values(const gmem_program_t *program) {
  size_t count = 0;
  uint64_t bytes = 0;
  gmem_note_t note = {.text = "the first"};
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_value_t *value = &program->values[i];
    if (value->type != GMEM_TYPE_SIZED || value->size == 0 ||
        !has_truth_values(mlirValueGetType(value->value)))
      continue;
    if (count++ == 0)
      note.location = gmem_value_location(program, i);
    bytes = add_bytes(bytes, value->size);
  }
  if (count)
    gmem_remark_with_notes(
        mlirOperationGetLocation(program->scope), &note, 1,
        "%zu tensor%s of i1 %s sized with one bit per element, %" PRIu64
        " bytes: for a target that stores a truth value in a byte, let the "
        "elements be i8 (docs/memory-model.md)",
        count, count == 1 ? "" : "s", count == 1 ? "is" : "are", bytes);
}

//===--- op models that match nothing -------------------------------------===//

typedef struct name_walk_s {
  const gmem_op_models_t *models;
  gmem_pointer_map_t *names;
  size_t count; // of names, at most
} name_walk_t;

static gmem_status_t count_names(MlirOperation op, void *user) {
  name_walk_t *walk = user;
  gmem_op_names_t names;
  gmem_op_names_of(walk->models, op, &names);
  walk->count += names.count;
  return GMEM_OK;
}

static gmem_status_t add_names(MlirOperation op, void *user) {
  name_walk_t *walk = user;
  gmem_op_names_t names;
  gmem_op_names_of(walk->models, op, &names);
  for (size_t i = 0; i < names.count; ++i) {
    MlirIdentifier name =
        mlirIdentifierGet(mlirOperationGetContext(op), names.at[i]);
    if (gmem_pointer_map_find(walk->names, name.ptr) == GMEM_NO_INDEX)
      gmem_pointer_map_add(walk->names, name.ptr, 0);
  }
  return GMEM_OK;
}

static bool is_used(const gmem_program_t *program, gmem_pointer_map_t *names,
                    const char *op) {
  MlirContext context = mlirOperationGetContext(program->scope);
  MlirIdentifier name = mlirIdentifierGet(context, gmem_string(op));
  return gmem_pointer_map_find(names, name.ptr) != GMEM_NO_INDEX;
}

// Whether |name| has no dialect, which is left out by mistake more often than
// not.
static bool is_bare(const char *name) { return strchr(name, '.') == NULL; }

// Whether |name| is |model| behind a dialect.
static bool is_without_dialect(MlirStringRef name, const char *model) {
  size_t length = strlen(model);
  return name.length > length && name.data[name.length - length - 1] == '.' &&
         memcmp(name.data + name.length - length, model, length) == 0;
}

// The op without a model that the name of |model| may mean, or NULL: of the
// same dialect and a slip away, or the same but for the dialect.
static const gmem_unmodelled_t *meant_by(const gmem_op_model_t *model,
                                         const gmem_unmodelled_t *list,
                                         size_t count) {
  size_t dialect = strcspn(model->op, ".") + 1;
  for (size_t i = 0; i < count; ++i)
    if (is_bare(model->op)
            ? is_without_dialect(list[i].name, model->op)
            : list[i].name.length > dialect &&
                  strncmp(list[i].name.data, model->op, dialect) == 0 &&
                  gmem_edit_distance(model->op, strlen(model->op),
                                     list[i].name.data,
                                     list[i].name.length) <= NEAR)
      return &list[i];
  return NULL;
}

static bool has_bare(const gmem_op_models_t *models) {
  for (; models->outer; models = models->outer)
    for (size_t i = 0; i < models->count; ++i)
      if (is_bare(models->models[i].op))
        return true;
  return false;
}

// Warns of the models of the scope, not those built in, that match nothing.
static gmem_status_t report_unused(const gmem_program_t *program,
                                   const gmem_unmodelled_t *list, size_t count,
                                   bool is_strict, gmem_bump_t *arena,
                                   gmem_diag_t *diag) {
  const gmem_op_models_t *models = program->models;
  gmem_pointer_map_t names;
  gmem_text_t unused = {.arena = arena};
  name_walk_t walk = {.models = models, .names = &names};
  if (!models || !models->outer || (!is_strict && !count && !has_bare(models)))
    return GMEM_OK;
  GMEM_TRY(gmem_walk(program->scope, count_names, &walk));
  GMEM_TRY(gmem_pointer_map_make(&names, walk.count, arena, diag));
  GMEM_TRY(gmem_walk(program->scope, add_names, &walk));
  for (; models->outer; models = models->outer)
    for (size_t i = 0; i < models->count; ++i) {
      const gmem_op_model_t *model = &models->models[i];
      const gmem_unmodelled_t *meant;
      if (is_used(program, &names, model->op))
        continue;
      if ((meant = meant_by(model, list, count)) != NULL)
        gmem_warning(mlirOperationGetLocation(meant->first),
                     "the op model of '%s' matches no op: is '%.*s' meant, "
                     "which has none?",
                     model->op, (int)meant->name.length, meant->name.data);
      else if (is_bare(model->op))
        gmem_warning(mlirOperationGetLocation(program->scope),
                     "the op model of '%s' matches no op: it names no dialect, "
                     "as 'my.%s' does",
                     model->op, model->op);
      else if (is_strict)
        gmem_text_print(&unused, "%s%s", unused.length ? ", " : "", model->op);
    }
  if (unused.out_of_memory)
    return gmem_out_of_memory(diag);
  if (unused.length)
    gmem_warning(mlirOperationGetLocation(program->scope),
                 "op models that match no op: %s", unused.bytes);
  return GMEM_OK;
}

//===--- op models that speak of what an op does not have -----------------===//

// What a model says that its op does not have: |attribute|, or |operand| if
// that is NULL.
typedef struct lack_s {
  const char *property, *attribute;
  int operand;
} lack_t;

static bool lacks_operand(MlirOperation op, const char *property,
                          int32_t operand, lack_t *out) {
  *out = (lack_t){property, NULL, operand};
  return operand >= mlirOperationGetNumOperands(op);
}

static bool lacks_attribute(MlirOperation op, const char *property,
                            const char *attribute, lack_t *out) {
  *out = (lack_t){property, attribute, 0};
  return attribute && mlirAttributeIsNull(gmem_op_attribute(op, attribute));
}

static bool lacks_list(MlirOperation op, const char *property,
                       const gmem_op_list_t *list, lack_t *out) {
  return lacks_attribute(op, property, list->attribute, out) ||
         lacks_operand(op, property, list->operand, out);
}

// Whether it has none of the operands in |mask|, which are not all.
static bool lacks_all(MlirOperation op, const char *property, uint64_t mask,
                      lack_t *out) {
  return mask && mask != UINT64_MAX &&
         lacks_operand(op, property, (int32_t)__builtin_ctzll(mask), out);
}

// Attributes that may be left out on ops, such as steps, are not looked at.
static bool has_lack(const gmem_op_model_t *model, MlirOperation op,
                     lack_t *out) {
  return lacks_all(op, "inplace", model->inplace.operands, out) ||
         lacks_all(op, "rowwise", model->rowwise, out) ||
         lacks_all(op, "unread", model->unread, out) ||
         lacks_all(op, "writes", model->writes, out) ||
         (model->destination == GMEM_DESTINATION_OPERAND &&
          lacks_operand(op, "destination", model->destination_operand, out)) ||
         lacks_operand(op, "slice", model->slice.operand, out) ||
         lacks_operand(op, "insert", model->insert.operand, out) ||
         lacks_list(op, "slice", &model->slice.begin, out) ||
         lacks_list(op, "insert", &model->insert.begin, out) ||
         lacks_attribute(op, "tuple_element", model->tuple_element, out) ||
         (model->moves.swaps &&
          (lacks_list(op, "swap", &model->moves.axes, out) ||
           lacks_list(op, "swap", &model->moves.second, out)));
}

enum { MAX_LACKS = 8 }; // models that are warned of

// Warns of models of the scope that have no effect for that reason.
static void report_lacks(const gmem_program_t *program) {
  const gmem_op_model_t *seen[MAX_LACKS];
  size_t count = 0;
  for (size_t i = 0; i < program->op_count && count < MAX_LACKS; ++i) {
    const gmem_op_model_t *model = program->ops[i].model;
    MlirOperation op = program->ops[i].op;
    char what[80];
    lack_t lack;
    bool is_seen = false;
    if (gmem_op_model_is_built_in(model) || !has_lack(model, op, &lack))
      continue;
    for (size_t k = 0; k < count; ++k)
      is_seen |= seen[k] == model;
    if (is_seen)
      continue;
    seen[count++] = model;
    if (lack.attribute)
      snprintf(what, sizeof what, "attribute '%s'", lack.attribute);
    else
      snprintf(what, sizeof what, "operand #%d", lack.operand);
    gmem_warning(mlirOperationGetLocation(op),
                 "%s in the op model of '%s' has no effect: this op has no %s",
                 lack.property, model->op, what);
  }
}

//===--- constants that are computed --------------------------------------===//

// Checks that gmem.init of a global names a function.
static gmem_status_t check_initialiser(MlirSymbolTable symbols,
                                       MlirOperation global,
                                       gmem_diag_t *diag) {
  MlirStringRef name = gmem_global_initialiser(global);
  MlirOperation function = {NULL};
  if (!name.length)
    return GMEM_OK;
  if (!mlirSymbolTableIsNull(symbols))
    function = mlirSymbolTableLookup(symbols, name);
  if (mlirOperationIsNull(function))
    return gmem_reject(diag, global, "gmem.init names no function: @%.*s",
                       (int)name.length, name.data);
  if (mlirAttributeIsNull(gmem_op_annotation(function, GMEM_ATTR_INIT)))
    gmem_warning(mlirOperationGetLocation(global),
                 "gmem.init has no effect: @%.*s does not have gmem.init",
                 (int)name.length, name.data);
  return GMEM_OK;
}

static gmem_status_t check_initialisers(const gmem_program_t *program,
                                        gmem_diag_t *diag) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(program->scope);
  gmem_status_t status = GMEM_OK;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(gmem_entry_block(program->scope));
       !mlirOperationIsNull(op) && status == GMEM_OK;
       op = mlirOperationGetNextInBlock(op))
    status = check_initialiser(symbols, op, diag);
  if (!mlirSymbolTableIsNull(symbols))
    mlirSymbolTableDestroy(symbols);
  return status;
}

//===--- all --------------------------------------------------------------===//

gmem_status_t gmem_input_review(const gmem_program_t *program, bool is_strict,
                                gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_unmodelled_t *list;
  size_t count;
  gmem_idle_attributes_report(program);
  GMEM_TRY(check_initialisers(program, diag));
  GMEM_TRY(gmem_unmodelled_find(program, arena, &list, &count, diag));
  GMEM_TRY(report_unused(program, list, count, is_strict, arena, diag));
  report_lacks(program);
  report_opaque(program);
  report_truth_values(program);
  GMEM_TRY(gmem_outside_functions_report(program, is_strict, diag));
  return report_unmodelled(program, list, count, is_strict, diag);
}
