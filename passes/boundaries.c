// boundaries.c - see boundaries.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "boundaries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "ir_reading.h"
#include "memory_spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pool_table.h"
#include "same_as.h"

//===--- fixed offsets ----------------------------------------------------===//

static gmem_status_t fixed_result(const gmem_schedule_t *schedule,
                                  const gmem_value_t *value, int64_t *out,
                                  gmem_diag_t *diag) {
  MlirOperation op = schedule->ops[value->op].op;
  MlirAttribute list = mlirOperationGetDiscardableAttributeByName(
      op, gmem_attr_name(GMEM_ATTR_FIXED));
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  if (mlirAttributeIsADenseI64Array(list) &&
      mlirDenseArrayGetNumElements(list) == mlirOperationGetNumResults(op))
    *out = mlirDenseI64ArrayGetElement(list, value->number);
  else
    *out = -2;
  return *out >= -1
             ? GMEM_OK
             : gmem_bad_annotation(mlirOperationGetLocation(op),
                                   GMEM_ATTR_FIXED,
                                   "array<i64> with one offset, or -1, per "
                                   "result",
                                   diag);
}

gmem_status_t gmem_fixed_offset(const gmem_schedule_t *schedule, uint32_t value,
                                int64_t *out_offset, gmem_diag_t *diag) {
  const gmem_value_t *entry = &schedule->values[value];
  *out_offset = -1;
  if (entry->op != GMEM_NO_INDEX)
    return fixed_result(schedule, entry, out_offset, diag);
  if (!gmem_is_entry_block(schedule, entry->block))
    return GMEM_OK;
  uint32_t function = gmem_value_function(schedule, value);
  MlirAttribute offset = gmem_argument_annotation(
      schedule->functions[function].op, entry->number, GMEM_ATTR_FIXED);
  if (mlirAttributeIsNull(offset))
    return GMEM_OK;
  if (!mlirAttributeIsAInteger(offset) ||
      !mlirTypeEqual(mlirAttributeGetType(offset),
                     mlirIntegerTypeGet(mlirAttributeGetContext(offset), 64)) ||
      mlirIntegerAttrGetValueInt(offset) < -1)
    return gmem_bad_annotation(
        gmem_value_location(schedule, value), GMEM_ATTR_FIXED,
        "an offset of type i64, or -1, on an argument", diag);
  *out_offset = mlirIntegerAttrGetValueInt(offset);
  return GMEM_OK;
}

// Why the value cannot be given a place, or NULL.
static const char *why_not_fixed(const gmem_liveness_t *liveness,
                                 uint32_t value) {
  const gmem_life_t *life = &liveness->lives[value];
  if (life->storage == GMEM_STORAGE_WEIGHT)
    return life->root == value
               ? NULL
               : "is the memory of a constant: fix the constant";
  return life->storage == GMEM_STORAGE_TENSOR &&
                 liveness->class_of[value] != GMEM_NO_INDEX
             ? NULL
             : "has no planned memory";
}

// Takes over the fixed offset of one value; |said_by| is by class the value
// that fixed it.
static gmem_status_t fix_value(const gmem_liveness_t *liveness,
                               gmem_boundaries_t *boundaries, uint32_t *said_by,
                               uint32_t value, gmem_diag_t *diag) {
  const gmem_schedule_t *schedule = liveness->schedule;
  int64_t offset;
  gmem_status_t status = gmem_fixed_offset(schedule, value, &offset, diag);
  if (status != GMEM_OK || offset < 0)
    return status;
  char name[128], other[128];
  gmem_value_describe(schedule, value, name, sizeof name);
  const char *why = why_not_fixed(liveness, value);
  if (why)
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      gmem_value_location(schedule, value), NULL, 0,
                      "gmem.fixed: %s %s", name, why);
  uint32_t class = liveness->class_of[value];
  if (class == GMEM_NO_INDEX)
    return GMEM_OK; // a constant
  gmem_boundary_t *boundary = &boundaries->classes[class];
  if (boundary->is_fixed && boundary->offset != (uint64_t)offset) {
    gmem_value_describe(schedule, said_by[class], other, sizeof other);
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      gmem_value_location(schedule, value), NULL, 0,
                      "gmem.fixed: %s and %s are one memory and are fixed at "
                      "%lld and %llu",
                      name, other, (long long)offset,
                      (unsigned long long)boundary->offset);
  }
  said_by[class] = value;
  boundary->is_fixed = true;
  boundary->offset = (uint64_t)offset;
  return GMEM_OK;
}

