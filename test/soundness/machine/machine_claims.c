// machine_claims.c - see machine_claims.h. Code generation reads gmem.alias to
// know which ops vanish: it has to say all of it and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_claims.h"

#include "mlir-c/BuiltinAttributes.h"
#include "vocabulary.h"

typedef struct claim_s {
  MlirStringRef kind;
  int64_t operand, result, offset;
} claim_t;

static int64_t integer_in(MlirAttribute dictionary, const char *name) {
  MlirAttribute entry = mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(name));
  return mlirAttributeIsNull(entry) || !mlirAttributeIsAInteger(entry)
             ? 0
             : mlirIntegerAttrGetValueInt(entry);
}

static claim_t claim_at(MlirAttribute list, intptr_t i) {
  MlirAttribute entry = mlirArrayAttrGetElement(list, i);
  MlirAttribute kind = mlirDictionaryAttrGetElementByName(
      entry, mlirStringRefCreateFromCString("kind"));
  return (claim_t){mlirAttributeIsNull(kind) ? mlirStringRefCreate("", 0)
                                             : mlirStringAttrGetValue(kind),
                   integer_in(entry, "operand"), integer_in(entry, "result"),
                   integer_in(entry, "offset")};
}

static bool is_kind(const claim_t *claim, const char *kind) {
  return mlirStringRefEqual(claim->kind, mlirStringRefCreateFromCString(kind));
}

// The byte of the result at which operand |wanted| of a join or insert goes;
// false if it goes nowhere.
static bool place_in_result(const program_t *program, const op_t *op,
                            int64_t wanted, uint64_t *offset) {
  if (op->does.does == DOES_INSERT) {
    *offset = op->does.offset;
    return wanted == op->does.part;
  }
  *offset = 0;
  if (op->does.does != DOES_JOIN || wanted < op->does.part)
    return false;
  uint64_t alignment = op->does.alignment;
  for (int64_t i = op->does.part; i < wanted; ++i)
    if (op->operands[i] != NONE)
      *offset =
          (*offset + program->values[op->operands[i]].size + alignment - 1) /
          alignment * alignment;
  return true;
}

// Why the claim cannot be; NULL when it can.
static const char *judge(const program_t *program, const machine_t *machine,
                         const op_t *op, const claim_t *claim) {
  if (claim->operand < 0 || claim->operand >= op->operand_count ||
      claim->result < 0 || claim->result >= op->result_count ||
      op->operands[claim->operand] == NONE)
    return "of an operand or result that is not there";
  const value_t *operand =
      &program->values[machine_seen(machine, op->operands[claim->operand])];
  const value_t *result =
      &program->values[op->first_result + (uint32_t)claim->result];
  if (operand->pool == NONE || operand->pool != result->pool)
    return "of values that are not in one pool";
  uint64_t offset = (uint64_t)claim->offset, wanted;
  if (op->does.has_box && (operand->strided || result->strided)) {
    bool is_there = false;
    bool is_slice = op->does.does == DOES_SLICE;
    if (claim->result != 0 || !is_kind(claim, is_slice ? "slice" : "concat") ||
        !machine_find_gaps(machine, op, (uint32_t)claim->operand, &is_there))
      return "of a part that is none";
    return is_there && (is_slice ? result->begin == operand->begin + offset
                                 : operand->begin == result->begin + offset)
               ? NULL
               : "that is not so";
  }
  if (operand->layout != result->layout)
    return "of values whose elements are not at the same places";
  if (operand->layout && (is_kind(claim, "slice") || is_kind(claim, "concat")))
    return "of a part of a value with gaps";
  if (is_kind(claim, "slice")) {
    if (op->does.does != DOES_SLICE || op->does.part != claim->operand ||
        op->does.offset != offset)
      return "of a slice that the op does not take";
    return result->offset == operand->offset + offset ? NULL : "that is not so";
  }
  if (is_kind(claim, "concat")) {
    if (!place_in_result(program, op, claim->operand, &wanted) ||
        wanted != offset)
      return "of a part that the result does not have";
    return operand->offset == result->offset + offset ? NULL : "that is not so";
  }
  if (is_kind(claim, "inplace") &&
      (claim->result >= ELEMENTWISE_RESULTS || claim->operand > 63 ||
       !(op->does.elementwise[claim->result] >> claim->operand & 1)))
    return "over an operand that is not read element by element";
  if (is_kind(claim, "destination") &&
      (op->does.destination < 0 ||
       claim->operand != op->does.destination + claim->result))
    return "in an operand that is no destination";
  if (!is_kind(claim, "inplace") && !is_kind(claim, "destination"))
    return "of an unknown kind";
  return is_same_place(operand, result) && offset == 0 ? NULL
                                                       : "that is not so";
}

