// runtime_every_failure_test.c - in every function of the runtime that can
// fail, every host allocation, every call of the provider and every system call
// is made to fail once, and from there on for ever: nothing is half made,
// nothing leaks, and the next call works.
// RUN: %unit/runtime_every_failure_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // see fake_system.h

#include <stdlib.h>

#include "failing_heap.h"
#include "fake_system.h"
#include "gmem/parallel.h"
#include "image_tools.h"
#include "weight_tools.h"

static char path[] = "/tmp/gmem-every-failure.XXXXXX"; // the sample's image
static full_sample_t sample;
static gmem_plan_desc_t desc;
static void *image; // the same bytes in memory
static size_t image_size;

// What a case needs to be there already.
enum {
  PLAN = 1 << 0,
  WEIGHTS = 1 << 1,
  WEIGHT = 1 << 2,
  MODEL = 1 << 3,
  POOL = 1 << 4, // one slot, and it may grow
  LEASE = 1 << 5,
  CACHE = 1 << 6,
};

// What there is, and what a case has made.
typedef struct world_s {
  heap_t heap;
  gmem_allocator_t own;
  bank_t bank;
  gmem_provider_t provider; // of |bank|
  gmem_plan_t *plan;
  gmem_weights_t *weights;
  gmem_weight_t *weight;
  gmem_model_t *model;
  gmem_pool_t *pool;
  gmem_lease_t *lease;
  gmem_cache_t *cache;
  void *made;                     // NULL: nothing
  size_t made_size;               // of an image
  gmem_provider_t other_provider; // made, too
  int fd;                         // exported, or -1
} world_t;

typedef struct case_s {
  const char *name;
  gmem_status_t (*run)(const struct case_s *self, world_t *it);
  void (*undo)(world_t *it); // frees what |run| made
  uint32_t flags;            // of a model or a pool
  uint32_t needs;
  bool has_store; // a model with a store of weights
  bool is_quiet;  // makes no call that could fail
} case_t;

//===--- what is called ---------------------------------------------------===//

// Outputs begin as this, to see that they become NULL.
static void *const unset = &desc;

static gmem_status_t fill(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)id, (void)diag;
  memset(dst, 'f', (size_t)size);
  return GMEM_OK;
}

static gmem_status_t write_plan(const case_t *self, world_t *it) {
  (void)self;
  it->made = unset;
  return gmem_plan_write(&desc, &it->own, &it->made, &it->made_size, NULL);
}

static void free_data(world_t *it) {
  gmem_plan_data_free(&it->own, it->made, it->made_size);
}

static gmem_status_t sink(void *user, const void *bytes, size_t size,
                          gmem_diag_t *diag) {
  (void)user, (void)bytes, (void)size, (void)diag;
  return GMEM_OK;
}

static gmem_status_t write_plan_to(const case_t *self, world_t *it) {
  (void)self;
  return gmem_plan_write_to(&desc, &it->own, sink, NULL, NULL);
}

static gmem_status_t load_memory(const case_t *self, world_t *it) {
  gmem_plan_t *plan = unset;
  gmem_status_t status = gmem_plan_load_memory(image, image_size, self->flags,
                                               &it->own, &plan, NULL);
  it->made = plan;
  return status;
}

static gmem_status_t load_file(const case_t *self, world_t *it) {
  gmem_plan_t *plan = unset;
  gmem_status_t status =
      gmem_plan_load_file(path, self->flags, &it->own, &plan, NULL);
  it->made = plan;
  return status;
}

static void free_plan(world_t *it) { gmem_plan_release(it->made); }

static gmem_status_t make_mmap(const case_t *self, world_t *it) {
  (void)self;
  it->other_provider.user = unset;
  gmem_status_t status =
      gmem_provider_mmap(NULL, &it->own, &it->other_provider);
  it->made = it->other_provider.user;
  return status;
}

static gmem_status_t make_static(const case_t *self, world_t *it) {
  (void)self;
  it->other_provider.user = unset;
  gmem_status_t status =
      gmem_provider_static(NULL, 0, 1, &it->own, &it->other_provider);
  it->made = it->other_provider.user;
  return status;
}

