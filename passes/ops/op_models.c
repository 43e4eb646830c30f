// op_models.c - finds the model of an op: see op_models.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_models.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "partition_point.h"
#include "type_models.h"
#include "type_size.h"
#include "vocabulary.h"

//===--- scopes and ops ---------------------------------------------------===//

// Reports the error in |diag| at |op|, prefixed with the attribute's name.
// OUT_OF_MEMORY is reported by the caller.
static gmem_status_t report(MlirOperation op, gmem_attr_t attribute,
                            gmem_status_t status, gmem_diag_t *diag) {
  char text[sizeof diag->text];
  if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  snprintf(text, sizeof text, "%s", diag->text);
  return gmem_op_error(diag, status, op, "%s: %s",
                       gmem_vocabulary[attribute].name, text);
}

gmem_status_t gmem_op_models_of_scope(MlirOperation scope,
                                      const gmem_op_models_t *outer,
                                      gmem_bump_t *arena,
                                      const gmem_op_models_t **out_models,
                                      gmem_diag_t *diag) {
  *out_models = outer;
  if (mlirOperationIsNull(scope))
    return GMEM_OK;
  GMEM_TRY(gmem_op_models_of_scope(mlirOperationGetParentOperation(scope),
                                   outer, arena, out_models, diag));
  MlirAttribute text = gmem_op_annotation(scope, GMEM_ATTR_OP_MODELS);
  if (mlirAttributeIsNull(text))
    return GMEM_OK;
  gmem_status_t status =
      mlirAttributeIsAString(text)
          ? gmem_op_models_parse(arena, "text", mlirStringAttrGetValue(text),
                                 *out_models, out_models, diag)
          : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "must be a string");
  return report(scope, GMEM_ATTR_OP_MODELS, status, diag);
}

static int compare_names(const gmem_op_model_t *model, MlirStringRef name) {
  int order = strncmp(model->op, name.data, name.length);
  return order ? order : model->op[name.length] != '\0'; // 1: it is longer
}

static bool model_is_less(const void *model, const void *name) {
  return compare_names(model, *(const MlirStringRef *)name) < 0;
}

static const gmem_op_model_t *find_in(const gmem_op_models_t *models,
                                      MlirStringRef name) {
  size_t i = gmem_partition_point(&name, models->models, models->count,
                                  sizeof *models->models, model_is_less);
  const gmem_op_model_t *found = i < models->count ? &models->models[i] : NULL;
  return found && compare_names(found, name) == 0 ? found : NULL;
}

#define MODEL_NAMED(name, what)                                                \
  {                                                                            \
    .op = (name), .kind = (what), .destination_operand = GMEM_NO_OPERAND,      \
    .slice = {.operand = GMEM_NO_OPERAND}, .insert = {                         \
      .operand = GMEM_NO_OPERAND                                               \
    }                                                                          \
  }
static const gmem_op_model_t unknown = MODEL_NAMED("", GMEM_OP_UNKNOWN);
// Of an op to which its model does not apply.
static const gmem_op_model_t excluded = MODEL_NAMED("unless", GMEM_OP_UNKNOWN);

const gmem_op_model_t gmem_copy_model = MODEL_NAMED("copy", GMEM_OP_COMPUTE);

static bool is_memory(MlirType type) {
  return mlirTypeIsATensor(type) || gmem_is_memref_type(type);
}

static bool has_attribute(MlirOperation op, const char *name) {
  MlirAttribute value = gmem_op_attribute(op, name);
  return !mlirAttributeIsNull(value) &&
         !(mlirAttributeIsABool(value) && !mlirBoolAttrGetValue(value));
}

bool gmem_op_model_is_built_in(const gmem_op_model_t *model) {
  const gmem_op_models_t *all = &gmem_built_in_models;
  return model == &unknown || model == &excluded || model == &gmem_copy_model ||
         (model >= all->models && model < all->models + all->count);
}

// Whether result 0 of |op| is a handle that may stand for operands behind the
// first, as that of a cast of several tensors to a pair.
static bool makes_handle_of_several(const gmem_op_models_t *models,
                                    MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  bool is_found = false;
  if (count < 2 ||
      !gmem_may_stand_for_memory(models, mlirOperationGetResult(op, 0)))
    return false;
  for (intptr_t i = 1; i < count && !is_found; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    is_found = is_memory(mlirValueGetType(operand)) ||
               gmem_may_stand_for_memory(models, operand);
  }
  return is_found;
}

