// plan_names.c - names of the buffers of a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "planned.h"
#include "text.h"

typedef struct name_key_s {
  const char *name;
  uint32_t buffer;
} name_key_t;

static int compare_keys(const void *a, const void *b) {
  const name_key_t *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order
             ? order
             : (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

// Whether a name is valid in all file formats: printable ASCII of at most the
// length that plan images allow, without CSV separators.
static bool is_portable(const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < length; ++i)
    if (name[i] < ' ' || name[i] > '~' || name[i] == ',' || name[i] == '"')
      return false;
  return length > 0 && length <= 255;
}

static bool is_repeated(const name_key_t *keys, size_t count, size_t i) {
  return (i && strcmp(keys[i - 1].name, keys[i].name) == 0) ||
         (i + 1 < count && strcmp(keys[i + 1].name, keys[i].name) == 0);
}

// Names buffers by their locations where these are unique, portable and do not
// look like SSA names.
static void use_location_names(const gmem_planned_t *planned,
                               name_key_t *keys) {
  gmem_planned_entry_t *buffers = planned->buffers.at;
  size_t count = planned->buffers.count;
  for (uint32_t i = 0; i < count; ++i)
    keys[i] = (name_key_t){buffers[i].location_name, i};
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count; ++i)
    if (!is_repeated(keys, count, i) && is_portable(keys[i].name) &&
        !strchr(keys[i].name, '%'))
      buffers[keys[i].buffer].buffer.name = keys[i].name;
}

// Replaces duplicate names (sibling regions reuse SSA names) and names that are
// not portable with "%number".
static void number_the_rest(gmem_planned_t *planned, name_key_t *keys) {
  gmem_planned_entry_t *buffers = planned->buffers.at;
  size_t count = planned->buffers.count;
  for (uint32_t i = 0; i < count; ++i)
    keys[i] = (name_key_t){buffers[i].buffer.name, i};
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count; ++i)
    if (!is_portable(keys[i].name) || is_repeated(keys, count, i)) {
      gmem_text_t name = {.arena = &planned->arena};
      gmem_text_print(&name, "%%%u", keys[i].buffer);
      buffers[keys[i].buffer].buffer.name = gmem_text_get(&name);
    }
}

gmem_status_t gmem_planned_choose_names(gmem_planned_t *planned) {
  name_key_t *keys;
  GMEM_TRY_ALLOC(keys, &planned->arena, planned->buffers.count, planned->diag);
  use_location_names(planned, keys);
  number_the_rest(planned, keys);
  return gmem_bump_status(&planned->arena, planned->diag);
}
