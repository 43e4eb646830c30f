// runtime_lease_test.c - what a lease says of its buffers: groups, sub-tensors,
// workbuffers, scratch of threads, synchronisation.
// RUN: %unit/runtime_lease_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <unistd.h>

#include "arena_tools.h"

//===--- memory groups ----------------------------------------------------===//

// Two functions of three tensors each, in the bytes of two: the first and the
// third tensor of a function are never needed at once. In step 4 nothing is.
//
//   step    0    1    2    3    4
//   0      |tmp1|tmp3|u1  |u3  |
//   64     |tmp2     |u2       |
enum { TMP1, TMP2, TMP3, U1, U2, U3, LEFT, WEIGHT, TENSORS };
enum { FIRST, SECOND };

static const gmem_op_range_t lives[] = {{0, 1}, {0, 2}, {1, 2},
                                        {2, 3}, {2, 4}, {3, 4}};
static const gmem_region_info_t group_regions[] = {
    {"ddr", GMEM_SPACE_ACTIVATION, 0, 128, 64},
    {"weights", GMEM_SPACE_WEIGHT, 4096, 64, 64},
};
static const gmem_buffer_t first_members[] = {TMP1, TMP2, TMP3, WEIGHT};
static const gmem_buffer_t second_members[] = {U1, U2, U3};
static const gmem_group_info_t groups[] = {{"first", first_members, 4},
                                           {"second", second_members, 3}};
static const gmem_workbuffer_t group_work[] = {{2, U1}};

static gmem_plan_desc_t group_desc(void) {
  static const char *const names[] = {"tmp1", "tmp2", "tmp3", "u1",
                                      "u2",   "u3",   "left", "weight"};
  static gmem_buffer_info_t buffers[TENSORS];
  for (int i = 0; i < LEFT; ++i) {
    buffers[i] = a_buffer(names[i], 0, GMEM_SPACE_ACTIVATION, 64, &lives[i]);
    buffers[i].offset = i % 3 == 1 ? 64 : 0;
  }
  buffers[LEFT] = buffers[TMP2];
  buffers[LEFT].name = names[LEFT];
  buffers[LEFT].size = buffers[LEFT].payload = 16;
  buffers[LEFT].parent = TMP2;
  buffers[WEIGHT] = a_buffer(names[WEIGHT], 1, GMEM_SPACE_WEIGHT, 64, NULL);
  return (gmem_plan_desc_t){.regions = group_regions,
                            .region_count = 2,
                            .buffers = buffers,
                            .buffer_count = TENSORS,
                            .op_count = 5,
                            .groups = groups,
                            .group_count = 2,
                            .workbuffers = group_work,
                            .workbuffer_count = 1};
}

