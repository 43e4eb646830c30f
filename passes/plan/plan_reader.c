// plan_reader.c - reads a verified plan into plain arrays, for tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aliases.h"
#include "byte_ownership.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "plan_constants.h"
#include "plan_ops.h"
#include "plan_reading.h"
#include "pool_bases.h"
#include "scopes.h"
#include "text.h"

// The contents of a constant; both are null for other values.
typedef struct contents_s {
  MlirAttribute elements; // null if not in the IR
  MlirType type;          // of the value
} contents_t;

struct gmem_planned_s {
  gmem_bump_t arena; // owns everything, including this struct
  gmem_planned_figures_t figures;
  gmem_planned_pool_t *pools;
  gmem_planned_buffer_t *buffers;
  contents_t *contents; // by buffer
  gmem_planned_alias_t *aliases;
  gmem_planned_workbuffer_t *workbuffers;
  size_t workbuffer_count, workbuffer_room;
  gmem_planned_ops_t ops;
  size_t pool_count, pool_room;
  const char **location_names; // by buffer, while they are read
  size_t buffer_count, buffer_room, contents_room, names_room;
  size_t alias_count, alias_room;
  size_t scope_count, scopes_read;
  gmem_diag_t *diag;
};

//===--- text -------------------------------------------------------------===//

static const char *location_text(gmem_planned_t *planned,
                                 MlirLocation location) {
  gmem_text_t text = {.arena = &planned->arena};
  mlirLocationPrint(location, gmem_text_piece, &text);
  return gmem_text_get(&text);
}

//===--- names ------------------------------------------------------------===//

typedef struct name_key_s {
  const char *name;
  uint32_t buffer;
} name_key_t;

