// image_mutator.h - damages an image the way that gets past its envelope: one
// field of one entry, with checksums that are right again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_IMAGE_MUTATOR_H_
#define GMEM_TEST_UNIT_IMAGE_MUTATOR_H_

#include "image_codec.h"
#include "image_tools.h"

// Below |bound| > 0. The same sequence on every machine.
static inline uint32_t mutator_random(uint64_t *state, uint32_t bound) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)(*state >> 33) % bound;
}

static inline uint64_t read_field(const uint8_t *at, size_t width) {
  uint64_t value = 0;
  for (size_t i = 0; i < width; ++i)
    value |= (uint64_t)at[i] << 8 * i;
  return value;
}

static inline void write_field(uint8_t *at, size_t width, uint64_t value) {
  for (size_t i = 0; i < width; ++i)
    at[i] = (uint8_t)(value >> 8 * i);
}

// A value that somebody may have forgotten, for a field that now is |old|.
static inline uint64_t wrong_value(uint64_t old, uint64_t *state) {
  static const uint64_t edges[] = {0,
                                   1,
                                   2,
                                   255,
                                   256,
                                   1024,
                                   1025,
                                   4096,
                                   UINT16_MAX,
                                   INT32_MAX,
                                   UINT32_MAX,
                                   UINT64_C(1) << 24,
                                   UINT64_C(1) << 26,
                                   UINT64_C(1) << 40,
                                   INT64_MAX,
                                   UINT64_C(1) << 63,
                                   UINT64_MAX,
                                   UINT64_MAX - 4095};
  switch (mutator_random(state, 6)) {
  case 0:
    return edges[mutator_random(state, sizeof edges / sizeof edges[0])];
  case 1:
    return old + 1;
  case 2:
    return old - 1;
  case 3:
    return old ^ UINT64_C(1) << mutator_random(state, 64);
  case 4:
    return mutator_random(state, 16);
  default:
    return old + 4096 * (uint64_t)mutator_random(state, 4) - 8192;
  }
}

// Changes a field of a random section's entries, of its entry in the table, or
// copies one field over another. Leaves what is no image as it is.
static inline void mutate_image(uint8_t *data, size_t size, uint64_t *state) {
  if (size < sizeof(gmem_image_header_t))
    return;
  uint32_t count = gmem_image_header_at(data).section_count;
  if (count == 0 || count > GMEM_IMAGE_MAX_SECTIONS || 64 + 32 * count > size)
    return;
  size_t table_at = 64 + 32 * (size_t)mutator_random(state, count);
  gmem_image_section_t section = gmem_image_section_at(data + table_at);
  size_t begin = table_at, room = sizeof section;
  bool inside = section.offset <= size && section.size <= size - section.offset;
  if (inside && section.size >= 8 && mutator_random(state, 8) != 0)
    begin = (size_t)section.offset, room = (size_t)section.size;
  size_t width = (size_t)1 << mutator_random(state, 4); // 1 to 8
  size_t fields = room / width;
  if (fields == 0 || fields > UINT32_MAX)
    return;
  uint8_t *at = data + begin + width * mutator_random(state, (uint32_t)fields);
  uint8_t *from =
      data + begin + width * mutator_random(state, (uint32_t)fields);
  uint64_t old = read_field(at, width);
  write_field(at, width,
              mutator_random(state, 4) == 0 ? read_field(from, width)
                                            : wrong_value(old, state));
  fix_sums(data, size);
}

// Makes the header's own fields right, except for the version and the number
// of sections.
static inline void fix_header(uint8_t *data, size_t size) {
  if (size < sizeof(gmem_image_header_t))
    return;
  gmem_image_header_t header = gmem_image_header_at(data);
  memcpy(header.magic, GMEM_IMAGE_MAGIC, sizeof header.magic);
  header.header_size = sizeof header;
  header.file_size = size;
  header.reserved = 0;
  put_header(data, &header);
  fix_sums(data, size);
}

#endif // GMEM_TEST_UNIT_IMAGE_MUTATOR_H_
