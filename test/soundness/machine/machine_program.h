// machine_program.h - a planning scope as the machine sees it: functions,
// blocks, ops and values, the places that the plan gives them, and what each op
// does. None of it comes from the passes: it is the second opinion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_PROGRAM_H_
#define GMEM_MACHINE_PROGRAM_H_

#include "machine_memory.h"
#include "mlir_seam.h"

#define NONE UINT32_MAX

typedef enum does_e {
  DOES_COMPUTE, // reads its operands and writes its results, in any order
  DOES_WEIGHT,  // the results are constants, in memory from the start
  DOES_VIEW,    // result 0 is operand 0
  DOES_SLICE,   // result 0 is bytes of operand |part|
  DOES_JOIN,    // result 0 is operands from |part| on, one behind the other
  DOES_INSERT,  // result 0 is operand |destination| with operand |part| in it
  DOES_EMPTY,   // the contents of the results do not matter
  DOES_NOTHING, // the results need no memory
  DOES_INPUT,   // the results are network inputs, in memory from the start
  DOES_END,     // hands its operands out of the region or function
  DOES_JUMP,    // goes on at one of its successors
  DOES_CALL,    // runs callees[0] on its operands
  DOES_CHOOSE,  // runs one region, which results in what its end is given
  DOES_FOR,     // runs region 0 any number of times, with carried values
  DOES_WHILE,   // region 0 hands on to region 1 or to the results
  DOES_TEST,    // region 0 looks whether region 1 runs again
  DOES_ANYTHING // runs its regions as often and in what order it likes
} does_t;

enum {
  ELEMENTWISE_RESULTS = 4,
  TUPLE_ALIGNMENT = 64 // bytes, from the start of a tuple to its elements
};

enum { MAX_RANK = 16 };

// The elements of a tensor: |at| is the distance of two of them along an axis,
// in elements.
typedef struct shape_s {
  int64_t rank;
  int64_t dims[MAX_RANK], at[MAX_RANK];
  uint64_t element; // bytes
} shape_t;

// What an op reads and writes, and in which order.
typedef struct semantics_s {
  does_t does;
  // Bit i: an element of operand i is last read when that element of the result
  // is written; one mask per result, for as many as count.
  uint64_t elementwise[ELEMENTWISE_RESULTS];
  uint64_t unread;     // bit i: the contents of operand i do not matter
  uint64_t writes;     // bit i: operand i has new contents behind it
  uint64_t alignment;  // bytes: of the parts of a join
  int32_t destination; // operand in whose memory result 0 is made, the next
                       //   for result 1, ...; -1: none
  int32_t part;        // operand that is sliced or put in; or first of a join
  uint64_t offset;     // bytes: of the slice in |part|, or of |part| in the
                       //   result
  bool opaque;         // its regions hold code of its own, no tensors
  // Of a slice, its first element and how many it has along each axis of the
  // operand; of a join, the axis. |boxed|: parts have gaps by their types
  // alone.
  bool has_box, boxed;
  int64_t begin[MAX_RANK], box[MAX_RANK];
  int64_t axis;
  bool takes_strides; // test.strided: of its operands and results
  bool lists;         // results that are no tensors stand for the operands
} semantics_t;

typedef struct value_s {
  MlirValue value;
  uint32_t op;     // that defines it, or NONE: an argument
  uint32_t number; // of the result or argument
  uint32_t block;
  uint32_t pool;   // NONE: it has no place
  uint64_t offset; // bytes from the start of the pool
  uint64_t size;   // bytes: of the place, else of the type, 0 if unknown
  uint64_t before; // bytes of its place around it, which whoever works on it
  uint64_t after;  //   may touch
  uint64_t layout; // of elements with gaps (gmem.padding per dimension), the
                   //   same for the same strides; 0: they are without gaps
  // gmem.strides: its elements have others between them. |offset| is that of
  // the first, |size| the bytes of all elements without what is between.
  const shape_t *strided;
  const shape_t *padded; // gmem.padding per dimension; |size| has the gaps, too
  uint64_t begin;        // of its place: gmem.offset
  bool wants_place;      // the type is a tensor of known size
  bool may_be_local;     // but nothing outside of its layer group reads it
  bool is_shown;         // a list stands for it: in loops it may be nowhere
  bool is_weight;        // in a constant pool from the start
  uint32_t
      same_weight; // an earlier one of equal contents in its place, or NONE
} value_t;

