// live_boxes.c - the bytes that an offset group occupies over time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live_boxes.h"

#include <assert.h>
#include <stdbool.h>

//===--- nodes ------------------------------------------------------------===//

// The finalizer of MurmurHash3: consecutive numbers get unrelated hashes.
static uint32_t priority_of(uint32_t stay) {
  stay ^= stay >> 16;
  stay *= UINT32_C(0x85ebca6b);
  stay ^= stay >> 13;
  stay *= UINT32_C(0xc2b2ae35);
  return stay ^ stay >> 16;
}

static bool comes_before(const gmem_live_boxes_t *stays, uint32_t a,
                         uint32_t b) {
  const gmem_live_box_t *x = &stays->at[a].box, *y = &stays->at[b].box;
  if (x->low != y->low)
    return x->low < y->low;
  if (x->begin != y->begin)
    return x->begin < y->begin;
  return a < b;
}

static void widen(gmem_stay_t *node, const gmem_stay_t *by) {
  if (by->most_high > node->most_high)
    node->most_high = by->most_high;
  if (by->least_begin < node->least_begin)
    node->least_begin = by->least_begin;
  if (by->most_end > node->most_end)
    node->most_end = by->most_end;
}

static void find_hull(gmem_live_boxes_t *stays, uint32_t stay) {
  gmem_stay_t *node = &stays->at[stay];
  node->most_high = node->box.high;
  node->least_begin = node->box.begin;
  node->most_end = node->box.end;
  if (node->left != GMEM_NO_STAY)
    widen(node, &stays->at[node->left]);
  if (node->right != GMEM_NO_STAY)
    widen(node, &stays->at[node->right]);
}

//===--- insertion --------------------------------------------------------===//

static void replace_below(gmem_live_boxes_t *stays, uint32_t *root, uint32_t up,
                          uint32_t old, uint32_t stay) {
  if (up == GMEM_NO_STAY)
    *root = stay;
  else if (stays->at[up].left == old)
    stays->at[up].left = stay;
  else
    stays->at[up].right = stay;
  stays->at[stay].up = up;
}

// Rotates |stay| above its parent.
static void rotate_up(gmem_live_boxes_t *stays, uint32_t *root, uint32_t stay) {
  uint32_t above = stays->at[stay].up, inner;
  assert(stays->at[above].left == stay || stays->at[above].right == stay);
  gmem_stay_t *node = &stays->at[stay], *parent = &stays->at[above];
  replace_below(stays, root, parent->up, above, stay);
  if (parent->left == stay) {
    inner = parent->left = node->right;
    node->right = above;
  } else {
    inner = parent->right = node->left;
    node->left = above;
  }
  if (inner != GMEM_NO_STAY)
    stays->at[inner].up = above;
  parent->up = stay;
  find_hull(stays, above);
  find_hull(stays, stay);
}

void gmem_stay_insert(gmem_live_boxes_t *stays, uint32_t *root, uint32_t stay) {
  gmem_stay_t *node = &stays->at[stay];
  assert(node->box.low < node->box.high && node->box.begin < node->box.end);
  node->up = node->left = node->right = GMEM_NO_STAY;
  find_hull(stays, stay);
  uint32_t at = *root;
  while (at != GMEM_NO_STAY) {
    gmem_stay_t *passed = &stays->at[at];
    ++stays->looks;
    widen(passed, node);
    node->up = at;
    at = comes_before(stays, stay, at) ? passed->left : passed->right;
  }
  if (node->up == GMEM_NO_STAY)
    *root = stay;
  else if (comes_before(stays, stay, node->up))
    stays->at[node->up].left = stay;
  else
    stays->at[node->up].right = stay;
  uint32_t priority = priority_of(stay);
  while (node->up != GMEM_NO_STAY && priority_of(node->up) < priority)
    rotate_up(stays, root, stay);
}

//===--- queries ----------------------------------------------------------===//

static bool meets(const gmem_live_box_t *a, const gmem_live_box_t *b) {
  return a->low < b->high && b->low < a->high && a->begin < b->end &&
         b->begin < a->end;
}

// Whether |stay| or a node below it may intersect |box|.
static bool may_meet(const gmem_live_boxes_t *stays, uint32_t stay,
                     const gmem_live_box_t *box) {
  const gmem_stay_t *node = &stays->at[stay];
  return node->most_high > box->low && node->most_end > box->begin &&
         node->least_begin < box->end;
}

// The next node after all below |stay|.
static uint32_t leave(const gmem_live_boxes_t *stays, uint32_t stay,
                      const gmem_live_box_t *box) {
  for (;;) {
    uint32_t up = stays->at[stay].up;
    if (up == GMEM_NO_STAY)
      return GMEM_NO_STAY;
    const gmem_stay_t *above = &stays->at[up];
    if (above->left == stay && above->right != GMEM_NO_STAY &&
        above->box.low < box->high)
      return above->right;
    stay = up;
  }
}

// The next node after |stay|.
static uint32_t enter(const gmem_live_boxes_t *stays, uint32_t stay,
                      const gmem_live_box_t *box) {
  const gmem_stay_t *node = &stays->at[stay];
  if (node->left != GMEM_NO_STAY)
    return node->left;
  if (node->right != GMEM_NO_STAY && node->box.low < box->high)
    return node->right;
  return leave(stays, stay, box);
}

static uint32_t find(gmem_live_boxes_t *stays, uint32_t stay,
                     const gmem_live_box_t *box) {
  while (stay != GMEM_NO_STAY) {
    ++stays->looks;
    if (!may_meet(stays, stay, box))
      stay = leave(stays, stay, box);
    else if (meets(&stays->at[stay].box, box))
      return stay;
    else
      stay = enter(stays, stay, box);
  }
  return GMEM_NO_STAY;
}

uint32_t gmem_stay_first(gmem_live_boxes_t *stays, uint32_t root,
                         const gmem_live_box_t *box) {
  return find(stays, root, box);
}

uint32_t gmem_stay_next(gmem_live_boxes_t *stays, uint32_t stay,
                        const gmem_live_box_t *box) {
  return find(stays, enter(stays, stay, box), box);
}
