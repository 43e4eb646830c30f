// diff_plan.c - see diff_plan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "diff_plan.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "gmem/passes.h"
#include "layout_json.h"
#include "messages.h"
#include "mlir_files.h"

//===--- lists ------------------------------------------------------------===//

static void allocate(gmem_diff_plan_t *plan, size_t pools, size_t buffers) {
  plan->pools = gmem_need(calloc(pools + 1, sizeof *plan->pools));
  plan->buffers = gmem_need(calloc(buffers + 1, sizeof *plan->buffers));
}

static void add_pool(gmem_diff_plan_t *plan, const char *name, bool constant,
                     uint64_t size, uint64_t lower_bound) {
  plan->pools[plan->pool_count++] =
      (gmem_diff_pool_t){gmem_need(strdup(name)), constant, size, lower_bound};
}

static void add_buffer(gmem_diff_plan_t *plan, const char *name,
                       const char *pool, uint64_t offset, uint64_t size,
                       json_t *layout) {
  plan->buffers[plan->buffer_count++] = (gmem_diff_buffer_t){
      gmem_need(strdup(name)), gmem_need(strdup(pool)), offset, size, layout};
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const gmem_diff_buffer_t *)a)->name,
                ((const gmem_diff_buffer_t *)b)->name);
}

void gmem_diff_plan_free(gmem_diff_plan_t *plan) {
  for (size_t i = 0; i < plan->pool_count; ++i)
    free(plan->pools[i].name);
  for (size_t i = 0; i < plan->buffer_count; ++i) {
    free(plan->buffers[i].name);
    free(plan->buffers[i].pool);
    json_decref(plan->buffers[i].layout);
  }
  free(plan->pools);
  free(plan->buffers);
  *plan = (gmem_diff_plan_t){0};
}

const gmem_diff_pool_t *gmem_diff_pool_find(const gmem_diff_plan_t *plan,
                                            const char *name) {
  for (size_t i = 0; i < plan->pool_count; ++i)
    if (strcmp(plan->pools[i].name, name) == 0)
      return &plan->pools[i];
  return NULL;
}

//===--- plan JSON --------------------------------------------------------===//

// A member of a plan that is read; |what| locates it in messages.
static gmem_status_t bytes_of(const char *path, const json_t *object,
                              const char *what, size_t index, const char *key,
                              uint64_t *out) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return gmem_tool_error("%s: %s[%zu].%s is not a number of bytes: is this "
                           "plan JSON?",
                           path, what, index, key);
  *out = (uint64_t)json_integer_value(value);
  return GMEM_OK;
}

static gmem_status_t text_of(const char *path, const json_t *object,
                             const char *what, size_t index, const char *key,
                             const char **out) {
  *out = json_string_value(json_object_get(object, key));
  return *out ? GMEM_OK
              : gmem_tool_error("%s: %s[%zu].%s is not a text: is this plan "
                                "JSON?",
                                path, what, index, key);
}

static gmem_status_t read_members(const char *path, const json_t *root,
                                  gmem_diff_plan_t *plan) {
  const json_t *pools = json_object_get(root, "pools");
  const json_t *buffers = json_object_get(root, "buffers");
  if (!json_is_array(pools) || !json_is_array(buffers))
    return gmem_tool_error("%s: no plan JSON: it has no pools and buffers",
                           path);
  if (json_integer_value(json_object_get(root, "version")) != 1)
    return gmem_tool_error("%s: the version of the plan JSON is not 1", path);
  allocate(plan, json_array_size(pools), json_array_size(buffers));
  GMEM_TRY(bytes_of(path, root, "plan", 0, "peak", &plan->peak));
  GMEM_TRY(bytes_of(path, root, "plan", 0, "lower_bound", &plan->lower_bound));
  for (size_t i = 0; i < json_array_size(pools); ++i) {
    const json_t *pool = json_array_get(pools, i);
    const char *name, *kind;
    uint64_t size, bound;
    GMEM_TRY(text_of(path, pool, "pools", i, "name", &name));
    GMEM_TRY(text_of(path, pool, "pools", i, "kind", &kind));
    GMEM_TRY(bytes_of(path, pool, "pools", i, "size", &size));
    GMEM_TRY(bytes_of(path, pool, "pools", i, "lower_bound", &bound));
    add_pool(plan, name, strcmp(kind, "constant") == 0, size, bound);
  }
  for (size_t i = 0; i < json_array_size(buffers); ++i) {
    const json_t *buffer = json_array_get(buffers, i);
    const char *name, *pool;
    uint64_t offset, size;
    GMEM_TRY(text_of(path, buffer, "buffers", i, "name", &name));
    GMEM_TRY(text_of(path, buffer, "buffers", i, "pool", &pool));
    GMEM_TRY(bytes_of(path, buffer, "buffers", i, "offset", &offset));
    GMEM_TRY(bytes_of(path, buffer, "buffers", i, "size", &size));
    json_t *layout = json_object_get(buffer, "layout");
    add_buffer(plan, name, pool, offset, size,
               json_is_object(layout) ? json_incref(layout) : NULL);
  }
  return GMEM_OK;
}

