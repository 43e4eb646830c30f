// runtime_check_test.c - what is written or read where no buffer lives is found
// (GMEM_POOL_CHECK), and right programs are left alone.
// RUN: %unit/runtime_check_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "arena_tools.h"
#include "check.h"
#include "gmem/runtime.h"
#include "poison_tools.h"

// Byte    step 0    1    2    3    4    5
//   0 -  63   |--in----|    |--c------|       reuse, not at the next step
//  64 - 127        |----a----|---r----|       r: made at step 2 over a
//  64 -  95        (v: a view)
// 128 - 159   nothing, ever
// 160 - 223             |----b----|           160 - 191: alias "al"
// 224 - 255   |---------out--------------|    [0,1) and [4,6): two lives
// 256 - 319   state
enum { IN, A, R, V, B, AL, C, OUT, STATE, BUFFERS, STEPS = 6, SIZE = 320 };

static const gmem_op_range_t ranges[] = {
    {0, 2}, {1, 3}, {3, 5}, {2, 4}, {3, 5}, {0, 1}, {4, 6},
};

// b is aligned better than its region, which so begins inside of its range.
#define BUFFER(NAME, OFFSET, BYTES, SPACE, FIRST, COUNT, PARENT, FLAGS)        \
  {                                                                            \
    .name = NAME, .offset = OFFSET, .size = BYTES, .payload = BYTES,           \
    .align = OFFSET == 160 && BYTES == 64 ? 64 : 32, .space = SPACE,           \
    .ranges = ranges + (FIRST), .range_count = COUNT, .parent = PARENT,        \
    .threads = 1, .flags = FLAGS                                               \
  }

static const gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0x60,
                                          SIZE, 32};
static const gmem_buffer_info_t buffers[BUFFERS] = {
    [IN] = BUFFER("in", 0, 64, GMEM_SPACE_IO, 0, 1, GMEM_NONE,
                  GMEM_BUFFER_INPUT | GMEM_BUFFER_IMPORTABLE),
    [A] = BUFFER("a", 64, 64, GMEM_SPACE_ACTIVATION, 1, 1, GMEM_NONE, 0),
    [R] = BUFFER("r", 64, 64, GMEM_SPACE_ACTIVATION, 2, 1, GMEM_NONE, 0),
    [V] = BUFFER("v", 64, 32, GMEM_SPACE_ACTIVATION, 0, 0, GMEM_NONE, 0),
    [B] = BUFFER("b", 160, 64, GMEM_SPACE_ACTIVATION, 3, 1, GMEM_NONE, 0),
    [AL] = BUFFER("al", 160, 32, GMEM_SPACE_ACTIVATION, 3, 1, B, 0),
    [C] = BUFFER("c", 0, 64, GMEM_SPACE_ACTIVATION, 4, 1, GMEM_NONE, 0),
    [OUT] = BUFFER("out", 224, 32, GMEM_SPACE_IO, 5, 2, GMEM_NONE,
                   GMEM_BUFFER_OUTPUT),
    [STATE] = BUFFER("state", 256, 64, GMEM_SPACE_STATE, 0, 0, GMEM_NONE, 0),
};

static const gmem_buffer_t group_members[] = {IN, A, AL, OUT};
static const gmem_group_info_t group = {"some", group_members, 4};

static const gmem_plan_desc_t plan_desc = {.regions = &region,
                                           .region_count = 1,
                                           .buffers = buffers,
                                           .buffer_count = BUFFERS,
                                           .op_count = STEPS,
                                           .groups = &group,
                                           .group_count = 1};

//===--- a program --------------------------------------------------------===//

// A bug: some bytes written at a place and time of no buffer.
typedef struct bug_s {
  const char *what;
  int step;         // written in this step; -1: before the first, -2: never
  int32_t offset;   // byte of the region
  uint32_t size;    // bytes
  uint32_t found;   // byte that is reported
  const char *tell; // part of the message
} bug_t;

static const bug_t no_bug = {.step = -2};

static void step_of_program(const gmem_lease_t *lease, int step) {
  switch (step) {
  case 0:
    memset(host_of(lease, OUT), 9, 32);
    ++host_of(lease, STATE)[63];
    break;
  case 1:
    for (int i = 0; i < 64; ++i)
      host_of(lease, A)[i] = host_of(lease, IN)[i] + 1;
    break;
  case 2: // writes r over a, reads the view of it
    memset(host_of(lease, B), host_of(lease, V)[5], 64);
    for (int i = 0; i < 64; ++i)
      host_of(lease, R)[i] = host_of(lease, A)[i] + 1;
    break;
  case 3:
    memcpy(host_of(lease, C), host_of(lease, R), 64);
    host_of(lease, C)[1] = host_of(lease, AL)[31];
    break;
  case 4:
    for (int i = 0; i < 32; ++i)
      host_of(lease, OUT)[i] = host_of(lease, C)[i] + host_of(lease, R)[32 + i];
    break;
  default:
    break;
  }
}