static gmem_status_t make_heap(const case_t *self, world_t *it) {
  (void)self;
  it->other_provider.user = unset;
  gmem_status_t status = gmem_provider_dma_heap("system", NULL, NULL, &it->own,
                                                &it->other_provider, NULL);
  it->made = it->other_provider.user;
  return status;
}

static void free_provider(world_t *it) {
  gmem_provider_destroy(&it->other_provider);
}

static gmem_status_t make_model(const case_t *self, world_t *it) {
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = self->flags,
                                  .weight = fill,
                                  .work = fill,
                                  .weights =
                                      self->has_store ? it->weights : NULL};
  gmem_model_t *model = unset;
  gmem_status_t status = gmem_model_create(it->plan, &it->provider, &sources,
                                           &it->own, &model, NULL);
  it->made = model;
  return status;
}

static void free_model(world_t *it) { gmem_model_release(it->made); }

static gmem_status_t verify_model(const case_t *self, world_t *it) {
  gmem_buffer_t bad = 0;
  (void)self;
  return gmem_model_verify(it->model, &bad, NULL);
}

static gmem_status_t make_pool(const case_t *self, world_t *it) {
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = 2, .flags = self->flags};
  gmem_pool_t *pool = unset;
  gmem_status_t status = gmem_pool_create(it->model, &it->provider, &options,
                                          &it->own, &pool, NULL);
  it->made = pool;
  return status;
}

static void free_pool(world_t *it) { gmem_pool_release(it->made); }

static gmem_status_t populate(const case_t *self, world_t *it) {
  (void)self;
  return gmem_pool_populate(it->pool, 2, NULL);
}

static gmem_status_t reserve(const case_t *self, world_t *it) {
  gmem_reservation_t *reservation = unset;
  (void)self;
  gmem_status_t status = gmem_pool_reserve(it->pool, 3, &reservation, NULL);
  it->made = reservation;
  return status;
}

static void free_reservation(world_t *it) { gmem_pool_unreserve(it->made); }

static gmem_status_t acquire(const case_t *self, world_t *it) {
  gmem_lease_t *lease = unset;
  (void)self;
  gmem_status_t status =
      gmem_lease_acquire(it->pool, GMEM_NONE, NULL, 0, &lease);
  it->made = lease;
  return status;
}

static void free_lease(world_t *it) { gmem_lease_release(it->made); }

// All that a request does between its acquire and its release.
static gmem_status_t use_lease(const case_t *self, world_t *it) {
  void *pointers[8] = {0}, *scratch = NULL;
  uint64_t address = 0, size = 0;
  uint32_t count = 0;
  uint8_t stream[16] = {0x40, 0x00, 0x02}; // the planned address of buffer 3
  const gmem_reloc_t reloc = {.buffer = 3};
  _Alignas(64) static uint8_t input[64];
  (void)self;
  CHECK(gmem_lease_import(it->lease, 3, input, (uint64_t)(uintptr_t)input,
                          sizeof input, NULL) == GMEM_OK);
  for (gmem_op_t op = 0; op < 4; ++op)
    gmem_lease_begin_op(it->lease, op);
  CHECK(gmem_lease_host(it->lease, 4, &scratch) == GMEM_OK);
  CHECK(gmem_lease_device(it->lease, 4, &address) == GMEM_OK);
  CHECK(gmem_lease_thread_scratch(it->lease, 4, 1, &scratch, &size) == GMEM_OK);
  CHECK(gmem_lease_workbuffers(it->lease, 1, 8, pointers, &count) == GMEM_OK);
  CHECK(gmem_plan_check_stream(it->plan, &reloc, 1, stream, sizeof stream,
                               NULL) == GMEM_OK);
  CHECK(gmem_lease_relocate(it->lease, &reloc, 1, stream, sizeof stream,
                            NULL) == GMEM_OK);
  gmem_lease_retain(it->lease);
  gmem_lease_release(it->lease);
  return gmem_lease_check(it->lease, NULL);
}

static gmem_status_t use_scratch(void *user, const gmem_window_t *part,
                                 const gmem_thread_t *thread,
                                 gmem_diag_t *diag) {
  (void)user, (void)part, (void)diag;
  memset(thread->scratch, 1, (size_t)thread->scratch_size);
  return GMEM_OK;
}

