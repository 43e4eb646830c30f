// fuzz_text.h - what the fuzz targets of text formats share: text that grows,
// and conditions that must hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_FUZZ_FUZZ_TEXT_H_
#define GMEM_TEST_FUZZ_FUZZ_TEXT_H_

#include <stdlib.h>
#include <string.h>

#include "gmem/planner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text_s {
  char *bytes;
  size_t length, capacity;
} text_t;

static inline void require(bool condition) {
  if (!condition)
    abort();
}

static inline gmem_status_t append(void *user, const char *bytes,
                                   size_t length) {
  text_t *text = user;
  if (length > text->capacity - text->length) {
    text->capacity = 2 * (text->length + length);
    text->bytes = realloc(text->bytes, text->capacity);
    require(text->bytes != NULL);
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return GMEM_OK;
}

static inline bool same_text(const text_t *a, const text_t *b) {
  return a->length == b->length &&
         (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

#endif // GMEM_TEST_FUZZ_FUZZ_TEXT_H_
