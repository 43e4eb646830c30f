// materialize.h - the pass gmem-materialize; its contract is at the top of its
// source file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_H_
#define GMEM_PASSES_MATERIALIZE_H_

#include "gmem/passes.h"

// The dialects whose ops the pass creates, NULL-terminated.
extern const char *const gmem_materialize_dialects[];

gmem_pass_fn gmem_materialize;

#endif // GMEM_PASSES_MATERIALIZE_H_
