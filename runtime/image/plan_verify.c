// plan_verify.c - verifies the entries of a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requires: an image whose section table was verified by gmem_image_open.
// Verifies, in this order: every field is in bounds and every id exists; names;
// aliases are covered by their parents; buffers are aligned and inside their
// regions; the optional sections; buffers that are live at the same step share
// no byte.

#include "plan_verify.h"

#include <inttypes.h>

#include "image_codec.h"
#include "live_overlap.h"
#include "name_check.h"
#include "optional_verify.h"
#include "plan_image.h"
#include "runtime_support.h"

#define ALL_FLAGS                                                              \
  (GMEM_BUFFER_INPUT | GMEM_BUFFER_OUTPUT | GMEM_BUFFER_IMPORTABLE |           \
   GMEM_BUFFER_SENSITIVE)

static uint64_t region_at(const gmem_image_view_t *view, uint32_t id) {
  return view->section[GMEM_IMAGE_REGIONS].offset +
         (uint64_t)id * sizeof(gmem_image_region_t);
}

static uint64_t buffer_at(const gmem_image_view_t *view, uint32_t id) {
  return view->section[GMEM_IMAGE_BUFFERS].offset +
         (uint64_t)id * sizeof(gmem_image_buffer_t);
}

static const char *buffer_name(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_name(view, gmem_image_buffer(view, id).name_offset);
}

static bool is_alignment(uint32_t align) {
  return gmem_rt_is_power_of_two(align) && align <= GMEM_PLAN_MAX_ALIGNMENT;
}

// Returns the error in the fields of a region, or NULL.
static const char *region_problem(const gmem_image_region_t *region) {
  if (region->space > GMEM_SPACE_STATE)
    return "has an unknown space";
  if (region->reserved != 0)
    return "has a reserved field that is not zero";
  if (region->size > GMEM_PLAN_MAX_ADDRESS ||
      region->base > GMEM_PLAN_MAX_ADDRESS - region->size)
    return "extends past the largest address";
  return NULL;
}

// Checks also that the total sizes of per-slot and of shared regions, with room
// for the alignment of each region, do not overflow.
static gmem_status_t check_region_fields(const gmem_image_view_t *view,
                                         gmem_diag_t *diag) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    const char *problem = region_problem(&region);
    if (!problem && region.size > GMEM_PLAN_MAX_ADDRESS - total)
      problem = "makes the total size of regions exceed the largest address";
    if (problem)
      return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, region_at(view, i), i,
                             "region %" PRIu32 " %s", i, problem);
    total += region.size;
  }
  return GMEM_OK;
}

// Returns the error in the fields of a buffer, or NULL.
static const char *buffer_problem(const gmem_image_buffer_t *buffer) {
  if (buffer->space > GMEM_SPACE_STATE)
    return "has an unknown space";
  if (buffer->flags & ~(uint32_t)ALL_FLAGS)
    return "has unknown flags";
  if (buffer->size > GMEM_PLAN_MAX_ADDRESS ||
      buffer->offset > GMEM_PLAN_MAX_ADDRESS - buffer->size)
    return "extends past the largest address";
  if (buffer->payload > buffer->size)
    return "has a payload larger than the buffer";
  if (buffer->threads < 1 || buffer->threads > GMEM_PLAN_MAX_THREADS)
    return "has a number of threads outside of 1 to 1024";
  if (buffer->size % buffer->threads != 0)
    return "has a size that is not a multiple of its number of threads";
  return NULL;
}

// Returns the error in the ids of a buffer, or NULL. |next_range| is the end of
// the ranges of the buffers before it.
static const char *id_problem(const gmem_image_view_t *view,
                              const gmem_image_buffer_t *buffer,
                              uint32_t next_range) {
  if (buffer->region >= view->section[GMEM_IMAGE_REGIONS].count)
    return "refers to a region that does not exist";
  uint32_t region_space = gmem_image_region(view, buffer->region).space;
  if (gmem_image_shared(buffer->space) != gmem_image_shared(region_space))
    return "and its region are not both shared or both per slot";
  if (buffer->parent != GMEM_NONE &&
      buffer->parent >= view->section[GMEM_IMAGE_BUFFERS].count)
    return "aliases a buffer that does not exist";
  if (buffer->first_range != next_range ||
      buffer->range_count > view->section[GMEM_IMAGE_RANGES].count - next_range)
    return "has live ranges of another buffer";
  return NULL;
}

