// plan_reader.c - reads a verified plan into plain arrays, for tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <stdio.h>

#include "aliases.h"
#include "annotations.h"
#include "attribute_codec.h"
#include "byte_ownership.h"
#include "constant_globals.h"
#include "diag.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "live_ranges.h"
#include "mlir-c/BuiltinAttributes.h"
#include "plan_constants.h"
#include "plan_reading.h"
#include "planned.h"
#include "pool_bases.h"
#include "scopes.h"
#include "text.h"
#include "valid_region.h"
#include "vocabulary.h"

//===--- one scope --------------------------------------------------------===//

typedef struct scope_reader_s {
  gmem_planned_t *planned;
  const gmem_scope_plan_t *plan;
  const gmem_analysis_t *analysis; // of the plan
  gmem_live_range_t whole;         // all steps of the scope
  gmem_taken_aliases_t taken;
  gmem_owned_t *owned;               // by alias set
  const gmem_constant_t **weight_of; // by value: itself as a constant, or NULL
  MlirSymbolTable symbols;           // of the scope, or null
  const char *prefix;                // "" or "MODULE/"
  uint32_t first_pool;               // of this scope
  int64_t first_step;                // of this scope
  uint32_t *buffer_of;               // by value of the program
  uint32_t next_workbuffer;
  gmem_status_t status; // of reading the values
  MlirAsmState state;   // of the current function
} scope_reader_t;

static void add_pool(const scope_reader_t *reader,
                     const gmem_pool_entry_t *entry) {
  gmem_planned_t *planned = reader->planned;
  gmem_text_t name = {.arena = &planned->arena}, after = name;
  gmem_text_print(&name, "%s%.*s", reader->prefix, (int)entry->name.length,
                  entry->name.data);
  const gmem_memory_t *memory =
      gmem_pool_memory(&reader->analysis->program, entry->name);
  bool is_after = memory && memory->after;
  if (is_after)
    gmem_text_print(&after, "%s%s", reader->prefix, memory->after);
  GMEM_APPEND(&planned->arena, &planned->pools,
              (gmem_planned_pool_t){
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
                  .after = is_after ? gmem_text_get(&after) : NULL,
                  .shared_offset = entry->shared_offset,
                  .shared_size = entry->shared_size,
                  .is_init = entry->is_init});
}

// Copies |source|, shifted to the timeline of all scopes.
static gmem_live_range_t *copy_ranges(const scope_reader_t *reader,
                                      const gmem_live_range_t *source,
                                      size_t count) {
  gmem_live_range_t *copy =
      gmem_bump_alloc(&reader->planned->arena, count, sizeof *copy);
  assert(gmem_ranges_check(source, count));
  for (size_t i = 0; copy && i < count; ++i)
    copy[i] = (gmem_live_range_t){source[i].begin + reader->first_step,
                                  source[i].end + reader->first_step};
  return copy;
}

// A buffer inside another one may be less aligned than the pool, and a memref
// has its own alignment.
static uint64_t alignment_of(const scope_reader_t *reader, uint32_t root,
                             const gmem_planned_buffer_t *buffer) {
  const gmem_placement_constraints_t *constraints =
      &reader->analysis->constraints;
  uint32_t set = reader->analysis->liveness.set_of[root];
  if (set != GMEM_NO_INDEX && constraints->sets[set].alignment_code)
    return gmem_constraint_alignment(&constraints->sets[set]);
  const gmem_planned_pool_t *in = &reader->planned->pools.at[buffer->pool];
  uint64_t address = (in->base == GMEM_NO_BASE ? 0 : in->base) + buffer->offset;
  uint64_t alignment = address % in->alignment == 0 || in->constant
                           ? in->alignment
                           : constraints->aliases.view_alignment;
  assert(alignment && !(alignment & (alignment - 1)));
  // The start of a pool may be more aligned than the buffers in it.
  while (address % alignment)
    alignment /= 2;
  return alignment;
}

