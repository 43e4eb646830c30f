// alias_attributes.c - see alias_attributes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_attributes.h"

#include <inttypes.h>
#include <stdio.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

bool gmem_alias_holds(const gmem_alias_t *alias,
                      const gmem_value_place_t *places) {
  const gmem_value_place_t *child = &places[alias->child];
  const gmem_value_place_t *parent = &places[alias->parent];
  return gmem_has_place(child) && child->pool == parent->pool &&
         child->payload >= parent->payload &&
         (uint64_t)(child->payload - parent->payload) == alias->offset;
}

//===--- one entry --------------------------------------------------------===//

static const char *kind_name(gmem_sharing_t kind) {
  switch (kind) {
  case GMEM_SHARE_SLICE:
    return "slice";
  case GMEM_SHARE_CONCAT:
    return "concat";
  case GMEM_SHARE_DESTINATION:
    return "destination";
  default:
    return "inplace";
  }
}

static MlirAttribute entry_of(MlirContext context, const gmem_alias_t *alias) {
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  const char *const names[] = {"kind", "offset", "operand", "result"};
  MlirAttribute values[] = {
      mlirStringAttrGet(context, gmem_string(kind_name(alias->kind))),
      mlirIntegerAttrGet(i64, (int64_t)alias->offset),
      mlirIntegerAttrGet(i64, alias->operand),
      mlirIntegerAttrGet(i64, alias->result)};
  MlirNamedAttribute entries[4];
  for (int i = 0; i < 4; ++i)
    entries[i] = mlirNamedAttributeGet(
        mlirIdentifierGet(context, gmem_string(names[i])), values[i]);
  return mlirDictionaryAttrGet(context, 4, entries);
}

//===--- the entries of an op ---------------------------------------------===//

// Iterates over the ops and their aliases in parallel.
typedef struct cursor_s {
  const gmem_program_t *program;
  const gmem_aliases_t *aliases;
  const gmem_value_place_t *places;
  gmem_bump_t *arena;
  size_t next; // index of the next alias
  MlirAttribute *entries;
  size_t count, room; // of the op
} cursor_t;

// Lists the entries of op |index|; must be called in ascending order. Returns
// false if out of memory.
static bool list_entries(cursor_t *cursor, uint32_t index) {
  MlirContext context = mlirOperationGetContext(cursor->program->scope);
  cursor->count = 0;
  for (; cursor->next < cursor->aliases->count &&
         cursor->aliases->aliases[cursor->next].op <= index;
       ++cursor->next) {
    const gmem_alias_t *alias = &cursor->aliases->aliases[cursor->next];
    if (alias->operand == GMEM_NO_INDEX ||
        !gmem_alias_holds(alias, cursor->places))
      continue;
    if (!gmem_bump_grow(cursor->arena, &cursor->entries, cursor->count,
                        &cursor->room, sizeof *cursor->entries))
      return false;
    cursor->entries[cursor->count++] = entry_of(context, alias);
  }
  return true;
}

gmem_status_t gmem_aliases_write(const gmem_program_t *program,
                                 const gmem_aliases_t *aliases,
                                 const gmem_value_place_t *places,
                                 gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(program->scope);
  cursor_t cursor = {program, aliases, places, arena, 0, NULL, 0, 0};
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    if (!list_entries(&cursor, i))
      return gmem_out_of_memory(diag);
    if (cursor.count == 0)
      mlirOperationRemoveDiscardableAttributeByName(
          op, gmem_attr_name(GMEM_ATTR_ALIAS));
    else
      gmem_op_annotate(
          op, GMEM_ATTR_ALIAS,
          mlirArrayAttrGet(context, (intptr_t)cursor.count, cursor.entries));
  }
  return GMEM_OK;
}

//===--- verification -----------------------------------------------------===//

static gmem_status_t report_malformed(MlirOperation op, gmem_diag_t *diag) {
  return gmem_op_error(diag, GMEM_ERR_CORRUPT, op, "gmem.alias is malformed");
}

