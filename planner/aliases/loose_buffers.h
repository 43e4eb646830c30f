// loose_buffers.h - placed buffers, each with an offset of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child that is at its place in a parent shares bytes with it, and is moved
// like any other buffer.

#ifndef GMEM_PLANNER_LOOSE_BUFFERS_H_
#define GMEM_PLANNER_LOOSE_BUFFERS_H_

#include "alias_pressure.h"
#include "choose_aliases.h"

#define GMEM_NO_DISTANCE INT64_MIN

// A buffer that another one interferes with.
typedef struct gmem_rival_s {
  uint32_t buffer;
  int64_t distance; // bytes from it to the other at which an alias lets the two
                    //   share bytes; GMEM_NO_DISTANCE: none
} gmem_rival_t;

typedef struct gmem_loose_buffers_s {
  const gmem_problem_t *problem;
  const gmem_choice_t *choice;
  const gmem_alias_pressure_t *live;
  uint32_t count;
  uint64_t base;   // of the pool
  uint64_t *masks; // by buffer: its alignment where it is in no parent, less 1
  bool *is_used;   // by buffer: it is among those that are placed
  bool *is_placed; // by buffer
  int64_t *offsets;
  gmem_rival_t *rivals; // of buffer i from first_rival[i] on
  size_t *first_rival;  // by buffer, and one more
  uint32_t *ties;       // optional aliases of buffer i from first_tie[i] on
  size_t *first_tie;    // by buffer, and one more
  uint32_t most_rivals, most_ties; // of any buffer
} gmem_loose_buffers_t;

// Whether the problem has one pool, and every buffer can be moved by itself.
bool gmem_can_be_loose(const gmem_problem_t *problem);

// Creates a set without placed buffers. All arrays are in |memory|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_loose_buffers_create(const gmem_problem_t *problem,
                                        const gmem_choice_t *choice,
                                        const gmem_alias_pressure_t *live,
                                        gmem_scratch_t *memory,
                                        gmem_loose_buffers_t *loose);

// Uses the buffers of at least |least| bytes, and lists their rivals.
// *out_listed: false when there are too many. O(n^2) of these buffers.
gmem_status_t gmem_list_rivals(gmem_loose_buffers_t *loose, uint64_t least,
                               gmem_scratch_t *memory, bool *out_listed);

// The aligned offset next to |offset|, below or above.
static inline int64_t gmem_loose_align(const gmem_loose_buffers_t *loose,
                                       uint32_t buffer, int64_t offset,
                                       bool below) {
  uint64_t mask = loose->masks[buffer];
  uint64_t excess = (loose->base + (uint64_t)offset) & mask;
  int64_t place = offset - (int64_t)excess;
  return excess && !below ? place + (int64_t)mask + 1 : place;
}

// Whether |buffer| may be at |offset| as far as alignment is concerned: it has
// that of the pool, or is inside a parent that is placed.
bool gmem_is_aligned_at(const gmem_loose_buffers_t *loose, uint32_t buffer,
                        int64_t offset);

// Whether |alias| is in place: both of its buffers are placed, at its offset.
bool gmem_is_tied(const gmem_loose_buffers_t *loose, uint32_t alias);

// Whether |buffer| is a parent of a child in place.
bool gmem_has_tied_child(const gmem_loose_buffers_t *loose, uint32_t buffer);

#endif // GMEM_PLANNER_LOOSE_BUFFERS_H_
