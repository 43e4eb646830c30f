// image_codec.h - converts structs of a plan image from and to bytes, on any
// host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_CODEC_H_
#define GMEM_RUNTIME_IMAGE_CODEC_H_

#include <string.h>

#include "plan_image.h"
#include "runtime_support.h"

// Reverses fields at |bytes|; the digits of |fields| are their widths.
void gmem_image_reverse(const char *fields, void *bytes);

// Properties of sections with this id; NULL if the id is unknown.
const gmem_image_kind_t *gmem_image_kind(uint32_t id);

// Copies a struct of |size| bytes between its bytes in an image, little-endian,
// and memory, in either direction. What follows the |fields| is bytes.
static inline void gmem_image_convert(const char *fields, const void *from,
                                      void *to, size_t size) {
  memcpy(to, from, size);
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    gmem_image_reverse(fields, to);
}

// Fields of a header and of an entry of the section table.
#define GMEM_IMAGE_HEADER_FIELDS                                               \
  "11111111"                                                                   \
  "2222"                                                                       \
  "844"
#define GMEM_IMAGE_SECTION_FIELDS "448844"

gmem_image_header_t gmem_image_header_at(const uint8_t *bytes);

gmem_image_section_t gmem_image_section_at(const uint8_t *bytes);

// X(type, function, section): TYPE FUNCTION(view, id) returns entry |id| of a
// section; |id| must be below the section's count.
#define GMEM_IMAGE_ENTRIES(X)                                                  \
  X(gmem_image_region_t, gmem_image_region, GMEM_IMAGE_REGIONS)                \
  X(gmem_image_buffer_t, gmem_image_buffer, GMEM_IMAGE_BUFFERS)                \
  X(gmem_op_range_t, gmem_image_range, GMEM_IMAGE_RANGES)                      \
  X(gmem_image_op_t, gmem_image_op, GMEM_IMAGE_OPS)                            \
  X(uint32_t, gmem_image_name_order, GMEM_IMAGE_NAME_ORDER)                    \
  X(gmem_image_group_t, gmem_image_group, GMEM_IMAGE_GROUPS)                   \
  X(gmem_image_weight_t, gmem_image_weight, GMEM_IMAGE_WEIGHTS)                \
  X(gmem_reloc_t, gmem_image_reloc, GMEM_IMAGE_RELOCS)                         \
  X(uint32_t, gmem_image_member, GMEM_IMAGE_MEMBERS)                           \
  X(gmem_workbuffer_t, gmem_image_workbuffer, GMEM_IMAGE_WORKBUFFERS)          \
  X(gmem_image_content_t, gmem_image_content, GMEM_IMAGE_CONTENTS)             \
  X(gmem_image_payload_t, gmem_image_payload, GMEM_IMAGE_PAYLOADS)             \
  X(gmem_plan_copy_t, gmem_image_copy, GMEM_IMAGE_COPIES)                      \
  X(gmem_image_span_t, gmem_image_span, GMEM_IMAGE_SPANS)                      \
  X(gmem_image_transform_t, gmem_image_transform, GMEM_IMAGE_TRANSFORMS)

#define GMEM_IMAGE_DECLARE(type, function, section)                            \
  type function(const gmem_image_view_t *view, uint32_t id);
GMEM_IMAGE_ENTRIES(GMEM_IMAGE_DECLARE)
#undef GMEM_IMAGE_DECLARE

// Loops over ids that are not in order prefetch entries this number of turns
// ahead.
enum { GMEM_IMAGE_AHEAD = 16 };

// Decodes entry |id|, of |size| bytes, of a section.
static inline void gmem_image_decode(const gmem_image_view_t *view,
                                     gmem_image_section_id_t section,
                                     uint32_t id, void *out, size_t size) {
  GMEM_ASSERT(id < view->section[section].count);
  GMEM_ASSERT(size == gmem_image_kind(section)->entry_size);
  memcpy(out, view->data + view->section[section].offset + (uint64_t)id * size,
         size);
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    gmem_image_reverse(gmem_image_kind(section)->fields, out);
}

// The number of four bytes at |bytes|.
static inline uint32_t gmem_image_u32(const uint8_t *bytes) {
  uint32_t value;
  gmem_image_convert("4", bytes, &value, sizeof value);
  return value;
}

// gmem_image_buffer and gmem_image_range for loops over all buffers: only the
// fields that the caller uses are loaded.
static inline gmem_image_buffer_t
gmem_image_buffer_inline(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_buffer_t buffer;
  gmem_image_decode(view, GMEM_IMAGE_BUFFERS, id, &buffer, sizeof buffer);
  return buffer;
}

// Begins to load a buffer.
static inline void gmem_image_prefetch(const gmem_image_view_t *view,
                                       uint32_t id) {
  __builtin_prefetch(view->data + view->section[GMEM_IMAGE_BUFFERS].offset +
                     (uint64_t)id * sizeof(gmem_image_buffer_t));
}

static inline gmem_op_range_t
gmem_image_range_inline(const gmem_image_view_t *view, uint32_t id) {
  gmem_op_range_t range;
  gmem_image_decode(view, GMEM_IMAGE_RANGES, id, &range, sizeof range);
  return range;
}

// The NUL-terminated name at |offset| of the names section.
const char *gmem_image_name(const gmem_image_view_t *view, uint32_t offset);

// The NUL-terminated name of group |id|.
const char *gmem_image_group_name(const gmem_image_view_t *view, uint32_t id);

// The NUL-terminated name of span |id|.
const char *gmem_image_span_name(const gmem_image_view_t *view, uint32_t id);
const char *gmem_image_transform_name(const gmem_image_view_t *view,
                                      uint32_t id);

// The entries [result, *out_end) of the transforms of |buffer|.
uint32_t gmem_image_chain(const gmem_image_view_t *view, uint32_t buffer,
                          uint32_t *out_end);

// Decodes all entries of a section to the array |out|.
void gmem_image_entries(const gmem_image_view_t *view,
                        gmem_image_section_id_t section, void *out);

// CRC-32C of a header and its section table, |size| bytes together, with the
// header's crc field taken as zero.
uint32_t gmem_image_crc(const uint8_t *data, size_t size);

// Bytes of one entry of a known section.
uint32_t gmem_image_entry_size(gmem_image_section_id_t id);

// The first entry in [begin, end) whose key is at least |key|, or |end|; keys
// ascend. O(log n).
typedef uint32_t (*gmem_image_key_fn)(const gmem_image_view_t *view,
                                      uint32_t id);
uint32_t gmem_image_first_at_least(const gmem_image_view_t *view,
                                   uint32_t begin, uint32_t end,
                                   gmem_image_key_fn key_of, uint32_t key);

// The index of the range in which |buffer| is live at |op|, or GMEM_NONE. O(log
// n). Requires buffers whose fields were checked.
uint32_t gmem_image_range_at(const gmem_image_view_t *view,
                             const gmem_image_buffer_t *buffer, uint32_t op);

// Bytes from the start of a buffer to its payload. O(log n). Requires payloads
// that were checked.
uint64_t gmem_image_payload_offset(const gmem_image_view_t *view,
                                   uint32_t buffer);

#endif // GMEM_RUNTIME_IMAGE_CODEC_H_
