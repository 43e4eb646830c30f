// runtime_recorder_test.c - memory planned from recorded lifetimes: groups,
// holds, immediate mode, who may configure, every failure.
// RUN: %unit/runtime_recorder_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <string.h>

#include "arena_tools.h"
#include "check.h"
#include "failing_heap.h"
#include "gmem/recorder.h"
#include "runtime_tools.h"

enum { SIZE = 1000, THREADS = 4, ROUNDS = 500 };

static gmem_diag_t diag;

#define OK(call) CHECK((call) == GMEM_OK)

//===--- a function with three tensors ------------------------------------===//

// Two operations: first -> second -> third.
typedef struct function_s {
  gmem_memory_group_t *group;
  gmem_memory_object_t tensor[3];
} function_t;

static gmem_status_t begin(function_t *it, uint32_t index, uint32_t flags) {
  gmem_memory_object_spec_t spec = {
      .size = SIZE, .alignment = 64, .flags = flags, .name = NULL};
  return gmem_memory_group_begin(it->group, &spec, &it->tensor[index], &diag);
}

static gmem_status_t configure_tensors(function_t *it, uint32_t flags) {
  GMEM_TRY(begin(it, 0, flags));
  GMEM_TRY(begin(it, 1, flags));
  GMEM_TRY(gmem_memory_group_end(it->group, it->tensor[0], &diag));
  GMEM_TRY(begin(it, 2, flags));
  GMEM_TRY(gmem_memory_group_end(it->group, it->tensor[1], &diag));
  return gmem_memory_group_end(it->group, it->tensor[2], &diag);
}

// The same for a recorder and without one.
static gmem_status_t configure(function_t *it, gmem_recorder_t *recorder,
                               const gmem_provider_t *provider, uint32_t flags,
                               const gmem_allocator_t *allocator) {
  GMEM_TRY(gmem_memory_group_create(recorder, NULL, provider, allocator,
                                    &it->group, &diag));
  return configure_tensors(it, flags);
}

// Whether each operation finds what the one before it wrote.
static bool run(function_t *it, uint8_t value) {
  gmem_memory_hold_t hold;
  void *at[3];
  if (gmem_memory_group_acquire(it->group, GMEM_WAIT_FOREVER, &hold) != GMEM_OK)
    return false;
  for (int i = 0; i < 3; ++i)
    if (gmem_memory_hold_host(&hold, it->tensor[i], &at[i]) != GMEM_OK)
      return false;
  memset(at[0], value, SIZE);
  memset(at[1], value + 1, SIZE);
  bool good = all_are(at[0], SIZE, value);
  memset(at[2], value + 2, SIZE);
  good = good && all_are(at[1], SIZE, (uint8_t)(value + 1)) &&
         all_are(at[2], SIZE, (uint8_t)(value + 2));
  gmem_memory_group_release(&hold);
  return good && !hold.group && !hold.lease;
}

static gmem_pool_options_t options_of(uint32_t slots) {
  return (gmem_pool_options_t){.struct_size = sizeof(gmem_pool_options_t),
                               .initial_slots = slots,
                               .max_slots = 4};
}

//===--- what is planned --------------------------------------------------===//

static void test_two_functions_share_a_slot(void) {
  gmem_provider_t provider;
  gmem_recorder_t *recorder = NULL;
  function_t one, two;
  gmem_plan_t *plan = NULL;
  gmem_pool_options_t options = options_of(1);
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  OK(gmem_recorder_create(NULL, &recorder, &diag));
  OK(configure(&one, recorder, NULL, 0, NULL));
  OK(configure(&two, recorder, NULL, 0, NULL));
  OK(gmem_recorder_plan(recorder, NULL, &plan, &diag));
  // Two of three tensors live at a time, and one function runs at a time.
  CHECK(gmem_plan_slot_size(plan) == 1024 + SIZE);
  CHECK(gmem_plan_group_count(plan) == 2 && gmem_plan_op_count(plan) == 4);
  CHECK(gmem_plan_find(plan, "group1.2") ==
        gmem_memory_group_buffer(two.group, two.tensor[2]));
  CHECK(gmem_recorder_pool(recorder) == NULL);
  OK(gmem_recorder_populate(recorder, &provider, &options, &diag));
  CHECK(run(&one, 1) && run(&two, 11));
  gmem_pool_stats_t stats = stats_of(gmem_recorder_pool(recorder));
  CHECK(stats.slots == 1 && stats.acquires == 2 && stats.grows == 0);
  // A second call adds slots.
  OK(gmem_recorder_populate(recorder, NULL, &options, &diag));
  CHECK(stats_of(gmem_recorder_pool(recorder)).slots == 2);
  gmem_plan_release(plan);
  gmem_recorder_release(recorder); // the groups keep it
  CHECK(run(&one, 21));
  gmem_memory_group_destroy(one.group);
  gmem_memory_group_destroy(two.group);
  gmem_provider_destroy(&provider);
}

