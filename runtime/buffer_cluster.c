// buffer_cluster.c - union-find over the buffers of a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_cluster.h"

#include <string.h>

#include "id_sort.h"
#include "runtime_support.h"

// What the sweeps need of one buffer.
typedef struct extent_s {
  uint64_t begin, end; // bytes of the region
  uint32_t region;
} extent_t;

typedef struct work_s {
  const gmem_plan_t *plan;
  extent_t *extents; // by buffer
  uint32_t *scratch;
  uint64_t key_count; // two per step: ends at t are 2t, begins 2t + 1
  uint32_t *key_end;  // where the events of each key end in |events|
  uint32_t *events;   // buffer ids, grouped by key, by address within a key
  uint64_t event_count;
  uint32_t *cluster;
} work_t;

static bool extent_after(const void *context, uint32_t a, uint32_t b) {
  const extent_t *x = (const extent_t *)context + a;
  const extent_t *y = (const extent_t *)context + b;
  if (x->region != y->region)
    return x->region > y->region;
  if (x->begin != y->begin)
    return x->begin > y->begin;
  return a > b;
}

static uint32_t sort_roots(work_t *work, uint32_t *sorted) {
  const gmem_image_view_t *view = &work->plan->view;
  uint32_t count = 0;
  for (uint32_t id = 0; id < gmem_plan_buffer_count(work->plan); ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
    if (buffer.parent != GMEM_NONE || gmem_image_shared(buffer.space))
      continue;
    work->extents[id] =
        (extent_t){buffer.offset, buffer.offset + buffer.size, buffer.region};
    sorted[count++] = id;
  }
  gmem_rt_sort_ids(sorted, work->scratch, count, extent_after, work->extents);
  return count;
}

//===--- union-find -------------------------------------------------------===//

static uint32_t find(uint32_t *cluster, uint32_t id) {
  while (cluster[id] != id) {
    cluster[id] = cluster[cluster[id]];
    id = cluster[id];
  }
  return id;
}

static void join(uint32_t *cluster, uint32_t a, uint32_t b) {
  a = find(cluster, a);
  b = find(cluster, b);
  cluster[a > b ? a : b] = a > b ? b : a;
}

//===--- views ------------------------------------------------------------===//

static bool is_view(const gmem_plan_t *plan, uint32_t id) {
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  return buffer.range_count == 0 && !gmem_image_always_live(buffer.space);
}

// Joins |view| with those of the |count| buffers before it, at |open|, that
// reach into it. Of all of these only the one that ends last is still needed:
// what meets another of them later meets the view, or that one, as well. So
// each buffer is looked at twice at most.
static uint32_t join_view(work_t *work, uint32_t view, uint32_t *open,
                          uint32_t count) {
  const extent_t *extents = work->extents;
  uint32_t last = view;
  for (uint32_t i = 0; i < count; ++i) {
    if (extents[open[i]].end <= extents[view].begin)
      continue;
    join(work->cluster, view, open[i]);
    if (extents[open[i]].end > extents[last].end)
      last = open[i];
  }
  open[0] = last;
  return 1;
}

// A sweep over the bytes of each region.
static void join_views(work_t *work, const uint32_t *sorted, uint32_t count) {
  uint32_t open_count = 0, last_view = GMEM_NONE; // the view that ends last
  const extent_t *extents = work->extents;
  uint32_t *open = work->scratch;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t id = sorted[i];
    const extent_t *extent = &extents[id];
    if (i > 0 && extents[sorted[i - 1]].region != extent->region) {
      open_count = 0;
      last_view = GMEM_NONE;
    }
    if (extent->begin == extent->end)
      continue;
    if (is_view(work->plan, id)) {
      open_count = join_view(work, id, open, open_count);
      if (last_view == GMEM_NONE || extents[last_view].end < extent->end)
        last_view = id;
      continue;
    }
    if (last_view != GMEM_NONE && extents[last_view].end > extent->begin)
      join(work->cluster, id, last_view);
    open[open_count++] = id;
  }
}

//===--- hand-over --------------------------------------------------------===//

// First pass: counts the event. Second pass: puts it into its place.
static void add_event(work_t *work, uint64_t key, uint32_t id) {
  if (work->events)
    work->events[work->key_end[key]++] = id;
  else
    ++work->key_end[key];
}

