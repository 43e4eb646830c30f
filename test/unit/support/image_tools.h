// image_tools.h - a sample plan, and images with wrong content but right
// checksums, for the tests of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_IMAGE_TOOLS_H_
#define GMEM_TEST_UNIT_IMAGE_TOOLS_H_

#include <string.h>

#include "hash/sha256.h"
#include "image_codec.h"
#include "plan_image.h"

static inline void put_header(uint8_t *data,
                              const gmem_image_header_t *header) {
  gmem_image_convert(GMEM_IMAGE_HEADER_FIELDS, header, data, sizeof *header);
}

static inline void put_section(uint8_t *data,
                               const gmem_image_section_t *section) {
  gmem_image_convert(GMEM_IMAGE_SECTION_FIELDS, section, data, sizeof *section);
}

static inline void store_crc(uint8_t *data, uint32_t crc) {
  gmem_image_convert("4", &crc, data + offsetof(gmem_image_header_t, crc),
                     sizeof crc);
}

// Where the data section begins, as far as the table can be believed; the end
// when there is none. |data| has at least a header.
static inline size_t hashed_end(const uint8_t *data, size_t size) {
  uint32_t count = gmem_image_header_at(data).section_count;
  for (size_t i = 0; i < count && 64 + 32 * (i + 1) <= size; ++i) {
    gmem_image_section_t section = gmem_image_section_at(data + 64 + 32 * i);
    if (section.id == GMEM_IMAGE_DATA && section.offset >= 64 &&
        section.offset <= size)
      return (size_t)section.offset;
  }
  return size;
}

// Makes the checksums right again, as far as the header can be believed, so
// that the checks behind them are reached.
static inline void fix_sums(uint8_t *data, size_t size) {
  if (size < sizeof(gmem_image_header_t))
    return;
  gmem_image_header_t header = gmem_image_header_at(data);
  size_t table_end = sizeof header + (size_t)header.section_count *
                                         sizeof(gmem_image_section_t);
  gmem_sha256(data + sizeof header, hashed_end(data, size) - sizeof header,
              data + offsetof(gmem_image_header_t, sha256));
  if (table_end <= size)
    store_crc(data, gmem_image_crc(data, table_end));
}

// A plan with everything in it:
//
//   step        0    1    2    3
//   ddr 256    |-input--|         |     ranges [0,2)
//       320    |  conv1/1--------|     [1,3), and its alias "view" [2,3)
//       256              | relu--|     reuses input's bytes, [2,4)
//       576    |two|     |two|         two lives, [0,1) and [2,3)
//       640    state: always
//   weights     w0, w1: always, "table" is shared work
static const gmem_op_range_t sample_ranges[] = {{0, 2}, {1, 3}, {2, 3}, {2, 4},
                                                {0, 1}, {2, 3}, {0, 4}};

static const gmem_region_info_t sample_regions[] = {
    {"weights", GMEM_SPACE_WEIGHT, 0x10000, 4096, 64},
    {"ddr", GMEM_SPACE_ACTIVATION, 0x20040, 1024, 64},
};

static const gmem_buffer_info_t sample_buffers[] = {
    {.name = "w0",
     .offset = 0,
     .size = 1000,
     .payload = 1000,
     .align = 64,
     .region = 0,
     .space = GMEM_SPACE_WEIGHT,
     .parent = GMEM_NONE,
     .threads = 1,
     .ranges = sample_ranges + 6,
     .range_count = 1},
    {.name = "w1",
     .offset = 1024,
     .size = 64,
     .payload = 60,
     .align = 1024,
     .region = 0,
     .space = GMEM_SPACE_WEIGHT,
     .parent = GMEM_NONE,
     .threads = 1},
    {.name = "table",
     .offset = 2048,
     .size = 128,
     .payload = 128,
     .align = 8,
     .region = 0,
     .space = GMEM_SPACE_SHARED_WORK,
     .parent = GMEM_NONE,
     .threads = 1},
    {.name = "input",
     .offset = 0,
     .size = 64,
     .payload = 64,
     .align = 64,
     .region = 1,
     .space = GMEM_SPACE_IO,
     .parent = GMEM_NONE,
     .threads = 1,
     .ranges = sample_ranges + 0,
     .range_count = 1,
     .flags = GMEM_BUFFER_INPUT | GMEM_BUFFER_IMPORTABLE},
    {.name = "conv1",
     .offset = 64,
     .size = 256,
     .payload = 250,
     .align = 128,
     .region = 1,
     .space = GMEM_SPACE_ACTIVATION,
     .parent = GMEM_NONE,
     .threads = 4,
     .ranges = sample_ranges + 1,
     .range_count = 1,
     .flags = GMEM_BUFFER_SENSITIVE},
    {.name = "view",
     .offset = 128,
     .size = 64,
     .payload = 64,
     .align = 64,
     .region = 1,
     .space = GMEM_SPACE_ACTIVATION,
     .parent = 4,
     .threads = 1,
     .ranges = sample_ranges + 2,
     .range_count = 1},
    {.name = "relu",
     .offset = 0,
     .size = 64,
     .payload = 64,
     .align = 64,
     .region = 1,
     .space = GMEM_SPACE_IO,
     .parent = GMEM_NONE,
     .threads = 1,
     .ranges = sample_ranges + 3,
     .range_count = 1,
     .flags = GMEM_BUFFER_OUTPUT},
    {.name = "two",
     .offset = 320,
     .size = 64,
     .payload = 64,
     .align = 1,
     .region = 1,
     .space = GMEM_SPACE_ACTIVATION,
     .parent = GMEM_NONE,
     .threads = 1,
     .ranges = sample_ranges + 4,
     .range_count = 2},
    {.name = "\xC3\xA9tat",
     .offset = 384,
     .size = 64,
     .payload = 64,
     .align = 64,
     .region = 1,
     .space = GMEM_SPACE_STATE,
     .parent = GMEM_NONE,
     .threads = 1},
    {.name = "nothing",
     .offset = 1024,
     .size = 0,
     .payload = 0,
     .align = 1,
     .region = 1,
     .space = GMEM_SPACE_ACTIVATION,
     .parent = GMEM_NONE,
     .threads = 1,
     .ranges = sample_ranges + 3,
     .range_count = 1},
};

