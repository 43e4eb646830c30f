// encode_addresses.c - gmem-encode-addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a plan that gmem-verify-plan proves, whose pools have addresses;
//           tensor types without encodings; dialects whose ops do not demand
//           equal types of values at different addresses.
// produces: the address of every value that has memory, base of its pool plus
//           offset, as the i64 encoding of its type: on the value, in
//           signatures and in what layer groups hand out; where the scope has
//           other attributes named module.*, those that say where the weights
//           and the tensors lie. The gmem attributes stay.
// fails:    when the plan is wrong, when a type has another encoding, or when
//           an op does not allow its new types; nothing has changed then.

#include "address_types.h"
#include "analysis.h"
#include "diagnostics.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pass_table.h"
#include "plan_attributes.h"
#include "pool_table.h"

// One scope at work.
typedef struct encoding_s {
  gmem_analysis_t analysis;
  gmem_place_t *places;
  MlirType *types; // by value: with its address, or null
  gmem_pool_entry_t *pools;
  size_t pool_count;
  gmem_diag_t *diag;
} encoding_t;

static gmem_status_t refuse(const encoding_t *encoding, uint32_t value,
                            const char *what) {
  const gmem_schedule_t *schedule = &encoding->analysis.schedule;
  char name[128];
  gmem_value_describe(schedule, value, name, sizeof name);
  return gmem_error(encoding->diag, GMEM_ERR_INVALID_ARGUMENT,
                    gmem_value_location(schedule, value), NULL, 0, "%s %s",
                    name, what);
}

// The plan has been proved: the pool is there.
static uint64_t base_of(const encoding_t *encoding, MlirStringRef pool) {
  for (size_t i = 0; i < encoding->pool_count; ++i)
    if (mlirStringRefEqual(encoding->pools[i].name, pool))
      return encoding->pools[i].base;
  return GMEM_NO_BASE;
}

static gmem_status_t encode_value(encoding_t *encoding, uint32_t value) {
  const gmem_place_t *place = &encoding->places[value];
  MlirType type =
      mlirValueGetType(encoding->analysis.schedule.values[value].value);
  if (!place->pool.length)
    return GMEM_OK;
  if (!mlirTypeIsARankedTensor(type))
    return refuse(encoding, value,
                  "is no ranked tensor: its type cannot state an address");
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return refuse(encoding, value,
                  "has an encoding in its type: there is no room for an "
                  "address");
  uint64_t base = base_of(encoding, place->pool);
  if (base == GMEM_NO_BASE)
    return refuse(encoding, value,
                  "is in a pool without an address: plan with a tensor-base");
  if ((uint64_t)place->offset > GMEM_MAX_ADDRESS - base)
    return refuse(encoding, value, "has an address beyond 63 bits");
  encoding->types[value] = gmem_type_with_address(
      type, base + (uint64_t)place->offset, encoding->analysis.arena);
  return mlirTypeIsNull(encoding->types[value])
             ? gmem_out_of_memory(encoding->diag)
             : GMEM_OK;
}

static gmem_status_t read_plan(encoding_t *encoding, MlirOperation scope,
                               const gmem_op_models_t *models,
                               gmem_arena_t *arena) {
  gmem_figures_entry_t figures;
  gmem_status_t status = gmem_figures_read(scope, &figures, encoding->diag);
  if (status == GMEM_OK)
    status = gmem_analyse(scope, models, &figures.model, arena,
                          &encoding->analysis, encoding->diag);
  if (status != GMEM_OK)
    return status;
  const gmem_schedule_t *schedule = &encoding->analysis.schedule;
  encoding->places =
      gmem_arena_alloc(arena, schedule->value_count, sizeof *encoding->places);
  encoding->types =
      gmem_arena_alloc(arena, schedule->value_count, sizeof *encoding->types);
  if (!encoding->places || !encoding->types)
    return gmem_out_of_memory(encoding->diag);
  status = gmem_pool_table_read(scope, arena, &encoding->pools,
                                &encoding->pool_count, encoding->diag);
  if (status == GMEM_OK)
    status = gmem_places_read(schedule, encoding->places,
                              GMEM_PLACES_OF_WEIGHTS, encoding->diag);
  if (status == GMEM_OK)
    status = gmem_places_read(schedule, encoding->places,
                              GMEM_PLACES_OF_TENSORS, encoding->diag);
  return status;
}

static gmem_status_t encode_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_arena_t *arena, void *user,
                                  gmem_diag_t *diag) {
  gmem_retyping_t *retyping = user;
  encoding_t encoding = {.diag = diag};
  gmem_status_t status = read_plan(&encoding, scope, models, arena);
  uint32_t count = (uint32_t)encoding.analysis.schedule.value_count;
  for (uint32_t i = 0; i < count && status == GMEM_OK; ++i)
    status = encode_value(&encoding, i);
  return status == GMEM_OK
             ? gmem_retype_scope(retyping, &encoding.analysis.schedule,
                                 encoding.types, diag)
             : status;
}

//===--- regions of memory ------------------------------------------------===//

static MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static bool has_module_attributes(MlirOperation scope) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(scope);
       ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(scope, i).name);
    if (name.length >= 7 &&
        mlirStringRefEqual(mlirStringRefCreate(name.data, 7), text("module.")))
      return true;
  }
  return false;
}

static void set_number(MlirOperation scope, const char *name, uint64_t value) {
  MlirType i64 = mlirIntegerTypeGet(mlirOperationGetContext(scope), 64);
  mlirOperationSetDiscardableAttributeByName(
      scope, text(name), mlirIntegerAttrGet(i64, (int64_t)value));
}

// The sizes are in whole units of the alignment, as they are said elsewhere.
static gmem_status_t say_regions(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 gmem_arena_t *arena, void *user,
                                 gmem_diag_t *diag) {
  (void)models;
  (void)user;
  gmem_pool_entry_t *pools;
  size_t count;
  gmem_status_t status =
      gmem_pool_table_read(scope, arena, &pools, &count, diag);
  if (status != GMEM_OK || !has_module_attributes(scope))
    return status;
  for (size_t i = 0; i < count; ++i)
    for (size_t r = 0; r < GMEM_REGION_COUNT; ++r)
      if (mlirStringRefEqual(pools[i].name, text(gmem_region_names[r].pool)) &&
          pools[i].base != GMEM_NO_BASE) {
        uint64_t mask = pools[i].alignment - 1;
        set_number(scope, gmem_region_names[r].base, pools[i].base);
        set_number(scope, gmem_region_names[r].size,
                   (pools[i].size + mask) & ~mask);
      }
  return GMEM_OK;
}

gmem_status_t gmem_encode_addresses(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  (void)options;
  gmem_arena_t arena;
  gmem_arena_init(&arena, allocator);
  gmem_retyping_t retyping = {.arena = &arena};
  gmem_status_t status = gmem_verify_module(top, allocator, diag);
  if (status == GMEM_OK)
    status =
        gmem_for_each_scope_in(top, allocator, encode_scope, &retyping, diag);
  if (status == GMEM_OK)
    status = gmem_retype(&retyping, top, diag);
  if (status == GMEM_OK)
    status = gmem_for_each_scope_in(top, allocator, say_regions, NULL, diag);
  gmem_arena_destroy(&arena);
  return status;
}
