// pieces.c - a problem as independently movable pieces (gmem/planner/pieces.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece encloses the buffers of an offset group (frame.h). A piece may go to
// several pools, so it is aligned for the largest of their alignments; a pool
// in which the group cannot be aligned is not a candidate.

#include <assert.h>
#include <string.h>

#include "conflict_lists.h"
#include "empty_buffers.h"
#include "frame.h"
#include "offset_groups.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"

typedef struct maker_s {
  gmem_pieces_t *pieces;
  const gmem_problem_t *problem;
  // A packing without items. Its members: the buffers by piece.
  gmem_packing_t packing;
  gmem_packing_builder_t builder;
  size_t *first_member; // by piece, and one more
  size_t *first_pool;   // by piece: in |candidates|; SIZE_MAX: the buffer's
  uint32_t *candidates; // until all are known
  size_t candidate_room;
} maker_t;

//===--- buffers of a piece -----------------------------------------------===//

static gmem_status_t number_pieces(maker_t *maker) {
  gmem_pieces_t *pieces = maker->pieces;
  gmem_scratch_t *memory = &maker->builder.memory;
  uint32_t count = gmem_problem_buffer_count(maker->problem), listed = 0;
  uint32_t *by_root;
  gmem_order_t *order; // key: piece, index: buffer
  GMEM_TRY_NEW(by_root, memory, count);
  GMEM_TRY_NEW(order, memory, 2 * (size_t)count);
  GMEM_TRY_NEW(maker->packing.members, memory, count);
  GMEM_TRY_NEW(maker->first_member, memory, (size_t)count + 1);
  GMEM_TRY_NEW(maker->first_pool, memory, count);
  pieces->count = gmem_offset_groups_number(
      maker->builder.groups, maker->problem, by_root, pieces->piece_of);
  for (uint32_t i = 0; i < count; ++i)
    if (pieces->piece_of[i] != GMEM_NO_BUFFER)
      order[listed++] = (gmem_order_t){pieces->piece_of[i], i};
  gmem_sort_order(order, order + listed, listed);
  maker->packing.member_count = listed;
  maker->first_member[pieces->count] = listed;
  for (uint32_t i = listed; i-- > 0;) {
    maker->packing.members[i] = (gmem_member_t){.buffer = order[i].index};
    maker->first_member[order[i].key] = i;
  }
  return GMEM_OK;
}

//===--- candidates -------------------------------------------------------===//

// The frame of |piece| in |pool|; false when its buffers cannot be aligned.
static bool find_frame(maker_t *maker, uint32_t piece, uint32_t pool,
                       gmem_frame_t *frame) {
  maker->packing.pool = pool;
  return gmem_frame_members(&maker->builder,
                            (uint32_t)maker->first_member[piece],
                            (uint32_t)maker->first_member[piece + 1], frame);
}

// Lists the pools in which the whole group can be aligned; sets *out_frame to
// the frame with the largest alignment.
static gmem_status_t list_candidates(maker_t *maker, uint32_t index,
                                     gmem_frame_t *out_frame) {
  gmem_piece_t *piece = &maker->pieces->at[index];
  uint64_t most = 0;
  for (uint32_t at = 0, pool; gmem_group_candidate(
           maker->builder.groups, maker->problem, piece->buffer, &at, &pool);
       ++at) {
    uint64_t alignment = gmem_problem_pool(maker->problem, pool)->alignment;
    gmem_frame_t frame;
    if (!find_frame(maker, index, pool, &frame))
      continue;
    GMEM_TRY_ROOM(maker->candidates, &maker->builder.memory,
                  maker->pieces->candidate_count, maker->candidate_room);
    maker->candidates[maker->pieces->candidate_count++] = pool;
    ++piece->pool_count;
    if (alignment > most) {
      most = alignment;
      *out_frame = frame;
    }
  }
  return GMEM_OK;
}

//===--- one piece --------------------------------------------------------===//

static void find_worth(const maker_t *maker, uint32_t index) {
  gmem_piece_t *piece = &maker->pieces->at[index];
  for (size_t i = maker->first_member[index];
       i < maker->first_member[index + 1]; ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_member_spec(&maker->packing, (uint32_t)i);
    uint64_t uses = spec->uses ? spec->uses : 1, bytes;
    if (__builtin_mul_overflow(uses, spec->size, &bytes) ||
        __builtin_add_overflow(piece->traffic, bytes, &piece->traffic))
      piece->traffic = UINT64_MAX;
  }
}

