// weights.c - see weights.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weights.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "constant_globals.h"
#include "ir_reading.h"
#include "memref_alignment.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "partition_point.h"
#include "value_requests.h"

typedef struct finder_s {
  const gmem_weights_options_t *options;
  const gmem_program_t *program;
  gmem_bump_t *arena, *scratch;
  gmem_constants_t *weights;
  MlirAttribute *asked; // by value of a weight: its gmem.pools, or null
  uint32_t *source_of;  // by value: find_sources
  gmem_diag_t *diag;
} finder_t;

//===--- listing ----------------------------------------------------------===//

bool gmem_has_constant_memories(const gmem_program_t *program) {
  for (size_t i = 0; i < program->memory_count; ++i)
    if (program->memories[i].is_constant)
      return true;
  return false;
}

static gmem_status_t list(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_constants_t *weights = finder->weights;
  size_t count = program->value_count, most = 0;
  for (uint32_t i = 0; i < count; ++i)
    most += gmem_value_is_weight(program, i);
  GMEM_TRY_ALLOC(weights->weights, finder->arena, most, finder->diag);
  GMEM_TRY_ALLOC(finder->asked, finder->scratch, count, finder->diag);
  GMEM_TRY_ALLOC(finder->source_of, finder->scratch, count, finder->diag);
  for (uint32_t i = 0; i < count; ++i) {
    finder->source_of[i] = GMEM_NO_INDEX;
    if (!gmem_value_is_weight(program, i))
      continue;
    int64_t offset;
    GMEM_TRY(
        gmem_constant_pools_asked(program, i, &finder->asked[i], finder->diag));
    GMEM_TRY(gmem_fixed_offset(program, i, &offset, finder->diag));
    weights->weights[weights->count++] = (gmem_constant_t){
        .value = i,
        .source = i,
        .constraint = {.is_fixed = offset >= 0,
                       .offset = offset >= 0 ? (uint64_t)offset : 0}};
  }
  return GMEM_OK;
}

// By value: the first constant with the same memory.
static const uint32_t *find_sources(const finder_t *finder) {
  const gmem_constants_t *weights = finder->weights;
  for (size_t i = 0; i < weights->count; ++i)
    finder->source_of[weights->weights[i].value] = weights->weights[i].source;
  return finder->source_of;
}

//===--- groups of weights ------------------------------------------------===//

// Weights with equal words and candidates are a group.
typedef struct group_key_s {
  uintptr_t words[3];
  gmem_memory_candidates_t candidates;
  size_t weight; // index
} group_key_t;

static int compare_groups(const group_key_t *left, const group_key_t *right) {
  for (size_t i = 0; i < sizeof left->words / sizeof *left->words; ++i)
    if (left->words[i] != right->words[i])
      return left->words[i] < right->words[i] ? -1 : 1;
  uint32_t count = left->candidates.count;
  if (count != right->candidates.count)
    return count < right->candidates.count ? -1 : 1;
  return gmem_compare_numbers(left->candidates.pools, right->candidates.pools,
                              count);
}

static int compare_keys(const void *a, const void *b) {
  const group_key_t *left = a, *right = b;
  int order = compare_groups(left, right);
  return order
             ? order
             : (left->weight > right->weight) - (left->weight < right->weight);
}

// Makes the first weight of each group the source of the others.
static void set_sources(const finder_t *finder, group_key_t *keys,
                        size_t count) {
  gmem_constant_t *weights = finder->weights->weights;
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 1; i < count; ++i)
    if (compare_groups(&keys[i - 1], &keys[i]) == 0)
      weights[keys[i].weight].source = weights[keys[i - 1].weight].source;
}

//===--- equal contents ---------------------------------------------------===//

// Whether an attribute is one of gmem's that say nothing of the contents.
static bool is_request(MlirStringRef name) {
  return name.length > 5 && memcmp(name.data, "gmem.", 5) == 0 &&
         !mlirStringRefEqual(name, gmem_attr_name(GMEM_ATTR_TRANSFORM)) &&
         !mlirStringRefEqual(name, gmem_attr_name(GMEM_ATTR_SOURCE));
}

