// cursor.h - filling a pool from the bottom, never stepping on a fixed buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CURSOR_H_
#define GMEM_PLANNER_CURSOR_H_

#include "planner_internal.h"

typedef struct gmem_interval_s {
  uint64_t begin, end; // bytes from the start of the pool, half-open
} gmem_interval_t;

// One pool: everything below |top| is taken.
typedef struct gmem_cursor_s {
  const gmem_pool_spec_t *pool;
  uint64_t top;                 // bytes from the start of the pool
  const gmem_interval_t *fixed; // those not passed yet, by begin
  size_t fixed_count;
} gmem_cursor_t;

// A cursor for every pool of a problem.
typedef struct gmem_cursors_s {
  const gmem_allocator_t *allocator;
  gmem_cursor_t *pools;
  size_t pool_count;
  gmem_interval_t *fixed;
  size_t fixed_count;
} gmem_cursors_t;

// Fails with OUT_OF_MEMORY; |cursors| may be destroyed all the same.
gmem_status_t gmem_cursors_create(const gmem_problem_t *problem,
                                  gmem_cursors_t *cursors, gmem_diag_t *diag);
void gmem_cursors_destroy(gmem_cursors_t *cursors);

// Takes |size| bytes at the lowest aligned offset that is not below the top and
// touches no fixed buffer, and moves the top behind them. Returns false and
// changes nothing when they would end above the pool.
bool gmem_cursor_take(gmem_cursor_t *cursor, uint64_t size, uint64_t alignment,
                      uint64_t *out_offset);

#endif // GMEM_PLANNER_CURSOR_H_
