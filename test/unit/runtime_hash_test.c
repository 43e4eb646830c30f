// runtime_hash_test.c - SHA-256 and CRC-32C against published vectors.
// RUN: %unit/runtime_hash_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "../../runtime/crc32c.h"
#include "../../runtime/sha256.h"
#include "check.h"

static int sha_is(const void *data, size_t size, const char *expected) {
  uint8_t digest[32];
  char text[65];
  gmem_rt_sha256(data, size, digest);
  for (int i = 0; i < 32; ++i)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
  return strcmp(text, expected) == 0;
}

// The examples of FIPS 180 and of NIST's test vectors.
static void test_sha256_published(void) {
  CHECK(sha_is(
      "", 0,
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  CHECK(sha_is(
      "abc", 3,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  CHECK(sha_is(
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
  CHECK(sha_is(
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
      "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"));
  char *million = malloc(1000000);
  if (!million)
    return;
  memset(million, 'a', 1000000);
  CHECK(sha_is(
      million, 1000000,
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
  free(million);
}

// Every length around the padding's corner cases: the digests of 0, 1, 2, ...
// 199 bytes, together (the expected one from another implementation).
static void test_sha256_lengths(void) {
  uint8_t data[200], digests[200 * 32];
  for (int i = 0; i < 200; ++i)
    data[i] = (uint8_t)i;
  for (size_t i = 0; i < 200; ++i)
    gmem_rt_sha256(data, i, digests + 32 * i);
  CHECK(sha_is(
      digests, sizeof digests,
      "ba7b0fcea7d10c06b855b43d2b4dce1e3e842fff6be0acefb0faf4f2dd05bb47"));
}

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
  test_sha256_published();
  test_sha256_lengths();
  test_crc32c_published();
  test_crc32c_in_pieces();
  return CHECK_RESULT();
}
