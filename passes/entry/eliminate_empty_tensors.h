// eliminate_empty_tensors.h - see eliminate_empty_tensors.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ELIMINATE_EMPTY_TENSORS_H_
#define GMEM_PASSES_ELIMINATE_EMPTY_TENSORS_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_eliminate_empty_tensors;

// The dialects that it needs, NULL-terminated.
extern const char *const gmem_eliminate_dialects[];

#endif // GMEM_PASSES_ELIMINATE_EMPTY_TENSORS_H_
