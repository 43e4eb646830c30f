// opt_main.h - mlir-opt's main loop, for gmem-opt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_OPT_MAIN_H_
#define GMEM_TOOLS_OPT_MAIN_H_

#include <stddef.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes the next bytes of the output to the file |path|, "-" for standard
// output. Returns the program's exit code.
typedef int (*gmem_opt_write_fn)(void *user, const char *path,
                                 const char *bytes, size_t size);

// Runs mlir-opt with the dialects of |registry|, the gmem dialect and all
// passes registered so far. Calls |write| with pieces of the output until it
// fails, on success once more with no bytes. Returns the program's exit code,
// |usage_status| for an invalid command line.
int gmem_opt_main(int argc, char **argv, MlirDialectRegistry registry,
                  gmem_opt_write_fn write, void *user, int usage_status);

#ifdef __cplusplus
}
#endif
#endif // GMEM_TOOLS_OPT_MAIN_H_
