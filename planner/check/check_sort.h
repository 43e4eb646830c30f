// check_sort.h - the sort of the checker, independent of the algorithms' sort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_SORT_H_
#define GMEM_PLANNER_CHECK_SORT_H_

#include <stddef.h>
#include <stdint.h>

// A key and the index it belongs to.
typedef struct gmem_check_entry_s {
  uint64_t key;
  uint32_t index;
} gmem_check_entry_t;

// check_sort.c: sorts by key; equal keys keep their order.
void gmem_check_sort(gmem_check_entry_t *entries, gmem_check_entry_t *scratch,
                     size_t count);

// The first of the sorted |entries| whose key is not below |key|; |count| when
// there is none.
size_t gmem_check_find(const gmem_check_entry_t *entries, size_t count,
                       uint64_t key);

#endif // GMEM_PLANNER_CHECK_SORT_H_
