// annotations.h - gmem input attributes, which frontends set on functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ANNOTATIONS_H_
#define GMEM_PASSES_ANNOTATIONS_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/status.h"
#include "mlir-c/IR.h"
#include "vocabulary.h"

// The attribute |name| of argument or result |number| of a function; null when
// absent.
MlirAttribute gmem_argument_annotation(MlirOperation function, intptr_t number,
                                       gmem_attr_t name);
MlirAttribute gmem_function_result_annotation(MlirOperation function,
                                              intptr_t number,
                                              gmem_attr_t name);

// The entry of the attribute |name|, one per result, of the op that makes
// |value|, or the attribute of the function argument that it is; null when
// absent.
MlirAttribute gmem_value_annotation(MlirValue value, gmem_attr_t name);

// Sets the attribute |name| of each argument of |function| to values[i], or
// removes it where that is null. Allocates in |arena|. Fails with
// OUT_OF_MEMORY; the function is then unchanged.
gmem_status_t gmem_arguments_annotate(MlirOperation function, gmem_attr_t name,
                                      const MlirAttribute *values,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

// Prints |attribute| into |text|, NUL-terminated; returns false when it is
// truncated.
bool gmem_attribute_text(MlirAttribute attribute, char *text, size_t size);

// Reports "gmem.fixed must be ..." at |location| and returns INVALID_ARGUMENT.
gmem_status_t gmem_bad_annotation(MlirLocation location, gmem_attr_t name,
                                  const char *what, gmem_diag_t *diag);

#endif // GMEM_PASSES_ANNOTATIONS_H_