static bool get_integer(MlirAttribute entry, const char *name, int64_t *out) {
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(entry, gmem_string(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value))
    return false;
  *out = mlirIntegerAttrGetValueInt(value);
  return true;
}

// Describes an entry in words; false if it is malformed.
static bool describe(MlirAttribute entry, char *out, size_t room) {
  int64_t operand, result, offset;
  if (!mlirAttributeIsADictionary(entry))
    return false;
  MlirAttribute kind =
      mlirDictionaryAttrGetElementByName(entry, gmem_string("kind"));
  if (mlirDictionaryAttrGetNumElements(entry) != 4 ||
      mlirAttributeIsNull(kind) || !mlirAttributeIsAString(kind) ||
      !get_integer(entry, "operand", &operand) ||
      !get_integer(entry, "result", &result) ||
      !get_integer(entry, "offset", &offset))
    return false;
  static const struct {
    const char *kind, *verb;
  } verbs[] = {{"slice", "is inside"},
               {"inplace", "is written over"},
               {"destination", "is written into"}};
  MlirStringRef name = mlirStringAttrGetValue(kind);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i)
    if (gmem_string_is(name, verbs[i].kind)) {
      snprintf(out, room,
               "result #%" PRId64 " %s operand #%" PRId64 " from byte %" PRId64,
               result, verbs[i].verb, operand, offset);
      return true;
    }
  snprintf(out, room,
           "operand #%" PRId64 " is inside result #%" PRId64
           " from byte %" PRId64,
           operand, result, offset);
  return gmem_string_is(name, "concat");
}

static bool is_among(MlirAttribute entry, const cursor_t *cursor) {
  for (size_t i = 0; i < cursor->count; ++i)
    if (mlirAttributeEqual(entry, cursor->entries[i]))
      return true;
  return false;
}

static bool is_stated(MlirAttribute entry, MlirAttribute stated) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(stated); ++i)
    if (mlirAttributeEqual(entry, mlirArrayAttrGetElement(stated, i)))
      return true;
  return false;
}

// |stated|: the attribute of |op|, or null.
static gmem_status_t verify_op(const cursor_t *cursor, MlirOperation op,
                               MlirAttribute stated, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(op);
  MlirLocation location = mlirOperationGetLocation(op);
  MlirAttribute right =
      mlirArrayAttrGet(context, (intptr_t)cursor->count, cursor->entries);
  char words[160];
  if (mlirAttributeIsNull(stated))
    stated = mlirArrayAttrGet(context, 0, NULL);
  else if (!mlirAttributeIsAArray(stated) ||
           mlirArrayAttrGetNumElements(stated) == 0)
    return report_malformed(op, diag);
  if (mlirAttributeEqual(right, stated))
    return GMEM_OK;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(stated); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(stated, i);
    if (!describe(entry, words, sizeof words))
      return report_malformed(op, diag);
    if (!is_among(entry, cursor))
      return gmem_error_at(
          diag, GMEM_ERR_CORRUPT, location,
          "gmem.alias is wrong: in this plan it is not true that %s", words);
  }
  for (size_t i = 0; i < cursor->count; ++i)
    if (!is_stated(cursor->entries[i], stated) &&
        describe(cursor->entries[i], words, sizeof words))
      return gmem_error_at(diag, GMEM_ERR_CORRUPT, location,
                           "gmem.alias is incomplete: in this plan %s", words);
  return report_malformed(op, diag); // a duplicate, or a wrong order
}

gmem_status_t gmem_aliases_verify(const gmem_program_t *program,
                                  const gmem_aliases_t *aliases,
                                  const gmem_value_place_t *places,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  cursor_t cursor = {program, aliases, places, arena, 0, NULL, 0, 0};
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    MlirAttribute stated = gmem_op_annotation(op, GMEM_ATTR_ALIAS);
    if (!list_entries(&cursor, i))
      return gmem_out_of_memory(diag);
    if (cursor.count != 0 || !mlirAttributeIsNull(stated))
      GMEM_TRY(verify_op(&cursor, op, stated, diag));
  }
  return GMEM_OK;
}
