// mlir_files.h - reads modules, in a context with every upstream dialect that
// prints diagnostics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_MLIR_FILES_H_
#define GMEM_TOOLS_MLIR_FILES_H_

#include "gmem/status.h"
#include "mlir-c/IR.h"

// Creates a single-threaded context that allows unregistered dialects. Its
// diagnostics go to standard error as "file:line:column: error: text"; those
// without a location begin with the name of the tool.
MlirContext gmem_context_create(void);

// Parses the file |path| ("-": standard input). Returns a null module, after
// printing a message, if it cannot be read or parsed.
MlirModule gmem_module_parse(MlirContext context, const char *path);

// Runs the passes "a,b{c=d}" or "builtin.module(a,b)" on |module|. Prints a
// message on failure.
gmem_status_t gmem_module_run_passes(MlirModule module, const char *pipeline);

#endif // GMEM_TOOLS_MLIR_FILES_H_
