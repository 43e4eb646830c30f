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
// A *planning scope* is an op whose region directly contains functions, usually
// a module; nested modules are separate scopes. All functions of a scope share
// its pools. Thread-safety is that of the MLIR context: use one thread per
// module.

#ifndef GMEM_PASSES_H_
#define GMEM_PASSES_H_

#include <stdbool.h>

#include "gmem/copy_edge.h"
#include "gmem/planner.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

GMEM_BEGIN_C

//===--- options ----------------------------------------------------------===//

// Optional kinds of sharing between values that are not must-aliases. A kind is
// applied only where it is safe and does not enlarge the plan.
typedef enum gmem_sharing_e {
  GMEM_SHARE_INPLACE = 1 << 0,     // a result overwrites an operand that dies
  GMEM_SHARE_DESTINATION = 1 << 1, // a result overwrites its destination
  GMEM_SHARE_SLICE = 1 << 2,       // a slice is a view of its source
  GMEM_SHARE_CONCAT = 1 << 3,      // parts are views of the concatenation
  GMEM_SHARE_TRANSFER = 1 << 4,    // a forwarded value and its target coincide
  GMEM_SHARE_ALL = (1 << 5) - 1,
} gmem_sharing_t;

// Pools of network inputs and outputs.
typedef enum gmem_io_e {
  GMEM_IO_SHARED,   // the pool of the other tensors
  GMEM_IO_SEPARATE, // one pool for all inputs and outputs
  GMEM_IO_TAGGED,   // one pool for each of the largest inputs and outputs
} gmem_io_t;

#define GMEM_MAX_IO_TAGS 32u

// Options that determine which values need memory, their live ranges and which
// of them may share memory. A plan is valid only under the options it was made
// with, so they are recorded in the IR together with the plan. A part of
// gmem_plan_options_t, whose struct_size covers them.
typedef struct gmem_model_options_s {
  bool keep_inputs;        // inputs stay live until their function returns
  uint32_t sharing;        // set of gmem_sharing_t
  uint64_t view_alignment; // bytes; of a tensor that is a view of another one
  gmem_io_t io;
  uint32_t io_tags;       // number of pools for GMEM_IO_TAGGED, at most
                          //   GMEM_MAX_IO_TAGS
  uint64_t dynamic_bound; // elements: upper bound of dynamic dimensions without
                          //   one; 0: such values stay unplanned
  bool share_weights;     // weights with equal contents share one address
  uint64_t memref_alignment; // bytes: minimum alignment of every planned memref
  bool allocas;              // stack memrefs (memref.alloca) are planned, too
  bool memrefs; // memrefs that the program allocates and constant memrefs are
                //   planned; if false, only tensors are
} gmem_model_options_t;

enum { GMEM_MAX_OP_MODELS_PATHS = 4096 };  // bytes, with the NUL
enum { GMEM_MAX_SPACE_CAPACITIES = 1024 }; // bytes, with the NUL
enum { GMEM_MAX_POOLS_TEXT = 4096 };       // bytes, with the NUL
enum { GMEM_MAX_RANKS_TEXT = 256 };        // bytes, with the NUL
enum { GMEM_MOST_WHAT_IFS = 10 };          // changes that a report lists

// Order of the weights by address.
typedef enum gmem_weight_order_e {
  GMEM_WEIGHTS_BY_WALK,      // order of the defining ops in the IR
  GMEM_WEIGHTS_BY_NAME,      // location or symbol name; unnamed ones last
  GMEM_WEIGHTS_BY_FIRST_USE, // first op that uses them; unused ones last
} gmem_weight_order_t;

// How gmem-materialize provides the arena of a workspace pool.
typedef enum gmem_arena_mode_e {
  GMEM_ARENA_ALLOC,  // entry functions allocate and free it
  GMEM_ARENA_ARG,    // entry functions take it as a trailing argument
  GMEM_ARENA_GLOBAL, // a memref.global
} gmem_arena_mode_t;

// Output format of gmem-report.
typedef enum gmem_report_format_e {
  GMEM_REPORT_TEXT,    // human-readable tables
  GMEM_REPORT_JSON,    // docs/report.md
  GMEM_REPORT_REMARKS, // remarks at the ops that define the buffers
} gmem_report_format_t;

// Values that are computed from constants alone.
typedef enum gmem_constant_mode_e {
  GMEM_CONSTANTS_KEEP,  // every request computes them
  GMEM_CONSTANTS_HOIST, // a function that runs once does, of those that are
                        //   worth it
} gmem_constant_mode_t;

// The order of the ops.
typedef enum gmem_order_mode_e {
  GMEM_ORDER_GIVEN, // that of the program
  GMEM_ORDER_BEST,  // the one whose plan is the smallest that was found
} gmem_order_mode_t;

enum { GMEM_MAX_REPORT_PATH = 4096 }; // bytes, with the NUL

// The two checks of a plan, which share nothing but the reading of ops.
typedef enum gmem_verify_only_e {
  GMEM_VERIFY_ALL,
  GMEM_VERIFY_CONTENTS,  // every op finds in memory the contents that it reads
  GMEM_VERIFY_PLACEMENT, // buffers that are live at one time do not overlap,
                         //   and pools, alignments and figures are correct
} gmem_verify_only_t;

// User-defined algorithms, in addition to the built-in ones.
typedef struct gmem_more_algorithms_s {
  const gmem_algorithm_t *const *at; // unique names, none of them built in
  size_t count;
  const gmem_algorithm_t *chosen; // the default instead of auto; NULL: auto
} gmem_more_algorithms_t;