static void check_not_there(const gmem_lease_t *lease, gmem_buffer_t id) {
  void *host = &host;
  uint64_t device = 1, size = 1;
  CHECK(gmem_lease_host(lease, id, &host) == GMEM_ERR_OUT_OF_RANGE && !host);
  CHECK(gmem_lease_device(lease, id, &device) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(device == 0);
  host = &host;
  CHECK(gmem_lease_thread_scratch(lease, id, 0, &host, &size) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(!host && size == 0);
  CHECK(gmem_lease_sync(lease, id, true) == GMEM_ERR_OUT_OF_RANGE);
}

// A lease of a group gives the members' addresses and no others; the slot is
// laid out in the same way for all groups.
static void test_group_has_its_members_only(void) {
  gmem_plan_desc_t desc = group_desc();
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  const gmem_plan_t *plan = gmem_model_plan(arena.model);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *all[TENSORS];
  void *host = NULL;
  for (gmem_buffer_t i = 0; i < TENSORS; ++i)
    all[i] = host_of(lease, i);
  CHECK(gmem_lease_region(lease, 0, &host) == GMEM_OK && host == all[TMP1]);
  gmem_lease_release(lease);
  for (gmem_group_t group = FIRST; group <= SECOND; ++group) {
    lease = lease_group(&arena, group);
    for (gmem_buffer_t i = 0; i < TENSORS; ++i) {
      // LEFT, an alias of a member, is no member.
      bool member = i != LEFT && (i <= TMP3 || i == WEIGHT) == (group == FIRST);
      if (member)
        CHECK(host_of(lease, i) == all[i] && device_of(lease, i) != 0);
      else
        check_not_there(lease, i);
    }
    // Its buffers are not all that is in the region.
    CHECK(gmem_lease_region(lease, 0, &host) == GMEM_ERR_UNSUPPORTED && !host);
    gmem_lease_release(lease);
  }
  CHECK(gmem_plan_find_group(plan, "second") == SECOND);
  free_arena(&arena);
}

static void test_no_such_group(void) {
  gmem_plan_desc_t desc = group_desc();
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  gmem_lease_t *lease = (gmem_lease_t *)&arena;
  gmem_pool_stats_t stats;
  CHECK(gmem_lease_acquire(arena.pool, 2, NULL, 0, &lease) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(lease == NULL);
  gmem_pool_stats(arena.pool, &stats);
  CHECK(stats.free == 1 && stats.acquires == 0);
  free_arena(&arena);
}

// What one thread does with its lease of a group.
typedef struct run_s {
  const arena_t *arena;
  gmem_group_t group;
  pthread_barrier_t *start;
  uint8_t *base;
  bool right;
} run_t;

// operation1: first -> second; operation2: second -> third.
static void *run_group(void *context) {
  run_t *run = context;
  gmem_lease_t *lease = lease_group(run->arena, run->group);
  gmem_buffer_t tensor = run->group == FIRST ? TMP1 : U1;
  uint8_t *one = host_of(lease, tensor), *two = host_of(lease, tensor + 1),
          *three = host_of(lease, tensor + 2);
  uint8_t mark = (uint8_t)(uintptr_t)(one) ^ (uint8_t)(run->group + 17);
  run->base = one;
  pthread_barrier_wait(run->start); // both hold their leases
  memset(one, mark, 64);
  for (int i = 0; i < 64; ++i)
    two[i] = one[i] + 1;
  pthread_barrier_wait(run->start);
  bool right = all_are(two, 64, mark + 1);
  for (int i = 0; i < 64; ++i)
    three[i] = two[i] + 1;
  pthread_barrier_wait(run->start);
  run->right = right && all_are(three, 64, mark + 2) && three == one;
  gmem_lease_release(lease);
  return NULL;
}

static void run_both(const arena_t *arena, gmem_group_t a, gmem_group_t b) {
  pthread_barrier_t start;
  pthread_t threads[2];
  run_t runs[2] = {{arena, a, &start, NULL, false},
                   {arena, b, &start, NULL, false}};
  CHECK(pthread_barrier_init(&start, NULL, 2) == 0);
  for (int i = 0; i < 2; ++i)
    CHECK(pthread_create(&threads[i], NULL, run_group, &runs[i]) == 0);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
  CHECK(runs[0].right && runs[1].right && runs[0].base != runs[1].base);
}

// Two slots serve two groups at once, and one group twice at once: addresses
// are in the leases alone.
static void test_groups_in_two_threads(void) {
  gmem_plan_desc_t desc = group_desc();
  arena_t arena = make_arena(&desc, NULL, 2, 0, NULL);
  run_both(&arena, FIRST, SECOND);
  run_both(&arena, FIRST, FIRST);
  run_both(&arena, SECOND, SECOND);
  gmem_pool_stats_t stats;
  gmem_pool_stats(arena.pool, &stats);
  CHECK(stats.leased == 0 && stats.grows == 0 && stats.acquires == 6);
  free_arena(&arena);
}

// All groups of one slot, one after the other, in the bytes of one of them.
static void test_groups_share_one_slot(void) {
  gmem_plan_desc_t desc = group_desc();
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  CHECK(gmem_plan_slot_size(gmem_model_plan(arena.model)) == 128);
  gmem_lease_t *lease = lease_group(&arena, FIRST), *other = NULL;
  uint8_t *base = host_of(lease, TMP1);
  CHECK(gmem_lease_acquire(arena.pool, SECOND, NULL, 0, &other) ==
        GMEM_ERR_TIMEOUT);
  gmem_lease_release(lease);
  lease = lease_group(&arena, SECOND);
  CHECK(host_of(lease, U1) == base);
  gmem_lease_release(lease);
  free_arena(&arena);
}

//===--- sub-tensors ------------------------------------------------------===//

// Two sub-tensors together are their parent: concatenation without a copy, and
// without memory of their own.
static void test_sub_tensors(void) {
  static const gmem_op_range_t life = {0, 3}, left = {0, 1}, right = {1, 3};
  static const gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0,
                                            256, 64};
  gmem_buffer_info_t buffers[] = {
      a_buffer("whole", 0, GMEM_SPACE_ACTIVATION, 192, &life),
      a_buffer("left", 0, GMEM_SPACE_ACTIVATION, 128, &left),
      a_buffer("right", 0, GMEM_SPACE_ACTIVATION, 64, &right),
      a_buffer("view", 0, GMEM_SPACE_ACTIVATION, 192, NULL),
  };
  for (int i = 0; i < 4; ++i)
    buffers[i].offset = i == 2 ? 192 : 64;
  for (int i = 1; i < 4; ++i)
    buffers[i].parent = 0;
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 4,
                           .op_count = 3};
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  CHECK(gmem_plan_slot_size(gmem_model_plan(arena.model)) == 256);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *whole = host_of(lease, 0);
  CHECK(host_of(lease, 1) == whole && host_of(lease, 2) == whole + 128);
  CHECK(host_of(lease, 3) == whole);
  CHECK(device_of(lease, 2) == device_of(lease, 0) + 128);
  memset(host_of(lease, 1), 'l', 128);
  memset(host_of(lease, 2), 'r', 64);
  CHECK(all_are(whole, 128, 'l') && all_are(whole + 128, 64, 'r'));
  gmem_lease_release(lease);
  free_arena(&arena);
}

//===--- workbuffers ------------------------------------------------------===//

enum { TABLE, SCRATCH_A, SCRATCH_B, SCRATCH_C, KEPT, WORK };

// Step 0 has none, 1 one, 2 many, both mutable and immutable, 3 shares the
// immutable one with 2, 4 has none again.
static const gmem_workbuffer_t work[] = {{1, SCRATCH_A}, {2, SCRATCH_C},
                                         {2, TABLE},     {2, SCRATCH_B},
                                         {3, TABLE},     {3, KEPT}};

static gmem_plan_desc_t work_desc(void) {
  static const gmem_op_range_t at_1 = {1, 2}, at_2 = {2, 3};
  static const gmem_region_info_t regions[] = {
      {"shared", GMEM_SPACE_SHARED_WORK, 0, 4096, 64},
      {"ddr", GMEM_SPACE_ACTIVATION, 8192, 192, 64}};
  static gmem_buffer_info_t buffers[WORK];
  buffers[TABLE] = a_buffer("table", 0, GMEM_SPACE_SHARED_WORK, 4096, NULL);
  buffers[SCRATCH_A] = a_buffer("a", 1, GMEM_SPACE_ACTIVATION, 128, &at_1);
  buffers[SCRATCH_B] = a_buffer("b", 1, GMEM_SPACE_ACTIVATION, 64, &at_2);
  buffers[SCRATCH_C] = a_buffer("c", 1, GMEM_SPACE_ACTIVATION, 64, &at_2);
  buffers[SCRATCH_C].offset = 64; // in the bytes of "a": the steps differ
  buffers[KEPT] = a_buffer("kept", 1, GMEM_SPACE_STATE, 64, NULL);
  buffers[KEPT].offset = 128;
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = 2,
                            .buffers = buffers,
                            .buffer_count = WORK,
                            .op_count = 5,
                            .workbuffers = work,
                            .workbuffer_count = 6};
}

