// pool_hints.c - see pool_hints.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_hints.h"

#include "diagnostics.h"

static uint64_t smaller(uint64_t left, uint64_t right) {
  return left < right ? left : right;
}

gmem_pool_hint_t gmem_pool_hint(uint64_t capacity,
                                const gmem_memory_t *memory) {
  uint64_t hint = memory ? memory->size : GMEM_UNLIMITED;
  if (memory)
    capacity = smaller(capacity, memory->capacity);
  return (gmem_pool_hint_t){capacity, hint, smaller(hint, capacity)};
}

// Raises the limit of |pool|: first to its lower bound, then, as the bound may
// not be reachable, step by step, and finally to its capacity.
static void raise_one(const gmem_problem_t *problem, uint32_t pool,
                      bool is_only_one, gmem_pool_hint_t *hint) {
  uint64_t bound = 0, next = hint->tried + hint->tried / 8 + 1;
  if (!is_only_one || hint->tried > GMEM_MAX_ADDRESS / 2 ||
      gmem_lower_bound_of_pool(problem, pool, &bound, NULL) != GMEM_OK)
    next = GMEM_UNLIMITED;
  else if (bound > hint->tried)
    next = bound;
  else if (hint->hint <= hint->tried / 4)
    next = GMEM_UNLIMITED;
  hint->tried = smaller(next, hint->capacity);
}

bool gmem_pool_hints_raise(const gmem_problem_t *problem,
                           gmem_pool_hint_t *hints, uint64_t buffer) {
  if (buffer < gmem_problem_buffer_count(problem)) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(problem, (uint32_t)buffer);
    for (size_t i = spec->pool_count; i-- > 0;) {
      uint32_t pool = spec->pools[i];
      if (hints[pool].tried == hints[pool].capacity)
        continue;
      raise_one(problem, pool, spec->pool_count == 1, &hints[pool]);
      return true;
    }
  }
  for (uint32_t i = gmem_problem_pool_count(problem); i-- > 0;) {
    if (hints[i].tried == hints[i].capacity)
      continue;
    hints[i].tried = hints[i].capacity;
    return true;
  }
  return false;
}

void gmem_pool_hint_report(MlirOperation scope, const gmem_pool_entry_t *pool) {
  if (pool->hint && pool->size > pool->hint)
    gmem_remark(mlirOperationGetLocation(scope),
                "pool '%.*s' needs %llu bytes, more than its size hint of %llu",
                (int)pool->name.length, pool->name.data,
                (unsigned long long)pool->size, (unsigned long long)pool->hint);
}
