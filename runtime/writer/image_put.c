// image_put.c - encodes the structs of a plan image, little-endian on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_put.h"

#include <string.h>

#include "plan_image.h"

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

void gmem_image_put_section(uint8_t *bytes,
                            const gmem_image_section_t *section) {
  gmem_image_store_u32(bytes, section->id);
  gmem_image_store_u32(bytes + 4, section->flags);
  store_u64(bytes + 8, section->offset);
  store_u64(bytes + 16, section->size);
  gmem_image_store_u32(bytes + 24, section->entry_size);
  gmem_image_store_u32(bytes + 28, section->align);
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

void gmem_image_put_payload(uint8_t *bytes,
                            const gmem_image_payload_t *payload) {
  gmem_image_put_pair(bytes, payload->buffer, payload->reserved);
  store_u64(bytes + 8, payload->offset);
}

void gmem_image_put_pair(uint8_t *bytes, uint32_t first, uint32_t second) {
  gmem_image_store_u32(bytes, first);
  gmem_image_store_u32(bytes + 4, second);
}

void gmem_image_put_group(uint8_t *bytes, const gmem_image_group_t *group) {
  gmem_image_put_pair(bytes, group->name_offset, group->name_length);
  gmem_image_put_pair(bytes + 8, group->first_member, group->member_count);
}

void gmem_image_put_weight(uint8_t *bytes, const gmem_image_weight_t *weight) {
  gmem_image_put_pair(bytes, weight->buffer, weight->reserved);
  store_u64(bytes + 8, weight->source_size);
  store_u64(bytes + 16, weight->transform);
  memcpy(bytes + 24, weight->digest, sizeof weight->digest);
}

void gmem_image_put_content(uint8_t *bytes,
                            const gmem_image_content_t *content) {
  gmem_image_put_pair(bytes, content->region, content->reserved);
  store_u64(bytes + 8, content->offset);
  store_u64(bytes + 16, content->size);
}

void gmem_image_put_reloc(uint8_t *bytes, const gmem_reloc_t *reloc) {
  store_u64(bytes, reloc->where);
  store_u64(bytes + 8, reloc->addend);
  gmem_image_store_u32(bytes + 16, reloc->buffer);
  store_u16(bytes + 20, reloc->kind);
  store_u16(bytes + 22, reloc->stream);
}

bool gmem_image_has_section(const gmem_image_writer_t *writer, uint32_t id) {
  return (id >= GMEM_IMAGE_REGIONS && id <= GMEM_IMAGE_NAMES) ||
         writer->counts[id] > 0;
}
