// runtime_parallel_test.c - loops over windows: every step once, scratch per
// thread, failures, schedules.
// RUN: %unit/runtime_parallel_test
// Fewer threads than are asked for, as a busy system gives them:
// RUN: env OMP_THREAD_LIMIT=2 %unit/runtime_parallel_test
// ThreadSanitizer sees the races of bodies through the loop:
// RUN: not %unit/runtime_parallel_test race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "gmem/parallel.h"
#include "runtime_tools.h"
#include "sanitizers.h"

// OpenMP's library is not built for sanitizers: what it does with its own locks
// and memory is its own affair. What bodies do is seen all the same.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "ignore_noninstrumented_modules=1";
}
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libomp.so\nleak:libgomp.so\n";
}

// CHECK is for one thread; bodies count what is wrong, and main looks.
static atomic_uint wrong;

static void expect(bool is_right) { atomic_fetch_add(&wrong, !is_right); }

#define CHECK_NOTHING_WRONG() CHECK(atomic_exchange(&wrong, 0) == 0)

static gmem_parallel_t how_of(uint32_t dimension, uint32_t threads,
                              gmem_schedule_t schedule, uint64_t chunk) {
  return (gmem_parallel_t){.struct_size = sizeof(gmem_parallel_t),
                           .dimension = dimension,
                           .threads = threads,
                           .schedule = (uint32_t)schedule,
                           .chunk = chunk};
}

static gmem_window_t line(uint64_t steps) {
  return (gmem_window_t){1, {{0, steps, 1}}};
}

//===--- every step exactly once ------------------------------------------===//

enum { SIDE = 24, CELLS = SIDE * SIDE * SIDE };

// No atomics: two threads at one cell are a race that ThreadSanitizer reports.
typedef struct grid_s {
  uint8_t visits[CELLS];
  const gmem_window_t *window;
  uint32_t dimension;
  uint32_t threads; // asked for
} grid_t;

static gmem_status_t visit(void *user, const gmem_window_t *part,
                           const gmem_thread_t *thread, gmem_diag_t *diag) {
  grid_t *grid = user;
  expect(thread->id < thread->count && thread->count <= grid->threads);
  expect(diag != NULL && thread->scratch == NULL && thread->scratch_size == 0);
  expect(gmem_window_is_legal(part) &&
         part->dimension_count == grid->window->dimension_count);
  const gmem_dimension_t *of = part->dimensions;
  for (uint64_t z = of[0].begin; z < of[0].end; z += of[0].step)
    for (uint64_t y = of[1].begin; y < of[1].end; y += of[1].step)
      for (uint64_t x = of[2].begin; x < of[2].end; x += of[2].step)
        ++grid->visits[(z * SIDE + y) * SIDE + x];
  return GMEM_OK;
}

static bool is_step(const gmem_dimension_t *of, uint64_t at) {
  return of->begin <= at && at < of->end && (at - of->begin) % of->step == 0;
}

static void check_visits(const grid_t *grid) {
  uint32_t bad = 0;
  const gmem_dimension_t *of = grid->window->dimensions;
  for (uint64_t z = 0; z < SIDE; ++z)
    for (uint64_t y = 0; y < SIDE; ++y)
      for (uint64_t x = 0; x < SIDE; ++x)
        bad += grid->visits[(z * SIDE + y) * SIDE + x] !=
               (is_step(&of[0], z) && is_step(&of[1], y) && is_step(&of[2], x));
  CHECK(bad == 0);
}

static void run_grid(const gmem_window_t *window, gmem_parallel_t how) {
  static grid_t grid;
  memset(&grid, 0, sizeof grid);
  grid.window = window;
  grid.dimension = how.dimension;
  grid.threads = how.threads ? how.threads : 1024;
  CHECK(gmem_parallel_for(window, &how, visit, &grid, NULL) == GMEM_OK);
  check_visits(&grid);
  CHECK_NOTHING_WRONG();
}

