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

// The bits of eight characters that are not printable ASCII; not 0 if one is
// not.
static uint64_t not_ascii(const uint8_t *text) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return ((word - 0x20 * each) | (word + each)) & 0x80 * each;
}

// Names are printed on terminals and in one-line messages, so control
// characters (C0, DEL, C1) are not allowed.
static bool is_printable(const uint8_t *text, size_t length) {
  for (size_t at = 0; at < length;) {
    uint32_t code = 0;
    if (length - at >= 8 && not_ascii(text + at) == 0) {
      at += 8;
      continue;
    }
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

gmem_status_t gmem_image_check_name(gmem_image_names_t *names, uint32_t offset,
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

//===--- items of a section -----------------------------------------------===//

// Items with names, in a section.
typedef struct named_s {
  char kind[12];
  uint8_t items, names;       // ids of the sections
  uint8_t item_size, name_at; // bytes of an item, and before its name_offset
  // Of items that a section lists in the order of their names: its id, the
  // bytes of its entries, and those before the id of an item.
  uint8_t ranks, rank_size, item_at;
} named_t;

#define NAMED(section, list, type)                                             \
  .items = section, .names = list, .item_size = sizeof(type),                  \
  .name_at = offsetof(type, name_offset)

// The length of a name follows its offset in all of them.
static const named_t regions = {
    .kind = "region",
    NAMED(GMEM_IMAGE_REGIONS, GMEM_IMAGE_NAMES, gmem_image_region_t)};
static const named_t buffers = {
    .kind = "buffer",
    NAMED(GMEM_IMAGE_BUFFERS, GMEM_IMAGE_NAMES, gmem_image_buffer_t),
    .ranks = GMEM_IMAGE_NAME_ORDER,
    .rank_size = sizeof(uint32_t)};
static const named_t ops = {
    .kind = "op", NAMED(GMEM_IMAGE_OPS, GMEM_IMAGE_NAMES, gmem_image_op_t)};
static const named_t groups = {
    .kind = "group",
    NAMED(GMEM_IMAGE_GROUPS, GMEM_IMAGE_GROUP_NAMES, gmem_image_group_t)};
static const named_t spans = {
    .kind = "span",
    NAMED(GMEM_IMAGE_SPANS, GMEM_IMAGE_SPAN_NAMES, gmem_image_span_t),
    .ranks = GMEM_IMAGE_SPANS,
    .rank_size = sizeof(gmem_image_span_t),
    .item_at = offsetof(gmem_image_span_t, by_name)};
static const named_t transforms = {.kind = "transform",
                                   NAMED(GMEM_IMAGE_TRANSFORMS,
                                         GMEM_IMAGE_TRANSFORM_NAMES,
                                         gmem_image_transform_t)};

// The offset of the name of |item|, and its length, in the image.
static const uint8_t *description_of(const gmem_image_view_t *view,
                                     const named_t *named, uint32_t item) {
  return view->data + view->section[named->items].offset + named->name_at +
         (uint64_t)item * named->item_size;
}

static const char *name_of(const gmem_image_view_t *view, const named_t *named,
                           uint32_t item) {
  return (const char *)view->data + view->section[named->names].offset +
         gmem_image_u32(description_of(view, named, item));
}

// Checks the names of all items; they are the last ones in the section.
static gmem_status_t check_rest(gmem_image_names_t *names,
                                const named_t *named) {
  const gmem_image_view_t *view = names->view;
  for (uint32_t i = 0; i < view->section[named->items].count; ++i) {
    const uint8_t *description = description_of(view, named, i);
    uint32_t offset = gmem_image_u32(description);
    uint32_t length = gmem_image_u32(description + sizeof offset);
    if (named == &ops && offset == 0 && length == 0)
      continue; // ops may be unnamed
    GMEM_TRY(gmem_image_check_name(names, offset, length, named->kind, i));
  }
  if (names->next == view->section[named->names].count)
    return GMEM_OK;
  return gmem_rt_fail_at(names->diag, GMEM_ERR_CORRUPT,
                         view->section[named->names].offset + names->next, 0,
                         "the %s section has bytes that belong to no name",
                         gmem_image_kind(named->names)->name);
}

// The same for a section of names of these items only.
static gmem_status_t check_all(const gmem_image_view_t *view,
                               const named_t *named, gmem_diag_t *diag) {
  gmem_image_names_t names = {.view = view,
                              .section = (gmem_image_section_id_t)named->names,
                              .diag = diag};
  return check_rest(&names, named);
}

//===--- unique names -----------------------------------------------------===//

typedef struct sorting_s {
  const gmem_image_view_t *view;
  const named_t *named;
} sorting_t;

static int compare(const sorting_t *sorting, uint32_t a, uint32_t b) {
  return strcmp(name_of(sorting->view, sorting->named, a),
                name_of(sorting->view, sorting->named, b));
}

static bool name_after(const void *context, uint32_t a, uint32_t b) {
  return compare(context, a, b) > 0;
}

// After sorting by name, equal names are adjacent. |ids| has two elements per
// item.
static gmem_status_t check_distinct(const gmem_image_view_t *view,
                                    const named_t *named, uint32_t *ids,
                                    gmem_diag_t *diag) {
  const sorting_t sorting = {view, named};
  uint32_t count = view->section[named->items].count;
  for (uint32_t i = 0; i < count; ++i)
    ids[i] = i;
  gmem_rt_sort_ids(ids, ids + count, count, name_after, &sorting);
  for (uint32_t i = 1; i < count; ++i) {
    const char *name = name_of(view, named, ids[i]);
    if (compare(&sorting, ids[i - 1], ids[i]) == 0)
      return gmem_rt_fail_at(
          diag, GMEM_ERR_CORRUPT, view->section[named->items].offset, ids[i],
          "%ss %" PRIu32 " and %" PRIu32 " are both named '%.*s'", named->kind,
          ids[i - 1], ids[i], gmem_rt_shown(name), name);
  }
  return GMEM_OK;
}

// A number in each entry of a section.
typedef struct column_s {
  const uint8_t *first;
  uint32_t stride; // bytes
} column_t;

static inline uint32_t number_at(column_t column, uint32_t id) {
  return gmem_image_u32(column.first + (uint64_t)id * column.stride);
}

// Begins to load the number of entry |id|, which may be any.
static inline void prefetch_number(column_t column, uint32_t id) {
  __builtin_prefetch(
      (const void *)((uintptr_t)column.first + (uintptr_t)id * column.stride));
}

// Strictly ascending names imply distinct ids, and n distinct ids below n are a
// permutation. Items and their names are read in any order, so both are loaded
// some turns ahead.
static gmem_status_t check_order(const gmem_image_view_t *view,
                                 const named_t *named, gmem_diag_t *diag) {
  const uint32_t ahead = GMEM_IMAGE_AHEAD;
  const uint64_t ranks_at = view->section[named->ranks].offset;
  const column_t ranks = {view->data + ranks_at + named->item_at,
                          named->rank_size};
  const column_t items = {description_of(view, named, 0), named->item_size};
  const char *names =
      (const char *)view->data + view->section[named->names].offset;
  uint32_t count = view->section[named->items].count;
  const char *previous = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t at = ranks_at + (uint64_t)i * named->rank_size;
    uint32_t id = number_at(ranks, i);
    if (id >= count)
      return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, at, id,
                             "the name order refers to %s %" PRIu32
                             " of %" PRIu32,
                             named->kind, id, count);
    if (i + 2 * ahead < count) {
      prefetch_number(items, number_at(ranks, i + 2 * ahead));
      uint32_t near = number_at(ranks, i + ahead);
      __builtin_prefetch(names + (near < count ? number_at(items, near) : 0));
    }
    const char *name = names + number_at(items, id);
    int comes_after = previous ? strcmp(previous, name) : -1;
    if (comes_after >= 0)
      return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, at, id,
                             comes_after == 0
                                 ? "two %ss are named '%.*s'"
                                 : "the name order is not sorted at %s '%.*s'",
                             named->kind, gmem_rt_shown(name), name);
    previous = name;
  }
  return GMEM_OK;
}