// Marks and counts a buffer that is not in the first of its candidates, which
// are among |pools|.
static void check_spilled(const scope_reader_t *reader,
                          const gmem_candidate_pools_t *pools,
                          gmem_memory_candidates_t candidates,
                          gmem_planned_buffer_t *buffer) {
  const gmem_pool_table_t *table = &reader->plan->pools;
  gmem_planned_pool_t *pool = &reader->planned->pools.at[buffer->pool];
  assert(candidates.count && candidates.pools[0] < pools->count);
  if (buffer->alias_of != GMEM_NO_BUFFER ||
      gmem_string_is(table->entries[buffer->pool - reader->first_pool].name,
                     pools->all[candidates.pools[0]].name))
    return;
  buffer->flags |= GMEM_PLANNED_SPILLED;
  pool->spilled += 1;
  pool->spilled_bytes += buffer->size;
}

// Sets the texts that describe where a buffer comes from: the op that defines
// it, its function, and its location.
static void set_origin(const scope_reader_t *reader, MlirStringRef op,
                       const gmem_function_t *function, MlirLocation location,
                       gmem_planned_buffer_t *buffer) {
  gmem_bump_t *arena = &reader->planned->arena;
  gmem_text_t text = {.arena = arena};
  mlirLocationPrint(location, gmem_text_piece, &text);
  buffer->op = gmem_bump_string(arena, op.data, op.length);
  buffer->function =
      gmem_bump_string(arena, function->name.data, function->name.length);
  buffer->location = gmem_text_get(&text);
}

// The name |stated| (gmem.name), else that of the buffer's location, followed
// by |suffix|; "" if it has none of its own: all results of an op share its
// location.
static const char *location_name(const scope_reader_t *reader,
                                 MlirAttribute stated, MlirLocation location,
                                 const char *suffix) {
  gmem_text_t text = {.arena = &reader->planned->arena};
  MlirStringRef name;
  if (gmem_string_get(stated, &name)) {
    gmem_text_print(&text, "%s%.*s%s", reader->prefix, (int)name.length,
                    name.data, suffix);
    return gmem_text_get(&text);
  }
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
  gmem_text_print(&text, "%s%.*s/", reader->prefix, (int)function->name.length,
                  function->name.data);
  return text;
}

//===--- values -----------------------------------------------------------===//

// Sets the live and owned ranges of the buffer of |root|; those of a weight are
// the whole timeline.
static void set_ranges(const scope_reader_t *reader, uint32_t root,
                       gmem_planned_buffer_t *buffer) {
  const gmem_liveness_t *liveness = &reader->analysis->liveness;
  gmem_alias_set_t set = {.ranges = &reader->whole, .range_count = 1};
  gmem_owned_t owned = {&reader->whole, 1};
  if (liveness->set_of[root] != GMEM_NO_INDEX) {
    set = liveness->sets[liveness->set_of[root]];
    owned = reader->owned[liveness->set_of[root]];
  }
  buffer->ranges = copy_ranges(reader, set.ranges, set.range_count);
  buffer->range_count = set.range_count;
  buffer->owned = copy_ranges(reader, owned.ranges, owned.range_count);
  buffer->owned_count = owned.range_count;
}

// Whether the memory of |value| is a constant that the program computes.
static bool is_computed(const gmem_program_t *program, uint32_t value) {
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  return op && op->has_global &&
         gmem_global_initialiser(gmem_global_of(program, op)).length;
}

static const int64_t *copy_sizes(const scope_reader_t *reader,
                                 const int64_t *sizes, uint32_t rank) {
  int64_t *copy = gmem_bump_alloc(&reader->planned->arena, rank, sizeof *copy);
  for (uint32_t i = 0; copy && i < rank; ++i)
    copy[i] = sizes[i];
  return copy;
}

