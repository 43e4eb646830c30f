// image_codec.c - converts the bytes of a plan image to structs, on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_codec.h"

#include <string.h>

#include "crc32c.h"
#include "plan_image.h"
#include "runtime_support.h"

void gmem_image_reverse(const char *fields, void *bytes) {
  uint8_t *field = bytes;
  for (; *fields; ++fields) {
    size_t width = (size_t)(*fields - '0');
    for (size_t i = 0; i < width / 2; ++i) {
      uint8_t byte = field[i];
      field[i] = field[width - 1 - i];
      field[width - 1 - i] = byte;
    }
    field += width;
  }
}

gmem_image_header_t gmem_image_header_at(const uint8_t *bytes) {
  gmem_image_header_t header;
  gmem_image_convert(GMEM_IMAGE_HEADER_FIELDS, bytes, &header, sizeof header);
  return header;
}

gmem_image_section_t gmem_image_section_at(const uint8_t *bytes) {
  gmem_image_section_t section;
  gmem_image_convert(GMEM_IMAGE_SECTION_FIELDS, bytes, &section,
                     sizeof section);
  return section;
}

// Indexed by section id; index 0, which is not an id, holds the data section.
static const gmem_image_kind_t kinds[] = {
    {"data", (uint32_t)(GMEM_PLAN_MAX_FILE / GMEM_IMAGE_PAGE), GMEM_IMAGE_PAGE,
     GMEM_IMAGE_PAGE, GMEM_IMAGE_MANDATORY | GMEM_IMAGE_UNHASHED, ""},
    {"regions", GMEM_PLAN_MAX_REGIONS, sizeof(gmem_image_region_t), 8, 1,
     "8844448"},
    {"buffers", GMEM_PLAN_MAX_BUFFERS, sizeof(gmem_image_buffer_t), 8, 1,
     "8884444444444"},
    {"ranges", GMEM_PLAN_MAX_RANGES, sizeof(gmem_op_range_t), 8, 1, "44"},
    {"ops", GMEM_PLAN_MAX_OPS, sizeof(gmem_image_op_t), 8, 1, "44"},
    {"name order", GMEM_PLAN_MAX_BUFFERS, sizeof(uint32_t), 8, 1, "4"},
    {"names", UINT32_MAX, 1, 8, 1, ""},
    {"groups", GMEM_PLAN_MAX_GROUPS, sizeof(gmem_image_group_t), 8, 0, "4444"},
    {"weights", GMEM_PLAN_MAX_BUFFERS, sizeof(gmem_image_weight_t), 8, 0,
     "4488"},
    {"relocations", GMEM_PLAN_MAX_RELOCS, sizeof(gmem_reloc_t), 8, 0, "88422"},
    {"group members", GMEM_PLAN_MAX_MEMBERS, sizeof(uint32_t), 8, 0, "4"},
    {"group names", UINT32_MAX, 1, 8, 0, ""},
    {"workbuffers", GMEM_PLAN_MAX_WORKBUFFERS, sizeof(gmem_workbuffer_t), 8, 0,
     "44"},
    {"contents", GMEM_PLAN_MAX_REGIONS, sizeof(gmem_image_content_t), 8, 1,
     "4488"},
    {"payloads", GMEM_PLAN_MAX_BUFFERS, sizeof(gmem_image_payload_t), 8, 1,
     "448"},
    {"copies", GMEM_PLAN_MAX_COPIES, sizeof(gmem_plan_copy_t), 8, 0,
     "44448224"},
    {"spans", GMEM_PLAN_MAX_SPANS, sizeof(gmem_image_span_t), 8, 0, "44444"},
    {"span names", UINT32_MAX, 1, 8, 0, ""},
    {"transforms", GMEM_PLAN_MAX_TRANSFORMS, sizeof(gmem_image_transform_t), 8,
     0, "44448"},
    {"transform names", UINT32_MAX, 1, 8, 0, ""},
    {"dimensions", GMEM_PLAN_MAX_DIMENSIONS, sizeof(gmem_plan_dimension_t), 8,
     0, "4228888888"},
};

const gmem_image_kind_t *gmem_image_kind(uint32_t id) {
  if (id == GMEM_IMAGE_DATA)
    return &kinds[0];
  return id >= 1 && id < sizeof kinds / sizeof kinds[0] ? &kinds[id] : NULL;
}

uint32_t gmem_image_entry_size(gmem_image_section_id_t id) {
  return gmem_image_kind(id)->entry_size;
}

