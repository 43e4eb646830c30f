// RUN: %unit/tools_jit_heap_test
// tools_jit_heap_test.c - the heap that compiled programs are given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jit_heap.h"

#include <string.h>

#include "array.h"
#include "check.h"
#include "jit_guard.h"

typedef void *(*malloc_fn)(uint64_t size);
typedef void (*free_fn)(void *block);

static void (*symbol(const char *name))(void) {
  for (size_t i = 0; i < gmem_jit_symbol_count; ++i)
    if (strcmp(gmem_jit_symbols[i].name, name) == 0)
      return gmem_jit_symbols[i].function;
  CHECK(!"there is such a symbol");
  return NULL;
}

// Allocates and frees in a random order, over and over; the heap knows at each
// moment how much is there. What is left is freed at the end: a sanitizer would
// see leaks.
static void churn(void *user) {
  enum { BLOCKS = 1000, STEPS = 100000 };
  gmem_jit_heap_t *heap = user;
  static void *blocks[BLOCKS];
  malloc_fn allocate = (malloc_fn)symbol("malloc");
  free_fn release = (free_fn)symbol("free");
  gmem_random_t random = {1};
  size_t count = 0;
  for (int i = 0; i < STEPS; ++i) {
    void **block = &blocks[gmem_random_between(&random, 0, BLOCKS - 1)];
    if (*block) {
      release(*block);
      *block = NULL;
      --count;
    } else {
      *block = allocate((uint64_t)i % 100);
      ++count;
    }
    CHECK(heap->count == count);
  }
}

static void free_twice(void *user) {
  (void)user;
  free_fn release = (free_fn)symbol("free");
  void *block = ((malloc_fn)symbol("malloc"))(8);
  release(block);
  release(block);
}

static void end_itself(void *user) {
  (void)user;
  ((int (*)(const char *))symbol("puts"))("because");
  symbol("abort")();
}

// A 2x3 part of one memref to a transposed one.
static void copy_strided(void *user) {
  typedef struct descriptor_s {
    int32_t *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } descriptor_t;
  typedef struct memref_s {
    int64_t rank;
    descriptor_t *descriptor;
  } memref_t;
  int32_t from[12], *to = user;
  for (int i = 0; i < 12; ++i)
    from[i] = i;
  descriptor_t a = {from, from, 1, {2, 3}, {4, 1}};
  descriptor_t b = {to, to, 0, {2, 3}, {1, 2}};
  memref_t source = {2, &a}, target = {2, &b};
  ((void (*)(int64_t, const void *, const void *))symbol("memrefCopy"))(
      4, &source, &target);
}

int main(void) {
  gmem_jit_heap_t heap = {0};
  char reason[GMEM_GUARD_TEXT];
  gmem_guard_install();
  gmem_jit_heap_enter(&heap);
  CHECK(gmem_guard_run(churn, &heap, 0, reason));
  CHECK(heap.allocations > 0 && heap.count > 0);
  gmem_jit_heap_clear(&heap);
  CHECK(heap.count == 0);
  CHECK(!gmem_guard_run(free_twice, NULL, 0, reason));
  CHECK(strcmp(reason, "free of a block that it did not allocate") == 0);
  CHECK(!gmem_guard_run(end_itself, NULL, 0, reason));
  CHECK(strcmp(reason, "it called abort: because") == 0);
  int32_t to[6] = {0};
  static const int32_t expected[6] = {1, 5, 2, 6, 3, 7};
  CHECK(gmem_guard_run(copy_strided, to, 0, reason));
  CHECK(memcmp(to, expected, sizeof to) == 0);
  gmem_jit_heap_leave(&heap);
  gmem_jit_heap_destroy(&heap);
  return CHECK_RESULT();
}
