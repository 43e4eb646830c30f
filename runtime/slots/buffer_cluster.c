// buffer_cluster.c - union-find over the buffers of a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_cluster.h"

#include "buffer_order.h"
#include "image_codec.h"
#include "runtime_support.h"

typedef struct work_s {
  const gmem_plan_t *plan;
  gmem_extent_t *extents; // by buffer
  uint64_t *ordered;      // two elements per buffer: of the sort, then scratch
  uint32_t *cluster;
} work_t;

static uint32_t sort_roots(work_t *work, uint32_t *sorted) {
  const gmem_image_view_t *view = &work->plan->view;
  uint32_t all = gmem_buffers_by_address(view, work->ordered);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all; ++i) {
    uint32_t id = (uint32_t)work->ordered[i];
    gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
    if (gmem_image_shared(buffer.space))
      continue;
    work->extents[id] = gmem_extent_of(&buffer);
    sorted[count++] = id;
  }
  return count;
}

//===--- union-find -------------------------------------------------------===//

static uint32_t find(uint32_t *cluster, uint32_t id) {
  while (cluster[id] != id) {
    GMEM_ASSERT(cluster[id] < id);
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

// Joins |view| with those of the |count| buffers in |open| that begin before it
// and overlap it. Of the joined buffers only the one that ends last is kept in
// |open|: a later buffer that overlaps another one overlaps this one or the
// view as well. So each buffer is visited at most twice.
static uint32_t join_view(work_t *work, uint32_t view, uint32_t *open,
                          uint32_t count) {
  const gmem_extent_t *extents = work->extents;
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
  uint32_t open_count = 0, last_view = GMEM_NONE; // view with the largest end
  const gmem_extent_t *extents = work->extents;
  uint32_t *open = (uint32_t *)work->ordered;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t id = sorted[i];
    const gmem_extent_t *extent = &extents[id];
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

//===--- values passed in place -------------------------------------------===//

// Joins the buffers that end at a step with those that begin there in the same
// bytes. Each list is sorted by address, and disjoint because all its buffers
// are live at one step.
static void join_lists(work_t *work, const uint32_t *sorted,
                       const uint32_t *ends, const uint32_t *begins,
                       const uint32_t *last) {
  for (const uint32_t *a = ends, *b = begins; a < begins && b < last;) {
    const gmem_extent_t *x = &work->extents[sorted[*a]];
    const gmem_extent_t *y = &work->extents[sorted[*b]];
    if (gmem_extents_share_bytes(x, y))
      join(work->cluster, sorted[*a], sorted[*b]);
    if (x->region < y->region || (x->region == y->region && x->end <= y->end))
      ++a;
    else
      ++b;
  }
}

static bool join_hand_overs(work_t *work, const gmem_allocator_t *allocator,
                            const uint32_t *sorted, uint32_t count) {
  gmem_life_events_t lives;
  bool made = gmem_life_events_make(&lives, &work->plan->view, sorted, count,
                                    allocator);
  for (uint64_t key = 0; made && key < lives.key_count; key += 2) {
    uint32_t first = key ? lives.key_end[key - 1] : 0;
    join_lists(work, sorted, lives.events + first,
               lives.events + lives.key_end[key],
               lives.events + lives.key_end[key + 1]);
  }
  gmem_life_events_free(&lives, allocator);
  return made;
}

//===--- clusters ---------------------------------------------------------===//

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
      .extents = gmem_rt_alloc(allocator, all, sizeof(gmem_extent_t)),
      .ordered = gmem_rt_alloc_raw(allocator, all, 2 * sizeof(uint64_t)),
      .cluster = cluster,
  };
  bool done = work.extents && work.ordered;
  if (done)
    *out_count = sort_roots(&work, sorted);
  if (done && cluster)
    done = make_clusters(&work, allocator, sorted, *out_count);
  gmem_rt_free(allocator, work.extents, all, sizeof(gmem_extent_t));
  gmem_rt_free(allocator, work.ordered, all, 2 * sizeof(uint64_t));
  return done;
}
