// sha256.h - SHA-256 (FIPS 180-4, section 6.2). Written here because the
// runtime depends on libc alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_SHA256_H_
#define GMEM_RUNTIME_SHA256_H_

#include <stddef.h>
#include <stdint.h>

// Writes the digest of the |size| bytes at |data| to the 32 bytes at |digest|.
void gmem_rt_sha256(const void *data, size_t size, uint8_t digest[32]);

#endif // GMEM_RUNTIME_SHA256_H_
