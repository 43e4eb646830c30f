// relocations.c - see relocations.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relocations.h"

#include <assert.h>

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "vocabulary.h"

// By GMEM_RELOC_* of gmem/plan.h.
static const char *const kinds[] = {"abs64", "lo32", "hi32", NULL};

const char *gmem_relocation_kind_name(uint16_t kind) {
  assert(kind < sizeof kinds / sizeof *kinds - 1);
  return kinds[kind];
}

// The end of the address is a number of 63 bits, too.
static const gmem_field_t fields[] = {
    {GMEM_FIELD("where", gmem_stated_relocation_t, where, NUMBER, REQUIRED),
     .most = INT64_MAX - 8},
    {GMEM_FIELD("operand", gmem_stated_relocation_t, operand, NUMBER, OPTIONAL),
     .absent = GMEM_NO_VALUE, .most = GMEM_NO_VALUE - 1},
    {GMEM_FIELD("result", gmem_stated_relocation_t, result, NUMBER, OPTIONAL),
     .absent = GMEM_NO_VALUE, .most = GMEM_NO_VALUE - 1},
    {GMEM_FIELD("workbuffer", gmem_stated_relocation_t, workbuffer, NUMBER,
                OPTIONAL),
     .absent = GMEM_NO_VALUE, .most = GMEM_NO_VALUE - 1},
    {GMEM_FIELD("addend", gmem_stated_relocation_t, addend, NUMBER, OPTIONAL)},
    {GMEM_FIELD("kind", gmem_stated_relocation_t, kind, WORD, OPTIONAL),
     .words = kinds, .problem = "must be \"abs64\", \"lo32\" or \"hi32\""},
    {GMEM_FIELD("stream", gmem_stated_relocation_t, stream, NUMBER, OPTIONAL),
     .most = UINT16_MAX}};
static const gmem_schema_t schema = {
    .fields = fields,
    .count = sizeof fields / sizeof *fields,
    .size = sizeof(gmem_stated_relocation_t),
    .unknown = "is unknown: expected where, operand, result, workbuffer, "
               "addend, kind or stream",
    .incomplete = "has no where",
    .no_dictionary = "is not a dictionary"};

static gmem_status_t reject(MlirOperation op, const gmem_malformed_t *problem,
                            gmem_diag_t *diag) {
  if (problem->index == GMEM_NO_ENTRY)
    return gmem_reject(diag, op,
                       "gmem.relocations must be an array of "
                       "dictionaries");
  if (!problem->word.data)
    return gmem_reject(diag, op, "gmem.relocations: entry #%zu %s",
                       problem->index, problem->text);
  return gmem_reject(diag, op, "gmem.relocations: entry #%zu: '%.*s' %s",
                     problem->index, (int)problem->word.length,
                     problem->word.data, problem->text);
}

static uint64_t workbuffers_of(MlirOperation op) {
  MlirAttribute list = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFERS);
  return gmem_attribute_is(list, mlirAttributeIsAArray)
             ? (uint64_t)mlirArrayAttrGetNumElements(list)
             : 0;
}

static gmem_status_t check(MlirOperation op, size_t index,
                           const gmem_stated_relocation_t *stated,
                           gmem_diag_t *diag) {
  const struct {
    const char *name;
    uint32_t number;
    uint64_t count;
  } values[] = {
      {"operand", stated->operand, (uint64_t)mlirOperationGetNumOperands(op)},
      {"result", stated->result, (uint64_t)mlirOperationGetNumResults(op)},
      {"workbuffer", stated->workbuffer, workbuffers_of(op)}};
  int named = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    if (values[i].number == GMEM_NO_VALUE)
      continue;
    ++named;
    if (values[i].number >= values[i].count)
      return gmem_reject(diag, op,
                         "gmem.relocations: entry #%zu: there is no %s #%u",
                         index, values[i].name, values[i].number);
  }
  return named == 1 ? GMEM_OK
                    : gmem_reject(diag, op,
                                  "gmem.relocations: entry #%zu names %s: "
                                  "expected one of operand, result and "
                                  "workbuffer",
                                  index, named ? "several values" : "no value");
}

gmem_status_t gmem_relocations_read(MlirOperation op, gmem_bump_t *arena,
                                    gmem_stated_relocation_t **out_relocations,
                                    size_t *out_count, gmem_diag_t *diag) {
  MlirAttribute stated = gmem_op_annotation(op, GMEM_ATTR_RELOCATIONS);
  gmem_malformed_t problem;
  *out_relocations = NULL;
  *out_count = 0;
  if (mlirAttributeIsNull(stated))
    return GMEM_OK;
  gmem_status_t status = gmem_dictionaries_read(
      &schema, stated, arena, out_relocations, out_count, &problem);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(diag);
  if (status != GMEM_OK)
    return reject(op, &problem, diag);
  for (size_t i = 0; i < *out_count; ++i)
    GMEM_TRY(check(op, i, &(*out_relocations)[i], diag));
  return GMEM_OK;
}
