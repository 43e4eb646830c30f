// program.h - the functions, ops, blocks and values of one planning scope,
// numbered in textual order: the input of all analyses. Where execution order
// may differ from textual order, liveness.c extends the live ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is counted in steps. Every op takes one step; an op with regions takes
// another at its end, so that the ops of its regions lie between the two. Every
// function takes one step before its first op, at which its arguments are
// defined. A call takes two steps, and the callee runs between them:
//
//   func @f(%a)         step 0             [0, 6)
//     %0 = op1(%a)      step 1             [1, 2)
//     %1 = loop {       steps 2, 3, 4      [2, 5)
//       op2(%0)         step 3             [3, 4)
//     }
//     return %1         step 5             [5, 6)
//
// Bodies of layer groups, scalar bodies and nested functions are opaque: their
// ops have no steps and count at the step of the enclosing op.

#ifndef GMEM_PASSES_PROGRAM_H_
#define GMEM_PASSES_PROGRAM_H_

#include <assert.h>
#include <stdbool.h>

#include "captures.h"
#include "gmem/memories.h"
#include "op_model_text.h"
#include "pointer_map.h"
#include "type_size.h"

#define GMEM_NO_GROUP INT64_MIN

typedef struct gmem_function_s {
  MlirOperation op;
  MlirStringRef name;   // symbol, in the IR
  int64_t begin, end;   // steps
  uint32_t first_op;    // ops of the function: [first_op, end_op)
  uint32_t end_op;      //
  uint32_t first_value; // values: [first_value, end_value), arguments first
  uint32_t end_value;   //
  uint32_t first_block; // blocks: [first_block, end_block)
  uint32_t end_block;   //
  bool is_init;         // gmem.init: runs once, before all others
} gmem_function_t;

typedef struct gmem_ir_region_s {
  int64_t begin, end; // steps of the op or function it belongs to
  uint32_t function;
  uint32_t owner;  // op, or GMEM_NO_INDEX for the body of the function
  uint32_t number; // of the region in its owner
  uint32_t next;   // region of the same op, or GMEM_NO_INDEX
  uint32_t block_count;
  uint32_t first_block; // or GMEM_NO_INDEX: it is empty
} gmem_ir_region_t;

typedef struct gmem_block_s {
  MlirBlock block;
  uint32_t region;
  uint32_t number;    // of the block in its region
  uint32_t next;      // block of the region, or GMEM_NO_INDEX
  uint32_t first_op;  // or GMEM_NO_INDEX: it is empty
  uint32_t last_op;   // the same; weights inside of it do not count
  int64_t begin, end; // steps of its ops; the first of a function also that of
                      //   the arguments
} gmem_block_t;

typedef struct gmem_program_op_s {
  MlirOperation op;
  const gmem_op_model_t *model; // never NULL
  uint64_t own;                 // its attributes "gmem.*": bit gmem_attr_t
  uint32_t parent; // enclosing op, or GMEM_NO_INDEX at the function's level
  uint32_t first_region; // or GMEM_NO_INDEX; none if opaque
  uint32_t next;         // op of the same block, or GMEM_NO_INDEX
  uint32_t block;
  uint32_t function;
  gmem_op_kind_t kind : 8; // the model's, unless the op is a special case
  bool has_global : 1;     // kind GMEM_OP_GLOBAL, of a constant global
  bool opaque : 1;         // its regions are not entered
  bool hold : 1;           // gmem.hold: results are live to the function's end
  bool deferred : 1; // it or its regions are deferred: they run, and read their
                     //   operands, at any time from here on
  bool parallel : 1; // it or an enclosing op runs several times at once
  int64_t group;     // flat layer group it belongs to, or GMEM_NO_GROUP
  int32_t begin, end; // steps
} gmem_program_op_t;

typedef struct gmem_value_s {
  MlirValue value;
  uint64_t size;             // bytes, for GMEM_TYPE_SIZED
  uint32_t block;            // where it is defined
  uint32_t op;               // defining op, or GMEM_NO_INDEX: a block argument
  uint32_t number;           // of the result or of the block argument
  gmem_type_kind_t type : 8; // GMEM_TYPE_NO_MEMORY only for handles: results of
                             //   reshapes, and of unknown ops on tensors; of
                             //   memrefs, only those that are allocated are
                             //   sized
  bool is_bound : 1;         // the size is an upper bound
  bool is_unbounded : 1;     // a tensor without bounds of its own: sized only
                             //   by the option dynamic-bound
  bool weight_argument : 1;  // constant argument of a function without callers
  bool is_memref_root : 1;   // allocation site: result of an op of kind "alloc"
} gmem_value_t;

typedef struct gmem_program_s {
  MlirOperation scope;
  const gmem_op_models_t *models;
  const gmem_memory_t *memories; // of the machine (gmem.memories)
  size_t memory_count;
  uint64_t own; // attributes "gmem.*" of ops and of arguments of functions
  gmem_function_t *functions;
  gmem_ir_region_t *regions;
  gmem_block_t *blocks;
  gmem_program_op_t *ops; // in walk order
  MlirOperation *globals; // by op: of those that have one; NULL: none has
  gmem_value_t *values;
  gmem_pointer_index_t value_index; // from MlirValue
  size_t function_count, region_count, block_count, op_count, value_count;
  int64_t step_count;
} gmem_program_t;

