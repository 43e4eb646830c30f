// memories_check.c - whether descriptions of memories are right.
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

// Names go into plan images and C, and into the text form again.
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

// Pools that plans have without any description.
static const char *why_reserved(const gmem_memory_t *memory) {
  const char *name = memory->name;
  if (strcmp(name, "io") == 0 || begins_with(name, "io."))
    return "has the name of a pool of inputs and outputs";
  if (strcmp(name, "weights") == 0 && !memory->is_constant)
    return "has the name of a constant pool and is a workspace";
  if (memory->is_constant &&
      (strcmp(name, "tensors") == 0 || strcmp(name, "memory") == 0 ||
       begins_with(name, "memory.")))
    return "has the name of a workspace and is constant";
  return NULL;
}

//===--- one by itself ----------------------------------------------------===//

static bool is_alignment(uint64_t bytes) {
  return (bytes & (bytes - 1)) == 0 && bytes <= GMEM_MAX_ALIGNMENT;
}

static bool is_limit(uint64_t bytes) {
  return bytes == GMEM_UNLIMITED || (bytes && bytes <= GMEM_MAX_ADDRESS);
}

// What is wrong with the numbers, or NULL.
static const char *why_no_numbers(const gmem_memory_t *memory) {
  if (!is_limit(memory->capacity))
    return "has no room: its capacity is no number of bytes above 0";
  if (!is_limit(memory->size))
    return "has a size that is no number of bytes above 0";
  if (memory->size != GMEM_UNLIMITED && memory->size > memory->capacity)
    return "has a size above its capacity";
  if (!is_alignment(memory->alignment))
    return "has an alignment that is no power of two up to 1T";
  if (memory->base != UINT64_MAX && memory->base > GMEM_MAX_ADDRESS)
    return "has a base that is no address of 63 bits";
  if (memory->base != UINT64_MAX && memory->alignment &&
      (memory->base & (memory->alignment - 1)))
    return "has a base that is no multiple of its alignment";
  if (memory->speed > UINT32_MAX)
    return "has a speed that is no number of 32 bits";
  return NULL;
}

static const char *why_not(const gmem_memory_t *memory) {
  const char *why = why_reserved(memory);
  if (!is_name(memory->name))
    return "has a name that is empty, too long or has characters that names "
           "do not have";
  if (!why)
    why = why_no_numbers(memory);
  if (why)
    return why;
  if (!is_list(memory->targets, memory->target_count))
    return "has a list of targets with a name that is none or is there twice";
  if (!is_list(memory->spaces, memory->space_count))
    return "has a list of spaces with a name that is none or is there twice";
  if (memory->is_constant && memory->space_count)
    return "is constant and takes memrefs of memory spaces";
  if (memory->after && memory->base != UINT64_MAX)
    return "has both a base and a pool that it lies behind";
  return NULL;
}

//===--- all --------------------------------------------------------------===//

static gmem_status_t complain(const gmem_memory_t *memories, size_t index,
                              const char *why, gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, index,
                           "memory '%.96s' %s", memories[index].name, why);
}

// Without described constant memories "weights" is the pool of all constants.
static bool is_usual_weights(const gmem_memory_t *memories, size_t count,
                             const char *name) {
  bool has_constant = false;
  for (size_t i = 0; i < count; ++i)
    has_constant |= memories[i].is_constant;
  return !has_constant && strcmp(name, "weights") == 0;
}

// Follows |after| from memory |index| on to what has an address.
static gmem_status_t check_after(const gmem_memory_t *memories, size_t count,
                                 size_t index, gmem_diag_t *diag) {
  const gmem_memory_t *at = &memories[index];
  for (size_t steps = 0; at->after; ++steps) {
    const gmem_memory_t *next = gmem_memories_find(memories, count, at->after);
    if (steps > count)
      return complain(memories, index, "lies behind itself", diag);
    if (!next)
      return is_usual_weights(memories, count, at->after)
                 ? GMEM_OK
                 : gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, index,
                                     "memory '%.96s' lies behind '%.96s', "
                                     "which there is not",
                                     memories[index].name, at->after);
    if (!next->after && next->base == UINT64_MAX)
      return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, index,
                               "memory '%.96s' lies behind '%.96s', which has "
                               "no address: give it a base",
                               memories[index].name, next->name);
    at = next;
  }
  return GMEM_OK;
}

gmem_status_t gmem_memories_check(const gmem_memory_t *memories, size_t count,
                                  gmem_diag_t *diag) {
  if (count > GMEM_MAX_MEMORIES)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_MAX_MEMORIES,
                             "there are more than %d memories",
                             GMEM_MAX_MEMORIES);
  for (size_t i = 0; i < count; ++i) {
    const char *why = why_not(&memories[i]);
    if (!why && gmem_memories_find(memories, i, memories[i].name))
      why = "is there twice";
    if (why)
      return complain(memories, i, why, diag);
  }
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < count && status == GMEM_OK; ++i)
    status = check_after(memories, count, i, diag);
  return status;
}
