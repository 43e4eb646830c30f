// by_size.c - a planning algorithm of one's own, as a shared library: the rule
// of TVM's unified static memory planner. The largest first, each at the lowest
// free bytes of its preferred pool; when that is full, of its next candidate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>

#include "gmem/planner.h"

// So many pairs of buffers that are live together are looked at.
#define MOST_PAIRS (UINT64_C(1) << 26)

// Larger before smaller; of equal size in the order of the problem.
static int compare_sizes(const void *a, const void *b) {
  const gmem_piece_t *x = *(const gmem_piece_t *const *)a;
  const gmem_piece_t *y = *(const gmem_piece_t *const *)b;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->buffer < y->buffer ? -1 : 1;
}

// The end of a placed piece that is in the way at |offset|; 0: none is.
static uint64_t end_in_the_way(const gmem_pieces_t *pieces,
                               const gmem_piece_t *piece, const bool *is_placed,
                               uint32_t pool, uint64_t offset) {
  for (size_t i = 0; i < piece->conflict_count; ++i) {
    const gmem_piece_t *other = &pieces->at[piece->conflicts[i]];
#ifdef BROKEN // a mistake that the checker must find: blind on one eye
    if (piece->conflicts[i] % 2)
      continue;
#endif
    if (is_placed[piece->conflicts[i]] && other->pool == pool &&
        other->offset < offset + piece->size &&
        offset < other->offset + other->size)
      return other->offset + other->size;
  }
  return 0;
}

// Puts the piece into |pool|; false when that is full.
static bool place_in(gmem_pieces_t *pieces, gmem_piece_t *piece,
                     const bool *is_placed, uint32_t pool) {
  uint64_t offset = 0, end;
  do {
    if (!gmem_piece_align(pieces, (uint32_t)(piece - pieces->at), pool,
                          &offset))
      return false;
    end = end_in_the_way(pieces, piece, is_placed, pool, offset);
    offset = end ? end : offset;
  } while (end);
  piece->pool = pool;
  piece->offset = offset;
  return true;
}

static gmem_status_t fail(gmem_diag_t *diag, gmem_status_t status,
                          uint32_t buffer, const char *text) {
  if (diag) {
    *diag = (gmem_diag_t){.status = status, .object = buffer};
    snprintf(diag->text, sizeof diag->text, "%s", text);
  }
  return status;
}

static gmem_status_t place_all(gmem_pieces_t *pieces, gmem_piece_t **order,
                               bool *is_placed, gmem_search_t *search,
                               gmem_diag_t *diag) {
  for (uint32_t i = 0; i < pieces->count; ++i) {
    order[i] = &pieces->at[i];
    is_placed[i] = pieces->at[i].is_fixed;
  }
  qsort(order, pieces->count, sizeof *order, compare_sizes);
  for (uint32_t i = 0; i < pieces->count; ++i) {
    gmem_piece_t *piece = order[i];
    size_t k = 0;
    if (piece->is_fixed)
      continue;
    if (!gmem_search_spend(search, piece->conflict_count + 1))
      return fail(diag, GMEM_ERR_OVER_BUDGET, piece->buffer,
                  "by-size: stopped before all buffers were placed");
    while (k < piece->pool_count &&
           !place_in(pieces, piece, is_placed, piece->pools[k]))
      ++k;
    if (k == piece->pool_count)
      return fail(diag, GMEM_ERR_OVER_BUDGET, piece->buffer,
                  "by-size: a buffer fits in none of its pools");
    is_placed[piece - pieces->at] = true;
  }
  return GMEM_OK;
}

static gmem_status_t run(const gmem_problem_t *problem, gmem_search_t *search,
                         gmem_placement_t *plan, void *user,
                         gmem_diag_t *diag) {
  (void)user;
  gmem_pieces_t pieces;
  gmem_status_t status = gmem_pieces_create(problem, MOST_PAIRS, &pieces, diag);
  gmem_piece_t **order = calloc(pieces.count + 1, sizeof(gmem_piece_t *));
  bool *is_placed = calloc(pieces.count + 1, sizeof(bool));
  if (status == GMEM_OK && (!order || !is_placed))
    status =
        fail(diag, GMEM_ERR_OUT_OF_MEMORY, GMEM_NO_BUFFER, "out of memory");
  if (status == GMEM_OK)
    status = place_all(&pieces, order, is_placed, search, diag);
  if (status == GMEM_OK)
    status = gmem_pieces_write(&pieces, plan, diag);
  free(order);
  free(is_placed);
  gmem_pieces_destroy(&pieces);
  return status;
}

// What gmem-solve and gmem-opt look for.
const gmem_algorithm_t *gmem_algorithm_load(uint32_t version, size_t index) {
  static const gmem_algorithm_t by_size = {
      "by-size", "largest first, in the preferred pool until it is full", run,
      NULL};
  return version == GMEM_ALGORITHM_VERSION && index == 0 ? &by_size : NULL;
}
