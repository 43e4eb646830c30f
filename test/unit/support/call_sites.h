// call_sites.h - which allocations of a run are worth failing: those of a call
// stack that has not been seen a few times before, in this run or an earlier
// one. The hundredth failure in the same loop says what the second said.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_CALL_SITES_H_
#define GMEM_TEST_UNIT_CALL_SITES_H_

#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>

#include "failing_heap.h"
#include "gmem/status.h"

// The innermost functions tell stacks apart; what main called does not matter.
enum { SITE_DEPTH = 10, SITE_SLOTS = 1 << 14, SITE_CALLS = 10000 };

typedef struct call_sites_s {
  unsigned most; // allocations of one stack that fail; 0: all
  struct {
    uint64_t stack;
    unsigned times;
  } slots[SITE_SLOTS];
  heap_t heap;
  size_t chosen[SITE_CALLS]; // numbers of allocations, 1-based, in order
  size_t count;
} call_sites_t;

// How often the caller's stack was here before.
static unsigned call_sites_visit(call_sites_t *sites) {
  void *frames[SITE_DEPTH];
  int depth = backtrace(frames, SITE_DEPTH);
  uint64_t stack = 1;
  for (int i = 0; i < depth; ++i)
    stack = (stack ^ (uint64_t)(uintptr_t)frames[i]) * UINT64_C(0x100000001b3);
  stack |= 1; // 0 is a free slot
  size_t slot = (size_t)(stack >> 32) % SITE_SLOTS;
  size_t looked_at = 0;
  while (sites->slots[slot].stack && sites->slots[slot].stack != stack &&
         ++looked_at < SITE_SLOTS)
    slot = (slot + 1) % SITE_SLOTS;
  sites->slots[slot].stack = stack;
  return sites->slots[slot].times++;
}

static void *call_sites_alloc(void *user, size_t size, size_t align) {
  call_sites_t *sites = user;
  unsigned times = call_sites_visit(sites);
  void *memory = heap_alloc(&sites->heap, size, align);
  if ((sites->most == 0 || times < sites->most) && sites->count < SITE_CALLS)
    sites->chosen[sites->count++] = sites->heap.calls;
  return memory;
}

static void call_sites_free(void *user, void *memory, size_t size,
                            size_t align) {
  call_sites_t *sites = user;
  heap_free(&sites->heap, memory, size, align);
}

// An allocator that chooses; nothing of it fails.
static gmem_allocator_t call_sites_begin(call_sites_t *sites) {
  sites->heap = (heap_t){0};
  sites->count = 0;
  return (gmem_allocator_t){sites, call_sites_alloc, call_sites_free};
}

#endif // GMEM_TEST_UNIT_CALL_SITES_H_
