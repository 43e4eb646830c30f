// vocabulary.h - every gmem.* attribute, named once. docs/attributes.md is made
// from this list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_DIALECT_VOCABULARY_H_
#define GMEM_DIALECT_VOCABULARY_H_

#include "mlir-c/Support.h"

// X(symbol, name, side, on, type, meaning). Input attributes may be set by a
// frontend, all are optional; output attributes are written by the passes.
#define GMEM_VOCABULARY(X)                                                     \
  X(LAYER_GROUP, "gmem.layer_group", "input", "op", "unit or integer",         \
    "Unit on an op with regions: they compute in local memory, and only the "  \
    "op's operands, captured values and results are global. An integer on "    \
    "any number of ops of one function: together they form that layer "        \
    "group; values used only inside it need no global memory.")                \
  X(HOLD, "gmem.hold", "input", "op", "unit",                                  \
    "The results keep their memory until the function ends.")                  \
  X(OP_MODEL, "gmem.op_model", "input", "op", "dictionary",                    \
    "What this op means to memory planning, whatever the model of its name "   \
    "says: the attributes of an op model but for its op (docs/op-models.md).") \
  X(OP_MODELS, "gmem.op_models", "input", "module", "string",                  \
    "Op models as text, as in a model file; they win over those that are "     \
    "built in. gmem-plan{op-models=...} puts its files here.")                 \
  X(WEIGHT, "gmem.weight", "input", "function argument", "unit",               \
    "The argument is a constant of the network: it goes to a constant pool.")  \
  X(FIXED, "gmem.fixed", "input", "op, function argument",                     \
    "array<i64> (argument: i64)",                                              \
    "Bytes from the start of its pool at which each result must lie; -1: "     \
    "anywhere.")                                                               \
  X(SAME_AS, "gmem.same_as", "input", "function result", "i64",                \
    "The number of the function's argument in whose memory this result must "  \
    "be returned (a cache that is updated in place); an error where that "     \
    "would overwrite what is still read.")                                     \
  X(DYNAMIC, "gmem.dynamic", "input", "function", "unit",                      \
    "A sub-network that is run by need: its weights lie behind those of all "  \
    "others. (So is a function whose mode is TPU_DYNAMIC.)")                   \
  X(MEMORIES, "gmem.memories", "input", "module", "array of dictionaries",     \
    "The memories of the machine, which become the pools of the plan "         \
    "(docs/pools.md): {name, kind (\"workspace\" or \"constant\"), capacity "  \
    "(bytes, a hard limit), size (bytes, a hint), alignment, base (address) "  \
    "or after (name of the pool that it lies behind), speed, targets, "        \
    "spaces}; all but the name are optional.")                                 \
  X(TARGET, "gmem.target", "input", "op, function, module", "string",          \
    "The compute target that runs the op, or all ops in it that say nothing "  \
    "else: it reaches only the memories that name it, and those that name "    \
    "none.")                                                                   \
  X(POOLS, "gmem.pools", "input", "op, function argument",                     \
    "array of strings, or of arrays of strings",                               \
    "The pools that the results may go to, best first, for all of them or "    \
    "for each. Of a constant, a pool that is not there is made, unless "       \
    "memories for constants are described.")                                   \
  X(PADDING, "gmem.padding", "input", "op, function argument",                 \
    "array of array<i64> (argument: array<i64>)",                              \
    "Of each result, the bytes before and behind its payload that operators "  \
    "may touch while it is live: [array<i64: 64, 32>] (argument: array<i64: "  \
    "64, 32>). No constant has any.")                                          \
  X(WORKBUFFERS, "gmem.workbuffers", "input", "op", "array of dictionaries",   \
    "Memory that the op wants beside its operands and results: {size (bytes, " \
    "of one thread), kind (\"mutable\" or \"immutable\"), threads, "           \
    "alignment, "                                                              \
    "pools}; all but the size are optional.")                                  \
  X(STREAM, "gmem.stream", "input", "op", "i64",                               \
    "The op is put into this queue of the hardware and runs beside what is "   \
    "in others: after all that the program did before it outside of queues, "  \
    "after what is before it in its queue, and after what makes its "          \
    "operands.")                                                               \
  X(WAIT, "gmem.wait", "input", "op", "array<i64>",                            \
    "Before this op begins, all that was put into these queues before it in "  \
    "the text is done. It does not count on an op of which nothing need be "   \
    "left, a view for example (docs/memory-model.md).")                        \
  X(NO_CAPTURE, "gmem.no_capture", "input", "function argument", "unit",       \
    "Of a declaration: the function keeps nothing of this memref, nor "        \
    "returns "                                                                 \
    "it, so that it may be planned memory. (llvm.nocapture says the same.)")   \
  X(UPPER_BOUND, "gmem.upper_bound", "input", "op, function argument",         \
    "array of array<i64> (argument: array<i64>)",                              \
    "Of each result, the most elements that each of its dimensions can "       \
    "have; those of static ones do not matter.")                               \
  X(ALIAS, "gmem.alias", "output", "op", "array of dictionaries",              \
    "Which operands and results share memory at this op: {kind, operand, "     \
    "result, offset}; offset: bytes of the smaller in the larger one. kind "   \
    "\"slice\" (the result is a part of the operand, the op does nothing), "   \
    "\"concat\" (the operand lies in the result already), \"inplace\" (the "   \
    "result is written over the operand), \"destination\" (it is written "     \
    "into it).")                                                               \
  X(POOL, "gmem.pool", "output", "op, function argument",                      \
    "array of strings (argument: string)",                                     \
    "The pool of each result; \"\" for a result without memory.")              \
  X(OFFSET, "gmem.offset", "output", "op, function argument",                  \
    "array<i64> (argument: i64)",                                              \
    "Bytes from the start of the pool to each result; address = base of the "  \
    "pool + offset. 0 is an offset like any other; -1 marks a result without " \
    "memory.")                                                                 \
  X(SIZE, "gmem.size", "output", "op, function argument",                      \
    "array<i64> (argument: i64)",                                              \
    "Bytes of each result, its padding included; -1 for a result without "     \
    "memory.")                                                                 \
  X(PAYLOAD_OFFSET, "gmem.payload_offset", "output", "op, function argument",  \
    "array<i64> (argument: i64)",                                              \
    "Where a result is padded in front: bytes from the start of the pool to "  \
    "the payload of each result; gmem.offset and gmem.size are those of the "  \
    "padded buffer. -1 for a result without memory.")                          \
  X(WORKBUFFER_POOL, "gmem.workbuffer_pool", "output", "op",                   \
    "array of strings", "The pool of each of the op's workbuffers.")           \
  X(WORKBUFFER_OFFSET, "gmem.workbuffer_offset", "output", "op", "array<i64>", \
    "Bytes from the start of its pool to each of the op's workbuffers; -1 "    \
    "for one of size 0.")                                                      \
  X(BLOCK_ARGS, "gmem.block_args", "output", "op with regions",                \
    "array of dictionaries",                                                   \
    "Placement of the block arguments inside the op's regions (loop-carried "  \
    "values, blocks of a control-flow graph): {region, block, pool, offset, "  \
    "size} and payload_offset where one is padded, the last ones as for "      \
    "results.")                                                                \
  X(POOL_TABLE, "gmem.pool_table", "output", "module",                         \
    "array of dictionaries",                                                   \
    "The pools of the plan: name, kind (\"constant\" or \"workspace\"), base " \
    "(address of offset 0; missing when only offsets count), size (bytes "     \
    "used), lower_bound, alignment and, when it is limited, capacity, and "    \
    "when gmem.memories gives it one, size_hint; of a linked module "          \
    "(docs/link.md) shared_offset, bytes from the start of the memory that "   \
    "the pool has together with those of other modules, and shared_size, "     \
    "the bytes of that memory.")                                               \
  X(PLAN, "gmem.plan", "output", "module", "dictionary",                       \
    "The figures of the plan: algorithm, peak (bytes of the workspace "        \
    "pools), lower_bound, optimal, and the options under which it holds: "     \
    "keep_inputs, and those that are not as usual: sharing, view_alignment, "  \
    "io, io_tags, dynamic_bound, share_weights, memref_alignment, allocas, "   \
    "memrefs.")                                                                \
  X(ARENAS, "gmem.arenas", "output", "module", "array of dictionaries",        \
    "What gmem-materialize has made of the pools: {pool, kind (as in "         \
    "gmem.pool_table), size, alignment, mode (\"arg\", \"alloc\" or "          \
    "\"global\"), symbol}; size and alignment in bytes; symbol: the "          \
    "memref.global that is the arena, where one is.")                          \
  X(ARENA, "gmem.arena", "output", "function argument, op", "string",          \
    "The argument, or the result of the op, is the arena of this pool.")       \
  X(ARENA_ARGUMENTS, "gmem.arena_arguments", "output", "function",             \
    "array of strings",                                                        \
    "The pools of the arenas that are the last arguments, in their order. "    \
    "(The attributes of an argument are lost where it becomes several, as "    \
    "memrefs do in LLVM; those of a function are not.) What else a call from " \
    "inside the module passes may lie in these arenas.")

#define GMEM_VOCABULARY_ENUM(symbol, name, side, on, type, meaning)            \
  GMEM_ATTR_##symbol,
typedef enum gmem_attr_e {
  GMEM_VOCABULARY(GMEM_VOCABULARY_ENUM) GMEM_ATTR_COUNT
} gmem_attr_t;
#undef GMEM_VOCABULARY_ENUM

typedef struct gmem_vocabulary_entry_s {
  const char *name;
  const char *side; // "input" or "output"
  const char *on;   // what carries it
  const char *type;
  const char *meaning;
} gmem_vocabulary_entry_t;

// One entry per gmem_attr_t.
extern const gmem_vocabulary_entry_t gmem_vocabulary[GMEM_ATTR_COUNT];

// The name of an attribute, for the MLIR C API.
MlirStringRef gmem_attr_name(gmem_attr_t attribute);

#endif // GMEM_DIALECT_VOCABULARY_H_
