// pools_dump.h - candidate pools and constraints as text: debug=pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOLS_DUMP_H_
#define GMEM_PASSES_POOLS_DUMP_H_

#include "placement_constraints.h"
#include "text.h"

// Appends the pools, with the alignment that memrefs and workbuffers require,
// then the candidates and constraints of each of |set_count| alias sets.
void gmem_pools_dump(const gmem_placement_constraints_t *constraints,
                     size_t set_count, gmem_text_t *text);

#endif // GMEM_PASSES_POOLS_DUMP_H_
