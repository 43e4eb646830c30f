// alias_attributes.c - see alias_attributes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_attributes.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
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

typedef struct entry_s {
  uint32_t kind; // bit of the gmem_sharing_t
  uint32_t operand, result;
  uint64_t offset;
} entry_t;

static const char *const kinds[] = {"inplace", "destination", "slice", "concat",
                                    NULL};
static const char *const verbs[] = {"is written over", "is written into",
                                    "is inside", "is inside"};
static const gmem_field_t fields[] = {
    {GMEM_FIELD("kind", entry_t, kind, WORD, REQUIRED), .words = kinds},
    {GMEM_FIELD("offset", entry_t, offset, NUMBER, REQUIRED)},
    {GMEM_FIELD("operand", entry_t, operand, NUMBER, REQUIRED),
     .most = UINT32_MAX},
    {GMEM_FIELD("result", entry_t, result, NUMBER, REQUIRED),
     .most = UINT32_MAX}};
static const gmem_schema_t schema = {.fields = fields,
                                     .count = sizeof fields / sizeof *fields,
                                     .size = sizeof(entry_t),
                                     .unknown = "is unknown"};

// The last entry of each kind: most ops of a kind have the same one.
enum { KINDS = sizeof kinds / sizeof *kinds - 1 };
typedef struct made_entries_s {
  entry_t entry[KINDS];
  MlirAttribute attribute[KINDS];
} made_entries_t;

static MlirAttribute entry_of(MlirContext context, const gmem_alias_t *alias,
                              made_entries_t *made, gmem_bump_t *arena) {
  const entry_t entry = {(uint32_t)__builtin_ctz(alias->kind), alias->operand,
                         alias->result, alias->offset};
  assert(strcmp(kinds[entry.kind], gmem_sharing_name(alias->kind)) == 0);
  entry_t *last = &made->entry[entry.kind];
  MlirAttribute *attribute = &made->attribute[entry.kind];
  if (mlirAttributeIsNull(*attribute) || last->operand != entry.operand ||
      last->result != entry.result || last->offset != entry.offset) {
    *last = entry;
    *attribute = gmem_dictionary_write(&schema, context, &entry, arena);
  }
  return *attribute;
}

// Describes an entry in words; false if it is malformed.
static bool describe(MlirAttribute attribute, gmem_bump_t *arena, char *out,
                     size_t room) {
  entry_t entry;
  gmem_malformed_t unread;
  if (gmem_dictionary_read(&schema, attribute, arena, &entry, &unread) !=
      GMEM_OK)
    return false;
  bool is_concat = UINT32_C(1) << entry.kind == GMEM_SHARE_CONCAT;
  snprintf(out, room, "%s #%" PRIu32 " %s %s #%" PRIu32 " from byte %" PRIu64,
           is_concat ? "operand" : "result",
           is_concat ? entry.operand : entry.result, verbs[entry.kind],
           is_concat ? "result" : "operand",
           is_concat ? entry.result : entry.operand, entry.offset);
  return true;
}

//===--- the entries of an op ---------------------------------------------===//

// Iterates over the ops and their aliases in parallel.
typedef struct cursor_s {
  const gmem_liveness_t *liveness;
  const gmem_program_t *program; // of |liveness|
  const gmem_aliases_t *aliases;
  const gmem_value_place_t *places;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  made_entries_t made;
  size_t next;                      // index of the next alias
  GMEM_LIST(MlirAttribute) entries; // of the op
  MlirAttribute only, array; // the last array of one entry, and that entry
  MlirIdentifier name;       // "gmem.alias", to read it
} cursor_t;

// The array of the entries, null if there are none.
static MlirAttribute array_of(cursor_t *cursor, MlirContext context) {
  intptr_t count = (intptr_t)cursor->entries.count;
  const MlirAttribute *entries = cursor->entries.at;
  if (count != 1)
    return count ? mlirArrayAttrGet(context, count, entries)
                 : mlirAttributeGetNull();
  if (!mlirAttributeEqual(cursor->only, *entries)) {
    cursor->only = *entries;
    cursor->array = mlirArrayAttrGet(context, 1, entries);
  }
  return cursor->array;
}

