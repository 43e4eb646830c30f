// vocabulary.h - the list of gmem.* attributes, from which docs/attributes.md
// is generated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_DIALECT_VOCABULARY_H_
#define GMEM_DIALECT_VOCABULARY_H_

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// X(symbol, name, side, on, type, meaning). Input attributes are set by
// frontends and optional; output attributes are written by the passes.
#define GMEM_VOCABULARY(X)                                                     \
  X(LAYER_GROUP, "gmem.layer_group", "input", "op", "unit or integer",         \
    "Unit on an op with regions: the regions compute in local memory, and "    \
    "only the op's operands, captured values and results are global. "         \
    "Integer on any number of ops of one function: the ops with the same "     \
    "integer form one layer group; values used only inside it need no "        \
    "global memory. Groups of one block must not overlap.")                    \
  X(HOLD, "gmem.hold", "input", "op", "unit",                                  \
    "The results are live until the function returns, and so is what a view "  \
    "or a list of tensors among them stands for. In a loop it is kept from "   \
    "the op on until what makes it runs again: its op, or the control flow "   \
    "that passes an argument of a block.")                                     \
  X(KEEP_ORDER, "gmem.keep_order", "input", "op, function", "unit",            \
    "gmem-order-ops does not move other ops past this op; on a terminator or " \
    "a function it moves none of the block or the function.")                  \
  X(OP_MODEL, "gmem.op_model", "input", "op", "dictionary",                    \
    "The memory semantics of this op, overriding the model of its name: "      \
    "the attributes of an op model except op (docs/op-models.md).")            \
  X(OP_MODELS, "gmem.op_models", "input", "module", "string",                  \
    "Op models in the text format of model files; they override the "          \
    "built-in models. gmem-plan{op-models=...} stores its files here.")        \
  X(WEIGHT, "gmem.weight", "input", "function argument", "unit",               \
    "The argument is a constant of the network and placed in a constant "      \
    "pool.")                                                                   \
  X(FIXED, "gmem.fixed", "input", "op, function argument",                     \
    "array<i64> (argument: i64)",                                              \
    "Required offset in bytes of each result from the start of its pool; "     \
    "-1: no requirement.")                                                     \
  X(SAME_AS, "gmem.same_as", "input", "function result", "i64",                \
    "Number of the function argument whose memory this result must be "        \
    "returned in (for example a cache that is updated in place). It is an "    \
    "error if this would overwrite contents that are still live.")             \
  X(STATE, "gmem.state", "input", "function argument", "unit or string",       \
    "The argument of a function that the program does not call: its memory "   \
    "is kept from one run of the function to the next, and is zero before "    \
    "the first. No other value is in these bytes at any time, but a result "   \
    "with gmem.same_as, which is the state after the run (for example a "      \
    "cache of keys and values). With a string, arguments of several "          \
    "functions with the same string are one state, of one size, at one "       \
    "place: each function finds in it what the last one has left.")            \
  X(SENSITIVE, "gmem.sensitive", "input", "op, function argument", "unit",     \
    "The memory of the results is zeroed when a request ends, before another " \
    "one gets it.")                                                            \
  X(MEMORY_GROUP, "gmem.memory_group", "input", "op, function argument",       \
    "string",                                                                  \
    "The results belong to the memory group of this name: a lease of the "     \
    "group has the addresses of these values alone (docs/runtime.md).")        \
  X(DYNAMIC, "gmem.dynamic", "input", "function", "unit",                      \
    "A sub-network that runs on demand: its weights are placed after all "     \
    "others. (A function whose mode is TPU_DYNAMIC counts as one, too.)")      \
  X(INIT, "gmem.init", "input", "function, memref.global",                     \
    "unit (memref.global: string)",                                            \
    "The function runs once, when the program is loaded, before any other "    \
    "function of the module: it computes constants. A memref.global without "  \
    "an initial value that names such a function is a constant which that "    \
    "function alone writes. Memory that only such functions use is in pools "  \
    "of its own (init, init.memory, init.weights) and can be given back "      \
    "afterwards. Set by gmem-hoist-constants, too.")                           \
  X(CONSTANT, "gmem.constant", "input", "op, function argument", "i64",        \
    "Constants with the same number are one constant, at one address. Set by " \
    "gmem-hoist-constants for constants that an initialisation and another "   \
    "function read.")                                                          \
  X(MEMORIES, "gmem.memories", "input", "module", "array of dictionaries",     \
    "The memories of the machine, which become the pools of the plan "         \
    "(docs/pools.md): {name, kind (\"workspace\" or \"constant\"), "           \
    "capacity (bytes, a hard limit), size (bytes, a hint), alignment, "        \
    "base (address) or after (name of the pool that it follows), speed, "      \
    "targets, spaces}; all keys but name are optional.")                       \
  X(TARGET, "gmem.target", "input", "op, function, module", "string",          \
    "The compute target that runs the op, or all nested ops without an "       \
    "attribute of their own. It can access the memories that list it and "     \
    "those without a list of targets.")                                        \
  X(POOLS, "gmem.pools", "input", "op, function argument",                     \
    "array of strings, or of arrays of strings",                               \
    "The pools that the results may be placed in, in order of preference: "    \
    "one list for all results or one per result. A pool of a constant "        \
    "that does not exist is created, unless gmem.memories describes "          \
    "memories for constants.")                                                 \
  X(TAG, "gmem.tag", "input", "op, function argument",                         \
    "string or array of strings",                                              \
    "Names of the results in gmem.constraints; any number of values may have " \
    "the same tag.")                                                           \
  X(CONSTRAINTS, "gmem.constraints", "input", "function, module",              \
    "array of dictionaries",                                                   \
    "Hard and soft constraints on the places of tagged values "                \
    "(docs/penalties.md): {kind (\"apart\", \"banks\", \"boundary\", "         \
    "\"near\" or \"at\"), first, second (tags), bytes, banks, pool, "          \
    "penalty}. Each value with the first tag has the constraint with each "    \
    "value with the second. With a penalty it is soft: a plan pays it; "       \
    "without, a plan that breaks it is invalid.")                              \
  X(PADDING, "gmem.padding", "input", "op, function argument",                 \
    "array of array<i64> or dictionaries (argument: one of them)",             \
    "For each result, the bytes before and after its payload that "            \
    "operators may access while it is live: [array<i64: 64, 32>] "             \
    "(argument: array<i64: 64, 32>). Or, for each dimension of a tensor of "   \
    "static shape, the elements before and after it: [{before = array<i64: "   \
    "1, 1>, after = array<i64: 1, 1>, border = \"replicate\"}], where border " \
    "(undefined, constant or replicate) says what kernels put there. "         \
    "Constants cannot be padded.")                                             \
  X(WORKBUFFERS, "gmem.workbuffers", "input", "op", "array of dictionaries",   \
    "Scratch buffers that the op needs in addition to its operands and "       \
    "results: {size (bytes per thread), kind (\"mutable\" or "                 \
    "\"immutable\"), threads, alignment, pools}; all keys but size are "       \
    "optional.")                                                               \
  X(RELOCATIONS, "gmem.relocations", "input", "op", "array of dictionaries",   \
    "The places in command streams of the op that take addresses of its "      \
    "values: {where (byte of the stream), operand, result or workbuffer "      \
    "(its number), addend (bytes from the start of the value), kind "          \
    "(\"abs64\", \"lo32\" or \"hi32\"), stream (its number)}; addend and "     \
    "stream are 0 and kind is \"abs64\" if absent. They reach plan images, "   \
    "JSON and gmem_lease_relocate (docs/runtime.md).")                         \
  X(TRANSFORM, "gmem.transform", "input", "op", "array of dictionaries",       \
    "The functions that make this constant, or constant memref.global, in "    \
    "their order: {name, bytes (of the result)}. The first one reads "         \
    "gmem.source, each other one the result of the one before; the last one "  \
    "makes the constant, of its size. They are registered by the program "     \
    "that runs the network (docs/runtime.md), or linked with generated C "     \
    "(docs/generated-c.md); images and JSON name them.")                       \
  X(SOURCE, "gmem.source", "input", "op", "elements",                          \
    "What the first function of gmem.transform reads; without it, the "        \
    "elements of the constant.")                                               \
  X(STREAM, "gmem.stream", "input", "op", "i64",                               \
    "Number of the hardware queue that the op is enqueued into, at most "      \
    "2147483647. It runs "                                                     \
    "concurrently with other queues, but after all earlier ops outside of "    \
    "queues, after the earlier ops of its queue and after the ops that "       \
    "define its operands.")                                                    \
  X(WAIT, "gmem.wait", "input", "op", "array<i64>",                            \
    "The op starts only after all ops enqueued into these queues before "      \
    "it in the text are complete. No effect on an op that lowers to no "       \
    "code, such as a view (docs/memory-model.md).")                            \
  X(NO_CAPTURE, "gmem.no_capture", "input", "function argument", "unit",       \
    "On a function declaration: the function neither retains this memref "     \
    "nor returns it, so that the memref can be planned. (llvm.nocapture "      \
    "has the same meaning.)")                                                  \
  X(UPPER_BOUND, "gmem.upper_bound", "input", "op, function argument",         \
    "array of array<i64> (argument: array<i64>)",                              \
    "For each result, the upper bound in elements of each dimension; "         \
    "entries of static dimensions are ignored.")                               \
  X(BYTES, "gmem.bytes", "input", "op, function argument",                     \
    "array<i64> (argument: i64)",                                              \
    "Size in bytes of each result whose type MLIR cannot size: of another "    \
    "dialect, with an encoding, or dynamic; -1: not stated. A "                \
    "gmem.type_model "                                                         \
    "states it for all values of a type (docs/op-models.md).")                 \
  X(NAME, "gmem.name", "input", "op, function argument", "string",             \
    "Name, unique among the ops and arguments of the module; result N > 0 "    \
    "of the op is NAME#N. Reports, plan images, JSON, C and messages use it. " \
    "gmem-plan adds it where a value has a place: from the location, or from " \
    "an attribute such as name, onnx_node_name or node_name.")                 \
  X(ALIAS, "gmem.alias", "output", "op", "array of dictionaries",              \
    "The operands and results that share memory at this op: {kind, "           \
    "operand, result, offset}; offset is that of the smaller in the "          \
    "larger one, in bytes. kind: \"slice\" (the result is a subtensor of "     \
    "the operand, the op does nothing), \"concat\" (the operand is "           \
    "already placed in the result), \"inplace\" (the result overwrites "       \
    "the operand) or \"destination\" (the result is written into the "         \
    "operand).")                                                               \
  X(POOL, "gmem.pool", "output", "op, function argument",                      \
    "array of strings (argument: string)",                                     \
    "The pool of each result; \"\" for a result without memory.")              \
  X(OFFSET, "gmem.offset", "output", "op, function argument",                  \
    "array<i64> (argument: i64)",                                              \
    "Offset of each result in its pool, in bytes: address = base of the "      \
    "pool + offset. 0 is a valid offset; -1 marks a result without "           \
    "memory.")                                                                 \
  X(SIZE, "gmem.size", "output", "op, function argument",                      \
    "array<i64> (argument: i64)",                                              \
    "Size of each result in bytes, including its padding; -1 for a result "    \
    "without memory.")                                                         \
  X(PAYLOAD_OFFSET, "gmem.payload_offset", "output", "op, function argument",  \
    "array<i64> (argument: i64)",                                              \
    "Present if a result is padded in front: offset of the payload of "        \
    "each result in its pool, in bytes; gmem.offset and gmem.size are "        \
    "those of the padded buffer. -1 for a result without memory.")             \
  X(STRIDES, "gmem.strides", "output", "op", "array of dictionaries",          \
    "Present if a result is a view with strides of a part of a tensor: for "   \
    "each result {first, pitch, size, strides = array<i64>}, in elements of "  \
    "its type, or {} for one without gaps. Its buffer (gmem.offset, "          \
    "gmem.size) has |size| elements, with those of the tensor that lie "       \
    "between its own; its first is at |first|, and so in each row of |pitch| " \
    "elements.")                                                               \
  X(VALID_REGION, "gmem.valid_region", "input", "op, function argument",       \
    "array of dictionaries (argument: one of them)",                           \
    "Present if only a part of a result is valid, and what its other "         \
    "elements hold is undefined: for each result {begin, end}, "               \
    "array<i64>: of each dimension the first valid element and the one "       \
    "behind the last; {} for one that is valid as a whole. An argument may "   \
    "state it; gmem-plan computes and writes it for results, by the models "   \
    "of the ops (docs/memory-model.md).")                                      \
  X(WORKBUFFER_POOL, "gmem.workbuffer_pool", "output", "op",                   \
    "array of strings", "The pool of each of the op's workbuffers.")           \
  X(WORKBUFFER_OFFSET, "gmem.workbuffer_offset", "output", "op", "array<i64>", \
    "Offset of each of the op's workbuffers in its pool, in bytes; -1 for "    \
    "a workbuffer of size 0.")                                                 \
  X(BLOCK_ARGS, "gmem.block_args", "output", "op with regions",                \
    "array of dictionaries",                                                   \
    "Placement of the block arguments inside the op's regions "                \
    "(loop-carried values, blocks of a control-flow graph), one "              \
    "dictionary per block: {region, block, pool, offset, size, "               \
    "payload_offset}; the last four have one element per argument and the "    \
    "meaning of the attributes of results; payload_offset is absent if no "    \
    "argument is padded.")                                                     \
  X(COPIES, "gmem.copies", "output", "op", "array of dictionaries",            \
    "The copies that control flow makes at this op, in order: {edge, number, " \
    "from_pool, from, to_pool, to, size} and the unit cycle; from and to are " \
    "offsets in bytes of the values themselves in their pools, size is that "  \
    "of the target (or, if its upper bound is lower, of the source). edge: "   \
    "\"callee\" (operands of a call to the arguments of "                      \
    "the function), \"region\" (to the arguments of region number of this "    \
    "op), \"successor\" (to the arguments of its successor number), \"next\" " \
    "(of a terminator: to the arguments of region number of the op around "    \
    "it), \"parent\" (of a terminator: to the results of the op around it), "  \
    "\"caller\" (of a return: to the results of the only call) or "            \
    "\"results\" (to the results of this op when it ends; of a call: after "   \
    "return number of the function, in the order of the text). number is 0 "   \
    "where nothing is counted. All copies of one edge and number read before " \
    "any of them writes. They can be made one after the other as they are "    \
    "listed, each as by memmove, except neighbours that all have the unit "    \
    "cycle: these read before any of them writes. There is no copy where "     \
    "both places are the same.")                                               \
  X(POOL_TABLE, "gmem.pool_table", "output", "module",                         \
    "array of dictionaries",                                                   \
    "The pools of the plan: name, kind (\"constant\" or \"workspace\"), "      \
    "base (address of offset 0; absent if only offsets are planned), size "    \
    "(bytes used), lower_bound, alignment; capacity if it is limited; "        \
    "size_hint if gmem.memories gives one; init (a unit) if only functions "   \
    "with gmem.init use it. A linked module (docs/link.md) "                   \
    "also has shared_offset, the offset in bytes in the memory that the "      \
    "pool shares with pools of other modules, and shared_size, the size "      \
    "of that memory in bytes.")                                                \
  X(PLAN, "gmem.plan", "output", "module", "dictionary",                       \
    "Summary of the plan: algorithm, peak (bytes of the workspace pools "      \
    "without init), "                                                          \
    "lower_bound, optimal, and the options for which it is valid: "            \
    "keep_inputs, and those with values other than their defaults among "      \
    "sharing, view_alignment, io, io_tags, dynamic_bound, share_weights, "     \
    "memref_alignment, allocas, memrefs. If it is known, order_bound: no "     \
    "order of the ops needs fewer bytes (docs/order.md), and order_gave_up: "  \
    "the search that ended before it found the highest such number; "          \
    "order_print: a hash of what the bound is of.")                            \
  X(ARENAS, "gmem.arenas", "output", "module", "array of dictionaries",        \
    "The arenas that gmem-materialize created for the pools: {pool, kind "     \
    "(as in gmem.pool_table), size, alignment, init (a unit, as there), "      \
    "mode (\"arg\", \"alloc\" or \"global\"), symbol}; size and alignment in " \
    "bytes; symbol names "                                                     \
    "the memref.global of a global arena.")                                    \
  X(ARENA, "gmem.arena", "output", "function argument, op", "string",          \
    "The argument, or the result of the op, is the arena of this pool.")       \
  X(ARENA_ARGUMENTS, "gmem.arena_arguments", "output", "function",             \
    "array of strings",                                                        \
    "The pools of the arenas that the function takes as its last "             \
    "arguments, in order. (Attributes of an argument are lost when it is "     \
    "expanded into several, as memrefs are in LLVM; those of a function "      \
    "are not.) Other arguments passed by calls inside the module may lie "     \
    "in these arenas.")

