// runtime_plan_test.c - plan images: round trip, every query, every limit.
// RUN: %unit/runtime_plan_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "image_tools.h"

typedef struct image_s {
  void *data;
  size_t size;
} image_t;

static image_t write_image(const gmem_plan_desc_t *desc) {
  image_t image = {0};
  gmem_diag_t diag = {0};
  if (gmem_plan_write(desc, NULL, &image.data, &image.size, &diag) != GMEM_OK) {
    fprintf(stderr, "%s\n", diag.text);
    CHECK(!"the image could not be written");
  }
  return image;
}

static gmem_plan_t *load(image_t image, uint32_t flags) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  if (gmem_plan_load_memory(image.data, image.size, flags, NULL, &plan,
                            &diag) != GMEM_OK) {
    fprintf(stderr, "%s\n", diag.text);
    CHECK(!"the image could not be loaded");
  }
  return plan;
}

static void free_image(image_t image) {
  gmem_plan_data_free(NULL, image.data, image.size);
}

// The status of writing |desc|; whatever it is, the outputs must fit it.
static gmem_status_t write_status(const gmem_plan_desc_t *desc) {
  void *data = &data;
  size_t size = 1;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_plan_write(desc, NULL, &data, &size, &diag);
  CHECK((status == GMEM_OK) == (data != NULL));
  CHECK((status == GMEM_OK) == (size != 0));
  CHECK(status == GMEM_OK || (diag.status == status && diag.text[0]));
  gmem_plan_data_free(NULL, data, size);
  return status;
}

static void test_round_trip_is_identical(void) {
  gmem_plan_desc_t desc = sample_desc();
  image_t first = write_image(&desc);
  gmem_plan_t *plan = load(first, 0);
  if (!plan)
    return;
  gmem_region_info_t regions[2];
  gmem_buffer_info_t buffers[SAMPLE_BUFFERS];
  const char *op_names[4];
  for (uint32_t i = 0; i < 2; ++i)
    CHECK(gmem_plan_region(plan, i, &regions[i]) == GMEM_OK);
  for (uint32_t i = 0; i < SAMPLE_BUFFERS; ++i)
    CHECK(gmem_plan_buffer(plan, i, &buffers[i]) == GMEM_OK);
  for (uint32_t i = 0; i < 4; ++i)
    op_names[i] = gmem_plan_op_name(plan, i);
  gmem_plan_desc_t again = {.regions = regions,
                            .region_count = gmem_plan_region_count(plan),
                            .buffers = buffers,
                            .buffer_count = gmem_plan_buffer_count(plan),
                            .op_count = gmem_plan_op_count(plan),
                            .op_names = op_names};
  image_t second = write_image(&again);
  CHECK(first.size == second.size);
  CHECK(memcmp(first.data, second.data, first.size) == 0);
  free_image(second);
  gmem_plan_release(plan);
  free_image(first);
}

