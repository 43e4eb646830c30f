// run_jobs.h - many requests to one or two programs, on many threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_JOBS_H_
#define GMEM_TOOLS_RUN_JOBS_H_

#include "run_request.h"

enum { GMEM_RUN_PROGRAMS = 2 };

// What became of one request.
typedef struct gmem_job_s {
  gmem_outcome_t first[GMEM_RUN_PROGRAMS]; // by program: its first run
  gmem_outcome_t last[GMEM_RUN_PROGRAMS];  // figures of its last; no outputs
  double *seconds[GMEM_RUN_PROGRAMS];      // of every run, then those of the
                                           //   processor
  uint64_t faults[GMEM_RUN_PROGRAMS];      // of pages, in all runs
  uint32_t unequal; // runs in which the programs did not do the same
  int code;         // of making its inputs
} gmem_job_t;

typedef struct gmem_jobs_s {
  const gmem_compiled_program_t *programs[GMEM_RUN_PROGRAMS];
  uint32_t program_count; // those are compared with each other
  const gmem_run_options_t *options;
  uint32_t repeats;
  unsigned limit;   // seconds that a run may take; 0: any
  gmem_job_t *jobs; // one per request, in their order
} gmem_jobs_t;

// Runs every request |repeats| times on every program, in turn. Results do not
// depend on the number of threads. Returns 0 or an exit code with a message;
// that a program fails is in the outcomes. gmem_jobs_destroy in any case.
int gmem_jobs_run(gmem_jobs_t *jobs);
void gmem_jobs_destroy(gmem_jobs_t *jobs);

#endif // GMEM_TOOLS_RUN_JOBS_H_
