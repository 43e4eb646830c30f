// runtime_hostile_image_test.c - damaged and malicious plan images: whatever
// the bytes are, loading them is safe, and what is accepted is true.
// RUN: %unit/runtime_hostile_image_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "content_check.h"
#include "image_mutator.h"
#include "image_open.h"
#include "plan_checker.h"

enum { IMAGE_ROOM = 8192 };

static uint8_t valid[IMAGE_ROOM]; // the image of a sample plan
static size_t valid_size;
static size_t valid_hashed; // bytes before its data section
static size_t valid_used;   // of these, before the padding

static void make_valid(const gmem_plan_desc_t *desc) {
  void *data = NULL;
  CHECK(gmem_plan_write(desc, NULL, &data, &valid_size, NULL) == GMEM_OK);
  CHECK(valid_size > 900 && valid_size <= IMAGE_ROOM);
  if (data && valid_size <= IMAGE_ROOM)
    memcpy(valid, data, valid_size);
  gmem_plan_data_free(NULL, data, valid_size);
  valid_hashed = hashed_end(valid, valid_size);
  for (valid_used = valid_hashed; valid[valid_used - 1] == 0;)
    --valid_used;
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

// Whether the content of region 0 is what the digests in the image say.
static bool content_is_right(const uint8_t *data, size_t size) {
  gmem_image_view_t view;
  return gmem_image_open(data, size, &view, NULL) == GMEM_OK &&
         gmem_image_check_content(&view, 0, data + view.meta_size, NULL) ==
             GMEM_OK;
}

// What loading does not find, as it does not look at it, a digest does.
static void test_every_bit_flip(void) {
  uint8_t data[IMAGE_ROOM];
  memcpy(data, valid, valid_size);
  for (size_t bit = 0; bit < 8 * valid_size; ++bit) {
    bool hashed = bit / 8 < valid_hashed;
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    CHECK((load_status(data, valid_size) == GMEM_OK) == !hashed);
    CHECK(hashed || !content_is_right(data, valid_size));
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  CHECK(load_status(data, valid_size) == GMEM_OK);
  CHECK(valid_hashed == valid_size || content_is_right(data, valid_size));
}

// The same with right checksums: now only the structure can tell. Says how
// many were accepted; all of these passed the naive checker.
static void test_every_bit_flip_with_right_sums(void) {
  uint8_t data[IMAGE_ROOM];
  unsigned accepted = 0;
  memcpy(data, valid, valid_size);
  for (size_t bit = 0; bit < 8 * valid_used; ++bit) {
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    fix_sums(data, valid_size);
    accepted += load_status(data, valid_size) == GMEM_OK;
    data[bit / 8] = valid[bit / 8];
  }
  // A flipped payload, flag or name is another plan, as good as this one.
  CHECK(accepted > 100 && accepted < 8 * valid_used / 2);
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
    for (size_t at = 0; at + width <= valid_used; at += width)
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

// The error is the entry's, and not that of what follows from it.
static void test_section_past_the_end(void) {
  uint8_t data[IMAGE_ROOM];
  memcpy(data, valid, valid_size);
  gmem_image_section_t longer = gmem_image_section_at(data + 64);
  longer.size = valid_size;
  put_section(data + 64, &longer);
  fix_sums(data, valid_size);
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  CHECK(gmem_plan_load_memory(data, valid_size, 0, NULL, &plan, &diag) ==
        GMEM_ERR_CORRUPT);
  CHECK(strstr(diag.text, "extends past the end of the file") != NULL);
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
static gmem_status_t with_section(uint32_t id, uint32_t flags, uint32_t align) {
  uint8_t data[IMAGE_ROOM + 64] = {0};
  size_t table_end = 64 + 32 * 6, size = valid_size + 32 + 8;
  memcpy(data, valid, table_end);
  memcpy(data + table_end + 32, valid + table_end, valid_size - table_end);
  for (size_t i = 0; i < 6; ++i) {
    gmem_image_section_t moved = gmem_image_section_at(data + 64 + 32 * i);
    moved.offset += 32;
    put_section(data + 64 + 32 * i, &moved);
  }
  gmem_image_section_t added = {id, flags, size - 8, 8, 8, 8};
  if (align != 8) { // far behind the file, and the sum is its end again
    added.align = align;
    added.offset = (size - 8 + align - 1) & ~(uint64_t)(align - 1);
    added.size = size - added.offset;
  }
  put_section(data + table_end, &added);
  gmem_image_header_t header = gmem_image_header_at(data);
  header.section_count = 7;
  header.file_size = size;
  put_header(data, &header);
  fix_sums(data, size);
  return load_status(data, size);
}

static void test_unknown_sections(void) {
  CHECK(with_section(21, 0, 8) == GMEM_OK); // of a later minor version
  CHECK(with_section(1000, 0, 8) == GMEM_OK);
  CHECK(with_section(UINT32_MAX, 0, 8) == GMEM_OK);
  CHECK(with_section(21, 1, 8) == GMEM_ERR_VERSION);
  CHECK(with_section(1000, 1, 8) == GMEM_ERR_VERSION);
  CHECK(with_section(1000, 2, 8) == GMEM_ERR_CORRUPT);
  CHECK(with_section(6, 1, 8) == GMEM_ERR_CORRUPT); // twice
  CHECK(with_section(1000, 0, 4096) == GMEM_ERR_CORRUPT);
  CHECK(gmem_image_kind(0) == NULL); // which is no id
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

// Byte offset of the entry of a section in the table of the sample's image.
static size_t table_at(uint32_t section) {
  size_t at = 64;
  while (gmem_image_section_at(valid + at).id != section)
    at += 32;
  return at;
}

// Byte offset of a member of an entry of the sample's image.
static size_t entry_at(uint32_t section, uint32_t id, size_t member) {
  gmem_image_section_t info = gmem_image_section_at(valid + table_at(section));
  return (size_t)info.offset + id * info.entry_size + member;
}

#define BUFFER_AT(id, member)                                                  \
  entry_at(GMEM_IMAGE_BUFFERS, id, offsetof(gmem_image_buffer_t, member))
#define REGION_AT(id, member)                                                  \
  entry_at(GMEM_IMAGE_REGIONS, id, offsetof(gmem_image_region_t, member))

// Not even an image of nothing can do without sections.
static void test_no_sections(void) {
  uint8_t data[64];
  memcpy(data, valid, sizeof data);
  gmem_image_header_t header = gmem_image_header_at(data);
  header.section_count = 0;
  header.file_size = sizeof data;
  put_header(data, &header);
  fix_sums(data, sizeof data);
  CHECK(load_status(data, sizeof data) == GMEM_ERR_CORRUPT);
}

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

// A name that would end where the section does, without its NUL.
static void test_last_name(void) {
  uint8_t data[IMAGE_ROOM];
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  memcpy(data, valid, valid_size);
  ++data[entry_at(GMEM_IMAGE_OPS, 3, offsetof(gmem_image_op_t, name_length))];
  fix_sums(data, valid_size);
  CHECK(gmem_plan_load_memory(data, valid_size, 0, NULL, &plan, &diag) ==
        GMEM_ERR_CORRUPT);
  CHECK(strcmp(diag.text, "the name of op 3 is not at its expected offset") ==
        0);
}

//===--- sections that may be absent (on the full sample) -----------------===//

static void test_optional_table_fields(void) {
  for (uint32_t id = GMEM_IMAGE_GROUPS; id <= GMEM_IMAGE_PAYLOADS; ++id) {
    size_t at = table_at(id);
    bool mandatory = id >= GMEM_IMAGE_CONTENTS;
    CHECK(patched(at + 4, 4, !mandatory) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 4, 4, 2) == GMEM_ERR_CORRUPT); // outside the SHA-256
    CHECK(patched(at + 8, 8, UINT64_MAX - 7) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 16, 8, 0) == GMEM_ERR_CORRUPT); // empty
    CHECK(patched(at + 16, 8, UINT64_C(1) << 40) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 24, 4, 2) == GMEM_ERR_CORRUPT);
    CHECK(patched(at + 28, 4, 16) == GMEM_ERR_CORRUPT);
    CHECK(patched(at, 4, 40) != GMEM_OK); // the next is not above it
  }
}

static void test_data_table_fields(void) {
  size_t at = table_at(GMEM_IMAGE_DATA);
  CHECK(patched(at, 4, 14) == GMEM_ERR_CORRUPT); // unknown flags there
  CHECK(patched(at, 4, 32) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 4, 4, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 4, 4, 1) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 4, 4, 2) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 4, 4, 7) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 8, 8, valid_hashed + 8) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 16, 8, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 16, 8, 4095) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 16, 8, 8192) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 24, 4, 1) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 28, 4, 8) == GMEM_ERR_CORRUPT);
  CHECK(patched(at + 28, 4, 8192) == GMEM_ERR_CORRUPT);
  // The padding in front of it is under the SHA-256, and zero.
  CHECK(patched(valid_hashed - 1, 1, 1) == GMEM_ERR_CORRUPT);
}