// Sets *out_entries to the array of the aliases of op |index| that hold, or to
// null if there are none; must be called in ascending order. The values of a
// chain of inserts are in one place without an alias.
static gmem_status_t entries_of(cursor_t *cursor, uint32_t index,
                                MlirAttribute *out_entries) {
  const gmem_aliases_t *all = cursor->aliases;
  MlirContext context = mlirOperationGetContext(cursor->program->scope);
  cursor->entries.count = 0;
  for (; cursor->next < all->count && all->aliases[cursor->next].op <= index;
       ++cursor->next) {
    const gmem_alias_t *alias = &all->aliases[cursor->next];
    if (alias->result != GMEM_NO_INDEX &&
        gmem_alias_holds(alias, cursor->places))
      GMEM_APPEND(cursor->arena, &cursor->entries,
                  entry_of(context, alias, &cursor->made, cursor->arena));
  }
  if (cursor->liveness->links[index]) {
    const gmem_op_model_t *model = cursor->program->ops[index].model;
    const gmem_alias_t link = {.kind = GMEM_SHARE_DESTINATION,
                               .operand = (uint32_t)model->destination_operand};
    GMEM_APPEND(cursor->arena, &cursor->entries,
                entry_of(context, &link, &cursor->made, cursor->arena));
  }
  *out_entries = array_of(cursor, context);
  return gmem_bump_status(cursor->arena, cursor->diag);
}

gmem_status_t gmem_aliases_attributes(const gmem_liveness_t *liveness,
                                      const gmem_aliases_t *aliases,
                                      const gmem_value_place_t *places,
                                      gmem_bump_t *arena,
                                      MlirAttribute **out_attributes,
                                      gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  cursor_t cursor = {.liveness = liveness,
                     .program = program,
                     .aliases = aliases,
                     .places = places,
                     .arena = arena,
                     .diag = diag};
  GMEM_TRY_ALLOC(*out_attributes, arena, program->op_count, diag);
  for (uint32_t i = 0; i < program->op_count; ++i)
    GMEM_TRY(entries_of(&cursor, i, &(*out_attributes)[i]));
  assert(cursor.next == aliases->count);
  return GMEM_OK;
}

//===--- verification -----------------------------------------------------===//

static intptr_t count_of(MlirAttribute list) {
  return mlirAttributeIsNull(list) ? 0 : mlirArrayAttrGetNumElements(list);
}

// The first entry of |from| that is not in |list|; null if there is none. Null
// lists are empty.
static MlirAttribute first_missing(MlirAttribute from, MlirAttribute list) {
  for (intptr_t i = 0; i < count_of(from); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(from, i);
    intptr_t k = 0;
    while (k < count_of(list) &&
           !mlirAttributeEqual(entry, mlirArrayAttrGetElement(list, k)))
      ++k;
    if (k == count_of(list))
      return entry;
  }
  return mlirAttributeGetNull();
}

// |right|: the attribute that |op| should have, or null.
static gmem_status_t verify_op(const cursor_t *cursor,
                               const gmem_program_op_t *program_op,
                               MlirAttribute right) {
  MlirAttribute stated;
  MlirOperation op = program_op->op;
  gmem_get_attributes(op, &cursor->name, &stated, 1);
  char words[160];
  if (mlirAttributeEqual(right, stated))
    return GMEM_OK;
  if (mlirAttributeIsNull(stated) ||
      (mlirAttributeIsAArray(stated) && count_of(stated))) {
    MlirAttribute entry = first_missing(stated, right);
    bool is_wrong = !mlirAttributeIsNull(entry);
    if (!is_wrong)
      entry = first_missing(right, stated);
    // Nothing is missing if there is a duplicate or a wrong order.
    if (describe(entry, cursor->arena, words, sizeof words))
      return gmem_op_error(cursor->diag, GMEM_ERR_CORRUPT, op,
                           "gmem.alias is %s: in this plan %s%s",
                           is_wrong ? "wrong" : "incomplete",
                           is_wrong ? "it is not true that " : "", words);
  }
  return gmem_op_error(cursor->diag, GMEM_ERR_CORRUPT, op,
                       "gmem.alias is malformed");
}

gmem_status_t gmem_aliases_verify(const gmem_liveness_t *liveness,
                                  const gmem_aliases_t *aliases,
                                  const gmem_value_place_t *places,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  cursor_t cursor = {
      .liveness = liveness,
      .program = program,
      .aliases = aliases,
      .places = places,
      .arena = arena,
      .diag = diag,
      .name = mlirIdentifierGet(mlirOperationGetContext(program->scope),
                                gmem_attr_name(GMEM_ATTR_ALIAS))};
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirAttribute entries;
    GMEM_TRY(entries_of(&cursor, i, &entries));
    GMEM_TRY(verify_op(&cursor, &program->ops[i], entries));
  }
  return GMEM_OK;
}