#define GMEM_VOCABULARY_ENUM(symbol, name, side, on, type, meaning)            \
  GMEM_ATTR_##symbol,
typedef enum gmem_attr_e {
  GMEM_VOCABULARY(GMEM_VOCABULARY_ENUM) GMEM_ATTR_COUNT
} gmem_attr_t;
#undef GMEM_VOCABULARY_ENUM

typedef struct gmem_vocabulary_entry_s {
  const char *name;
  const char *side; // "input" or "output"
  const char *on;   // the entities that may have it
  const char *type;
  const char *meaning;
  size_t name_length;
} gmem_vocabulary_entry_t;

// One entry per gmem_attr_t.
extern const gmem_vocabulary_entry_t gmem_vocabulary[GMEM_ATTR_COUNT];

// The name of an attribute, for the MLIR C API.
MlirStringRef gmem_attr_name(gmem_attr_t attribute);

// The discardable attribute |name| of |op|; null when absent.
MlirAttribute gmem_op_annotation(MlirOperation op, gmem_attr_t name);

// Sets that attribute, or removes it if |value| is null.
void gmem_op_annotate(MlirOperation op, gmem_attr_t name, MlirAttribute value);

#ifdef __cplusplus
}
#endif

#endif // GMEM_DIALECT_VOCABULARY_H_
