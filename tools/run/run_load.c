// run_load.c - stress test: simulated requests to one pool on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_load.h"

#include <assert.h>
#include <inttypes.h>
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

typedef struct worker_s worker_t;

// A run on one pool.
typedef struct run_s {
  const gmem_stress_t *stress;
  uint32_t pool_flags;
  gmem_pool_t *pool;
  worker_t *workers; // by thread
} run_t;

// One thread.
struct worker_s {
  const run_t *run;
  gmem_simulated_t simulated;
  import_t *imports;
  gmem_stress_result_t result; // of its requests; shares |kept| with all others
};

//===--- one request ------------------------------------------------------===//

static bool set_problem(worker_t *worker, const char *what, const char *why) {
  snprintf(worker->simulated.problem, sizeof worker->simulated.problem,
           "%s: %s", what, why);
  return false;
}

static bool import_buffers(worker_t *worker, gmem_lease_t *lease) {
  for (uint32_t i = 0; i < worker->run->stress->import_count; ++i) {
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
  for (uint32_t i = 0; i < worker->run->stress->import_count; ++i)
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
  if ((worker->run->pool_flags & (zero | GMEM_POOL_CHECK)) == zero &&
      !gmem_simulated_is_zero(simulated, lease))
    return false;
  if (!import_buffers(worker, lease) ||
      !gmem_simulated_run(simulated, lease, seed, NULL) ||
      !check_imports(worker))
    return false;
  return gmem_lease_check(lease, &diag) == GMEM_OK ||
         set_problem(worker, "life check", diag.text);
}

// Runs a request and returns how it ended.
static gmem_request_end_t run_request(worker_t *worker, uint32_t request) {
  const gmem_run_options_t *options = worker->run->stress->options;
  assert(request < options->requests);
  uint64_t limit = options->image.timeout_ms;
  int64_t timeout = limit == GMEM_RUN_NO_TIMEOUT ? GMEM_WAIT_FOREVER
                                                 : (int64_t)limit * 1000000;
  gmem_lease_t *lease;
  gmem_status_t status =
      gmem_lease_acquire(worker->run->pool, GMEM_NONE, NULL, timeout, &lease);
  if (status == GMEM_ERR_TIMEOUT)
    return GMEM_REQUEST_TIMED_OUT;
  bool good = status == GMEM_OK
                  ? use_lease(worker, lease, options->seed + request)
                  : set_problem(worker, "cannot acquire a slot",
                                gmem_status_name(status));
  gmem_lease_release(lease);
  // The total must not depend on the order in which requests complete.
  worker->result.total += worker->simulated.sum * (2 * (uint64_t)request + 1);
  return good ? GMEM_REQUEST_DONE : GMEM_REQUEST_FAILED;
}

static void note(worker_t *worker, uint32_t request, gmem_request_end_t end) {
  gmem_stress_result_t *result = &worker->result;
  if (request < result->kept_count)
    result->kept[request] = (gmem_kept_request_t){worker->simulated.sum, end};
  if (++result->ended[end] == 1 && end == GMEM_REQUEST_FAILED) {
    result->problem_request = request;
    memcpy(result->problem, worker->simulated.problem, sizeof result->problem);
  }
}

static void work(gmem_workers_t *workers, void *state) {
  worker_t *worker = state;
  for (uint32_t i; gmem_workers_next(workers, &i);) {
    uint64_t begin = gmem_nanoseconds();
    gmem_request_end_t end = run_request(worker, i);
    gmem_latency_add(&worker->result.latency, gmem_nanoseconds() - begin);
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

static bool create_worker(const run_t *run, const gmem_stress_result_t *result,
                          worker_t *worker) {
  const gmem_stress_t *stress = run->stress;
  worker->run = run;
  worker->result.kept = result->kept;
  worker->result.kept_count = result->kept_count;
  worker->imports = calloc(stress->import_count + (size_t)1, sizeof(import_t));
  bool good = worker->imports &&
              gmem_simulated_create(&stress->simulation, &worker->simulated);
  for (uint32_t i = 0; i < stress->import_count && good; ++i)
    good = create_import(stress->memory->plan, stress->imports[i],
                         &worker->imports[i]);
  return good;
}

static void destroy_worker(worker_t *worker, uint32_t import_count) {
  for (uint32_t i = 0; worker->imports && i < import_count; ++i)
    free(worker->imports[i].bytes);
  free(worker->imports);
  gmem_simulated_destroy(&worker->simulated);
}

static void add_up(const gmem_stress_result_t *from,
                   gmem_stress_result_t *result) {
  if (from->ended[GMEM_REQUEST_FAILED] &&
      (!result->ended[GMEM_REQUEST_FAILED] ||
       from->problem_request < result->problem_request)) {
    result->problem_request = from->problem_request;
    memcpy(result->problem, from->problem, sizeof result->problem);
  }
  result->total += from->total;
  for (int end = 0; end < GMEM_REQUEST_ENDS; ++end)
    result->ended[end] += from->ended[end];
  gmem_latency_merge(&result->latency, &from->latency);
}

static gmem_status_t run_threads(run_t *run, gmem_stress_result_t *result) {
  const gmem_run_options_t *options = run->stress->options;
  gmem_workers_t workers = {.threads = options->threads,
                            .requests = options->requests,
                            .work = work,
                            .states = run->workers,
                            .state_size = sizeof *run->workers};
  for (uint32_t i = 0; i < workers.threads; ++i)
    if (!create_worker(run, result, &run->workers[i]))
      return gmem_tool_error("out of memory");
  uint64_t faults = gmem_page_faults(false), begin = gmem_nanoseconds();
  GMEM_TRY(gmem_workers_run(&workers));
  result->seconds = (double)(gmem_nanoseconds() - begin) / 1e9;
  result->page_faults = gmem_page_faults(false) - faults;
  result->begun = gmem_workers_begun(&workers);
  if (result->kept_count > result->begun)
    result->kept_count = result->begun;
  for (uint32_t i = 0; i < workers.threads; ++i)
    add_up(&run->workers[i].result, result);
  return GMEM_OK;
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

static gmem_status_t run_all(run_t *run, gmem_stress_result_t *result) {
  const gmem_stress_t *stress = run->stress;
  const gmem_run_options_t *options = stress->options;
  gmem_diag_t diag = {0};
  result->kept_count = kept_count(options);
  result->kept = calloc(result->kept_count + (size_t)1, sizeof *result->kept);
  run->workers = calloc(options->threads, sizeof *run->workers);
  if (!result->kept || !run->workers)
    return gmem_tool_error("out of memory");
  gmem_status_t status = gmem_mapped_plan_pool(
      stress->memory, gmem_run_slots(options), options->image.max_slots,
      run->pool_flags, &run->pool, &diag);
  GMEM_TRY(gmem_tool_check(status, &diag, "%s: cannot map the slots",
                           options->path));
  GMEM_TRY(run_threads(run, result));
  gmem_pool_stats(run->pool, &result->pool);
  measure_shared(run->pool, stress->memory->plan, &result->shared);
  return GMEM_OK;
}

gmem_status_t gmem_stress_run(const gmem_stress_t *stress, uint32_t pool_flags,
                              gmem_stress_result_t *out_result) {
  run_t run = {.stress = stress, .pool_flags = pool_flags};
  gmem_status_t status = run_all(&run, out_result);
  for (uint32_t i = 0; run.workers && i < stress->options->threads; ++i)
    destroy_worker(&run.workers[i], stress->import_count);
  free(run.workers);
  gmem_pool_release(run.pool);
  return status;
}

void gmem_stress_result_free(gmem_stress_result_t *result) {
  free(result->kept);
  *result = (gmem_stress_result_t){0};
}
