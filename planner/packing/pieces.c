// pieces.c - a problem as independently movable pieces (gmem/planner/pieces.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece encloses the buffers of an offset group: it starts at the lowest of
// them, or slightly below, so that aligning the piece aligns all buffers. A
// piece may go to several pools, so it is aligned for the largest of their
// alignments; a pool in which the group cannot be aligned is not a candidate.

#include <string.h>

#include "conflict_lists.h"
#include "empty_buffers.h"
#include "offset_groups.h"
#include "packing_builder.h"
#include "planner_memory.h"
#include "problem_store.h"
#include "relations.h"
#include "sort.h"

typedef struct frame_s {
  uint64_t alignment, anchor; // address of the root + anchor is a multiple
} frame_t;

typedef struct maker_s {
  gmem_pieces_t *pieces;
  const gmem_problem_t *problem;
  const gmem_allocator_t *allocator;
  const gmem_offset_groups_t *groups;
  const bool *is_inner;  // by buffer: starts inside another; NULL: none does
  gmem_order_t *members; // buffers: key: piece; sorted; and scratch
  size_t *first_member;  // by piece, and one more
  size_t
      *first_pool; // by piece: in |candidates|; SIZE_MAX: those of its buffer
} maker_t;

//===--- buffers of a piece -----------------------------------------------===//

// Numbers the pieces by their first buffers. |piece_of| of a root with a higher
// index than the first buffer is set with its group.
static void number_pieces(maker_t *maker) {
  gmem_pieces_t *pieces = maker->pieces;
  uint32_t count = gmem_problem_buffer_count(maker->problem);
  size_t listed = 0;
  int64_t ignored;
  // By root first: |first_member| is unused until it is filled.
  for (uint32_t i = 0; i < count; ++i)
    maker->first_member[i] = SIZE_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    pieces->piece_of[i] = GMEM_NO_BUFFER;
    if (gmem_problem_buffer(maker->problem, i)->size == 0)
      continue;
    uint32_t root = gmem_offset_groups_root(maker->groups, i, &ignored);
    if (maker->first_member[root] == SIZE_MAX)
      maker->first_member[root] = pieces->count++;
    pieces->piece_of[i] = (uint32_t)maker->first_member[root];
    maker->members[listed++] = (gmem_order_t){pieces->piece_of[i], i};
  }
  gmem_sort_order(maker->members, maker->members + listed, listed);
  for (size_t i = listed; i-- > 0;)
    maker->first_member[maker->members[i].key] = i;
  maker->first_member[pieces->count] = listed;
}

//===--- frames -----------------------------------------------------------===//

static bool narrow(frame_t *frame, uint64_t alignment, uint64_t anchor) {
  uint64_t shared = alignment < frame->alignment ? alignment : frame->alignment;
  if ((anchor ^ frame->anchor) & (shared - 1))
    return false;
  if (alignment > frame->alignment)
    *frame = (frame_t){alignment, anchor};
  return true;
}

// The combined alignment of all members of |piece| in a pool of
// |pool_alignment|; false when they are incompatible.
static bool find_frame(const maker_t *maker, uint32_t piece,
                       uint64_t pool_alignment, frame_t *frame) {
  *frame = (frame_t){.alignment = 1};
  for (size_t i = maker->first_member[piece];
       i < maker->first_member[piece + 1]; ++i) {
    uint32_t buffer = maker->members[i].index;
    uint64_t alignment = gmem_problem_buffer(maker->problem, buffer)->alignment;
    int64_t distance;
    gmem_offset_groups_root(maker->groups, buffer, &distance);
    bool is_inner = maker->is_inner && maker->is_inner[buffer];
    if (!is_inner && alignment < pool_alignment)
      alignment = pool_alignment;
    if (!narrow(frame, alignment, (uint64_t)distance))
      return false;
  }
  return true;
}

static uint64_t alignment_of_pool(const maker_t *maker, uint32_t pool) {
  return gmem_problem_pool(maker->problem, pool)->alignment;
}

//===--- candidates -------------------------------------------------------===//

static bool add_candidate(maker_t *maker, uint32_t pool) {
  gmem_pieces_t *pieces = maker->pieces;
  if (!gmem_planner_grow(maker->allocator, (void **)&pieces->candidates,
                         pieces->candidate_count, &pieces->candidate_room,
                         sizeof *pieces->candidates))
    return false;
  pieces->candidates[pieces->candidate_count++] = pool;
  return true;
}

