// problem_json_write.c - writes a problem, with or without a plan, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements are converted one by one, each to a line of text: a jansson tree of
// the whole document would need many times the memory of the text.

#include "problem_json_write.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "problem_json.h"

typedef struct writer_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  gmem_write_fn write;
  void *user;
  gmem_diag_t *diag;
  gmem_status_t status; // the first error; stops the output
  size_t used;
  char bytes[4096];
} writer_t;

//===--- bytes ------------------------------------------------------------===//

static void set_object_error(writer_t *writer, gmem_status_t status,
                             const char *what, uint64_t object,
                             const char *problem) {
  if (writer->status != GMEM_OK)
    return;
  writer->status = status;
  if (!writer->diag)
    return;
  *writer->diag = (gmem_diag_t){.status = status, .object = object};
  snprintf(writer->diag->text, sizeof writer->diag->text, "%s %" PRIu64 " %s",
           what, object, problem);
}

static void set_error(writer_t *writer, gmem_status_t status,
                      const char *text) {
  if (writer->status != GMEM_OK)
    return;
  writer->status = status;
  if (!writer->diag)
    return;
  *writer->diag = (gmem_diag_t){.status = status, .object = GMEM_NO_BUFFER};
  snprintf(writer->diag->text, sizeof writer->diag->text, "%s", text);
}

static void flush(writer_t *writer) {
  if (writer->status == GMEM_OK && writer->used) {
    gmem_status_t status =
        writer->write(writer->user, writer->bytes, writer->used);
    if (status != GMEM_OK)
      set_error(writer, status, "cannot write the JSON text");
  }
  writer->used = 0;
}

// jansson's callback; 0 means success.
static int put(const char *text, size_t length, void *user) {
  writer_t *writer = user;
  while (length) {
    if (writer->used == sizeof writer->bytes)
      flush(writer);
    size_t room = sizeof writer->bytes - writer->used;
    size_t part = length < room ? length : room;
    memcpy(writer->bytes + writer->used, text, part);
    writer->used += part;
    text += part;
    length -= part;
  }
  return 0;
}

static void put_text(writer_t *writer, const char *text) {
  (void)put(text, strlen(text), writer);
}

// Writes and frees |value|; NULL means out of memory.
static void put_json(writer_t *writer, json_t *value) {
  if (!value || json_dump_callback(value, put, writer, JSON_ENCODE_ANY) != 0)
    set_error(writer, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
  json_decref(value);
}

//===--- values -----------------------------------------------------------===//

// Adds |value| to the object, which takes ownership. If out of memory, sets the
// object to NULL.
static void set(json_t **object, const char *key, json_t *value) {
  if (*object && value && json_object_set_new(*object, key, value) == 0)
    return;
  if (!*object)
    json_decref(value);
  json_decref(*object);
  *object = NULL;
}

static void append(json_t **array, json_t *value) {
  if (*array && value && json_array_append_new(*array, value) == 0)
    return;
  if (!*array)
    json_decref(value);
  json_decref(*array);
  *array = NULL;
}

static json_t *number(uint64_t value) {
  return json_integer((json_int_t)value);
}

static json_t *pair(json_int_t first, json_int_t second) {
  json_t *array = json_array();
  append(&array, json_integer(first));
  append(&array, json_integer(second));
  return array;
}

static json_t *name_of(writer_t *writer, const char *name, const char *what,
                       uint64_t object) {
  json_t *text = json_string(name);
  if (text)
    return text;
  // Distinguishes out of memory from invalid UTF-8.
  json_t *unchecked = json_string_nocheck(name);
  json_t *again = json_string(name);
  if (unchecked && !again)
    set_object_error(writer, GMEM_ERR_INVALID_ARGUMENT, what, object,
                     "has a name that is not UTF-8");
  json_decref(again);
  json_decref(unchecked);
  return NULL;
}

//===--- elements ---------------------------------------------------------===//

typedef json_t *(*element_fn)(writer_t *writer, size_t index);

static json_t *pool_element(writer_t *writer, size_t index) {
  const gmem_pool_spec_t *pool =
      gmem_problem_pool(writer->problem, (uint32_t)index);
  json_t *object = json_object();
  set(&object, "name", name_of(writer, pool->name, "pool", index));
  set(&object, "capacity",
      pool->capacity == GMEM_UNLIMITED ? json_null() : number(pool->capacity));
  set(&object, "alignment", number(pool->alignment));
  set(&object, "base", number(pool->base));
  if (pool->speed)
    set(&object, "speed", number(pool->speed));
  return object;
}

static bool may_go_anywhere(const gmem_problem_t *problem,
                            const gmem_buffer_spec_t *spec) {
  for (size_t i = 0; i < spec->pool_count; ++i)
    if (spec->pools[i] != i)
      return false;
  return spec->pool_count == gmem_problem_pool_count(problem);
}

static json_t *pool_name(writer_t *writer, uint32_t pool) {
  return name_of(writer, gmem_problem_pool(writer->problem, pool)->name, "pool",
                 pool);
}

static json_t *lives_of(const gmem_buffer_spec_t *spec) {
  json_t *lives = json_array();
  for (size_t i = 0; i < spec->range_count; ++i)
    append(&lives, pair(spec->ranges[i].begin, spec->ranges[i].end));
  return lives;
}

static json_t *candidates_of(writer_t *writer, const gmem_buffer_spec_t *spec) {
  json_t *pools = json_array();
  for (size_t i = 0; i < spec->pool_count; ++i)
    append(&pools, pool_name(writer, spec->pools[i]));
  return pools;
}

static json_t *branches_of(const gmem_buffer_spec_t *spec) {
  json_t *branches = json_array();
  for (size_t i = 0; i < spec->branch_count; ++i)
    append(&branches, pair(spec->branches[i].choice, spec->branches[i].arm));
  return branches;
}

static json_t *buffer_element(writer_t *writer, size_t index) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(writer->problem, (uint32_t)index);
  if (spec->uses > INT64_MAX)
    set_object_error(writer, GMEM_ERR_OUT_OF_RANGE, "buffer", index,
                     "has more than 9223372036854775807 uses");
  json_t *object = json_object();
  if (*spec->name)
    set(&object, "name", name_of(writer, spec->name, "buffer", index));
  set(&object, "size", number(spec->size));
  set(&object, "alignment", number(spec->alignment));
  set(&object, "lives", lives_of(spec));
  if (!may_go_anywhere(writer->problem, spec))
    set(&object, "pools", candidates_of(writer, spec));
  if (spec->has_fixed_offset)
    set(&object, "fixed", number(spec->fixed_offset));
  if (spec->uses)
    set(&object, "uses", number(spec->uses));
  if (spec->branch_count)
    set(&object, "branches", branches_of(spec));
  return object;
}

