// option_table.h - the one list of the options of the passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// X(name, default, kind, member of gmem_plan_options_t, help); pass_options.c
// has the kinds. A new option is a member and a line here: defaults, parsing,
// --help, docs/passes.md and, for a member of |model|, gmem.plan follow from
// it.

#ifndef GMEM_PASSES_OPTION_TABLE_H_
#define GMEM_PASSES_OPTION_TABLE_H_

// Options of every pass that reads a program.
#define GMEM_COMMON_OPTIONS(X)                                                 \
  X("op-models", "", TEXT, op_models,                                          \
    "comma-separated files with op models (docs/op-models.md); they "          \
    "are stored in the IR and override the built-in models")                   \
  X("share-weights", "false", FLAG, model.share_weights,                       \
    "place weights with equal contents at one address")                        \
  X("dynamic-bound", "none",                                                   \
    NUMBER_OR(bound, "not a number of elements or none"), model.dynamic_bound, \
    "upper bound, in elements, of each dynamic dimension without a "           \
    "bound of its own; none: values with such dimensions are not "             \
    "planned")

#define GMEM_MEMORY_OPTIONS(X)                                                 \
  X("pools", "", OTHER(pools, "; use pool-file"), pools,                       \
    "semicolon-separated memories of the machine (docs/pools.md), "            \
    "each NAME:KEY=VALUE,...; stored in the IR as gmem.memories")              \
  X("pool-file", "", TEXT, pool_file,                                          \
    "file that describes the memories of the machine, one per line; "          \
    "mutually exclusive with pools")

#define GMEM_KEEP_INPUTS_OPTION(X)                                             \
  X("keep-inputs", "false", FLAG, model.keep_inputs,                           \
    "keep the contents of inputs intact until their function returns")

#define GMEM_CONSTANTS_HELP                                                    \
  "values that are computed from constants alone: keep (every request "        \
  "computes them) or hoist (a function that runs once, when the program is "   \
  "loaded, computes those that are worth keeping)"

#define GMEM_CONSTANT_BUDGET_OPTION(X)                                         \
  X("constant-budget", "none",                                                 \
    BYTES_OR(budget, "not a number of bytes or none"), constant_budget,        \
    "bytes by which constants=hoist may make the constants larger, if that "   \
    "makes requests smaller; none: as long as constants and one request "      \
    "together do not grow")

#define GMEM_CONSTANT_OPTIONS(X)                                               \
  X("constants", "keep", WORD(constants, "neither hoist nor keep"), constants, \
    GMEM_CONSTANTS_HELP)                                                       \
  GMEM_CONSTANT_BUDGET_OPTION(X)

#define GMEM_ORDER_HELP                                                        \
  "order of the ops: given, or best (of the orders that a search finds, the "  \
  "one with the smallest plan; effort limits the search)"

#define GMEM_ORDER_OPTION(X)                                                   \
  X("order", "given", WORD(order_mode, "neither given nor best"), order,       \
    GMEM_ORDER_HELP)

#define GMEM_CERTIFY_OPTION(X)                                                 \
  X("certify", "false", FLAG, certify,                                         \
    "find out how many bytes every order of the ops needs, and write it to "   \
    "gmem.plan (docs/order.md); order=best does so for programs of tensors")

#define GMEM_MEMREFS_OPTION(X)                                                 \
  X("memrefs", "true", FLAG, model.memrefs,                                    \
    "plan the memrefs that the program allocates and those that are "          \
    "constants; if false, only tensors are planned")

#define GMEM_WEIGHT_OPTIONS(X)                                                 \
  X("weight-alignment", "4096", ALIGNMENT, weight_alignment,                   \
    "alignment of every weight in bytes, a power of two")                      \
  X("weight-base", "0", BYTES("not a number of bytes"), weight_base,           \
    "start address of the weights")                                            \
  X("weight-order", "walk", WORD(order, "not one of: walk, name, first-use"),  \
    weight_order,                                                              \
    "order of the weights in memory: walk (as in the IR), name (of "           \
    "their location or symbol) or first-use")

