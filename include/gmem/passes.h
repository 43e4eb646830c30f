// passes.h - planning a module from C: the passes, and the plan they leave in
// the IR. Needs the MLIR C API (mlir-c/). C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_register_passes();               // then in any pass pipeline text:
//   mlirOpPassManagerAddPipeline(pm, "gmem-plan{algorithm=ref-count}", ...);
//
// or, without a pass manager:
//
//   gmem_plan_options_t options;
//   gmem_plan_options_init(&options);
//   gmem_plan_module(mlirModuleGetOperation(module), &options, NULL, &diag);
//
// A *planning scope* is an op whose region directly holds functions (a module;
// of nested modules each on its own). All functions of a scope share its pools.
// The functions here are as thread-safe as the MLIR context of the IR they are
// given: one thread per module.

#ifndef GMEM_PASSES_H_
#define GMEM_PASSES_H_

#include <stdbool.h>

#include "gmem/planner.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

//===--- options ----------------------------------------------------------===//

// Ways in which values may share memory beyond being the same bytes. Each is
// taken only where it is safe, and only where the plan becomes no larger.
typedef enum gmem_sharing_e {
  GMEM_SHARE_INPLACE = 1 << 0,     // an op writes over a dying operand
  GMEM_SHARE_DESTINATION = 1 << 1, // the operand that an op writes into
  GMEM_SHARE_SLICE = 1 << 2,       // a part of a tensor is a view of it
  GMEM_SHARE_CONCAT = 1 << 3,      // the parts are made inside of the whole
  GMEM_SHARE_TRANSFER = 1 << 4,    // what control flow hands on stays in place
  GMEM_SHARE_ALL = (1 << 5) - 1,
} gmem_sharing_t;

// Where network inputs and outputs are.
typedef enum gmem_io_e {
  GMEM_IO_SHARED,   // among the other tensors
  GMEM_IO_SEPARATE, // in a pool of their own
  GMEM_IO_TAGGED,   // the largest each in a pool of its own
} gmem_io_t;

#define GMEM_MAX_IO_TAGS 32u

// What decides which values need memory, for how long, and which may share it.
// A plan is right under these; the IR states them with it.
typedef struct gmem_model_options_s {
  bool keep_inputs;        // inputs stay intact until their function ends
  uint32_t sharing;        // of gmem_sharing_t
  uint64_t view_alignment; // bytes: of what begins inside another tensor
  gmem_io_t io;
  uint32_t io_tags;       // for GMEM_IO_TAGGED: how many pools, at most
                          //   GMEM_MAX_IO_TAGS
  uint64_t dynamic_bound; // elements: the most of a dynamic dimension that says
                          //   nothing else; 0: such values are left alone
  bool share_weights;     // weights of equal contents share one address
  uint64_t memref_alignment; // bytes: the least of every planned memref
  bool allocas;              // memrefs on the stack are planned, too
  bool memrefs; // what the program allocates is planned, and memrefs that are
                //   constants; if not, only tensors are
} gmem_model_options_t;

enum { GMEM_MAX_OP_MODELS_PATHS = 4096 };  // bytes, with the NUL
enum { GMEM_MAX_SPACE_CAPACITIES = 1024 }; // the same
enum { GMEM_MAX_POOLS_TEXT = 4096 };       // the same

// In which order weights lie.
typedef enum gmem_weight_order_e {
  GMEM_WEIGHTS_BY_WALK,      // as the ops that make them stand in the text
  GMEM_WEIGHTS_BY_NAME,      // of their location or symbol; others behind
  GMEM_WEIGHTS_BY_FIRST_USE, // by the first op that uses them; others behind
} gmem_weight_order_t;

// What gmem-materialize makes of a workspace pool.
typedef enum gmem_arena_mode_e {
  GMEM_ARENA_ALLOC,  // entry functions allocate it, and free it
  GMEM_ARENA_ARG,    // they are given it, as a last argument
  GMEM_ARENA_GLOBAL, // it is static
} gmem_arena_mode_t;

// How gmem-report says what it found.
typedef enum gmem_report_format_e {
  GMEM_REPORT_TEXT,    // tables for people
  GMEM_REPORT_JSON,    // docs/report.md
  GMEM_REPORT_REMARKS, // diagnostics where the buffers are made
} gmem_report_format_t;

enum { GMEM_MAX_REPORT_PATH = 4096 }; // bytes, with the NUL