// The attributes of |op| that its contents depend on, as one dictionary; null
// if they do not contain its elements, or if out of memory.
static MlirAttribute attributes_of(const finder_t *finder, MlirOperation op) {
  MlirAttribute all = gmem_all_attributes(op);
  intptr_t count = mlirDictionaryAttrGetNumElements(all), kept = 0;
  MlirNamedAttribute *entries =
      gmem_bump_alloc(finder->arena, (size_t)count, sizeof *entries);
  bool has_contents = false;
  for (intptr_t i = 0; entries && i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(all, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    if (is_request(name))
      continue;
    has_contents |= mlirAttributeIsAElements(entry.attribute) ||
                    mlirAttributeIsAFlatSymbolRef(entry.attribute);
    entries[kept++] = entry;
  }
  return has_contents
             ? mlirDictionaryAttrGet(mlirOperationGetContext(op), kept, entries)
             : mlirAttributeGetNull();
}

// The contents of |global|, or the functions that make them; null if that
// is not known.
static MlirAttribute contents_of(MlirOperation global) {
  MlirAttribute contents = gmem_global_contents(global);
  MlirAttribute chain[] = {gmem_op_annotation(global, GMEM_ATTR_TRANSFORM),
                           gmem_op_annotation(global, GMEM_ATTR_SOURCE)};
  if (mlirAttributeIsNull(chain[0]))
    return contents;
  if (mlirAttributeIsNull(chain[1]))
    chain[1] = contents;
  return mlirAttributeIsNull(chain[1])
             ? chain[1]
             : mlirArrayAttrGet(mlirOperationGetContext(global), 2, chain);
}

// Fills |key|: equal keys, equal contents. False for a weight that cannot be
// equal to another.
static bool find_contents(const finder_t *finder, size_t index,
                          group_key_t *key) {
  const gmem_constant_t *weight = &finder->weights->weights[index];
  MlirOperation op = gmem_constant_op(finder->program, weight->value);
  MlirOperation global = gmem_constant_global(finder->program, weight->value);
  if (!op.ptr || weight->constraint.is_fixed ||
      mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumOperands(op) ||
      mlirOperationGetNumRegions(op))
    return false;
  MlirAttribute attributes =
      global.ptr ? contents_of(global) : attributes_of(finder, op);
  MlirValue value = finder->program->values[weight->value].value;
  *key = (group_key_t){
      {(uintptr_t)mlirIdentifierStr(mlirOperationGetName(op)).data,
       (uintptr_t)mlirValueGetType(value).ptr, (uintptr_t)attributes.ptr},
      gmem_constraint_pools(&weight->constraint),
      index};
  return !mlirAttributeIsNull(attributes);
}

static gmem_status_t share(const finder_t *finder) {
  size_t count = 0;
  group_key_t *keys;
  GMEM_TRY_ALLOC(keys, finder->scratch, finder->weights->count, finder->diag);
  for (size_t i = 0; i < finder->weights->count; ++i)
    count += find_contents(finder, i, &keys[count]);
  set_sources(finder, keys, count);
  return gmem_bump_status(finder->arena, finder->diag);
}

//===--- one constant in several places -----------------------------------===//

// All weights with the |source| have one fixed offset.
static gmem_status_t fix_source(const finder_t *finder, gmem_constant_t *source,
                                const gmem_constant_t *weight) {
  if (!weight->constraint.is_fixed)
    return GMEM_OK;
  if (source->constraint.is_fixed &&
      source->constraint.offset != weight->constraint.offset)
    return gmem_error_at(
        finder->diag, GMEM_ERR_INVALID_ARGUMENT,
        gmem_value_location(finder->program, weight->value),
        "gmem.fixed: this constant is fixed at offsets %lld and %lld",
        (long long)source->constraint.offset,
        (long long)weight->constraint.offset);
  source->constraint = weight->constraint;
  return GMEM_OK;
}

// The number that makes several constants one (gmem.constant), or null.
static gmem_status_t read_number(const finder_t *finder, uint32_t value,
                                 MlirAttribute *out) {
  const gmem_program_t *program = finder->program;
  MlirOperation op = gmem_constant_op(program, value);
  int64_t ignored;
  *out = op.ptr
             ? gmem_op_annotation(op, GMEM_ATTR_CONSTANT)
             : gmem_argument_annotation(
                   program->functions[gmem_value_function(program, value)].op,
                   program->values[value].number, GMEM_ATTR_CONSTANT);
  return mlirAttributeIsNull(*out) || gmem_i64_get(*out, &ignored)
             ? GMEM_OK
             : gmem_bad_annotation(gmem_value_location(program, value),
                                   GMEM_ATTR_CONSTANT, "an i64", finder->diag);
}

// The identity of the constant |value|; null: it is one of its own.
static gmem_status_t find_identity(const finder_t *finder, uint32_t value,
                                   const void **out) {
  MlirAttribute number;
  *out = gmem_constant_global(finder->program, value).ptr;
  GMEM_TRY(read_number(finder, value, &number));
  if (!*out)
    *out = number.ptr;
  return GMEM_OK;
}

static gmem_status_t check_sizes(const finder_t *finder,
                                 const gmem_constant_t *source,
                                 const gmem_constant_t *weight) {
  const gmem_program_t *program = finder->program;
  char name[128];
  if (program->values[source->value].size ==
      program->values[weight->value].size)
    return GMEM_OK;
  gmem_value_describe(program, source->value, name, sizeof name);
  return gmem_error_at(finder->diag, GMEM_ERR_INVALID_ARGUMENT,
                       gmem_value_location(program, weight->value),
                       "gmem.constant: this constant and %s have different "
                       "sizes, so they are not one constant",
                       name);
}

// Merges the ops that get one global, and constants with one gmem.constant,
// that have the same gmem.pools: sets their common source and fixed offset.
static gmem_status_t merge_same(const finder_t *finder) {
  gmem_constant_t *weights = finder->weights->weights;
  size_t count = 0, source = 0;
  group_key_t *keys;
  GMEM_TRY_ALLOC(keys, finder->scratch, finder->weights->count, finder->diag);
  for (size_t i = 0; i < finder->weights->count; ++i) {
    const void *identity;
    GMEM_TRY(find_identity(finder, weights[i].value, &identity));
    if (identity)
      keys[count++] = (group_key_t){
          .words = {(uintptr_t)identity,
                    (uintptr_t)finder->asked[weights[i].value].ptr},
          .weight = i};
  }
  set_sources(finder, keys, count);
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || compare_groups(&keys[i - 1], &keys[i]) != 0)
      source = keys[i].weight;
    GMEM_TRY(check_sizes(finder, &weights[source], &weights[keys[i].weight]));
    GMEM_TRY(fix_source(finder, &weights[source], &weights[keys[i].weight]));
  }
  for (size_t i = 1; i < count; ++i)
    if (compare_groups(&keys[i - 1], &keys[i]) == 0)
      weights[keys[i].weight].constraint =
          weights[keys[i - 1].weight].constraint;
  return GMEM_OK;
}

