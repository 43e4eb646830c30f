// llvm_arenas.h - the arenas of a module of the LLVM dialect, and the functions
// that take them as arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LLVM_ARENAS_H_
#define GMEM_PASSES_LLVM_ARENAS_H_

#include <stdbool.h>

#include "bump.h"
#include "mlir-c/IR.h"
#include "pointer_provenance.h"

typedef struct gmem_names_s {
  MlirStringRef *at;
  size_t count, room;
} gmem_names_t;

typedef struct gmem_llvm_module_s {
  MlirSymbolTable symbols; // destroyed by gmem_llvm_module_end
  gmem_module_arena_t *arenas;
  size_t arena_count;
  gmem_names_t called; // sorted: functions that are called or whose address is
                       //   taken, except by their C wrapper
} gmem_llvm_module_t;

// Reads |module|, an op that is a symbol table. Fails with OUT_OF_MEMORY. Call
// gmem_llvm_module_end in any case.
gmem_status_t gmem_llvm_module_read(MlirOperation module, gmem_bump_t *arena,
                                    gmem_llvm_module_t *out, gmem_diag_t *diag);
void gmem_llvm_module_end(gmem_llvm_module_t *module);

// Whether |function| is a C wrapper (_mlir_ciface_*). A wrapper has the
// attributes of the wrapped function, but its arguments are pointers to
// descriptors.
bool gmem_is_c_wrapper(MlirOperation function);

// The state for following pointers of |function|, an llvm.func with a body.
gmem_pointer_finder_t gmem_pointer_finder_of(const gmem_llvm_module_t *module,
                                             MlirOperation function,
                                             bool has_noalias_arguments);

#endif // GMEM_PASSES_LLVM_ARENAS_H_