static gmem_status_t run_loop(const case_t *self, world_t *it) {
  const gmem_window_t window = {1, {{0, 8, 1}}};
  const gmem_parallel_t how = {.struct_size = sizeof how,
                               .threads = 1,
                               .lease = it->lease,
                               .scratch = 4};
  (void)self;
  return gmem_parallel_for(&window, &how, use_scratch, NULL, NULL);
}

static gmem_status_t sync_lease(const case_t *self, world_t *it) {
  (void)self;
  return gmem_lease_sync(it->lease, 4, false);
}

// In place of the bank's, which is for whole ranges.
static gmem_status_t sync_part(void *user, const gmem_range_t *range,
                               uint64_t offset, uint64_t size, bool to_device) {
  (void)to_device;
  CHECK(offset <= range->size && size <= range->size - offset);
  return bank_fails(user) ? GMEM_ERR_IO : GMEM_OK;
}

static gmem_status_t make_weights(const case_t *self, world_t *it) {
  gmem_weights_t *weights = unset;
  (void)self;
  gmem_status_t status =
      gmem_weights_create(&it->provider, 0, &it->own, &weights, NULL);
  it->made = weights;
  return status;
}

static void free_weights(world_t *it) { gmem_weights_release(it->made); }

static gmem_status_t get_weight(world_t *it, const char *bytes,
                                gmem_weight_t **out_weight) {
  bytes_t source = {.bytes = bytes, .size = strlen(bytes)};
  gmem_weight_key_t key = key_of(bytes, source.size);
  return gmem_weights_acquire(it->weights, &key, fill_bytes, &source,
                              out_weight, NULL);
}

static gmem_status_t acquire_weight(const case_t *self, world_t *it) {
  gmem_weight_t *weight = unset;
  (void)self;
  gmem_status_t status = get_weight(it, "another weight", &weight);
  it->made = weight;
  return status;
}

static gmem_status_t copy_weight(void *user, const gmem_weight_t *source,
                                 const gmem_weight_key_t *key, void *dst,
                                 gmem_diag_t *diag) {
  (void)user, (void)source, (void)diag;
  memset(dst, 't', (size_t)key->size);
  return GMEM_OK;
}

static gmem_status_t transform(const case_t *self, world_t *it) {
  gmem_weight_t *weight = unset;
  (void)self;
  gmem_status_t status = gmem_weights_transform(
      it->weights, it->weight, 7, 100, 64, copy_weight, NULL, &weight, NULL);
  it->made = weight;
  return status;
}

static void free_weight(world_t *it) { gmem_weight_release(it->made); }

static gmem_status_t export_weight(const case_t *self, world_t *it) {
  (void)self;
  return gmem_weight_export(it->weight, &it->fd, NULL);
}

static void close_fd(world_t *it) {
  close(it->fd);
  it->fd = -1;
}

// From a store of its own, as another process would.
static gmem_status_t import_weight(const case_t *self, world_t *it) {
  gmem_weight_t *weight = unset;
  int fd = -1;
  (void)self;
  gmem_status_t status = gmem_weight_export(it->weight, &fd, NULL);
  if (status != GMEM_OK) {
    it->made = NULL;
    return status;
  }
  gmem_weights_t *others = NULL;
  status = gmem_weights_create(&it->provider, 0, &it->own, &others, NULL);
  weight = status == GMEM_OK ? unset : NULL;
  if (status == GMEM_OK)
    status = gmem_weights_import(others, gmem_weight_key(it->weight), fd,
                                 &weight, NULL);
  gmem_weights_release(others); // the weight keeps it
  close(fd);
  it->made = weight;
  return status;
}

static gmem_status_t verify_weights(const case_t *self, world_t *it) {
  uint64_t bad = 0;
  (void)self;
  return gmem_weights_verify(it->weights, &bad, NULL);
}

static gmem_status_t make_cache(const case_t *self, world_t *it) {
  gmem_cache_t *cache = unset;
  (void)self;
  gmem_status_t status = gmem_cache_create(NULL, &it->own, &cache, NULL);
  it->made = cache;
  return status;
}