// Ranges must be sorted, disjoint, not empty, and below the number of steps.
static gmem_status_t check_ranges(const gmem_image_view_t *view, uint32_t id,
                                  const gmem_image_buffer_t *buffer,
                                  gmem_diag_t *diag) {
  uint32_t steps = view->section[GMEM_IMAGE_OPS].count, previous_end = 0;
  for (uint32_t i = 0; i < buffer->range_count; ++i) {
    uint32_t index = buffer->first_range + i;
    gmem_op_range_t range = gmem_image_range(view, index);
    if (range.begin < previous_end || range.begin >= range.end ||
        range.end > steps)
      return gmem_rt_fail_at(
          diag, GMEM_ERR_OUT_OF_RANGE,
          view->section[GMEM_IMAGE_RANGES].offset + index * UINT64_C(8), id,
          "live range [%" PRIu32 ", %" PRIu32 ") of buffer %" PRIu32
          " is empty, out of order, or past step %" PRIu32,
          range.begin, range.end, id, steps);
    previous_end = range.end;
  }
  return GMEM_OK;
}

static gmem_status_t check_buffer_fields(const gmem_image_view_t *view,
                                         gmem_diag_t *diag) {
  uint32_t next_range = 0;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    const char *problem = buffer_problem(&buffer);
    if (!problem)
      problem = id_problem(view, &buffer, next_range);
    if (problem)
      return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, buffer_at(view, i), i,
                             "buffer %" PRIu32 " %s", i, problem);
    GMEM_TRY(check_ranges(view, i, &buffer, diag));
    next_range += buffer.range_count;
  }
  if (next_range != view->section[GMEM_IMAGE_RANGES].count)
    return gmem_rt_fail_at(
        diag, GMEM_ERR_CORRUPT,
        view->section[GMEM_IMAGE_RANGES].offset + next_range * UINT64_C(8),
        next_range, "live range %" PRIu32 " belongs to no buffer", next_range);
  return GMEM_OK;
}

// For each range, the end of the longest sequence of touching ranges of the
// same buffer that it begins or continues.
static void find_ends(const gmem_image_view_t *view, uint32_t *out_ends) {
  for (uint32_t id = 0; id < view->section[GMEM_IMAGE_BUFFERS].count; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
    uint32_t next = GMEM_NONE, end = GMEM_NONE; // of the next range
    for (uint32_t i = buffer.range_count; i-- > 0;) {
      gmem_op_range_t range = gmem_image_range(view, buffer.first_range + i);
      end = range.end == next ? end : range.end;
      next = range.begin;
      out_ends[buffer.first_range + i] = end;
    }
  }
}

static bool covers_live_ranges(const gmem_image_view_t *view,
                               const uint32_t *ends,
                               const gmem_image_buffer_t *parent,
                               const gmem_image_buffer_t *child) {
  if (gmem_image_always_live(parent->space))
    return true;
  if (gmem_image_always_live(child->space))
    return false;
  for (uint32_t i = 0; i < child->range_count; ++i) {
    gmem_op_range_t live = gmem_image_range(view, child->first_range + i);
    uint32_t range = gmem_image_range_at(view, parent, live.begin);
    if (range == GMEM_NONE || ends[range] < live.end)
      return false;
  }
  return true;
}

// Returns the error of an alias, or NULL.
static const char *alias_problem(const gmem_image_view_t *view,
                                 const uint32_t *ends,
                                 const gmem_image_buffer_t *child) {
  gmem_image_buffer_t parent = gmem_image_buffer(view, child->parent);
  if (parent.parent != GMEM_NONE)
    return "aliases an alias,";
  if (child->region != parent.region || child->offset < parent.offset ||
      child->offset + child->size > parent.offset + parent.size)
    return "extends outside of";
  if (!covers_live_ranges(view, ends, &parent, child))
    return "has live ranges not covered by those of";
  return NULL;
}

