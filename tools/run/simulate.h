// simulate.h - simulates requests to a plan without its network: every buffer
// is written at the start of its live range and read at the end. Its padding is
// overwritten both times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SIMULATE_H_
#define GMEM_TOOLS_SIMULATE_H_

#include "mapped_plan.h"

typedef enum gmem_visit_kind_e {
  GMEM_VISIT_READ,   // reads a value written at an earlier step
  GMEM_VISIT_WRITE,  // starts a live range
  GMEM_VISIT_REREAD, // reads a value written at this step
} gmem_visit_kind_t;

// The access of a step to a buffer.
typedef struct gmem_visit_s {
  gmem_op_t step;
  gmem_buffer_t buffer;
  gmem_visit_kind_t kind;
} gmem_visit_t;

// The accesses of a request. Immutable, hence thread-safe; the plan must
// outlive it.
typedef struct gmem_simulation_s {
  const gmem_plan_t *plan;
  gmem_visit_t *visits; // sorted: by step, then kind, then buffer
  size_t visit_count;
} gmem_simulation_t;

// Returns false if out of memory. Call gmem_simulation_destroy in any case.
bool gmem_simulation_create(const gmem_plan_t *plan,
                            gmem_simulation_t *out_simulation);
void gmem_simulation_destroy(gmem_simulation_t *simulation);

enum { GMEM_SIMULATED_TEXT = 512 };

// One wrong write, |offset| bytes from the start of |buffer|, after |step|; for
// testing that checks detect it.
typedef struct gmem_fault_s {
  gmem_op_t step; // GMEM_NONE: no fault
  gmem_buffer_t buffer;
  uint64_t offset;
} gmem_fault_t;

// The state of requests on one thread. Results depend only on plan, weights and
// seed.
typedef struct gmem_simulated_s {
  const gmem_simulation_t *simulation;
  uint64_t *seeds; // by buffer: seed of its value
  uint8_t **hosts; // by buffer: address in this lease
  uint64_t sum;    // checksum of all reads of the last request, in order
  char problem[GMEM_SIMULATED_TEXT]; // error of the last request, or ""
} gmem_simulated_t;

// Returns false if out of memory. Call gmem_simulated_destroy in any case.
bool gmem_simulated_create(const gmem_simulation_t *simulation,
                           gmem_simulated_t *out_simulated);
void gmem_simulated_destroy(gmem_simulated_t *simulated);

// Whether all writable memory is zero at the start of |lease|.
bool gmem_simulated_is_zero(gmem_simulated_t *simulated,
                            const gmem_lease_t *lease);

// Runs one request on |lease|. Inputs are derived from |seed|, every other
// value from |seed| and all preceding reads. Reads one word per page of
// weights. Returns false, with a message in |problem|, if a read differs from
// what was written.
bool gmem_simulated_run(gmem_simulated_t *simulated, gmem_lease_t *lease,
                        uint64_t seed, const gmem_fault_t *fault);

#endif // GMEM_TOOLS_SIMULATE_H_