static gmem_status_t read_json(const char *path, const char *text,
                               size_t length, gmem_diff_plan_t *plan) {
  json_error_t error;
  json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
  gmem_status_t status = root
                             ? read_members(path, root, plan)
                             : gmem_tool_error("%s:%d:%d: %s", path, error.line,
                                               error.column, error.text);
  json_decref(root);
  return status;
}

//===--- planned MLIR -----------------------------------------------------===//

// As in plan JSON; NULL if |layout| is.
static json_t *layout_json(const gmem_planned_layout_t *layout) {
  char *text = NULL;
  size_t length = 0;
  if (!layout)
    return NULL;
  FILE *stream = gmem_need(open_memstream(&text, &length));
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, stream);
  gmem_json_open(&json, NULL, '{');
  gmem_layout_json_put(&json, layout);
  gmem_json_close(&json);
  bool is_good = gmem_json_end(&json, "the layout", NULL) == GMEM_OK;
  is_good &= fclose(stream) == 0;
  json_t *buffer = gmem_need(is_good ? json_loads(text, 0, NULL) : NULL);
  json_t *made = json_incref(json_object_get(buffer, "layout"));
  json_decref(buffer);
  free(text);
  return made;
}

// Standard input has been read to |text|.
static gmem_status_t read_module(MlirContext context, const char *path,
                                 const char *text, gmem_diff_plan_t *plan) {
  gmem_diag_t diag = {.text = ""};
  gmem_planned_t *planned = NULL;
  MlirModule module =
      strcmp(path, "-") == 0
          ? mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text))
          : gmem_module_parse(context, path);
  if (mlirModuleIsNull(module))
    return GMEM_TOLD;
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, &diag);
  if (status == GMEM_ERR_NOT_FOUND)
    status = gmem_tool_error("%s: the module has no plan: run gmem-plan", path);
  if (status == GMEM_OK) {
    uint32_t pools = gmem_planned_pool_count(planned);
    uint32_t buffers = gmem_planned_buffer_count(planned);
    allocate(plan, pools, buffers);
    plan->peak = gmem_planned_figures(planned)->peak;
    plan->lower_bound = gmem_planned_figures(planned)->lower_bound;
    for (uint32_t i = 0; i < pools; ++i) {
      const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
      add_pool(plan, pool->name, pool->constant, pool->size, pool->lower_bound);
    }
    for (uint32_t i = 0; i < buffers; ++i) {
      const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
      add_buffer(plan, buffer->name,
                 gmem_planned_pool(planned, buffer->pool)->name, buffer->offset,
                 buffer->size, layout_json(buffer->layout));
    }
  }
  gmem_planned_destroy(planned);
  mlirModuleDestroy(module);
  return status == GMEM_OK ? GMEM_OK : GMEM_TOLD;
}

//===--- a file -----------------------------------------------------------===//

gmem_status_t gmem_diff_plan_read(MlirContext context, const char *path,
                                  gmem_diff_plan_t *out_plan) {
  char *text;
  size_t length, at = 0;
  gmem_diag_t diag = {.text = ""};
  *out_plan = (gmem_diff_plan_t){0};
  GMEM_TRY(gmem_tool_check(gmem_read_file(path, &text, &length, &diag), &diag,
                           "%s", path));
  while (at < length && strchr(" \t\r\n", text[at]) && text[at])
    ++at;
  // No module begins with a brace, and every plan in JSON does.
  gmem_status_t status = at < length && text[at] == '{'
                             ? read_json(path, text, length, out_plan)
                             : read_module(context, path, text, out_plan);
  free(text);
  if (out_plan->buffers)
    qsort(out_plan->buffers, out_plan->buffer_count, sizeof *out_plan->buffers,
          compare_names);
  return status;
}
