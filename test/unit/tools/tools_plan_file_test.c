// tools_plan_file_test.c - every allocation fails once while an earlier plan is
// read, as plan JSON and as a plan image: the status says so, nothing leaks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/tools_plan_file_test

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "failing_heap.h"
#include "gmem/plan.h"
#include "plan_file.h"

enum { BUFFERS = 40, MOST = 10000 };

static char path[] = "/tmp/gmem-plan-XXXXXX";

static void write_file(const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(data, 1, size, file) == size);
  CHECK(file && fclose(file) == 0);
}

static gmem_status_t count_buffer(void *user,
                                  const gmem_earlier_buffer_t *buffer,
                                  gmem_diag_t *diag) {
  (void)diag;
  CHECK(strcmp(buffer->pool, "memory") == 0 && buffer->size == 64 &&
        buffer->offset == 64 * (uint64_t) * (size_t *)user);
  ++*(size_t *)user;
  return GMEM_OK;
}

// Reads the file, and all of its buffers where that succeeds.
static gmem_status_t read_file(const gmem_allocator_t *allocator) {
  size_t count = 0;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status =
      gmem_plan_file_read(path, allocator, count_buffer, &count, &diag);
  CHECK(status == GMEM_OK ? count == BUFFERS
                          : diag.status == status && diag.text[0]);
  return status;
}

//===--- image ------------------------------------------------------------===//

static void write_image(void) {
  const gmem_region_info_t region = {"memory", GMEM_SPACE_ACTIVATION, 0,
                                     64 * BUFFERS, 64};
  gmem_op_range_t range = {0, 1};
  char names[BUFFERS][8];
  gmem_buffer_info_t buffers[BUFFERS];
  for (uint32_t i = 0; i < BUFFERS; ++i) {
    snprintf(names[i], sizeof names[i], "b%u", (unsigned)i);
    buffers[i] = (gmem_buffer_info_t){.name = names[i],
                                      .offset = 64 * (uint64_t)i,
                                      .size = 64,
                                      .payload = 64,
                                      .align = 64,
                                      .space = GMEM_SPACE_ACTIVATION,
                                      .parent = GMEM_NONE,
                                      .threads = 1,
                                      .ranges = &range,
                                      .range_count = 1};
  }
  const gmem_plan_desc_t desc = {.regions = &region,
                                 .region_count = 1,
                                 .buffers = buffers,
                                 .buffer_count = BUFFERS,
                                 .op_count = 1};
  void *data = NULL;
  size_t size = 0;
  gmem_diag_t diag = {.status = GMEM_OK};
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, &diag) == GMEM_OK);
  write_file(data, size);
  gmem_plan_data_free(NULL, data, size);
}

static void fails_each_allocation_of_an_image(void) {
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  size_t fail_at = 0;
  write_image();
  while (status == GMEM_ERR_OUT_OF_MEMORY && fail_at < MOST) {
    heap_t heap = {.fail_at = ++fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    status = read_file(&allocator);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK((status == GMEM_OK) == (heap.calls < heap.fail_at));
  }
  CHECK(status == GMEM_OK && fail_at > 1);
}

//===--- JSON -------------------------------------------------------------===//

static void write_json(void) {
  char text[BUFFERS * 80 + 64];
  size_t length =
      (size_t)snprintf(text, sizeof text, "{\"version\": 1, \"buffers\": [");
  for (int i = 0; i < BUFFERS; ++i)
    length += (size_t)snprintf(
        text + length, sizeof text - length,
        "%s{\"name\": \"b%d\", \"pool\": \"memory\", \"offset\": %d, "
        "\"size\": 64}",
        i ? ", " : "", i, 64 * i);
  length += (size_t)snprintf(text + length, sizeof text - length, "]}");
  write_file(text, length);
}

static heap_t json_heap;

// jansson does not say how large a block is that it frees.
static void *json_alloc(size_t size) {
  size_t *block = heap_alloc(&json_heap, sizeof(max_align_t) + size, 0);
  if (!block)
    return NULL;
  *block = sizeof(max_align_t) + size;
  return (char *)block + sizeof(max_align_t);
}

static void json_release(void *memory) {
  if (!memory)
    return;
  size_t *block = (size_t *)((char *)memory - sizeof(max_align_t));
  heap_free(&json_heap, block, *block, 0);
}

// Where jansson has no memory for a token, it calls the token invalid; some of
// its allocations it can do without.
static void fails_each_allocation_of_json(void) {
  size_t fail_at = 0, invalid = 0, did_without = 0;
  write_json();
  json_set_alloc_funcs(json_alloc, json_release);
  do {
    json_heap = (heap_t){.fail_at = ++fail_at};
    gmem_status_t status = read_file(NULL);
    CHECK(json_heap.live_blocks == 0 && json_heap.live_bytes == 0);
    bool failed = json_heap.calls >= fail_at;
    CHECK(status == GMEM_OK || failed);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY ||
          status == GMEM_ERR_PARSE);
    invalid += status == GMEM_ERR_PARSE;
    did_without += status == GMEM_OK && failed;
  } while (json_heap.calls >= fail_at && fail_at < MOST);
  CHECK(fail_at > 200 && fail_at < MOST);

  CHECK(invalid < fail_at / 2 && did_without < 5);
  json_set_alloc_funcs(malloc, free);
}

int main(void) {
  int file = mkstemp(path);
  CHECK(file >= 0 && close(file) == 0);
  fails_each_allocation_of_an_image();
  fails_each_allocation_of_json();
  CHECK(unlink(path) == 0);
  return CHECK_RESULT();
}