//===--- sections ---------------------------------------------------------===//

gmem_status_t gmem_image_check_names(gmem_image_names_t *names) {
  uint32_t ids[2 * GMEM_PLAN_MAX_REGIONS];
  GMEM_TRY(check_rest(names, &ops));
  GMEM_TRY(check_distinct(names->view, &regions, ids, names->diag));
  return check_order(names->view, &buffers, names->diag);
}

gmem_status_t gmem_image_check_group_names(const gmem_image_view_t *view,
                                           const gmem_allocator_t *allocator,
                                           gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_GROUPS].count;
  GMEM_TRY(check_all(view, &groups, diag));
  if (count < 2)
    return GMEM_OK;
  uint32_t *ids = gmem_rt_alloc_raw(allocator, count, 2 * sizeof *ids);
  if (!ids)
    return gmem_rt_out_of_memory(diag);
  gmem_status_t status = check_distinct(view, &groups, ids, diag);
  gmem_rt_free(allocator, ids, count, 2 * sizeof *ids);
  return status;
}

gmem_status_t gmem_image_check_span_names(const gmem_image_view_t *view,
                                          gmem_diag_t *diag) {
  GMEM_TRY(check_all(view, &spans, diag));
  return check_order(view, &spans, diag);
}

gmem_status_t gmem_image_check_transform_names(const gmem_image_view_t *view,
                                               gmem_diag_t *diag) {
  return check_all(view, &transforms, diag);
}
