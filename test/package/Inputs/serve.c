// serve.c IMAGE - a plan, a model, a pool and a lease, with the runtime alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "gmem/runtime.h"

int main(int argc, char **argv) {
  gmem_diag_t diag = {0};
  gmem_plan_t *plan = NULL;
  gmem_provider_t provider = {0};
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  void *host = NULL;
  if (argc != 2 ||
      gmem_plan_load_file(argv[1], 0, NULL, &plan, &diag) != GMEM_OK ||
      gmem_provider_mmap(NULL, NULL, &provider) != GMEM_OK ||
      gmem_model_create(plan, &provider, NULL, NULL, &model, &diag) !=
          GMEM_OK ||
      gmem_pool_create(model, &provider, &options, NULL, &pool, &diag) !=
          GMEM_OK ||
      gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) != GMEM_OK ||
      gmem_lease_host(lease, gmem_plan_find(plan, "x"), &host) != GMEM_OK) {
    fprintf(stderr, "%s\n", diag.text);
    return 1;
  }
  printf("served: %s\n", (char *)memcpy(host, "a request", 10));
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
  return 0;
}
