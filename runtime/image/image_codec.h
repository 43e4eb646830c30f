// image_codec.h - decodes the bytes of a plan image to structs, on any host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_CODEC_H_
#define GMEM_RUNTIME_IMAGE_CODEC_H_

#include "plan_image.h"

gmem_image_header_t gmem_image_header_at(const uint8_t *bytes);

gmem_image_section_t gmem_image_section_at(const uint8_t *bytes);

// Entry |id| of a section; |id| must be below the section's count.
gmem_image_region_t gmem_image_region(const gmem_image_view_t *view,
                                      uint32_t id);

gmem_image_buffer_t gmem_image_buffer(const gmem_image_view_t *view,
                                      uint32_t id);

gmem_op_range_t gmem_image_range(const gmem_image_view_t *view, uint32_t id);

gmem_image_op_t gmem_image_op(const gmem_image_view_t *view, uint32_t id);

uint32_t gmem_image_name_order(const gmem_image_view_t *view, uint32_t id);

// The NUL-terminated name at |offset| of the names section.
const char *gmem_image_name(const gmem_image_view_t *view, uint32_t offset);

gmem_image_group_t gmem_image_group(const gmem_image_view_t *view, uint32_t id);

// The NUL-terminated name of group |id|.
const char *gmem_image_group_name(const gmem_image_view_t *view, uint32_t id);

uint32_t gmem_image_member(const gmem_image_view_t *view, uint32_t id);

gmem_workbuffer_t gmem_image_workbuffer(const gmem_image_view_t *view,
                                        uint32_t id);

gmem_image_weight_t gmem_image_weight(const gmem_image_view_t *view,
                                      uint32_t id);

gmem_image_content_t gmem_image_content(const gmem_image_view_t *view,
                                        uint32_t id);

gmem_image_payload_t gmem_image_payload(const gmem_image_view_t *view,
                                        uint32_t id);

gmem_reloc_t gmem_image_reloc(const gmem_image_view_t *view, uint32_t id);

// CRC-32C of a header and its section table, |size| bytes together, with the
// header's crc field taken as zero.
uint32_t gmem_image_crc(const uint8_t *data, size_t size);

// Properties of sections with this id; NULL if the id is unknown.
const gmem_image_kind_t *gmem_image_kind(uint32_t id);

// Bytes of one entry of a known section.
uint32_t gmem_image_entry_size(gmem_image_section_id_t id);

// The index of the range in which |buffer| is live at |op|, or GMEM_NONE. O(log
// n). Requires buffers whose fields were checked.
uint32_t gmem_image_range_at(const gmem_image_view_t *view,
                             const gmem_image_buffer_t *buffer, uint32_t op);

#endif // GMEM_RUNTIME_IMAGE_CODEC_H_
