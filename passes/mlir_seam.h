// mlir_seam.h - what registration.cpp adds to the MLIR C API for the passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MLIR_SEAM_H_
#define GMEM_PASSES_MLIR_SEAM_H_

#include <stdbool.h>

#include "diagnostics.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gmem_severity_e {
  GMEM_SEVERITY_ERROR,
  GMEM_SEVERITY_REMARK,
} gmem_severity_t;

// Emits a diagnostic with notes: the C API emits bare errors only.
void gmem_emit(gmem_severity_t severity, MlirLocation location,
               const char *text, const gmem_note_t *notes, size_t note_count);

// Calls |visit| with the name of every flat symbol reference anywhere in the
// attributes of |op|: the C API cannot list the properties of an op without
// copying all of them for each one, nor look into attributes of any dialect.
typedef void (*gmem_symbol_fn)(MlirStringRef name, void *user);
void gmem_for_each_symbol(MlirOperation op, gmem_symbol_fn visit, void *user);

// Whether the regions of |op| may use no values from outside of it.
bool gmem_is_isolated(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PASSES_MLIR_SEAM_H_
