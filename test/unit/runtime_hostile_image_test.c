// runtime_hostile_image_test.c - damaged and malicious plan images: whatever
// the bytes are, loading them is safe, and what is accepted is true.
// RUN: %unit/runtime_hostile_image_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "image_tools.h"

enum { IMAGE_ROOM = 4096 };

static uint8_t valid[IMAGE_ROOM]; // the sample plan's image
static size_t valid_size;

static void make_valid(void) {
  void *data = NULL;
  gmem_plan_desc_t desc = sample_desc();
  CHECK(gmem_plan_write(&desc, NULL, &data, &valid_size, NULL) == GMEM_OK);
  CHECK(valid_size > 900 && valid_size <= IMAGE_ROOM);
  if (data && valid_size <= IMAGE_ROOM)
    memcpy(valid, data, valid_size);
  gmem_plan_data_free(NULL, data, valid_size);
}

//===--- accepted means true: a naive checker -----------------------------===//

static bool kept(const gmem_buffer_info_t *b) {
  return b->space != GMEM_SPACE_ACTIVATION && b->space != GMEM_SPACE_IO;
}

static bool live_at(const gmem_buffer_info_t *b, uint32_t step) {
  if (kept(b))
    return true;
  for (uint32_t i = 0; i < b->range_count; ++i)
    if (b->ranges[i].begin <= step && step < b->ranges[i].end)
      return true;
  return false;
}

static bool live_together(const gmem_buffer_info_t *a,
                          const gmem_buffer_info_t *b, uint32_t steps) {
  if (kept(a) && kept(b))
    return true;
  for (uint32_t step = 0; step < steps; ++step)
    if (live_at(a, step) && live_at(b, step))
      return true;
  return false;
}

// Whether |a| and |b| clash, in quadratic time and without a clever thought.
static bool clash(const gmem_buffer_info_t *a, const gmem_buffer_info_t *b,
                  uint32_t steps) {
  if (a->parent != GMEM_NONE || b->parent != GMEM_NONE)
    return false;
  return a->size > 0 && b->size > 0 && a->region == b->region &&
         a->offset < b->offset + b->size && b->offset < a->offset + a->size &&
         live_together(a, b, steps);
}

static bool child_is_covered(const gmem_plan_t *plan,
                             const gmem_buffer_info_t *child) {
  gmem_buffer_info_t parent;
  if (gmem_plan_buffer(plan, child->parent, &parent) != GMEM_OK ||
      parent.parent != GMEM_NONE || parent.region != child->region ||
      child->offset < parent.offset ||
      child->offset + child->size > parent.offset + parent.size)
    return false;
  for (uint32_t step = 0; step < gmem_plan_op_count(plan); ++step)
    if (live_at(child, step) && !live_at(&parent, step))
      return false;
  return true;
}

static bool buffer_is_placed(const gmem_plan_t *plan,
                             const gmem_buffer_info_t *b) {
  gmem_region_info_t region;
  if (gmem_plan_region(plan, b->region, &region) != GMEM_OK)
    return false;
  return b->offset + b->size <= region.size && b->align > 0 &&
         (b->align & (b->align - 1)) == 0 &&
         (region.base + b->offset) % b->align == 0 && b->payload <= b->size;
}

static bool plan_is_true(const gmem_plan_t *plan) {
  uint32_t steps = gmem_plan_op_count(plan);
  for (uint32_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t a, b;
    if (gmem_plan_buffer(plan, i, &a) != GMEM_OK ||
        gmem_plan_find(plan, a.name) != i || !buffer_is_placed(plan, &a) ||
        (a.parent != GMEM_NONE && !child_is_covered(plan, &a)))
      return false;
    for (uint32_t k = 0; k < i; ++k)
      if (gmem_plan_buffer(plan, k, &b) != GMEM_OK || clash(&a, &b, steps))
        return false;
  }
  return true;
}

