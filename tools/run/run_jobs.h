// run_jobs.h - runs requests to one or two programs on several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_JOBS_H_
#define GMEM_TOOLS_RUN_JOBS_H_

#include "run_request.h"

enum { GMEM_RUN_PROGRAMS = 2 };

// The results of one request.
typedef struct gmem_job_s {
  gmem_result_t first[GMEM_RUN_PROGRAMS]; // first run, by program
  gmem_result_t last[GMEM_RUN_PROGRAMS];  // last run, without outputs
  double *seconds[GMEM_RUN_PROGRAMS];     // wall times of all runs, then
                                          //   CPU times
  uint64_t faults[GMEM_RUN_PROGRAMS];     // page faults, sum of all runs
  uint32_t unequal;     // runs in which the results of the programs differ
  gmem_status_t status; // of creating the inputs
} gmem_job_t;

typedef struct gmem_jobs_s {
  const gmem_compiled_program_t *programs[GMEM_RUN_PROGRAMS];
  uint32_t program_count; // two programs are compared with each other
  const gmem_run_options_t *options;
  uint32_t repeats;
  unsigned limit;   // seconds per run; 0: no limit
  gmem_job_t *jobs; // by request
} gmem_jobs_t;

// Runs every request |repeats| times on each program, alternating. Results do
// not depend on the number of threads. Prints a message on failure; failures of
// the programs are recorded in the results. Call gmem_jobs_destroy in any case.
gmem_status_t gmem_jobs_run(gmem_jobs_t *jobs);
void gmem_jobs_destroy(gmem_jobs_t *jobs);

#endif // GMEM_TOOLS_RUN_JOBS_H_