static void test_every_step_once(void) {
  static const gmem_window_t windows[] = {
      {3, {{0, SIDE, 1}, {0, SIDE, 1}, {0, SIDE, 1}}},
      {3, {{3, 4, 1}, {0, 24, 8}, {2, 23, 3}}},
      {3, {{1, 24, 23}, {5, 6, 1}, {23, 24, 1}}},
      {3, {{0, 21, 7}, {1, 23, 2}, {4, 20, 4}}},
  };
  static const uint32_t threads[] = {0, 1, 2, 3, 5, 16, 40};
  static const uint64_t chunks[] = {0, 1, 3, 100, UINT64_MAX};
  for (size_t w = 0; w < sizeof windows / sizeof windows[0]; ++w)
    for (uint32_t d = 0; d < 3; ++d)
      for (size_t t = 0; t < sizeof threads / sizeof threads[0]; ++t) {
        run_grid(&windows[w], how_of(d, threads[t], GMEM_SCHEDULE_STATIC, 0));
        for (size_t c = 0; c < sizeof chunks / sizeof chunks[0]; ++c)
          run_grid(&windows[w],
                   how_of(d, threads[t], GMEM_SCHEDULE_DYNAMIC, chunks[c]));
      }
}

// Windows at the end of what 64 bits hold.
static gmem_status_t add_steps(void *user, const gmem_window_t *part,
                               const gmem_thread_t *thread, gmem_diag_t *diag) {
  (void)thread;
  (void)diag;
  expect(gmem_window_is_legal(part));
  atomic_fetch_add((atomic_uint_fast64_t *)user, gmem_window_steps(part, 0));
  return GMEM_OK;
}

static void test_large_windows(void) {
  static const gmem_window_t all = {1, {{0, UINT64_MAX, 1}}};
  static const gmem_window_t end = {1, {{UINT64_MAX - 77, UINT64_MAX, 11}}};
  gmem_parallel_t how = how_of(0, 3, GMEM_SCHEDULE_STATIC, 0);
  atomic_uint_fast64_t steps = 0;
  CHECK(gmem_parallel_for(&all, &how, add_steps, &steps, NULL) == GMEM_OK);
  CHECK(steps == UINT64_MAX);
  how = how_of(0, 3, GMEM_SCHEDULE_DYNAMIC, UINT64_MAX / 2 + 1);
  steps = 0;
  CHECK(gmem_parallel_for(&all, &how, add_steps, &steps, NULL) == GMEM_OK);
  CHECK(steps == UINT64_MAX);
  how.chunk = 2;
  steps = 0;
  CHECK(gmem_parallel_for(&end, &how, add_steps, &steps, NULL) == GMEM_OK);
  CHECK(steps == 7);
  CHECK_NOTHING_WRONG();
}

//===--- threads and parts ------------------------------------------------===//

typedef struct parts_s {
  gmem_window_t part[8];  // STATIC: of each thread
  atomic_uint calls[8];   // by thread
  atomic_uint highest_id; // that was seen
  atomic_uint count;      // threads, as the bodies were told
} parts_t;

static gmem_status_t note_part(void *user, const gmem_window_t *part,
                               const gmem_thread_t *thread, gmem_diag_t *diag) {
  parts_t *parts = user;
  (void)diag;
  expect(thread->id < 8);
  parts->part[thread->id] = *part;
  atomic_fetch_add(&parts->calls[thread->id], 1);
  atomic_store(&parts->count, thread->count);
  return GMEM_OK;
}

