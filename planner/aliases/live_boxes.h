// live_boxes.h - the bytes that an offset group occupies over time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *stay* is a live range of a buffer at its offset in its group: a rectangle
// of bytes and time. Stays of one group rarely overlap, because buffers that
// are live together share no bytes. So a search tree by lowest byte, then time,
// whose nodes store the hull of their subtree, finds the stays that intersect a
// rectangle in O(log n) each. Adversarial (staircase) inputs visit all of them;
// the caller limits the total with |looks|.
//
// The trees are treaps whose priorities are hashes of the numbers of the stays,
// so they are the same on every machine (Seidel, Aragon, "Randomized search
// trees", 1996).

#ifndef GMEM_PLANNER_LIVE_BOXES_H_
#define GMEM_PLANNER_LIVE_BOXES_H_

#include <stddef.h>
#include <stdint.h>

#define GMEM_NO_STAY UINT32_MAX

// Bytes [low, high), relative to the root of the group, at times [begin, end).
typedef struct gmem_live_box_s {
  int64_t low, high, begin, end;
} gmem_live_box_t;

typedef struct gmem_stay_s {
  gmem_live_box_t box;
  int64_t most_high, least_begin, most_end; // over its subtree
  uint32_t up, left, right;                 // GMEM_NO_STAY: none
  uint32_t buffer;
} gmem_stay_t;

// All stays; each is in one tree.
typedef struct gmem_live_boxes_s {
  gmem_stay_t *at;
  size_t count;
  uint64_t looks;      // nodes visited so far
  uint64_t look_limit; // for the caller
} gmem_live_boxes_t;

// Inserts |stay|, whose box and buffer are set, into the tree; updates *root.
void gmem_stay_insert(gmem_live_boxes_t *stays, uint32_t *root, uint32_t stay);

// The first stay in the tree that intersects |box|, and the next one after
// |stay|; GMEM_NO_STAY: none.
uint32_t gmem_stay_first(gmem_live_boxes_t *stays, uint32_t root,
                         const gmem_live_box_t *box);
uint32_t gmem_stay_next(gmem_live_boxes_t *stays, uint32_t stay,
                        const gmem_live_box_t *box);

#endif // GMEM_PLANNER_LIVE_BOXES_H_
