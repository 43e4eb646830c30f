// hulls.h - each item as one rectangle over the time from its first to its last
// use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_HULLS_H_
#define GMEM_PLANNER_HULLS_H_

#include <stdint.h>

// An item as seen by the sweep: all of its bytes from its first section to its
// last, and further when it has extra conflicts. Two items may share bytes when
// their hulls do not intersect; the converse need not hold.
typedef struct gmem_hull_s {
  uint32_t begin, end; // sections [begin, end), counted from the first of the
                       //   packing
  uint64_t extent;     // bytes
} gmem_hull_t;

typedef struct gmem_hulls_s {
  gmem_hull_t *at;       // by item
  uint32_t *by_begin;    // items
  uint32_t *first_begin; // those that begin in section s are
                         // by_begin[first_begin[s] .. first_begin[s + 1])
  uint32_t *by_end;      // items
  uint32_t *first_end;   // as first_begin
  uint64_t *pressure;    // by section: the sum of the live extents
} gmem_hulls_t;

typedef enum gmem_hull_key_e {
  GMEM_HULL_SIZE,   // largest first
  GMEM_HULL_AREA,   // most bytes times sections first
  GMEM_HULL_LENGTH, // longest first
  GMEM_HULL_BEGIN,  // earliest first
  GMEM_HULL_END,    // latest first
} gmem_hull_key_t;

// Sorts in the order of |key|, ascending.
static inline uint64_t gmem_hull_key(const gmem_hull_t *hull,
                                     gmem_hull_key_t key) {
  uint64_t length = hull->end - hull->begin;
  switch (key) {
  case GMEM_HULL_SIZE:
    return ~hull->extent;
  case GMEM_HULL_AREA:
    return hull->extent > UINT64_MAX / length ? 0 : ~(hull->extent * length);
  case GMEM_HULL_LENGTH:
    return ~length;
  case GMEM_HULL_BEGIN:
    return hull->begin;
  default:
    return ~(uint64_t)hull->end;
  }
}

#endif // GMEM_PLANNER_HULLS_H_
