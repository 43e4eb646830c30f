// cursor.c - filling a pool from the bottom, never stepping on a fixed buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cursor.h"

static bool is_obstacle(const gmem_buffer_spec_t *spec) {
  return spec->has_fixed_offset && spec->size > 0;
}

static size_t count_obstacles(const gmem_problem_t *problem) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    count += is_obstacle(gmem_problem_buffer(problem, i));
  return count;
}

// Lists the fixed buffers by pool, then offset. |order| has room for twice
// their number.
static void sort_obstacles(const gmem_problem_t *problem, gmem_order_t *order,
                           size_t count) {
  size_t next = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (is_obstacle(spec))
      order[next++] = (gmem_order_t){spec->fixed_offset, i};
  }
  gmem_order_sort(order, order + count, count);
  for (size_t i = 0; i < count; ++i)
    order[i].key = gmem_problem_buffer(problem, order[i].index)->pools[0];
  gmem_order_sort(order, order + count, count);
}

static gmem_status_t list_obstacles(const gmem_problem_t *problem,
                                    gmem_cursors_t *cursors,
                                    gmem_diag_t *diag) {
  size_t count = cursors->fixed_count;
  gmem_order_t *order =
      gmem_planner_alloc(cursors->allocator, 2 * count, sizeof *order);
  if (!order)
    return gmem_planner_out_of_memory(diag);
  sort_obstacles(problem, order, count);
  for (size_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(problem, order[i].index);
    cursors->fixed[i] =
        (gmem_interval_t){spec->fixed_offset, spec->fixed_offset + spec->size};
    gmem_cursor_t *cursor = &cursors->pools[spec->pools[0]];
    if (cursor->fixed_count++ == 0)
      cursor->fixed = &cursors->fixed[i];
  }
  gmem_planner_free(cursors->allocator, order, 2 * count, sizeof *order);
  return GMEM_OK;
}

gmem_status_t gmem_cursors_create(const gmem_problem_t *problem,
                                  gmem_cursors_t *cursors, gmem_diag_t *diag) {
  *cursors = (gmem_cursors_t){
      .allocator = gmem_problem_allocator(problem),
      .pool_count = gmem_problem_pool_count(problem),
      .fixed_count = count_obstacles(problem),
  };
  cursors->pools = gmem_planner_alloc(cursors->allocator, cursors->pool_count,
                                      sizeof *cursors->pools);
  cursors->fixed = gmem_planner_alloc(cursors->allocator, cursors->fixed_count,
                                      sizeof *cursors->fixed);
  if (!cursors->pools || !cursors->fixed)
    return gmem_planner_out_of_memory(diag);
  for (uint32_t pool = 0; pool < cursors->pool_count; ++pool)
    cursors->pools[pool] =
        (gmem_cursor_t){.pool = gmem_problem_pool(problem, pool)};
  return list_obstacles(problem, cursors, diag);
}

void gmem_cursors_destroy(gmem_cursors_t *cursors) {
  gmem_planner_free(cursors->allocator, cursors->pools, cursors->pool_count,
                    sizeof *cursors->pools);
  gmem_planner_free(cursors->allocator, cursors->fixed, cursors->fixed_count,
                    sizeof *cursors->fixed);
}

bool gmem_cursor_take(gmem_cursor_t *cursor, uint64_t size, uint64_t alignment,
                      uint64_t *out_offset) {
  uint64_t base = cursor->pool->base, limit = gmem_pool_limit(cursor->pool);
  uint64_t offset, passed = 0;
  if (!gmem_align_offset(base, cursor->top, alignment, &offset))
    return false;
  // Obstacles that end below the offset are passed for good: it only grows.
  for (; passed < cursor->fixed_count; ++passed) {
    const gmem_interval_t *obstacle = &cursor->fixed[passed];
    if (obstacle->begin >= offset && obstacle->begin - offset >= size)
      break;
    if (obstacle->end > offset &&
        !gmem_align_offset(base, obstacle->end, alignment, &offset))
      return false;
  }
  if (offset > limit || size > limit - offset)
    return false;
  cursor->fixed += passed;
  cursor->fixed_count -= passed;
  cursor->top = offset + size;
  *out_offset = offset;
  return true;
}
