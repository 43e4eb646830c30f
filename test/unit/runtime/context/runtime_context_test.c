// runtime_context_test.c - contexts: their services reach what is created from
// them, and two of them share nothing.
// RUN: %unit/runtime_context_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "failing_heap.h"
#include "gmem/context.h"
#include "manager_tools.h"

#define OK(call) CHECK((call) == GMEM_OK)

enum { WEIGHT_BYTES = 64 };

static gmem_diag_t diag;

// OpenMP's library is not built for sanitizers.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "ignore_noninstrumented_modules=1";
}
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libomp.so\nleak:libgomp.so\n";
}

//===--- one user ---------------------------------------------------------===//

// All that a user counts, and the user's context.
typedef struct user_s {
  heap_t heap;
  device_t device;
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  unsigned loops; // on the user's scheduler
  gmem_scheduler_t scheduler;
  gmem_context_t *context;
} user_t;

static uint32_t one_thread(void *user) {
  (void)user;
  return 1;
}

static void run_alone(void *user, uint32_t threads, gmem_workload_fn work,
                      void *work_user) {
  (void)threads;
  ++((user_t *)user)->loops;
  work(work_user, 0, 1);
}

static gmem_context_options_t begin_user(user_t *it, uint32_t flags) {
  memset(it, 0, sizeof *it);
  it->allocator = (gmem_allocator_t){&it->heap, heap_alloc, heap_free};
  it->provider = provider_of(&it->device);
  it->scheduler = (gmem_scheduler_t){it, one_thread, run_alone};
  return (gmem_context_options_t){.struct_size = sizeof(gmem_context_options_t),
                                  .flags = flags,
                                  .allocator = &it->allocator,
                                  .provider = &it->provider,
                                  .scheduler = &it->scheduler,
                                  .byte_budget = 4 * DEVICE_PAGE};
}

static void make_user(user_t *it, uint32_t flags) {
  gmem_context_options_t options = begin_user(it, flags);
  OK(gmem_context_create(&options, &it->context, &diag));
}

static void end_user(user_t *it) {
  gmem_context_destroy(it->context);
  CHECK(it->heap.live_blocks == 0 && it->heap.live_bytes == 0);
  CHECK(atomic_load(&it->device.live_ranges) == 0);
}

// An image in a file: a slot of one page.
static void write_image(const char *path) {
  static const gmem_op_range_t always = {0, 1};
  gmem_region_info_t region = {"slot", GMEM_SPACE_ACTIVATION, 0, DEVICE_PAGE,
                               64};
  gmem_buffer_info_t buffer = {.name = "a",
                               .size = DEVICE_PAGE,
                               .payload = DEVICE_PAGE,
                               .align = 64,
                               .space = GMEM_SPACE_ACTIVATION,
                               .ranges = &always,
                               .range_count = 1,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  void *data = NULL;
  size_t size = 0;
  OK(gmem_plan_write(&desc, NULL, &data, &size, &diag));
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
  gmem_plan_data_free(NULL, data, size);
}

static gmem_status_t count_up(void *user, const gmem_window_t *part,
                              const gmem_thread_t *thread,
                              gmem_diag_t *body_diag) {
  (void)thread, (void)body_diag;
  atomic_fetch_add((atomic_uint_least64_t *)user,
                   part->dimensions[0].end - part->dimensions[0].begin);
  return GMEM_OK;
}

// Everything that a context is for; the pool twice, from its cache.
static gmem_status_t use_context(gmem_context_t *context, const char *path,
                                 gmem_plan_t **plan, gmem_pool_t *pools[2]) {
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 2};
  gmem_lease_t *lease = NULL;
  atomic_uint_least64_t steps = 0;
  gmem_window_t window = {1, {{0, 10, 1}}};
  gmem_parallel_t how = {.struct_size = sizeof how};
  GMEM_TRY(gmem_context_load_file(context, path, plan, &diag));
  for (int i = 0; i < 2; ++i)
    GMEM_TRY(gmem_context_get_pool(context, *plan, NULL, &options, &pools[i],
                                   &diag));
  GMEM_TRY(gmem_lease_acquire(pools[0], GMEM_NONE, NULL, 0, &lease));
  gmem_lease_release(lease);
  GMEM_TRY(gmem_context_parallel_for(context, &window, &how, count_up, &steps,
                                     &diag));
  CHECK(steps == 10);
  return GMEM_OK;
}