static void test_queries(void) {
  gmem_plan_desc_t desc = sample_desc();
  image_t image = write_image(&desc);
  gmem_plan_t *plan = load(image, 0);
  gmem_region_info_t region;
  gmem_buffer_info_t info;
  CHECK(gmem_plan_region_count(plan) == 2);
  CHECK(gmem_plan_buffer_count(plan) == SAMPLE_BUFFERS);
  CHECK(gmem_plan_op_count(plan) == 4);
  CHECK(gmem_plan_region(plan, 1, &region) == GMEM_OK);
  CHECK(strcmp(region.name, "ddr") == 0 && region.base == 0x20040);
  CHECK(region.size == 1024 && region.align == 64);
  CHECK(region.space == GMEM_SPACE_ACTIVATION);
  CHECK(gmem_plan_region(plan, 2, &region) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_plan_region(plan, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_buffer(plan, 4, &info) == GMEM_OK);
  CHECK(strcmp(info.name, "conv1") == 0 && info.offset == 64);
  CHECK(info.size == 256 && info.payload == 250 && info.align == 128);
  CHECK(info.region == 1 && info.space == GMEM_SPACE_ACTIVATION);
  CHECK(info.first_op == 1 && info.last_op == 2 && info.threads == 4);
  CHECK(info.parent == GMEM_NONE && info.flags == GMEM_BUFFER_SENSITIVE);
  CHECK(gmem_plan_buffer(plan, 7, &info) == GMEM_OK);
  CHECK(info.range_count == 2 && info.ranges[1].begin == 2);
  CHECK(info.first_op == 0 && info.last_op == 2);
  CHECK(gmem_plan_buffer(plan, 1, &info) == GMEM_OK);
  CHECK(info.range_count == 0 && info.first_op == GMEM_NONE);
  CHECK(gmem_plan_buffer(plan, SAMPLE_BUFFERS, &info) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_plan_buffer(plan, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strcmp(gmem_plan_op_name(plan, 1), "conv") == 0);
  CHECK(strcmp(gmem_plan_op_name(plan, 2), "") == 0);
  CHECK(strcmp(gmem_plan_op_name(plan, 4), "") == 0);
  // ddr must be mapped at a multiple of 128 (conv1), plus 0x20040 % 128.
  CHECK(gmem_plan_slot_size(plan) == 64 + 1024);
  CHECK(gmem_plan_shared_size(plan) == 4096);
  CHECK(memcmp(gmem_plan_digest(plan), (uint8_t *)image.data + 32, 32) == 0);
  gmem_plan_release(plan);
  free_image(image);
}

static void test_find(void) {
  gmem_plan_desc_t desc = sample_desc();
  image_t image = write_image(&desc);
  gmem_plan_t *plan = load(image, GMEM_LOAD_BORROW);
  for (uint32_t i = 0; i < SAMPLE_BUFFERS; ++i)
    CHECK(gmem_plan_find(plan, sample_buffers[i].name) == i);
  CHECK(gmem_plan_find(plan, "") == GMEM_NONE);
  CHECK(gmem_plan_find(plan, "conv") == GMEM_NONE);
  CHECK(gmem_plan_find(plan, "conv11") == GMEM_NONE);
  CHECK(gmem_plan_find(plan, "\xFF") == GMEM_NONE);
  CHECK(gmem_plan_find(plan, NULL) == GMEM_NONE);
  gmem_plan_release(plan);
  free_image(image);
}

static void test_empty_plan(void) {
  gmem_plan_desc_t desc = {0};
  image_t image = write_image(&desc);
  gmem_plan_t *plan = load(image, 0);
  CHECK(image.size == 64 + 6 * 32);
  CHECK(gmem_plan_buffer_count(plan) == 0);
  CHECK(gmem_plan_find(plan, "x") == GMEM_NONE);
  CHECK(gmem_plan_slot_size(plan) == 0);
  gmem_plan_retain(plan);
  gmem_plan_release(plan);
  gmem_plan_release(plan);
  gmem_plan_release(NULL);
  free_image(image);
}

// An image need not be aligned, and a copied one may be freed.
static void test_unaligned_bytes(void) {
  gmem_plan_desc_t desc = sample_desc();
  image_t image = write_image(&desc);
  uint8_t *shifted = malloc(image.size + 1);
  if (!shifted)
    return;
  memcpy(shifted + 1, image.data, image.size);
  image_t odd = {shifted + 1, image.size};
  gmem_plan_t *borrowed = load(odd, GMEM_LOAD_BORROW);
  gmem_plan_t *copied = load(odd, 0);
  CHECK(gmem_plan_find(borrowed, "relu") == 6);
  gmem_plan_release(borrowed);
  free(shifted);
  CHECK(gmem_plan_find(copied, "relu") == 6);
  gmem_plan_release(copied);
  free_image(image);
}

static void test_bad_arguments(void) {
  gmem_plan_desc_t desc = sample_desc();
  image_t image = write_image(&desc);
  gmem_plan_t *plan = NULL;
  void *data = NULL;
  size_t size = 0;
  CHECK(gmem_plan_load_memory(NULL, 1, 0, NULL, &plan, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_load_memory(image.data, image.size, 1u << 5, NULL, &plan,
                              NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_load_memory(image.data, image.size, 0, NULL, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_load_file("x", GMEM_LOAD_BORROW, NULL, &plan, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_load_file(NULL, 0, NULL, &plan, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_write(NULL, NULL, &data, &size, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_write(&desc, NULL, NULL, &size, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
#if SIZE_MAX > UINT32_MAX
  // Refused before a byte is read: |image.data| is nowhere near that large.
  CHECK(gmem_plan_load_memory(image.data, ((size_t)1 << 40) + 1, 0, NULL, &plan,
                              NULL) == GMEM_ERR_CORRUPT);
#endif
  CHECK(plan == NULL);
  free_image(image);
}

static void *refuse_alloc(void *user, size_t size, size_t align) {
  (void)size, (void)align;
  ++*(unsigned *)user;
  return NULL;
}

static void refuse_free(void *user, void *ptr, size_t size, size_t align) {
  (void)user, (void)ptr, (void)size, (void)align;
  CHECK(!"nothing was allocated");
}

// A file with a header that is right took memory of its size before any
// checksum was looked at. |file| is an image, open at |path|.
static void test_damaged_head_costs_no_memory(int file, const char *path) {
  unsigned calls = 0;
  gmem_allocator_t allocator = {&calls, refuse_alloc, refuse_free};
  gmem_plan_t *plan = NULL;
  CHECK(gmem_plan_load_file(path, 0, &allocator, &plan, NULL) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(calls == 1);
  const off_t places[] = {24, 64}; // the CRC, and the id of the first section
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    uint8_t byte, wrong;
    CHECK(pread(file, &byte, 1, places[i]) == 1);
    wrong = byte ^ 1;
    CHECK(pwrite(file, &wrong, 1, places[i]) == 1);
    CHECK(gmem_plan_load_file(path, 0, &allocator, &plan, NULL) ==
          GMEM_ERR_CORRUPT);
    CHECK(pwrite(file, &byte, 1, places[i]) == 1);
  }
  CHECK(calls == 1);
}

// |path| is that of a temporary file, ending in XXXXXX.
static void test_files(char *path) {
  gmem_plan_desc_t desc = sample_desc();
  image_t image = write_image(&desc);
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  int file = mkstemp(path);
  CHECK(file >= 0);
  CHECK(write(file, image.data, image.size) == (ssize_t)image.size);
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, &diag) == GMEM_OK);
  CHECK(plan && gmem_plan_find(plan, "two") == 7);
  gmem_plan_release(plan);
  test_damaged_head_costs_no_memory(file, path);
  CHECK(ftruncate(file, 40) == 0); // less than a header
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, &diag) == GMEM_ERR_CORRUPT);
  CHECK(plan == NULL && diag.status == GMEM_ERR_CORRUPT);
  CHECK(ftruncate(file, 0) == 0);
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, &diag) == GMEM_ERR_CORRUPT);
  close(file);
  unlink(path);
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, &diag) == GMEM_ERR_IO);
  CHECK(diag.os_error != 0);
  CHECK(gmem_plan_load_file("/", 0, NULL, &plan, &diag) == GMEM_ERR_IO);
  CHECK(gmem_plan_load_file("/dev/zero", 0, NULL, &plan, &diag) == GMEM_ERR_IO);
  free_image(image);
}

//===--- limits, at and one past ------------------------------------------===//

static gmem_region_info_t one_region(uint64_t size) {
  return (gmem_region_info_t){"r", GMEM_SPACE_ACTIVATION, 0, size, 1};
}

static const gmem_op_range_t first_step = {0, 1};

static gmem_buffer_info_t one_buffer(const char *name) {
  return (gmem_buffer_info_t){.name = name,
                              .size = 1024,
                              .payload = 1024,
                              .align = 1,
                              .space = GMEM_SPACE_ACTIVATION,
                              .ranges = &first_step,
                              .range_count = 1,
                              .parent = GMEM_NONE,
                              .threads = 1};
}

// The status of a plan of one buffer in one region, with one step.
static gmem_status_t one_buffer_status(gmem_region_info_t region,
                                       gmem_buffer_info_t buffer) {
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  return write_status(&desc);
}

static void test_name_limits(void) {
  char name[300];
  memset(name, 'n', sizeof name);
  name[255] = '\0';
  CHECK(one_buffer_status(one_region(1024), one_buffer(name)) == GMEM_OK);
  name[255] = 'n';
  name[256] = '\0';
  CHECK(one_buffer_status(one_region(1024), one_buffer(name)) ==
        GMEM_ERR_INVALID_ARGUMENT);
  static const char *const bad[] = {"",
                                    "a\nb",
                                    "\x7F",
                                    "\xC2\x80",
                                    "\xFF",
                                    "\xC0\x80",
                                    "\xE0\x80\x80",
                                    "\xED\xA0\x80",
                                    "\xE2\x82",
                                    "\xE0\x82\xA0",
                                    "\xF0\x82\x82\xAC",
                                    "\xF4\x90\x80\x80",
                                    "\x80",
                                    "\xF8\x88\x80\x80\x80"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    CHECK(one_buffer_status(one_region(1024), one_buffer(bad[i])) ==
          GMEM_ERR_INVALID_ARGUMENT);
  static const char *const good[] = {"a b", "\xC2\xA0", "\xE2\x82\xAC",
                                     "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
    CHECK(one_buffer_status(one_region(1024), one_buffer(good[i])) == GMEM_OK);
  CHECK(one_buffer_status(one_region(1024), one_buffer(NULL)) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

// Eight characters are checked at a time: each byte at each place of them, and
// a character of two bytes that is in two such parts.
static void test_name_bytes(void) {
  for (size_t at = 0; at < 19; ++at) {
    for (int byte = 1; byte < 256; ++byte) {
      char name[] = "nineteen characters";
      name[at] = (char)byte;
      CHECK((one_buffer_status(one_region(1024), one_buffer(name)) ==
             GMEM_OK) == (byte >= 0x20 && byte < 0x7F));
    }
    char name[] = "twenty characters ok";
    memcpy(name + at, "\xC2\xA0", 2);
    CHECK(one_buffer_status(one_region(1024), one_buffer(name)) == GMEM_OK);
    memcpy(name + at, "\xC2\x9F", 2);
    CHECK(one_buffer_status(one_region(1024), one_buffer(name)) ==
          GMEM_ERR_INVALID_ARGUMENT);
  }
}

static void test_thread_limits(void) {
  gmem_buffer_info_t buffer = one_buffer("b");
  buffer.threads = 1024;
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_OK);
  buffer.threads = 0;
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_ERR_OUT_OF_RANGE);
  buffer.threads = 1025;
  buffer.size = 1025;
  CHECK(one_buffer_status(one_region(1025), buffer) == GMEM_ERR_OUT_OF_RANGE);
  buffer.threads = 3; // does not divide the size
  CHECK(one_buffer_status(one_region(1025), buffer) == GMEM_ERR_OUT_OF_RANGE);
}

static void test_alignment_limits(void) {
  gmem_buffer_info_t buffer = one_buffer("b");
  buffer.align = UINT64_C(1) << 30;
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_OK);
  buffer.align = UINT64_C(1) << 31;
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_ERR_ALIGNMENT);
  buffer.align = (UINT64_C(1) << 32) + 1; // 1 in 32 bits
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_ERR_ALIGNMENT);
  buffer.align = 3;
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_ERR_ALIGNMENT);
  buffer.align = 0;
  CHECK(one_buffer_status(one_region(1024), buffer) == GMEM_ERR_ALIGNMENT);
  gmem_region_info_t region = one_region(1024);
  region.align = 0;
  CHECK(one_buffer_status(region, one_buffer("b")) == GMEM_ERR_ALIGNMENT);
  region.align = 64;
  region.base = 32;
  CHECK(one_buffer_status(region, one_buffer("b")) == GMEM_ERR_ALIGNMENT);
}

