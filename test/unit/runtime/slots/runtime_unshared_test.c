// runtime_unshared_test.c - programs compute the same when their buffers share
// memory and when they do not; wrong ones do not. "runtime_unshared_test N"
// runs N random programs.
// RUN: %unit/runtime_unshared_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "arena_tools.h"
#include "buffer_cluster.h"
#include "failing_heap.h"
#include "poison_tools.h"
#include "random_program.h"
#include "runtime_support.h"

//===--- clusters ---------------------------------------------------------===//

static bool share_bytes(const gmem_buffer_info_t *a,
                        const gmem_buffer_info_t *b) {
  return a->region == b->region && a->offset < b->offset + b->size &&
         b->offset < a->offset + a->size && a->size > 0 && b->size > 0;
}

static bool is_view(const gmem_buffer_info_t *buffer) {
  return buffer->parent == GMEM_NONE && buffer->range_count == 0 &&
         buffer->space != GMEM_SPACE_STATE;
}

static bool one_ends_as_other_begins(const gmem_buffer_info_t *a,
                                     const gmem_buffer_info_t *b) {
  for (uint32_t i = 0; i < a->range_count; ++i)
    for (uint32_t j = 0; j < b->range_count; ++j)
      if (a->ranges[i].end == b->ranges[j].begin ||
          b->ranges[j].end == a->ranges[i].begin)
        return true;
  return false;
}

// The rule as it is written down.
static bool belong_together(const gmem_buffer_info_t *buffers, uint32_t a,
                            uint32_t b) {
  const gmem_buffer_info_t *x = &buffers[a], *y = &buffers[b];
  if (x->parent == b || y->parent == a)
    return true;
  if (x->parent != GMEM_NONE || y->parent != GMEM_NONE || !share_bytes(x, y))
    return false;
  return is_view(x) || is_view(y) || one_ends_as_other_begins(x, y);
}

enum { MAX_BUFFERS = 40 };

// Spreads the smallest id of a cluster until nothing changes.
static void cluster_slowly(const gmem_buffer_info_t *buffers, uint32_t count,
                           uint32_t *cluster) {
  for (uint32_t i = 0; i < count; ++i)
    cluster[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t a = 0; a < count; ++a)
      for (uint32_t b = 0; b < count; ++b)
        if (cluster[a] < cluster[b] && belong_together(buffers, a, b)) {
          cluster[b] = cluster[a];
          changed = true;
        }
  }
}

// Buffers wherever they fit, with one to three lives, in two regions.
static uint32_t random_buffers(gmem_buffer_info_t *buffers,
                               gmem_op_range_t (*ranges)[3]) {
  uint32_t count = 0;
  for (int tries = 0; tries < 200 && count < MAX_BUFFERS; ++tries) {
    gmem_buffer_info_t *buffer = &buffers[count];
    gmem_op_t step = 0;
    *buffer = a_buffer(NULL, program_random(2), GMEM_SPACE_ACTIVATION,
                       program_random(10) ? 1 + program_random(24) : 0, NULL);
    buffer->align = 1;
    buffer->offset = program_random(64);
    buffer->ranges = ranges[count];
    buffer->range_count = program_random(8) ? 1 + program_random(3) : 0;
    for (uint32_t r = 0; r < buffer->range_count; ++r) {
      ranges[count][r].begin = step += program_random(4);
      ranges[count][r].end = step += 1 + program_random(3);
    }
    bool fits = true;
    for (uint32_t o = 0; o < count && fits; ++o)
      for (uint32_t r = 0; r < buffer->range_count && fits; ++r)
        for (uint32_t q = 0; q < buffers[o].range_count; ++q)
          if (share_bytes(buffer, &buffers[o]) &&
              ranges[count][r].begin < ranges[o][q].end &&
              ranges[o][q].begin < ranges[count][r].end)
            fits = false;
    count += fits;
  }
  return count;
}

static uint32_t total_clusters;

