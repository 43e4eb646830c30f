// runtime_speed.c - prints how long the runtime takes: loading an image of
// 100,000 buffers (or as many as the argument says), and leasing a slot.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../runtime/plan_image.h"
#include "../../runtime/runtime_support.h"
#include "gmem/runtime.h"

enum { ROUNDS = 1000000, LIVE = 64, SIZE = 4096 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void require(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "%s: %s\n", gmem_status_name(status), diag->text);
  exit(1);
}

// A pipeline: at each step one buffer begins, |LIVE| are live, and each takes
// the place of the one that has just died.
static void make_image(uint32_t count, void **data, size_t *size) {
  gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0,
                               (uint64_t)LIVE * SIZE, 64};
  gmem_buffer_info_t *buffers = calloc(count, sizeof *buffers);
  gmem_op_range_t *ranges = calloc(count, sizeof *ranges);
  char(*names)[24] = calloc(count, sizeof *names);
  gmem_diag_t diag = {0};
  if (!buffers || !ranges || !names)
    exit(1);
  for (uint32_t i = 0; i < count; ++i) {
    ranges[i] = (gmem_op_range_t){i, i + LIVE};
    snprintf(names[i], sizeof names[i], "buffer_%" PRIu32, i);
    buffers[i] = (gmem_buffer_info_t){.name = names[i],
                                      .offset = (uint64_t)(i % LIVE) * SIZE,
                                      .size = SIZE,
                                      .payload = SIZE,
                                      .align = 64,
                                      .space = GMEM_SPACE_ACTIVATION,
                                      .ranges = &ranges[i],
                                      .range_count = 1,
                                      .parent = GMEM_NONE,
                                      .threads = 1};
  }
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = count,
                           .op_count = count + LIVE};
  double start = seconds();
  require(gmem_plan_write(&desc, NULL, data, size, &diag), &diag);
  printf("write  %" PRIu32 " buffers, %zu bytes: %.1f ms\n", count, *size,
         (seconds() - start) * 1e3);
  free(names);
  free(ranges);
  free(buffers);
}

static gmem_plan_t *time_load(const void *data, size_t size) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    gmem_plan_release(plan);
    double start = seconds();
    require(gmem_plan_load_memory(data, size, 0, NULL, &plan, &diag), &diag);
    double took = seconds() - start;
    best = took < best ? took : best;
  }
  printf("load   and verify: %.1f ms (best of 5)\n", best * 1e3);
  return plan;
}

// What the time goes to: the parts of a load that are known to be slow.
static void time_parts(const void *data, size_t size) {
  gmem_allocator_t libc = gmem_rt_allocator(NULL);
  gmem_image_view_t view;
  gmem_diag_t diag = {0};
  double start = seconds();
  require(gmem_image_open(data, size, &view, &diag), &diag);
  double opened = seconds();
  require(gmem_image_check_names(&view, &diag), &diag);
  double named = seconds();
  require(gmem_image_check_overlap(&view, &libc, &diag), &diag);
  double swept = seconds();
  require(gmem_image_verify(&view, &libc, &diag), &diag);
  double proven = seconds();
  printf(
      "  of this: SHA-256 %.1f, names %.1f, overlap %.1f, the rest %.1f ms\n",
      (opened - start) * 1e3, (named - opened) * 1e3, (swept - named) * 1e3,
      ((proven - swept) - (swept - opened)) * 1e3);
}

static void time_lease(gmem_plan_t *plan) {
  gmem_provider_t provider;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_diag_t diag = {0};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 2};
  require(gmem_provider_mmap(NULL, NULL, &provider), &diag);
  require(gmem_model_create(plan, &provider, NULL, NULL, &model, &diag), &diag);
  require(gmem_pool_create(model, &provider, &options, NULL, &pool, &diag),
          &diag);
  double start = seconds();
  for (int i = 0; i < ROUNDS; ++i) {
    require(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease), &diag);
    gmem_lease_release(lease);
  }
  printf("lease  acquire and release: %.1f ns\n",
         (seconds() - start) / ROUNDS * 1e9);
  require(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease), &diag);
  void *ptr = NULL;
  uint32_t count = gmem_plan_buffer_count(plan);
  start = seconds();
  for (uint32_t i = 0; i < ROUNDS; ++i)
    require(gmem_lease_host(lease, i % count, &ptr), &diag);
  printf("lease  address by id: %.1f ns\n", (seconds() - start) / ROUNDS * 1e9);
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_provider_destroy(&provider);
}

int main(int argc, char **argv) {
  void *data = NULL;
  size_t size = 0;
  uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
  make_image(count ? count : 1, &data, &size);
  gmem_plan_t *plan = time_load(data, size);
  time_parts(data, size);
  time_lease(plan);
  gmem_plan_release(plan);
  gmem_plan_data_free(NULL, data, size);
  return 0;
}