// Alignment is of the address: base + offset.
static void test_alignment_counts_the_base(void) {
  gmem_region_info_t region = one_region(2048);
  gmem_buffer_info_t buffer = one_buffer("b");
  region.base = 64;
  region.align = 64;
  buffer.align = 128;
  CHECK(one_buffer_status(region, buffer) == GMEM_ERR_ALIGNMENT);
  buffer.offset = 64;
  CHECK(one_buffer_status(region, buffer) == GMEM_OK);
}

static void test_address_limits(void) {
  gmem_region_info_t region = one_region(GMEM_PLAN_MAX_ADDRESS);
  gmem_buffer_info_t buffer = one_buffer("b");
  CHECK(one_buffer_status(region, buffer) == GMEM_OK);
  buffer.offset = GMEM_PLAN_MAX_ADDRESS - 1024;
  CHECK(one_buffer_status(region, buffer) == GMEM_OK);
  buffer.offset = GMEM_PLAN_MAX_ADDRESS - 1023;
  CHECK(one_buffer_status(region, buffer) == GMEM_ERR_OUT_OF_RANGE);
  buffer.offset = UINT64_MAX; // the sum wraps
  CHECK(one_buffer_status(region, buffer) == GMEM_ERR_OUT_OF_RANGE);
  region.base = 1;
  CHECK(one_buffer_status(region, one_buffer("b")) == GMEM_ERR_OUT_OF_RANGE);
  region = one_region(GMEM_PLAN_MAX_ADDRESS + 1);
  CHECK(one_buffer_status(region, one_buffer("b")) == GMEM_ERR_OUT_OF_RANGE);
  region = one_region(1023);
  CHECK(one_buffer_status(region, one_buffer("b")) == GMEM_ERR_OUT_OF_RANGE);
}

