// value_liveness.h - live ranges of single values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VALUE_LIVENESS_H_
#define GMEM_PASSES_VALUE_LIVENESS_H_

#include "program_facts.h"

typedef enum gmem_storage_e {
  GMEM_STORAGE_TENSOR,    // memory while it is live
  GMEM_STORAGE_WEIGHT,    // constant memory
  GMEM_STORAGE_LOCAL,     // internal to a layer group: no global memory
  GMEM_STORAGE_HOST,      // host memory that a network input is read from
  GMEM_STORAGE_NONE,      // the model of its op declares that it needs none
  GMEM_STORAGE_UNPLANNED, // not planned; see liveness_report.h
} gmem_storage_t;

typedef struct gmem_live_value_s {
  // Of this value alone, in the steps of its own function: sorted, disjoint;
  // none if it needs no memory.
  const gmem_live_range_t *ranges;
  uint32_t range_count;
  uint32_t root; // representative of its alias set; itself if alone
  uint32_t uses; // operands that are this value; those of reshapes do not count
  gmem_storage_t storage : 8;
  bool input : 1, output : 1; // of an entry function
  bool is_loop_carried : 1;   // a use may execute after the next iteration
                              // redefines the value, so it cannot have a fixed
                              // address
  bool is_loop_hazard : 1;    // the same because of a stream (streams.h), for
                              // it or for a view of it
  bool is_passed_on : 1;      // control flow passes a handle to its memory on
  bool is_outlived : 1;       // so that one may be in use when the value is
                              // defined again: it cannot have a fixed address
  bool is_held : 1;           // gmem.hold may keep it, or a view or list of it,
                              // from an earlier round of a loop
  bool leaves_group : 1;      // ops that are not in its flat layer group use it
                              // or a handle to its memory
  bool is_escaping : 1;       // a handle to its memory escapes
  bool is_written : 1;        // an op modifies the contents in place
  bool is_changed : 1;        // or a callee does, perhaps in a copy
} gmem_live_value_t;

// Sets the ranges of all |live_values| that have memory, or are views of values
// that do, to those of their direct uses. With |keep_inputs|, inputs stay live
// until their function returns. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_direct_ranges(const gmem_program_facts_t *facts,
                                      bool keep_inputs, gmem_bump_t *arena,
                                      gmem_live_value_t *live_values,
                                      gmem_diag_t *diag);

// Adds to the ranges of values those of their views without planned memory of
// their own, and whether these are outputs or escape. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_add_view_ranges(const gmem_program_facts_t *facts,
                                   gmem_bump_t *arena,
                                   gmem_live_value_t *live_values,
                                   gmem_diag_t *diag);

// Whether two values that denote the same data (a reshape and its operand, an
// argument and the operand passed for it) can occupy the same memory: both are
// planned and have the same size.
bool gmem_is_same_memory(const gmem_program_t *program,
                         const gmem_live_value_t *live_values, uint32_t left,
                         uint32_t right);

// Whether the value has planned memory.
static inline bool gmem_live_value_is_planned(const gmem_live_value_t *live) {
  return live->storage == GMEM_STORAGE_TENSOR ||
         live->storage == GMEM_STORAGE_WEIGHT;
}

#endif // GMEM_PASSES_VALUE_LIVENESS_H_