// A buffer of an earlier plan. Sizes and offsets in bytes.
typedef struct gmem_earlier_buffer_s {
  const char *name, *pool; // as in plan JSON
  uint64_t offset;         // from the start of the pool
  uint64_t size;           // with padding
} gmem_earlier_buffer_t;

// Receives a buffer, which is valid during the call; fails with OUT_OF_MEMORY.
typedef gmem_status_t
gmem_earlier_buffer_fn(void *user, const gmem_earlier_buffer_t *buffer,
                       gmem_diag_t *diag);

// Calls |add| for each buffer of the plan in the file |path|, and returns its
// errors. Fails with UNSUPPORTED, and fills no |diag|, if the file is in none
// of the formats that the function reads, and with any other error if it is not
// valid. gmem-opt has one for plan JSON and plan images.
typedef gmem_status_t gmem_plan_reader_fn(const char *path,
                                          const gmem_allocator_t *allocator,
                                          gmem_earlier_buffer_fn *add,
                                          void *user, gmem_diag_t *diag);

// The phases of the analysis whose results can be printed.
typedef enum gmem_debug_e {
  GMEM_DEBUG_PROGRAM = 1 << 0,  // steps, ops, values and their uses, calls
  GMEM_DEBUG_LIVENESS = 1 << 1, // live ranges, must-alias sets
  GMEM_DEBUG_SHARING = 1 << 2,  // optional aliases
  GMEM_DEBUG_POOLS = 1 << 3,    // candidate pools, placement constraints
  GMEM_DEBUG_PROBLEM = 1 << 4,  // the planner's problem of the tensors
  GMEM_DEBUG_PLAN = 1 << 5,     // pools, placements
} gmem_debug_t;

// Options of the passes. Sizes and addresses in bytes. Initialize with
// gmem_plan_options_init, which sets |struct_size|; new fields are appended.
typedef struct gmem_plan_options_s {
  uint32_t struct_size;               // sizeof(gmem_plan_options_t)
  const gmem_algorithm_t *algorithm;  // assigns offsets to tensors
  const gmem_more_algorithms_t *more; // also accepted by name in
                                      //   gmem_plan_options_set; NULL: none.
                                      //   Not owned
  gmem_effort_t effort;               // search effort, per scope
  uint64_t alignment;                 // of every tensor; a power of two
  uint64_t weight_alignment;          // of every weight; a power of two
  uint64_t weight_base;               // address of the weights' pool
  uint64_t tensor_base; // address of the tensors' pool, GMEM_AFTER_WEIGHTS
                        // or GMEM_NO_BASE
  uint64_t capacity;    // of the tensors' pool, or GMEM_UNLIMITED
  // Capacities of other workspace pools, "memory=65536,memory.1=1024"; ""
  // for none.
  char space_capacity[GMEM_MAX_SPACE_CAPACITIES];
  // The memories of the machine, in the syntax of gmem/memories.h, or the path
  // of a file in that syntax; written to gmem.memories. "": the IR's own
  // gmem.memories applies.
  char pools[GMEM_MAX_POOLS_TEXT];
  char pool_file[GMEM_MAX_OP_MODELS_PATHS];
  gmem_weight_order_t weight_order;
  gmem_arena_mode_t arena_mode; // of gmem-materialize
  bool weight_image;      // gmem-materialize: constant pools become arenas, too
  bool noalias_arguments; // gmem-alias-scopes: arguments do not alias
  uint32_t index_bits;    // of gmem-check-index-width: 32 or 64
  gmem_model_options_t model;
  // Comma-separated paths of op-model files (docs/op-models.md); "" for none.
  // Their text is copied into the IR. Later files override earlier ones, and
  // all of them override models already in the IR and the built-in models.
  char op_models[GMEM_MAX_OP_MODELS_PATHS];
  bool quiet; // no remarks about unplanned values, ops without a model and
              //   attributes without effect
  gmem_report_format_t report_format;
  char report_output[GMEM_MAX_REPORT_PATH]; // file, or "-" for standard error
  bool report_replans; // gmem-report: plan a program that has a plan again
  // Pools exceed their capacities where no plan fits otherwise, for a report on
  // a plan that does not fit. No option in text form sets it.
  bool over_capacity;
  // The caller has verified the plan since the module last changed, so
  // gmem-materialize does not verify it again. No option in text form sets it.
  bool verified;
  uint32_t debug; // set of gmem_debug_t: printed on standard error
  gmem_verify_only_t verify_only; // of gmem-verify-plan
  // Of gmem-verify-plan: figures in the IR (peak, lower bounds, sizes of pools)
  // that no longer match a sound plan are an error, not a remark.
  bool strict_figures;
  // Ops without a model are an error, not a remark, and op models that match
  // nothing are listed.
  bool strict;
  gmem_constant_mode_t constants;
  uint64_t
      constant_budget; // bytes by which constants may grow to make requests
                       //   smaller; GMEM_UNLIMITED: as long as both
                       //   together do not
  gmem_order_mode_t order;
  // Folder of plans that are not made twice (docs/plan-cache.md); "" for none.
  char plan_cache[GMEM_MAX_OP_MODELS_PATHS];
  // Of the pass gmem-report, for programs with shardings: "2,4"; "" for the
  // program as it is. gmem_report_module ignores it.
  char ranks[GMEM_MAX_RANKS_TEXT];
  // The options as text, "alignment={64} order={best}", for a pass that runs
  // pipelines; NULL: the defaults. Not owned. No option in text form sets it.
  const char *stated;
  // Find a lower bound over all orders of the ops and write it to gmem.plan. It
  // is also found with GMEM_ORDER_BEST if no memrefs are planned.
  bool certify;
  // Of gmem-report: list changes that need less memory; the number of the one
  // that the pass makes to the program, or 0. gmem_report_module does not make
  // any.
  bool what_if;
  uint32_t apply_what_if;
  // Of gmem-report: pictures and sums in the text; steps with more live bytes
  // in a pool are listed, GMEM_UNLIMITED: none.
  bool report_details;
  uint64_t report_budget;
  // Of gmem-report: a file that gmem-run --high-water has written, whose
  // figures are reported beside those of the plan; "": none.
  char report_measured[GMEM_MAX_REPORT_PATH];
  // For programs with gmem.constraints, as in gmem_solve_options_t.
  gmem_objective_t objective;
  uint64_t peak_slack;
  uint64_t penalty_bytes;
  // File with an earlier plan whose offsets are kept as far as the objective
  // allows it: a buffer that moves is a penalty of 1. "": none. Planned MLIR,
  // or what |previous_reader| reads; it may be NULL.
  char previous[GMEM_MAX_OP_MODELS_PATHS];
  gmem_plan_reader_fn *previous_reader;
} gmem_plan_options_t;