static int compare_keys(const void *a, const void *b) {
  const name_key_t *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order
             ? order
             : (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

// Whether a name is valid in all file formats: printable ASCII of at most the
// length that plan images allow, without CSV separators.
static bool is_portable(const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < length; ++i)
    if (name[i] < ' ' || name[i] > '~' || name[i] == ',' || name[i] == '"')
      return false;
  return length > 0 && length <= 255;
}

static bool is_repeated(const name_key_t *keys, size_t count, size_t i) {
  return (i && strcmp(keys[i - 1].name, keys[i].name) == 0) ||
         (i + 1 < count && strcmp(keys[i + 1].name, keys[i].name) == 0);
}

// Names buffers by their locations where these are unique, portable and do not
// look like SSA names.
static void use_location_names(gmem_planned_t *planned, name_key_t *keys) {
  for (uint32_t i = 0; i < planned->buffer_count; ++i)
    keys[i] = (name_key_t){planned->location_names[i], i};
  qsort(keys, planned->buffer_count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < planned->buffer_count; ++i)
    if (!is_repeated(keys, planned->buffer_count, i) &&
        is_portable(keys[i].name) && !strchr(keys[i].name, '%'))
      planned->buffers[keys[i].buffer].name = keys[i].name;
}

// Replaces duplicate names (sibling regions reuse SSA names) and names that are
// not portable with "%number".
static gmem_status_t number_the_rest(gmem_planned_t *planned,
                                     name_key_t *keys) {
  for (uint32_t i = 0; i < planned->buffer_count; ++i)
    keys[i] = (name_key_t){planned->buffers[i].name, i};
  qsort(keys, planned->buffer_count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < planned->buffer_count; ++i) {
    if (is_portable(keys[i].name) &&
        !is_repeated(keys, planned->buffer_count, i))
      continue;
    char number[32];
    int length = snprintf(number, sizeof number, "%%%u", keys[i].buffer);
    char *name = gmem_bump_string(&planned->arena, number, (size_t)length);
    if (!name)
      return gmem_out_of_memory(planned->diag);
    planned->buffers[keys[i].buffer].name = name;
  }
  return GMEM_OK;
}

static gmem_status_t choose_names(gmem_planned_t *planned) {
  name_key_t *keys;
  GMEM_TRY_ALLOC(keys, &planned->arena, planned->buffer_count, planned->diag);
  use_location_names(planned, keys);
  return number_the_rest(planned, keys);
}

//===--- one scope --------------------------------------------------------===//

typedef struct scope_reader_s {
  gmem_planned_t *planned;
  const gmem_scope_plan_t *plan;
  const gmem_analysis_t *analysis; // of the plan
  gmem_taken_aliases_t taken;
  gmem_owned_t *owned;               // by alias set
  const gmem_constant_t **weight_of; // by value: itself as a constant, or NULL
  MlirSymbolTable symbols;           // of the scope, or null
  const char *prefix;                // "" or "MODULE/"
  uint32_t first_pool;               // of this scope
  int64_t first_step;                // of this scope
  uint32_t *buffer_of;               // by value of the program
  uint32_t next_workbuffer;
  MlirAsmState state; // of the current function
} scope_reader_t;

static gmem_status_t add_pool(const scope_reader_t *reader,
                              const gmem_pool_entry_t *entry) {
  gmem_planned_t *planned = reader->planned;
  gmem_text_t name = {.arena = &planned->arena};
  gmem_text_print(&name, "%s", reader->prefix);
  gmem_text_piece(entry->name, &name);
  const gmem_memory_t *memory =
      gmem_pool_memory(&reader->analysis->program, entry->name);
  gmem_text_t after = {.arena = &planned->arena};
  if (memory && memory->after)
    gmem_text_print(&after, "%s%s", reader->prefix, memory->after);
  if (name.out_of_memory || after.out_of_memory)
    return gmem_out_of_memory(planned->diag);
  GMEM_TRY_GROW(&planned->arena, planned->pools, planned->pool_count,
                planned->pool_room, planned->diag);
  planned->pools[planned->pool_count++] = (gmem_planned_pool_t){
      .name = gmem_text_get(&name),
      .constant = entry->constant,
      .base = entry->base,
      .size = entry->size,
      .lower_bound = entry->lower_bound,
      .capacity = entry->capacity,
      .alignment = entry->alignment,
      .size_hint = entry->hint ? entry->hint : GMEM_UNLIMITED,
      .speed = memory ? memory->speed : 0,
      .is_described = memory != NULL,
      .after = memory && memory->after ? gmem_text_get(&after) : NULL,
      .shared_offset = entry->shared_offset,
      .shared_size = entry->shared_size};
  return GMEM_OK;
}

// Copies |source|, shifted to the timeline of all scopes.
static gmem_live_range_t *copy_ranges(const scope_reader_t *reader,
                                      const gmem_live_range_t *source,
                                      size_t count) {
  gmem_live_range_t *copy =
      gmem_bump_alloc(&reader->planned->arena, count, sizeof *copy);
  for (size_t i = 0; copy && i < count; ++i)
    copy[i] = (gmem_live_range_t){source[i].begin + reader->first_step,
                                  source[i].end + reader->first_step};
  return copy;
}

// A buffer inside another one may be less aligned than the pool, and a memref
// has its own alignment.
static uint64_t alignment_of(const scope_reader_t *reader, uint32_t root,
                             uint32_t pool, uint64_t offset) {
  const gmem_placement_constraints_t *constraints =
      &reader->analysis->constraints;
  uint32_t set = reader->analysis->liveness.set_of[root];
  if (set != GMEM_NO_INDEX && constraints->sets[set].alignment)
    return constraints->sets[set].alignment;
  const gmem_planned_pool_t *in = &reader->planned->pools[pool];
  uint64_t address = (in->base == GMEM_NO_BASE ? 0 : in->base) + offset;
  uint64_t view = constraints->aliases.view_alignment;
  uint64_t alignment =
      address % in->alignment == 0 || in->constant ? in->alignment : view;
  // The start of a pool may be more aligned than the buffers in it.
  while (address % alignment)
    alignment /= 2;
  return alignment;
}

// Whether |place| is not in the first of the candidate pools.
static bool is_spilled(const scope_reader_t *reader,
                       const gmem_value_place_t *place, bool constant,
                       const gmem_memory_candidates_t *candidates) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_candidate_pools_t *pools =
      constant ? &analysis->constants.pools : &analysis->constraints.pools;
  assert(candidates->count && candidates->pools[0] < pools->count);
  return !gmem_string_is(reader->plan->pools.entries[place->pool].name,
                         pools->all[candidates->pools[0]].name);
}

