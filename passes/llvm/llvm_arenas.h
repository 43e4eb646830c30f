// llvm_arenas.h - what a module of the LLVM dialect says of its arenas, and of
// the functions that are given them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LLVM_ARENAS_H_
#define GMEM_PASSES_LLVM_ARENAS_H_

#include <stdbool.h>

#include "bump.h"
#include "mlir-c/IR.h"
#include "pointer_provenance.h"

typedef struct gmem_llvm_module_s {
  MlirSymbolTable symbols; // destroyed by gmem_llvm_module_end
  gmem_module_arena_t *arenas;
  size_t arena_count;
  MlirStringRef *called; // names of what its functions call or take the address
  size_t called_count;   //   of, sorted; the wrapper of a function for C does
                         //   not count
  size_t called_room;
} gmem_llvm_module_t;

// Reads |module|, an op that is a symbol table. False when memory is out;
// gmem_llvm_module_end is due in any case.
bool gmem_llvm_module_read(MlirOperation module, gmem_bump_t *arena,
                           gmem_llvm_module_t *out);
void gmem_llvm_module_end(gmem_llvm_module_t *module);

// Whether |function| is the wrapper of another for C: it has the attributes of
// the other, but its arguments are pointers to descriptors.
bool gmem_is_c_wrapper(MlirOperation function);

// What pointers of |function|, an llvm.func with a body, can be followed by.
gmem_pointer_finder_t gmem_pointer_finder_of(const gmem_llvm_module_t *module,
                                             MlirOperation function,
                                             bool has_noalias_arguments);

#endif // GMEM_PASSES_LLVM_ARENAS_H_
