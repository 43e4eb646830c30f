// weights.c - see weights.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weights.h"

#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "boundaries.h"
#include "constant_globals.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "memory_spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "pool_table.h"

typedef struct finder_s {
  const gmem_schedule_t *schedule;
  gmem_arena_t *arena;
  gmem_weights_t *weights;
  gmem_diag_t *diag;
} finder_t;

// The op that makes a weight; null for an argument.
static MlirOperation op_of(const gmem_schedule_t *schedule, uint32_t value) {
  uint32_t op = schedule->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : schedule->ops[op].op;
}

// The constant global that the op gets; null when there is none.
static MlirOperation global_of(const gmem_schedule_t *schedule,
                               uint32_t value) {
  uint32_t op = schedule->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : schedule->ops[op].global;
}

//===--- pools ------------------------------------------------------------===//

// gmem.pools of what defines the value; null when it says nothing.
static MlirAttribute pools_of(const gmem_schedule_t *schedule, uint32_t value) {
  MlirOperation op = op_of(schedule, value);
  MlirOperation global = global_of(schedule, value);
  if (op.ptr) {
    MlirStringRef name = gmem_attr_name(GMEM_ATTR_POOLS);
    MlirAttribute own = mlirOperationGetDiscardableAttributeByName(op, name);
    return mlirAttributeIsNull(own) && global.ptr
               ? mlirOperationGetDiscardableAttributeByName(global, name)
               : own;
  }
  uint32_t function = gmem_value_function(schedule, value);
  return gmem_argument_annotation(schedule->functions[function].op,
                                  schedule->values[value].number,
                                  GMEM_ATTR_POOLS);
}

// The index of the pool of that name, which is added when it is new.
static gmem_status_t find_pool(const finder_t *finder, MlirStringRef name,
                               size_t *room, uint32_t *out) {
  gmem_weights_t *weights = finder->weights;
  for (*out = 0; *out < weights->pool_count; ++*out)
    if (mlirStringRefEqual(weights->pools[*out], name))
      return GMEM_OK;
  if (!gmem_arena_grow(finder->arena, &weights->pools, weights->pool_count,
                       room, sizeof name))
    return gmem_out_of_memory(finder->diag);
  weights->pools[weights->pool_count++] = name;
  return GMEM_OK;
}

static gmem_status_t choose_pool(const finder_t *finder, gmem_weight_t *weight,
                                 size_t *room) {
  MlirAttribute list = pools_of(finder->schedule, weight->value);
  MlirLocation location = gmem_value_location(finder->schedule, weight->value);
  if (mlirAttributeIsNull(list))
    return GMEM_OK; // "weights", the first
  if (!mlirAttributeIsAArray(list) || mlirArrayAttrGetNumElements(list) != 1 ||
      !mlirAttributeIsAString(mlirArrayAttrGetElement(list, 0)))
    return gmem_bad_annotation(location, GMEM_ATTR_POOLS,
                               "an array of one string", finder->diag);
  MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(list, 0));
  if (!name.length || gmem_is_workspace_name(name))
    return gmem_bad_annotation(location, GMEM_ATTR_POOLS,
                               "a name that no workspace pool has",
                               finder->diag);
  return find_pool(finder, name, room, &weight->pool);
}

// Immutable workbuffers go where weights do.
static gmem_status_t choose_work_pool(const finder_t *finder,
                                      gmem_op_workbuffer_t *work,
                                      size_t *room) {
  if (mlirAttributeIsNull(work->pools))
    return GMEM_OK; // "weights", the first
  MlirStringRef name =
      mlirStringAttrGetValue(mlirArrayAttrGetElement(work->pools, 0));
  if (mlirArrayAttrGetNumElements(work->pools) != 1 ||
      gmem_is_workspace_name(name))
    return gmem_workbuffer_error(
        work, "is immutable, and its pools must be one that no workspace is",
        finder->diag);
  return find_pool(finder, name, room, &work->pool);
}

