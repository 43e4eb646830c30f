// jit_heap.c - runtime functions of compiled programs: heap, copies, exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jit_heap.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

// A copy between two strided memrefs of equal sizes.
typedef struct copy_s {
  const int64_t *sizes, *from_strides, *to_strides;
  int64_t rank, size;
} copy_t;

// Copies the innermost dimension, with a single memmove if it is dense.
static void copy_row(const copy_t *copy, uint8_t *to, const uint8_t *from) {
  int64_t last = copy->rank - 1;
  int64_t count = copy->rank ? copy->sizes[last] : 1;
  int64_t from_step = copy->rank ? copy->from_strides[last] : 1;
  int64_t to_step = copy->rank ? copy->to_strides[last] : 1;
  if (from_step == 1 && to_step == 1) {
    memmove(to, from, (size_t)(count * copy->size));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    memmove(to + i * to_step * copy->size, from + i * from_step * copy->size,
            (size_t)copy->size);
}

// Advances to the next row; false after the last.
static bool next_row(const copy_t *copy, int64_t *indices) {
  for (int64_t i = copy->rank - 1; i-- > 0;) {
    if (++indices[i] < copy->sizes[i])
      return true;
    indices[i] = 0;
  }
  return false;
}

// Lowering of memref.copy that is not a single memcpy.
static void jit_memref_copy(int64_t element_size, const void *from_memref,
                            const void *to_memref) {
  enum { MAX_RANK = 64 };
  const unranked_t *from = from_memref, *to = to_memref;
  int64_t rank = from->rank, indices[MAX_RANK] = {0};
  if (rank > MAX_RANK)
    gmem_guard_stop("copy of a memref of unsupported rank %" PRId64, rank);
  copy_t copy = {from->memref->rest, from->memref->rest + rank,
                 to->memref->rest + rank, rank, element_size};
  for (int64_t i = 0; i < rank; ++i)
    if (copy.sizes[i] == 0)
      return;
  const uint8_t *source =
      from->memref->aligned + from->memref->offset * element_size;
  uint8_t *target = to->memref->aligned + to->memref->offset * element_size;
  do {
    int64_t source_at = 0, target_at = 0;
    for (int64_t i = 0; i + 1 < rank; ++i) {
      source_at += indices[i] * copy.from_strides[i];
      target_at += indices[i] * copy.to_strides[i];
    }
    copy_row(&copy, target + target_at * element_size,
             source + source_at * element_size);
  } while (next_row(&copy, indices));
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
