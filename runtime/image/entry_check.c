// entry_check.c - verifies the fields, names and placements of regions and
// buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass, that reads each buffer once: an image of many buffers does not fit
// the caches.

#include "entry_check.h"

#include <inttypes.h>

#include "image_codec.h"
#include "runtime_support.h"

#define ALL_FLAGS                                                              \
  (GMEM_BUFFER_INPUT | GMEM_BUFFER_OUTPUT | GMEM_BUFFER_IMPORTABLE |           \
   GMEM_BUFFER_SENSITIVE)

static bool is_aligned(uint64_t address, uint32_t align) {
  return gmem_rt_is_power_of_two(align) && align <= GMEM_PLAN_MAX_ALIGNMENT &&
         (address & (align - 1)) == 0;
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

// State of the checks of regions and buffers.
typedef struct entries_s {
  gmem_image_names_t *names;
  gmem_image_facts_t *facts;
  uint32_t next_range; // end of the live ranges of the buffers before
  uint32_t last_begin; // begin of the last one that counts for |in_order|
} entries_t;

static uint64_t region_at(const gmem_image_view_t *view, uint32_t id) {
  return view->section[GMEM_IMAGE_REGIONS].offset +
         (uint64_t)id * sizeof(gmem_image_region_t);
}

static uint64_t buffer_at(const gmem_image_view_t *view, uint32_t id) {
  return view->section[GMEM_IMAGE_BUFFERS].offset +
         (uint64_t)id * sizeof(gmem_image_buffer_t);
}

// Checks also that the total sizes of per-slot and of shared regions, with room
// for the alignment of each region, do not overflow.
static gmem_status_t check_regions(entries_t *entries) {
  const gmem_image_view_t *view = entries->names->view;
  uint64_t total = 0;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    const char *problem = region_problem(&region);
    if (!problem && region.size > GMEM_PLAN_MAX_ADDRESS - total)
      problem = "makes the total size of regions exceed the largest address";
    if (problem)
      return gmem_rt_fail_at(entries->names->diag, GMEM_ERR_OUT_OF_RANGE,
                             region_at(view, i), i, "region %" PRIu32 " %s", i,
                             problem);
    total += region.size;
    GMEM_TRY(gmem_image_check_name(entries->names, region.name_offset,
                                   region.name_length, "region", i));
    if (!is_aligned(region.base, region.align))
      return gmem_rt_fail_at(
          entries->names->diag, GMEM_ERR_ALIGNMENT, region_at(view, i), i,
          "region %" PRIu32 " '%.*s' at 0x%" PRIx64 " has alignment %" PRIu32
          ", which must be a power of two up to 2^30 that divides its base",
          i, gmem_rt_shown(gmem_image_name(view, region.name_offset)),
          gmem_image_name(view, region.name_offset), region.base, region.align);
    entries->facts->align[i] = region.align;
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
  if (buffer->threads > 1 && buffer->size % buffer->threads != 0)
    return "has a size that is not a multiple of its number of threads";
  return NULL;
}

static gmem_image_region_t region_inline(const gmem_image_view_t *view,
                                         uint32_t id) {
  gmem_image_region_t region;
  gmem_image_decode(view, GMEM_IMAGE_REGIONS, id, &region, sizeof region);
  return region;
}

// Returns the error in the ids of a buffer, or NULL. |next_range| is the end of
// the ranges of the buffers before it.
static const char *id_problem(const gmem_image_view_t *view,
                              const gmem_image_buffer_t *buffer,
                              uint32_t next_range) {
  if (buffer->region >= view->section[GMEM_IMAGE_REGIONS].count)
    return "refers to a region that does not exist";
  uint32_t region_space = region_inline(view, buffer->region).space;
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
static gmem_status_t check_ranges(entries_t *entries, uint32_t id,
                                  const gmem_image_buffer_t *buffer) {
  const gmem_image_view_t *view = entries->names->view;
  uint32_t steps = view->section[GMEM_IMAGE_OPS].count, previous_end = 0;
  bool counts =
      buffer->parent == GMEM_NONE && !gmem_image_always_live(buffer->space);
  for (uint32_t i = 0; i < buffer->range_count; ++i) {
    uint32_t index = buffer->first_range + i;
    gmem_op_range_t range = gmem_image_range_inline(view, index);
    if (range.begin < previous_end || range.begin >= range.end ||
        range.end > steps)
      return gmem_rt_fail_at(
          entries->names->diag, GMEM_ERR_OUT_OF_RANGE,
          view->section[GMEM_IMAGE_RANGES].offset + index * UINT64_C(8), id,
          "live range [%" PRIu32 ", %" PRIu32 ") of buffer %" PRIu32
          " is empty, out of order, or past step %" PRIu32,
          range.begin, range.end, id, steps);
    previous_end = range.end;
    if (!counts)
      continue;
    entries->facts->in_order &= range.begin >= entries->last_begin;
    entries->last_begin = range.begin;
  }
  entries->next_range += buffer->range_count;
  return GMEM_OK;
}

// Requires a buffer whose fields and name were checked.
static gmem_status_t check_placement(const entries_t *entries, uint32_t id,
                                     const gmem_image_buffer_t *buffer,
                                     const gmem_image_region_t *region) {
  const gmem_image_view_t *view = entries->names->view;
  const char *name = gmem_image_name(view, buffer->name_offset);
  if (buffer->offset + buffer->size > region->size)
    return gmem_rt_fail_at(
        entries->names->diag, GMEM_ERR_OUT_OF_RANGE, buffer_at(view, id), id,
        "buffer %" PRIu32 " '%.*s' ends at byte %" PRIu64 " of region %" PRIu32
        ", which has %" PRIu64,
        id, gmem_rt_shown(name), name, buffer->offset + buffer->size,
        buffer->region, region->size);
  if (!is_aligned(region->base + buffer->offset, buffer->align))
    return gmem_rt_fail_at(
        entries->names->diag, GMEM_ERR_ALIGNMENT, buffer_at(view, id), id,
        "buffer %" PRIu32 " '%.*s' at 0x%" PRIx64 " has alignment %" PRIu32
        ", which must be a power of two up to 2^30 that divides its address",
        id, gmem_rt_shown(name), name, region->base + buffer->offset,
        buffer->align);
  return GMEM_OK;
}

static gmem_status_t check_buffer(entries_t *entries, uint32_t id) {
  const gmem_image_view_t *view = entries->names->view;
  gmem_image_buffer_t buffer = gmem_image_buffer_inline(view, id);
  const char *problem = buffer_problem(&buffer);
  if (!problem)
    problem = id_problem(view, &buffer, entries->next_range);
  if (problem)
    return gmem_rt_fail_at(entries->names->diag, GMEM_ERR_OUT_OF_RANGE,
                           buffer_at(view, id), id, "buffer %" PRIu32 " %s", id,
                           problem);
  GMEM_TRY(check_ranges(entries, id, &buffer));
  GMEM_TRY(gmem_image_check_name(entries->names, buffer.name_offset,
                                 buffer.name_length, "buffer", id));
  gmem_image_region_t region = region_inline(view, buffer.region);
  GMEM_TRY(check_placement(entries, id, &buffer, &region));
  gmem_image_facts_t *facts = entries->facts;
  if (facts->align[buffer.region] < buffer.align)
    facts->align[buffer.region] = buffer.align;
  facts->has_aliases |= buffer.parent != GMEM_NONE;
  return GMEM_OK;
}

static gmem_status_t check_buffers(entries_t *entries) {
  const gmem_image_view_t *view = entries->names->view;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i)
    GMEM_TRY(check_buffer(entries, i));
  uint32_t next = entries->next_range;
  if (next != view->section[GMEM_IMAGE_RANGES].count)
    return gmem_rt_fail_at(
        entries->names->diag, GMEM_ERR_CORRUPT,
        view->section[GMEM_IMAGE_RANGES].offset + next * UINT64_C(8), next,
        "live range %" PRIu32 " belongs to no buffer", next);
  return GMEM_OK;
}

gmem_status_t gmem_image_check_entries(gmem_image_names_t *names,
                                       gmem_image_facts_t *out_facts) {
  entries_t entries = {.names = names, .facts = out_facts};
  *out_facts = (gmem_image_facts_t){.in_order = true};
  GMEM_TRY(check_regions(&entries));
  return check_buffers(&entries);
}