// Algorithms beside the built-in ones.
typedef struct gmem_more_algorithms_s {
  const gmem_algorithm_t *const *at; // names that no built-in has, each once
  size_t count;
  const gmem_algorithm_t *chosen; // the default instead of auto; NULL: auto
} gmem_more_algorithms_t;

// What the passes can be told. Sizes and addresses in bytes.
typedef struct gmem_plan_options_s {
  const gmem_algorithm_t *algorithm;  // places the tensors
  const gmem_more_algorithms_t *more; // gmem_plan_options_set knows their names
                                      //   as well; NULL: none. Not owned
  gmem_effort_t effort;               // how long it may search, in every scope
  uint64_t alignment;                 // of every tensor; a power of two
  uint64_t weight_alignment;          // of every weight; a power of two
  uint64_t weight_base;               // address of the weights' pool
  uint64_t tensor_base; // address of the tensors' pool, GMEM_AFTER_WEIGHTS
                        // or GMEM_NO_BASE
  uint64_t capacity;    // of the tensors' pool, or GMEM_UNLIMITED
  // "memory=65536,memory.1=1024": of other workspace pools; "" for none.
  char space_capacity[GMEM_MAX_SPACE_CAPACITIES];
  // The memories of the machine, as gmem/memories.h has them, or the path of a
  // file that describes them; "" for what the IR says itself. They are written
  // to gmem.memories.
  char pools[GMEM_MAX_POOLS_TEXT];
  char pool_file[GMEM_MAX_OP_MODELS_PATHS];
  gmem_weight_order_t weight_order;
  gmem_arena_mode_t arena_mode; // of gmem-materialize
  bool weight_image;      // it makes an arena of each constant pool as well
  bool noalias_arguments; // gmem-alias-scopes: each has memory of its own
  uint32_t index_bits;    // of gmem-check-index-width: 32 or 64
  gmem_model_options_t model;
  // Paths of op-model files (docs/op-models.md), with commas between them; ""
  // for none. Their text goes into the IR, where later files win over earlier
  // ones, and all of them over what is there already and what is built in.
  char op_models[GMEM_MAX_OP_MODELS_PATHS];
  bool quiet; // no remarks about what is left alone
  gmem_report_format_t report_format;
  char report_output[GMEM_MAX_REPORT_PATH]; // file, or "-": standard error
} gmem_plan_options_t;

#define GMEM_AFTER_WEIGHTS (UINT64_MAX - 1)
#define GMEM_NO_BASE UINT64_MAX // a memory of its own, offsets alone count

// The defaults: auto with normal effort, 4096-byte alignments, weights at
// address 0 in the order of the text, tensors after them, no capacity, inputs
// may die after their last use, all ways of sharing, views aligned to 64 bytes,
// inputs and outputs among the other tensors (5 pools where they are asked
// for), what has no bound not planned, weights of equal contents apart, memrefs
// aligned to 64 bytes in memory spaces without limits; arenas that are
// allocated, without the weights; reports as text to standard error.
void gmem_plan_options_init(gmem_plan_options_t *options);

// Sets the option of that name ("algorithm", "keep-inputs", ...) from text.
// Fails with NOT_FOUND (no such option) or INVALID_ARGUMENT (the text says
// what would be right); |options| is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_plan_options_set(gmem_plan_options_t *options,
                                                  const char *name,
                                                  const char *value,
                                                  gmem_diag_t *diag);

//===--- planning without a pass manager ----------------------------------===//

// Plans every scope in |top| (usually a module) and writes the gmem.*
// attributes: weights, then tensors and memrefs, then the proof of the result.
// Diagnostics with locations go to the handlers of the context; |diag| gets a
// copy of the first error. |allocator| (NULL: libc) provides all of gmem's own
// memory. On failure the attributes of |top| are unspecified but the program in
// it is unchanged. Fails with INVALID_ARGUMENT, OUT_OF_RANGE, OVER_BUDGET,
// OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_plan_module(MlirOperation top,
                                             const gmem_plan_options_t *options,
                                             const gmem_allocator_t *allocator,
                                             gmem_diag_t *diag);

// Proves the plan that |top| carries, from the IR alone. Fails with OVERLAP,
// ALIGNMENT, OVER_BUDGET, CORRUPT (attributes missing, malformed or
// contradicting each other), OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_verify_module(
    MlirOperation top, const gmem_allocator_t *allocator, gmem_diag_t *diag);

