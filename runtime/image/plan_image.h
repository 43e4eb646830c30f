// plan_image.h - the plan image on disk (docs/plan-image.md), and a checked
// view of one in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structs have the layout of the bytes, but bytes are never cast to them:
// gmem_image_convert copies them, so that images may be unaligned and hosts
// big-endian.

#ifndef GMEM_RUNTIME_PLAN_IMAGE_H_
#define GMEM_RUNTIME_PLAN_IMAGE_H_

#include <assert.h>
#include <stdbool.h>

#include "gmem/plan.h"

#define GMEM_IMAGE_MAGIC "\x89GMEM\r\n\x1a" // the 8 bytes before the NUL

enum {
  GMEM_IMAGE_MAGIC_SIZE = 8,
  GMEM_IMAGE_MAJOR = 1,
  GMEM_IMAGE_MINOR = 1,            // if there are optional sections, else 0
  GMEM_IMAGE_MINOR_PAYLOADS = 2,   // if there is a payloads section
  GMEM_IMAGE_MINOR_COPIES = 3,     // if there is a copies section
  GMEM_IMAGE_MINOR_SPANS = 4,      // if there is a spans section
  GMEM_IMAGE_MINOR_TRANSFORMS = 5, // if there is a transforms section
  GMEM_IMAGE_MINOR_DIMENSIONS = 6, // if there is a dimensions section
  GMEM_IMAGE_MAX_SECTIONS = 64,
  GMEM_IMAGE_ALIGN = 8,                   // of sections and of the file's end
  GMEM_IMAGE_MAX_SECTION_ALIGN = 1 << 21, // room for mapped sections
  GMEM_IMAGE_PAGE = 4096, // alignment and unit of region contents
  // Section flags.
  GMEM_IMAGE_MANDATORY = 1, // readers that do not support it must fail
  GMEM_IMAGE_UNHASHED = 2,  // not covered by the header's SHA-256
};

// Section ids. Sections up to GMEM_IMAGE_NAMES are always present, the others
// only if not empty. The data section is the last one in a file; ids 21 to 30
// are reserved for later minor versions.
typedef enum gmem_image_section_id_e {
  GMEM_IMAGE_REGIONS = 1,
  GMEM_IMAGE_BUFFERS = 2,
  GMEM_IMAGE_RANGES = 3,
  GMEM_IMAGE_OPS = 4,
  GMEM_IMAGE_NAME_ORDER = 5, // buffer ids (u32) sorted by name
  GMEM_IMAGE_NAMES = 6,      // NUL-terminated names
  GMEM_IMAGE_GROUPS = 7,
  GMEM_IMAGE_WEIGHTS = 8,
  GMEM_IMAGE_RELOCS = 9,
  GMEM_IMAGE_MEMBERS = 10,     // buffer ids (u32), group by group
  GMEM_IMAGE_GROUP_NAMES = 11, // NUL-terminated names
  GMEM_IMAGE_WORKBUFFERS = 12,
  GMEM_IMAGE_CONTENTS = 13, // layout of the data section
  GMEM_IMAGE_PAYLOADS = 14, // nonzero payload offsets
  GMEM_IMAGE_COPIES = 15,
  GMEM_IMAGE_SPANS = 16,
  GMEM_IMAGE_SPAN_NAMES = 17, // NUL-terminated names
  GMEM_IMAGE_TRANSFORMS = 18,
  GMEM_IMAGE_TRANSFORM_NAMES = 19, // NUL-terminated names
  GMEM_IMAGE_DIMENSIONS = 20,      // of elements that are not contiguous
  GMEM_IMAGE_DATA = 31,            // contents of regions, in pages
  GMEM_IMAGE_SECTION_END = 32,
} gmem_image_section_id_t;

typedef struct gmem_image_header_s {
  uint8_t magic[GMEM_IMAGE_MAGIC_SIZE];
  uint16_t major;
  uint16_t minor;
  uint16_t header_size;
  uint16_t section_count;
  uint64_t file_size;
  uint32_t crc; // of header and section table, with this field 0
  uint32_t reserved;
  uint8_t sha256[GMEM_PLAN_DIGEST_SIZE]; // of everything after the header
} gmem_image_header_t;
static_assert(sizeof(gmem_image_header_t) == 64, "on-disk layout");

typedef struct gmem_image_section_s {
  uint32_t id;
  uint32_t flags;
  uint64_t offset;
  uint64_t size;
  uint32_t entry_size;
  uint32_t align;
} gmem_image_section_t;
static_assert(sizeof(gmem_image_section_t) == 32, "on-disk layout");