#define GMEM_AFTER_WEIGHTS (UINT64_MAX - 1)
#define GMEM_NO_BASE UINT64_MAX // no address is known, only offsets

// Sets the first |struct_size| bytes of |options|, the size that its caller was
// compiled with. Call gmem_plan_options_init instead.
void gmem_plan_options_init_sized(gmem_plan_options_t *options,
                                  size_t struct_size);

// Sets the defaults: algorithm auto, normal effort, 4096-byte alignment of
// tensors and weights, weights from address 0 in walk order, tensors after
// them, unlimited capacities, inputs dead after their last use, all kinds of
// sharing, 64-byte alignment of views and memrefs, GMEM_IO_SHARED (io_tags 5),
// no bound for dynamic dimensions, no merging of equal weights, memrefs planned
// except those on the stack, GMEM_ARENA_ALLOC without weights, text reports to
// standard error, all checks of a plan with remarks about its figures,
// GMEM_CONSTANTS_KEEP without a budget, GMEM_ORDER_GIVEN.
#define gmem_plan_options_init(options)                                        \
  gmem_plan_options_init_sized(options, sizeof *(options))

// Sets the option |name| ("algorithm", "keep-inputs", ...) from text. Fails
// with NOT_FOUND (no such option) or INVALID_ARGUMENT (|diag| states the values
// accepted); |options| is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_plan_options_set(gmem_plan_options_t *options,
                                                  const char *name,
                                                  const char *value,
                                                  gmem_diag_t *diag);

//===--- planning without a pass manager ----------------------------------===//

// Plans every scope in |top| (usually a module), writes the gmem.* attributes
// and verifies the result: the passes of the pipeline gmem-plan. Diagnostics
// with locations go to the handlers of the context; |diag| receives a copy of
// the first error. |allocator| (NULL: libc) provides all of gmem's own memory.
// On failure the attributes of |top| are unspecified, but the program is
// unchanged, or, with GMEM_CONSTANTS_HOIST, one whose constants are hoisted,
// and, with GMEM_ORDER_BEST, one whose ops are ordered: that comes before
// planning. Fails with INVALID_ARGUMENT, OUT_OF_RANGE,
// OVER_BUDGET, OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_plan_module(MlirOperation top,
                                             const gmem_plan_options_t *options,
                                             const gmem_allocator_t *allocator,
                                             gmem_diag_t *diag);

// Verifies the plan in |top| from the IR alone, independently of how it was
// made: the pass gmem-verify-plan with its default options. Fails with OVERLAP,
// ALIGNMENT, OVER_BUDGET, CORRUPT (missing, malformed or contradictory
// attributes), OUT_OF_MEMORY. Figures that no longer match a plan that is sound
// are a remark.
GMEM_MUST_USE gmem_status_t gmem_verify_module(
    MlirOperation top, const gmem_allocator_t *allocator, gmem_diag_t *diag);

// Verifies the plan of |top|, or, if it has none or options->report_replans is
// set, plans and verifies a copy as gmem_plan_module does; and passes a report
// in the format options->report_format to |write| in one or more calls (to the
// diagnostic handlers for GMEM_REPORT_REMARKS). |top| is not changed;
// report_output is ignored. Fails as gmem_plan_module does, with NOT_FOUND
// (emitted as a remark only) if |top| contains no function, and with the status
// that |write| returns. With OVER_BUDGET, it fails after the report of the
// plan that exceeds a capacity, if there is one.
GMEM_MUST_USE gmem_status_t gmem_report_module(
    MlirOperation top, const gmem_plan_options_t *options, gmem_write_fn write,
    void *user, const gmem_allocator_t *allocator, gmem_diag_t *diag);

// Appends op models, in the syntax of a model file, to the gmem.op_models
// attribute of |scope|, a planning scope or an op that encloses one. They
// override earlier models of |scope| and the built-in ones. Appending text that
// already ends the attribute has no effect. Fails with INVALID_ARGUMENT (|diag|
// begins with "text:LINE:COLUMN: ") or OUT_OF_MEMORY; |scope| is then
// unchanged.
GMEM_MUST_USE gmem_status_t gmem_op_models_add(MlirOperation scope,
                                               const char *text, size_t length,
                                               gmem_diag_t *diag);

//===--- workbuffers ------------------------------------------------------===//

