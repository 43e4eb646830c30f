// weights.c - see weights.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weights.h"

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

// The op that defines a weight; null for an argument.
static MlirOperation op_of(const gmem_program_t *program, uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].op;
}

// The constant global that the op gets; null if there is none.
static MlirOperation global_of(const gmem_program_t *program, uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].global;
}

//===--- pools ------------------------------------------------------------===//

// The pools of memories that every reader of the constant can reach.
static uint64_t reach_of(const gmem_constant_pools_t *pools, uint32_t value) {
  return pools->reach ? pools->reach[value] : pools->all;
}

// Sets the candidate list of every weight.
static gmem_status_t choose_pools(const finder_t *finder) {
  gmem_constants_t *weights = finder->weights;
  for (size_t i = 0; i < weights->count; ++i) {
    gmem_constant_t *weight = &weights->weights[i];
    GMEM_TRY(gmem_constant_pools_list(&weights->pools, weight->value,
                                      reach_of(&weights->pools, weight->value),
                                      finder->asked[weight->value],
                                      &weight->list, finder->diag));
  }
  return GMEM_OK;
}

// Immutable workbuffers have the same candidate pools as weights.
static gmem_status_t list_work(const finder_t *finder) {
  gmem_constants_t *weights = finder->weights;
  gmem_workbuffers_t *work = &weights->work;
  GMEM_TRY(gmem_workbuffers_read(finder->program, finder->arena, work,
                                 finder->diag));
  GMEM_TRY_ALLOC(weights->work_lists, finder->arena, work->immutable_count,
                 finder->diag);
  for (size_t i = 0; i < work->immutable_count; ++i) {
    const gmem_op_workbuffer_t *one = &work->all[work->immutables[i]];
    GMEM_TRY(gmem_constant_pools_list_of_op(&weights->pools, one->op,
                                            one->pools, &weights->work_lists[i],
                                            finder->diag));
  }
  return GMEM_OK;
}

const gmem_memory_candidates_t *
gmem_weight_pools(const gmem_constants_t *weights,
                  const gmem_constant_t *weight) {
  return &weights->pools.lists[weight->list];
}

const gmem_memory_candidates_t *
gmem_weight_work_pools(const gmem_constants_t *weights, size_t index) {
  return &weights->pools.lists[weights->work_lists[index]];
}

//===--- listing ----------------------------------------------------------===//

static gmem_status_t list(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_constants_t *weights = finder->weights;
  size_t count = program->value_count;
  GMEM_TRY_ALLOC(weights->weights, finder->arena, count, finder->diag);
  GMEM_TRY_ALLOC(finder->asked, finder->arena, count, finder->diag);
  for (uint32_t i = 0; i < count; ++i) {
    if (!gmem_value_is_weight(program, i))
      continue;
    gmem_constant_t *weight = &weights->weights[weights->count++];
    *weight = (gmem_constant_t){.value = i, .source = i};
    GMEM_TRY(gmem_constant_pools_asked(&weights->pools, i, &finder->asked[i],
                                       finder->diag));
    GMEM_TRY(gmem_fixed_offset(program, i, &weight->fixed, finder->diag));
  }
  return GMEM_OK;
}

//===--- equal contents ---------------------------------------------------===//