static gmem_status_t fix_all(const gmem_liveness_t *liveness,
                             gmem_arena_t *arena, gmem_boundaries_t *boundaries,
                             gmem_diag_t *diag) {
  uint32_t *said_by =
      gmem_arena_alloc(arena, liveness->class_count, sizeof *said_by);
  gmem_status_t status = said_by ? GMEM_OK : gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < liveness->schedule->value_count && status == GMEM_OK;
       ++i)
    status = fix_value(liveness, boundaries, said_by, i, diag);
  return status;
}

//===--- pools ------------------------------------------------------------===//

bool gmem_workspace_is_based(const gmem_workspace_pool_t *pool) {
  return pool->kind == GMEM_WORKSPACE_TENSORS ||
         pool->kind == GMEM_WORKSPACE_IO;
}

bool gmem_is_workspace_name(MlirStringRef name) {
  return gmem_is_memory_name(name) ||
         mlirStringRefEqual(name, gmem_string(GMEM_POOL_TENSORS)) ||
         mlirStringRefEqual(name, gmem_string(GMEM_POOL_IO)) ||
         (name.length > strlen(GMEM_POOL_IO ".") &&
          strncmp(name.data, GMEM_POOL_IO ".", strlen(GMEM_POOL_IO ".")) == 0);
}

uint32_t gmem_tied_head(const gmem_boundary_t *classes, uint32_t class) {
  while (classes[class].tied_to != class)
    class = classes[class].tied_to;
  return class;
}

// By head: whether something at its place is an input or an output. A memref
// is where its memory space is.
static bool *find_io(const gmem_liveness_t *liveness,
                     const gmem_boundaries_t *boundaries,
                     const gmem_memory_spaces_t *spaces, gmem_arena_t *arena) {
  bool *is_io = gmem_arena_alloc(arena, liveness->class_count, sizeof *is_io);
  for (uint32_t i = 0; is_io && i < liveness->schedule->value_count; ++i) {
    uint32_t class = liveness->class_of[i];
    if (class != GMEM_NO_INDEX && spaces->of_class[class] == GMEM_NO_INDEX &&
        (liveness->lives[i].input || liveness->lives[i].output))
      is_io[gmem_tied_head(boundaries->classes, class)] = true;
  }
  return is_io;
}

typedef struct candidate_s {
  uint64_t size;
  uint32_t class;
} candidate_t;

static int largest_first(const void *a, const void *b) {
  const candidate_t *left = a, *right = b;
  if (left->size != right->size)
    return left->size > right->size ? -1 : 1;
  return (left->class > right->class) - (left->class < right->class);
}

// Adds the pools "io.0" ... and gives them to the largest heads.
static bool tag_largest(const gmem_liveness_t *liveness, const bool *is_io,
                        uint32_t tags, gmem_arena_t *arena,
                        gmem_workspace_pool_t *pools,
                        gmem_boundaries_t *boundaries) {
  candidate_t *candidates =
      gmem_arena_alloc(arena, liveness->class_count, sizeof *candidates);
  size_t count = 0;
  if (!candidates)
    return false;
  for (uint32_t i = 0; i < liveness->class_count; ++i)
    if (is_io[i])
      candidates[count++] = (candidate_t){
          liveness->schedule->values[liveness->classes[i].root].size, i};
  qsort(candidates, count, sizeof *candidates, largest_first);
  for (uint32_t i = 0; i < count && i < tags; ++i) {
    char name[16];
    int length = snprintf(name, sizeof name, GMEM_POOL_IO ".%u", i);
    uint32_t pool = boundaries->pool_count++;
    boundaries->classes[candidates[i].class].pool = pool;
    pools[pool] = (gmem_workspace_pool_t){
        gmem_arena_string(arena, name, (size_t)length), GMEM_WORKSPACE_TAG, 0};
    if (!pools[pool].name)
      return false;
  }
  return true;
}

// The pools of tensors; those of memory spaces come behind them.
static bool choose_tensor_pools(const gmem_liveness_t *liveness,
                                const gmem_model_options_t *options,
                                const bool *is_io, gmem_arena_t *arena,
                                gmem_boundaries_t *boundaries) {
  gmem_workspace_pool_t *pools = boundaries->pools;
  pools[boundaries->pool_count++] =
      (gmem_workspace_pool_t){GMEM_POOL_TENSORS, GMEM_WORKSPACE_TENSORS, 0};
  if (options->io == GMEM_IO_SEPARATE) {
    uint32_t pool = boundaries->pool_count++;
    pools[pool] = (gmem_workspace_pool_t){GMEM_POOL_IO, GMEM_WORKSPACE_IO, 0};
    for (uint32_t i = 0; i < liveness->class_count; ++i)
      if (is_io[i])
        boundaries->classes[i].pool = pool;
  } else if (options->io == GMEM_IO_TAGGED &&
             !tag_largest(liveness, is_io, options->io_tags, arena, pools,
                          boundaries)) {
    return false;
  }
  for (uint32_t i = 0; i < liveness->class_count; ++i)
    boundaries->classes[i].pool =
        boundaries->classes[gmem_tied_head(boundaries->classes, i)].pool;
  return true;
}

