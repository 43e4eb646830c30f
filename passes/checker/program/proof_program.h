// proof_program.h - a planned scope as the contents checker reads it: ops,
// values, the bytes that the plan gives them, and the copies that it records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses are linear: the pools lie one behind the other, in the order of
// gmem.pool_table, so that one number stands for a pool and an offset.

#ifndef GMEM_PASSES_PROOF_PROGRAM_H_
#define GMEM_PASSES_PROOF_PROGRAM_H_

#include <assert.h>

#include "bump.h"
#include "gmem/passes.h"
#include "mlir_seam.h"
#include "op_models.h"
#include "pointer_map.h"

typedef struct gmem_extent_s {
  uint64_t begin, end; // linear addresses
} gmem_proof_range_t;

typedef GMEM_LIST(gmem_proof_range_t) gmem_proof_ranges_t;

// The bytes of both; |end| is not above |begin| if there are none.
static inline gmem_proof_range_t gmem_proof_common(gmem_proof_range_t left,
                                                   gmem_proof_range_t right) {
  return (gmem_proof_range_t){left.begin > right.begin ? left.begin
                                                       : right.begin,
                              left.end < right.end ? left.end : right.end};
}

// Whether they share a byte. An empty range has none, wherever it is.
static inline bool gmem_proof_do_meet(gmem_proof_range_t left,
                                      gmem_proof_range_t right) {
  gmem_proof_range_t common = gmem_proof_common(left, right);
  return common.begin < common.end;
}

// Of a range of bytes only [first, end) of each |pitch| bytes, from its begin
// on: those of a view with strides. |pitch| 0: all of them.
typedef struct gmem_proof_columns_s {
  uint64_t pitch, first, end;
} gmem_proof_columns_t;

// Whether the two, of ranges that begin at |left_at| and |right_at|, are known
// to have no byte in common.
static inline bool gmem_proof_are_apart(gmem_proof_columns_t left,
                                        uint64_t left_at,
                                        gmem_proof_columns_t right,
                                        uint64_t right_at) {
  uint64_t distance =
      left_at < right_at ? right_at - left_at : left_at - right_at;
  return left.pitch && left.pitch == right.pitch &&
         distance % left.pitch == 0 &&
         (left.end <= right.first || right.end <= left.first);
}

typedef struct gmem_proof_value_s {
  MlirValue value;
  gmem_proof_range_t bytes;  // of the value itself, if it is placed
  gmem_proof_range_t buffer; // the same with its padding
  uint32_t op;               // that defines it; GMEM_NO_INDEX: a block argument
  uint32_t block, function;
  uint32_t number;      // of the result or argument
  bool is_placed : 1;   // the plan gives it memory
  bool is_constant : 1; // in a constant pool
  bool has_size : 1;    // its type has a known size
  bool is_sized : 1;    // a tensor of known size, not 0
  bool is_local : 1;    // only the layer group of its op uses it
  bool is_repeated : 1; // code that may run concurrently with itself uses it
  bool is_memref : 1;   // or a handle: denotes the memory of others
} gmem_proof_value_t;

// The bytes of |value| and its padding.
static inline gmem_proof_range_t
gmem_proof_extent(const gmem_proof_value_t *value) {
  gmem_proof_range_t all = value->buffer;
  if (value->bytes.begin < all.begin)
    all.begin = value->bytes.begin;
  if (value->bytes.end > all.end)
    all.end = value->bytes.end;
  return all;
}

// A row of values: results of an op, arguments of a block.
typedef struct gmem_proof_row_s {
  uint32_t first, count;
} gmem_proof_row_t;

typedef enum gmem_edge_e {
  GMEM_EDGE_CALLEE,
  GMEM_EDGE_RESULTS,
  GMEM_EDGE_REGION,
  GMEM_EDGE_SUCCESSOR,
  GMEM_EDGE_PARENT,
  GMEM_EDGE_NEXT,
  GMEM_EDGE_CALLER,
} gmem_edge_t;

