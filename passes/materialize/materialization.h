// materialization.h - the changes that gmem-materialize makes to a scope:
// all are determined before the IR is changed, so that applying them cannot
// fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZATION_H_
#define GMEM_PASSES_MATERIALIZATION_H_

#include "gmem/passes.h"

// A pool that becomes memory of the program.
typedef struct gmem_pool_arena_s {
  MlirStringRef pool; // name; in the context
  uint64_t size;      // bytes
  uint64_t alignment; // bytes
  bool constant;
  MlirType type;          // memref<SIZExi8, SPACE>
  MlirAttribute contents; // of a constant one that is a memref.global, or null
  const char *symbol;     // of the memref.global, or NULL: it is none
} gmem_pool_arena_t;

// How a function comes by the arenas that it needs.
typedef enum gmem_arena_passing_e {
  GMEM_ARENA_ARGUMENTS, // its callers give them
  GMEM_ARENA_OWN,       // it allocates them
  GMEM_ARENA_INNER,     // it is called from inside and from outside: it becomes
                        //   a function that is given them, and one for outside
                        //   that allocates them and calls the other
} gmem_arena_passing_t;

typedef struct gmem_arena_function_s {
  MlirOperation op;
  gmem_arena_passing_t way;
  bool is_called;    // from inside: what it is given otherwise may lie in
                     //   its arenas
  bool *needs;       // by arena: it has to be given it (for itself or for those
                     //   that it calls); no static ones
  bool *uses;        // by arena: it has buffers there itself
  MlirValue *arenas; // by arena: the arena in it, once it is there
  MlirOperation *returns; // what ends it
  size_t return_count;
  const char *inner_name; // for GMEM_ARENA_INNER
  MlirAttribute pools;    // of the arenas it is given, in their order
} gmem_arena_function_t;

// A func.call that has to hand arenas on.
typedef struct gmem_arena_call_s {
  MlirOperation op;
  uint32_t caller, callee; // of |functions|
} gmem_arena_call_t;

// An op whose result is to be a part of an arena.
typedef struct gmem_arena_part_s {
  MlirOperation op;
  uint32_t function; // of |functions|
  uint32_t arena;    // of |arenas|
  int64_t offset;    // bytes from its start
  // By dimension: the most elements that a dynamic one may have. NULL when all
  // are static.
  const int64_t *bounds;
  // A layout that is not the usual one: by dimension the elements from one to
  // the next, those before the first, and those to the end of the last. NULL
  // for others.
  const int64_t *strides;
  int64_t begin, end;
} gmem_arena_part_t;

// A memref.global that parts of a constant arena get.
typedef struct gmem_arena_global_s {
  MlirOperation op;
  MlirType type; // of the memref
  uint32_t arena;
  int64_t offset; // bytes from its start
  bool is_used;   // after all: an op that is no part names it
} gmem_arena_global_t;

// A function or a call that says too much of its arguments.
typedef struct gmem_noalias_attribute_s {
  MlirOperation op;
  MlirAttribute arg_attrs; // what is still true
} gmem_noalias_attribute_t;

// One scope. All arrays are in the pass's arena.
typedef struct gmem_materialization_s {
  MlirOperation scope;
  gmem_arena_mode_t mode;
  gmem_pool_arena_t *arenas;
  gmem_arena_function_t *functions; // those of the schedule
  gmem_arena_call_t *calls;
  gmem_noalias_attribute_t *promises;
  gmem_arena_part_t *parts;
  gmem_arena_global_t *globals;
  MlirOperation *deallocs;
  MlirOperation *kept; // ops that lose their places and stay as they are
  size_t arena_count, function_count, call_count, promise_count, part_count,
      global_count, dealloc_count, kept_count;
  // Room for the operands, types and attributes of any op that is made.
  MlirValue *values;
  MlirType *types;
  MlirAttribute *attributes;
  int64_t *sizes;
  size_t width;
  struct gmem_materialization_s *next; // scope
} gmem_materialization_t;

#endif // GMEM_PASSES_MATERIALIZATION_H_
