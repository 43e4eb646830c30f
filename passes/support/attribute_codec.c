// attribute_codec.c - see attribute_codec.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "attribute_codec.h"

#include <assert.h>
#include <string.h>

#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"

//===--- single attributes ------------------------------------------------===//

bool gmem_string_get(MlirAttribute value, MlirStringRef *out) {
  if (!gmem_attribute_is(value, mlirAttributeIsAString))
    return false;
  *out = mlirStringAttrGetValue(value);
  return true;
}

bool gmem_i64_get(MlirAttribute value, int64_t *out) {
  if (!gmem_attribute_is(value, mlirAttributeIsAInteger) ||
      !mlirTypeEqual(mlirAttributeGetType(value),
                     mlirIntegerTypeGet(mlirAttributeGetContext(value), 64)))
    return false;
  *out = mlirIntegerAttrGetValueInt(value);
  return true;
}

bool gmem_is_i64_list(MlirAttribute list, intptr_t count) {
  return gmem_attribute_is(list, mlirAttributeIsADenseI64Array) &&
         (count < 0 || mlirDenseArrayGetNumElements(list) == count);
}

bool gmem_is_string_list(MlirAttribute list, intptr_t count) {
  if (!gmem_attribute_is(list, mlirAttributeIsAArray) ||
      (count >= 0 && mlirArrayAttrGetNumElements(list) != count))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(list, i)))
      return false;
  return true;
}

//===--- members ----------------------------------------------------------===//

static void *member_of(const gmem_field_t *field, const void *in) {
  return (char *)in + field->offset;
}

// The number of texts in a member of type TEXTS.
static size_t *text_count_of(const gmem_field_t *field, const void *in) {
  return (void *)((char *)in + field->offset + sizeof(char **));
}

static bool is_integer(const gmem_field_t *field) {
  return field->type >= GMEM_FIELD_NUMBER;
}

void gmem_member_store(void *member, size_t size, uint64_t value) {
  assert(size == sizeof(uint64_t) || value <= UINT32_MAX);
  if (size == sizeof(uint64_t))
    *(uint64_t *)member = value;
  else if (size == sizeof(uint32_t))
    *(uint32_t *)member = (uint32_t)value;
  else
    *(bool *)member = value != 0;
}

uint64_t gmem_member_load(const void *member, size_t size) {
  if (size == sizeof(uint64_t))
    return *(const uint64_t *)member;
  return size == sizeof(uint32_t) ? *(const uint32_t *)member
                                  : *(const bool *)member;
}

static void store(const gmem_field_t *field, void *out, uint64_t value) {
  assert(is_integer(field));
  gmem_member_store(member_of(field, out), field->size, value);
}

static uint64_t load(const gmem_field_t *field, const void *in) {
  assert(is_integer(field));
  return gmem_member_load(member_of(field, in), field->size);
}

//===--- reading ----------------------------------------------------------===//

static gmem_status_t fail(gmem_malformed_t *problem, const char *text) {
  problem->text = text;
  return GMEM_ERR_INVALID_ARGUMENT;
}

static gmem_status_t copy_text(const gmem_field_reader_t *reader,
                               MlirAttribute value, const char **out) {
  MlirStringRef text;
  if (!gmem_string_get(value, &text))
    return fail(reader->problem, "must be a string");
  if (text.length && memchr(text.data, '\0', text.length))
    return fail(reader->problem, "must not contain NUL bytes");
  *out = gmem_bump_string(reader->arena, text.data, text.length);
  return *out ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY;
}

static gmem_status_t read_text(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  return copy_text(reader, value, gmem_field_member(reader));
}

static gmem_status_t read_texts(const gmem_field_reader_t *reader,
                                MlirAttribute value) {
  if (!mlirAttributeIsAArray(value))
    return fail(reader->problem, "must be an array of strings");
  size_t count = (size_t)mlirArrayAttrGetNumElements(value);
  const char **texts = gmem_bump_alloc(reader->arena, count, sizeof *texts);
  *(const char ***)gmem_field_member(reader) = texts;
  *text_count_of(reader->field, reader->out) = count;
  for (size_t i = 0; texts && i < count; ++i)
    GMEM_TRY(copy_text(reader, mlirArrayAttrGetElement(value, (intptr_t)i),
                       &texts[i]));
  return texts ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY;
}

static gmem_status_t read_string(const gmem_field_reader_t *reader,
                                 MlirAttribute value) {
  MlirStringRef *out = gmem_field_member(reader);
  if (reader->field->type == GMEM_FIELD_SYMBOL &&
      mlirAttributeIsAFlatSymbolRef(value))
    *out = mlirFlatSymbolRefAttrGetValue(value);
  else if (!gmem_string_get(value, out) || out->length < reader->field->least)
    return fail(reader->problem, "must be a string");
  return GMEM_OK;
}

