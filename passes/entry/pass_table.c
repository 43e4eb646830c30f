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

// What all passes that read a program have to know.
#define COMMON_OPTIONS                                                         \
  {"op-models", "",                                                            \
   "files with op models (docs/op-models.md), commas between them; they are "  \
   "kept in the IR and win over the built-in ones"},                           \
      {"share-weights", "false",                                               \
       "whether weights of equal contents share one address"},                 \
  {                                                                            \
    "dynamic-bound", "none",                                                   \
        "elements that a dynamic dimension has at most where nothing else "    \
        "says so: a number, or none to leave such values alone"                \
  }
#define MEMORY_OPTIONS                                                         \
  {"pools", "",                                                                \
   "the memories of the machine (docs/pools.md), NAME:KEY=VALUE,... with "     \
   "semicolons between them; kept in the IR as gmem.memories"},                \
  {                                                                            \
    "pool-file", "", "a file that describes them, one per line"                \
  }
#define KEEP_INPUTS_OPTION                                                     \
  {                                                                            \
    "keep-inputs", "false",                                                    \
        "whether inputs stay intact until their function ends"                 \
  }
#define MEMREFS_OPTION                                                         \
  {                                                                            \
    "memrefs", "true",                                                         \
        "whether memrefs that the program allocates, and those that are "      \
        "constants, are planned; if not, only tensors are"                     \
  }
#define WEIGHT_OPTIONS                                                         \
  {"weight-alignment", "4096",                                                 \
   "bytes to which every weight's address is aligned, a power of two"},        \
      {"weight-base", "0", "address at which the weights begin"}, {            \
    "weight-order", "walk",                                                    \
        "the order in which weights lie: walk (of the text), name (of their "  \
        "location or symbol) or first-use"                                     \
  }
#define TENSOR_OPTIONS                                                         \
  {"algorithm", "auto",                                                        \
   "how tensors are placed: auto (all of them in stages, until no better "     \
   "plan can be), none (no reuse), ref-count (reuse the address of an ended "  \
   "tensor), greedy-by-size (best gap, largest first), and others: see "       \
   "gmem-solve --list-algorithms"},                                            \
      {"effort", "normal",                                                     \
       "how long to search while a better plan may be: fast (n log n), "       \
       "normal (about a second where it is hard) or exhaustive (many "         \
       "seconds); counted in steps, so that the plan is the same on every "    \
       "machine"},                                                             \
      {"alignment", "4096",                                                    \
       "bytes to which every tensor's address is aligned, a power of two"},    \
      {"tensor-base", "after-weights",                                         \
       "address at which the tensors begin: after-weights, a number, or none " \
       "for a memory of their own"},                                           \
      {"capacity", "unlimited",                                                \
       "bytes that the tensors may take; more is an error"},                   \
      {"space-capacity", "",                                                   \
       "bytes that other pools may take, those of memory spaces for example: " \
       "POOL=BYTES, commas between (memory=1048576,memory.1=65536)"},          \
      {"memref-alignment", "64",                                               \
       "bytes to which every planned memref is aligned in its memory space, "  \
       "a power of two; what an alloc asks for counts if it is more"},         \
      KEEP_INPUTS_OPTION,                                                      \
      {"sharing", "all",                                                       \
       "how values may share memory where that makes the plan smaller: all, "  \
       "none, or a list, with + between, of inplace, destination, slice, "     \
       "concat and transfer"},                                                 \
      {"view-alignment", "64",                                                 \
       "bytes to which the address of what begins inside another tensor is "   \
       "aligned, a power of two"},                                             \
      {"io", "shared",                                                         \
       "where network inputs and outputs are: shared (among the other "        \
       "tensors), separate (in a pool of their own) or tagged (the largest "   \
       "each in a pool of its own)"},                                          \
      {"allocas", "false", "whether memrefs on the stack are planned, too"},   \
      MEMREFS_OPTION, {                                                        \
    "io-tags", "5", "how many pools of their own io=tagged gives, at most 32"  \
  }

static const gmem_pass_option_t weight_options[] = {
    WEIGHT_OPTIONS, MEMREFS_OPTION, MEMORY_OPTIONS, COMMON_OPTIONS};
static const gmem_pass_option_t tensor_options[] = {
    TENSOR_OPTIONS, MEMORY_OPTIONS, COMMON_OPTIONS};
static const gmem_pass_option_t plan_options[] = {
    TENSOR_OPTIONS, WEIGHT_OPTIONS, MEMORY_OPTIONS, COMMON_OPTIONS};

