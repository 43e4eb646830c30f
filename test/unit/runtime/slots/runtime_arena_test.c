// runtime_arena_test.c - plans on real memory: models, pools, leases.
// RUN: %unit/runtime_arena_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena_tools.h"
#include "check.h"
#include "gmem/runtime.h"
#include "image_tools.h"

static arena_t sample_arena(uint32_t slots) {
  gmem_plan_desc_t desc = sample_desc();
  return make_arena(&desc, NULL, slots, 0, NULL);
}

// |options| as of gmem_provider_mmap.
static arena_t mapped_arena(const gmem_plan_desc_t *desc, uint32_t slots,
                            const gmem_mmap_options_t *options) {
  gmem_provider_t provider;
  CHECK(gmem_provider_mmap(options, NULL, &provider) == GMEM_OK);
  return make_arena(desc, &provider, slots, 0, NULL);
}

//===--- addresses --------------------------------------------------------===//

static void test_addresses(void) {
  arena_t arena = sample_arena(2);
  gmem_lease_t *one = lease_all(&arena), *two = lease_all(&arena);
  uint64_t device = 0;
  void *ptr = NULL;
  for (gmem_buffer_t id = 0; id < SAMPLE_BUFFERS; ++id) {
    CHECK((uintptr_t)host_of(one, id) % sample_buffers[id].align == 0);
    CHECK(gmem_lease_device(one, id, &device) == GMEM_OK);
    CHECK(device == (uint64_t)(uintptr_t)host_of(one, id));
    // Weights are the same for all; the rest is a slot's own.
    CHECK((host_of(one, id) == host_of(two, id)) ==
          (sample_buffers[id].region == 0));
  }
  CHECK(host_of(one, 5) - host_of(one, 4) ==
        64);                                 // an alias moves with its parent
  CHECK(host_of(one, 6) == host_of(one, 3)); // the plan's reuse of bytes
  CHECK(gmem_lease_host(one, SAMPLE_BUFFERS, &ptr) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(ptr == NULL);
  CHECK(gmem_lease_device(one, GMEM_NONE, &device) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_lease_host(one, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  for (gmem_buffer_t id = 0; id < SAMPLE_BUFFERS; ++id) {
    const gmem_buffer_info_t *buffer = &sample_buffers[id];
    CHECK(gmem_lease_region(one, buffer->region, &ptr) == GMEM_OK);
    CHECK((uint8_t *)ptr + buffer->offset == host_of(one, id));
  }
  CHECK(gmem_lease_region(one, 2, &ptr) == GMEM_ERR_OUT_OF_RANGE && !ptr);
  CHECK(gmem_lease_region(one, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  memset(host_of(one, 4), 1, 256);
  memset(host_of(two, 4), 2, 256);
  CHECK(host_of(one, 4)[255] == 1);
  gmem_lease_release(one);
  gmem_lease_release(two);
  free_arena(&arena);
}

// Alignments from 1 to 2^30, with a base that is not a multiple of them.
static void test_large_alignments(void) {
  int last = sizeof(size_t) > 4 ? 30 : 27; // twice 2^30 is all there is
  for (int shift = 0; shift <= last; shift += 3) {
    uint64_t align = UINT64_C(1) << shift;
    gmem_op_range_t step = {0, 1};
    gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 192, 0, 64};
    gmem_buffer_info_t buffer = {.name = "b",
                                 .size = 4,
                                 .align = align,
                                 .offset = (align - 192 % align) % align,
                                 .space = GMEM_SPACE_ACTIVATION,
                                 .ranges = &step,
                                 .range_count = 1,
                                 .parent = GMEM_NONE,
                                 .threads = 1};
    region.size = buffer.offset + 4;
    gmem_plan_desc_t desc = {.regions = &region,
                             .region_count = 1,
                             .buffers = &buffer,
                             .buffer_count = 1,
                             .op_count = 1};
    arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
    gmem_lease_t *lease = lease_all(&arena);
    CHECK((uintptr_t)host_of(lease, 0) % align == 0);
    host_of(lease, 0)[3] = 1;
    gmem_lease_release(lease);
    free_arena(&arena);
  }
}

// Runs |body| in a child process; returns the signal that ended it, or 0.
static int signal_of(void (*body)(void *), void *context) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL); // sanitizers have handlers of their own
    signal(SIGBUS, SIG_DFL);
    body(context);
    _exit(0);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void write_byte(void *address) { *(volatile uint8_t *)address = 1; }

static void test_guard_pages(void) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_mmap_options_t guarded = GMEM_MMAP_OPTIONS_INIT;
  guarded.guard_pages = true;
  arena_t arena = mapped_arena(&desc, 2, &guarded);
  gmem_lease_t *lease = lease_all(&arena);
  long page = sysconf(_SC_PAGESIZE);
  uint8_t *start = host_of(lease, 3) - (uintptr_t)host_of(lease, 3) % page;
  CHECK(signal_of(write_byte, start) == 0);
  CHECK(signal_of(write_byte, start + page - 1) == 0);
  CHECK(signal_of(write_byte, start - 1) == SIGSEGV);
  CHECK(signal_of(write_byte, start + page) == SIGSEGV);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_huge_pages(void) {
  gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0, 5 << 20, 64};
  gmem_buffer_info_t buffer = {.name = "b",
                               .size = 5 << 20,
                               .align = 64,
                               .space = GMEM_SPACE_ACTIVATION,
                               .ranges = &step,
                               .range_count = 1,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  gmem_mmap_options_t advise = GMEM_MMAP_OPTIONS_INIT;
  advise.huge_pages = GMEM_HUGE_PAGES_ADVISE;
  advise.guard_pages = true;
  arena_t arena = mapped_arena(&desc, 1, &advise);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK((uintptr_t)host_of(lease, 0) % (2 << 20) == 0);
  host_of(lease, 0)[(5 << 20) - 1] = 1;
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_refused_options(void) {
  gmem_provider_t provider;
  gmem_mmap_options_t options = GMEM_MMAP_OPTIONS_INIT;
  options.huge_pages = 4;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) ==
        GMEM_ERR_INVALID_ARGUMENT);
  options.huge_pages = GMEM_HUGE_PAGES_REQUIRE;
  options.shared = true;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) == GMEM_ERR_UNSUPPORTED);
  options = (gmem_mmap_options_t)GMEM_MMAP_OPTIONS_INIT;
  options.numa_node = -2;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(provider.user == NULL && provider.acquire == NULL);
  // A caller that was compiled with other options is noticed, not misread.
  options = (gmem_mmap_options_t)GMEM_MMAP_OPTIONS_INIT;
  options.struct_size -= 4;
  CHECK(gmem_provider_mmap(&options, NULL, &provider) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_provider_mmap(NULL, NULL, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_provider_destroy(&provider);
  gmem_provider_destroy(NULL);
}

static void test_impossible_sizes(void) {
  gmem_provider_t provider;
  gmem_range_t range;
  gmem_diag_t diag = {0};
  CHECK(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  static const uint64_t sizes[] = {0, UINT64_C(1) << 62, INT64_MAX, UINT64_MAX};
  for (int i = 0; i < 4; ++i) {
    CHECK(provider.acquire(provider.user, sizes[i], 1, GMEM_ANY_ADDRESS, 0,
                           &range, &diag) == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(range.host == NULL && range.size == 0 && diag.text[0]);
  }
  CHECK(provider.acquire(provider.user, 1, 3, GMEM_ANY_ADDRESS, 0, &range,
                         NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(provider.acquire(provider.user, 1, 1, 1, 0, &range, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(provider.acquire(provider.user, 1, 1, GMEM_ANY_ADDRESS, 1u << 31,
                         &range, NULL) == GMEM_ERR_UNSUPPORTED);
  gmem_provider_destroy(&provider);
}

// Sizes whose low 32 bits look small, in memory that is small: none is cut off
// where sizes have 32 bits.
static void test_more_than_there_is(void) {
  static const uint64_t sizes[] = {UINT64_C(1) << 32, (UINT64_C(1) << 32) + 64,
                                   UINT64_C(1) << 62};
  static _Alignas(4096) uint8_t window[8192];
  for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; ++i) {
    gmem_space_t space = i % 2 ? GMEM_SPACE_WEIGHT : GMEM_SPACE_IO;
    gmem_region_info_t region = {"r", space, 0, sizes[i / 2], 64};
    gmem_plan_desc_t desc = {.regions = &region, .region_count = 1};
    gmem_plan_t *plan = plan_of(&desc);
    gmem_provider_t provider;
    gmem_model_t *model = NULL;
    gmem_pool_t *pool = NULL;
    gmem_pool_options_t options = {.struct_size = sizeof options,
                                   .initial_slots = 1};
    CHECK(gmem_provider_static(window, (uintptr_t)window, sizeof window, NULL,
                               &provider) == GMEM_OK);
    gmem_status_t status =
        gmem_model_create(plan, &provider, NULL, NULL, &model, NULL);
    CHECK((status == GMEM_OK) == (space == GMEM_SPACE_IO));
    if (status == GMEM_OK)
      status = gmem_pool_create(model, &provider, &options, NULL, &pool, NULL);
    CHECK(status == GMEM_ERR_OUT_OF_MEMORY && !pool);
    gmem_model_release(model);
    gmem_plan_release(plan);
    gmem_provider_destroy(&provider);
  }
}

//===--- shared memory ----------------------------------------------------===//

typedef struct fills_s {
  gmem_buffer_t weights[4], work[4];
  uint32_t weight_count, work_count;
  gmem_status_t status; // what to return
} fills_t;

static gmem_status_t fill_weight(void *user, gmem_buffer_t id, void *dst,
                                 uint64_t size, gmem_diag_t *diag) {
  fills_t *fills = user;
  (void)diag;
  CHECK(((uint8_t *)dst)[0] == 0 && ((uint8_t *)dst)[size - 1] == 0);
  memset(dst, 'W', size);
  fills->weights[fills->weight_count++] = id;
  return fills->status;
}

static gmem_status_t fill_work(void *user, gmem_buffer_t id, void *dst,
                               uint64_t size, gmem_diag_t *diag) {
  fills_t *fills = user;
  (void)diag;
  memset(dst, 'S', size);
  fills->work[fills->work_count++] = id;
  return GMEM_OK;
}

static void test_weights_are_filled_once_and_sealed(void) {
  fills_t fills = {0};
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .user = &fills,
                                  .weight = fill_weight,
                                  .work = fill_work};
  gmem_plan_desc_t desc = sample_desc();
  arena_t arena = make_arena(&desc, NULL, 3, 0, &sources);
  CHECK(fills.weight_count == 2 && fills.weights[0] == 0 &&
        fills.weights[1] == 1);
  CHECK(fills.work_count == 1 && fills.work[0] == 2);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(host_of(lease, 0)[999] == 'W' && host_of(lease, 0)[1000] == 0);
  CHECK(host_of(lease, 2)[127] == 'S');
  CHECK(signal_of(write_byte, host_of(lease, 0)) == SIGSEGV);
  CHECK(signal_of(write_byte, host_of(lease, 3)) == 0);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_failed_fill(void) {
  fills_t fills = {.status = GMEM_ERR_IO};
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .user = &fills,
                                  .weight = fill_weight,
                                  .work = NULL};
  gmem_plan_desc_t desc = sample_desc();
  gmem_plan_t *plan = plan_of(&desc);
  gmem_provider_t provider;
  gmem_model_t *model = NULL;
  CHECK(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, NULL) ==
        GMEM_ERR_IO);
  CHECK(model == NULL && fills.weight_count == 1);
  sources.struct_size = 4;
  CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_model_create(NULL, &provider, NULL, NULL, &model, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
}

//===--- slots ------------------------------------------------------------===//

static void test_bad_pool_arguments(void) {
  arena_t arena = sample_arena(1);
  gmem_pool_t *pool = arena.pool;
  gmem_lease_t *lease = NULL;
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = 2, .max_slots = 1};
  CHECK(gmem_pool_create(arena.model, &arena.provider, &options, NULL, &pool,
                         NULL) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(pool == NULL);
  options.initial_slots = GMEM_POOL_MAX_SLOTS + 1;
  options.max_slots = 0;
  CHECK(gmem_pool_create(arena.model, &arena.provider, &options, NULL, &pool,
                         NULL) == GMEM_ERR_OUT_OF_RANGE);
  options.struct_size = 0;
  CHECK(gmem_pool_create(arena.model, &arena.provider, &options, NULL, &pool,
                         NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_create(arena.model, &arena.provider, NULL, NULL, &pool,
                         NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_create(NULL, &arena.provider, &options, NULL, &pool, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, -1, &lease) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_acquire(NULL, GMEM_NONE, NULL, 0, &lease) ==
        GMEM_ERR_INVALID_ARGUMENT);
  options = (gmem_pool_options_t){.struct_size = sizeof options,
                                  .initial_slots = GMEM_POOL_MAX_SLOTS};
  CHECK(gmem_pool_create(arena.model, &arena.provider, &options, NULL, &pool,
                         NULL) == GMEM_OK);
  gmem_pool_release(pool);
  free_arena(&arena);
}

static void test_slots_are_last_in_first_out(void) {
  arena_t arena = sample_arena(3);
  gmem_lease_t *a = lease_all(&arena), *b = lease_all(&arena);
  gmem_lease_release(a);
  gmem_lease_release(b);
  CHECK(lease_all(&arena) == b);
  CHECK(lease_all(&arena) == a);
  gmem_lease_release(b);
  gmem_lease_release(a);
  free_arena(&arena);
}

static void test_stats(void) {
  arena_t arena = sample_arena(2);
  gmem_lease_t *none = NULL;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  gmem_lease_t *a = lease_all(&arena), *b = lease_all(&arena);
  CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &none) ==
        GMEM_ERR_TIMEOUT);
  CHECK(none == NULL);
  gmem_lease_retain(a);
  gmem_lease_release(a); // one reference is left
  gmem_pool_stats_t stats = stats_of(arena.pool);
  CHECK(stats.slots == 2 && stats.leased == 2 && stats.free == 0);
  CHECK(stats.bytes_committed == 2 * page && stats.bytes_leased == 2 * page);
  CHECK(stats.acquires == 2 && stats.timeouts == 1 && stats.waits == 0);
  gmem_lease_release(a);
  gmem_lease_release(b);
  gmem_lease_release(NULL);
  stats = stats_of(arena.pool);
  CHECK(stats.leased == 0 && stats.free == 2 && stats.bytes_leased == 0);
  CHECK(stats.bytes_peak == 2 * page);
  free_arena(&arena);
}

static void test_secrets_and_state_are_zeroed(void) {
  arena_t arena = sample_arena(1);
  gmem_lease_t *lease = lease_all(&arena);
  memset(host_of(lease, 3), 'x', 64 + 256); // input and, behind it, conv1
  memset(host_of(lease, 8), 'x', 64);
  gmem_lease_release(lease);
  lease = lease_all(&arena);
  CHECK(host_of(lease, 3)[63] == 'x'); // neither sensitive nor state
  for (int i = 0; i < 256; ++i)
    CHECK(host_of(lease, 4)[i] == 0);
  for (int i = 0; i < 64; ++i)
    CHECK(host_of(lease, 8)[i] == 0);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Everything may be released while a lease is out; the lease goes on working.
static void test_lease_keeps_memory_alive(void) {
  arena_t arena = sample_arena(2);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_pool_retain(arena.pool);
  gmem_pool_release(arena.pool);
  gmem_pool_release(arena.pool);
  gmem_model_release(arena.model);
  memset(host_of(lease, 4), 7, 256);
  CHECK(host_of(lease, 0)[0] == 0);
  gmem_lease_release(lease);
  gmem_provider_destroy(&arena.provider);
}

// A release too many aborted, or took the memory of others.
static void test_releases_too_many(void) {
  arena_t arena = sample_arena(2);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_lease_release(lease);
  gmem_lease_release(lease);
  gmem_pool_stats_t stats = stats_of(arena.pool);
  CHECK(stats.leased == 0 && stats.free == 2);
  CHECK(lease_all(&arena) == lease);
  for (int i = 0; i < 3; ++i)
    gmem_pool_release(arena.pool); // the first drops the only handle
  memset(host_of(lease, 4), 7, 256);
  CHECK(stats_of(arena.pool).leased == 1);
  gmem_lease_release(lease); // only now the pool is gone
  arena.pool = NULL;
  free_arena(&arena);
}

//===--- threads ----------------------------------------------------------===//

enum { THREADS = 4, ROUNDS = 2000 };

typedef struct worker_s {
  gmem_pool_t *pool;
  uint8_t stamp;
  unsigned foreign_bytes;
  gmem_status_t status;
  int64_t timeout_ns;
  gmem_lease_t *lease;
} worker_t;

static void *stamp_slots(void *context) {
  worker_t *worker = context;
  for (int round = 0; round < ROUNDS; ++round) {
    gmem_lease_t *lease = NULL;
    void *bytes = NULL;
    if (gmem_lease_acquire(worker->pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER,
                           &lease) != GMEM_OK ||
        gmem_lease_host(lease, 4, &bytes) != GMEM_OK)
      return NULL;
    memset(bytes, worker->stamp, 256);
    for (int i = 0; i < 256; ++i)
      worker->foreign_bytes += ((volatile uint8_t *)bytes)[i] != worker->stamp;
    gmem_lease_release(lease);
  }
  worker->status = GMEM_OK;
  return NULL;
}

static void test_threads_never_share_a_slot(void) {
  arena_t arena = sample_arena(2);
  pthread_t threads[THREADS];
  worker_t workers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (worker_t){.pool = arena.pool,
                            .stamp = (uint8_t)(i + 1),
                            .status = GMEM_ERR_STATE};
    CHECK(pthread_create(&threads[i], NULL, stamp_slots, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(workers[i].status == GMEM_OK && workers[i].foreign_bytes == 0);
  }
  gmem_pool_stats_t stats = stats_of(arena.pool);
  CHECK(stats.free == 2 && stats.leased == 0 && stats.waiting == 0);
  CHECK(stats.acquires == THREADS * ROUNDS);
  free_arena(&arena);
}

static void *wait_for_lease(void *context) {
  worker_t *worker = context;
  worker->status = gmem_lease_acquire(worker->pool, GMEM_NONE, NULL,
                                      worker->timeout_ns, &worker->lease);
  return NULL;
}

static void test_waiter_gets_the_slot_first(void) {
  arena_t arena = sample_arena(1);
  gmem_lease_t *lease = lease_all(&arena), *late = NULL;
  pthread_t threads[3];
  worker_t workers[3];
  for (uint32_t i = 0; i < 3; ++i) { // they queue in a known order
    workers[i] = (worker_t){.pool = arena.pool,
                            .timeout_ns = GMEM_WAIT_FOREVER,
                            .status = GMEM_ERR_STATE};
    CHECK(pthread_create(&threads[i], NULL, wait_for_lease, &workers[i]) == 0);
    until_waiting(arena.pool, i + 1);
  }
  for (uint32_t i = 0; i < 3; ++i) {
    gmem_lease_release(lease);
    CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &late) ==
          GMEM_ERR_TIMEOUT);
    CHECK(stats_of(arena.pool).waiting == 2 - i);
    pthread_join(threads[i], NULL);
    CHECK(workers[i].status == GMEM_OK && workers[i].lease != NULL);
    lease = workers[i].lease;
  }
  gmem_lease_release(lease);
  CHECK(stats_of(arena.pool).waits == 3);
  free_arena(&arena);
}

// The one in the middle of the queue gives up; its neighbours are not touched.
static void test_timeout_in_the_queue(void) {
  arena_t arena = sample_arena(1);
  gmem_lease_t *lease = lease_all(&arena);
  pthread_t threads[3];
  worker_t workers[3];
  int64_t start = milliseconds();
  for (uint32_t i = 0; i < 3; ++i) {
    workers[i] =
        (worker_t){.pool = arena.pool,
                   .timeout_ns = i == 1 ? 50000000 : GMEM_WAIT_FOREVER};
    CHECK(pthread_create(&threads[i], NULL, wait_for_lease, &workers[i]) == 0);
    if (i != 1)
      until_waiting(arena.pool, i == 0 ? 1 : 2);
    else
      pthread_join(threads[1], NULL);
  }
  CHECK(workers[1].status == GMEM_ERR_TIMEOUT && workers[1].lease == NULL);
  CHECK(milliseconds() - start >= 50);
  CHECK(stats_of(arena.pool).timeouts == 1);
  gmem_lease_release(lease);
  pthread_join(threads[0], NULL);
  gmem_lease_release(workers[0].lease);
  pthread_join(threads[2], NULL);
  gmem_lease_release(workers[2].lease);
  CHECK(stats_of(arena.pool).free == 1);
  free_arena(&arena);
}

// The last handles go while a thread waits; it still gets its lease.
static void test_release_everything_under_a_waiter(void) {
  arena_t arena = sample_arena(1);
  gmem_lease_t *lease = lease_all(&arena);
  pthread_t thread;
  worker_t worker = {.pool = arena.pool, .timeout_ns = GMEM_WAIT_FOREVER};
  CHECK(pthread_create(&thread, NULL, wait_for_lease, &worker) == 0);
  until_waiting(arena.pool, 1);
  gmem_pool_release(arena.pool);
  gmem_model_release(arena.model);
  gmem_lease_release(lease);
  pthread_join(thread, NULL);
  CHECK(worker.status == GMEM_OK && worker.lease != NULL);
  gmem_lease_release(worker.lease);
  gmem_provider_destroy(&arena.provider);
}

int main(void) {
  alarm(120); // a lost wake-up fails, and does not hang
  test_addresses();
  test_large_alignments();
  test_guard_pages();
  test_huge_pages();
  test_refused_options();
  test_impossible_sizes();
  test_more_than_there_is();
  test_weights_are_filled_once_and_sealed();
  test_failed_fill();
  test_bad_pool_arguments();
  test_slots_are_last_in_first_out();
  test_stats();
  test_secrets_and_state_are_zeroed();
  test_lease_keeps_memory_alive();
  test_releases_too_many();
  test_threads_never_share_a_slot();
  test_waiter_gets_the_slot_first();
  test_timeout_in_the_queue();
  test_release_everything_under_a_waiter();
  return CHECK_RESULT();
}