static gmem_status_t use_and_drop(gmem_context_t *context, const char *path) {
  gmem_plan_t *plan = NULL;
  gmem_pool_t *pools[2] = {NULL, NULL};
  gmem_status_t status = use_context(context, path, &plan, pools);
  CHECK(status != GMEM_OK || (pools[0] && pools[0] == pools[1]));
  gmem_pool_release(pools[0]);
  gmem_pool_release(pools[1]);
  gmem_plan_release(plan);
  return status;
}

//===--- tests ------------------------------------------------------------===//

static void test_services(const char *path) {
  user_t it;
  make_user(&it, 0);
  size_t calls = it.heap.calls;
  OK(use_and_drop(it.context, path));
  CHECK(it.heap.calls > calls && it.loops == 1);
  CHECK(atomic_load(&it.device.live_bytes) == DEVICE_PAGE); // in the cache
  CHECK(gmem_context_allocator(it.context)->user == &it.heap);
  CHECK(gmem_context_provider(it.context)->user == &it.device);
  CHECK(gmem_context_scheduler(it.context)->user == &it);
  CHECK(!gmem_context_weights(it.context));
  gmem_manager_stats_t stats;
  gmem_manager_stats(gmem_context_manager(it.context), &stats);
  CHECK(stats.pools == 1 && stats.bytes == DEVICE_PAGE);
  gmem_cache_stats_t cached;
  gmem_cache_stats(gmem_context_cache(it.context), &cached);
  CHECK(cached.hits == 1 && cached.misses == 1);
  end_user(&it);
}

static void test_contexts_share_nothing(const char *path) {
  user_t one, two;
  make_user(&one, 0);
  make_user(&two, 0);
  size_t calls = two.heap.calls;
  OK(use_and_drop(one.context, path));
  CHECK(two.heap.calls == calls && two.loops == 0);
  CHECK(atomic_load(&two.device.calls) == 0);
  calls = one.heap.calls;
  OK(use_and_drop(two.context, path)); // the same plan is made again
  CHECK(one.heap.calls == calls && one.loops == 1 && two.loops == 1);
  CHECK(atomic_load(&one.device.calls) == 1);
  CHECK(atomic_load(&two.device.calls) == 1);
  end_user(&one);
  CHECK(use_and_drop(two.context, path) == GMEM_OK);
  end_user(&two);
}

static gmem_status_t fill(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *fill_diag) {
  (void)id, (void)fill_diag;
  ++*(unsigned *)user;
  memset(dst, 0, size); // the bytes of the digest
  return GMEM_OK;
}

static gmem_status_t make_ones(void *user, const void *source,
                               uint64_t source_size, void *dst, uint64_t size,
                               gmem_diag_t *make_diag) {
  (void)source, (void)make_diag;
  CHECK(source_size == size);
  ++*(unsigned *)user;
  memset(dst, 1, size);
  return GMEM_OK;
}

