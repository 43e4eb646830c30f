// run_load.h - stress test of a plan image with simulated requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_LOAD_H_
#define GMEM_TOOLS_RUN_LOAD_H_

#include "latency.h"
#include "resident.h"
#include "run_modes.h"
#include "simulate.h"

typedef enum gmem_request_end_e {
  GMEM_REQUEST_DONE,
  GMEM_REQUEST_TIMED_OUT, // no slot became free in time
  GMEM_REQUEST_FAILED,
  GMEM_REQUEST_ENDS,
} gmem_request_end_t;

typedef struct gmem_kept_request_s {
  uint64_t sum;
  gmem_request_end_t end;
} gmem_kept_request_t;

// The results of a stress test. Zero-initialise.
typedef struct gmem_stress_result_s {
  gmem_kept_request_t *kept; // the first requests
  uint32_t kept_count;
  uint32_t begun; // requests started; fewer than requested if interrupted
  uint64_t total; // checksum of all requests, independent of their order
  uint64_t ended[GMEM_REQUEST_ENDS]; // requests, by their end
  double seconds;
  gmem_latency_t latency; // from acquiring to releasing the lease
  gmem_pool_stats_t pool;
  gmem_resident_t shared; // weights and shared work
  uint64_t page_faults;
  uint32_t problem_request;
  char problem[GMEM_SIMULATED_TEXT]; // of the first request that failed
} gmem_stress_result_t;

// The configuration of a stress test.
typedef struct gmem_stress_s {
  const gmem_run_options_t *options;
  gmem_mapped_plan_t *memory; // without a pool
  gmem_simulation_t simulation;
  gmem_buffer_t *imports; // buffers in imported memory
  uint32_t import_count;
  uint32_t digest_count; // weights with a digest
} gmem_stress_t;

// Creates a pool with |pool_flags| and runs all requests on it. Prints a
// message on failure. Failed requests are only counted.
gmem_status_t gmem_stress_run(const gmem_stress_t *stress, uint32_t pool_flags,
                              gmem_stress_result_t *out_result);
void gmem_stress_result_free(gmem_stress_result_t *result);

#endif // GMEM_TOOLS_RUN_LOAD_H_