// A workbuffer: scratch memory of an op besides its operands and results. All
// members but |size| may be zero.
typedef struct gmem_workbuffer_request_s {
  uint64_t size;      // bytes per thread; 0: this workbuffer is not needed
  uint64_t alignment; // bytes, a power of two; 0: the alignment of the pool
  uint32_t threads;   // number of threads, each with a slice of its own; 0:
                      //   unspecified, which is an error if several instances
                      //   of the op may run concurrently
  bool immutable;     // initialised once, when the network is loaded, and
                      //   shared by all requests; if false, its contents are
                      //   undefined whenever the op begins
  const char *const *pools; // names of pools in order of preference
  size_t pool_count;        // 0: the pools of the op's results
} gmem_workbuffer_request_t;

// Replaces the workbuffers of |op| (gmem.workbuffers) by copies of |requests|,
// in the order in which the op expects them; |count| 0 removes the attribute.
// Fails with INVALID_ARGUMENT if gmem-plan would reject the numbers; |op| is
// then unchanged.
GMEM_MUST_USE gmem_status_t gmem_workbuffers_set(
    MlirOperation op, const gmem_workbuffer_request_t *requests, size_t count,
    gmem_diag_t *diag);

// Callback that reports the workbuffers of |op|. Sets *out_requests, an array
// that the callback owns and keeps valid until its next call, and *out_count,
// initially 0. A status other than GMEM_OK ends the query.
typedef gmem_status_t (*gmem_workbuffers_fn)(
    void *user, MlirOperation op,
    const gmem_workbuffer_request_t **out_requests, size_t *out_count,
    gmem_diag_t *diag);

// Calls |query| once for each op in the functions of |top|, in IR order, and
// sets the op's workbuffers to the result; an op with no requests has none
// afterwards. |query| receives |diag|, or a local one if |diag| is NULL. Fails
// as gmem_workbuffers_set does, or with the status that |query| returns; ops
// before the failing one have been updated.
GMEM_MUST_USE gmem_status_t gmem_workbuffers_query(MlirOperation top,
                                                   gmem_workbuffers_fn query,
                                                   void *user,
                                                   gmem_diag_t *diag);

//===--- sizes of values --------------------------------------------------===//

// Callback that states the size of |value|, whose type MLIR cannot size. Sets
// *out_bytes, initially UINT64_MAX: unknown, the value is not planned. A status
// other than GMEM_OK ends the query.
typedef gmem_status_t (*gmem_value_bytes_fn)(void *user, MlirValue value,
                                             uint64_t *out_bytes,
                                             gmem_diag_t *diag);

// Calls |query| once for each argument and each result of an op in the
// functions of |top| whose type is one of another dialect, an encoded or a
// dynamic tensor, in IR order, and stores the sizes as gmem.bytes, so that the
// plan can be verified without the callback. |query| receives |diag|, or a
// local one if |diag| is NULL. Fails with INVALID_ARGUMENT (a size of 2^63 or
// more, reported at the value), OUT_OF_MEMORY, or the status that |query|
// returns; ops before the failing one have been updated.
GMEM_MUST_USE gmem_status_t gmem_value_bytes_query(MlirOperation top,
                                                   gmem_value_bytes_fn query,
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
  const char *passes; // text as inside --pass-pipeline=builtin.module(...):
                      //   passes of gmem and MLIR, and pipelines; $OPTION is
                      //   replaced by the value of that numeric option of the
                      //   pipeline; NULL: end of the list
  const char *option; // run this part only if this Boolean option of the
                      //   pipeline is true; NULL: always
} gmem_pipeline_step_t;

// Runs a pass on one op (a module); diagnostics as in gmem_plan_module. |diag|
// may be NULL.
typedef gmem_status_t gmem_pass_fn(MlirOperation op,
                                   const gmem_plan_options_t *options,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag);

// A pass, or a pipeline that runs |steps| in order. A pipeline forwards its
// options to those of its gmem passes that have options of the same names.
typedef struct gmem_pass_descriptor_s {
  const char *name; // "gmem-plan"
  const char *summary;
  const gmem_pass_option_t *options;
  size_t option_count;
  gmem_pass_fn *run;                 // NULL for a pipeline
  const gmem_pipeline_step_t *steps; // a pipeline; NULL for a pass
  // Whether MLIR's verifier must run afterwards. Passes that write discardable
  // attributes only cannot invalidate the IR.
  bool needs_verifier;
  // Dialects of the ops that the pass creates, NULL-terminated, or NULL. They
  // must be loaded before |run|; under a pass manager the pass loads them.
  const char *const *dialects;
} gmem_pass_descriptor_t;

// The table of all gmem passes and pipelines, in the order of their listing.
size_t gmem_pass_count(void);
const gmem_pass_descriptor_t *gmem_pass_at(size_t index);
// The entry of that name, or NULL.
const gmem_pass_descriptor_t *gmem_pass_find(const char *name);

// Registers every entry of the table with MLIR's pass registry. Call it once
// per process, before parsing pipelines; not thread-safe. gmem's pipelines
// contain MLIR passes, which must be registered by the time a pipeline is
// parsed, for example by mlirRegisterAllPasses; parsing fails otherwise.
void gmem_register_passes(void);

// As gmem_register_passes; the option algorithm= of all passes also accepts
// |more|, which must outlive the last pass of the process.
void gmem_register_passes_with(const gmem_more_algorithms_t *more);

// Sets the previous_reader of all passes that pipelines make from now on. Not
// thread-safe.
void gmem_register_plan_reader(gmem_plan_reader_fn *reader);

//===--- reading a planned module -----------------------------------------===//