// Loads an exact-size copy, so that a sanitizer sees any read past its end.
static gmem_status_t load_status(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size ? size : 1);
  if (!exact)
    return GMEM_ERR_OUT_OF_MEMORY;
  memcpy(exact, data, size);
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_plan_load_memory(exact, size, GMEM_LOAD_BORROW, NULL, &plan, &diag);
  CHECK((status == GMEM_OK) == (plan != NULL));
  CHECK(status == GMEM_OK || (diag.status == status && diag.text[0] != '\0' &&
                              strlen(diag.text) < sizeof diag.text - 1));
  CHECK(status != GMEM_OK || plan_is_true(plan));
  gmem_plan_release(plan);
  free(exact);
  return status;
}

//===--- damage -----------------------------------------------------------===//

static void test_every_truncation(void) {
  for (size_t size = 0; size < valid_size; ++size)
    CHECK(load_status(valid, size) == GMEM_ERR_CORRUPT);
  uint8_t longer[IMAGE_ROOM + 8] = {0};
  memcpy(longer, valid, valid_size);
  for (size_t size = valid_size + 1; size <= valid_size + 8; ++size)
    CHECK(load_status(longer, size) == GMEM_ERR_CORRUPT);
}

static void test_every_bit_flip(void) {
  uint8_t data[IMAGE_ROOM];
  memcpy(data, valid, valid_size);
  for (size_t bit = 0; bit < 8 * valid_size; ++bit) {
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    CHECK(load_status(data, valid_size) != GMEM_OK);
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  CHECK(load_status(data, valid_size) == GMEM_OK);
}

// The same with right checksums: now only the structure can tell. Says how
// many were accepted; all of these passed the naive checker.
static void test_every_bit_flip_with_right_sums(void) {
  uint8_t data[IMAGE_ROOM];
  unsigned accepted = 0;
  for (size_t bit = 0; bit < 8 * valid_size; ++bit) {
    memcpy(data, valid, valid_size);
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    fix_sums(data, valid_size);
    accepted += load_status(data, valid_size) == GMEM_OK;
  }
  // A flipped payload, flag or name is another plan, as good as this one.
  CHECK(accepted > 100 && accepted < 8 * valid_size / 2);
}

// Every aligned 16, 32 and 64 bit word at extreme values.
static void test_every_word_at_its_extremes(void) {
  static const uint64_t values[] = {0,
                                    1,
                                    2,
                                    0x7F,
                                    0x80,
                                    0xFFFF,
                                    0x10000,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    UINT32_MAX,
                                    UINT64_C(1) << 32,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX,
                                    UINT64_MAX - 7,
                                    UINT64_C(1) << 40,
                                    (UINT64_C(1) << 40) + 8,
                                    1024,
                                    1025,
                                    UINT64_C(1) << 30,
                                    UINT64_C(1) << 24,
                                    (UINT64_C(1) << 24) + 1};
  for (size_t width = 2; width <= 8; width *= 2)
    for (size_t at = 0; at + width <= valid_size; at += width)
      for (size_t v = 0; v < sizeof values / sizeof values[0]; ++v) {
        uint8_t data[IMAGE_ROOM];
        memcpy(data, valid, valid_size);
        for (size_t i = 0; i < width; ++i)
          data[at + i] = (uint8_t)(values[v] >> (8 * i));
        fix_sums(data, valid_size);
        (void)load_status(data, valid_size); // checks what it accepts
      }
}

//===--- the envelope -----------------------------------------------------===//

// The status of the sample with |width| bytes at |at| set to |value| and the
// sums made right.
static gmem_status_t patched(size_t at, size_t width, uint64_t value) {
  uint8_t data[IMAGE_ROOM];
  memcpy(data, valid, valid_size);
  for (size_t i = 0; i < width; ++i)
    data[at + i] = (uint8_t)(value >> (8 * i));
  fix_sums(data, valid_size);
  return load_status(data, valid_size);
}

static void test_header_fields(void) {
  CHECK(patched(0, 1, 0) == GMEM_ERR_CORRUPT); // magic
  CHECK(patched(8, 2, 0) == GMEM_ERR_VERSION);
  CHECK(patched(8, 2, 2) == GMEM_ERR_VERSION);
  CHECK(patched(10, 2, 0xFFFF) == GMEM_OK); // minor versions only add
  CHECK(patched(12, 2, 72) == GMEM_ERR_CORRUPT);
  CHECK(patched(14, 2, 0xFFFF) == GMEM_ERR_CORRUPT);
  CHECK(patched(14, 2, 5) == GMEM_ERR_CORRUPT);
  CHECK(patched(14, 2, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(16, 8, UINT64_MAX) == GMEM_ERR_CORRUPT);
  CHECK(patched(28, 4, 1) == GMEM_ERR_CORRUPT);
}

static void test_table_fields(void) {
  for (size_t section = 0; section < 6; ++section) {
    size_t at = 64 + 32 * section;
    CHECK(patched(at, 4, 0) == GMEM_ERR_CORRUPT);
    CHECK(patched(at, 4, UINT32_MAX) != GMEM_OK);
    CHECK(patched(at + 4, 4, 0) == GMEM_ERR_CORRUPT); // not mandatory
    CHECK(patched(at + 4, 4, 3) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 8, 8, 0) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 8, 8, UINT64_MAX) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 16, 8, UINT64_MAX) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 24, 4, 0) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 24, 4, 3) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 28, 4, 4) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 28, 4, 16) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 28, 4, 0) == GMEM_ERR_CORRUPT);
  }
}

