// liveness_dump.h - live ranges and alias sets as text: debug=liveness.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LIVENESS_DUMP_H_
#define GMEM_PASSES_LIVENESS_DUMP_H_

#include "liveness.h"
#include "text.h"

// Appends the values with storage and live ranges, the allocation sites, the
// alias sets, and the pairs that streams leave unordered.
void gmem_liveness_dump(const gmem_liveness_t *liveness, gmem_text_t *text);

#endif // GMEM_PASSES_LIVENESS_DUMP_H_
