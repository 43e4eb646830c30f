// name_check.c - the names of a plan image: where they are, what is in them,
// and that no two buffers or regions share one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <string.h>

#include "plan_image.h"
#include "runtime_support.h"

// Decodes the UTF-8 character at |text|, of which |left| > 0 bytes are left.
// Returns its length, or 0 when it is malformed (RFC 3629: too long a form, a
// surrogate, above U+10FFFF, cut off).
static size_t decode_utf8(const uint8_t *text, size_t left, uint32_t *out) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (text[0] < 0x80) {
    *out = text[0];
    return 1;
  }
  size_t length = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
  if (text[0] < 0xC2 || text[0] > 0xF4 || length > left)
    return 0;
  uint32_t code = text[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((text[i] & 0xC0) != 0x80)
      return 0;
    code = code << 6 | (text[i] & 0x3F);
  }
  if (code < smallest[length] || code > 0x10FFFF ||
      (code >= 0xD800 && code <= 0xDFFF))
    return 0;
  *out = code;
  return length;
}

// Names are shown on terminals and in one-line messages: no control characters
// (C0, DEL, C1).
static bool is_printable(const uint8_t *text, size_t length) {
  for (size_t at = 0; at < length;) {
    uint32_t code = 0;
    size_t step = decode_utf8(text + at, length - at, &code);
    if (step == 0 || code < 0x20 || (code >= 0x7F && code < 0xA0))
      return false;
    at += step;
  }
  return true;
}

// Checks one name, which must be at |*next| of the names section, and moves
// |*next| behind its NUL.
static gmem_status_t check_name(const gmem_image_view_t *view, uint64_t *next,
                                uint32_t offset, uint32_t length,
                                const char *kind, uint32_t id,
                                gmem_diag_t *diag) {
  uint64_t names_size = view->section[GMEM_IMAGE_NAMES].count;
  uint64_t at = view->section[GMEM_IMAGE_NAMES].offset + *next;
  const char *problem = NULL;
  if (length == 0)
    problem = "is empty";
  else if (length > GMEM_PLAN_MAX_NAME)
    problem = "is longer than 255 bytes";
  else if (offset != *next || length + UINT64_C(1) > names_size - *next)
    problem = "is not where it belongs";
  else if (view->data[at + length] != 0)
    problem = "does not end with a NUL";
  else if (!is_printable(view->data + at, length))
    problem = "is not UTF-8 without control characters";
  if (problem)
    return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, at, id,
                           "the name of %s %" PRIu32 " %s", kind, id, problem);
  *next += length + UINT64_C(1);
  return GMEM_OK;
}

// The names of regions, buffers and ops are in this order, without gaps.
static gmem_status_t check_layout(const gmem_image_view_t *view,
                                  gmem_diag_t *diag) {
  uint64_t next = 0;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    GMEM_RT_TRY(check_name(view, &next, region.name_offset, region.name_length,
                           "region", i, diag));
  }
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    GMEM_RT_TRY(check_name(view, &next, buffer.name_offset, buffer.name_length,
                           "buffer", i, diag));
  }
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_OPS].count; ++i) {
    gmem_image_op_t op = gmem_image_op(view, i);
    if (op.name_offset == 0 && op.name_length == 0)
      continue; // an op may have no name
    GMEM_RT_TRY(
        check_name(view, &next, op.name_offset, op.name_length, "op", i, diag));
  }
  if (next != view->section[GMEM_IMAGE_NAMES].count)
    return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT,
                           view->section[GMEM_IMAGE_NAMES].offset + next, 0,
                           "the names section has bytes that are no name");
  return GMEM_OK;
}

static gmem_status_t check_regions_distinct(const gmem_image_view_t *view,
                                            gmem_diag_t *diag) {
  for (uint32_t i = 1; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    const char *name =
        gmem_image_name(view, gmem_image_region(view, i).name_offset);
    for (uint32_t k = 0; k < i; ++k) {
      gmem_image_region_t other = gmem_image_region(view, k);
      if (strcmp(name, gmem_image_name(view, other.name_offset)) == 0)
        return gmem_rt_fail_at(
            diag, GMEM_ERR_CORRUPT, view->section[GMEM_IMAGE_REGIONS].offset, i,
            "regions %" PRIu32 " and %" PRIu32 " are both named '%.*s'", k, i,
            gmem_rt_shown(name), name);
    }
  }
  return GMEM_OK;
}

// One ascent proves two things: ids whose names ascend strictly are distinct,
// and n distinct ids below n are all of them.
static gmem_status_t check_order(const gmem_image_view_t *view,
                                 gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_BUFFERS].count;
  const char *previous = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t at = view->section[GMEM_IMAGE_NAME_ORDER].offset + i * UINT64_C(4);
    uint32_t id = gmem_image_name_order(view, i);
    if (id >= count)
      return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, at, id,
                             "the name order has buffer %" PRIu32
                             ", but there are %" PRIu32,
                             id, count);
    const char *name =
        gmem_image_name(view, gmem_image_buffer(view, id).name_offset);
    int order = previous ? strcmp(previous, name) : -1;
    if (order >= 0)
      return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, at, id,
                             order == 0 ? "two buffers are named '%.*s'"
                                        : "buffer '%.*s' is out of name order",
                             gmem_rt_shown(name), name);
    previous = name;
  }
  return GMEM_OK;
}

gmem_status_t gmem_image_check_names(const gmem_image_view_t *view,
                                     gmem_diag_t *diag) {
  GMEM_RT_TRY(check_layout(view, diag));
  GMEM_RT_TRY(check_regions_distinct(view, diag));
  return check_order(view, diag);
}
