// sha256.c - SHA-256, after FIPS 180-4.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sha256.h"

#include <string.h>

#include "sha256_blocks.h"

// First 32 bits of the fractional parts of the cube roots of the first 64
// primes (4.2.2).
const uint32_t gmem_sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

// The same for the square roots of the first 8 primes (5.3.3).
static const uint32_t initial_hash[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotate_right(uint32_t x, unsigned n) {
  return x >> n | x << (32 - n);
}

static uint32_t load_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
         (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store_big_endian(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

// The message schedule W of one block (6.2.2, step 1).
static void expand(const uint8_t *block, uint32_t w[64]) {
  for (int t = 0; t < 16; ++t)
    w[t] = load_big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    uint32_t a = w[t - 15], b = w[t - 2];
    uint32_t s0 = rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3;
    uint32_t s1 = rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
}

// Round |t| of eight (6.2.2, step 3). Instead of the values, the roles of the
// variables a to h move: in round t, a is v[-t mod 8].
static inline void add_round(uint32_t v[8], unsigned t, uint32_t addend) {
  uint32_t a = v[-t & 7], b = v[(1 - t) & 7], c = v[(2 - t) & 7];
  uint32_t e = v[(4 - t) & 7], f = v[(5 - t) & 7], g = v[(6 - t) & 7];
  uint32_t sum1 =
      rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
  uint32_t choose = (e & f) ^ (~e & g);
  uint32_t t1 = v[(7 - t) & 7] + sum1 + choose + addend;
  uint32_t sum0 =
      rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
  uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
  v[(3 - t) & 7] += t1;                  // the next e
  v[(7 - t) & 7] = t1 + sum0 + majority; // the next a
}

// Adds one 64-byte block to the hash (6.2.2, steps 2 to 4). The variables
// return to their roles after eight rounds, so eight are unrolled: twice as
// fast as rotating them.
static void add_block(uint32_t hash[8], const uint8_t *block) {
  uint32_t w[64], v[8];
  expand(block, w);
  memcpy(v, hash, sizeof v);
  for (int t = 0; t < 64; t += 8) {
    const uint32_t *k = gmem_sha256_constants + t, *m = w + t;
    add_round(v, 0, k[0] + m[0]);
    add_round(v, 1, k[1] + m[1]);
    add_round(v, 2, k[2] + m[2]);
    add_round(v, 3, k[3] + m[3]);
    add_round(v, 4, k[4] + m[4]);
    add_round(v, 5, k[5] + m[5]);
    add_round(v, 6, k[6] + m[6]);
    add_round(v, 7, k[7] + m[7]);
  }
  for (int i = 0; i < 8; ++i)
    hash[i] += v[i];
}

void gmem_sha256_add_plain(uint32_t hash[8], const uint8_t *blocks,
                           size_t count) {
  for (size_t i = 0; i < count; ++i)
    add_block(hash, blocks + i * GMEM_SHA256_BLOCK);
}

static void add_blocks(uint32_t hash[8], const uint8_t *blocks, size_t count) {
  if (!gmem_sha256_add_x86(hash, blocks, count))
    gmem_sha256_add_plain(hash, blocks, count);
}

void gmem_sha256_begin(gmem_sha256_t *sha) {
  *sha = (gmem_sha256_t){.size = 0};
  memcpy(sha->hash, initial_hash, sizeof sha->hash);
}

void gmem_sha256_add(gmem_sha256_t *sha, const void *data, size_t size) {
  const uint8_t *bytes = data;
  size_t used = (size_t)(sha->size % GMEM_SHA256_BLOCK);
  sha->size += size;
  if (used && size >= GMEM_SHA256_BLOCK - used) {
    size_t part = GMEM_SHA256_BLOCK - used;
    memcpy(sha->block + used, bytes, part);
    add_blocks(sha->hash, sha->block, 1);
    bytes += part;
    size -= part;
    used = 0;
  }
  size_t rest = size % GMEM_SHA256_BLOCK;
  if (used == 0 && size > rest) {
    add_blocks(sha->hash, bytes, size / GMEM_SHA256_BLOCK);
    bytes += size - rest;
    size = rest;
  }
  if (size)
    memcpy(sha->block + used, bytes, size);
}

void gmem_sha256_end(gmem_sha256_t *sha, uint8_t digest[GMEM_SHA256_SIZE]) {
  // Padding (5.1.1): a one bit, zeros, and the length in bits.
  uint8_t tail[2 * GMEM_SHA256_BLOCK] = {0x80};
  size_t used = (size_t)(sha->size % GMEM_SHA256_BLOCK);
  size_t room = used < 56 ? GMEM_SHA256_BLOCK : 2 * GMEM_SHA256_BLOCK;
  size_t padding = room - used;
  store_big_endian(tail + padding - 8, (uint32_t)(sha->size >> 29));
  store_big_endian(tail + padding - 4, (uint32_t)(sha->size << 3));
  gmem_sha256_add(sha, tail, padding);
  for (int i = 0; i < 8; ++i)
    store_big_endian(digest + 4 * i, sha->hash[i]);
}

void gmem_sha256(const void *data, size_t size,
                 uint8_t digest[GMEM_SHA256_SIZE]) {
  gmem_sha256_t sha;
  gmem_sha256_begin(&sha);
  gmem_sha256_add(&sha, data, size);
  gmem_sha256_end(&sha, digest);
}
