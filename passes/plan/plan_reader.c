// plan_reader.c - reads a verified plan into plain arrays, for tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aliases.h"
#include "analysis.h"
#include "byte_ownership.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "plan_attributes.h"
#include "plan_constants.h"
#include "plan_ops.h"
#include "pool_table.h"
#include "scope_loop.h"
#include "scope_plan.h"
#include "scopes.h"
#include "text.h"
#include "weights.h"

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
  size_t buffer_count, buffer_room, contents_room;
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

// "function/%4#1": unique like SSA names.
static const char *ssa_name(gmem_planned_t *planned, const char *scope,
                            MlirStringRef function, MlirAsmState state,
                            MlirValue value) {
  gmem_text_t text = {.arena = &planned->arena};
  gmem_text_print(&text, "%s", scope);
  gmem_text_piece(function, &text);
  gmem_text_print(&text, "/");
  mlirValuePrintAsOperand(value, state, gmem_text_piece, &text);
  return gmem_text_get(&text);
}

// The name of a value's location, or "" if it has none of its own: all results
// of an op share its location.
static const char *location_name(gmem_planned_t *planned, const char *scope,
                                 MlirValue value) {
  MlirLocation location = mlirValueGetLocation(value);
  gmem_text_t text = {.arena = &planned->arena};
  if (mlirLocationIsAName(location)) {
    gmem_text_print(&text, "%s", scope);
    gmem_text_piece(mlirIdentifierStr(mlirLocationNameGetName(location)),
                    &text);
  }
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
static void use_location_names(gmem_planned_t *planned, name_key_t *keys,
                               const char **location_names) {
  for (uint32_t i = 0; i < planned->buffer_count; ++i)
    keys[i] = (name_key_t){location_names[i], i};
  qsort(keys, planned->buffer_count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < planned->buffer_count; ++i)
    if (!is_repeated(keys, planned->buffer_count, i) &&
        is_portable(keys[i].name) && !strchr(keys[i].name, '%'))
      planned->buffers[keys[i].buffer].name = keys[i].name;
}

// Replaces duplicate names (sibling regions reuse SSA names) and names that are
// not portable with "%number". Returns false if out of memory.
static bool number_the_rest(gmem_planned_t *planned, name_key_t *keys) {
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
      return false;
    planned->buffers[keys[i].buffer].name = name;
  }
  return true;
}

static bool choose_names(gmem_planned_t *planned, const char **location_names) {
  name_key_t *keys =
      gmem_bump_alloc(&planned->arena, planned->buffer_count, sizeof *keys);
  if (!keys)
    return false;
  use_location_names(planned, keys, location_names);
  return number_the_rest(planned, keys);
}

//===--- one scope --------------------------------------------------------===//

typedef struct scope_reader_s {
  gmem_planned_t *planned;
  const gmem_analysis_t *analysis;
  const gmem_value_place_t *places;
  const gmem_value_place_t *work_places; // by workbuffer
  gmem_taken_aliases_t taken;
  const gmem_owned_t *owned; // by alias set
  const uint32_t *sources;   // by value of a weight: whose memory it uses
  const MlirStringRef *first_choices; // by value of a weight: its best
                                      //   candidate pool
  MlirSymbolTable symbols;            // of the scope, or null
  const char *prefix;                 // "" or "MODULE/"
  uint32_t first_pool;                // of this scope
  int64_t first_step;                 // of this scope
  uint32_t *buffer_of;                // by value of the program
  const char ***out_names;            // location names, one per buffer
  size_t *names_room;
} scope_reader_t;

// The memory of the pool in gmem.memories, or NULL.
static const gmem_memory_t *memory_of(const scope_reader_t *reader,
                                      MlirStringRef name) {
  const gmem_program_t *program = &reader->analysis->program;
  for (size_t i = 0; i < program->memory_count; ++i)
    if (mlirStringRefEqual(name, gmem_string(program->memories[i].name)))
      return &program->memories[i];
  return NULL;
}

// A copy, owned by the plan, of the name of the pool after which the memory is
// placed; NULL if there is none or if out of memory.
static const char *copy_after(const scope_reader_t *reader,
                              const gmem_memory_t *memory,
                              bool *out_of_memory) {
  if (!memory || !memory->after)
    return NULL;
  gmem_text_t text = {.arena = &reader->planned->arena};
  gmem_text_print(&text, "%s%s", reader->prefix, memory->after);
  *out_of_memory |= text.out_of_memory;
  return text.out_of_memory ? NULL : gmem_text_get(&text);
}