static void test_count_limits(void) {
  gmem_region_info_t regions[65];
  char names[65][16];
  for (int i = 0; i < 65; ++i) {
    snprintf(names[i], sizeof names[i], "r%d", i);
    regions[i] = one_region(1);
    regions[i].name = names[i];
  }
  gmem_plan_desc_t desc = {.regions = regions, .region_count = 64};
  CHECK(write_status(&desc) == GMEM_OK);
  desc.region_count = 65;
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
  desc.region_count = 1;
  desc.buffer_count = GMEM_PLAN_MAX_BUFFERS + 1; // refused without a look
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
  desc.buffer_count = 0;
  desc.op_count = GMEM_PLAN_MAX_OPS + 1;
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
  desc.op_count = 1;
  desc.buffer_count = 1;
  CHECK(write_status(&desc) == GMEM_ERR_INVALID_ARGUMENT); // buffers NULL
  gmem_buffer_info_t buffer = one_buffer("b");
  buffer.range_count = GMEM_PLAN_MAX_RANGES + 1;
  desc.buffers = &buffer;
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
  buffer.range_count = 1;
  buffer.ranges = NULL;
  CHECK(write_status(&desc) == GMEM_ERR_INVALID_ARGUMENT);
}

//===--- rules about more than one buffer ---------------------------------===//