// Whether shared bytes of operand and result need no claim: views always, and
// operands whose contents do not matter.
static bool needs_no_claim(const program_t *program, const machine_t *machine,
                           const op_t *op, uint32_t operand) {
  if (op->does.does == DOES_VIEW || op->region_count ||
      op->does.does == DOES_CALL || op->does.does == DOES_WEIGHT ||
      op->does.does == DOES_EMPTY || op->does.does == DOES_NOTHING ||
      op->does.does == DOES_INPUT)
    return true;
  const value_t *value =
      &program->values[machine_seen(machine, op->operands[operand])];
  bool is_empty =
      value->op != NONE && program->ops[value->op].does.does == DOES_EMPTY;
  return is_empty || (operand < 64 && op->does.unread >> operand & 1);
}

// Whether the op leaves alone what it would otherwise copy or write afresh,
// because operand and result are where they are. Other overlaps are no aliases:
// whether they do harm shows when the op runs.
static bool is_alias(const program_t *program, const machine_t *machine,
                     const op_t *op, uint32_t operand, const value_t *from,
                     const value_t *to) {
  uint64_t offset;
  bool is_there = false;
  if (from->strided || to->strided)
    return machine_find_gaps(machine, op, operand, &is_there) && is_there;
  if (op->does.boxed)
    return false;
  if (!is_overlapping(from, to))
    return false;
  if (op->does.does == DOES_SLICE)
    return op->does.part == (int32_t)operand &&
           to->offset == from->offset + op->does.offset;
  if (place_in_result(program, op, operand, &offset))
    return from->offset == to->offset + offset;
  return op->does.does != DOES_JOIN && is_same_place(from, to);
}

// A claim for one of several operands in one place is good for all.
static bool is_claimed(const program_t *program, const machine_t *machine,
                       MlirAttribute list, const op_t *op, const value_t *from,
                       uint32_t result) {
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
    claim_t claim = claim_at(list, i);
    if (claim.result == result && claim.operand >= 0 &&
        claim.operand < op->operand_count &&
        op->operands[claim.operand] != NONE &&
        is_same_place(from, &program->values[machine_seen(
                                machine, op->operands[claim.operand])]))
      return true;
  }
  return false;
}

static bool is_unclaimed(const program_t *program, const machine_t *machine,
                         const op_t *op, MlirAttribute list, uint32_t operand,
                         uint32_t result) {
  if (op->operands[operand] == NONE ||
      needs_no_claim(program, machine, op, operand))
    return false;
  const value_t *from =
      &program->values[machine_seen(machine, op->operands[operand])];
  return is_alias(program, machine, op, operand, from,
                  &program->values[op->first_result + result]) &&
         !is_claimed(program, machine, list, op, from, result);
}

// As find_false_claim, for one op.
static void judge_op(machine_t *machine, uint32_t index) {
  const program_t *program = machine->program;
  const op_t *op = &program->ops[index];
  MlirAttribute list =
      attribute_of(op->op, gmem_vocabulary[GMEM_ATTR_ALIAS].name);
  if (!mlirAttributeIsNull(list) && mlirAttributeIsAArray(list))
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
      claim_t claim = claim_at(list, i);
      const char *wrong = judge(program, machine, op, &claim);
      if (wrong)
        machine_fail(machine, index,
                     "claims an alias (%.*s, operand #%d, result #%d) %s",
                     (int)claim.kind.length, claim.kind.data,
                     (int)claim.operand, (int)claim.result, wrong);
    }
  for (uint32_t o = 0; o < op->operand_count; ++o)
    for (uint32_t r = 0; r < op->result_count; ++r)
      if (is_unclaimed(program, machine, op, list, o, r))
        machine_fail(
            machine, index,
            "has result #%u in memory of operand #%u, which gmem.alias "
            "does not say",
            r, o);
}

bool find_false_claim(program_t *program, size_t *op, char *message) {
  machine_t machine = {.program = program, .message = message};
  for (; *op < program->op_count; ++*op) {
    if (setjmp(machine.stop)) {
      ++*op;
      return true;
    }
    judge_op(&machine, (uint32_t)*op);
  }
  return false;
}
