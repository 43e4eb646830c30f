// partition_point.h - the one binary search of the passes, and the order of
// structs of numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PARTITION_POINT_H_
#define GMEM_PASSES_PARTITION_POINT_H_

#include <stdbool.h>
#include <stddef.h>

// Whether |element| of an array is before the place that is searched for.
typedef bool (*gmem_before_fn)(const void *element, const void *key);

// The partition point of an array of |count| elements of |size| bytes: the
// index of the first for which |is_before| does not hold, or |count|. It must
// hold for none after one for which it does not.
size_t gmem_partition_point(const void *key, const void *array, size_t count,
                            size_t size, gmem_before_fn is_before);

// Compares structs that begin with |count| numbers, uint32_t each, by these in
// turn. Returns as comparators for qsort do.
int gmem_compare_numbers(const void *left, const void *right, size_t count);

#endif // GMEM_PASSES_PARTITION_POINT_H_
