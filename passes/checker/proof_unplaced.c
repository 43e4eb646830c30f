// proof_unplaced.c - see proof_unplaced.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_unplaced.h"

#include "csr.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "type_size.h"

typedef struct finder_s {
  const gmem_proof_program_t *program;
  gmem_csr_pairs_t edges; // a memref, and one that may denote the same memory
  bool *is_unplaced;
  gmem_bump_t *arena;
} finder_t;

static bool is_memref(const finder_t *finder, uint32_t value) {
  return value != GMEM_NO_INDEX &&
         gmem_is_memref_type(
             mlirValueGetType(finder->program->values.at[value].value));
}

static void add(finder_t *finder, uint32_t from, uint32_t to) {
  if (!is_memref(finder, to))
    return;
  if (is_memref(finder, from))
    GMEM_APPEND(finder->arena, &finder->edges, (gmem_csr_pair_t){from, to});
  else
    finder->is_unplaced[to] = true;
}

// The last |row.count| of |count| values flow to the row.
static void add_row(finder_t *finder, gmem_proof_row_t row,
                    const uint32_t *values, uint32_t count) {
  for (uint32_t i = 0; i < row.count; ++i)
    add(finder,
        row.count - i <= count ? values[count - (row.count - i)]
                               : GMEM_NO_INDEX,
        row.first + i);
}

// Any values may flow to the row.
static void mark_row(finder_t *finder, gmem_proof_row_t row) {
  add_row(finder, row, NULL, 0);
}

static gmem_proof_row_t arguments_of(const finder_t *finder, uint32_t region) {
  uint32_t block = gmem_proof_entry(finder->program, region);
  return block == GMEM_NO_INDEX ? (gmem_proof_row_t){0, 0}
                                : finder->program->blocks.at[block].arguments;
}

// What the ends of a region pass on flows to |row|.
static void add_ends(finder_t *finder, uint32_t region, gmem_proof_row_t row) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_region_t *body = &program->regions.at[region];
  for (uint32_t b = 0; b < body->block_count; ++b) {
    uint32_t last = program->blocks.at[body->first_block + b].last_op;
    const gmem_proof_op_t *end =
        last == GMEM_NO_INDEX ? NULL : &program->ops.at[last];
    if (end && mlirOperationGetNumSuccessors(end->op) == 0)
      add_row(finder, row, end->operands, end->operand_count);
  }
}

static void add_regions(finder_t *finder, const gmem_proof_op_t *op) {
  uint32_t first = op->first_region;
  gmem_proof_row_t row = arguments_of(finder, first);
  bool is_for = op->flow == GMEM_PROOF_FOR;
  if (op->flow == GMEM_PROOF_BRANCH) {
    for (uint32_t r = first; r < first + op->region_count; ++r) {
      add_row(finder, arguments_of(finder, r), op->operands, op->operand_count);
      add_ends(finder, r, op->results);
    }
    return;
  }
  if (is_for) {
    row.first += row.count - op->results.count;
    row.count = op->results.count;
  }
  add_row(finder, row, op->operands, op->operand_count);
  add_ends(finder, is_for ? first : first + 1, row);
  for (uint32_t i = 0; i < op->results.count; ++i) {
    bool is_same = is_for || op->model->kind == GMEM_OP_LOOP;
    if (is_same)
      add(finder, row.first + i, op->results.first + i);
    if (is_same && !is_for)
      add(finder, row.first + i, arguments_of(finder, first + 1).first + i);
  }
  if (!is_for && op->model->kind != GMEM_OP_LOOP) {
    add_ends(finder, first, op->results);
    add_ends(finder, first, arguments_of(finder, first + 1));
  }
}

