// pool_table.c - see pool_table.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool_table.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pass_options.h"
#include "vocabulary.h"

//===--- dictionaries -----------------------------------------------------===//

// A dictionary under construction, with room for the entries of any attribute
// here.
typedef struct dictionary_s {
  MlirContext context;
  MlirNamedAttribute entries[8 + GMEM_MAX_MODEL_OPTIONS];
  intptr_t count;
} dictionary_t;

static void put(dictionary_t *dictionary, const char *name,
                MlirAttribute value) {
  dictionary->entries[dictionary->count++] = mlirNamedAttributeGet(
      mlirIdentifierGet(dictionary->context, gmem_string(name)), value);
}

static void put_integer(dictionary_t *dictionary, const char *name,
                        uint64_t value) {
  put(dictionary, name,
      mlirIntegerAttrGet(mlirIntegerTypeGet(dictionary->context, 64),
                         (int64_t)value));
}

static MlirAttribute finish(const dictionary_t *dictionary) {
  return mlirDictionaryAttrGet(dictionary->context, dictionary->count,
                               dictionary->entries);
}

static bool get_integer(MlirAttribute dictionary, const char *name,
                        uint64_t *out) {
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(dictionary, gmem_string(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ||
      mlirIntegerAttrGetValueInt(value) < 0)
    return false;
  *out = (uint64_t)mlirIntegerAttrGetValueInt(value);
  return true;
}

static bool get_string(MlirAttribute dictionary, const char *name,
                       MlirStringRef *out) {
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(dictionary, gmem_string(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value))
    return false;
  *out = mlirStringAttrGetValue(value);
  return true;
}

static bool get_bool(MlirAttribute dictionary, const char *name, bool *out) {
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(dictionary, gmem_string(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsABool(value))
    return false;
  *out = mlirBoolAttrGetValue(value);
  return true;
}

static gmem_status_t malformed(MlirOperation scope, gmem_attr_t attribute,
                               gmem_diag_t *diag) {
  return gmem_error(diag, GMEM_ERR_CORRUPT, mlirOperationGetLocation(scope),
                    NULL, 0, "%s is malformed",
                    gmem_vocabulary[attribute].name);
}

//===--- pools ------------------------------------------------------------===//

static MlirAttribute write_pool(MlirContext context,
                                const gmem_pool_entry_t *entry) {
  dictionary_t made = {.context = context};
  put(&made, "name", mlirStringAttrGet(context, entry->name));
  put(&made, "kind",
      mlirStringAttrGet(
          context, gmem_string(entry->constant ? "constant" : "workspace")));
  if (entry->base != GMEM_NO_BASE)
    put_integer(&made, "base", entry->base);
  put_integer(&made, "size", entry->size);
  put_integer(&made, "lower_bound", entry->lower_bound);
  put_integer(&made, "alignment", entry->alignment);
  if (entry->capacity != GMEM_UNLIMITED)
    put_integer(&made, "capacity", entry->capacity);
  if (entry->hint)
    put_integer(&made, "size_hint", entry->hint);
  if (entry->shared_size) {
    put_integer(&made, "shared_offset", entry->shared_offset);
    put_integer(&made, "shared_size", entry->shared_size);
  }
  return finish(&made);
}

static bool is_power_of_two(uint64_t value) {
  return value && !(value & (value - 1));
}

// Reads an optional entry; false if it is present but not an integer.
static bool get_optional(MlirAttribute dictionary, const char *name,
                         uint64_t missing, uint64_t *out) {
  *out = missing;
  return mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             dictionary, gmem_string(name))) ||
         get_integer(dictionary, name, out);
}

static bool read_pool(MlirAttribute dictionary, gmem_pool_entry_t *entry) {
  MlirStringRef kind;
  if (!mlirAttributeIsADictionary(dictionary) ||
      !get_string(dictionary, "name", &entry->name) || !entry->name.length ||
      !get_string(dictionary, "kind", &kind) ||
      !get_optional(dictionary, "base", GMEM_NO_BASE, &entry->base) ||
      !get_optional(dictionary, "capacity", GMEM_UNLIMITED, &entry->capacity) ||
      !get_optional(dictionary, "size_hint", 0, &entry->hint) ||
      !get_optional(dictionary, "shared_offset", 0, &entry->shared_offset) ||
      !get_optional(dictionary, "shared_size", 0, &entry->shared_size) ||
      !get_integer(dictionary, "size", &entry->size) ||
      !get_integer(dictionary, "lower_bound", &entry->lower_bound) ||
      !get_integer(dictionary, "alignment", &entry->alignment) ||
      !is_power_of_two(entry->alignment))
    return false;
  entry->constant = mlirStringRefEqual(kind, gmem_string("constant"));
  return entry->constant || mlirStringRefEqual(kind, gmem_string("workspace"));
}

