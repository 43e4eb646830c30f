// runtime_hash_test.c - CRC-32C against published vectors.
// RUN: %unit/runtime_hash_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "check.h"
#include "crc32c.h"

// RFC 3720, appendix B.4, and the check value of the catalogues.
static void test_crc32c_published(void) {
  uint8_t data[32];
  CHECK(gmem_rt_crc32c(0, "123456789", 9) == 0xE3069283);
  memset(data, 0, sizeof data);
  CHECK(gmem_rt_crc32c(0, data, sizeof data) == 0x8A9136AA);
  memset(data, 0xFF, sizeof data);
  CHECK(gmem_rt_crc32c(0, data, sizeof data) == 0x62A8AB43);
  for (int i = 0; i < 32; ++i)
    data[i] = (uint8_t)i;
  CHECK(gmem_rt_crc32c(0, data, sizeof data) == 0x46DD794E);
  for (int i = 0; i < 32; ++i)
    data[i] = (uint8_t)(31 - i);
  CHECK(gmem_rt_crc32c(0, data, sizeof data) == 0x113FDB5C);
}

static void test_crc32c_in_pieces(void) {
  uint32_t piece = gmem_rt_crc32c(0, "1234", 4);
  CHECK(gmem_rt_crc32c(piece, "56789", 5) == 0xE3069283);
  CHECK(gmem_rt_crc32c(piece, "", 0) == piece);
}

int main(void) {
  test_crc32c_published();
  test_crc32c_in_pieces();
  return CHECK_RESULT();
}