static void add_branch(finder_t *finder, const gmem_proof_op_t *op) {
  for (uint32_t s = 0; s < (uint32_t)mlirOperationGetNumSuccessors(op->op);
       ++s) {
    uint32_t to = gmem_proof_successor(finder->program, op, s), first = 0;
    if (to == GMEM_NO_INDEX)
      continue;
    gmem_proof_row_t row = finder->program->blocks.at[to].arguments;
    if (gmem_proof_branch_operands(op, s, &first))
      add_row(finder, row, op->operands + first, row.count);
    else
      mark_row(finder, row);
  }
}

// Whether what the op returns is among its operands.
static bool returns_operands(const gmem_proof_op_t *op) {
  bool can_load = false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
    if (!gmem_is_memref_type(type))
      continue;
    type = mlirShapedTypeGetElementType(type);
    can_load |= !mlirTypeIsAInteger(type) && !mlirTypeIsAFloat(type) &&
                !mlirTypeIsAIndex(type) && !mlirTypeIsAComplex(type) &&
                !mlirTypeIsAVector(type);
  }
  return op->model->kind == GMEM_OP_COMPUTE && !op->is_opaque &&
         !op->region_count && !op->callee_count && !can_load;
}

static void add_op(finder_t *finder, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = finder->program;
  gmem_op_kind_t kind = op->model->kind;
  add_branch(finder, op);
  // What one call passes is not what another one does: calls do not count, so
  // that no plan is refused for a mixture that does not exist.
  if (op->flow == GMEM_PROOF_CALL)
    return;
  if (op->flow >= GMEM_PROOF_BRANCH) {
    add_regions(finder, op);
    return;
  }
  for (uint32_t r = 0; r < op->region_count; ++r)
    mark_row(finder, arguments_of(finder, op->first_region + r));
  for (uint32_t i = 0; i < op->results.count; ++i) {
    uint32_t to = op->results.first + i;
    if (kind == GMEM_OP_ALLOC && program->values.at[to].is_placed)
      continue;
    uint32_t end = kind == GMEM_OP_VIEW || kind == GMEM_OP_RESHAPE
                       ? op->operand_count != 0
                   : returns_operands(op) ? op->operand_count
                                          : 0;
    bool is_any = false;
    for (uint32_t k = 0; k < end; ++k)
      if (is_memref(finder, op->operands[k])) {
        add(finder, op->operands[k], to);
        is_any = true;
      }
    if (!is_any)
      finder->is_unplaced[to] = true;
  }
}

// Marks what is reached from the marked values.
static gmem_status_t spread(finder_t *finder, gmem_diag_t *diag) {
  gmem_csr_t next;
  uint32_t *stack;
  size_t depth = 0, count = finder->program->values.count;
  GMEM_TRY_ALLOC(stack, finder->arena, count, diag);
  GMEM_TRY(gmem_csr_build(&finder->edges, count, finder->arena, &next, diag));
  for (uint32_t i = 0; i < count; ++i)
    if (finder->is_unplaced[i])
      stack[depth++] = i;
  while (depth) {
    uint32_t from = stack[--depth];
    GMEM_CSR_EACH (to, &next, from)
      if (!finder->is_unplaced[*to]) {
        finder->is_unplaced[*to] = true;
        stack[depth++] = *to;
      }
  }
  return GMEM_OK;
}

gmem_status_t gmem_proof_unplaced_find(const gmem_proof_program_t *program,
                                       const bool *has_unknown_callers,
                                       gmem_bump_t *arena, bool **out_unplaced,
                                       gmem_diag_t *diag) {
  finder_t finder = {.program = program, .arena = arena};
  GMEM_TRY_ALLOC(finder.is_unplaced, arena, program->values.count, diag);
  *out_unplaced = finder.is_unplaced;
  for (uint32_t f = 0; f < program->functions.count; ++f)
    if (has_unknown_callers[f])
      mark_row(&finder, arguments_of(&finder, program->functions.at[f].region));
  for (uint32_t i = 0; i < program->ops.count; ++i)
    add_op(&finder, &program->ops.at[i]);
  GMEM_TRY(gmem_bump_status(arena, diag));
  return spread(&finder, diag);
}
