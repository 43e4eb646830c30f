// fuzz_npy.c - reads any bytes as a .npy file; every element of what can be
// read is looked at, and it becomes a dense array of the same elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_npy_replay %S/corpus/fuzz_npy

#include "fuzz_text.h"
#include "npy.h"

enum { MOST_BYTES = 1 << 16 };

static void copy_and_compare(const gmem_array_t *array, int64_t count) {
  char text[512];
  uint8_t digest[32], digest_of_copy[32];
  gmem_array_t copy = *array;
  copy.first = malloc((size_t)count * array->element.size + 1);
  require(copy.first != NULL);
  gmem_array_set_dense_strides(&copy);
  gmem_array_copy(array, &copy);
  require(gmem_array_equal(array, &copy));
  gmem_array_digest(array, digest);
  gmem_array_digest(&copy, digest_of_copy);
  require(memcmp(digest, digest_of_copy, sizeof digest) == 0);
  require(gmem_array_count_not_finite(array) ==
          gmem_array_count_not_finite(&copy));
  gmem_array_values_text(array, text, sizeof text);
  free(copy.first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_array_t array;
  gmem_diag_t diag = {.status = GMEM_OK};
  int64_t count;
  // The reader turns numbers round where they are.
  char *file = malloc(size + 1);
  if (size > MOST_BYTES || !file) {
    free(file);
    return 0;
  }
  memcpy(file, data, size);
  gmem_status_t status = gmem_npy_parse(file, size, &array, &diag);
  require(status == diag.status);
  require((status == GMEM_OK) == (diag.text[0] == '\0'));
  if (status == GMEM_OK) {
    require(gmem_array_count(&array, &count));
    require((uint64_t)count * array.element.size <= size);
    copy_and_compare(&array, count);
  }
  free(file);
  return 0;
}
