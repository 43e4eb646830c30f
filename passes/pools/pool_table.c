// pool_table.c - see pool_table.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_table.h"

#include <assert.h>

#include "attribute_codec.h"
#include "ir_reading.h"
#include "pass_options.h"

static gmem_status_t malformed(MlirOperation scope, gmem_attr_t attribute,
                               gmem_status_t status, gmem_diag_t *diag) {
  return status == GMEM_ERR_OUT_OF_MEMORY
             ? gmem_out_of_memory(diag)
             : gmem_op_error(diag, GMEM_ERR_CORRUPT, scope, "%s is malformed",
                             gmem_vocabulary[attribute].name);
}

//===--- pools ------------------------------------------------------------===//

static const char *const kinds[] = {"workspace", "constant", NULL};
static const gmem_field_t pool_fields[] = {
    {GMEM_FIELD("name", gmem_pool_entry_t, name, STRING, REQUIRED), .least = 1},
    {GMEM_FIELD("kind", gmem_pool_entry_t, constant, WORD, REQUIRED),
     .words = kinds},
    {GMEM_FIELD("base", gmem_pool_entry_t, base, NUMBER, OPTIONAL),
     .absent = GMEM_NO_BASE},
    {GMEM_FIELD("size", gmem_pool_entry_t, size, NUMBER, REQUIRED)},
    {GMEM_FIELD("lower_bound", gmem_pool_entry_t, lower_bound, NUMBER,
                REQUIRED)},
    {GMEM_FIELD("alignment", gmem_pool_entry_t, alignment, POWER, REQUIRED)},
    {GMEM_FIELD("capacity", gmem_pool_entry_t, capacity, NUMBER, OPTIONAL),
     .absent = GMEM_UNLIMITED},
    {GMEM_FIELD("size_hint", gmem_pool_entry_t, hint, NUMBER, OPTIONAL)},
    {GMEM_FIELD("init", gmem_pool_entry_t, is_init, UNIT, OPTIONAL)},
    {GMEM_FIELD("shared_size", gmem_pool_entry_t, shared_size, NUMBER,
                OPTIONAL)},
    {GMEM_FIELD("shared_offset", gmem_pool_entry_t, shared_offset, NUMBER,
                STATED)}};
enum { POOL_FIELDS = sizeof pool_fields / sizeof *pool_fields };

// The last field is written of pools in shared memory only.
static gmem_schema_t schema_of(bool is_shared) {
  return (gmem_schema_t){.fields = pool_fields,
                         .count = is_shared ? POOL_FIELDS : POOL_FIELDS - 1,
                         .size = sizeof(gmem_pool_entry_t)};
}

uint32_t gmem_pool_table_find(const gmem_pool_table_t *table,
                              MlirStringRef name) {
  for (uint32_t i = 0; i < table->count; ++i)
    if (mlirStringRefEqual(table->entries[i].name, name))
      return i;
  return GMEM_NO_INDEX;
}

uint32_t gmem_pool_table_constants(const gmem_pool_table_t *table) {
  uint32_t count = 0;
  while (count < table->count && table->entries[count].constant)
    ++count;
  return count;
}

void gmem_pool_table_figures(const gmem_pool_table_t *table, uint64_t *out_peak,
                             uint64_t *bound) {
  uint64_t kept = 0;
  bool has_init = false;
  *out_peak = 0;
  for (uint32_t i = 0; i < table->count; ++i) {
    const gmem_pool_entry_t *entry = &table->entries[i];
    has_init |= !entry->constant && entry->is_init;
    if (entry->constant || entry->is_init || *out_peak > GMEM_MAX_ADDRESS)
      continue;
    *out_peak += entry->size; // no overflow: both have at most 63 bits
    kept += entry->lower_bound;
  }
  // Without memories each buffer has a single candidate, so that the bound of
  // all pools is the sum of theirs.
  if (has_init)
    *bound = kept;
}

uint64_t gmem_address_behind(const gmem_pool_table_t *table, uint32_t count,
                             uint64_t alignment) {
  uint64_t end = 0, mask = alignment - 1;
  assert(count <= table->count && alignment && !(alignment & mask));
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_pool_entry_t *pool = &table->entries[i];
    if (pool->base == GMEM_NO_BASE)
      continue;
    if (pool->size > GMEM_MAX_ADDRESS - pool->base)
      return GMEM_MAX_ADDRESS + 1;
    if (pool->base + pool->size > end)
      end = pool->base + pool->size;
  }
  return end > GMEM_MAX_ADDRESS - mask ? GMEM_MAX_ADDRESS + 1
                                       : (end + mask) & ~mask;
}

gmem_status_t gmem_pool_table_read(MlirOperation scope, gmem_bump_t *arena,
                                   gmem_pool_table_t *out_table,
                                   gmem_diag_t *diag) {
  gmem_schema_t schema = schema_of(true);
  MlirAttribute list = gmem_op_annotation(scope, GMEM_ATTR_POOL_TABLE);
  gmem_malformed_t problem;
  size_t count;
  *out_table = (gmem_pool_table_t){NULL, 0};
  if (mlirAttributeIsNull(list))
    return GMEM_OK;
  gmem_status_t status = gmem_dictionaries_read(
      &schema, list, arena, &out_table->entries, &count, &problem);
  for (size_t i = 0; i < count && status == GMEM_OK; ++i) {
    if (gmem_pool_table_find(out_table, out_table->entries[i].name) !=
        GMEM_NO_INDEX)
      status = GMEM_ERR_CORRUPT; // is listed twice
    ++out_table->count;
  }
  return status == GMEM_OK
             ? GMEM_OK
             : malformed(scope, GMEM_ATTR_POOL_TABLE, status, diag);
}