static void check_clusters(void) {
  static gmem_op_range_t ranges[MAX_BUFFERS + 1][3];
  gmem_buffer_info_t buffers[MAX_BUFFERS + 1];
  char names[MAX_BUFFERS][8];
  uint32_t sorted[MAX_BUFFERS], fast[MAX_BUFFERS], slow[MAX_BUFFERS];
  gmem_region_info_t regions[] = {{"r", GMEM_SPACE_ACTIVATION, 0, 128, 1},
                                  {"s", GMEM_SPACE_IO, 0, 128, 1}};
  uint32_t count = random_buffers(buffers, ranges);
  for (uint32_t i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "b%u", i);
    buffers[i].name = names[i];
    // Some of the last are aliases of the first.
    uint32_t parent = program_random(count);
    if (i > parent && i + 8 > count && buffers[parent].parent == GMEM_NONE) {
      buffers[i] = buffers[parent];
      buffers[i].name = names[i];
      buffers[i].parent = parent;
    }
  }
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 2,
                           .buffers = buffers,
                           .buffer_count = count,
                           .op_count = 32};
  gmem_plan_t *plan = plan_of(&desc);
  gmem_allocator_t libc = gmem_rt_allocator(NULL);
  uint32_t roots = 0;
  CHECK(gmem_cluster_buffers(plan, &libc, sorted, &roots, fast));
  cluster_slowly(buffers, count, slow);
  for (uint32_t a = 0; a < count; ++a) {
    total_clusters += slow[a] == a;
    for (uint32_t b = 0; b < a; ++b)
      CHECK((fast[a] == fast[b]) == (slow[a] == slow[b]));
  }
  for (uint32_t i = 1; i < roots; ++i)
    CHECK(buffers[sorted[i - 1]].region < buffers[sorted[i]].region ||
          buffers[sorted[i - 1]].offset <= buffers[sorted[i]].offset);
  gmem_plan_release(plan);
}

static void test_clusters(int rounds) {
  for (int i = 0; i < rounds && !check_failures; ++i)
    check_clusters();
  CHECK(total_clusters > 3 * (uint32_t)rounds); // they are not all one
}

//===--- the differential run ---------------------------------------------===//