// STATIC: part i of the window is thread i's, when there are enough threads.
static void test_static_parts(void) {
  gmem_window_t window = {2, {{4, 24, 2}, {0, 3, 1}}};
  gmem_parallel_t how = how_of(0, 4, GMEM_SCHEDULE_STATIC, 0);
  parts_t parts = {0};
  CHECK(gmem_parallel_for(&window, &how, note_part, &parts, NULL) == GMEM_OK);
  CHECK(parts.count >= 1 && parts.count <= 4);
  for (uint32_t i = 0; parts.count == 4 && i < 4; ++i) {
    gmem_window_t wanted;
    CHECK(gmem_window_split(&window, 0, 4, i, &wanted) == GMEM_OK);
    CHECK(parts.calls[i] == 1);
    CHECK(memcmp(parts.part[i].dimensions, wanted.dimensions,
                 sizeof wanted.dimensions) == 0);
  }
  // Never more threads than steps.
  how.dimension = 1;
  how.threads = 8;
  memset(&parts, 0, sizeof parts);
  CHECK(gmem_parallel_for(&window, &how, note_part, &parts, NULL) == GMEM_OK);
  CHECK(parts.count <= 3);
  CHECK_NOTHING_WRONG();
}

static bool wait_for(const atomic_uint *counter, unsigned wanted) {
  struct timespec pause = {0, 100000};
  for (int i = 0; i < 100000 && atomic_load(counter) < wanted; ++i)
    nanosleep(&pause, NULL);
  return atomic_load(counter) >= wanted;
}

// The first part does not end before all others have run: with DYNAMIC, the
// other threads run them all. With STATIC this would never end.
static gmem_status_t wait_for_others(void *user, const gmem_window_t *part,
                                     const gmem_thread_t *thread,
                                     gmem_diag_t *diag) {
  atomic_uint *done = user;
  (void)diag;
  if (part->dimensions[0].begin == 0 && thread->count > 1)
    expect(wait_for(done, 99));
  else
    atomic_fetch_add(done, 1);
  return GMEM_OK;
}

static void test_dynamic_balance(void) {
  gmem_window_t window = line(100);
  gmem_parallel_t how = how_of(0, 2, GMEM_SCHEDULE_DYNAMIC, 1);
  atomic_uint done = 0;
  CHECK(gmem_parallel_for(&window, &how, wait_for_others, &done, NULL) ==
        GMEM_OK);
  CHECK(done >= 99);
  CHECK_NOTHING_WRONG();
}

//===--- failures ---------------------------------------------------------===//

typedef struct failing_s {
  uint64_t first, second; // steps whose bodies fail
  atomic_uint calls;
  atomic_uint before; // calls of parts before |first|
} failing_t;

static gmem_status_t fail_at(void *user, const gmem_window_t *part,
                             const gmem_thread_t *thread, gmem_diag_t *diag) {
  failing_t *failing = user;
  (void)thread;
  gmem_dimension_t of = part->dimensions[0];
  atomic_fetch_add(&failing->calls, 1);
  atomic_fetch_add(&failing->before, of.end <= failing->first);
  bool is_first = of.begin <= failing->first && failing->first < of.end;
  bool is_second = of.begin <= failing->second && failing->second < of.end;
  if (is_first)
    sched_yield(); // a later failure is likely to be the earlier one in time
  if (is_first || is_second)
    snprintf(diag->text, sizeof diag->text, "part at %d", (int)of.begin);
  return is_first ? GMEM_ERR_CORRUPT : is_second ? GMEM_ERR_IO : GMEM_OK;
}

// Whoever fails first in time, it is the first part of the window that counts.
static void test_failures(void) {
  gmem_window_t window = line(64);
  for (uint32_t round = 0; round < 200; ++round) {
    failing_t failing = {.first = round % 63, .second = 63};
    bool is_dynamic = round % 2;
    gmem_parallel_t how = how_of(
        0, 64, is_dynamic ? GMEM_SCHEDULE_DYNAMIC : GMEM_SCHEDULE_STATIC, 1);
    how.threads = is_dynamic ? 2 + round % 7 : 64;
    gmem_diag_t diag = {0};
    char text[32];
    snprintf(text, sizeof text, "part at %d", (int)failing.first);
    CHECK(gmem_parallel_for(&window, &how, fail_at, &failing, &diag) ==
          GMEM_ERR_CORRUPT);
    CHECK(strcmp(diag.text, text) == 0);
    CHECK(failing.before == failing.first); // all parts before it have run
  }
  failing_t failing = {.first = 5, .second = 6};
  gmem_parallel_t how = how_of(0, 1, GMEM_SCHEDULE_DYNAMIC, 1);
  CHECK(gmem_parallel_for(&window, &how, fail_at, &failing, NULL) ==
        GMEM_ERR_CORRUPT);
  CHECK(failing.calls == 6); // and it ended there
}