// Counts a buffer that is not in its first candidate pool.
static void count_spilled(const scope_reader_t *reader,
                          gmem_planned_buffer_t *buffer) {
  gmem_planned_pool_t *pool = &reader->planned->pools[buffer->pool];
  if (buffer->alias_of != GMEM_NO_BUFFER)
    return;
  buffer->flags |= GMEM_PLANNED_SPILLED;
  pool->spilled += 1;
  pool->spilled_bytes += buffer->size;
}

// The op, function and location that define a buffer.
typedef struct origin_s {
  MlirStringRef op;
  const gmem_function_t *function;
  MlirLocation location;
} origin_t;

// The name of a buffer's location followed by |suffix|, or "" if it has none of
// its own: all results of an op share its location.
static const char *location_name(const scope_reader_t *reader,
                                 MlirLocation location, const char *suffix) {
  gmem_text_t text = {.arena = &reader->planned->arena};
  if (mlirLocationIsAName(location)) {
    gmem_text_print(&text, "%s", reader->prefix);
    gmem_text_piece(mlirIdentifierStr(mlirLocationNameGetName(location)),
                    &text);
    gmem_text_print(&text, "%s", suffix);
  }
  return gmem_text_get(&text);
}

// Begins the name of a buffer: "function/", after the prefix of the scope.
static gmem_text_t begin_name(const scope_reader_t *reader,
                              const gmem_function_t *function) {
  gmem_text_t text = {.arena = &reader->planned->arena};
  gmem_text_print(&text, "%s", reader->prefix);
  gmem_text_piece(function->name, &text);
  gmem_text_print(&text, "/");
  return text;
}

// Appends |buffer|, of which all but the texts of its origin is set. Texts and
// ranges are NULL if out of memory.
static gmem_status_t append_buffer(const scope_reader_t *reader,
                                   gmem_planned_buffer_t buffer,
                                   const origin_t *origin, const char *name,
                                   contents_t contents) {
  gmem_planned_t *planned = reader->planned;
  size_t count = planned->buffer_count;
  MlirStringRef function = origin->function->name;
  buffer.op =
      gmem_bump_string(&planned->arena, origin->op.data, origin->op.length);
  buffer.function =
      gmem_bump_string(&planned->arena, function.data, function.length);
  buffer.location = location_text(planned, origin->location);
  if (!buffer.name || !buffer.op || !buffer.function || !buffer.location ||
      !name || !buffer.ranges || !buffer.owned)
    return gmem_out_of_memory(planned->diag);
  GMEM_TRY_GROW(&planned->arena, planned->buffers, count, planned->buffer_room,
                planned->diag);
  GMEM_TRY_GROW(&planned->arena, planned->contents, count,
                planned->contents_room, planned->diag);
  GMEM_TRY_GROW(&planned->arena, planned->location_names, count,
                planned->names_room, planned->diag);
  planned->location_names[count] = name;
  planned->contents[count] = contents;
  planned->buffers[count] = buffer;
  ++planned->buffer_count;
  return GMEM_OK;
}

//===--- values -----------------------------------------------------------===//

static uint32_t flags_of(const gmem_live_value_t *live) {
  return (live->input ? GMEM_PLANNED_INPUT : 0u) |
         (live->output ? GMEM_PLANNED_OUTPUT : 0u);
}

// The elements of a value if it is a constant.
static contents_t contents_of(const scope_reader_t *reader, uint32_t value,
                              uint32_t pool) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_value_t *entry = &program->values[value];
  if (!reader->planned->pools[pool].constant)
    return (contents_t){{NULL}, {NULL}};
  contents_t contents = {.type = mlirValueGetType(entry->value)};
  if (entry->op != GMEM_NO_INDEX)
    contents.elements =
        gmem_contents_find(program->ops[entry->op].op,
                           program->ops[entry->op].global, reader->symbols);
  return contents;
}

static const char *value_name(const scope_reader_t *reader,
                              const gmem_function_t *function,
                              MlirValue value) {
  gmem_text_t text = begin_name(reader, function);
  mlirValuePrintAsOperand(value, reader->state, gmem_text_piece, &text);
  return gmem_text_get(&text);
}