gmem_status_t gmem_pool_table_merge(gmem_pool_table_t *table, bool constant,
                                    const gmem_pool_table_t *made,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_pool_table_t all = {NULL, 0};
  GMEM_TRY_ALLOC(all.entries, arena, (size_t)table->count + made->count, diag);
  for (int kind = 1; kind >= 0; --kind) {
    const gmem_pool_table_t *from = kind == constant ? made : table;
    for (uint32_t i = 0; i < from->count; ++i)
      if (from->entries[i].constant == kind)
        all.entries[all.count++] = from->entries[i];
  }
  *table = all;
  return GMEM_OK;
}

gmem_status_t gmem_pool_table_write(MlirOperation scope,
                                    const gmem_pool_table_t *table,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(scope);
  MlirAttribute *made;
  GMEM_TRY_ALLOC(made, arena, table->count, diag);
  for (uint32_t i = 0; i < table->count; ++i) {
    gmem_schema_t schema = schema_of(table->entries[i].shared_size != 0);
    made[i] =
        gmem_dictionary_write(&schema, context, &table->entries[i], arena);
    if (mlirAttributeIsNull(made[i]))
      return gmem_out_of_memory(diag);
  }
  gmem_op_annotate(scope, GMEM_ATTR_POOL_TABLE,
                   mlirArrayAttrGet(context, (intptr_t)table->count, made));
  return GMEM_OK;
}

//===--- figures ----------------------------------------------------------===//

// gmem.plan also has the options of the model.
static const gmem_field_t figure_fields[] = {
    {GMEM_FIELD("algorithm", gmem_figures_entry_t, algorithm, STRING,
                REQUIRED)},
    {GMEM_FIELD("peak", gmem_figures_entry_t, peak, NUMBER, REQUIRED)},
    {GMEM_FIELD("lower_bound", gmem_figures_entry_t, lower_bound, NUMBER,
                REQUIRED)},
    {GMEM_FIELD("optimal", gmem_figures_entry_t, optimal, BOOL, REQUIRED)},
    {GMEM_FIELD("order_bound", gmem_figures_entry_t, order_bound, NUMBER,
                OPTIONAL),
     .absent = GMEM_UNLIMITED},
    {GMEM_FIELD("order_gave_up", gmem_figures_entry_t, order_gave_up, STRING,
                OPTIONAL)},
    {GMEM_FIELD("order_print", gmem_figures_entry_t, order_print, NUMBER,
                OPTIONAL),
     .absent = GMEM_UNLIMITED},
    {GMEM_FIELD("penalty", gmem_figures_entry_t, penalty, NUMBER, OPTIONAL),
     .absent = GMEM_UNLIMITED}};
enum { FIGURE_FIELDS = sizeof figure_fields / sizeof *figure_fields };
static const gmem_schema_t figure_schema = {.fields = figure_fields,
                                            .count = FIGURE_FIELDS,
                                            .size =
                                                sizeof(gmem_figures_entry_t)};

gmem_status_t gmem_figures_write(MlirOperation scope,
                                 const gmem_figures_entry_t *figures,
                                 gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(scope);
  MlirNamedAttribute entries[FIGURE_FIELDS + GMEM_MAX_MODEL_OPTIONS];
  MlirAttribute made =
      gmem_dictionary_write(&figure_schema, context, figures, arena);
  if (mlirAttributeIsNull(made))
    return gmem_out_of_memory(diag);
  intptr_t own = mlirDictionaryAttrGetNumElements(made);
  for (intptr_t i = 0; i < own; ++i)
    entries[i] = mlirDictionaryAttrGetElement(made, i);
  size_t count = (size_t)own + gmem_model_options_write(&figures->model,
                                                        context, entries + own);
  gmem_op_annotate(scope, GMEM_ATTR_PLAN,
                   mlirDictionaryAttrGet(context, (intptr_t)count, entries));
  return GMEM_OK;
}

gmem_status_t gmem_figures_read(MlirOperation scope, gmem_bump_t *arena,
                                gmem_figures_entry_t *out_figures,
                                gmem_diag_t *diag) {
  MlirAttribute plan = gmem_op_annotation(scope, GMEM_ATTR_PLAN);
  gmem_malformed_t problem;
  if (mlirAttributeIsNull(plan))
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "no gmem.plan");
  out_figures->order_gave_up = (MlirStringRef){NULL, 0};
  gmem_status_t status =
      gmem_dictionary_read(&figure_schema, plan, arena, out_figures, &problem);
  if (status == GMEM_OK &&
      (mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
           plan, gmem_string("keep_inputs"))) || // is always written
       !gmem_model_options_read(plan, &out_figures->model)))
    status = GMEM_ERR_CORRUPT;
  return status == GMEM_OK ? GMEM_OK
                           : malformed(scope, GMEM_ATTR_PLAN, status, diag);
}
