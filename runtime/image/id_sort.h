// id_sort.h - a merge sort of ids: no allocation of its own, no recursion, and
// the same time for every input (libc's qsort promises none of these).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_ID_SORT_H_
#define GMEM_RUNTIME_ID_SORT_H_

#include <stdbool.h>
#include <stdint.h>

// Whether id |a| comes after id |b|.
typedef bool (*gmem_id_after_fn)(const void *context, uint32_t a, uint32_t b);

// Sorts |count| ids, stably. |scratch| has room for as many.
void gmem_rt_sort_ids(uint32_t *ids, uint32_t *scratch, uint32_t count,
                      gmem_id_after_fn after, const void *context);

#endif // GMEM_RUNTIME_ID_SORT_H_
