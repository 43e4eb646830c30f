// check_sort.c - the sort of the checker, independent of the algorithms' sort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check_sort.h"

#include <stdbool.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS, KEY_BITS = 64 };

static void pass(const gmem_check_entry_t *from, gmem_check_entry_t *to,
                 size_t count, int shift) {
  size_t places[DIGIT_VALUES] = {0};
  for (size_t i = 0; i < count; ++i)
    ++places[from[i].key >> shift & (DIGIT_VALUES - 1)];
  size_t place = 0;
  for (int value = 0; value < DIGIT_VALUES; ++value) {
    size_t in_digit = places[value];
    places[value] = place;
    place += in_digit;
  }
  for (size_t i = 0; i < count; ++i)
    to[places[from[i].key >> shift & (DIGIT_VALUES - 1)]++] = from[i];
}

// Insertion sort, for few entries.
static void insert_each(gmem_check_entry_t *entries, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    gmem_check_entry_t entry = entries[i];
    size_t at = i;
    for (; at > 0 && entries[at - 1].key > entry.key; --at)
      entries[at] = entries[at - 1];
    entries[at] = entry;
  }
}

void gmem_check_sort(gmem_check_entry_t *entries, gmem_check_entry_t *scratch,
                     size_t count) {
  enum { FEW = 64 };
  uint64_t differ = 0;
  bool is_sorted = true;
  for (size_t i = 1; i < count; ++i) {
    differ |= entries[i].key ^ entries[0].key;
    is_sorted = is_sorted && entries[i - 1].key <= entries[i].key;
  }
  if (is_sorted)
    return;
  if (count <= FEW) {
    insert_each(entries, count);
    return;
  }
  gmem_check_entry_t *from = entries, *to = scratch;
  for (int shift = 0; shift < KEY_BITS && differ >> shift;
       shift += DIGIT_BITS) {
    // A digit starts at the lowest bit in which the keys differ.
    shift += __builtin_ctzll(differ >> shift);
    pass(from, to, count, shift);
    gmem_check_entry_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != entries)
    memcpy(entries, from, count * sizeof *entries);
}

size_t gmem_check_find(const gmem_check_entry_t *entries, size_t count,
                       uint64_t key) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (entries[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
