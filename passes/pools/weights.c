// weights.c - see weights.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weights.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "constant_globals.h"
#include "diagnostics.h"
#include "fixed_offsets.h"
#include "ir_reading.h"
#include "memref_alignment.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"

typedef struct finder_s {
  const gmem_weights_options_t *options;
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_constants_t *weights;
  MlirAttribute *asked; // by value of a weight: its gmem.pools, or null
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
  size_t count = program->value_count;
  GMEM_TRY_ALLOC(weights->weights, finder->arena, count, finder->diag);
  GMEM_TRY_ALLOC(finder->asked, finder->arena, count, finder->diag);
  for (uint32_t i = 0; i < count; ++i) {
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

//===--- equal contents ---------------------------------------------------===//

// A key of the contents of a weight: equal keys, equal contents.
typedef struct contents_s {
  const void *op_name, *type, *attributes;
  gmem_memory_candidates_t candidates;
  size_t weight; // index
} contents_t;

static int compare_pointers(const void *left, const void *right) {
  return ((uintptr_t)left > (uintptr_t)right) -
         ((uintptr_t)left < (uintptr_t)right);
}

static int compare_sources(const contents_t *left, const contents_t *right) {
  int order = compare_pointers(left->op_name, right->op_name);
  if (!order)
    order = compare_pointers(left->type, right->type);
  if (!order)
    order = compare_pointers(left->attributes, right->attributes);
  uint32_t count = left->candidates.count;
  if (order || count != right->candidates.count)
    return order ? order : count < right->candidates.count ? -1 : 1;
  return memcmp(left->candidates.pools, right->candidates.pools,
                count * sizeof *left->candidates.pools);
}

static int compare_contents(const void *a, const void *b) {
  const contents_t *left = a, *right = b;
  int order = compare_sources(left, right);
  return order
             ? order
             : (left->weight > right->weight) - (left->weight < right->weight);
}

static bool is_ours(MlirStringRef name) {
  return name.length > 5 && memcmp(name.data, "gmem.", 5) == 0;
}

// The attributes of |op| except gmem's, as one dictionary; null if they do not
// contain its elements, or if out of memory.
static MlirAttribute attributes_of(const finder_t *finder, MlirOperation op) {
  intptr_t count = mlirOperationGetNumAttributes(op), kept = 0;
  MlirNamedAttribute *entries =
      gmem_bump_alloc(finder->arena, (size_t)count, sizeof *entries);
  bool has_contents = false;
  for (intptr_t i = 0; entries && i < count; ++i) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, i);
    if (is_ours(mlirIdentifierStr(entry.name)))
      continue;
    has_contents |= mlirAttributeIsAElements(entry.attribute) ||
                    mlirAttributeIsAFlatSymbolRef(entry.attribute);
    entries[kept++] = entry;
  }
  return has_contents
             ? mlirDictionaryAttrGet(mlirOperationGetContext(op), kept, entries)
             : mlirAttributeGetNull();
}

// Fills |contents|; false for a weight that cannot be equal to another.
static bool find_contents(const finder_t *finder, size_t index,
                          contents_t *contents) {
  const gmem_constant_t *weight = &finder->weights->weights[index];
  MlirOperation op = gmem_constant_op(finder->program, weight->value);
  MlirOperation global = gmem_constant_global(finder->program, weight->value);
  if (!op.ptr || weight->constraint.is_fixed ||
      mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumOperands(op) ||
      mlirOperationGetNumRegions(op))
    return false;
  MlirAttribute attributes =
      global.ptr ? gmem_global_contents(global) : attributes_of(finder, op);
  *contents = (contents_t){
      mlirIdentifierStr(mlirOperationGetName(op)).data,
      mlirValueGetType(finder->program->values[weight->value].value).ptr,
      attributes.ptr, weight->constraint.candidates, index};
  return !mlirAttributeIsNull(attributes);
}

static gmem_status_t share(const finder_t *finder) {
  gmem_constant_t *weights = finder->weights->weights;
  size_t count = 0;
  contents_t *contents;
  GMEM_TRY_ALLOC(contents, finder->arena, finder->weights->count, finder->diag);
  for (size_t i = 0; i < finder->weights->count; ++i)
    count += find_contents(finder, i, &contents[count]);
  qsort(contents, count, sizeof *contents, compare_contents);
  for (size_t i = 1; i < count; ++i)
    if (compare_sources(&contents[i - 1], &contents[i]) == 0)
      weights[contents[i].weight].source =
          weights[contents[i - 1].weight].source;
  return GMEM_OK;
}

//===--- constant globals -------------------------------------------------===//

// An op that gets a global; ops with one global and gmem.pools form a group.
typedef struct getter_s {
  const void *global;
  const void *asked;
  size_t weight; // index
} getter_t;

static int compare_getters(const void *a, const void *b) {
  const getter_t *left = a, *right = b;
  int order = compare_pointers(left->global, right->global);
  if (!order)
    order = compare_pointers(left->asked, right->asked);
  return order
             ? order
             : (left->weight > right->weight) - (left->weight < right->weight);
}