// The status of writing the sample with one buffer replaced.
static gmem_status_t changed_status(uint32_t id, gmem_buffer_info_t buffer,
                                    gmem_diag_t *diag) {
  gmem_buffer_info_t buffers[SAMPLE_BUFFERS];
  memcpy(buffers, sample_buffers, sizeof buffers);
  buffers[id] = buffer;
  gmem_plan_desc_t desc = sample_desc();
  desc.buffers = buffers;
  void *data = NULL;
  size_t size = 0;
  gmem_status_t status = gmem_plan_write(&desc, NULL, &data, &size, diag);
  gmem_plan_data_free(NULL, data, size);
  return status;
}

static void test_overlap_names_both(void) {
  gmem_diag_t diag = {0};
  gmem_buffer_info_t two = sample_buffers[7];
  two.offset = 256; // [256, 320): touches nothing that lives in [0,1), [2,3)
  CHECK(changed_status(7, two, &diag) == GMEM_ERR_OVERLAP);
  CHECK(strcmp(diag.text,
               "buffers 4 'conv1' and 7 'two' are both live at step 2 and "
               "share bytes [256, 320) of region 1") == 0);
  two.offset = 319; // one byte
  CHECK(changed_status(7, two, &diag) == GMEM_ERR_OVERLAP);
  CHECK(strstr(diag.text, "[319, 320)") != NULL);
  two.offset = 320; // touching is fine
  CHECK(changed_status(7, two, &diag) == GMEM_OK);
  gmem_buffer_info_t relu = sample_buffers[6];
  gmem_op_range_t early = {1, 4};
  relu.ranges = &early; // while input is still live, in the same bytes
  CHECK(changed_status(6, relu, &diag) == GMEM_ERR_OVERLAP);
  CHECK(strstr(diag.text, "'input' and 6 'relu'") != NULL);
}

