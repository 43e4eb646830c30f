// run_load.c - stress test: simulated requests to one pool on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_load.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "messages.h"
#include "workers.h"

enum { CANARY_BYTES = 64, CANARY = 0xA5 };

// Imported memory of one buffer.
typedef struct import_s {
  gmem_buffer_t buffer;
  uint8_t *bytes; // |size| bytes, then a canary
  uint64_t size;
} import_t;

// State shared by the threads.
typedef struct shared_s {
  const gmem_stress_t *stress;
  gmem_pool_t *pool;
  gmem_stress_result_t *result; // counters under |lock|; kept[i] by its worker
  pthread_mutex_t lock;
  uint32_t pool_flags;
} shared_t;

// One thread.
typedef struct worker_s {
  shared_t *shared;
  gmem_simulated_t simulated;
  gmem_latency_t latency;
  import_t *imports;
  uint64_t total, done, timed_out, failed;
} worker_t;

//===--- one request ------------------------------------------------------===//

static bool set_problem(worker_t *worker, const char *what, const char *why) {
  snprintf(worker->simulated.problem, sizeof worker->simulated.problem,
           "%s: %s", what, why);
  return false;
}

static bool import_buffers(worker_t *worker, gmem_lease_t *lease) {
  for (uint32_t i = 0; i < worker->shared->stress->import_count; ++i) {
    const import_t *import = &worker->imports[i];
    gmem_diag_t diag = {0};
    gmem_status_t status = gmem_lease_import(
        lease, import->buffer, import->bytes,
        (uint64_t)(uintptr_t)import->bytes, import->size, &diag);
    if (status != GMEM_OK)
      return set_problem(worker, "import rejected", gmem_reason(status, &diag));
  }
  return true;
}

static bool check_imports(worker_t *worker) {
  for (uint32_t i = 0; i < worker->shared->stress->import_count; ++i)
    for (int k = 0; k < CANARY_BYTES; ++k)
      if (worker->imports[i].bytes[worker->imports[i].size + (size_t)k] !=
          CANARY)
        return set_problem(worker, "imported memory", "write past its end");
  return true;
}

// Runs one request on a leased slot.
static bool use_lease(worker_t *worker, gmem_lease_t *lease, uint64_t seed) {
  const uint32_t zero = GMEM_POOL_ZERO_ON_ACQUIRE;
  gmem_simulated_t *simulated = &worker->simulated;
  gmem_diag_t diag = {0};
  if ((worker->shared->pool_flags & (zero | GMEM_POOL_CHECK)) == zero &&
      !gmem_simulated_is_zero(simulated, lease))
    return false;
  if (!import_buffers(worker, lease) ||
      !gmem_simulated_run(simulated, lease, seed, NULL) ||
      !check_imports(worker))
    return false;
  return gmem_lease_check(lease, &diag) == GMEM_OK ||
         set_problem(worker, "life check", diag.text);
}

static void note(worker_t *worker, uint32_t request, gmem_request_end_t end) {
  shared_t *shared = worker->shared;
  gmem_stress_result_t *result = shared->result;
  if (request < result->kept_count)
    result->kept[request] = (gmem_kept_request_t){worker->simulated.sum, end};
  if (end != GMEM_REQUEST_FAILED)
    return;
  pthread_mutex_lock(&shared->lock);
  if (!result->problem[0] || request < result->problem_request) {
    result->problem_request = request;
    memcpy(result->problem, worker->simulated.problem, sizeof result->problem);
  }
  pthread_mutex_unlock(&shared->lock);
}

static gmem_request_end_t run_request(worker_t *worker, uint32_t request) {
  const gmem_run_options_t *options = worker->shared->stress->options;
  assert(request < options->requests);
  uint64_t limit = options->image.timeout_ms;
  int64_t timeout = limit == GMEM_RUN_NO_TIMEOUT ? GMEM_WAIT_FOREVER
                                                 : (int64_t)limit * 1000000;
  gmem_lease_t *lease;
  gmem_status_t status = gmem_lease_acquire(worker->shared->pool, GMEM_NONE,
                                            NULL, timeout, &lease);
  if (status == GMEM_ERR_TIMEOUT) {
    ++worker->timed_out;
    return GMEM_REQUEST_TIMED_OUT;
  }
  bool good = status == GMEM_OK
                  ? use_lease(worker, lease, options->seed + request)
                  : set_problem(worker, "cannot acquire a slot",
                                gmem_status_name(status));
  gmem_lease_release(lease);
  worker->done += good;
  worker->failed += !good;
  // The total must not depend on the order in which requests complete.
  worker->total += worker->simulated.sum * (2 * (uint64_t)request + 1);
  return good ? GMEM_REQUEST_DONE : GMEM_REQUEST_FAILED;
}

static void work(gmem_workers_t *workers, void *state) {
  worker_t *worker = state;
  for (uint32_t i; gmem_workers_next(workers, &i);) {
    uint64_t begin = gmem_nanoseconds();
    gmem_request_end_t end = run_request(worker, i);
    gmem_latency_add(&worker->latency, gmem_nanoseconds() - begin);
    note(worker, i, end);
  }
}

//===--- threads ----------------------------------------------------------===//

static bool create_import(const gmem_plan_t *plan, gmem_buffer_t id,
                          import_t *import) {
  gmem_buffer_info_t info = gmem_plan_buffer_at(plan, id);
  size_t align = info.align < CANARY_BYTES ? CANARY_BYTES : (size_t)info.align;
  size_t bytes;
  *import = (import_t){.buffer = id, .size = info.size};
  if (__builtin_add_overflow((size_t)info.size, align + CANARY_BYTES, &bytes))
    return false;
  import->bytes = aligned_alloc(align, bytes / align * align);
  if (!import->bytes)
    return false;
  memset(import->bytes, 0, (size_t)info.size);
  memset(import->bytes + info.size, CANARY, CANARY_BYTES);
  return true;
}

