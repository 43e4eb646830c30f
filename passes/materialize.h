// materialize.h - what gmem-materialize is going to do to a scope: found out
// while nothing is changed, then done without anything that could fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_H_
#define GMEM_PASSES_MATERIALIZE_H_

#include "analysis.h"
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
typedef enum gmem_arena_way_e {
  GMEM_ARENA_ARGUMENTS, // its callers give them
  GMEM_ARENA_OWN,       // it allocates them
  GMEM_ARENA_INNER,     // it is called from inside and from outside: it becomes
                        //   a function that is given them, and one for outside
                        //   that allocates them and calls the other
} gmem_arena_way_t;

typedef struct gmem_arena_function_s {
  MlirOperation op;
  gmem_arena_way_t way;
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
typedef struct gmem_arena_promise_s {
  MlirOperation op;
  MlirAttribute arg_attrs; // what is still true
} gmem_arena_promise_t;

// One scope. All arrays are in the pass's arena.
typedef struct gmem_materialization_s {
  MlirOperation scope;
  gmem_arena_mode_t mode;
  gmem_pool_arena_t *arenas;
  gmem_arena_function_t *functions; // those of the schedule
  gmem_arena_call_t *calls;
  gmem_arena_promise_t *promises;
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

//===--- materialize_ways.c -----------------------------------------------===//

// From arenas, parts and the |uses| of functions: how functions come by the
// arenas, the calls, the symbols. Changes nothing. What lasts is in |arena|.
// Fails with INVALID_ARGUMENT, reported where it stands, where a function
// cannot be given what it needs, or OUT_OF_MEMORY.
gmem_status_t gmem_arenas_find_ways(gmem_materialization_t *job,
                                    const gmem_analysis_t *analysis,
                                    gmem_arena_t *arena, gmem_diag_t *diag);

// Whether |function| is to be given an arena.
bool gmem_needs_arena(const gmem_materialization_t *job,
                      const gmem_arena_function_t *function);

// Makes room for ops of |width| operands or attributes, besides the arenas.
void gmem_materialization_widen(gmem_materialization_t *job, intptr_t width);

//===--- materialize_promises.c -------------------------------------------===//

// Lists what promises that the memory of an argument is nobody else's, and
// cannot any more: in an arena, a callee may use it again. Changes nothing.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_arena_promises_find(gmem_materialization_t *job,
                                       const gmem_analysis_t *analysis,
                                       gmem_arena_t *arena, gmem_diag_t *diag);

// Takes them out of the program, and memref.distinct_objects.
void gmem_arena_promises_forget(const gmem_materialization_t *job);

//===--- materialize_weights.c --------------------------------------------===//

// Lists the globals of the parts of constant arenas. Fails with
// INVALID_ARGUMENT, reported at the global, when they cannot be there, or
// OUT_OF_MEMORY.
gmem_status_t gmem_arena_globals_find(gmem_materialization_t *job,
                                      gmem_arena_t *arena, gmem_diag_t *diag);

// Fills |contents| of the constant arenas that have symbols. |arena| is for
// scratch. Fails like the above.
gmem_status_t gmem_arena_images_fill(const gmem_materialization_t *job,
                                     gmem_arena_t *arena, gmem_diag_t *diag);

// When the parts are views: erases globals that are in an arena now and that
// nothing names any more; where the arena is given as an argument they stay,
// and say which bytes of it they are.
void gmem_arena_globals_settle(const gmem_materialization_t *job);

//===--- materialize_arenas.c ---------------------------------------------===//

// Puts the arenas into the program: signatures, calls, allocations, globals.
void gmem_arenas_build(const gmem_materialization_t *job);

//===--- materialize_views.c ----------------------------------------------===//

// Fills all but the first four of |part|, and makes sure that its op can become
// a part of an arena. Dynamic dimensions that nothing else bounds have at most
// |dynamic_bound| elements. Fails like gmem_arenas_find_ways.
gmem_status_t gmem_part_check(gmem_materialization_t *job,
                              gmem_arena_part_t *part, uint64_t dynamic_bound,
                              gmem_arena_t *arena, gmem_diag_t *diag);

// Makes the op of |part| a view of its arena.
void gmem_part_build(const gmem_materialization_t *job,
                     const gmem_arena_part_t *part);

#endif // GMEM_PASSES_MATERIALIZE_H_