// Two parts that fail, in an order of time that is set: |late| is the one that
// fails when the other already has. All other parts take their time.
typedef struct ordered_s {
  uint64_t late;
  atomic_uint failed, calls;
} ordered_t;

static gmem_status_t fail_in_order(void *user, const gmem_window_t *part,
                                   const gmem_thread_t *thread,
                                   gmem_diag_t *diag) {
  static const struct timespec pause = {0, 2000000};
  ordered_t *ordered = user;
  uint64_t at = part->dimensions[0].begin;
  (void)diag;
  atomic_fetch_add(&ordered->calls, 1);
  if (thread->count > 1) {
    bool is_early = at <= 1 && at != ordered->late;
    expect(is_early ? wait_for(&ordered->calls, 2)
                    : wait_for(&ordered->failed, 1));
    if (!is_early)
      nanosleep(&pause, NULL); // until the failure is noted
  }
  if (at > 1)
    return GMEM_OK;
  atomic_fetch_add(&ordered->failed, 1);
  return at == 0 ? GMEM_ERR_CORRUPT : GMEM_ERR_IO;
}

static void test_order_of_failures(void) {
  enum { STEPS = 4000 }; // seconds of pauses: more than any thread is kept off
  gmem_window_t window = line(STEPS);
  for (uint64_t late = 0; late < 2; ++late) {
    gmem_parallel_t how = how_of(0, 2, GMEM_SCHEDULE_DYNAMIC, 1);
    ordered_t ordered = {.late = late};
    CHECK(gmem_parallel_for(&window, &how, fail_in_order, &ordered, NULL) ==
          GMEM_ERR_CORRUPT);
    CHECK(ordered.calls < STEPS); // the other thread stops too
    CHECK_NOTHING_WRONG();
  }
  // One fails, the other thread has nothing but parts that succeed.
  gmem_parallel_t how = how_of(0, 2, GMEM_SCHEDULE_DYNAMIC, 1);
  ordered_t ordered = {.late = UINT64_MAX};
  window.dimensions[0].begin = 1;
  CHECK(gmem_parallel_for(&window, &how, fail_in_order, &ordered, NULL) ==
        GMEM_ERR_IO);
  CHECK(ordered.calls < 100);
  CHECK_NOTHING_WRONG();
}

static void check_refused(gmem_status_t wanted, const gmem_window_t *window,
                          const gmem_parallel_t *how, gmem_parallel_fn body) {
  gmem_diag_t diag = {0};
  CHECK(gmem_parallel_for(window, how, body, NULL, &diag) == wanted);
  CHECK(diag.status == wanted && diag.text[0]);
  CHECK(gmem_parallel_for(window, how, body, NULL, NULL) == wanted);
}

static void test_refusals(void) {
  gmem_window_t window = line(8), illegal = line(0);
  gmem_parallel_t how = how_of(0, 2, GMEM_SCHEDULE_STATIC, 0), bad = how;
  check_refused(GMEM_ERR_INVALID_ARGUMENT, NULL, &how, visit);
  check_refused(GMEM_ERR_INVALID_ARGUMENT, &illegal, &how, visit);
  check_refused(GMEM_ERR_INVALID_ARGUMENT, &window, NULL, visit);
  check_refused(GMEM_ERR_INVALID_ARGUMENT, &window, &how, NULL);
  bad.struct_size = 0;
  check_refused(GMEM_ERR_INVALID_ARGUMENT, &window, &bad, visit);
  bad = how;
  bad.schedule = GMEM_SCHEDULE_DYNAMIC + 1;
  check_refused(GMEM_ERR_INVALID_ARGUMENT, &window, &bad, visit);
  bad = how;
  bad.dimension = 1;
  check_refused(GMEM_ERR_OUT_OF_RANGE, &window, &bad, visit);
}