// More entries than a plan may have, and an order that leaves a buffer out. (On
// the full sample, which is large enough for 65 regions.)
static void test_table_counts(void) {
  size_t regions = table_at(GMEM_IMAGE_REGIONS) + 16;
  CHECK(patched(regions, 8, 64 * 40) == GMEM_ERR_CORRUPT);
  CHECK(patched(regions, 8, 65 * 40) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(table_at(GMEM_IMAGE_CONTENTS) + 16, 8, 65 * 24) ==
        GMEM_ERR_OUT_OF_RANGE);
  size_t order = table_at(GMEM_IMAGE_NAME_ORDER) + 16;
  CHECK(patched(order, 8, (SAMPLE_BUFFERS - 1) * 4) == GMEM_ERR_CORRUPT);
}

#define ENTRY_AT(section, id, type, member)                                    \
  entry_at(section, id, offsetof(type, member))

static void test_group_fields(void) {
  size_t name = ENTRY_AT(GMEM_IMAGE_GROUPS, 1, gmem_image_group_t, name_offset);
  CHECK(patched(name, 4, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(name, 4, UINT32_MAX) == GMEM_ERR_CORRUPT);
  CHECK(patched(name + 4, 4, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(name + 4, 4, UINT32_MAX) == GMEM_ERR_CORRUPT);
  CHECK(patched(name + 8, 4, 0) == GMEM_ERR_OUT_OF_RANGE); // another's
  CHECK(patched(name + 8, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(name + 12, 4, 3) == GMEM_ERR_OUT_OF_RANGE); // there are 2
  CHECK(patched(name + 12, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  // A member of the last group that no group has any more.
  CHECK(patched(name + 16 + 12, 4, 1) == GMEM_ERR_CORRUPT);
  size_t member = entry_at(GMEM_IMAGE_MEMBERS, 1, 0);
  CHECK(patched(member, 4, 10) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(member, 4, 3) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(member, 4, 5) == GMEM_OK);
  size_t text = entry_at(GMEM_IMAGE_GROUP_NAMES, 0, 0); // "first", NUL
  CHECK(patched(text, 1, 'F') == GMEM_OK);
  CHECK(patched(text, 1, 0x7F) == GMEM_ERR_CORRUPT);
  CHECK(patched(text + 5, 1, 'x') == GMEM_ERR_CORRUPT);
}

static void test_work_and_weight_fields(void) {
  size_t work = entry_at(GMEM_IMAGE_WORKBUFFERS, 1, 0);
  CHECK(patched(work, 4, 0) == GMEM_ERR_OUT_OF_RANGE); // before the first
  CHECK(patched(work, 4, 4) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(work + 4, 4, 4) == GMEM_ERR_OUT_OF_RANGE); // twice
  CHECK(patched(work + 4, 4, 8) == GMEM_OK);
  CHECK(patched(work + 4, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  size_t weight = entry_at(GMEM_IMAGE_WEIGHTS, 1, 0);
  CHECK(patched(weight, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(weight, 4, 2) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(weight + 4, 4, 1) == GMEM_ERR_OUT_OF_RANGE); // reserved
  CHECK(patched(weight + 8, 8, 0) == GMEM_OK); // the source may be nothing
  CHECK(patched(weight + 8, 8, INT64_MAX) == GMEM_OK);
  CHECK(patched(weight + 8, 8, UINT64_C(1) << 63) == GMEM_ERR_OUT_OF_RANGE);
  // Not the number of its chain.
  CHECK(patched(weight + 16, 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(weight + 16, 8, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(weight + 24, 1, 0) == GMEM_OK); // of bytes that are not here
}

static void test_content_fields(void) {
  size_t content = entry_at(GMEM_IMAGE_CONTENTS, 0, 0);
  CHECK(patched(content, 4, 1) == GMEM_ERR_OUT_OF_RANGE); // not shared
  CHECK(patched(content, 4, 2) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(content + 4, 4, 1) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(content + 8, 8, 4096) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(content + 8, 8, UINT64_MAX - 4095) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(content + 16, 8, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(content + 16, 8, 8192) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(content + 16, 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  // A region that is larger than its content, and one that wraps.
  CHECK(patched(REGION_AT(0, size), 8, 4097) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(REGION_AT(0, size), 8, 4095) == GMEM_OK);
  CHECK(patched(REGION_AT(0, size), 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
}

static void test_reloc_fields(void) {
  size_t reloc = entry_at(GMEM_IMAGE_RELOCS, 1, 0);
  CHECK(patched(reloc, 8, 7) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(reloc, 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(reloc, 8, 9) == GMEM_ERR_OUT_OF_RANGE); // into the next
  CHECK(patched(reloc + 8, 8, 256) == GMEM_OK);
  CHECK(patched(reloc + 8, 8, 257) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(reloc + 8, 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(reloc + 16, 4, 10) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(reloc + 20, 2, 0) == GMEM_ERR_OUT_OF_RANGE); // 8 bytes wide
  CHECK(patched(reloc + 20, 2, 3) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(reloc + 22, 2, UINT16_MAX) == GMEM_ERR_OUT_OF_RANGE);
}

static void test_transform_fields(void) {
  size_t first = entry_at(GMEM_IMAGE_TRANSFORMS, 0, 0);
  size_t last = entry_at(GMEM_IMAGE_TRANSFORMS, 1, 0);
  CHECK(patched(first, 4, 2) == GMEM_ERR_OUT_OF_RANGE); // a descending one
  CHECK(patched(first, 4, 0) == GMEM_ERR_OUT_OF_RANGE); // w0 is stored
  CHECK(patched(last, 4, 2) == GMEM_ERR_OUT_OF_RANGE);  // shared work
  CHECK(patched(last, 4, 3) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(last, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(last + 4, 4, 0) == GMEM_ERR_CORRUPT); // the name of another
  CHECK(patched(last + 8, 4, UINT32_MAX) == GMEM_ERR_CORRUPT);
  CHECK(patched(last + 8, 4, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(last + 12, 4, 1) == GMEM_ERR_OUT_OF_RANGE); // reserved
  CHECK(patched(first + 16, 8, 0) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(first + 16, 8, UINT64_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(first + 16, 8, 34) == GMEM_ERR_OUT_OF_RANGE); // another chain
  CHECK(patched(last + 16, 8, SAMPLE_W1 - 1) == GMEM_ERR_OUT_OF_RANGE);
  size_t text = entry_at(GMEM_IMAGE_TRANSFORM_NAMES, 0, 0); // "unpack", NUL
  CHECK(patched(text, 1, 'v') == GMEM_ERR_OUT_OF_RANGE);    // another chain
  CHECK(patched(text, 1, 0x7F) == GMEM_ERR_CORRUPT);
  CHECK(patched(text + 6, 1, 'x') == GMEM_ERR_CORRUPT);
}

static void test_span_fields(void) {
  size_t span = entry_at(GMEM_IMAGE_SPANS, 1, 0);
  CHECK(patched(span, 4, 0) == GMEM_OK);
  CHECK(patched(span, 4, 2) == GMEM_ERR_OUT_OF_RANGE); // empty
  CHECK(patched(span, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(span + 4, 4, 4) == GMEM_OK);
  CHECK(patched(span + 4, 4, 5) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(span + 4, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(span + 8, 4, 0) == GMEM_ERR_CORRUPT); // the name of another
  CHECK(patched(span + 12, 4, UINT32_MAX) == GMEM_ERR_CORRUPT);
  CHECK(patched(span + 16, 4, 1) == GMEM_ERR_CORRUPT); // the order of names
  CHECK(patched(span + 16, 4, 0) == GMEM_ERR_CORRUPT);
  CHECK(patched(span + 16, 4, 4) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(patched(span + 16, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  span = entry_at(GMEM_IMAGE_SPANS, 3, 0);
  CHECK(patched(span, 4, 1) == GMEM_ERR_OUT_OF_RANGE); // before the last
  size_t text = entry_at(GMEM_IMAGE_SPAN_NAMES, 0, 0); // "main", NUL
  CHECK(patched(text, 1, 'n') == GMEM_OK);
  CHECK(patched(text, 1, 'b') == GMEM_ERR_CORRUPT); // not sorted any more
  CHECK(patched(text, 1, 0x7F) == GMEM_ERR_CORRUPT);
  CHECK(patched(text + 4, 1, 'x') == GMEM_ERR_CORRUPT);
}

// A section after the data would be under no checksum. The padding in front of
// the data has room for the longer table.
static void test_nothing_follows_the_data(void) {
  uint8_t data[IMAGE_ROOM + 8] = {0};
  size_t count = gmem_image_header_at(valid).section_count;
  size_t table_end = 64 + 32 * count, size = valid_size + 8;
  CHECK(valid_used + 64 <= valid_hashed);
  memcpy(data, valid, valid_size);
  memcpy(data + table_end + 32, valid + table_end, valid_used - table_end);
  for (size_t i = 0; i + 1 < count; ++i) {
    gmem_image_section_t moved = gmem_image_section_at(data + 64 + 32 * i);
    moved.offset += 32;
    put_section(data + 64 + 32 * i, &moved);
  }
  gmem_image_section_t added = {1000, 0, valid_size, 8, 8, 8};
  put_section(data + table_end, &added);
  gmem_image_header_t header = gmem_image_header_at(data);
  header.section_count = (uint16_t)(count + 1);
  header.file_size = size;
  put_header(data, &header);
  fix_sums(data, size);
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  CHECK(gmem_plan_load_memory(data, size, 0, NULL, &plan, &diag) ==
        GMEM_ERR_CORRUPT);
  CHECK(strstr(diag.text, "follows the data") != NULL);
}

static void test_optional_sections(void) {
  test_table_counts();
  test_optional_table_fields();
  test_data_table_fields();
  test_group_fields();
  test_work_and_weight_fields();
  test_content_fields();
  test_reloc_fields();
  test_span_fields();
  test_transform_fields();
  test_nothing_follows_the_data();
}

//===--- random plans and mutations ---------------------------------------===//

static uint64_t random_state = 1; // fixed: every run is the same

static uint32_t random_below(uint32_t bound) {
  return mutator_random(&random_state, bound);
}

static void test_random_mutations(void) {
  unsigned accepted = 0, rounds = 20000;
  for (unsigned round = 0; round < rounds; ++round) {
    uint8_t data[IMAGE_ROOM];
    memcpy(data, valid, valid_size);
    for (uint32_t i = random_below(3) + 1; i > 0; --i)
      mutate_image(data, valid_size, &random_state);
    accepted += load_status(data, valid_size) == GMEM_OK;
  }
  CHECK(accepted > rounds / 100); // else nothing deep was reached
}

enum { CROWD = 12, STEPS = 6 };

// A child's life was looked for in its parent's from the beginning on, so that
// many of both took the product of their numbers. |touching|: each child lives
// all the time, in which its parent has many lives one right after the other.
static void test_many_lives_of_many_aliases(bool touching) {
  enum { LIVES = 1 << 17, CHILDREN = 1 << 16 };
  static gmem_op_range_t lives[LIVES];
  static gmem_buffer_info_t buffers[CHILDREN + 1];
  static char names[CHILDREN + 1][8];
  static gmem_op_range_t child;
  for (uint32_t i = 0; i < LIVES; ++i)
    lives[i] = (gmem_op_range_t){2 * i, 2 * i + 1 + touching};
  child = touching ? (gmem_op_range_t){0, 2 * LIVES} : lives[LIVES - 1];
  for (uint32_t i = 0; i <= CHILDREN; ++i) {
    snprintf(names[i], sizeof names[i], "%" PRIu32, i);
    buffers[i] = (gmem_buffer_info_t){.name = names[i],
                                      .size = 8,
                                      .payload = 8,
                                      .align = 1,
                                      .space = GMEM_SPACE_ACTIVATION,
                                      .parent = i ? 0 : GMEM_NONE,
                                      .threads = 1,
                                      .ranges = i ? &child : lives,
                                      .range_count = i ? 1 : LIVES};
  }
  const gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0, 8, 8};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = CHILDREN + 1,
                           .op_count = 2 * LIVES};
  void *data = NULL;
  size_t size = 0;
  clock_t start = clock();
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  CHECK(clock() - start < 4 * CLOCKS_PER_SEC);
  gmem_plan_data_free(NULL, data, size);
}

// The name order is read ahead of its check.
static void test_order_of_many_names(void) {
  enum { MANY = 64 };
  gmem_buffer_info_t buffers[MANY];
  char names[MANY][4];
  for (uint32_t i = 0; i < MANY; ++i) {
    snprintf(names[i], sizeof names[i], "%" PRIu32, i);
    buffers[i] = (gmem_buffer_info_t){.name = names[i],
                                      .align = 1,
                                      .space = GMEM_SPACE_ACTIVATION,
                                      .parent = GMEM_NONE,
                                      .threads = 1};
  }
  const gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0, 8, 8};
  make_valid(&(gmem_plan_desc_t){.regions = &region,
                                 .region_count = 1,
                                 .buffers = buffers,
                                 .buffer_count = MANY});
  for (uint32_t rank = 0; rank < MANY; ++rank) {
    size_t at = entry_at(GMEM_IMAGE_NAME_ORDER, rank, 0);
    CHECK(patched(at, 4, MANY) == GMEM_ERR_OUT_OF_RANGE);
    CHECK(patched(at, 4, UINT32_MAX) == GMEM_ERR_OUT_OF_RANGE);
  }
}

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

static void test_damage(void) {
  test_every_truncation();
  test_every_bit_flip();
  test_every_bit_flip_with_right_sums();
  test_every_word_at_its_extremes();
  test_random_mutations();
}

// What big-endian hosts do: the fields are those of the structs, and each is
// reversed.
static void test_byte_order(void) {
  for (uint32_t id = 1; id < GMEM_IMAGE_SECTION_END; ++id) {
    const gmem_image_kind_t *kind = gmem_image_kind(id);
    size_t bytes = 0;
    for (const char *field = kind ? kind->fields : ""; *field; ++field) {
      size_t width = (size_t)(*field - '0');
      CHECK(bytes % width == 0); // as in a struct without padding
      bytes += width;
    }
    size_t rest = id == GMEM_IMAGE_WEIGHTS ? GMEM_PLAN_DIGEST_SIZE : 0;
    CHECK(!bytes || bytes + rest == kind->entry_size);
  }
  uint8_t reloc[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                     13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
  static const uint8_t expected[] = {8,  7,  6,  5,  4,  3,  2,  1,
                                     16, 15, 14, 13, 12, 11, 10, 9,
                                     20, 19, 18, 17, 22, 21, 24, 23};
  gmem_image_reverse(gmem_image_kind(GMEM_IMAGE_RELOCS)->fields, reloc);
  CHECK(memcmp(reloc, expected, sizeof reloc) == 0);
}

int main(void) {
  test_byte_order();
  full_sample_t parts;
  gmem_plan_desc_t full = full_desc(&parts), plain = sample_desc();
  make_valid(&full);
  if (!check_failures) {
    test_damage();
    test_optional_sections();
  }
  make_valid(&plain);
  if (check_failures)
    return CHECK_RESULT();
  test_damage();
  test_header_fields();
  test_table_fields();
  test_section_past_the_end();
  test_unknown_sections();
  test_padding_is_zero();
  test_no_sections();
  test_buffer_fields();
  test_other_fields();
  test_last_name();
  test_random_plans_agree();
  test_many_lives_of_many_aliases(false);
  test_many_lives_of_many_aliases(true);
  test_order_of_many_names();
  return CHECK_RESULT();
}