//===--- candidate pools --------------------------------------------------===//

// Aligns pools for the global that may be placed in them.
static gmem_status_t align_for_global(const finder_t *finder,
                                      const gmem_constant_t *weight) {
  MlirOperation global = gmem_constant_global(finder->program, weight->value);
  uint64_t asked;
  if (!global.ptr)
    return GMEM_OK;
  GMEM_TRY(gmem_alignment_asked(global, &asked, finder->diag));
  gmem_alignment_raise(
      &asked,
      gmem_memref_element_alignment(mlirShapedTypeGetElementType(
          mlirValueGetType(finder->program->values[weight->value].value))));
  gmem_candidate_pools_align(&finder->weights->pools,
                             gmem_constraint_pools(&weight->constraint), asked);
  return GMEM_OK;
}

// Immutable workbuffers have the same candidate pools as weights.
static gmem_status_t list_work(const finder_t *finder,
                               gmem_constant_finder_t *candidates) {
  gmem_constants_t *weights = finder->weights;
  const gmem_workbuffers_t *work = finder->options->workbuffers;
  GMEM_TRY_ALLOC(weights->work, finder->arena, work->count, finder->diag);
  for (size_t i = 0; i < work->immutable_count; ++i) {
    const gmem_op_workbuffer_t *one = &work->all[work->immutables[i]];
    gmem_memory_candidates_t *found =
        &weights->work[work->immutables[i]].candidates;
    GMEM_TRY(
        gmem_constant_candidates_of_op(candidates, one->op, one->pools, found));
    gmem_candidate_pools_align(&weights->pools, *found, one->alignment);
  }
  return GMEM_OK;
}

// By value of a source: not only functions with gmem.init read it. Arguments
// stay part of an interface when nothing reads them.
static gmem_status_t find_needed(const finder_t *finder, const bool **out) {
  const gmem_constants_t *weights = finder->weights;
  const gmem_program_t *program = finder->program;
  bool *needed, *is_initial;
  GMEM_TRY_ALLOC(needed, finder->scratch, program->value_count, finder->diag);
  GMEM_TRY_ALLOC(is_initial, finder->scratch, program->value_count,
                 finder->diag);
  for (size_t i = 0; i < weights->count; ++i) {
    uint32_t value = weights->weights[i].value;
    uint32_t source = weights->weights[i].source;
    uint32_t function = gmem_value_function(program, value);
    bool is_read = program->values[value].op != GMEM_NO_INDEX ||
                   !mlirOpOperandIsNull(
                       mlirValueGetFirstUse(program->values[value].value));
    if (program->functions[function].is_init)
      is_initial[source] = true;
    else
      needed[source] |= is_read;
  }
  for (size_t i = 0; i < program->value_count; ++i)
    needed[i] |= !is_initial[i];
  *out = needed;
  return GMEM_OK;
}

