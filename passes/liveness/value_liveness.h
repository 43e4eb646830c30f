// value_liveness.h - at which steps each value is live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VALUE_LIVENESS_H_
#define GMEM_PASSES_VALUE_LIVENESS_H_

#include "control_flow.h"
#include "gmem/planner.h"
#include "program.h"
#include "uses.h"

// Called with all own ranges of |live_values| set: of what each value itself is
// used for. What is seen through views is added after it.
typedef gmem_status_t (*gmem_own_liveness_fn)(void *user);

typedef enum gmem_storage_e {
  GMEM_STORAGE_TENSOR,    // global memory for as long as it lives
  GMEM_STORAGE_WEIGHT,    // constant memory
  GMEM_STORAGE_LOCAL,     // inside a layer group: no global memory
  GMEM_STORAGE_HOST,      // what a network input is read from
  GMEM_STORAGE_NONE,      // its op's model says that it needs none
  GMEM_STORAGE_UNPLANNED, // left alone; gmem_liveness_report says why
} gmem_storage_t;

struct gmem_live_value_s {
  gmem_storage_t storage;
  uint32_t root; // value that stands for its class; itself if alone
  const gmem_live_range_t *ranges; // of this value alone, in its own function,
  size_t range_count;              //   sorted and joined; none without memory
  uint64_t uses;       // operands that are it; a reshape does not touch it
  bool input, output;  // of an entry function
  bool overtaken;      // what one iteration makes may be read as late as in the
                       //   next, which makes it again: there is no one place
  bool is_loop_hazard; // the same, because of a stream (loop_hazards.h), of it
                       // or
                       //   of a view of it
  bool is_escaping;    // a handle of it may go anywhere
  bool is_written;     // an op changes its contents where they are
};

typedef struct gmem_live_value_s gmem_live_value_t;

// Sets the ranges of all |live_values| that have memory, or are views of such,
// from the other fields. |own_found| is called in between, with |user|.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY, or as |own_found|
// does.
gmem_status_t gmem_value_liveness_find(
    const gmem_program_t *program, const gmem_control_flow_t *flow,
    const gmem_uses_t *uses, bool keep_inputs, gmem_own_liveness_fn own_found,
    void *user, gmem_live_value_t *live_values, gmem_bump_t *arena,
    gmem_diag_t *diag);

// Whether two values of which one is the other (a reshape and its operand, an
// argument and what is passed for it) can be one piece of memory: both are
// planned and of one size.
bool gmem_is_same_memory(const gmem_program_t *program,
                         const gmem_live_value_t *live_values, uint32_t left,
                         uint32_t right);

// Whether the value has global memory.
static inline bool gmem_live_value_is_planned(const gmem_live_value_t *live) {
  return live->storage == GMEM_STORAGE_TENSOR ||
         live->storage == GMEM_STORAGE_WEIGHT;
}

#endif // GMEM_PASSES_VALUE_LIVENESS_H_
