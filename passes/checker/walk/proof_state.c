// proof_state.c - see proof_state.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_state.h"

typedef gmem_proof_node_t node_t;

struct gmem_proof_node_s {
  gmem_proof_entry_t entry;
  uint64_t priority;     // a hash of the key's id
  uint64_t last;         // greatest end in the subtree
  const node_t *side[2]; // smaller and greater keys
  uint32_t epoch, count; // of the subtree
};

//===--- nodes ------------------------------------------------------------===//

enum { AT_ONCE = 64 }; // nodes that are allocated

static int compare(const gmem_proof_entry_t *left,
                   const gmem_proof_entry_t *right) {
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->id > right->id) - (left->id < right->id);
}

static uint64_t priority_of(uint32_t id) {
  uint64_t hash = (id + 1) * UINT64_C(0x9E3779B97F4A7C15);
  hash = (hash ^ hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  return hash ^ hash >> 32;
}

// Whether |left| is nearer to the root: a fixed order of the keys at random.
static bool is_above(const node_t *left, const node_t *right) {
  return left->priority != right->priority
             ? left->priority > right->priority
             : compare(&left->entry, &right->entry) < 0;
}

static size_t count_of(const node_t *node) { return node ? node->count : 0; }

static void update(node_t *node) {
  node->count = 1;
  node->last = node->entry.end;
  for (int i = 0; i < 2; ++i) {
    const node_t *child = node->side[i];
    node->count += child ? child->count : 0;
    if (child && child->last > node->last)
      node->last = child->last;
  }
}

static node_t *new_node(gmem_proof_store_t *store) {
  if (!store->unused && store->fresh_count == 0) {
    store->fresh = gmem_bump_alloc(store->arena, AT_ONCE, sizeof *store->fresh);
    store->fresh_count = store->fresh ? AT_ONCE : 0;
    if (store->fresh)
      GMEM_APPEND(store->arena, &store->chunks, store->fresh);
  }
  ++store->taken;
  node_t *node = store->unused;
  if (node)
    store->unused = (node_t *)node->side[0];
  else if (store->fresh_count)
    node = &store->fresh[--store->fresh_count];
  return node;
}

// A copy of |node| that may be changed; NULL when memory is out.
static node_t *own(gmem_proof_store_t *store, const node_t *node) {
  if (node->epoch == store->epoch)
    return (node_t *)node;
  node_t *copy = new_node(store);
  if (!copy)
    return NULL;
  *copy = *node;
  copy->epoch = store->epoch;
  return copy;
}

// All functions below return the tree as it was when memory is out, to be seen
// by gmem_bump_status.

// The trees of keys below |entry| and above it, which is not in the tree.
static void split(gmem_proof_store_t *store, const node_t *tree,
                  const gmem_proof_entry_t *entry, const node_t *out[2]) {
  node_t *root = tree ? own(store, tree) : NULL;
  out[0] = out[1] = NULL;
  if (!root)
    return;
  int side = compare(&root->entry, entry) < 0 ? 0 : 1; // the root's own
  const node_t *parts[2];
  split(store, root->side[!side], entry, parts);
  root->side[!side] = parts[side];
  update(root);
  out[side] = root;
  out[!side] = parts[!side];
}

static const node_t *merge(gmem_proof_store_t *store, const node_t *left,
                           const node_t *right) {
  if (!left || !right)
    return left ? left : right;
  bool is_left = is_above(left, right);
  node_t *root = own(store, is_left ? left : right);
  if (!root)
    return left;
  root->side[is_left] = is_left ? merge(store, root->side[1], right)
                                : merge(store, left, root->side[0]);
  update(root);
  return root;
}

static const node_t *find(const node_t *tree, const gmem_proof_entry_t *entry) {
  int order;
  while (tree && (order = compare(entry, &tree->entry)) != 0)
    tree = tree->side[order > 0];
  return tree;
}

// Adds |added|, which is new, to the tree.
static const node_t *add(gmem_proof_store_t *store, const node_t *tree,
                         node_t *added) {
  const node_t *top = tree, **link = &top;
  while (*link && is_above(*link, added)) {
    node_t *above = own(store, *link);
    if (!above)
      return tree;
    *link = above;
    ++above->count;
    if (above->last < added->entry.end)
      above->last = added->entry.end;
    link = &above->side[compare(&added->entry, &above->entry) > 0];
  }
  split(store, *link, &added->entry, added->side);
  update(added);
  *link = added;
  return top;
}

// Adds |entry|, which is not in the tree.
static const node_t *insert(gmem_proof_store_t *store, const node_t *tree,
                            const gmem_proof_entry_t *entry) {
  node_t *added = new_node(store);
  if (!added)
    return tree;
  *added = (node_t){.entry = *entry,
                    .priority = priority_of(entry->id),
                    .epoch = store->epoch};
  return add(store, tree, added);
}

// Removes |entry|, which is in the tree.
static const node_t *erase(gmem_proof_store_t *store, const node_t *tree,
                           const gmem_proof_entry_t *entry) {
  int order = tree ? compare(entry, &tree->entry) : 0;
  node_t *root = tree ? own(store, tree) : NULL;
  if (!root)
    return tree;
  if (order == 0) {
    const node_t *rest = merge(store, root->side[0], root->side[1]);
    root->side[0] = store->unused;
    store->unused = root;
    return rest;
  }
  root->side[order > 0] = erase(store, root->side[order > 0], entry);
  update(root);
  return root;
}

// Whether |node| with |sides| below it is what it was. Nodes of this epoch are
// changed in place: what is below such a node may be another tree at the same
// address.
static bool is_unchanged(const gmem_proof_store_t *store, const node_t *node,
                         const node_t *const sides[2]) {
  return node->epoch != store->epoch && sides[0] == node->side[0] &&
         sides[1] == node->side[1];
}

// |tree| without what is in |lost|.
static const node_t *without(gmem_proof_store_t *store, const node_t *tree,
                             const node_t *lost) {
  gmem_proof_entry_t key = {0};
  if (!tree || !lost)
    return tree;
  key.begin = key.id = tree->entry.id;
  const node_t *sides[2] = {without(store, tree->side[0], lost),
                            without(store, tree->side[1], lost)};
  if (find(lost, &key))
    return merge(store, sides[0], sides[1]);
  if (is_unchanged(store, tree, sides))
    return tree;
  node_t *root = own(store, tree);
  if (!root)
    return tree;
  root->side[0] = sides[0];
  root->side[1] = sides[1];
  update(root);
  return root;
}

// A set, and the values that are lost where it comes from.
typedef struct side_s {
  const node_t *tree, *lost;
} side_t;

// The union, without what is in one set but lost on the other side. Time is
// logarithmic for each element that is in one set only.
static const node_t *unite(gmem_proof_store_t *store, side_t left,
                           side_t right) {
  if (left.tree == right.tree)
    return left.tree;
  if (!right.tree)
    return without(store, left.tree, right.lost);
  if (!left.tree)
    return without(store, right.tree, left.lost);
  if (is_above(right.tree, left.tree)) {
    side_t other = left;
    left = right;
    right = other;
  }
  const node_t *parts[2], *sides[2];
  bool is_common = compare(&left.tree->entry, &right.tree->entry) == 0;
  gmem_proof_entry_t key = {.begin = left.tree->entry.id,
                            .id = left.tree->entry.id};
  if (is_common) {
    parts[0] = right.tree->side[0];
    parts[1] = right.tree->side[1];
  } else {
    // The root is above all of |right|, so it is not in it.
    split(store, right.tree, &left.tree->entry, parts);
  }
  for (int i = 0; i < 2; ++i)
    sides[i] = unite(store, (side_t){left.tree->side[i], left.lost},
                     (side_t){parts[i], right.lost});
  if (!is_common && find(right.lost, &key))
    return merge(store, sides[0], sides[1]);
  bool is_new = is_common && right.tree->entry.by < left.tree->entry.by;
  if (!is_new && is_unchanged(store, left.tree, sides))
    return left.tree;
  node_t *root = own(store, left.tree);
  if (!root)
    return left.tree;
  if (is_new)
    root->entry = right.tree->entry;
  root->side[0] = sides[0];
  root->side[1] = sides[1];
  update(root);
  return root;
}

//===--- sets of bytes ----------------------------------------------------===//

// A range of a set of bytes; its begin is all of its key.
static gmem_proof_entry_t entry_of_range(gmem_proof_range_t bytes) {
  return (gmem_proof_entry_t){.begin = bytes.begin,
                              .end = bytes.end,
                              .id =
                                  (uint32_t)(bytes.begin ^ bytes.begin >> 32)};
}

void gmem_proof_area_add(gmem_proof_store_t *store, gmem_proof_area_t *area,
                         gmem_proof_range_t bytes) {
  gmem_proof_entry_t entry;
  const node_t *at = *area;
  if (bytes.begin >= bytes.end)
    return;
  while (at) {
    if (at->entry.begin > bytes.end || at->entry.end < bytes.begin) {
      at = at->side[at->entry.end < bytes.begin];
      continue;
    }
    entry = at->entry; // they touch
    if (entry.begin <= bytes.begin && bytes.end <= entry.end)
      return;
    *area = erase(store, *area, &entry);
    bytes.begin = entry.begin < bytes.begin ? entry.begin : bytes.begin;
    bytes.end = entry.end > bytes.end ? entry.end : bytes.end;
    at = *area;
  }
  entry = entry_of_range(bytes);
  *area = insert(store, *area, &entry);
}

static void add_ranges(gmem_proof_store_t *store, gmem_proof_area_t *area,
                       const node_t *ranges) {
  if (!ranges)
    return;
  add_ranges(store, area, ranges->side[0]);
  gmem_proof_area_add(
      store, area,
      (gmem_proof_range_t){ranges->entry.begin, ranges->entry.end});
  add_ranges(store, area, ranges->side[1]);
}

void gmem_proof_area_unite(gmem_proof_store_t *store, gmem_proof_area_t *area,
                           gmem_proof_area_t other) {
  gmem_proof_area_t smaller = other;
  if (*area == other)
    return;
  if (count_of(*area) < count_of(other)) {
    smaller = *area;
    *area = other;
  }
  gmem_proof_freeze(store); // nodes of the smaller one are walked
  add_ranges(store, area, smaller);
}

bool gmem_proof_area_meets(gmem_proof_area_t area, gmem_proof_range_t bytes,
                           gmem_proof_range_t *out_bytes) {
  const node_t *first = NULL;
  while (area) {
    bool is_before = area->entry.end <= bytes.begin;
    first = is_before ? first : area;
    area = area->side[is_before];
  }
  if (!first || first->entry.begin >= bytes.end || bytes.begin >= bytes.end)
    return false;
  *out_bytes = (gmem_proof_range_t){
      first->entry.begin > bytes.begin ? first->entry.begin : bytes.begin,
      first->entry.end < bytes.end ? first->entry.end : bytes.end};
  return true;
}

//===--- states -----------------------------------------------------------===//

void gmem_proof_freeze(gmem_proof_store_t *store) { ++store->epoch; }

static gmem_proof_entry_t key_of_lost(uint32_t id) {
  return (gmem_proof_entry_t){.begin = id, .end = id, .id = id};
}

// The lost value |id|, or NULL. Most values that are asked for have been made
// after all that are lost.
static const node_t *find_lost(const gmem_proof_state_t *state, uint32_t id) {
  gmem_proof_entry_t key = key_of_lost(id);
  return state->lost && id <= state->lost->last ? find(state->lost, &key)
                                                : NULL;
}

void gmem_proof_forget(gmem_proof_store_t *store, gmem_proof_state_t *state,
                       gmem_proof_range_t bytes, uint32_t id) {
  gmem_proof_entry_t intact = {bytes.begin, bytes.end, id, 0, {0, 0}};
  gmem_proof_entry_t lost = key_of_lost(id);
  if (find(state->intact, &intact))
    state->intact = erase(store, state->intact, &intact);
  if (find_lost(state, id))
    state->lost = erase(store, state->lost, &lost);
}

void gmem_proof_define(gmem_proof_store_t *store, gmem_proof_state_t *state,
                       gmem_proof_range_t bytes, uint32_t id, uint32_t by) {
  gmem_proof_forget(store, state, bytes, id);
  state->intact =
      insert(store, state->intact,
             &(gmem_proof_entry_t){bytes.begin, bytes.end, id, by, {0, 0}});
}

// Lists the entries that share a byte with |bytes|.
static void list_overlaps(gmem_proof_store_t *store, const node_t *tree,
                          gmem_proof_range_t bytes) {
  if (!tree || tree->last <= bytes.begin)
    return;
  list_overlaps(store, tree->side[0], bytes);
  if (tree->entry.begin < bytes.end && bytes.begin < tree->entry.end &&
      tree->entry.begin < tree->entry.end)
    GMEM_APPEND(store->arena, &store->found, tree->entry);
  if (tree->entry.begin < bytes.end)
    list_overlaps(store, tree->side[1], bytes);
}

void gmem_proof_list(gmem_proof_store_t *store, const gmem_proof_state_t *state,
                     gmem_proof_range_t bytes) {
  store->found.count = 0;
  if (bytes.begin < bytes.end)
    list_overlaps(store, state->intact, bytes);
}

// Lists the entries, none of which begins before |first|, that have bytes of
// |area|.
static void list_in_area(gmem_proof_store_t *store, const node_t *tree,
                         gmem_proof_area_t area, uint64_t first) {
  gmem_proof_range_t common;
  if (!tree || !gmem_proof_area_meets(
                   area, (gmem_proof_range_t){first, tree->last}, &common))
    return;
  list_in_area(store, tree->side[0], area, first);
  if (gmem_proof_area_meets(
          area, (gmem_proof_range_t){tree->entry.begin, tree->entry.end},
          &common))
    GMEM_APPEND(store->arena, &store->found, tree->entry);
  list_in_area(store, tree->side[1], area, tree->entry.begin);
}

void gmem_proof_list_area(gmem_proof_store_t *store,
                          const gmem_proof_state_t *state,
                          gmem_proof_area_t area) {
  store->found.count = 0;
  list_in_area(store, state->intact, area, 0);
}

void gmem_proof_lose(gmem_proof_store_t *store, gmem_proof_state_t *state,
                     const gmem_proof_entry_t *entry, gmem_proof_range_t bytes,
                     uint32_t by) {
  gmem_proof_entry_t lost = key_of_lost(entry->id);
  lost.by = by;
  lost.bytes.begin = entry->begin > bytes.begin ? entry->begin : bytes.begin;
  lost.bytes.end = entry->end < bytes.end ? entry->end : bytes.end;
  state->intact = erase(store, state->intact, entry);
  if (!find_lost(state, entry->id))
    state->lost = insert(store, state->lost, &lost);
}

bool gmem_proof_is_intact(const gmem_proof_state_t *state,
                          gmem_proof_range_t bytes, uint32_t id) {
  return find(state->intact,
              &(gmem_proof_entry_t){bytes.begin, bytes.end, id, 0, {0, 0}}) !=
         NULL;
}

const gmem_proof_entry_t *gmem_proof_loss(const gmem_proof_state_t *state,
                                          uint32_t id) {
  const node_t *found = find_lost(state, id);
  return found ? &found->entry : NULL;
}

void gmem_proof_join(gmem_proof_store_t *store, gmem_proof_state_t *state,
                     const gmem_proof_state_t *other) {
  if (!other->is_reached)
    return;
  gmem_proof_freeze(store);
  state->intact = unite(store, (side_t){state->intact, state->lost},
                        (side_t){other->intact, other->lost});
  state->lost =
      unite(store, (side_t){state->lost, NULL}, (side_t){other->lost, NULL});
  state->is_reached = true;
}

size_t gmem_proof_size(const gmem_proof_state_t *state) {
  return count_of(state->intact) + 2 * count_of(state->lost);
}

//===--- nodes that no state has ------------------------------------------===//

// In |count|, between the first mark and the sweep.
#define IS_MARKED (UINT32_C(1) << 31)

bool gmem_proof_is_due(const gmem_proof_store_t *store) {
  enum { FEW = 1 << 14 };
  return store->taken > 2 * store->kept + FEW;
}

void gmem_proof_area_mark(gmem_proof_area_t area) {
  for (; area && !(area->count & IS_MARKED); area = area->side[1]) {
    ((node_t *)area)->count |= IS_MARKED;
    gmem_proof_area_mark(area->side[0]);
  }
}

void gmem_proof_mark(const gmem_proof_state_t *state) {
  gmem_proof_area_mark(state->intact);
  gmem_proof_area_mark(state->lost);
}

void gmem_proof_sweep(gmem_proof_store_t *store) {
  store->unused = NULL;
  store->fresh_count = store->taken = store->kept = 0;
  for (size_t i = 0; i < store->chunks.count; ++i)
    for (node_t *node = store->chunks.at[i];
         node < store->chunks.at[i] + AT_ONCE; ++node) {
      if (node->count & IS_MARKED) {
        node->count &= ~IS_MARKED;
        ++store->kept;
      } else {
        node->side[0] = store->unused;
        store->unused = node;
      }
    }
}
