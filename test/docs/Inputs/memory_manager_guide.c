// The rest of a program whose beginning are the C blocks of
// docs/memory-manager.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

static void print_slots(gmem_pool_t *pool) {
  gmem_pool_stats_t stats;
  gmem_pool_stats(pool, &stats);
  gmem_plan_t *plan = (gmem_plan_t *)gmem_model_plan(gmem_pool_model(pool));
  printf("recorded: %u slot of %u bytes, %u leases\n", stats.slots,
         (unsigned)gmem_plan_slot_size(plan), (unsigned)stats.acquires);
}

static void run_recorded(const gmem_provider_t *provider, bool immediate) {
  gmem_recorder_t *recorder = NULL;
  layer_t layers[2];
  gmem_diag_t diag = {.text = ""};
  if (!immediate)
    assert(gmem_recorder_create(NULL, &recorder, &diag) == GMEM_OK);
  assert(run_two_layers(layers, recorder, provider, &diag) == GMEM_OK);
  if (recorder)
    print_slots(gmem_recorder_pool(recorder));
  else
    printf("immediate: no slot\n");
  for (int i = 0; i < 2; ++i)
    gmem_memory_group_destroy(layers[i].group);
  gmem_recorder_release(recorder);
}

int main(void) {
  gmem_provider_t provider;
  assert(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  run_recorded(&provider, false);
  run_recorded(&provider, true);
  gmem_provider_destroy(&provider);
  return 0;
}