// Appends a section of 8 bytes to the sample, which moves all others.
static gmem_status_t with_section(uint32_t id, uint32_t flags) {
  uint8_t data[IMAGE_ROOM + 64] = {0};
  size_t table_end = 64 + 32 * 6, size = valid_size + 32 + 8;
  memcpy(data, valid, table_end);
  memcpy(data + table_end + 32, valid + table_end, valid_size - table_end);
  for (size_t i = 0; i < 6; ++i) {
    gmem_image_section_t moved = gmem_image_section_at(data + 64 + 32 * i);
    moved.offset += 32;
    gmem_image_put_section(data + 64 + 32 * i, &moved);
  }
  gmem_image_section_t added = {id, flags, size - 8, 8, 8, 8};
  gmem_image_put_section(data + table_end, &added);
  gmem_image_header_t header = gmem_image_header_at(data);
  header.section_count = 7;
  header.file_size = size;
  gmem_image_put_header(data, &header);
  fix_sums(data, size);
  return load_status(data, size);
}

static void test_unknown_sections(void) {
  CHECK(with_section(14, 0) == GMEM_OK); // of a later minor version
  CHECK(with_section(1000, 0) == GMEM_OK);
  CHECK(with_section(UINT32_MAX, 0) == GMEM_OK);
  CHECK(with_section(14, 1) == GMEM_ERR_VERSION);
  CHECK(with_section(1000, 1) == GMEM_ERR_VERSION);
  CHECK(with_section(1000, 2) == GMEM_ERR_CORRUPT);
  CHECK(with_section(6, 1) == GMEM_ERR_CORRUPT); // twice
}

// Padding is the only place where bytes could hide.
static void test_padding_is_zero(void) {
  gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"r", GMEM_SPACE_IO, 0, 8, 1};
  gmem_buffer_info_t buffer = {.name = "b",
                               .size = 8,
                               .align = 1,
                               .space = GMEM_SPACE_IO,
                               .ranges = &step,
                               .range_count = 1,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  void *data = NULL;
  size_t size = 0;
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  uint8_t *bytes = data;
  // The last 16 bytes: name order 0, padding, "r", "b", padding.
  size_t padding[] = {size - 12, size - 9, size - 4, size - 1};
  for (int i = 0; i < 4; ++i) {
    CHECK(bytes[padding[i]] == 0);
    bytes[padding[i]] = 1;
    fix_sums(bytes, size);
    CHECK(load_status(bytes, size) == GMEM_ERR_CORRUPT);
    bytes[padding[i]] = 0;
  }
  fix_sums(bytes, size);
  CHECK(load_status(bytes, size) == GMEM_OK);
  gmem_plan_data_free(NULL, data, size);
}