// Sets the live and owned ranges of the buffer of |root|; those of a weight are
// the whole timeline.
static void set_ranges(const scope_reader_t *reader, uint32_t root,
                       gmem_planned_buffer_t *buffer) {
  const gmem_liveness_t *liveness = &reader->analysis->liveness;
  gmem_live_range_t whole = {0, gmem_call_contexts_length(liveness->contexts)};
  gmem_alias_set_t set = {.ranges = &whole, .range_count = 1};
  gmem_owned_t owned = {&whole, 1};
  if (liveness->set_of[root] != GMEM_NO_INDEX) {
    set = liveness->sets[liveness->set_of[root]];
    owned = reader->owned[liveness->set_of[root]];
  }
  buffer->ranges = copy_ranges(reader, set.ranges, set.range_count);
  buffer->range_count = set.range_count;
  buffer->owned = copy_ranges(reader, owned.ranges, owned.range_count);
  buffer->owned_count = owned.range_count;
}

static gmem_status_t add_value(const scope_reader_t *reader, uint32_t value) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_program_t *program = &analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_live_value_t *live = &analysis->liveness.live_values[value];
  const gmem_value_place_t *place = &reader->plan->places[value];
  const gmem_constant_t *weight = reader->weight_of[live->root];
  uint32_t source = weight ? weight->source : live->root;
  const origin_t origin = {
      entry->op == GMEM_NO_INDEX
          ? gmem_string("argument")
          : mlirIdentifierStr(mlirOperationGetName(program->ops[entry->op].op)),
      &program->functions[gmem_value_function(program, value)],
      gmem_value_location(program, value)};
  gmem_planned_buffer_t buffer = {
      .name = value_name(reader, origin.function, entry->value),
      .pool = reader->first_pool + place->pool,
      .alias_of = source == value ? GMEM_NO_BUFFER : reader->buffer_of[source],
      .offset = (uint64_t)place->offset,
      .size = (uint64_t)place->size,
      .flags = flags_of(live),
      .payload_offset = (uint64_t)place->payload,
      .payload_size = entry->size};
  assert(place->pool < reader->plan->pools.count); // it is verified
  buffer.alignment =
      alignment_of(reader, live->root, buffer.pool, buffer.offset);
  const gmem_buffer_constraint_t *constraint =
      weight
          ? &weight->constraint
          : &analysis->constraints.sets[analysis->liveness.set_of[live->root]];
  if (is_spilled(reader, place, weight != NULL, &constraint->candidates))
    count_spilled(reader, &buffer);
  set_ranges(reader, live->root, &buffer);
  return append_buffer(
      reader, buffer, &origin,
      location_name(reader, mlirValueGetLocation(entry->value), ""),
      contents_of(reader, value, buffer.pool));
}

// Numbers the scope's buffers before they are added, as an alias may precede
// its parent.
static void number_buffers(const scope_reader_t *reader) {
  uint32_t next = (uint32_t)reader->planned->buffer_count;
  const gmem_live_value_t *live_values = reader->analysis->liveness.live_values;
  for (uint32_t i = 0; i < reader->analysis->program.value_count; ++i)
    if (gmem_live_value_is_planned(&live_values[i]))
      reader->buffer_of[i] = next++;
}

//===--- workbuffers ------------------------------------------------------===//

// "%4#wb0" for an op with results, "npu.conv@7#wb0" for others, after the name
// of the function.
static const char *workbuffer_name(const scope_reader_t *reader,
                                   const gmem_function_t *function,
                                   const gmem_op_workbuffer_t *workbuffer) {
  const gmem_program_op_t *step =
      &reader->analysis->program.ops[workbuffer->step];
  gmem_text_t text = begin_name(reader, function);
  if (mlirOperationGetNumResults(workbuffer->op)) {
    mlirValuePrintAsOperand(mlirOperationGetResult(workbuffer->op, 0),
                            reader->state, gmem_text_piece, &text);
  } else {
    gmem_text_piece(mlirIdentifierStr(mlirOperationGetName(workbuffer->op)),
                    &text);
    gmem_text_print(&text, "@%lld", (long long)(step->begin - function->begin));
  }
  gmem_text_print(&text, "#wb%u", workbuffer->number);
  return gmem_text_get(&text);
}

