// unit_types.h - the buffers of a problem as units that move as a whole:
// the state of the search for lower penalties.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_UNIT_TYPES_H_
#define GMEM_PLANNER_UNIT_TYPES_H_

#include "planner_internal.h"
#include "planner_memory.h"
#include "scratch.h"
#include "search.h"

// A buffer, or buffers that aliases and blocks tie to each other.
typedef struct gmem_unit_s {
  uint32_t first, count;         // its buffers, in |members|
  uint32_t pool;                 // in which it stays
  uint64_t size;                 // bytes, from its lowest byte to its end
  uint64_t alignment, remainder; // its offset modulo |alignment|
  bool is_fixed;
} gmem_unit_t;

// Broken hard constraints, then the penalty of broken soft ones.
typedef struct gmem_cost_s {
  uint64_t hard, penalty;
} gmem_cost_t;

#define GMEM_UNPLACED UINT64_MAX

typedef struct gmem_units_s {
  const gmem_problem_t *problem;
  gmem_search_t *search;
  gmem_scratch_t memory;
  gmem_conflicts_t conflicts; // of buffers
  uint32_t count, buffer_count;
  gmem_unit_t *at;
  uint32_t *members;       // buffers, by unit
  uint32_t *unit_of;       // by buffer; GMEM_NO_BUFFER: it is empty
  uint64_t *distance;      // by buffer: bytes from the start of its unit
  size_t *constraint_from; // by unit, and one more: its first in |constraints|
  uint32_t *constraints;   // those of each unit, each once; with slices first
  uint64_t *ceiling;       // by pool: no unit may end above it
  uint64_t *offset;        // by unit: of the current placement
  gmem_cost_t cost;        // of the constraints whose units are all placed
  // For gmem_unit_places: room for |most_places|, those of any unit.
  size_t most_places;
  uint64_t *places;
  gmem_order_t *found; // keys: places, free or not; and scratch
  size_t found_count;
  gmem_order_t *low; // keys: low ends of forbidden intervals; and scratch
  uint64_t *high;    // their high ends
} gmem_units_t;

// Whether a buffer has a reason to begin at a multiple of |bytes|.
static inline bool gmem_has_slices(const gmem_constraint_t *spec) {
  return spec->kind == GMEM_BANKS || spec->kind == GMEM_BOUNDARY;
}

static inline bool gmem_cost_below(gmem_cost_t a, gmem_cost_t b) {
  return a.hard != b.hard ? a.hard < b.hard : a.penalty < b.penalty;
}

#endif // GMEM_PLANNER_UNIT_TYPES_H_
