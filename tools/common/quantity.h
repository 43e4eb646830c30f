// quantity.h - numbers on command lines; those of bytes are in
// gmem/memories.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_QUANTITY_H_
#define GMEM_TOOLS_QUANTITY_H_

#include <stdbool.h>
#include <stdint.h>

// A decimal number from |least| to |most|. Returns false when |text| is none.
bool gmem_parse_count(const char *text, uint64_t least, uint64_t most,
                      uint64_t *out_count);

#endif // GMEM_TOOLS_QUANTITY_H_
