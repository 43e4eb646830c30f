// import_addresses.c - gmem-import-addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: every value that needs memory has its address as the i64 encoding
//           of its type, or is the same memory as one that has (a reshape).
// produces: types without addresses, on values, in signatures and in what
//           layer groups hand out; the addresses as gmem attributes, relative
//           to pools that begin where the weights and the tensors begin; a
//           gmem.plan with the algorithm "imported". It is not proved:
//           gmem-verify-plan does that. A reshape between two addresses gets
//           a gmem.op_model that makes it an ordinary op: there, it copies.
// breaks:   module.neuron_addr and the like, which go with the addresses.
// fails:    when a value that needs memory has no address, or one that cannot
//           be; nothing but gmem attributes has changed then.

#include <inttypes.h>

#include "address_types.h"
#include "alias_attributes.h"
#include "analysis.h"
#include "diagnostics.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pass_table.h"
#include "plan_attributes.h"
#include "pool_table.h"
#include "vocabulary.h"

enum { NO_ADDRESS = -1, MOST_ALIGNMENT = 4096, MOST_NOTES = 4 };

typedef struct importer_s {
  const gmem_model_options_t *model;
  gmem_retyping_t retyping; // of all scopes
} importer_t;

// One scope at work.
typedef struct import_s {
  gmem_analysis_t analysis;
  int64_t *addresses; // by value, or NO_ADDRESS
  MlirType *types;    // by value, without address; null where it has none
  gmem_place_t *places;
  gmem_pool_entry_t weights, tensors;
  gmem_diag_t *diag;
} import_t;

static bool is_planned(const import_t *import, uint32_t value) {
  gmem_storage_t storage = import->analysis.liveness.lives[value].storage;
  return storage == GMEM_STORAGE_TENSOR || storage == GMEM_STORAGE_WEIGHT;
}

static bool is_weight(const import_t *import, uint32_t value) {
  return import->analysis.liveness.lives[value].storage == GMEM_STORAGE_WEIGHT;
}

//===--- reshapes that copy -----------------------------------------------===//

static bool is_copy(const gmem_step_t *step) {
  if (step->kind != GMEM_OP_RESHAPE ||
      mlirOperationGetNumOperands(step->op) == 0 ||
      mlirOperationGetNumResults(step->op) == 0)
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(step->op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(step->op, 0));
  return gmem_type_has_address(from) && gmem_type_has_address(to) &&
         gmem_type_address(from) != gmem_type_address(to);
}

// To us a reshape is its operand; where the other compiler gave it a place of
// its own, it moves what it reshapes.
static gmem_status_t mark_copies(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 const gmem_model_options_t *model,
                                 gmem_arena_t *arena, gmem_diag_t *diag) {
  gmem_schedule_t schedule;
  gmem_status_t status = gmem_schedule_build(
      scope, models, model->dynamic_bound, arena, &schedule, diag);
  if (status != GMEM_OK)
    return status;
  MlirContext context = mlirOperationGetContext(scope);
  MlirNamedAttribute kind = mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString("kind")),
      mlirStringAttrGet(context, mlirStringRefCreateFromCString("compute")));
  for (size_t i = 0; i < schedule.op_count; ++i)
    if (is_copy(&schedule.ops[i]))
      mlirOperationSetDiscardableAttributeByName(
          schedule.ops[i].op, gmem_attr_name(GMEM_ATTR_OP_MODEL),
          mlirDictionaryAttrGet(context, 1, &kind));
  return GMEM_OK;
}

//===--- addresses --------------------------------------------------------===//

static gmem_status_t read_address(import_t *import, uint32_t value) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  MlirType type = mlirValueGetType(schedule->values[value].value);
  if (!is_planned(import, value) || !gmem_type_has_address(type))
    return GMEM_OK;
  int64_t address = gmem_type_address(type);
  uint64_t size = schedule->values[value].size;
  if (address < 0 || (uint64_t)address > GMEM_MAX_ADDRESS - size) {
    char name[128];
    gmem_value_describe(schedule, value, name, sizeof name);
    return gmem_error(import->diag, GMEM_ERR_OUT_OF_RANGE,
                      gmem_value_location(schedule, value), NULL, 0,
                      "%s has the address %" PRId64 ": with its %" PRIu64
                      " bytes it does not lie in [0, 2^63)",
                      name, address, size);
  }
  import->addresses[value] = address;
  import->types[value] =
      gmem_type_without_address(type, import->analysis.arena);
  return mlirTypeIsNull(import->types[value]) ? gmem_out_of_memory(import->diag)
                                              : GMEM_OK;
}