static bool create_worker(shared_t *shared, worker_t *worker) {
  const gmem_stress_t *stress = shared->stress;
  worker->shared = shared;
  worker->imports = calloc(stress->import_count + (size_t)1, sizeof(import_t));
  bool good = worker->imports &&
              gmem_simulated_create(&stress->simulation, &worker->simulated);
  for (uint32_t i = 0; i < stress->import_count && good; ++i)
    good = create_import(stress->memory->plan, stress->imports[i],
                         &worker->imports[i]);
  return good;
}

static void destroy_worker(worker_t *worker) {
  for (uint32_t i = 0;
       worker->imports && i < worker->shared->stress->import_count; ++i)
    free(worker->imports[i].bytes);
  free(worker->imports);
  gmem_simulated_destroy(&worker->simulated);
}

static void add_up(const worker_t *worker, gmem_stress_result_t *result) {
  result->total += worker->total;
  result->done += worker->done;
  result->timed_out += worker->timed_out;
  result->failed += worker->failed;
  gmem_latency_merge(&result->latency, &worker->latency);
}

static gmem_status_t run_workers(worker_t *states, shared_t *shared) {
  const gmem_run_options_t *options = shared->stress->options;
  gmem_stress_result_t *result = shared->result;
  gmem_workers_t workers = {.threads = options->threads,
                            .requests = options->requests,
                            .work = work,
                            .states = states,
                            .state_size = sizeof *states};
  for (uint32_t i = 0; i < workers.threads; ++i)
    if (!create_worker(shared, &states[i]))
      return gmem_tool_error("out of memory");
  uint64_t faults = gmem_page_faults(false), begin = gmem_nanoseconds();
  GMEM_TRY(gmem_workers_run(&workers));
  result->seconds = (double)(gmem_nanoseconds() - begin) / 1e9;
  result->page_faults = gmem_page_faults(false) - faults;
  result->begun = gmem_workers_begun(&workers);
  if (result->kept_count > result->begun)
    result->kept_count = result->begun;
  for (uint32_t i = 0; i < workers.threads; ++i)
    add_up(&states[i], result);
  return GMEM_OK;
}

static gmem_status_t run_threads(shared_t *shared) {
  uint32_t count = shared->stress->options->threads;
  worker_t *states = calloc(count, sizeof *states);
  if (!states)
    return gmem_tool_error("out of memory");
  gmem_status_t status = run_workers(states, shared);
  for (uint32_t i = 0; i < count; ++i)
    destroy_worker(&states[i]);
  free(states);
  return status;
}

//===--- the pool ---------------------------------------------------------===//

// Measures the resident memory of the shared regions.
static void measure_shared(gmem_pool_t *pool, const gmem_plan_t *plan,
                           gmem_resident_t *resident) {
  gmem_lease_t *lease;
  gmem_region_info_t region;
  void *at;
  if (gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) != GMEM_OK)
    return;
  for (gmem_region_t i = 0; i < gmem_plan_region_count(plan); ++i)
    if (gmem_plan_region(plan, i, &region) == GMEM_OK &&
        (region.space == GMEM_SPACE_WEIGHT ||
         region.space == GMEM_SPACE_SHARED_WORK) &&
        region.size > 0 && gmem_lease_region(lease, i, &at) == GMEM_OK)
      gmem_resident_add(at, region.size, resident);
  gmem_lease_release(lease);
}

static uint32_t kept_count(const gmem_run_options_t *options) {
  enum { KEPT = 16 };
  uint64_t limit = options->image.limit;
  limit = limit == UINT64_MAX ? KEPT : limit;
  return limit < options->requests ? (uint32_t)limit : options->requests;
}

static gmem_status_t run_on_pool(shared_t *shared) {
  const gmem_stress_t *stress = shared->stress;
  const gmem_run_options_t *options = stress->options;
  gmem_stress_result_t *result = shared->result;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_mapped_plan_pool(
      stress->memory, gmem_run_slots(options), options->image.max_slots,
      shared->pool_flags, &shared->pool, &diag);
  GMEM_TRY(gmem_tool_check(status, &diag, "%s: cannot map the slots",
                           options->path));
  GMEM_TRY(run_threads(shared));
  gmem_pool_stats(shared->pool, &result->pool);
  measure_shared(shared->pool, stress->memory->plan, &result->shared);
  return GMEM_OK;
}

gmem_status_t gmem_stress_run(const gmem_stress_t *stress, uint32_t pool_flags,
                              gmem_stress_result_t *out_result) {
  shared_t shared = {
      .stress = stress, .result = out_result, .pool_flags = pool_flags};
  out_result->kept_count = kept_count(stress->options);
  out_result->kept =
      calloc(out_result->kept_count + (size_t)1, sizeof *out_result->kept);
  if (!out_result->kept || pthread_mutex_init(&shared.lock, NULL) != 0)
    return gmem_tool_error("out of memory");
  gmem_status_t status = run_on_pool(&shared);
  gmem_pool_release(shared.pool);
  pthread_mutex_destroy(&shared.lock);
  return status;
}

void gmem_stress_result_free(gmem_stress_result_t *result) {
  free(result->kept);
  *result = (gmem_stress_result_t){0};
}
