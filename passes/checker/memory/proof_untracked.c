// proof_untracked.c - see proof_untracked.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If blocks pass memrefs on to one another, each argument of a block may point
// to most allocations, and the sets of these are quadratic together. A read
// needs such a set to find what has been lost, and a write to lose what others
// have in the same bytes. An allocation with bytes that nothing else has, which
// are in no pool of constants (proof_rules.h), neither loses anything nor is
// lost: memrefs that control flow binds to it need not denote it. It is
// *untracked* if nothing else needs it in a set, and if no older instance of it
// is in use when it is executed.
//
// Each memref that may point to it is then a view or an argument of a block of
// its function, and used in its own block only, by ops that read or write its
// memory while they run, or that pass it on to another block; no code inside of
// them is given a memref. When the block of
// the allocation is entered, the memrefs of all other blocks are out of use:
// they are bound or made anew before the next use. The arguments of that block
// must not be older instances: no way leads there from the allocation
// (proof_reach.h). So one instance at a time is in use. Calls, returns,
// deallocations, groups, streams and what runs at any time need the sets of the
// memrefs that they are given (they are *asked for*), and so do those that pass
// on memrefs to these.
//
// A write by a memref that may be an untracked allocation or a tracked one
// makes neither intact again: that takes the allocation itself or a view of it.

#include "proof_untracked.h"

#include <assert.h>

#include "captures.h"
#include "mlir-c/BuiltinTypes.h"
#include "proof_branches.h"
#include "proof_reach.h"
#include "type_size.h"
#include "value_rows.h"

typedef struct search_s {
  const gmem_proof_program_t *program;
  gmem_proof_memory_t *memory;
  uint32_t *base;         // by value: what it is a view of, or itself
  bool *is_asked;         // by value: some op needs to know its memory
  bool names_any;         // the current op names a symbol
  gmem_csr_pairs_t links; // from a value, as |base|, to an argument of a block
  gmem_proof_reach_t reach;
  // Of a block and by path: behind the last place that is an argument of it.
  uint32_t block, ends[GMEM_PROOF_PATHS];
  gmem_bump_t *scratch;
} search_t;

static MlirType type_of(const search_t *search, uint32_t value) {
  return mlirValueGetType(search->program->values.at[value].value);
}

//===--- ops --------------------------------------------------------------===//

static void note_symbol(MlirStringRef name, void *user) {
  (void)name;
  ((search_t *)user)->names_any = true;
}

// Whether code inside of |op| is given what may be or hold a memref. Others
// that it uses are among those that |op| reads.
static bool gives_memrefs(const search_t *search, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (mlirBlockIsNull(block))
      continue;
    gmem_value_row_t row = gmem_arguments_of(block);
    if (gmem_row_any(row, gmem_is_memref_type) ||
        gmem_any_can_hold_memref(search->program->models, row))
      return true;
  }
  return false;
}

// Whether op |index|, one of its function's own blocks, does at its place what
// it does, with no code but its own, and nothing is kept for it.
static bool runs_in_place(search_t *search, uint32_t index) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  if (op->parent != GMEM_NO_INDEX || op->flow != GMEM_PROOF_STEP ||
      op->is_held || program->group_first[index] != GMEM_NO_INDEX ||
      op->model->escapes || gives_memrefs(search, op->op))
    return false;
  search->names_any = false;
  gmem_for_each_symbol(op->op, note_symbol, search);
  return !search->names_any;
}

static bool is_number(MlirType type) {
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type) ||
         mlirTypeIsAFloat(type);
}

// Whether |op| makes views of its first operand, or tells of its shape.
static bool is_view(const search_t *search, const gmem_proof_op_t *op) {
  if (op->model->kind != GMEM_OP_VIEW || op->operand_count == 0 ||
      op->operands[0] == GMEM_NO_INDEX)
    return false;
  for (uint32_t v = op->results.first;
       v < op->results.first + op->results.count; ++v)
    if (!gmem_is_memref_type(type_of(search, v)) &&
        !is_number(type_of(search, v)))
      return false;
  return true;
}

// Whether |op|, which runs in its place, keeps no memref beyond that.
static bool only_computes(const search_t *search, const gmem_proof_op_t *op) {
  const gmem_op_models_t *models = search->program->models;
  gmem_op_kind_t kind = op->model->kind;
  if (op->is_end ||
      (kind != GMEM_OP_COMPUTE && kind != GMEM_OP_UNKNOWN &&
       kind != GMEM_OP_SCALAR_BODY) ||
      gmem_any_can_hold_memref(models, gmem_results_of(op->op)))
    return false;
  for (uint32_t v = op->results.first;
       v < op->results.first + op->results.count; ++v)
    if (search->program->values.at[v].is_memref)
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op->op, i));
    if (gmem_is_handle_type(models, type) || gmem_holds_memrefs(type))
      return false;
  }
  return true;
}

// The first operand that a branch passes on; the number of its operands: that
// is not known.
static uint32_t first_passed(const gmem_proof_op_t *op) {
  uint32_t first;
  return gmem_proof_branch_operands(op, 0, &first) ? first : op->operand_count;
}

//===--- uses -------------------------------------------------------------===//

static void find_base(search_t *search, uint32_t index) {
  const gmem_proof_op_t *op = &search->program->ops.at[index];
  if (!is_view(search, op) || !runs_in_place(search, index))
    return;
  for (uint32_t v = op->results.first;
       v < op->results.first + op->results.count; ++v)
    if (search->program->values.at[v].is_memref)
      search->base[v] = search->base[op->operands[0]];
}