// An entry of gmem.copies.
typedef struct gmem_proof_copy_s {
  gmem_edge_t edge;
  uint32_t number;
  uint64_t from, to, size;
  bool is_cycle;
} gmem_proof_copy_t;

typedef enum gmem_proof_flow_e {
  GMEM_PROOF_STEP,  // enters no region
  GMEM_PROOF_ANY,   // its regions run in any order, any number of times
  GMEM_PROOF_LATER, // the same, until its function ends
  GMEM_PROOF_BRANCH,
  GMEM_PROOF_FOR,
  GMEM_PROOF_WHILE, // kinds while and loop
  GMEM_PROOF_CALL,  // runs one function of the scope on its operands
} gmem_proof_flow_t;

// What the plan gives an op beside the places of its results.
typedef struct gmem_proof_planned_s {
  const gmem_proof_range_t *workbuffers, *immutables; // in constant pools
  uint32_t workbuffer_count, immutable_count;
  const gmem_proof_copy_t *copies;
  uint32_t copy_count;
  bool has_threads; // of workbuffers: each has its own part
} gmem_proof_planned_t;

// Of operands that are memrefs: bit i is of operand i.
typedef struct gmem_proof_memref_uses_s {
  uint64_t only_read; // it is not written
  uint64_t replaced;  // all of its elements are, and none is read
} gmem_proof_memref_uses_t;

// There is one for each op of the scope: what few ops have is behind pointers,
// and flags are bits.
typedef struct gmem_proof_op_s {
  MlirOperation op;
  const gmem_op_model_t *model;
  uint64_t own;    // its attributes "gmem.*": bit gmem_attr_t
  struct {         // where it is
    int64_t group; // flat layer group, or INT64_MIN
    uint32_t parent, block, function; // parent GMEM_NO_INDEX: the function
    uint32_t next;                    // op of the block, or GMEM_NO_INDEX
  };
  struct { // what it has inside, and which functions it names
    uint32_t first_region, region_count, first_callee, callee_count;
    uint32_t end; // index behind the ops inside of it
    gmem_proof_flow_t flow;
  };
  struct { // what it uses and makes
    gmem_proof_row_t results;
    const uint32_t *operands; // values or GMEM_NO_INDEX; then captured ones
    uint32_t operand_count, read_count; // without and with captured ones
    const gmem_proof_memref_uses_t *memref_uses; // NULL: has none
  };
  const gmem_proof_planned_t *planned; // never NULL
  bool is_opaque : 1, is_held : 1, is_parallel : 1;
  // A flat layer group begins with it that is in several blocks, so that it may
  // run from the function's begin to its end; that has others between its ops.
  bool is_scattered : 1, is_mixed : 1;
  // It computes nothing: what it has goes where control flow goes.
  bool is_end : 1;
  // It, or what the function that it calls has started, runs at any time until
  // its function ends; its regions are deferred.
  bool is_deferred : 1, starts_later : 1;
  // Some value of the scope has padding per dimension or strides
  // (padded_layout.h).
  bool may_have_layouts : 1;
  // It runs code that it does not name: a function by a table or a value.
  bool runs_unknown : 1;
  // A call, if the flow is not one as other code may run its only callee: its
  // copies are those of a call.
  bool is_direct : 1;
} gmem_proof_op_t;

typedef struct gmem_proof_block_s {
  MlirBlock block;
  gmem_proof_row_t arguments;
  uint32_t region, first_op, last_op; // GMEM_NO_INDEX: it is empty
  bool is_reached;                    // control flow may lead here
  uint32_t position; // in the reverse postorder of its region, if it is reached
} gmem_proof_block_t;

typedef struct gmem_proof_region_s {
  uint32_t owner;        // op, or GMEM_NO_INDEX: a function
  const uint32_t *order; // the reached blocks in reverse postorder, in which
  uint32_t reached;      //   only loops lead back; their number
  uint32_t first_block, block_count;
  bool is_graph; // a value is used before its definition
  bool has_loop; // a branch leads back
} gmem_proof_region_t;

