// runtime_overlap_test.c - which buffers may share bytes: live ranges in the
// order of the buffers and in any other, by hand and against a naive check.
// RUN: %unit/runtime_overlap_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "plan_checker.h"

enum { MAX_CROWD = 150, MAX_LIVES = 2, ROOM = 4096 };

// A plan of one region, and one of weights of the same size.
typedef struct crowd_s {
  uint32_t count, steps;
  gmem_buffer_info_t buffers[MAX_CROWD];
  gmem_op_range_t lives[MAX_CROWD][MAX_LIVES];
  char names[MAX_CROWD][8];
} crowd_t;

// Adds a buffer of the bytes [begin, end), which is not live yet.
static gmem_buffer_info_t *add(crowd_t *crowd, uint64_t begin, uint64_t end) {
  uint32_t id = crowd->count++;
  snprintf(crowd->names[id], sizeof crowd->names[id], "b%" PRIu32, id);
  crowd->buffers[id] = (gmem_buffer_info_t){.name = crowd->names[id],
                                            .offset = begin,
                                            .size = end - begin,
                                            .align = 1,
                                            .space = GMEM_SPACE_ACTIVATION,
                                            .ranges = crowd->lives[id],
                                            .parent = GMEM_NONE,
                                            .threads = 1};
  return &crowd->buffers[id];
}

static void live(crowd_t *crowd, uint32_t begin, uint32_t end) {
  uint32_t id = crowd->count - 1;
  uint32_t *count = &crowd->buffers[id].range_count;
  crowd->lives[id][(*count)++] = (gmem_op_range_t){begin, end};
  if (crowd->steps < end)
    crowd->steps = end;
}

// The image of |crowd|, or the reason why there is none.
static gmem_status_t write(const crowd_t *crowd, void **out_data,
                           size_t *out_size, gmem_diag_t *diag) {
  static const gmem_region_info_t regions[] = {
      {"r", GMEM_SPACE_ACTIVATION, 0, ROOM, 1},
      {"w", GMEM_SPACE_WEIGHT, 0, ROOM, 1}};
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 2,
                           .buffers = crowd->buffers,
                           .buffer_count = crowd->count,
                           .op_count = crowd->steps};
  return gmem_plan_write(&desc, NULL, out_data, out_size, diag);
}

// Whether the overlap is the one that |text| describes, or, if that is NULL,
// there is none.
static bool overlaps(const crowd_t *crowd, const char *text) {
  void *data = NULL;
  size_t size = 0;
  gmem_diag_t diag = {0};
  gmem_status_t status = write(crowd, &data, &size, &diag);
  gmem_plan_data_free(NULL, data, size);
  if (!text)
    return status == GMEM_OK;
  return status == GMEM_ERR_OVERLAP && strcmp(diag.text, text) == 0;
}

//===--- by hand ----------------------------------------------------------===//

// Buffer 0 ends at step 2. Its bytes are free from then on.
static void test_end_of_a_life(bool in_order) {
  for (uint32_t begin = 1; begin <= 2; ++begin) {
    crowd_t crowd = {0};
    add(&crowd, 0, 16);
    live(&crowd, 0, 2);
    add(&crowd, 8, 24);
    live(&crowd, begin, 4);
    add(&crowd, 100, 116);
    live(&crowd, in_order ? begin : 0, 4);
    CHECK(overlaps(&crowd, begin == 2 ? NULL
                                      : "buffers 0 'b0' and 1 'b1' are both "
                                        "live at step 1 and share bytes [8, "
                                        "16) of region 0"));
  }
}

// Buffers that have ended are between one that begins and a live one behind
// them, which it reaches.
static void test_behind_ended_ones(void) {
  for (uint64_t end = 60; end <= 61; ++end) {
    crowd_t crowd = {0};
    for (uint64_t at = 10; at < 60; at += 10) {
      add(&crowd, at, at + 10);
      live(&crowd, 0, 1);
    }
    add(&crowd, 60, 70);
    live(&crowd, 0, 9);
    add(&crowd, 5, end);
    live(&crowd, 5, 6);
    CHECK(overlaps(&crowd, end == 60 ? NULL
                                     : "buffers 5 'b5' and 6 'b6' are both "
                                       "live at step 5 and share bytes [60, "
                                       "61) of region 0"));
  }
}

// A long buffer in front, which begins when the ones in it have ended.
static void test_before_the_end_of_a_long_one(void) {
  for (uint64_t begin = 39; begin <= 40; ++begin) {
    crowd_t crowd = {0};
    add(&crowd, 10, 20);
    live(&crowd, 0, 1);
    add(&crowd, 20, 30);
    live(&crowd, 0, 2);
    add(&crowd, 0, 40);
    live(&crowd, 2, 5);
    add(&crowd, begin, 50);
    live(&crowd, 4, 5);
    CHECK(overlaps(&crowd, begin == 40 ? NULL
                                       : "buffers 2 'b2' and 3 'b3' are both "
                                         "live at step 4 and share bytes [39, "
                                         "40) of region 0"));
  }
}

// Between its lives the bytes of a buffer are free. |other| is where the live
// ranges are no longer in order.
static void test_gap(uint32_t begin, uint32_t end, const char *text) {
  for (int first = 0; first < 2; ++first) {
    crowd_t crowd = {0};
    for (int i = 0; i < 2; ++i) {
      add(&crowd, 0, 16);
      if (i == first) {
        live(&crowd, 0, 1);
        live(&crowd, 4, 5);
      } else {
        live(&crowd, begin, end);
      }
    }
    CHECK(overlaps(&crowd, text));
  }
}

