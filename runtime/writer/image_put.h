// image_put.h - encodes the structs of a plan image, little-endian on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_PUT_H_
#define GMEM_RUNTIME_IMAGE_PUT_H_

#include "image_writer.h"
#include "plan_image.h"

void gmem_image_store_u32(uint8_t *bytes, uint32_t value);

void gmem_image_put_header(uint8_t *bytes, const gmem_image_header_t *header);

void gmem_image_put_section(uint8_t *bytes,
                            const gmem_image_section_t *section);

void gmem_image_put_region(uint8_t *bytes, const gmem_image_region_t *region);

void gmem_image_put_buffer(uint8_t *bytes, const gmem_image_buffer_t *buffer);

void gmem_image_put_pair(uint8_t *bytes, uint32_t first, uint32_t second);

void gmem_image_put_group(uint8_t *bytes, const gmem_image_group_t *group);

void gmem_image_put_weight(uint8_t *bytes, const gmem_image_weight_t *weight);

void gmem_image_put_content(uint8_t *bytes,
                            const gmem_image_content_t *content);

void gmem_image_put_payload(uint8_t *bytes,
                            const gmem_image_payload_t *payload);

void gmem_image_put_reloc(uint8_t *bytes, const gmem_reloc_t *reloc);

// Whether the image has this section.
bool gmem_image_has_section(const gmem_image_writer_t *writer, uint32_t id);

#endif // GMEM_RUNTIME_IMAGE_PUT_H_