static gmem_status_t check_each_alias(const gmem_image_view_t *view,
                                      const uint32_t *ends, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t child = gmem_image_buffer(view, i);
    const char *problem =
        child.parent == GMEM_NONE ? NULL : alias_problem(view, ends, &child);
    if (!problem)
      continue;
    const char *name = buffer_name(view, i);
    const char *parent_name = buffer_name(view, child.parent);
    return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, buffer_at(view, i), i,
                           "buffer %" PRIu32 " '%.*s' %s buffer %" PRIu32
                           " '%.*s'",
                           i, gmem_rt_shown(name), name, problem, child.parent,
                           gmem_rt_shown(parent_name), parent_name);
  }
  return GMEM_OK;
}

static gmem_status_t check_aliases(const gmem_image_view_t *view,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_RANGES].count;
  uint32_t *ends = gmem_rt_alloc_raw(allocator, count, sizeof *ends);
  if (!ends)
    return gmem_rt_out_of_memory(diag);
  find_ends(view, ends);
  gmem_status_t status = check_each_alias(view, ends, diag);
  GMEM_RT_FREE(allocator, ends, count);
  return status;
}

static gmem_status_t check_regions(const gmem_image_view_t *view,
                                   gmem_diag_t *diag) {
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    const char *name = gmem_image_name(view, region.name_offset);
    if (!is_alignment(region.align) || region.base % region.align != 0)
      return gmem_rt_fail_at(
          diag, GMEM_ERR_ALIGNMENT, region_at(view, i), i,
          "region %" PRIu32 " '%.*s' at 0x%" PRIx64 " has alignment %" PRIu32
          ", which must be a power of two up to 2^30 that divides its base",
          i, gmem_rt_shown(name), name, region.base, region.align);
  }
  return GMEM_OK;
}

static gmem_status_t check_placement(const gmem_image_view_t *view, uint32_t id,
                                     gmem_diag_t *diag) {
  gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
  gmem_image_region_t region = gmem_image_region(view, buffer.region);
  const char *name = buffer_name(view, id);
  if (buffer.offset + buffer.size > region.size)
    return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, buffer_at(view, id), id,
                           "buffer %" PRIu32 " '%.*s' ends at byte %" PRIu64
                           " of region %" PRIu32 ", which has %" PRIu64,
                           id, gmem_rt_shown(name), name,
                           buffer.offset + buffer.size, buffer.region,
                           region.size);
  if (!is_alignment(buffer.align) ||
      (region.base + buffer.offset) % buffer.align != 0)
    return gmem_rt_fail_at(
        diag, GMEM_ERR_ALIGNMENT, buffer_at(view, id), id,
        "buffer %" PRIu32 " '%.*s' at 0x%" PRIx64 " has alignment %" PRIu32
        ", which must be a power of two up to 2^30 that divides its address",
        id, gmem_rt_shown(name), name, region.base + buffer.offset,
        buffer.align);
  return GMEM_OK;
}

static gmem_status_t check_placements(const gmem_image_view_t *view,
                                      gmem_diag_t *diag) {
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i)
    GMEM_TRY(check_placement(view, i, diag));
  return GMEM_OK;
}

gmem_status_t gmem_image_verify(const gmem_image_view_t *view,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag) {
  GMEM_TRY(check_region_fields(view, diag));
  GMEM_TRY(check_buffer_fields(view, diag));
  GMEM_TRY(gmem_image_check_names(view, diag));
  GMEM_TRY(check_aliases(view, allocator, diag));
  GMEM_TRY(check_regions(view, diag));
  GMEM_TRY(check_placements(view, diag));
  GMEM_TRY(gmem_image_check_optional(view, allocator, diag));
  return gmem_image_check_overlap(view, allocator, diag);
}