// The layout that gmem.padding states per dimension, or gmem.strides, or that
// gmem.valid_region is of; else NULL. Moves the payload of a view to its
// elements.
static const gmem_planned_layout_t *layout_of(const scope_reader_t *reader,
                                              MlirValue value,
                                              gmem_planned_buffer_t *buffer) {
  gmem_padded_layout_t found;
  gmem_valid_region_t region;
  bool is_part = gmem_valid_region_of(value, &region) == GMEM_REGION_PART;
  if (!gmem_has_layout(value, &found) &&
      !(is_part && gmem_dense_layout_of(value, &found)))
    return NULL;
  if (found.view.pitch) {
    uint64_t elements = 1;
    for (uint32_t i = 0; i < found.rank; ++i)
      elements += (uint64_t)((found.sizes[i] - 1) * found.strides[i]);
    buffer->payload_offset += (uint64_t)found.view.first * found.element;
    buffer->payload_size = elements * found.element;
  }
  static const int64_t nowhere[GMEM_LAYOUT_MOST_DIMENSIONS] = {0};
  gmem_planned_layout_t *layout =
      gmem_bump_alloc(&reader->planned->arena, 1, sizeof *layout);
  if (layout)
    *layout = (gmem_planned_layout_t){
        .rank = found.rank,
        .border = found.border,
        .element = found.element,
        .sizes = copy_sizes(reader, found.sizes, found.rank),
        .before = copy_sizes(reader, found.before, found.rank),
        .after = copy_sizes(reader, found.after, found.rank),
        .strides = copy_sizes(reader, found.strides, found.rank),
        .valid_begin =
            copy_sizes(reader, is_part ? region.begin : nowhere, found.rank),
        .valid_end =
            copy_sizes(reader, is_part ? region.end : found.sizes, found.rank)};
  return layout;
}

// Sets where a value is placed, how, and when it is live.
static void set_place(const scope_reader_t *reader, uint32_t value,
                      gmem_planned_buffer_t *buffer) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_live_value_t *live = &analysis->liveness.live_values[value];
  const gmem_value_place_t *place = &reader->plan->places[value];
  const gmem_constant_t *weight = reader->weight_of[live->root];
  const gmem_buffer_constraint_t *sets = analysis->constraints.sets;
  uint32_t source = weight ? weight->source : live->root;
  uint32_t set = analysis->liveness.set_of[live->root];
  assert(weight || set != GMEM_NO_INDEX);
  assert(place->pool < reader->plan->pools.count); // it is verified
  buffer->pool = reader->first_pool + place->pool;
  buffer->alias_of =
      source == value ? GMEM_NO_BUFFER : reader->buffer_of[source];
  buffer->offset = (uint64_t)place->offset;
  buffer->size = (uint64_t)place->size;
  buffer->payload_offset = (uint64_t)place->payload;
  buffer->payload_size = analysis->program.values[value].size;
  buffer->alignment = alignment_of(reader, live->root, buffer);
  buffer->flags =
      (live->input ? GMEM_PLANNED_INPUT : 0u) |
      (live->output ? GMEM_PLANNED_OUTPUT : 0u) |
      (is_computed(&analysis->program, live->root) ? GMEM_PLANNED_COMPUTED
                                                   : 0u);
  buffer->layout =
      layout_of(reader, analysis->program.values[value].value, buffer);
  check_spilled(
      reader,
      weight ? &analysis->constants.pools : &analysis->constraints.pools,
      gmem_constraint_pools(weight ? &weight->constraint : &sets[set]), buffer);
  set_ranges(reader, live->root, buffer);
}

// The name of a value, as location_name.
static const char *value_name(const scope_reader_t *reader, uint32_t value) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  MlirAttribute stated = mlirAttributeGetNull();
  char suffix[16] = "";
  if (op)
    stated = gmem_op_annotation(op->op, GMEM_ATTR_NAME);
  else if (gmem_is_entry_block(program, entry->block))
    stated = gmem_argument_annotation(
        program->functions[gmem_value_function(program, value)].op,
        entry->number, GMEM_ATTR_NAME);
  if (op && entry->number && !mlirAttributeIsNull(stated))
    snprintf(suffix, sizeof suffix, "#%u", entry->number);
  return location_name(reader, stated, mlirValueGetLocation(entry->value),
                       suffix);
}