// Plans a copy of |top| as gmem_plan_module would do, proves the plan, and
// reports on it in the form that |options| ask for, to |write| in one or more
// pieces (to the diagnostic handlers for GMEM_REPORT_REMARKS). |top| is not
// changed; report_output is not looked at. Fails as gmem_plan_module, with
// NOT_FOUND (only a remark says so) when there is no function in |top|, and
// with what |write| returns.
GMEM_MUST_USE gmem_status_t gmem_report_module(
    MlirOperation top, const gmem_plan_options_t *options, gmem_write_fn write,
    void *user, const gmem_allocator_t *allocator, gmem_diag_t *diag);

// Adds op models, as text in the form of a model file, to a planning scope or
// an op around one: they win over what was there before and what is built in.
// The text is copied into the gmem.op_models attribute of |scope|; adding what
// is at its end already changes nothing. Fails with INVALID_ARGUMENT (|diag|
// says "text:LINE:COLUMN: " and what is wrong there), OUT_OF_MEMORY; |scope| is
// then as it was.
GMEM_MUST_USE gmem_status_t gmem_op_models_add(MlirOperation scope,
                                               const char *text, size_t length,
                                               gmem_diag_t *diag);

//===--- workbuffers ------------------------------------------------------===//

// Memory that an op wants beside its operands and results. All but the size may
// be zero.
typedef struct gmem_workbuffer_request_s {
  uint64_t size;      // bytes, of one thread; 0: the op does without this one
  uint64_t alignment; // bytes, a power of two; 0: what the pool gives to all
  uint32_t threads;   // how many write to parts of their own; 0: it is not
                      //   said. Where the op runs several times at once it has
                      //   to be, were it 1
  bool immutable;     // initialised once, when the network is loaded, and the
                      //   same for all requests; if not, it is of undefined
                      //   contents whenever the op begins
  const char *const *pools; // names of pools, best first
  size_t pool_count;        // 0: as for what the op makes
} gmem_workbuffer_request_t;

// States the workbuffers of |op| (gmem.workbuffers), in the order in which it
// expects them, in place of what it said before; none: it says nothing.
// Everything is copied. Fails with INVALID_ARGUMENT, for what gmem-plan would
// refuse of the numbers themselves; |op| is then as it was.
GMEM_MUST_USE gmem_status_t gmem_workbuffers_set(
    MlirOperation op, const gmem_workbuffer_request_t *requests, size_t count,
    gmem_diag_t *diag);

// What a toolchain knows of its operators: sets *out_requests, which stays its
// own and must be there until the next call, and *out_count, which is 0 before.
// A status other than GMEM_OK ends the query.
typedef gmem_status_t (*gmem_workbuffers_fn)(
    void *user, MlirOperation op,
    const gmem_workbuffer_request_t **out_requests, size_t *out_count,
    gmem_diag_t *diag);

// Asks |query| once for each op in the functions of |top|, in the order of the
// text, and states what it answers: an op of which it knows nothing has no
// workbuffers afterwards. |diag| is handed on, and never NULL there. Fails as
// gmem_workbuffers_set does, or with what |query| returns; ops before that one
// have got theirs.
GMEM_MUST_USE gmem_status_t gmem_workbuffers_query(MlirOperation top,
                                                   gmem_workbuffers_fn query,
                                                   void *user,
                                                   gmem_diag_t *diag);

//===--- the passes -------------------------------------------------------===//

typedef struct gmem_pass_option_s {
  const char *name;
  const char *default_value; // as text
  const char *help;
} gmem_pass_option_t;

// A part of a pipeline.
typedef struct gmem_pipeline_step_s {
  const char *passes; // as --pass-pipeline takes them inside builtin.module():
                      //   of gmem, of MLIR, pipelines; $OPTION stands for the
                      //   value of a number among the pipeline's options;
                      //   NULL: the end
  const char *option; // the step is taken where this option of the pipeline is
                      //   true; NULL: always
} gmem_pipeline_step_t;