// Sets the alignment of a workbuffer with memory, and counts it if it is not in
// its first candidate pool.
static void finish_workbuffer(const scope_reader_t *reader, uint32_t index,
                              gmem_planned_buffer_t *buffer) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_op_workbuffer_t *workbuffer = &analysis->workbuffers.all[index];
  const gmem_value_place_t *place = &reader->plan->work_places[index];
  assert(place->pool < reader->plan->pools.count); // it is verified
  const gmem_pool_entry_t *entry = &reader->plan->pools.entries[place->pool];
  uint64_t alignment = entry->alignment;
  if (!workbuffer->immutable) {
    const gmem_candidate_pools_t *pools = &analysis->constraints.pools;
    alignment = gmem_candidate_pool_unit(
        pools, gmem_candidate_pool_find(pools, entry->name), alignment);
    if (is_spilled(reader, place, false,
                   &analysis->constraints.work[index].candidates))
      count_spilled(reader, buffer);
  }
  if (alignment > buffer->alignment)
    buffer->alignment = alignment;
}

// The steps at which the op begins, on the timeline of all scopes; NULL if out
// of memory.
static int64_t *find_steps(const scope_reader_t *reader,
                           const gmem_op_workbuffer_t *workbuffer,
                           size_t *out_count) {
  const gmem_call_contexts_t *contexts = reader->analysis->liveness.contexts;
  const gmem_program_op_t *step =
      &reader->analysis->program.ops[workbuffer->step];
  const uint32_t *list = gmem_contexts_of(contexts, step->function, out_count);
  int64_t *steps =
      gmem_bump_alloc(&reader->planned->arena, *out_count, sizeof *steps);
  for (size_t i = 0; steps && i < *out_count; ++i)
    steps[i] =
        reader->first_step + gmem_context_time(contexts, list[i], step->begin);
  return steps;
}

// The pool of a workbuffer of 0 bytes: any of its kind.
static uint32_t some_pool(const scope_reader_t *reader, bool constant) {
  const gmem_pool_table_t *table = &reader->plan->pools;
  uint32_t i = 0;
  while (i + 1 < table->count && table->entries[i].constant != constant)
    ++i;
  return i;
}

static gmem_status_t add_workbuffer_buffer(const scope_reader_t *reader,
                                           uint32_t index,
                                           const gmem_function_t *function) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_op_workbuffer_t *work = &analysis->workbuffers.all[index];
  const gmem_value_place_t *place = &reader->plan->work_places[index];
  const gmem_workbuffer_demand_t *demand = &analysis->constraints.work[index];
  gmem_live_range_t whole = {
      0, gmem_call_contexts_length(analysis->liveness.contexts)};
  size_t range_count = work->immutable ? 1 : demand->range_count;
  const origin_t origin = {mlirIdentifierStr(mlirOperationGetName(work->op)),
                           function, mlirOperationGetLocation(work->op)};
  char suffix[32];
  snprintf(suffix, sizeof suffix, "#wb%u", work->number);
  gmem_planned_buffer_t buffer = {
      .name = workbuffer_name(reader, function, work),
      .pool = reader->first_pool +
              (work->size ? place->pool : some_pool(reader, work->immutable)),
      .alias_of = GMEM_NO_BUFFER,
      .offset = work->size ? (uint64_t)place->offset : 0,
      .size = work->size,
      .alignment = work->alignment,
      .ranges = copy_ranges(reader, work->immutable ? &whole : demand->ranges,
                            range_count),
      .range_count = range_count,
      .owned_count = range_count,
      .flags = GMEM_PLANNED_WORKBUFFER,
      .payload_size = work->size};
  buffer.owned = buffer.ranges;
  buffer.payload_offset = buffer.offset;
  if (work->size)
    finish_workbuffer(reader, index, &buffer);
  return append_buffer(reader, buffer, &origin,
                       location_name(reader, origin.location, suffix),
                       (contents_t){{NULL}, {NULL}});
}

static gmem_status_t add_workbuffer(const scope_reader_t *reader,
                                    uint32_t index,
                                    const gmem_function_t *function) {
  gmem_planned_t *planned = reader->planned;
  const gmem_op_workbuffer_t *work = &reader->analysis->workbuffers.all[index];
  gmem_planned_workbuffer_t entry = {.buffer = (uint32_t)planned->buffer_count,
                                     .number = work->number,
                                     .immutable = work->immutable,
                                     .threads = work->threads,
                                     .thread_size = work->thread_size,
                                     .thread_stride =
                                         work->size / work->threads};
  entry.steps = find_steps(reader, work, &entry.step_count);
  if (!entry.steps)
    return gmem_out_of_memory(planned->diag);
  GMEM_TRY_GROW(&planned->arena, planned->workbuffers,
                planned->workbuffer_count, planned->workbuffer_room,
                planned->diag);
  planned->workbuffers[planned->workbuffer_count++] = entry;
  return add_workbuffer_buffer(reader, index, function);
}

