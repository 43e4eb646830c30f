// pass_table.c - the one list of passes and pipelines, with their options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_table.h"

#include <string.h>

#include "address_passes.h"
#include "assign_and_advise.h"
#include "assign_passes.h"
#include "eliminate_empty_tensors.h"
#include "expand_allocs.h"
#include "hoist.h"
#include "hoist_constants.h"
#include "llvm_passes.h"
#include "materialize.h"
#include "option_table.h"
#include "pipelines.h"
#include "rank_passes.h"
#include "report_ranks.h"
#include "simplify_branches.h"
#include "transforms_to_globals.h"
#include "verify_plan.h"
#include "workspace_io.h"

#define OPTION(name, default_value, kind, member, help)                        \
  {(name), (default_value), (help)},
#define PROGRAM_OPTIONS GMEM_MEMORY_OPTIONS(OPTION) GMEM_COMMON_OPTIONS(OPTION)
#define PLAN_OPTIONS                                                           \
  GMEM_TENSOR_OPTIONS(OPTION)                                                  \
  GMEM_WEIGHT_OPTIONS(OPTION)                                                  \
  GMEM_CONSTANT_OPTIONS(OPTION)                                                \
  GMEM_ORDER_OPTION(OPTION) GMEM_CERTIFY_OPTION(OPTION) PROGRAM_OPTIONS

static const gmem_pass_option_t weight_options[] = {
    GMEM_WEIGHT_OPTIONS(OPTION) GMEM_MEMREFS_OPTION(OPTION) PROGRAM_OPTIONS};
static const gmem_pass_option_t tensor_options[] = {
    {"order", "given",
     "best: the ops have been ordered, so certify programs of tensors; this "
     "pass moves nothing"},
    GMEM_TENSOR_OPTIONS(OPTION) GMEM_CERTIFY_OPTION(OPTION) PROGRAM_OPTIONS};
static const gmem_pass_option_t hoist_options[] = {
    {"constants", "hoist", GMEM_CONSTANTS_HELP},
    GMEM_CONSTANT_BUDGET_OPTION(OPTION) GMEM_TENSOR_OPTIONS(OPTION)
        GMEM_WEIGHT_OPTIONS(OPTION) PROGRAM_OPTIONS};
static const gmem_pass_option_t order_options[] = {
    {"order", "best", GMEM_ORDER_HELP},
    GMEM_TENSOR_OPTIONS(OPTION) PROGRAM_OPTIONS};
static const gmem_pass_option_t plan_options[] = {PLAN_OPTIONS};
static const gmem_pass_option_t bufferize_options[] = {
    {"out-params", "false",
     "return results through arguments that the caller allocates, in public "
     "functions too, instead of in newly allocated memory"},
    {"workspace-io", "false",
     "with out-params=true: plan the memory of the inputs and outputs, too, "
     "which the caller then accesses at their places (gmem-workspace-io)"},
    PLAN_OPTIONS};
static const gmem_pass_option_t report_options[] = {GMEM_REPORT_OPTIONS(OPTION)
                                                        PLAN_OPTIONS};
static const gmem_pass_option_t scope_options[] = {GMEM_SCOPE_OPTION(OPTION)};
static const gmem_pass_option_t index_options[] = {GMEM_INDEX_OPTION(OPTION)};
static const gmem_pass_option_t lower_options[] = {
    GMEM_INDEX_OPTION(OPTION){"alias-scopes", "true",
                              "emit alias scopes for the planned buffers, so "
                              "that code on one arena is "
                              "as fast as on separate allocations"},
    GMEM_SCOPE_OPTION(OPTION)};
static const gmem_pass_option_t import_options[] = {
    {"tensor-base", "after-weights",
     "none: the tensors have addresses in a memory of their own, which may be "
     "those of weights, too, and begins anywhere; by default they are in one "
     "address space with the weights"},
    GMEM_KEEP_INPUTS_OPTION(OPTION) GMEM_COMMON_OPTIONS(OPTION)};
static const gmem_pass_option_t verify_options[] = {
    GMEM_VERIFY_OPTIONS(OPTION)};