// One pass, or a pipeline: what |steps| say, one behind the other. Options that
// a pipeline is given and that a gmem pass in it has too are handed on to it.
typedef struct gmem_pass_descriptor_s {
  const char *name; // "gmem-plan"
  const char *summary;
  const gmem_pass_option_t *options;
  size_t option_count;
  // A pass: does the work on one op (a module), diagnostics as
  // gmem_plan_module. NULL for a pipeline. |diag| may be NULL.
  gmem_status_t (*run)(MlirOperation op, const gmem_plan_options_t *options,
                       const gmem_allocator_t *allocator, gmem_diag_t *diag);
  const gmem_pipeline_step_t *steps; // a pipeline; NULL for a pass
  // Whether MLIR's own verifier has to look at the result. Discardable
  // attributes, which are all that the other passes write, cannot break IR.
  bool needs_verifier;
  // Dialects of the ops that it makes, NULL-terminated, or NULL. They have to
  // be loaded before it runs; where a pass manager runs it, it sees to that.
  const char *const *dialects;
} gmem_pass_descriptor_t;

// The table of all gmem passes and pipelines, in the order of their listing.
size_t gmem_pass_count(void);
const gmem_pass_descriptor_t *gmem_pass_at(size_t index);
// The entry of that name, or NULL.
const gmem_pass_descriptor_t *gmem_pass_find(const char *name);

// Makes every entry of the table known to MLIR's pass registry under its name.
// Once per process, before pipelines are parsed; not thread-safe. Pipelines
// with passes of MLIR in them need those to be registered when they are used,
// as mlirRegisterAllPasses does; where one is not, the pipeline that names it
// cannot be parsed and says so.
void gmem_register_passes(void);

// The same; the option algorithm= of all passes knows |more|, too, which must
// outlive the process's last pass.
void gmem_register_passes_with(const gmem_more_algorithms_t *more);

//===--- reading a planned module -----------------------------------------===//

// A verified plan, read from the IR. Strings and arrays belong to it.
typedef struct gmem_planned_s gmem_planned_t;

typedef struct gmem_planned_pool_s {
  const char *name;     // unique; "MODULE/NAME" when there are several scopes
  bool constant;        // weights, read-only at run time
  uint64_t base;        // address of offset 0, or GMEM_NO_BASE
  uint64_t size;        // bytes used
  uint64_t lower_bound; // bytes
  uint64_t capacity;    // bytes, or GMEM_UNLIMITED
  uint64_t alignment;   // bytes
  uint64_t size_hint;   // bytes that it was to have at most where another pool
                        //   has room; GMEM_UNLIMITED: none
  uint64_t speed;       // of the memory, relative; 0: not said
  uint64_t spilled;     // buffers in it whose first choice was another pool
  uint64_t spilled_bytes; // their sizes, summed
  bool is_described;      // by gmem.memories
  const char *after;      // what is described lies behind this pool; or NULL
  uint64_t shared_offset; // of a pool that gmem_planned_share was told about:
  uint64_t shared_size;   //   bytes from the start of the memory that it has
                          //   together with other pools, and the bytes of
                          //   that; 0, 0: there is none
} gmem_planned_pool_t;

enum {
  // Argument of an entry function, or made of one by a network-input op.
  GMEM_PLANNED_INPUT = 1u << 0,
  GMEM_PLANNED_OUTPUT = 1u << 1, // returned by an entry function
  // In another pool than its first choice, which had no room; not set of what
  // is an alias_of another buffer.
  GMEM_PLANNED_SPILLED = 1u << 2,
  GMEM_PLANNED_WORKBUFFER = 1u << 3, // no value: gmem_planned_workbuffer
};

typedef struct gmem_planned_buffer_s {
  // Unique, 1 to 255 printable characters: the name of the value's location
  // where that qualifies, else function/%ssa, else %number. Of a workbuffer it
  // is that of the op's location or first result, or function/op@step, and
  // "#wb" with its number behind.
  const char *name;
  const char *op;       // name of the defining op, or "argument"
  const char *function; // symbol name
  const char *location; // as MLIR prints it
  uint32_t pool;        // index of the pool
  uint32_t alias_of;    // index of the buffer that it always is the same memory
                        // as, which is no alias_of another; or GMEM_NO_BUFFER
  uint64_t offset;      // bytes from the start of the pool
  uint64_t size;        // bytes, padding included
  uint64_t alignment;   // bytes, of its address: the pool's, but for what
                        // begins inside another buffer and has less
  const gmem_live_range_t *ranges; // op steps, sorted; constants: whole plan
  size_t range_count;              // at least 1
  // The part of |ranges| in which its bytes are its own: where buffers share
  // bytes by the aliases below, the larger one owns them, of equals the one
  // defined first. No two buffers (alias_of apart) own a byte at one step, and
  // every byte of a live buffer is owned by one.
  const gmem_live_range_t *owned;
  size_t owned_count; // 0: a view of others all its life
  uint32_t flags;     // GMEM_PLANNED_*
  // Where the value itself is: without padding all of the buffer. Operators may
  // touch the rest while the buffer is live; it holds nothing that is wanted.
  uint64_t payload_offset; // bytes from the start of the pool
  uint64_t payload_size;   // bytes
} gmem_planned_buffer_t;