static gmem_status_t list_work(const finder_t *finder, size_t *room) {
  gmem_workbuffers_t *work = &finder->weights->work;
  gmem_status_t status = gmem_workbuffers_read(finder->schedule, finder->arena,
                                               work, finder->diag);
  for (size_t i = 0; i < work->immutable_count && status == GMEM_OK; ++i)
    status = choose_work_pool(finder, &work->all[work->immutables[i]], room);
  return status;
}

//===--- listing ----------------------------------------------------------===//

static gmem_status_t list(const finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  gmem_weights_t *weights = finder->weights;
  size_t room = 0;
  uint32_t first;
  weights->weights = gmem_arena_alloc(finder->arena, schedule->value_count,
                                      sizeof *weights->weights);
  gmem_status_t status =
      weights->weights
          ? find_pool(finder, gmem_string(GMEM_POOL_WEIGHTS), &room, &first)
          : gmem_out_of_memory(finder->diag);
  for (uint32_t i = 0; i < schedule->value_count && status == GMEM_OK; ++i) {
    if (!gmem_value_is_weight(schedule, i))
      continue;
    gmem_weight_t *weight = &weights->weights[weights->count++];
    *weight = (gmem_weight_t){.value = i, .source = i};
    status = choose_pool(finder, weight, &room);
    if (status == GMEM_OK)
      status = gmem_fixed_offset(schedule, i, &weight->fixed, finder->diag);
  }
  return status == GMEM_OK ? list_work(finder, &room) : status;
}

//===--- equal contents ---------------------------------------------------===//

