// machine_input.h - reading planned IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_INPUT_H_
#define GMEM_MACHINE_INPUT_H_

#include "mlir-c/IR.h"

// The file at |path| ("-": standard input), which the caller frees. Ends the
// process if it cannot be read.
char *machine_read_file(const char *path, size_t *size);

// A context of one thread that knows all upstream dialects and takes ops of
// others.
MlirContext machine_make_context(void);

#endif // GMEM_MACHINE_INPUT_H_