static gmem_status_t fail_piece(const maker_t *maker, uint32_t buffer) {
  return gmem_planner_fail(maker->builder.memory.diag,
                           GMEM_ERR_INVALID_ARGUMENT, buffer,
                           "no address satisfies the alignment of buffer "
                           "'%.60s' and of its aliases and blocks",
                           gmem_problem_buffer(maker->problem, buffer)->name);
}

static void make_single(const maker_t *maker, uint32_t index) {
  gmem_piece_t *piece = &maker->pieces->at[index];
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(maker->problem, piece->buffer);
  piece->size = spec->size;
  piece->alignment = spec->alignment;
  piece->pools = spec->pools;
  piece->pool_count = spec->has_fixed_offset ? 1 : spec->pool_count;
  piece->pool = spec->pools[0];
  piece->is_fixed = spec->has_fixed_offset;
  piece->offset = spec->has_fixed_offset ? spec->fixed_offset : 0;
  maker->pieces->distance[piece->buffer] = 0;
}

static gmem_status_t make_group(maker_t *maker, uint32_t index) {
  gmem_pieces_t *pieces = maker->pieces;
  gmem_piece_t *piece = &pieces->at[index];
  uint32_t first = (uint32_t)maker->first_member[index];
  uint32_t end = (uint32_t)maker->first_member[index + 1];
  gmem_offset_group_t group = gmem_offset_groups_group(
      maker->builder.groups, maker->problem, piece->buffer);
  gmem_frame_t frame;
  maker->first_pool[index] = pieces->candidate_count;
  GMEM_TRY(list_candidates(maker, index, &frame));
  if (piece->pool_count == 0)
    return fail_piece(maker, piece->buffer);
  piece->pool = maker->candidates[maker->first_pool[index]];
  piece->is_fixed = group.is_fixed;
  uint64_t base = gmem_problem_pool(maker->problem, piece->pool)->base;
  // A fixed group cannot be moved to an aligned offset.
  if (group.is_fixed &&
      !gmem_frame_is_aligned(&frame, base + (uint64_t)group.fixed))
    return fail_piece(maker, piece->buffer);
  assert(frame.low == group.low && frame.high == group.high);
  piece->size =
      gmem_frame_place(&maker->builder, first, end, &frame, group.is_fixed);
  piece->alignment = group.is_fixed ? 1 : frame.alignment.bytes;
  piece->offset = group.is_fixed ? (uint64_t)(group.fixed + group.low) : 0;
  if (piece->size > GMEM_MAX_ADDRESS)
    return fail_piece(maker, piece->buffer);
  for (uint32_t i = first; i < end; ++i)
    pieces->distance[maker->packing.members[i].buffer] =
        maker->packing.members[i].offset;
  return GMEM_OK;
}

static gmem_status_t make_piece(maker_t *maker, uint32_t index) {
  size_t first = maker->first_member[index];
  assert(first < maker->first_member[index + 1]);
  maker->pieces->at[index] =
      (gmem_piece_t){.buffer = maker->packing.members[first].buffer};
  find_worth(maker, index);
  maker->first_pool[index] = SIZE_MAX;
  if (maker->first_member[index + 1] - first > 1)
    return make_group(maker, index);
  make_single(maker, index);
  return GMEM_OK;
}

//===--- all pieces -------------------------------------------------------===//

static gmem_status_t point_into_arrays(const maker_t *maker) {
  gmem_pieces_t *pieces = maker->pieces;
  size_t count = pieces->candidate_room = pieces->candidate_count;
  pieces->candidates = gmem_planner_alloc(
      gmem_problem_allocator(maker->problem), count, sizeof(uint32_t));
  if (!pieces->candidates)
    return gmem_planner_out_of_memory(maker->builder.memory.diag);
  if (count)
    memcpy(pieces->candidates, maker->candidates, count * sizeof(uint32_t));
  for (uint32_t i = 0; i < pieces->count; ++i) {
    gmem_piece_t *piece = &pieces->at[i];
    size_t first = pieces->lists.starts[i];
    piece->conflicts = pieces->lists.others + first;
    piece->conflict_count = pieces->lists.starts[i + 1] - first;
    if (maker->first_pool[i] != SIZE_MAX)
      piece->pools = pieces->candidates + maker->first_pool[i];
  }
  return GMEM_OK;
}