//===--- functions --------------------------------------------------------===//

static gmem_status_t add_values(scope_reader_t *reader, uint32_t function) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_function_t *entry = &analysis->program.functions[function];
  for (uint32_t i = entry->first_value; i < entry->end_value; ++i)
    if (gmem_live_value_is_planned(&analysis->liveness.live_values[i])) {
      assert(reader->buffer_of[i] == reader->planned->buffer_count);
      GMEM_TRY(add_value(reader, i));
    }
  return GMEM_OK;
}

// Workbuffers are ordered by op and so by function.
static gmem_status_t add_workbuffers(scope_reader_t *reader,
                                     uint32_t function) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_workbuffers_t *all = &reader->analysis->workbuffers;
  for (uint32_t *next = &reader->next_workbuffer;
       *next < all->count &&
       program->ops[all->all[*next].step].function == function;
       ++*next)
    GMEM_TRY(add_workbuffer(reader, *next, &program->functions[function]));
  return GMEM_OK;
}

// Calls |add| for every function, with the names of its values at hand.
static gmem_status_t for_each_function(
    scope_reader_t *reader,
    gmem_status_t (*add)(scope_reader_t *reader, uint32_t function)) {
  const gmem_program_t *program = &reader->analysis->program;
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < program->function_count && status == GMEM_OK; ++i) {
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    reader->state =
        mlirAsmStateCreateForOperation(program->functions[i].op, flags);
    status = add(reader, i);
    mlirAsmStateDestroy(reader->state);
    mlirOpPrintingFlagsDestroy(flags);
  }
  return status;
}

//===--- one scope --------------------------------------------------------===//

static gmem_status_t add_aliases(const scope_reader_t *reader) {
  gmem_planned_t *planned = reader->planned;
  const gmem_alias_set_t *sets = reader->analysis->liveness.sets;
  for (size_t i = 0; i < reader->taken.count; ++i) {
    const gmem_taken_alias_t *taken = &reader->taken.aliases[i];
    GMEM_TRY_GROW(&planned->arena, planned->aliases, planned->alias_count,
                  planned->alias_room, planned->diag);
    assert(taken->child != taken->parent);
    planned->aliases[planned->alias_count++] = (gmem_planned_alias_t){
        .kind = taken->kind,
        .child = reader->buffer_of[sets[taken->child].root],
        .parent = reader->buffer_of[sets[taken->parent].root],
        .offset = taken->offset};
  }
  return GMEM_OK;
}

// Finds shared bytes and their owners. gmem.same_as may use aliases that the
// options exclude, so all aliases are considered; a verified plan uses no
// others.
static gmem_status_t find_sharing(scope_reader_t *reader) {
  const gmem_liveness_t *liveness = &reader->analysis->liveness;
  gmem_bump_t *arena = reader->analysis->arena;
  gmem_diag_t *diag = reader->planned->diag;
  gmem_model_options_t all = reader->plan->figures.model;
  gmem_aliases_t aliases = reader->analysis->constraints.aliases;
  if (all.sharing != GMEM_SHARE_ALL) {
    all.sharing = GMEM_SHARE_ALL;
    GMEM_TRY(gmem_aliases_find(liveness, &all, arena, &aliases, diag));
  }
  GMEM_TRY(gmem_taken_aliases_find(liveness, &aliases, reader->plan->places,
                                   arena, &reader->taken, diag));
  return gmem_owned_ranges_find(liveness, &reader->taken, arena, &reader->owned,
                                diag);
}

static gmem_status_t add_figures(gmem_planned_t *planned,
                                 const gmem_figures_entry_t *figures,
                                 int64_t step_count) {
  gmem_planned_figures_t *sum = &planned->figures;
  sum->algorithm = gmem_bump_string(&planned->arena, figures->algorithm.data,
                                    figures->algorithm.length);
  sum->peak += figures->peak;
  sum->lower_bound += figures->lower_bound;
  sum->optimal = sum->peak == sum->lower_bound;
  sum->step_count += step_count;
  return sum->algorithm ? GMEM_OK : gmem_out_of_memory(planned->diag);
}