#define GMEM_TENSOR_OPTIONS(X)                                                 \
  X("algorithm", "auto", OTHER(algorithm, ""), algorithm,                      \
    "placement algorithm: auto (several in stages, until the plan is "         \
    "known to be optimal), none (no reuse), ref-count (reuse the "             \
    "address of a tensor that is no longer live), greedy-by-size "             \
    "(best fit, largest first) or one of those that gmem-solve "               \
    "--list-algorithms prints")                                                \
  X("effort", "normal",                                                        \
    NUMBER(effort, "not one of: fast, normal, exhaustive"), effort,            \
    "search effort while a smaller plan is possible: fast (n log n), "         \
    "normal (about a second for hard problems) or exhaustive (many "           \
    "seconds); limits count work, not time, so that the plan is the "          \
    "same on every machine")                                                   \
  X("objective", "peak",                                                       \
    WORD(objective, "not one of: peak, weighted, penalty"), objective,         \
    "what is minimized if gmem.constraints are soft (docs/penalties.md): "     \
    "peak (the peak, then the penalty), weighted (peak + penalty x "           \
    "penalty-bytes) or penalty (the penalty within the capacities, then the "  \
    "peak)")                                                                   \
  X("peak-slack", "0", BYTES("not a number of bytes"), peak_slack,             \
    "bytes by which each pool may grow to lower the penalty, with "            \
    "objective=peak")                                                          \
  X("penalty-bytes", "1", BYTES("not a number of bytes"), penalty_bytes,       \
    "bytes that a penalty of 1 is worth, with objective=weighted")             \
  X("previous", "", TEXT, previous,                                            \
    "file with an earlier plan of this program, as planned MLIR, plan JSON "   \
    "or a plan image: buffers of the same name, size and pool keep their "     \
    "offsets as far as the peak allows it (peak-slack may allow more), and a " \
    "remark lists those that move (docs/penalties.md)")                        \
  X("plan-cache", "", TEXT, plan_cache,                                        \
    "folder of plans that are not made twice: a plan of the same problem and " \
    "algorithm, of at least this effort or proved optimal, is checked and "    \
    "used again, and a new one is stored (docs/plan-cache.md)")                \
  X("alignment", "4096", ALIGNMENT, alignment,                                 \
    "alignment of every tensor in bytes, a power of two")                      \
  X("tensor-base", "after-weights",                                            \
    BYTES_OR(base, "not a number of bytes, after-weights or none"),            \
    tensor_base,                                                               \
    "start address of the tensors: after-weights, a number, or none "          \
    "for a separate address space")                                            \
  X("capacity", "unlimited",                                                   \
    BYTES_OR(capacity, "not a number of bytes or unlimited"), capacity,        \
    "capacity of the tensor pool in bytes; a plan that exceeds it is "         \
    "an error")                                                                \
  X("space-capacity", "",                                                      \
    OTHER(space_capacity, "not a comma-separated list of POOL=BYTES"),         \
    space_capacity,                                                            \
    "capacities of other pools, such as those of memory spaces: "              \
    "comma-separated POOL=BYTES (memory=1048576,memory.1=65536)")              \
  X("memref-alignment", "64", ALIGNMENT, model.memref_alignment,               \
    "minimum alignment in bytes of every planned memref, a power of "          \
    "two; an allocation may request more")                                     \
  GMEM_KEEP_INPUTS_OPTION(X)                                                   \
  X("sharing", "all",                                                          \
    NUMBER_OR(sharing, "not all, none or a '+'-separated list of: inplace, "   \
                       "destination, slice, concat, transfer"),                \
    model.sharing,                                                             \
    "kinds of sharing that the plan may use to save memory: all, "             \
    "none, or a list, separated by +, of inplace, destination, "               \
    "slice, concat and transfer")                                              \
  X("view-alignment", "64", ALIGNMENT, model.view_alignment,                   \
    "alignment in bytes of a tensor placed inside another one, a "             \
    "power of two")                                                            \
  X("io", "shared", WORD(io, "not one of: shared, separate, tagged"),          \
    model.io,                                                                  \
    "placement of network inputs and outputs: shared (among the "              \
    "other tensors), separate (in one pool for all of them) or "               \
    "tagged (a pool for each of the largest)")                                 \
  X("allocas", "false", FLAG, model.allocas, "plan memrefs on the stack, too") \
  GMEM_MEMREFS_OPTION(X)                                                       \
  X("io-tags", "5", NUMBER(io_tags, "not a number from 1 to 32"),              \
    model.io_tags, "number of pools for io=tagged, from 1 to 32")              \
  X("strict", "false", FLAG, strict,                                           \
    "an op without a model is an error, and op models that match nothing are " \
    "listed (docs/op-models.md)")                                              \
  X("debug", "",                                                               \
    NUMBER_OR(debug,                                                           \
              "not a '+'-separated list of: program, liveness, sharing, "      \
              "pools, problem, plan"),                                         \
    debug,                                                                     \
    "phases whose results are printed on standard error, separated by "        \
    "+: program, liveness, sharing, pools, problem, plan; for people, the "    \
    "form may change")

