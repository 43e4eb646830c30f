// memref_writes.c - see memref_writes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = alloc; make(%x); %y = alloc; linalg.map ins(%x) outs(%y); read(%y)
//
// %y may have the bytes of %x: each element of %x is read for the last time
// when that of %y is written. Whether %x is dead then, and %y has no contents
// before, is left to interference.c; here it matters that both operands are all
// of their allocations, in the same order, and that no other operand reads the
// memory of either.

#include "memref_writes.h"

#include "mapped_operands.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "overwrites.h"

// Limits of the search: operands of an op, and values that may denote a site.
enum { MOST_OPERANDS = 64, MOST_NAMES = 1024 };

typedef struct memref_write_s {
  gmem_sharing_finder_t *finder;
  const gmem_program_op_t *entry;
  MlirOperation op;
  intptr_t operands;
  intptr_t output;               // operand
  uint32_t sites[MOST_OPERANDS]; // by operand: value, or GMEM_NO_INDEX
} memref_write_t;

// The planned allocation that |memref| is all of, or GMEM_NO_INDEX.
static uint32_t planned_site(const gmem_sharing_finder_t *finder,
                             MlirValue memref) {
  uint32_t site = gmem_whole_site(finder->program, memref);
  return site == GMEM_NO_INDEX
             ? site
             : gmem_finder_tensor(finder, finder->program->values[site].value);
}

static bool has_same_elements(MlirType left, MlirType right) {
  intptr_t rank = mlirShapedTypeGetRank(left);
  bool is_same =
      mlirShapedTypeGetRank(right) == rank &&
      gmem_memref_element_bytes(mlirShapedTypeGetElementType(left)) ==
          gmem_memref_element_bytes(mlirShapedTypeGetElementType(right));
  for (intptr_t i = 0; is_same && i < rank; ++i)
    is_same =
        mlirShapedTypeGetDimSize(left, i) == mlirShapedTypeGetDimSize(right, i);
  return is_same;
}

static MlirType type_of(const memref_write_t *write, intptr_t operand) {
  return mlirValueGetType(mlirOperationGetOperand(write->op, operand));
}

// Whether the op reads all of a site as |operand|, the same element as it
// writes.
static bool is_elementwise(const memref_write_t *write, intptr_t operand) {
  const gmem_op_inplace_t *model = &write->entry->model->inplace;
  bool is_last = write->output == write->operands - 1;
  if (operand == write->output || write->sites[operand] == GMEM_NO_INDEX ||
      !gmem_op_only_reads(write->entry->model, write->op, operand) ||
      !has_same_elements(type_of(write, operand),
                         type_of(write, write->output)))
    return false;
  return (is_last && model->operands >> operand & 1) ||
         (model->by_map &&
          gmem_is_mapped_alike(write->op, operand, write->output));
}

// Whether operand |operand| may denote |site|.
static bool may_denote(const memref_write_t *write, intptr_t operand,
                       const gmem_allocation_site_t *site) {
  uint32_t value = gmem_program_find(
      write->finder->program, mlirOperationGetOperand(write->op, operand));
  bool is_found = site->is_shared || site->alias_count > MOST_NAMES;
  for (size_t i = 0; i < site->alias_count && !is_found; ++i)
    is_found = site->aliases[i] == value;
  return is_found;
}

// Whether no other operand reads the memory of operand |number| in another
// order, or that of the output.
static bool other_operands_allow(const memref_write_t *write, intptr_t number) {
  const gmem_memrefs_t *memrefs = &write->finder->liveness->memrefs;
  const gmem_allocation_site_t *read =
      gmem_allocation_site_of(memrefs, write->sites[number]);
  const gmem_allocation_site_t *written =
      gmem_allocation_site_of(memrefs, write->sites[write->output]);
  for (intptr_t i = 0; i < write->operands; ++i)
    if (i != number && i != write->output &&
        gmem_is_memref_type(type_of(write, i)) &&
        (may_denote(write, i, written) ||
         (may_denote(write, i, read) && !is_elementwise(write, i))))
      return false;
  return true;
}

// Adds the aliases of the output with operands that it may be written over.
static void add_writes(memref_write_t *write) {
  const uint32_t *sites = write->sites;
  uint32_t written = sites[write->output];
  for (intptr_t i = 0; i < write->operands; ++i)
    if (is_elementwise(write, i) && sites[i] != written &&
        other_operands_allow(write, i))
      gmem_finder_add(
          write->finder,
          &(gmem_alias_t){
              .kind = GMEM_SHARE_INPLACE,
              .op = (uint32_t)(write->entry - write->finder->program->ops),
              .operand = (uint32_t)i,
              .result = GMEM_NO_INDEX,
              .child = written,
              .parent = sites[i],
              .begin = write->entry->begin,
              .end = write->entry->end});
}

// Stops at an op that uses a memref.
static MlirWalkResult look_for_memref(MlirOperation op, void *user) {
  memref_write_t *write = user;
  bool is_found = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    is_found |=
        !mlirOperationEqual(op, write->op) &&
        gmem_is_memref_type(mlirValueGetType(mlirOperationGetOperand(op, i)));
  write->operands = is_found ? 0 : write->operands;
  return is_found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

void gmem_find_memref_writes(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  memref_write_t write = {.finder = finder, .entry = entry, .op = entry->op};
  write.operands = mlirOperationGetNumOperands(entry->op);
  if (write.operands > MOST_OPERANDS)
    return;
  // What the regions read, they read in any order.
  mlirOperationWalk(entry->op, look_for_memref, &write, MlirWalkPreOrder);
  for (intptr_t i = 0; i < write.operands; ++i)
    write.sites[i] =
        planned_site(finder, mlirOperationGetOperand(entry->op, i));
  for (write.output = 0; write.output < write.operands; ++write.output)
    if (write.sites[write.output] != GMEM_NO_INDEX &&
        !gmem_op_only_reads(entry->model, entry->op, write.output))
      add_writes(&write);
}