// Lists the pools in which the whole group can be aligned; sets *out_frame to
// the frame with the largest alignment.
static bool list_candidates(maker_t *maker, uint32_t index,
                            const gmem_offset_group_t *group,
                            frame_t *out_frame) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(maker->problem, group->pools_of);
  gmem_piece_t *piece = &maker->pieces->at[index];
  uint64_t most = 0;
  *out_frame = (frame_t){.alignment = 1};
  for (uint64_t left = group->candidates; left; left &= left - 1) {
    size_t position = (size_t)__builtin_ctzll(left);
    if (position >= spec->pool_count)
      break;
    uint64_t alignment = alignment_of_pool(maker, spec->pools[position]);
    frame_t frame;
    if (!find_frame(maker, index, alignment, &frame))
      continue;
    if (!add_candidate(maker, spec->pools[position]))
      return false;
    ++piece->pool_count;
    if (alignment > most) {
      most = alignment;
      *out_frame = frame;
    }
  }
  return true;
}

//===--- one piece --------------------------------------------------------===//

static void find_worth(const maker_t *maker, uint32_t index) {
  gmem_piece_t *piece = &maker->pieces->at[index];
  for (size_t i = maker->first_member[index];
       i < maker->first_member[index + 1]; ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(maker->problem, maker->members[i].index);
    uint64_t uses = spec->uses ? spec->uses : 1, bytes;
    if (__builtin_mul_overflow(uses, spec->size, &bytes) ||
        __builtin_add_overflow(piece->traffic, bytes, &piece->traffic))
      piece->traffic = UINT64_MAX;
  }
}