static gmem_status_t init_table(void *user, gmem_buffer_t id, void *dst,
                                uint64_t size, gmem_diag_t *diag) {
  (void)diag;
  CHECK(id == TABLE && size == 4096);
  memset(dst, 'T', size);
  ++*(unsigned *)user;
  return GMEM_OK;
}

static arena_t work_arena(unsigned *inits) {
  gmem_plan_desc_t desc = work_desc();
  gmem_model_sources_t sources = {
      .struct_size = sizeof sources, .user = inits, .work = init_table};
  return make_arena(&desc, NULL, 2, 0, &sources);
}

static void test_workbuffers_of_a_step(void) {
  unsigned inits = 0;
  arena_t arena = work_arena(&inits);
  gmem_lease_t *lease = lease_all(&arena);
  void *ptrs[4] = {NULL};
  uint32_t count = 9;
  CHECK(gmem_lease_workbuffers(lease, 0, 0, NULL, &count) == GMEM_OK);
  CHECK(count == 0);
  CHECK(gmem_lease_workbuffers(lease, 4, 4, ptrs, &count) == GMEM_OK);
  CHECK(count == 0 && ptrs[0] == NULL);
  CHECK(gmem_lease_workbuffers(lease, 1, 1, ptrs, &count) == GMEM_OK);
  CHECK(count == 1 && ptrs[0] == host_of(lease, SCRATCH_A));
  CHECK(gmem_lease_workbuffers(lease, 2, 4, ptrs, &count) == GMEM_OK);
  CHECK(count == 3 && ptrs[0] == host_of(lease, SCRATCH_C) &&
        ptrs[1] == host_of(lease, TABLE) &&
        ptrs[2] == host_of(lease, SCRATCH_B));
  CHECK(gmem_lease_workbuffers(lease, 3, 2, ptrs, &count) == GMEM_OK);
  CHECK(count == 2 && ptrs[0] == host_of(lease, TABLE));
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_workbuffers_refused(void) {
  unsigned inits = 0;
  arena_t arena = work_arena(&inits);
  gmem_lease_t *lease = lease_all(&arena);
  void *ptrs[3] = {NULL};
  uint32_t count = 9;
  CHECK(gmem_lease_workbuffers(lease, 2, 2, ptrs, &count) ==
        GMEM_ERR_TOO_SMALL);
  CHECK(count == 3 && ptrs[0] == NULL);
  CHECK(gmem_lease_workbuffers(lease, 2, 0, NULL, &count) ==
        GMEM_ERR_TOO_SMALL);
  CHECK(count == 3); // room can be made for as many
  CHECK(gmem_lease_workbuffers(lease, 5, 3, ptrs, &count) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(count == 0);
  CHECK(gmem_lease_workbuffers(lease, 2, 3, NULL, &count) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_workbuffers(lease, 2, 3, ptrs, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_lease_release(lease);
  free_arena(&arena);

  gmem_plan_desc_t desc = group_desc();
  arena = make_arena(&desc, NULL, 1, 0, NULL);
  lease = lease_group(&arena, FIRST); // does not have the workbuffer
  CHECK(gmem_lease_workbuffers(lease, 2, 3, ptrs, &count) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(count == 0);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Immutable workbuffers are initialised once for all requests, and are the same
// memory for all; mutable ones are each request's own.
static void test_immutable_workbuffers_are_initialised_once(void) {
  unsigned inits = 0;
  arena_t arena = work_arena(&inits);
  CHECK(inits == 1);
  uint8_t *table = NULL;
  for (int i = 0; i < 50; ++i) {
    gmem_lease_t *one = lease_all(&arena), *two = lease_all(&arena);
    void *first[3], *second[3];
    uint32_t count;
    CHECK(gmem_lease_workbuffers(one, 2, 3, first, &count) == GMEM_OK);
    CHECK(gmem_lease_workbuffers(two, 2, 3, second, &count) == GMEM_OK);
    CHECK(first[0] != second[0] && first[2] != second[2]);
    CHECK(first[1] == second[1] && (!table || table == first[1]));
    table = first[1];
    CHECK(all_are(table, 4096, 'T'));
    memset(first[0], i, 64);
    memset(second[0], ~i, 64);
    CHECK(all_are(first[0], 64, (uint8_t)i));
    gmem_lease_release(one);
    gmem_lease_release(two);
  }
  CHECK(inits == 1);
  free_arena(&arena);
}

// A workbuffer is there until the last operation in flight is over, also when
// whoever began it is gone.
static void test_workbuffers_outlive_the_one_who_began(void) {
  unsigned inits = 0;
  arena_t arena = work_arena(&inits);
  gmem_lease_t *lease = lease_all(&arena), *other = lease_all(&arena);
  void *ptr = NULL;
  uint32_t count;
  CHECK(gmem_lease_workbuffers(lease, 1, 1, &ptr, &count) == GMEM_OK);
  gmem_lease_retain(lease); // the kernel in flight
  gmem_lease_release(lease);
  gmem_lease_t *third = NULL;
  CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &third) ==
        GMEM_ERR_TIMEOUT);
  memset(ptr, 7, 128);
  gmem_lease_release(lease); // the kernel is done
  CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &third) == GMEM_OK);
  gmem_lease_release(third);
  gmem_lease_release(other);
  free_arena(&arena);
}

//===--- scratch of threads -----------------------------------------------===//

static arena_t scratch_arena(uint32_t threads, uint64_t per_thread) {
  static const gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 64,
                               threads * per_thread + 64, 64};
  gmem_buffer_info_t scratch = a_buffer("scratch", 0, GMEM_SPACE_ACTIVATION,
                                        threads * per_thread, &step);
  scratch.offset = 64;
  scratch.threads = threads;
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &scratch,
                           .buffer_count = 1,
                           .op_count = 1};
  return make_arena(&desc, NULL, 1, 0, NULL);
}

