// diff_plan.h - what gmem-diff compares of a plan: pools, and buffers by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_DIFF_PLAN_H_
#define GMEM_TOOLS_DIFF_PLAN_H_

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

typedef struct gmem_diff_pool_s {
  char *name;
  bool constant;
  uint64_t size, lower_bound; // bytes
} gmem_diff_pool_t;

typedef struct gmem_diff_buffer_s {
  char *name; // unique
  char *pool;
  uint64_t offset, size; // bytes
  json_t *layout;        // as in plan JSON; NULL: elements without gaps
} gmem_diff_buffer_t;

typedef struct gmem_diff_plan_s {
  uint64_t peak, lower_bound; // bytes, of all pools of kind workspace
  gmem_diff_pool_t *pools;    // in the order of the plan
  size_t pool_count;
  gmem_diff_buffer_t *buffers; // sorted by name
  size_t buffer_count;
} gmem_diff_plan_t;

// Reads the plan in the file |path|: planned MLIR, which is verified in
// |context|, or plan JSON (docs/plan-json.md), which is not, as it has no
// program. Prints a message on failure. Call gmem_diff_plan_free in any case.
gmem_status_t gmem_diff_plan_read(MlirContext context, const char *path,
                                  gmem_diff_plan_t *out_plan);
void gmem_diff_plan_free(gmem_diff_plan_t *plan);

// The pool of that name, or NULL.
const gmem_diff_pool_t *gmem_diff_pool_find(const gmem_diff_plan_t *plan,
                                            const char *name);

#endif // GMEM_TOOLS_DIFF_PLAN_H_
