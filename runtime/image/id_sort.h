// id_sort.h - a merge sort of ids without allocation or recursion, in O(n log
// n) for every input; libc's qsort guarantees none of these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_ID_SORT_H_
#define GMEM_RUNTIME_ID_SORT_H_

#include <stdbool.h>
#include <stdint.h>

// Whether id |a| sorts after id |b|.
typedef bool (*gmem_id_after_fn)(const void *context, uint32_t a, uint32_t b);

// Stable sort of |count| ids. |scratch| holds |count| ids.
void gmem_rt_sort_ids(uint32_t *ids, uint32_t *scratch, uint32_t count,
                      gmem_id_after_fn after, const void *context);

#endif // GMEM_RUNTIME_ID_SORT_H_