//===--- entries ----------------------------------------------------------===//

// Byte offset of a member of an entry of the sample's image.
static size_t entry_at(uint32_t section, uint32_t id, size_t member) {
  gmem_image_section_t info =
      gmem_image_section_at(valid + 64 + 32 * (section - 1));
  return (size_t)info.offset + id * info.entry_size + member;
}

#define BUFFER_AT(id, member)                                                  \
  entry_at(GMEM_IMAGE_BUFFERS, id, offsetof(gmem_image_buffer_t, member))
#define REGION_AT(id, member)                                                  \
  entry_at(GMEM_IMAGE_REGIONS, id, offsetof(gmem_image_region_t, member))

static void test_buffer_fields(void) {
  CHECK(patched(BUFFER_AT(3, offset), 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, offset), 8, 1024) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, offset), 8, 32) == GMEM_ERR_ALIGNMENT);
  CHECK(patched(BUFFER_AT(3, offset), 8, 64) == GMEM_ERR_OVERLAP);
  CHECK(patched(BUFFER_AT(3, size), 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, size), 8, 65) == GMEM_ERR_OVERLAP);
  CHECK(patched(BUFFER_AT(3, size), 8, 0) == GMEM_ERR_OUT_OF_RANGE); // payload
  CHECK(patched(BUFFER_AT(3, payload), 8, 0) == GMEM_OK);
  CHECK(patched(BUFFER_AT(3, payload), 8, 65) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, align), 4, 0) == GMEM_ERR_ALIGNMENT);
  CHECK(patched(BUFFER_AT(3, align), 4, 0x80000000) == GMEM_ERR_ALIGNMENT);
  CHECK(patched(BUFFER_AT(3, region), 4, 2) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, region), 4, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, space), 4, 5) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, space), 4, 4) == GMEM_ERR_OVERLAP);
  CHECK(patched(BUFFER_AT(3, flags), 4, 15) == GMEM_OK);
  CHECK(patched(BUFFER_AT(3, flags), 4, 16) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, parent), 4, 3) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, parent), 4, 10) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, threads), 4, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, first_range), 4, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, range_count), 4, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, range_count), 4, UINT32_MAX) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(BUFFER_AT(3, name_offset), 4, UINT32_MAX) == GMEM_ERR_CORRUPT);
  CHECK(patched(BUFFER_AT(3, name_length), 4, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(BUFFER_AT(3, name_length), 4, 4) == GMEM_ERR_CORRUPT);
  CHECK(patched(BUFFER_AT(3, name_length), 4, 256) == GMEM_ERR_CORRUPT);
}