// Merges |count| ops that get one global and have the same gmem.pools: sets
// their common source (the first) and fixed offset.
static gmem_status_t merge(const finder_t *finder, const getter_t *getters,
                           size_t count) {
  gmem_constant_t *weights = finder->weights->weights;
  gmem_buffer_constraint_t common = {.is_fixed = false};
  for (size_t i = 0; i < count; ++i) {
    const gmem_constant_t *weight = &weights[getters[i].weight];
    if (!weight->constraint.is_fixed)
      continue;
    if (common.is_fixed && weight->constraint.offset != common.offset)
      return gmem_error_at(
          finder->diag, GMEM_ERR_INVALID_ARGUMENT,
          gmem_value_location(finder->program, weight->value),
          "gmem.fixed: this constant is fixed at offsets %lld and %lld",
          (long long)common.offset, (long long)weight->constraint.offset);
    common = weight->constraint;
  }
  for (size_t i = 0; i < count; ++i) {
    weights[getters[i].weight].source = weights[getters[0].weight].value;
    weights[getters[i].weight].constraint = common;
  }
  return GMEM_OK;
}

static gmem_status_t merge_globals(const finder_t *finder) {
  const gmem_constants_t *weights = finder->weights;
  size_t count = 0;
  getter_t *getters;
  GMEM_TRY_ALLOC(getters, finder->arena, weights->count, finder->diag);
  for (size_t i = 0; i < weights->count; ++i) {
    MlirOperation global =
        gmem_constant_global(finder->program, weights->weights[i].value);
    if (global.ptr)
      getters[count++] = (getter_t){
          global.ptr, finder->asked[weights->weights[i].value].ptr, i};
  }
  qsort(getters, count, sizeof *getters, compare_getters);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && getters[end].global == getters[i].global &&
                      getters[end].asked == getters[i].asked;)
      ++end;
    GMEM_TRY(merge(finder, &getters[i], end - i));
  }
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
                             weight->constraint.candidates, asked);
  return GMEM_OK;
}

