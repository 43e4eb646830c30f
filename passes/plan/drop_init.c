// drop_init.c - gmem_planned_drop_init: the plan of what runs after the
// initialisation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diag.h"
#include "gmem/passes.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pool_table.h"
#include "scopes.h"
#include "vocabulary.h"

static bool is_initialiser(MlirOperation op) {
  return gmem_is_function(op) &&
         gmem_attribute_is(gmem_op_annotation(op, GMEM_ATTR_INIT),
                           mlirAttributeIsAUnit);
}

// Replaces a function by a declaration, so that globals may still name it.
static void declare(MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  gmem_builder_t at = gmem_build_before(function);
  MlirAttribute unit = mlirUnitAttrGet(context);
  gmem_build_parts(
      &at,
      &(gmem_op_parts_t){
          .name = "func.func",
          .attributes =
              (gmem_named_t[]){
                  {"sym_name", gmem_op_attribute(function, "sym_name")},
                  {"sym_visibility", gmem_text_attribute(context, "private")},
                  {"function_type",
                   gmem_op_attribute(function, "function_type")},
                  {gmem_vocabulary[GMEM_ATTR_INIT].name, unit},
                  {NULL, {NULL}}},
          .has_region = true});
  mlirOperationDestroy(function);
}

// Whether a value of the program is in the constant pool of that name.
typedef struct search_s {
  MlirStringRef pool;
  bool is_found;
} search_t;

static void look(search_t *search, MlirAttribute pool) {
  MlirStringRef name;
  if (gmem_attribute_is(pool, mlirAttributeIsAString)) {
    name = mlirStringAttrGetValue(pool);
    search->is_found |= mlirStringRefEqual(name, search->pool);
  }
  for (intptr_t i = 0; gmem_attribute_is(pool, mlirAttributeIsAArray) &&
                       i < mlirArrayAttrGetNumElements(pool);
       ++i)
    look(search, mlirArrayAttrGetElement(pool, i));
}

static MlirWalkResult look_at_op(MlirOperation op, void *user) {
  search_t *search = user;
  look(search, gmem_op_annotation(op, GMEM_ATTR_POOL));
  for (intptr_t i = 0;
       gmem_is_function(op) && gmem_has_argument_attributes(op) &&
       i < mlirBlockGetNumArguments(gmem_entry_block(op));
       ++i) {
    MlirAttribute all = gmem_argument_attributes(op, i);
    if (!mlirAttributeIsNull(all))
      look(search, mlirDictionaryAttrGetElementByName(
                       all, gmem_attr_name(GMEM_ATTR_POOL)));
  }
  return search->is_found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static gmem_status_t drop_pools(MlirOperation scope, gmem_bump_t *arena,
                                gmem_diag_t *diag) {
  gmem_pool_table_t table;
  uint32_t kept = 0;
  GMEM_TRY(gmem_pool_table_read(scope, arena, &table, diag));
  for (uint32_t i = 0; i < table.count; ++i) {
    search_t search = {table.entries[i].name, false};
    if (table.entries[i].is_init && table.entries[i].constant)
      mlirOperationWalk(scope, look_at_op, &search, MlirWalkPreOrder);
    if (!table.entries[i].is_init || search.is_found)
      table.entries[kept++] = table.entries[i];
  }
  if (kept == table.count)
    return GMEM_OK;
  table.count = kept;
  return gmem_pool_table_write(scope, &table, arena, diag);
}

static gmem_status_t drop_scope(MlirOperation scope,
                                const gmem_op_models_t *models,
                                gmem_bump_t *arena, void *user,
                                gmem_diag_t *diag) {
  (void)models;
  (void)user;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i), next;
         !mlirOperationIsNull(op); op = next) {
      next = mlirOperationGetNextInBlock(op);
      if (is_initialiser(op) && gmem_op_is(op, "func.func"))
        declare(op);
    }
  return drop_pools(scope, arena, diag);
}

gmem_status_t gmem_planned_drop_init(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag) {
  GMEM_NEED(top.ptr, diag);
  return gmem_for_each_scope_in(top, allocator, drop_scope, NULL, diag);
}
