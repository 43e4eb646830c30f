// sorting.h - sorts lists that are mostly sorted already.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SORTING_H_
#define GMEM_PASSES_SORTING_H_

#include <stddef.h>

// As qsort, which a list in the order of the text does not need. |array| may be
// NULL if |count| is 0.
void gmem_sort(void *array, size_t count, size_t size,
               int (*compare)(const void *, const void *));

#endif // GMEM_PASSES_SORTING_H_
