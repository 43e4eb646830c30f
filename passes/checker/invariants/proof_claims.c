// proof_claims.c - see proof_claims.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_claims.h"

#include "attribute_codec.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "proof_effects.h"
#include "vocabulary.h"

// An entry of gmem.alias.
typedef struct claim_s {
  MlirStringRef kind;
  int64_t operand, result, offset;
} claim_t;

static MlirAttribute entry_of(MlirAttribute dictionary, const char *key) {
  return mlirDictionaryAttrGetElementByName(dictionary, gmem_string(key));
}

typedef struct reader_s {
  const gmem_proof_program_t *program;
  MlirIdentifier name; // "gmem.alias"
  // The last entry that was read: most ops have the same one.
  MlirAttribute last;
  claim_t claim;
} reader_t;

static bool read_entry(MlirAttribute entry, claim_t *out) {
  return gmem_attribute_is(entry, mlirAttributeIsADictionary) &&
         gmem_string_get(entry_of(entry, "kind"), &out->kind) &&
         gmem_i64_get(entry_of(entry, "operand"), &out->operand) &&
         gmem_i64_get(entry_of(entry, "result"), &out->result) &&
         gmem_i64_get(entry_of(entry, "offset"), &out->offset);
}

static bool read_claim(reader_t *reader, const gmem_proof_op_t *op,
                       MlirAttribute entry, claim_t *out) {
  bool is_last = mlirAttributeEqual(entry, reader->last);
  if (!is_last && !read_entry(entry, &reader->claim))
    return false;
  reader->last = entry;
  *out = reader->claim;
  return out->operand >= 0 && out->operand < op->operand_count &&
         out->result >= 0 && out->result < op->results.count &&
         out->offset >= 0;
}

// Whether the model permits it.
static bool is_permitted(const gmem_proof_op_t *op, const claim_t *claim,
                         const gmem_proof_parts_t *parts) {
  uint32_t operand = (uint32_t)claim->operand;
  uint32_t result = (uint32_t)claim->result;
  bool is_slice = gmem_string_is(claim->kind, "slice");
  if (gmem_string_is(claim->kind, "inplace"))
    return claim->offset == 0 && gmem_proof_works_in_place(op, operand, result);
  if (gmem_string_is(claim->kind, "destination"))
    return claim->offset == 0 &&
           gmem_proof_has_destination(op, operand, result);
  return (is_slice || gmem_string_is(claim->kind, "concat")) &&
         parts->shape != GMEM_PROOF_COMPUTES &&
         is_slice == (parts->shape == GMEM_PROOF_SLICES) && result == 0 &&
         operand >= parts->first && operand < parts->end &&
         parts->offsets[operand - parts->first] == (uint64_t)claim->offset;
}

// Whether operand and result are where it says.
static bool is_placed_so(const gmem_proof_program_t *program,
                         const gmem_proof_op_t *op, const claim_t *claim) {
  uint32_t operand = op->operands[claim->operand];
  if (operand == GMEM_NO_INDEX)
    return false;
  const gmem_proof_value_t *from = &program->values.at[operand];
  const gmem_proof_value_t *to =
      &program->values.at[op->results.first + (uint32_t)claim->result];
  bool is_concat = gmem_string_is(claim->kind, "concat");
  const gmem_proof_value_t *whole = is_concat ? to : from;
  const gmem_proof_value_t *part = is_concat ? from : to;
  return from->is_placed && to->is_placed &&
         part->bytes.begin >= whole->bytes.begin &&
         part->bytes.end <= whole->bytes.end &&
         part->bytes.begin - whole->bytes.begin == (uint64_t)claim->offset;
}

static gmem_status_t check_op(reader_t *reader, const gmem_proof_op_t *op,
                              gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_proof_program_t *program = reader->program;
  MlirAttribute list;
  gmem_proof_parts_t parts;
  gmem_get_attributes(op->op, &reader->name, &list, 1);
  if (!gmem_attribute_is(list, mlirAttributeIsAArray))
    return GMEM_OK;
  gmem_proof_parts_find(program, op, arena, &parts);
  GMEM_TRY(gmem_bump_status(arena, diag));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
    claim_t claim;
    if (!read_claim(reader, op, mlirArrayAttrGetElement(list, i), &claim))
      return gmem_op_error(diag, GMEM_ERR_CORRUPT, op->op,
                           "gmem.alias is malformed; plan again");
    if (!is_permitted(op, &claim, &parts) || !is_placed_so(program, op, &claim))
      return gmem_op_error(
          diag, GMEM_ERR_CORRUPT, op->op,
          "gmem.alias says that operand #%lld and result #%lld share memory "
          "(%.*s, from byte %lld), but %s; plan again",
          (long long)claim.operand, (long long)claim.result,
          (int)claim.kind.length, claim.kind.data, (long long)claim.offset,
          is_permitted(op, &claim, &parts) ? "they are placed elsewhere"
                                           : "the op does not do that");
  }
  return GMEM_OK;
}

gmem_status_t gmem_proof_claims_check(const gmem_proof_program_t *program,
                                      gmem_bump_t *arena, gmem_diag_t *diag) {
  reader_t reader = {
      .program = program,
      .name = mlirIdentifierGet(mlirOperationGetContext(program->scope),
                                gmem_attr_name(GMEM_ATTR_ALIAS))};
  for (uint32_t i = 0; i < program->ops.count; ++i)
    GMEM_TRY(check_op(&reader, &program->ops.at[i], arena, diag));
  return GMEM_OK;
}