// A verified plan, read from the IR. Strings and arrays belong to it.
typedef struct gmem_planned_s gmem_planned_t;

typedef struct gmem_planned_pool_s {
  const char *name;       // unique; "MODULE/NAME" when there are several scopes
  bool constant;          // weights, read-only at run time
  uint64_t base;          // address of offset 0, or GMEM_NO_BASE
  uint64_t size;          // bytes used
  uint64_t lower_bound;   // bytes
  uint64_t capacity;      // bytes, or GMEM_UNLIMITED
  uint64_t alignment;     // bytes
  uint64_t size_hint;     // bytes: preferred maximum size, exceeded only if
                          //   other pools have no room; GMEM_UNLIMITED: none
  uint64_t speed;         // relative speed of the memory; 0: unspecified
  uint64_t spilled;       // buffers here whose first choice was another pool
  uint64_t spilled_bytes; // sum of their sizes
  bool is_described;      // by gmem.memories
  const char *after;      // described pools: the pool that precedes this one in
                          //   the address space, or NULL
  uint64_t shared_offset; // set by gmem_planned_share: bytes from the start of
  uint64_t shared_size;   //   the memory shared with other modules, and the
                          //   size of that memory; 0, 0: not shared
  bool is_init; // functions with gmem.init alone use it, so its memory can be
                //   given back when they have run
} gmem_planned_pool_t;

enum {
  // An argument of an entry function, or the result of a network-input op.
  GMEM_PLANNED_INPUT = 1u << 0,
  GMEM_PLANNED_OUTPUT = 1u << 1, // returned by an entry function
  // Not in the pool of first choice, which had no room. Never set if alias_of
  // is.
  GMEM_PLANNED_SPILLED = 1u << 2,
  GMEM_PLANNED_WORKBUFFER = 1u << 3, // see gmem_planned_workbuffer_t
  // A constant that a function with gmem.init computes, or a part of one: the
  // IR has no contents of it.
  GMEM_PLANNED_COMPUTED = 1u << 4,
  // gmem.state: kept from one run of the function to the next. No other buffer
  // has these bytes at any time, but the state after the run, which lies in
  // them.
  GMEM_PLANNED_STATE = 1u << 5,
  GMEM_PLANNED_SENSITIVE = 1u << 6, // gmem.sensitive
  // gmem.transform: functions of the program that runs the plan make the
  // contents; see gmem_planned_transform_t.
  GMEM_PLANNED_TRANSFORMED = 1u << 7,
};

// The contents of the padding, which the kernels of the program write.
typedef enum gmem_border_e {
  GMEM_BORDER_UNDEFINED, // nothing that may be read
  GMEM_BORDER_CONSTANT,  // a constant, for example zero
  GMEM_BORDER_REPLICATE, // the nearest element of the value
} gmem_border_t;

// gmem.padding per dimension, the strides of a view of a part of a tensor, or
// gmem.valid_region: the arrays have |rank| entries, in elements. The element
// with index 0 of each dimension is at the buffer's |payload_offset|. What is
// between the rows of a view belongs to others: an op writes its elements only.
typedef struct gmem_planned_layout_s {
  uint32_t rank;
  gmem_border_t border;
  uint64_t element; // bytes
  const int64_t *sizes;
  const int64_t *before; // elements around the value on each side; none of a
                         //   view
  const int64_t *after;
  const int64_t *strides;
  const int64_t *valid_begin; // the first valid element of each dimension, and
  const int64_t *valid_end;   //   the one behind the last: 0 and |sizes| if all
                              //   are
} gmem_planned_layout_t;

typedef struct gmem_planned_buffer_s {
  // Unique, 1 to 255 printable characters: the name of the value's location if
  // it qualifies, else function/%ssa, else %number. The name of a workbuffer is
  // that of the op's location or first result, or function/op@step, followed by
  // "#wb" and its number.
  const char *name;
  const char *op;       // name of the defining op, or "argument"
  const char *function; // symbol name
  const char *location; // as MLIR prints it
  uint32_t pool;        // index of the pool
  uint32_t alias_of;    // index of the leader of its must-alias set (whose own
                        // alias_of is GMEM_NO_BUFFER), or GMEM_NO_BUFFER
  uint64_t offset;      // bytes from the start of the pool
  uint64_t size;        // bytes, including padding
  uint64_t alignment;   // bytes: the pool's; a view of another buffer may have
                        // less
  const gmem_live_range_t *ranges; // steps, sorted; constants: the whole plan
  size_t range_count;              // at least 1
  // The steps of |ranges| at which the buffer owns its bytes. Of buffers that
  // share bytes by the aliases below the larger one owns them, of equally large
  // ones the one defined first. At each step every byte of a live buffer has
  // exactly one owner (not counting buffers with alias_of).
  const gmem_live_range_t *owned;
  size_t owned_count; // 0: a view of other buffers at all steps
  uint32_t flags;     // GMEM_PLANNED_*
  const char *group;  // gmem.memory_group, or NULL
  // The range of the value itself: the whole buffer if it has no padding. The
  // padding has no defined contents, and ops may access it while the buffer is
  // live.
  uint64_t payload_offset; // bytes from the start of the pool
  uint64_t payload_size;   // bytes
  // NULL: the elements are without gaps, and all are valid. Else |payload_size|
  // is the bytes from the first element to the last one, with what lies between
  // its rows.
  const gmem_planned_layout_t *layout;
} gmem_planned_buffer_t;

