// two_plans.c IMAGE IMAGE - two networks that were planned apart run in turn in
// memory for the larger one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdalign.h>
#include <stdio.h>

#include "gmem/manager.h"

enum { BYTES = 64 << 10, NETWORKS = 2, ROUNDS = 3 };

static alignas(4096) uint8_t memory[BYTES];

// A pool of the plan in |path|, with memory of |manager|.
static gmem_status_t load(gmem_manager_t *manager, const char *path,
                          const gmem_provider_t *weights,
                          gmem_pool_t **out_pool, uint64_t *largest,
                          gmem_diag_t *diag) {
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 1};
  GMEM_TRY(gmem_plan_load_file(path, 0, NULL, &plan, diag));
  if (*largest < gmem_plan_slot_size(plan))
    *largest = gmem_plan_slot_size(plan);
  gmem_status_t status =
      gmem_model_create(plan, weights, NULL, NULL, &model, diag);
  if (status == GMEM_OK)
    status = gmem_manager_pool(manager, model, &options, out_pool, diag);
  gmem_model_release(model); // the pool retains it
  gmem_plan_release(plan);
  return status;
}

static gmem_status_t run_in_turn(gmem_pool_t *const pools[NETWORKS]) {
  for (int i = 0; i < ROUNDS * NETWORKS; ++i) {
    gmem_lease_t *lease = NULL;
    GMEM_TRY(gmem_lease_acquire(pools[i % NETWORKS], GMEM_NONE, NULL,
                                GMEM_WAIT_FOREVER, &lease));
    gmem_lease_release(lease); // after the kernels have run
  }
  return GMEM_OK;
}

int main(int argc, char **argv) {
  gmem_diag_t diag = {.text = ""};
  gmem_provider_t system, range;
  gmem_manager_t *manager = NULL;
  gmem_pool_t *pools[NETWORKS] = {NULL};
  gmem_manager_stats_t stats = {0};
  uint64_t largest = 0;
  if (argc != 1 + NETWORKS ||
      gmem_provider_mmap(NULL, NULL, &system) != GMEM_OK ||
      gmem_provider_static(memory, (uintptr_t)memory, sizeof memory, NULL,
                           &range) != GMEM_OK)
    return 1;
  gmem_status_t status = gmem_manager_create(&range, 0, NULL, &manager, &diag);
  for (int i = 0; status == GMEM_OK && i < NETWORKS; ++i)
    status = load(manager, argv[1 + i], &system, &pools[i], &largest, &diag);
  if (status == GMEM_OK)
    status = run_in_turn(pools);
  if (status == GMEM_OK) {
    gmem_manager_stats(manager, &stats);
    printf("%d requests, largest slot %u bytes, most mapped %u bytes\n",
           ROUNDS * NETWORKS, (unsigned)largest, (unsigned)stats.peak);
  } else {
    fprintf(stderr, "%s %s\n", gmem_status_name(status), diag.text);
  }
  for (int i = 0; i < NETWORKS; ++i)
    gmem_pool_release(pools[i]);
  gmem_manager_release(manager);
  gmem_provider_destroy(&range);
  gmem_provider_destroy(&system);
  return status == GMEM_OK ? 0 : 1;
}
