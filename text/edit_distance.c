// edit_distance.c - see edit_distance.h: Levenshtein's distance, row by row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit_distance.h"

#include <stdint.h>
#include <string.h>

enum { MAX_NAME = 127 }; // bytes

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t gmem_edit_distance(const char *left, size_t left_length,
                          const char *right, size_t right_length) {
  size_t row[MAX_NAME + 1];
  if (left_length > MAX_NAME || right_length > MAX_NAME)
    return SIZE_MAX;
  for (size_t k = 0; k <= right_length; ++k)
    row[k] = k;
  for (size_t i = 1; i <= left_length; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t k = 1; k <= right_length; ++k) {
      size_t replaced = diagonal + (left[i - 1] != right[k - 1]);
      diagonal = row[k];
      row[k] = least(replaced, least(row[k], row[k - 1]) + 1);
    }
  }
  return row[right_length];
}

void gmem_nearest_try(gmem_nearest_t *nearest, const char *name, size_t length,
                      const char *known) {
  size_t distance = gmem_edit_distance(name, length, known, strlen(known));
  if (distance >= nearest->least)
    return;
  nearest->least = distance;
  nearest->found = known;
}
