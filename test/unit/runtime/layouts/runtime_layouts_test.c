// runtime_layouts_test.c - strides, borders and valid regions in images: what
// was written is read again, and what does not fit its buffer is refused.
// RUN: %unit/runtime_layouts_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "gmem/layouts.h"
#include "image_tools.h"

static full_sample_t parts;
static uint8_t *valid; // the image of the sample
static size_t valid_size;

// Reads the layout of |buffer| of the image |data|, which is loaded.
static gmem_status_t layout_in(const uint8_t *data, gmem_buffer_t buffer,
                               gmem_buffer_layout_t *layout,
                               gmem_diag_t *diag) {
  gmem_plan_t *plan = NULL;
  CHECK(gmem_plan_load_memory(data, valid_size, 0, NULL, &plan, NULL) ==
        GMEM_OK);
  gmem_status_t status = gmem_layouts_read(plan, buffer, layout, diag);
  gmem_plan_release(plan);
  return status;
}

static void test_layout(void) {
  gmem_buffer_layout_t layout;
  CHECK(layout_in(valid, SAMPLE_PADDED, &layout, NULL) == GMEM_OK);
  CHECK(layout.rank == 2 && layout.element == 2);
  CHECK(layout.border == GMEM_PLAN_BORDER_REPLICATE);
  CHECK(layout.sizes[0] == 3 && layout.sizes[1] == 4);
  CHECK(layout.strides[0] == 8 && layout.strides[1] == 1);
  CHECK(layout.before[0] == 1 && layout.before[1] == 0);
  CHECK(layout.after[0] == 0 && layout.after[1] == 4);
  CHECK(layout.valid_begin[0] == 0 && layout.valid_begin[1] == 1);
  CHECK(layout.valid_end[0] == 3 && layout.valid_end[1] == 4);
}

