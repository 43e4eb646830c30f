// random_weights.h - pseudo-random values for the constants of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RANDOM_WEIGHTS_H_
#define GMEM_TOOLS_RANDOM_WEIGHTS_H_

#include <stdint.h>

#include "mlir-c/IR.h"

// Gives constants whose elements are all equal, and memref.globals that are not
// initialised, pseudo-random values, so that the channels of a network without
// trained weights differ: a float v lies in [v/2, 3v/2), or within 0.1 of zero;
// an integer of at most 16 bits within 3 of v. Wider ones, which may be indices
// or shapes, single numbers and real data are kept. Returns how many constants
// were changed.
uint32_t gmem_randomize_constants(MlirModule module, uint64_t seed);

#endif // GMEM_TOOLS_RANDOM_WEIGHTS_H_