typedef struct gmem_proof_function_s {
  MlirOperation op;
  MlirStringRef name;
  uint32_t region, first_op, end_op, end_block;
  uint32_t mentions;        // by ops of the scope
  uint32_t caller;          // the last of these ops
  bool is_recursive;        // directly or through others
  bool in_table;            // that is used
  bool is_taken;            // a table or a value may hold it or a caller
  bool runs_unknown;        // it, or what it runs, uses tables or handles
  bool has_other_calls;     // ops that name it without passing it its arguments
  bool has_unknown_callers; // others than ops of this scope may run it
  bool is_ordered;          // it is in |order|, which is being made
  bool may_run_any_time;    // it is taken, or named by deferred code
  bool is_concurrent;       // deferred code runs it
  bool starts_later;        // some of its code is deferred
  bool may_run_with_self;   // concurrently with itself
} gmem_proof_function_t;

// Whether several runs of |function| may exist at once.
static inline bool
gmem_proof_has_instances(const gmem_proof_function_t *function) {
  return function->is_recursive || function->may_run_with_self;
}

typedef struct gmem_proof_pool_s {
  MlirAttribute name;
  gmem_proof_range_t bytes; // pools are apart
  uint64_t base;            // address of the first, if |has_base|
  bool has_base;
  bool is_constant;
} gmem_proof_pool_t;

typedef struct gmem_proof_program_s {
  MlirOperation scope;
  const gmem_op_models_t *models;
  bool keeps_inputs;
  uint64_t own; // attributes "gmem.*" of ops and of arguments of functions
  bool has_room_around; // some value has a buffer that is larger than it is
  bool has_memrefs;     // some value is one
  bool has_allocs;      // some op allocates memory
  bool has_deferred;    // some op is deferred, or starts what is
  bool has_copies;      // the plan records some
  bool has_parallel;    // some op is parallel
  GMEM_LIST(gmem_proof_function_t) functions;
  GMEM_LIST(gmem_proof_region_t) regions;
  GMEM_LIST(gmem_proof_block_t) blocks;
  GMEM_LIST(gmem_proof_op_t) ops; // in the order of the text
  GMEM_LIST(gmem_proof_value_t) values;
  gmem_proof_columns_t *columns; // by value: of its bytes; NULL: all of them
  GMEM_LIST(uint32_t) callees;
  const uint32_t *order; // functions, callees first
  // By op in a flat layer group: the group's first op, the next one of it, or
  // GMEM_NO_INDEX.
  uint32_t *group_first, *group_next;
  GMEM_LIST(gmem_proof_pool_t) pools;
  gmem_pointer_index_t value_of; // from MlirValue
  gmem_pointer_map_t block_of;   // from MlirBlock
} gmem_proof_program_t;

// Reads |scope|, without its plan (proof_places.h). Everything is allocated in
// |arena|. Fails with OUT_OF_MEMORY, or as gmem_op_models_of_op.
gmem_status_t gmem_proof_program_read(MlirOperation scope,
                                      const gmem_op_models_t *models,
                                      gmem_bump_t *arena,
                                      gmem_proof_program_t *out_program,
                                      gmem_diag_t *diag);

// The attribute |name| of |op|, or null.
static inline MlirAttribute gmem_proof_attribute(const gmem_proof_op_t *op,
                                                 gmem_attr_t name) {
  return op->own >> name & 1 ? gmem_op_annotation(op->op, name)
                             : (MlirAttribute){NULL};
}

// Whether the op does not read operand |operand|: it uses its shape only.
bool gmem_proof_is_unread(const gmem_proof_op_t *op, uint32_t operand);

static inline const gmem_proof_op_t *
gmem_proof_op_at(const gmem_proof_program_t *program, uint32_t op) {
  assert(op < program->ops.count);
  return &program->ops.at[op];
}

// Whether operand |operand| is a memref that the op does not write, and of
// which it writes all elements and reads none.
static inline bool gmem_proof_only_reads(const gmem_proof_op_t *op,
                                         uint32_t operand) {
  return op->memref_uses && operand < 64 &&
         (op->memref_uses->only_read >> operand & 1);
}

