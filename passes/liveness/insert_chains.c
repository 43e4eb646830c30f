// insert_chains.c - see insert_chains.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "insert_chains.h"

#include "annotations.h"
#include "subtensor_boxes.h"

// A chain ends when its tensor would have more gaps. (The check of contents
// knows at least as many.)
enum { MOST_GAPS = 8 };

typedef struct range_s {
  uint64_t begin, end;
} range_t;

// The bytes of a tensor that no insert has written.
typedef struct gaps_s {
  range_t at[MOST_GAPS + 1];
  uint32_t count;
} gaps_t;

typedef struct finder_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_live_value_t *live_values;
  bool is_placed;
  const gaps_t **gaps; // by value; NULL: no chain makes it
  bool *has_same_as;   // by function: a result is returned in an argument
  gmem_bump_t *arena;  // of the search
} finder_t;

// Whether the op states something of its result that other values of a chain
// do not have.
static bool has_requests(const gmem_program_op_t *op) {
  static const gmem_attr_t requests[] = {
      GMEM_ATTR_LAYER_GROUP, GMEM_ATTR_HOLD,   GMEM_ATTR_FIXED,
      GMEM_ATTR_SENSITIVE,   GMEM_ATTR_TAG,    GMEM_ATTR_MEMORY_GROUP,
      GMEM_ATTR_CONSTANT,    GMEM_ATTR_BYTES,  GMEM_ATTR_TARGET,
      GMEM_ATTR_POOLS,       GMEM_ATTR_PADDING};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i)
    if (op->own >> requests[i] & 1)
      return true;
  return false;
}

// The destination of op |index| if it is an insert that runs at its step,
// else GMEM_NO_INDEX.
static uint32_t destination_of(const finder_t *finder, uint32_t index) {
  const gmem_program_op_t *op = &finder->program->ops[index];
  const gmem_op_model_t *model = op->model;
  if (model->insert.operand == GMEM_NO_OPERAND ||
      model->destination != GMEM_DESTINATION_OPERAND ||
      mlirOperationGetNumResults(op->op) != 1 || op->opaque || op->parallel ||
      op->deferred || op->group != GMEM_NO_GROUP || has_requests(op) ||
      finder->has_same_as[op->function] ||
      finder->facts->uses.unordered[finder->program->blocks[op->block].region])
    return GMEM_NO_INDEX;
  return gmem_operand_value(finder->program, op->op,
                            model->destination_operand);
}

// The bytes of the tensor that op |index| writes; false if they are not known
// or not contiguous.
static bool find_part(const finder_t *finder, uint32_t index, range_t *out) {
  const gmem_program_op_t *op = &finder->program->ops[index];
  const gmem_op_box_t *model = &op->model->insert;
  gmem_subtensor_t box = {.op = op->op, .model = model};
  if (model->operand < 0 ||
      model->operand >= mlirOperationGetNumOperands(op->op) ||
      !gmem_layout_of(
          mlirValueGetType(mlirOperationGetOperand(op->op, model->operand)),
          &box.part) ||
      !gmem_layout_of(mlirValueGetType(mlirOperationGetResult(op->op, 0)),
                      &box.whole) ||
      !gmem_subtensor_offset(&box, finder->program->models, finder->arena,
                             &out->begin))
    return false;
  uint64_t bits = gmem_layout_elements(&box.part) * box.part.element_bits;
  out->end = out->begin + bits / 8;
  return bits % 8 == 0 && out->begin < out->end;
}

// Whether op |index| is the only one that uses |value|, the result of an insert
// of its block.
static bool is_only_user(const finder_t *finder, uint32_t index,
                         uint32_t value) {
  return finder->program->values[value].block ==
             finder->program->ops[index].block &&
         gmem_csr_count(&finder->facts->uses.users, value) == 1;
}

static bool is_at_one_place(const finder_t *finder, uint32_t index,
                            uint32_t destination) {
  static const gmem_attr_t places[] = {GMEM_ATTR_POOL, GMEM_ATTR_OFFSET};
  const gmem_program_op_t *op = &finder->program->ops[index];
  const gmem_program_op_t *before =
      gmem_defining_op(finder->program, destination);
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    MlirAttribute place = gmem_own_attribute(op, places[i]);
    if (mlirAttributeIsNull(place) ||
        !mlirAttributeEqual(place, gmem_own_attribute(before, places[i])))
      return false;
  }
  return true;
}

