// name_check.c - verifies the names of a plan image: layout, contents, and
// uniqueness among buffers, regions, groups and spans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "name_check.h"

#include <inttypes.h>
#include <string.h>

#include "id_sort.h"
#include "image_codec.h"
#include "plan_image.h"
#include "runtime_support.h"

// Decodes the UTF-8 character at |text|, of which |left| > 0 bytes remain.
// Returns its length, or 0 if it is malformed (RFC 3629: overlong form,
// surrogate, above U+10FFFF, truncated).
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

// Names are printed on terminals and in one-line messages, so control
// characters (C0, DEL, C1) are not allowed.
static bool is_printable(const uint8_t *text, size_t length) {
  for (size_t at = 0; at < length;) {
    uint32_t code = 0;
    if (text[at] >= 0x20 && text[at] < 0x7F) { // most are ASCII
      ++at;
      continue;
    }
    size_t step = decode_utf8(text + at, length - at, &code);
    if (step == 0 || code < 0xA0) // no printable ASCII any more
      return false;
    at += step;
  }
  return true;
}

// Position in a section of names.
typedef struct names_s {
  const gmem_image_view_t *view;
  gmem_image_section_id_t section;
  uint64_t next; // expected offset of the next name
  gmem_diag_t *diag;
} names_t;

// Checks one name, which must be at the expected offset.
static gmem_status_t check_name(names_t *names, uint32_t offset,
                                uint32_t length, const char *kind,
                                uint32_t id) {
  const gmem_image_view_t *view = names->view;
  uint64_t names_size = view->section[names->section].count;
  GMEM_ASSERT(names->next <= names_size);
  uint64_t at = view->section[names->section].offset + names->next;
  const char *problem = NULL;
  if (length == 0)
    problem = "is empty";
  else if (length > GMEM_PLAN_MAX_NAME)
    problem = "is longer than 255 bytes";
  else if (offset != names->next ||
           length + UINT64_C(1) > names_size - names->next)
    problem = "is not at its expected offset";
  else if (view->data[at + length] != 0)
    problem = "is not NUL-terminated";
  else if (!is_printable(view->data + at, length))
    problem = "is not valid UTF-8 or contains control characters";
  if (problem)
    return gmem_rt_fail_at(names->diag, GMEM_ERR_CORRUPT, at, id,
                           "the name of %s %" PRIu32 " %s", kind, id, problem);
  names->next += length + UINT64_C(1);
  return GMEM_OK;
}

static gmem_status_t check_end(const names_t *names) {
  if (names->next == names->view->section[names->section].count)
    return GMEM_OK;
  return gmem_rt_fail_at(names->diag, GMEM_ERR_CORRUPT,
                         names->view->section[names->section].offset +
                             names->next,
                         0, "the %s section has bytes that belong to no name",
                         gmem_image_kind(names->section)->name);
}

// The section holds the names of regions, buffers and ops without gaps.
static gmem_status_t check_layout(const gmem_image_view_t *view,
                                  gmem_diag_t *diag) {
  names_t names = {.view = view, .section = GMEM_IMAGE_NAMES, .diag = diag};
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i) {
    gmem_image_region_t region = gmem_image_region(view, i);
    GMEM_TRY(check_name(&names, region.name_offset, region.name_length,
                        "region", i));
  }
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    GMEM_TRY(check_name(&names, buffer.name_offset, buffer.name_length,
                        "buffer", i));
  }
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_OPS].count; ++i) {
    gmem_image_op_t op = gmem_image_op(view, i);
    if (op.name_offset == 0 && op.name_length == 0)
      continue; // ops may be unnamed
    GMEM_TRY(check_name(&names, op.name_offset, op.name_length, "op", i));
  }
  return check_end(&names);
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

// Items that a section lists in the order of their names.
typedef struct order_s {
  const char *kind;
  gmem_image_section_id_t items, ranks;
  uint32_t (*item_at)(const gmem_image_view_t *view, uint32_t rank);
  const char *(*name_of)(const gmem_image_view_t *view, uint32_t item);
} order_t;