#define GMEM_REPORT_OPTIONS(X)                                                 \
  X("format", "text", WORD(format, "not one of: text, json, remarks"),         \
    report_format,                                                             \
    "text (tables for people), json (docs/report.md) or remarks "              \
    "(diagnostics at the ops that define the buffers)")                        \
  X("output", "-", TEXT, report_output,                                        \
    "output file for text or json; - is standard error, because "              \
    "standard output carries the program")                                     \
  X("replan", "false", FLAG, report_replans,                                   \
    "plan a program that has a plan again, with the options of gmem-plan, "    \
    "and report that plan; by default the report is of the plan that is "      \
    "there")                                                                   \
  X("details", "false", FLAG, report_details,                                  \
    "text: also live bytes and addresses as pictures of characters, bytes by " \
    "op and dialect, and what sharing saves")                                  \
  X("budget", "none", BYTES_OR(budget, "not a number of bytes or none"),       \
    report_budget, "bytes: list the steps at which more are live in a pool")   \
  X("measured", "", TEXT, report_measured,                                     \
    "file of gmem-run --high-water: also report the bytes that a run has "     \
    "written")                                                                 \
  X("what-if", "false", FLAG, what_if,                                         \
    "plan copies of the program with one change each, and list the changes "   \
    "that need less memory (docs/report.md); effort limits their number")      \
  X("apply", "0", NUMBER(what_if, "not the number of a what-if, 1 to 10"),     \
    apply_what_if,                                                             \
    "number of a what-if: the program gets this change, if it is one of ops")  \
  X("ranks", "",                                                               \
    OTHER(ranks, "not numbers from 1 to 65536, separated by commas"), ranks,   \
    "of a program with shardings: what a rank needs if there are so many, "    \
    "beside one rank that has all: 2,4 (docs/ranks.md)")

#define GMEM_INDEX_OPTION(X)                                                   \
  X("index-bitwidth", "64", WORD(index, "neither 32 nor 64"), index_bits,      \
    "width of an index in the lowered program, 32 or 64: the width "           \
    "of a pointer on the target")

#define GMEM_SCOPE_OPTION(X)                                                   \
  X("noalias-arguments", "false", FLAG, noalias_arguments,                     \
    "assume that the memory of each function argument is accessed "            \
    "only through that argument, with or without a noalias attribute")

#define GMEM_VERIFY_OPTIONS(X)                                                 \
  X("only", "all", WORD(verify, "not one of: all, contents, placement"),       \
    verify_only,                                                               \
    "checks to run: contents (every op finds in memory what it reads), "       \
    "placement (buffers that are live at one time do not overlap, and "        \
    "pools, alignments and figures are correct) or all")                       \
  X("figures", "remark", WORD(figures, "neither remark nor strict"),           \
    strict_figures,                                                            \
    "figures that no longer match a sound plan (peak, lower bounds, sizes "    \
    "of pools) are a remark or, with strict, an error")

#define GMEM_ARENA_OPTIONS(X)                                                  \
  X("arena-mode", "alloc", WORD(arena, "not one of: alloc, arg, global"),      \
    arena_mode,                                                                \
    "source of the memory of each pool: alloc (or allocate: "                  \
    "functions without callers allocate it), arg (a function "                 \
    "argument) or global (a static global)")                                   \
  X("weights", "keep", WORD(weights, "neither keep nor image"), weight_image,  \
    "placement of planned constants: keep (as they are) or image (in "         \
    "one arena)")

#endif // GMEM_PASSES_OPTION_TABLE_H_