// A workbuffer of an op. Its offset, size and live ranges are those of the
// buffer |buffer|. Workbuffers of size 0 are listed as well, at offset 0 of
// some pool, so that the numbers of an op's workbuffers are consecutive.
typedef struct gmem_planned_workbuffer_s {
  uint32_t buffer;      // index of the buffer
  uint32_t number;      // index among the requests of its op
  bool immutable;       // in a constant pool and live at all steps; initialised
                        //   once for all runs of the program
  uint32_t threads;     // at least 1
  uint64_t thread_size; // bytes requested per thread
  uint64_t thread_stride; // bytes from one thread's slice to the next:
                          //   size of the buffer / threads
  const int64_t *steps;   // at which its op begins, ascending; several if its
                          //   function is called several times
  size_t step_count;      // at least 1
} gmem_planned_workbuffer_t;

// Optional sharing that the plan uses: both buffers are live at once and share
// bytes.
typedef struct gmem_planned_alias_s {
  gmem_sharing_t kind;
  uint32_t child;  // index of the buffer that lies entirely within |parent|
  uint32_t parent; // index of the enclosing buffer
  uint64_t offset; // bytes from the start of the parent to the child
} gmem_planned_alias_t;

typedef struct gmem_planned_figures_s {
  const char *algorithm;
  uint64_t peak;        // bytes, summed over the workspace pools
  uint64_t lower_bound; // bytes, of |peak|
  bool optimal;         // peak == lower_bound
  int64_t step_count;   // all live ranges lie in [0, step_count)
  // Bytes, of |peak| in every order of the ops; GMEM_UNLIMITED: not known
  // (gmem_plan_options_t.certify).
  uint64_t order_bound;
  const char *order_gave_up; // the search that ended before it found the
                             //   highest such bound, or NULL
  uint64_t penalty; // of the soft gmem.constraints; GMEM_UNLIMITED: there are
                    //   no constraints
} gmem_planned_figures_t;

// Verifies |top| as gmem_verify_module does, and reads its plan. Fails as
// gmem_verify_module does, and with NOT_FOUND if there is no plan. The caller
// destroys *out_planned.
GMEM_MUST_USE gmem_status_t gmem_planned_read(MlirOperation top,
                                              const gmem_allocator_t *allocator,
                                              gmem_planned_t **out_planned,
                                              gmem_diag_t *diag);
// As gmem_planned_read, for a plan that the caller has verified since |top|
// last changed (gmem_plan_module, gmem_verify_module): it is not verified
// again.
GMEM_MUST_USE gmem_status_t
gmem_planned_read_verified(MlirOperation top, const gmem_allocator_t *allocator,
                           gmem_planned_t **out_planned, gmem_diag_t *diag);
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
// All workbuffers, in IR order of their ops, then by number. The index must be
// in range.
size_t gmem_planned_workbuffer_count(const gmem_planned_t *planned);
const gmem_planned_workbuffer_t *
gmem_planned_workbuffer(const gmem_planned_t *planned, size_t index);
// Writes the elements of the constant buffer |index| to |out|, which has the
// size of the buffer, in their layout in memory: native byte order; tensor
// elements narrower than a byte packed, the first in the lowest bits. The IR
// must not have changed since gmem_planned_read. Fails with INVALID_ARGUMENT
// (not a constant), NOT_FOUND (the IR does not contain the elements: an
// argument, a reference by name, an elided resource; or functions make
// them) or UNSUPPORTED (the
// elements do not fill the buffer exactly); |diag| then names the buffer and
// its location, and the bytes at |out| are unspecified. Emits no diagnostics.
GMEM_MUST_USE gmem_status_t gmem_planned_contents(const gmem_planned_t *planned,
                                                  uint32_t index, void *out,
                                                  gmem_diag_t *diag);
// All optional sharing in the plan, sorted by child, then by parent, each pair
// once. Only leaders of must-alias sets are listed; the other members share
// what the leader shares. The list is complete: two buffers in different
// must-alias sets that are live and share bytes at the same step are in it.
size_t gmem_planned_alias_count(const gmem_planned_t *planned);
const gmem_planned_alias_t *gmem_planned_alias(const gmem_planned_t *planned,
                                               size_t index);
// The name of |kind| in the option |sharing| ("slice", "concat", ...); NULL if
// |kind| is invalid.
const char *gmem_sharing_name(gmem_sharing_t kind);

//===--- several modules in one memory ------------------------------------===//

// Removes from the planned module |top| what only the initialisation needs:
// functions with gmem.init become declarations, and the pools that only they
// use leave gmem.pool_table. What remains is the plan of the requests, in which
// constants that are computed have no contents. Fails with OUT_OF_MEMORY, or
// with CORRUPT if the pool table is malformed.
GMEM_MUST_USE gmem_status_t gmem_planned_drop_init(
    MlirOperation top, const gmem_allocator_t *allocator, gmem_diag_t *diag);

// The number of scopes in |top| that have a plan, valid or not.
size_t gmem_plan_count(MlirOperation top);

// The place of a pool in memory that is shared with pools of other modules.
typedef struct gmem_shared_place_s {
  const char *pool; // name
  uint64_t base;    // address of the pool's own offset 0, or GMEM_NO_BASE
  uint64_t offset;  // bytes from the start of the shared memory to the pool
  uint64_t size;    // bytes of the shared memory, at least offset + the pool's
} gmem_shared_place_t;

