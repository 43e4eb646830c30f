// effort.h - how much work a search may do. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_EFFORT_H_
#define GMEM_PLANNER_EFFORT_H_

#include <stdbool.h>

#include "gmem/status.h"

GMEM_BEGIN_C

// Limits on the work of a search. They are counted in units of work and not in
// time, so that a plan is the same on every machine.
typedef enum gmem_effort_e {
  GMEM_EFFORT_NORMAL = 0,     // about a second for a hard problem
  GMEM_EFFORT_FAST = 1,       // O(n log n): a million buffers in a second
  GMEM_EFFORT_EXHAUSTIVE = 2, // until optimality is proved, or many seconds
} gmem_effort_t;

// "normal", "fast" or "exhaustive"; NULL for any other value.
const char *gmem_effort_name(gmem_effort_t effort);
// Sets *out_effort to the effort named |name|; false for an unknown name.
bool gmem_effort_find(const char *name, gmem_effort_t *out_effort);

GMEM_END_C
#endif // GMEM_PLANNER_EFFORT_H_
