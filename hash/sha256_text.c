// sha256_text.c - digests as hexadecimal text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sha256.h"

void gmem_sha256_text(const uint8_t digest[GMEM_SHA256_SIZE],
                      char text[GMEM_SHA256_TEXT]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < GMEM_SHA256_SIZE; ++i) {
    *text++ = digits[digest[i] >> 4];
    *text++ = digits[digest[i] & 15];
  }
  *text = '\0';
}