// Sets the candidates of every weight.
static gmem_status_t list_weights(const finder_t *finder,
                                  gmem_constant_finder_t *candidates) {
  gmem_constants_t *weights = finder->weights;
  for (size_t i = 0; i < weights->count; ++i) {
    gmem_constant_t *weight = &weights->weights[i];
    GMEM_TRY(gmem_constant_candidates_of(
        candidates, weight->value, weight->source, finder->asked[weight->value],
        &weight->constraint.candidates));
  }
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

static gmem_status_t choose_pools(const finder_t *finder) {
  gmem_constants_t *weights = finder->weights;
  gmem_constant_finder_t candidates;
  uint32_t *sources;
  GMEM_TRY_ALLOC(sources, finder->arena, finder->program->value_count,
                 finder->diag);
  for (size_t i = 0; i < finder->program->value_count; ++i)
    sources[i] = GMEM_NO_INDEX;
  for (size_t i = 0; i < weights->count; ++i)
    sources[weights->weights[i].value] = weights->weights[i].source;
  GMEM_TRY(gmem_constant_finder_begin(
      finder->program, finder->options->liveness, sources, &weights->pools,
      finder->arena, &candidates, finder->diag));
  GMEM_TRY(list_weights(finder, &candidates));
  GMEM_TRY(list_work(finder, &candidates));
  for (size_t i = 0; i < weights->count; ++i) {
    assert(gmem_candidates_check(&weights->pools,
                                 weights->weights[i].constraint.candidates));
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
  if (!liveness)
    return GMEM_OK;
  uint32_t *source;
  GMEM_TRY_ALLOC(source, finder->arena, count, finder->diag);
  uint64_t *uses;
  GMEM_TRY_ALLOC(uses, finder->arena, count, finder->diag);
  for (size_t i = 0; i < weights->count; ++i)
    source[weights->weights[i].value] = weights->weights[i].source;
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

typedef struct order_key_s {
  gmem_constant_t weight;
  size_t number;      // in program order
  bool is_dynamic;    // of a function that runs on demand
  bool is_last;       // has no name
  MlirStringRef name; // if sorted by name
  uint32_t use;       // if sorted by first use: op
} order_key_t;

static int compare_names(MlirStringRef left, MlirStringRef right) {
  size_t length = left.length < right.length ? left.length : right.length;
  int order = length ? memcmp(left.data, right.data, length) : 0;
  return order ? order
               : (left.length > right.length) - (left.length < right.length);
}

static int compare_keys(const void *a, const void *b) {
  const order_key_t *left = a, *right = b;
  if (left->is_dynamic != right->is_dynamic)
    return left->is_dynamic ? 1 : -1;
  if (left->is_last != right->is_last)
    return left->is_last ? 1 : -1;
  int order = compare_names(left->name, right->name);
  if (order)
    return order;
  if (left->use != right->use)
    return left->use < right->use ? -1 : 1;
  return (left->number > right->number) - (left->number < right->number);
}

static void keep_first_symbol(MlirStringRef name, void *user) {
  MlirStringRef *first = user;
  if (!first->length)
    *first = name;
}

// The name of the weight's location, else the symbol that its op names.
static MlirStringRef name_of(const gmem_program_t *program, uint32_t value) {
  MlirLocation location = gmem_value_location(program, value);
  MlirOperation op = gmem_constant_op(program, value);
  MlirStringRef name = {"", 0};
  if (mlirLocationIsAName(location))
    return mlirIdentifierStr(mlirLocationNameGetName(location));
  if (op.ptr)
    gmem_for_each_symbol(op, keep_first_symbol, &name);
  return name;
}

typedef struct use_walk_s {
  const gmem_program_t *program;
  uint32_t *first; // by value: op, or GMEM_NO_INDEX
  uint32_t op;
} use_walk_t;

static MlirWalkResult note_uses(MlirOperation op, void *user) {
  use_walk_t *walk = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value =
        gmem_program_find(walk->program, mlirOperationGetOperand(op, i));
    if (value != GMEM_NO_INDEX && walk->first[value] == GMEM_NO_INDEX)
      walk->first[value] = walk->op;
  }
  return MlirWalkResultAdvance;
}

// By value: the first op with it as an operand.
static uint32_t *find_first_uses(const finder_t *finder) {
  const gmem_program_t *program = finder->program;
  use_walk_t walk = {.program = program,
                     .first =
                         gmem_bump_alloc(finder->arena, program->value_count,
                                         sizeof *walk.first)};
  for (size_t i = 0; walk.first && i < program->value_count; ++i)
    walk.first[i] = GMEM_NO_INDEX;
  for (walk.op = 0; walk.first && walk.op < program->op_count; ++walk.op)
    if (program->ops[walk.op].opaque)
      mlirOperationWalk(program->ops[walk.op].op, note_uses, &walk,
                        MlirWalkPreOrder);
    else
      note_uses(program->ops[walk.op].op, &walk);
  return walk.first;
}

// Whether the function is a sub-network that runs on demand: it has
// gmem.dynamic, or the run mode of a dynamic tpu sub-network.
static gmem_status_t is_dynamic(const finder_t *finder,
                                const gmem_function_t *function, bool *out) {
  MlirAttribute ours = gmem_op_annotation(function->op, GMEM_ATTR_DYNAMIC);
  MlirAttribute mode = gmem_op_attribute(function->op, "mode");
  *out = !mlirAttributeIsNull(ours);
  if (*out && !mlirAttributeIsAUnit(ours))
    return gmem_bad_annotation(mlirOperationGetLocation(function->op),
                               GMEM_ATTR_DYNAMIC, "a unit attribute",
                               finder->diag);
  char text[128];
  if (!mlirAttributeIsNull(mode) &&
      gmem_attribute_text(mode, text, sizeof text))
    *out |= strstr(text, "TPU_DYNAMIC") != NULL;
  return GMEM_OK;
}

static gmem_status_t sort(const finder_t *finder, gmem_weight_order_t order) {
  gmem_constants_t *weights = finder->weights;
  const gmem_program_t *program = finder->program;
  order_key_t *keys =
      gmem_bump_alloc(finder->arena, weights->count, sizeof *keys);
  bool *dynamic =
      gmem_bump_alloc(finder->arena, program->function_count, sizeof *dynamic);
  uint32_t *uses =
      order == GMEM_WEIGHTS_BY_FIRST_USE ? find_first_uses(finder) : NULL;
  if (!keys || !dynamic || (order == GMEM_WEIGHTS_BY_FIRST_USE && !uses))
    return gmem_out_of_memory(finder->diag);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < program->function_count && status == GMEM_OK; ++i)
    status = is_dynamic(finder, &program->functions[i], &dynamic[i]);
  for (size_t i = 0; i < weights->count; ++i) {
    uint32_t value = weights->weights[i].value;
    keys[i] = (order_key_t){.weight = weights->weights[i],
                            .number = i,
                            .is_dynamic =
                                dynamic[gmem_value_function(program, value)],
                            .use = uses ? uses[value] : 0};
    if (order == GMEM_WEIGHTS_BY_NAME)
      keys[i].name = name_of(program, value);
    keys[i].is_last = order == GMEM_WEIGHTS_BY_NAME && !keys[i].name.length;
  }
  qsort(keys, weights->count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < weights->count; ++i)
    weights->weights[i] = keys[i].weight;
  return status;
}

gmem_status_t gmem_weights_find(const gmem_weights_options_t *options,
                                gmem_bump_t *arena,
                                gmem_constants_t *out_weights,
                                gmem_diag_t *diag) {
  *out_weights = (gmem_constants_t){.count = 0};
  finder_t finder = {.options = options,
                     .program = options->program,
                     .arena = arena,
                     .weights = out_weights,
                     .diag = diag};
  GMEM_TRY(list(&finder));
  GMEM_TRY(sort(&finder, options->order));
  GMEM_TRY(merge_globals(&finder));
  GMEM_TRY(choose_pools(&finder));
  if (options->share)
    GMEM_TRY(share(&finder));
  return count_uses(&finder);
}
