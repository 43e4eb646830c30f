// needs.c - the bytes in memory at each position of an order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "needs.h"

#include "executed.h"

gmem_status_t gmem_order_needs(const gmem_order_net_t *net,
                               const uint32_t *order, gmem_scratch_t *memory,
                               uint64_t *needs) {
  gmem_order_executed_t executed;
  GMEM_TRY(gmem_order_executed_create(net, memory, &executed));
  for (uint32_t p = 0; p < net->op_count; ++p) {
    needs[p] = gmem_order_need(&executed, order[p]);
    gmem_order_execute(&executed, order[p]);
  }
  gmem_order_executed_free(&executed, memory);
  return GMEM_OK;
}

gmem_status_t gmem_order_find_peak(const gmem_order_net_t *net,
                                   const uint32_t *order,
                                   gmem_scratch_t *memory,
                                   uint32_t *out_position) {
  uint64_t *needs;
  uint32_t most = 0;
  GMEM_TRY_NEW(needs, memory, net->op_count);
  GMEM_TRY(gmem_order_needs(net, order, memory, needs));
  for (uint32_t p = 0; p < net->op_count; ++p)
    if (needs[p] > needs[most])
      most = p;
  gmem_scratch_drop(memory, needs);
  *out_position = most;
  return GMEM_OK;
}
