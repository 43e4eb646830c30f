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

// Where |stay| is linked from: the root, or its parent.
static uint32_t *link_of(gmem_live_boxes_t *stays, uint32_t *root,
                         uint32_t stay) {
  uint32_t up = stays->at[stay].up;
  if (up == GMEM_NO_STAY)
    return root;
  gmem_stay_t *above = &stays->at[up];
  assert(above->left == stay || above->right == stay);
  return above->left == stay ? &above->left : &above->right;
}

// Rotates |stay| above its parent.
static void rotate_up(gmem_live_boxes_t *stays, uint32_t *root, uint32_t stay) {
  uint32_t above = stays->at[stay].up;
  gmem_stay_t *node = &stays->at[stay], *parent = &stays->at[above];
  uint32_t *inner = link_of(stays, root, stay);
  uint32_t *outer = inner == &parent->left ? &node->right : &node->left;
  *link_of(stays, root, above) = stay;
  *inner = *outer;
  *outer = above;
  if (*inner != GMEM_NO_STAY)
    stays->at[*inner].up = above;
  node->up = parent->up;
  parent->up = stay;
  find_hull(stays, above);
  find_hull(stays, stay);
}

void gmem_stay_insert(gmem_live_boxes_t *stays, uint32_t *root, uint32_t stay) {
  gmem_stay_t *node = &stays->at[stay];
  assert(node->box.low < node->box.high && node->box.begin < node->box.end);
  node->up = node->left = node->right = GMEM_NO_STAY;
  find_hull(stays, stay);
  uint32_t *link = root;
  while (*link != GMEM_NO_STAY) {
    gmem_stay_t *passed = &stays->at[*link];
    ++stays->looks;
    widen(passed, node);
    node->up = *link;
    link = comes_before(stays, stay, *link) ? &passed->left : &passed->right;
  }
  *link = stay;
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

// The next node after |stay| and, unless |enters|, after all below it.
static uint32_t next_node(const gmem_live_boxes_t *stays, uint32_t stay,
                          const gmem_live_box_t *box, bool enters) {
  const gmem_stay_t *node = &stays->at[stay];
  if (enters && node->left != GMEM_NO_STAY)
    return node->left;
  if (enters && node->right != GMEM_NO_STAY && node->box.low < box->high)
    return node->right;
  for (; node->up != GMEM_NO_STAY; stay = node->up, node = &stays->at[stay]) {
    const gmem_stay_t *above = &stays->at[node->up];
    if (above->left == stay && above->right != GMEM_NO_STAY &&
        above->box.low < box->high)
      return above->right;
  }
  return GMEM_NO_STAY;
}

static uint32_t find(gmem_live_boxes_t *stays, uint32_t stay,
                     const gmem_live_box_t *box) {
  while (stay != GMEM_NO_STAY) {
    bool may = may_meet(stays, stay, box);
    ++stays->looks;
    if (may && meets(&stays->at[stay].box, box))
      break;
    stay = next_node(stays, stay, box, may);
  }
  return stay;
}

uint32_t gmem_stay_first(gmem_live_boxes_t *stays, uint32_t root,
                         const gmem_live_box_t *box) {
  return find(stays, root, box);
}

uint32_t gmem_stay_next(gmem_live_boxes_t *stays, uint32_t stay,
                        const gmem_live_box_t *box) {
  return find(stays, next_node(stays, stay, box, true), box);
}