// Of a branch that passes on the operands from |k| on.
static void add_links(search_t *search, const gmem_proof_op_t *op, uint32_t k) {
  const gmem_proof_program_t *program = search->program;
  uint32_t count = (uint32_t)mlirOperationGetNumSuccessors(op->op);
  for (uint32_t s = 0; s < count && k < op->operand_count; ++s) {
    uint32_t to = gmem_proof_successor(program, op, s);
    assert(to != GMEM_NO_INDEX);
    gmem_proof_row_t row = program->blocks.at[to].arguments;
    for (uint32_t v = row.first; v < row.first + row.count; ++v, ++k)
      if (op->operands[k] != GMEM_NO_INDEX && program->values.at[v].is_memref)
        GMEM_APPEND(search->scratch, &search->links,
                    (gmem_csr_pair_t){search->base[op->operands[k]], v});
  }
}

// Memrefs are asked for that op |index| uses in another block than theirs, or
// not to read, write or pass them on.
static void look_at_uses(search_t *search, uint32_t index) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  uint32_t first = 0, end = op->operand_count; // operands used as they may be
  bool has_memrefs = false;
  for (uint32_t k = 0; k < op->read_count; ++k)
    has_memrefs |= op->operands[k] != GMEM_NO_INDEX &&
                   program->values.at[op->operands[k]].is_memref;
  if (!has_memrefs)
    return;
  if (!runs_in_place(search, index))
    end = 0;
  else if (mlirOperationGetNumSuccessors(op->op))
    add_links(search, op, first = first_passed(op));
  else if (!is_view(search, op) && !only_computes(search, op))
    end = 0;
  for (uint32_t k = 0; k < op->read_count; ++k) {
    uint32_t value = op->operands[k];
    if (value != GMEM_NO_INDEX && program->values.at[value].is_memref)
      search->is_asked[search->base[value]] |=
          k < first || k >= end || program->values.at[value].block != op->block;
  }
}

//===--- allocations ------------------------------------------------------===//

static void find_ends(search_t *search, uint32_t block) {
  gmem_proof_row_t row = search->program->blocks.at[block].arguments;
  if (search->block == block)
    return;
  search->block = block;
  for (uint32_t p = 0; p < GMEM_PROOF_PATHS; ++p)
    search->ends[p] = 0;
  for (uint32_t v = row.first; v < row.first + row.count; ++v) {
    uint32_t path = search->reach.path[v], place = search->reach.place[v];
    if (path != GMEM_NO_INDEX && place >= search->ends[path])
      search->ends[path] = place + 1;
  }
}

// Whether |value| may be passed on as an argument of its own block. Those that
// are on no path are asked for, and so is |value| then.
static bool may_return(search_t *search, uint32_t value) {
  find_ends(search, search->program->values.at[value].block);
  GMEM_CSR_EACH (to, &search->reach.next, value) {
    const uint32_t *first = search->reach.first[search->reach.rank[*to] - 1];
    for (uint32_t p = 0; p < GMEM_PROOF_PATHS; ++p)
      if (first[p] < search->ends[p])
        return true;
  }
  return false;
}

static gmem_status_t find(search_t *search, gmem_diag_t *diag) {
  const gmem_proof_program_t *program = search->program;
  gmem_proof_memory_t *memory = search->memory;
  bool is_known;
  for (uint32_t v = 0; v < program->values.count; ++v)
    search->base[v] = v;
  for (uint32_t i = 0; i < program->ops.count; ++i)
    find_base(search, i);
  for (uint32_t i = 0; i < program->ops.count; ++i)
    look_at_uses(search, i);
  GMEM_TRY(gmem_proof_reach_find(program, &search->links, search->is_asked,
                                 search->scratch, &search->reach, &is_known,
                                 diag));
  for (uint32_t v = 0; v < program->values.count && is_known; ++v) {
    const gmem_proof_value_t *value = &program->values.at[v];
    memory->is_untracked[v] =
        memory->is_private[v] && !search->is_asked[v] &&
        runs_in_place(search, value->op) &&
        gmem_proof_runs_alone(program, memory, value->function) &&
        !may_return(search, v);
  }
  return GMEM_OK;
}

// Whether control flow passes memrefs from block to block at all.
static bool has_passed(const gmem_proof_program_t *program) {
  bool has_any = false;
  for (size_t b = 0; b < program->blocks.count; ++b) {
    const gmem_proof_block_t *block = &program->blocks.at[b];
    for (uint32_t i = 0; i < block->arguments.count && block->position; ++i)
      has_any |= program->values.at[block->arguments.first + i].is_memref;
  }
  return has_any;
}

gmem_status_t gmem_proof_find_untracked(const gmem_proof_program_t *program,
                                        gmem_proof_memory_t *memory,
                                        gmem_bump_t *arena,
                                        gmem_bump_t *scratch,
                                        gmem_diag_t *diag) {
  size_t count = program->values.count;
  search_t search = {.program = program,
                     .memory = memory,
                     .block = GMEM_NO_INDEX,
                     .scratch = scratch};
  GMEM_TRY_ALLOC(memory->is_untracked, arena, count, diag);
  if (!program->has_allocs || !has_passed(program) ||
      (program->own >> GMEM_ATTR_STREAM & 1))
    return GMEM_OK;
  GMEM_TRY_ALLOC(search.base, scratch, count, diag);
  GMEM_TRY_ALLOC(search.is_asked, scratch, count, diag);
  GMEM_TRY(find(&search, diag));
  return gmem_bump_status(scratch, diag);
}
