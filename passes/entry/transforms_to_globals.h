// transforms_to_globals.h - see transforms_to_globals.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TRANSFORMS_TO_GLOBALS_H_
#define GMEM_PASSES_TRANSFORMS_TO_GLOBALS_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_transforms_to_globals;

// The dialects that it needs, NULL-terminated.
extern const char *const gmem_transforms_dialects[];

#endif // GMEM_PASSES_TRANSFORMS_TO_GLOBALS_H_