static void test_dead_objects_share_memory(void) {
  gmem_provider_t provider;
  gmem_recorder_t *recorder = NULL;
  function_t it;
  gmem_memory_hold_t hold;
  void *first = NULL, *third = NULL;
  uint64_t device = 0;
  gmem_pool_options_t options = options_of(1);
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  OK(gmem_recorder_create(NULL, &recorder, &diag));
  OK(configure(&it, recorder, NULL, 0, NULL));
  OK(gmem_recorder_populate(recorder, &provider, &options, &diag));
  OK(gmem_memory_group_acquire(it.group, 0, &hold));
  OK(gmem_memory_hold_host(&hold, it.tensor[0], &first));
  OK(gmem_memory_hold_host(&hold, it.tensor[2], &third));
  OK(gmem_memory_hold_device(&hold, it.tensor[2], &device));
  CHECK(first == third && device == (uintptr_t)third);
  CHECK(gmem_memory_hold_host(&hold, 3, &first) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_memory_hold_device(&hold, 3, &device) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(first == NULL && device == 0);
  gmem_memory_group_release(&hold);
  gmem_memory_group_destroy(it.group);
  gmem_recorder_release(recorder);
  gmem_provider_destroy(&provider);
}

static void test_immediate(void) {
  gmem_provider_t provider;
  function_t it;
  gmem_memory_hold_t hold, second;
  void *at = NULL, *other = NULL;
  uint64_t device = 0;
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  OK(configure(&it, NULL, &provider, GMEM_BUFFER_SENSITIVE, NULL));
  CHECK(run(&it, 5) && run(&it, 6));
  OK(gmem_memory_group_acquire(it.group, 0, &hold));
  CHECK(gmem_memory_group_acquire(it.group, 0, &second) == GMEM_ERR_BUSY);
  CHECK(!second.group && !hold.lease);
  OK(gmem_memory_hold_host(&hold, it.tensor[0], &at));
  OK(gmem_memory_hold_host(&hold, it.tensor[2], &other));
  OK(gmem_memory_hold_device(&hold, it.tensor[0], &device));
  CHECK(at != other && device == (uintptr_t)at && device % 64 == 0);
  CHECK(all_are(at, SIZE, 0)); // sensitive
  CHECK(gmem_memory_hold_host(&hold, 3, &at) == GMEM_ERR_OUT_OF_RANGE && !at);
  CHECK(gmem_memory_hold_device(&hold, 3, &device) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_memory_group_buffer(it.group, 0) == GMEM_NONE);
  gmem_memory_group_release(&hold);
  gmem_memory_group_destroy(it.group);
  gmem_provider_destroy(&provider);
}

static void test_sensitive(void) {
  gmem_provider_t provider;
  gmem_recorder_t *recorder = NULL;
  function_t it;
  gmem_memory_hold_t hold;
  void *at = NULL;
  gmem_pool_options_t options = options_of(1);
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  OK(gmem_recorder_create(NULL, &recorder, &diag));
  OK(configure(&it, recorder, NULL, GMEM_BUFFER_SENSITIVE, NULL));
  OK(gmem_recorder_populate(recorder, &provider, &options, &diag));
  CHECK(run(&it, 7));
  OK(gmem_memory_group_acquire(it.group, 0, &hold));
  OK(gmem_memory_hold_host(&hold, it.tensor[1], &at));
  CHECK(all_are(at, SIZE, 0));
  gmem_memory_group_release(&hold);
  gmem_memory_group_destroy(it.group);
  gmem_recorder_release(recorder);
  gmem_provider_destroy(&provider);
}

// Nothing is recorded, or only groups and objects without bytes.
static void test_empty(void) {
  gmem_provider_t provider;
  gmem_pool_options_t options = options_of(1);
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  for (int objects = 0; objects < 2; ++objects) {
    gmem_recorder_t *recorder = NULL;
    gmem_memory_group_t *group = NULL, *gone = NULL;
    gmem_memory_object_spec_t spec = {.size = 0};
    gmem_memory_object_t object = 0;
    gmem_memory_hold_t hold;
    OK(gmem_recorder_create(NULL, &recorder, &diag));
    OK(gmem_memory_group_create(recorder, "a", NULL, NULL, &group, &diag));
    OK(gmem_memory_group_create(recorder, "b", NULL, NULL, &gone, &diag));
    OK(gmem_memory_group_begin(gone, &spec, &object, &diag));
    gmem_memory_group_destroy(gone); // with its objects
    for (int i = 0; i < objects; ++i) {
      OK(gmem_memory_group_begin(group, &spec, &object, &diag));
      OK(gmem_memory_group_end(group, object, &diag));
    }
    OK(gmem_recorder_populate(recorder, &provider, &options, &diag));
    OK(gmem_memory_group_acquire(group, 0, &hold));
    gmem_memory_group_release(&hold);
    gmem_memory_group_destroy(group);
    gmem_recorder_release(recorder);
  }
  gmem_provider_destroy(&provider);
}

// Time passes from an end to the next begin only.
static void test_steps(void) {
  gmem_recorder_t *recorder = NULL;
  gmem_memory_group_t *group = NULL;
  gmem_memory_object_t id[3];
  gmem_plan_t *plan = NULL;
  gmem_buffer_info_t info;
  OK(gmem_recorder_create(NULL, &recorder, &diag));
  OK(gmem_memory_group_create(recorder, "g", NULL, NULL, &group, &diag));
  gmem_memory_object_spec_t spec = {.size = 8, .name = "a", .alignment = 8};
  OK(gmem_memory_group_begin(group, &spec, &id[0], &diag));
  spec.name = "b";
  OK(gmem_memory_group_begin(group, &spec, &id[1], &diag));
  OK(gmem_memory_group_end(group, id[1], &diag));
  OK(gmem_memory_group_end(group, id[0], &diag));
  spec.name = "c";
  OK(gmem_memory_group_begin(group, &spec, &id[2], &diag));
  OK(gmem_memory_group_end(group, id[2], &diag));
  OK(gmem_recorder_plan(recorder, NULL, &plan, &diag));
  static const gmem_op_t first[3] = {0, 0, 1};
  for (uint32_t i = 0; i < 3; ++i) {
    OK(gmem_plan_buffer(plan, gmem_memory_group_buffer(group, id[i]), &info));
    CHECK(info.first_op == first[i] && info.last_op == first[i]);
    CHECK(info.name[0] == 'g' && info.name[1] == '.' &&
          info.name[2] == "abc"[i]);
  }
  gmem_plan_release(plan);
  gmem_memory_group_destroy(group);
  gmem_recorder_release(recorder);
}

//===--- refusals ---------------------------------------------------------===//

static void test_refused_objects(gmem_memory_group_t *group) {
  gmem_memory_object_t id = 0;
  gmem_memory_object_spec_t spec = {.size = 8};
  CHECK(gmem_memory_group_begin(NULL, &spec, &id, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_begin(group, NULL, &id, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_begin(group, &spec, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  spec.alignment = 3;
  CHECK(gmem_memory_group_begin(group, &spec, &id, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  spec = (gmem_memory_object_spec_t){.size = 8, .flags = GMEM_BUFFER_INPUT};
  CHECK(gmem_memory_group_begin(group, &spec, &id, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  spec = (gmem_memory_object_spec_t){.size = UINT64_MAX};
  CHECK(gmem_memory_group_begin(group, &spec, &id, &diag) ==
        GMEM_ERR_OUT_OF_RANGE);
  spec = (gmem_memory_object_spec_t){.size = 8, .alignment = UINT64_C(1) << 31};
  CHECK(gmem_memory_group_begin(group, &spec, &id, &diag) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_memory_group_end(NULL, 0, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_end(group, 0, &diag) == GMEM_ERR_OUT_OF_RANGE);
}

static void test_refused_before_planning(gmem_recorder_t *recorder,
                                         gmem_memory_group_t *group) {
  gmem_memory_group_t *other = NULL;
  gmem_memory_object_t id = 0;
  gmem_plan_t *plan = NULL;
  gmem_memory_hold_t hold;
  gmem_memory_object_spec_t spec = {.size = 8, .name = "tmp"};
  CHECK(gmem_memory_group_create(recorder, "g", NULL, NULL, &other, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "'g'") && !other);
  CHECK(gmem_memory_group_create(NULL, "g", NULL, NULL, &other, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_create(recorder, "h", NULL, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_acquire(group, 0, &hold) == GMEM_ERR_STATE);
  CHECK(gmem_recorder_use_pool(recorder, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  OK(gmem_memory_group_begin(group, &spec, &id, &diag));
  CHECK(gmem_recorder_plan(recorder, NULL, &plan, &diag) == GMEM_ERR_STATE);
  CHECK(strstr(diag.text, "'g.tmp' has not ended") && !plan);
  OK(gmem_memory_group_end(group, id, &diag));
  CHECK(gmem_memory_group_end(group, id, &diag) == GMEM_ERR_STATE);
  // A name twice is found when the plan is made.
  OK(gmem_memory_group_begin(group, &spec, &id, &diag));
  OK(gmem_memory_group_end(group, id, &diag));
  CHECK(gmem_recorder_plan(recorder, NULL, &plan, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "g.tmp"));
}

static void test_refused_after_planning(gmem_recorder_t *recorder,
                                        gmem_memory_group_t *group) {
  gmem_memory_group_t *other = NULL;
  gmem_memory_object_t id = 0;
  gmem_memory_object_spec_t spec = {.size = 8};
  CHECK(gmem_memory_group_begin(group, &spec, &id, &diag) == GMEM_ERR_STATE);
  CHECK(gmem_memory_group_end(group, 0, &diag) == GMEM_ERR_STATE);
  CHECK(gmem_memory_group_create(recorder, "new", NULL, NULL, &other, &diag) ==
        GMEM_ERR_STATE);
}

static void test_refusals(void) {
  gmem_recorder_t *recorder = NULL;
  gmem_memory_group_t *group = NULL;
  gmem_plan_t *plan = NULL;
  gmem_memory_hold_t hold = {0};
  void *at = NULL;
  uint64_t device = 0;
  gmem_pool_options_t options = options_of(1);
  OK(gmem_recorder_create(NULL, &recorder, &diag));
  OK(gmem_memory_group_create(recorder, "g", NULL, NULL, &group, &diag));
  test_refused_objects(group);
  test_refused_before_planning(recorder, group);
  gmem_memory_group_destroy(group);
  OK(gmem_memory_group_create(recorder, "g", NULL, NULL, &group, &diag));
  OK(gmem_recorder_plan(recorder, NULL, &plan, &diag));
  test_refused_after_planning(recorder, group);
  CHECK(gmem_recorder_populate(recorder, NULL, &options, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_recorder_populate(NULL, NULL, &options, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_recorder_populate(recorder, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_recorder_plan(recorder, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_recorder_create(NULL, NULL, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_acquire(group, -1, &hold) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_group_acquire(group, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_hold_host(&hold, 0, &at) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_hold_device(&hold, 0, &device) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_hold_host(&hold, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_memory_hold_device(&hold, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_memory_group_release(NULL);
  gmem_memory_group_release(&hold);
  gmem_memory_group_destroy(NULL);
  gmem_memory_group_destroy(group);
  gmem_plan_release(plan);
  gmem_recorder_release(NULL);
  gmem_recorder_release(recorder);
}

// A pool of another plan, and a second pool.
static void test_pools(void) {
  gmem_provider_t provider;
  gmem_recorder_t *recorder[2];
  function_t it[2];
  gmem_pool_options_t options = options_of(1);
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  for (int i = 0; i < 2; ++i) {
    OK(gmem_recorder_create(NULL, &recorder[i], &diag));
    OK(configure(&it[i], recorder[i], NULL, i ? GMEM_BUFFER_SENSITIVE : 0,
                 NULL));
  }
  OK(gmem_recorder_populate(recorder[0], &provider, &options, &diag));
  gmem_pool_t *pool = gmem_recorder_pool(recorder[0]);
  gmem_plan_t *plan = NULL;
  OK(gmem_recorder_plan(recorder[1], NULL, &plan, &diag));
  gmem_plan_release(plan);
  CHECK(gmem_recorder_use_pool(recorder[1], pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_recorder_use_pool(recorder[0], pool, &diag) == GMEM_ERR_STATE);
  for (int i = 0; i < 2; ++i) {
    gmem_memory_group_destroy(it[i].group);
    gmem_recorder_release(recorder[i]);
  }
  gmem_provider_destroy(&provider);
}

//===--- threads ----------------------------------------------------------===//

static void *configure_elsewhere(void *user) {
  function_t *it = user;
  gmem_recorder_t *recorder = NULL;
  OK(gmem_recorder_create(NULL, &recorder, NULL)); // one of its own
  gmem_recorder_release(recorder);
  CHECK(begin(it, 2, 0) == GMEM_ERR_STATE);
  CHECK(strstr(diag.text, "another thread"));
  CHECK(gmem_memory_group_end(it->group, 0, NULL) == GMEM_ERR_STATE);
  return NULL;
}

static void *plan_elsewhere(void *user) {
  gmem_plan_t *plan = NULL;
  gmem_memory_group_t *group = NULL;
  CHECK(gmem_recorder_plan(user, NULL, &plan, NULL) == GMEM_ERR_STATE);
  CHECK(gmem_memory_group_create(user, "x", NULL, NULL, &group, NULL) ==
        GMEM_ERR_STATE);
  return NULL;
}

static void on_thread(void *(*body)(void *), void *user) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, body, user) == 0);
  pthread_join(thread, NULL);
}

static void test_one_thread_configures(void) {
  gmem_provider_t provider;
  gmem_recorder_t *recorder = NULL;
  function_t it = {0};
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  for (int immediate = 0; immediate < 2; ++immediate) {
    OK(gmem_recorder_create(NULL, &recorder, &diag));
    OK(gmem_memory_group_create(immediate ? NULL : recorder, NULL, &provider,
                                NULL, &it.group, &diag));
    OK(begin(&it, 0, 0));
    on_thread(configure_elsewhere, &it);
    if (!immediate)
      on_thread(plan_elsewhere, recorder);
    OK(gmem_memory_group_end(it.group, it.tensor[0], &diag));
    gmem_memory_group_destroy(it.group);
    gmem_recorder_release(recorder);
  }
  gmem_provider_destroy(&provider);
}

typedef struct worker_s {
  function_t *function;
  uint8_t value;
  bool good;
} worker_t;

static void *work(void *user) {
  worker_t *it = user;
  it->good = true;
  for (int i = 0; i < ROUNDS; ++i)
    it->good = run(it->function, it->value) && it->good;
  return NULL;
}

// Several threads run the same two functions on two slots.
static void test_threads(void) {
  gmem_provider_t provider;
  gmem_recorder_t *recorder = NULL;
  function_t functions[2];
  worker_t workers[THREADS];
  pthread_t threads[THREADS];
  gmem_pool_options_t options = options_of(2);
  options.max_slots = 2;
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  OK(gmem_recorder_create(NULL, &recorder, &diag));
  for (int i = 0; i < 2; ++i)
    OK(configure(&functions[i], recorder, NULL, 0, NULL));
  OK(gmem_recorder_populate(recorder, &provider, &options, &diag));
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (worker_t){&functions[i % 2], (uint8_t)(10 * i), false};
    CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(workers[i].good);
  }
  CHECK(stats_of(gmem_recorder_pool(recorder)).slots == 2);
  for (int i = 0; i < 2; ++i)
    gmem_memory_group_destroy(functions[i].group);
  gmem_recorder_release(recorder);
  gmem_provider_destroy(&provider);
}

//===--- every failure ----------------------------------------------------===//

// All of it, with ten objects so that arrays grow; what was made is freed.
static gmem_status_t do_all(gmem_recorder_t **recorder, function_t *it,
                            bool immediate, const gmem_provider_t *provider,
                            const gmem_allocator_t *allocator) {
  gmem_pool_options_t options = options_of(1);
  GMEM_TRY(gmem_recorder_create(allocator, recorder, &diag));
  GMEM_TRY(configure(it, immediate ? NULL : *recorder, provider, 0, allocator));
  for (int i = 0; i < 3; ++i)
    GMEM_TRY(configure_tensors(it, 0));
  if (!immediate)
    GMEM_TRY(gmem_recorder_populate(*recorder, provider, &options, &diag));
  return GMEM_OK;
}

static gmem_status_t do_and_undo(bool immediate,
                                 const gmem_provider_t *provider,
                                 const gmem_allocator_t *allocator) {
  gmem_recorder_t *recorder = NULL;
  function_t it = {0};
  gmem_status_t status = do_all(&recorder, &it, immediate, provider, allocator);
  CHECK(status != GMEM_OK || run(&it, 3));
  gmem_memory_group_destroy(it.group);
  gmem_recorder_release(recorder);
  return status;
}

static void test_every_allocation_fails(void) {
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  for (int immediate = 0; immediate < 2; ++immediate)
    for (int for_ever = 0; for_ever < 2; ++for_ever) {
      heap_t heap = {.for_ever = for_ever};
      gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
      gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
      for (heap.fail_at = 1; status != GMEM_OK; ++heap.fail_at) {
        heap.calls = 0;
        status = do_and_undo(immediate, &provider, &allocator);
        CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
        CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
        CHECK(device.live == 0);
      }
      CHECK(heap.fail_at > (immediate ? 15 : 40));
    }
}

// A provider whose range number |fail_at| is refused.
typedef struct failing_s {
  device_t device;
  unsigned fail_at;
} failing_t;

static gmem_status_t failing_acquire(void *user, uint64_t size, uint64_t align,
                                     uint64_t fixed, uint32_t flags,
                                     gmem_range_t *out_range,
                                     gmem_diag_t *out_diag) {
  failing_t *it = user;
  *out_range = (gmem_range_t){0};
  if (it->device.acquires + 1 == it->fail_at) {
    ++it->device.acquires;
    return GMEM_ERR_IO;
  }
  return device_acquire(&it->device, size, align, fixed, flags, out_range,
                        out_diag);
}

static void failing_release(void *user, const gmem_range_t *range) {
  device_release(&((failing_t *)user)->device, range);
}

static void test_every_range_fails(void) {
  for (int immediate = 0; immediate < 2; ++immediate) {
    failing_t it = {.fail_at = 1};
    gmem_provider_t provider = {.user = &it,
                                .granularity = 64,
                                .acquire = failing_acquire,
                                .release = failing_release};
    gmem_status_t status = GMEM_ERR_IO;
    for (; status != GMEM_OK; ++it.fail_at) {
      it.device.acquires = 0;
      status = do_and_undo(immediate, &provider, NULL);
      CHECK(status == GMEM_OK || status == GMEM_ERR_IO);
      CHECK(it.device.live == 0);
    }
    CHECK(it.fail_at == (immediate ? 12 : 1) + 2);
  }
}

// Memory that the CPU cannot see cannot be zeroed, but it can be used.
static void test_blind_memory(void) {
  device_t device = {.blind = true};
  gmem_provider_t provider = device_provider(&device);
  function_t it = {0};
  gmem_memory_hold_t hold;
  void *at = NULL;
  uint64_t address = 0;
  CHECK(configure(&it, NULL, &provider, GMEM_BUFFER_SENSITIVE, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(device.live == 0);
  gmem_memory_group_destroy(it.group);
  OK(configure(&it, NULL, &provider, 0, NULL));
  OK(gmem_memory_group_acquire(it.group, 0, &hold));
  CHECK(gmem_memory_hold_host(&hold, 0, &at) == GMEM_ERR_UNSUPPORTED);
  OK(gmem_memory_hold_device(&hold, 0, &address));
  CHECK(address != 0);
  gmem_memory_group_release(&hold);
  gmem_memory_group_destroy(it.group);
  CHECK(device.live == 0);
}

// Holding and releasing allocate nothing.
static void test_no_allocation(void) {
  gmem_provider_t provider;
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  OK(gmem_provider_mmap(NULL, NULL, &provider));
  for (int immediate = 0; immediate < 2; ++immediate) {
    gmem_recorder_t *recorder = NULL;
    function_t it = {0};
    OK(do_all(&recorder, &it, immediate, &provider, &allocator));
    size_t calls = heap.calls;
    for (int i = 0; i < 1000; ++i)
      CHECK(run(&it, 9));
    CHECK(heap.calls == calls && calls > 0);
    gmem_memory_group_destroy(it.group);
    gmem_recorder_release(recorder);
  }
  CHECK(heap.live_blocks == 0);
  gmem_provider_destroy(&provider);
}

int main(void) {
  test_two_functions_share_a_slot();
  test_dead_objects_share_memory();
  test_immediate();
  test_sensitive();
  test_empty();
  test_steps();
  test_refusals();
  test_pools();
  test_one_thread_configures();
  test_threads();
  test_every_allocation_fails();
  test_every_range_fails();
  test_blind_memory();
  test_no_allocation();
  return CHECK_RESULT();
}