// A workbuffer of an op, which is buffer |buffer|: where it is, how large and
// when it is live stands there. One of size 0 is listed, too, at offset 0 of
// some pool, so that the numbers of the others stay what they are.
typedef struct gmem_planned_workbuffer_s {
  uint32_t buffer;      // index of the buffer
  uint32_t number;      // among the workbuffers of its op, as it asks for them
  bool immutable;       // in a constant pool, there at all steps; it is
                        //   initialised once for all runs of the program
  uint32_t threads;     // at least 1
  uint64_t thread_size; // bytes that the op asks for, for each thread
  uint64_t thread_stride; // bytes from the part of one thread to the next:
                          //   size of the buffer / threads
  const int64_t *steps;   // at which its op begins, ascending: several where
                          //   its function is called several times
  size_t step_count;      // at least 1
} gmem_planned_workbuffer_t;

// Two buffers share bytes while both are live, as the planner chose to.
typedef struct gmem_planned_alias_s {
  gmem_sharing_t kind;
  uint32_t child;  // index of the buffer that lies in
  uint32_t parent; // this one, all of it
  uint64_t offset; // bytes from the start of the parent to the child
} gmem_planned_alias_t;

typedef struct gmem_planned_figures_s {
  const char *algorithm;
  uint64_t peak;        // bytes, summed over the workspace pools
  uint64_t lower_bound; // bytes, of the same
  bool optimal;         // peak == lower_bound
  int64_t step_count;   // all live ranges lie in [0, step_count)
} gmem_planned_figures_t;

// Verifies |top| (gmem_verify_module) and reads its plan. Fails as that does,
// and with NOT_FOUND when there is no plan.
GMEM_MUST_USE gmem_status_t gmem_planned_read(MlirOperation top,
                                              const gmem_allocator_t *allocator,
                                              gmem_planned_t **out_planned,
                                              gmem_diag_t *diag);
void gmem_planned_destroy(gmem_planned_t *planned); // NULL is allowed

const gmem_planned_figures_t *
gmem_planned_figures(const gmem_planned_t *planned);
uint32_t gmem_planned_pool_count(const gmem_planned_t *planned);
uint32_t gmem_planned_buffer_count(const gmem_planned_t *planned);
// The index must be in range.
const gmem_planned_pool_t *gmem_planned_pool(const gmem_planned_t *planned,
                                             uint32_t index);
const gmem_planned_buffer_t *gmem_planned_buffer(const gmem_planned_t *planned,
                                                 uint32_t index);
// All workbuffers, in the order of their ops in the text and then of their
// numbers. The index must be in range.
size_t gmem_planned_workbuffer_count(const gmem_planned_t *planned);
const gmem_planned_workbuffer_t *
gmem_planned_workbuffer(const gmem_planned_t *planned, size_t index);
// Writes the elements of the constant |index| to the bytes at |out|, of the
// size of the buffer, as they lie there: in the order of bytes of this machine;
// those of a tensor that are narrower than a byte packed, the first in the
// lowest bits. The IR must be as it was read. Fails with INVALID_ARGUMENT (no
// constant), NOT_FOUND (the IR does not hold them: an argument, the name of
// something, a resource that was left out) or UNSUPPORTED (they take another
// number of bytes than the buffer); |diag| names the buffer and its location,
// and the bytes at |out| are unspecified. Nothing is printed.
GMEM_MUST_USE gmem_status_t gmem_planned_contents(const gmem_planned_t *planned,
                                                  uint32_t index, void *out,
                                                  gmem_diag_t *diag);
// All aliases that the plan has taken, sorted by child, then by parent, each
// pair once. Neither is an alias_of another buffer: such ones share with it
// what it shares. Two buffers of one pool that are both live at one step, that
// are no alias_of one buffer and share bytes are in this list.
size_t gmem_planned_alias_count(const gmem_planned_t *planned);
const gmem_planned_alias_t *gmem_planned_alias(const gmem_planned_t *planned,
                                               size_t index);
