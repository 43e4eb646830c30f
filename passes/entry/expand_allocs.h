// expand_allocs.h - see expand_allocs.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_EXPAND_ALLOCS_H_
#define GMEM_PASSES_EXPAND_ALLOCS_H_

#include "gmem/passes.h"

extern const char *const gmem_expand_dialects[];

gmem_pass_fn gmem_expand_allocs;

#endif // GMEM_PASSES_EXPAND_ALLOCS_H_
