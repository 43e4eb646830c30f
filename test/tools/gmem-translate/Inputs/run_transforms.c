// run_transforms.c - registers the functions of transforms.mlir, creates two
// models of an image in one store of weights, and prints the weights and what
// ran. Usage: run_transforms IMAGE [NAME-LEFT-OUT].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/transforms.h"

static unsigned negated, widened;

static gmem_status_t negate(void *user, const void *source,
                            uint64_t source_size, void *dst, uint64_t size,
                            gmem_diag_t *diag) {
  (void)user, (void)diag, (void)source_size;
  ++negated;
  for (uint64_t i = 0; i < size; ++i)
    ((int8_t *)dst)[i] = (int8_t) - ((const int8_t *)source)[i];
  return GMEM_OK;
}

static gmem_status_t widen(void *user, const void *source, uint64_t source_size,
                           void *dst, uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag, (void)size;
  ++widened;
  for (uint64_t i = 0; i < source_size; ++i)
    ((float *)dst)[i] = ((const int8_t *)source)[i];
  return GMEM_OK;
}

// What the program states as sources: 1, 2, ... of 16 bytes; 3, 3, ... of 8.
static gmem_status_t load(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag, (void)id;
  for (uint64_t i = 0; i < size; ++i)
    ((int8_t *)dst)[i] = size == 16 ? (int8_t)(i + 1) : 3;
  return GMEM_OK;
}

static void need(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "%s: %s\n", gmem_status_name(status), diag->text);
  exit(1);
}

static void print_weights(gmem_model_t *model, gmem_provider_t *provider) {
  const gmem_pool_options_t options = {sizeof options, .initial_slots = 1};
  const gmem_plan_t *plan = gmem_model_plan(model);
  gmem_pool_t *pool;
  gmem_lease_t *lease;
  gmem_diag_t diag = {0};
  need(gmem_pool_create(model, provider, &options, NULL, &pool, &diag), &diag);
  need(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease), &diag);
  for (const char *const *name =
           (const char *const[]){"w", "same", "other", "plain", "own", NULL};
       *name; ++name) {
    void *host = NULL;
    need(gmem_lease_host(lease, gmem_plan_find(plan, *name), &host), &diag);
    if (strcmp(*name, "own") == 0)
      printf("own %d %d\n", ((int8_t *)host)[0], ((int8_t *)host)[7]);
    else
      printf("%s %g %g\n", *name, ((float *)host)[0], ((float *)host)[15]);
  }
  gmem_lease_release(lease);
  gmem_pool_release(pool);
}

int main(int argc, char **argv) {
  gmem_plan_t *plan;
  gmem_model_t *models[2];
  gmem_weights_t *store;
  gmem_provider_t provider;
  gmem_diag_t diag = {0};
  gmem_transform_t all[2] = {{"negate", negate, NULL}, {"widen", widen, NULL}};
  gmem_transforms_t transforms = {
      .struct_size = sizeof transforms, .count = 2, .all = all, .source = load};
  if (argc < 2)
    return 2;
  for (int i = 0; i < 2 && argc > 2; ++i)
    if (strcmp(all[i].name, argv[2]) == 0)
      all[i].name = "another";
  need(gmem_provider_mmap(NULL, NULL, &provider), &diag);
  need(gmem_weights_create(&provider, 0, NULL, &store, &diag), &diag);
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .weights = store};
  need(gmem_plan_load_file(argv[1], 0, NULL, &plan, &diag), &diag);
  for (int i = 0; i < 2; ++i)
    need(gmem_transforms_model(plan, &provider, &sources, &transforms, NULL,
                               &models[i], &diag),
         &diag);
  for (int i = 0; i < 2; ++i)
    print_weights(models[i], &provider);
  printf("negated %u, widened %u\n", negated, widened);
  for (int i = 0; i < 2; ++i)
    gmem_model_release(models[i]);
  gmem_plan_release(plan);
  gmem_weights_release(store);
  gmem_provider_destroy(&provider);
  return 0;
}