static gmem_status_t fail_piece(const maker_t *maker, uint32_t buffer,
                                gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
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

// A fixed group cannot be moved to an aligned offset.
static bool is_well_fixed(const maker_t *maker, const gmem_piece_t *piece,
                          const gmem_offset_group_t *group,
                          const frame_t *frame) {
  uint64_t base = gmem_problem_pool(maker->problem, piece->pool)->base;
  uint64_t anchor = base + (uint64_t)group->fixed + frame->anchor;
  return (anchor & (frame->alignment - 1)) == 0;
}

static gmem_status_t make_group(maker_t *maker, uint32_t index,
                                gmem_diag_t *diag) {
  gmem_pieces_t *pieces = maker->pieces;
  gmem_piece_t *piece = &pieces->at[index];
  gmem_offset_group_t group =
      gmem_offset_groups_group(maker->groups, maker->problem, piece->buffer);
  frame_t frame;
  maker->first_pool[index] = pieces->candidate_count;
  if (!list_candidates(maker, index, &group, &frame))
    return gmem_planner_out_of_memory(diag);
  if (piece->pool_count == 0)
    return fail_piece(maker, piece->buffer, diag);
  piece->pool = pieces->candidates[maker->first_pool[index]];
  piece->is_fixed = group.is_fixed;
  if (group.is_fixed && !is_well_fixed(maker, piece, &group, &frame))
    return fail_piece(maker, piece->buffer, diag);
  uint64_t padding = 0;
  if (!group.is_fixed)
    padding = ((uint64_t)group.low - frame.anchor) & (frame.alignment - 1);
  piece->alignment = group.is_fixed ? 1 : frame.alignment;
  piece->offset = group.is_fixed ? (uint64_t)(group.fixed + group.low) : 0;
  piece->size = (uint64_t)group.high - (uint64_t)group.low + padding;
  if (piece->size > GMEM_MAX_ADDRESS)
    return fail_piece(maker, piece->buffer, diag);
  for (size_t i = maker->first_member[index];
       i < maker->first_member[index + 1]; ++i) {
    int64_t distance;
    gmem_offset_groups_root(maker->groups, maker->members[i].index, &distance);
    pieces->distance[maker->members[i].index] =
        (uint64_t)distance - (uint64_t)group.low + padding;
  }
  return GMEM_OK;
}

static gmem_status_t make_piece(maker_t *maker, uint32_t index,
                                gmem_diag_t *diag) {
  size_t first = maker->first_member[index];
  maker->pieces->at[index] =
      (gmem_piece_t){.buffer = maker->members[first].index};
  find_worth(maker, index);
  maker->first_pool[index] = SIZE_MAX;
  if (maker->first_member[index + 1] - first > 1)
    return make_group(maker, index, diag);
  make_single(maker, index);
  return GMEM_OK;
}

//===--- all pieces -------------------------------------------------------===//

// The arrays are not reallocated from here on.
static void point_into_arrays(const maker_t *maker) {
  gmem_pieces_t *pieces = maker->pieces;
  for (uint32_t i = 0; i < pieces->count; ++i) {
    gmem_piece_t *piece = &pieces->at[i];
    size_t first = pieces->lists.starts[i];
    piece->conflicts = pieces->lists.others + first;
    piece->conflict_count = pieces->lists.starts[i + 1] - first;
    if (maker->first_pool[i] != SIZE_MAX)
      piece->pools = pieces->candidates + maker->first_pool[i];
  }
}

static gmem_status_t find_inner(maker_t *maker, bool **out_inner,
                                gmem_diag_t *diag) {
  if (!maker->groups)
    return GMEM_OK;
  gmem_packing_t packing = {.allocator = maker->allocator,
                            .problem = maker->problem};
  gmem_packing_builder_t builder = {.packing = &packing,
                                    .pool_of = maker->pieces->piece_of};
  GMEM_TRY(gmem_find_inner(&builder, diag));
  maker->is_inner = *out_inner = builder.is_inner;
  return GMEM_OK;
}

static gmem_status_t make_all(maker_t *maker, uint64_t most_pairs,
                              gmem_diag_t *diag) {
  gmem_pieces_t *pieces = maker->pieces;
  number_pieces(maker);
  for (uint32_t i = 0; i < pieces->count; ++i)
    GMEM_TRY(make_piece(maker, i, diag));
  GMEM_TRY(gmem_list_conflicts(maker->problem, pieces->piece_of, pieces->count,
                               most_pairs, &pieces->lists, diag));
  point_into_arrays(maker);
  return GMEM_OK;
}

gmem_status_t gmem_pieces_create(const gmem_problem_t *problem,
                                 uint64_t most_pairs, gmem_pieces_t *pieces,
                                 gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  size_t count = gmem_problem_buffer_count(problem), room = count + 1;
  *pieces = (gmem_pieces_t){.problem = problem};
  maker_t maker = {.pieces = pieces,
                   .problem = problem,
                   .allocator = allocator,
                   .groups = gmem_problem_offset_groups(problem)};
  bool *is_inner = NULL;
  pieces->at = gmem_planner_alloc(allocator, count, sizeof *pieces->at);
  pieces->piece_of = gmem_planner_alloc(allocator, count, sizeof(uint32_t));
  pieces->distance = gmem_planner_alloc(allocator, count, sizeof(uint64_t));
  maker.members = gmem_planner_alloc(allocator, 2 * room, sizeof(gmem_order_t));
  maker.first_member = gmem_planner_alloc(allocator, room, sizeof(size_t));
  maker.first_pool = gmem_planner_alloc(allocator, room, sizeof(size_t));
  gmem_status_t status = GMEM_OK;
  if (!pieces->at || !pieces->piece_of || !pieces->distance || !maker.members ||
      !maker.first_member || !maker.first_pool)
    status = gmem_planner_out_of_memory(diag);
  if (status == GMEM_OK)
    status = find_inner(&maker, &is_inner, diag);
  if (status == GMEM_OK)
    status = make_all(&maker, most_pairs, diag);
  gmem_planner_free(allocator, is_inner, count, sizeof(bool));
  gmem_planner_free(allocator, maker.members, 2 * room, sizeof(gmem_order_t));
  gmem_planner_free(allocator, maker.first_member, room, sizeof(size_t));
  gmem_planner_free(allocator, maker.first_pool, room, sizeof(size_t));
  return status;
}

void gmem_pieces_destroy(gmem_pieces_t *pieces) {
  if (!pieces->problem)
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
  gmem_status_t status = GMEM_OK;
  uint32_t count = gmem_problem_buffer_count(pieces->problem);
  for (uint32_t i = 0; status == GMEM_OK && i < count; ++i) {
    uint32_t piece = pieces->piece_of[i];
    if (piece == GMEM_NO_BUFFER) {
      status = gmem_place_empty(pieces->problem, i, &plan[i], diag);
      continue;
    }
    const gmem_piece_t *self = &pieces->at[piece];
    plan[i] =
        (gmem_placement_t){self->offset + pieces->distance[i], self->pool};
  }
  return status;
}