// "MODULE/" if there are several scopes, named by symbol or number.
static const char *scope_prefix(gmem_planned_t *planned, MlirOperation scope,
                                size_t index) {
  if (planned->scope_count == 1)
    return "";
  MlirAttribute name = gmem_op_attribute(scope, "sym_name");
  gmem_text_t text = {.arena = &planned->arena};
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name)) {
    gmem_text_piece(mlirStringAttrGetValue(name), &text);
    gmem_text_print(&text, "#"); // names of nested modules may repeat
  }
  gmem_text_print(&text, "%zu/", index);
  return gmem_text_get(&text);
}

static gmem_status_t add_scope(scope_reader_t *reader) {
  gmem_planned_t *planned = reader->planned;
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_constants_t *weights = &analysis->constants;
  size_t count = analysis->program.value_count;
  size_t first_workbuffer = planned->workbuffer_count;
  if (!reader->prefix)
    return gmem_out_of_memory(planned->diag);
  GMEM_TRY_ALLOC(reader->buffer_of, analysis->arena, count, planned->diag);
  GMEM_TRY_ALLOC(reader->weight_of, analysis->arena, count, planned->diag);
  for (size_t i = 0; i < weights->count; ++i)
    reader->weight_of[weights->weights[i].value] = &weights->weights[i];
  GMEM_TRY(find_sharing(reader));
  for (uint32_t i = 0; i < reader->plan->pools.count; ++i)
    GMEM_TRY(add_pool(reader, &reader->plan->pools.entries[i]));
  number_buffers(reader);
  GMEM_TRY(for_each_function(reader, add_values));
  if (analysis->workbuffers.count)
    GMEM_TRY(for_each_function(reader, add_workbuffers));
  assert(reader->next_workbuffer == analysis->workbuffers.count);
  GMEM_TRY(add_aliases(reader));
  GMEM_TRY(gmem_planned_ops_add(analysis, reader->plan->places,
                                reader->buffer_of, first_workbuffer,
                                &planned->arena, &planned->ops, planned->diag));
  return add_figures(planned, &reader->plan->figures,
                     gmem_call_contexts_length(analysis->liveness.contexts));
}

typedef struct reading_s {
  gmem_planned_t *planned;
  const gmem_plan_visit_t *visit;
} reading_t;

static gmem_status_t read_scope(gmem_scope_plan_t *plan,
                                const gmem_op_models_t *models, void *user,
                                gmem_diag_t *diag) {
  const reading_t *reading = user;
  gmem_planned_t *planned = reading->planned;
  MlirOperation scope = plan->analysis.program.scope;
  scope_reader_t reader = {
      .planned = planned,
      .plan = plan,
      .analysis = &plan->analysis,
      .symbols = mlirSymbolTableCreate(scope),
      .prefix = scope_prefix(planned, scope, planned->scopes_read++),
      .first_pool = (uint32_t)planned->pool_count,
      .first_step = planned->figures.step_count};
  gmem_status_t status = add_scope(&reader);
  if (!mlirSymbolTableIsNull(reader.symbols))
    mlirSymbolTableDestroy(reader.symbols);
  GMEM_TRY(status);
  return reading->visit->use
             ? reading->visit->use(plan, models, reading->visit->user, diag)
             : GMEM_OK;
}

static gmem_status_t count_scope(MlirOperation scope, void *user) {
  (void)scope;
  ++*(size_t *)user;
  return GMEM_OK;
}

static gmem_status_t read_all(MlirOperation top, gmem_planned_t *planned,
                              const gmem_plan_visit_t *visit,
                              const gmem_allocator_t *allocator) {
  reading_t reading = {planned, visit};
  (void)gmem_for_each_scope(top, count_scope, &planned->scope_count);
  if (planned->scope_count == 0)
    return gmem_op_error(planned->diag, GMEM_ERR_NOT_FOUND, top,
                         "there is no plan here: run gmem-plan first");
  GMEM_TRY(gmem_for_each_plan_in(
      top, &(gmem_plan_visit_t){read_scope, &reading, visit->is_verified},
      allocator, planned->diag));
  gmem_status_t status = choose_names(planned);
  return status == GMEM_OK
             ? GMEM_OK
             : gmem_op_error(planned->diag, status, top, "out of memory");
}