// What is the same memory as a value with an address has that address. Empty
// tensors may be anywhere.
static bool share_addresses(import_t *import) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  const gmem_life_t *lives = import->analysis.liveness.lives;
  int64_t *shared = gmem_arena_alloc(import->analysis.arena,
                                     schedule->value_count, sizeof *shared);
  if (!shared)
    return false;
  for (size_t i = 0; i < schedule->value_count; ++i)
    shared[i] = NO_ADDRESS;
  for (size_t i = 0; i < schedule->value_count; ++i)
    if (shared[lives[i].root] == NO_ADDRESS)
      shared[lives[i].root] = import->addresses[i];
  for (uint32_t i = 0; i < schedule->value_count; ++i)
    if (is_planned(import, i) && import->addresses[i] == NO_ADDRESS)
      import->addresses[i] = shared[lives[i].root];
  return true;
}

// Reports values that need memory and have no address, if there are any.
static gmem_status_t refuse_missing(const import_t *import) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  gmem_note_t notes[MOST_NOTES];
  size_t count = 0, note_count = 0;
  uint32_t first = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    if (!is_planned(import, i) || schedule->values[i].size == 0 ||
        import->addresses[i] != NO_ADDRESS)
      continue;
    if (count++ == 0) {
      first = i;
    } else if (note_count < MOST_NOTES) {
      gmem_note_t *note = &notes[note_count++];
      note->location = gmem_value_location(schedule, i);
      gmem_value_describe(schedule, i, note->text, sizeof note->text);
    }
  }
  if (count == 0)
    return GMEM_OK;
  char name[128];
  gmem_value_describe(schedule, first, name, sizeof name);
  return gmem_error(
      import->diag, GMEM_ERR_INVALID_ARGUMENT,
      gmem_value_location(schedule, first), notes, note_count,
      "%zu value%s no address in %s and need%s memory: %s is the first", count,
      count == 1 ? " has" : "s have", count == 1 ? "its type" : "their types",
      count == 1 ? "s" : "", name);
}

static gmem_status_t read_addresses(import_t *import) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < schedule->value_count && status == GMEM_OK; ++i) {
    import->addresses[i] = NO_ADDRESS;
    status = read_address(import, i);
  }
  if (status == GMEM_OK && !share_addresses(import))
    status = gmem_out_of_memory(import->diag);
  return status == GMEM_OK ? refuse_missing(import) : status;
}

// Addresses of what is not ours to place: local memory, the host's.
static void report_left(const import_t *import) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  size_t count = 0;
  uint32_t first = 0;
  for (uint32_t i = (uint32_t)schedule->value_count; i-- > 0;)
    if (!is_planned(import, i) &&
        gmem_type_has_address(mlirValueGetType(schedule->values[i].value))) {
      ++count;
      first = i;
    }
  if (count)
    gmem_remark(gmem_value_location(schedule, first),
                "%zu value%s an address in %s and need%s no global memory: "
                "left as %s (this is the first)",
                count, count == 1 ? " has" : "s have",
                count == 1 ? "its type" : "their types", count == 1 ? "s" : "",
                count == 1 ? "it is" : "they are");
}

//===--- pools ------------------------------------------------------------===//

// The attribute of that name on the scope, if it is an address.
static bool region_number(MlirOperation scope, const char *name,
                          uint64_t *out) {
  MlirAttribute value = mlirOperationGetDiscardableAttributeByName(
      scope, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ||
      mlirIntegerAttrGetValueInt(value) < 0)
    return false;
  *out = (uint64_t)mlirIntegerAttrGetValueInt(value);
  return true;
}