static void free_cache(world_t *it) { gmem_cache_destroy(it->made); }

static gmem_status_t make_for_cache(void *user, gmem_pool_t **out_pool,
                                    gmem_diag_t *diag) {
  static const case_t self = {.name = "make"};
  world_t *it = user;
  (void)diag;
  gmem_status_t status = make_pool(&self, it);
  *out_pool = it->made;
  return status;
}

static gmem_status_t get_pool(const case_t *self, world_t *it) {
  gmem_pool_t *pool = unset;
  (void)self;
  gmem_status_t status =
      gmem_cache_get(it->cache, "key", 3, make_for_cache, it, &pool, NULL);
  it->made = pool;
  return status;
}

static const case_t cases[] = {
    {"plan_write", write_plan, free_data, .needs = 0},
    {"plan_write_to", write_plan_to, NULL, .needs = 0},
    {"plan_load_memory", load_memory, free_plan, .needs = 0},
    {"plan_load_memory, borrowed", load_memory, free_plan, GMEM_LOAD_BORROW,
     .needs = 0},
    {"plan_load_file", load_file, free_plan, .needs = 0},
    {"provider_mmap", make_mmap, free_provider, .needs = 0},
    {"provider_static", make_static, free_provider, .needs = 0},
    {"provider_dma_heap", make_heap, free_provider, .needs = 0},
    {"model_create", make_model, free_model, .needs = PLAN},
    {"model_create, copied", make_model, free_model, GMEM_MODEL_COPY,
     .needs = PLAN},
    {"model_create, verified", make_model, free_model, GMEM_MODEL_VERIFY,
     .needs = PLAN},
    {"model_create, scattered", make_model, free_model, GMEM_MODEL_SCATTER,
     .needs = PLAN | WEIGHTS, .has_store = true},
    {"model_verify", verify_model, NULL, .needs = PLAN | MODEL,
     .is_quiet = true},
    {"pool_create", make_pool, free_pool, .needs = PLAN | MODEL},
    {"pool_create, checked", make_pool, free_pool,
     GMEM_POOL_CHECK | GMEM_POOL_ZERO_ON_RELEASE, .needs = PLAN | MODEL},
    {"pool_create, unshared", make_pool, free_pool,
     GMEM_POOL_UNSHARED | GMEM_POOL_ZERO_ON_ACQUIRE, .needs = PLAN | MODEL},
    {"pool_create, prefaulted", make_pool, free_pool, GMEM_POOL_PREFAULT,
     .needs = PLAN | MODEL},
    {"pool_populate", populate, NULL, .needs = PLAN | MODEL | POOL},
    {"pool_reserve", reserve, free_reservation, .needs = PLAN | MODEL | POOL},
    {"lease_acquire, free", acquire, free_lease, .needs = PLAN | MODEL | POOL,
     .is_quiet = true},
    {"lease_acquire, growing", acquire, free_lease,
     .needs = PLAN | MODEL | POOL | LEASE},
    {"lease", use_lease, NULL, .needs = PLAN | MODEL | POOL | LEASE,
     .is_quiet = true},
    {"parallel_for", run_loop, NULL, .needs = PLAN | MODEL | POOL | LEASE,
     .is_quiet = true},
    {"lease_sync", sync_lease, NULL, .needs = PLAN | MODEL | POOL | LEASE},
    {"weights_create", make_weights, free_weights, .needs = 0},
    {"weights_acquire", acquire_weight, free_weight, .needs = WEIGHTS},
    {"weights_transform", transform, free_weight, .needs = WEIGHTS | WEIGHT},
    {"weight_export", export_weight, close_fd, .needs = WEIGHTS | WEIGHT},
    {"weights_import", import_weight, free_weight, .needs = WEIGHTS | WEIGHT},
    {"weights_verify", verify_weights, NULL, .needs = WEIGHTS | WEIGHT,
     .is_quiet = true},
    {"cache_create", make_cache, free_cache, .needs = 0},
    {"cache_get", get_pool, free_pool, .needs = PLAN | MODEL | CACHE},
};

//===--- worlds -----------------------------------------------------------===//