// Sets what the attributes of an op say of a buffer of it.
static void set_requests(const scope_reader_t *reader, MlirAttribute sensitive,
                         MlirAttribute group, gmem_planned_buffer_t *buffer) {
  MlirStringRef name;
  if (!mlirAttributeIsNull(sensitive))
    buffer->flags |= GMEM_PLANNED_SENSITIVE;
  if (gmem_string_get(group, &name))
    buffer->group =
        gmem_bump_string(&reader->planned->arena, name.data, name.length);
}

static void set_value_requests(const scope_reader_t *reader, uint32_t value,
                               gmem_planned_buffer_t *buffer) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  if (op) {
    set_requests(reader, gmem_op_annotation(op->op, GMEM_ATTR_SENSITIVE),
                 gmem_op_annotation(op->op, GMEM_ATTR_MEMORY_GROUP), buffer);
  } else if (gmem_is_entry_block(program, entry->block)) {
    MlirOperation function =
        program->functions[gmem_value_function(program, value)].op;
    set_requests(
        reader,
        gmem_argument_annotation(function, entry->number, GMEM_ATTR_SENSITIVE),
        gmem_argument_annotation(function, entry->number,
                                 GMEM_ATTR_MEMORY_GROUP),
        buffer);
    if (!mlirAttributeIsNull(
            gmem_argument_annotation(function, entry->number, GMEM_ATTR_STATE)))
      buffer->flags |= GMEM_PLANNED_STATE;
  }
}

static void add_value(const scope_reader_t *reader, uint32_t value) {
  const gmem_program_t *program = &reader->analysis->program;
  MlirValue ir = program->values[value].value;
  const gmem_function_t *function =
      &program->functions[gmem_value_function(program, value)];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  gmem_text_t name = begin_name(reader, function);
  mlirValuePrintAsOperand(ir, reader->state, gmem_text_piece, &name);
  gmem_planned_entry_t entry = {.buffer = {.name = gmem_text_get(&name)},
                                .location_name = value_name(reader, value),
                                .value = ir};
  set_origin(reader,
             op ? mlirIdentifierStr(mlirOperationGetName(op->op))
                : gmem_string("argument"),
             function, gmem_value_location(program, value), &entry.buffer);
  set_place(reader, value, &entry.buffer);
  set_value_requests(reader, value, &entry.buffer);
  if (reader->planned->pools.at[entry.buffer.pool].constant) {
    entry.type = mlirValueGetType(ir);
    if (op)
      entry.elements = gmem_contents_find(op->op, gmem_global_of(program, op),
                                          reader->symbols);
  }
  GMEM_APPEND(&reader->planned->arena, &reader->planned->buffers, entry);
}

// Numbers the scope's buffers before they are added, as an alias may precede
// its parent.
static void number_buffers(const scope_reader_t *reader) {
  uint32_t next = (uint32_t)reader->planned->buffers.count;
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

// Sets the place of a workbuffer with memory.
static void set_work_place(const scope_reader_t *reader, uint32_t index,
                           gmem_planned_buffer_t *buffer) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_value_place_t *place = &reader->plan->work_places[index];
  assert(place->pool < reader->plan->pools.count); // it is verified
  const gmem_pool_entry_t *entry = &reader->plan->pools.entries[place->pool];
  uint64_t alignment = entry->alignment;
  buffer->pool = reader->first_pool + place->pool;
  buffer->offset = buffer->payload_offset = (uint64_t)place->offset;
  if (!analysis->workbuffers.all[index].immutable) {
    const gmem_candidate_pools_t *pools = &analysis->constraints.pools;
    alignment = gmem_candidate_pool_unit(
        pools, gmem_candidate_pool_find(pools, entry->name), alignment);
    check_spilled(reader, pools, analysis->constraints.work[index].candidates,
                  buffer);
  }
  if (alignment > buffer->alignment)
    buffer->alignment = alignment;
}

