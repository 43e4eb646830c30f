// import_addresses.c - gmem-import-addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: every value that needs memory has its address as the i64 encoding
//           of its type, or must-aliases a value that has (a reshape).
// produces: types without addresses, on values, in signatures and in the
//           terminators of layer groups; the addresses as gmem attributes,
//           relative to pools for the weights, the tensors and, if there is a
//           module.io_addr, the inputs and outputs, or to one pool per memory
//           (gmem.memories) if addresses are in several; a gmem.plan with the
//           algorithm "imported". The plan is not verified: run
//           gmem-verify-plan. A reshape between two addresses is a copy: it
//           gets a gmem.op_model that makes it an ordinary op. Only tensors are
//           planned, no memrefs.
// breaks:   module.neuron_addr and similar attributes, which are removed.
// fails:    when a value that needs memory has no address or an invalid one;
//           nothing but gmem attributes has changed then.

#include "address_passes.h"

#include <assert.h>
#include <inttypes.h>

#include "address_memories.h"
#include "address_types.h"
#include "alias_attributes.h"
#include "control_copies.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "liveness_report.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_model_files.h"
#include "plan_attributes.h"
#include "planner_problem.h"
#include "program_build.h"
#include "scope_memories.h"
#include "scope_plan.h"
#include "scopes.h"
#include "vocabulary.h"

enum { NO_ADDRESS = -1, MAX_ALIGNMENT = 4096, MAX_NOTES = 4 };

typedef struct importer_s {
  const gmem_model_options_t *model;
  bool is_apart;            // tensors have no addresses (tensor-base=none)
  gmem_retyping_t retyping; // of all scopes
} importer_t;

// State of one scope.
typedef struct import_s {
  const gmem_op_models_t *models;
  gmem_model_options_t model; // of this scope
  gmem_bump_t *arena;
  gmem_analysis_t analysis;
  int64_t *addresses; // by value, or NO_ADDRESS
  MlirType *types;    // by value: the type without address; null if it has none
  gmem_value_place_t *places;
  gmem_pool_table_t table; // pools of the weights, then of the tensors
  uint32_t constant;       // number of pools of the weights
  gmem_memory_t *memories; // that the addresses are in, if those are several
  size_t memory_count;     //   in one pool
  uint64_t *origins;       // by pool: the address of its offset 0
  gmem_diag_t *diag;
} import_t;

static bool is_planned(const import_t *import, uint32_t value) {
  return gmem_live_value_is_planned(
      &import->analysis.liveness.live_values[value]);
}

// Whether the value needs memory, but its address is unknown.
static bool lacks_address(const import_t *import, uint32_t value) {
  return is_planned(import, value) && import->addresses[value] == NO_ADDRESS;
}

//===--- reshapes that copy -----------------------------------------------===//

static bool is_copy(const gmem_program_op_t *op) {
  if (op->kind != GMEM_OP_RESHAPE || mlirOperationGetNumOperands(op->op) == 0 ||
      mlirOperationGetNumResults(op->op) == 0)
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op->op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op->op, 0));
  return gmem_type_has_address(from) && gmem_type_has_address(to) &&
         gmem_type_address(from) != gmem_type_address(to);
}

// gmem treats a reshape as a must-alias of its operand. One to which the other
// compiler assigned an address of its own copies its operand.
static gmem_status_t mark_copies(const import_t *import, MlirOperation scope) {
  gmem_program_t program;
  GMEM_TRY(gmem_program_build(scope, import->models, &import->model,
                              import->arena, &program, import->diag));
  MlirContext context = mlirOperationGetContext(scope);
  gmem_named_t kind[] = {{"kind", gmem_text_attribute(context, "compute")},
                         {0}};
  for (size_t i = 0; i < program.op_count; ++i)
    if (is_copy(&program.ops[i]))
      gmem_op_annotate(program.ops[i].op, GMEM_ATTR_OP_MODEL,
                       gmem_dictionary(context, kind));
  return GMEM_OK;
}

//===--- addresses --------------------------------------------------------===//