// The largest power of two that divides all of |bits|, but no more than is
// usual.
static uint64_t alignment_of(uint64_t bits) {
  uint64_t alignment = MOST_ALIGNMENT;
  while (bits & (alignment - 1))
    alignment /= 2;
  return alignment;
}

// A pool begins where the other compiler says, or else at its lowest address.
static void measure_pool(const import_t *import,
                         const gmem_region_names_t *names, bool constant,
                         gmem_pool_entry_t *pool) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  uint64_t lowest = UINT64_MAX, end = 0, bits = 0;
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    if (!is_planned(import, i) || is_weight(import, i) != constant ||
        import->addresses[i] == NO_ADDRESS)
      continue;
    uint64_t address = (uint64_t)import->addresses[i];
    lowest = address < lowest ? address : lowest;
    end = address + schedule->values[i].size > end
              ? address + schedule->values[i].size
              : end;
    bits |= address;
  }
  uint64_t base;
  bool is_said = region_number(schedule->scope, names->base, &base);
  if (!is_said || base > lowest)
    base = lowest == UINT64_MAX ? GMEM_NO_BASE : lowest;
  *pool = (gmem_pool_entry_t){
      .name = mlirStringRefCreateFromCString(names->pool),
      .constant = constant,
      .base = base,
      .size = lowest == UINT64_MAX ? 0 : end - base,
      .capacity = GMEM_UNLIMITED,
      .alignment = alignment_of(bits | (base == GMEM_NO_BASE ? 0 : base))};
}

static gmem_pool_spec_t spec_of(const gmem_pool_entry_t *pool) {
  return (gmem_pool_spec_t){
      .name = pool->constant ? GMEM_POOL_WEIGHTS : GMEM_POOL_TENSORS,
      .capacity = GMEM_UNLIMITED,
      .alignment = pool->alignment,
      .base = pool->base == GMEM_NO_BASE ? 0 : pool->base};
}

// All weights are in one pool, whatever gmem.pools says.
static gmem_status_t bound_weights(import_t *import) {
  gmem_arena_t *arena = import->analysis.arena;
  gmem_weights_t weights;
  gmem_problem_t *problem = NULL;
  uint32_t *ignored;
  gmem_pool_spec_t pool = spec_of(&import->weights);
  gmem_status_t status =
      gmem_weights_find(&import->analysis.schedule, GMEM_WEIGHTS_BY_WALK, false,
                        arena, &weights, import->diag);
  weights.pool_count = 1;
  for (size_t i = 0; i < weights.count && status == GMEM_OK; ++i)
    weights.weights[i].pool = 0;
  if (status == GMEM_OK)
    status = gmem_weight_problem(&weights, arena, &pool, &problem, &ignored,
                                 import->diag);
  if (status == GMEM_OK)
    status =
        gmem_lower_bound(problem, &import->weights.lower_bound, import->diag);
  gmem_problem_destroy(problem);
  return status;
}

// How large the pools would have to be, whatever the plan.
static gmem_status_t find_bounds(import_t *import) {
  gmem_problem_t *problem = NULL;
  gmem_pool_spec_t tensors = spec_of(&import->tensors);
  gmem_status_t status = bound_weights(import);
  if (status == GMEM_OK)
    status = gmem_tensor_problem(&import->analysis, &tensors, &problem,
                                 import->diag);
  if (status == GMEM_OK)
    status =
        gmem_lower_bound(problem, &import->tensors.lower_bound, import->diag);
  gmem_problem_destroy(problem);
  return status;
}

//===--- writing ----------------------------------------------------------===//

static gmem_status_t write_places(import_t *import) {
  const gmem_schedule_t *schedule = &import->analysis.schedule;
  gmem_arena_t *arena = import->analysis.arena;
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    const gmem_pool_entry_t *pool =
        is_weight(import, i) ? &import->weights : &import->tensors;
    if (!is_planned(import, i))
      continue;
    import->places[i] =
        (gmem_place_t){pool->name, 0, (int64_t)schedule->values[i].size};
    if (import->addresses[i] != NO_ADDRESS)
      import->places[i].offset = import->addresses[i] - (int64_t)pool->base;
  }
  gmem_status_t status = gmem_places_write(
      schedule, import->places, GMEM_PLACES_OF_WEIGHTS, arena, import->diag);
  if (status == GMEM_OK)
    status = gmem_places_write(schedule, import->places, GMEM_PLACES_OF_TENSORS,
                               arena, import->diag);
  if (status == GMEM_OK)
    status = gmem_aliases_write(schedule, &import->analysis.aliases,
                                import->places, arena, import->diag);
  return status;
}