// Sets |*out| to |gaps| without |part|; false if that is not in a gap.
static bool fill(const gaps_t *gaps, range_t part, gaps_t *out) {
  bool is_inside = false;
  out->count = 0;
  for (uint32_t i = 0; i < gaps->count; ++i) {
    range_t gap = gaps->at[i];
    if (gap.begin <= part.begin && part.end <= gap.end) {
      is_inside = true;
      if (gap.begin < part.begin)
        out->at[out->count++] = (range_t){gap.begin, part.begin};
      gap.begin = part.end;
    }
    if (gap.begin < gap.end)
      out->at[out->count++] = gap;
  }
  return is_inside && out->count <= MOST_GAPS;
}

// Looks at op |index|: whether it begins a chain or goes on with one.
static void look_at(finder_t *finder, uint32_t index, bool *links) {
  uint32_t destination = destination_of(finder, index);
  uint32_t result =
      gmem_result_value(finder->program, finder->program->ops[index].op, 0);
  gaps_t whole, left;
  range_t part;
  if (destination == GMEM_NO_INDEX || result == GMEM_NO_INDEX ||
      finder->live_values[result].storage != GMEM_STORAGE_TENSOR)
    return;
  bool is_first = finder->facts->uses.is_undefined[destination] &&
                  finder->live_values[destination].storage == GMEM_STORAGE_NONE;
  const gaps_t *gaps = finder->gaps[destination];
  if (is_first) {
    whole = (gaps_t){{{0, finder->program->values[result].size}}, 1};
    gaps = &whole;
  } else if (!gaps || !is_only_user(finder, index, destination) ||
             finder->live_values[result].is_held ||
             (finder->is_placed &&
              !is_at_one_place(finder, index, destination)))
    return;
  if (!find_part(finder, index, &part) || !fill(gaps, part, &left))
    return;
  finder->gaps[result] = gmem_bump_copy(finder->arena, &left, 1, sizeof left);
  links[index] = !is_first;
}

// A result that is returned in the memory of an argument must begin as late as
// possible, since the two must not be live together: such functions have no
// chains.
static void find_same_as(finder_t *finder) {
  for (uint32_t f = 0; f < finder->program->function_count; ++f) {
    const gmem_callee_t *callee = &finder->facts->calls.callees[f];
    for (uint32_t r = callee->first_return; r < callee->end_return; ++r) {
      MlirOperation end =
          finder->program->ops[finder->facts->calls.returns[r]].op;
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
        finder->has_same_as[f] |=
            !mlirAttributeIsNull(gmem_function_result_annotation(
                finder->program->functions[f].op, i, GMEM_ATTR_SAME_AS));
    }
  }
}

static gmem_status_t find_links(finder_t *finder, bool *links,
                                gmem_diag_t *diag) {
  const gmem_program_t *program = finder->program;
  GMEM_TRY_ALLOC(finder->gaps, finder->arena, program->value_count, diag);
  GMEM_TRY_ALLOC(finder->has_same_as, finder->arena, program->function_count,
                 diag);
  find_same_as(finder);
  for (uint32_t i = 0; i < program->op_count; ++i)
    look_at(finder, i, links);
  return gmem_bump_status(finder->arena, diag);
}

gmem_status_t gmem_insert_chains_find(const gmem_program_facts_t *facts,
                                      const gmem_live_value_t *live_values,
                                      bool is_placed, gmem_bump_t *arena,
                                      bool **out_links, gmem_diag_t *diag) {
  gmem_bump_t scratch;
  finder_t finder = {.facts = facts,
                     .program = facts->program,
                     .live_values = live_values,
                     .is_placed = is_placed,
                     .arena = &scratch};
  GMEM_TRY_ALLOC(*out_links, arena, facts->program->op_count, diag);
  // Ops in streams may run in another order than that of the text.
  if (facts->streams.count || gmem_has_layouts(facts->program))
    return GMEM_OK;
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status = find_links(&finder, *out_links, diag);
  gmem_bump_destroy(&scratch);
  return status;
}