static gmem_status_t read_address(import_t *import, uint32_t value) {
  const gmem_program_t *program = &import->analysis.program;
  MlirType type = mlirValueGetType(program->values[value].value);
  if (!is_planned(import, value) || !gmem_type_has_address(type))
    return GMEM_OK;
  int64_t address = gmem_type_address(type);
  uint64_t size = program->values[value].size;
  if (address < 0 || (uint64_t)address > GMEM_MAX_ADDRESS - size) {
    char name[128];
    gmem_value_describe(program, value, name, sizeof name);
    return gmem_error_at(import->diag, GMEM_ERR_OUT_OF_RANGE,
                         gmem_value_location(program, value),
                         "%s has address %" PRId64 " and %" PRIu64
                         " bytes: not within [0, 2^63)",
                         name, address, size);
  }
  import->addresses[value] = address;
  import->types[value] = gmem_type_without_address(type, import->arena);
  return mlirTypeIsNull(import->types[value]) ? gmem_out_of_memory(import->diag)
                                              : GMEM_OK;
}

// Assigns the address of a value to all its must-aliases. Empty tensors may be
// at any address.
static gmem_status_t propagate_addresses(import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  const gmem_live_value_t *live_values = import->analysis.liveness.live_values;
  int64_t *shared;
  GMEM_TRY_ALLOC(shared, import->arena, program->value_count, import->diag);
  for (size_t i = 0; i < program->value_count; ++i)
    shared[i] = NO_ADDRESS;
  for (size_t i = 0; i < program->value_count; ++i)
    if (shared[live_values[i].root] == NO_ADDRESS)
      shared[live_values[i].root] = import->addresses[i];
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (lacks_address(import, i))
      import->addresses[i] = shared[live_values[i].root];
  return GMEM_OK;
}

// Lists the first values for which |is_listed| holds; returns the number of
// all.
static size_t list_values(const import_t *import,
                          bool (*is_listed)(const import_t *, uint32_t),
                          uint32_t first[MAX_NOTES + 1]) {
  size_t count = 0;
  for (uint32_t i = 0; i < import->analysis.program.value_count; ++i)
    if (is_listed(import, i) && count++ <= MAX_NOTES)
      first[count - 1] = i;
  return count;
}

static bool is_missing(const import_t *import, uint32_t value) {
  return lacks_address(import, value) &&
         import->analysis.program.values[value].size != 0;
}

// Reports values that need memory and have no address, if there are any.
static gmem_status_t report_missing(const import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  gmem_note_t notes[MAX_NOTES];
  uint32_t first[MAX_NOTES + 1];
  size_t count = list_values(import, is_missing, first), note_count = 0;
  if (count == 0)
    return GMEM_OK;
  for (; note_count < MAX_NOTES && note_count + 1 < count; ++note_count) {
    gmem_note_t *note = &notes[note_count];
    note->location = gmem_value_location(program, first[note_count + 1]);
    gmem_value_describe(program, first[note_count + 1], note->text,
                        sizeof note->text);
  }
  char name[128];
  gmem_value_describe(program, first[0], name, sizeof name);
  return gmem_error(
      import->diag, GMEM_ERR_INVALID_ARGUMENT,
      gmem_value_location(program, first[0]), notes, note_count,
      "%zu value%s memory but %s no address in %s: %s is the first", count,
      count == 1 ? " needs" : "s need", count == 1 ? "has" : "have",
      count == 1 ? "its type" : "their types", name);
}

static gmem_status_t read_addresses(import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    import->addresses[i] = NO_ADDRESS;
    GMEM_TRY(read_address(import, i));
  }
  GMEM_TRY(propagate_addresses(import));
  return report_missing(import);
}

static bool is_left_alone(const import_t *import, uint32_t value) {
  MlirType type =
      mlirValueGetType(import->analysis.program.values[value].value);
  return !is_planned(import, value) && gmem_type_has_address(type);
}

// Reports addresses of unplanned values, for example in local or host memory.
static void report_unplanned(const import_t *import) {
  uint32_t first[MAX_NOTES + 1];
  size_t count = list_values(import, is_left_alone, first);
  if (count)
    gmem_remark(gmem_value_location(&import->analysis.program, first[0]),
                "%zu value%s an address in %s but %s not planned: type%s "
                "unchanged (this is the first)",
                count, count == 1 ? " has" : "s have",
                count == 1 ? "its type" : "their types",
                count == 1 ? "is" : "are", count == 1 ? "" : "s");
}

