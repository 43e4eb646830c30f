// sharing_dump.h - optional aliases as text: debug=sharing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SHARING_DUMP_H_
#define GMEM_PASSES_SHARING_DUMP_H_

#include "sharing_finder.h"
#include "text.h"

// Appends one line per alias.
void gmem_sharing_dump(const gmem_liveness_t *liveness,
                       const gmem_aliases_t *aliases, gmem_text_t *text);

#endif // GMEM_PASSES_SHARING_DUMP_H_