static void test_other_fields(void) {
  CHECK(patched(REGION_AT(1, size), 8, 1023) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(REGION_AT(1, size), 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(REGION_AT(1, base), 8, 0x20041) == GMEM_ERR_ALIGNMENT);
  CHECK(patched(REGION_AT(1, base), 8, 0x20000) == GMEM_ERR_ALIGNMENT);
  CHECK(patched(REGION_AT(1, align), 4, 0) == GMEM_ERR_ALIGNMENT);
  CHECK(patched(REGION_AT(1, space), 4, 5) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(REGION_AT(1, space), 4, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(REGION_AT(1, reserved), 8, 1) == GMEM_ERR_OUT_OF_RANGE);
  size_t range = entry_at(GMEM_IMAGE_RANGES, 1, 0);     // of the buffer "input"
  CHECK(patched(range, 4, 2) == GMEM_ERR_OUT_OF_RANGE); // empty
  CHECK(patched(range + 4, 4, 5) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(range + 4, 4, 3) == GMEM_ERR_OVERLAP);
  size_t order = entry_at(GMEM_IMAGE_NAME_ORDER, 0, 0);
  CHECK(patched(order, 4, 10) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(order, 4, 9) == GMEM_ERR_CORRUPT);
  CHECK(patched(entry_at(GMEM_IMAGE_OPS, 2, 4), 4, 1) == GMEM_ERR_CORRUPT);
  CHECK(patched(entry_at(GMEM_IMAGE_NAMES, 0, 0), 1, '\n') == GMEM_ERR_CORRUPT);
  CHECK(patched(entry_at(GMEM_IMAGE_NAMES, 0, 0), 1, 0) == GMEM_ERR_CORRUPT);
}

//===--- random plans and mutations ---------------------------------------===//

static uint64_t random_state = 1;

// Below |bound|. Fixed seed: every run is the same.
static uint32_t random_below(uint32_t bound) {
  random_state =
      random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)(random_state >> 33) % bound;
}

static void test_random_mutations(void) {
  unsigned accepted = 0, rounds = 30000;
  for (unsigned round = 0; round < rounds; ++round) {
    uint8_t data[IMAGE_ROOM];
    memcpy(data, valid, valid_size);
    for (uint32_t i = random_below(3) + 1; i > 0; --i) {
      size_t at = 256 + random_below((uint32_t)valid_size - 256);
      data[at] = (uint8_t)random_below(random_below(2) ? 256 : 8);
    }
    fix_sums(data, valid_size);
    accepted += load_status(data, valid_size) == GMEM_OK;
  }
  CHECK(accepted > rounds / 100); // else nothing deep was reached
}

enum { CROWD = 12, STEPS = 6 };

// Random small plans: the loader accepts exactly those in which the naive
// checker finds no clash.
static void test_random_plans_agree(void) {
  unsigned accepted = 0, refused = 0;
  gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0, 64, 1};
  for (int round = 0; round < 20000; ++round) {
    gmem_buffer_info_t buffers[CROWD];
    gmem_op_range_t ranges[CROWD][2];
    char names[CROWD][16];
    uint32_t count = 2 + random_below(CROWD - 2);
    for (uint32_t i = 0; i < count; ++i) {
      snprintf(names[i], sizeof names[i], "b%u", (unsigned)i);
      uint32_t first = random_below(STEPS), gap = random_below(STEPS);
      ranges[i][0] = (gmem_op_range_t){first, first + 1};
      ranges[i][1] = (gmem_op_range_t){first + 1 + gap, first + 2 + gap};
      uint32_t size = random_below(6);
      buffers[i] = (gmem_buffer_info_t){
          .name = names[i],
          .offset = random_below(64 - size),
          .size = size,
          .align = 1,
          .space = random_below(8) ? GMEM_SPACE_ACTIVATION : GMEM_SPACE_STATE,
          .ranges = ranges[i],
          .range_count = 1 + random_below(2),
          .parent = GMEM_NONE,
          .threads = 1};
    }
    bool clashes = false;
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t k = 0; k < i; ++k)
        clashes |= clash(&buffers[i], &buffers[k], 2 * STEPS);
    gmem_plan_desc_t desc = {.regions = &region,
                             .region_count = 1,
                             .buffers = buffers,
                             .buffer_count = count,
                             .op_count = 2 * STEPS};
    void *data = NULL;
    size_t size = 0;
    gmem_status_t status = gmem_plan_write(&desc, NULL, &data, &size, NULL);
    CHECK(status == (clashes ? GMEM_ERR_OVERLAP : GMEM_OK));
    clashes ? ++refused : ++accepted;
    gmem_plan_data_free(NULL, data, size);
  }
  CHECK(accepted > 1000 && refused > 1000);
}

int main(void) {
  make_valid();
  if (check_failures)
    return CHECK_RESULT();
  test_every_truncation();
  test_every_bit_flip();
  test_every_bit_flip_with_right_sums();
  test_every_word_at_its_extremes();
  test_header_fields();
  test_table_fields();
  test_unknown_sections();
  test_padding_is_zero();
  test_buffer_fields();
  test_other_fields();
  test_random_mutations();
  test_random_plans_agree();
  return CHECK_RESULT();
}