// Two models of a plan with a weight, which a transform of the context makes
// unless |made|, which counts it, is NULL. Returns how often it was filled.
static unsigned fills_of_two_models(uint32_t flags, gmem_weights_t *other,
                                    unsigned *made) {
  const gmem_plan_transform_t step = {"ones", 0, WEIGHT_BYTES};
  const gmem_transform_t ones = {"ones", make_ones, made};
  // SHA-256 of 64 zero bytes.
  static const uint8_t digest[GMEM_PLAN_DIGEST_SIZE] = {
      0xf5, 0xa5, 0xfd, 0x42, 0xd1, 0x6a, 0x20, 0x30, 0x27, 0x98, 0xef,
      0x6e, 0xd3, 0x09, 0x97, 0x9b, 0x43, 0x00, 0x3d, 0x23, 0x20, 0xd9,
      0xf0, 0xe8, 0xea, 0x98, 0x31, 0xa9, 0x27, 0x59, 0xfb, 0x4b};
  user_t it;
  unsigned fills = 0;
  gmem_region_info_t region = {"w", GMEM_SPACE_WEIGHT, 0, WEIGHT_BYTES, 64};
  gmem_buffer_info_t buffer = {.name = "w",
                               .size = WEIGHT_BYTES,
                               .payload = WEIGHT_BYTES,
                               .align = 64,
                               .space = GMEM_SPACE_WEIGHT,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_weight_info_t weight = {.source_size = WEIGHT_BYTES};
  memcpy(weight.digest, digest, sizeof digest);
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1,
                           .weights = &weight,
                           .weight_count = 1,
                           .transforms = &step,
                           .transform_count = made ? 1 : 0};
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *models[2] = {NULL, NULL};
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .user = &fills,
                                  .weight = fill,
                                  .weights = other};
  const gmem_transforms_t transforms = {.struct_size = sizeof transforms,
                                        .count = 1,
                                        .all = &ones,
                                        .source = fill,
                                        .user = &fills};
  gmem_context_options_t options = begin_user(&it, flags);
  options.transforms = made ? &transforms : NULL;
  OK(gmem_context_create(&options, &it.context, &diag));
  for (int i = 0; i < 2; ++i)
    OK(gmem_context_model(it.context, plan, &sources, &models[i], &diag));
  for (int i = 0; i < 2; ++i)
    gmem_model_release(models[i]);
  gmem_plan_release(plan);
  end_user(&it);
  return fills;
}

static void test_weights(void) {
  device_t device = {0};
  gmem_provider_t provider = provider_of(&device);
  gmem_weights_t *weights = NULL;
  CHECK(fills_of_two_models(0, NULL, NULL) == 2);
  CHECK(fills_of_two_models(GMEM_CONTEXT_SHARE_WEIGHTS, NULL, NULL) == 1);
  OK(gmem_weights_create(&provider, 0, NULL, &weights, &diag));
  gmem_weights_stats_t stats;
  CHECK(fills_of_two_models(GMEM_CONTEXT_SHARE_WEIGHTS, weights, NULL) == 1);
  gmem_weights_stats(weights, &stats);
  CHECK(stats.filled == 1);
  gmem_weights_release(weights);
}

static void test_transforms(void) {
  unsigned made = 0;
  CHECK(fills_of_two_models(0, NULL, &made) == 2 && made == 2);
  CHECK(fills_of_two_models(GMEM_CONTEXT_SHARE_WEIGHTS, NULL, &made) == 1);
  CHECK(made == 3);
}

static void test_defaults(const char *path) {
  gmem_context_t *context = NULL;
  OK(gmem_context_create(NULL, &context, &diag));
  CHECK(use_and_drop(context, path) == GMEM_OK);
  gmem_context_destroy(context);
  gmem_context_destroy(NULL);
}