typedef struct gmem_image_region_s {
  uint64_t base;
  uint64_t size;
  uint32_t align;
  uint32_t space;
  uint32_t name_offset;
  uint32_t name_length;
  uint64_t reserved;
} gmem_image_region_t;
static_assert(sizeof(gmem_image_region_t) == 40, "on-disk layout");

typedef struct gmem_image_buffer_s {
  uint64_t offset;
  uint64_t size;
  uint64_t payload;
  uint32_t align;
  uint32_t region;
  uint32_t space;
  uint32_t flags;
  uint32_t parent;
  uint32_t threads;
  uint32_t first_range;
  uint32_t range_count;
  uint32_t name_offset;
  uint32_t name_length;
} gmem_image_buffer_t;
static_assert(sizeof(gmem_image_buffer_t) == 64, "on-disk layout");

typedef struct gmem_image_op_s {
  uint32_t name_offset;
  uint32_t name_length;
} gmem_image_op_t;
static_assert(sizeof(gmem_image_op_t) == 8, "on-disk layout");
static_assert(sizeof(gmem_op_range_t) == 8, "on-disk layout");

typedef struct gmem_image_group_s {
  uint32_t name_offset; // in the group names
  uint32_t name_length;
  uint32_t first_member;
  uint32_t member_count;
} gmem_image_group_t;
static_assert(sizeof(gmem_image_group_t) == 16, "on-disk layout");

typedef struct gmem_image_span_s {
  uint32_t begin;
  uint32_t end;
  uint32_t name_offset; // in the span names
  uint32_t name_length;
  uint32_t by_name; // the span of this rank by name
} gmem_image_span_t;
static_assert(sizeof(gmem_image_span_t) == 20, "on-disk layout");

typedef struct gmem_image_weight_s {
  uint32_t buffer;
  uint32_t reserved;
  uint64_t source_size;
  uint64_t transform;
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
} gmem_image_weight_t;
static_assert(sizeof(gmem_image_weight_t) == 56, "on-disk layout");

typedef struct gmem_image_transform_s {
  uint32_t buffer;
  uint32_t name_offset; // in the transform names
  uint32_t name_length;
  uint32_t reserved;
  uint64_t size;
} gmem_image_transform_t;
static_assert(sizeof(gmem_image_transform_t) == 24, "on-disk layout");

typedef struct gmem_image_content_s {
  uint32_t region;
  uint32_t reserved;
  uint64_t offset; // bytes from the start of the data section
  uint64_t size;   // bytes, a multiple of GMEM_IMAGE_PAGE
} gmem_image_content_t;
static_assert(sizeof(gmem_image_content_t) == 24, "on-disk layout");

typedef struct gmem_image_payload_s {
  uint32_t buffer;
  uint32_t reserved;
  uint64_t offset; // bytes from the start of the buffer, not 0
} gmem_image_payload_t;
static_assert(sizeof(gmem_image_payload_t) == 16, "on-disk layout");

static_assert(sizeof(gmem_reloc_t) == 24, "on-disk layout");
static_assert(sizeof(gmem_workbuffer_t) == 8, "on-disk layout");
static_assert(sizeof(gmem_plan_copy_t) == 32, "on-disk layout");
static_assert(sizeof(gmem_plan_dimension_t) == 64, "on-disk layout");

// Locations of the known sections of an image. Valid once gmem_image_open has
// verified that each is inside the file and has a whole number of entries.
typedef struct gmem_image_view_s {
  const uint8_t *data; // at least |meta_size| bytes
  uint64_t size;       // bytes of the whole image
  uint64_t meta_size;  // bytes before the data section; all if there is none
  struct {
    uint64_t offset; // bytes from the start of the image; 0: absent
    uint32_t count;  // entries; bytes for sections of names
  } section[GMEM_IMAGE_SECTION_END]; // by id; 0 is unused
} gmem_image_view_t;

// Properties of all sections with the same id.
typedef struct gmem_image_kind_s {
  char name[16];
  uint32_t max_count;  // entries
  uint16_t entry_size; // bytes
  uint16_t align;
  uint32_t flags;  // GMEM_IMAGE_MANDATORY, ...
  char fields[16]; // of an entry, for gmem_image_convert
} gmem_image_kind_t;

// Whether buffers of |space| hold a value at every step and between requests.
static inline bool gmem_image_always_live(uint32_t space) {
  return space == GMEM_SPACE_WEIGHT || space == GMEM_SPACE_SHARED_WORK ||
         space == GMEM_SPACE_STATE;
}

// Whether a region of |space|, and the buffers in it, exist once per model.
static inline bool gmem_image_shared(uint32_t space) {
  return space == GMEM_SPACE_WEIGHT || space == GMEM_SPACE_SHARED_WORK;
}

#endif // GMEM_RUNTIME_PLAN_IMAGE_H_
