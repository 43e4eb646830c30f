// image_codec.c - decodes the bytes of a plan image to structs, on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_codec.h"

#include <string.h>

#include "crc32c.h"
#include "plan_image.h"

static uint16_t load_u16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint64_t load_u64(const uint8_t *bytes) {
  return gmem_image_load_u32(bytes) | (uint64_t)gmem_image_load_u32(bytes + 4)
                                          << 32;
}

gmem_image_header_t gmem_image_header_at(const uint8_t *bytes) {
  gmem_image_header_t header = {
      .major = load_u16(bytes + offsetof(gmem_image_header_t, major)),
      .minor = load_u16(bytes + offsetof(gmem_image_header_t, minor)),
      .header_size =
          load_u16(bytes + offsetof(gmem_image_header_t, header_size)),
      .section_count =
          load_u16(bytes + offsetof(gmem_image_header_t, section_count)),
      .file_size = load_u64(bytes + offsetof(gmem_image_header_t, file_size)),
      .crc = gmem_image_load_u32(bytes + offsetof(gmem_image_header_t, crc)),
      .reserved =
          gmem_image_load_u32(bytes + offsetof(gmem_image_header_t, reserved)),
  };
  memcpy(header.magic, bytes, sizeof header.magic);
  memcpy(header.sha256, bytes + offsetof(gmem_image_header_t, sha256),
         sizeof header.sha256);
  return header;
}

gmem_image_section_t gmem_image_section_at(const uint8_t *bytes) {
  return (gmem_image_section_t){
      .id = gmem_image_load_u32(bytes),
      .flags = gmem_image_load_u32(bytes + 4),
      .offset = load_u64(bytes + 8),
      .size = load_u64(bytes + 16),
      .entry_size = gmem_image_load_u32(bytes + 24),
      .align = gmem_image_load_u32(bytes + 28),
  };
}

// Indexed by section id; index 0, which is not an id, holds the data section.
static const gmem_image_kind_t kinds[] = {
    {"data", (uint32_t)(GMEM_PLAN_MAX_FILE / GMEM_IMAGE_PAGE), GMEM_IMAGE_PAGE,
     GMEM_IMAGE_PAGE, GMEM_IMAGE_MANDATORY | GMEM_IMAGE_UNHASHED},
    {"regions", GMEM_PLAN_MAX_REGIONS, sizeof(gmem_image_region_t), 8, 1},
    {"buffers", GMEM_PLAN_MAX_BUFFERS, sizeof(gmem_image_buffer_t), 8, 1},
    {"ranges", GMEM_PLAN_MAX_RANGES, sizeof(gmem_op_range_t), 8, 1},
    {"ops", GMEM_PLAN_MAX_OPS, sizeof(gmem_image_op_t), 8, 1},
    {"name order", GMEM_PLAN_MAX_BUFFERS, sizeof(uint32_t), 8, 1},
    {"names", UINT32_MAX, 1, 8, 1},
    {"groups", GMEM_PLAN_MAX_GROUPS, sizeof(gmem_image_group_t), 8, 0},
    {"weights", GMEM_PLAN_MAX_BUFFERS, sizeof(gmem_image_weight_t), 8, 0},
    {"relocations", GMEM_PLAN_MAX_RELOCS, sizeof(gmem_reloc_t), 8, 0},
    {"group members", GMEM_PLAN_MAX_MEMBERS, sizeof(uint32_t), 8, 0},
    {"group names", UINT32_MAX, 1, 8, 0},
    {"workbuffers", GMEM_PLAN_MAX_WORKBUFFERS, sizeof(gmem_workbuffer_t), 8, 0},
    {"contents", GMEM_PLAN_MAX_REGIONS, sizeof(gmem_image_content_t), 8, 1},
    {"payloads", GMEM_PLAN_MAX_BUFFERS, sizeof(gmem_image_payload_t), 8, 1},
};

const gmem_image_kind_t *gmem_image_kind(uint32_t id) {
  if (id == GMEM_IMAGE_DATA)
    return &kinds[0];
  return id >= 1 && id < sizeof kinds / sizeof kinds[0] ? &kinds[id] : NULL;
}

uint32_t gmem_image_entry_size(gmem_image_section_id_t id) {
  return gmem_image_kind(id)->entry_size;
}

static const uint8_t *entry(const gmem_image_view_t *view,
                            gmem_image_section_id_t section, uint32_t id) {
  assert(id < view->section[section].count);
  return view->data + view->section[section].offset +
         (uint64_t)id * gmem_image_entry_size(section);
}

gmem_image_region_t gmem_image_region(const gmem_image_view_t *view,
                                      uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_REGIONS, id);
  return (gmem_image_region_t){
      .base = load_u64(bytes),
      .size = load_u64(bytes + 8),
      .align = gmem_image_load_u32(bytes + 16),
      .space = gmem_image_load_u32(bytes + 20),
      .name_offset = gmem_image_load_u32(bytes + 24),
      .name_length = gmem_image_load_u32(bytes + 28),
      .reserved = load_u64(bytes + 32),
  };
}