static void test_no_layout(void) {
  gmem_buffer_layout_t layout = {.rank = 9};
  gmem_diag_t diag = {0};
  CHECK(layout_in(valid, SAMPLE_PADDED - 1, &layout, &diag) ==
        GMEM_ERR_NOT_FOUND);
  CHECK(strstr(diag.text, "are contiguous") != NULL);
  CHECK(layout_in(valid, SAMPLE_PADDED + 1, &layout, NULL) ==
        GMEM_ERR_NOT_FOUND);
  CHECK(layout_in(valid, GMEM_NONE, &layout, NULL) == GMEM_ERR_NOT_FOUND);
  CHECK(layout_in(valid, 0, NULL, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_layouts_read(NULL, 0, &layout, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(layout.rank == 9); // untouched
}

//===--- hostile images ---------------------------------------------------===//

// Byte offset of field |at| of dimension |id|.
static size_t field(uint32_t id, size_t at) {
  size_t table = 64;
  while (gmem_image_section_at(valid + table).id != GMEM_IMAGE_DIMENSIONS)
    table += 32;
  return (size_t)gmem_image_section_at(valid + table).offset + id * 64 + at;
}

// Whether the layout of the image with |width| bytes at |at| set to |value|
// gets |status|, and on failure is untouched.
static bool patched(size_t at, size_t width, uint64_t value,
                    gmem_status_t status) {
  uint8_t *data = malloc(valid_size);
  gmem_buffer_layout_t layout = {.rank = 9};
  gmem_diag_t diag = {0};
  if (!data)
    return false;
  memcpy(data, valid, valid_size);
  for (size_t i = 0; i < width; ++i)
    data[at + i] = (uint8_t)(value >> (8 * i));
  fix_sums(data, valid_size);
  gmem_status_t got = layout_in(data, SAMPLE_PADDED, &layout, &diag);
  free(data);
  if (got == status && (status == GMEM_OK || layout.rank == 9))
    return true;
  fprintf(stderr, "%s: %s\n", gmem_status_name(got), diag.text);
  return false;
}

static void test_fields(void) {
  const gmem_status_t range = GMEM_ERR_OUT_OF_RANGE;
  CHECK(patched(field(0, 0), 4, 8, GMEM_ERR_NOT_FOUND)); // not sorted
  CHECK(patched(field(1, 0), 4, 8, range));              // a row alone
  CHECK(patched(field(1, 0), 4, UINT32_MAX, range));
  CHECK(patched(field(0, 4), 2, 0, range)); // the borders differ
  CHECK(patched(field(0, 4), 2, 3, range));
  CHECK(patched(field(0, 6), 2, 1, range)); // reserved
  CHECK(patched(field(1, 6), 2, 1, range));
  CHECK(patched(field(1, 8), 8, 1, range)); // the elements differ
  for (uint32_t id = 0; id < 2; ++id)
    for (size_t at = 8; at <= 24; at += 8) { // element, size, stride
      CHECK(patched(field(id, at), 8, 0, range));
      CHECK(patched(field(id, at), 8, UINT64_MAX, range));
    }
  CHECK(patched(field(0, 16), 8, 2, range)); // not the payload
  CHECK(patched(field(0, 16), 8, 4, range));
  CHECK(patched(field(0, 24), 8, 7, range));
}

static void test_borders(void) {
  const gmem_status_t range = GMEM_ERR_OUT_OF_RANGE;
  CHECK(patched(field(0, 32), 8, 0, GMEM_OK));
  CHECK(patched(field(0, 32), 8, 2, range)); // in front of the buffer
  CHECK(patched(field(1, 32), 8, 1, range)); // with that of the rows
  CHECK(patched(field(1, 40), 8, 3, GMEM_OK));
  CHECK(patched(field(1, 40), 8, 5, range)); // behind the buffer
  CHECK(patched(field(0, 40), 8, 1, range));
  // Products and sums that would wrap to what fits: of strides, of bytes, of
  // dimensions.
  CHECK(patched(field(0, 32), 8, UINT64_C(1) << 61, range));
  CHECK(patched(field(0, 32), 8, UINT64_C(1) << 60, range));
  CHECK(patched(field(1, 40), 8, UINT64_MAX, range));
  CHECK(patched(field(1, 40), 8, (UINT64_C(1) << 63) - 1, range));
  CHECK(patched(field(1, 16), 8, (UINT64_C(1) << 63) + 4, range));
}

static void test_valid_regions(void) {
  const gmem_status_t range = GMEM_ERR_OUT_OF_RANGE;
  CHECK(patched(field(0, 48), 8, 2, GMEM_OK));
  CHECK(patched(field(0, 48), 8, 3, range)); // empty
  CHECK(patched(field(1, 48), 8, UINT64_MAX, range));
  CHECK(patched(field(1, 56), 8, 2, GMEM_OK));
  CHECK(patched(field(1, 56), 8, 1, range));
  CHECK(patched(field(1, 56), 8, 5, range)); // behind the last element
  CHECK(patched(field(0, 56), 8, UINT64_MAX, range));
}

// A file that gives one buffer as many dimensions as fit.
static void test_many_dimensions(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  gmem_plan_dimension_t many[GMEM_PLAN_MAX_RANK + 1];
  for (int i = 0; i <= GMEM_PLAN_MAX_RANK; ++i)
    many[i] = (gmem_plan_dimension_t){.buffer = SAMPLE_PADDED,
                                      .element = 1,
                                      .size = i ? 1 : 40,
                                      .stride = 1,
                                      .valid_end = 1};
  desc.dimensions = many;
  desc.dimension_count = GMEM_PLAN_MAX_RANK;
  void *data;
  size_t size;
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  gmem_plan_data_free(NULL, data, size);
  ++desc.dimension_count;
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
}

//===--- the writer -------------------------------------------------------===//

// Whether writing the sample with these dimensions fails with |text|, or, if
// that is NULL, does not.
static bool layout_refused(const gmem_plan_dimension_t *dimensions,
                           uint32_t count, gmem_status_t status,
                           const char *text) {
  gmem_plan_desc_t desc = full_desc(&parts);
  gmem_diag_t diag = {0};
  void *data;
  size_t size;
  desc.dimensions = dimensions;
  desc.dimension_count = count;
  gmem_status_t got = gmem_plan_write(&desc, NULL, &data, &size, &diag);
  gmem_plan_data_free(NULL, data, size);
  return text ? got == status && strstr(diag.text, text) : got == GMEM_OK;
}

static void test_dimension_rules(void) {
  const gmem_status_t range = GMEM_ERR_OUT_OF_RANGE;
  gmem_plan_dimension_t two[] = {
      {3, GMEM_PLAN_BORDER_UNDEFINED, 0, 1, 64, 1, 0, 0, 0, 64},
      {SAMPLE_PADDED, GMEM_PLAN_BORDER_CONSTANT, 0, 40, 1, 1, 0, 0, 0, 1}};
  CHECK(layout_refused(two, 2, GMEM_OK, NULL)); // contiguous, but true
  CHECK(layout_refused(two, 0, GMEM_OK, NULL));
  CHECK(layout_refused(NULL, 2, GMEM_ERR_INVALID_ARGUMENT,
                       "the dimensions are NULL"));
  CHECK(layout_refused(two, GMEM_PLAN_MAX_DIMENSIONS + 1, range, "more than"));
  two[0].buffer = SAMPLE_PADDED + 1;
  CHECK(layout_refused(two, 2, range, "in ascending order of buffers"));
  two[0].buffer = SAMPLE_PADDED;
  two[0].size = two[0].valid_end = 40;
  CHECK(layout_refused(two, 2, range, "differs from the previous one"));
  two[0].buffer = SAMPLE_BUFFERS;
  CHECK(layout_refused(two, 2, range, "a buffer that does not exist"));
  two[0].buffer = 3;
  CHECK(layout_refused(two, 2, range, "does not fit its buffer"));
  two[0].valid_end = 65;
  CHECK(layout_refused(two, 2, range, "has no valid elements, or more"));
  two[0].size = 0;
  CHECK(layout_refused(two, 1, range, "has no elements"));
  two[0].reserved = 1;
  CHECK(layout_refused(two, 1, range, "an unknown border, or a reserved"));
  // A sum that fits, of elements of different sizes.
  gmem_plan_dimension_t mixed[] = {sample_dimensions[0], sample_dimensions[1]};
  mixed[1] = (gmem_plan_dimension_t){.buffer = SAMPLE_PADDED,
                                     .border = GMEM_PLAN_BORDER_REPLICATE,
                                     .element = 6,
                                     .size = 2,
                                     .stride = 1,
                                     .valid_end = 2};
  CHECK(layout_refused(mixed, 2, range, "differs from the previous one"));
  // Borders of 2^63 bytes each, whose sum wraps to 0.
  gmem_plan_dimension_t wraps[] = {sample_dimensions[0], sample_dimensions[1]};
  wraps[0].before = UINT64_C(1) << 59;
  wraps[1].before = UINT64_C(1) << 62;
  CHECK(layout_refused(wraps, 2, range, "does not fit its buffer"));
}

int main(void) {
  gmem_plan_desc_t desc = full_desc(&parts);
  void *data = NULL;
  CHECK(gmem_plan_write(&desc, NULL, &data, &valid_size, NULL) == GMEM_OK);
  valid = data;
  test_layout();
  test_no_layout();
  test_fields();
  test_borders();
  test_valid_regions();
  test_many_dimensions();
  test_dimension_rules();
  gmem_plan_data_free(NULL, data, valid_size);
  return CHECK_RESULT();
}
