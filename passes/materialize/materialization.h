// materialization.h - the changes that gmem-materialize makes to a scope. All
// of them are determined before the IR is changed, so that applying them cannot
// fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZATION_H_
#define GMEM_PASSES_MATERIALIZATION_H_

#include "gmem/passes.h"

// The arena of a pool: the memory that holds the pool's buffers at run time.
typedef struct gmem_pool_arena_s {
  MlirStringRef pool; // name; in the context
  uint64_t size;      // bytes
  uint64_t alignment; // bytes
  bool constant;
  MlirType type;          // memref<SIZExi8, SPACE>
  MlirAttribute contents; // initial value of a constant memref.global, or null
  const char *symbol;     // of the memref.global; NULL: not a global
} gmem_pool_arena_t;

// How a function obtains the arenas that it needs.
typedef enum gmem_arena_passing_e {
  GMEM_ARENA_ARGUMENTS, // as trailing arguments
  GMEM_ARENA_OWN,       // it allocates them
  GMEM_ARENA_INNER,     // it has callers inside and outside of the scope: it is
                        //   split into an inner function that takes them as
                        //   arguments, and an outer one that allocates them
                        //   and calls the inner one
} gmem_arena_passing_t;

typedef struct gmem_arena_function_s {
  MlirOperation op;
  gmem_arena_passing_t passing;
  bool is_called;    // from inside the scope: its arguments may then be
                     //   buffers in its arenas
  bool *needs;       // by arena: used by it or by its callees; false for
                     //   globals
  bool *uses;        // by arena: it contains buffers in that arena
  MlirValue *arenas; // by arena: the value, once it has been built
  MlirOperation *returns;
  size_t return_count;
  const char *inner_name; // for GMEM_ARENA_INNER
  MlirAttribute pools;    // names of the pools of its arena arguments, in order
} gmem_arena_function_t;

// A func.call that must pass arenas to its callee.
typedef struct gmem_arena_call_s {
  MlirOperation op;
  uint32_t caller, callee; // indices of |functions|
} gmem_arena_call_t;

// An op whose result becomes a view of a part of an arena.
typedef struct gmem_arena_part_s {
  MlirOperation op;
  uint32_t function; // index of |functions|
  uint32_t arena;    // index of |arenas|
  int64_t offset;    // bytes from its start
  // By dimension: the upper bound of the elements. NULL if the shape is static.
  const int64_t *bounds;
  // For a layout other than the identity: strides by dimension, the index of
  // the first element, and the end of the last one, all in elements. NULL for
  // the identity.
  const int64_t *strides;
  int64_t begin, end;
} gmem_arena_part_t;

// A memref.global that becomes a part of a constant arena.
typedef struct gmem_arena_global_s {
  MlirOperation op;
  MlirType type; // of the memref
  uint32_t arena;
  int64_t offset; // bytes from its start
  bool is_used;   // by an op that is not a part, so it cannot be erased
} gmem_arena_global_t;

// A function or call with argument attributes that no longer hold.
typedef struct gmem_noalias_attribute_s {
  MlirOperation op;
  MlirAttribute arg_attrs; // the ones that still hold
} gmem_noalias_attribute_t;

// The changes to one scope. All arrays are in the pass's bump allocator.
typedef struct gmem_materialization_s {
  MlirOperation scope;
  gmem_arena_mode_t mode;
  gmem_pool_arena_t *arenas;
  gmem_arena_function_t *functions; // in the order of gmem_program_t
  gmem_arena_call_t *calls;
  gmem_noalias_attribute_t *noalias;
  gmem_arena_part_t *parts;
  gmem_arena_global_t *globals;
  MlirOperation *deallocs;
  MlirOperation *kept; // unchanged ops whose plan attributes are removed
  size_t arena_count, function_count, call_count, noalias_count, part_count,
      global_count, dealloc_count, kept_count;
  // Scratch space for the operands, types and attributes of a new op.
  MlirValue *values;
  MlirType *types;
  MlirAttribute *attributes;
  int64_t *sizes;
  size_t width;
  struct gmem_materialization_s *next; // scope
} gmem_materialization_t;

#endif // GMEM_PASSES_MATERIALIZATION_H_
