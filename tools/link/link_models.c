// link_models.c - see link_models.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link_models.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir_reading.h"
#include "mlir_files.h"

bool gmem_link_error(const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "gmem-link: error: ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

bool gmem_link_out_of_memory(void) { return gmem_link_error("out of memory"); }

//===--- names ------------------------------------------------------------===//

static char *copy_text(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

// Returns the '=' of NAME=FILE, or NULL. A '=' after a '/' is part of the path.
static const char *find_equals(const char *argument) {
  size_t plain = strcspn(argument, "=/");
  return argument[plain] == '=' ? argument + plain : NULL;
}

static size_t without_ending(const char *file) {
  size_t length = strlen(file);
  bool has_ending = length > 5 && strcmp(file + length - 5, ".mlir") == 0;
  return has_ending ? length - 5 : length;
}

// The output of NAME=FILE is NAME.mlir, that of FILE has the same file name.
static bool name_model(gmem_link_model_t *model, const char *argument) {
  const char *equals = find_equals(argument);
  model->path = equals ? equals + 1 : argument;
  if (equals) {
    size_t length = (size_t)(equals - argument);
    model->name = copy_text(argument, length);
    model->file = malloc(length + sizeof ".mlir");
    if (model->file)
      sprintf(model->file, "%.*s.mlir", (int)length, argument);
  } else {
    const char *slash = strrchr(argument, '/');
    const char *file = slash ? slash + 1 : argument;
    model->name = copy_text(file, without_ending(file));
    model->file = copy_text(file, strlen(file));
  }
  return model->name && model->file;
}

static bool check_name(const gmem_link_models_t *models, size_t index) {
  const gmem_link_model_t *model = &models->at[index];
  if (!model->name[0] || !model->path[0] || strcmp(model->path, "-") == 0)
    return gmem_link_error("'%s' is not a valid model name: use NAME=FILE",
                           model->name);
  if (strchr(model->name, ','))
    return gmem_link_error(
        "invalid model name '%s': names must not contain commas", model->name);
  if (strcmp(model->file, "link.json") == 0)
    return gmem_link_error(
        "%s: link.json is the name of an output file: use NAME=FILE",
        model->path);
  for (size_t i = 0; i < index; ++i)
    if (strcmp(models->at[i].name, model->name) == 0 ||
        strcmp(models->at[i].file, model->file) == 0)
      return gmem_link_error("%s and %s are both named '%s': use NAME=FILE",
                             models->at[i].path, model->path, model->name);
  return true;
}

bool gmem_link_models_name(gmem_link_models_t *models,
                           const char *const *arguments, size_t count) {
  *models = (gmem_link_models_t){.count = count};
  models->at = calloc(count + 1, sizeof *models->at);
  models->together = calloc(count * count + 1, sizeof *models->together);
  if (!models->at || !models->together) {
    models->count = 0;
    return gmem_link_out_of_memory();
  }
  for (size_t i = 0; i < count; ++i) {
    if (!name_model(&models->at[i], arguments[i]))
      return gmem_link_out_of_memory();
    if (!check_name(models, i))
      return false;
    models->together[i * count + i] = true;
  }
  return true;
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

// Marks the models of the list.
static bool read_list(const gmem_link_models_t *models, const char *option,
                      const char *list, bool *listed) {
  for (const char *name = list;; ++name) {
    size_t length = strcspn(name, ",");
    const gmem_link_model_t *model =
        gmem_link_models_find(models, name, length);
    if (!model)
      return gmem_link_error("%s: unknown model '%.*s'", option, (int)length,
                             name);
    size_t index = (size_t)(model - models->at);
    if (listed[index])
      return gmem_link_error("%s: model '%s' is listed twice", option,
                             model->name);
    listed[index] = true;
    name += length;
    if (!*name)
      return true;
  }
}

static void mark_together(gmem_link_models_t *models, size_t a, size_t b) {
  models->together[a * models->count + b] = true;
  models->together[b * models->count + a] = true;
}

bool gmem_link_models_together(gmem_link_models_t *models, const char *list) {
  bool *listed = calloc(models->count + 1, sizeof *listed);
  if (!listed)
    return gmem_link_out_of_memory();
  bool good = read_list(models, "--concurrent", list, listed);
  for (size_t i = 0; good && i < models->count; ++i)
    for (size_t j = 0; listed[i] && j < i; ++j)
      if (listed[j])
        mark_together(models, i, j);
  free(listed);
  return good;
}

bool gmem_link_models_resident(gmem_link_models_t *models, const char *list) {
  bool *listed = calloc(models->count + 1, sizeof *listed);
  if (!listed)
    return gmem_link_out_of_memory();
  bool good = read_list(models, "--resident", list, listed);
  for (size_t i = 0; good && i < models->count; ++i) {
    models->at[i].is_resident |= listed[i];
    for (size_t j = 0; listed[i] && j < models->count; ++j)
      mark_together(models, i, j);
  }
  free(listed);
  return good;
}

//===--- plans ------------------------------------------------------------===//

static void print_reason(MlirStringRef text, void *user) {
  (void)user;
  fprintf(stderr, "%.*s", (int)text.length, text.data);
}

// Passes print their own errors.
static bool run_pipeline(MlirModule module, const char *pipeline) {
  MlirPassManager passes = mlirPassManagerCreate(mlirModuleGetContext(module));
  fflush(stderr);
  bool good = mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(passes),
                                   gmem_string(pipeline), print_reason, NULL));
  if (!good)
    fputc('\n', stderr);
  good = good && mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                     passes, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(passes);
  return good;
}

bool gmem_link_model_prove(gmem_link_model_t *model) {
  gmem_planned_destroy(model->planned);
  return gmem_planned_read(mlirModuleGetOperation(model->module), NULL,
                           &model->planned, NULL) == GMEM_OK;
}

static bool read_model(gmem_link_model_t *model, MlirContext context,
                       const char *plan) {
  model->module = gmem_module_parse(context, "gmem-link", model->path);
  if (mlirModuleIsNull(model->module))
    return false;
  if (!gmem_plan_count(mlirModuleGetOperation(model->module)) &&
      !run_pipeline(model->module, plan))
    return gmem_link_error("%s: planning failed", model->path);
  size_t plans = gmem_plan_count(mlirModuleGetOperation(model->module));
  if (plans > 1)
    return gmem_link_error("%s: the file contains %zu plans, one per module "
                           "with functions: use a separate file for each",
                           model->path, plans);
  if (!gmem_link_model_prove(model))
    return gmem_link_error("%s: the plan is invalid", model->path);
  for (uint32_t i = 0; i < gmem_planned_pool_count(model->planned); ++i)
    if (gmem_planned_pool(model->planned, i)->shared_size)
      return gmem_link_error("%s: the module is already linked: use the module "
                             "from before gmem-link",
                             model->path);
  return true;
}

bool gmem_link_models_read(gmem_link_models_t *models, MlirContext context,
                           const char *plan) {
  for (size_t i = 0; i < models->count; ++i)
    if (!read_model(&models->at[i], context, plan))
      return false;
  return true;
}

void gmem_link_models_free(gmem_link_models_t *models) {
  for (size_t i = 0; i < models->count; ++i) {
    gmem_planned_destroy(models->at[i].planned);
    if (!mlirModuleIsNull(models->at[i].module))
      mlirModuleDestroy(models->at[i].module);
    free(models->at[i].name);
    free(models->at[i].file);
  }
  free(models->at);
  free(models->together);
  *models = (gmem_link_models_t){0};
}
