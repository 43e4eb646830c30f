// link_models.c - see link_models.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // asprintf

#include "link_models.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ir_reading.h"
#include "mlir_files.h"

//===--- names ------------------------------------------------------------===//

static bool has_ending(const char *file) {
  size_t length = strlen(file);
  return length > 5 && strcmp(file + length - 5, ".mlir") == 0;
}

// The output of NAME=FILE is NAME.mlir, that of FILE has the same file name. A
// '=' after a '/' is part of the path.
static void name_model(gmem_link_model_t *model, const char *argument) {
  size_t plain = strcspn(argument, "=/");
  if (argument[plain] == '=') {
    model->path = strdup(argument + plain + 1);
    model->name = strndup(argument, plain);
    if (asprintf(&model->file, "%s.mlir", (char *)gmem_need(model->name)) < 0)
      model->file = NULL;
  } else {
    const char *slash = strrchr(argument, '/');
    const char *file = slash ? slash + 1 : argument;
    model->path = strdup(argument);
    model->name = strndup(file, strlen(file) - (has_ending(file) ? 5 : 0));
    model->file = strdup(file);
  }
  gmem_need(model->path);
  gmem_need(model->name);
  gmem_need(model->file);
}

static gmem_status_t check_name(const gmem_link_models_t *models,
                                size_t index) {
  const gmem_link_model_t *model = &models->at[index];
  if (!model->name[0] || !model->path[0] || strcmp(model->name, "-") == 0)
    return gmem_tool_error("'%s' is not a valid model name: use NAME=FILE",
                           model->name);
  if (strchr(model->name, ','))
    return gmem_tool_error(
        "invalid model name '%s': names must not contain commas", model->name);
  if (strcmp(model->file, "link.json") == 0)
    return gmem_tool_error(
        "%s: link.json is the name of an output file: use NAME=FILE",
        model->path);
  for (size_t i = 0; i < index; ++i)
    if (strcmp(model->path, "-") == 0 &&
        strcmp(models->at[i].path, model->path) == 0)
      return gmem_tool_error("%s: standard input can be one model only",
                             model->name);
  for (size_t i = 0; i < index; ++i)
    if (strcmp(models->at[i].name, model->name) == 0 ||
        strcmp(models->at[i].file, model->file) == 0)
      return gmem_tool_error("%s and %s are both named '%s': use NAME=FILE",
                             models->at[i].path, model->path, model->name);
  return GMEM_OK;
}

void gmem_link_models_make(gmem_link_models_t *models, size_t count) {
  *models = (gmem_link_models_t){
      gmem_need(calloc(count + 1, sizeof *models->at)), count};
  for (size_t i = 0; i < count; ++i) {
    models->at[i].index = i;
    models->at[i].together = gmem_need(calloc(count, sizeof(bool)));
    gmem_link_join(&models->at[i], &models->at[i]);
  }
}

gmem_status_t gmem_link_models_name(gmem_link_models_t *models,
                                    const char *const *arguments) {
  for (size_t i = 0; i < models->count; ++i) {
    name_model(&models->at[i], arguments[i]);
    GMEM_TRY(check_name(models, i));
  }
  return GMEM_OK;
}

gmem_link_model_t *gmem_link_models_find(const gmem_link_models_t *models,
                                         const char *name, size_t length) {
  for (size_t i = 0; i < models->count; ++i)
    if (models->at[i].name && strlen(models->at[i].name) == length &&
        memcmp(models->at[i].name, name, length) == 0)
      return &models->at[i];
  return NULL;
}

//===--- concurrency ------------------------------------------------------===//

void gmem_link_join(gmem_link_model_t *a, gmem_link_model_t *b) {
  a->together[b->index] = b->together[a->index] = true;
}

bool gmem_link_is_together(const gmem_link_model_t *a,
                           const gmem_link_model_t *b) {
  assert(a->together[b->index] == b->together[a->index]);
  return a->together[b->index];
}

