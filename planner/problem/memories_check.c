// memories_check.c - validates descriptions of memories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "gmem/memories.h"
#include "planner_memory.h"

const gmem_memory_t *gmem_memories_find(const gmem_memory_t *memories,
                                        size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(memories[i].name, name) == 0)
      return &memories[i];
  return NULL;
}

//===--- names ------------------------------------------------------------===//

// Names are written to plan images, C code and the text form.
static bool is_name(const char *name) {
  size_t length = strlen(name);
  if (length == 0 || length > GMEM_MAX_MEMORY_NAME)
    return false;
  for (size_t i = 0; i < length; ++i)
    if (name[i] <= ' ' || name[i] > '~' || strchr(":;,=+#\"", name[i]))
      return false;
  return true;
}

static bool is_list(const char *const *list, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!is_name(list[i]))
      return false;
    for (size_t k = 0; k < i; ++k)
      if (strcmp(list[i], list[k]) == 0)
        return false;
  }
  return true;
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

// Returns the error for a name of a pool that exists without a description, or
// NULL.
static const char *reserved_name_error(const gmem_memory_t *memory) {
  const char *name = memory->name;
  if (strcmp(name, "io") == 0 || begins_with(name, "io."))
    return "has a name that is reserved for inputs and outputs";
  if (strcmp(name, "weights") == 0 && !memory->is_constant)
    return "has a name that is reserved for a constant pool: set kind=constant";
  if (memory->is_constant &&
      (strcmp(name, "tensors") == 0 || strcmp(name, "memory") == 0 ||
       begins_with(name, "memory.")))
    return "has a name that is reserved for a workspace: set kind=workspace";
  return NULL;
}

//===--- one memory -------------------------------------------------------===//

static bool is_alignment(uint64_t bytes) {
  return (bytes & (bytes - 1)) == 0 && bytes <= GMEM_MAX_ALIGNMENT;
}

static bool is_limit(uint64_t bytes) {
  return bytes == GMEM_UNLIMITED || (bytes && bytes <= GMEM_MAX_ADDRESS);
}

// Returns the error in the numbers of a description, or NULL.
static const char *number_error(const gmem_memory_t *memory) {
  if (!is_limit(memory->capacity))
    return "has an invalid capacity: expected a number of bytes above 0";
  if (!is_limit(memory->size))
    return "has an invalid size: expected a number of bytes above 0";
  if (memory->size != GMEM_UNLIMITED && memory->size > memory->capacity)
    return "has a size that exceeds its capacity";
  if (!is_alignment(memory->alignment))
    return "has an invalid alignment: expected a power of two up to 1T";
  if (memory->base != UINT64_MAX && memory->base > GMEM_MAX_ADDRESS)
    return "has an invalid base: expected an address of at most 63 bits";
  if (memory->base != UINT64_MAX && memory->alignment &&
      (memory->base & (memory->alignment - 1)))
    return "has a base that is not a multiple of its alignment";
  if (memory->speed > UINT32_MAX)
    return "has an invalid speed: expected a number of at most 32 bits";
  return NULL;
}

static const char *memory_error(const gmem_memory_t *memory) {
  const char *error = reserved_name_error(memory);
  if (!is_name(memory->name))
    return "has an invalid name: expected 1 to 96 printable characters "
           "other than space and :;,=+#\"";
  if (!error)
    error = number_error(memory);
  if (error)
    return error;
  if (!is_list(memory->targets, memory->target_count))
    return "has an invalid or duplicate name in its list of targets";
  if (!is_list(memory->spaces, memory->space_count))
    return "has an invalid or duplicate name in its list of memory spaces";
  if (memory->is_constant && memory->space_count)
    return "is constant and cannot have memory spaces";
  if (memory->after && memory->base != UINT64_MAX)
    return "has both a base and a pool that it follows ('after')";
  return NULL;
}

//===--- all memories -----------------------------------------------------===//

static gmem_status_t fail_memory(const gmem_memory_t *memories, size_t index,
                                 const char *error, gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, index,
                           "memory '%.96s' %s", memories[index].name, error);
}

// Without constant memories in the description, "weights" holds all constants.
static bool is_default_weights(const gmem_memory_t *memories, size_t count,
                               const char *name) {
  bool has_constant = false;
  for (size_t i = 0; i < count; ++i)
    has_constant |= memories[i].is_constant;
  return !has_constant && strcmp(name, "weights") == 0;
}

// Follows |after| from memory |index| to a memory with an address.
static gmem_status_t check_after(const gmem_memory_t *memories, size_t count,
                                 size_t index, gmem_diag_t *diag) {
  const gmem_memory_t *at = &memories[index];
  for (size_t steps = 0; at->after; ++steps) {
    const gmem_memory_t *next = gmem_memories_find(memories, count, at->after);
    if (steps > count)
      return fail_memory(memories, index, "follows itself ('after')", diag);
    if (!next)
      return is_default_weights(memories, count, at->after)
                 ? GMEM_OK
                 : gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, index,
                                     "memory '%.96s' follows unknown memory "
                                     "'%.96s' ('after')",
                                     memories[index].name, at->after);
    if (!next->after && next->base == UINT64_MAX)
      return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, index,
                               "memory '%.96s' follows '%.96s', which has no "
                               "address: set its base",
                               memories[index].name, next->name);
    at = next;
  }
  return GMEM_OK;
}

gmem_status_t gmem_memories_check(const gmem_memory_t *memories, size_t count,
                                  gmem_diag_t *diag) {
  if (count > GMEM_MAX_MEMORIES)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_MAX_MEMORIES,
                             "more than %d memories", GMEM_MAX_MEMORIES);
  for (size_t i = 0; i < count; ++i) {
    const char *error = memory_error(&memories[i]);
    if (!error && gmem_memories_find(memories, i, memories[i].name))
      error = "is listed twice";
    if (error)
      return fail_memory(memories, i, error, diag);
  }
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(check_after(memories, count, i, diag));
  return GMEM_OK;
}
