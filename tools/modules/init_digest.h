// init_digest.h - identifies constants that a program computes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_INIT_DIGEST_H_
#define GMEM_TOOLS_INIT_DIGEST_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"
#include "sha256.h"

// Hashes the functions with gmem.init in the planned module |top|, with all
// that they read and the places of all that they write, so that equal digests
// mean equal constants at equal offsets. Returns false if there is no such
// function, or one that reads something else: arguments, or what it calls.
bool gmem_init_digest(MlirOperation top, uint8_t out_digest[GMEM_SHA256_SIZE]);

#endif // GMEM_TOOLS_INIT_DIGEST_H_
