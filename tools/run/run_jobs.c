// run_jobs.c - many requests to one or two programs, on many threads.
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

// What compiling has left in the heap would be a present to the program that
// allocates: its pages would be there already.
static void give_memory_back(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// What the threads share.
typedef struct crew_s {
  gmem_jobs_t *jobs;
  atomic_uint next; // request that nobody has begun
} crew_t;

// Runs a program once more; of all runs but the first only figures stay.
static void run_once(gmem_jobs_t *jobs, gmem_job_t *job, uint32_t program,
                     uint32_t repeat, const gmem_inputs_t *inputs,
                     gmem_jit_heap_t *heap, gmem_outcome_t *outcome) {
  gmem_run_manner_t manner = {.seconds = jobs->limit};
  if (program == 0 && repeat == 0 && job == jobs->jobs)
    manner.save = jobs->options->save;
  gmem_request_run(jobs->programs[program], inputs, heap, &manner, outcome);
  job->seconds[program][repeat] = outcome->seconds;
  job->seconds[program][jobs->repeats + repeat] = outcome->cpu_seconds;
  job->faults[program] += outcome->faults;
}

static void keep(gmem_job_t *job, uint32_t program, uint32_t repeat,
                 gmem_outcome_t *outcome) {
  job->last[program] = *outcome;
  job->last[program].outputs = NULL;
  job->last[program].output_count = 0;
  // A failure is worth more than a first run that went well.
  if (repeat == 0 || (outcome->failed && !job->first[program].failed)) {
    gmem_outcome_destroy(&job->first[program]);
    job->first[program] = *outcome;
  } else {
    gmem_outcome_destroy(outcome);
  }
}

static void run_job(gmem_jobs_t *jobs, uint32_t request,
                    gmem_jit_heap_t *heap) {
  const gmem_run_options_t *options = jobs->options;
  gmem_job_t *job = &jobs->jobs[request];
  gmem_givens_t givens = {options->inputs, options->shapes,
                          options->input_count, options->shape_count};
  gmem_inputs_t inputs;
  // The programs differ in arenas, not in inputs.
  job->code = gmem_inputs_create(
      &jobs->programs[0]->signature, &givens,
      options->same_inputs ? options->seed : options->seed + request, &inputs);
  for (uint32_t r = 0; r < jobs->repeats && job->code == 0; ++r) {
    gmem_outcome_t outcomes[GMEM_RUN_PROGRAMS];
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      run_once(jobs, job, p, r, &inputs, heap, &outcomes[p]);
    if (jobs->program_count == 2)
      job->unequal += !gmem_outcomes_equal(&outcomes[0], &outcomes[1]);
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      keep(job, p, r, &outcomes[p]);
  }
  gmem_inputs_destroy(&inputs);
}

static void *work(void *user) {
  crew_t *crew = user;
  gmem_jit_heap_t heap = {0};
  void *stack = gmem_guard_begin();
  uint32_t count = crew->jobs->options->requests;
  for (uint32_t i = atomic_fetch_add(&crew->next, 1); i < count;
       i = atomic_fetch_add(&crew->next, 1))
    run_job(crew->jobs, i, &heap);
  gmem_guard_end(stack);
  gmem_jit_heap_destroy(&heap);
  return NULL;
}

static int run_threads(crew_t *crew, uint32_t count) {
  pthread_t *threads = calloc(count, sizeof *threads);
  uint32_t started = 0;
  if (!threads)
    return gmem_run_error("out of memory");
  while (started < count &&
         pthread_create(&threads[started], NULL, work, crew) == 0)
    ++started;
  if (started < count) // the others do no more
    atomic_store(&crew->next, crew->jobs->options->requests);
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
  crew_t crew = {.jobs = jobs};
  atomic_init(&crew.next, 0);
  int code = allocate(jobs);
  if (code)
    return code;
  give_memory_back();
  if (jobs->options->threads == 1)
    work(&crew);
  else
    code = run_threads(&crew, jobs->options->threads);
  for (uint32_t i = 0; i < jobs->options->requests && code == 0; ++i)
    code = jobs->jobs[i].code;
  return code;
}

void gmem_jobs_destroy(gmem_jobs_t *jobs) {
  for (uint32_t i = 0; jobs->jobs && i < jobs->options->requests; ++i)
    for (uint32_t p = 0; p < GMEM_RUN_PROGRAMS; ++p) {
      gmem_outcome_destroy(&jobs->jobs[i].first[p]);
      free(jobs->jobs[i].seconds[p]);
    }
  free(jobs->jobs);
  jobs->jobs = NULL;
}
