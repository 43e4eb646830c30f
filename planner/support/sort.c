// sort.c - a stable sort: the same order on every machine, and no heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "planner_internal.h"

// 2048 counters fit in the first-level cache, and times or sizes up to a few
// megabytes need two passes.
enum { DIGIT_BITS = 11, VALUES = 1 << DIGIT_BITS };
// Up to this many entries are sorted by insertion, and up to this many by
// merging such runs, because a scan of 2048 counters costs more.
enum { FEW = 20, SOME = 600 };

static unsigned digit_of(const gmem_order_t *entry, int shift) {
  return (unsigned)(entry->key >> shift) & (VALUES - 1);
}

// The bits in which the keys differ: a digit without any needs no pass. Most
// inputs are already sorted by time, which the same scan detects.
static uint64_t varying_bits(const gmem_order_t *entries, size_t count,
                             bool *is_sorted) {
  uint64_t varying = 0;
  *is_sorted = true;
  for (size_t i = 1; i < count; ++i) {
    varying |= entries[i].key ^ entries[0].key;
    if (entries[i].key < entries[i - 1].key)
      *is_sorted = false;
  }
  return varying;
}

static void scatter(const gmem_order_t *from, gmem_order_t *to, size_t count,
                    int shift) {
  size_t starts[VALUES + 1] = {0};
  for (size_t i = 0; i < count; ++i)
    ++starts[digit_of(&from[i], shift) + 1];
  for (int value = 0; value < VALUES; ++value)
    starts[value + 1] += starts[value];
  for (size_t i = 0; i < count; ++i)
    to[starts[digit_of(&from[i], shift)]++] = from[i];
}

static void sort_few(gmem_order_t *entries, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    gmem_order_t entry = entries[i];
    size_t k = i;
    for (; k && entries[k - 1].key > entry.key; --k)
      entries[k] = entries[k - 1];
    entries[k] = entry;
  }
}

static void merge(const gmem_order_t *left, const gmem_order_t *middle,
                  const gmem_order_t *end, gmem_order_t *to) {
  const gmem_order_t *right = middle;
  while (left < middle && right < end) {
    bool takes_right = right->key < left->key;
    *to++ = takes_right ? *right : *left;
    right += takes_right;
    left += !takes_right;
  }
  memcpy(to, left, (size_t)(middle - left) * sizeof *to);
  memcpy(to + (middle - left), right, (size_t)(end - right) * sizeof *to);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void sort_some(gmem_order_t *entries, gmem_order_t *scratch,
                      size_t count) {
  for (size_t i = 0; i < count; i += FEW)
    sort_few(entries + i, least(FEW, count - i));
  gmem_order_t *from = entries, *to = scratch;
  for (size_t run = FEW; run < count; run *= 2) {
    for (size_t i = 0; i < count; i += 2 * run)
      merge(from + i, from + least(i + run, count),
            from + least(i + 2 * run, count), to + i);
    gmem_order_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != entries)
    memcpy(entries, from, count * sizeof *entries);
}

void gmem_sort_order(gmem_order_t *entries, gmem_order_t *scratch,
                     size_t count) {
  if (count <= FEW) {
    sort_few(entries, count);
    return;
  }
  bool is_sorted;
  uint64_t varying = varying_bits(entries, count, &is_sorted);
  if (is_sorted)
    return;
  if (count <= SOME) {
    sort_some(entries, scratch, count);
    return;
  }
  gmem_order_t *from = entries, *to = scratch;
  for (int shift = 0; shift < 64 && varying >> shift; shift += DIGIT_BITS) {
    // A digit starts at the lowest bit in which the keys differ.
    shift += __builtin_ctzll(varying >> shift);
    scatter(from, to, count, shift);
    gmem_order_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != entries)
    memcpy(entries, from, count * sizeof *entries);
}

size_t gmem_sort_distinct(gmem_order_t *entries, gmem_order_t *scratch,
                          size_t count) {
  size_t distinct = 0;
  gmem_sort_order(entries, scratch, count);
  for (size_t i = 0; i < count; ++i)
    if (i == 0 || entries[i].key != entries[distinct - 1].key)
      entries[distinct++] = entries[i];
  return distinct;
}
