// simplify_branches.h - see simplify_branches.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SIMPLIFY_BRANCHES_H_
#define GMEM_PASSES_SIMPLIFY_BRANCHES_H_

#include "gmem/passes.h"

extern const char *const gmem_simplify_dialects[];

gmem_pass_fn gmem_simplify_branches;

#endif // GMEM_PASSES_SIMPLIFY_BRANCHES_H_
