// bench_serve.c - see bench_serve.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_serve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

void bench_must(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "error: %s: %s\n", gmem_status_name(status),
          diag ? diag->text : "");
  exit(1);
}

void *bench_alloc(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "error: out of memory\n");
    exit(1);
  }
  return memory;
}

//===--- clocks and counters ----------------------------------------------===//

double bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_doubles(const void *left, const void *right) {
  double l = *(const double *)left, r = *(const double *)right;
  return (l > r) - (l < r);
}

double bench_median(double *values, size_t count) {
  qsort(values, count, sizeof *values, compare_doubles);
  return values[count / 2];
}

// The line of /proc/self/status that begins with |key|, in bytes.
static uint64_t status_line(const char *key) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  uint64_t kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0)
      sscanf(line + strlen(key), "%" SCNu64, &kilobytes);
  if (file)
    fclose(file);
  return kilobytes * 1024;
}

uint64_t bench_resident(void) { return status_line("VmRSS:"); }

uint64_t bench_resident_peak(void) { return status_line("VmHWM:"); }

void bench_forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file)
    return;
  fputs("5", file);
  fclose(file);
}

uint64_t bench_page_faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_minflt;
}

//===--- a plan -----------------------------------------------------------===//

enum { MARKED = 64 }; // buffers in the group, or workbuffers

typedef struct pipeline_s {
  gmem_region_info_t region;
  gmem_buffer_info_t *buffers;
  gmem_op_range_t *ranges;
  char (*names)[24];
  gmem_buffer_t members[MARKED / 2];
  gmem_workbuffer_t work[MARKED];
  gmem_group_info_t group;
} pipeline_t;

static void describe_buffers(pipeline_t *it, uint32_t count, uint32_t live,
                             uint64_t size, uint32_t stride) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t begin = (uint32_t)((uint64_t)i * stride % count);
    it->ranges[i] = (gmem_op_range_t){begin, begin + live};
    snprintf(it->names[i], sizeof it->names[i], "buffer_%" PRIu32, i);
    it->buffers[i] =
        (gmem_buffer_info_t){.name = it->names[i],
                             .offset = (uint64_t)(begin % live) * size,
                             .size = size,
                             .payload = size,
                             .align = 64,
                             .space = GMEM_SPACE_ACTIVATION,
                             .ranges = &it->ranges[i],
                             .range_count = 1,
                             .parent = GMEM_NONE,
                             .threads = i == 0 ? 4 : 1};
  }
}

static void describe_marks(pipeline_t *it, uint32_t marked) {
  for (uint32_t i = 0; i < marked; ++i) {
    it->work[i] = (gmem_workbuffer_t){i, i};
    it->members[i / 2] = i & ~1u;
  }
  it->group = (gmem_group_info_t){"even", it->members, (marked + 1) / 2};
}

void bench_pipeline_image(uint32_t count, uint32_t live, uint64_t size,
                          uint32_t stride, void **out_data, size_t *out_size) {
  pipeline_t it = {.buffers = bench_alloc(count, sizeof *it.buffers),
                   .ranges = bench_alloc(count, sizeof *it.ranges),
                   .names = bench_alloc(count, sizeof *it.names)};
  gmem_diag_t diag = {.status = GMEM_OK};
  uint32_t marked = count < MARKED ? count : MARKED;
  it.region = (gmem_region_info_t){"ddr", GMEM_SPACE_ACTIVATION, 0,
                                   (uint64_t)live * size, 64};
  describe_buffers(&it, count, live, size, stride);
  describe_marks(&it, marked);
  gmem_plan_desc_t desc = {.regions = &it.region,
                           .region_count = 1,
                           .buffers = it.buffers,
                           .buffer_count = count,
                           .op_count = count + live,
                           .groups = &it.group,
                           .group_count = 1,
                           .workbuffers = it.work,
                           .workbuffer_count = stride == 1 ? marked : 0};
  bench_must(gmem_plan_write(&desc, NULL, out_data, out_size, &diag), &diag);
  free(it.names);
  free(it.ranges);
  free(it.buffers);
}

gmem_plan_t *bench_pipeline(uint32_t count, uint32_t live, uint64_t size) {
  void *data = NULL;
  size_t data_size = 0;
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  bench_pipeline_image(count, live, size, 1, &data, &data_size);
  bench_must(gmem_plan_load_memory(data, data_size, 0, NULL, &plan, &diag),
             &diag);
  gmem_plan_data_free(NULL, data, data_size);
  return plan;
}

//===--- a pool -----------------------------------------------------------===//

void bench_serve(gmem_plan_t *plan, const gmem_mmap_options_t *mmap_options,
                 uint32_t slots, uint32_t max_slots, bench_service_t *service) {
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = slots,
                                 .max_slots = max_slots};
  *service = (bench_service_t){.pool = NULL};
  bench_must(gmem_provider_mmap(mmap_options, NULL, &service->provider), NULL);
  bench_must(gmem_model_create(plan, &service->provider, NULL, NULL,
                               &service->model, &diag),
             &diag);
  bench_must(gmem_pool_create(service->model, &service->provider, &options,
                              NULL, &service->pool, &diag),
             &diag);
}

void bench_serve_end(bench_service_t *service) {
  gmem_pool_release(service->pool);
  gmem_model_release(service->model);
  gmem_provider_destroy(&service->provider);
}
