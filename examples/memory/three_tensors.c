// three_tensors.c - two operations with three temporary tensors: their memory
// is planned from what the program records while it configures them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "gmem/recorder.h"

enum { SIZE = 1000 };

typedef struct pipeline_s {
  gmem_memory_group_t *group;
  gmem_memory_object_t tmp1, tmp2, tmp3;
} pipeline_t;

// |recorder| NULL: every tensor has memory of |provider| at once.
static gmem_status_t configure(pipeline_t *it, gmem_recorder_t *recorder,
                               const gmem_provider_t *provider,
                               gmem_diag_t *diag) {
  const gmem_memory_object_spec_t tensor = {.size = SIZE, .alignment = 64};
  GMEM_TRY(gmem_memory_group_create(recorder, "pipeline", provider, NULL,
                                    &it->group, diag));
  GMEM_TRY(gmem_memory_group_begin(it->group, &tensor, &it->tmp1, diag));
  GMEM_TRY(gmem_memory_group_begin(it->group, &tensor, &it->tmp2, diag));
  // Configure operation 1, from tmp1 to tmp2.
  GMEM_TRY(gmem_memory_group_end(it->group, it->tmp1, diag));
  GMEM_TRY(gmem_memory_group_begin(it->group, &tensor, &it->tmp3, diag));
  // Configure operation 2, from tmp2 to tmp3.
  GMEM_TRY(gmem_memory_group_end(it->group, it->tmp2, diag));
  return gmem_memory_group_end(it->group, it->tmp3, diag);
}

static gmem_status_t run(pipeline_t *it) {
  gmem_memory_hold_t hold;
  void *tmp1 = NULL, *tmp2 = NULL, *tmp3 = NULL;
  GMEM_TRY(gmem_memory_group_acquire(it->group, GMEM_WAIT_FOREVER, &hold));
  gmem_status_t status = gmem_memory_hold_host(&hold, it->tmp1, &tmp1);
  if (status == GMEM_OK)
    status = gmem_memory_hold_host(&hold, it->tmp2, &tmp2);
  if (status == GMEM_OK)
    status = gmem_memory_hold_host(&hold, it->tmp3, &tmp3);
  if (status == GMEM_OK) {
    memset(tmp1, 1, SIZE);
    memcpy(tmp2, tmp1, SIZE); // operation 1
    memcpy(tmp3, tmp2, SIZE); // operation 2
    printf("tmp1 and tmp3 %s, result %d\n", tmp1 == tmp3 ? "share" : "apart",
           ((uint8_t *)tmp3)[SIZE - 1]);
  }
  gmem_memory_group_release(&hold);
  return status;
}

int main(void) {
  gmem_diag_t diag = {.text = ""};
  gmem_provider_t provider;
  gmem_recorder_t *recorder = NULL;
  pipeline_t planned = {NULL, 0, 0, 0}, immediate = {NULL, 0, 0, 0};
  gmem_pool_options_t two = {.struct_size = sizeof two, .initial_slots = 2};
  if (gmem_provider_mmap(NULL, NULL, &provider) != GMEM_OK)
    return 1;
  bool good =
      gmem_recorder_create(NULL, &recorder, &diag) == GMEM_OK &&
      configure(&planned, recorder, &provider, &diag) == GMEM_OK &&
      gmem_recorder_populate(recorder, &provider, &two, &diag) == GMEM_OK &&
      run(&planned) == GMEM_OK &&
      configure(&immediate, NULL, &provider, &diag) == GMEM_OK &&
      run(&immediate) == GMEM_OK;
  if (!good)
    fprintf(stderr, "%s\n", diag.text);
  gmem_memory_group_destroy(planned.group);
  gmem_memory_group_destroy(immediate.group);
  gmem_recorder_release(recorder);
  gmem_provider_destroy(&provider);
  return good ? 0 : 1;
}
