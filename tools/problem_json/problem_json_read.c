// problem_json_read.c - parses a problem, with or without a plan, from JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_json.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

typedef struct reader_s reader_t;

// Parses |value|, the value of reader->key or an element of it, into *out.
typedef gmem_status_t (*read_fn)(reader_t *reader, json_t *value, void *out);

// A member of an object. Tables end with a zero entry.
typedef struct member_s {
  const char *key;
  bool is_needed; // else it may be absent, and *out is left unchanged
  read_fn read;   // NULL: not read
  size_t offset;  // of |out| in the struct of the object
  size_t size;    // not 0: the member is a list of elements of so many bytes,
                  //   each parsed by |read| into lists[offset]
  // Not NULL: the member is a section, an array, and this parses its elements.
  gmem_status_t (*element)(reader_t *reader, json_t *value);
} member_t;

#define AT(function, type, member)                                             \
  .read = (function), .offset = offsetof(type, member)

#define LIST(function, type, list)                                             \
  .read = (function), .offset = (list), .size = sizeof(type)

// A growable array.
typedef struct list_s {
  void *data;
  size_t count, bytes;
} list_t;

enum { RANGES, POOLS, BRANCHES, BUFFERS, NAMES, LISTS };

typedef struct named_s {
  const char *name;
  uint32_t buffer;
} named_t;

struct reader_s {
  gmem_diag_t *diag;
  gmem_problem_t *problem;
  bool has_plan;          // the caller asked for |plan|
  gmem_placement_t *plan; // or NULL
  const char *prefix;     // of a section: "" or "plan."
  char where[48];         // the current element: "buffers[3]"
  size_t index;           // of the current element
  const char *key;        // of the current member; NULL: the element itself
  const char *name;       // of the current buffer, or NULL
  list_t lists[LISTS];    // NAMES of all buffers are sorted on first use
};

//===--- messages ---------------------------------------------------------===//

// Reports "buffers[3].KEY PROBLEM (buffer 'NAME')".
static gmem_status_t fail(reader_t *reader, const char *problem) {
  bool has_name = reader->name && *reader->name;
  return gmem_fail(reader->diag, GMEM_ERR_PARSE, "%s%s%.40s %s%s%.60s%s",
                   reader->where, reader->key && *reader->where ? "." : "",
                   reader->key ? reader->key : "", problem,
                   has_name ? " (buffer '" : "", has_name ? reader->name : "",
                   has_name ? "')" : "");
}

