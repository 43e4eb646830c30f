// plan_difference.c - see plan_difference.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_difference.h"

#include <string.h>

#include "diag.h"
#include "gmem/layouts.h"
#include "mapped_plan.h"

static bool same_region(const gmem_plan_t *a, const gmem_plan_t *b,
                        gmem_region_t id) {
  gmem_region_info_t x, y;
  return gmem_plan_region(a, id, &x) == GMEM_OK &&
         gmem_plan_region(b, id, &y) == GMEM_OK && x.space == y.space &&
         x.base == y.base && x.size == y.size && x.align == y.align &&
         strcmp(x.name, y.name) == 0;
}

static bool same_buffer(const gmem_buffer_info_t *x,
                        const gmem_buffer_info_t *y) {
  return x->offset == y->offset && x->size == y->size &&
         x->payload == y->payload && x->payload_offset == y->payload_offset &&
         x->align == y->align && x->region == y->region &&
         x->space == y->space && x->parent == y->parent &&
         x->threads == y->threads && x->flags == y->flags &&
         x->range_count == y->range_count &&
         (x->range_count == 0 ||
          memcmp(x->ranges, y->ranges, x->range_count * sizeof *x->ranges) ==
              0) &&
         strcmp(x->name, y->name) == 0;
}

static bool same_weight(const gmem_plan_t *a, const gmem_plan_t *b,
                        gmem_buffer_t id) {
  gmem_weight_info_t x, y;
  return gmem_plan_weight(a, id, &x) != GMEM_OK ||
         gmem_plan_weight(b, id, &y) != GMEM_OK ||
         (x.source_size == y.source_size && x.transform == y.transform &&
          memcmp(x.digest, y.digest, sizeof x.digest) == 0);
}

static bool same_dimensions(const gmem_buffer_layout_t *x,
                            const gmem_buffer_layout_t *y) {
  bool same = true;
  for (uint32_t i = 0; i < x->rank && same; ++i)
    same = x->sizes[i] == y->sizes[i] && x->strides[i] == y->strides[i] &&
           x->before[i] == y->before[i] && x->after[i] == y->after[i] &&
           x->valid_begin[i] == y->valid_begin[i] &&
           x->valid_end[i] == y->valid_end[i];
  return same;
}

static bool same_layout(const gmem_plan_t *a, const gmem_plan_t *b,
                        gmem_buffer_t id) {
  gmem_buffer_layout_t x, y;
  gmem_status_t status = gmem_layouts_read(a, id, &x, NULL);
  if (status != gmem_layouts_read(b, id, &y, NULL))
    return false;
  return status == GMEM_OK
             ? x.rank == y.rank && x.border == y.border &&
                   x.element == y.element && same_dimensions(&x, &y)
             : status == GMEM_ERR_NOT_FOUND;
}

gmem_status_t gmem_plan_compare(const gmem_plan_t *a, const gmem_plan_t *b,
                                gmem_diag_t *diag) {
  const gmem_status_t differs = GMEM_ERR_INVALID_ARGUMENT;
  if (gmem_plan_region_count(a) != gmem_plan_region_count(b) ||
      gmem_plan_buffer_count(a) != gmem_plan_buffer_count(b) ||
      gmem_plan_op_count(a) != gmem_plan_op_count(b))
    return gmem_fail(diag, differs,
                     "the number of regions, buffers or steps differs");
  for (gmem_region_t i = 0; i < gmem_plan_region_count(a); ++i)
    if (!same_region(a, b, i))
      return gmem_fail(diag, differs, "the regions differ");
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(a); ++i) {
    gmem_buffer_info_t x = gmem_plan_buffer_at(a, i);
    gmem_buffer_info_t y = gmem_plan_buffer_at(b, i);
    if (!same_buffer(&x, &y))
      return gmem_fail(diag, differs,
                       "the placement or live range of a buffer differs ('%s')",
                       x.name);
    if (!same_layout(a, b, i))
      return gmem_fail(diag, differs, "the layout of a buffer differs ('%s')",
                       x.name);
    if (!same_weight(a, b, i))
      return gmem_fail(diag, differs, "the bytes of a constant differ ('%s')",
                       x.name);
  }
  return GMEM_OK;
}
