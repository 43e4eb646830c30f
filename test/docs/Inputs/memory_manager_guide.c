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

static void run_managed(const gmem_provider_t *provider) {
  gmem_manager_t *manager = NULL;
  gmem_recorder_t *recorders[2];
  layer_t layers[2];
  gmem_diag_t diag = {.text = ""};
  gmem_manager_stats_t stats;
  assert(gmem_manager_create(provider, 4096, NULL, &manager, &diag) == GMEM_OK);
  for (int i = 0; i < 2; ++i)
    assert(gmem_recorder_create(NULL, &recorders[i], &diag) == GMEM_OK);
  assert(run_planned_apart(layers, recorders, manager, provider, &diag) ==
         GMEM_OK);
  gmem_manager_stats(manager, &stats);
  printf("managed: %u pools, %u bytes, %u eviction\n", stats.pools,
         (unsigned)stats.peak, (unsigned)stats.evictions);
  for (int i = 0; i < 2; ++i) {
    gmem_memory_group_destroy(layers[i].group);
    gmem_recorder_release(recorders[i]);
  }
  gmem_manager_release(manager);
}

// The plan of a layer in a file.
static void write_image(const char *path) {
  static const gmem_op_range_t always = {0, 1};
  gmem_region_info_t region = {"slot", GMEM_SPACE_ACTIVATION, 0, 64, 64};
  gmem_buffer_info_t buffer = {.name = "a",
                               .size = 64,
                               .payload = 64,
                               .align = 64,
                               .space = GMEM_SPACE_ACTIVATION,
                               .ranges = &always,
                               .range_count = 1,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  void *data = NULL;
  size_t size = 0;
  assert(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  FILE *file = fopen(path, "wb");
  assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
  gmem_plan_data_free(NULL, data, size);
}

static gmem_status_t run(gmem_lease_t *lease) {
  void *host = NULL;
  printf("in a context\n");
  return gmem_lease_host(lease, 0, &host);
}

int main(int argc, char **argv) {
  assert(argc == 2);
  gmem_provider_t provider;
  assert(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  run_recorded(&provider, false);
  run_recorded(&provider, true);
  run_managed(&provider);
  write_image(argv[1]);
  gmem_scheduler_t scheduler;
  gmem_diag_t diag;
  assert(gmem_scheduler_pthreads(2, NULL, &scheduler, &diag) == GMEM_OK);
  assert(run_in_context(argv[1], &provider, &scheduler, run, &diag) == GMEM_OK);
  gmem_scheduler_destroy(&scheduler);
  gmem_provider_destroy(&provider);
  return 0;
}
