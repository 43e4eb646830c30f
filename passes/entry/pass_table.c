// pass_table.c - the one list of passes and pipelines, with their options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_table.h"

#include <string.h>

#include "alias_scopes.h"
#include "assign_tensors.h"
#include "assign_weights.h"
#include "check_index_width.h"
#include "encode_addresses.h"
#include "import_addresses.h"
#include "materialize.h"
#include "pipelines.h"
#include "report.h"
#include "verify_plan.h"

// Options of every pass that reads a program.
#define COMMON_OPTIONS                                                         \
  {"op-models", "",                                                            \
   "comma-separated files with op models (docs/op-models.md); they are "       \
   "stored in the IR and override the built-in models"},                       \
      {"share-weights", "false",                                               \
       "place weights with equal contents at one address"},                    \
  {                                                                            \
    "dynamic-bound", "none",                                                   \
        "upper bound, in elements, of each dynamic dimension without a bound " \
        "of its own; none: values with such dimensions are not planned"        \
  }
#define MEMORY_OPTIONS                                                         \
  {"pools", "",                                                                \
   "semicolon-separated memories of the machine (docs/pools.md), each "        \
   "NAME:KEY=VALUE,...; stored in the IR as gmem.memories"},                   \
  {                                                                            \
    "pool-file", "",                                                           \
        "file that describes the memories of the machine, one per line; "      \
        "mutually exclusive with pools"                                        \
  }
#define KEEP_INPUTS_OPTION                                                     \
  {                                                                            \
    "keep-inputs", "false",                                                    \
        "keep the contents of inputs intact until their function returns"      \
  }
#define MEMREFS_OPTION                                                         \
  {                                                                            \
    "memrefs", "true",                                                         \
        "plan the memrefs that the program allocates and those that are "      \
        "constants; if false, only tensors are planned"                        \
  }
#define WEIGHT_OPTIONS                                                         \
  {"weight-alignment", "4096",                                                 \
   "alignment of every weight in bytes, a power of two"},                      \
      {"weight-base", "0", "start address of the weights"}, {                  \
    "weight-order", "walk",                                                    \
        "order of the weights in memory: walk (as in the IR), name (of their " \
        "location or symbol) or first-use"                                     \
  }
#define TENSOR_OPTIONS                                                         \
  {"algorithm", "auto",                                                        \
   "placement algorithm: auto (several in stages, until the plan is known to " \
   "be optimal), none (no reuse), ref-count (reuse the address of a tensor "   \
   "that is no longer live), greedy-by-size (best fit, largest first) or one " \
   "of those that gmem-solve --list-algorithms prints"},                       \
      {"effort", "normal",                                                     \
       "search effort while a smaller plan is possible: fast (n log n), "      \
       "normal (about a second for hard problems) or exhaustive (many "        \
       "seconds); limits count work, not time, so that the plan is the "       \
       "same on every machine"},                                               \
      {"alignment", "4096",                                                    \
       "alignment of every tensor in bytes, a power of two"},                  \
      {"tensor-base", "after-weights",                                         \
       "start address of the tensors: after-weights, a number, or none for a " \
       "separate address space"},                                              \
      {"capacity", "unlimited",                                                \
       "capacity of the tensor pool in bytes; a plan that exceeds it is an "   \
       "error"},                                                               \
      {"space-capacity", "",                                                   \
       "capacities of other pools, such as those of memory spaces: "           \
       "comma-separated POOL=BYTES (memory=1048576,memory.1=65536)"},          \
      {"memref-alignment", "64",                                               \
       "minimum alignment in bytes of every planned memref, a power of two; "  \
       "an allocation may request more"},                                      \
      KEEP_INPUTS_OPTION,                                                      \
      {"sharing", "all",                                                       \
       "kinds of sharing that the plan may use to save memory: all, none, or " \
       "a list, separated by +, of inplace, destination, slice, concat and "   \
       "transfer"},                                                            \
      {"view-alignment", "64",                                                 \
       "alignment in bytes of a tensor placed inside another one, a power of " \
       "two"},                                                                 \
      {"io", "shared",                                                         \
       "placement of network inputs and outputs: shared (among the other "     \
       "tensors), separate (in one pool for all of them) or tagged (a pool "   \
       "for each of the largest)"},                                            \
      {"allocas", "false", "plan memrefs on the stack, too"}, MEMREFS_OPTION,  \
  {                                                                            \
    "io-tags", "5", "number of pools for io=tagged, from 1 to 32"              \
  }