static json_t *conflict_element(writer_t *writer, size_t index) {
  uint32_t first, second;
  gmem_problem_conflict(writer->problem, index, &first, &second);
  return pair(first, second);
}

static json_t *alias_element(writer_t *writer, size_t index) {
  const gmem_alias_spec_t *alias = gmem_problem_alias(writer->problem, index);
  json_t *object = json_object();
  set(&object, "child", number(alias->child));
  set(&object, "parent", number(alias->parent));
  set(&object, "offset", number(alias->offset));
  if (alias->is_optional)
    set(&object, "optional", json_true());
  return object;
}

static json_t *block_element(writer_t *writer, size_t index) {
  const gmem_block_spec_t *block = gmem_problem_block(writer->problem, index);
  json_t *array = json_array();
  for (size_t i = 0; i < block->count; ++i)
    append(&array, number(block->buffers[i]));
  return array;
}

static json_t *placement_element(writer_t *writer, size_t index) {
  const gmem_placement_t *placement = &writer->plan[index];
  if (placement->offset > INT64_MAX)
    set_object_error(writer, GMEM_ERR_OUT_OF_RANGE, "buffer", index,
                     "has an offset greater than 9223372036854775807");
  json_t *object = json_object();
  set(&object, "pool", pool_name(writer, placement->pool));
  set(&object, "offset", number(placement->offset));
  return object;
}

//===--- document ---------------------------------------------------------===//

static void put_list(writer_t *writer, const char *key, size_t count,
                     element_fn element) {
  put_text(writer, "\"");
  put_text(writer, key);
  put_text(writer, "\": [");
  for (size_t i = 0; i < count && writer->status == GMEM_OK; ++i) {
    put_text(writer, i ? ",\n  " : "\n  ");
    put_json(writer, element(writer, i));
  }
  put_text(writer, "\n]");
}

static void put_section(writer_t *writer, const char *key, size_t count,
                        element_fn element) {
  if (count == 0)
    return;
  put_text(writer, ",\n");
  put_list(writer, key, count, element);
}

static json_t *figures_of(const gmem_plan_figures_t *figures) {
  json_t *object = json_object();
  set(&object, "peak", number(figures->peak));
  set(&object, "lower_bound", number(figures->lower_bound));
  set(&object, "steps", number(figures->steps));
  set(&object, "optimal", json_boolean(figures->optimal));
  set(&object, "cancelled", json_boolean(figures->cancelled));
  return object;
}

static void put_plan(writer_t *writer, const gmem_plan_figures_t *figures) {
  put_text(writer, ",\n\"plan\": {\n");
  if (figures) {
    put_text(writer, "\"figures\": ");
    put_json(writer, figures_of(figures));
    put_text(writer, ",\n");
  }
  put_list(writer, "placements", gmem_problem_buffer_count(writer->problem),
           placement_element);
  put_text(writer, "\n}");
}

static void put_problem(writer_t *writer) {
  const gmem_problem_t *problem = writer->problem;
  put_text(writer,
           "{\n\"format\": \"" GMEM_PROBLEM_JSON_FORMAT "\",\n\"version\": ");
  put_json(writer, number(GMEM_PROBLEM_JSON_VERSION));
  put_text(writer, ",\n");
  put_list(writer, "pools", gmem_problem_pool_count(problem), pool_element);
  put_text(writer, ",\n");
  put_list(writer, "buffers", gmem_problem_buffer_count(problem),
           buffer_element);
  put_section(writer, "conflicts", gmem_problem_conflict_count(problem),
              conflict_element);
  put_section(writer, "aliases", gmem_problem_alias_count(problem),
              alias_element);
  put_section(writer, "blocks", gmem_problem_block_count(problem),
              block_element);
}

gmem_status_t gmem_problem_json_write(const gmem_problem_t *problem,
                                      const gmem_placement_t *plan,
                                      const gmem_plan_figures_t *figures,
                                      gmem_write_fn write, void *user,
                                      gmem_diag_t *diag) {
  writer_t writer = {.problem = problem,
                     .plan = plan,
                     .write = write,
                     .user = user,
                     .diag = diag};
  put_problem(&writer);
  if (plan)
    put_plan(&writer, figures);
  put_text(&writer, "\n}\n");
  flush(&writer);
  return writer.status;
}