static void test_gaps(void) {
  test_gap(1, 4, NULL);
  test_gap(5, 6, NULL); // in the order of the buffers
  test_gap(1, 5,
           "buffers 0 'b0' and 1 'b1' are both live at step 4 and share bytes "
           "[0, 16) of region 0");
  test_gap(4, 6,
           "buffers 0 'b0' and 1 'b1' are both live at step 4 and share bytes "
           "[0, 16) of region 0");
}

// What is always live is so before it comes in the order of the buffers.
static void test_always_live(void) {
  for (int shared = 0; shared < 2; ++shared) {
    crowd_t crowd = {0};
    add(&crowd, 0, 16)->space = GMEM_SPACE_ACTIVATION;
    live(&crowd, 0, 1);
    add(&crowd, 20, 36);
    live(&crowd, 3, 4);
    gmem_buffer_info_t *last = add(&crowd, 8, 24);
    last->space = shared ? GMEM_SPACE_WEIGHT : GMEM_SPACE_STATE;
    last->region = (uint32_t)shared;
    CHECK(overlaps(&crowd, shared ? NULL
                                  : "buffers 0 'b0' and 2 'b2' are both live "
                                    "at step 0 and share bytes [8, 16) of "
                                    "region 0"));
  }
}

//===--- against a naive check --------------------------------------------===//

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t bound) {
  random_state = random_state * 1664525 + 1013904223;
  return (random_state >> 8) % bound;
}

// Buffers in |room| bytes of both regions; each begins after |*clock|, or, not
// |in_order|, at any step.
static void make_random(crowd_t *crowd, uint32_t count, uint32_t room,
                        bool in_order) {
  *crowd = (crowd_t){.steps = 1};
  for (uint32_t i = 0, clock = 0; i < count; ++i) {
    uint32_t size = random_below(6), begin = random_below(room - size);
    gmem_buffer_info_t *buffer = add(crowd, begin, begin + size);
    uint32_t kind = random_below(16);
    if (kind < 2)
      buffer->space = kind ? GMEM_SPACE_WEIGHT : GMEM_SPACE_STATE;
    buffer->region = kind == 1;
    for (uint32_t lives = random_below(MAX_LIVES + 1); lives > 0; --lives) {
      uint32_t first =
          in_order || buffer->range_count ? clock : random_below(2 * count);
      uint32_t from = first + random_below(2), to = from + 1 + random_below(9);
      if (buffer->range_count && from < buffer->ranges[0].end)
        from = buffer->ranges[0].end, to += from;
      live(crowd, from, to);
      clock = from;
    }
  }
}

static bool naive_clash(const crowd_t *crowd, uint32_t id) {
  for (uint32_t i = 0; i < crowd->count; ++i)
    if (i != id && clash(&crowd->buffers[i], &crowd->buffers[id], crowd->steps))
      return true;
  return false;
}

static void check_random(const crowd_t *crowd, unsigned seen[2]) {
  void *data = NULL;
  size_t size = 0;
  gmem_diag_t diag = {0};
  bool clashes = false;
  for (uint32_t i = 0; i < crowd->count && !clashes; ++i)
    clashes = naive_clash(crowd, i);
  gmem_status_t status = write(crowd, &data, &size, &diag);
  gmem_plan_data_free(NULL, data, size);
  CHECK(status == (clashes ? GMEM_ERR_OVERLAP : GMEM_OK));
  CHECK(!clashes || naive_clash(crowd, (uint32_t)diag.object));
  ++seen[clashes];
}

static void test_random_crowds_agree(bool in_order) {
  static crowd_t crowd;
  unsigned seen[2] = {0};
  for (int round = 0; round < 20000; ++round) {
    bool large = round % 100 == 0; // more than one word of the set of ranks
    uint32_t count = large ? MAX_CROWD : 2 + random_below(10);
    make_random(&crowd, count, large ? ROOM : 8u << random_below(5), in_order);
    check_random(&crowd, seen);
  }
  CHECK(seen[false] > 1000 && seen[true] > 1000);
}

//===--- memory -----------------------------------------------------------===//

// Every allocation of a load fails once.
static void check_out_of_memory(const crowd_t *crowd) {
  void *data = NULL;
  size_t size = 0;
  CHECK(write(crowd, &data, &size, NULL) == GMEM_OK);
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  for (size_t k = 1; k <= heap.calls + 1; ++k) {
    gmem_plan_t *plan = NULL;
    heap = (heap_t){.fail_at = k};
    gmem_status_t status = gmem_plan_load_memory(data, size, GMEM_LOAD_BORROW,
                                                 &allocator, &plan, NULL);
    CHECK(status == (heap.calls < k ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY));
    gmem_plan_release(plan);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  }
  gmem_plan_data_free(NULL, data, size);
}

static void test_out_of_memory(void) {
  crowd_t crowd = {0};
  add(&crowd, 0, 16);
  live(&crowd, 1, 2);
  check_out_of_memory(&crowd); // in order
  add(&crowd, 16, 32);
  live(&crowd, 0, 2);
  check_out_of_memory(&crowd); // not in order
  add(&crowd, 20, 24)->parent = 1;
  live(&crowd, 1, 2);
  check_out_of_memory(&crowd); // and with an alias
}

int main(void) {
  test_end_of_a_life(true);
  test_end_of_a_life(false);
  test_behind_ended_ones();
  test_before_the_end_of_a_long_one();
  test_gaps();
  test_always_live();
  test_random_crowds_agree(true);
  test_random_crowds_agree(false);
  test_out_of_memory();
  return CHECK_RESULT();
}