// The parts are as large as planned, next to each other and inside the buffer:
// parts that were rounded to a cache line never share one.
static void check_scratch(uint32_t threads, uint64_t per_thread) {
  arena_t arena = scratch_arena(threads, per_thread);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *start = host_of(lease, 0);
  void *part = NULL;
  uint64_t size = 0;
  bool right = true;
  for (uint32_t i = 0; i < threads; ++i)
    right &= gmem_lease_thread_scratch(lease, 0, i, &part, &size) == GMEM_OK &&
             size == per_thread && part == start + i * per_thread;
  CHECK(right);
  CHECK(gmem_lease_thread_scratch(lease, 0, threads, &part, &size) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(part == NULL && size == 0);
  CHECK(gmem_lease_thread_scratch(lease, 0, UINT32_MAX, &part, &size) ==
        GMEM_ERR_OUT_OF_RANGE);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_scratch_of_1_to_1024_threads(void) {
  for (uint32_t threads = 1; threads <= 1024; threads += threads < 32 ? 1 : 31)
    check_scratch(threads, 64);
  check_scratch(1024, 64);
  check_scratch(1024, 128);
  check_scratch(1024, 4096);
  check_scratch(3, 1); // as planned: not rounded here
  check_scratch(2, 0);
}

static void test_bad_scratch(void) {
  arena_t arena = scratch_arena(2, 64);
  gmem_lease_t *lease = lease_all(&arena);
  void *part = NULL;
  uint64_t size = 0;
  CHECK(gmem_lease_thread_scratch(lease, 1, 0, &part, &size) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_lease_thread_scratch(lease, 0, 0, NULL, &size) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_thread_scratch(lease, 0, 0, &part, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_lease_release(lease);
  free_arena(&arena);
}

//===--- the device's view ------------------------------------------------===//

enum { IMAGE, CROP, NOTHING, TAIL, CONSTANT };

// The region's base is 64 after a multiple of the alignment of TAIL: the region
// begins in the middle of what is mapped.
static gmem_plan_desc_t device_desc(void) {
  static const gmem_op_range_t step = {0, 1};
  static const gmem_region_info_t regions[] = {
      {"ddr", GMEM_SPACE_ACTIVATION, 4096 + 64, 512, 64},
      {"weights", GMEM_SPACE_WEIGHT, 8192, 64, 64}};
  static const gmem_workbuffer_t image[] = {{0, IMAGE}};
  static gmem_buffer_info_t buffers[5];
  buffers[IMAGE] = a_buffer("image", 0, GMEM_SPACE_ACTIVATION, 128, &step);
  buffers[CROP] = a_buffer("crop", 0, GMEM_SPACE_ACTIVATION, 64, &step);
  buffers[CROP].offset = 64;
  buffers[CROP].parent = IMAGE;
  buffers[NOTHING] = a_buffer("nothing", 0, GMEM_SPACE_ACTIVATION, 0, &step);
  buffers[TAIL] = a_buffer("tail", 0, GMEM_SPACE_ACTIVATION, 128, &step);
  buffers[TAIL].align = 256;
  buffers[TAIL].offset = 192;
  buffers[CONSTANT] = a_buffer("constant", 1, GMEM_SPACE_WEIGHT, 64, NULL);
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = 2,
                            .buffers = buffers,
                            .buffer_count = 5,
                            .op_count = 1,
                            .workbuffers = image,
                            .workbuffer_count = 1};
}

// The provider is told the range, and where in it the buffer's bytes are.
static void test_sync(void) {
  device_t device = {.shift = UINT64_C(1) << 40};
  gmem_provider_t provider = device_provider(&device);
  gmem_plan_desc_t desc = device_desc();
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  unsigned before = device.syncs;
  CHECK(gmem_lease_sync(lease, TAIL, true) == GMEM_OK);
  CHECK(device.syncs == before + 1 && device.size == 128 && device.to_device);
  CHECK(device.offset == 64 + 192); // what is before the region, and the offset
  CHECK((uint8_t *)device.synced.host + device.offset == host_of(lease, TAIL));
  CHECK(device.synced.device + device.offset == device_of(lease, TAIL));
  CHECK(gmem_lease_sync(lease, CROP, false) == GMEM_OK);
  CHECK(device.size == 64 && device.offset == 128 && !device.to_device);
  device.status = GMEM_ERR_IO;
  CHECK(gmem_lease_sync(lease, IMAGE, true) == GMEM_ERR_IO);
  before = device.syncs;
  CHECK(gmem_lease_sync(lease, NOTHING, true) == GMEM_OK);
  CHECK(gmem_lease_sync(lease, CONSTANT, true) == GMEM_OK);
  CHECK(gmem_lease_sync(lease, 5, true) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(device.syncs == before);
  gmem_lease_release(lease);
  free_arena(&arena);

  provider.sync = NULL; // both see the same
  arena = make_arena(&desc, &provider, 1, 0, NULL);
  lease = lease_all(&arena);
  CHECK(gmem_lease_sync(lease, IMAGE, true) == GMEM_OK);
  CHECK(device.syncs == before);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Memory that the CPU cannot see has device addresses, and no others.
static void test_memory_of_the_device_alone(void) {
  device_t device = {.shift = UINT64_C(1) << 40, .blind = true};
  gmem_provider_t provider = device_provider(&device);
  gmem_plan_desc_t desc = device_desc();
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  void *host = &host;
  uint64_t size = 1;
  uint32_t count = 1;
  for (gmem_buffer_t i = 0; i < 5; ++i) {
    CHECK(gmem_lease_host(lease, i, &host) == GMEM_ERR_UNSUPPORTED && !host);
    CHECK(device_of(lease, i) != 0);
  }
  CHECK(device_of(lease, TAIL) % 256 == 0);
  CHECK(device_of(lease, CROP) == device_of(lease, IMAGE) + 64);
  CHECK(gmem_lease_region(lease, 0, &host) == GMEM_ERR_UNSUPPORTED);
  CHECK(gmem_lease_thread_scratch(lease, IMAGE, 0, &host, &size) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(gmem_lease_workbuffers(lease, 0, 1, &host, &count) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(count == 0);
  CHECK(gmem_lease_sync(lease, IMAGE, true) == GMEM_OK && device.size == 128);
  gmem_lease_release(lease);
  free_arena(&arena);
}

int main(void) {
  alarm(120);
  test_group_has_its_members_only();
  test_no_such_group();
  test_groups_in_two_threads();
  test_groups_share_one_slot();
  test_sub_tensors();
  test_workbuffers_of_a_step();
  test_workbuffers_refused();
  test_immutable_workbuffers_are_initialised_once();
  test_workbuffers_outlive_the_one_who_began();
  test_scratch_of_1_to_1024_threads();
  test_bad_scratch();
  test_sync();
  test_memory_of_the_device_alone();
  return CHECK_RESULT();
}
