// plan_file.c - see plan_file.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "gmem/plan.h"

//===--- JSON -------------------------------------------------------------===//

static bool get_bytes(const json_t *object, const char *key, uint64_t *out) {
  const json_t *value = json_object_get(object, key);
  json_int_t number = json_integer_value(value);
  *out = (uint64_t)number;
  return json_is_integer(value) && number >= 0;
}

static gmem_status_t add_json(const json_t *json, size_t index,
                              gmem_earlier_buffer_fn *add, void *user,
                              gmem_diag_t *diag) {
  gmem_earlier_buffer_t buffer = {
      .name = json_string_value(json_object_get(json, "name")),
      .pool = json_string_value(json_object_get(json, "pool"))};
  if (!buffer.name || !buffer.pool ||
      !get_bytes(json, "offset", &buffer.offset) ||
      !get_bytes(json, "size", &buffer.size))
    return gmem_fail(diag, GMEM_ERR_PARSE,
                     "buffers[%zu] lacks 'name', 'pool', 'offset' or 'size', "
                     "or one has another type",
                     index);
  return add(user, &buffer, diag);
}

static gmem_status_t add_all_json(const json_t *plan,
                                  gmem_earlier_buffer_fn *add, void *user,
                                  gmem_diag_t *diag) {
  const json_t *version = json_object_get(plan, "version");
  const json_t *buffers = json_object_get(plan, "buffers"), *buffer;
  size_t i;
  if (!json_is_integer(version) || !json_is_array(buffers))
    return gmem_fail(diag, GMEM_ERR_PARSE,
                     "no plan: 'version' or 'buffers' is missing");
  if (json_integer_value(version) != 1)
    return gmem_fail(diag, GMEM_ERR_VERSION,
                     "version %lld is not supported, only 1",
                     (long long)json_integer_value(version));
  json_array_foreach(buffers, i, buffer)
      GMEM_TRY(add_json(buffer, i, add, user, diag));
  return GMEM_OK;
}

static gmem_status_t read_json(FILE *file, gmem_earlier_buffer_fn *add,
                               void *user, gmem_diag_t *diag) {
  json_error_t error;
  json_t *plan = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
  // If out of memory for a value, jansson sets no error text.
  if (!plan &&
      (json_error_code(&error) == json_error_out_of_memory || !*error.text))
    return gmem_out_of_memory(diag);
  if (!plan)
    return gmem_fail(diag, GMEM_ERR_PARSE, "line %d, column %d: %s", error.line,
                     error.column, error.text);
  gmem_status_t status = add_all_json(plan, add, user, diag);
  json_decref(plan);
  return status;
}

//===--- images -----------------------------------------------------------===//

static gmem_status_t add_all(const gmem_plan_t *plan,
                             gmem_earlier_buffer_fn *add, void *user,
                             gmem_diag_t *diag) {
  gmem_buffer_info_t buffer;
  gmem_region_info_t region;
  for (uint32_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    GMEM_TRY(gmem_plan_buffer(plan, i, &buffer));
    GMEM_TRY(gmem_plan_region(plan, buffer.region, &region));
    GMEM_TRY(add(user,
                 &(gmem_earlier_buffer_t){buffer.name, region.name,
                                          buffer.offset, buffer.size},
                 diag));
  }
  return GMEM_OK;
}

static gmem_status_t read_image(const char *path,
                                const gmem_allocator_t *allocator,
                                gmem_earlier_buffer_fn *add, void *user,
                                gmem_diag_t *diag) {
  gmem_plan_t *plan;
  GMEM_TRY(gmem_plan_load_file(path, 0, allocator, &plan, diag));
  gmem_status_t status = add_all(plan, add, user, diag);
  gmem_plan_release(plan);
  return status;
}

//===--- both -------------------------------------------------------------===//

// Whether the file begins as JSON does, and not as the resources of a module.
static bool is_json(const char *start) {
  start += strspn(start, " \t\r\n");
  return start[0] == '{' && start[1] != '-';
}

gmem_status_t gmem_plan_file_read(const char *path,
                                  const gmem_allocator_t *allocator,
                                  gmem_earlier_buffer_fn *add, void *user,
                                  gmem_diag_t *diag) {
  char start[64] = "";
  FILE *file = fopen(path, "rb");
  if (!file)
    return gmem_fail(diag, GMEM_ERR_IO, "%s", strerror(errno));
  (void)!fread(start, 1, sizeof start - 1, file);
  rewind(file);
  gmem_status_t status = GMEM_ERR_UNSUPPORTED;
  if (is_json(start))
    status = read_json(file, add, user, diag);
  fclose(file);
  if (strncmp(start, "\x89GMEM", 5) == 0)
    status = read_image(path, allocator, add, user, diag);
  return status;
}
