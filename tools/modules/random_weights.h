// random_weights.h - pseudo-random values for the constants of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RANDOM_WEIGHTS_H_
#define GMEM_TOOLS_RANDOM_WEIGHTS_H_

#include <stdint.h>

#include "mlir-c/IR.h"

// Replaces constants whose elements are all equal, and uninitialized
// memref.globals, by pseudo-random values, so that the channels of a network
// without trained weights differ: a float v becomes a value in [v/2, 3v/2), or
// within 0.1 of zero; an integer of at most 16 bits one within 3 of v. Wider
// integers, which may be indices or shapes, scalars and other data are kept.
// Returns the number of changed constants.
uint32_t gmem_randomize_constants(MlirModule module, uint64_t seed);

#endif // GMEM_TOOLS_RANDOM_WEIGHTS_H_