static gmem_status_t read_number(const gmem_field_reader_t *reader,
                                 MlirAttribute value) {
  const gmem_field_t *field = reader->field;
  uint64_t most = field->most ? field->most : INT64_MAX;
  int64_t number = -1;
  if (!gmem_i64_get(value, &number) || number < 0 ||
      (uint64_t)number < field->least || (uint64_t)number > most ||
      (field->type == GMEM_FIELD_POWER && (!number || number & (number - 1))))
    return fail(reader->problem, "must be a non-negative i64");
  store(field, reader->out, (uint64_t)number);
  return GMEM_OK;
}

static gmem_status_t read_bool(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  if (!mlirAttributeIsABool(value))
    return fail(reader->problem, "must be a bool");
  store(reader->field, reader->out, mlirBoolAttrGetValue(value));
  return GMEM_OK;
}

static gmem_status_t read_unit(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  if (!mlirAttributeIsAUnit(value))
    return fail(reader->problem, "must be a unit");
  store(reader->field, reader->out, true);
  return GMEM_OK;
}

static gmem_status_t read_word(const gmem_field_reader_t *reader,
                               MlirAttribute value) {
  const gmem_field_t *field = reader->field;
  MlirStringRef word;
  if (!gmem_string_get(value, &word))
    return fail(reader->problem, "must be a string");
  for (uint64_t i = field->least; field->words[i]; ++i)
    if (mlirStringRefEqual(word, gmem_string(field->words[i])))
      return store(field, reader->out, i), GMEM_OK;
  if (field->unknown_word)
    reader->problem->word = word;
  return fail(reader->problem, field->unknown_word);
}

gmem_status_t gmem_field_read(const gmem_schema_t *schema,
                              MlirNamedAttribute entry, gmem_bump_t *arena,
                              void *out, gmem_malformed_t *out_problem) {
  static gmem_status_t (*const readers[])(const gmem_field_reader_t *,
                                          MlirAttribute) = {
      [GMEM_FIELD_TEXT] = read_text,     [GMEM_FIELD_TEXTS] = read_texts,
      [GMEM_FIELD_STRING] = read_string, [GMEM_FIELD_SYMBOL] = read_string,
      [GMEM_FIELD_NUMBER] = read_number, [GMEM_FIELD_POWER] = read_number,
      [GMEM_FIELD_BOOL] = read_bool,     [GMEM_FIELD_UNIT] = read_unit,
      [GMEM_FIELD_WORD] = read_word};
  const gmem_field_t *field = schema->fields;
  const gmem_field_t *end = field + schema->count;
  MlirStringRef key = mlirIdentifierStr(entry.name);
  *out_problem = (gmem_malformed_t){.word = key, .index = GMEM_NO_ENTRY};
  while (field < end && !mlirStringRefEqual(key, gmem_string(field->key)))
    ++field;
  if (field == end)
    return schema->unknown ? fail(out_problem, schema->unknown) : GMEM_OK;
  const gmem_field_reader_t reader = {field, arena, out, out_problem};
  gmem_status_t status = field->type == GMEM_FIELD_OTHER
                             ? field->read(&reader, entry.attribute)
                             : readers[field->type](&reader, entry.attribute);
  if (field->problem)
    out_problem->text = field->problem;
  return status;
}

gmem_status_t gmem_dictionary_read(const gmem_schema_t *schema,
                                   MlirAttribute dictionary, gmem_bump_t *arena,
                                   void *out, gmem_malformed_t *out_problem) {
  assert(schema->count <= GMEM_MAX_FIELDS);
  *out_problem = (gmem_malformed_t){.index = GMEM_NO_ENTRY};
  if (!gmem_attribute_is(dictionary, mlirAttributeIsADictionary))
    return fail(out_problem, schema->no_dictionary);
  for (size_t i = 0; i < schema->count; ++i)
    if (is_integer(&schema->fields[i]))
      store(&schema->fields[i], out, schema->fields[i].absent);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(dictionary); ++i)
    GMEM_TRY(gmem_field_read(schema,
                             mlirDictionaryAttrGetElement(dictionary, i), arena,
                             out, out_problem));
  *out_problem = (gmem_malformed_t){.index = GMEM_NO_ENTRY};
  for (size_t i = 0; i < schema->count; ++i)
    if (schema->fields[i].presence == GMEM_REQUIRED &&
        mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
            dictionary, gmem_string(schema->fields[i].key))))
      return fail(out_problem, schema->incomplete);
  return GMEM_OK;
}

