// text_distance_test.c - how far two names are apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/text_distance_test

#include <stdint.h>
#include <string.h>

#include "check.h"
#include "edit_distance.h"

static size_t between(const char *left, const char *right) {
  size_t there = gmem_edit_distance(left, strlen(left), right, strlen(right));
  CHECK(gmem_edit_distance(right, strlen(right), left, strlen(left)) == there);
  return there;
}

int main(void) {
  char name[129];
  CHECK(between("", "") == 0);
  CHECK(between("", "abc") == 3);
  CHECK(between("hold", "hold") == 0);
  CHECK(between("hold", "hodl") == 2);
  CHECK(between("layergroup", "layer_group") == 1);
  CHECK(between("weight", "height") == 1);
  CHECK(between("kitten", "sitting") == 3);
  CHECK(between("abc", "xyz") == 3);
  memset(name, 'a', sizeof name);
  CHECK(gmem_edit_distance(name, 127, name, 120) == 7);
  CHECK(gmem_edit_distance(name, 128, name, 1) == SIZE_MAX);
  CHECK(gmem_edit_distance(name, 1, name, 128) == SIZE_MAX);
  return CHECK_RESULT();
}
