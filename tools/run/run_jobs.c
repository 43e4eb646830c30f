// run_jobs.c - runs requests to one or two programs on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "run_inputs.h"
#include "run_messages.h"

// Returns free heap memory to the OS: pages left over from compiling would
// otherwise favour the program that allocates.
static void trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// State shared by the threads.
typedef struct workers_s {
  gmem_jobs_t *jobs;
  atomic_uint next; // next request to start
} workers_t;

// Runs a program once and records its times and page faults.
static void run_once(gmem_jobs_t *jobs, gmem_job_t *job, uint32_t program,
                     uint32_t repeat, const gmem_inputs_t *inputs,
                     gmem_jit_heap_t *heap, gmem_result_t *result) {
  gmem_request_options_t options = {.seconds = jobs->limit};
  if (program == 0 && repeat == 0 && job == jobs->jobs)
    options.save = jobs->options->save;
  gmem_request_run(jobs->programs[program], inputs, heap, &options, result);
  job->seconds[program][repeat] = result->seconds;
  job->seconds[program][jobs->repeats + repeat] = result->cpu_seconds;
  job->faults[program] += result->faults;
}

static void keep(gmem_job_t *job, uint32_t program, uint32_t repeat,
                 gmem_result_t *result) {
  job->last[program] = *result;
  job->last[program].outputs = NULL;
  job->last[program].output_count = 0;
  // A failed run replaces a successful first run.
  if (repeat == 0 || (result->failed && !job->first[program].failed)) {
    gmem_result_destroy(&job->first[program]);
    job->first[program] = *result;
  } else {
    gmem_result_destroy(result);
  }
}

static void run_job(gmem_jobs_t *jobs, uint32_t request,
                    gmem_jit_heap_t *heap) {
  const gmem_run_options_t *options = jobs->options;
  gmem_job_t *job = &jobs->jobs[request];
  gmem_run_arguments_t given = {options->inputs, options->shapes,
                                options->input_count, options->shape_count};
  gmem_inputs_t inputs;
  // All programs have the same inputs; only their arenas differ.
  job->code = gmem_inputs_create(
      &jobs->programs[0]->signature, &given,
      options->same_inputs ? options->seed : options->seed + request, &inputs);
  for (uint32_t r = 0; r < jobs->repeats && job->code == 0; ++r) {
    gmem_result_t results[GMEM_RUN_PROGRAMS];
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      run_once(jobs, job, p, r, &inputs, heap, &results[p]);
    if (jobs->program_count == 2)
      job->unequal += !gmem_results_equal(&results[0], &results[1]);
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      keep(job, p, r, &results[p]);
  }
  gmem_inputs_destroy(&inputs);
}

static void *work(void *user) {
  workers_t *workers = user;
  gmem_jit_heap_t heap = {0};
  void *stack = gmem_guard_begin();
  uint32_t count = workers->jobs->options->requests;
  for (uint32_t i = atomic_fetch_add(&workers->next, 1); i < count;
       i = atomic_fetch_add(&workers->next, 1))
    run_job(workers->jobs, i, &heap);
  gmem_guard_end(stack);
  gmem_jit_heap_destroy(&heap);
  return NULL;
}

static int run_threads(workers_t *workers, uint32_t count) {
  pthread_t *threads = calloc(count, sizeof *threads);
  uint32_t started = 0;
  if (!threads)
    return gmem_run_error("out of memory");
  while (started < count &&
         pthread_create(&threads[started], NULL, work, workers) == 0)
    ++started;
  if (started < count) // stops the started threads
    atomic_store(&workers->next, workers->jobs->options->requests);
  for (uint32_t i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
  free(threads);
  return started == count ? 0
                          : gmem_run_error("cannot start %u threads", count);
}

static int allocate(gmem_jobs_t *jobs) {
  uint32_t count = jobs->options->requests;
  jobs->jobs = calloc(count, sizeof *jobs->jobs);
  if (!jobs->jobs)
    return gmem_run_error("out of memory");
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      if (!(jobs->jobs[i].seconds[p] =
                calloc(jobs->repeats, 2 * sizeof(double))))
        return gmem_run_error("out of memory");
  return 0;
}

int gmem_jobs_run(gmem_jobs_t *jobs) {
  workers_t workers = {.jobs = jobs};
  atomic_init(&workers.next, 0);
  int code = allocate(jobs);
  if (code)
    return code;
  trim_heap();
  if (jobs->options->threads == 1)
    work(&workers);
  else
    code = run_threads(&workers, jobs->options->threads);
  for (uint32_t i = 0; i < jobs->options->requests && code == 0; ++i)
    code = jobs->jobs[i].code;
  return code;
}

void gmem_jobs_destroy(gmem_jobs_t *jobs) {
  for (uint32_t i = 0; jobs->jobs && i < jobs->options->requests; ++i)
    for (uint32_t p = 0; p < GMEM_RUN_PROGRAMS; ++p) {
      gmem_result_destroy(&jobs->jobs[i].first[p]);
      free(jobs->jobs[i].seconds[p]);
    }
  free(jobs->jobs);
  jobs->jobs = NULL;
}