static void make_world(world_t *it, uint32_t needs) {
  const gmem_mmap_options_t options = {.struct_size = sizeof options,
                                       .numa_node = -1,
                                       .guard_pages = true,
                                       .shared = true};
  const gmem_pool_options_t pool_options = {
      .struct_size = sizeof pool_options, .initial_slots = 1, .max_slots = 4};
  memset(it, 0, sizeof *it);
  it->own = (gmem_allocator_t){&it->heap, heap_alloc, heap_free};
  it->provider = open_bank(&it->bank, &options);
  it->provider.sync = sync_part;
  it->fd = -1;
  gmem_status_t status = GMEM_OK;
  if (needs & PLAN)
    status = gmem_plan_load_file(path, 0, &it->own, &it->plan, NULL);
  if (status == GMEM_OK && needs & WEIGHTS)
    status =
        gmem_weights_create(&it->provider, 0, &it->own, &it->weights, NULL);
  if (status == GMEM_OK && needs & WEIGHT)
    status = get_weight(it, "a weight", &it->weight);
  if (status == GMEM_OK && needs & MODEL)
    status = gmem_model_create(it->plan, &it->provider, NULL, &it->own,
                               &it->model, NULL);
  if (status == GMEM_OK && needs & POOL)
    status = gmem_pool_create(it->model, &it->provider, &pool_options, &it->own,
                              &it->pool, NULL);
  if (status == GMEM_OK && needs & LEASE)
    status = gmem_lease_acquire(it->pool, GMEM_NONE, NULL, 0, &it->lease);
  if (status == GMEM_OK && needs & CACHE)
    status = gmem_cache_create(NULL, &it->own, &it->cache, NULL);
  CHECK(status == GMEM_OK);
}

static void free_world(world_t *it) {
  gmem_cache_destroy(it->cache);
  gmem_lease_release(it->lease);
  gmem_pool_release(it->pool);
  gmem_model_release(it->model);
  gmem_weight_release(it->weight);
  gmem_weights_release(it->weights);
  gmem_plan_release(it->plan);
  close_bank(&it->bank);
}

// Everything that a failing call must leave as it was.
typedef struct picture_s {
  size_t blocks, bytes, mapped;
  int ranges;
  unsigned files;
  uint32_t slots, free, reserved, leased;
  uint64_t committed, weights, weight_bytes, pools, pool_bytes;
} picture_t;

static picture_t picture_of(const world_t *it) {
  picture_t picture;
  memset(&picture, 0, sizeof picture); // it is compared byte by byte
  picture.blocks = it->heap.live_blocks;
  picture.bytes = it->heap.live_bytes;
  picture.mapped = fake_mapped_bytes();
  picture.ranges = atomic_load(&it->bank.live);
  picture.files = open_files();
  if (it->pool) {
    gmem_pool_stats_t stats;
    gmem_pool_stats(it->pool, &stats);
    picture.slots = stats.slots;
    picture.free = stats.free;
    picture.reserved = stats.reserved;
    picture.leased = stats.leased;
    picture.committed = stats.bytes_committed;
  }
  if (it->weights) {
    gmem_weights_stats_t stats = weights_stats(it->weights);
    picture.weights = stats.count;
    picture.weight_bytes = stats.bytes;
  }
  if (it->cache) {
    gmem_cache_stats_t stats;
    gmem_cache_stats(it->cache, &stats);
    picture.pools = stats.entries;
    picture.pool_bytes = stats.bytes;
  }
  return picture;
}

//===--- failures ---------------------------------------------------------===//

typedef enum source_e { HOST, PROVIDER, SYSTEM, SOURCES } source_t;
static const char *const source_names[] = {"allocation", "provider call",
                                           "system call"};

// What fails.
typedef struct failure_s {
  source_t source;
  unsigned k;
  int error; // of a system call
  bool for_ever;
} failure_t;

static void arm(world_t *it, const failure_t *failure) {
  unsigned k = failure->k;
  fake.site = NULL;
  if (failure->source == HOST) {
    it->heap.fail_at = it->heap.calls + k;
    it->heap.for_ever = failure->for_ever;
  } else if (failure->source == PROVIDER) {
    it->bank.fail_at = atomic_load(&it->bank.calls) + k;
  } else {
    fake.fail_at = fake.calls + k;
    fake.error = failure->error;
    fake.for_ever = failure->for_ever;
  }
}