//===--- scratch ----------------------------------------------------------===//

enum { SCRATCH_THREADS = 4, SCRATCH_BYTES = 192 };

typedef struct arena_s {
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_lease_t *lease;
} arena_t;

static arena_t make_arena(void) {
  static const gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0,
                                            4096, 64};
  static const gmem_op_range_t range = {0, 1};
  static const gmem_buffer_info_t buffers[] = {
      {.name = "scratch",
       .offset = 64,
       .size = SCRATCH_THREADS * SCRATCH_BYTES,
       .payload = SCRATCH_THREADS * SCRATCH_BYTES,
       .align = 64,
       .space = GMEM_SPACE_ACTIVATION,
       .parent = GMEM_NONE,
       .threads = SCRATCH_THREADS,
       .ranges = &range,
       .range_count = 1},
      {.name = "plain",
       .offset = 1024,
       .size = 100,
       .payload = 100,
       .align = 64,
       .space = GMEM_SPACE_ACTIVATION,
       .parent = GMEM_NONE,
       .threads = 1,
       .ranges = &range,
       .range_count = 1}};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 2,
                           .op_count = 1};
  gmem_plan_t *plan = plan_of(&desc);
  arena_t arena = {0};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  CHECK(gmem_provider_mmap(NULL, NULL, &arena.provider) == GMEM_OK);
  CHECK(gmem_model_create(plan, &arena.provider, NULL, NULL, &arena.model,
                          NULL) == GMEM_OK);
  CHECK(gmem_pool_create(arena.model, &arena.provider, &options, NULL,
                         &arena.pool, NULL) == GMEM_OK);
  CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, NULL, 0, &arena.lease) ==
        GMEM_OK);
  gmem_plan_release(plan);
  return arena;
}

static void free_arena(arena_t *arena) {
  gmem_lease_release(arena->lease);
  gmem_pool_release(arena->pool);
  gmem_model_release(arena->model);
  gmem_provider_destroy(&arena->provider);
}

typedef struct scratch_s {
  uint8_t *base; // of the whole buffer
  uint64_t size; // of one thread
  atomic_uint users[SCRATCH_THREADS];
  atomic_uint count;
} scratch_t;

// Stamps the scratch and reads it again: nobody else writes there.
static gmem_status_t use_scratch(void *user, const gmem_window_t *part,
                                 const gmem_thread_t *thread,
                                 gmem_diag_t *diag) {
  scratch_t *scratch = user;
  (void)diag;
  uint8_t *mine = thread->scratch;
  expect(mine == scratch->base + thread->id * scratch->size);
  expect(thread->scratch_size == scratch->size);
  expect(atomic_fetch_add(&scratch->users[thread->id], 1) == 0);
  uint8_t stamp = (uint8_t)(part->dimensions[0].begin + 1);
  memset(mine, stamp, thread->scratch_size);
  sched_yield();
  for (uint64_t i = 0; i < thread->scratch_size; ++i)
    expect(mine[i] == stamp);
  atomic_fetch_sub(&scratch->users[thread->id], 1);
  atomic_store(&scratch->count, thread->count);
  return GMEM_OK;
}

static void run_scratch(const arena_t *arena, gmem_buffer_t id, uint64_t bytes,
                        gmem_parallel_t how, uint32_t most) {
  void *base = NULL;
  gmem_window_t window = line(100);
  CHECK(gmem_lease_host(arena->lease, id, &base) == GMEM_OK);
  scratch_t scratch = {.base = base, .size = bytes};
  how.lease = arena->lease;
  how.scratch = id;
  CHECK(gmem_parallel_for(&window, &how, use_scratch, &scratch, NULL) ==
        GMEM_OK);
  CHECK(scratch.count >= 1 && scratch.count <= most);
  CHECK_NOTHING_WRONG();
}

