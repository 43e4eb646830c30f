// materialization.h - the changes that gmem-materialize makes to a scope, and
// the steps that determine and apply them. All of them are determined before
// the IR is changed, so that applying them cannot fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZATION_H_
#define GMEM_PASSES_MATERIALIZATION_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/passes.h"

// The arena of a pool: the memory that holds the pool's buffers at run time.
typedef struct gmem_pool_arena_s {
  MlirStringRef pool; // name; in the context
  uint64_t size;      // bytes
  uint64_t alignment; // bytes
  bool constant;
  bool is_init;           // used only by functions with gmem.init
  bool is_computed;       // constants in it are computed by such functions
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

// Scratch space for the operands, types and attributes of a new op.
typedef struct gmem_op_scratch_s {
  MlirValue *values;
  MlirType *types;
  MlirAttribute *attributes;
  int64_t *sizes;
  size_t width; // elements of each
} gmem_op_scratch_t;

// The changes to one scope. All arrays are in |arena|. While they are listed,
// failures to allocate are seen by gmem_bump_status only.
typedef struct gmem_materialization_s {
  MlirOperation scope;
  gmem_arena_mode_t mode;
  gmem_bump_t *arena;               // of the pass
  gmem_diag_t *diag;                // while the changes are determined
  gmem_arena_function_t *functions; // in the order of gmem_program_t
  size_t function_count;
  GMEM_LIST(gmem_pool_arena_t) arenas;
  GMEM_LIST(gmem_arena_call_t) calls;
  GMEM_LIST(gmem_noalias_attribute_t) noalias;
  GMEM_LIST(gmem_arena_part_t) parts;
  GMEM_LIST(gmem_arena_global_t) globals;
  GMEM_LIST(MlirOperation) erased; // deallocations, and copies of nothing
  GMEM_LIST(MlirOperation) kept; // unchanged: their plan attributes are removed
  gmem_op_scratch_t scratch;
  struct gmem_materialization_s *next; // scope
} gmem_materialization_t;

//===--- arena_passing.c --------------------------------------------------===//

// Determines, from the arenas, parts and |uses| of |job|, how each function
// obtains its arenas, which calls pass them, and the symbols. Does not change
// the IR. Fails with INVALID_ARGUMENT, reported at the function, if an arena
// cannot be passed to a function that needs it, or OUT_OF_MEMORY.
gmem_status_t gmem_arena_passing_find(gmem_materialization_t *job,
                                      const gmem_analysis_t *analysis);

// Whether |function| needs any arena that is not a global.
bool gmem_needs_arena(const gmem_materialization_t *job,
                      const gmem_arena_function_t *function);

// Reserves scratch space for ops with |width| operands or attributes, not
// counting arenas.
void gmem_materialization_widen(gmem_materialization_t *job, intptr_t width);

//===--- materialize_arenas.c ---------------------------------------------===//

// Builds the arenas: globals, allocations and deallocations, arguments of
// functions and operands of calls.
void gmem_arenas_build(const gmem_materialization_t *job);

//===--- materialize_views.c ----------------------------------------------===//

// Sets the bounds and the layout of |part| and checks that its op can become a
// view of an arena. |dynamic_bound| is the bound, in elements, of dynamic
// dimensions without a bound of their own; 0: none. Fails with
// INVALID_ARGUMENT, reported at the op, or OUT_OF_MEMORY.
gmem_status_t gmem_part_check(gmem_materialization_t *job,
                              gmem_arena_part_t *part, uint64_t dynamic_bound);

// Replaces the op of |part| by a view of its arena.
void gmem_part_build(const gmem_materialization_t *job,
                     const gmem_arena_part_t *part);

//===--- materialize_weights.c --------------------------------------------===//

// Lists the globals of the parts of constant arenas in |job|. Fails with
// INVALID_ARGUMENT, reported at the global, if one cannot be moved into an
// arena, or OUT_OF_MEMORY.
gmem_status_t gmem_arena_globals_find(gmem_materialization_t *job);

// Sets |contents| of the constant arenas that are globals. |scratch| is for
// temporary data. Fails as gmem_arena_globals_find does.
gmem_status_t gmem_arena_images_fill(const gmem_materialization_t *job,
                                     gmem_bump_t *scratch);

// To be called once the parts are views. Erases private globals that are in a
// global arena and have no other users. If the arena is an argument the globals
// stay and are marked with their range in it.
void gmem_arena_globals_settle(const gmem_materialization_t *job);

//===--- noalias_attributes.c ---------------------------------------------===//

// Lists the functions and calls whose arg_attrs contain llvm.noalias and whose
// arguments may be in an arena. Does not change the IR. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_noalias_attributes_find(gmem_materialization_t *job,
                                           const gmem_analysis_t *analysis);

// Removes these attributes, llvm.readnone and memref.distinct_objects.
void gmem_noalias_attributes_remove(const gmem_materialization_t *job);

#endif // GMEM_PASSES_MATERIALIZATION_H_