// Moves pools of the planned module |top| to |places| and verifies the plan
// again. Places are written to gmem.pool_table, and bases also to gmem.memories
// if it describes the pool. Offsets within pools, and pools without a place,
// are unchanged; names of unknown pools are ignored. Fails with
// INVALID_ARGUMENT (|top| contains more than one plan), NOT_FOUND (it contains
// none), both emitted as diagnostics, and as gmem_verify_module does; the
// attributes of |top| are then unspecified.
GMEM_MUST_USE gmem_status_t gmem_planned_share(
    MlirOperation top, const gmem_shared_place_t *places, size_t count,
    const gmem_allocator_t *allocator, gmem_diag_t *diag);

//===--- executing a planned module ---------------------------------------===//

// The action that an executor takes for an op. An executor runs the ops of a
// function in order.
typedef enum gmem_planned_work_e {
  GMEM_PLANNED_RUN,     // compute the results
  GMEM_PLANNED_NOTHING, // no action: the results are in place already
  GMEM_PLANNED_CALL,    // run a function of the module
  GMEM_PLANNED_RETURN,  // leave the function; the operands are its results
  GMEM_PLANNED_OTHER,   // not executable op by op; |why| gives the reason
  GMEM_PLANNED_COPY,    // make |copies|: the op of a function with gmem.init
                        //   stores a constant
} gmem_planned_work_t;

// A copy that a call requires because an argument or result is not at the
// address that the callee or the caller expects: copy |size| bytes from |from|,
// a tensor or a constant, to |to|. The two do not overlap, and the
// copies before (or after) one call are independent, so their order does not
// matter.
typedef struct gmem_planned_copy_s {
  uint32_t from, to; // buffers
  bool after;        // copy after the call instead of before it
  uint64_t size;     // bytes: the size of |to|, unless |from| is smaller
} gmem_planned_copy_t;

// An op directly in the body of a function.
typedef struct gmem_planned_op_s {
  const char *name;     // "tosa.conv2d"
  const char *location; // as MLIR prints it
  uint32_t number;      // index in IR order among the ops of its module that
                        //   are directly in function bodies
  gmem_planned_work_t work;
  const char *why; // GMEM_PLANNED_OTHER: the reason
  uint32_t callee; // GMEM_PLANNED_CALL: index of the function
  // Indices of buffers, or GMEM_NO_BUFFER for a value without memory in the
  // plan: a scalar, a tensor local to a layer group, a destination with
  // undefined contents. The operands of an op with regions are followed by the
  // outer tensors and constants that its regions read, each once.
  const uint32_t *operands;
  const uint32_t *results;
  size_t operand_count, result_count;
  // GMEM_PLANNED_CALL: before, then after; GMEM_PLANNED_COPY: before.
  const gmem_planned_copy_t *copies;
  size_t copy_count;
  // Its workbuffers, including those of ops inside a layer group.
  const uint32_t *workbuffers; // indices for gmem_planned_workbuffer
  size_t workbuffer_count;
  MlirOperation ir; // valid as long as the module
} gmem_planned_op_t;

typedef struct gmem_planned_function_s {
  const char *name; // symbol
  bool is_entry;    // no op of the module calls it
  const char *why;  // the reason why it is not a plain list of ops ("it has
                    //   several blocks"), or NULL
  size_t first_op, end_op; // its ops: [first_op, end_op)
  // Entry functions only: the arguments and the results of network-input ops,
  // without constants.
  const uint32_t *inputs; // buffers
  size_t input_count;
  bool
      is_init; // gmem.init: runs once, before the entry functions that are none
} gmem_planned_function_t;

size_t gmem_planned_function_count(const gmem_planned_t *planned);
size_t gmem_planned_op_count(const gmem_planned_t *planned);
// The index must be in range. Functions are in IR order; callees may precede or
// follow their callers. There is no recursion.
const gmem_planned_function_t *
gmem_planned_function(const gmem_planned_t *planned, size_t index);
const gmem_planned_op_t *gmem_planned_op(const gmem_planned_t *planned,
                                         size_t index);

//===--- copies that control flow makes -----------------------------------===//

// "callee" etc., as in gmem.copies; NULL if |edge| is invalid.
const char *gmem_copy_edge_name(gmem_copy_edge_t edge);

// A copy that control flow makes at an op, as gmem.copies records it: of an op
// in any region, also where GMEM_PLANNED_OTHER is all that is said about the op
// around it. Copies of one op, edge and number can be made one after the other,
// each as by memmove, except neighbours that all have |cycle|: these read
// before any of them writes. Bytes are those of the values themselves, without
// padding.
typedef struct gmem_planned_flow_copy_s {
  const char *op;       // "scf.yield"
  const char *location; // as MLIR prints it
  const char *function; // symbol
  gmem_copy_edge_t edge;
  bool cycle;
  uint64_t number; // of the region, successor or return; else 0
  // The steps at which it is made, ascending; several if the function is called
  // several times.
  const int64_t *steps;
  size_t step_count;
  uint32_t from_pool, to_pool;     // indices for gmem_planned_pool
  uint32_t from_buffer, to_buffer; // the values
  uint64_t from, to;               // bytes from the start of the pools
  uint64_t size;                   // bytes
  MlirOperation ir;                // of |op|
  // Base of the pool + |from|, and + |to|; GMEM_NO_BASE if it has no base.
  uint64_t from_address, to_address;
} gmem_planned_flow_copy_t;

// The copies of all ops, in IR order. The index must be in range.
size_t gmem_planned_flow_copy_count(const gmem_planned_t *planned);
const gmem_planned_flow_copy_t *
gmem_planned_flow_copy(const gmem_planned_t *planned, size_t index);

//===--- functions that make constants ------------------------------------===//

