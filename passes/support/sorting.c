// sorting.c - see sorting.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sorting.h"

#include <stdlib.h>

void gmem_sort(void *array, size_t count, size_t size,
               int (*compare)(const void *, const void *)) {
  const char *at = array;
  for (size_t i = 1; i < count; ++i, at += size)
    if (compare(at, at + size) > 0) {
      qsort(array, count, size, compare);
      return;
    }
}
