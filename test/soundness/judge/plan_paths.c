// plan_paths.c - see plan_paths.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_paths.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"

static void *grow(void *array, size_t count, size_t size) {
  void *grown = realloc(array, count * size);
  if (!grown) {
    fputs("gmem-judge: out of memory\n", stderr);
    exit(2);
  }
  return grown;
}

plan_path_t path_element(plan_path_t path, intptr_t number) {
  assert(path.depth < PATH_DEPTH);
  path.steps[path.depth++] = (path_step_t){NULL, number};
  return path;
}

plan_path_t path_entry(plan_path_t path, const char *key) {
  assert(path.depth < PATH_DEPTH);
  path.steps[path.depth++] = (path_step_t){key, 0};
  return path;
}

static MlirAttribute i64(MlirContext context, int64_t number) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), number);
}

//===--- reading ----------------------------------------------------------===//

static MlirAttribute child(MlirAttribute of, path_step_t step) {
  MlirAttribute none = {NULL};
  if (step.key)
    return gmem_attribute_is(of, mlirAttributeIsADictionary)
               ? mlirDictionaryAttrGetElementByName(of, gmem_string(step.key))
               : none;
  if (gmem_attribute_is(of, mlirAttributeIsAArray))
    return step.number < mlirArrayAttrGetNumElements(of)
               ? mlirArrayAttrGetElement(of, step.number)
               : none;
  if (gmem_attribute_is(of, mlirAttributeIsADenseI64Array) &&
      step.number < mlirDenseArrayGetNumElements(of))
    return i64(mlirAttributeGetContext(of),
               mlirDenseI64ArrayGetElement(of, step.number));
  return none;
}

MlirAttribute path_get(const plan_path_t *path) {
  MlirAttribute found = gmem_op_attribute(path->op, path->attribute);
  for (int i = 0; i < path->depth; ++i)
    found = child(found, path->steps[i]);
  return found;
}

bool path_number(const plan_path_t *path, int64_t *number) {
  MlirAttribute found = path_get(path);
  if (!gmem_attribute_is(found, mlirAttributeIsAInteger))
    return false;
  *number = mlirIntegerAttrGetValueInt(found);
  return true;
}

bool path_string(const plan_path_t *path, MlirStringRef *string) {
  MlirAttribute found = path_get(path);
  if (!gmem_attribute_is(found, mlirAttributeIsAString))
    return false;
  *string = mlirStringAttrGetValue(found);
  return true;
}

//===--- replacing --------------------------------------------------------===//

static MlirAttribute with_entry(MlirAttribute whole, const char *key,
                                MlirAttribute value) {
  intptr_t count = mlirDictionaryAttrGetNumElements(whole), kept = 0;
  MlirNamedAttribute *entries = grow(NULL, (size_t)count + 1, sizeof *entries);
  for (intptr_t i = 0; i < count; ++i) {
    entries[kept] = mlirDictionaryAttrGetElement(whole, i);
    kept += !gmem_string_is(mlirIdentifierStr(entries[kept].name), key);
  }
  MlirContext context = mlirAttributeGetContext(whole);
  if (!mlirAttributeIsNull(value))
    entries[kept++] = (MlirNamedAttribute){
        mlirIdentifierGet(context, gmem_string(key)), value};
  MlirAttribute made = mlirDictionaryAttrGet(context, kept, entries);
  free(entries);
  return made;
}

static MlirAttribute with_element(MlirAttribute whole, intptr_t number,
                                  MlirAttribute value) {
  intptr_t count = mlirArrayAttrGetNumElements(whole), kept = 0;
  MlirAttribute *elements = grow(NULL, (size_t)count + 1, sizeof *elements);
  for (intptr_t i = 0; i < count; ++i)
    if (i != number || !mlirAttributeIsNull(value))
      elements[kept++] =
          i == number ? value : mlirArrayAttrGetElement(whole, i);
  MlirAttribute made =
      mlirArrayAttrGet(mlirAttributeGetContext(whole), kept, elements);
  free(elements);
  return made;
}

static MlirAttribute with_number(MlirAttribute whole, intptr_t number,
                                 MlirAttribute value) {
  intptr_t count = mlirDenseArrayGetNumElements(whole), kept = 0;
  int64_t *elements = grow(NULL, (size_t)count + 1, sizeof *elements);
  for (intptr_t i = 0; i < count; ++i)
    if (i != number || !mlirAttributeIsNull(value))
      elements[kept++] = i == number ? mlirIntegerAttrGetValueInt(value)
                                     : mlirDenseI64ArrayGetElement(whole, i);
  MlirAttribute made =
      mlirDenseI64ArrayGet(mlirAttributeGetContext(whole), kept, elements);
  free(elements);
  return made;
}

// |whole| with |value| behind the steps.
static MlirAttribute replaced(MlirAttribute whole, const path_step_t *steps,
                              int depth, MlirAttribute value) {
  if (depth == 0)
    return value;
  MlirAttribute inner = depth == 1 ? value
                                   : replaced(child(whole, steps[0]), steps + 1,
                                              depth - 1, value);
  if (steps[0].key)
    return with_entry(whole, steps[0].key, inner);
  return mlirAttributeIsAArray(whole)
             ? with_element(whole, steps[0].number, inner)
             : with_number(whole, steps[0].number, inner);
}

static void put(MlirOperation op, const char *attribute, MlirAttribute value) {
  if (mlirAttributeIsNull(value))
    mlirOperationRemoveAttributeByName(op, gmem_string(attribute));
  else
    mlirOperationSetAttributeByName(op, gmem_string(attribute), value);
}

void path_set(const plan_path_t *path, MlirAttribute value,
              plan_changes_t *changes) {
  MlirAttribute before = gmem_op_attribute(path->op, path->attribute);
  if (changes->count == changes->room) {
    changes->room = 2 * changes->room + 8;
    changes->at = grow(changes->at, changes->room, sizeof *changes->at);
  }
  changes->at[changes->count++] =
      (plan_change_t){path->op, path->attribute, before};
  put(path->op, path->attribute,
      replaced(before, path->steps, path->depth, value));
}

void path_set_number(const plan_path_t *path, int64_t number,
                     plan_changes_t *changes) {
  path_set(path, i64(mlirOperationGetContext(path->op), number), changes);
}

void plan_changes_undo(plan_changes_t *changes) {
  while (changes->count) {
    const plan_change_t *last = &changes->at[--changes->count];
    put(last->op, last->attribute, last->before);
  }
}
