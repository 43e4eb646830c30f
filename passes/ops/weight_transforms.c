// weight_transforms.c - see weight_transforms.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weight_transforms.h"

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "type_size.h"
#include "vocabulary.h"

enum { MAX_NAME = 255 }; // GMEM_PLAN_MAX_NAME of gmem/plan.h

static const gmem_field_t fields[] = {
    {GMEM_FIELD("name", gmem_stated_transform_t, name, STRING, REQUIRED),
     .least = 1, .problem = "must be a string that is not empty"},
    {GMEM_FIELD("bytes", gmem_stated_transform_t, bytes, NUMBER, REQUIRED),
     .least = 1, .problem = "must be a positive i64"}};
static const gmem_schema_t schema = {.fields = fields,
                                     .count = sizeof fields / sizeof *fields,
                                     .size = sizeof(gmem_stated_transform_t),
                                     .unknown =
                                         "is unknown: expected name and bytes",
                                     .incomplete = "has no name or no bytes",
                                     .no_dictionary = "is not a dictionary"};

static gmem_status_t reject(MlirOperation op, const gmem_malformed_t *problem,
                            gmem_diag_t *diag) {
  if (problem->index == GMEM_NO_ENTRY)
    return gmem_reject(diag, op,
                       "gmem.transform must be an array of dictionaries");
  if (!problem->word.data)
    return gmem_reject(diag, op, "gmem.transform: entry #%zu %s",
                       problem->index, problem->text);
  return gmem_reject(diag, op, "gmem.transform: entry #%zu: '%.*s' %s",
                     problem->index, (int)problem->word.length,
                     problem->word.data, problem->text);
}

// Whether |op| is a constant, or a global of a memref, of known size.
static bool find_size(MlirOperation op, uint64_t *size) {
  MlirAttribute type = gmem_op_attribute(op, "type");
  if (mlirOperationGetNumResults(op) == 1)
    return gmem_type_size(mlirValueGetType(mlirOperationGetResult(op, 0)),
                          size) == GMEM_TYPE_SIZED;
  return gmem_attribute_is(type, mlirAttributeIsAType) &&
         gmem_memref_size(mlirTypeAttrGetValue(type), NULL, size) ==
             GMEM_TYPE_SIZED;
}

// A chain belongs to a constant, and its last result is the constant.
static gmem_status_t check(MlirOperation op,
                           const gmem_stated_transform_t *transforms,
                           size_t count, gmem_diag_t *diag) {
  uint64_t size;
  if (count == 0)
    return gmem_reject(diag, op, "gmem.transform is empty");
  for (size_t i = 0; i < count; ++i)
    if (transforms[i].name.length > MAX_NAME)
      return gmem_reject(diag, op,
                         "gmem.transform: the name of entry #%zu is longer "
                         "than 255 bytes",
                         i);
  bool is_global = gmem_op_is(op, "memref.global");
  if (mlirOperationGetNumOperands(op) ||
      mlirOperationGetNumResults(op) != (is_global ? 0 : 1))
    return gmem_reject(diag, op,
                       "gmem.transform: expected a constant: an op without "
                       "operands and with one result");
  if (!is_global &&
      gmem_is_memref_type(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return gmem_reject(diag, op,
                       "gmem.transform: a memref cannot have it: state it on "
                       "its global, or on the constant, before bufferization");
  if (!find_size(op, &size) || size != transforms[count - 1].bytes)
    return gmem_reject(diag, op,
                       "gmem.transform: the last result has %llu bytes, which "
                       "is not the size of the constant",
                       (unsigned long long)transforms[count - 1].bytes);
  return GMEM_OK;
}

gmem_status_t
gmem_weight_transforms_read(MlirOperation op, gmem_bump_t *arena,
                            gmem_stated_transform_t **out_transforms,
                            size_t *out_count, gmem_diag_t *diag) {
  MlirAttribute stated = gmem_op_annotation(op, GMEM_ATTR_TRANSFORM);
  MlirAttribute source = gmem_op_annotation(op, GMEM_ATTR_SOURCE);
  gmem_malformed_t problem;
  *out_transforms = NULL;
  *out_count = 0;
  if (!mlirAttributeIsNull(source) &&
      (mlirAttributeIsNull(stated) || !mlirAttributeIsAElements(source)))
    return gmem_reject(diag, op,
                       "gmem.source must be elements, beside gmem.transform");
  if (mlirAttributeIsNull(stated))
    return GMEM_OK;
  gmem_status_t status = gmem_dictionaries_read(
      &schema, stated, arena, out_transforms, out_count, &problem);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(diag);
  if (status != GMEM_OK)
    return reject(op, &problem, diag);
  return check(op, *out_transforms, *out_count, diag);
}
