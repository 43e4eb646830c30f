// copy_records.c - see copy_records.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "copy_records.h"

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "vocabulary.h"

static const char *const edges[GMEM_COPY_EDGES + 1] = {
    "callee", "region", "successor", "next",
    "parent", "caller", "results",   NULL};

static const gmem_field_t fields[] = {
    {GMEM_FIELD("edge", gmem_copy_record_t, edge, WORD, REQUIRED),
     .words = edges},
    {GMEM_FIELD("number", gmem_copy_record_t, number, NUMBER, REQUIRED)},
    {GMEM_FIELD("from_pool", gmem_copy_record_t, from_pool, STRING, REQUIRED),
     .least = 1},
    {GMEM_FIELD("from", gmem_copy_record_t, from, NUMBER, REQUIRED)},
    {GMEM_FIELD("to_pool", gmem_copy_record_t, to_pool, STRING, REQUIRED),
     .least = 1},
    {GMEM_FIELD("to", gmem_copy_record_t, to, NUMBER, REQUIRED)},
    {GMEM_FIELD("size", gmem_copy_record_t, size, NUMBER, REQUIRED),
     .least = 1},
    {GMEM_FIELD("cycle", gmem_copy_record_t, cycle, UNIT, OPTIONAL)}};
static const gmem_schema_t schema = {.fields = fields,
                                     .count = sizeof fields / sizeof *fields,
                                     .size = sizeof(gmem_copy_record_t),
                                     .unknown = "is unknown"};

const char *gmem_copy_edge_name(gmem_copy_edge_t edge) {
  return edge < GMEM_COPY_EDGES ? edges[edge] : NULL;
}

MlirAttribute gmem_copy_records_write(MlirContext context,
                                      const gmem_copy_record_t *records,
                                      size_t count, gmem_bump_t *arena) {
  return count
             ? gmem_dictionaries_write(&schema, context, records, count, arena)
             : mlirAttributeGetNull();
}

// Whether both ends are ranges of bytes.
static bool is_addressable(const gmem_copy_record_t *record) {
  return record->from <= INT64_MAX - record->size &&
         record->to <= INT64_MAX - record->size;
}

gmem_status_t gmem_copy_records_read(MlirOperation op, gmem_bump_t *arena,
                                     gmem_copy_record_t **out_records,
                                     size_t *out_count, gmem_diag_t *diag) {
  MlirAttribute stated = gmem_op_annotation(op, GMEM_ATTR_COPIES);
  gmem_malformed_t unread;
  *out_records = NULL;
  *out_count = 0;
  if (mlirAttributeIsNull(stated))
    return GMEM_OK;
  gmem_status_t status = gmem_dictionaries_read(
      &schema, stated, arena, out_records, out_count, &unread);
  for (size_t i = 0; i < *out_count && status == GMEM_OK; ++i)
    if (!is_addressable(&(*out_records)[i]))
      status = GMEM_ERR_INVALID_ARGUMENT;
  if (status != GMEM_ERR_INVALID_ARGUMENT)
    return status;
  return gmem_op_error(diag, GMEM_ERR_CORRUPT, op,
                       "%s is malformed: gmem-plan writes %s",
                       gmem_vocabulary[GMEM_ATTR_COPIES].name,
                       gmem_vocabulary[GMEM_ATTR_COPIES].type);
}
