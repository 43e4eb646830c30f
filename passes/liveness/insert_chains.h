// insert_chains.h - chains of inserts that put a tensor together, as
// tensor.concat decomposes to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %0 = tensor.empty()
//   %1 = tensor.insert_slice %a into %0[0] [4] [1]
//   %2 = tensor.insert_slice %b into %1[4] [4] [1]
//
// All values of a chain are one tensor, written part by part: each is used by
// the next insert alone, which writes bytes that no insert before it has. They
// form one alias set (alias_sets.h). No op reads the bytes of a part before the
// part is inserted, so that it may be made there.

#ifndef GMEM_PASSES_INSERT_CHAINS_H_
#define GMEM_PASSES_INSERT_CHAINS_H_

#include "value_liveness.h"

// Sets |*out_links|, by op, to whether result 0 of the op goes on with the
// chain of its destination. |is_placed|: the plan is in the IR, and only those
// whose destination has the same place do. Allocates in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_insert_chains_find(const gmem_program_facts_t *facts,
                                      const gmem_live_value_t *live_values,
                                      bool is_placed, gmem_bump_t *arena,
                                      bool **out_links, gmem_diag_t *diag);

#endif // GMEM_PASSES_INSERT_CHAINS_H_
