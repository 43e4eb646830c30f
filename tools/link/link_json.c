// link_json.c - reads and writes link.json.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_json.h"

#include <stdlib.h>
#include <string.h>

//===--- writing ----------------------------------------------------------===//

static json_t *json_bytes(uint64_t bytes) {
  return json_integer((json_int_t)bytes);
}

static json_t *json_bytes_or_null(uint64_t bytes, uint64_t missing) {
  return bytes == missing ? json_null() : json_bytes(bytes);
}

static json_t *write_model(const gmem_link_models_t *models, size_t index) {
  const gmem_link_model_t *model = &models->at[index];
  json_t *others = json_array();
  for (size_t i = 0; i < models->count; ++i)
    if (i != index && models->together[index * models->count + i])
      json_array_append_new(others, json_string(models->at[i].name));
  return json_pack("{s:s, s:s, s:b, s:o}", "name", model->name, "file",
                   model->file, "resident", model->is_resident, "concurrent",
                   others);
}

static json_t *write_block(const gmem_link_models_t *models,
                           const gmem_link_block_t *block) {
  return json_pack("{s:s, s:o, s:o, s:o}", "model",
                   models->at[block->model].name, "offset",
                   json_bytes(block->offset), "size", json_bytes(block->size),
                   "alignment", json_bytes(block->alignment));
}

static json_t *write_pool(const gmem_link_models_t *models,
                          const gmem_link_pool_t *pool) {
  json_t *blocks = json_array();
  for (size_t i = 0; i < pool->block_count; ++i)
    json_array_append_new(blocks, write_block(models, &pool->blocks[i]));
  return json_pack(
      "{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", pool->name,
      "kind", pool->constant ? "constant" : "workspace", "base",
      json_bytes_or_null(pool->base, GMEM_NO_BASE), "size",
      json_bytes(pool->size), "lower_bound", json_bytes(pool->lower_bound),
      "sum", json_bytes(pool->sum), "alignment", json_bytes(pool->alignment),
      "capacity", json_bytes_or_null(pool->capacity, GMEM_UNLIMITED), "blocks",
      blocks);
}

json_t *gmem_link_to_json(const gmem_link_models_t *models,
                          const gmem_link_pools_t *pools) {
  json_t *all_models = json_array(), *all_pools = json_array();
  for (size_t i = 0; i < models->count; ++i)
    json_array_append_new(all_models, write_model(models, i));
  for (size_t i = 0; i < pools->count; ++i)
    json_array_append_new(all_pools, write_pool(models, &pools->at[i]));
  return json_pack("{s:i, s:o, s:o}", "version", 1, "models", all_models,
                   "pools", all_pools);
}

//===--- reading ----------------------------------------------------------===//

static char *join(const char *folder, const char *file) {
  size_t length = strlen(folder), size = strlen(file) + 1;
  char *path = malloc(length + size);
  if (path) {
    memcpy(path, folder, length);
    memcpy(path + length, file, size);
  }
  return path;
}

// Marks the models named in |others| as concurrent with model |index|.
static bool read_concurrent(gmem_link_models_t *models, size_t index,
                            const json_t *others) {
  size_t i;
  json_t *other;
  json_array_foreach(others, i, other) {
    const char *name = json_string_value(other);
    const gmem_link_model_t *found =
        name ? gmem_link_models_find(models, name, strlen(name)) : NULL;
    if (!found)
      return gmem_link_error(
          "link.json: model '%s' is concurrent with an unknown model",
          models->at[index].name);
    size_t k = (size_t)(found - models->at);
    models->together[index * models->count + k] = true;
    models->together[k * models->count + index] = true;
  }
  return true;
}

static bool read_names(const json_t *list, const char *folder,
                       gmem_link_models_t *models, char **paths) {
  for (size_t i = 0; i < models->count; ++i) {
    const char *name, *file;
    json_t *others;
    if (json_unpack(json_array_get(list, i), "{s:s, s:s, s:o}", "name", &name,
                    "file", &file, "concurrent", &others) != 0 ||
        !json_is_array(others) || strchr(file, '/') || !*file)
      return gmem_link_error("link.json: model %zu is malformed", i);
    if (gmem_link_models_find(models, name, strlen(name)))
      return gmem_link_error("link.json lists model '%s' twice", name);
    gmem_link_model_t *model = &models->at[i];
    model->name = strdup(name);
    model->file = strdup(file);
    model->path = paths[i] = join(folder, file);
    if (!model->name || !model->file || !model->path)
      return gmem_link_out_of_memory();
  }
  return true;
}

bool gmem_link_from_json(const json_t *link, const char *folder,
                         gmem_link_models_t *models, char ***out_paths) {
  const json_t *list = json_object_get(link, "models");
  size_t count = json_array_size(list);
  *models = (gmem_link_models_t){0};
  *out_paths = calloc(count + 1, sizeof **out_paths);
  models->at = calloc(count + 1, sizeof *models->at);
  models->together = calloc(count * count + 1, sizeof *models->together);
  if (!*out_paths || !models->at || !models->together)
    return gmem_link_out_of_memory();
  if (!count || json_integer_value(json_object_get(link, "version")) != 1)
    return gmem_link_error(
        "link.json: unsupported version or no models (supported: version 1)");
  models->count = count;
  if (!read_names(list, folder, models, *out_paths))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!read_concurrent(
            models, i, json_object_get(json_array_get(list, i), "concurrent")))
      return false;
  return true;
}

void gmem_link_paths_free(char **paths) {
  for (char **path = paths; path && *path; ++path)
    free(*path);
  free(paths);
}