// Marks the models of the list.
static gmem_status_t read_list(const gmem_link_models_t *models,
                               const char *option, const char *list,
                               bool *listed) {
  for (const char *name = list;; ++name) {
    size_t length = strcspn(name, ",");
    const gmem_link_model_t *model =
        gmem_link_models_find(models, name, length);
    if (!model)
      return gmem_tool_error("%s: unknown model '%.*s'", option, (int)length,
                             name);
    if (listed[model->index])
      return gmem_tool_error("%s: model '%s' is listed twice", option,
                             model->name);
    listed[model->index] = true;
    name += length;
    if (!*name)
      return GMEM_OK;
  }
}

gmem_status_t gmem_link_models_mark(gmem_link_models_t *models,
                                    const char *list, bool is_resident) {
  const char *option = is_resident ? "--resident" : "--concurrent";
  bool *listed = gmem_need(calloc(models->count + 1, sizeof *listed));
  gmem_status_t status = read_list(models, option, list, listed);
  for (size_t i = 0; i < models->count; ++i) {
    models->at[i].is_resident |= is_resident && listed[i];
    for (size_t j = 0; listed[i] && j < models->count; ++j)
      if (is_resident || listed[j])
        gmem_link_join(&models->at[i], &models->at[j]);
  }
  free(listed);
  return status;
}

static bool has_state(const gmem_planned_t *planned) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    if (gmem_planned_buffer(planned, i)->flags & GMEM_PLANNED_STATE)
      return true;
  return false;
}

void gmem_link_models_keep_states(gmem_link_models_t *models) {
  for (size_t i = 0; i < models->count; ++i) {
    if (!has_state(models->at[i].planned))
      continue;
    models->at[i].is_resident = true;
    for (size_t j = 0; j < models->count; ++j)
      gmem_link_join(&models->at[i], &models->at[j]);
  }
}

//===--- plans ------------------------------------------------------------===//

gmem_status_t gmem_link_model_prove(gmem_link_model_t *model) {
  gmem_planned_destroy(model->planned);
  return gmem_planned_read(mlirModuleGetOperation(model->module), NULL,
                           &model->planned, NULL);
}

gmem_status_t gmem_link_model_reread(gmem_link_model_t *model,
                                     MlirContext context) {
  model->module = gmem_module_parse(context, model->path);
  if (mlirModuleIsNull(model->module) ||
      gmem_link_model_prove(model) != GMEM_OK)
    return gmem_tool_error("%s: the plan is invalid", model->path);
  return GMEM_OK;
}

static gmem_status_t read_model(gmem_link_model_t *model, MlirContext context,
                                const char *plan) {
  model->module = gmem_module_parse(context, model->path);
  if (mlirModuleIsNull(model->module))
    return GMEM_ERR_PARSE;
  if (!gmem_plan_count(mlirModuleGetOperation(model->module)) &&
      gmem_module_run_passes(model->module, plan) != GMEM_OK)
    return gmem_tool_error("%s: planning failed", model->path);
  size_t plans = gmem_plan_count(mlirModuleGetOperation(model->module));
  if (plans > 1)
    return gmem_tool_error("%s: the file contains %zu plans, one per module "
                           "with functions: use a separate file for each",
                           model->path, plans);
  if (gmem_link_model_prove(model) != GMEM_OK)
    return gmem_tool_error("%s: the plan is invalid", model->path);
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    if (gmem_planned_pool(model->planned, i)->shared_size)
      return gmem_tool_error("%s: the module is already linked: use the module "
                             "from before gmem-link",
                             model->path);
  return GMEM_OK;
}

gmem_status_t gmem_link_models_read(gmem_link_models_t *models,
                                    MlirContext context, const char *plan) {
  for (size_t i = 0; i < models->count; ++i)
    GMEM_TRY(read_model(&models->at[i], context, plan));
  return GMEM_OK;
}

void gmem_link_models_free(gmem_link_models_t *models) {
  for (size_t i = 0; i < models->count; ++i) {
    gmem_planned_destroy(models->at[i].planned);
    if (!mlirModuleIsNull(models->at[i].module))
      mlirModuleDestroy(models->at[i].module);
    free(models->at[i].path);
    free(models->at[i].name);
    free(models->at[i].file);
    free(models->at[i].together);
  }
  free(models->at);
  *models = (gmem_link_models_t){0};
}