// A key of the contents of a weight: equal keys, equal contents.
typedef struct contents_s {
  const void *op_name, *type, *attributes;
  uint32_t list; // of pools
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
  return order ? order
               : (left->list > right->list) - (left->list < right->list);
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
  MlirOperation op = op_of(finder->program, weight->value);
  MlirOperation global = global_of(finder->program, weight->value);
  if (!op.ptr || weight->fixed >= 0 || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumOperands(op) || mlirOperationGetNumRegions(op))
    return false;
  MlirAttribute attributes =
      global.ptr ? gmem_global_contents(global) : attributes_of(finder, op);
  *contents = (contents_t){
      mlirIdentifierStr(mlirOperationGetName(op)).data,
      mlirValueGetType(finder->program->values[weight->value].value).ptr,
      attributes.ptr, weight->list, index};
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
// their common source (the first), fixed offset and reachable pools.
static gmem_status_t merge(const finder_t *finder, const getter_t *getters,
                           size_t count) {
  gmem_constant_t *weights = finder->weights->weights;
  uint64_t *reach = finder->weights->pools.reach, common = UINT64_MAX;
  int64_t fixed = -1;
  for (size_t i = 0; i < count; ++i) {
    const gmem_constant_t *weight = &weights[getters[i].weight];
    if (weight->fixed >= 0 && fixed >= 0 && weight->fixed != fixed)
      return gmem_error(
          finder->diag, GMEM_ERR_INVALID_ARGUMENT,
          gmem_value_location(finder->program, weight->value), NULL, 0,
          "gmem.fixed: this constant is fixed at offsets %lld and %lld",
          (long long)fixed, (long long)weight->fixed);
    if (weight->fixed >= 0)
      fixed = weight->fixed;
    if (reach)
      common &= reach[weight->value];
  }
  for (size_t i = 0; i < count; ++i) {
    gmem_constant_t *weight = &weights[getters[i].weight];
    weight->source = weights[getters[0].weight].value;
    weight->fixed = fixed;
    if (reach)
      reach[weight->value] = common;
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
        global_of(finder->program, weights->weights[i].value);
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

// Raises the alignment of all pools of the list to |asked| bytes.
static void align_all(gmem_constants_t *weights,
                      const gmem_memory_candidates_t *pools, uint64_t asked) {
  for (uint32_t i = 0; i < pools->count; ++i) {
    uint64_t *most = &weights->alignments[pools->pools[i]];
    *most = *most > asked ? *most : asked;
  }
}

// Aligns pools for the globals and workbuffers that may be placed in them.
static gmem_status_t align_pools(const finder_t *finder) {
  gmem_constants_t *weights = finder->weights;
  GMEM_TRY_ALLOC(weights->alignments, finder->arena, weights->pools.count,
                 finder->diag);
  for (uint32_t i = 0; i < weights->pools.count; ++i)
    weights->alignments[i] = 1;
  for (size_t i = 0; i < weights->work.immutable_count; ++i)
    align_all(weights, gmem_weight_work_pools(weights, i),
              weights->work.all[weights->work.immutables[i]].alignment);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < weights->count && status == GMEM_OK; ++i) {
    const gmem_constant_t *weight = &weights->weights[i];
    uint64_t asked;
    MlirOperation global = global_of(finder->program, weight->value);
    if (!global.ptr)
      continue;
    uint64_t natural =
        gmem_memref_element_alignment(mlirShapedTypeGetElementType(
            mlirValueGetType(finder->program->values[weight->value].value)));
    status = gmem_alignment_asked(global, &asked, finder->diag);
    align_all(weights, gmem_weight_pools(weights, weight),
              asked > natural ? asked : natural);
  }
  return status;
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
  MlirOperation op = op_of(program, value);
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
  MlirAttribute ours = mlirOperationGetDiscardableAttributeByName(
      function->op, gmem_attr_name(GMEM_ATTR_DYNAMIC));
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
  *out_weights = (gmem_constants_t){.program = options->program};
  finder_t finder = {.options = options,
                     .program = options->program,
                     .arena = arena,
                     .weights = out_weights,
                     .diag = diag};
  GMEM_TRY(gmem_constant_pools_begin(options->program, options->liveness, arena,
                                     &out_weights->pools, diag));
  GMEM_TRY(list(&finder));
  GMEM_TRY(sort(&finder, options->order));
  GMEM_TRY(merge_globals(&finder));
  GMEM_TRY(choose_pools(&finder));
  GMEM_TRY(list_work(&finder));
  GMEM_TRY(align_pools(&finder));
  if (options->share)
    GMEM_TRY(share(&finder));
  return count_uses(&finder);
}
