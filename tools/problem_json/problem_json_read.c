// problem_json_read.c - parses a problem, with or without a plan, from JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_json_read.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "problem_json.h"

// A growable array; the element size is passed to each call.
typedef struct scratch_s {
  void *data;
  size_t bytes;
} scratch_t;

typedef struct named_s {
  const char *name;
  uint32_t buffer;
} named_t;

typedef struct reader_s {
  gmem_diag_t *diag;
  const gmem_allocator_t *allocator; // NULL: malloc
  gmem_problem_t *problem;
  char where[48];   // the current element: "buffers[3]"
  const char *name; // of the current buffer, or NULL
  scratch_t ranges, pools, branches, list;
  scratch_t names; // of all buffers, sorted; created on first use
  bool has_names;
} reader_t;

//===--- memory -----------------------------------------------------------===//

enum { ALIGNMENT = _Alignof(max_align_t) };

static void *take_memory(const gmem_allocator_t *allocator, size_t bytes) {
  return allocator ? allocator->alloc(allocator->user, bytes, ALIGNMENT)
                   : malloc(bytes);
}

static void release(const gmem_allocator_t *allocator, scratch_t *scratch) {
  if (!allocator)
    free(scratch->data);
  else if (scratch->data)
    allocator->free(allocator->user, scratch->data, scratch->bytes, ALIGNMENT);
  *scratch = (scratch_t){NULL, 0};
}

// Reserves |count| elements, discarding old values; NULL if out of memory.
static void *reserve(reader_t *reader, scratch_t *scratch, size_t count,
                     size_t element_size) {
  size_t bytes = (count ? count : 1) *
                 element_size; // cannot overflow: the JSON text is larger
  if (bytes <= scratch->bytes)
    return scratch->data;
  release(reader->allocator, scratch);
  scratch->data = take_memory(reader->allocator, bytes);
  scratch->bytes = scratch->data ? bytes : 0;
  return scratch->data;
}

//===--- messages ---------------------------------------------------------===//

// Reports "buffers[3].KEY PROBLEM (buffer 'NAME')"; without a key, the error
// concerns the element itself.
static gmem_status_t fail_member(reader_t *reader, const char *key,
                                 const char *problem) {
  bool has_name = reader->name && *reader->name;
  return gmem_fail(reader->diag, GMEM_ERR_PARSE, "%s%s%.40s %s%s%.60s%s",
                   reader->where, key && *reader->where ? "." : "",
                   key ? key : "", problem, has_name ? " (buffer '" : "",
                   has_name ? reader->name : "", has_name ? "')" : "");
}

// Converts errors of the problem builder to parse errors of the current
// element.
static gmem_status_t finish_addition(reader_t *reader, gmem_status_t status) {
  if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status == GMEM_ERR_INVALID_ARGUMENT)
    status = GMEM_ERR_PARSE;
  if (reader->diag) {
    char text[sizeof reader->diag->text];
    snprintf(text, sizeof text, "%s: %.200s", reader->where,
             reader->diag->text);
    reader->diag->status = status;
    memcpy(reader->diag->text, text, sizeof text);
  }
  return status;
}

//===--- members ----------------------------------------------------------===//

// Rejects unknown members, since they may be misspelt.
static gmem_status_t check_members(reader_t *reader, json_t *object,
                                   const char *const *known) {
  if (!json_is_object(object))
    return fail_member(reader, NULL, "is not an object");
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    size_t i = 0;
    while (known[i] && strcmp(known[i], key) != 0)
      ++i;
    if (!known[i])
      return fail_member(reader, key, "is unknown");
  }
  return GMEM_OK;
}

static gmem_status_t check_integer(reader_t *reader, const char *key,
                                   json_t *value, bool may_be_negative,
                                   json_int_t *out) {
  if (!json_is_integer(value))
    return fail_member(reader, key, "is not an integer");
  *out = json_integer_value(value);
  if (*out < 0 && !may_be_negative)
    return fail_member(reader, key, "is negative");
  return GMEM_OK;
}

