// alias_pressure.h - the memory pressure over time under optional aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times are numbered: the distinct begins and ends of all live ranges, from 0.

#ifndef GMEM_PLANNER_ALIAS_PRESSURE_H_
#define GMEM_PLANNER_ALIAS_PRESSURE_H_

#include "items.h"
#include "planner_internal.h"

// A sum of up to 2^32 sizes, or of their differences.
__extension__ typedef __int128 gmem_wide_t;

// The highest pressure.
typedef struct gmem_pressure_s {
  uint64_t most;  // bytes
  uint64_t count; // of times with that pressure
  uint32_t first; // of these times
} gmem_pressure_t;

typedef struct gmem_alias_pressure_s {
  const gmem_problem_t *problem;
  uint32_t buffer_count;
  gmem_order_t *times; // and scratch
  size_t time_count;
  gmem_wide_t *alone;  // by time: the change without optional aliases
  gmem_wide_t *change; // by time; scratch
  uint32_t *hot;       // by time, and one more: hot times before it
  gmem_span_t *spans;  // of each live range, in numbers of times
  size_t *first_span;  // by buffer, and one more
} gmem_alias_pressure_t;

// All arrays are in |memory|. Fails with OUT_OF_MEMORY. O(n log n).
gmem_status_t gmem_alias_pressure_create(const gmem_problem_t *problem,
                                         gmem_scratch_t *memory,
                                         gmem_alias_pressure_t *pressure);

// The pressure minus the bytes that the chosen aliases share. An estimate: a
// child with two parents that are live at one time is subtracted twice.
gmem_pressure_t gmem_find_pressure(gmem_alias_pressure_t *pressure,
                                   const bool *chosen);

bool gmem_is_live_at(const gmem_alias_pressure_t *pressure, uint32_t buffer,
                     uint32_t time);

// Marks the times at which the pressure without aliases exceeds |bytes| as hot.
void gmem_mark_hot(gmem_alias_pressure_t *pressure, uint64_t bytes);

// Whether the buffers of |alias| are live together at a hot time.
bool gmem_meet_when_hot(const gmem_alias_pressure_t *pressure,
                        const gmem_alias_spec_t *alias);

// Marks the buffers that are live together with one of those that are marked.
void gmem_spread_live(gmem_alias_pressure_t *pressure, bool *is_marked);

#endif // GMEM_PLANNER_ALIAS_PRESSURE_H_
