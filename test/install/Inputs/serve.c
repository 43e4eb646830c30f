// serve.c - a plan, a model, a pool and a lease, with the runtime alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "gmem/runtime.h"

static gmem_status_t make_plan(gmem_plan_t **out_plan, gmem_diag_t *diag) {
  gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0, 4096, 64};
  gmem_op_range_t range = {0, 1};
  gmem_buffer_info_t buffer = {.name = "x",
                               .offset = 64,
                               .size = 64,
                               .payload = 64,
                               .align = 64,
                               .space = GMEM_SPACE_IO,
                               .parent = GMEM_NONE,
                               .threads = 1,
                               .ranges = &range,
                               .range_count = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  void *image = NULL;
  size_t size = 0;
  gmem_status_t status = gmem_plan_write(&desc, NULL, &image, &size, diag);
  if (status == GMEM_OK)
    status = gmem_plan_load_memory(image, size, 0, NULL, out_plan, diag);
  gmem_plan_data_free(NULL, image, size);
  return status;
}

int main(void) {
  gmem_diag_t diag = {0};
  gmem_plan_t *plan = NULL;
  gmem_provider_t provider = {0};
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  void *host = NULL;
  if (make_plan(&plan, &diag) != GMEM_OK ||
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