uint64_t gmem_address_behind(const gmem_pool_entry_t *pools, size_t count,
                             uint64_t alignment) {
  uint64_t end = 0, mask = alignment - 1;
  for (size_t i = 0; i < count; ++i) {
    if (pools[i].base == GMEM_NO_BASE)
      continue;
    if (pools[i].size > GMEM_MAX_ADDRESS - pools[i].base)
      return GMEM_MAX_ADDRESS + 1;
    if (pools[i].base + pools[i].size > end)
      end = pools[i].base + pools[i].size;
  }
  return end > GMEM_MAX_ADDRESS - mask ? GMEM_MAX_ADDRESS + 1
                                       : (end + mask) & ~mask;
}

gmem_status_t gmem_pool_table_read(MlirOperation scope, gmem_bump_t *arena,
                                   gmem_pool_entry_t **out_entries,
                                   size_t *out_count, gmem_diag_t *diag) {
  *out_entries = NULL;
  *out_count = 0;
  MlirAttribute table = mlirOperationGetDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_POOL_TABLE));
  if (mlirAttributeIsNull(table))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(table))
    return malformed(scope, GMEM_ATTR_POOL_TABLE, diag);
  size_t count = (size_t)mlirArrayAttrGetNumElements(table);
  gmem_pool_entry_t *entries;
  GMEM_TRY_ALLOC(entries, arena, count, diag);
  for (size_t i = 0; i < count; ++i) {
    if (!read_pool(mlirArrayAttrGetElement(table, (intptr_t)i), &entries[i]))
      return malformed(scope, GMEM_ATTR_POOL_TABLE, diag);
    for (size_t j = 0; j < i; ++j)
      if (mlirStringRefEqual(entries[i].name, entries[j].name))
        return malformed(scope, GMEM_ATTR_POOL_TABLE, diag);
  }
  *out_entries = entries;
  *out_count = count;
  return GMEM_OK;
}

gmem_status_t gmem_pool_table_set(MlirOperation scope, bool constant,
                                  const gmem_pool_entry_t *entries,
                                  size_t count, gmem_bump_t *arena,
                                  gmem_diag_t *diag) {
  gmem_pool_entry_t *old;
  size_t old_count;
  GMEM_TRY(gmem_pool_table_read(scope, arena, &old, &old_count, diag));
  MlirContext context = mlirOperationGetContext(scope);
  MlirAttribute *made;
  GMEM_TRY_ALLOC(made, arena, old_count + count, diag);
  intptr_t made_count = 0;
  for (int kind = 1; kind >= 0; --kind) {
    for (size_t i = 0; i < count && constant == kind; ++i)
      made[made_count++] = write_pool(context, &entries[i]);
    for (size_t i = 0; i < old_count && constant != kind; ++i)
      if (old[i].constant == kind)
        made[made_count++] = write_pool(context, &old[i]);
  }
  mlirOperationSetDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_POOL_TABLE),
      mlirArrayAttrGet(context, made_count, made));
  return GMEM_OK;
}

gmem_status_t gmem_pool_table_write(MlirOperation scope,
                                    const gmem_pool_entry_t *entries,
                                    size_t count, gmem_bump_t *arena,
                                    gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(scope);
  MlirAttribute *made;
  GMEM_TRY_ALLOC(made, arena, count, diag);
  for (size_t i = 0; i < count; ++i)
    made[i] = write_pool(context, &entries[i]);
  mlirOperationSetDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_POOL_TABLE),
      mlirArrayAttrGet(context, (intptr_t)count, made));
  return GMEM_OK;
}

//===--- figures ----------------------------------------------------------===//

void gmem_figures_set(MlirOperation scope,
                      const gmem_figures_entry_t *figures) {
  dictionary_t made = {.context = mlirOperationGetContext(scope)};
  put(&made, "algorithm", mlirStringAttrGet(made.context, figures->algorithm));
  put_integer(&made, "peak", figures->peak);
  put_integer(&made, "lower_bound", figures->lower_bound);
  put(&made, "optimal", mlirBoolAttrGet(made.context, figures->optimal));
  made.count += (intptr_t)gmem_model_options_write(
      &figures->model, made.context, made.entries + made.count);
  mlirOperationSetDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_PLAN), finish(&made));
}

gmem_status_t gmem_figures_read(MlirOperation scope,
                                gmem_figures_entry_t *out_figures,
                                gmem_diag_t *diag) {
  MlirAttribute plan = mlirOperationGetDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_PLAN));
  if (mlirAttributeIsNull(plan))
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "no gmem.plan");
  if (!mlirAttributeIsADictionary(plan) ||
      !get_string(plan, "algorithm", &out_figures->algorithm) ||
      !get_integer(plan, "peak", &out_figures->peak) ||
      !get_integer(plan, "lower_bound", &out_figures->lower_bound) ||
      !get_bool(plan, "optimal", &out_figures->optimal) ||
      !gmem_model_options_read(plan, &out_figures->model))
    return malformed(scope, GMEM_ATTR_PLAN, diag);
  return GMEM_OK;
}