static const gmem_pass_option_t bufferize_options[] = {
    {"out-params", "false",
     "whether functions write what they return into memory of their caller, "
     "public ones too, in place of memory of their own"},
    TENSOR_OPTIONS,
    WEIGHT_OPTIONS,
    MEMORY_OPTIONS,
    COMMON_OPTIONS};

static const gmem_pass_option_t report_options[] = {
    {"format", "text",
     "text (tables for people), json (docs/report.md) or remarks (diagnostics "
     "where the buffers are made)"},
    {"output", "-",
     "file for text or json, - for standard error, since standard output is "
     "the program's"},
    TENSOR_OPTIONS,
    WEIGHT_OPTIONS,
    MEMORY_OPTIONS,
    COMMON_OPTIONS};

#define SCOPE_OPTIONS                                                          \
  {                                                                            \
    "noalias-arguments", "false",                                              \
        "whether the memory of each argument of a function is nobody else's, " \
        "whatever the argument says"                                           \
  }
static const gmem_pass_option_t scope_options[] = {SCOPE_OPTIONS};

#define INDEX_OPTION                                                           \
  {                                                                            \
    "index-bitwidth", "64",                                                    \
        "bits of an index in the lowered program, 32 or 64: those of a "       \
        "pointer "                                                             \
        "on the machine that it is for"                                        \
  }
static const gmem_pass_option_t index_options[] = {INDEX_OPTION};

static const gmem_pass_option_t lower_options[] = {
    INDEX_OPTION,
    {"alias-scopes", "true",
     "whether to state which planned buffers cannot share bytes, so that code "
     "in one arena is as fast as in separate ones"},
    SCOPE_OPTIONS};

static const gmem_pass_option_t import_options[] = {KEEP_INPUTS_OPTION,
                                                    COMMON_OPTIONS};

static const gmem_pass_option_t materialize_options[] = {
    {"arena-mode", "alloc",
     "where the memory of a pool comes from: alloc (or allocate: functions "
     "that nothing calls allocate it), arg (they take it as an argument) or "
     "global (it is static)"},
    {"weights", "keep",
     "what becomes of the constants that have a place: keep (they stay where "
     "they are) or image (they are in one arena, too)"}};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const gmem_pass_descriptor_t passes[] = {
    {"gmem-plan",
     "Give every weight, every global tensor and every memref that the program "
     "allocates a place, and prove the result",
     plan_options, COUNT(plan_options), NULL, gmem_plan_steps, false, NULL},
    {"gmem-bufferize-and-plan",
     "Turn linalg or TOSA on tensors into memrefs, and plan these",
     bufferize_options, COUNT(bufferize_options), NULL,
     gmem_bufferize_and_plan_steps, true, NULL},
    {"gmem-lower-to-llvm", "Lower what is on memrefs to the LLVM dialect",
     lower_options, COUNT(lower_options), NULL, gmem_lower_to_llvm_steps, true,
     NULL},
    {"gmem-assign-weights", "Lay the weights out one after the other",
     weight_options, COUNT(weight_options), gmem_assign_weights, NULL, false,
     NULL},
    {"gmem-assign-tensors",
     "Give every global tensor and every memref that the program allocates a "
     "place, reusing memory at end of life",
     tensor_options, COUNT(tensor_options), gmem_assign_tensors, NULL, true,
     NULL},
    {"gmem-verify-plan",
     "Prove the plan that the IR carries, from the IR alone", NULL, 0,
     gmem_verify_plan, NULL, false, NULL},
    {"gmem-report",
     "Say what gmem-plan would do, and why not more, without changing the "
     "program",
     report_options, COUNT(report_options), gmem_report, NULL, false, NULL},
    {"gmem-import-addresses",
     "Take the plan of another compiler out of the tensor types (<..., ADDRESS "
     ": i64>) into gmem attributes",
     import_options, COUNT(import_options), gmem_import_addresses, NULL, true,
     NULL},
    {"gmem-encode-addresses",
     "Put the addresses of a plan into the tensor types (<..., ADDRESS : i64>)",
     NULL, 0, gmem_encode_addresses, NULL, true, NULL},
    {"gmem-materialize",
     "Make the memrefs of a plan views of one arena per pool",
     materialize_options, COUNT(materialize_options), gmem_materialize, NULL,
     true, gmem_materialize_dialects},
    {"gmem-alias-scopes",
     "State on loads and stores of the LLVM dialect which memory they access, "
     "and which they cannot",
     scope_options, COUNT(scope_options), gmem_alias_scopes, NULL, true, NULL},
    {"gmem-check-index-width",
     "Refuse what cannot be where an index has not 64 bits: elements of type "
     "index in arenas, and what the lowering has left half done",
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
