// element_type.h - the types of numbers that memrefs hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ELEMENT_TYPE_H_
#define GMEM_TOOLS_ELEMENT_TYPE_H_

#include "array_elements.h"
#include "mlir-c/IR.h"

// The type of numbers that |type| is; false when it is none that is known here.
bool gmem_element_of_type(MlirType type, gmem_element_t *out_element);

#endif // GMEM_TOOLS_ELEMENT_TYPE_H_
