// materialize_weights.c - see materialization.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "materialization.h"

#include <assert.h>
#include <string.h>

#include "constant_globals.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "plan_constants.h"
#include "type_size.h"
#include "vocabulary.h"

static gmem_status_t refuse_constant(const gmem_materialization_t *job,
                                     MlirOperation global, const char *why) {
  return gmem_reject(job->diag, global,
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

// Whether a function with gmem.init computes the constant: in the image its
// bytes are zero.
static bool is_computed(MlirOperation global) {
  return gmem_global_initialiser(global).length != 0;
}

static gmem_status_t add_global(gmem_materialization_t *job,
                                const gmem_arena_part_t *part,
                                MlirSymbolTable symbols) {
  MlirOperation op = global_of(symbols, part);
  if (mlirOperationIsNull(op))
    return refuse_constant(job, part->op, "it does not refer to a global");
  for (size_t i = 0; i < job->globals.count; ++i)
    if (mlirOperationEqual(job->globals.at[i].op, op))
      return job->globals.at[i].arena == part->arena &&
                     job->globals.at[i].offset == part->offset
                 ? GMEM_OK
                 : refuse_constant(job, op, "it is planned at two addresses");
  MlirType type = mlirTypeAttrGetValue(gmem_op_attribute(op, "type"));
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return refuse_constant(job, op, "its layout is not the identity");
  job->arenas.at[part->arena].is_computed |= is_computed(op);
  GMEM_APPEND(job->arena, &job->globals,
              (gmem_arena_global_t){.op = op,
                                    .type = type,
                                    .arena = part->arena,
                                    .offset = part->offset});
  return GMEM_OK;
}

gmem_status_t gmem_arena_globals_find(gmem_materialization_t *job) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(job->scope);
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < job->parts.count && status == GMEM_OK; ++i)
    if (job->arenas.at[job->parts.at[i].arena].constant)
      status = add_global(job, &job->parts.at[i], symbols);
  if (!mlirSymbolTableIsNull(symbols))
    mlirSymbolTableDestroy(symbols);
  return status;
}

//===--- image contents ---------------------------------------------------===//

static gmem_status_t write_global(const gmem_materialization_t *job,
                                  const gmem_arena_global_t *global,
                                  uint8_t *image) {
  uint64_t size = 0, whole = job->arenas.at[global->arena].size;
  MlirAttribute value = gmem_op_attribute(global->op, "initial_value");
  const char *ignored;
  gmem_type_kind_t kind = gmem_memref_size(global->type, NULL, &size);
  assert(kind == GMEM_TYPE_SIZED && global->offset >= 0);
  (void)kind;
  if (size > whole - (uint64_t)global->offset)
    return refuse_constant(job, global->op,
                           "it is larger than its planned range");
  if (is_computed(global->op))
    return GMEM_OK;
  if (size && (mlirAttributeIsNull(value) || !mlirAttributeIsAElements(value) ||
               gmem_contents_write(value, global->type, image + global->offset,
                                   size, &ignored) != GMEM_OK))
    return refuse_constant(job, global->op,
                           "its initial value is not available");
  return GMEM_OK;
}

// Sets the contents of an arena, if it is a constant global.
static gmem_status_t fill_image(const gmem_materialization_t *job,
                                uint32_t index, gmem_bump_t *scratch) {
  gmem_pool_arena_t *whole = &job->arenas.at[index];
  int64_t size = (int64_t)whole->size;
  uint8_t *image;
  if (!whole->constant || !whole->symbol)
    return GMEM_OK;
  GMEM_TRY_ALLOC(image, scratch, (size_t)whole->size, job->diag);
  for (size_t i = 0; i < job->globals.count; ++i)
    if (job->globals.at[i].arena == index)
      GMEM_TRY(write_global(job, &job->globals.at[i], image));
  MlirType bytes = mlirRankedTensorTypeGet(
      1, &size, mlirShapedTypeGetElementType(whole->type),
      mlirAttributeGetNull());
  whole->contents =
      mlirDenseElementsAttrRawBufferGet(bytes, (size_t)whole->size, image);
  return GMEM_OK;
}

gmem_status_t gmem_arena_images_fill(const gmem_materialization_t *job,
                                     gmem_bump_t *scratch) {
  for (uint32_t i = 0; i < job->arenas.count; ++i)
    GMEM_TRY(fill_image(job, i, scratch));
  return GMEM_OK;
}

//===--- removal ----------------------------------------------------------===//

static void mark_used(MlirStringRef name, void *user) {
  const gmem_materialization_t *job = user;
  for (size_t i = 0; i < job->globals.count; ++i) {
    MlirAttribute own = gmem_op_attribute(job->globals.at[i].op, "sym_name");
    if (mlirStringRefEqual(mlirStringAttrGetValue(own), name))
      job->globals.at[i].is_used = true;
  }
}

static MlirWalkResult mark_mentions(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, mark_used, user);
  return MlirWalkResultAdvance;
}

void gmem_arena_globals_settle(const gmem_materialization_t *job) {
  if (job->globals.count)
    mlirOperationWalk(job->scope, mark_mentions, (void *)job, MlirWalkPreOrder);
  for (size_t i = 0; i < job->globals.count; ++i) {
    const gmem_arena_global_t *global = &job->globals.at[i];
    const gmem_pool_arena_t *arena = &job->arenas.at[global->arena];
    MlirContext context = mlirOperationGetContext(global->op);
    if (!arena->symbol) { // for the caller that provides the contents
      gmem_op_annotate(global->op, GMEM_ATTR_POOL,
                       mlirStringAttrGet(context, arena->pool));
      gmem_op_annotate(global->op, GMEM_ATTR_OFFSET,
                       gmem_i64_attribute(context, global->offset));
    } else if (!global->is_used && gmem_is_private(global->op)) {
      mlirOperationDestroy(global->op);
    }
  }
}
