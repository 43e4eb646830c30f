// byte_text.c - parses numbers of bytes with optional suffixes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "gmem/memories.h"

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f')
    return (unsigned)(c - 'a') + 10;
  return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

// Reads the digits at |text|. Returns the first character after them, or NULL
// when there are none or the number is too large.
static const char *read_digits(const char *text, unsigned radix,
                               uint64_t *out_number) {
  uint64_t number = 0;
  const char *c = text;
  for (; digit_value(*c) < radix; ++c) {
    uint64_t digit = digit_value(*c);
    if (number > (GMEM_MAX_ADDRESS - digit) / radix)
      return NULL;
    number = number * radix + digit;
  }
  *out_number = number;
  return c == text ? NULL : c;
}

// The power of 1024 of a suffix (K, KiB, M, MiB, ...), or -1.
static int parse_suffix(const char *suffix) {
  const char *const letters = "KMGT";
  if (*suffix == '\0')
    return 0;
  const char *letter = strchr(letters, *suffix);
  if (!letter || (suffix[1] != '\0' && strcmp(suffix + 1, "iB") != 0))
    return -1;
  return (int)(letter - letters) + 1;
}

bool gmem_parse_bytes(const char *text, uint64_t *out_bytes) {
  uint64_t bytes = 0;
  bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *end = is_hexadecimal ? read_digits(text + 2, 16, &bytes)
                                   : read_digits(text, 10, &bytes);
  int power = end ? parse_suffix(end) : -1;
  if (power < 0 || (is_hexadecimal && power > 0) ||
      bytes > GMEM_MAX_ADDRESS >> (10 * power))
    return false;
  *out_bytes = bytes << (10 * power);
  return true;
}