// In the order of |sorted|, so that the events of each key have that order.
static void add_events(work_t *work, const uint32_t *sorted, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    gmem_image_buffer_t buffer =
        gmem_image_buffer(&work->plan->view, sorted[i]);
    if (buffer.size == 0 || gmem_image_always_live(buffer.space))
      continue; // STATE shares its bytes with nobody
    for (uint32_t r = 0; r < buffer.range_count; ++r) {
      const gmem_op_range_t *range =
          &work->plan->ranges[buffer.first_range + r];
      add_event(work, 2 * (uint64_t)range->end, sorted[i]);
      add_event(work, 2 * (uint64_t)range->begin + 1, sorted[i]);
    }
  }
}

// Joins what ends at a step with what begins there in the same bytes. Each list
// is sorted, and disjoint, as all of it is live at one step.
static void join_lists(work_t *work, const uint32_t *ends, uint32_t end_count,
                       const uint32_t *begins, uint32_t begin_count) {
  for (uint32_t i = 0, j = 0; i < end_count && j < begin_count;) {
    const extent_t *a = &work->extents[ends[i]];
    const extent_t *b = &work->extents[begins[j]];
    bool a_is_first =
        a->region < b->region || (a->region == b->region && a->end <= b->end);
    if (a->region == b->region && a->begin < b->end && b->begin < a->end)
      join(work->cluster, ends[i], begins[j]);
    if (a_is_first)
      ++i;
    else
      ++j;
  }
}

static bool join_hand_overs(work_t *work, const gmem_allocator_t *allocator,
                            const uint32_t *sorted, uint32_t count) {
  add_events(work, sorted, count);
  for (uint64_t key = 0; key < work->key_count; ++key) {
    uint32_t events = work->key_end[key];
    work->key_end[key] = (uint32_t)work->event_count; // where the key begins
    work->event_count += events;
  }
  work->events = gmem_rt_alloc(allocator, work->event_count, sizeof(uint32_t));
  if (!work->events)
    return false;
  add_events(work, sorted, count); // moves each key_end behind the key
  for (uint64_t key = 0; key < work->key_count; key += 2) {
    uint32_t first = key ? work->key_end[key - 1] : 0;
    uint32_t middle = work->key_end[key], last = work->key_end[key + 1];
    join_lists(work, work->events + first, middle - first,
               work->events + middle, last - middle);
  }
  return true;
}

//===--- all of it --------------------------------------------------------===//

static bool make_clusters(work_t *work, const gmem_allocator_t *allocator,
                          const uint32_t *sorted, uint32_t count) {
  uint32_t all = gmem_plan_buffer_count(work->plan);
  for (uint32_t id = 0; id < all; ++id)
    work->cluster[id] = id;
  join_views(work, sorted, count);
  if (!join_hand_overs(work, allocator, sorted, count))
    return false;
  for (uint32_t id = 0; id < all; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&work->plan->view, id);
    if (buffer.parent != GMEM_NONE)
      join(work->cluster, id, buffer.parent);
  }
  for (uint32_t id = 0; id < all; ++id)
    work->cluster[id] = find(work->cluster, id);
  return true;
}

bool gmem_cluster_buffers(const gmem_plan_t *plan,
                          const gmem_allocator_t *allocator, uint32_t *sorted,
                          uint32_t *out_count, uint32_t *cluster) {
  uint32_t all = gmem_plan_buffer_count(plan);
  work_t work = {
      .plan = plan,
      .extents = gmem_rt_alloc(allocator, all, sizeof(extent_t)),
      .scratch = gmem_rt_alloc(allocator, all, sizeof(uint32_t)),
      .key_count = 2 * (gmem_plan_op_count(plan) + UINT64_C(1)),
      .cluster = cluster,
  };
  work.key_end = gmem_rt_alloc(allocator, work.key_count, sizeof(uint32_t));
  bool done = work.extents && work.scratch && work.key_end;
  if (done)
    *out_count = sort_roots(&work, sorted);
  if (done && cluster)
    done = make_clusters(&work, allocator, sorted, *out_count);
  gmem_rt_free(allocator, work.extents, all, sizeof(extent_t));
  gmem_rt_free(allocator, work.scratch, all, sizeof(uint32_t));
  gmem_rt_free(allocator, work.key_end, work.key_count, sizeof(uint32_t));
  gmem_rt_free(allocator, work.events, work.event_count, sizeof(uint32_t));
  return done;
}
