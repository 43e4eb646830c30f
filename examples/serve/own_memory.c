// own_memory.c - see own_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include "own_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

const char *memory_kind_name(memory_kind_t kind) {
  static const char *const names[MEMORY_KINDS] = {"pool", "malloc", "mmap"};
  return names[kind];
}

void *own_memory_get(memory_kind_t kind, uint64_t size, uint64_t align) {
  void *memory = NULL;
  size += size == 0;
  if (size > SIZE_MAX)
    return NULL;
  if (kind == MEMORY_MALLOC)
    return posix_memalign(&memory,
                          align > sizeof memory ? align : sizeof memory,
                          size) == 0
               ? memory
               : NULL;
  memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void own_memory_put(memory_kind_t kind, void *memory, uint64_t size) {
  if (memory && kind == MEMORY_MMAP)
    munmap(memory, size + (size == 0));
  else
    free(memory);
}