static const gmem_pass_option_t weight_options[] = {
    WEIGHT_OPTIONS, MEMREFS_OPTION, MEMORY_OPTIONS, COMMON_OPTIONS};
static const gmem_pass_option_t tensor_options[] = {
    TENSOR_OPTIONS, MEMORY_OPTIONS, COMMON_OPTIONS};
static const gmem_pass_option_t plan_options[] = {
    TENSOR_OPTIONS, WEIGHT_OPTIONS, MEMORY_OPTIONS, COMMON_OPTIONS};

static const gmem_pass_option_t bufferize_options[] = {
    {"out-params", "false",
     "return results through arguments that the caller allocates, in public "
     "functions too, instead of in newly allocated memory"},
    TENSOR_OPTIONS,
    WEIGHT_OPTIONS,
    MEMORY_OPTIONS,
    COMMON_OPTIONS};

static const gmem_pass_option_t report_options[] = {
    {"format", "text",
     "text (tables for people), json (docs/report.md) or remarks (diagnostics "
     "at the ops that define the buffers)"},
    {"output", "-",
     "output file for text or json; - is standard error, because standard "
     "output carries the program"},
    TENSOR_OPTIONS,
    WEIGHT_OPTIONS,
    MEMORY_OPTIONS,
    COMMON_OPTIONS};

#define SCOPE_OPTIONS                                                          \
  {                                                                            \
    "noalias-arguments", "false",                                              \
        "assume that the memory of each function argument is accessed only "   \
        "through that argument, with or without a noalias attribute"           \
  }
static const gmem_pass_option_t scope_options[] = {SCOPE_OPTIONS};

#define INDEX_OPTION                                                           \
  {                                                                            \
    "index-bitwidth", "64",                                                    \
        "width of an index in the lowered program, 32 or 64: the width of a "  \
        "pointer on the target"                                                \
  }
static const gmem_pass_option_t index_options[] = {INDEX_OPTION};

static const gmem_pass_option_t lower_options[] = {
    INDEX_OPTION,
    {"alias-scopes", "true",
     "emit alias scopes for the planned buffers, so that code on one arena is "
     "as fast as on separate allocations"},
    SCOPE_OPTIONS};

static const gmem_pass_option_t import_options[] = {KEEP_INPUTS_OPTION,
                                                    COMMON_OPTIONS};

static const gmem_pass_option_t materialize_options[] = {
    {"arena-mode", "alloc",
     "source of the memory of each pool: alloc (or allocate: functions without "
     "callers allocate it), arg (a function argument) or global (a static "
     "global)"},
    {"weights", "keep",
     "placement of planned constants: keep (as they are) or image (in one "
     "arena)"}};

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
    {"gmem-lower-to-llvm", "Lower ops on memrefs to the LLVM dialect",
     lower_options, COUNT(lower_options), NULL, gmem_lower_to_llvm_steps, true,
     NULL},
    {"gmem-assign-weights", "Assign consecutive addresses to the weights",
     weight_options, COUNT(weight_options), gmem_assign_weights, NULL, false,
     NULL},
    {"gmem-assign-tensors",
     "Assign an address to every global tensor and every memref that the "
     "program allocates, reusing memory between disjoint live ranges",
     tensor_options, COUNT(tensor_options), gmem_assign_tensors, NULL, true,
     NULL},
    {"gmem-verify-plan", "Verify the plan in the IR, from the IR alone", NULL,
     0, gmem_verify_plan, NULL, false, NULL},
    {"gmem-report",
     "Report the plan that gmem-plan would make, and the sharing it rejects "
     "and why, without changing the program",
     report_options, COUNT(report_options), gmem_report, NULL, false, NULL},
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
    {"gmem-check-index-width",
     "Reject programs that need a 64-bit index when index-bitwidth is not 64: "
     "elements of type index in arenas, and incompletely lowered ops",
     index_options, COUNT(index_options), gmem_check_index_width, NULL, false,
     NULL},
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