static const char *const sample_op_names[] = {"load", "conv", NULL, "relu"};

enum { SAMPLE_BUFFERS = sizeof sample_buffers / sizeof sample_buffers[0] };

static inline gmem_plan_desc_t sample_desc(void) {
  return (gmem_plan_desc_t){.regions = sample_regions,
                            .region_count = 2,
                            .buffers = sample_buffers,
                            .buffer_count = SAMPLE_BUFFERS,
                            .op_count = 4,
                            .op_names = sample_op_names};
}

// The sample with every section that an image may have: the pieces that its
// description points to.
typedef struct full_sample_s {
  uint8_t content[4096]; // of the region "weights"
  gmem_weight_info_t weights[2];
  gmem_content_t contents[1];
  gmem_buffer_info_t buffers[SAMPLE_BUFFERS];
} full_sample_t;

enum { SAMPLE_W1 = 60 };    // bytes of the payload of w1
enum { SAMPLE_PADDED = 7 }; // of the full one: 40 bytes behind 16

static const gmem_buffer_t sample_members[] = {3, 4, 6, 0, 8};

static const gmem_group_info_t sample_groups[] = {
    {"first", sample_members, 3},
    {"\xC3\xA9mpty", NULL, 0},
    {"a second", sample_members + 3, 2},
};

static const gmem_workbuffer_t sample_work[] = {{1, 4}, {1, 2}, {2, 7}, {2, 8}};

static const gmem_reloc_t sample_relocs[] = {
    {0, 8, 3, GMEM_RELOC_ABS64, 0},
    {8, 0, 4, GMEM_RELOC_LO32, 0},
    {12, 256, 4, GMEM_RELOC_HI32, 0},
    {1, 0, 0, GMEM_RELOC_ABS64, 7},
};

// A loop that exchanges two values, and a call that copies a weight.
static const gmem_plan_copy_t sample_copies[] = {
    {1, 3, 4, 0, 16, GMEM_COPY_NEXT, GMEM_COPY_CYCLE, 0},
    {1, 4, 3, 0, 16, GMEM_COPY_NEXT, GMEM_COPY_CYCLE, 0},
    {2, 0, 4, 0, 8, GMEM_COPY_CALLEE, 0, 0},
    {2, 4, 3, 0, 1, GMEM_COPY_RESULTS, 0, 0},
    {2, 3, SAMPLE_PADDED, 1, 40, GMEM_COPY_RESULTS, 0, 0},
};

// A function, an op in it, and a group of two with another function's name
// before them in the order of names.
static const gmem_op_span_t sample_spans[] = {
    {"main", 0, 4},
    {"load", 1, 2},
    {"group", 2, 4},
    {"a in group", 2, 4},
};

// w0 is stored as it is; w1 is made of a source of 17 bytes by two transforms,
// so that its bytes in the content are zero.
static const gmem_plan_transform_t sample_transforms[] = {
    {"unpack", 1, 33},
    {"\xC3\xA9largir", 1, SAMPLE_W1},
};

// 3 x 4 elements of 2 bytes, 8 apart by rows, with a row of border in front
// and four elements behind. Column 0 is not valid.
static const gmem_plan_dimension_t sample_dimensions[] = {
    {SAMPLE_PADDED, GMEM_PLAN_BORDER_REPLICATE, 0, 2, 3, 8, 1, 0, 0, 3},
    {SAMPLE_PADDED, GMEM_PLAN_BORDER_REPLICATE, 0, 2, 4, 1, 0, 4, 1, 4},
};

static inline gmem_plan_desc_t full_desc(full_sample_t *parts) {
  memset(parts, 0, sizeof *parts);
  for (int i = 0; i < 1000; ++i)
    parts->content[i] = (uint8_t)(i * 7 + i / 256);
  parts->weights[0] = (gmem_weight_info_t){.buffer = 0, .source_size = 1000};
  gmem_sha256(parts->content, 1000, parts->weights[0].digest);
  parts->weights[1] = (gmem_weight_info_t){.buffer = 1, .source_size = 17};
  gmem_sha256("seventeen bytes..", 17, parts->weights[1].digest);
  parts->contents[0] = (gmem_content_t){0, parts->content};
  gmem_plan_desc_t desc = sample_desc();
  memcpy(parts->buffers, sample_buffers, sizeof sample_buffers);
  parts->buffers[SAMPLE_PADDED].payload = 40;
  parts->buffers[SAMPLE_PADDED].payload_offset = 16;
  desc.buffers = parts->buffers;
  desc.groups = sample_groups;
  desc.group_count = 3;
  desc.workbuffers = sample_work;
  desc.workbuffer_count = 4;
  desc.weights = parts->weights;
  desc.weight_count = 2;
  desc.contents = parts->contents;
  desc.content_count = 1;
  desc.relocs = sample_relocs;
  desc.reloc_count = 4;
  desc.copies = sample_copies;
  desc.copy_count = 5;
  desc.spans = sample_spans;
  desc.span_count = 4;
  desc.transforms = sample_transforms;
  desc.transform_count = 2;
  desc.dimensions = sample_dimensions;
  desc.dimension_count = 2;
  return desc;
}

#endif // GMEM_TEST_UNIT_IMAGE_TOOLS_H_