static const uint8_t *entry_at(const gmem_image_view_t *view,
                               gmem_image_section_id_t section, uint32_t id) {
  GMEM_ASSERT(id < view->section[section].count);
  return view->data + view->section[section].offset +
         (uint64_t)id * gmem_image_entry_size(section);
}

#define DEFINE(type, function, section)                                        \
  type function(const gmem_image_view_t *view, uint32_t id) {                  \
    type value;                                                                \
    gmem_image_decode(view, section, id, &value, sizeof value);                \
    return value;                                                              \
  }
GMEM_IMAGE_ENTRIES(DEFINE)

const char *gmem_image_name(const gmem_image_view_t *view, uint32_t offset) {
  return (const char *)entry_at(view, GMEM_IMAGE_NAMES, offset);
}

const char *gmem_image_group_name(const gmem_image_view_t *view, uint32_t id) {
  return (const char *)entry_at(view, GMEM_IMAGE_GROUP_NAMES,
                                gmem_image_group(view, id).name_offset);
}

const char *gmem_image_span_name(const gmem_image_view_t *view, uint32_t id) {
  return (const char *)entry_at(view, GMEM_IMAGE_SPAN_NAMES,
                                gmem_image_span(view, id).name_offset);
}

const char *gmem_image_transform_name(const gmem_image_view_t *view,
                                      uint32_t id) {
  return (const char *)entry_at(view, GMEM_IMAGE_TRANSFORM_NAMES,
                                gmem_image_transform(view, id).name_offset);
}

void gmem_image_entries(const gmem_image_view_t *view,
                        gmem_image_section_id_t section, void *out) {
  const gmem_image_kind_t *kind = gmem_image_kind(section);
  uint32_t count = view->section[section].count;
  uint8_t *to = out;
  if (count)
    memcpy(to, entry_at(view, section, 0), (size_t)count * kind->entry_size);
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    for (uint32_t i = 0; i < count; ++i)
      gmem_image_reverse(kind->fields, to + (size_t)i * kind->entry_size);
}

static uint32_t buffer_of_payload(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_payload(view, id).buffer;
}

uint64_t gmem_image_payload_offset(const gmem_image_view_t *view,
                                   uint32_t buffer) {
  uint32_t count = view->section[GMEM_IMAGE_PAYLOADS].count;
  uint32_t at =
      gmem_image_first_at_least(view, 0, count, buffer_of_payload, buffer);
  return at < count && buffer_of_payload(view, at) == buffer
             ? gmem_image_payload(view, at).offset
             : 0;
}

static uint32_t buffer_of_transform(const gmem_image_view_t *view,
                                    uint32_t id) {
  return gmem_image_transform(view, id).buffer;
}

uint32_t gmem_image_chain(const gmem_image_view_t *view, uint32_t buffer,
                          uint32_t *out_end) {
  uint32_t count = view->section[GMEM_IMAGE_TRANSFORMS].count;
  uint32_t begin =
      gmem_image_first_at_least(view, 0, count, buffer_of_transform, buffer);
  *out_end = begin;
  while (*out_end < count && buffer_of_transform(view, *out_end) == buffer)
    ++*out_end;
  return begin;
}

uint32_t gmem_image_crc(const uint8_t *data, size_t size) {
  static const uint8_t zero[sizeof(uint32_t)] = {0};
  const size_t at = offsetof(gmem_image_header_t, crc);
  const size_t after = at + sizeof zero;
  uint32_t crc = gmem_rt_crc32c(0, data, at);
  crc = gmem_rt_crc32c(crc, zero, sizeof zero);
  return gmem_rt_crc32c(crc, data + after, size - after);
}

uint32_t gmem_image_first_at_least(const gmem_image_view_t *view,
                                   uint32_t begin, uint32_t end,
                                   gmem_image_key_fn key_of, uint32_t key) {
  while (begin < end) {
    uint32_t middle = begin + (end - begin) / 2;
    if (key_of(view, middle) < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

static uint32_t end_of_range(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_range(view, id).end;
}

uint32_t gmem_image_range_at(const gmem_image_view_t *view,
                             const gmem_image_buffer_t *buffer, uint32_t op) {
  uint32_t begin = buffer->first_range, end = begin + buffer->range_count;
  uint32_t id =
      gmem_image_first_at_least(view, begin, end, end_of_range, op + 1);
  return id < end && gmem_image_range(view, id).begin <= op ? id : GMEM_NONE;
}
