// materialize_weights.c - see materialize_weights.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "materialize_weights.h"

#include <assert.h>
#include <string.h>

#include "diagnostics.h"
#include "element_bytes.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "materialization.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "type_size.h"
#include "vocabulary.h"

static gmem_status_t refuse_constant(MlirOperation global, const char *why,
                                     gmem_diag_t *diag) {
  return gmem_reject(diag, global,
                     "this constant cannot be part of an image: %s", why);
}

//===--- the constants ----------------------------------------------------===//

// The memref.global that the memref.get_global |part| refers to, or null.
static MlirOperation global_of(MlirSymbolTable symbols,
                               const gmem_arena_part_t *part) {
  MlirAttribute name = gmem_op_attribute(part->op, "name");
  return mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name)
             ? (MlirOperation){NULL}
             : mlirSymbolTableLookup(symbols,
                                     mlirFlatSymbolRefAttrGetValue(name));
}

static gmem_status_t add_global(gmem_materialization_t *job,
                                const gmem_arena_part_t *part,
                                MlirSymbolTable symbols, gmem_diag_t *diag) {
  MlirOperation op = global_of(symbols, part);
  if (mlirOperationIsNull(op))
    return refuse_constant(part->op, "it does not refer to a global", diag);
  for (size_t i = 0; i < job->global_count; ++i)
    if (mlirOperationEqual(job->globals[i].op, op))
      return job->globals[i].arena == part->arena &&
                     job->globals[i].offset == part->offset
                 ? GMEM_OK
                 : refuse_constant(op, "it is planned at two addresses", diag);
  MlirType type = mlirTypeAttrGetValue(gmem_op_attribute(op, "type"));
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return refuse_constant(op, "its layout is not the identity", diag);
  job->globals[job->global_count++] = (gmem_arena_global_t){
      .op = op, .type = type, .arena = part->arena, .offset = part->offset};
  return GMEM_OK;
}

gmem_status_t gmem_arena_globals_find(gmem_materialization_t *job,
                                      gmem_bump_t *arena, gmem_diag_t *diag) {
  GMEM_TRY_ALLOC(job->globals, arena, job->part_count, diag);
  MlirSymbolTable symbols = mlirSymbolTableCreate(job->scope);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < job->part_count && status == GMEM_OK; ++i)
    if (job->arenas[job->parts[i].arena].constant)
      status = add_global(job, &job->parts[i], symbols, diag);
  if (!mlirSymbolTableIsNull(symbols))
    mlirSymbolTableDestroy(symbols);
  return status;
}

//===--- image contents ---------------------------------------------------===//

static size_t count_elements(MlirType type) {
  size_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count *= (size_t)mlirShapedTypeGetDimSize(type, i);
  return count;
}

static gmem_status_t write_global(const gmem_arena_global_t *global,
                                  const gmem_pool_arena_t *arena,
                                  uint8_t *image, gmem_diag_t *diag) {
  size_t count = count_elements(global->type);
  size_t width = (size_t)gmem_memref_element_bytes(
      mlirShapedTypeGetElementType(global->type));
  MlirAttribute value = gmem_op_attribute(global->op, "initial_value");
  gmem_raw_elements_t raw = {0};
  if (count == 0)
    return GMEM_OK;
  MlirType element = mlirShapedTypeGetElementType(global->type);
  if (mlirAttributeIsNull(value) ||
      !gmem_raw_elements_find(value, element, count, &raw) ||
      raw.raw_bytes > width)
    return refuse_constant(global->op, "its initial value is not available",
                           diag);
  if (count * width > arena->size - (uint64_t)global->offset)
    return refuse_constant(global->op, "it is larger than its planned range",
                           diag);
  assert(global->offset >= 0);
  gmem_raw_elements_copy(&raw, count, width, image + global->offset);
  return GMEM_OK;
}

static gmem_status_t fill_image(const gmem_materialization_t *job,
                                uint32_t index, gmem_bump_t *arena,
                                gmem_diag_t *diag) {
  gmem_pool_arena_t *whole = &job->arenas[index];
  assert(whole->constant && whole->symbol);
  uint8_t *image = gmem_bump_alloc(arena, (size_t)whole->size, 1);
  if (!image)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < job->global_count; ++i)
    if (job->globals[i].arena == index)
      GMEM_TRY(write_global(&job->globals[i], whole, image, diag));
  int64_t size = (int64_t)whole->size;
  MlirType bytes = mlirRankedTensorTypeGet(
      1, &size, mlirShapedTypeGetElementType(whole->type),
      mlirAttributeGetNull());
  whole->contents =
      mlirDenseElementsAttrRawBufferGet(bytes, (size_t)whole->size, image);
  return GMEM_OK;
}

gmem_status_t gmem_arena_images_fill(const gmem_materialization_t *job,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < job->arena_count; ++i)
    if (job->arenas[i].constant && job->arenas[i].symbol)
      GMEM_TRY(fill_image(job, i, arena, diag));
  return GMEM_OK;
}

//===--- removal ----------------------------------------------------------===//

// Records the range of the global in the arena, for the caller that provides
// the contents.
static void mark_global(const gmem_materialization_t *job,
                        const gmem_arena_global_t *global) {
  MlirContext context = mlirOperationGetContext(global->op);
  MlirStringRef pool = job->arenas[global->arena].pool;
  gmem_op_annotate(global->op, GMEM_ATTR_POOL,
                   mlirStringAttrGet(context, pool));
  gmem_op_annotate(global->op, GMEM_ATTR_OFFSET,
                   gmem_i64_attribute(context, global->offset));
}

static void mark_used(MlirStringRef name, void *user) {
  const gmem_materialization_t *job = user;
  for (size_t i = 0; i < job->global_count; ++i) {
    MlirAttribute own = gmem_op_attribute(job->globals[i].op, "sym_name");
    if (mlirStringRefEqual(mlirStringAttrGetValue(own), name))
      job->globals[i].is_used = true;
  }
}

static MlirWalkResult mark_mentions(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, mark_used, user);
  return MlirWalkResultAdvance;
}

void gmem_arena_globals_settle(const gmem_materialization_t *job) {
  if (job->global_count)
    mlirOperationWalk(job->scope, mark_mentions, (void *)job, MlirWalkPreOrder);
  for (size_t i = 0; i < job->global_count; ++i) {
    const gmem_arena_global_t *global = &job->globals[i];
    if (!job->arenas[global->arena].symbol)
      mark_global(job, global);
    else if (!global->is_used && gmem_is_private(global->op))
      mlirOperationDestroy(global->op);
  }
}
