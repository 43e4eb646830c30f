// workspace_io.h - see workspace_io.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WORKSPACE_IO_H_
#define GMEM_PASSES_WORKSPACE_IO_H_

#include "gmem/passes.h"

extern const char *const gmem_workspace_io_dialects[];

gmem_pass_fn gmem_workspace_io;

#endif // GMEM_PASSES_WORKSPACE_IO_H_
