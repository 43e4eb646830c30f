// pieces.h - a problem reduced to rectangles that move independently: the input
// of a placement heuristic. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_pieces_t pieces;
//   gmem_pieces_create(problem, UINT64_C(1) << 26, &pieces, &diag);
//   for (uint32_t i = 0; i < pieces.count; ++i)
//     ... // set pieces.at[i].pool and .offset unless .is_fixed
//   gmem_pieces_write(&pieces, plan, &diag);
//   gmem_pieces_destroy(&pieces);
//
// Live ranges, branches, conflicts, aliases and blocks are all reduced to one
// list of interfering pieces. An algorithm may also read the problem itself.

#ifndef GMEM_PLANNER_PIECES_H_
#define GMEM_PLANNER_PIECES_H_

#include "gmem/planner/conflicts.h"
#include "gmem/planner/placements.h"

GMEM_BEGIN_C

// A unit of placement: a buffer, or buffers whose relative offsets are fixed by
// aliases and blocks.
typedef struct gmem_piece_s {
  uint64_t size;         // bytes, at least 1
  uint64_t alignment;    // power of two, of its address; the pool's applies too
  uint64_t traffic;      // sum over its buffers of bytes x uses: weighs the
                         //   benefit of a faster pool; saturates at UINT64_MAX
  const uint32_t *pools; // candidates, best first
  size_t pool_count;
  const uint32_t *conflicts; // pieces that it must not share bytes with, sorted
  size_t conflict_count;
  uint32_t buffer; // the first of its buffers, for messages
  bool is_fixed;   // |pool| and |offset| are given
  uint32_t pool;   // output of the algorithm: a candidate pool,
  uint64_t offset; //   and bytes from its start
} gmem_piece_t;

typedef struct gmem_pieces_s {
  gmem_piece_t *at; // ordered by their first buffers; those that are not fixed
                    //   start in their first candidate pool at offset 0
  uint32_t count;
  const gmem_problem_t *problem;
  gmem_conflicts_t lists; // storage of |conflicts| of the pieces
  uint32_t *piece_of;     // by buffer; GMEM_NO_BUFFER for buffers of size 0
  uint64_t *distance;     // by buffer: bytes from the start of its piece
  uint32_t *candidates;   // storage of |pools| of some pieces
  size_t candidate_count, candidate_room;
} gmem_pieces_t;

// Creates the pieces of |problem|, which must outlive them. Every assignment of
// pools and offsets is a valid plan in which each piece is in a candidate pool
// at an offset that gmem_piece_align accepts and shares no byte with its
// conflicts. Optional aliases are not used. Fails as gmem_conflicts_create
// does, or with INVALID_ARGUMENT: no address satisfies the alignments of all
// buffers of a piece. |pieces| may be destroyed even after failure.
GMEM_MUST_USE gmem_status_t gmem_pieces_create(const gmem_problem_t *problem,
                                               uint64_t most_pairs,
                                               gmem_pieces_t *pieces,
                                               gmem_diag_t *diag);
void gmem_pieces_destroy(gmem_pieces_t *pieces);

// Raises *offset to the first valid offset of the piece in |pool| at or above
// it; false when the piece would end past the end of the pool.
bool gmem_piece_align(const gmem_pieces_t *pieces, uint32_t piece,
                      uint32_t pool, uint64_t *offset);

// Writes the placements of the pieces' buffers to |plan|, and places the
// buffers of size 0. Fails with OVER_BUDGET: no valid offset for one of these.
GMEM_MUST_USE gmem_status_t gmem_pieces_write(const gmem_pieces_t *pieces,
                                              gmem_placement_t *plan,
                                              gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_PIECES_H_
