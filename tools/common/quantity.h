// quantity.h - parses counts on command lines (gmem/memories.h parses sizes).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_QUANTITY_H_
#define GMEM_TOOLS_QUANTITY_H_

#include <stdbool.h>
#include <stdint.h>

// Parses a decimal number from |least| to |most|. Returns false if |text| is
// not one.
bool gmem_parse_count(const char *text, uint64_t least, uint64_t most,
                      uint64_t *out_count);

#endif // GMEM_TOOLS_QUANTITY_H_
