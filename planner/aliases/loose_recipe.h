// loose_recipe.h - places single buffers one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_LOOSE_RECIPE_H_
#define GMEM_PLANNER_LOOSE_RECIPE_H_

#include "loose_buffers.h"
#include "search.h"

// Aliases that a buffer prefers, besides the number of one.
#define GMEM_ANY_ALIAS UINT32_MAX
#define GMEM_NO_ALIAS (UINT32_MAX - 1)
// None, but the offset to begin with: that of a buffer with others at aliases,
// for which there may be no room elsewhere.
#define GMEM_AT_START (UINT32_MAX - 2)

// How all buffers are placed, and the result. All but |order| and the lists are
// by row.
typedef struct gmem_recipe_s {
  uint32_t *order; // rows
  uint32_t *alias; // preferred
  bool *is_high;   // prefers the highest place
  int64_t *offsets, *ends;
  bool *is_out;      // found no place
  uint32_t *by_low;  // those that have a place, by their lowest byte
  uint32_t *by_high; // and by their end, the highest first
  uint32_t placed;   // length of both
  uint64_t left_out; // bytes without a place
  uint64_t peak;     // of those with a place
} gmem_recipe_t;

// A row that is placed in another way, and the positions between which the
// order differs.
typedef struct gmem_reordering_s {
  uint32_t row, first, last;
} gmem_reordering_t;

// The buffers that are used, each a row, and the rules of their placement.
typedef struct gmem_placer_s {
  gmem_loose_buffers_t *loose;
  gmem_search_t *search;
  uint32_t count;           // of rows
  uint32_t active;          // rows of the order that are placed: the first ones
  uint32_t fixed;           // of these, the first ones, which are not changed
  uint32_t *buffers;        // by row
  uint32_t *rows;           // by buffer that is used
  int64_t *sizes;           // by row
  int64_t *sizes_elsewhere; // by row: where no alias is in place
  int64_t *starts;          // by row: the offset to begin with
  uint8_t *pairs;           // by row and row: what is known of both
  uint32_t words;           // of a set of rows
  uint64_t *rivals;         // by row: set of rows that it interferes with
  uint64_t *affects;        // by row: these, and those it has an alias with
  uint64_t *placed;         // set of rows: placed before the current one
  uint64_t *changed;        // set of rows: elsewhere than before the change
  uint64_t *barriers; // set of rows: rivals of the current one that are placed
  uint32_t *places;   // by row: its position in the current order
  uint32_t *outs;     // scratch: rows that found no place
  int64_t ceiling;
  uint64_t goal, looks, random;
} gmem_placer_t;

// Larger problems are left alone: the matrix of rivals has this many rows.
enum { GMEM_MOST_ROWS = 1 << 10 };

// Makes a row of each buffer of |loose| that is used, whose rivals are listed,
// in |memory|. A buffer at no alias takes rounded[i] bytes (NULL: its size).
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_placer_create(gmem_placer_t *placer, const uint64_t *rounded,
                                 gmem_scratch_t *memory);

// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_recipe_create(const gmem_placer_t *placer,
                                 gmem_scratch_t *memory, gmem_recipe_t *recipe);
void gmem_recipe_copy(const gmem_placer_t *placer, const gmem_recipe_t *from,
                      gmem_recipe_t *to);

// Places all active rows, until more than |limit| bytes are left out. Returns
// whether that is not so; otherwise the result is not complete.
bool gmem_place_all(gmem_placer_t *placer, gmem_recipe_t *recipe,
                    uint64_t limit);

// The same, but only those that |change| affects are placed again.
bool gmem_place_again(gmem_placer_t *placer, gmem_recipe_t *recipe,
                      gmem_reordering_t change, uint64_t limit);

// Notes the positions of |recipe|, which gmem_recipe_change uses.
void gmem_number_places(const gmem_placer_t *placer,
                        const gmem_recipe_t *recipe);

// A random row that is active and found no place. There is one.
uint32_t gmem_random_out(gmem_placer_t *placer, const gmem_recipe_t *recipe);

// Changes at random what concerns |out|, which is not fixed and found no place:
// the order of the rows that are not fixed, their sides and aliases.
gmem_reordering_t gmem_recipe_change(gmem_placer_t *placer,
                                     gmem_recipe_t *recipe, uint32_t out);

// The bytes more that a change may leave out: random, and small.
uint64_t gmem_placer_threshold(gmem_placer_t *placer);

// Spends the work since the last call; returns whether any is left.
bool gmem_placer_spend(gmem_placer_t *placer);

// Gives the buffers the offsets of |recipe|.
void gmem_write_offsets(const gmem_placer_t *placer,
                        const gmem_recipe_t *recipe);

#endif // GMEM_PLANNER_LOOSE_RECIPE_H_