static void plant(gmem_lease_t *lease, const uint8_t *base, const bug_t *bug,
                  int step) {
  (void)lease;
  if (bug->step == step)
    poke((uint8_t *)base + bug->offset, bug->size);
}

// Runs the program, |rounds| times over.
static void run(gmem_lease_t *lease, const bug_t *bug, int rounds) {
  uint8_t *base = host_of(lease, A) - 64; // of a slot with the planned layout
  memset(host_of(lease, IN), 1, 64);
  plant(lease, base, bug, -1);
  for (int round = 0; round < rounds; ++round)
    for (int step = 0; step < STEPS; ++step) {
      gmem_lease_begin_op(lease, (gmem_op_t)step);
      if (step == 0)
        memset(host_of(lease, IN), 1, 64);
      step_of_program(lease, step);
      plant(lease, base, bug, step);
    }
  CHECK(bug != &no_bug || host_of(lease, OUT)[0] == 6);
  CHECK(bug != &no_bug || host_of(lease, OUT)[1] == 2 + 3);
}

//===--- planted bugs -----------------------------------------------------===//

static const bug_t bugs[] = {
    {"after the life of c", 5, 10, 1, 10, "in bytes of 'c'"},
    {"after the life of a and r", 5, 127, 1, 127, "in bytes of 'r'"},
    {"after the life of b", 4, 160, 64, 160, "in bytes of 'b'"},
    {"before the life of b", 0, 223, 1, 223, "in bytes of 'b'"},
    {"before the life of b and the first step", -1, 200, 4, 200,
     "before step 0"},
    {"between two lives", 2, 255, 1, 255, "in bytes of 'out'"},
    {"into a gap, out of r", 4, 64, 65, 128, "before 'b'"},
    {"into the middle of a gap", 3, 140, 1, 140, "before 'b'"},
    {"into a gap before the first step", -1, 159, 1, 159, "before 'b'"},
    {"into a dead neighbour", 1, 96, 72, 160, "in bytes of 'b'"},
    {"into the dead bytes of in", 2, 0, 64, 0, "by the end of step 2 "},
    {"off by one unit: b moved by 32", 3, 128, 64, 128, "after 'a'"},
    {"behind the region", 5, 319, 2, 320, "byte 320 of region 0"},
    {"far behind the region", 2, SIZE + 100, 1, SIZE + 100, "after 'state'"},
    {"before the region", 2, -1, 1, (uint32_t)-1, "byte -1 of region 0"},
};

static void find_bug(const bug_t *bug, bool ask) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_diag_t diag = {0};
  run(lease, bug, 1);
  if (ask) {
    CHECK(gmem_lease_check(lease, &diag) == GMEM_ERR_CORRUPT);
    CHECK((uint32_t)diag.offset == bug->found);
    CHECK(strstr(diag.text, bug->tell));
    CHECK(!strstr(diag.text, "nothing") && !strstr(diag.text, "''"));
    if (!strstr(diag.text, bug->tell))
      fprintf(stderr, "%s: %s\n", bug->what, diag.text);
    CHECK(gmem_lease_check(lease, NULL) == GMEM_ERR_CORRUPT); // it stays so
  }
  CHECK(stats_of(arena.pool).corruptions == 0);
  gmem_lease_release(lease);
  CHECK(stats_of(arena.pool).corruptions == 1);
  // The next lease is clean again.
  lease = lease_all(&arena);
  run(lease, &no_bug, 1);
  CHECK(gmem_lease_check(lease, NULL) == GMEM_OK);
  gmem_lease_release(lease);
  CHECK(stats_of(arena.pool).corruptions == 1);
  free_arena(&arena);
}

static void test_planted_bugs_are_found(void) {
  for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i) {
    find_bug(&bugs[i], true);
    find_bug(&bugs[i], false); // at the release
  }
}

