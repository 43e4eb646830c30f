// proof_coexistence.c - see proof_coexistence.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two values count at points only where both are in scope. In SSA form the
// definition of one then dominates that of the other, which is bound last: the
// older value has the same name before that edge and behind it. So a pair of
// names coexists only if, for an edge that binds the younger one, the name that
// its source has there coexists with that of the older one; for values that are
// bound together, the names of the two sources on one edge. If no way back from
// a pair ends at memory that is no name, as an allocation, or at one name of
// one value, it does not exist.
//
// Code that runs at any time may use a value while it is bound anew, as may
// iterations that run concurrently: their names may always coexist.

#include "proof_coexistence.h"

enum { MOST_PAIRS = 128, MOST_STEPS = 1 << 13 };

typedef struct pair_s {
  uint32_t left, right; // names, of different values
} pair_t;

typedef struct search_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  pair_t pairs[MOST_PAIRS]; // that have been found
  uint32_t count, steps;
  bool may_coexist;
} search_t;

// A block, and a position in it: behind so many ops.
typedef struct point_s {
  uint32_t block, op; // + 1, or inside of it; 0: the arguments
} point_t;

static const gmem_proof_value_t *value_of(const search_t *search,
                                          uint32_t name) {
  return gmem_proof_value_at(search->program,
                             gmem_proof_name_at(search->memory, name)->value);
}

static uint32_t region_of(const search_t *search, point_t point) {
  return search->program->blocks.at[point.block].region;
}

// Whether the regions of |op| run one after the other.
static bool is_sequential(const gmem_proof_op_t *op) {
  return op->flow == GMEM_PROOF_BRANCH || op->flow == GMEM_PROOF_FOR ||
         op->flow == GMEM_PROOF_WHILE;
}

// Goes from a point inside of an op to the op.
static point_t leave(search_t *search, point_t point) {
  const gmem_proof_program_t *program = search->program;
  uint32_t owner = program->regions.at[region_of(search, point)].owner;
  ++search->steps;
  return (point_t){program->ops.at[owner].block, owner + 1};
}

static point_t definition(const gmem_proof_value_t *value) {
  return (point_t){value->block,
                   value->op == GMEM_NO_INDEX ? 0 : value->op + 1};
}

// Whether all code around |value| runs one after the other.
static bool is_ordered(search_t *search, const gmem_proof_value_t *value) {
  const gmem_proof_program_t *program = search->program;
  point_t point = definition(value);
  if (value->op != GMEM_NO_INDEX && !is_sequential(&program->ops.at[value->op]))
    return false;
  while (search->steps < MOST_STEPS) {
    const gmem_proof_region_t *region =
        &program->regions.at[region_of(search, point)];
    if (region->is_graph || !program->blocks.at[point.block].is_reached)
      return false;
    if (region->owner == GMEM_NO_INDEX)
      return true;
    if (!is_sequential(&program->ops.at[region->owner]))
      return false;
    point = leave(search, point);
  }
  return false;
}

// Negative: |left| is defined before |right| wherever both are in scope;
// positive: behind it; 0: no such point is known.
static int compare(search_t *search, const gmem_proof_value_t *left,
                   const gmem_proof_value_t *right) {
  point_t a = definition(left), b = definition(right);
  while (region_of(search, a) != region_of(search, b))
    if (region_of(search, a) > region_of(search, b))
      a = leave(search, a);
    else
      b = leave(search, b);
  const gmem_proof_block_t *blocks = search->program->blocks.at;
  if (a.block != b.block)
    return blocks[a.block].position < blocks[b.block].position ? -1 : 1;
  if (a.op != b.op)
    return a.op < b.op ? -1 : 1;
  return 0;
}

// Adds a pair of which one name is bound as the other is.
static void add(search_t *search, uint32_t left, uint32_t right) {
  const gmem_proof_name_t *one = gmem_proof_name_at(search->memory, left);
  const gmem_proof_name_t *other = gmem_proof_name_at(search->memory, right);
  if (one && other && one->value == other->value && one->site != other->site)
    return;
  pair_t pair = {left < right ? left : right, left < right ? right : left};
  for (uint32_t i = 0; i < search->count; ++i)
    if (search->pairs[i].left == pair.left &&
        search->pairs[i].right == pair.right)
      return;
  if (!one || !other || one->value == other->value ||
      search->count == MOST_PAIRS ||
      !is_ordered(search, value_of(search, left)) ||
      !is_ordered(search, value_of(search, right)))
    search->may_coexist = true;
  else
    search->pairs[search->count++] = pair;
}

