// run_jobs.c - runs requests to one or two programs on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_jobs.h"

#include <assert.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "messages.h"
#include "workers.h"

// Returns free heap memory to the OS: pages left over from compiling would
// otherwise favour the program that allocates.
static void trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Runs a program once and records its times and page faults.
static void run_once(const gmem_jobs_t *jobs, gmem_job_t *job, uint32_t program,
                     uint32_t repeat, const gmem_request_t *request,
                     gmem_result_t *result) {
  gmem_request_t own = *request;
  if (program == 0 && repeat == 0 && job == jobs->jobs)
    own.save = jobs->options->program.save;
  gmem_request_run(jobs->programs[program], &own, result);
  job->seconds[program][repeat] = result->seconds;
  job->seconds[program][jobs->repeats + repeat] = result->cpu_seconds;
  job->faults[program] += result->faults;
}

static void keep(gmem_job_t *job, uint32_t program, uint32_t repeat,
                 gmem_result_t *result) {
  assert(repeat > 0 || !job->first[program].outputs);
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

static void run_job(const gmem_jobs_t *jobs, uint32_t number,
                    gmem_jit_heap_t *heap) {
  const gmem_run_options_t *options = jobs->options;
  gmem_job_t *job = &jobs->jobs[number];
  uint64_t seed = options->seed + (options->program.same_inputs ? 0 : number);
  gmem_inputs_t inputs;
  gmem_request_t request = {
      .inputs = &inputs, .heap = heap, .seconds = jobs->limit};
  // All programs have the same inputs; only their arenas differ.
  job->status = gmem_inputs_create(&jobs->programs[0]->signature,
                                   &options->program, seed, &inputs);
  for (uint32_t r = 0; r < jobs->repeats && job->status == GMEM_OK; ++r) {
    gmem_result_t results[GMEM_RUN_PROGRAMS];
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      run_once(jobs, job, p, r, &request, &results[p]);
    if (jobs->program_count == 2)
      job->unequal += !gmem_results_equal(&results[0], &results[1]);
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      keep(job, p, r, &results[p]);
  }
  gmem_inputs_destroy(&inputs);
}

static void work(gmem_workers_t *workers, void *jobs) {
  gmem_jit_heap_t heap = {0};
  void *stack = gmem_guard_begin();
  for (uint32_t i; gmem_workers_next(workers, &i);)
    run_job(jobs, i, &heap);
  gmem_guard_end(stack);
  gmem_jit_heap_destroy(&heap);
}

static void allocate(gmem_jobs_t *jobs) {
  uint32_t count = jobs->options->requests;
  jobs->jobs = gmem_need(calloc(count, sizeof *jobs->jobs));
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      jobs->jobs[i].seconds[p] =
          gmem_need(calloc(jobs->repeats, 2 * sizeof(double)));
}

gmem_status_t gmem_jobs_run(gmem_jobs_t *jobs) {
  gmem_workers_t workers = {.threads = jobs->options->threads,
                            .requests = jobs->options->requests,
                            .work = work,
                            .states = jobs};
  allocate(jobs);
  trim_heap();
  GMEM_TRY(gmem_workers_run(&workers));
  for (uint32_t i = 0; i < jobs->options->requests; ++i)
    GMEM_TRY(jobs->jobs[i].status);
  return GMEM_OK;
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