//===--- pools ------------------------------------------------------------===//

// With several memories the address decides. Empty values may be anywhere.
static void find_memories(import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t *pool = &import->places[i].pool;
    if (!is_planned(import, i) || import->addresses[i] == NO_ADDRESS)
      continue;
    const gmem_memory_t *memory = gmem_address_memory(
        import->memories, import->memory_count, *pool < import->constant,
        (uint64_t)import->addresses[i]);
    if (program->values[i].size == 0)
      import->addresses[i] = NO_ADDRESS;
    else if (memory)
      *pool = gmem_pool_table_find(&import->table, gmem_string(memory->name));
    assert(*pool < import->table.count);
  }
}

// Determines the pool of each value from its kind and constraints.
static void find_pools(import_t *import) {
  const gmem_liveness_t *liveness = &import->analysis.liveness;
  const gmem_constants_t *weights = &import->analysis.constants;
  const gmem_buffer_constraint_t *sets = import->analysis.constraints.sets;
  size_t count = import->analysis.program.value_count;
  for (size_t i = 0; i < weights->count; ++i)
    import->places[weights->weights[i].value].pool =
        weights->weights[i].constraint.pools[0];
  for (uint32_t i = 0; i < count; ++i)
    if (is_planned(import, i) && liveness->set_of[i] != GMEM_NO_INDEX)
      import->places[i].pool =
          import->constant + sets[liveness->set_of[i]].pools[0];
  for (uint32_t i = 0; i < count; ++i) // includes reshaped weights
    import->places[i].pool = import->places[liveness->live_values[i].root].pool;
  if (import->memory_count)
    find_memories(import);
}

// The attribute of that name on the scope, if it is an address.
static bool region_number(MlirOperation scope, const char *name,
                          uint64_t *out) {
  MlirAttribute value =
      mlirOperationGetDiscardableAttributeByName(scope, gmem_string(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ||
      mlirIntegerAttrGetValueInt(value) < 0)
    return false;
  *out = (uint64_t)mlirIntegerAttrGetValueInt(value);
  return true;
}

// The base address of the pool in the module.* attributes, if there is one.
static bool declared_base(const import_t *import, MlirStringRef pool,
                          uint64_t *out) {
  for (size_t i = 0; i < GMEM_REGION_COUNT; ++i)
    if (gmem_string_is(pool, gmem_region_names[i].pool))
      return region_number(import->analysis.program.scope,
                           gmem_region_names[i].base, out);
  return false;
}

// The largest power of two that divides |bits|, at most MAX_ALIGNMENT.
static uint64_t alignment_of(uint64_t bits) {
  uint64_t alignment = MAX_ALIGNMENT;
  while (bits & (alignment - 1))
    alignment /= 2;
  return alignment;
}

static void name_pools(import_t *import, const gmem_candidate_pools_t *pools,
                       bool constant) {
  for (uint32_t i = 0; i < pools->count; ++i)
    import->table.entries[import->table.count++] =
        (gmem_pool_entry_t){.name = gmem_string(pools->all[i].name),
                            .constant = constant,
                            .base = GMEM_NO_BASE,
                            .capacity = GMEM_UNLIMITED,
                            .alignment = MAX_ALIGNMENT};
}

// A pool begins at the base in the module.* attributes, or else at the lowest
// address in it.
static void measure_pools(import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    if (!is_planned(import, i) || import->addresses[i] == NO_ADDRESS)
      continue;
    gmem_pool_entry_t *pool = &import->table.entries[import->places[i].pool];
    uint64_t address = (uint64_t)import->addresses[i];
    uint64_t end = address + program->values[i].size;
    pool->base = address < pool->base ? address : pool->base;
    pool->size = end > pool->size ? end : pool->size; // end address, for now
    pool->alignment = alignment_of(address | pool->alignment);
  }
  for (uint32_t i = 0; i < import->table.count; ++i) {
    gmem_pool_entry_t *pool = &import->table.entries[i];
    uint64_t declared;
    if (declared_base(import, pool->name, &declared) &&
        declared <= pool->base) {
      pool->base = declared;
      pool->alignment = alignment_of(declared | pool->alignment);
    }
    assert(!pool->size || pool->size >= pool->base);
    pool->size -= pool->size ? pool->base : 0;
    import->origins[i] = pool->base;
  }
}