static gmem_status_t write_plan(import_t *import,
                                const gmem_model_options_t *model) {
  MlirOperation scope = import->analysis.schedule.scope;
  gmem_arena_t *arena = import->analysis.arena;
  // Pools of an earlier plan are no longer there.
  mlirOperationRemoveDiscardableAttributeByName(
      scope, gmem_attr_name(GMEM_ATTR_POOL_TABLE));
  gmem_status_t status = write_places(import);
  if (status == GMEM_OK)
    status = gmem_pool_table_set(scope, true, &import->weights, 1, arena,
                                 import->diag);
  if (status == GMEM_OK)
    status = gmem_pool_table_set(scope, false, &import->tensors, 1, arena,
                                 import->diag);
  if (status == GMEM_OK)
    gmem_figures_set(scope,
                     &(gmem_figures_entry_t){
                         mlirStringRefCreateFromCString("imported"),
                         import->tensors.size, import->tensors.lower_bound,
                         import->tensors.size == import->tensors.lower_bound,
                         *model});
  return status;
}

static gmem_status_t import_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_arena_t *arena, void *user,
                                  gmem_diag_t *diag) {
  importer_t *importer = user;
  import_t import = {.diag = diag};
  gmem_status_t status =
      mark_copies(scope, models, importer->model, arena, diag);
  if (status == GMEM_OK)
    status = gmem_analyse(scope, models, importer->model, arena,
                          &import.analysis, diag);
  if (status != GMEM_OK)
    return status;
  size_t count = import.analysis.schedule.value_count;
  import.addresses = gmem_arena_alloc(arena, count, sizeof *import.addresses);
  import.types = gmem_arena_alloc(arena, count, sizeof *import.types);
  import.places = gmem_arena_alloc(arena, count, sizeof *import.places);
  if (!import.addresses || !import.types || !import.places)
    return gmem_out_of_memory(diag);
  status = read_addresses(&import);
  if (status != GMEM_OK)
    return status;
  measure_pool(&import, &gmem_region_names[0], true, &import.weights);
  measure_pool(&import, &gmem_region_names[1], false, &import.tensors);
  status = find_bounds(&import);
  if (status == GMEM_OK)
    status = write_plan(&import, importer->model);
  if (status == GMEM_OK)
    status = gmem_retype_scope(&importer->retyping, &import.analysis.schedule,
                               import.types, diag);
  if (status == GMEM_OK) {
    report_left(&import);
    gmem_liveness_report(&import.analysis.liveness);
  }
  return status;
}

static gmem_status_t forget_regions(MlirOperation scope, void *user) {
  (void)user;
  for (size_t i = 0; i < GMEM_REGION_COUNT; ++i) {
    mlirOperationRemoveDiscardableAttributeByName(
        scope, mlirStringRefCreateFromCString(gmem_region_names[i].base));
    mlirOperationRemoveDiscardableAttributeByName(
        scope, mlirStringRefCreateFromCString(gmem_region_names[i].size));
  }
  return GMEM_OK;
}

gmem_status_t gmem_import_addresses(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  gmem_arena_t arena;
  gmem_arena_init(&arena, allocator);
  gmem_model_options_t model = options->model;
  model.view_alignment = 1; // who asks for one is not known
  model.io = GMEM_IO_SHARED;
  importer_t importer = {&model, {.arena = &arena}};
  gmem_status_t status =
      gmem_op_models_add_files(top, options, allocator, diag);
  if (status == GMEM_OK)
    status =
        gmem_for_each_scope_in(top, allocator, import_scope, &importer, diag);
  if (status == GMEM_OK)
    status = gmem_retype(&importer.retyping, top, diag);
  if (status == GMEM_OK)
    status = gmem_for_each_scope(top, forget_regions, NULL);
  gmem_arena_destroy(&arena);
  return status;
}
