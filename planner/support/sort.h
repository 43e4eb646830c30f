// sort.h - a stable sort: the same order on every machine, and no heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SORT_H_
#define GMEM_PLANNER_SORT_H_

#include "planner_internal.h"

// Sorts by key, ascending. Equal keys keep their order, so sorting by the minor
// key first gives a total order. O(count): radix sort, for long arrays.
// |scratch| has room for |count| entries.
void gmem_sort_order(gmem_order_t *entries, gmem_order_t *scratch,
                     size_t count);

#endif // GMEM_PLANNER_SORT_H_