// Where control goes when it hands values on: the words of gmem.copies.
typedef enum edge_e {
  EDGE_CALLEE,
  EDGE_REGION,
  EDGE_SUCCESSOR,
  EDGE_NEXT,
  EDGE_PARENT,
  EDGE_CALLER,
  EDGE_RESULTS,
  EDGES
} edge_t;

// A record of gmem.copies.
typedef struct record_s {
  edge_t edge;
  uint64_t number;
  uint32_t from_pool, to_pool;
  uint64_t from, to, size; // bytes
  bool cycle;
} record_t;

typedef struct op_s {
  MlirOperation op;
  semantics_t does;
  uint32_t parent; // op around it, or NONE
  uint32_t block, function;
  uint32_t first_result, result_count; // values
  uint32_t *operands;                  // values, NONE: of an opaque body
  uint32_t operand_count;
  uint32_t *captures; // what an opaque body reads from outside
  size_t capture_count, capture_room;
  uint32_t *regions; // none of an opaque op
  uint32_t region_count;
  uint32_t *callees; // functions it names
  size_t callee_count, callee_room;
  record_t *records;
  size_t record_count;
  uint32_t group; // flat layer group, or NONE
  bool hold;      // gmem.hold
  bool late;      // its regions run when they like, up to the function's end
} op_t;

typedef struct block_s {
  MlirBlock block;
  uint32_t region;
  uint32_t first_argument, argument_count; // values
  uint32_t *ops;
  size_t op_count, op_room;
  bool graph;   // the order of the text is not the order of execution
  bool reached; // control may come here from the region's first block
} block_t;

typedef struct region_s {
  uint32_t *blocks;
  size_t count, room;
} region_t;

typedef struct function_s {
  MlirOperation op;
  MlirStringRef name;
  uint32_t region;
  uint32_t first_value, end_value;
  uint32_t first_op, end_op;
  bool called;    // by an op of the scope
  bool escapes;   // it may run at any time
  bool unplanned; // it runs several times at once, or calls itself
} function_t;

// Ops of one block that form one layer group.
typedef struct group_s {
  int64_t id;
  uint32_t block;
  uint32_t first_op, last_op;
} group_t;

typedef struct program_s {
  machine_arena_t *arena;
  MlirOperation scope;
  bool keep_inputs;
  bool has_copies;      // the plan says which copies control flow makes
  uint32_t wrong_value; // whose place cannot be, or NONE
  pool_t *pools;
  size_t pool_count, pool_room;
  function_t *functions;
  size_t function_count, function_room;
  region_t *regions;
  size_t region_count, region_room;
  block_t *blocks;
  size_t block_count, block_room;
  op_t *ops; // in the order of the text
  size_t op_count, op_room;
  value_t *values;
  size_t value_count, value_room;
  group_t *groups;
  size_t group_count, group_room;
  const void **keys; // hash table of values
  uint32_t *key_values;
  size_t key_room, key_count;
} program_t;

// Reads |scope|, an op that holds functions, with the plan it carries. Returns
// NULL, or what is wrong with the text of the plan.
const char *program_read(program_t *program, MlirOperation scope,
                         machine_arena_t *arena);

// The number of |value|, or NONE.
uint32_t program_find(const program_t *program, MlirValue value);

// Whether |op| is a function with a body.
bool program_is_function(MlirOperation op);

// Bytes of a tensor type of known size, or of a tuple of such; false for
// others.
bool type_bytes(MlirType type, uint64_t *bytes);

// What |op| does: machine_semantics.c.
semantics_t semantics_of(const program_t *program, const op_t *op);

// Gives values their places, reads the pool table: machine_places.c. As
// program_read.
const char *places_read(program_t *program);

// Reads the records of copies, after the places: machine_copies.c. As
// program_read.
const char *copies_read(program_t *program);

// The attribute of that name, or null.
MlirAttribute attribute_of(MlirOperation op, const char *name);

#endif // GMEM_MACHINE_PROGRAM_H_
