// restore.c - brings an order close to the given one without a higher peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "executed.h"
#include "repair.h"

enum { MOST_PASSES = 64 };

static bool depends(const gmem_order_net_t *net, uint32_t after,
                    uint32_t before) {
  for (uint32_t i = net->succs.begin[before]; i < net->succs.begin[before + 1];
       ++i)
    if (net->succs.items[i] == after)
      return true;
  return false;
}

// Whether |first| may execute before |second|, which are both next.
static bool may_exchange(gmem_order_executed_t *executed, uint32_t first,
                         uint32_t second, uint64_t peak) {
  if (gmem_order_need(executed, first) > peak)
    return false;
  gmem_order_execute(executed, first);
  bool may = gmem_order_need(executed, second) <= peak;
  gmem_order_unexecute(executed, first);
  return may;
}

gmem_status_t gmem_order_restore(const gmem_order_net_t *net,
                                 gmem_order_work_t *work,
                                 gmem_scratch_t *memory, uint64_t peak,
                                 uint32_t *order) {
  gmem_order_executed_t executed;
  bool any = true;
  GMEM_TRY(gmem_order_executed_create(net, memory, &executed));
  for (int pass = 0; pass < MOST_PASSES && any; ++pass) {
    any = false;
    if (!gmem_order_spend(work, net->op_count))
      break;
    gmem_order_executed_clear(&executed);
    for (uint32_t p = 0; p + 1 < net->op_count; ++p) {
      uint32_t a = order[p], b = order[p + 1];
      if (a > b && !depends(net, b, a) && may_exchange(&executed, b, a, peak)) {
        order[p] = b;
        order[p + 1] = a;
        any = true;
      }
      gmem_order_execute(&executed, order[p]);
    }
  }
  gmem_order_executed_free(&executed, memory);
  return GMEM_OK;
}