// One function of the chain that makes a constant (gmem.transform).
typedef struct gmem_planned_transform_s {
  const char *name;
  uint32_t buffer; // GMEM_PLANNED_TRANSFORMED
  uint64_t size;   // bytes of the result; of the last one, those of the value
} gmem_planned_transform_t;

// The functions of all chains, by ascending buffer, each chain in its order.
// Equal constants with equal chains are one: the chain is that of the buffer
// whose alias_of is GMEM_NO_BUFFER. The index must be in range.
size_t gmem_planned_transform_count(const gmem_planned_t *planned);
const gmem_planned_transform_t *
gmem_planned_transform(const gmem_planned_t *planned, size_t index);

// What the first function of the chain of buffer |index| reads: stores its
// size in *out_size, and writes the bytes to |out| if it is not NULL, as
// gmem_planned_contents does. Fails as that does; UNSUPPORTED: the size is not
// known.
GMEM_MUST_USE gmem_status_t gmem_planned_source(const gmem_planned_t *planned,
                                                uint32_t index,
                                                uint64_t *out_size, void *out,
                                                gmem_diag_t *diag);

//===--- addresses in command streams -------------------------------------===//

// An address that a command stream contains (gmem.relocations): base of the
// pool + offset of the buffer + addend.
typedef struct gmem_planned_relocation_s {
  const char *op;       // "npu.conv"
  const char *location; // as MLIR prints it
  uint64_t where;       // byte of the stream
  uint64_t addend;      // bytes from the start of the buffer, with its padding
  uint32_t buffer;
  uint16_t kind;   // GMEM_RELOC_* of gmem/plan.h
  uint16_t stream; // number of the stream
} gmem_planned_relocation_t;

// The relocations of all ops, by ascending stream and place; no two overlap.
// The index must be in range.
size_t gmem_planned_relocation_count(const gmem_planned_t *planned);
const gmem_planned_relocation_t *
gmem_planned_relocation(const gmem_planned_t *planned, size_t index);

// "abs64", "lo32" or "hi32"; static storage. |kind| must be one of
// GMEM_RELOC_*.
const char *gmem_relocation_kind_name(uint16_t kind);

//===--- when ops run -----------------------------------------------------===//

// An op, also in regions and in layer groups, or a function.
typedef struct gmem_planned_span_s {
  // Unique, 1 to 255 printable characters: gmem.name or the symbol if it
  // qualifies, else function/op#number, counting the ops of that kind in the
  // function, else #number; the same with and without locations. Where calls
  // of the function have times of their own, "@" and the number of the call
  // follow.
  const char *name;
  const char *op;       // "tosa.conv2d"
  const char *function; // symbol
  const char *location; // as MLIR prints it
  // Its steps: [begin, end). An op with regions or a call has its results at
  // end - 1, and what it contains lies between.
  int64_t begin, end;
  bool is_grouped;  // in a layer group, whose steps it has
  MlirOperation ir; // valid as long as the module has the op
} gmem_planned_span_t;

// All ops, by ascending begin; an op precedes those in it. The index must be in
// range.
size_t gmem_planned_span_count(const gmem_planned_t *planned);
const gmem_planned_span_t *gmem_planned_span(const gmem_planned_t *planned,
                                             size_t index);

//===--- code generators --------------------------------------------------===//

// A code generator walks its own IR, of which it knows the attributes, and
// looks up what the plan says of values and ops, in any region. The IR must not
// have changed since gmem_planned_read. All in O(1), from any thread.

// Where a value is.
typedef struct gmem_planned_place_s {
  uint32_t index; // of the buffer
  const gmem_planned_buffer_t *buffer;
  const gmem_planned_pool_t *pool;
  uint64_t address; // of the first byte of the value: base of the pool +
                    //   payload_offset; GMEM_NO_BASE if it has no base
  uint64_t size;    // bytes of the value, without padding
  // The buffers in which the plan places the value, by optional sharing: those
  // of gmem_planned_alias whose child is the leader of its must-alias set.
  const gmem_planned_alias_t *aliases;
  size_t alias_count;
} gmem_planned_place_t;

// Where |value| is. If the plan has no memory for it (a scalar, a tensor local
// to a layer group, a value that is not planned), |index| is GMEM_NO_BUFFER,
// |address| GMEM_NO_BASE, and all else zero.
gmem_planned_place_t gmem_planned_value(const gmem_planned_t *planned,
                                        MlirValue value);

// The place of buffer |index|, which must be in range.
gmem_planned_place_t gmem_planned_place(const gmem_planned_t *planned,
                                        uint32_t index);

// The entry of gmem_planned_op for |op|, or NULL if it is not directly in the
// body of a function. GMEM_PLANNED_NOTHING: no instruction is needed.
const gmem_planned_op_t *gmem_planned_op_of(const gmem_planned_t *planned,
                                            MlirOperation op);

// The copies that control flow makes at |op|: those of GMEM_COPY_RESULTS, made
// when it ends, or all others, by edge and number. *out_count of them follow
// from the returned one on; NULL and 0 if there are none.
const gmem_planned_flow_copy_t *
gmem_planned_flow_copies_of(const gmem_planned_t *planned, MlirOperation op,
                            bool at_end, size_t *out_count);

// When |op|, an op or a function, runs: its first span that begins at step
// |from| or later, or NULL. A function that is called several times has several
// spans; a caller that walks the program in order of execution, and into each
// call, passes the step of the op before. O(number of spans of |op|).
const gmem_planned_span_t *gmem_planned_span_of(const gmem_planned_t *planned,
                                                MlirOperation op, int64_t from);

GMEM_END_C
#endif // GMEM_PASSES_H_