gmem_image_buffer_t gmem_image_buffer(const gmem_image_view_t *view,
                                      uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_BUFFERS, id);
  return (gmem_image_buffer_t){
      .offset = load_u64(bytes),
      .size = load_u64(bytes + 8),
      .payload = load_u64(bytes + 16),
      .align = gmem_image_load_u32(bytes + 24),
      .region = gmem_image_load_u32(bytes + 28),
      .space = gmem_image_load_u32(bytes + 32),
      .flags = gmem_image_load_u32(bytes + 36),
      .parent = gmem_image_load_u32(bytes + 40),
      .threads = gmem_image_load_u32(bytes + 44),
      .first_range = gmem_image_load_u32(bytes + 48),
      .range_count = gmem_image_load_u32(bytes + 52),
      .name_offset = gmem_image_load_u32(bytes + 56),
      .name_length = gmem_image_load_u32(bytes + 60),
  };
}

gmem_op_range_t gmem_image_range(const gmem_image_view_t *view, uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_RANGES, id);
  return (gmem_op_range_t){gmem_image_load_u32(bytes),
                           gmem_image_load_u32(bytes + 4)};
}

gmem_image_op_t gmem_image_op(const gmem_image_view_t *view, uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_OPS, id);
  return (gmem_image_op_t){gmem_image_load_u32(bytes),
                           gmem_image_load_u32(bytes + 4)};
}

uint32_t gmem_image_name_order(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_load_u32(entry(view, GMEM_IMAGE_NAME_ORDER, id));
}

const char *gmem_image_name(const gmem_image_view_t *view, uint32_t offset) {
  return (const char *)entry(view, GMEM_IMAGE_NAMES, offset);
}

gmem_image_group_t gmem_image_group(const gmem_image_view_t *view,
                                    uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_GROUPS, id);
  return (gmem_image_group_t){
      .name_offset = gmem_image_load_u32(bytes),
      .name_length = gmem_image_load_u32(bytes + 4),
      .first_member = gmem_image_load_u32(bytes + 8),
      .member_count = gmem_image_load_u32(bytes + 12),
  };
}

const char *gmem_image_group_name(const gmem_image_view_t *view, uint32_t id) {
  return (const char *)entry(view, GMEM_IMAGE_GROUP_NAMES,
                             gmem_image_group(view, id).name_offset);
}

uint32_t gmem_image_member(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_load_u32(entry(view, GMEM_IMAGE_MEMBERS, id));
}

gmem_workbuffer_t gmem_image_workbuffer(const gmem_image_view_t *view,
                                        uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_WORKBUFFERS, id);
  return (gmem_workbuffer_t){gmem_image_load_u32(bytes),
                             gmem_image_load_u32(bytes + 4)};
}

gmem_image_weight_t gmem_image_weight(const gmem_image_view_t *view,
                                      uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_WEIGHTS, id);
  gmem_image_weight_t weight = {
      .buffer = gmem_image_load_u32(bytes),
      .reserved = gmem_image_load_u32(bytes + 4),
      .source_size = load_u64(bytes + 8),
      .transform = load_u64(bytes + 16),
  };
  memcpy(weight.digest, bytes + 24, sizeof weight.digest);
  return weight;
}

gmem_image_content_t gmem_image_content(const gmem_image_view_t *view,
                                        uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_CONTENTS, id);
  return (gmem_image_content_t){
      .region = gmem_image_load_u32(bytes),
      .reserved = gmem_image_load_u32(bytes + 4),
      .offset = load_u64(bytes + 8),
      .size = load_u64(bytes + 16),
  };
}

gmem_image_payload_t gmem_image_payload(const gmem_image_view_t *view,
                                        uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_PAYLOADS, id);
  return (gmem_image_payload_t){
      .buffer = gmem_image_load_u32(bytes),
      .reserved = gmem_image_load_u32(bytes + 4),
      .offset = load_u64(bytes + 8),
  };
}

gmem_reloc_t gmem_image_reloc(const gmem_image_view_t *view, uint32_t id) {
  const uint8_t *bytes = entry(view, GMEM_IMAGE_RELOCS, id);
  return (gmem_reloc_t){
      .where = load_u64(bytes),
      .addend = load_u64(bytes + 8),
      .buffer = gmem_image_load_u32(bytes + 16),
      .kind = load_u16(bytes + 20),
      .stream = load_u16(bytes + 22),
  };
}

uint32_t gmem_image_crc(const uint8_t *data, size_t size) {
  static const uint8_t zero[sizeof(uint32_t)] = {0};
  const size_t at = offsetof(gmem_image_header_t, crc);
  const size_t after = at + sizeof zero;
  uint32_t crc = gmem_rt_crc32c(0, data, at);
  crc = gmem_rt_crc32c(crc, zero, sizeof zero);
  return gmem_rt_crc32c(crc, data + after, size - after);
}

uint32_t gmem_image_range_at(const gmem_image_view_t *view,
                             const gmem_image_buffer_t *buffer, uint32_t op) {
  uint32_t low = buffer->first_range, end = low + buffer->range_count;
  for (uint32_t high = end; low < high;) { // first range that ends after |op|
    uint32_t middle = low + (high - low) / 2;
    if (gmem_image_range(view, middle).end <= op)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && gmem_image_range(view, low).begin <= op ? low : GMEM_NONE;
}