// Whether |source| may bind |name| to |id|, one that its value denotes.
static bool may_bind(const search_t *search, const gmem_proof_source_t *source,
                     const gmem_proof_name_t *name, uint32_t id) {
  const gmem_proof_name_t *from = gmem_proof_name_at(search->memory, id);
  if (source->number < GMEM_PROOF_ARGUMENT)
    return id < GMEM_PROOF_ARGUMENT &&
           gmem_proof_site(search->memory, id) == source->number;
  return id == source->number ||
         (from && from->site == name->site &&
          from->argument == (source->number & ~GMEM_PROOF_ARGUMENT));
}

// Adds |other| with each name that |source| may bind |name| to.
static void add_bound(search_t *search, const gmem_proof_source_t *source,
                      const gmem_proof_name_t *name, uint32_t other) {
  if (source->value == GMEM_NO_INDEX) {
    search->may_coexist = true;
    return;
  }
  gmem_proof_set_t ids = search->memory->of[source->value];
  for (uint32_t i = 0; i < ids.count && !search->may_coexist; ++i) {
    search->may_coexist |= ++search->steps >= MOST_STEPS;
    if (may_bind(search, source, name, ids.at[i]))
      add(search, ids.at[i], other);
  }
}

// Both names of |pair| are bound by one edge, by |one| and |other|.
static void add_both(search_t *search, pair_t pair,
                     const gmem_proof_source_t *one,
                     const gmem_proof_source_t *other) {
  const gmem_proof_memory_t *memory = search->memory;
  const gmem_proof_name_t *left = gmem_proof_name_at(memory, pair.left);
  const gmem_proof_name_t *right = gmem_proof_name_at(memory, pair.right);
  if (one->value == GMEM_NO_INDEX) {
    search->may_coexist = true;
    return;
  }
  gmem_proof_set_t ids = memory->of[one->value];
  for (uint32_t i = 0; i < ids.count && !search->may_coexist; ++i) {
    search->may_coexist |= ++search->steps >= MOST_STEPS;
    if (may_bind(search, one, left, ids.at[i]))
      add_bound(search, other, right, ids.at[i]);
  }
}

// Both names of |pair| are bound by one edge.
static void go_back_together(search_t *search, pair_t pair) {
  const gmem_proof_memory_t *memory = search->memory;
  uint32_t first = memory->value_count;
  GMEM_CSR_EACH (i, &memory->sources_of, pair.left - first)
    GMEM_CSR_EACH (k, &memory->sources_of, pair.right - first) {
      const gmem_proof_source_t *one = &memory->sources.at[*i];
      const gmem_proof_source_t *other = &memory->sources.at[*k];
      search->may_coexist |= ++search->steps >= MOST_STEPS;
      if ((one->edges & other->edges) != 0 && !search->may_coexist)
        add_both(search, pair, one, other);
    }
}

static void go_back(search_t *search, pair_t pair) {
  const gmem_proof_memory_t *memory = search->memory;
  const gmem_proof_value_t *left = value_of(search, pair.left);
  const gmem_proof_value_t *right = value_of(search, pair.right);
  if (left->op == right->op &&
      (left->op != GMEM_NO_INDEX || left->block == right->block)) {
    go_back_together(search, pair);
    return;
  }
  int order = compare(search, left, right);
  uint32_t older = order < 0 ? pair.left : pair.right;
  uint32_t younger = order < 0 ? pair.right : pair.left;
  const gmem_proof_name_t *name = gmem_proof_name_at(memory, younger);
  search->may_coexist |= order == 0;
  GMEM_CSR_EACH (i, &memory->sources_of, younger - memory->value_count)
    if (!search->may_coexist)
      add_bound(search, &memory->sources.at[*i], name, older);
}

bool gmem_proof_may_coexist(const gmem_proof_program_t *program,
                            const gmem_proof_memory_t *memory, uint32_t left,
                            uint32_t right) {
  const gmem_proof_name_t *one = gmem_proof_name_at(memory, left);
  const gmem_proof_name_t *other = gmem_proof_name_at(memory, right);
  if (!one || !other)
    return true;
  const gmem_proof_value_t *from = gmem_proof_value_at(program, one->value);
  const gmem_proof_value_t *to = gmem_proof_value_at(program, other->value);
  bool is_one_row = from->op == to->op &&
                    (from->op != GMEM_NO_INDEX || from->block == to->block);
  if (one->value == other->value ||
      (is_one_row && (one->edges & other->edges) == 0))
    return false;
  if (from->function != to->function ||
      !gmem_proof_runs_alone(program, memory, from->function))
    return true;
  search_t search = {.program = program, .memory = memory};
  add(&search, left, right);
  for (uint32_t i = 0; i < search.count && !search.may_coexist; ++i)
    go_back(&search, search.pairs[i]);
  return search.may_coexist;
}