// Whether the call that was to fail was made. No more calls fail.
static bool disarm(world_t *it, const failure_t *failure) {
  bool reached = fake.site != NULL;
  if (failure->source == HOST)
    reached = it->heap.calls >= it->heap.fail_at;
  else if (failure->source == PROVIDER)
    reached = atomic_load(&it->bank.calls) >= it->bank.fail_at;
  it->heap.fail_at = it->bank.fail_at = fake.fail_at = 0;
  return reached;
}

// Says which case, on failure.
#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s, %s %u%s (%s, %s), status %d: ", self->name,         \
              source_names[failure->source], failure->k,                       \
              failure->for_ever ? " and later" : "",                           \
              fake.site ? fake.site : "no system call",                        \
              strerror(failure->error), (int)status);                          \
      CHECK(condition);                                                        \
    }                                                                          \
  } while (0)

static bool is_expected(const failure_t *failure, gmem_status_t status) {
  if (failure->source == HOST)
    return status == GMEM_ERR_OUT_OF_MEMORY;
  if (status == GMEM_ERR_STATE) // what has no seals is not sealed
    return failure->error == EINVAL && strcmp(fake.site, "fcntl") == 0;
  return status == GMEM_ERR_OUT_OF_MEMORY || status == GMEM_ERR_IO ||
         (status == GMEM_ERR_UNSUPPORTED && failure->source == SYSTEM);
}

static void undo(const case_t *self, world_t *it) {
  if (self->undo)
    self->undo(it);
  it->made = NULL;
}

// Returns whether the call that was to fail was made.
static bool fail_once(const case_t *self, const failure_t *failure) {
  static world_t world;
  world_t *it = &world;
  fake_reset();
  fake.armed = fake.has_heap = true;
  unsigned files = open_files();
  make_world(it, self->needs);
  picture_t before = picture_of(it);
  arm(it, failure);
  gmem_status_t status = self->run(self, it);
  bool reached = disarm(it, failure);
  fake_collect();
  if (status != GMEM_OK) {
    picture_t after = picture_of(it);
    EXPECT(reached && is_expected(failure, status));
    EXPECT(it->made == NULL && it->fd == -1);
    EXPECT(memcmp(&before, &after, sizeof before) == 0);
    status = self->run(self, it); // now it works
    EXPECT(status == GMEM_OK);
  } else if (reached) {
    EXPECT(failure->source == SYSTEM); // advice may be declined
  }
  if (status == GMEM_OK)
    undo(self, it);
  free_world(it);
  EXPECT(it->heap.live_blocks == 0 && it->heap.live_bytes == 0);
  EXPECT(fake_mapped_bytes() == 0 && open_files() == files);
  fake.armed = false;
  return reached;
}

static void test_case(const case_t *self) {
  static const int errors[] = {ENOMEM, EINVAL, EACCES};
  unsigned reached = 0;
  for (int source = 0; source < SOURCES; ++source)
    for (int e = 0; e < (source == SYSTEM ? 3 : 1); ++e)
      for (int for_ever = 0; for_ever <= (source != PROVIDER); ++for_ever) {
        failure_t failure = {(source_t)source, 1, errors[e], for_ever != 0};
        while (fail_once(self, &failure)) {
          ++failure.k;
          ++reached;
        }
        CHECK(failure.k < 300);
      }
  if ((reached == 0) != self->is_quiet) {
    fprintf(stderr, "%s: %u failures\n", self->name, reached);
    CHECK((reached == 0) == self->is_quiet);
  }
}

int main(void) {
  desc = full_desc(&sample);
  CHECK(gmem_plan_write(&desc, NULL, &image, &image_size, NULL) == GMEM_OK);
  int file = mkstemp(path);
  CHECK(file >= 0 && write(file, image, image_size) == (ssize_t)image_size);
  close(file);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    test_case(&cases[i]);
  gmem_plan_data_free(NULL, image, image_size);
  remove(path);
  return CHECK_RESULT();
}
