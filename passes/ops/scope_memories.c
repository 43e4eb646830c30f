// scope_memories.c - see scope_memories.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scope_memories.h"

#include <stdlib.h>
#include <string.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "files.h"
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

//===--- the attribute ----------------------------------------------------===//

static const char *const kinds[] = {"workspace", "constant", NULL};
static const gmem_field_t fields[] = {
    {GMEM_FIELD("name", gmem_memory_t, name, TEXT, REQUIRED)},
    {GMEM_FIELD("kind", gmem_memory_t, is_constant, WORD, STATED),
     .words = kinds,
     .unknown_word = "is not a kind: expected workspace or constant"},
    {GMEM_FIELD("capacity", gmem_memory_t, capacity, NUMBER, OPTIONAL),
     .absent = GMEM_UNLIMITED},
    {GMEM_FIELD("size", gmem_memory_t, size, NUMBER, OPTIONAL),
     .absent = GMEM_UNLIMITED},
    {GMEM_FIELD("alignment", gmem_memory_t, alignment, NUMBER, OPTIONAL)},
    {GMEM_FIELD("base", gmem_memory_t, base, NUMBER, OPTIONAL),
     .absent = GMEM_NO_BASE},
    {GMEM_FIELD("after", gmem_memory_t, after, TEXT, OPTIONAL)},
    {GMEM_FIELD("speed", gmem_memory_t, speed, NUMBER, OPTIONAL)},
    {GMEM_FIELD("targets", gmem_memory_t, targets, TEXTS, OPTIONAL)},
    {GMEM_FIELD("spaces", gmem_memory_t, spaces, TEXTS, OPTIONAL)}};
static const gmem_schema_t schema = {
    .fields = fields,
    .count = sizeof fields / sizeof *fields,
    .size = sizeof(gmem_memory_t),
    .unknown = "is not a key: expected name, kind, capacity, size, alignment, "
               "base, after, speed, targets or spaces",
    .incomplete = "'name' is missing",
    .no_dictionary = "must be a dictionary"};

// "gmem.memories: entry 0: 'WORD' PROBLEM"; the word is left out if it is null.
static gmem_status_t malformed(MlirOperation op,
                               const gmem_malformed_t *problem,
                               gmem_diag_t *diag) {
  const char *quote = problem->word.data ? "'" : "";
  if (problem->index == GMEM_NO_ENTRY)
    return gmem_reject(diag, op, "gmem.memories %s", problem->text);
  return gmem_reject(diag, op, "gmem.memories: entry %zu: %s%.*s%s%s%s",
                     problem->index, quote, (int)problem->word.length,
                     problem->word.data ? problem->word.data : "", quote,
                     problem->word.data ? " " : "", problem->text);
}

// The nearest enclosing op with the attribute; null when there is none.
static MlirOperation find_memories(MlirOperation scope) {
  while (!mlirOperationIsNull(scope) &&
         mlirAttributeIsNull(gmem_op_annotation(scope, GMEM_ATTR_MEMORIES)))
    scope = mlirOperationGetParentOperation(scope);
  return scope;
}

gmem_status_t gmem_scope_memories_read(MlirOperation scope, gmem_bump_t *arena,
                                       const gmem_memory_t **out_memories,
                                       size_t *out_count, gmem_diag_t *diag) {
  MlirOperation op = find_memories(scope);
  *out_memories = NULL;
  *out_count = 0;
  if (mlirOperationIsNull(op))
    return GMEM_OK;
  gmem_malformed_t problem;
  gmem_memory_t *memories = NULL;
  size_t count = 0;
  gmem_status_t status = gmem_dictionaries_read(
      &schema, gmem_op_annotation(op, GMEM_ATTR_MEMORIES), arena, &memories,
      &count, &problem);
  if (status != GMEM_OK)
    return status == GMEM_ERR_OUT_OF_MEMORY ? gmem_out_of_memory(diag)
                                            : malformed(op, &problem, diag);
  gmem_diag_t found;
  if (gmem_memories_check(memories, count, &found) != GMEM_OK)
    return gmem_reject(diag, op, "gmem.memories: %s", found.text);
  *out_memories = memories;
  *out_count = count;
  return GMEM_OK;
}

static gmem_status_t write_to(MlirOperation scope, void *attribute) {
  gmem_op_annotate(scope, GMEM_ATTR_MEMORIES, *(MlirAttribute *)attribute);
  return GMEM_OK;
}

gmem_status_t gmem_scope_memories_write(MlirOperation scope,
                                        const gmem_memory_t *memories,
                                        size_t count, gmem_bump_t *arena,
                                        gmem_diag_t *diag) {
  MlirAttribute made = gmem_dictionaries_write(
      &schema, mlirOperationGetContext(scope), memories, count, arena);
  return mlirAttributeIsNull(made) ? gmem_out_of_memory(diag)
                                   : write_to(scope, &made);
}

//===--- the options ------------------------------------------------------===//

// Reads the memories that the options describe.
static gmem_status_t read_options(const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_memories_t *out, gmem_diag_t *diag) {
  if (!options->pool_file[0])
    return gmem_memories_read(options->pools, strlen(options->pools), allocator,
                              out, diag);
  char *text;
  size_t size;
  GMEM_TRY(gmem_read_file(options->pool_file, &text, &size, diag));
  gmem_status_t status = gmem_memories_read(text, size, allocator, out, diag);
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
  return gmem_op_error(diag, status, top, "%s%s%s%s%s",
                       is_file ? "pool-file: " : "pools: ", options->pool_file,
                       is_file ? ":" : "", found.line || !is_file ? "" : " ",
                       found.text);
}

// Writes |memories| to every scope in |top|.
static gmem_status_t write_all(MlirOperation top,
                               const gmem_memories_t *memories,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  MlirAttribute made =
      gmem_dictionaries_write(&schema, mlirOperationGetContext(top),
                              memories->memories, memories->count, &arena);
  gmem_bump_destroy(&arena);
  return mlirAttributeIsNull(made)
             ? report(top, options, gmem_out_of_memory(diag), diag)
             : gmem_for_each_scope(top, write_to, &made);
}

gmem_status_t gmem_scope_memories_add(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  gmem_diag_t unread;
  gmem_memories_t memories;
  diag = diag ? diag : &unread;
  if (!options->pools[0] && !options->pool_file[0])
    return GMEM_OK;
  if (options->pools[0] && options->pool_file[0])
    return gmem_reject(diag, top,
                       "options 'pools' and 'pool-file' are mutually "
                       "exclusive");
  gmem_status_t status = read_options(options, allocator, &memories, diag);
  if (status != GMEM_OK)
    return report(top, options, status, diag);
  status = write_all(top, &memories, options, allocator, diag);
  gmem_memories_free(&memories, allocator);
  return status;
}