// Whether |value| is the memref of an op of kind "alloc", an allocation site.
// Unlike all other memrefs, one of known size is GMEM_TYPE_SIZED.
bool gmem_is_memref_root(const gmem_program_t *program, uint32_t value);

// The memref that is no view and that |memref| is all of, from its first byte
// to its last, in the same order; GMEM_NO_INDEX if there is none. The second
// one only if that is an allocation site.
uint32_t gmem_whole_memref(const gmem_program_t *program, MlirValue memref);
uint32_t gmem_whole_site(const gmem_program_t *program, MlirValue memref);

// Whether |op| is without results at the end of its block, taken for a
// terminator. It passes values out of the block, so it is in no flat layer
// group.
bool gmem_ends_block(MlirOperation op);

// Whether |op|, or its regions, run on after its step. Ops inside of them are
// deferred, too, but what they do is known when they run.
bool gmem_starts_deferred(const gmem_op_models_t *models,
                          const gmem_program_op_t *op);

// The index of |value|, or GMEM_NO_INDEX when it needs no memory or is defined
// in an opaque body.
uint32_t gmem_program_find(const gmem_program_t *program, MlirValue value);

// The value of operand or result |number| of |op|, or GMEM_NO_INDEX, also when
// there is none.
uint32_t gmem_operand_value(const gmem_program_t *program, MlirOperation op,
                            intptr_t number);
uint32_t gmem_result_value(const gmem_program_t *program, MlirOperation op,
                           intptr_t number);

// The function that contains step |time|.
uint32_t gmem_program_function_at(const gmem_program_t *program, int64_t time);

// The op that runs at step |time| (the innermost), or the function's op.
MlirOperation gmem_program_op_at(const gmem_program_t *program, int64_t time);

// Calls |visit| for each operand of op |index| that is a value of the program,
// also of the ops in an opaque body.
typedef void (*gmem_operand_fn)(uint32_t value, void *user);
void gmem_for_each_operand(const gmem_program_t *program, uint32_t index,
                           gmem_operand_fn visit, void *user);

// The attribute |name| of |op|, or null.
static inline MlirAttribute gmem_own_attribute(const gmem_program_op_t *op,
                                               gmem_attr_t name) {
  return op->own >> name & 1 ? gmem_op_annotation(op->op, name)
                             : (MlirAttribute){NULL};
}

// Whether a value may have a padding per dimension, or strides.
static inline bool gmem_has_layouts(const gmem_program_t *program) {
  return (program->own >> GMEM_ATTR_PADDING & 1) ||
         (program->own >> GMEM_ATTR_STRIDES & 1);
}

// The region that |block| is in.
static inline const gmem_ir_region_t *
gmem_region_of(const gmem_program_t *program, uint32_t block) {
  assert(block < program->block_count);
  return &program->regions[program->blocks[block].region];
}

// The op that defines |value|, or NULL: it is a block argument.
static inline const gmem_program_op_t *
gmem_defining_op(const gmem_program_t *program, uint32_t value) {
  assert(value < program->value_count);
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? NULL : &program->ops[op];
}

// The constant global of |op|, or null.
static inline MlirOperation gmem_global_of(const gmem_program_t *program,
                                           const gmem_program_op_t *op) {
  return op->has_global ? program->globals[op - program->ops]
                        : (MlirOperation){NULL};
}

// Whether the results of the op are constants: it is a weight op or returns a
// constant global.
bool gmem_makes_weights(const gmem_program_op_t *op);

// Whether |value| is a constant of known size: defined by such an op, or a
// function argument that is marked as a weight by its attributes or by an
// argument model.
bool gmem_value_is_weight(const gmem_program_t *program, uint32_t value);

// Whether op |index| returns a view: exactly one result that needs memory and
// aliases operand |*out_operand|, or an unknown value (GMEM_NO_INDEX).
bool gmem_is_view(const gmem_program_t *program, size_t index,
                  uint32_t *out_operand, uint32_t *out_result);

// Whether op |index| only makes a view of |value|, its operand, and does not
// access its memory.
bool gmem_only_makes_view(const gmem_program_t *program, uint32_t index,
                          uint32_t value);

// The function in which |value| is defined.
uint32_t gmem_value_function(const gmem_program_t *program, uint32_t value);

// Where |value| is defined, for diagnostics.
MlirLocation gmem_value_location(const gmem_program_t *program, uint32_t value);

// Whether |block| holds the arguments of a function.
bool gmem_is_entry_block(const gmem_program_t *program, uint32_t block);

// "result #0 of 'tosa.conv2d'", "argument #1 of @main".
void gmem_value_describe(const gmem_program_t *program, uint32_t value,
                         char *text, size_t size);

// The op that encloses |op|, or GMEM_NO_INDEX at function level.
uint32_t gmem_op_around(const gmem_program_t *program, uint32_t op);

// Whether the op may lower to no code: a view, or a subtensor that may be
// placed in its source. Such an op need not delay any op but the users of its
// results.
bool gmem_may_vanish(const gmem_program_op_t *op);

// Whether the numbering is consistent: ops, blocks, regions and values are in
// walk order, and their steps nest.
bool gmem_program_check(const gmem_program_t *program);

#endif // GMEM_PASSES_PROGRAM_H_
