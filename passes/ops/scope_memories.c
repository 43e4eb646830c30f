// scope_memories.c - see scope_memories.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scope_memories.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "files.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pool_names.h"
#include "scopes.h"
#include "vocabulary.h"

bool gmem_memory_takes_space(const gmem_memory_t *memory, const char *space) {
  size_t prefix = strlen(GMEM_POOL_MEMORY ".");
  bool is_default = strcmp(space, GMEM_POOL_MEMORY) == 0;
  if (memory->is_constant || memory->space_count == 0)
    return is_default && !memory->is_constant;
  for (size_t i = 0; i < memory->space_count; ++i)
    if (strcmp(memory->spaces[i], space) == 0 ||
        (!is_default && strcmp(memory->spaces[i], space + prefix) == 0))
      return true;
  return false;
}

//===--- reading ----------------------------------------------------------===//

typedef struct reader_s {
  MlirOperation op; // the op with the attribute
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} reader_t;

// "gmem.memories: entry 0: 'WORD' PROBLEM"; the word is left out if it is null.
static gmem_status_t malformed(const reader_t *reader, size_t index,
                               MlirStringRef word, const char *problem) {
  const char *quote = word.data ? "'" : "";
  return gmem_error(reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                    mlirOperationGetLocation(reader->op), NULL, 0,
                    "gmem.memories: entry %zu: %s%.*s%s%s%s", index, quote,
                    (int)word.length, word.data ? word.data : "", quote,
                    word.data ? " " : "", problem);
}

static gmem_status_t read_text(const reader_t *reader, size_t index,
                               MlirNamedAttribute entry, const char **out) {
  MlirStringRef name = mlirIdentifierStr(entry.name);
  if (!mlirAttributeIsAString(entry.attribute))
    return malformed(reader, index, name, "must be a string");
  MlirStringRef text = mlirStringAttrGetValue(entry.attribute);
  if (text.length && memchr(text.data, '\0', text.length))
    return malformed(reader, index, name, "must not contain NUL bytes");
  *out = gmem_bump_string(reader->arena, text.data, text.length);
  return *out ? GMEM_OK : gmem_out_of_memory(reader->diag);
}

static gmem_status_t read_number(const reader_t *reader, size_t index,
                                 MlirNamedAttribute entry, uint64_t *out) {
  if (!mlirAttributeIsAInteger(entry.attribute) ||
      !mlirTypeEqual(
          mlirAttributeGetType(entry.attribute),
          mlirIntegerTypeGet(mlirAttributeGetContext(entry.attribute), 64)) ||
      mlirIntegerAttrGetValueInt(entry.attribute) < 0)
    return malformed(reader, index, mlirIdentifierStr(entry.name),
                     "must be a non-negative i64");
  *out = (uint64_t)mlirIntegerAttrGetValueInt(entry.attribute);
  return GMEM_OK;
}

static gmem_status_t read_list(const reader_t *reader, size_t index,
                               MlirNamedAttribute entry,
                               const char *const **out, size_t *out_count) {
  if (!mlirAttributeIsAArray(entry.attribute))
    return malformed(reader, index, mlirIdentifierStr(entry.name),
                     "must be an array of strings");
  *out_count = (size_t)mlirArrayAttrGetNumElements(entry.attribute);
  const char **list;
  GMEM_TRY_ALLOC(list, reader->arena, *out_count, reader->diag);
  for (size_t i = 0; i < *out_count; ++i)
    GMEM_TRY(read_text(
        reader, index,
        (MlirNamedAttribute){
            entry.name, mlirArrayAttrGetElement(entry.attribute, (intptr_t)i)},
        &list[i]));
  *out = list;
  return GMEM_OK;
}

static gmem_status_t read_kind(const reader_t *reader, size_t index,
                               MlirNamedAttribute entry, bool *is_constant) {
  const char *word = NULL;
  GMEM_TRY(read_text(reader, index, entry, &word));
  *is_constant = strcmp(word, "constant") == 0;
  return *is_constant || strcmp(word, "workspace") == 0
             ? GMEM_OK
             : malformed(reader, index, mlirStringAttrGetValue(entry.attribute),
                         "is not a kind: expected workspace or constant");
}