// Reads a nonnegative integer. An optional member that is absent leaves *out
// unchanged.
static gmem_status_t get_number(reader_t *reader, json_t *object,
                                const char *key, bool is_needed,
                                uint64_t *out) {
  json_t *value = json_object_get(object, key);
  if (!value)
    return is_needed ? fail_member(reader, key, "is missing") : GMEM_OK;
  json_int_t number = 0;
  GMEM_TRY(check_integer(reader, key, value, false, &number));
  *out = (uint64_t)number;
  return GMEM_OK;
}

static gmem_status_t get_text(reader_t *reader, json_t *object, const char *key,
                              bool is_needed, const char **out) {
  json_t *value = json_object_get(object, key);
  if (!value)
    return is_needed ? fail_member(reader, key, "is missing") : GMEM_OK;
  if (!json_is_string(value))
    return fail_member(reader, key, "is not a string");
  *out = json_string_value(value);
  return GMEM_OK;
}

// Sets *out to NULL if the member is optional and absent.
static gmem_status_t get_array(reader_t *reader, json_t *object,
                               const char *key, bool is_needed, json_t **out) {
  *out = json_object_get(object, key);
  if (!*out)
    return is_needed ? fail_member(reader, key, "is missing") : GMEM_OK;
  if (!json_is_array(*out))
    return fail_member(reader, key, "is not an array");
  return GMEM_OK;
}

static void look_at(reader_t *reader, const char *section, size_t index) {
  snprintf(reader->where, sizeof reader->where, "%s[%zu]", section, index);
  reader->name = NULL;
}

//===--- pools ------------------------------------------------------------===//

static gmem_status_t get_capacity(reader_t *reader, json_t *object,
                                  uint64_t *out) {
  *out = GMEM_UNLIMITED;
  if (json_is_null(json_object_get(object, "capacity")))
    return GMEM_OK;
  return get_number(reader, object, "capacity", false, out);
}

static gmem_status_t get_speed(reader_t *reader, json_t *object,
                               uint32_t *out) {
  uint64_t speed = 0;
  GMEM_TRY(get_number(reader, object, "speed", false, &speed));
  if (speed > UINT32_MAX)
    return fail_member(reader, "speed", "is greater than 4294967295");
  *out = (uint32_t)speed;
  return GMEM_OK;
}

static gmem_status_t read_pool(reader_t *reader, json_t *object) {
  static const char *const known[] = {"name", "capacity", "alignment",
                                      "base", "speed",    NULL};
  gmem_pool_spec_t spec = {.alignment = 1};
  uint32_t index;
  GMEM_TRY(check_members(reader, object, known));
  GMEM_TRY(get_text(reader, object, "name", true, &spec.name));
  GMEM_TRY(get_capacity(reader, object, &spec.capacity));
  GMEM_TRY(get_number(reader, object, "alignment", false, &spec.alignment));
  GMEM_TRY(get_number(reader, object, "base", false, &spec.base));
  GMEM_TRY(get_speed(reader, object, &spec.speed));
  return finish_addition(reader, gmem_problem_add_pool(reader->problem, &spec,
                                                       &index, reader->diag));
}

static gmem_status_t find_pool(reader_t *reader, const char *key, json_t *value,
                               uint32_t *out) {
  if (!json_is_string(value))
    return fail_member(reader, key, "is not the name of a pool");
  for (*out = 0; *out < gmem_problem_pool_count(reader->problem); ++*out)
    if (strcmp(gmem_problem_pool(reader->problem, *out)->name,
               json_string_value(value)) == 0)
      return GMEM_OK;
  return fail_member(reader, key, "names a pool that does not exist");
}

//===--- buffers ----------------------------------------------------------===//

// Reads [first, second].
static gmem_status_t read_pair(reader_t *reader, const char *key, json_t *value,
                               bool may_be_negative, json_int_t out[2]) {
  if (!json_is_array(value) || json_array_size(value) != 2)
    return fail_member(reader, key, "is not a list of pairs");
  for (size_t i = 0; i < 2; ++i)
    GMEM_TRY(check_integer(reader, key, json_array_get(value, i),
                           may_be_negative, &out[i]));
  return GMEM_OK;
}

