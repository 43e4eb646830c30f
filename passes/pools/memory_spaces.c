// memory_spaces.c - see memory_spaces.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory_spaces.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ir_reading.h"
#include "memref_alignment.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pool_names.h"

//===--- names ------------------------------------------------------------===//

// Longer names are truncated: plan images store at most 255 bytes, including
// the name of the scope.
enum { MAX_NAME = 96, NAME_ROOM = MAX_NAME + 16 };

typedef struct name_s {
  char text[NAME_ROOM];
  size_t length;
  bool has_gap; // invalid characters precede the next one
} name_t;

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

// Appends the valid characters of |piece|; a run of invalid ones becomes one
// dot, unless it is at the end.
static void append(MlirStringRef piece, void *user) {
  name_t *name = user;
  for (size_t i = 0; i < piece.length; ++i) {
    if (!is_plain(piece.data[i])) {
      name->has_gap = true;
      continue;
    }
    if (name->has_gap && name->length + 1 < MAX_NAME)
      name->text[name->length++] = '.';
    name->has_gap = false;
    if (name->length < MAX_NAME)
      name->text[name->length++] = piece.data[i];
  }
}

static void append_text(name_t *name, const char *text) {
  append(gmem_string(text), name);
}

// "memory" and the text of the attribute. Of an integer only the value is used,
// not the type, as in 1 : i32.
static void make_name(MlirAttribute space, name_t *name) {
  *name = (name_t){.length = 0};
  append_text(name, GMEM_POOL_MEMORY);
  name->has_gap = true;
  if (mlirAttributeIsNull(space))
    return;
  if (mlirAttributeIsAInteger(space) &&
      mlirTypeIsAInteger(mlirAttributeGetType(space)) &&
      mlirIntegerTypeGetWidth(mlirAttributeGetType(space)) <= 64) {
    char number[24];
    snprintf(number, sizeof number, "%lld",
             (long long)mlirIntegerAttrGetValueInt(space));
    append_text(name, number);
    return;
  }
  mlirAttributePrint(space, append, name);
  while (name->length && name->text[name->length - 1] == '.')
    --name->length; // truncated at a dot
}

static bool is_taken(const gmem_memory_spaces_t *spaces, const char *name) {
  for (uint32_t i = 0; i < spaces->count; ++i)
    if (strcmp(spaces->spaces[i].name, name) == 0)
      return true;
  return false;
}

// A unique name among the spaces: the second one with the same text gets ".2".
static char *unique_name(const gmem_memory_spaces_t *spaces,
                         MlirAttribute space, gmem_bump_t *arena) {
  name_t name;
  make_name(space, &name);
  name.text[name.length] = '\0';
  size_t length = name.length;
  for (uint32_t number = 2; is_taken(spaces, name.text); ++number)
    length = name.length + (size_t)snprintf(name.text + name.length,
                                            sizeof name.text - name.length,
                                            ".%u", number);
  return gmem_bump_string(arena, name.text, length);
}

bool gmem_is_memory_name(MlirStringRef name) {
  size_t length = strlen(GMEM_POOL_MEMORY);
  return name.length >= length &&
         memcmp(name.data, GMEM_POOL_MEMORY, length) == 0 &&
         (name.length == length || name.data[length] == '.');
}

//===--- spaces -----------------------------------------------------------===//

typedef struct finder_s {
  const gmem_program_t *program;
  gmem_memory_spaces_t *spaces;
  size_t room;
  gmem_bump_t *arena, *names;
  gmem_diag_t *diag;
} finder_t;

// Returns the number of a space and adds new ones.
static gmem_status_t find_space(finder_t *finder, MlirAttribute attribute,
                                uint32_t *out) {
  gmem_memory_spaces_t *spaces = finder->spaces;
  for (*out = 0; *out < spaces->count; ++*out)
    if (mlirAttributeEqual(spaces->spaces[*out].attribute, attribute))
      return GMEM_OK;
  gmem_memory_space_t made = {attribute,
                              unique_name(spaces, attribute, finder->names), 1};
  if (!made.name || !gmem_bump_grow(finder->arena, &spaces->spaces,
                                    spaces->count, &finder->room, sizeof made))
    return gmem_out_of_memory(finder->diag);
  spaces->spaces[spaces->count++] = made;
  return GMEM_OK;
}

static gmem_status_t add_set(finder_t *finder, size_t index, uint32_t root,
                             uint64_t least) {
  gmem_memory_spaces_t *spaces = finder->spaces;
  const gmem_value_t *value = &finder->program->values[root];
  MlirType type = mlirValueGetType(value->value);
  uint64_t *alignment = &spaces->alignments[index];
  if (value->op != GMEM_NO_INDEX)
    GMEM_TRY(gmem_alignment_asked(finder->program->ops[value->op].op, alignment,
                                  finder->diag));
  GMEM_TRY(find_space(finder, mlirMemRefTypeGetMemorySpace(type),
                      &spaces->of_set[index]));
  gmem_alignment_raise(alignment, least);
  gmem_alignment_raise(alignment, gmem_alignment_assumed(value->value));
  gmem_alignment_raise(alignment, gmem_memref_element_alignment(
                                      mlirShapedTypeGetElementType(type)));
  assert(spaces->of_set[index] < spaces->count && *alignment &&
         !(*alignment & (*alignment - 1)));
  gmem_alignment_raise(&spaces->spaces[spaces->of_set[index]].alignment,
                       *alignment);
  return GMEM_OK;
}

gmem_status_t gmem_memory_spaces_find(const gmem_liveness_t *liveness,
                                      uint64_t alignment, gmem_bump_t *arena,
                                      gmem_bump_t *names,
                                      gmem_memory_spaces_t *out_spaces,
                                      gmem_diag_t *diag) {
  size_t count = liveness->set_count;
  *out_spaces = (gmem_memory_spaces_t){
      .of_set = gmem_bump_alloc(arena, count, sizeof(uint32_t)),
      .alignments = gmem_bump_alloc(arena, count, sizeof(uint64_t))};
  finder_t finder = {liveness->program, out_spaces, 0, arena, names, diag};
  if (!out_spaces->of_set || !out_spaces->alignments)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i) {
    uint32_t root = liveness->sets[i].root;
    out_spaces->of_set[i] = GMEM_NO_INDEX;
    if (mlirTypeIsAMemRef(
            mlirValueGetType(liveness->program->values[root].value)))
      GMEM_TRY(add_set(&finder, i, root, alignment));
  }
  return GMEM_OK;
}