static gmem_status_t read_entry(const reader_t *reader, size_t index,
                                MlirNamedAttribute entry,
                                gmem_memory_t *memory) {
  struct {
    const char *name;
    uint64_t *number;
    const char **text;
  } known[] = {
      {"name", NULL, &memory->name},           {"after", NULL, &memory->after},
      {"capacity", &memory->capacity, NULL},   {"size", &memory->size, NULL},
      {"alignment", &memory->alignment, NULL}, {"base", &memory->base, NULL},
      {"speed", &memory->speed, NULL}};
  MlirStringRef name = mlirIdentifierStr(entry.name);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (mlirStringRefEqual(name, gmem_string(known[i].name)))
      return known[i].text ? read_text(reader, index, entry, known[i].text)
                           : read_number(reader, index, entry, known[i].number);
  if (mlirStringRefEqual(name, gmem_string("kind")))
    return read_kind(reader, index, entry, &memory->is_constant);
  if (mlirStringRefEqual(name, gmem_string("targets")))
    return read_list(reader, index, entry, &memory->targets,
                     &memory->target_count);
  if (mlirStringRefEqual(name, gmem_string("spaces")))
    return read_list(reader, index, entry, &memory->spaces,
                     &memory->space_count);
  return malformed(reader, index, name,
                   "is not a key: expected name, kind, capacity, size, "
                   "alignment, base, after, speed, targets or spaces");
}

static gmem_status_t read_memory(const reader_t *reader, size_t index,
                                 MlirAttribute dictionary,
                                 gmem_memory_t *memory) {
  MlirStringRef nothing = {NULL, 0};
  *memory = (gmem_memory_t){
      .capacity = GMEM_UNLIMITED, .size = GMEM_UNLIMITED, .base = GMEM_NO_BASE};
  if (!mlirAttributeIsADictionary(dictionary))
    return malformed(reader, index, nothing, "must be a dictionary");
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary);
  for (intptr_t i = 0; i < count; ++i)
    GMEM_TRY(read_entry(reader, index,
                        mlirDictionaryAttrGetElement(dictionary, i), memory));
  if (!memory->name)
    return malformed(reader, index, nothing, "'name' is missing");
  return GMEM_OK;
}

// The nearest enclosing op with the attribute; null when there is none.
static MlirOperation find_memories(MlirOperation scope) {
  MlirStringRef name = gmem_attr_name(GMEM_ATTR_MEMORIES);
  while (!mlirOperationIsNull(scope) &&
         mlirAttributeIsNull(
             mlirOperationGetDiscardableAttributeByName(scope, name)))
    scope = mlirOperationGetParentOperation(scope);
  return scope;
}

gmem_status_t gmem_scope_memories_read(MlirOperation scope, gmem_bump_t *arena,
                                       const gmem_memory_t **out_memories,
                                       size_t *out_count, gmem_diag_t *diag) {
  reader_t reader = {find_memories(scope), arena, diag};
  *out_memories = NULL;
  *out_count = 0;
  if (mlirOperationIsNull(reader.op))
    return GMEM_OK;
  MlirLocation location = mlirOperationGetLocation(reader.op);
  MlirAttribute list = mlirOperationGetDiscardableAttributeByName(
      reader.op, gmem_attr_name(GMEM_ATTR_MEMORIES));
  if (!mlirAttributeIsAArray(list))
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, location, NULL, 0,
                      "gmem.memories must be an array of dictionaries");
  size_t count = (size_t)mlirArrayAttrGetNumElements(list);
  gmem_memory_t *memories = gmem_bump_alloc(arena, count, sizeof *memories);
  gmem_status_t status = memories ? GMEM_OK : gmem_out_of_memory(diag);
  for (size_t i = 0; i < count && status == GMEM_OK; ++i)
    status = read_memory(&reader, i, mlirArrayAttrGetElement(list, (intptr_t)i),
                         &memories[i]);
  gmem_diag_t found;
  if (status == GMEM_OK &&
      gmem_memories_check(memories, count, &found) != GMEM_OK)
    status = gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, location, NULL, 0,
                        "gmem.memories: %s", found.text);
  *out_memories = memories;
  *out_count = status == GMEM_OK ? count : 0;
  return status;
}

//===--- writing ----------------------------------------------------------===//

// A dictionary under construction, with room for every key of a memory.
typedef struct dictionary_s {
  MlirContext context;
  MlirNamedAttribute entries[16];
  intptr_t count;
} dictionary_t;

static void put(dictionary_t *made, const char *name, MlirAttribute value) {
  made->entries[made->count++] = mlirNamedAttributeGet(
      mlirIdentifierGet(made->context, gmem_string(name)), value);
}

static void put_text(dictionary_t *made, const char *name, const char *text) {
  if (text)
    put(made, name, mlirStringAttrGet(made->context, gmem_string(text)));
}

static void put_number(dictionary_t *made, const char *name, uint64_t number,
                       uint64_t missing) {
  if (number != missing)
    put(made, name,
        mlirIntegerAttrGet(mlirIntegerTypeGet(made->context, 64),
                           (int64_t)number));
}

static bool put_list(dictionary_t *made, const char *name,
                     const char *const *list, size_t count,
                     gmem_bump_t *arena) {
  MlirAttribute *texts = gmem_bump_alloc(arena, count, sizeof *texts);
  for (size_t i = 0; texts && i < count; ++i)
    texts[i] = mlirStringAttrGet(made->context, gmem_string(list[i]));
  if (texts && count)
    put(made, name, mlirArrayAttrGet(made->context, (intptr_t)count, texts));
  return texts;
}

