// pointer_provenance.h - the memory that a pointer in the LLVM dialect is into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers are followed through llvm.getelementptr and memref descriptors to an
// *object*: an argument, a global, or memory that the function allocates. An
// arena of gmem-materialize is an object with parts: the first memref.view of
// it at a constant offset replaces a separate buffer, so accesses through the
// view stay within its size. Further address arithmetic is not analysed: the
// pointer stays within its object or part.

#ifndef GMEM_PASSES_POINTER_PROVENANCE_H_
#define GMEM_PASSES_POINTER_PROVENANCE_H_

#include <stdbool.h>

#include "gmem/passes.h"
#include "mlir-c/IR.h"

#define GMEM_OBJECT_END UINT64_MAX // the unknown end of an object

typedef enum gmem_object_kind_e {
  GMEM_OBJECT_ARGUMENT,
  GMEM_OBJECT_GLOBAL,
  GMEM_OBJECT_ALLOCATION,
} gmem_object_kind_t;

typedef struct gmem_object_s {
  gmem_object_kind_t kind;
  const void *base;   // identity of the pointer or global
  const void *memory; // identity of the allocation, which may have several
                      //   bases
  MlirStringRef name; // of a global
  uint32_t number;    // of an argument
  bool is_arena;      // of gmem-materialize: the program accesses it only
                      //   through its parts
  bool is_apart;      // an argument disjoint from the arenas of its function
  bool is_noalias;    // an argument disjoint from all else in its function,
                      //   except possibly parts of arenas
} gmem_object_t;

typedef struct gmem_memory_place_s {
  gmem_object_t object;
  uint64_t begin, end; // bytes from the base, or GMEM_OBJECT_END
} gmem_memory_place_t;

// The arenas of a module, from gmem.arenas.
typedef struct gmem_module_arena_s {
  MlirStringRef symbol;   // of its global; empty: not a global
  gmem_arena_mode_t mode; // GMEM_ARENA_ALLOC: the functions allocate it
  uint64_t size;          // bytes
} gmem_module_arena_t;

// State for following the pointers of an llvm.func.
typedef struct gmem_pointer_finder_s {
  MlirSymbolTable symbols; // of the module
  const gmem_module_arena_t *arenas;
  size_t arena_count;
  MlirOperation function;
  MlirBlock entry;
  intptr_t first_arena;       // first argument that belongs to an arena
  intptr_t arena_width;       // arguments per arena
  intptr_t arena_pointer;     // index of the base pointer among these
  bool is_called;             // in the module, or its address is taken
  bool has_noalias_arguments; // assume llvm.noalias on all arguments
} gmem_pointer_finder_t;

// Finds the memory that an access through |pointer| refers to. |accessed|, a
// type or null, is the element type unless an llvm.getelementptr states it.
// False if it is unknown.
bool gmem_pointer_follow(const gmem_pointer_finder_t *finder, MlirValue pointer,
                         MlirType accessed, gmem_memory_place_t *out);

// Whether the places are disjoint.
bool gmem_places_are_apart(const gmem_memory_place_t *left,
                           const gmem_memory_place_t *right);

#endif // GMEM_PASSES_POINTER_PROVENANCE_H_