static void test_always_live_never_share(void) {
  gmem_diag_t diag = {0};
  gmem_buffer_info_t weight = sample_buffers[1];
  weight.offset = 0; // in w0; neither has a range in common
  CHECK(changed_status(1, weight, &diag) == GMEM_ERR_OVERLAP);
  gmem_buffer_info_t state = sample_buffers[8];
  gmem_op_range_t last = {3, 4};
  state.offset = 320; // where "two" lives, which is dead by then
  state.ranges = &last;
  state.range_count = 1;
  CHECK(changed_status(8, state, &diag) == GMEM_ERR_OVERLAP);
}

static void test_alias_rules(void) {
  gmem_diag_t diag = {0};
  gmem_buffer_info_t view = sample_buffers[5];
  view.offset = 0;
  CHECK(changed_status(5, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(strstr(diag.text, "'view' extends outside of buffer 4 'conv1'") !=
        NULL);
  view.offset = 320;
  CHECK(changed_status(5, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  view.offset = 64 + 256 - 64; // the very end
  CHECK(changed_status(5, view, &diag) == GMEM_OK);
  gmem_op_range_t longer = {2, 4};
  view.ranges = &longer; // outlives conv1
  CHECK(changed_status(5, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  view = sample_buffers[5];
  view.parent = 5; // itself
  CHECK(changed_status(5, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  view.parent = SAMPLE_BUFFERS;
  CHECK(changed_status(5, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  view.parent = 4;
  view.space = GMEM_SPACE_STATE; // in a parent that is not kept
  CHECK(changed_status(5, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  gmem_buffer_info_t two = sample_buffers[7];
  two.parent = 5; // an alias of an alias
  two.offset = 128;
  CHECK(changed_status(7, two, &diag) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(strstr(diag.text, "aliases an alias") != NULL);
}

// Without ranges of its own a buffer is a view: it lies in the bytes of others
// that are live, and what is an alias of it can have none either.
static void test_views_own_nothing(void) {
  gmem_diag_t diag = {0};
  gmem_buffer_info_t view = sample_buffers[7];
  view.offset = 256; // of conv1 and "relu", across both
  view.ranges = NULL;
  view.range_count = 0;
  CHECK(changed_status(7, view, &diag) == GMEM_OK);
  view.offset = 1024 - 32; // but never out of its region
  CHECK(changed_status(7, view, &diag) == GMEM_ERR_OUT_OF_RANGE);
  view.offset = 1; // or misaligned
  view.align = 2;
  CHECK(changed_status(7, view, &diag) == GMEM_ERR_ALIGNMENT);
  gmem_region_info_t region = one_region(1024);
  gmem_buffer_info_t buffers[2] = {one_buffer("parent"), one_buffer("child")};
  buffers[0].range_count = 0;
  buffers[1].parent = 0;
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 2,
                           .op_count = 4};
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE); // it is live alone
  buffers[1].range_count = 0;
  CHECK(write_status(&desc) == GMEM_OK);
  buffers[1].space = GMEM_SPACE_STATE; // always live, in what never is
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
}

// A child's range may span ranges of its parent that touch, but not a gap.
static void test_alias_spans_touching_ranges(void) {
  gmem_op_range_t touching[] = {{0, 1}, {1, 2}, {3, 4}};
  gmem_op_range_t inside = {0, 2}, across = {1, 4};
  gmem_region_info_t region = one_region(1024);
  gmem_buffer_info_t buffers[2] = {one_buffer("parent"), one_buffer("child")};
  buffers[0].ranges = touching;
  buffers[0].range_count = 3;
  buffers[1].parent = 0;
  buffers[1].ranges = &inside;
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 2,
                           .op_count = 4};
  CHECK(write_status(&desc) == GMEM_OK);
  buffers[1].ranges = &across;
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
}

static void test_space_and_name_rules(void) {
  gmem_diag_t diag = {0};
  gmem_buffer_info_t buffer = sample_buffers[3];
  buffer.space = GMEM_SPACE_WEIGHT; // in a region that exists per slot
  CHECK(changed_status(3, buffer, &diag) == GMEM_ERR_OUT_OF_RANGE);
  buffer = sample_buffers[3];
  buffer.name = "w0";
  CHECK(changed_status(3, buffer, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "'w0'") != NULL);
  buffer = sample_buffers[3];
  buffer.flags = 1u << 4;
  CHECK(changed_status(3, buffer, &diag) == GMEM_ERR_OUT_OF_RANGE);
  buffer = sample_buffers[3];
  buffer.payload = 65;
  CHECK(changed_status(3, buffer, &diag) == GMEM_ERR_OUT_OF_RANGE);
  gmem_op_range_t bad[][2] = {
      {{0, 5}, {5, 6}}, {{1, 1}, {2, 3}}, {{2, 3}, {0, 1}}, {{0, 2}, {1, 3}}};
  for (int i = 0; i < 4; ++i) {
    buffer = sample_buffers[3];
    buffer.ranges = bad[i];
    buffer.range_count = 2;
    CHECK(changed_status(3, buffer, &diag) == GMEM_ERR_OUT_OF_RANGE);
  }
}

static void test_status_names(void) {
  CHECK(strcmp(gmem_status_name(GMEM_OK), "GMEM_OK") == 0);
  CHECK(strcmp(gmem_status_name(GMEM_ERR_PARSE), "GMEM_ERR_PARSE") == 0);
  for (int i = 0; i <= GMEM_ERR_PARSE; ++i)
    CHECK(strncmp(gmem_status_name((gmem_status_t)i), "GMEM_", 5) == 0);
  CHECK(strcmp(gmem_status_name((gmem_status_t)18), "GMEM_ERR_UNKNOWN") == 0);
  CHECK(gmem_version() == 0x000200);
}

int main(int argc, char **argv) {
  (void)argc;
  char path[4096];
  snprintf(path, sizeof path, "%s.XXXXXX", argv[0]);
  test_round_trip_is_identical();
  test_queries();
  test_find();
  test_empty_plan();
  test_unaligned_bytes();
  test_bad_arguments();
  test_files(path);
  test_name_limits();
  test_name_bytes();
  test_thread_limits();
  test_alignment_limits();
  test_alignment_counts_the_base();
  test_address_limits();
  test_count_limits();
  test_overlap_names_both();
  test_always_live_never_share();
  test_alias_rules();
  test_views_own_nothing();
  test_alias_spans_touching_ranges();
  test_space_and_name_rules();
  test_status_names();
  return CHECK_RESULT();
}