// The step at which somebody asks is where it is found.
static void test_check_tells_the_step(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_diag_t diag = {0};
  gmem_lease_begin_op(lease, 3);
  CHECK(gmem_lease_check(lease, NULL) == GMEM_OK);
  gmem_lease_begin_op(lease, 1);
  poke(host_of(lease, A) + 64, 1);
  CHECK(gmem_lease_check(lease, &diag) == GMEM_ERR_CORRUPT);
  CHECK(strstr(diag.text, "by the end of step 1 "));
  CHECK(diag.object == GMEM_NONE && diag.offset == 128);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// A plan in which r ends one step too early: what step 4 reads is the pattern.
static void test_life_shortened_by_one_step(void) {
  static const gmem_op_range_t wrong[] = {{3, 4}};
  gmem_buffer_info_t own[BUFFERS];
  gmem_plan_desc_t desc = plan_desc;
  memcpy(own, buffers, sizeof own);
  own[R].ranges = wrong;
  desc.buffers = own;
  arena_t arena = make_arena(&desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *r = host_of(lease, R);
  memset(host_of(lease, IN), 1, 64);
  for (int step = 0; step < 4; ++step) {
    gmem_lease_begin_op(lease, (gmem_op_t)step);
    step_of_program(lease, step);
  }
  CHECK(r[40] == 3);
  gmem_lease_begin_op(lease, 4);
  CHECK(peek(r + 40) == 0xCB);
  poke(r + 40, 1); // r is written once more
  CHECK(gmem_lease_check(lease, NULL) == GMEM_ERR_CORRUPT);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Where no buffer is near, the sentence ends before it names any.
static void test_no_buffer_is_near(void) {
  gmem_region_info_t empty = {"empty", GMEM_SPACE_ACTIVATION, 0, 64, 64};
  gmem_plan_desc_t desc = {.regions = &empty, .region_count = 1, .op_count = 1};
  arena_t arena = make_arena(&desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_diag_t diag = {0};
  void *start = NULL;
  CHECK(gmem_lease_region(lease, 0, &start) == GMEM_OK);
  poke((uint8_t *)start + 7, 1);
  CHECK(gmem_lease_check(lease, &diag) == GMEM_ERR_CORRUPT);
  CHECK(strcmp(diag.text, "byte 7 of region 0 was written before step 0 while "
                          "no buffer was live there") == 0);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_alias_out_of_bounds_is_refused(void) {
  gmem_buffer_info_t own[BUFFERS];
  gmem_plan_desc_t desc = plan_desc;
  void *data = NULL;
  size_t size = 0;
  memcpy(own, buffers, sizeof own);
  own[AL].offset = 224;
  desc.buffers = own;
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) != GMEM_OK && !data);
}

//===--- reading ----------------------------------------------------------===//

// With AddressSanitizer reading dead bytes is deadly; they have the pattern.
static void test_reading_dead_bytes(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *a = host_of(lease, A), *b = host_of(lease, B),
          *state = host_of(lease, STATE);
  CHECK(is_deadly(a + 64) == HAS_ASAN); // the gap
  CHECK(!is_deadly(a) && !is_deadly(b));
  gmem_lease_begin_op(lease, 1);
  CHECK(!is_deadly(a) && !is_deadly(a + 63) && !is_deadly(state));
  CHECK(is_deadly(b) == HAS_ASAN && peek(b) == 0xCB);
  memset(a, 7, 64);
  gmem_lease_begin_op(lease, 2);
  CHECK(!is_deadly(b) && a[63] == 7);
  gmem_lease_begin_op(lease, 5);
  CHECK(is_deadly(a) == HAS_ASAN && is_deadly(a + 63) == HAS_ASAN);
  CHECK(peek(a) == 0xCB && peek(a + 63) == 0xCB);
  gmem_lease_release(lease);
  CHECK(is_deadly(a) == HAS_ASAN); // also after the lease
  free_arena(&arena);
}

//===--- right programs ---------------------------------------------------===//

static void check_clean(gmem_pool_t *pool, gmem_lease_t *lease) {
  CHECK(gmem_lease_check(lease, NULL) == GMEM_OK);
  gmem_lease_release(lease);
  CHECK(stats_of(pool).corruptions == 0);
}

static void test_right_programs(uint32_t flags) {
  arena_t arena = make_arena(&plan_desc, NULL, 2, flags, NULL);
  for (int i = 0; i < 4; ++i) {
    gmem_lease_t *lease = lease_all(&arena);
    CHECK(host_of(lease, STATE)[63] == 0);
    run(lease, &no_bug, 1 + i);
    CHECK(host_of(lease, STATE)[63] == 1 + i);
    check_clean(arena.pool, lease);
  }
  free_arena(&arena);
}

// Any order of steps: what lives in both stays, whoever owns it.
static void test_steps_in_any_order(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_lease_begin_op(lease, 3);
  memset(host_of(lease, R), 5, 64);
  gmem_lease_begin_op(lease, 3);
  gmem_lease_begin_op(lease, 1); // r's bytes are a's
  gmem_lease_begin_op(lease, 4);
  CHECK(host_of(lease, R)[0] == 5 && host_of(lease, R)[63] == 5);
  memset(host_of(lease, OUT), 6, 32);
  gmem_lease_begin_op(lease, 0);
  CHECK(host_of(lease, OUT)[0] == 6);
  gmem_lease_begin_op(lease, STEPS); // no step: nothing happens
  gmem_lease_begin_op(lease, GMEM_NONE);
  CHECK(host_of(lease, OUT)[0] == 6);
  check_clean(arena.pool, lease);
  free_arena(&arena);
}

// Without steps only the gaps are checked.
static void test_program_that_says_nothing(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  memset(host_of(lease, IN), 1, 64);
  for (int step = 0; step < STEPS; ++step)
    step_of_program(lease, step);
  check_clean(arena.pool, lease);
  lease = lease_all(&arena);
  poke(host_of(lease, A) + 64, 1);
  CHECK(gmem_lease_check(lease, NULL) == GMEM_ERR_CORRUPT);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_import(void) {
  static _Alignas(64) uint8_t own[64];
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *slot = host_of(lease, IN);
  CHECK(gmem_lease_import(lease, IN, own, (uint64_t)(uintptr_t)own, 64, NULL) ==
        GMEM_OK);
  run(lease, &no_bug, 2);
  CHECK(own[63] == 1);
  CHECK(gmem_lease_check(lease, NULL) == GMEM_OK);
  gmem_lease_begin_op(lease, 0);
  poke(slot, 1); // the place that in does not have now
  CHECK(gmem_lease_check(lease, NULL) == GMEM_ERR_CORRUPT);
  gmem_lease_release(lease);
  memset(own, 3, 64);
  lease = lease_all(&arena);
  CHECK(host_of(lease, IN) == slot && peek(slot) == 0xCB);
  gmem_lease_release(lease);
  CHECK(own[0] == 3); // not zeroed, not filled
  free_arena(&arena);
}

static void test_group(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = NULL;
  CHECK(gmem_lease_acquire(arena.pool, 0, NULL, 0, &lease) == GMEM_OK);
  gmem_lease_begin_op(lease, 2);
  memset(host_of(lease, AL), 1, 32);
  memset(host_of(lease, A), 2, 64);
  gmem_lease_begin_op(lease, 3);
  CHECK(host_of(lease, AL)[31] == 1);
  check_clean(arena.pool, lease);
  free_arena(&arena);
}

static void test_state_of_a_reservation(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, GMEM_POOL_CHECK, NULL);
  gmem_reservation_t *reservation = NULL;
  gmem_lease_t *lease = NULL;
  CHECK(gmem_pool_reserve(arena.pool, 1, &reservation, NULL) == GMEM_OK);
  for (int i = 0; i < 3; ++i) {
    CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, reservation, 0, &lease) ==
          GMEM_OK);
    CHECK(host_of(lease, STATE)[63] == i);
    run(lease, &no_bug, 1);
    check_clean(arena.pool, lease);
  }
  gmem_pool_unreserve(reservation);
  lease = lease_all(&arena);
  CHECK(host_of(lease, STATE)[63] == 0);
  check_clean(arena.pool, lease);
  free_arena(&arena);
}

// Memory that a checking pool gave back is ordinary memory.
static void test_memory_given_back(void) {
  static _Alignas(64) uint8_t window[8192];
  gmem_provider_t provider;
  CHECK(gmem_provider_static(window, (uint64_t)(uintptr_t)window, sizeof window,
                             NULL, &provider) == GMEM_OK);
  arena_t arena = make_arena(&plan_desc, &provider, 1, GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  run(lease, &no_bug, 1);
  check_clean(arena.pool, lease);
  CHECK(gmem_pool_trim(arena.pool, 0) > 0);
  for (size_t i = 0; i < sizeof window; ++i)
    window[i] = 1;
  free_arena(&arena); // and the provider
}

static void test_without_the_flag(void) {
  arena_t arena = make_arena(&plan_desc, NULL, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i)
    if (bugs[i].offset >= 0)
      run(lease, &bugs[i], 1);
  check_clean(arena.pool, lease);
  CHECK(gmem_lease_check(NULL, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  free_arena(&arena);
}

int main(void) {
  test_planted_bugs_are_found();
  test_check_tells_the_step();
  test_life_shortened_by_one_step();
  test_no_buffer_is_near();
  test_alias_out_of_bounds_is_refused();
  test_reading_dead_bytes();
  test_right_programs(GMEM_POOL_CHECK);
  test_right_programs(GMEM_POOL_CHECK | GMEM_POOL_UNSHARED);
  test_right_programs(GMEM_POOL_CHECK | GMEM_POOL_ZERO_ON_RELEASE);
  test_steps_in_any_order();
  test_program_that_says_nothing();
  test_import();
  test_group();
  test_state_of_a_reservation();
  test_memory_given_back();
  test_without_the_flag();
  return CHECK_RESULT();
}