// What the contents of a weight come from; equal pointers, equal contents.
typedef struct contents_s {
  const void *op_name, *type, *attributes;
  uint32_t pool;
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
               : (left->pool > right->pool) - (left->pool < right->pool);
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

// The attributes of |op| but for ours, as one; null when they do not hold its
// contents, or when memory is out.
static MlirAttribute attributes_of(const finder_t *finder, MlirOperation op) {
  intptr_t count = mlirOperationGetNumAttributes(op), kept = 0;
  MlirNamedAttribute *entries =
      gmem_arena_alloc(finder->arena, (size_t)count, sizeof *entries);
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

// Fills |contents|; false for a weight that is like no other.
static bool find_contents(const finder_t *finder, size_t index,
                          contents_t *contents) {
  const gmem_weight_t *weight = &finder->weights->weights[index];
  MlirOperation op = op_of(finder->schedule, weight->value);
  MlirOperation global = global_of(finder->schedule, weight->value);
  if (!op.ptr || weight->fixed >= 0 || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumOperands(op) || mlirOperationGetNumRegions(op))
    return false;
  MlirAttribute attributes =
      global.ptr ? gmem_global_contents(global) : attributes_of(finder, op);
  *contents = (contents_t){
      mlirIdentifierStr(mlirOperationGetName(op)).data,
      mlirValueGetType(finder->schedule->values[weight->value].value).ptr,
      attributes.ptr, weight->pool, index};
  return !mlirAttributeIsNull(attributes);
}

static gmem_status_t share(const finder_t *finder) {
  gmem_weight_t *weights = finder->weights->weights;
  size_t count = 0;
  contents_t *contents =
      gmem_arena_alloc(finder->arena, finder->weights->count, sizeof *contents);
  if (!contents)
    return gmem_out_of_memory(finder->diag);
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

// One op that gets a global, among those that get the same one in one pool.
typedef struct getter_s {
  const void *global;
  uint32_t pool;
  size_t weight; // index
} getter_t;

static int compare_getters(const void *a, const void *b) {
  const getter_t *left = a, *right = b;
  int order = compare_pointers(left->global, right->global);
  if (!order)
    order = (left->pool > right->pool) - (left->pool < right->pool);
  return order
             ? order
             : (left->weight > right->weight) - (left->weight < right->weight);
}

// Gives |count| ops that get one global in one pool one source, the first, and
// the place that one of them asks for.
static gmem_status_t merge(const finder_t *finder, const getter_t *getters,
                           size_t count) {
  gmem_weight_t *weights = finder->weights->weights;
  int64_t fixed = -1;
  for (size_t i = 0; i < count; ++i) {
    const gmem_weight_t *weight = &weights[getters[i].weight];
    if (weight->fixed >= 0 && fixed >= 0 && weight->fixed != fixed)
      return gmem_error(finder->diag, GMEM_ERR_INVALID_ARGUMENT,
                        gmem_value_location(finder->schedule, weight->value),
                        NULL, 0,
                        "gmem.fixed: one constant is fixed at %lld and %lld",
                        (long long)fixed, (long long)weight->fixed);
    if (weight->fixed >= 0)
      fixed = weight->fixed;
  }
  for (size_t i = 0; i < count; ++i) {
    weights[getters[i].weight].source = weights[getters[0].weight].value;
    weights[getters[i].weight].fixed = fixed;
  }
  return GMEM_OK;
}

static gmem_status_t merge_globals(const finder_t *finder) {
  const gmem_weights_t *weights = finder->weights;
  size_t count = 0;
  getter_t *getters =
      gmem_arena_alloc(finder->arena, weights->count, sizeof *getters);
  if (!getters)
    return gmem_out_of_memory(finder->diag);
  for (size_t i = 0; i < weights->count; ++i) {
    MlirOperation global =
        global_of(finder->schedule, weights->weights[i].value);
    if (global.ptr)
      getters[count++] = (getter_t){global.ptr, weights->weights[i].pool, i};
  }
  qsort(getters, count, sizeof *getters, compare_getters);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0, end; i < count && status == GMEM_OK; i = end) {
    for (end = i + 1; end < count && getters[end].global == getters[i].global &&
                      getters[end].pool == getters[i].pool;)
      ++end;
    status = merge(finder, &getters[i], end - i);
  }
  return status;
}

static void align_for_work(gmem_weights_t *weights) {
  for (size_t i = 0; i < weights->work.immutable_count; ++i) {
    const gmem_op_workbuffer_t *work =
        &weights->work.all[weights->work.immutables[i]];
    if (weights->alignments[work->pool] < work->alignment)
      weights->alignments[work->pool] = work->alignment;
  }
}

// What globals and workbuffers ask of the start of their pools, and of all that
// is in them.
static gmem_status_t align_pools(const finder_t *finder) {
  gmem_weights_t *weights = finder->weights;
  weights->alignments = gmem_arena_alloc(finder->arena, weights->pool_count,
                                         sizeof *weights->alignments);
  if (!weights->alignments)
    return gmem_out_of_memory(finder->diag);
  for (uint32_t i = 0; i < weights->pool_count; ++i)
    weights->alignments[i] = 1;
  align_for_work(weights);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < weights->count && status == GMEM_OK; ++i) {
    const gmem_weight_t *weight = &weights->weights[i];
    uint64_t *most = &weights->alignments[weight->pool], asked;
    MlirOperation global = global_of(finder->schedule, weight->value);
    if (!global.ptr)
      continue;
    uint64_t natural =
        gmem_memref_element_alignment(mlirShapedTypeGetElementType(
            mlirValueGetType(finder->schedule->values[weight->value].value)));
    status = gmem_alignment_asked(global, &asked, finder->diag);
    asked = asked > natural ? asked : natural;
    *most = *most > asked ? *most : asked;
  }
  return status;
}

//===--- order ------------------------------------------------------------===//

typedef struct order_key_s {
  gmem_weight_t weight;
  size_t number;      // in the text
  bool is_dynamic;    // of a function that may not be run
  bool is_last;       // it has no name, or no use
  MlirStringRef name; // by name
  uint32_t use;       // by first use: op
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

// The name of the weight's location, else the symbol that its op refers to.
static MlirStringRef name_of(const gmem_schedule_t *schedule, uint32_t value) {
  MlirLocation location = gmem_value_location(schedule, value);
  MlirOperation op = op_of(schedule, value);
  MlirStringRef name = {"", 0};
  if (mlirLocationIsAName(location))
    return mlirIdentifierStr(mlirLocationNameGetName(location));
  if (op.ptr)
    gmem_for_each_symbol(op, keep_first_symbol, &name);
  return name;
}

typedef struct use_walk_s {
  const gmem_schedule_t *schedule;
  uint32_t *first; // by value: op, or GMEM_NO_INDEX
  uint32_t op;
} use_walk_t;

static MlirWalkResult note_uses(MlirOperation op, void *user) {
  use_walk_t *walk = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value =
        gmem_schedule_find(walk->schedule, mlirOperationGetOperand(op, i));
    if (value != GMEM_NO_INDEX && walk->first[value] == GMEM_NO_INDEX)
      walk->first[value] = walk->op;
  }
  return MlirWalkResultAdvance;
}

// By value: the first op with it as an operand.
static uint32_t *find_first_uses(const finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  use_walk_t walk = {.schedule = schedule,
                     .first =
                         gmem_arena_alloc(finder->arena, schedule->value_count,
                                          sizeof *walk.first)};
  for (size_t i = 0; walk.first && i < schedule->value_count; ++i)
    walk.first[i] = GMEM_NO_INDEX;
  for (walk.op = 0; walk.first && walk.op < schedule->op_count; ++walk.op)
    if (schedule->ops[walk.op].opaque)
      mlirOperationWalk(schedule->ops[walk.op].op, note_uses, &walk,
                        MlirWalkPreOrder);
    else
      note_uses(schedule->ops[walk.op].op, &walk);
  return walk.first;
}

// Whether the function is a sub-network that is run by need: it says so, or
// has the run mode of a tpu sub-network that does.
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
  gmem_weights_t *weights = finder->weights;
  const gmem_schedule_t *schedule = finder->schedule;
  order_key_t *keys =
      gmem_arena_alloc(finder->arena, weights->count, sizeof *keys);
  bool *dynamic = gmem_arena_alloc(finder->arena, schedule->function_count,
                                   sizeof *dynamic);
  uint32_t *uses =
      order == GMEM_WEIGHTS_BY_FIRST_USE ? find_first_uses(finder) : NULL;
  if (!keys || !dynamic || (order == GMEM_WEIGHTS_BY_FIRST_USE && !uses))
    return gmem_out_of_memory(finder->diag);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < schedule->function_count && status == GMEM_OK; ++i)
    status = is_dynamic(finder, &schedule->functions[i], &dynamic[i]);
  for (size_t i = 0; i < weights->count; ++i) {
    uint32_t value = weights->weights[i].value;
    keys[i] = (order_key_t){.weight = weights->weights[i],
                            .number = i,
                            .is_dynamic =
                                dynamic[gmem_value_function(schedule, value)],
                            .use = uses ? uses[value] : 0};
    if (order == GMEM_WEIGHTS_BY_NAME)
      keys[i].name = name_of(schedule, value);
    keys[i].is_last = order == GMEM_WEIGHTS_BY_NAME && !keys[i].name.length;
  }
  qsort(keys, weights->count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < weights->count; ++i)
    weights->weights[i] = keys[i].weight;
  return status;
}

gmem_status_t gmem_weights_find(const gmem_schedule_t *schedule,
                                gmem_weight_order_t order, bool share_equal,
                                gmem_arena_t *arena,
                                gmem_weights_t *out_weights,
                                gmem_diag_t *diag) {
  *out_weights = (gmem_weights_t){.schedule = schedule};
  finder_t finder = {schedule, arena, out_weights, diag};
  gmem_status_t status = list(&finder);
  if (status == GMEM_OK)
    status = sort(&finder, order);
  if (status == GMEM_OK)
    status = align_pools(&finder);
  if (status == GMEM_OK)
    status = merge_globals(&finder);
  if (status == GMEM_OK && share_equal)
    status = share(&finder);
  return status;
}
