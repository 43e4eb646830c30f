// own_memory.c - see own_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include "own_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

const char *memory_kind_name(memory_kind_t kind) {
  static const char *const names[MEMORY_KINDS] = {"pool", "malloc", "mmap"};
  return names[kind];
}

// What malloc gives lies behind the pointer that free wants: rounding up by
// hand costs less memory than posix_memalign, which splits large blocks.
static void *get_aligned(uint64_t size, uint64_t align) {
  uint64_t room = align + sizeof(void *);
  char *block = size <= SIZE_MAX - room ? malloc(size + room) : NULL;
  if (!block)
    return NULL;
  uint64_t first = (uint64_t)(uintptr_t)(block + sizeof(void *));
  char *memory = block + sizeof(void *) + (-first & (align - 1));
  memcpy(memory - sizeof block, &block, sizeof block);
  return memory;
}

static void put_aligned(void *memory) {
  char *block;
  memcpy(&block, (char *)memory - sizeof block, sizeof block);
  free(block);
}

void *own_memory_get(memory_kind_t kind, uint64_t size, uint64_t align) {
  if (kind == MEMORY_MALLOC)
    return get_aligned(size, align);
  if (size > SIZE_MAX)
    return NULL;
  void *memory = mmap(NULL, size + (size == 0), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void own_memory_put(memory_kind_t kind, void *memory, uint64_t size) {
  if (!memory)
    return;
  if (kind == MEMORY_MALLOC)
    put_aligned(memory);
  else
    munmap(memory, size + (size == 0));
}