static gmem_status_t choose_pools(const finder_t *finder) {
  gmem_constants_t *weights = finder->weights;
  gmem_constant_finder_t candidates = {.program = finder->program,
                                       .liveness = finder->options->liveness,
                                       .sources = find_sources(finder),
                                       .pools = &weights->pools,
                                       .arena = finder->arena,
                                       .diag = finder->diag};
  GMEM_TRY(find_needed(finder, &candidates.needed));
  GMEM_TRY(gmem_constant_finder_begin(&candidates));
  for (size_t i = 0; i < weights->count; ++i) {
    gmem_constant_t *weight = &weights->weights[i];
    gmem_memory_candidates_t pools = {NULL, 0};
    GMEM_TRY(gmem_constant_candidates_of(&candidates, weight->value,
                                         finder->asked[weight->value], &pools));
    gmem_constraint_set_pools(&weight->constraint, pools);
  }
  GMEM_TRY(list_work(finder, &candidates));
  for (size_t i = 0; i < weights->count; ++i) {
    assert(gmem_candidates_check(
        &weights->pools,
        gmem_constraint_pools(&weights->weights[i].constraint)));
    GMEM_TRY(align_for_global(finder, &weights->weights[i]));
  }
  return GMEM_OK;
}

//===--- uses -------------------------------------------------------------===//

// Number of reads of the value, in all call contexts of its function.
static uint64_t uses_of(const gmem_liveness_t *liveness, uint32_t value) {
  size_t contexts;
  uint64_t uses = liveness->live_values[value].uses, all;
  gmem_contexts_of(liveness->contexts,
                   gmem_value_function(liveness->program, value), &contexts);
  return __builtin_mul_overflow(uses, contexts, &all) ? UINT64_MAX : all;
}

// Adds up, at each source, the uses of all values that share its memory.
static gmem_status_t count_uses(const finder_t *finder) {
  const gmem_liveness_t *liveness = finder->options->liveness;
  gmem_constants_t *weights = finder->weights;
  size_t count = finder->program->value_count;
  const uint32_t *source = find_sources(finder);
  uint64_t *uses;
  if (!liveness || !weights->count)
    return GMEM_OK;
  GMEM_TRY_ALLOC(uses, finder->scratch, count, finder->diag);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t root = liveness->live_values[i].root;
    if (liveness->live_values[root].storage != GMEM_STORAGE_WEIGHT)
      continue;
    assert(gmem_value_is_weight(finder->program, root));
    uint64_t *sum = &uses[source[root]], more = uses_of(liveness, i);
    *sum = more > UINT64_MAX - *sum ? UINT64_MAX : *sum + more;
  }
  for (size_t i = 0; i < weights->count; ++i)
    weights->weights[i].uses = uses[weights->weights[i].value];
  return GMEM_OK;
}

//===--- order ------------------------------------------------------------===//

typedef struct order_key_s { // sorted by these, then by name, then by |number|
  uint32_t is_dynamic;       // 1: of a function that runs on demand
  uint32_t is_unnamed;       // 1: has no name, if sorted by name
  uint32_t first_use;        // op, if sorted by first use
  uint32_t number;           // in program order
  MlirStringRef name;        // if sorted by name
  gmem_constant_t weight;
} order_key_t;

static int compare_order(const void *a, const void *b) {
  const order_key_t *left = a, *right = b;
  MlirStringRef one = left->name, other = right->name;
  int order = gmem_compare_numbers(a, b, 3);
  size_t shorter = one.length < other.length ? one.length : other.length;
  if (!order && shorter)
    order = memcmp(one.data, other.data, shorter);
  if (!order)
    order = (one.length > other.length) - (one.length < other.length);
  return order
             ? order
             : (left->number > right->number) - (left->number < right->number);
}

// The name of the weight's location, else gmem.name, else the symbol that its
// op names.
static MlirStringRef name_of(const gmem_program_t *program, uint32_t value) {
  MlirLocation location = gmem_value_location(program, value);
  MlirOperation op = gmem_constant_op(program, value);
  if (mlirLocationIsAName(location))
    return mlirIdentifierStr(mlirLocationNameGetName(location));
  MlirStringRef stated;
  if (op.ptr &&
      gmem_string_get(gmem_op_annotation(op, GMEM_ATTR_NAME), &stated))
    return stated;
  return op.ptr ? gmem_first_symbol(op) : (MlirStringRef){NULL, 0};
}

