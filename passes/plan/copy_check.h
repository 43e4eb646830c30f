// copy_check.h - whether copies can be made one after the other in their order.
// Shares no code with copy_order, which finds such an order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_COPY_CHECK_H_
#define GMEM_PASSES_COPY_CHECK_H_

#include "copy_order.h"

// Sets *out_bad to the first of |copies|, which all read before any of them
// should write, whose source an earlier one overwrites, unless both are of the
// same cycle; to |count| if there is none. Targets must be disjoint. O(n log n)
// and the overlaps of sources with targets. Temporary data is in |arena|. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_copies_check(const gmem_control_copy_t *copies, size_t count,
                                gmem_bump_t *arena, size_t *out_bad,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_COPY_CHECK_H_
