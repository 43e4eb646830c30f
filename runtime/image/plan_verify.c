// plan_verify.c - verifies the entries of a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requires: an image whose section table was verified by gmem_image_open.
// Verifies, in this order: the fields, the name and the placement of each
// region, then of each buffer: each entry is read once, as an image of many
// buffers does not fit the caches; names of ops, and the order of names;
// aliases are covered by their parents; the optional sections; buffers that are
// live at the same step share no byte.

#include "plan_verify.h"

#include <inttypes.h>

#include "image_codec.h"
#include "live_overlap.h"
#include "optional_verify.h"
#include "plan_image.h"
#include "runtime_support.h"

static const char *buffer_name(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_name(view, gmem_image_buffer(view, id).name_offset);
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
    return gmem_rt_fail_at(
        diag, GMEM_ERR_OUT_OF_RANGE,
        view->section[GMEM_IMAGE_BUFFERS].offset + (uint64_t)i * sizeof child,
        i, "buffer %" PRIu32 " '%.*s' %s buffer %" PRIu32 " '%.*s'", i,
        gmem_rt_shown(name), name, problem, child.parent,
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

gmem_status_t gmem_image_verify(const gmem_image_view_t *view,
                                const gmem_allocator_t *allocator,
                                gmem_image_facts_t *out_facts,
                                gmem_diag_t *diag) {
  gmem_image_names_t names = {
      .view = view, .section = GMEM_IMAGE_NAMES, .diag = diag};
  GMEM_TRY(gmem_image_check_entries(&names, out_facts));
  GMEM_TRY(gmem_image_check_names(&names));
  if (out_facts->has_aliases)
    GMEM_TRY(check_aliases(view, allocator, diag));
  GMEM_TRY(gmem_image_check_optional(view, allocator, diag));
  return gmem_image_check_overlap(view, out_facts->in_order, allocator, diag);
}