static gmem_status_t make_all(maker_t *maker, uint64_t most_pairs) {
  gmem_pieces_t *pieces = maker->pieces;
  gmem_diag_t *diag = maker->builder.memory.diag;
  const gmem_allocator_t *allocator = gmem_problem_allocator(maker->problem);
  size_t count = gmem_problem_buffer_count(maker->problem);
  pieces->at = gmem_planner_alloc(allocator, count, sizeof *pieces->at);
  pieces->piece_of = gmem_planner_alloc(allocator, count, sizeof(uint32_t));
  pieces->distance = gmem_planner_alloc(allocator, count, sizeof(uint64_t));
  if (!pieces->at || !pieces->piece_of || !pieces->distance)
    return gmem_planner_out_of_memory(diag);
  GMEM_TRY(number_pieces(maker));
  maker->builder.pool_of = pieces->piece_of; // not a bound
  if (maker->builder.groups)
    GMEM_TRY(gmem_find_inner(&maker->builder));
  for (uint32_t i = 0; i < pieces->count; ++i)
    GMEM_TRY(make_piece(maker, i));
  GMEM_TRY(gmem_list_conflicts(maker->problem, pieces->piece_of, pieces->count,
                               most_pairs, &pieces->lists, diag));
  return point_into_arrays(maker);
}

gmem_status_t gmem_pieces_create(const gmem_problem_t *problem,
                                 uint64_t most_pairs, gmem_pieces_t *pieces,
                                 gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && pieces, diag);
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  *pieces = (gmem_pieces_t){.problem = problem};
  maker_t maker = {.pieces = pieces,
                   .problem = problem,
                   .packing = {.allocator = allocator, .problem = problem},
                   .builder = {.memory = {.allocator = allocator, .diag = diag},
                               .groups = gmem_problem_offset_groups(problem)}};
  maker.builder.packing = &maker.packing;
  gmem_status_t status = make_all(&maker, most_pairs);
  gmem_scratch_free(&maker.builder.memory);
  return status;
}

void gmem_pieces_destroy(gmem_pieces_t *pieces) {
  if (!pieces || !pieces->problem)
    return;
  const gmem_allocator_t *allocator = gmem_problem_allocator(pieces->problem);
  size_t count = gmem_problem_buffer_count(pieces->problem);
  gmem_planner_free(allocator, pieces->at, count, sizeof *pieces->at);
  gmem_planner_free(allocator, pieces->piece_of, count, sizeof(uint32_t));
  gmem_planner_free(allocator, pieces->distance, count, sizeof(uint64_t));
  gmem_planner_free(allocator, pieces->candidates, pieces->candidate_room,
                    sizeof(uint32_t));
  gmem_conflicts_destroy(pieces->problem, &pieces->lists);
  *pieces = (gmem_pieces_t){0};
}

//===--- placements -------------------------------------------------------===//

bool gmem_piece_align(const gmem_pieces_t *pieces, uint32_t piece,
                      uint32_t pool, uint64_t *offset) {
  const gmem_piece_t *self = &pieces->at[piece];
  const gmem_pool_spec_t *spec = gmem_problem_pool(pieces->problem, pool);
  uint64_t alignment =
      self->alignment > spec->alignment ? self->alignment : spec->alignment;
  uint64_t limit = gmem_pool_limit(spec);
  return *offset <= limit &&
         gmem_align_offset(spec->base, *offset, alignment, offset) &&
         *offset <= limit && self->size <= limit - *offset;
}

gmem_status_t gmem_pieces_write(const gmem_pieces_t *pieces,
                                gmem_placement_t *plan, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(pieces && plan, diag);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(pieces->problem); ++i) {
    if (pieces->piece_of[i] == GMEM_NO_BUFFER)
      continue;
    const gmem_piece_t *piece = &pieces->at[pieces->piece_of[i]];
    plan[i] =
        (gmem_placement_t){piece->offset + pieces->distance[i], piece->pool};
  }
  return gmem_place_empty(pieces->problem, plan, diag);
}