static void test_refused_pools(gmem_context_t *context, const char *path) {
  gmem_plan_t *plan = NULL;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options - 1};
  OK(gmem_context_load_file(context, path, &plan, &diag));
  CHECK(gmem_context_get_pool(context, plan, NULL, &options, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_get_pool(context, plan, NULL, NULL, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  options.struct_size = sizeof options;
  CHECK(gmem_context_get_pool(NULL, plan, NULL, &options, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_get_pool(context, plan, NULL, &options, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_plan_release(plan);
}

// A scheduler of the loop takes precedence, and wrong options are refused.
static void test_refusals(const char *path) {
  user_t it;
  gmem_context_t *none = NULL;
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  atomic_uint_least64_t steps = 0;
  gmem_window_t window = {1, {{0, 10, 1}}};
  gmem_scheduler_t openmp = gmem_scheduler_openmp();
  gmem_parallel_t how = {
      .struct_size = sizeof how, .threads = 1, .scheduler = &openmp};
  gmem_context_options_t options = begin_user(&it, 0);
  CHECK(gmem_context_create(&options, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  options.flags = 2;
  CHECK(gmem_context_create(&options, &none, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  options.flags = 0;
  options.struct_size = 1;
  CHECK(gmem_context_create(&options, &none, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  make_user(&it, 0);
  OK(gmem_context_parallel_for(it.context, &window, &how, count_up, &steps,
                               &diag));
  CHECK(steps == 10 && it.loops == 0);
  CHECK(gmem_context_parallel_for(it.context, &window, NULL, count_up, &steps,
                                  &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_parallel_for(NULL, &window, &how, count_up, &steps,
                                  &diag) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_parallel_t other = how;
  other.struct_size = 1;
  CHECK(gmem_context_parallel_for(it.context, &window, &other, count_up, &steps,
                                  &diag) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_load_file(NULL, path, &plan, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_model(NULL, NULL, NULL, &model, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_pool(NULL, NULL, NULL, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_context_get_pool(it.context, NULL, NULL, NULL, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  test_refused_pools(it.context, path);
  end_user(&it);
}

// Creation and use, with every allocation failing once and for ever after.
static void test_every_allocation_fails(const char *path) {
  for (int for_ever = 0; for_ever < 2; ++for_ever)
    for (int own = 0; own < 2; ++own) { // with a provider of the context
      gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
      unsigned k = 1;
      for (; status != GMEM_OK; ++k) {
        user_t it;
        gmem_context_options_t options =
            begin_user(&it, GMEM_CONTEXT_SHARE_WEIGHTS);
        if (own)
          options.provider = NULL;
        it.heap.fail_at = k;
        it.heap.for_ever = for_ever;
        status = gmem_context_create(&options, &it.context, &diag);
        CHECK((status == GMEM_OK) == (it.context != NULL));
        if (status == GMEM_OK)
          status = use_and_drop(it.context, path);
        CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
        end_user(&it);
      }
      CHECK(k > 8);
    }
}

typedef struct caller_s {
  gmem_context_t *context;
  const char *path;
  gmem_status_t status;
} caller_t;

static void *call(void *user) {
  caller_t *it = user;
  for (int i = 0; i < 50 && it->status == GMEM_OK; ++i) {
    gmem_plan_t *plan = NULL;
    gmem_pool_t *pool = NULL;
    gmem_lease_t *lease = NULL;
    gmem_pool_options_t options = {.struct_size = sizeof options,
                                   .max_slots = 2};
    it->status = gmem_context_load_file(it->context, it->path, &plan, NULL);
    if (it->status == GMEM_OK)
      it->status =
          gmem_context_get_pool(it->context, plan, NULL, &options, &pool, NULL);
    if (it->status == GMEM_OK)
      it->status =
          gmem_lease_acquire(pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER, &lease);
    gmem_lease_release(lease);
    gmem_pool_release(pool);
    gmem_plan_release(plan);
  }
  return NULL;
}

static void test_threads(const char *path) {
  enum { THREADS = 4 };
  gmem_context_t *contexts[2] = {NULL, NULL};
  caller_t callers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < 2; ++i)
    OK(gmem_context_create(NULL, &contexts[i], &diag));
  for (int i = 0; i < THREADS; ++i) {
    callers[i] = (caller_t){contexts[i % 2], path, GMEM_OK};
    CHECK(pthread_create(&threads[i], NULL, call, &callers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    OK(callers[i].status);
  }
  for (int i = 0; i < 2; ++i)
    gmem_context_destroy(contexts[i]);
}

int main(void) {
  char path[] = "/tmp/gmem-context-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0 && close(fd) == 0);
  write_image(path);
  test_services(path);
  test_contexts_share_nothing(path);
  test_weights();
  test_transforms();
  test_defaults(path);
  test_refusals(path);
  test_every_allocation_fails(path);
  test_threads(path);
  unlink(path);
  return CHECK_RESULT();
}