// Strictly ascending names imply distinct ids, and n distinct ids below n are a
// permutation.
static gmem_status_t check_order(const gmem_image_view_t *view,
                                 const order_t *order, gmem_diag_t *diag) {
  uint32_t count = view->section[order->items].count;
  const char *previous = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t at = view->section[order->ranks].offset +
                  (uint64_t)i * gmem_image_entry_size(order->ranks);
    uint32_t id = order->item_at(view, i);
    if (i + GMEM_IMAGE_AHEAD < count)
      gmem_image_prefetch(view, order->items,
                          order->item_at(view, i + GMEM_IMAGE_AHEAD));
    if (id >= count)
      return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, at, id,
                             "the name order refers to %s %" PRIu32
                             " of %" PRIu32,
                             order->kind, id, count);
    const char *name = order->name_of(view, id);
    int comes_after = previous ? strcmp(previous, name) : -1;
    if (comes_after >= 0)
      return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, at, id,
                             comes_after == 0
                                 ? "two %ss are named '%.*s'"
                                 : "the name order is not sorted at %s '%.*s'",
                             order->kind, gmem_rt_shown(name), name);
    previous = name;
  }
  return GMEM_OK;
}

static const char *name_of_buffer(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_name(view, gmem_image_buffer(view, id).name_offset);
}

gmem_status_t gmem_image_check_names(const gmem_image_view_t *view,
                                     gmem_diag_t *diag) {
  GMEM_TRY(check_layout(view, diag));
  GMEM_TRY(check_regions_distinct(view, diag));
  static const order_t order = {"buffer", GMEM_IMAGE_BUFFERS,
                                GMEM_IMAGE_NAME_ORDER, gmem_image_name_order,
                                name_of_buffer};
  return check_order(view, &order, diag);
}

static bool group_after(const void *context, uint32_t a, uint32_t b) {
  const gmem_image_view_t *view = context;
  return strcmp(gmem_image_group_name(view, a),
                gmem_image_group_name(view, b)) > 0;
}

// After sorting by name, equal names are adjacent.
static gmem_status_t check_groups_distinct(const gmem_image_view_t *view,
                                           uint32_t *ids, gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_GROUPS].count;
  for (uint32_t i = 0; i < count; ++i)
    ids[i] = i;
  gmem_rt_sort_ids(ids, ids + count, count, group_after, view);
  for (uint32_t i = 1; i < count; ++i) {
    const char *name = gmem_image_group_name(view, ids[i]);
    if (strcmp(gmem_image_group_name(view, ids[i - 1]), name) == 0)
      return gmem_rt_fail_at(
          diag, GMEM_ERR_CORRUPT, view->section[GMEM_IMAGE_GROUPS].offset,
          ids[i], "groups %" PRIu32 " and %" PRIu32 " are both named '%.*s'",
          ids[i - 1], ids[i], gmem_rt_shown(name), name);
  }
  return GMEM_OK;
}

gmem_status_t gmem_image_check_group_names(const gmem_image_view_t *view,
                                           const gmem_allocator_t *allocator,
                                           gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_GROUPS].count;
  names_t names = {
      .view = view, .section = GMEM_IMAGE_GROUP_NAMES, .diag = diag};
  for (uint32_t i = 0; i < count; ++i) {
    gmem_image_group_t group = gmem_image_group(view, i);
    GMEM_TRY(
        check_name(&names, group.name_offset, group.name_length, "group", i));
  }
  GMEM_TRY(check_end(&names));
  if (count < 2)
    return GMEM_OK;
  uint32_t *ids = gmem_rt_alloc(allocator, count, 2 * sizeof *ids);
  if (!ids)
    return gmem_rt_out_of_memory(diag);
  gmem_status_t status = check_groups_distinct(view, ids, diag);
  gmem_rt_free(allocator, ids, count, 2 * sizeof *ids);
  return status;
}

static uint32_t span_of_rank(const gmem_image_view_t *view, uint32_t rank) {
  return gmem_image_span(view, rank).by_name;
}

gmem_status_t gmem_image_check_span_names(const gmem_image_view_t *view,
                                          gmem_diag_t *diag) {
  static const order_t order = {"span", GMEM_IMAGE_SPANS, GMEM_IMAGE_SPANS,
                                span_of_rank, gmem_image_span_name};
  names_t names = {
      .view = view, .section = GMEM_IMAGE_SPAN_NAMES, .diag = diag};
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_SPANS].count; ++i) {
    gmem_image_span_t span = gmem_image_span(view, i);
    GMEM_TRY(check_name(&names, span.name_offset, span.name_length, "span", i));
  }
  GMEM_TRY(check_end(&names));
  return check_order(view, &order, diag);
}

gmem_status_t gmem_image_check_transform_names(const gmem_image_view_t *view,
                                               gmem_diag_t *diag) {
  names_t names = {
      .view = view, .section = GMEM_IMAGE_TRANSFORM_NAMES, .diag = diag};
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_TRANSFORMS].count; ++i) {
    gmem_image_transform_t step = gmem_image_transform(view, i);
    GMEM_TRY(
        check_name(&names, step.name_offset, step.name_length, "transform", i));
  }
  return check_end(&names);
}