// Returns null when out of memory.
static MlirAttribute describe(MlirContext context, const gmem_memory_t *memory,
                              gmem_bump_t *arena) {
  dictionary_t made = {.context = context};
  put_text(&made, "name", memory->name);
  put_text(&made, "kind", memory->is_constant ? "constant" : "workspace");
  put_number(&made, "capacity", memory->capacity, GMEM_UNLIMITED);
  put_number(&made, "size", memory->size, GMEM_UNLIMITED);
  put_number(&made, "alignment", memory->alignment, 0);
  put_number(&made, "base", memory->base, GMEM_NO_BASE);
  put_text(&made, "after", memory->after);
  put_number(&made, "speed", memory->speed, 0);
  if (!put_list(&made, "targets", memory->targets, memory->target_count,
                arena) ||
      !put_list(&made, "spaces", memory->spaces, memory->space_count, arena))
    return mlirAttributeGetNull();
  return mlirDictionaryAttrGet(context, made.count, made.entries);
}

static MlirAttribute describe_all(MlirContext context,
                                  const gmem_memory_t *memories, size_t count,
                                  gmem_bump_t *arena) {
  MlirAttribute *all = gmem_bump_alloc(arena, count, sizeof *all);
  for (size_t i = 0; all && i < count; ++i) {
    all[i] = describe(context, &memories[i], arena);
    if (mlirAttributeIsNull(all[i]))
      return all[i];
  }
  return all ? mlirArrayAttrGet(context, (intptr_t)count, all)
             : mlirAttributeGetNull();
}

static gmem_status_t write_to(MlirOperation scope, void *attribute) {
  mlirOperationSetDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_MEMORIES), *(MlirAttribute *)attribute);
  return GMEM_OK;
}

gmem_status_t gmem_scope_memories_write(MlirOperation scope,
                                        const gmem_memory_t *memories,
                                        size_t count, gmem_bump_t *arena,
                                        gmem_diag_t *diag) {
  MlirAttribute made =
      describe_all(mlirOperationGetContext(scope), memories, count, arena);
  return mlirAttributeIsNull(made) ? gmem_out_of_memory(diag)
                                   : write_to(scope, &made);
}

// Reads the memories that the options describe.
static gmem_status_t read_options(const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_memories_t *out, gmem_diag_t *diag) {
  if (!options->pool_file[0])
    return gmem_memories_read(options->pools, strlen(options->pools), allocator,
                              out, diag);
  char *text;
  size_t size;
  gmem_status_t status = gmem_read_file(options->pool_file, &text, &size, diag);
  if (status != GMEM_OK)
    return status;
  status = gmem_memories_read(text, size, allocator, out, diag);
  free(text);
  return status;
}

// Prefixes the error with its source: "pools: 1:5: ...", "pool-file: PATH:1:5:
// ...".
static gmem_status_t report(MlirOperation top,
                            const gmem_plan_options_t *options,
                            gmem_status_t status, gmem_diag_t *diag) {
  gmem_diag_t found = *diag;
  bool is_file = options->pool_file[0];
  return gmem_error(
      diag, status, mlirOperationGetLocation(top), NULL, 0, "%s%s%s%s%s",
      is_file ? "pool-file: " : "pools: ", options->pool_file,
      is_file ? ":" : "", found.line || !is_file ? "" : " ", found.text);
}

gmem_status_t gmem_scope_memories_add(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  gmem_diag_t unread;
  gmem_bump_t arena;
  gmem_memories_t memories;
  diag = diag ? diag : &unread;
  if (!options->pools[0] && !options->pool_file[0])
    return GMEM_OK;
  gmem_status_t status = GMEM_ERR_INVALID_ARGUMENT;
  if (options->pools[0] && options->pool_file[0])
    return gmem_error(diag, status, mlirOperationGetLocation(top), NULL, 0,
                      "options 'pools' and 'pool-file' are mutually "
                      "exclusive");
  status = read_options(options, allocator, &memories, diag);
  if (status != GMEM_OK)
    return report(top, options, status, diag);
  gmem_bump_init(&arena, allocator);
  MlirAttribute made = describe_all(mlirOperationGetContext(top),
                                    memories.memories, memories.count, &arena);
  if (mlirAttributeIsNull(made)) {
    gmem_out_of_memory(diag);
    status = report(top, options, GMEM_ERR_OUT_OF_MEMORY, diag);
  } else {
    status = gmem_for_each_scope(top, write_to, &made);
  }
  gmem_bump_destroy(&arena);
  gmem_memories_free(&memories, allocator);
  return status;
}