// The steps at which the op begins, on the timeline of all scopes.
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
  return reader->first_pool + i;
}

static gmem_planned_entry_t workbuffer_entry(const scope_reader_t *reader,
                                             uint32_t index,
                                             const gmem_function_t *function) {
  const gmem_op_workbuffer_t *work = &reader->analysis->workbuffers.all[index];
  const gmem_workbuffer_demand_t *demand =
      &reader->analysis->constraints.work[index];
  MlirLocation location = mlirOperationGetLocation(work->op);
  size_t count = work->immutable ? 1 : demand->range_count;
  char suffix[32];
  snprintf(suffix, sizeof suffix, "#wb%u", work->number);
  gmem_planned_entry_t entry = {
      .buffer = {.name = workbuffer_name(reader, function, work),
                 .pool = some_pool(reader, work->immutable),
                 .alias_of = GMEM_NO_BUFFER,
                 .size = work->size,
                 .alignment = work->alignment,
                 .ranges = copy_ranges(
                     reader, work->immutable ? &reader->whole : demand->ranges,
                     count),
                 .range_count = count,
                 .owned_count = count,
                 .flags = GMEM_PLANNED_WORKBUFFER,
                 .payload_size = work->size},
      .location_name =
          location_name(reader, gmem_op_annotation(work->op, GMEM_ATTR_NAME),
                        location, suffix)};
  entry.buffer.owned = entry.buffer.ranges;
  set_requests(reader, gmem_op_annotation(work->op, GMEM_ATTR_SENSITIVE),
               gmem_op_annotation(work->op, GMEM_ATTR_MEMORY_GROUP),
               &entry.buffer);
  set_origin(reader, mlirIdentifierStr(mlirOperationGetName(work->op)),
             function, location, &entry.buffer);
  if (work->size)
    set_work_place(reader, index, &entry.buffer);
  return entry;
}

static void add_workbuffer(const scope_reader_t *reader, uint32_t index,
                           const gmem_function_t *function) {
  gmem_planned_t *planned = reader->planned;
  const gmem_op_workbuffer_t *work = &reader->analysis->workbuffers.all[index];
  gmem_planned_workbuffer_t made = {.buffer = (uint32_t)planned->buffers.count,
                                    .number = work->number,
                                    .immutable = work->immutable,
                                    .threads = work->threads,
                                    .thread_size = work->thread_size,
                                    .thread_stride =
                                        work->size / work->threads};
  made.steps = find_steps(reader, work, &made.step_count);
  GMEM_APPEND(&planned->arena, &planned->workbuffers, made);
  GMEM_APPEND(&planned->arena, &planned->buffers,
              workbuffer_entry(reader, index, function));
}

//===--- functions --------------------------------------------------------===//

// Adds the chain of |value|, of which the last buffer is, if it has one. Equal
// constants have the chain of their leader.
static gmem_status_t add_transforms(const scope_reader_t *reader,
                                    uint32_t value) {
  const gmem_program_op_t *op =
      gmem_defining_op(&reader->analysis->program, value);
  gmem_planned_t *planned = reader->planned;
  size_t before = planned->transforms.count;
  MlirOperation stated =
      op ? gmem_transformed_op(&reader->analysis->program, op)
         : (MlirOperation){NULL};
  if (mlirOperationIsNull(stated))
    return GMEM_OK;
  GMEM_TRY(gmem_bump_status(&planned->arena, planned->diag));
  uint32_t index = (uint32_t)planned->buffers.count - 1;
  gmem_planned_entry_t *entry = &planned->buffers.at[index];
  assert(planned->pools.at[entry->buffer.pool].constant);
  if (entry->buffer.alias_of != GMEM_NO_BUFFER)
    return GMEM_OK;
  GMEM_TRY(gmem_planned_transforms_add(stated, index, &planned->arena,
                                       &planned->transforms, &entry->elements,
                                       planned->diag));
  if (planned->transforms.count != before)
    entry->buffer.flags |= GMEM_PLANNED_TRANSFORMED;
  return GMEM_OK;
}