// "slice", "concat", ...: as the option |sharing| names them; NULL for what is
// no kind.
const char *gmem_sharing_name(gmem_sharing_t kind);

//===--- several modules in one memory ------------------------------------===//

// How many scopes in |top| state a plan, good or bad.
size_t gmem_plan_count(MlirOperation top);

// Where a pool of a planned module lies in memory that it has together with
// pools of other modules.
typedef struct gmem_shared_place_s {
  const char *pool; // name
  uint64_t base;    // address of the pool's own offset 0, or GMEM_NO_BASE
  uint64_t offset;  // bytes from the start of the shared memory to the pool
  uint64_t size;    // bytes of the shared memory, at least offset + the pool's
} gmem_shared_place_t;

// Moves pools of the planned module |top| there and proves the plan anew: each
// place is written to gmem.pool_table, a base to gmem.memories, too, where that
// describes the pool. Offsets in the pools are as they were, and so are pools
// that no place names. A name that is no pool's does not matter. Fails with
// INVALID_ARGUMENT (reported: there is more than one plan in |top|), NOT_FOUND
// (reported: there is none) and as gmem_verify_module; the attributes of |top|
// are then unspecified.
GMEM_MUST_USE gmem_status_t gmem_planned_share(
    MlirOperation top, const gmem_shared_place_t *places, size_t count,
    const gmem_allocator_t *allocator, gmem_diag_t *diag);

//===--- what a planned module does ---------------------------------------===//

// What an op asks of somebody who runs the ops one after the other.
typedef enum gmem_planned_work_e {
  GMEM_PLANNED_RUN,     // to compute its results
  GMEM_PLANNED_NOTHING, // nothing: what it makes is where it belongs already
  GMEM_PLANNED_CALL,    // to run a function of the module
  GMEM_PLANNED_RETURN,  // to leave the function; its operands are the results
  GMEM_PLANNED_OTHER,   // more than that: |why| says
} gmem_planned_work_t;

// A call hands a value on that is not where it belongs: the bytes of |from|, a
// tensor or a constant, are to be copied to |to|, of the size of |to|. The two
// do not overlap, and no copy writes what another of the same call and time
// reads: their order does not matter.
typedef struct gmem_planned_copy_s {
  uint32_t from, to; // buffers
  bool after;        // the call, not before it
} gmem_planned_copy_t;

// An op directly in the body of a function.
typedef struct gmem_planned_op_s {
  const char *name;     // "tosa.conv2d"
  const char *location; // as MLIR prints it
  uint32_t number;      // of the ops of its module that are directly in bodies
                        //   of functions, in the order of the text, from 0
  gmem_planned_work_t work;
  const char *why; // GMEM_PLANNED_OTHER: "it has regions that run as it says"
  uint32_t callee; // GMEM_PLANNED_CALL: function
  // Buffers, or GMEM_NO_BUFFER for what has no memory in the plan: a number, a
  // tensor that lives inside a layer group, a place whose contents do not
  // matter. Behind the operands come the tensors from outside, and the
  // constants, that an op with regions reads in them, each once.
  const uint32_t *operands;
  const uint32_t *results;
  size_t operand_count, result_count;
  const gmem_planned_copy_t *copies; // GMEM_PLANNED_CALL: before, then after
  size_t copy_count;
  // Its workbuffers, and those of the ops inside of a layer group.
  const uint32_t *workbuffers; // as gmem_planned_workbuffer counts them
  size_t workbuffer_count;
} gmem_planned_op_t;

typedef struct gmem_planned_function_s {
  const char *name; // symbol
  bool is_entry;    // no op of the module calls it
  const char *why;  // it is more than a list of ops, or NULL: "it has several
                    //   blocks"
  size_t first_op, end_op; // its ops: [first_op, end_op)
  // Of an entry function: what its arguments and its network-input ops bring,
  // constants apart.
  const uint32_t *inputs; // buffers
  size_t input_count;
} gmem_planned_function_t;

size_t gmem_planned_function_count(const gmem_planned_t *planned);
size_t gmem_planned_op_count(const gmem_planned_t *planned);
// The index must be in range. Functions are in the order of the text; what they
// call may stand before or behind them, and no function runs itself.
const gmem_planned_function_t *
gmem_planned_function(const gmem_planned_t *planned, size_t index);
const gmem_planned_op_t *gmem_planned_op(const gmem_planned_t *planned,
                                         size_t index);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PASSES_H_