static gmem_status_t read_lives(reader_t *reader, json_t *object,
                                gmem_buffer_spec_t *spec) {
  json_t *lives;
  GMEM_TRY(get_array(reader, object, "lives", true, &lives));
  size_t count = json_array_size(lives);
  gmem_live_range_t *ranges =
      reserve(reader, &reader->ranges, count, sizeof *ranges);
  if (!ranges)
    return gmem_out_of_memory(reader->diag);
  for (size_t i = 0; i < count; ++i) {
    json_int_t pair[2];
    GMEM_TRY(read_pair(reader, "lives", json_array_get(lives, i), true, pair));
    ranges[i] = (gmem_live_range_t){pair[0], pair[1]};
  }
  spec->ranges = ranges;
  spec->range_count = count;
  return GMEM_OK;
}

static gmem_status_t read_candidates(reader_t *reader, json_t *object,
                                     gmem_buffer_spec_t *spec) {
  json_t *names;
  GMEM_TRY(get_array(reader, object, "pools", false, &names));
  if (!names)
    return GMEM_OK;
  size_t count = json_array_size(names);
  uint32_t *pools = reserve(reader, &reader->pools, count, sizeof *pools);
  if (!pools)
    return gmem_out_of_memory(reader->diag);
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(find_pool(reader, "pools", json_array_get(names, i), &pools[i]));
  spec->pools = pools;
  spec->pool_count = count;
  return GMEM_OK;
}

static gmem_status_t read_branches(reader_t *reader, json_t *object,
                                   gmem_buffer_spec_t *spec) {
  json_t *pairs;
  GMEM_TRY(get_array(reader, object, "branches", false, &pairs));
  if (!pairs)
    return GMEM_OK;
  size_t count = json_array_size(pairs);
  gmem_branch_t *branches =
      reserve(reader, &reader->branches, count, sizeof *branches);
  if (!branches)
    return gmem_out_of_memory(reader->diag);
  for (size_t i = 0; i < count; ++i) {
    json_int_t pair[2];
    GMEM_TRY(
        read_pair(reader, "branches", json_array_get(pairs, i), false, pair));
    if (pair[0] > UINT32_MAX || pair[1] > UINT32_MAX)
      return fail_member(reader, "branches",
                         "contains a number greater than 4294967295");
    branches[i] = (gmem_branch_t){(uint32_t)pair[0], (uint32_t)pair[1]};
  }
  spec->branches = branches;
  spec->branch_count = count;
  return GMEM_OK;
}

static gmem_status_t read_place(reader_t *reader, json_t *object,
                                gmem_buffer_spec_t *spec) {
  GMEM_TRY(read_candidates(reader, object, spec));
  spec->has_fixed_offset = json_object_get(object, "fixed") != NULL;
  GMEM_TRY(get_number(reader, object, "fixed", false, &spec->fixed_offset));
  GMEM_TRY(get_number(reader, object, "uses", false, &spec->uses));
  return read_branches(reader, object, spec);
}

static gmem_status_t read_buffer(reader_t *reader, json_t *object) {
  static const char *const known[] = {"name",  "size",     "alignment",
                                      "lives", "pools",    "fixed",
                                      "uses",  "branches", NULL};
  gmem_buffer_spec_t spec = {.name = "", .alignment = 1};
  uint32_t index;
  if (json_is_object(object))
    reader->name = json_string_value(json_object_get(object, "name"));
  GMEM_TRY(check_members(reader, object, known));
  GMEM_TRY(get_text(reader, object, "name", false, &spec.name));
  GMEM_TRY(get_number(reader, object, "size", true, &spec.size));
  GMEM_TRY(get_number(reader, object, "alignment", false, &spec.alignment));
  GMEM_TRY(read_lives(reader, object, &spec));
  GMEM_TRY(read_place(reader, object, &spec));
  return finish_addition(reader, gmem_problem_add_buffer(reader->problem, &spec,
                                                         &index, reader->diag));
}

