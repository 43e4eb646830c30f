// repair_window.c - the window of a packing that a repair re-places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "repair_window.h"

#include "search.h"

bool gmem_repair_spend(gmem_repair_t *repair) {
  uint64_t steps = repair->steps;
  repair->steps = 0;
  return gmem_search_spend(repair->search, steps) &&
         repair->search->steps < repair->limit;
}