// Describes the memories that addresses in one pool are in, if those are
// several, for a second analysis of the scope.
static gmem_status_t describe_memories(import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  gmem_address_ranges_t ranges = {NULL, 0};
  gmem_address_memories_t found;
  GMEM_TRY_ALLOC(ranges.at, import->arena, program->value_count, import->diag);
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint64_t address = (uint64_t)import->addresses[i];
    uint64_t size = program->values[i].size;
    if (is_planned(import, i) && import->addresses[i] != NO_ADDRESS && size)
      ranges.at[ranges.count++] = (gmem_address_range_t){
          address, address + size, import->places[i].pool};
  }
  GMEM_TRY(gmem_address_memories_find(&ranges, &import->table, import->arena,
                                      &found, import->diag));
  import->memories = found.at;
  import->memory_count = found.count;
  for (size_t i = 0; i < import->memory_count; ++i) {
    gmem_memory_t *memory = &import->memories[i];
    uint64_t declared;
    if (declared_base(import, gmem_string(memory->name), &declared) &&
        declared < memory->base)
      memory->base = declared;
  }
  return GMEM_OK;
}

static bool pools_overlap(const import_t *import) {
  for (uint32_t i = import->constant; i < import->table.count; ++i)
    for (uint32_t k = import->constant; k < i; ++k) {
      const gmem_pool_entry_t *one = &import->table.entries[i];
      const gmem_pool_entry_t *other = &import->table.entries[k];
      if (one->size && other->size && one->base < other->base + other->size &&
          other->base < one->base + one->size)
        return true;
    }
  return false;
}

//===--- lower bounds -----------------------------------------------------===//

// Sets the lower bounds of the pools of |problem|, which begin at |entries|,
// and finds that of its peak.
static gmem_status_t bound_pools(const gmem_problem_t *problem,
                                 gmem_pool_entry_t *entries,
                                 uint64_t *out_bound, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i)
    GMEM_TRY(
        gmem_lower_bound_of_pool(problem, i, &entries[i].lower_bound, diag));
  return gmem_lower_bound(problem, out_bound, diag);
}

// Finds the lower bounds of the pools of the weights or of the tensors, and of
// their peak.
static gmem_status_t find_bounds(import_t *import, bool constant,
                                 uint64_t *out_bound) {
  gmem_pool_entry_t *entries =
      &import->table.entries[constant ? 0 : import->constant];
  gmem_problem_part_t part;
  gmem_problem_t *problem;
  gmem_pool_spec_t *specs;
  GMEM_TRY(
      gmem_problem_part_find(&import->analysis, constant, &part, import->diag));
  GMEM_TRY_ALLOC(specs, import->arena, part.pools->count, import->diag);
  for (uint32_t i = 0; i < part.pools->count; ++i)
    specs[i] = (gmem_pool_spec_t){
        .name = part.pools->all[i].name,
        .capacity = GMEM_UNLIMITED,
        .alignment = entries[i].alignment,
        .base = entries[i].base == GMEM_NO_BASE ? 0 : entries[i].base};
  gmem_status_t status =
      gmem_planner_problem(&part, specs, &problem, import->diag);
  if (status == GMEM_OK)
    status = bound_pools(problem, entries, out_bound, import->diag);
  gmem_problem_destroy(problem);
  return gmem_planner_error(&import->analysis, status, import->diag);
}

//===--- writing ----------------------------------------------------------===//