static void add_spaces(const gmem_liveness_t *liveness,
                       const gmem_memory_spaces_t *spaces,
                       gmem_boundaries_t *boundaries) {
  uint32_t first = boundaries->pool_count;
  for (uint32_t i = 0; i < spaces->count; ++i)
    boundaries->pools[boundaries->pool_count++] =
        (gmem_workspace_pool_t){spaces->spaces[i].name, GMEM_WORKSPACE_MEMORY,
                                spaces->spaces[i].alignment};
  for (size_t i = 0; i < liveness->class_count; ++i) {
    if (spaces->of_class[i] == GMEM_NO_INDEX)
      continue;
    boundaries->classes[i].pool = first + spaces->of_class[i];
    boundaries->classes[i].alignment = spaces->alignments[i];
  }
}

// Programs on memrefs alone have no pools of tensors.
static bool drop_empty_pools(const gmem_liveness_t *liveness,
                             gmem_arena_t *arena,
                             gmem_boundaries_t *boundaries) {
  uint32_t count = boundaries->pool_count;
  bool *is_used = gmem_arena_alloc(arena, count, sizeof *is_used);
  uint32_t *numbers = gmem_arena_alloc(arena, count, sizeof *numbers);
  if (!is_used || !numbers)
    return false;
  for (size_t i = 0; i < liveness->class_count; ++i)
    is_used[boundaries->classes[i].pool] = true;
  boundaries->pool_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    numbers[i] = boundaries->pool_count;
    if (is_used[i])
      boundaries->pools[boundaries->pool_count++] = boundaries->pools[i];
  }
  for (size_t i = 0; i < liveness->class_count; ++i)
    boundaries->classes[i].pool = numbers[boundaries->classes[i].pool];
  return true;
}

static gmem_status_t choose_pools(const gmem_liveness_t *liveness,
                                  const gmem_model_options_t *options,
                                  gmem_arena_t *arena,
                                  gmem_boundaries_t *boundaries,
                                  gmem_diag_t *diag) {
  gmem_memory_spaces_t spaces;
  gmem_status_t status = gmem_memory_spaces_find(
      liveness, options->memref_alignment, arena, &spaces, diag);
  if (status != GMEM_OK)
    return status;
  boundaries->memref_alignment = options->memref_alignment;
  boundaries->pools =
      gmem_arena_alloc(arena, GMEM_MAX_IO_TAGS + 2 + (size_t)spaces.count,
                       sizeof *boundaries->pools);
  bool *is_io = find_io(liveness, boundaries, &spaces, arena);
  if (!is_io || !boundaries->pools ||
      !choose_tensor_pools(liveness, options, is_io, arena, boundaries))
    return gmem_out_of_memory(diag);
  add_spaces(liveness, &spaces, boundaries);
  if (spaces.count && !drop_empty_pools(liveness, arena, boundaries))
    return gmem_out_of_memory(diag);
  return GMEM_OK;
}

//===--- all --------------------------------------------------------------===//

gmem_status_t gmem_boundaries_find(const gmem_liveness_t *liveness,
                                   const gmem_op_models_t *models,
                                   const gmem_model_options_t *options,
                                   gmem_arena_t *arena, gmem_aliases_t *aliases,
                                   gmem_boundaries_t *out_boundaries,
                                   gmem_diag_t *diag) {
  *out_boundaries = (gmem_boundaries_t){
      .classes = gmem_arena_alloc(arena, liveness->class_count,
                                  sizeof *out_boundaries->classes)};
  if (!out_boundaries->classes)
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < liveness->class_count; ++i)
    out_boundaries->classes[i].tied_to = i;
  gmem_status_t status = fix_all(liveness, arena, out_boundaries, diag);
  if (status == GMEM_OK)
    status = gmem_same_as_tie(liveness, models, options, arena, aliases,
                              out_boundaries->classes, diag);
  if (status == GMEM_OK)
    status = choose_pools(liveness, options, arena, out_boundaries, diag);
  return status;
}