static gmem_status_t add_pool(const scope_reader_t *reader,
                              const gmem_pool_entry_t *entry) {
  gmem_planned_t *planned = reader->planned;
  gmem_text_t name = {.arena = &planned->arena};
  gmem_text_print(&name, "%s", reader->prefix);
  gmem_text_piece(entry->name, &name);
  const gmem_memory_t *memory = memory_of(reader, entry->name);
  bool out_of_memory = name.out_of_memory;
  const char *after = copy_after(reader, memory, &out_of_memory);
  if (out_of_memory ||
      !gmem_bump_grow(&planned->arena, &planned->pools, planned->pool_count,
                      &planned->pool_room, sizeof *planned->pools))
    return gmem_out_of_memory(planned->diag);
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
      .after = after,
      .shared_offset = entry->shared_offset,
      .shared_size = entry->shared_size};
  return GMEM_OK;
}

static gmem_status_t add_pools(const scope_reader_t *reader,
                               const gmem_pool_entry_t *entries, size_t count) {
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(add_pool(reader, &entries[i]));
  return GMEM_OK;
}

static uint32_t pool_index(const scope_reader_t *reader, MlirStringRef name) {
  size_t skip = strlen(reader->prefix);
  for (uint32_t i = reader->first_pool; i < reader->planned->pool_count; ++i)
    if (mlirStringRefEqual(name,
                           gmem_string(reader->planned->pools[i].name + skip)))
      return i;
  return reader->first_pool; // not reached: the plan is verified
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

// Sets the live and owned ranges of the buffer of |root|; those of a weight are
// the whole timeline. Returns false if out of memory.
static bool add_ranges(const scope_reader_t *reader, uint32_t root,
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
  return buffer->ranges && buffer->owned;
}

// A buffer inside another one may be less aligned than the pool, and a memref
// has its own alignment.
static uint64_t alignment_of(const scope_reader_t *reader, uint32_t root,
                             uint32_t pool, uint64_t offset) {
  uint32_t set = reader->analysis->liveness.set_of[root];
  if (set != GMEM_NO_INDEX && reader->analysis->constraints.sets[set].alignment)
    return reader->analysis->constraints.sets[set].alignment;
  const gmem_planned_pool_t *in = &reader->planned->pools[pool];
  uint64_t address = (in->base == GMEM_NO_BASE ? 0 : in->base) + offset;
  uint64_t view = reader->analysis->aliases.view_alignment;
  uint64_t alignment =
      address % in->alignment == 0 || in->constant ? in->alignment : view;
  // The start of a pool may be more aligned than the buffers in it.
  while (address % alignment)
    alignment /= 2;
  return alignment;
}

// Whether |root| is not in its first candidate pool.
static bool is_spilled(const scope_reader_t *reader, uint32_t root) {
  const gmem_placement_constraints_t *constraints =
      &reader->analysis->constraints;
  uint32_t set = reader->analysis->liveness.set_of[root];
  MlirStringRef first =
      set == GMEM_NO_INDEX
          ? reader->first_choices[root]
          : gmem_string(
                constraints->pools[constraints->sets[set].pools[0]].name);
  return first.length && !mlirStringRefEqual(first, reader->places[root].pool);
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

// |name|: from its location. Strings are NULL if out of memory.
static gmem_status_t append_buffer(scope_reader_t *reader,
                                   const gmem_planned_buffer_t *buffer,
                                   const char *name, contents_t contents) {
  gmem_planned_t *planned = reader->planned;
  size_t count = planned->buffer_count;
  if (!buffer->name || !buffer->op || !buffer->function || !buffer->location ||
      !name ||
      !gmem_bump_grow(&planned->arena, &planned->buffers, count,
                      &planned->buffer_room, sizeof *buffer) ||
      !gmem_bump_grow(&planned->arena, &planned->contents, count,
                      &planned->contents_room, sizeof contents) ||
      !gmem_bump_grow(&planned->arena, reader->out_names, count,
                      reader->names_room, sizeof name))
    return gmem_out_of_memory(planned->diag);
  (*reader->out_names)[count] = name;
  planned->contents[count] = contents;
  planned->buffers[count] = *buffer;
  ++planned->buffer_count;
  return GMEM_OK;
}

static gmem_status_t add_buffer(scope_reader_t *reader, uint32_t value,
                                MlirAsmState state) {
  gmem_planned_t *planned = reader->planned;
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_live_value_t *live =
      &reader->analysis->liveness.live_values[value];
  uint32_t source = reader->sources[live->root];
  MlirStringRef function =
      program->functions[gmem_value_function(program, value)].name;
  MlirStringRef op =
      entry->op == GMEM_NO_INDEX
          ? gmem_string("argument")
          : mlirIdentifierStr(mlirOperationGetName(program->ops[entry->op].op));
  gmem_planned_buffer_t buffer = {
      .name = ssa_name(planned, reader->prefix, function, state, entry->value),
      .op = gmem_bump_string(&planned->arena, op.data, op.length),
      .function =
          gmem_bump_string(&planned->arena, function.data, function.length),
      .location = location_text(planned, gmem_value_location(program, value)),
      .pool = pool_index(reader, reader->places[value].pool),
      .alias_of = source == value ? GMEM_NO_BUFFER : reader->buffer_of[source],
      .offset = (uint64_t)reader->places[value].offset,
      .size = (uint64_t)reader->places[value].size,
      .flags = flags_of(live),
      .payload_offset = (uint64_t)reader->places[value].payload,
      .payload_size = entry->size};
  buffer.alignment =
      alignment_of(reader, live->root, buffer.pool, buffer.offset);
  if (is_spilled(reader, live->root))
    count_spilled(reader, &buffer);
  if (!add_ranges(reader, live->root, &buffer))
    return gmem_out_of_memory(planned->diag);
  return append_buffer(reader, &buffer,
                       location_name(planned, reader->prefix, entry->value),
                       contents_of(reader, value, buffer.pool));
}

// Numbers the scope's buffers before they are added, as an alias may precede
// its parent.
static void number_buffers(const scope_reader_t *reader) {
  uint32_t next = (uint32_t)reader->planned->buffer_count;
  const gmem_live_value_t *live_values = reader->analysis->liveness.live_values;
  for (uint32_t i = 0; i < reader->analysis->program.value_count; ++i)
    if (live_values[i].storage == GMEM_STORAGE_TENSOR ||
        live_values[i].storage == GMEM_STORAGE_WEIGHT)
      reader->buffer_of[i] = next++;
}

static gmem_status_t add_buffers(scope_reader_t *reader) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_live_value_t *live_values = reader->analysis->liveness.live_values;
  gmem_status_t status = GMEM_OK;
  number_buffers(reader);
  for (size_t f = 0; f < program->function_count && status == GMEM_OK; ++f) {
    const gmem_function_t *function = &program->functions[f];
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    MlirAsmState state = mlirAsmStateCreateForOperation(function->op, flags);
    for (uint32_t i = function->first_value;
         i < function->end_value && status == GMEM_OK; ++i)
      if (live_values[i].storage == GMEM_STORAGE_TENSOR ||
          live_values[i].storage == GMEM_STORAGE_WEIGHT)
        status = add_buffer(reader, i, state);
    mlirAsmStateDestroy(state);
    mlirOpPrintingFlagsDestroy(flags);
  }
  return status;
}

//===--- workbuffers ------------------------------------------------------===//

// "%4#wb0" for an op with results, "npu.conv@7#wb0" for others, after the name
// of the function.
static const char *workbuffer_name(const scope_reader_t *reader,
                                   const gmem_op_workbuffer_t *workbuffer,
                                   MlirAsmState state) {
  gmem_planned_t *planned = reader->planned;
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_program_op_t *step = &program->ops[workbuffer->step];
  const gmem_function_t *function = &program->functions[step->function];
  gmem_text_t text = {.arena = &planned->arena};
  gmem_text_print(&text, "%s", reader->prefix);
  gmem_text_piece(function->name, &text);
  gmem_text_print(&text, "/");
  if (mlirOperationGetNumResults(workbuffer->op)) {
    mlirValuePrintAsOperand(mlirOperationGetResult(workbuffer->op, 0), state,
                            gmem_text_piece, &text);
  } else {
    gmem_text_piece(mlirIdentifierStr(mlirOperationGetName(workbuffer->op)),
                    &text);
    gmem_text_print(&text, "@%lld", (long long)(step->begin - function->begin));
  }
  gmem_text_print(&text, "#wb%u", workbuffer->number);
  return gmem_text_get(&text);
}

static const char *
workbuffer_location_name(const scope_reader_t *reader,
                         const gmem_op_workbuffer_t *workbuffer) {
  MlirLocation location = mlirOperationGetLocation(workbuffer->op);
  gmem_text_t text = {.arena = &reader->planned->arena};
  if (mlirLocationIsAName(location)) {
    gmem_text_print(&text, "%s", reader->prefix);
    gmem_text_piece(mlirIdentifierStr(mlirLocationNameGetName(location)),
                    &text);
    gmem_text_print(&text, "#wb%u", workbuffer->number);
  }
  return gmem_text_get(&text);
}

// The workspace pool of a mutable workbuffer.
static uint32_t workspace_of(const scope_reader_t *reader,
                             const gmem_op_workbuffer_t *workbuffer,
                             MlirStringRef pool) {
  const gmem_memory_candidates_t *candidates = &workbuffer->candidates;
  uint32_t i = 0;
  while (
      i + 1 < candidates->count &&
      !mlirStringRefEqual(
          pool,
          gmem_string(
              reader->analysis->constraints.pools[candidates->pools[i]].name)))
    ++i;
  return candidates->pools[i]; // a verified plan uses a candidate
}

// Sets the alignment of a workbuffer, and counts it if it is not in its first
// candidate pool.
static void finish_workbuffer(const scope_reader_t *reader,
                              const gmem_op_workbuffer_t *workbuffer,
                              MlirStringRef pool,
                              gmem_planned_buffer_t *buffer) {
  uint64_t alignment = reader->planned->pools[buffer->pool].alignment;
  buffer->alignment = workbuffer->alignment;
  if (!workbuffer->size)
    return;
  if (!workbuffer->immutable) {
    uint32_t workspace = workspace_of(reader, workbuffer, pool);
    alignment = gmem_workspace_unit(&reader->analysis->constraints, workspace,
                                    alignment);
    if (workspace != workbuffer->candidates.pools[0])
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
  uint32_t i = reader->first_pool;
  while (i + 1 < reader->planned->pool_count &&
         reader->planned->pools[i].constant != constant)
    ++i;
  return i;
}

static gmem_status_t add_workbuffer_buffer(scope_reader_t *reader,
                                           uint32_t index, MlirAsmState state) {
  gmem_planned_t *planned = reader->planned;
  const gmem_analysis_t *analysis = reader->analysis;
  const gmem_op_workbuffer_t *work = &analysis->workbuffers.all[index];
  const gmem_value_place_t *place = &reader->work_places[index];
  MlirStringRef op = mlirIdentifierStr(mlirOperationGetName(work->op));
  MlirStringRef function =
      analysis->program.functions[analysis->program.ops[work->step].function]
          .name;
  gmem_live_range_t whole = {
      0, gmem_call_contexts_length(analysis->liveness.contexts)};
  const gmem_live_range_t *ranges = work->immutable ? &whole : work->ranges;
  gmem_planned_buffer_t buffer = {
      .name = workbuffer_name(reader, work, state),
      .op = gmem_bump_string(&planned->arena, op.data, op.length),
      .function =
          gmem_bump_string(&planned->arena, function.data, function.length),
      .location = location_text(planned, mlirOperationGetLocation(work->op)),
      .pool = work->size ? pool_index(reader, place->pool)
                         : some_pool(reader, work->immutable),
      .alias_of = GMEM_NO_BUFFER,
      .offset = work->size ? (uint64_t)place->offset : 0,
      .size = work->size,
      .range_count = work->immutable ? 1 : work->range_count,
      .flags = GMEM_PLANNED_WORKBUFFER,
      .payload_size = work->size};
  buffer.payload_offset = buffer.offset;
  finish_workbuffer(reader, work, place->pool, &buffer);
  buffer.ranges = copy_ranges(reader, ranges, buffer.range_count);
  buffer.owned = buffer.ranges;
  buffer.owned_count = buffer.range_count;
  if (!buffer.ranges)
    return gmem_out_of_memory(planned->diag);
  return append_buffer(reader, &buffer, workbuffer_location_name(reader, work),
                       (contents_t){{NULL}, {NULL}});
}

static gmem_status_t add_workbuffer(scope_reader_t *reader, uint32_t index,
                                    MlirAsmState state) {
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
  if (!entry.steps || !gmem_bump_grow(&planned->arena, &planned->workbuffers,
                                      planned->workbuffer_count,
                                      &planned->workbuffer_room, sizeof entry))
    return gmem_out_of_memory(planned->diag);
  planned->workbuffers[planned->workbuffer_count++] = entry;
  return add_workbuffer_buffer(reader, index, state);
}

// Adds the workbuffers after the scope's values, function by function.
static gmem_status_t add_workbuffers(scope_reader_t *reader) {
  const gmem_program_t *program = &reader->analysis->program;
  const gmem_workbuffers_t *all = &reader->analysis->workbuffers;
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < all->count && status == GMEM_OK;) {
    uint32_t function = program->ops[all->all[i].step].function;
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    MlirAsmState state =
        mlirAsmStateCreateForOperation(program->functions[function].op, flags);
    for (; i < all->count && status == GMEM_OK &&
           program->ops[all->all[i].step].function == function;
         ++i)
      status = add_workbuffer(reader, i, state);
    mlirAsmStateDestroy(state);
    mlirOpPrintingFlagsDestroy(flags);
  }
  return status;
}

static gmem_status_t add_aliases(const scope_reader_t *reader) {
  gmem_planned_t *planned = reader->planned;
  const gmem_alias_set_t *sets = reader->analysis->liveness.sets;
  for (size_t i = 0; i < reader->taken.count; ++i) {
    const gmem_taken_alias_t *taken = &reader->taken.aliases[i];
    if (!gmem_bump_grow(&planned->arena, &planned->aliases,
                        planned->alias_count, &planned->alias_room,
                        sizeof *planned->aliases))
      return gmem_out_of_memory(planned->diag);
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
static gmem_status_t find_sharing(scope_reader_t *reader,
                                  const gmem_op_models_t *models,
                                  const gmem_model_options_t *options,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = &reader->analysis->liveness;
  gmem_model_options_t all = *options;
  all.sharing = GMEM_SHARE_ALL;
  gmem_aliases_t aliases = reader->analysis->aliases;
  gmem_owned_t *owned;
  if (options->sharing != GMEM_SHARE_ALL)
    GMEM_TRY(gmem_aliases_find(liveness, models, &all, arena, &aliases, diag));
  GMEM_TRY(gmem_taken_aliases_find(liveness, &aliases, reader->places, arena,
                                   &reader->taken, diag));
  GMEM_TRY(
      gmem_owned_ranges_find(liveness, &reader->taken, arena, &owned, diag));
  reader->owned = owned;
  return GMEM_OK;
}

static void add_figures(gmem_planned_t *planned,
                        const gmem_figures_entry_t *figures,
                        int64_t step_count) {
  planned->figures.peak += figures->peak;
  planned->figures.lower_bound += figures->lower_bound;
  planned->figures.optimal =
      planned->figures.peak == planned->figures.lower_bound;
  planned->figures.step_count += step_count;
}

// Fills |sources|: by value, the source of a constant that shares its memory,
// else the value itself; and |first_choices|.
static gmem_status_t find_sources(const gmem_analysis_t *analysis, bool share,
                                  gmem_bump_t *arena, uint32_t **out_sources,
                                  MlirStringRef **out_first_choices,
                                  gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  gmem_constants_t weights;
  uint32_t *sources =
      gmem_bump_alloc(arena, program->value_count, sizeof *sources);
  MlirStringRef *choices =
      gmem_bump_alloc(arena, program->value_count, sizeof *choices);
  *out_sources = sources;
  *out_first_choices = choices;
  if (!sources || !choices)
    return gmem_out_of_memory(diag);
  gmem_status_t status = gmem_weights_find(
      &(gmem_weights_options_t){
          .program = program, .liveness = &analysis->liveness, .share = share},
      arena, &weights, diag);
  for (uint32_t i = 0; i < program->value_count; ++i)
    sources[i] = i;
  for (size_t i = 0; i < weights.count && status == GMEM_OK; ++i) {
    const gmem_constant_t *weight = &weights.weights[i];
    sources[weight->value] = weight->source;
    choices[weight->value] =
        weights.pools.names[gmem_weight_pools(&weights, weight)->pools[0]];
  }
  return status;
}

typedef struct read_context_s {
  gmem_planned_t *planned;
  const char **names;
  size_t names_room;
} read_context_t;

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

static gmem_status_t read_scope(MlirOperation scope,
                                const gmem_op_models_t *models,
                                gmem_bump_t *arena, void *user,
                                gmem_diag_t *diag) {
  read_context_t *context = user;
  gmem_planned_t *planned = context->planned;
  gmem_scope_plan_t plan;
  const gmem_analysis_t *analysis = &plan.analysis;
  uint32_t *sources;
  MlirStringRef *first_choices;
  gmem_status_t status =
      gmem_scope_plan_read(scope, models, arena, &plan, diag);
  if (status == GMEM_OK)
    status = find_sources(analysis, plan.figures.model.share_weights, arena,
                          &sources, &first_choices, diag);
  if (status != GMEM_OK)
    return status;
  scope_reader_t reader = {
      .planned = planned,
      .analysis = analysis,
      .places = plan.places,
      .work_places = plan.work_places,
      .sources = sources,
      .first_choices = first_choices,
      .symbols = mlirSymbolTableCreate(scope),
      .prefix = scope_prefix(planned, scope, planned->scopes_read++),
      .first_pool = (uint32_t)planned->pool_count,
      .first_step = planned->figures.step_count,
      .buffer_of = gmem_bump_alloc(arena, analysis->program.value_count,
                                   sizeof(uint32_t)),
      .out_names = &context->names,
      .names_room = &context->names_room};
  const char *algorithm =
      gmem_bump_string(&planned->arena, plan.figures.algorithm.data,
                       plan.figures.algorithm.length);
  planned->figures.algorithm = algorithm;
  status = reader.buffer_of && reader.prefix && algorithm
               ? find_sharing(&reader, models, &plan.figures.model, arena, diag)
               : gmem_out_of_memory(diag);
  if (status == GMEM_OK)
    status = add_pools(&reader, plan.pools, plan.pool_count);
  if (status == GMEM_OK)
    status = add_buffers(&reader);
  if (status == GMEM_OK)
    status = add_workbuffers(&reader);
  if (status == GMEM_OK)
    status = add_aliases(&reader);
  if (status == GMEM_OK)
    status = gmem_planned_ops_add(analysis, plan.places, reader.buffer_of,
                                  planned->workbuffer_count -
                                      analysis->workbuffers.count,
                                  &planned->arena, &planned->ops, diag);
  if (!mlirSymbolTableIsNull(reader.symbols))
    mlirSymbolTableDestroy(reader.symbols);
  if (status == GMEM_OK)
    add_figures(planned, &plan.figures,
                gmem_call_contexts_length(analysis->liveness.contexts));
  return status;
}

static gmem_status_t count_scope(MlirOperation scope, void *user) {
  (void)scope;
  ++*(size_t *)user;
  return GMEM_OK;
}

//===--- public functions -------------------------------------------------===//

static gmem_status_t read_all(MlirOperation top, bool verified,
                              const gmem_allocator_t *allocator,
                              gmem_planned_t *planned) {
  read_context_t context = {.planned = planned};
  (void)gmem_for_each_scope(top, count_scope, &planned->scope_count);
  if (planned->scope_count == 0)
    return gmem_error(planned->diag, GMEM_ERR_NOT_FOUND,
                      mlirOperationGetLocation(top), NULL, 0,
                      "there is no plan here: run gmem-plan first");
  if (!verified)
    GMEM_TRY(gmem_verify_module(top, allocator, planned->diag));
  GMEM_TRY(gmem_for_each_scope_in(top, allocator, read_scope, &context,
                                  planned->diag));
  if (!choose_names(planned, context.names))
    return gmem_error(planned->diag, GMEM_ERR_OUT_OF_MEMORY,
                      mlirOperationGetLocation(top), NULL, 0, "out of memory");
  return GMEM_OK;
}

static gmem_status_t read_plan(MlirOperation top, bool verified,
                               const gmem_allocator_t *allocator,
                               gmem_planned_t **out_planned,
                               gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_diag_t unread;
  gmem_bump_init(&arena, allocator);
  *out_planned = NULL;
  gmem_planned_t *planned = gmem_bump_alloc(&arena, 1, sizeof *planned);
  if (!planned)
    return gmem_error(diag, GMEM_ERR_OUT_OF_MEMORY,
                      mlirOperationGetLocation(top), NULL, 0, "out of memory");
  planned->arena = arena;
  planned->diag = diag ? diag : &unread;
  gmem_status_t status = read_all(top, verified, allocator, planned);
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
  return read_plan(top, false, allocator, out_planned, diag);
}

gmem_status_t gmem_planned_read_verified(MlirOperation top,
                                         const gmem_allocator_t *allocator,
                                         gmem_planned_t **out_planned,
                                         gmem_diag_t *diag) {
  return read_plan(top, true, allocator, out_planned, diag);
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