static gmem_status_t write_places(import_t *import) {
  const gmem_program_t *program = &import->analysis.program;
  gmem_bump_t *arena = import->arena;
  MlirAttribute *aliases;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    if (!is_planned(import, i))
      continue;
    assert(import->places[i].pool < import->table.count);
    gmem_value_place_t *place = &import->places[i];
    place->size = (int64_t)program->values[i].size;
    place->offset = 0;
    if (import->addresses[i] != NO_ADDRESS)
      place->offset =
          import->addresses[i] - (int64_t)import->origins[place->pool];
    place->payload = place->offset;
  }
  GMEM_TRY(gmem_aliases_attributes(
      &import->analysis.liveness, &import->analysis.constraints.aliases,
      import->places, arena, &aliases, import->diag));
  GMEM_TRY(gmem_places_write(program, &import->table, import->places, NULL,
                             arena, import->diag));
  GMEM_TRY(gmem_places_write(program, &import->table, import->places, aliases,
                             arena, import->diag));
  return gmem_control_copies_write(&import->analysis, &import->table,
                                   import->places, import->diag);
}

static gmem_status_t write_plan(import_t *import, uint64_t bound) {
  MlirOperation scope = import->analysis.program.scope;
  gmem_bump_t *arena = import->arena;
  uint64_t peak = 0;
  for (uint32_t i = import->constant; i < import->table.count; ++i)
    peak += import->table.entries[i].size;
  GMEM_TRY(write_places(import));
  GMEM_TRY(gmem_pool_table_write(scope, &import->table, arena, import->diag));
  const gmem_figures_entry_t figures = {.algorithm = gmem_string("imported"),
                                        .peak = peak,
                                        .lower_bound = bound,
                                        .optimal = peak == bound,
                                        .order_bound = GMEM_UNLIMITED,
                                        .penalty = GMEM_UNLIMITED,
                                        .order_print = GMEM_UNLIMITED,
                                        .model = import->model};
  return gmem_figures_write(scope, &figures, arena, import->diag);
}

//===--- the pass ---------------------------------------------------------===//

// Rejects what addresses in types cannot express. An imported address does not
// determine the buffer around a payload.
static gmem_status_t reject_others(const import_t *import) {
  const gmem_analysis_t *analysis = &import->analysis;
  for (size_t i = 0; i < analysis->liveness.set_count; ++i)
    if (gmem_is_padded(gmem_set_padding(analysis, i)))
      return gmem_value_error(&analysis->program,
                              analysis->liveness.sets[i].root,
                              GMEM_ERR_INVALID_ARGUMENT,
                              "has a gmem.padding, which imported addresses "
                              "do not support: remove it",
                              import->diag);
  if (analysis->workbuffers.count)
    return gmem_reject(
        import->diag, analysis->workbuffers.all[0].op,
        "gmem.workbuffers cannot be combined with imported addresses: the "
        "types of values hold no addresses of workbuffers");
  return analysis->program.memory_count && !import->memory_count
             ? gmem_reject(import->diag, analysis->program.scope,
                           "gmem.memories cannot be combined with imported "
                           "addresses: remove it")
             : GMEM_OK;
}

static gmem_status_t analyse(import_t *import, MlirOperation scope) {
  gmem_analysis_t *analysis = &import->analysis;
  GMEM_TRY(gmem_analyse_placed(scope, import->models, &import->model,
                               import->arena, analysis, import->diag));
  GMEM_TRY(gmem_analyse_constants(analysis, GMEM_WEIGHTS_BY_WALK,
                                  import->model.share_weights, import->diag));
  GMEM_TRY(reject_others(import));
  size_t count = analysis->program.value_count;
  import->constant = analysis->constants.pools.count;
  import->table.count = 0;
  size_t pools = (size_t)import->constant + analysis->constraints.pools.count;
  GMEM_TRY_ALLOC(import->table.entries, import->arena, pools, import->diag);
  GMEM_TRY_ALLOC(import->origins, import->arena, pools, import->diag);
  GMEM_TRY_ALLOC(import->addresses, import->arena, count, import->diag);
  GMEM_TRY_ALLOC(import->types, import->arena, count, import->diag);
  GMEM_TRY(
      gmem_places_alloc(import->arena, count, &import->places, import->diag));
  GMEM_TRY(read_addresses(import));
  name_pools(import, &analysis->constants.pools, true);
  name_pools(import, &analysis->constraints.pools, false);
  find_pools(import);
  measure_pools(import);
  return GMEM_OK;
}

