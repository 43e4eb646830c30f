// constants_to_arguments.h - which constants become arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CONSTANTS_TO_ARGUMENTS_H_
#define GMEM_PASSES_CONSTANTS_TO_ARGUMENTS_H_

#include <stdbool.h>

#include "mlir-c/IR.h"

// Whether |op| is an arith.constant that is a ranked tensor of several values.
bool gmem_is_tensor_of_values(MlirOperation op);

#endif // GMEM_PASSES_CONSTANTS_TO_ARGUMENTS_H_