static uint32_t outcome(const program_t *program, uint32_t flags, int rounds) {
  gmem_plan_desc_t desc = desc_of(program);
  arena_t arena = make_arena(&desc, NULL, 1, flags, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_diag_t diag = {.text = ""};
  uint32_t result = run_in_lease(program, lease, rounds);
  CHECK(gmem_lease_check(lease, &diag) == GMEM_OK);
  if (diag.text[0])
    fprintf(stderr, "%s\n", diag.text);
  gmem_lease_release(lease);
  gmem_pool_stats_t stats;
  gmem_pool_stats(arena.pool, &stats);
  CHECK(stats.corruptions == 0);
  free_arena(&arena);
  return result;
}

static void test_right_programs(int count) {
  static const uint32_t flags[] = {0, GMEM_POOL_UNSHARED, GMEM_POOL_CHECK,
                                   GMEM_POOL_CHECK | GMEM_POOL_UNSHARED,
                                   GMEM_POOL_ZERO_ON_ACQUIRE |
                                       GMEM_POOL_UNSHARED};
  static program_t program;
  for (int i = 0; i < count && !check_failures; ++i) {
    make_program(&program);
    int rounds = 1 + i % 2; // steps go back to 0
    uint32_t expected = run_apart(&program, rounds);
    for (size_t f = 0; f < sizeof flags / sizeof flags[0]; ++f)
      CHECK(outcome(&program, flags[f], rounds) == expected);
  }
}

// Two buffers in the same bytes, apart in time by a step.
static const gmem_op_range_t early = {0, 2}, late = {3, 5};
static const gmem_region_info_t small = {"r", GMEM_SPACE_ACTIVATION, 0, 64, 64};

static gmem_plan_desc_t two_buffers(gmem_buffer_info_t *buffers) {
  buffers[0] = a_buffer("early", 0, GMEM_SPACE_ACTIVATION, 64, &early);
  buffers[1] = a_buffer("late", 0, GMEM_SPACE_ACTIVATION, 64, &late);
  return (gmem_plan_desc_t){.regions = &small,
                            .region_count = 1,
                            .buffers = buffers,
                            .buffer_count = 2,
                            .op_count = 5};
}

// A kernel that reads a buffer after its life gets another's value when they
// share memory, and its own when they do not: so the outputs differ.
static uint8_t read_too_late(uint32_t flags) {
  gmem_buffer_info_t buffers[2];
  gmem_plan_desc_t desc = two_buffers(buffers);
  arena_t arena = make_arena(&desc, NULL, 1, flags, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_lease_begin_op(lease, 0);
  memset(host_of(lease, 0), 1, 64);
  gmem_lease_begin_op(lease, 3);
  memset(host_of(lease, 1), 2, 64);
  uint8_t value = peek(host_of(lease, 0));
  gmem_lease_release(lease);
  free_arena(&arena);
  return value;
}

static void test_wrong_program_is_found(void) {
  CHECK(read_too_late(0) == 2);
  CHECK(read_too_late(GMEM_POOL_UNSHARED) == 1);
  CHECK(read_too_late(GMEM_POOL_UNSHARED | GMEM_POOL_CHECK) == 0xCB);
}

//===--- memory of their own ----------------------------------------------===//

static void test_guards(void) {
  static const gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0x1040, 8192, 64};
  gmem_buffer_info_t buffers[] = {
      a_buffer("odd", 0, GMEM_SPACE_ACTIVATION, 100, &step),
      a_buffer("bytes", 0, GMEM_SPACE_ACTIVATION, 99, &step),
      a_buffer("page", 0, GMEM_SPACE_ACTIVATION, 4096, &step),
      a_buffer("empty", 0, GMEM_SPACE_ACTIVATION, 0, &step),
      a_buffer("part", 0, GMEM_SPACE_ACTIVATION, 64, &step)};
  buffers[1].offset = 101;
  buffers[1].align = 1;
  buffers[2].offset = 0x1000 - 0x40;
  buffers[2].align = 4096;
  buffers[4].offset = buffers[2].offset + 64;
  buffers[4].parent = 2;
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 5,
                           .op_count = 1};
  gmem_mmap_options_t guarded = GMEM_MMAP_OPTIONS_INIT;
  gmem_provider_t provider;
  guarded.guard_pages = true;
  CHECK(gmem_provider_mmap(&guarded, NULL, &provider) == GMEM_OK);
  arena_t arena = make_arena(&desc, &provider, 1, GMEM_POOL_UNSHARED, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  void *ptr = NULL;
  for (gmem_buffer_t id = 0; id < 5; ++id) {
    CHECK((uintptr_t)host_of(lease, id) % buffers[id].align == 0);
    CHECK(device_of(lease, id) == (uint64_t)(uintptr_t)host_of(lease, id));
    memset(host_of(lease, id), 1, buffers[id].size);
  }
  CHECK(host_of(lease, 4) == host_of(lease, 2) + 64);
  // As near to the guard as the alignment allows.
  CHECK(!is_deadly(host_of(lease, 0) + 127) &&
        is_deadly(host_of(lease, 0) + 128));
  CHECK(!is_deadly(host_of(lease, 1) + 98) &&
        is_deadly(host_of(lease, 1) + 99));
  CHECK(is_deadly(host_of(lease, 2) + 4096) &&
        is_deadly(host_of(lease, 2) - 1));
  CHECK(gmem_lease_region(lease, 0, &ptr) == GMEM_ERR_UNSUPPORTED && !ptr);
  gmem_lease_release(lease);
  free_arena(&arena); // and the provider
}

// An overrun from one buffer into the next in the plan is found without guards.
static void test_overrun_into_padding(void) {
  gmem_buffer_info_t buffers[2];
  gmem_plan_desc_t desc = two_buffers(buffers);
  gmem_diag_t diag = {.text = ""};
  buffers[0].size = buffers[0].payload = 60;
  arena_t arena =
      make_arena(&desc, NULL, 1, GMEM_POOL_UNSHARED | GMEM_POOL_CHECK, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_lease_begin_op(lease, 0);
  poke(host_of(lease, 0), 61);
  CHECK(gmem_lease_check(lease, &diag) == GMEM_ERR_CORRUPT);
  CHECK(diag.offset == 60 && strstr(diag.text, "after 'early'"));
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_imports_keep_away_from_all_ranges(void) {
  gmem_buffer_info_t buffers[2];
  gmem_plan_desc_t desc = two_buffers(buffers);
  buffers[0].flags = GMEM_BUFFER_IMPORTABLE;
  arena_t arena = make_arena(&desc, NULL, 2, GMEM_POOL_UNSHARED, NULL);
  gmem_lease_t *one = lease_all(&arena), *two = lease_all(&arena);
  uint8_t *late_host = host_of(one, 1);
  CHECK(gmem_lease_import(one, 0, late_host, (uintptr_t)late_host, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(two, 0, late_host, (uintptr_t)late_host, 64, NULL) ==
        GMEM_OK);
  CHECK(host_of(two, 0) == late_host);
  gmem_lease_release(one);
  gmem_lease_release(two);
  free_arena(&arena);
}

//===--- failures ---------------------------------------------------------===//

// Memory of the operating system, but for the call of that number.
typedef struct failing_s {
  gmem_provider_t system;
  unsigned calls, fail_at, live;
} failing_t;

static gmem_status_t failing_acquire(void *user, uint64_t size, uint64_t align,
                                     uint64_t fixed_device, uint32_t flags,
                                     gmem_range_t *out_range,
                                     gmem_diag_t *diag) {
  failing_t *failing = user;
  if (++failing->calls == failing->fail_at)
    return GMEM_ERR_OUT_OF_MEMORY;
  ++failing->live;
  return failing->system.acquire(failing->system.user, size, align,
                                 fixed_device, flags, out_range, diag);
}

static void failing_release(void *user, const gmem_range_t *range) {
  failing_t *failing = user;
  --failing->live;
  failing->system.release(failing->system.user, range);
}

// Makes a pool of two slots and grows it by one; everything is given back.
static gmem_status_t try_pool(gmem_model_t *model,
                              const gmem_provider_t *provider, uint32_t flags,
                              const gmem_allocator_t *allocator) {
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 2,
                                 .max_slots = 3,
                                 .flags = flags};
  gmem_status_t status =
      gmem_pool_create(model, provider, &options, allocator, &pool, NULL);
  CHECK((status == GMEM_OK) == (pool != NULL));
  if (status == GMEM_OK)
    status = gmem_pool_populate(pool, 1, NULL);
  gmem_pool_release(pool);
  return status;
}

static void fail_everything(gmem_model_t *model, failing_t *failing,
                            const gmem_provider_t *provider, uint32_t flags) {
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  for (size_t k = 1; status != GMEM_OK; ++k) {
    heap = (heap_t){.fail_at = k};
    status = try_pool(model, provider, flags, &allocator);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0 && failing->live == 0);
  }
  status = GMEM_ERR_OUT_OF_MEMORY;
  for (unsigned k = 1; status != GMEM_OK; ++k) {
    heap = (heap_t){.fail_at = 0};
    failing->calls = 0;
    failing->fail_at = k;
    status = try_pool(model, provider, flags, &allocator);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == 0 && failing->live == 0);
  }
  failing->fail_at = 0;
}

static void test_every_failure(void) {
  static program_t program;
  failing_t failing = {.calls = 0};
  gmem_model_t *model = NULL;
  make_program(&program);
  gmem_plan_desc_t desc = desc_of(&program);
  gmem_plan_t *plan = plan_of(&desc);
  CHECK(gmem_provider_mmap(NULL, NULL, &failing.system) == GMEM_OK);
  gmem_provider_t provider = {.user = &failing,
                              .granularity = failing.system.granularity,
                              .acquire = failing_acquire,
                              .release = failing_release};
  CHECK(gmem_model_create(plan, &provider, NULL, NULL, &model, NULL) ==
        GMEM_OK);
  gmem_plan_release(plan);
  fail_everything(model, &failing, &provider, GMEM_POOL_CHECK);
  fail_everything(model, &failing, &provider, GMEM_POOL_ZERO_ON_RELEASE);
  fail_everything(model, &failing, &provider,
                  GMEM_POOL_UNSHARED | GMEM_POOL_CHECK);
  gmem_model_release(model);
  gmem_provider_destroy(&failing.system);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 60;
  test_clusters(5 * count);
  test_right_programs(count);
  test_wrong_program_is_found();
  test_guards();
  test_overrun_into_padding();
  test_imports_keep_away_from_all_ranges();
  test_every_failure();
  return CHECK_RESULT();
}
