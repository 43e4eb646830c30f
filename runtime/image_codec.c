// image_codec.c - the bytes of a plan image to structs and back, little-endian
// on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_image.h"

#include <string.h>

#include "crc32c.h"

static uint16_t load_u16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] | bytes[1] << 8);
}

uint32_t gmem_image_load_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
         (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
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

uint32_t gmem_image_entry_size(gmem_image_section_id_t id) {
  switch (id) {
  case GMEM_IMAGE_REGIONS:
    return sizeof(gmem_image_region_t);
  case GMEM_IMAGE_BUFFERS:
    return sizeof(gmem_image_buffer_t);
  case GMEM_IMAGE_RANGES:
    return sizeof(gmem_op_range_t);
  case GMEM_IMAGE_OPS:
    return sizeof(gmem_image_op_t);
  case GMEM_IMAGE_NAME_ORDER:
    return sizeof(uint32_t);
  default:
    return 1; // names: bytes
  }
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

uint32_t gmem_image_crc(const uint8_t *data, size_t size) {
  static const uint8_t zero[sizeof(uint32_t)] = {0};
  const size_t at = offsetof(gmem_image_header_t, crc);
  const size_t after = at + sizeof zero;
  uint32_t crc = gmem_rt_crc32c(0, data, at);
  crc = gmem_rt_crc32c(crc, zero, sizeof zero);
  return gmem_rt_crc32c(crc, data + after, size - after);
}
