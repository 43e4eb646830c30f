// partition_point.c - see partition_point.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "partition_point.h"

#include <stdint.h>

size_t gmem_partition_point(const void *key, const void *array, size_t count,
                            size_t size, gmem_before_fn is_before) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (is_before((const char *)array + middle * size, key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int gmem_compare_numbers(const void *left, const void *right, size_t count) {
  const uint32_t *a = left, *b = right;
  for (size_t i = 0; i < count; ++i)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}
