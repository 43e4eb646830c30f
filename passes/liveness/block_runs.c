// block_runs.c - see block_runs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order of the text, each block takes in the blocks in front of it until
// no predecessor of what it has is further in front. Blocks that one has taken
// in count as that one from then on: none is taken in twice. Chains are gone
// back by jumps as in block_loops.c.

#include "block_runs.h"

// How control flow enters and leaves a block, or several.
typedef struct ways_s {
  uint32_t first_from, last_from; // predecessors; GMEM_NO_INDEX and 0 if none
  uint32_t to; // a block behind them that each of them reaches, or
               // GMEM_NO_INDEX: none is known
  uint32_t by; // ... by no block in front of this one
} ways_t;

typedef struct finder_s {
  const gmem_program_t *program;
  const gmem_csr_t *predecessors;
  const gmem_block_loops_t *loops;
  gmem_block_run_t *runs;
  ways_t *own;    // by block
  ways_t *taken;  // by block: of it and of what it has taken in
  uint32_t *next; // by block: the next block in front of these
  ways_t *exits;  // by header of a loop: |to| and |by| of its blocks
} finder_t;

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static ways_t join(ways_t a, ways_t b) {
  return (ways_t){least(a.first_from, b.first_from),
                  a.last_from > b.last_from ? a.last_from : b.last_from,
                  a.to > b.to ? a.to : b.to, least(a.by, b.by)};
}

//===--- the ways out of a block ------------------------------------------===//

// Adds the edges to |block|; those to all blocks in front of it are known.
static void add_edges(finder_t *finder, uint32_t block) {
  ways_t *own = finder->own;
  GMEM_CSR_EACH (from, finder->predecessors, block) {
    uint32_t loop = finder->loops->innermost[*from];
    own[block].first_from = least(own[block].first_from, *from);
    if (*from > own[block].last_from)
      own[block].last_from = *from;
    if (*from >= block)
      continue;
    own[*from].to = least(own[*from].to, block);
    if (loop != GMEM_NO_INDEX && block > finder->loops->at[loop].last)
      finder->exits[loop].to = least(finder->exits[loop].to, block);
  }
}

// A way out of a loop may be one out of the loop around it. If a loop has none
// of its own, its blocks leave it with the loop around it.
static void find_exits(finder_t *finder) {
  const gmem_block_loop_t *loops = finder->loops->at;
  const uint32_t *innermost = finder->loops->innermost;
  ways_t *exits = finder->exits;
  uint32_t count = (uint32_t)finder->program->block_count;
  for (uint32_t i = count; i-- > 0;) {
    uint32_t around = innermost[i] == i ? loops[i].around : GMEM_NO_INDEX;
    if (around != GMEM_NO_INDEX && exits[i].to > loops[around].last)
      exits[around].to = least(exits[around].to, exits[i].to);
  }
  for (uint32_t i = 0; i < count; ++i)
    if (innermost[i] == i && exits[i].to == GMEM_NO_INDEX &&
        loops[i].around != GMEM_NO_INDEX)
      exits[i] = exits[loops[i].around];
}

// A block that goes back only leaves the loop by another block of it.
static void leave_loops(finder_t *finder) {
  for (uint32_t i = 0; i < finder->program->block_count; ++i) {
    uint32_t loop = finder->loops->innermost[i];
    if (finder->own[i].to != GMEM_NO_INDEX || loop == GMEM_NO_INDEX)
      continue;
    finder->own[i].to = finder->exits[loop].to;
    finder->own[i].by = finder->exits[loop].by;
  }
}

//===--- runs -------------------------------------------------------------===//

static gmem_block_run_t make_run(const gmem_block_run_t *runs, uint32_t first) {
  gmem_block_run_t next = runs[first], after = runs[next.jump];
  bool is_even =
      next.depth - after.depth == after.depth - runs[after.jump].depth;
  return (gmem_block_run_t){first, is_even ? after.jump : first,
                            next.depth + 1};
}

// |before|: the block in front of |block| in its region, or GMEM_NO_INDEX.
static void find_run(finder_t *finder, uint32_t block, uint32_t before) {
  const ways_t *own = finder->own;
  ways_t inside = {GMEM_NO_INDEX, 0, 0, GMEM_NO_INDEX};
  uint32_t first = own[block].first_from;
  finder->runs[block] = (gmem_block_run_t){GMEM_NO_INDEX, block, 0};
  while (before != GMEM_NO_INDEX && before > first) {
    inside = join(inside, finder->taken[before]);
    first = least(first, least(inside.first_from, inside.by));
    before = finder->next[before];
  }
  finder->taken[block] = join(inside, own[block]);
  finder->next[block] = before;
  if (before == GMEM_NO_INDEX || before != first)
    return;
  ways_t all = join(inside, own[first]);
  if (all.to <= block && all.last_from < block)
    finder->runs[block] = make_run(finder->runs, first);
}

gmem_status_t gmem_block_runs_find(const gmem_program_facts_t *facts,
                                   const gmem_block_loops_t *loops,
                                   gmem_bump_t *arena,
                                   gmem_block_run_t **out_runs,
                                   gmem_diag_t *diag) {
  const gmem_program_t *program = facts->program;
  size_t count = program->block_count;
  finder_t finder = {.program = program,
                     .predecessors = &facts->flow.predecessors,
                     .loops = loops};
  GMEM_TRY_ALLOC(finder.runs, arena, count, diag);
  GMEM_TRY_ALLOC(finder.own, arena, count, diag);
  GMEM_TRY_ALLOC(finder.taken, arena, count, diag);
  GMEM_TRY_ALLOC(finder.next, arena, count, diag);
  GMEM_TRY_ALLOC(finder.exits, arena, count, diag);
  for (uint32_t i = 0; i < count; ++i)
    finder.own[i] = finder.exits[i] =
        (ways_t){GMEM_NO_INDEX, 0, GMEM_NO_INDEX, i};
  for (uint32_t i = 0; i < count; ++i)
    add_edges(&finder, i);
  find_exits(&finder);
  leave_loops(&finder);
  for (size_t i = 0; i < program->region_count; ++i) {
    uint32_t before = GMEM_NO_INDEX;
    for (uint32_t block = program->regions[i].first_block;
         block != GMEM_NO_INDEX; block = program->blocks[block].next) {
      find_run(&finder, block, before);
      before = block;
    }
  }
  *out_runs = finder.runs;
  return GMEM_OK;
}

uint32_t gmem_first_of_runs(const gmem_block_run_t *runs, uint32_t block,
                            uint32_t other) {
  uint32_t at = block, end = other < block ? other + 1 : 0;
  while (runs[at].first != GMEM_NO_INDEX && runs[at].first >= end)
    at = runs[at].jump >= end ? runs[at].jump : runs[at].first;
  return at;
}
