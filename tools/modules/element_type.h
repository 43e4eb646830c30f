// element_type.h - converts MLIR element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ELEMENT_TYPE_H_
#define GMEM_TOOLS_ELEMENT_TYPE_H_

#include "array_elements.h"
#include "mlir-c/IR.h"

// Converts a scalar type; false if it is not supported.
bool gmem_element_of_type(MlirType type, gmem_element_t *out_element);

#endif // GMEM_TOOLS_ELEMENT_TYPE_H_