static void test_scratch(void) {
  arena_t arena = make_arena();
  for (uint32_t threads = 0; threads <= SCRATCH_THREADS; ++threads) {
    uint32_t most = threads ? threads : SCRATCH_THREADS;
    run_scratch(&arena, 0, SCRATCH_BYTES,
                how_of(0, threads, GMEM_SCHEDULE_STATIC, 0), most);
    run_scratch(&arena, 0, SCRATCH_BYTES,
                how_of(0, threads, GMEM_SCHEDULE_DYNAMIC, 3), most);
  }
  // A buffer that is not per thread is scratch for one.
  run_scratch(&arena, 1, 100, how_of(0, 0, GMEM_SCHEDULE_STATIC, 0), 1);

  gmem_window_t window = line(2); // the threads are refused, if steps are few
  gmem_parallel_t how = how_of(0, SCRATCH_THREADS + 1, GMEM_SCHEDULE_STATIC, 0);
  how.lease = arena.lease;
  check_refused(GMEM_ERR_OUT_OF_RANGE, &window, &how, use_scratch);
  how.threads = 2;
  how.scratch = 1;
  check_refused(GMEM_ERR_OUT_OF_RANGE, &window, &how, use_scratch);
  how.scratch = 2; // no such buffer
  check_refused(GMEM_ERR_OUT_OF_RANGE, &window, &how, use_scratch);
  free_arena(&arena);
}

//===--- loops in loops, loops on many threads ----------------------------===//

static gmem_status_t start_loop(void *user, const gmem_window_t *part,
                                const gmem_thread_t *thread,
                                gmem_diag_t *diag) {
  (void)thread;
  gmem_window_t window = line(50);
  gmem_parallel_t how = how_of(0, 3, GMEM_SCHEDULE_DYNAMIC, 4);
  for (uint64_t i = 0; i < gmem_window_steps(part, 0); ++i) {
    gmem_status_t status =
        gmem_parallel_for(&window, &how, add_steps, user, diag);
    if (status != GMEM_OK)
      return status;
  }
  return GMEM_OK;
}

static void *start_loops(void *user) {
  gmem_window_t window = line(10);
  gmem_parallel_t how = how_of(0, 2, GMEM_SCHEDULE_STATIC, 0);
  for (int i = 0; i < 20; ++i)
    expect(gmem_parallel_for(&window, &how, start_loop, user, NULL) == GMEM_OK);
  return NULL;
}

static void test_many_loops(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  atomic_uint_fast64_t steps[THREADS] = {0};
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], NULL, start_loops, &steps[i]) == 0);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i)
    CHECK(steps[i] == 20 * 10 * 50);
  CHECK_NOTHING_WRONG();
}

//===--- a race, on purpose -----------------------------------------------===//

static gmem_status_t race(void *user, const gmem_window_t *part,
                          const gmem_thread_t *thread, gmem_diag_t *diag) {
  volatile uint64_t *shared = user;
  (void)thread;
  (void)diag;
  for (uint64_t i = 0; i < gmem_window_steps(part, 0); ++i)
    *shared += 1;
  return GMEM_OK;
}

// Non-zero when ThreadSanitizer has found it, and where there is none.
static int run_race(void) {
  gmem_window_t window = line(1000);
  gmem_parallel_t how = how_of(0, 2, GMEM_SCHEDULE_STATIC, 0);
  uint64_t shared = 0;
  int failed = gmem_parallel_for(&window, &how, race, &shared, NULL) != GMEM_OK;
  return failed || !HAS_TSAN;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "race") == 0)
    return run_race();
  test_every_step_once();
  test_large_windows();
  test_static_parts();
  test_dynamic_balance();
  test_failures();
  test_order_of_failures();
  test_refusals();
  test_scratch();
  test_many_loops();
  return CHECK_RESULT();
}
