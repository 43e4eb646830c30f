// run_load.h - many simulated requests to the plan of an image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_LOAD_H_
#define GMEM_TOOLS_RUN_LOAD_H_

#include "latency.h"
#include "resident.h"
#include "run_modes.h"
#include "simulate.h"

typedef enum gmem_request_end_e {
  GMEM_REQUEST_DONE,
  GMEM_REQUEST_TIMED_OUT, // got no slot
  GMEM_REQUEST_FAILED,
} gmem_request_end_t;

typedef struct gmem_kept_request_s {
  uint64_t sum;
  gmem_request_end_t end;
} gmem_kept_request_t;

// How the requests to one pool went. Zero-initialise.
typedef struct gmem_load_result_s {
  gmem_kept_request_t *kept; // the first ones
  uint32_t kept_count;
  uint32_t begun; // fewer than wanted when somebody has interrupted the run
  uint64_t total; // of all sums, in any order
  uint64_t done, timed_out, failed;
  double seconds;
  gmem_latency_t latency; // from asking for a slot to giving it back
  gmem_pool_stats_t pool;
  gmem_resident_t shared; // memory of weights and shared work
  uint64_t page_faults;
  uint32_t problem_request;
  char problem[GMEM_SIMULATED_TEXT]; // of the first request that failed
} gmem_load_result_t;

// What one run of requests needs.
typedef struct gmem_load_s {
  const gmem_run_options_t *options;
  gmem_plan_t *plan;
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_simulation_t simulation;
  const gmem_buffer_t *imports; // buffers that get memory of the tool's own
  uint32_t import_count;
} gmem_load_t;

// Makes a pool with |pool_flags| and runs all requests on it. Returns 0, or an
// exit code with a message. Requests that fail are counted, and are no reason
// for such a code.
int gmem_load_run(const gmem_load_t *load, uint32_t pool_flags,
                  gmem_load_result_t *out_result);
void gmem_load_result_free(gmem_load_result_t *result);

#endif // GMEM_TOOLS_RUN_LOAD_H_