// Converts errors of the problem builder to parse errors of the current
// element.
static gmem_status_t fail_addition(reader_t *reader, gmem_status_t status) {
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

//===--- lists ------------------------------------------------------------===//

// Makes room for |count| elements of |size| bytes, discarding old values.
static gmem_status_t resize(reader_t *reader, list_t *list, size_t count,
                            size_t size) {
  json_malloc_t take;
  json_free_t release;
  assert(size && list < reader->lists + LISTS);
  size_t bytes = (count + 1) * size; // not much longer than the JSON text
  list->count = count;
  if (bytes <= list->bytes)
    return GMEM_OK;
  json_get_alloc_funcs(&take, &release);
  release(list->data);
  list->data = take(bytes);
  list->bytes = list->data ? bytes : 0;
  return list->data ? GMEM_OK : gmem_out_of_memory(reader->diag);
}

// Reads a list, each element of |size| bytes with |read|.
static gmem_status_t read_list(reader_t *reader, json_t *array, list_t *list,
                               read_fn read, size_t size) {
  if (!json_is_array(array))
    return fail(reader, "is not an array");
  GMEM_TRY(resize(reader, list, json_array_size(array), size));
  for (size_t i = 0; i < list->count; ++i)
    GMEM_TRY(
        read(reader, json_array_get(array, i), (char *)list->data + i * size));
  return GMEM_OK;
}

//===--- objects ----------------------------------------------------------===//

static gmem_status_t read_section(reader_t *reader, const member_t *member,
                                  json_t *array) {
  if (!json_is_array(array))
    return fail(reader, "is not an array");
  for (size_t i = 0; i < json_array_size(array); ++i) {
    snprintf(reader->where, sizeof reader->where, "%s%s[%zu]", reader->prefix,
             member->key, i);
    reader->index = i;
    reader->key = reader->name = NULL;
    gmem_status_t status = member->element(reader, json_array_get(array, i));
    if (status == GMEM_ERR_PARSE || status == GMEM_ERR_OUT_OF_MEMORY)
      return status;
    if (status != GMEM_OK)
      return fail_addition(reader, status);
  }
  reader->where[0] = '\0';
  reader->name = NULL;
  return GMEM_OK;
}

static gmem_status_t read_member(reader_t *reader, json_t *object,
                                 const member_t *member, void *out) {
  json_t *value = json_object_get(object, member->key);
  reader->key = member->key;
  if (!value)
    return member->is_needed ? fail(reader, "is missing") : GMEM_OK;
  if (member->element)
    return read_section(reader, member, value);
  if (member->size)
    return read_list(reader, value, &reader->lists[member->offset],
                     member->read, member->size);
  void *place = (char *)out + member->offset;
  return member->read ? member->read(reader, value, place) : GMEM_OK;
}

// Reads the |members| of |object| into *out, in their order. Rejects unknown
// members, since they may be misspelt.
static gmem_status_t read_object(reader_t *reader, json_t *object,
                                 const member_t *members, void *out) {
  json_t *value;
  reader->key = NULL;
  if (!json_is_object(object))
    return fail(reader, "is not an object");
  json_object_foreach(object, reader->key, value) {
    const member_t *known = members;
    while (known->key && strcmp(known->key, reader->key) != 0)
      ++known;
    if (!known->key)
      return fail(reader, "is unknown");
  }
  for (const member_t *member = members; member->key; ++member)
    GMEM_TRY(read_member(reader, object, member, out));
  return GMEM_OK;
}

//===--- values -----------------------------------------------------------===//

static gmem_status_t read_integer(reader_t *reader, json_t *value, void *out) {
  if (!json_is_integer(value))
    return fail(reader, "is not an integer");
  *(int64_t *)out = json_integer_value(value);
  return GMEM_OK;
}

static gmem_status_t read_number(reader_t *reader, json_t *value, void *out) {
  GMEM_TRY(read_integer(reader, value, out));
  return *(int64_t *)out < 0 ? fail(reader, "is negative") : GMEM_OK;
}

static gmem_status_t read_u32(reader_t *reader, json_t *value, void *out) {
  uint64_t number = 0;
  GMEM_TRY(read_number(reader, value, &number));
  *(uint32_t *)out = (uint32_t)number;
  return number > UINT32_MAX ? fail(reader, "is greater than 4294967295")
                             : GMEM_OK;
}

static gmem_status_t read_text(reader_t *reader, json_t *value, void *out) {
  *(const char **)out = json_string_value(value);
  return json_is_string(value) ? GMEM_OK : fail(reader, "is not a string");
}

static gmem_status_t read_bool(reader_t *reader, json_t *value, void *out) {
  *(bool *)out = json_is_true(value);
  return json_is_boolean(value) ? GMEM_OK : fail(reader, "is not a boolean");
}

// Reads [first, second], each with |read|.
static gmem_status_t read_pair(reader_t *reader, json_t *value, read_fn read,
                               uint64_t out[2]) {
  if (!json_is_array(value) || json_array_size(value) != 2)
    return fail(reader, "is not a list of pairs");
  GMEM_TRY(read(reader, json_array_get(value, 0), &out[0]));
  return read(reader, json_array_get(value, 1), &out[1]);
}

//===--- pools ------------------------------------------------------------===//

static gmem_status_t read_capacity(reader_t *reader, json_t *value, void *out) {
  return json_is_null(value) ? GMEM_OK : read_number(reader, value, out);
}

static gmem_status_t read_pool(reader_t *reader, json_t *object) {
  static const member_t members[] = {
      {"name", true, AT(read_text, gmem_pool_spec_t, name)},
      {"capacity", false, AT(read_capacity, gmem_pool_spec_t, capacity)},
      {"alignment", false, AT(read_number, gmem_pool_spec_t, alignment)},
      {"base", false, AT(read_number, gmem_pool_spec_t, base)},
      {"speed", false, AT(read_u32, gmem_pool_spec_t, speed)},
      {0}};
  gmem_pool_spec_t spec = {.capacity = GMEM_UNLIMITED, .alignment = 1};
  uint32_t index;
  GMEM_TRY(read_object(reader, object, members, &spec));
  return gmem_problem_add_pool(reader->problem, &spec, &index, reader->diag);
}

// Reads the name of a pool as its index.
static gmem_status_t find_pool(reader_t *reader, json_t *value, void *out) {
  if (!json_is_string(value))
    return fail(reader, "is not the name of a pool");
  for (uint32_t i = 0; i < gmem_problem_pool_count(reader->problem); ++i) {
    *(uint32_t *)out = i;
    if (strcmp(gmem_problem_pool(reader->problem, i)->name,
               json_string_value(value)) == 0)
      return GMEM_OK;
  }
  return fail(reader, "names a pool that does not exist");
}

//===--- buffers ----------------------------------------------------------===//

static gmem_status_t read_range(reader_t *reader, json_t *value, void *out) {
  uint64_t pair[2] = {0};
  GMEM_TRY(read_pair(reader, value, read_integer, pair));
  *(gmem_live_range_t *)out =
      (gmem_live_range_t){(int64_t)pair[0], (int64_t)pair[1]};
  return GMEM_OK;
}

static gmem_status_t read_branch(reader_t *reader, json_t *value, void *out) {
  uint64_t pair[2] = {0};
  GMEM_TRY(read_pair(reader, value, read_number, pair));
  if (pair[0] > UINT32_MAX || pair[1] > UINT32_MAX)
    return fail(reader, "contains a number greater than 4294967295");
  *(gmem_branch_t *)out = (gmem_branch_t){(uint32_t)pair[0], (uint32_t)pair[1]};
  return GMEM_OK;
}

static gmem_status_t read_fixed(reader_t *reader, json_t *value, void *out) {
  gmem_buffer_spec_t *spec = out;
  spec->has_fixed_offset = true;
  return read_number(reader, value, &spec->fixed_offset);
}

static gmem_status_t read_buffer(reader_t *reader, json_t *object) {
  static const member_t members[] = {
      {"name", false, AT(read_text, gmem_buffer_spec_t, name)},
      {"size", true, AT(read_number, gmem_buffer_spec_t, size)},
      {"alignment", false, AT(read_number, gmem_buffer_spec_t, alignment)},
      {"lives", true, LIST(read_range, gmem_live_range_t, RANGES)},
      {"pools", false, LIST(find_pool, uint32_t, POOLS)},
      {"fixed", false, .read = read_fixed},
      {"uses", false, AT(read_number, gmem_buffer_spec_t, uses)},
      {"branches", false, LIST(read_branch, gmem_branch_t, BRANCHES)},
      {0}};
  gmem_buffer_spec_t spec = {.name = "", .alignment = 1};
  uint32_t index;
  const list_t *lists = reader->lists;
  reader->lists[BRANCHES].count = 0;
  reader->name = json_string_value(json_object_get(object, "name"));
  GMEM_TRY(read_object(reader, object, members, &spec));
  spec.ranges = lists[RANGES].data;
  spec.range_count = lists[RANGES].count;
  spec.branches = lists[BRANCHES].data;
  spec.branch_count = lists[BRANCHES].count;
  if (json_object_get(object, "pools")) {
    spec.pools = lists[POOLS].data;
    spec.pool_count = lists[POOLS].count;
  }
  return gmem_problem_add_buffer(reader->problem, &spec, &index, reader->diag);
}

//===--- references to buffers --------------------------------------------===//

static int compare_names(const void *left, const void *right) {
  const named_t *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static gmem_status_t sort_names(reader_t *reader, list_t *list) {
  named_t *names;
  GMEM_TRY(resize(reader, list, gmem_problem_buffer_count(reader->problem),
                  sizeof *names));
  names = list->data;
  for (uint32_t i = 0; i < list->count; ++i)
    names[i] = (named_t){gmem_problem_buffer(reader->problem, i)->name, i};
  qsort(names, list->count, sizeof *names, compare_names);
  return GMEM_OK;
}

static gmem_status_t find_by_name(reader_t *reader, const char *name,
                                  uint32_t *out) {
  list_t *list = &reader->lists[NAMES];
  if (!list->data)
    GMEM_TRY(sort_names(reader, list));
  assert(list->count == gmem_problem_buffer_count(reader->problem));
  const named_t wanted = {.name = name}, *first = list->data;
  const named_t *found =
      bsearch(&wanted, first, list->count, sizeof wanted, compare_names);
  if (!found)
    return fail(reader, "names a buffer that does not exist");
  if ((found > first && compare_names(found - 1, found) == 0) ||
      (found + 1 < first + list->count && compare_names(found, found + 1) == 0))
    return fail(reader, "is the name of several buffers: use an index");
  *out = found->buffer;
  return GMEM_OK;
}

// Reads a reference to a buffer: its index, or its name if unique.
static gmem_status_t find_buffer(reader_t *reader, json_t *value, void *out) {
  if (json_is_string(value))
    return find_by_name(reader, json_string_value(value), out);
  uint64_t index = 0;
  GMEM_TRY(read_number(reader, value, &index));
  if (index >= gmem_problem_buffer_count(reader->problem))
    return fail(reader, "is not a valid buffer index");
  *(uint32_t *)out = (uint32_t)index;
  return GMEM_OK;
}

//===--- relations --------------------------------------------------------===//

static gmem_status_t read_conflict(reader_t *reader, json_t *pair) {
  if (!json_is_array(pair) || json_array_size(pair) != 2)
    return fail(reader, "is not a pair of buffers");
  uint32_t first, second;
  GMEM_TRY(find_buffer(reader, json_array_get(pair, 0), &first));
  GMEM_TRY(find_buffer(reader, json_array_get(pair, 1), &second));
  return gmem_problem_add_conflict(reader->problem, first, second,
                                   reader->diag);
}

static gmem_status_t read_alias(reader_t *reader, json_t *object) {
  static const member_t members[] = {
      {"child", true, AT(find_buffer, gmem_alias_spec_t, child)},
      {"parent", true, AT(find_buffer, gmem_alias_spec_t, parent)},
      {"offset", false, AT(read_number, gmem_alias_spec_t, offset)},
      {"optional", false, AT(read_bool, gmem_alias_spec_t, is_optional)},
      {"kind", false, AT(read_u32, gmem_alias_spec_t, kind)},
      {0}};
  gmem_alias_spec_t spec = {.offset = 0};
  GMEM_TRY(read_object(reader, object, members, &spec));
  return gmem_problem_add_alias(reader->problem, &spec, reader->diag);
}

static gmem_status_t read_block(reader_t *reader, json_t *value) {
  list_t *list = &reader->lists[BUFFERS];
  if (!json_is_array(value))
    return fail(reader, "is not a list of buffers");
  GMEM_TRY(read_list(reader, value, list, find_buffer, sizeof(uint32_t)));
  gmem_block_spec_t spec = {.buffers = list->data, .count = list->count};
  return gmem_problem_add_block(reader->problem, &spec, reader->diag);
}

//===--- constraints ------------------------------------------------------===//

static gmem_status_t read_kind(reader_t *reader, json_t *value, void *out) {
  return json_is_string(value) &&
                 gmem_constraint_kind_find(json_string_value(value), out)
             ? GMEM_OK
             : fail(reader, "is not a kind of constraint");
}

// Fails if the kind needs a member that is missing, or does not know it.
static gmem_status_t check_member(reader_t *reader, json_t *object,
                                  const char *key, bool is_needed) {
  bool is_there = json_object_get(object, key) != NULL;
  reader->key = key;
  if (is_there == is_needed)
    return GMEM_OK;
  return fail(reader, is_there ? "has no meaning for this kind" : "is missing");
}

static gmem_status_t read_constraint(reader_t *reader, json_t *object) {
  static const member_t members[] = {
      {"kind", true, AT(read_kind, gmem_constraint_t, kind)},
      {"first", true, AT(find_buffer, gmem_constraint_t, first)},
      {"second", false, AT(find_buffer, gmem_constraint_t, second)},
      {"pool", false, AT(find_pool, gmem_constraint_t, pool)},
      {"bytes", false, AT(read_number, gmem_constraint_t, bytes)},
      {"banks", false, AT(read_u32, gmem_constraint_t, banks)},
      {"penalty", false, AT(read_number, gmem_constraint_t, penalty)},
      {0}};
  gmem_constraint_t spec = {.penalty = GMEM_HARD};
  GMEM_TRY(read_object(reader, object, members, &spec));
  bool is_single = spec.kind == GMEM_BOUNDARY || spec.kind == GMEM_AT;
  GMEM_TRY(check_member(reader, object, "second", !is_single));
  GMEM_TRY(check_member(reader, object, "pool", spec.kind == GMEM_AT));
  GMEM_TRY(check_member(reader, object, "bytes", spec.kind != GMEM_APART));
  GMEM_TRY(check_member(reader, object, "banks", spec.kind == GMEM_BANKS));
  return gmem_problem_add_constraint(reader->problem, &spec, reader->diag);
}

//===--- plan -------------------------------------------------------------===//

static gmem_status_t check_count(reader_t *reader, json_t *value, void *out) {
  (void)out;
  if (!json_is_array(value))
    return fail(reader, "is not an array");
  if (json_array_size(value) != gmem_problem_buffer_count(reader->problem))
    return fail(reader, "does not have one element per buffer");
  return GMEM_OK;
}

// Figures are derived from the plan, so they are accepted but not read.
static gmem_status_t check_figures(reader_t *reader, json_t *value, void *out) {
  static const member_t members[] = {
      {.key = "peak"},    {.key = "lower_bound"}, {.key = "steps"},
      {.key = "optimal"}, {.key = "cancelled"},   {0}};
  strcpy(reader->where, "plan.figures");
  return read_object(reader, value, members, out);
}

static gmem_status_t read_placement(reader_t *reader, json_t *object) {
  static const member_t members[] = {
      {"pool", true, AT(find_pool, gmem_placement_t, pool)},
      {"offset", true, AT(read_number, gmem_placement_t, offset)},
      {0}};
  gmem_placement_t ignored;
  assert(reader->index < gmem_problem_buffer_count(reader->problem));
  reader->name =
      gmem_problem_buffer(reader->problem, (uint32_t)reader->index)->name;
  return read_object(reader, object, members,
                     reader->plan ? &reader->plan[reader->index] : &ignored);
}

static gmem_status_t read_plan(reader_t *reader, json_t *value, void *out) {
  static const member_t members[] = {
      {"placements", true, .read = check_count},
      {"figures", false, .read = check_figures},
      {"placements", true, .element = read_placement},
      {0}};
  strcpy(reader->where, "plan");
  reader->prefix = "plan.";
  if (reader->has_plan)
    GMEM_TRY(gmem_plan_create(reader->problem, &reader->plan, reader->diag));
  return read_object(reader, value, members, out);
}

//===--- document ---------------------------------------------------------===//

static gmem_status_t check_format(reader_t *reader, json_t *value, void *out) {
  (void)out;
  if (!json_is_string(value))
    return fail(reader, "is not a string");
  return strcmp(json_string_value(value), GMEM_PROBLEM_JSON_FORMAT) == 0
             ? GMEM_OK
             : fail(reader, "is not '" GMEM_PROBLEM_JSON_FORMAT "'");
}

static gmem_status_t check_version(reader_t *reader, json_t *value, void *out) {
  uint64_t version = 0;
  (void)out;
  GMEM_TRY(read_number(reader, value, &version));
  return version == GMEM_PROBLEM_JSON_VERSION
             ? GMEM_OK
             : gmem_fail(reader->diag, GMEM_ERR_VERSION,
                         "unsupported version %" PRIu64 " (supported: %d)",
                         version, GMEM_PROBLEM_JSON_VERSION);
}

static gmem_status_t read_root(reader_t *reader, json_t *root) {
  static const member_t members[] = {
      {"format", true, .read = check_format},
      {"version", true, .read = check_version},
      {"pools", true, .element = read_pool},
      {"buffers", true, .element = read_buffer},
      {"conflicts", false, .element = read_conflict},
      {"aliases", false, .element = read_alias},
      {"blocks", false, .element = read_block},
      {"constraints", false, .element = read_constraint},
      {"plan", false, .read = read_plan},
      {0}};
  if (!json_is_object(root))
    return gmem_fail(reader->diag, GMEM_ERR_PARSE,
                     "the document is not an object");
  // The version is checked first, since other versions may have other members.
  GMEM_TRY(read_member(reader, root, &members[0], reader));
  GMEM_TRY(read_member(reader, root, &members[1], reader));
  return read_object(reader, root, members, reader);
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

static gmem_status_t read_all(reader_t *reader, const char *text, size_t length,
                              const gmem_allocator_t *allocator,
                              json_t **root) {
  GMEM_TRY(load(reader, text, length, root));
  GMEM_TRY(gmem_problem_create(allocator, &reader->problem, reader->diag));
  return read_root(reader, *root);
}

gmem_status_t gmem_problem_json_read(const char *text, size_t length,
                                     const gmem_allocator_t *allocator,
                                     gmem_problem_t **out_problem,
                                     gmem_placement_t **out_plan,
                                     gmem_diag_t *diag) {
  reader_t reader = {.diag = diag, .has_plan = out_plan != NULL, .prefix = ""};
  json_t *root = NULL;
  json_malloc_t take;
  json_free_t release;
  gmem_status_t status = read_all(&reader, text, length, allocator, &root);
  json_get_alloc_funcs(&take, &release);
  for (size_t i = 0; i < LISTS; ++i)
    release(reader.lists[i].data);
  json_decref(root);
  if (status != GMEM_OK) {
    gmem_plan_free(reader.problem, reader.plan);
    gmem_problem_destroy(reader.problem);
    reader.plan = NULL;
    reader.problem = NULL;
  }
  *out_problem = reader.problem;
  if (out_plan)
    *out_plan = reader.plan;
  return status;
}
