// pointer_provenance.h - which memory a pointer of the LLVM dialect speaks of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers are followed back, through llvm.getelementptr and the descriptors of
// memrefs, to an *object*: an argument, a global, memory that the function
// allocates. An arena of gmem-materialize is an object that has parts: what is
// first made of it, memref.view at a constant offset, was a buffer of its own
// before, so no access through it goes beyond its size. Whatever else is done
// to a pointer is not looked into: it stays in its object, or its part.

#ifndef GMEM_PASSES_POINTER_PROVENANCE_H_
#define GMEM_PASSES_POINTER_PROVENANCE_H_

#include <stdbool.h>

#include "gmem/status.h"
#include "mlir-c/IR.h"

#define GMEM_OBJECT_END UINT64_MAX // wherever that is

typedef enum gmem_object_kind_e {
  GMEM_OBJECT_ARGUMENT,
  GMEM_OBJECT_GLOBAL,
  GMEM_OBJECT_ALLOCATION,
} gmem_object_kind_t;

typedef struct gmem_object_s {
  gmem_object_kind_t kind;
  const void *base;   // identity: the pointer, or the global
  const void *memory; // identity of what was allocated: it may have more than
                      //   one base
  MlirStringRef name; // of a global
  uint32_t number;    // of an argument
  bool is_arena;      // made by gmem-materialize: the program has no pointers
                      //   into it but by its parts
  bool is_apart;      // an argument: no arena of its function has bytes of it
  bool is_noalias;    // an argument: nothing else in its function has, but for
                      //   parts of arenas
} gmem_object_t;

typedef struct gmem_memory_place_s {
  gmem_object_t object;
  uint64_t begin, end; // bytes from the base, or GMEM_OBJECT_END
} gmem_memory_place_t;

// The arenas of a module, from gmem.arenas.
typedef struct gmem_module_arena_s {
  MlirStringRef pool;
  MlirStringRef symbol; // of the global that it is; no text: none
  uint64_t size;        // bytes
  bool is_allocated;    // by functions that use it
} gmem_module_arena_t;

// An llvm.func at work.
typedef struct gmem_pointer_finder_s {
  MlirSymbolTable symbols; // of the module
  const gmem_module_arena_t *arenas;
  size_t arena_count;
  MlirOperation function;
  MlirBlock entry;
  intptr_t first_arena;   // arguments from here on are arenas', in groups of
  intptr_t arena_width;   //   this many, whose
  intptr_t arena_pointer; //   pointer of this number is the base
  bool is_called;         // by others of the module, or its address is taken
  bool has_noalias_arguments; // all are, whatever they say
} gmem_pointer_finder_t;

// Where the memory is that is accessed by |pointer|, as an |accessed| (a type,
// or null) unless an llvm.getelementptr says of which elements it is. False
// when that is not known.
bool gmem_pointer_follow(const gmem_pointer_finder_t *finder, MlirValue pointer,
                         MlirType accessed, gmem_memory_place_t *out);

// Whether no byte can be in both.
bool gmem_places_are_apart(const gmem_memory_place_t *left,
                           const gmem_memory_place_t *right);

#endif // GMEM_PASSES_POINTER_PROVENANCE_H_
