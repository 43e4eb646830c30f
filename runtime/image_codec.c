// image_codec.c - the bytes of a plan image to structs and back, little-endian
// on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_image.h"

#include <string.h>

#include "crc32c.h"

static uint16_t load_u16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint64_t load_u64(const uint8_t *bytes) {
  return gmem_image_load_u32(bytes) | (uint64_t)gmem_image_load_u32(bytes + 4)
                                          << 32;
}

static void store_u16(uint8_t *bytes, uint16_t value) {
  bytes[0] = (uint8_t)value;
  bytes[1] = (uint8_t)(value >> 8);
}

void gmem_image_store_u32(uint8_t *bytes, uint32_t value) {
  store_u16(bytes, (uint16_t)value);
  store_u16(bytes + 2, (uint16_t)(value >> 16));
}

static void store_u64(uint8_t *bytes, uint64_t value) {
  gmem_image_store_u32(bytes, (uint32_t)value);
  gmem_image_store_u32(bytes + 4, (uint32_t)(value >> 32));
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

void gmem_image_put_header(uint8_t *bytes, const gmem_image_header_t *header) {
  memcpy(bytes, header->magic, sizeof header->magic);
  store_u16(bytes + offsetof(gmem_image_header_t, major), header->major);
  store_u16(bytes + offsetof(gmem_image_header_t, minor), header->minor);
  store_u16(bytes + offsetof(gmem_image_header_t, header_size),
            header->header_size);
  store_u16(bytes + offsetof(gmem_image_header_t, section_count),
            header->section_count);
  store_u64(bytes + offsetof(gmem_image_header_t, file_size),
            header->file_size);
  gmem_image_store_u32(bytes + offsetof(gmem_image_header_t, crc), header->crc);
  gmem_image_store_u32(bytes + offsetof(gmem_image_header_t, reserved),
                       header->reserved);
  memcpy(bytes + offsetof(gmem_image_header_t, sha256), header->sha256,
         sizeof header->sha256);
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

void gmem_image_put_section(uint8_t *bytes,
                            const gmem_image_section_t *section) {
  gmem_image_store_u32(bytes, section->id);
  gmem_image_store_u32(bytes + 4, section->flags);
  store_u64(bytes + 8, section->offset);
  store_u64(bytes + 16, section->size);
  gmem_image_store_u32(bytes + 24, section->entry_size);
  gmem_image_store_u32(bytes + 28, section->align);
}

// By id, but for the data, which takes the place of the id that is none.
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

void gmem_image_put_region(uint8_t *bytes, const gmem_image_region_t *region) {
  store_u64(bytes, region->base);
  store_u64(bytes + 8, region->size);
  gmem_image_store_u32(bytes + 16, region->align);
  gmem_image_store_u32(bytes + 20, region->space);
  gmem_image_store_u32(bytes + 24, region->name_offset);
  gmem_image_store_u32(bytes + 28, region->name_length);
  store_u64(bytes + 32, region->reserved);
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

void gmem_image_put_buffer(uint8_t *bytes, const gmem_image_buffer_t *buffer) {
  store_u64(bytes, buffer->offset);
  store_u64(bytes + 8, buffer->size);
  store_u64(bytes + 16, buffer->payload);
  gmem_image_store_u32(bytes + 24, buffer->align);
  gmem_image_store_u32(bytes + 28, buffer->region);
  gmem_image_store_u32(bytes + 32, buffer->space);
  gmem_image_store_u32(bytes + 36, buffer->flags);
  gmem_image_store_u32(bytes + 40, buffer->parent);
  gmem_image_store_u32(bytes + 44, buffer->threads);
  gmem_image_store_u32(bytes + 48, buffer->first_range);
  gmem_image_store_u32(bytes + 52, buffer->range_count);
  gmem_image_store_u32(bytes + 56, buffer->name_offset);
  gmem_image_store_u32(bytes + 60, buffer->name_length);
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

void gmem_image_put_pair(uint8_t *bytes, uint32_t first, uint32_t second) {
  gmem_image_store_u32(bytes, first);
  gmem_image_store_u32(bytes + 4, second);
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

void gmem_image_put_group(uint8_t *bytes, const gmem_image_group_t *group) {
  gmem_image_put_pair(bytes, group->name_offset, group->name_length);
  gmem_image_put_pair(bytes + 8, group->first_member, group->member_count);
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

void gmem_image_put_weight(uint8_t *bytes, const gmem_image_weight_t *weight) {
  gmem_image_put_pair(bytes, weight->buffer, weight->reserved);
  store_u64(bytes + 8, weight->source_size);
  store_u64(bytes + 16, weight->transform);
  memcpy(bytes + 24, weight->digest, sizeof weight->digest);
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

void gmem_image_put_content(uint8_t *bytes,
                            const gmem_image_content_t *content) {
  gmem_image_put_pair(bytes, content->region, content->reserved);
  store_u64(bytes + 8, content->offset);
  store_u64(bytes + 16, content->size);
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

void gmem_image_put_reloc(uint8_t *bytes, const gmem_reloc_t *reloc) {
  store_u64(bytes, reloc->where);
  store_u64(bytes + 8, reloc->addend);
  gmem_image_store_u32(bytes + 16, reloc->buffer);
  store_u16(bytes + 20, reloc->kind);
  store_u16(bytes + 22, reloc->stream);
}

uint32_t gmem_image_crc(const uint8_t *data, size_t size) {
  static const uint8_t zero[sizeof(uint32_t)] = {0};
  const size_t at = offsetof(gmem_image_header_t, crc);
  const size_t after = at + sizeof zero;
  uint32_t crc = gmem_rt_crc32c(0, data, at);
  crc = gmem_rt_crc32c(crc, zero, sizeof zero);
  return gmem_rt_crc32c(crc, data + after, size - after);
}