typedef struct use_walk_s {
  uint32_t *first; // by value: op, or GMEM_NO_INDEX
  uint32_t op;
} use_walk_t;

static void note_use(uint32_t value, void *user) {
  use_walk_t *walk = user;
  if (walk->first[value] == GMEM_NO_INDEX)
    walk->first[value] = walk->op;
}

// By value: the first op with it as an operand.
static gmem_status_t find_first_uses(const finder_t *finder,
                                     const uint32_t **out_uses) {
  const gmem_program_t *program = finder->program;
  use_walk_t walk = {0};
  GMEM_TRY_ALLOC(walk.first, finder->scratch, program->value_count,
                 finder->diag);
  for (size_t i = 0; i < program->value_count; ++i)
    walk.first[i] = GMEM_NO_INDEX;
  for (; walk.op < program->op_count; ++walk.op)
    gmem_for_each_operand(program, walk.op, note_use, &walk);
  *out_uses = walk.first;
  return GMEM_OK;
}

// Whether the function is a sub-network that runs on demand: it has
// gmem.dynamic, or the run mode of a dynamic tpu sub-network.
static gmem_status_t is_dynamic(const finder_t *finder,
                                const gmem_function_t *function, bool *out) {
  MlirAttribute ours = gmem_op_annotation(function->op, GMEM_ATTR_DYNAMIC);
  MlirAttribute mode = gmem_op_attribute(function->op, "mode");
  char text[128];
  *out = !mlirAttributeIsNull(ours) ||
         (!mlirAttributeIsNull(mode) &&
          gmem_attribute_text(mode, text, sizeof text) &&
          strstr(text, "TPU_DYNAMIC"));
  return mlirAttributeIsNull(ours) || mlirAttributeIsAUnit(ours)
             ? GMEM_OK
             : gmem_bad_annotation(mlirOperationGetLocation(function->op),
                                   GMEM_ATTR_DYNAMIC, "a unit attribute",
                                   finder->diag);
}

static gmem_status_t sort(const finder_t *finder) {
  gmem_constants_t *weights = finder->weights;
  const gmem_program_t *program = finder->program;
  gmem_weight_order_t order = finder->options->order;
  order_key_t *keys;
  bool *dynamic;
  const uint32_t *uses = NULL;
  GMEM_TRY_ALLOC(keys, finder->scratch, weights->count, finder->diag);
  GMEM_TRY_ALLOC(dynamic, finder->scratch, program->function_count,
                 finder->diag);
  if (order == GMEM_WEIGHTS_BY_FIRST_USE)
    GMEM_TRY(find_first_uses(finder, &uses));
  for (size_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(is_dynamic(finder, &program->functions[i], &dynamic[i]));
  for (uint32_t i = 0; i < weights->count; ++i) {
    uint32_t value = weights->weights[i].value;
    bool is_by_name = order == GMEM_WEIGHTS_BY_NAME;
    MlirStringRef name = {NULL, 0};
    if (is_by_name)
      name = name_of(program, value);
    keys[i] = (order_key_t){.is_dynamic =
                                dynamic[gmem_value_function(program, value)],
                            .is_unnamed = is_by_name && !name.length,
                            .first_use = uses ? uses[value] : 0,
                            .number = i,
                            .name = name,
                            .weight = weights->weights[i]};
  }
  qsort(keys, weights->count, sizeof *keys, compare_order);
  for (size_t i = 0; i < weights->count; ++i)
    weights->weights[i] = keys[i].weight;
  return GMEM_OK;
}

static gmem_status_t find(finder_t *finder) {
  GMEM_TRY(list(finder));
  GMEM_TRY(sort(finder));
  GMEM_TRY(merge_same(finder));
  GMEM_TRY(choose_pools(finder));
  if (finder->options->share)
    GMEM_TRY(share(finder));
  return count_uses(finder);
}

gmem_status_t gmem_weights_find(const gmem_weights_options_t *options,
                                gmem_bump_t *arena,
                                gmem_constants_t *out_weights,
                                gmem_diag_t *diag) {
  gmem_bump_t scratch;
  *out_weights = (gmem_constants_t){.count = 0};
  finder_t finder = {.options = options,
                     .program = options->program,
                     .arena = arena,
                     .scratch = &scratch,
                     .weights = out_weights,
                     .diag = diag};
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status = find(&finder);
  gmem_bump_destroy(&scratch);
  return status;
}
