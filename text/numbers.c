// numbers.c - parses counts and numbers of bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "numbers.h"

#include <string.h>

#include "gmem/memories.h"

// Reads a decimal number, or after "0x" a hexadecimal one. Returns the first
// character after it, or NULL when there is none or it is greater than |most|.
static const char *read_number(const char *text, uint64_t most,
                               bool *is_hexadecimal, uint64_t *out) {
  *is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *cursor = *is_hexadecimal ? text + 2 : text;
  const char *end = cursor + strlen(cursor);
  gmem_digits_t found =
      gmem_read_digits(&cursor, end, *is_hexadecimal ? 16 : 10, most, out);
  return found == GMEM_DIGITS_NUMBER ? cursor : NULL;
}

bool gmem_parse_count(const char *text, uint64_t least, uint64_t most,
                      uint64_t *out_count) {
  bool is_hexadecimal;
  uint64_t count;
  const char *end = read_number(text, UINT64_MAX, &is_hexadecimal, &count);
  if (!end || *end != '\0' || count < least || count > most)
    return false;
  *out_count = count;
  return true;
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
  bool is_hexadecimal;
  uint64_t bytes;
  const char *end =
      read_number(text, GMEM_MAX_ADDRESS, &is_hexadecimal, &bytes);
  int power = end ? parse_suffix(end) : -1;
  if (power < 0 || (is_hexadecimal && power > 0) ||
      bytes > GMEM_MAX_ADDRESS >> (10 * power))
    return false;
  *out_bytes = bytes << (10 * power);
  return true;
}