static void add_values(scope_reader_t *reader, uint32_t function) {
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_function_t *entry = &analysis->program.functions[function];
  for (uint32_t i = entry->first_value; i < entry->end_value; ++i)
    if (gmem_live_value_is_planned(&analysis->liveness.live_values[i])) {
      assert(reader->buffer_of[i] == reader->planned->buffers.count ||
             reader->planned->arena.out_of_memory);
      add_value(reader, i);
      if (reader->status == GMEM_OK)
        reader->status = add_transforms(reader, i);
    }
}

// Workbuffers are ordered by op and so by function.
static void add_workbuffers(scope_reader_t *reader, uint32_t function) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_workbuffers_t *all = &reader->analysis->workbuffers;
  for (uint32_t *next = &reader->next_workbuffer;
       *next < all->count &&
       program->ops[all->all[*next].step].function == function;
       ++*next)
    add_workbuffer(reader, *next, &program->functions[function]);
}

// Calls |add| for every function, with the names of its values in |reader|.
static void for_each_function(scope_reader_t *reader,
                              void (*add)(scope_reader_t *reader,
                                          uint32_t function)) {
  const gmem_program_t *program = &reader->analysis->program;
  for (uint32_t i = 0; i < program->function_count; ++i) {
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    reader->state =
        mlirAsmStateCreateForOperation(program->functions[i].op, flags);
    add(reader, i);
    mlirAsmStateDestroy(reader->state);
    mlirOpPrintingFlagsDestroy(flags);
  }
}

//===--- one scope --------------------------------------------------------===//

