// neighbours.c - see neighbours.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "neighbours.h"

#include "op_lists.h"

// The elements that an op reads along one axis.
typedef struct axis_s {
  bool is_listed;
  int64_t before, after, step, block;
} axis_t;

enum { KERNEL, BEFORE, AFTER, STEP, BLOCK, AXES, LISTS };

// The values in effect of an entry that no list states.
static const int64_t absent[LISTS] = {[KERNEL] = 1, [STEP] = 1, [BLOCK] = 1};
static const int64_t least[LISTS] = {
    [KERNEL] = 1, [STEP] = 1, [BLOCK] = 1, [AXES] = INT32_MIN};

// Reads the lists, all of one length. False if one is not known.
static bool read_lists(const gmem_neighbours_t *it,
                       const gmem_op_models_t *models, gmem_bump_t *arena,
                       gmem_integers_t *lists, size_t *out_count) {
  const gmem_op_list_t *const where[LISTS] = {
      [KERNEL] = &it->model->kernel, [BEFORE] = &it->model->before,
      [AFTER] = &it->model->after,   [STEP] = &it->model->step,
      [BLOCK] = &it->model->block,   [AXES] = &it->model->axes};
  *out_count = 0;
  for (int i = 0; i < LISTS; ++i) {
    gmem_list_t found =
        gmem_op_list_read(it->op, where[i], models, arena, &lists[i]);
    size_t count = lists[i].count;
    if ((found != GMEM_LIST_KNOWN && found != GMEM_LIST_NONE) ||
        (count && *out_count && count != *out_count))
      return false;
    *out_count = count ? count : *out_count;
    for (size_t k = 0; k < count; ++k)
      if (lists[i].at[k] < least[i] || lists[i].at[k] > INT32_MAX)
        return false;
  }
  return true;
}

static int64_t entry(const gmem_integers_t *lists, int list, size_t at) {
  return lists[list].count ? lists[list].at[at] : absent[list];
}

// Sets the axes that the lists name.
static bool read_axes(const gmem_neighbours_t *it, uint32_t rank,
                      const gmem_op_models_t *models, gmem_bump_t *arena,
                      axis_t *axes) {
  gmem_integers_t lists[LISTS];
  size_t count;
  if (!read_lists(it, models, arena, lists, &count) || count > rank)
    return false;
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = lists[AXES].count ? lists[AXES].at[i] : (int64_t)i;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank || axes[axis].is_listed)
      return false;
    int64_t kernel = entry(lists, KERNEL, i);
    axes[axis] = (axis_t){.is_listed = true,
                          .before = (kernel - 1) / 2 + entry(lists, BEFORE, i),
                          .after = kernel / 2 + entry(lists, AFTER, i),
                          .step = entry(lists, STEP, i),
                          .block = entry(lists, BLOCK, i)};
  }
  return true;
}

// The layout of a value: padded per dimension, or as if it had no gaps. False
// also for sizes that are beyond those of memories, so that no sum overflows.
static bool read_layout(MlirValue value, gmem_padded_layout_t *out) {
  bool is_good = gmem_padded_layout_of(value, out) == GMEM_LAYOUT_PADDED ||
                 gmem_dense_layout_of(value, out);
  for (uint32_t i = 0; is_good && i < out->rank; ++i)
    is_good = out->sizes[i] <= INT64_MAX / 4 &&
              out->before[i] <= INT64_MAX / 4 && out->after[i] <= INT64_MAX / 4;
  return is_good;
}

// |number| / |step|, rounded up.
static int64_t divide_up(int64_t number, int64_t step) {
  return number / step + (number % step > 0);
}

// The elements of a result of |size| that lie in complete blocks, or all if
// operand and result have room for the last block: it reads and writes behind
// the last element.
static int64_t end_of_blocks(const axis_t *axis, int64_t size, int64_t room,
                             const gmem_padded_layout_t *from, uint32_t i) {
  int64_t rest = size % axis->block;
  int64_t last = size - rest + axis->block - 1;
  int64_t readable = from->sizes[i] + from->after[i];
  bool has_room = last < size + room && last <= INT64_MAX / axis->step &&
                  last * axis->step < readable - axis->after;
  return rest == 0 || has_room ? size : size - rest;
}

// Sets [*begin, *end), the valid elements of the operand, to those of the
// result.
static void shrink(const axis_t *axis, const gmem_padded_layout_t *from,
                   const gmem_padded_layout_t *to, uint32_t i, int64_t *begin,
                   int64_t *end) {
  bool has_border = from->border != GMEM_BORDER_UNDEFINED;
  if (has_border && *begin == 0)
    *begin = -from->before[i];
  if (has_border && *end == from->sizes[i])
    *end += from->after[i];
  int64_t blocks = end_of_blocks(axis, to->sizes[i], to->after[i], from, i);
  *begin = divide_up(*begin + axis->before, axis->step);
  *end = *end <= axis->after ? 0 : (*end - 1 - axis->after) / axis->step + 1;
  *begin = *begin < 0 ? 0 : *begin;
  *end = *end > blocks ? blocks : *end;
}

gmem_neighbours_status_t
gmem_neighbours_find(const gmem_neighbours_t *neighbours, MlirValue result,
                     const gmem_op_models_t *models, gmem_bump_t *arena,
                     gmem_valid_region_t *out_region) {
  const gmem_valid_region_t *valid = neighbours->valid;
  axis_t axes[GMEM_LAYOUT_MOST_DIMENSIONS] = {{.is_listed = false}};
  gmem_padded_layout_t from, to;
  bool is_whole = true;
  if (neighbours->model->operand >=
          mlirOperationGetNumOperands(neighbours->op) ||
      !read_layout(
          mlirOperationGetOperand(neighbours->op, neighbours->model->operand),
          &from) ||
      !read_layout(result, &to) || from.rank != to.rank)
    return GMEM_NEIGHBOURS_SHAPE;
  if (!read_axes(neighbours, from.rank, models, arena, axes))
    return GMEM_NEIGHBOURS_LISTS;
  out_region->rank = to.rank;
  for (uint32_t i = 0; i < to.rank; ++i) {
    int64_t begin = valid ? valid->begin[i] : 0;
    int64_t end = valid ? valid->end[i] : from.sizes[i];
    if (axes[i].is_listed)
      shrink(&axes[i], &from, &to, i, &begin, &end);
    else if (begin > 0 || end < from.sizes[i])
      return GMEM_NEIGHBOURS_AXES;
    else
      end = to.sizes[i]; // which may be another number: of channels
    if (begin >= end)
      return GMEM_NEIGHBOURS_EMPTY;
    is_whole &= begin == 0 && end == to.sizes[i];
    out_region->begin[i] = begin;
    out_region->end[i] = end;
  }
  return is_whole ? GMEM_NEIGHBOURS_WHOLE : GMEM_NEIGHBOURS_PART;
}