//===--- references to buffers --------------------------------------------===//

static int compare_names(const void *left, const void *right) {
  const named_t *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  return order ? order : (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

static gmem_status_t sort_names(reader_t *reader) {
  uint32_t count = gmem_problem_buffer_count(reader->problem);
  named_t *names = reserve(reader, &reader->names, count, sizeof *names);
  if (!names)
    return gmem_out_of_memory(reader->diag);
  for (uint32_t i = 0; i < count; ++i)
    names[i] = (named_t){gmem_problem_buffer(reader->problem, i)->name, i};
  qsort(names, count, sizeof *names, compare_names);
  reader->has_names = true;
  return GMEM_OK;
}

static gmem_status_t find_by_name(reader_t *reader, const char *key,
                                  const char *name, uint32_t *out) {
  GMEM_TRY(reader->has_names ? GMEM_OK : sort_names(reader));
  const named_t *names = reader->names.data;
  size_t count = gmem_problem_buffer_count(reader->problem);
  size_t low = 0, high = count; // lower bound of |name|
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(names[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || strcmp(names[low].name, name) != 0)
    return fail_member(reader, key, "names a buffer that does not exist");
  if (low + 1 < count && strcmp(names[low + 1].name, name) == 0)
    return fail_member(reader, key,
                       "is the name of several buffers: use an index");
  *out = names[low].buffer;
  return GMEM_OK;
}

// Reads a reference to a buffer: its index, or its name if unique.
static gmem_status_t find_buffer(reader_t *reader, const char *key,
                                 json_t *value, uint32_t *out) {
  if (json_is_string(value))
    return find_by_name(reader, key, json_string_value(value), out);
  json_int_t index = 0;
  GMEM_TRY(check_integer(reader, key, value, false, &index));
  if ((uint64_t)index >= gmem_problem_buffer_count(reader->problem))
    return fail_member(reader, key, "is not a valid buffer index");
  *out = (uint32_t)index;
  return GMEM_OK;
}

//===--- relations --------------------------------------------------------===//

static gmem_status_t read_conflict(reader_t *reader, json_t *pair) {
  if (!json_is_array(pair) || json_array_size(pair) != 2)
    return fail_member(reader, NULL, "is not a pair of buffers");
  uint32_t first, second;
  GMEM_TRY(find_buffer(reader, NULL, json_array_get(pair, 0), &first));
  GMEM_TRY(find_buffer(reader, NULL, json_array_get(pair, 1), &second));
  return finish_addition(
      reader,
      gmem_problem_add_conflict(reader->problem, first, second, reader->diag));
}

static gmem_status_t get_buffer(reader_t *reader, json_t *object,
                                const char *key, uint32_t *out) {
  json_t *value = json_object_get(object, key);
  if (!value)
    return fail_member(reader, key, "is missing");
  return find_buffer(reader, key, value, out);
}

static gmem_status_t read_alias(reader_t *reader, json_t *object) {
  static const char *const known[] = {"child", "parent", "offset", "optional",
                                      NULL};
  gmem_alias_spec_t spec = {.offset = 0};
  GMEM_TRY(check_members(reader, object, known));
  json_t *optional = json_object_get(object, "optional");
  GMEM_TRY(get_buffer(reader, object, "child", &spec.child));
  GMEM_TRY(get_buffer(reader, object, "parent", &spec.parent));
  GMEM_TRY(get_number(reader, object, "offset", false, &spec.offset));
  if (optional && !json_is_boolean(optional))
    GMEM_TRY(fail_member(reader, "optional", "is not a boolean"));
  spec.is_optional = json_is_true(optional);
  return finish_addition(
      reader, gmem_problem_add_alias(reader->problem, &spec, reader->diag));
}

static gmem_status_t read_block(reader_t *reader, json_t *list) {
  if (!json_is_array(list))
    return fail_member(reader, NULL, "is not a list of buffers");
  size_t count = json_array_size(list);
  uint32_t *buffers = reserve(reader, &reader->list, count, sizeof *buffers);
  if (!buffers)
    return gmem_out_of_memory(reader->diag);
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(find_buffer(reader, NULL, json_array_get(list, i), &buffers[i]));
  gmem_block_spec_t spec = {.buffers = buffers, .count = count};
  return finish_addition(
      reader, gmem_problem_add_block(reader->problem, &spec, reader->diag));
}

//===--- plan -------------------------------------------------------------===//

static gmem_status_t read_placement(reader_t *reader, json_t *object,
                                    gmem_placement_t *placement) {
  static const char *const known[] = {"pool", "offset", NULL};
  GMEM_TRY(check_members(reader, object, known));
  if (!json_object_get(object, "pool"))
    GMEM_TRY(fail_member(reader, "pool", "is missing"));
  GMEM_TRY(find_pool(reader, "pool", json_object_get(object, "pool"),
                     &placement->pool));
  return get_number(reader, object, "offset", true, &placement->offset);
}

// Figures are derived from the plan, so they are accepted but not read.
static gmem_status_t check_plan(reader_t *reader, json_t *plan,
                                json_t **out_placements) {
  static const char *const known[] = {"figures", "placements", NULL};
  static const char *const known_figures[] = {"peak",    "lower_bound", "steps",
                                              "optimal", "cancelled",   NULL};
  json_t *figures = json_object_get(plan, "figures");
  snprintf(reader->where, sizeof reader->where, "plan");
  GMEM_TRY(check_members(reader, plan, known));
  GMEM_TRY(get_array(reader, plan, "placements", true, out_placements));
  if (json_array_size(*out_placements) !=
      gmem_problem_buffer_count(reader->problem))
    GMEM_TRY(fail_member(reader, "placements",
                         "does not have one element per buffer"));
  if (figures) {
    snprintf(reader->where, sizeof reader->where, "plan.figures");
    GMEM_TRY(check_members(reader, figures, known_figures));
  }
  return GMEM_OK;
}

// Reads the placements into |placed|; checks them only if that is NULL.
static gmem_status_t read_placements(reader_t *reader, json_t *placements,
                                     gmem_placement_t *placed) {
  gmem_placement_t ignored;
  for (size_t i = 0; i < json_array_size(placements); ++i) {
    look_at(reader, "plan.placements", i);
    reader->name = gmem_problem_buffer(reader->problem, (uint32_t)i)->name;
    GMEM_TRY(read_placement(reader, json_array_get(placements, i),
                            placed ? &placed[i] : &ignored));
  }
  return GMEM_OK;
}

// The caller frees *out_plan, also after a failure.
static gmem_status_t read_plan(reader_t *reader, json_t *plan,
                               gmem_placement_t **out_plan) {
  json_t *placements = NULL;
  GMEM_TRY(check_plan(reader, plan, &placements));
  if (out_plan)
    GMEM_TRY(gmem_plan_create(reader->problem, out_plan, reader->diag));
  return read_placements(reader, placements, out_plan ? *out_plan : NULL);
}

//===--- document ---------------------------------------------------------===//

typedef gmem_status_t (*element_fn)(reader_t *reader, json_t *element);

static gmem_status_t read_section(reader_t *reader, json_t *root,
                                  const char *section, bool is_needed,
                                  element_fn read) {
  json_t *array;
  reader->where[0] = '\0';
  reader->name = NULL;
  GMEM_TRY(get_array(reader, root, section, is_needed, &array));
  size_t count = array ? json_array_size(array) : 0;
  for (size_t i = 0; i < count; ++i) {
    look_at(reader, section, i);
    GMEM_TRY(read(reader, json_array_get(array, i)));
  }
  reader->where[0] = '\0';
  reader->name = NULL;
  return GMEM_OK;
}

static gmem_status_t check_version(reader_t *reader, json_t *root) {
  const char *format = NULL;
  uint64_t version = 0;
  GMEM_TRY(get_text(reader, root, "format", true, &format));
  if (strcmp(format, GMEM_PROBLEM_JSON_FORMAT) != 0)
    GMEM_TRY(
        fail_member(reader, "format", "is not '" GMEM_PROBLEM_JSON_FORMAT "'"));
  GMEM_TRY(get_number(reader, root, "version", true, &version));
  if (version != GMEM_PROBLEM_JSON_VERSION)
    return gmem_fail(reader->diag, GMEM_ERR_VERSION,
                     "unsupported version %" PRIu64 " (supported: %d)", version,
                     GMEM_PROBLEM_JSON_VERSION);
  return GMEM_OK;
}

static gmem_status_t read_root(reader_t *reader, json_t *root,
                               gmem_placement_t **out_plan) {
  static const char *const known[] = {"format",  "version",   "pools",
                                      "buffers", "conflicts", "aliases",
                                      "blocks",  "plan",      NULL};
  if (!json_is_object(root))
    return gmem_fail(reader->diag, GMEM_ERR_PARSE,
                     "the document is not an object");
  // The version is checked first, since other versions may have other members.
  GMEM_TRY(check_version(reader, root));
  GMEM_TRY(check_members(reader, root, known));
  GMEM_TRY(read_section(reader, root, "pools", true, read_pool));
  GMEM_TRY(read_section(reader, root, "buffers", true, read_buffer));
  GMEM_TRY(read_section(reader, root, "conflicts", false, read_conflict));
  GMEM_TRY(read_section(reader, root, "aliases", false, read_alias));
  GMEM_TRY(read_section(reader, root, "blocks", false, read_block));
  json_t *plan = json_object_get(root, "plan");
  if (plan)
    GMEM_TRY(read_plan(reader, plan, out_plan));
  return GMEM_OK;
}

static gmem_status_t load(reader_t *reader, const char *text, size_t length,
                          json_t **out_root) {
  json_error_t error;
  *out_root =
      json_loadb(length ? text : "", length, JSON_REJECT_DUPLICATES, &error);
  if (*out_root)
    return GMEM_OK;
  enum json_error_code code = json_error_code(&error);
  // If out of memory for a value, jansson sets no error text.
  if (code == json_error_out_of_memory || !*error.text)
    return gmem_out_of_memory(reader->diag);
  gmem_status_t status = code == json_error_numeric_overflow
                             ? GMEM_ERR_OUT_OF_RANGE
                             : GMEM_ERR_PARSE;
  gmem_fail(reader->diag, status, "%.200s", error.text);
  if (reader->diag)
    reader->diag->line = error.line > 0 ? (uint64_t)error.line : 1;
  return status;
}

static gmem_status_t read_text(reader_t *reader, const char *text,
                               size_t length, json_t **root,
                               gmem_placement_t **out_plan) {
  GMEM_TRY(load(reader, text, length, root));
  GMEM_TRY(
      gmem_problem_create(reader->allocator, &reader->problem, reader->diag));
  return read_root(reader, *root, out_plan);
}

gmem_status_t gmem_problem_json_read(const char *text, size_t length,
                                     const gmem_allocator_t *allocator,
                                     gmem_problem_t **out_problem,
                                     gmem_placement_t **out_plan,
                                     gmem_diag_t *diag) {
  *out_problem = NULL;
  if (out_plan)
    *out_plan = NULL;
  reader_t reader = {.diag = diag, .allocator = allocator};
  json_t *root = NULL;
  gmem_status_t status = read_text(&reader, text, length, &root, out_plan);
  scratch_t *const all[] = {&reader.ranges, &reader.pools, &reader.branches,
                            &reader.list, &reader.names};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    release(allocator, all[i]);
  json_decref(root);
  if (status == GMEM_OK) {
    *out_problem = reader.problem;
    return GMEM_OK;
  }
  if (out_plan) {
    gmem_plan_free(reader.problem, *out_plan);
    *out_plan = NULL;
  }
  gmem_problem_destroy(reader.problem);
  return status;
}
