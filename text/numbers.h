// numbers.h - parses counts and numbers of bytes (gmem_parse_bytes, which
// gmem/memories.h declares).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEXT_NUMBERS_H_
#define GMEM_TEXT_NUMBERS_H_

#include <stdbool.h>
#include <stdint.h>

typedef enum gmem_digits_e {
  GMEM_DIGITS_NUMBER,
  GMEM_DIGITS_NONE,
  GMEM_DIGITS_TOO_LARGE, // the number is greater than the limit
} gmem_digits_t;

static inline unsigned gmem_digit_value(char c) {
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f')
    return (unsigned)(c - 'a') + 10;
  return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

// Reads the digits at the start of the text from *cursor to |end| and advances
// *cursor past them. |limit| is at least |radix|. Inline, because a constant
// |radix| makes it several times faster.
static inline gmem_digits_t gmem_read_digits(const char **cursor,
                                             const char *end, unsigned radix,
                                             uint64_t limit, uint64_t *out) {
  uint64_t value = 0;
  const char *c = *cursor;
  for (; c < end && gmem_digit_value(*c) < radix; ++c) {
    unsigned digit = gmem_digit_value(*c);
    if (value > (limit - digit) / radix)
      return GMEM_DIGITS_TOO_LARGE;
    value = value * radix + digit;
  }
  bool any = c > *cursor;
  *cursor = c;
  *out = value;
  return any ? GMEM_DIGITS_NUMBER : GMEM_DIGITS_NONE;
}

// Parses a number from |least| to |most|, decimal or hexadecimal (0x20),
// without a suffix. Returns false, with *out_count unchanged, for any other
// text.
bool gmem_parse_count(const char *text, uint64_t least, uint64_t most,
                      uint64_t *out_count);

#endif // GMEM_TEXT_NUMBERS_H_