static inline bool gmem_proof_replaces(const gmem_proof_op_t *op,
                                       uint32_t operand) {
  return op->memref_uses && operand < 64 &&
         (op->memref_uses->replaced >> operand & 1);
}

// The columns of the bytes of |value|, which is one of the program.
static inline gmem_proof_columns_t
gmem_proof_columns_of(const gmem_proof_program_t *program,
                      const gmem_proof_value_t *value) {
  return program->columns ? program->columns[value - program->values.at]
                          : (gmem_proof_columns_t){0, 0, 0};
}

static inline const gmem_proof_value_t *
gmem_proof_value_at(const gmem_proof_program_t *program, uint32_t value) {
  assert(value < program->values.count);
  return &program->values.at[value];
}

// Whether control flow may lead to |block| several times, as far as its place
// says: it is inside of an op, or is not the entry of its function.
static inline bool gmem_proof_may_repeat(const gmem_proof_program_t *program,
                                         uint32_t block) {
  const gmem_proof_region_t *region =
      &program->regions.at[program->blocks.at[block].region];
  return region->owner != GMEM_NO_INDEX || region->first_block != block;
}

// The first block of a region, or GMEM_NO_INDEX.
static inline uint32_t gmem_proof_entry(const gmem_proof_program_t *program,
                                        uint32_t region) {
  assert(region < program->regions.count);
  return program->regions.at[region].first_block;
}

// The arguments of the first block of a region, if it has one.
static inline gmem_proof_row_t
gmem_proof_arguments(const gmem_proof_program_t *program, uint32_t region) {
  uint32_t block = gmem_proof_entry(program, region);
  return block == GMEM_NO_INDEX ? (gmem_proof_row_t){0, 0}
                                : program->blocks.at[block].arguments;
}

// The values that a loop carries.
static inline gmem_proof_row_t
gmem_proof_carried(const gmem_proof_program_t *program,
                   const gmem_proof_op_t *loop) {
  gmem_proof_row_t row = gmem_proof_arguments(program, loop->first_region);
  if (loop->flow != GMEM_PROOF_FOR)
    return row;
  return (gmem_proof_row_t){row.first + row.count - loop->results.count,
                            loop->results.count};
}

// Whether op |index| is in |block|, or in a region of an op in it.
static inline bool gmem_proof_is_within(const gmem_proof_program_t *program,
                                        uint32_t index, uint32_t block) {
  while (index != GMEM_NO_INDEX && program->ops.at[index].block != block)
    index = program->ops.at[index].parent;
  return index != GMEM_NO_INDEX;
}

// The function that a call runs.
static inline const gmem_proof_function_t *
gmem_proof_callee(const gmem_proof_program_t *program,
                  const gmem_proof_op_t *call) {
  assert(call->callee_count == 1);
  return &program->functions.at[program->callees.at[call->first_callee]];
}

// Whether return |op| copies to the results of the only call itself.
static inline bool gmem_proof_copies_to_caller(const gmem_proof_op_t *op) {
  for (uint32_t i = 0; i < op->planned->copy_count; ++i)
    if (op->planned->copies[i].edge == GMEM_EDGE_CALLER)
      return true;
  return false;
}

// Whether |value| is an argument of a function.
static inline bool gmem_proof_is_argument(const gmem_proof_program_t *program,
                                          const gmem_proof_value_t *value) {
  return value->op == GMEM_NO_INDEX &&
         value->block ==
             gmem_proof_entry(program,
                              program->functions.at[value->function].region);
}

// The last op of |block| if control flow leaves the region there, else NULL.
static inline const gmem_proof_op_t *
gmem_proof_exit(const gmem_proof_program_t *program, uint32_t block) {
  uint32_t last = program->blocks.at[block].last_op;
  return last == GMEM_NO_INDEX ||
                 mlirOperationGetNumSuccessors(program->ops.at[last].op)
             ? NULL
             : &program->ops.at[last];
}

#endif // GMEM_PASSES_PROOF_PROGRAM_H_