// Whether |op|, which dialects define as a reshape or cast, makes no other name
// of operand 0: what it makes is arranged in another way, so that it moves
// bytes, or stands for more. Who states a model of his own knows that.
static bool is_no_view(const gmem_op_models_t *models,
                       const gmem_op_model_t *model, MlirOperation op) {
  return model->kind == GMEM_OP_RESHAPE && gmem_op_model_is_built_in(model) &&
         mlirOperationGetNumOperands(op) != 0 &&
         mlirOperationGetNumResults(op) != 0 &&
         (makes_handle_of_several(models, op) ||
          !gmem_are_arranged_alike(models, mlirOperationGetOperand(op, 0),
                                   mlirOperationGetResult(op, 0)));
}

// Whether the model applies to |op|: no "unless" condition holds.
static bool holds(const gmem_op_models_t *models, const gmem_op_model_t *model,
                  MlirOperation op) {
  intptr_t count = model->unless.operands ? mlirOperationGetNumOperands(op) : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (model->unless.operands >> (i < 63 ? i : 63) & 1 &&
        is_memory(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  for (const char *const *name = model->unless.attributes; name && *name;
       ++name)
    if (has_attribute(op, *name))
      return false;
  return !is_no_view(models, model, op);
}

//===--- names ------------------------------------------------------------===//

// The attribute that says for which op an op |name| stands, or NULL.
static const char *naming_attribute(const gmem_op_models_t *models,
                                    MlirStringRef name) {
  for (; models; models = models->outer)
    for (size_t i = 0; i < models->name_count; ++i)
      if (gmem_string_is(name, models->names[i].op))
        return models->names[i].attribute;
  return NULL;
}

// The string, or the last part of the symbol, that |attribute| is.
static bool get_name(MlirAttribute attribute, MlirStringRef *out) {
  if (!gmem_attribute_is(attribute, mlirAttributeIsASymbolRef))
    return gmem_string_get(attribute, out);
  *out = mlirSymbolRefAttrGetLeafReference(attribute);
  return true;
}

void gmem_op_names_of(const gmem_op_models_t *models, MlirOperation op,
                      gmem_op_names_t *out) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op)), part;
  const char *attribute = naming_attribute(models, name);
  out->count = 0;
  if (attribute && get_name(gmem_op_attribute(op, attribute), &part) &&
      part.length && name.length + 1 + part.length < sizeof out->text) {
    memcpy(out->text, name.data, name.length);
    out->text[name.length] = '.';
    memcpy(out->text + name.length + 1, part.data, part.length);
    out->at[0] = mlirStringRefCreate(out->text, name.length + 1 + part.length);
    out->at[1] = part;
    out->count = 2;
  }
  out->at[out->count++] = name;
}

// The innermost model of that name, or NULL.
static const gmem_op_model_t *find_named(const gmem_op_models_t *models,
                                         MlirStringRef name) {
  const gmem_op_model_t *model = NULL;
  for (; models && !model; models = models->outer)
    model = find_in(models, name);
  return model;
}

// The model of the first of the names of |op| that has one, or NULL.
static const gmem_op_model_t *find_of(const gmem_op_models_t *models,
                                      MlirOperation op) {
  gmem_op_names_t names;
  const gmem_op_model_t *model = NULL;
  gmem_op_names_of(models, op, &names);
  for (size_t i = 0; i < names.count && !model; ++i)
    model = find_named(models, names.at[i]);
  return model;
}

// The model of |op|; |named|: of its name, or NULL.
static const gmem_op_model_t *apply(const gmem_op_models_t *models,
                                    const gmem_op_model_t *named,
                                    MlirOperation op) {
  if (!named)
    return &unknown;
  return holds(models, named, op) ? named : &excluded;
}

const gmem_op_model_t *gmem_op_models_find(const gmem_op_models_t *models,
                                           MlirOperation op) {
  return apply(models, find_of(models, op), op);
}

static gmem_status_t read_own(MlirOperation op, MlirAttribute dictionary,
                              gmem_bump_t *arena, gmem_op_model_t *model,
                              gmem_diag_t *diag) {
  if (!mlirAttributeIsADictionary(dictionary))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "must be a dictionary");
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *copy = gmem_bump_string(arena, name.data, name.length);
  if (!copy)
    return gmem_out_of_memory(diag);
  *model = gmem_op_model_of(copy);
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary);
  for (intptr_t i = 0; i < count; ++i)
    GMEM_TRY(gmem_op_model_read(mlirDictionaryAttrGetElement(dictionary, i),
                                arena, model, diag));
  return gmem_op_model_check(model, diag);
}

