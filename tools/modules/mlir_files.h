// mlir_files.h - reading modules: a context that knows every upstream dialect
// and prints what goes wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_MLIR_FILES_H_
#define GMEM_TOOLS_MLIR_FILES_H_

#include "mlir-c/IR.h"

// A context of one thread, in which unregistered dialects are allowed. Its
// diagnostics go to standard error as "file:line:column: error: text"; those
// without a place begin with |tool|, which must outlive the context.
MlirContext gmem_context_create(const char *tool);

// Parses the file |path| ("-": standard input). NULL when it cannot be read or
// parsed; the reason was printed, by the name of |tool|.
MlirModule gmem_module_parse(MlirContext context, const char *tool,
                             const char *path);

#endif // GMEM_TOOLS_MLIR_FILES_H_