// Workspace pools have no addresses with tensor-base=none: those of the weights
// and of the tensors are in different address spaces.
static gmem_status_t write_memories(const import_t *import, MlirOperation scope,
                                    bool is_apart) {
  gmem_memory_t *written;
  GMEM_TRY_ALLOC(written, import->arena, import->memory_count, import->diag);
  for (size_t i = 0; i < import->memory_count; ++i) {
    written[i] = import->memories[i];
    if (is_apart && !written[i].is_constant)
      written[i].base = GMEM_NO_BASE;
  }
  return gmem_scope_memories_write(scope, written, import->memory_count,
                                   import->arena, import->diag);
}

// With module.io_addr inputs and outputs get a pool of their own, unless other
// tensors overlap it.
static gmem_status_t analyse_regions(import_t *import, MlirOperation scope,
                                     bool is_apart) {
  uint64_t ignored;
  if (region_number(scope, "module.io_addr", &ignored))
    import->model.io = GMEM_IO_SEPARATE;
  GMEM_TRY(analyse(import, scope));
  GMEM_TRY(describe_memories(import));
  if (import->memory_count == 0 &&
      (import->model.io == GMEM_IO_SHARED || !pools_overlap(import)))
    return GMEM_OK;
  import->model.io = GMEM_IO_SHARED;
  if (import->memory_count)
    GMEM_TRY(write_memories(import, scope, is_apart));
  return analyse(import, scope);
}

static gmem_status_t import_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_bump_t *arena, void *user,
                                  gmem_diag_t *diag) {
  importer_t *importer = user;
  import_t import = {.models = models,
                     .model = *importer->model,
                     .arena = arena,
                     .diag = diag};
  uint64_t ignored, bound;
  GMEM_TRY(mark_copies(&import, scope));
  GMEM_TRY(analyse_regions(&import, scope, importer->is_apart));
  for (uint32_t i = import.constant; i < import.table.count; ++i)
    if (importer->is_apart)
      import.table.entries[i].base = GMEM_NO_BASE;
  GMEM_TRY(find_bounds(&import, true, &ignored));
  GMEM_TRY(find_bounds(&import, false, &bound));
  GMEM_TRY(write_plan(&import, bound));
  GMEM_TRY(gmem_retype_scope(&importer->retyping, &import.analysis.program,
                             import.types, diag));
  report_unplanned(&import);
  gmem_liveness_report(&import.analysis.liveness);
  return GMEM_OK;
}

static gmem_status_t remove_regions(MlirOperation scope, void *user) {
  (void)user;
  for (size_t i = 0; i < GMEM_REGION_COUNT; ++i) {
    mlirOperationRemoveDiscardableAttributeByName(
        scope, gmem_string(gmem_region_names[i].base));
    mlirOperationRemoveDiscardableAttributeByName(
        scope, gmem_string(gmem_region_names[i].size));
  }
  return GMEM_OK;
}

static gmem_status_t import_all(MlirOperation top, importer_t *importer,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag) {
  GMEM_TRY(gmem_op_models_add_files(top, options, allocator, diag));
  GMEM_TRY(
      gmem_for_each_scope_in(top, allocator, import_scope, importer, diag));
  GMEM_TRY(gmem_retype(&importer->retyping, top, diag));
  return gmem_for_each_scope(top, remove_regions, NULL);
}

gmem_status_t gmem_import_addresses(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  gmem_model_options_t model = options->model;
  model.view_alignment = 1; // the other compiler's is unknown
  model.io = GMEM_IO_SHARED;
  model.memrefs = false; // their types have no addresses
  importer_t importer = {
      &model, options->tensor_base == GMEM_NO_BASE, {.arena = &arena}};
  gmem_status_t status =
      importer.is_apart || options->tensor_base == GMEM_AFTER_WEIGHTS
          ? import_all(top, &importer, options, allocator, diag)
          : gmem_reject(diag, top,
                        "tensor-base: the types state the addresses: expected "
                        "none, if they are not those of the weights' memory");
  gmem_bump_destroy(&arena);
  return status;
}