gmem_status_t gmem_planned_read_with(MlirOperation top,
                                     const gmem_plan_visit_t *visit,
                                     const gmem_allocator_t *allocator,
                                     gmem_planned_t **out_planned,
                                     gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_diag_t unread;
  gmem_bump_init(&arena, allocator);
  *out_planned = NULL;
  gmem_planned_t *planned = gmem_bump_alloc(&arena, 1, sizeof *planned);
  if (!planned)
    return gmem_op_error(diag, GMEM_ERR_OUT_OF_MEMORY, top, "out of memory");
  planned->arena = arena;
  planned->diag = diag ? diag : &unread;
  gmem_status_t status = read_all(top, planned, visit, allocator);
  if (status != GMEM_OK)
    gmem_planned_destroy(planned);
  else
    *out_planned = planned;
  return status;
}

//===--- public functions -------------------------------------------------===//

gmem_status_t gmem_planned_read(MlirOperation top,
                                const gmem_allocator_t *allocator,
                                gmem_planned_t **out_planned,
                                gmem_diag_t *diag) {
  return gmem_planned_read_with(top, &(gmem_plan_visit_t){.use = NULL},
                                allocator, out_planned, diag);
}

gmem_status_t gmem_planned_read_verified(MlirOperation top,
                                         const gmem_allocator_t *allocator,
                                         gmem_planned_t **out_planned,
                                         gmem_diag_t *diag) {
  return gmem_planned_read_with(top, &(gmem_plan_visit_t){.is_verified = true},
                                allocator, out_planned, diag);
}

void gmem_planned_destroy(gmem_planned_t *planned) {
  if (!planned)
    return;
  gmem_bump_t arena = planned->arena; // the arena owns *planned
  gmem_bump_destroy(&arena);
}

const gmem_planned_figures_t *
gmem_planned_figures(const gmem_planned_t *planned) {
  return &planned->figures;
}

uint32_t gmem_planned_pool_count(const gmem_planned_t *planned) {
  return (uint32_t)planned->pool_count;
}

uint32_t gmem_planned_buffer_count(const gmem_planned_t *planned) {
  return (uint32_t)planned->buffer_count;
}

const gmem_planned_pool_t *gmem_planned_pool(const gmem_planned_t *planned,
                                             uint32_t index) {
  return &planned->pools[index];
}

const gmem_planned_buffer_t *gmem_planned_buffer(const gmem_planned_t *planned,
                                                 uint32_t index) {
  return &planned->buffers[index];
}

gmem_status_t gmem_planned_contents(const gmem_planned_t *planned,
                                    uint32_t index, void *out,
                                    gmem_diag_t *diag) {
  const gmem_planned_buffer_t *buffer = &planned->buffers[index];
  const contents_t *contents = &planned->contents[index];
  const char *why = "it is not a constant";
  gmem_status_t status = GMEM_ERR_INVALID_ARGUMENT;
  if (!mlirTypeIsNull(contents->type))
    status = gmem_contents_write(contents->elements, contents->type, out,
                                 buffer->size, &why);
  if (status == GMEM_OK)
    return GMEM_OK;
  return gmem_fail(diag, status,
                   "the contents of '%s' (%s, %s) are unknown: %s",
                   buffer->name, buffer->op, buffer->location, why);
}

size_t gmem_planned_workbuffer_count(const gmem_planned_t *planned) {
  return planned->workbuffer_count;
}

const gmem_planned_workbuffer_t *
gmem_planned_workbuffer(const gmem_planned_t *planned, size_t index) {
  return &planned->workbuffers[index];
}

size_t gmem_planned_alias_count(const gmem_planned_t *planned) {
  return planned->alias_count;
}

const gmem_planned_alias_t *gmem_planned_alias(const gmem_planned_t *planned,
                                               size_t index) {
  return &planned->aliases[index];
}

size_t gmem_planned_function_count(const gmem_planned_t *planned) {
  return planned->ops.function_count;
}

size_t gmem_planned_op_count(const gmem_planned_t *planned) {
  return planned->ops.op_count;
}

const gmem_planned_function_t *
gmem_planned_function(const gmem_planned_t *planned, size_t index) {
  return &planned->ops.functions[index];
}

const gmem_planned_op_t *gmem_planned_op(const gmem_planned_t *planned,
                                         size_t index) {
  return &planned->ops.ops[index];
}
