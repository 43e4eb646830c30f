// quantity.c - parses counts on command lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "quantity.h"

#include <stddef.h>

// Parses the digits at |text|; returns the first character after them, or NULL
// if there are none or the number is greater than |most|.
static const char *read_digits(const char *text, uint64_t most,
                               uint64_t *out_number) {
  uint64_t number = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9'; ++c) {
    uint64_t digit = (uint64_t)(*c - '0');
    if (digit > most || number > (most - digit) / 10)
      return NULL;
    number = number * 10 + digit;
  }
  *out_number = number;
  return c == text ? NULL : c;
}

bool gmem_parse_count(const char *text, uint64_t least, uint64_t most,
                      uint64_t *out_count) {
  const char *end = read_digits(text, most, out_count);
  return end && *end == '\0' && *out_count >= least;
}
