// run_load.c - stress test: simulated requests to one pool on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_load.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interrupt.h"
#include "run_messages.h"

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
  atomic_uint next; // next request to start
} shared_t;

// One thread.
typedef struct worker_s {
  shared_t *shared;
  pthread_t thread;
  gmem_simulated_t simulated;
  gmem_latency_t latency;
  import_t *imports;
  uint64_t total, done, timed_out, failed;
} worker_t;

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

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
      return set_problem(worker, "import rejected",
                         diag.text[0] ? diag.text : gmem_status_name(status));
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
  const gmem_stress_t *stress = worker->shared->stress;
  const uint32_t zero = GMEM_POOL_ZERO_ON_ACQUIRE;
  gmem_diag_t diag = {0};
  if ((worker->shared->pool_flags & (zero | GMEM_POOL_CHECK)) == zero &&
      !gmem_simulated_is_zero(&stress->simulation, &worker->simulated, lease))
    return false;
  if (!import_buffers(worker, lease) ||
      !gmem_simulated_run(&stress->simulation, &worker->simulated, lease, seed,
                          NULL) ||
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
  gmem_lease_t *lease;
  gmem_status_t status = gmem_lease_acquire(worker->shared->pool, GMEM_NONE,
                                            NULL, options->timeout_ns, &lease);
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

// Takes the next request; false if all were started or the run was interrupted.
static bool next_request(shared_t *shared, uint32_t *out_request) {
  if (gmem_interrupted())
    return false;
  *out_request = atomic_fetch_add(&shared->next, 1);
  return *out_request < shared->stress->options->requests;
}

static void *work(void *user) {
  worker_t *worker = user;
  shared_t *shared = worker->shared;
  for (uint32_t i; next_request(shared, &i);) {
    uint64_t begin = nanoseconds();
    gmem_request_end_t end = run_request(worker, i);
    gmem_latency_add(&worker->latency, nanoseconds() - begin);
    note(worker, i, end);
  }
  return NULL;
}

//===--- threads ----------------------------------------------------------===//

static bool create_import(const gmem_stress_t *stress, gmem_buffer_t id,
                          import_t *import) {
  gmem_buffer_info_t info;
  if (gmem_plan_buffer(stress->plan, id, &info) != GMEM_OK)
    return false;
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
    good = create_import(stress, stress->imports[i], &worker->imports[i]);
  return good;
}

static void destroy_worker(worker_t *worker) {
  for (uint32_t i = 0;
       worker->imports && i < worker->shared->stress->import_count; ++i)
    free(worker->imports[i].bytes);
  free(worker->imports);
  gmem_simulated_destroy(&worker->simulated);
}

static int start_and_join(shared_t *shared, worker_t *workers, uint32_t count) {
  uint32_t started = 0;
  while (started < count && pthread_create(&workers[started].thread, NULL, work,
                                           &workers[started]) == 0)
    ++started;
  if (started < count) // stops the started threads
    atomic_store(&shared->next, shared->stress->options->requests);
  for (uint32_t i = 0; i < started; ++i)
    pthread_join(workers[i].thread, NULL);
  return started == count
             ? 0
             : gmem_run_error("cannot start %" PRIu32 " threads", count);
}

static void add_up(const worker_t *worker, gmem_stress_result_t *result) {
  result->total += worker->total;
  result->done += worker->done;
  result->timed_out += worker->timed_out;
  result->failed += worker->failed;
  gmem_latency_merge(&result->latency, &worker->latency);
}

static void note_begun(shared_t *shared) {
  gmem_stress_result_t *result = shared->result;
  uint32_t begun =
      atomic_load(&shared->next); // overshoots by up to one per thread
  uint32_t requested = shared->stress->options->requests;
  result->begun = begun < requested ? begun : requested;
  if (result->kept_count > result->begun)
    result->kept_count = result->begun;
}

static int run_threads(shared_t *shared) {
  uint32_t count = shared->stress->options->threads;
  worker_t *workers = calloc(count, sizeof *workers);
  bool good = workers != NULL;
  for (uint32_t i = 0; i < count && workers; ++i)
    good = create_worker(shared, &workers[i]) && good;
  uint64_t faults = gmem_page_faults(), begin = nanoseconds();
  int code = good ? start_and_join(shared, workers, count)
                  : gmem_run_error("out of memory");
  shared->result->seconds = (double)(nanoseconds() - begin) / 1e9;
  shared->result->page_faults = gmem_page_faults() - faults;
  note_begun(shared);
  for (uint32_t i = 0; i < count && workers; ++i) {
    add_up(&workers[i], shared->result);
    destroy_worker(&workers[i]);
  }
  free(workers);
  return code;
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

static gmem_status_t create_pool(const gmem_stress_t *stress, uint32_t flags,
                                 gmem_pool_t **out_pool, gmem_diag_t *diag) {
  const gmem_run_options_t *run = stress->options;
  gmem_pool_options_t options = {
      .struct_size = sizeof options,
      .initial_slots = run->pool_slots ? run->pool_slots : run->threads,
      .max_slots = run->max_slots,
      .flags = flags};
  return gmem_pool_create(stress->model, &stress->provider, &options, NULL,
                          out_pool, diag);
}

static uint32_t kept_count(const gmem_run_options_t *options) {
  enum { KEPT = 16 };
  uint64_t limit = options->limit == UINT64_MAX ? KEPT : options->limit;
  return limit < options->requests ? (uint32_t)limit : options->requests;
}

int gmem_stress_run(const gmem_stress_t *stress, uint32_t pool_flags,
                    gmem_stress_result_t *out_result) {
  gmem_diag_t diag = {0};
  shared_t shared = {
      .stress = stress, .result = out_result, .pool_flags = pool_flags};
  atomic_init(&shared.next, 0);
  out_result->kept_count = kept_count(stress->options);
  out_result->kept =
      calloc(out_result->kept_count + (size_t)1, sizeof *out_result->kept);
  if (!out_result->kept || pthread_mutex_init(&shared.lock, NULL) != 0)
    return gmem_run_error("out of memory");
  gmem_status_t status = create_pool(stress, pool_flags, &shared.pool, &diag);
  int code = status == GMEM_OK
                 ? run_threads(&shared)
                 : gmem_run_error(
                       "%s: cannot map the slots: %s", stress->options->path,
                       diag.text[0] ? diag.text : gmem_status_name(status));
  if (status == GMEM_OK) {
    gmem_pool_stats(shared.pool, &out_result->pool);
    measure_shared(shared.pool, stress->plan, &out_result->shared);
  }
  gmem_pool_release(shared.pool);
  pthread_mutex_destroy(&shared.lock);
  return code;
}

void gmem_stress_result_free(gmem_stress_result_t *result) {
  free(result->kept);
  *result = (gmem_stress_result_t){0};
}
