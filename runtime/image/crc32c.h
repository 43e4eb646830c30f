// crc32c.h - CRC-32C (Castagnoli; RFC 3720, appendix B.4). Implemented here so
// that the runtime depends on libc only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_CRC32C_H_
#define GMEM_RUNTIME_CRC32C_H_

#include <stddef.h>
#include <stdint.h>

// The CRC of the data with CRC |crc| (0 for no data) followed by |size| bytes
// at |data|.
uint32_t gmem_rt_crc32c(uint32_t crc, const void *data, size_t size);

#endif // GMEM_RUNTIME_CRC32C_H_
