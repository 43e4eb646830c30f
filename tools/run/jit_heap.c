// jit_heap.c - runtime functions of compiled programs: heap, copies, exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jit_heap.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "jit_guard.h"

// malloc receives no context, so the heap is a variable of the thread.
static _Thread_local gmem_jit_heap_t *current;

//===--- hash set of blocks -----------------------------------------------===//

static size_t slot_of(const gmem_jit_heap_t *heap, const void *block) {
  uint64_t key = (uint64_t)(uintptr_t)block >> 4;
  size_t slot = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
  assert((heap->room & (heap->room - 1)) == 0 && heap->count < heap->room);
  slot &= heap->room - 1;
  while (heap->blocks[slot] && heap->blocks[slot] != block)
    slot = (slot + 1) & (heap->room - 1);
  return slot;
}

static bool grow(gmem_jit_heap_t *heap) {
  gmem_jit_heap_t larger = *heap;
  larger.room = heap->room ? heap->room * 2 : 256;
  larger.blocks = calloc(larger.room, sizeof *larger.blocks);
  if (!larger.blocks)
    return false;
  for (size_t i = 0; i < heap->room; ++i)
    if (heap->blocks[i])
      larger.blocks[slot_of(&larger, heap->blocks[i])] = heap->blocks[i];
  free(heap->blocks);
  *heap = larger;
  return true;
}

static bool insert(gmem_jit_heap_t *heap, void *block) {
  if (heap->count * 2 >= heap->room && !grow(heap))
    return false;
  heap->blocks[slot_of(heap, block)] = block;
  ++heap->count;
  return true;
}

// Removes |block| and reinserts the entries that follow it in its probe
// sequence.
static bool erase(gmem_jit_heap_t *heap, const void *block) {
  if (heap->room == 0)
    return false;
  size_t slot = slot_of(heap, block);
  if (!heap->blocks[slot])
    return false;
  heap->blocks[slot] = NULL;
  --heap->count;
  for (size_t i = (slot + 1) & (heap->room - 1); heap->blocks[i];
       i = (i + 1) & (heap->room - 1)) {
    void *moved = heap->blocks[i];
    heap->blocks[i] = NULL;
    heap->blocks[slot_of(heap, moved)] = moved;
  }
  return true;
}

//===--- the heap ---------------------------------------------------------===//

void gmem_jit_heap_enter(gmem_jit_heap_t *heap) {
  heap->outer = current;
  current = heap;
}

void gmem_jit_heap_leave(gmem_jit_heap_t *heap) {
  assert(current == heap);
  current = heap->outer;
}

void gmem_jit_heap_clear(gmem_jit_heap_t *heap) {
  for (size_t i = 0; i < heap->room && heap->count > 0; ++i) {
    if (!heap->blocks[i])
      continue;
    free(heap->blocks[i]);
    heap->blocks[i] = NULL;
    --heap->count;
  }
  assert(heap->count == 0);
}

void gmem_jit_heap_destroy(gmem_jit_heap_t *heap) {
  gmem_jit_heap_clear(heap);
  free(heap->blocks);
  *heap = (gmem_jit_heap_t){0};
}

static void *track(void *block, uint64_t size) {
  if (block && current && !insert(current, block)) {
    free(block);
    block = NULL;
  }
  if (!block)
    gmem_guard_stop("allocation of %" PRIu64 " bytes failed", size);
  if (current) {
    ++current->allocations;
    current->bytes += size;
  }
  return block;
}

static void *jit_malloc(uint64_t size) {
  return track(malloc(size ? size : 1), size);
}

static void *jit_calloc(uint64_t count, uint64_t size) {
  void *block = count && size ? calloc(count, size) : calloc(1, 1);
  return track(block, count * size);
}

static void *jit_aligned_alloc(uint64_t alignment, uint64_t size) {
  void *block = NULL;
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  if (posix_memalign(&block, alignment, size ? size : 1) != 0)
    block = NULL;
  return track(block, size);
}

static void jit_free(void *block) {
  if (block && current && !erase(current, block))
    gmem_guard_stop("free of a block that it did not allocate");
  free(block);
}

static void *jit_realloc(void *block, uint64_t size) {
  if (block && current && !erase(current, block))
    gmem_guard_stop("realloc of a block that it did not allocate");
  return track(realloc(block, size ? size : 1), size);
}

//===--- copies -----------------------------------------------------------===//

// An unranked memref in MLIR's C ABI: two pointers, then offset, sizes and
// strides in elements.
typedef struct unranked_s {
  int64_t rank;
  struct {
    uint8_t *allocated, *aligned;
    int64_t offset;
    int64_t rest[];
  } * memref;
} unranked_t;

// Lowering of memref.copy that is not a single memcpy. Dimensions of one
// element are left out, so that no memref that fits into memory has too many.
static void jit_memref_copy(int64_t element_size, const void *from_memref,
                            const void *to_memref) {
  const unranked_t *memrefs[2] = {from_memref, to_memref};
  gmem_array_t arrays[2];
  int64_t rank = memrefs[0]->rank;
  const int64_t *sizes = memrefs[0]->memref->rest;
  for (int k = 0; k < 2; ++k) {
    const unranked_t *from = memrefs[k];
    gmem_array_t *array = &arrays[k];
    *array = (gmem_array_t){.element.size = (uint32_t)element_size,
                            .first = from->memref->aligned +
                                     from->memref->offset * element_size};
    for (int64_t i = 0; i < rank; ++i) {
      if (sizes[i] == 1)
        continue;
      if (array->rank == GMEM_ARRAY_MAX_RANK)
        gmem_guard_stop("copy of a memref of unsupported rank %" PRId64, rank);
      array->sizes[array->rank] = sizes[i];
      array->strides[array->rank++] = from->memref->rest[rank + i];
    }
  }
  gmem_array_copy(&arrays[0], &arrays[1]);
}

//===--- exit -------------------------------------------------------------===//

// cf.assert is lowered to puts and abort.
static int jit_puts(const char *text) {
  gmem_guard_say(text);
  return 0;
}

static void jit_abort(void) { gmem_guard_stop("it called abort"); }

// Without this, gmem-run itself would exit, with the status of the program.
static void jit_exit(int code) {
  gmem_guard_stop("it called exit (exit code %d)", code);
}

const gmem_jit_symbol_t gmem_jit_symbols[] = {
    {"malloc", (void (*)(void))jit_malloc},
    {"calloc", (void (*)(void))jit_calloc},
    {"realloc", (void (*)(void))jit_realloc},
    {"aligned_alloc", (void (*)(void))jit_aligned_alloc},
    {"free", (void (*)(void))jit_free},
    {"memrefCopy", (void (*)(void))jit_memref_copy},
    {"puts", (void (*)(void))jit_puts},
    {"abort", (void (*)(void))jit_abort},
    {"exit", (void (*)(void))jit_exit},
    {"_exit", (void (*)(void))jit_exit},
    {"_Exit", (void (*)(void))jit_exit},
    {"quick_exit", (void (*)(void))jit_exit},
};
const size_t gmem_jit_symbol_count =
    sizeof gmem_jit_symbols / sizeof gmem_jit_symbols[0];
