// simulate.h - requests to a plan without its network: every buffer is written
// when its life begins and read when it ends. What lies around it is written
// over both times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SIMULATE_H_
#define GMEM_TOOLS_SIMULATE_H_

#include "gmem/runtime.h"

typedef enum gmem_visit_kind_e {
  GMEM_VISIT_READ,   // the value was made at a step before
  GMEM_VISIT_WRITE,  // a life begins
  GMEM_VISIT_REREAD, // the value was made at this step
} gmem_visit_kind_t;

// What a step does to a buffer.
typedef struct gmem_visit_s {
  gmem_op_t step;
  gmem_buffer_t buffer;
  gmem_visit_kind_t kind;
} gmem_visit_t;

// What all requests to a plan do. Immutable; the plan must outlive it.
typedef struct gmem_simulation_s {
  const gmem_plan_t *plan;
  gmem_visit_t *visits; // sorted: by step, then kind, then buffer
  size_t visit_count;
} gmem_simulation_t;

// Returns false when there is no memory. gmem_simulation_destroy in any case.
bool gmem_simulation_create(const gmem_plan_t *plan,
                            gmem_simulation_t *out_simulation);
void gmem_simulation_destroy(gmem_simulation_t *simulation);

enum { GMEM_SIMULATED_TEXT = 512 };

// A wrong write, once: |offset| bytes from the start of |buffer|, when |step|
// is over. For showing that checks notice it.
typedef struct gmem_fault_s {
  gmem_op_t step; // GMEM_NONE: there is no fault
  gmem_buffer_t buffer;
  uint64_t offset;
} gmem_fault_t;

// One thread's requests. What comes out depends on plan, weights and seed only.
typedef struct gmem_simulated_s {
  uint64_t *seeds; // by buffer: of the value it holds
  uint8_t **hosts; // by buffer: where it is in this lease
  uint64_t sum;    // of the last request: all that was read, in its order
  char problem[GMEM_SIMULATED_TEXT]; // "" or what went wrong in it
} gmem_simulated_t;

// Returns false when there is no memory. gmem_simulated_destroy in any case.
bool gmem_simulated_create(const gmem_simulation_t *simulation,
                           gmem_simulated_t *out_simulated);
void gmem_simulated_destroy(gmem_simulated_t *simulated);

// Whether all that a request can write is zero at the start of |lease|.
bool gmem_simulated_is_zero(const gmem_simulation_t *simulation,
                            gmem_simulated_t *simulated,
                            const gmem_lease_t *lease);

// Runs one request on |lease|. Inputs are made of |seed|; every other value of
// that and of all that was read before; a value that is not found as it was
// written is a problem. Of weights, one word per page is read. Returns whether
// there was no problem.
bool gmem_simulated_run(const gmem_simulation_t *simulation,
                        gmem_simulated_t *simulated, gmem_lease_t *lease,
                        uint64_t seed, const gmem_fault_t *fault);

#endif // GMEM_TOOLS_SIMULATE_H_
