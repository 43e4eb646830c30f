// live_boxes.h - which bytes of a group of tied buffers are taken when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *stay* is a live range of a buffer at its place in its group: a rectangle
// of bytes and time. Stays of one group hardly overlap, because buffers that
// are live together share no bytes; so a search tree by the lowest byte, then
// by time, in which every node knows the hull of all below it, finds those that
// meet a rectangle in O(log n) each. (Staircases can be made on which it has to
// look at all of them: who asks counts |looks|.)
//
// The trees are treaps, whose priorities are hashes of the numbers of the
// stays: the same on every machine. (Seidel, Aragon, "Randomized search
// trees", 1996.)

#ifndef GMEM_PLANNER_LIVE_BOXES_H_
#define GMEM_PLANNER_LIVE_BOXES_H_

#include <stdint.h>

#define GMEM_NO_STAY UINT32_MAX

// Bytes [low, high), seen from the root of a group, at the times [begin, end).
typedef struct gmem_live_box_s {
  int64_t low, high, begin, end;
} gmem_live_box_t;

typedef struct gmem_stay_s {
  gmem_live_box_t box;
  int64_t most_high, least_begin, most_end; // of all below, and of itself
  uint32_t up, left, right;                 // GMEM_NO_STAY: none
  uint32_t buffer;
} gmem_stay_t;

// All stays; each is in one tree.
typedef struct gmem_live_boxes_s {
  gmem_stay_t *at;
  uint64_t looks; // at nodes, so far
} gmem_live_boxes_t;

// Puts |stay|, whose box and buffer are set, into the tree; *root changes.
void gmem_stay_insert(gmem_live_boxes_t *stays, uint32_t *root, uint32_t stay);

// The first stay in the tree that meets |box|, and the next one behind |stay|;
// GMEM_NO_STAY: none.
uint32_t gmem_stay_first(gmem_live_boxes_t *stays, uint32_t root,
                         const gmem_live_box_t *box);
uint32_t gmem_stay_next(gmem_live_boxes_t *stays, uint32_t stay,
                        const gmem_live_box_t *box);

#endif // GMEM_PLANNER_LIVE_BOXES_H_
