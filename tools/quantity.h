// quantity.h - numbers on command lines: counts and bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_QUANTITY_H_
#define GMEM_TOOLS_QUANTITY_H_

#include <stdbool.h>
#include <stdint.h>

// A decimal number from |least| to |most|. Returns false when |text| is none.
bool gmem_parse_count(const char *text, uint64_t least, uint64_t most,
                      uint64_t *out_count);

// Bytes, 0 to GMEM_MAX_ADDRESS: decimal with a power of 1024 behind it, as
// 1048576, 1024KiB, 1M, or hexadecimal, as 0x80000000. Returns false when
// |text| is none of that.
bool gmem_parse_bytes(const char *text, uint64_t *out_bytes);

#endif // GMEM_TOOLS_QUANTITY_H_