static void add_aliases(const scope_reader_t *reader) {
  const gmem_alias_set_t *sets = reader->analysis->liveness.sets;
  for (size_t i = 0; i < reader->taken.count; ++i) {
    const gmem_taken_alias_t *taken = &reader->taken.aliases[i];
    assert(taken->child != taken->parent);
    GMEM_APPEND(&reader->planned->arena, &reader->planned->aliases,
                (gmem_planned_alias_t){
                    .kind = taken->kind,
                    .child = reader->buffer_of[sets[taken->child].root],
                    .parent = reader->buffer_of[sets[taken->parent].root],
                    .offset = taken->offset});
  }
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

static void add_figures(const scope_reader_t *reader) {
  const gmem_figures_entry_t *figures = &reader->plan->figures;
  gmem_planned_figures_t *sum = &reader->planned->figures;
  sum->algorithm =
      gmem_bump_string(&reader->planned->arena, figures->algorithm.data,
                       figures->algorithm.length);
  sum->peak += figures->peak;
  sum->lower_bound += figures->lower_bound;
  sum->optimal = sum->peak == sum->lower_bound;
  sum->step_count += reader->whole.end;
  if (figures->order_bound == GMEM_UNLIMITED ||
      sum->order_bound == GMEM_UNLIMITED)
    sum->order_bound = GMEM_UNLIMITED;
  else
    sum->order_bound += figures->order_bound;
  if (figures->penalty != GMEM_UNLIMITED)
    sum->penalty =
        figures->penalty + (sum->penalty == GMEM_UNLIMITED ? 0 : sum->penalty);
  if (figures->order_gave_up.length && !sum->order_gave_up)
    sum->order_gave_up =
        gmem_bump_string(&reader->planned->arena, figures->order_gave_up.data,
                         figures->order_gave_up.length);
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

// Adds the ops, when they run, and the copies that control flow makes between
// them.
static gmem_status_t add_ops(const scope_reader_t *reader,
                             size_t first_workbuffer) {
  gmem_planned_t *planned = reader->planned;
  const gmem_analysis_t *analysis = reader->analysis;
  gmem_control_copies_t copies;
  GMEM_TRY(gmem_control_copies_read(analysis, &reader->plan->pools,
                                    reader->plan->places, &copies,
                                    planned->diag));
  const gmem_planned_copies_source_t source = {
      analysis, &copies, reader->buffer_of, reader->first_pool,
      reader->first_step};
  GMEM_TRY(gmem_planned_copies_add(&source, &planned->arena, &planned->copies,
                                   planned->diag));
  const gmem_planned_ops_source_t ops = {analysis, reader->plan->places,
                                         reader->buffer_of, &copies,
                                         first_workbuffer};
  GMEM_TRY(gmem_planned_ops_add(&ops, &planned->arena, &planned->ops,
                                planned->diag));
  const gmem_planned_relocations_source_t relocations = {
      analysis, reader->buffer_of, planned->workbuffers.at + first_workbuffer};
  GMEM_TRY(gmem_planned_relocations_add(&relocations, &planned->arena,
                                        &planned->relocations, planned->diag));
  const gmem_planned_spans_source_t spans = {analysis, reader->prefix,
                                             reader->first_step};
  return gmem_planned_spans_add(&spans, &planned->arena, &planned->spans,
                                planned->diag);
}

static gmem_status_t add_scope(scope_reader_t *reader) {
  gmem_planned_t *planned = reader->planned;
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_constants_t *weights = &analysis->constants;
  size_t count = analysis->program.value_count;
  size_t first_workbuffer = planned->workbuffers.count;
  GMEM_TRY(gmem_bump_status(&planned->arena, planned->diag)); // the prefix
  GMEM_TRY_ALLOC(reader->buffer_of, analysis->arena, count, planned->diag);
  GMEM_TRY_ALLOC(reader->weight_of, analysis->arena, count, planned->diag);
  for (size_t i = 0; i < weights->count; ++i)
    reader->weight_of[weights->weights[i].value] = &weights->weights[i];
  GMEM_TRY(find_sharing(reader));
  for (uint32_t i = 0; i < reader->plan->pools.count; ++i)
    add_pool(reader, &reader->plan->pools.entries[i]);
  GMEM_TRY(gmem_bump_status(&planned->arena, planned->diag));
  number_buffers(reader);
  for_each_function(reader, add_values);
  GMEM_TRY(reader->status);
  if (analysis->workbuffers.count)
    for_each_function(reader, add_workbuffers);
  assert(reader->next_workbuffer == analysis->workbuffers.count);
  add_aliases(reader);
  add_figures(reader);
  return add_ops(reader, first_workbuffer);
}

static gmem_status_t read_scope(gmem_scope_plan_t *plan,
                                const gmem_op_models_t *models, void *user,
                                gmem_diag_t *diag) {
  gmem_planned_t *planned = user;
  const gmem_plan_visit_t *visit = planned->visit;
  MlirOperation scope = plan->analysis.program.scope;
  scope_reader_t reader = {
      .planned = planned,
      .plan = plan,
      .analysis = &plan->analysis,
      .whole = {0, gmem_call_contexts_length(plan->analysis.liveness.contexts)},
      .symbols = mlirSymbolTableCreate(scope),
      .prefix = scope_prefix(planned, scope, planned->scopes_read++),
      .first_pool = (uint32_t)planned->pools.count,
      .first_step = planned->figures.step_count};
  gmem_status_t status = add_scope(&reader);
  if (!mlirSymbolTableIsNull(reader.symbols))
    mlirSymbolTableDestroy(reader.symbols);
  GMEM_TRY(status);
  return visit->use ? visit->use(plan, models, visit->user, diag) : GMEM_OK;
}

static void place_copies(gmem_planned_t *planned) {
  for (size_t i = 0; i < planned->copies.count; ++i) {
    gmem_planned_flow_copy_t *copy = &planned->copies.at[i];
    copy->from_address =
        gmem_planned_address(planned, copy->from_pool, copy->from);
    copy->to_address = gmem_planned_address(planned, copy->to_pool, copy->to);
  }
}

// Addends count from the start of the value until its padding is known.
static gmem_status_t place_relocations(MlirOperation top,
                                       gmem_planned_t *planned) {
  for (size_t i = 0; i < planned->relocations.count; ++i) {
    gmem_planned_relocation_t *relocation = &planned->relocations.at[i];
    const gmem_planned_buffer_t *buffer =
        &planned->buffers.at[relocation->buffer].buffer;
    if (relocation->addend > buffer->payload_size)
      return gmem_op_error(planned->diag, GMEM_ERR_INVALID_ARGUMENT, top,
                           "gmem.relocations: addend %llu of '%s' at %s is "
                           "beyond its value of %llu bytes",
                           (unsigned long long)relocation->addend,
                           relocation->op, relocation->location,
                           (unsigned long long)buffer->payload_size);
    relocation->addend += buffer->payload_offset - buffer->offset;
  }
  return gmem_planned_relocations_sort(top, &planned->relocations,
                                       planned->diag);
}

static gmem_status_t make_lookup(gmem_planned_t *planned) {
  size_t count = planned->buffers.count;
  MlirValue *values;
  GMEM_TRY_ALLOC(values, &planned->arena, count, planned->diag);
  for (size_t i = 0; i < count; ++i)
    values[i] = planned->buffers.at[i].value;
  const gmem_plan_lookup_source_t source = {values, (uint32_t)count,
                                            &planned->ops, &planned->copies,
                                            &planned->spans};
  return gmem_plan_lookup_make(&source, &planned->arena, &planned->lookup,
                               planned->diag);
}

static gmem_status_t read_all(MlirOperation top, gmem_planned_t *planned,
                              const gmem_allocator_t *allocator) {
  gmem_plan_visit_t visit = *planned->visit;
  visit.use = read_scope;
  visit.user = planned;
  planned->scope_count = gmem_count_scopes(top);
  if (planned->scope_count == 0)
    return gmem_op_error(planned->diag, GMEM_ERR_NOT_FOUND, top,
                         "there is no plan here: run gmem-plan first");
  GMEM_TRY(gmem_for_each_plan_in(top, &visit, allocator, planned->diag));
  assert(planned->scopes_read == planned->scope_count);
  place_copies(planned);
  GMEM_TRY(place_relocations(top, planned));
  gmem_status_t status = gmem_planned_choose_names(planned);
  if (status == GMEM_OK)
    status = make_lookup(planned);
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
  planned->visit = visit;
  planned->figures.penalty = GMEM_UNLIMITED; // until a scope has constraints
  gmem_status_t status = read_all(top, planned, allocator);
  if (status != GMEM_OK)
    gmem_planned_destroy(planned);
  else
    *out_planned = planned;
  return status;
}

gmem_status_t gmem_planned_read(MlirOperation top,
                                const gmem_allocator_t *allocator,
                                gmem_planned_t **out_planned,
                                gmem_diag_t *diag) {
  GMEM_NEED(top.ptr && out_planned, diag);
  return gmem_planned_read_with(top, &(gmem_plan_visit_t){.use = NULL},
                                allocator, out_planned, diag);
}

gmem_status_t gmem_planned_read_verified(MlirOperation top,
                                         const gmem_allocator_t *allocator,
                                         gmem_planned_t **out_planned,
                                         gmem_diag_t *diag) {
  GMEM_NEED(top.ptr && out_planned, diag);
  return gmem_planned_read_with(top, &(gmem_plan_visit_t){.is_verified = true},
                                allocator, out_planned, diag);
}

void gmem_planned_destroy(gmem_planned_t *planned) {
  if (!planned)
    return;
  gmem_bump_t arena = planned->arena; // the arena owns *planned
  gmem_bump_destroy(&arena);
}