gmem_status_t gmem_op_models_of_op(const gmem_op_models_t *models,
                                   MlirOperation op, gmem_bump_t *arena,
                                   const gmem_op_model_t **out_model,
                                   gmem_diag_t *diag) {
  MlirAttribute own = gmem_op_annotation(op, GMEM_ATTR_OP_MODEL);
  if (mlirAttributeIsNull(own)) {
    *out_model = gmem_op_models_find(models, op);
    return GMEM_OK;
  }
  gmem_op_model_t *model = gmem_bump_alloc(arena, 1, sizeof *model);
  *out_model = model;
  gmem_status_t status =
      model ? read_own(op, own, arena, model, diag) : gmem_out_of_memory(diag);
  return report(op, GMEM_ATTR_OP_MODEL, status, diag);
}

gmem_status_t gmem_op_models_of_each(const gmem_op_models_t *models,
                                     MlirOperation op, uint64_t own,
                                     gmem_models_seen_t *seen,
                                     gmem_bump_t *arena,
                                     const gmem_op_model_t **out_model,
                                     gmem_diag_t *diag) {
  if (own >> GMEM_ATTR_OP_MODEL & 1)
    return gmem_op_models_of_op(models, op, arena, out_model, diag);
  MlirIdentifier name = mlirOperationGetName(op);
  size_t slot = gmem_seen_slot(name.ptr);
  if (seen->names[slot] != name.ptr) {
    seen->names[slot] = name.ptr;
    seen->models[slot] = find_named(models, mlirIdentifierStr(name));
    seen->is_one_of_many[slot] =
        naming_attribute(models, mlirIdentifierStr(name)) != NULL;
  }
  *out_model = apply(models,
                     seen->is_one_of_many[slot] ? find_of(models, op)
                                                : seen->models[slot],
                     op);
  return GMEM_OK;
}

bool gmem_op_model_is_destination(const gmem_op_model_t *model,
                                  MlirOperation op, intptr_t number) {
  intptr_t results = mlirOperationGetNumResults(op);
  if (model->destination == GMEM_DESTINATION_OPERAND)
    return results != 0 && number == model->destination_operand;
  intptr_t first = mlirOperationGetNumOperands(op) - results;
  return model->destination == GMEM_DESTINATION_TRAILING && first >= 0 &&
         number >= first;
}

static bool name_is_less(const void *name, const void *wanted) {
  return gmem_string_order(gmem_string(*(const char *const *)name),
                           *(const MlirStringRef *)wanted) < 0;
}

static bool is_name_listed(const gmem_op_models_t *models, MlirStringRef name) {
  for (; models; models = models->outer) {
    size_t i = gmem_partition_point(&name, models->pure, models->pure_count,
                                    sizeof *models->pure, name_is_less);
    if (i < models->pure_count && gmem_string_is(name, models->pure[i]))
      return true;
  }
  return false;
}

static bool is_listed(const gmem_op_models_t *models, MlirOperation op) {
  gmem_op_names_t names;
  bool is_found = false;
  gmem_op_names_of(models, op, &names);
  for (size_t i = 0; i < names.count && !is_found; ++i)
    is_found = is_name_listed(models, names.at[i]);
  return is_found;
}

// The first op in the regions of an op that is not pure fails the walk.
static gmem_status_t check_pure(MlirOperation op, void *user) {
  return gmem_is_registered(op)
             ? (gmem_has_no_effects(op) ? GMEM_OK : GMEM_ERR_NOT_FOUND)
         : is_listed(user, op) ? GMEM_OK
                               : GMEM_ERR_NOT_FOUND;
}

bool gmem_op_models_is_pure(const gmem_op_models_t *models, MlirOperation op) {
  return gmem_is_registered(op)
             ? gmem_has_no_effects(op)
             : gmem_walk(op, check_pure, (void *)models) == GMEM_OK;
}

bool gmem_op_models_is_weight(const gmem_op_models_t *models,
                              MlirAttribute argument_attributes) {
  for (; models; models = models->outer) {
    for (size_t i = 0; i < models->argument_count; ++i) {
      const gmem_argument_model_t *model = &models->arguments[i];
      MlirAttribute attribute = mlirDictionaryAttrGetElementByName(
          argument_attributes, gmem_string(model->attribute));
      char text[256] = "";
      gmem_printed_t printed = {text, sizeof text, 0, false};
      if (mlirAttributeIsNull(attribute))
        continue;
      mlirAttributePrint(attribute, gmem_print_into, &printed);
      if (strstr(text, model->contains))
        return true;
    }
  }
  return false;
}