gmem_status_t gmem_dictionaries_read(const gmem_schema_t *schema,
                                     MlirAttribute list, gmem_bump_t *arena,
                                     void *out_structs, size_t *out_count,
                                     gmem_malformed_t *out_problem) {
  *out_count = 0;
  *out_problem = (gmem_malformed_t){.index = GMEM_NO_ENTRY};
  if (!gmem_attribute_is(list, mlirAttributeIsAArray))
    return fail(out_problem, "must be an array of dictionaries");
  size_t count = (size_t)mlirArrayAttrGetNumElements(list);
  char *structs = gmem_bump_alloc(arena, count, schema->size);
  if (!structs)
    return GMEM_ERR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; ++i) {
    gmem_status_t status =
        gmem_dictionary_read(schema, mlirArrayAttrGetElement(list, (intptr_t)i),
                             arena, structs + i * schema->size, out_problem);
    out_problem->index = i;
    GMEM_TRY(status);
  }
  *(void **)out_structs = structs;
  *out_count = count;
  return GMEM_OK;
}

//===--- writing ----------------------------------------------------------===//

static MlirAttribute write_texts(MlirContext context, const char *const *texts,
                                 size_t count, gmem_bump_t *arena) {
  MlirAttribute *made = gmem_bump_alloc(arena, count, sizeof *made);
  for (size_t i = 0; made && i < count; ++i)
    made[i] = gmem_text_attribute(context, texts[i]);
  return made ? mlirArrayAttrGet(context, (intptr_t)count, made)
              : mlirAttributeGetNull();
}

static bool is_absent(const gmem_field_t *field, const void *in) {
  if (is_integer(field))
    return load(field, in) == field->absent;
  if (field->type == GMEM_FIELD_TEXTS)
    return !*text_count_of(field, in);
  const MlirStringRef *string = member_of(field, in);
  return field->type == GMEM_FIELD_TEXT
             ? !*(const char *const *)member_of(field, in)
             : !string->length;
}

static MlirAttribute write_member(const gmem_field_t *field,
                                  MlirContext context, const void *in,
                                  gmem_bump_t *arena) {
  const void *member = member_of(field, in);
  assert(field->type != GMEM_FIELD_OTHER);
  switch (field->type) {
  case GMEM_FIELD_TEXT:
    return gmem_text_attribute(context, *(const char *const *)member);
  case GMEM_FIELD_TEXTS:
    return write_texts(context, *(const char *const *const *)member,
                       *text_count_of(field, in), arena);
  case GMEM_FIELD_STRING:
    return mlirStringAttrGet(context, *(const MlirStringRef *)member);
  case GMEM_FIELD_SYMBOL:
    return mlirFlatSymbolRefAttrGet(context, *(const MlirStringRef *)member);
  case GMEM_FIELD_BOOL:
    return mlirBoolAttrGet(context, load(field, in) != 0);
  case GMEM_FIELD_UNIT:
    return mlirUnitAttrGet(context);
  case GMEM_FIELD_WORD:
    return gmem_text_attribute(context, field->words[load(field, in)]);
  default:
    return gmem_i64_attribute(context, (int64_t)load(field, in));
  }
}

MlirAttribute gmem_dictionary_write(const gmem_schema_t *schema,
                                    MlirContext context, const void *in,
                                    gmem_bump_t *arena) {
  MlirNamedAttribute entries[GMEM_MAX_FIELDS];
  intptr_t count = 0;
  assert(schema->count <= GMEM_MAX_FIELDS);
  for (size_t i = 0; i < schema->count; ++i) {
    const gmem_field_t *field = &schema->fields[i];
    if (field->presence == GMEM_OPTIONAL && is_absent(field, in))
      continue;
    MlirAttribute value = write_member(field, context, in, arena);
    if (mlirAttributeIsNull(value))
      return value;
    entries[count++] = gmem_named(field->key, value);
  }
  return mlirDictionaryAttrGet(context, count, entries);
}

MlirAttribute gmem_dictionaries_write(const gmem_schema_t *schema,
                                      MlirContext context, const void *structs,
                                      size_t count, gmem_bump_t *arena) {
  MlirAttribute *made = gmem_bump_alloc(arena, count, sizeof *made);
  for (size_t i = 0; made && i < count; ++i) {
    made[i] = gmem_dictionary_write(
        schema, context, (const char *)structs + i * schema->size, arena);
    if (mlirAttributeIsNull(made[i]))
      return made[i];
  }
  return made ? mlirArrayAttrGet(context, (intptr_t)count, made)
              : mlirAttributeGetNull();
}