static const gmem_pass_option_t materialize_options[] = {
    GMEM_ARENA_OPTIONS(OPTION)};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const gmem_pass_descriptor_t passes[] = {
    {"gmem-plan",
     "Assign an address to every weight, global tensor and memref that the "
     "program allocates, and verify the plan",
     plan_options, COUNT(plan_options), NULL, gmem_plan_steps, false, NULL},
    {"gmem-bufferize-and-plan",
     "Bufferize linalg or TOSA on tensors and plan the resulting memrefs",
     bufferize_options, COUNT(bufferize_options), NULL,
     gmem_bufferize_and_plan_steps, true, NULL},
    {"gmem-shard-and-plan",
     "Partition a program of tensors by its shardings, and plan the program of "
     "each rank",
     bufferize_options, COUNT(bufferize_options), NULL,
     gmem_shard_and_plan_steps, true, NULL},
    {"gmem-lower-to-llvm", "Lower ops on memrefs to the LLVM dialect",
     lower_options, COUNT(lower_options), NULL, gmem_lower_to_llvm_steps, true,
     NULL},
    {"gmem-hoist-constants",
     "Compute values that depend on constants alone in a function that runs "
     "once, when the program is loaded",
     hoist_options, COUNT(hoist_options), gmem_hoist_constants, NULL, true,
     gmem_hoist_dialects},
    {"gmem-order-ops",
     "Move ops into an order that needs less memory, if there is one",
     order_options, COUNT(order_options), gmem_order_ops, NULL, true, NULL},
    {"gmem-assign-weights", "Assign consecutive addresses to the weights",
     weight_options, COUNT(weight_options), gmem_assign_weights, NULL, false,
     NULL},
    {"gmem-assign-tensors",
     "Assign an address to every global tensor and every memref that the "
     "program allocates, reusing memory between disjoint live ranges",
     tensor_options, COUNT(tensor_options), gmem_assign_and_advise, NULL, true,
     NULL},
    {"gmem-verify-plan", "Verify the plan in the IR, from the IR alone",
     verify_options, COUNT(verify_options), gmem_verify_plan, NULL, false,
     NULL},
    {"gmem-report",
     "Report the plan that gmem-plan would make, and the sharing it rejects "
     "and why, without changing the program",
     report_options, COUNT(report_options), gmem_report_all, NULL, false, NULL},
    {"gmem-import-addresses",
     "Convert the plan of another compiler from tensor types (<..., ADDRESS : "
     "i64>) to gmem attributes",
     import_options, COUNT(import_options), gmem_import_addresses, NULL, true,
     NULL},
    {"gmem-encode-addresses",
     "Write the addresses of a plan into the tensor types (<..., ADDRESS : "
     "i64>)",
     NULL, 0, gmem_encode_addresses, NULL, true, NULL},
    {"gmem-materialize",
     "Replace the planned memrefs by views of one arena per pool",
     materialize_options, COUNT(materialize_options), gmem_materialize, NULL,
     true, gmem_materialize_dialects},
    {"gmem-alias-scopes",
     "Annotate loads and stores of the LLVM dialect with the alias scopes of "
     "the planned buffers that they access and do not access",
     scope_options, COUNT(scope_options), gmem_alias_scopes, NULL, true, NULL},
    {"gmem-eliminate-empty-tensors",
     "Run eliminate-empty-tensors, and undo it where it makes the program "
     "invalid",
     NULL, 0, gmem_eliminate_empty_tensors, NULL, true,
     gmem_eliminate_dialects},
    {"gmem-simplify-branches",
     "Remove branches on constants, blocks that are never reached, and "
     "branches "
     "to one block in both cases, which pass tensors",
     NULL, 0, gmem_simplify_branches, NULL, true, gmem_simplify_dialects},
    {"gmem-transforms-to-globals",
     "Read constants with gmem.transform from globals, so that folding does "
     "not "
     "compute with their elements, and bufferization keeps the attribute",
     NULL, 0, gmem_transforms_to_globals, NULL, true, gmem_transforms_dialects},
    {"gmem-expand-allocs",
     "Allocate before loops what several of their iterations have at once, so "
     "that it can be planned: a part for each iteration of parallel loops, two "
     "parts in turns for what scf.for carries to its next iteration",
     NULL, 0, gmem_expand_allocs, NULL, true, gmem_expand_dialects},
    {"gmem-workspace-io",
     "Make allocations of the arguments of public functions that are memrefs, "
     "so that inputs and outputs are planned",
     NULL, 0, gmem_workspace_io, NULL, true, gmem_workspace_io_dialects},
    {"gmem-constants-to-arguments",
     "Make last arguments of the constants of functions that are tensors of "
     "several values, so that each rank gets its part",
     NULL, 0, gmem_constants_to_arguments, NULL, true, NULL},
    {"gmem-expand-collectives",
     "Make gathers, scatters and exchanges of ranks from sums and slices, "
     "which "
     "MLIR can convert to messages",
     NULL, 0, gmem_expand_collectives, NULL, true, gmem_collective_dialects},
    {"gmem-check-sharding",
     "Reject programs of ranks that MLIR cannot partition or convert to "
     "messages",
     NULL, 0, gmem_check_sharding, NULL, false, NULL},
    {"gmem-simplify-partition",
     "Remove branches and communicators of programs of ranks that make no "
     "difference",
     NULL, 0, gmem_simplify_partition, NULL, true, NULL},
    {"gmem-remove-sharding",
     "Remove shardings, so that the program runs on one rank", NULL, 0,
     gmem_remove_sharding, NULL, true, NULL},
    {"gmem-lower-messages",
     "Convert ops of the mpi dialect to calls of an MPI library", NULL, 0,
     gmem_lower_messages, NULL, true, gmem_message_dialects},
    {"gmem-remove-op-models",
     "Remove the ops of the gmem dialect, such as gmem.op_model, which compute "
     "nothing and cannot be lowered",
     NULL, 0, gmem_remove_op_models, NULL, false, NULL},
    {"gmem-check-transforms",
     "Reject programs that read globals with gmem.transform, whose contents "
     "functions from outside the program make",
     NULL, 0, gmem_check_transforms, NULL, false, NULL},
    {"gmem-align-arguments",
     "State the alignment of arenas and other arguments as llvm.align, which "
     "is "
     "faster to compile than memref.assume_alignment",
     NULL, 0, gmem_align_arguments, NULL, false, NULL},
    {"gmem-check-index-width",
     "Reject programs that need a 64-bit index when index-bitwidth is not 64: "
     "elements of type index in arenas, and incompletely lowered ops",
     index_options, COUNT(index_options), gmem_check_index_width, NULL, false,
     NULL},
    {"gmem-check-memory-spaces",
     "Reject functions with memrefs that could not be lowered, because their "
     "memory space is not an integer",
     NULL, 0, gmem_check_memory_spaces, NULL, false, NULL},
};

size_t gmem_pass_count(void) { return COUNT(passes); }

const gmem_pass_descriptor_t *gmem_pass_at(size_t index) {
  return &passes[index];
}

const gmem_pass_descriptor_t *gmem_pass_find(const char *name) {
  for (size_t i = 0; i < COUNT(passes); ++i)
    if (strcmp(passes[i].name, name) == 0)
      return &passes[i];
  return NULL;
}

bool gmem_pass_has_option(const gmem_pass_descriptor_t *descriptor,
                          const char *name) {
  for (size_t i = 0; i < descriptor->option_count; ++i)
    if (strcmp(descriptor->options[i].name, name) == 0)
      return true;
  return false;
}

bool gmem_pass_needs_verifier(const gmem_pass_descriptor_t *descriptor,
                              const gmem_plan_options_t *options) {
  bool is_idle =
      (descriptor->run == gmem_hoist_constants &&
       options->constants == GMEM_CONSTANTS_KEEP) ||
      (descriptor->run == gmem_order_ops && options->order == GMEM_ORDER_GIVEN);
  return descriptor->needs_verifier && !is_idle;
}
