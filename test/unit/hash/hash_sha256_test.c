// hash_sha256_test.c - SHA-256 against published vectors, whole and in pieces.
// RUN: %unit/hash_sha256_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hash/sha256.h"
#include "hash/sha256_blocks.h"

static int sha_is(const void *data, size_t size, const char *expected) {
  uint8_t digest[32];
  char text[65];
  gmem_sha256(data, size, digest);
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
    gmem_sha256(data, i, digests + 32 * i);
  CHECK(sha_is(
      digests, sizeof digests,
      "ba7b0fcea7d10c06b855b43d2b4dce1e3e842fff6be0acefb0faf4f2dd05bb47"));
}

// However the input is cut in two, the digest is the same.
static void test_sha256_in_pieces(void) {
  uint8_t data[200], whole[32], pieces[32];
  for (int i = 0; i < 200; ++i)
    data[i] = (uint8_t)(7 * i);
  gmem_sha256(data, sizeof data, whole);
  for (size_t cut = 0; cut <= sizeof data; ++cut) {
    gmem_sha256_t sha;
    gmem_sha256_begin(&sha);
    gmem_sha256_add(&sha, data, cut);
    gmem_sha256_add(&sha, data + cut, sizeof data - cut);
    gmem_sha256_end(&sha, pieces);
    CHECK(memcmp(whole, pieces, 32) == 0);
  }
}

// The processor's own instructions, where it has them, and plain C agree on any
// number of blocks at any alignment, from any hash on. The published vectors
// above saw one of the two only; here both are tied to them.
static void test_sha256_ways_agree(void) {
  uint8_t data[64 * 9 + 16];
  uint32_t random = 1, plain[8] = {0}, fast[8] = {0};
  for (size_t i = 0; i < sizeof data; ++i)
    data[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
  for (size_t round = 0; round < 200; ++round) {
    const uint8_t *blocks = data + round % 17;
    gmem_sha256_add_plain(plain, blocks, round % 10);
    if (!gmem_sha256_add_x86(fast, blocks, round % 10)) {
      fprintf(stderr, "this processor has one way only\n");
      return;
    }
    CHECK(memcmp(plain, fast, sizeof plain) == 0);
  }
}

// Plain C alone, against "abc" in one padded block.
static void test_sha256_plain(void) {
  uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t block[64] = {'a', 'b', 'c', 0x80};
  block[63] = 24; // bits
  gmem_sha256_add_plain(hash, block, 1);
  CHECK(hash[0] == 0xba7816bf && hash[3] == 0x5dae2223 &&
        hash[7] == 0xf20015ad);
}

int main(void) {
  test_sha256_published();
  test_sha256_lengths();
  test_sha256_in_pieces();
  test_sha256_ways_agree();
  test_sha256_plain();
  return CHECK_RESULT();
}
