// sha256_blocks.h - the two implementations of the SHA-256 block function:
// portable, and with the SHA instructions of x86 processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_HASH_SHA256_BLOCKS_H_
#define GMEM_HASH_SHA256_BLOCKS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The constants K of the 64 rounds (FIPS 180-4, 4.2.2).
extern const uint32_t gmem_sha256_constants[64];

// Adds |count| blocks of 64 bytes, at any alignment, to |hash|.
void gmem_sha256_add_plain(uint32_t hash[8], const uint8_t *blocks,
                           size_t count);

// The same with x86 SHA instructions. Returns false, with |hash| unchanged,
// when the processor does not support them.
bool gmem_sha256_add_x86(uint32_t hash[8], const uint8_t *blocks, size_t count);

#endif // GMEM_HASH_SHA256_BLOCKS_H_
