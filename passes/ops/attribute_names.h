// attribute_names.h - attributes gmem.* that do not exist.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ATTRIBUTE_NAMES_H_
#define GMEM_PASSES_ATTRIBUTE_NAMES_H_

#include <stdbool.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"
#include "vocabulary.h"

// The attribute of this name, or GMEM_ATTR_COUNT.
gmem_attr_t gmem_attribute_find(MlirStringRef name);

// Whether passes write the attribute of this name: it is part of a plan.
bool gmem_is_plan_attribute(MlirStringRef name);

// Checks that every discardable attribute gmem.* in |top|, also of arguments
// and results of functions, is one of dialect/vocabulary.h: the prefix is
// reserved; and that none is in the properties of an op, where no pass looks
// for it. Fails with INVALID_ARGUMENT, reported at the op with the name that
// may be meant.
gmem_status_t gmem_attribute_names_check(MlirOperation top, gmem_diag_t *diag);

#endif // GMEM_PASSES_ATTRIBUTE_NAMES_H_
