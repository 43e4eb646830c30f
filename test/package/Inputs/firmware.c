// firmware.c - a plan that is part of the program, in memory that is part of
// the program: no file, no heap, no mapping. plan_bytes.h is the image as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/runtime.h"

static const _Alignas(8) unsigned char plan_bytes[] = {
#include "plan_bytes.h"
};

static _Alignas(64) unsigned char arena[8192]; // a carve-out, say
static _Alignas(16) unsigned char heap[16384]; // for the books of the runtime
static size_t used;

// Nothing is ever given back: it is made once.
static void *take(void *user, size_t size, size_t align) {
  (void)user;
  size_t start = (used + align - 1) / align * align;
  if (start > sizeof heap || size > sizeof heap - start)
    return NULL;
  used = start + size;
  return heap + start;
}

static void give_back(void *user, void *bytes, size_t size, size_t align) {
  (void)user, (void)bytes, (void)size, (void)align;
}

// In the place of libc's: who calls it has lost.
void *malloc(size_t size) {
  (void)size;
  abort();
}

int main(void) {
  const gmem_allocator_t own = {NULL, take, give_back};
  const gmem_pool_options_t options = {.struct_size = sizeof options,
                                       .initial_slots = 2};
  static char buffer[256]; // or stdio would want a heap
  gmem_provider_t provider = {0};
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_diag_t diag = {0};
  void *host = NULL;
  setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
  if (gmem_plan_load_memory(plan_bytes, sizeof plan_bytes, GMEM_LOAD_BORROW,
                            &own, &plan, &diag) != GMEM_OK ||
      gmem_provider_static(arena, 0x80000000, sizeof arena, &own, &provider) !=
          GMEM_OK ||
      gmem_model_create(plan, &provider, NULL, &own, &model, &diag) !=
          GMEM_OK ||
      gmem_pool_create(model, &provider, &options, &own, &pool, &diag) !=
          GMEM_OK) {
    printf("%s\n", diag.text);
    return 1;
  }
  for (int i = 0; i < 1000; ++i) {
    if (gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) != GMEM_OK ||
        gmem_lease_host(lease, gmem_plan_find(plan, "x"), &host) != GMEM_OK)
      return 1;
    memset(host, i, 64);
    gmem_lease_release(lease);
  }
  printf("firmware: 1000 requests in %zu bytes at %d\n", sizeof arena,
         (int)((unsigned char *)host - arena) % 4096);
  return 0;
}
