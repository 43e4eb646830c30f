// sha256.h - SHA-256 (FIPS 180-4, section 6.2), in one call or incrementally.
// Implemented here because planner and runtime depend on libc only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_HASH_SHA256_H_
#define GMEM_HASH_SHA256_H_

#include <stddef.h>
#include <stdint.h>

enum {
  GMEM_SHA256_SIZE = 32,
  GMEM_SHA256_BLOCK = 64,
  GMEM_SHA256_TEXT = 2 * GMEM_SHA256_SIZE + 1
};

// State of an incremental digest.
typedef struct gmem_sha256_s {
  uint32_t hash[8];
  uint64_t size;                    // bytes so far
  uint8_t block[GMEM_SHA256_BLOCK]; // the last size % 64 of them
} gmem_sha256_t;

void gmem_sha256_begin(gmem_sha256_t *sha);
void gmem_sha256_add(gmem_sha256_t *sha, const void *data, size_t size);
// Writes the digest of all added bytes to the 32 bytes at |digest|.
void gmem_sha256_end(gmem_sha256_t *sha, uint8_t digest[GMEM_SHA256_SIZE]);

// The digest of the |size| bytes at |data|.
void gmem_sha256(const void *data, size_t size,
                 uint8_t digest[GMEM_SHA256_SIZE]);

// Writes |digest| as 64 lower-case hexadecimal digits and a NUL.
void gmem_sha256_text(const uint8_t digest[GMEM_SHA256_SIZE],
                      char text[GMEM_SHA256_TEXT]);

#endif // GMEM_HASH_SHA256_H_
