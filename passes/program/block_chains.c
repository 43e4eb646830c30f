// block_chains.c - see block_chains.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "block_chains.h"

#include "program.h"

enum { STEPS_PER_BLOCK = 32 }; // how far back to look, on average

typedef struct row_s {
  // Arrays are indexed by the number of the block in its region.
  uint32_t *blocks;
  uint32_t *lowest, *highest; // predecessor; none: lowest > highest
  uint32_t *next;   // the nearest successor further down, or GMEM_NO_INDEX
  uint32_t *closer; // the block that closes it, or GMEM_NO_INDEX
  uint32_t count;
  uint64_t steps_left;
} row_t;

static bool allocate(row_t *row, size_t count, gmem_bump_t *arena) {
  uint32_t **arrays[] = {&row->blocks, &row->lowest, &row->highest, &row->next,
                         &row->closer};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    if (!(*arrays[i] = gmem_bump_alloc(arena, count, sizeof **arrays[i])))
      return false;
  return true;
}

static void list_blocks(row_t *row, const gmem_program_t *program,
                        const gmem_ir_region_t *region) {
  row->count = 0;
  for (uint32_t i = region->first_block; i != GMEM_NO_INDEX;
       i = program->blocks[i].next) {
    row->lowest[row->count] = row->next[row->count] = GMEM_NO_INDEX;
    row->highest[row->count] = 0;
    row->blocks[row->count++] = i;
  }
  row->steps_left = (uint64_t)row->count * STEPS_PER_BLOCK;
}

static void read_edges(row_t *row, const gmem_program_t *program,
                       const uint32_t *first_predecessor,
                       const uint32_t *predecessors) {
  for (uint32_t k = 0; k < row->count; ++k)
    for (uint32_t p = first_predecessor[row->blocks[k]];
         p < first_predecessor[row->blocks[k] + 1]; ++p) {
      uint32_t from = program->blocks[predecessors[p]].number;
      row->lowest[k] = from < row->lowest[k] ? from : row->lowest[k];
      row->highest[k] = from > row->highest[k] ? from : row->highest[k];
      if (from < k && k < row->next[from])
        row->next[from] = k;
    }
}

// The nearest block that closes block |k|, or GMEM_NO_INDEX.
static uint32_t find_closer(row_t *row, uint32_t k) {
  uint32_t low = row->lowest[k];
  if (low >= k || row->highest[k] >= k)
    return GMEM_NO_INDEX;
  for (uint32_t x = k - 1; x > low; --x) {
    if (row->lowest[x] == GMEM_NO_INDEX || row->highest[x] >= k ||
        row->next[x] > k || row->steps_left == 0)
      return GMEM_NO_INDEX;
    low = row->lowest[x] < low ? row->lowest[x] : low;
    --row->steps_left;
  }
  return low;
}

// Numbers the forest whose parent relation is the closer, which always precedes
// its block in the text. |*numbered|: the count of numbers in use.
static void number_chains(const row_t *row, gmem_block_chains_t *chains,
                          uint32_t *numbered) {
  for (uint32_t k = row->count; k-- > 0;) {
    ++chains->size[row->blocks[k]]; // itself; its chain was already added
    if (row->closer[k] != GMEM_NO_INDEX)
      chains->size[row->blocks[row->closer[k]]] += chains->size[row->blocks[k]];
  }
  // |next| is reused: it now holds the next free number of each block's
  // subtree.
  for (uint32_t k = 0; k < row->count; ++k) {
    uint32_t block = row->blocks[k], closer = row->closer[k];
    uint32_t *next = closer == GMEM_NO_INDEX ? numbered : &row->next[closer];
    chains->root[block] =
        closer == GMEM_NO_INDEX ? block : chains->root[row->blocks[closer]];
    chains->first[block] = *next;
    *next += chains->size[block];
    row->next[k] = chains->first[block] + 1;
  }
}

bool gmem_block_chains_find(const gmem_program_t *program,
                            const uint32_t *first_predecessor,
                            const uint32_t *predecessors, gmem_bump_t *arena,
                            gmem_block_chains_t *out_chains) {
  size_t count = program->block_count;
  row_t row;
  uint32_t numbered = 0;
  *out_chains = (gmem_block_chains_t){
      .root = gmem_bump_alloc(arena, count, sizeof *out_chains->root),
      .first = gmem_bump_alloc(arena, count, sizeof *out_chains->first),
      .size = gmem_bump_alloc(arena, count, sizeof *out_chains->size)};
  if (!out_chains->root || !out_chains->first || !out_chains->size ||
      !allocate(&row, count, arena))
    return false;
  for (size_t r = 0; r < program->region_count; ++r) {
    list_blocks(&row, program, &program->regions[r]);
    read_edges(&row, program, first_predecessor, predecessors);
    for (uint32_t k = 0; k < row.count; ++k)
      row.closer[k] = find_closer(&row, k);
    number_chains(&row, out_chains, &numbered);
  }
  return true;
}
