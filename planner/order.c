// order.c - a stable radix sort: the same order on every machine, and no heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "planner_internal.h"

enum { DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };

static unsigned digit_of(const gmem_order_t *entry, int digit) {
  return (unsigned)(entry->key >> (digit * DIGIT_BITS)) & (VALUES - 1);
}

// Bits in which the keys differ: digits without any need no pass.
static uint64_t varying_bits(const gmem_order_t *entries, size_t count) {
  uint64_t varying = 0;
  for (size_t i = 1; i < count; ++i)
    varying |= entries[i].key ^ entries[0].key;
  return varying;
}

static void scatter(const gmem_order_t *from, gmem_order_t *to, size_t count,
                    int digit) {
  size_t starts[VALUES + 1] = {0};
  for (size_t i = 0; i < count; ++i)
    ++starts[digit_of(&from[i], digit) + 1];
  for (int value = 0; value < VALUES; ++value)
    starts[value + 1] += starts[value];
  for (size_t i = 0; i < count; ++i)
    to[starts[digit_of(&from[i], digit)]++] = from[i];
}

void gmem_order_sort(gmem_order_t *entries, gmem_order_t *scratch,
                     size_t count) {
  uint64_t varying = varying_bits(entries, count);
  gmem_order_t *from = entries, *to = scratch;
  for (int digit = 0; digit < DIGITS; ++digit) {
    if (!((varying >> (digit * DIGIT_BITS)) & (VALUES - 1)))
      continue;
    scatter(from, to, count, digit);
    gmem_order_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != entries)
    memcpy(entries, from, count * sizeof *entries);
}
