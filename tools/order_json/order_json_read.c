// order_json_read.c - parses a graph of operators from JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "order_json.h"

typedef struct graph_reader_s {
  gmem_diag_t *diag;
  gmem_order_graph_t *graph;
  uint32_t *users; // of the current tensor; jansson's memory
  size_t user_room;
  char where[48];  // the current element: "tensors[3]"
  const char *key; // of the current member; NULL: the element itself
} graph_reader_t;

//===--- messages ---------------------------------------------------------===//

static gmem_status_t fail(graph_reader_t *reader, const char *problem) {
  return gmem_fail(reader->diag, GMEM_ERR_PARSE, "%s%s%.40s %s", reader->where,
                   reader->key && *reader->where ? "." : "",
                   reader->key ? reader->key : "", problem);
}

// Errors of the graph's functions are errors of the element.
static gmem_status_t added(graph_reader_t *reader, gmem_status_t status) {
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

//===--- values -----------------------------------------------------------===//

// Rejects members that are not in |known|, a list that ends with NULL.
static gmem_status_t check_members(graph_reader_t *reader, json_t *object,
                                   const char *const *known) {
  json_t *value;
  reader->key = NULL;
  if (!json_is_object(object))
    return fail(reader, "is not an object");
  json_object_foreach(object, reader->key, value) {
    const char *const *name = known;
    while (*name && strcmp(*name, reader->key) != 0)
      ++name;
    if (!*name)
      return fail(reader, "is unknown");
  }
  return GMEM_OK;
}

static gmem_status_t to_number(graph_reader_t *reader, json_t *value,
                               uint64_t most, uint64_t *out) {
  if (!json_is_integer(value))
    return fail(reader, "is not an integer");
  if (json_integer_value(value) < 0)
    return fail(reader, "is negative");
  *out = (uint64_t)json_integer_value(value);
  return *out > most ? fail(reader, "is greater than 4294967294") : GMEM_OK;
}

// A member that may be absent: *out is then unchanged.
static gmem_status_t read_bytes(graph_reader_t *reader, json_t *object,
                                const char *key, uint64_t *out) {
  json_t *value = json_object_get(object, key);
  reader->key = key;
  return value ? to_number(reader, value, INT64_MAX, out) : GMEM_OK;
}

static gmem_status_t read_index(graph_reader_t *reader, json_t *object,
                                const char *key, uint32_t *out) {
  json_t *value = json_object_get(object, key);
  uint64_t number = 0;
  reader->key = key;
  if (!value)
    return GMEM_OK;
  GMEM_TRY(to_number(reader, value, GMEM_ORDER_NONE - 1, &number));
  *out = (uint32_t)number;
  return GMEM_OK;
}

static gmem_status_t read_bool(graph_reader_t *reader, json_t *object,
                               const char *key, bool *out) {
  json_t *value = json_object_get(object, key);
  reader->key = key;
  if (value && !json_is_boolean(value))
    return fail(reader, "is not a boolean");
  *out = json_is_true(value);
  return GMEM_OK;
}

static gmem_status_t read_name(graph_reader_t *reader, json_t *object,
                               const char **out) {
  json_t *value = json_object_get(object, "name");
  reader->key = "name";
  if (value && !json_is_string(value))
    return fail(reader, "is not a string");
  *out = json_string_value(value);
  return GMEM_OK;
}

static gmem_status_t require(graph_reader_t *reader, json_t *object,
                             const char *key) {
  reader->key = key;
  return json_object_get(object, key) ? GMEM_OK : fail(reader, "is missing");
}

//===--- elements ---------------------------------------------------------===//

static gmem_status_t read_op(graph_reader_t *reader, json_t *object) {
  static const char *const known[] = {"name", "scratch", NULL};
  gmem_order_op_t op = {.name = NULL};
  uint32_t id;
  GMEM_TRY(check_members(reader, object, known));
  GMEM_TRY(read_name(reader, object, &op.name));
  GMEM_TRY(read_bytes(reader, object, "scratch", &op.scratch));
  return added(reader,
               gmem_order_add_op(reader->graph, &op, &id, reader->diag));
}

static gmem_status_t read_users(graph_reader_t *reader, json_t *object,
                                gmem_order_tensor_t *tensor) {
  json_t *array = json_object_get(object, "users");
  size_t count = json_array_size(array);
  reader->key = "users";
  if (!array)
    return GMEM_OK;
  if (!json_is_array(array))
    return fail(reader, "is not an array");
  if (count > reader->user_room) {
    json_malloc_t take;
    json_free_t release;
    json_get_alloc_funcs(&take, &release);
    release(reader->users);
    reader->users = take(count * sizeof *reader->users);
    reader->user_room = reader->users ? count : 0;
    if (!reader->users)
      return gmem_out_of_memory(reader->diag);
  }
  for (size_t i = 0; i < count; ++i) {
    uint64_t number = 0;
    GMEM_TRY(to_number(reader, json_array_get(array, i), GMEM_ORDER_NONE - 1,
                       &number));
    reader->users[i] = (uint32_t)number;
  }
  tensor->users = reader->users;
  tensor->user_count = (uint32_t)count;
  return GMEM_OK;
}

static gmem_status_t read_tensor(graph_reader_t *reader, json_t *object) {
  static const char *const known[] = {"name", "bytes",   "producer", "users",
                                      "kept", "view_of", NULL};
  gmem_order_tensor_t tensor = {.producer = GMEM_ORDER_NONE,
                                .view_of = GMEM_ORDER_NONE};
  uint32_t id;
  GMEM_TRY(check_members(reader, object, known));
  GMEM_TRY(require(reader, object, "bytes"));
  GMEM_TRY(read_name(reader, object, &tensor.name));
  GMEM_TRY(read_bytes(reader, object, "bytes", &tensor.bytes));
  GMEM_TRY(read_index(reader, object, "producer", &tensor.producer));
  GMEM_TRY(read_index(reader, object, "view_of", &tensor.view_of));
  GMEM_TRY(read_bool(reader, object, "kept", &tensor.is_kept));
  GMEM_TRY(read_users(reader, object, &tensor));
  return added(
      reader, gmem_order_add_tensor(reader->graph, &tensor, &id, reader->diag));
}

static gmem_status_t read_edge(graph_reader_t *reader, json_t *pair) {
  uint64_t ends[2] = {0};
  reader->key = NULL;
  if (!json_is_array(pair) || json_array_size(pair) != 2)
    return fail(reader, "is not a pair of ops");
  for (size_t i = 0; i < 2; ++i)
    GMEM_TRY(to_number(reader, json_array_get(pair, i), GMEM_ORDER_NONE - 1,
                       &ends[i]));
  return added(reader, gmem_order_add_edge(reader->graph, (uint32_t)ends[0],
                                           (uint32_t)ends[1], reader->diag));
}

static gmem_status_t read_reuse(graph_reader_t *reader, json_t *object) {
  static const char *const known[] = {"output", "input", "part", NULL};
  gmem_order_reuse_t reuse = {.is_part = false};
  GMEM_TRY(check_members(reader, object, known));
  GMEM_TRY(require(reader, object, "output"));
  GMEM_TRY(require(reader, object, "input"));
  GMEM_TRY(read_index(reader, object, "output", &reuse.output));
  GMEM_TRY(read_index(reader, object, "input", &reuse.input));
  GMEM_TRY(read_bool(reader, object, "part", &reuse.is_part));
  return added(reader,
               gmem_order_add_reuse(reader->graph, &reuse, reader->diag));
}

//===--- document ---------------------------------------------------------===//

typedef gmem_status_t (*element_fn)(graph_reader_t *reader, json_t *value);

static gmem_status_t read_section(graph_reader_t *reader, json_t *root,
                                  const char *key, element_fn read) {
  json_t *array = json_object_get(root, key);
  reader->where[0] = '\0';
  reader->key = key;
  if (!array)
    return GMEM_OK;
  if (!json_is_array(array))
    return fail(reader, "is not an array");
  for (size_t i = 0; i < json_array_size(array); ++i) {
    snprintf(reader->where, sizeof reader->where, "%s[%zu]", key, i);
    reader->key = NULL;
    GMEM_TRY(read(reader, json_array_get(array, i)));
  }
  reader->where[0] = '\0';
  return GMEM_OK;
}

static gmem_status_t check_version(graph_reader_t *reader, json_t *root) {
  uint64_t version = 0;
  GMEM_TRY(require(reader, root, "format"));
  const char *format = json_string_value(json_object_get(root, "format"));
  if (!format || strcmp(format, GMEM_GRAPH_JSON_FORMAT) != 0)
    return fail(reader, "is not '" GMEM_GRAPH_JSON_FORMAT "'");
  GMEM_TRY(require(reader, root, "version"));
  GMEM_TRY(read_bytes(reader, root, "version", &version));
  return version == GMEM_GRAPH_JSON_VERSION
             ? GMEM_OK
             : gmem_fail(reader->diag, GMEM_ERR_VERSION,
                         "unsupported version %" PRIu64 " (supported: %d)",
                         version, GMEM_GRAPH_JSON_VERSION);
}

static gmem_status_t read_root(graph_reader_t *reader, json_t *root) {
  static const char *const known[] = {"format", "version", "ops", "tensors",
                                      "edges",  "reuses",  NULL};
  if (!json_is_object(root))
    return gmem_fail(reader->diag, GMEM_ERR_PARSE,
                     "the document is not an object");
  GMEM_TRY(check_version(reader, root));
  GMEM_TRY(check_members(reader, root, known));
  GMEM_TRY(require(reader, root, "ops"));
  GMEM_TRY(require(reader, root, "tensors"));
  GMEM_TRY(read_section(reader, root, "ops", read_op));
  GMEM_TRY(read_section(reader, root, "tensors", read_tensor));
  GMEM_TRY(read_section(reader, root, "edges", read_edge));
  return read_section(reader, root, "reuses", read_reuse);
}

static gmem_status_t load(const char *text, size_t length, json_t **out_root,
                          gmem_diag_t *diag) {
  json_error_t error;
  *out_root =
      json_loadb(length ? text : "", length, JSON_REJECT_DUPLICATES, &error);
  if (*out_root)
    return GMEM_OK;
  enum json_error_code code = json_error_code(&error);
  if (code == json_error_out_of_memory || !*error.text)
    return gmem_out_of_memory(diag);
  gmem_status_t status = code == json_error_numeric_overflow
                             ? GMEM_ERR_OUT_OF_RANGE
                             : GMEM_ERR_PARSE;
  gmem_fail(diag, status, "%.200s", error.text);
  if (diag)
    diag->line = error.line > 0 ? (uint64_t)error.line : 1;
  return status;
}

gmem_status_t gmem_graph_json_read(const char *text, size_t length,
                                   const gmem_allocator_t *allocator,
                                   gmem_order_graph_t **out_graph,
                                   gmem_diag_t *diag) {
  graph_reader_t reader = {.diag = diag};
  json_t *root = NULL;
  json_malloc_t take;
  json_free_t release;
  gmem_status_t status = load(text, length, &root, diag);
  if (status == GMEM_OK)
    status = gmem_order_graph_create(allocator, &reader.graph, diag);
  if (status == GMEM_OK)
    status = read_root(&reader, root);
  json_get_alloc_funcs(&take, &release);
  release(reader.users);
  json_decref(root);
  if (status != GMEM_OK) {
    gmem_order_graph_destroy(reader.graph);
    reader.graph = NULL;
  }
  *out_graph = reader.graph;
  return status;
}
