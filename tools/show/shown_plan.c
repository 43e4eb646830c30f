// shown_plan.c - see shown_plan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shown_plan.h"

#include <stdlib.h>

#include "diag.h"

gmem_status_t gmem_shown_plan_allocate(gmem_shown_plan_t *plan, uint32_t pools,
                                       uint32_t buffers, size_t aliases,
                                       size_t ops, gmem_diag_t *diag) {
  plan->pools = calloc(pools + (size_t)1, sizeof *plan->pools);
  plan->buffers = calloc(buffers + (size_t)1, sizeof *plan->buffers);
  plan->aliases = calloc(aliases + 1, sizeof *plan->aliases);
  plan->ops = calloc(ops + 1, sizeof *plan->ops);
  plan->pool_count = pools;
  plan->buffer_count = buffers;
  plan->alias_count = aliases;
  plan->op_count = ops;
  return plan->pools && plan->buffers && plan->aliases && plan->ops
             ? GMEM_OK
             : gmem_out_of_memory(diag);
}

void gmem_shown_plan_free(gmem_shown_plan_t *plan) {
  for (uint32_t i = 0; plan->buffers && i < plan->buffer_count; ++i)
    free(plan->buffers[i].layout);
  free(plan->pools);
  free(plan->buffers);
  free(plan->aliases);
  free(plan->ops);
  *plan = (gmem_shown_plan_t){0};
}

const char *gmem_shown_kind_name(gmem_shown_kind_t kind) {
  static const char *const names[GMEM_SHOWN_KINDS] = {
      [GMEM_SHOWN_CONSTANT] = "constant",
      [GMEM_SHOWN_WORKBUFFER] = "workbuffer",
      [GMEM_SHOWN_STATE] = "state",
      [GMEM_SHOWN_INPUT] = "input",
      [GMEM_SHOWN_OUTPUT] = "output",
      [GMEM_SHOWN_IN_PLACE] = "in place",
      [GMEM_SHOWN_VIEW] = "view",
      [GMEM_SHOWN_CALLEE] = "in a callee",
      [GMEM_SHOWN_TENSOR] = "tensor"};
  return names[kind];
}

const gmem_shown_op_t *gmem_shown_op_at(const gmem_shown_plan_t *plan,
                                        int64_t step) {
  const gmem_shown_op_t *found = NULL;
  for (size_t i = 0; i < plan->op_count && plan->ops[i].begin <= step; ++i)
    if (step < plan->ops[i].end &&
        (!found ||
         plan->ops[i].end - plan->ops[i].begin < found->end - found->begin))
      found = &plan->ops[i];
  return found;
}
