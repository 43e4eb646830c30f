// op_models.c - reads the model files with MLIR's own parser, in a context of
// their own, so that the user's context stays as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_models.h"

#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "dialect.h"
#include "mlir-c/BuiltinAttributes.h"

static const gmem_op_model_t unknown_model = {
    .op = "",
    .destination_operand = GMEM_NO_OPERAND,
    .slice_operand = GMEM_NO_OPERAND,
    .insert_operand = GMEM_NO_OPERAND};

static const char *const kind_names[] = {
    [GMEM_OP_COMPUTE] = "compute",
    [GMEM_OP_WEIGHT] = "weight",
    [GMEM_OP_LAYER_GROUP] = "layer_group",
    [GMEM_OP_SCALAR_BODY] = "scalar_body",
    [GMEM_OP_PARALLEL] = "parallel",
    [GMEM_OP_RESHAPE] = "reshape",
    [GMEM_OP_INPUT] = "input",
    [GMEM_OP_NONE] = "none",
    [GMEM_OP_EMPTY] = "empty",
    [GMEM_OP_BRANCH] = "branch",
    [GMEM_OP_FOR] = "for",
    [GMEM_OP_WHILE] = "while",
};

static MlirStringRef string_attribute(MlirOperation op, const char *name) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return mlirStringRefCreate("", 0);
  return mlirStringAttrGetValue(attribute);
}

static gmem_op_kind_t kind_of(MlirStringRef text) {
  for (int kind = GMEM_OP_COMPUTE; kind <= GMEM_OP_WHILE; ++kind)
    if (mlirStringRefEqual(text,
                           mlirStringRefCreateFromCString(kind_names[kind])))
      return (gmem_op_kind_t)kind;
  return GMEM_OP_UNKNOWN;
}

// Appends the models of one parsed file.
static gmem_status_t add_models(gmem_arena_t *arena, MlirModule module,
                                gmem_op_models_t *models, size_t *capacity,
                                gmem_diag_t *diag) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = string_attribute(op, "op");
    gmem_op_model_t model = unknown_model;
    model.op = gmem_arena_string(arena, name.data, name.length);
    model.kind = kind_of(string_attribute(op, "kind"));
    if (!model.op || !gmem_arena_grow(arena, &models->models, models->count,
                                      capacity, sizeof model))
      return gmem_out_of_memory(diag);
    if (name.length == 0 || model.kind == GMEM_OP_UNKNOWN)
      return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                        mlirOperationGetLocation(op), NULL, 0,
                        "not an op model");
    models->models[models->count++] = model;
  }
  return GMEM_OK;
}

static gmem_status_t load_file(gmem_arena_t *arena, MlirContext context,
                               const gmem_text_t *text,
                               gmem_op_models_t *models, size_t *capacity,
                               gmem_diag_t *diag) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(text->bytes, text->length));
  if (mlirModuleIsNull(module))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "op model file %s does not parse", text->name);
  gmem_status_t status = add_models(arena, module, models, capacity, diag);
  mlirModuleDestroy(module);
  return status;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const gmem_op_model_t *)a)->op,
                ((const gmem_op_model_t *)b)->op);
}

static gmem_status_t load_all(gmem_arena_t *arena, MlirContext context,
                              gmem_op_models_t *models, gmem_diag_t *diag) {
  if (mlirLogicalResultIsFailure(gmem_load_dialect(context)))
    return gmem_fail(diag, GMEM_ERR_STATE, "the gmem dialect does not load");
  size_t capacity = 0;
  for (size_t i = 0; i < gmem_model_text_count; ++i) {
    gmem_status_t status = load_file(arena, context, &gmem_model_texts[i],
                                     models, &capacity, diag);
    if (status != GMEM_OK)
      return status;
  }
  qsort(models->models, models->count, sizeof *models->models, by_name);
  for (size_t i = 1; i < models->count; ++i)
    if (strcmp(models->models[i - 1].op, models->models[i].op) == 0)
      return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                       "two op models for '%s'", models->models[i].op);
  return GMEM_OK;
}

gmem_status_t gmem_op_models_load(gmem_arena_t *arena,
                                  gmem_op_models_t *out_models,
                                  gmem_diag_t *diag) {
  *out_models = (gmem_op_models_t){NULL, 0};
  MlirContext context = mlirContextCreateWithThreading(false);
  gmem_status_t status = load_all(arena, context, out_models, diag);
  mlirContextDestroy(context);
  return status;
}

const gmem_op_model_t *gmem_op_models_find(const gmem_op_models_t *models,
                                           MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t low = 0, high = models->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *candidate = models->models[middle].op;
    int order = strncmp(candidate, name.data, name.length);
    if (order == 0 && candidate[name.length])
      order = 1; // the candidate is longer
    if (order == 0)
      return &models->models[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return &unknown_model;
}
