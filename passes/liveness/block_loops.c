// block_loops.c - see block_loops.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After Tarjan, "Testing flow graph reducibility" (1974), with the order of the
// text instead of that of a depth-first search: from each header, the last one
// first, backward from the edges that lead back to it. A loop that is found
// counts as its header from then on. Loops further out are found by the jumps
// of Myers, "An applicative random-access stack" (1983).

#include "block_loops.h"

#include <assert.h>

typedef struct finder_s {
  const gmem_program_t *program;
  const gmem_csr_t *predecessors;
  gmem_block_loops_t *loops;
  uint32_t *header; // by block: itself, or a block of the same loop before it
  uint32_t *size;   // by header: blocks of the loop
  uint32_t *last;   // by header: the last of them
  uint32_t *stack;  // of headers: the body of the current loop
  uint32_t *found;  // by header: 1 + the last header whose body it is in
} finder_t;

static uint32_t header_of(const finder_t *finder, uint32_t block) {
  uint32_t *header = finder->header;
  while (header[block] != block)
    block = header[block] = header[header[block]];
  return block;
}

// Adds |block|, or the loop that it is in, to the body of |header|; returns the
// new size of the body.
static size_t add_block(const finder_t *finder, uint32_t header, uint32_t block,
                        size_t count) {
  uint32_t whole = header_of(finder, block);
  if (whole == header || finder->found[whole] == header + 1)
    return count;
  finder->found[whole] = header + 1;
  finder->stack[count] = whole;
  return count + 1;
}

// Adds the predecessors of |block|, which is in the body, to the body. Returns
// whether all are in the loop and one is before |block|: the header reaches it.
static bool add_predecessors(const finder_t *finder, uint32_t header,
                             uint32_t block, size_t *count) {
  bool is_reached = false;
  GMEM_CSR_EACH (from, finder->predecessors, block) {
    if (*from < header)
      return false;
    is_reached |= *from < block;
    *count = add_block(finder, header, *from, *count);
  }
  return is_reached;
}

// Collects the body of the loop of |header| without the header; returns whether
// it is one.
static bool collect_body(const finder_t *finder, uint32_t header,
                         size_t *out_count) {
  bool is_loop = false;
  size_t count = 0;
  GMEM_CSR_EACH (from, finder->predecessors, header)
    if (*from >= header) {
      is_loop = true;
      count = add_block(finder, header, *from, count);
    }
  for (size_t i = 0; i < count; ++i)
    if (!add_predecessors(finder, header, finder->stack[i], &count))
      return false;
  *out_count = count;
  return is_loop;
}

static void find_loop(const finder_t *finder, uint32_t header) {
  size_t count;
  if (!collect_body(finder, header, &count))
    return;
  for (size_t i = 0; i < count; ++i) {
    uint32_t inner = finder->stack[i];
    finder->header[inner] = header;
    finder->size[header] += finder->size[inner];
    if (finder->last[inner] > finder->last[header])
      finder->last[header] = finder->last[inner];
  }
  const gmem_block_t *blocks = finder->program->blocks;
  uint32_t last = finder->last[header];
  if (blocks[last].number - blocks[header].number + 1 == finder->size[header])
    finder->loops->innermost[header] = header;
}

// Links the loops of the region that |block| is the first of.
static void nest_loops(const finder_t *finder, uint32_t block) {
  gmem_block_loop_t *loops = finder->loops->at;
  uint32_t around = GMEM_NO_INDEX;
  for (; block != GMEM_NO_INDEX; block = finder->program->blocks[block].next) {
    while (around != GMEM_NO_INDEX && block > loops[around].last)
      around = loops[around].around;
    if (finder->loops->innermost[block] == block) {
      gmem_block_loop_t loop = {finder->last[block], around, block, 0};
      if (around != GMEM_NO_INDEX) { // so that jumps double on the way out
        gmem_block_loop_t next = loops[around], after = loops[next.jump];
        loop.depth = next.depth + 1;
        loop.jump =
            next.depth - after.depth == after.depth - loops[after.jump].depth
                ? after.jump
                : around;
      }
      loops[block] = loop;
      around = block;
    }
    finder->loops->innermost[block] = around;
  }
}

gmem_status_t gmem_block_loops_find(const gmem_program_facts_t *facts,
                                    gmem_bump_t *arena,
                                    gmem_block_loops_t *out_loops,
                                    gmem_diag_t *diag) {
  const gmem_program_t *program = facts->program;
  size_t count = program->block_count;
  finder_t finder = {.program = program,
                     .predecessors = &facts->flow.predecessors,
                     .loops = out_loops};
  GMEM_TRY_ALLOC(out_loops->at, arena, count, diag);
  GMEM_TRY_ALLOC(out_loops->innermost, arena, count, diag);
  GMEM_TRY_ALLOC(finder.header, arena, count, diag);
  GMEM_TRY_ALLOC(finder.size, arena, count, diag);
  GMEM_TRY_ALLOC(finder.last, arena, count, diag);
  GMEM_TRY_ALLOC(finder.stack, arena, count, diag);
  GMEM_TRY_ALLOC(finder.found, arena, count, diag);
  for (uint32_t i = 0; i < count; ++i) {
    finder.header[i] = finder.last[i] = i;
    finder.size[i] = 1;
    out_loops->innermost[i] = GMEM_NO_INDEX;
  }
  for (uint32_t i = (uint32_t)count; i-- > 0;)
    find_loop(&finder, i);
  for (size_t i = 0; i < program->region_count; ++i)
    nest_loops(&finder, program->regions[i].first_block);
  return GMEM_OK;
}

// Whether |block| is in the loop, or in a region inside of it.
static bool contains(const gmem_block_loops_t *loops, uint32_t header,
                     uint32_t block) {
  return header <= block && block <= loops->at[header].last;
}

uint32_t gmem_outermost_loop(const gmem_block_loops_t *loops, uint32_t block,
                             uint32_t other) {
  uint32_t loop = loops->innermost[block];
  if (loop == GMEM_NO_INDEX || contains(loops, loop, other))
    return GMEM_NO_INDEX;
  for (;;) {
    const gmem_block_loop_t *entry = &loops->at[loop];
    if (entry->around == GMEM_NO_INDEX || contains(loops, entry->around, other))
      return loop;
    loop = contains(loops, entry->jump, other) ? entry->around : entry->jump;
  }
}
