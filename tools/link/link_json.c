// link_json.c - reads and writes link.json.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // asprintf

#include "link_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"

//===--- writing ----------------------------------------------------------===//

static void put_model(gmem_json_t *json, const gmem_link_models_t *models,
                      const gmem_link_model_t *model) {
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", model->name);
  gmem_json_text(json, "file", model->file);
  gmem_json_bool(json, "resident", model->is_resident);
  gmem_json_open(json, "concurrent", '[');
  for (size_t i = 0; i < models->count; ++i)
    if (i != model->index && gmem_link_is_together(model, &models->at[i]))
      gmem_json_text(json, NULL, models->at[i].name);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_block(gmem_json_t *json, const gmem_link_block_t *block) {
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "model", block->model->name);
  gmem_json_number(json, "offset", block->offset);
  gmem_json_number(json, "size", block->size);
  gmem_json_number(json, "alignment", block->alignment);
  gmem_json_close(json);
}

static void put_pool(gmem_json_t *json, const gmem_link_pool_t *pool) {
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", pool->name);
  gmem_json_text(json, "kind", pool->constant ? "constant" : "workspace");
  gmem_json_number_or_null(json, "base", pool->base, GMEM_NO_BASE);
  gmem_json_number(json, "size", pool->size);
  gmem_json_number(json, "lower_bound", pool->lower_bound);
  gmem_json_number(json, "sum", pool->sum);
  gmem_json_number(json, "alignment", pool->alignment);
  gmem_json_number_or_null(json, "capacity", pool->capacity, GMEM_UNLIMITED);
  gmem_json_open(json, "blocks", '[');
  for (size_t i = 0; i < pool->block_count; ++i)
    put_block(json, &pool->blocks[i]);
  gmem_json_close(json);
  gmem_json_close(json);
}

char *gmem_link_to_json(const gmem_link_models_t *models,
                        const gmem_link_pools_t *pools) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = gmem_need(open_memstream(&text, &length));
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, stream);
  json.is_indented = true;
  gmem_json_open(&json, NULL, '{');
  gmem_json_number(&json, "version", 1);
  gmem_json_open(&json, "models", '[');
  for (size_t i = 0; i < models->count; ++i)
    put_model(&json, models, &models->at[i]);
  gmem_json_close(&json);
  gmem_json_open(&json, "pools", '[');
  for (size_t i = 0; i < pools->count; ++i)
    put_pool(&json, &pools->at[i]);
  gmem_json_close(&json);
  gmem_json_close(&json);
  bool is_whole = gmem_json_end(&json, "link.json", NULL) == GMEM_OK;
  return gmem_need(fclose(stream) == 0 && is_whole ? text : NULL);
}

//===--- reading ----------------------------------------------------------===//

// Marks the models named in |others| as concurrent with |model|.
static gmem_status_t read_concurrent(const gmem_link_models_t *models,
                                     gmem_link_model_t *model,
                                     const json_t *others) {
  size_t i;
  json_t *other;
  json_array_foreach(others, i, other) {
    const char *name = json_string_value(other);
    gmem_link_model_t *found =
        name ? gmem_link_models_find(models, name, strlen(name)) : NULL;
    if (!found)
      return gmem_tool_error(
          "link.json: model '%s' is concurrent with an unknown model",
          model->name);
    gmem_link_join(model, found);
  }
  return GMEM_OK;
}

static gmem_status_t read_name(const json_t *list, const char *folder,
                               gmem_link_models_t *models, size_t index) {
  const char *name, *file;
  json_t *others;
  if (json_unpack(json_array_get(list, index), "{s:s, s:s, s:o}", "name", &name,
                  "file", &file, "concurrent", &others) != 0 ||
      !json_is_array(others) || strchr(file, '/') || !*file)
    return gmem_tool_error("link.json: model %zu is malformed", index);
  if (gmem_link_models_find(models, name, strlen(name)))
    return gmem_tool_error("link.json lists model '%s' twice", name);
  gmem_link_model_t *model = &models->at[index];
  model->name = gmem_need(strdup(name));
  model->file = gmem_need(strdup(file));
  if (asprintf(&model->path, "%s%s", folder, file) < 0)
    gmem_need(model->path = NULL);
  return GMEM_OK;
}

gmem_status_t gmem_link_from_json(const json_t *link, const char *folder,
                                  gmem_link_models_t *models) {
  const json_t *list = json_object_get(link, "models");
  size_t count = json_array_size(list);
  gmem_link_models_make(models, count);
  if (!count || json_integer_value(json_object_get(link, "version")) != 1)
    return gmem_tool_error(
        "link.json: unsupported version or no models (supported: version 1)");
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(read_name(list, folder, models, i));
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(read_concurrent(
        models, &models->at[i],
        json_object_get(json_array_get(list, i), "concurrent")));
  return GMEM_OK;
}
