// runtime_allocation_failure_test.c - every host allocation and every provider
// call is made to fail once: no leak, no half-made object.
// RUN: %unit/runtime_allocation_failure_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "gmem/runtime.h"
#include "image_tools.h"

// An allocator that counts, checks what it is given back, and fails on demand.
typedef struct heap_s {
  unsigned calls, fail_at; // the fail_at-th call fails; 0: none
  bool for_ever;           // and all calls after it
  size_t live_blocks, live_bytes;
} heap_t;

static void *heap_alloc(void *user, size_t size, size_t align) {
  heap_t *heap = user;
  ++heap->calls;
  if (heap->calls == heap->fail_at ||
      (heap->for_ever && heap->fail_at && heap->calls > heap->fail_at))
    return NULL;
  CHECK(size > 0 && (align & (align - 1)) == 0);
  void *ptr = malloc(size);
  if (ptr) {
    ++heap->live_blocks;
    heap->live_bytes += size;
  }
  return ptr;
}

static void heap_free(void *user, void *ptr, size_t size, size_t align) {
  heap_t *heap = user;
  (void)align;
  --heap->live_blocks;
  heap->live_bytes -= size; // wrong when the size is not that of the alloc
  free(ptr);
}

static gmem_allocator_t allocator_of(heap_t *heap) {
  return (gmem_allocator_t){heap, heap_alloc, heap_free};
}

// A provider of libc memory that misbehaves on demand.
typedef struct device_s {
  unsigned calls, fail_at; // acquire and seal together
  unsigned short_at, misaligned_at;
  size_t live_ranges;
  uint64_t granularity; // 0: 1
  bool no_host;
} device_t;

enum { DEVICE_ALIGN = 4096 };

static gmem_status_t device_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed_device, uint32_t flags,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  device_t *device = user;
  (void)fixed_device, (void)flags, (void)diag;
  CHECK(align <= DEVICE_ALIGN);
  CHECK(device->granularity == 0 ||
        (size % device->granularity == 0 && align % device->granularity == 0));
  if (++device->calls == device->fail_at)
    return GMEM_ERR_OUT_OF_MEMORY;
  void *memory = NULL;
  if (posix_memalign(&memory, DEVICE_ALIGN, size) != 0)
    return GMEM_ERR_OUT_OF_MEMORY;
  memset(memory, 0, size);
  ++device->live_ranges;
  *out_range = (gmem_range_t){.host = device->no_host ? NULL : memory,
                              .device = 0x100000,
                              .size = size,
                              .token = (uint64_t)(uintptr_t)memory};
  if (device->calls == device->short_at)
    --out_range->size;
  if (device->calls == device->misaligned_at)
    out_range->device += 1;
  return GMEM_OK;
}

static void device_release(void *user, const gmem_range_t *range) {
  device_t *device = user;
  --device->live_ranges;
  free((void *)(uintptr_t)range->token);
}

static gmem_status_t device_seal(void *user, gmem_range_t *range,
                                 gmem_diag_t *diag) {
  device_t *device = user;
  (void)range, (void)diag;
  return ++device->calls == device->fail_at ? GMEM_ERR_IO : GMEM_OK;
}

static gmem_provider_t provider_of(device_t *device) {
  return (gmem_provider_t){.user = device,
                           .granularity =
                               device->granularity ? device->granularity : 1,
                           .acquire = device_acquire,
                           .release = device_release,
                           .seal = device_seal};
}

//===--- the whole life of a plan -----------------------------------------===//

typedef struct things_s {
  void *data;
  size_t size;
  gmem_plan_t *plan, *copy;
  gmem_provider_t mmap_provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
} things_t;

// Makes one of each. Whatever fails leaves its output NULL.
static gmem_status_t make_things(things_t *it, const gmem_allocator_t *own,
                                 const gmem_provider_t *provider,
                                 const char *path) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 3};
  gmem_status_t status =
      gmem_plan_write(&desc, own, &it->data, &it->size, NULL);
  if (status == GMEM_OK)
    status = gmem_plan_load_memory(it->data, it->size, 0, own, &it->plan, NULL);
  if (status == GMEM_OK)
    status = gmem_plan_load_file(path, 0, own, &it->copy, NULL);
  if (status == GMEM_OK)
    status = gmem_provider_mmap(NULL, own, &it->mmap_provider);
  if (status == GMEM_OK)
    status = gmem_model_create(it->plan, provider, NULL, own, &it->model, NULL);
  if (status == GMEM_OK)
    status =
        gmem_pool_create(it->model, provider, &options, own, &it->pool, NULL);
  if (status != GMEM_OK)
    CHECK(it->pool == NULL);
  return status;
}

static void free_things(things_t *it, const gmem_allocator_t *own) {
  gmem_pool_release(it->pool);
  gmem_model_release(it->model);
  gmem_provider_destroy(&it->mmap_provider);
  gmem_plan_release(it->copy);
  gmem_plan_release(it->plan);
  gmem_plan_data_free(own, it->data, it->size);
}

// Writes the sample's image to a new file; |path| ends in XXXXXX.
static void write_sample(char *path) {
  gmem_plan_desc_t desc = sample_desc();
  void *data = NULL;
  size_t size = 0;
  CHECK(gmem_plan_write(&desc, NULL, &data, &size, NULL) == GMEM_OK);
  int file = mkstemp(path);
  CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
  close(file);
  gmem_plan_data_free(NULL, data, size);
}

static void test_every_allocation_fails_once(const char *path, bool for_ever) {
  for (unsigned k = 1;; ++k) {
    heap_t heap = {.fail_at = k, .for_ever = for_ever};
    device_t device = {0};
    gmem_allocator_t own = allocator_of(&heap);
    gmem_provider_t provider = provider_of(&device);
    things_t things = {0};
    gmem_status_t status = make_things(&things, &own, &provider, path);
    CHECK(status == (heap.calls < k ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY));
    free_things(&things, &own);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK(device.live_ranges == 0);
    if (status == GMEM_OK) {
      CHECK(k > 20); // else nothing was made to fail
      return;
    }
  }
}

static void test_every_provider_call_fails_once(const char *path) {
  for (unsigned k = 1;; ++k) {
    heap_t heap = {0};
    device_t device = {.fail_at = k};
    gmem_allocator_t own = allocator_of(&heap);
    gmem_provider_t provider = provider_of(&device);
    things_t things = {0};
    gmem_status_t status = make_things(&things, &own, &provider, path);
    CHECK((status == GMEM_OK) == (device.calls < k));
    free_things(&things, &own);
    CHECK(heap.live_blocks == 0 && device.live_ranges == 0);
    if (status == GMEM_OK) {
      CHECK(k == 6); // weights, seal, three slots
      return;
    }
  }
}

static void test_provider_breaks_its_word(const char *path) {
  for (unsigned k = 1; k <= 3; k += 2) { // the weights, the first slot
    for (int kind = 0; kind < 2; ++kind) {
      device_t device = {0};
      *(kind ? &device.short_at : &device.misaligned_at) = k;
      gmem_provider_t provider = provider_of(&device);
      things_t things = {0};
      CHECK(make_things(&things, NULL, &provider, path) ==
            (kind ? GMEM_ERR_TOO_SMALL : GMEM_ERR_ALIGNMENT));
      free_things(&things, NULL);
      CHECK(device.live_ranges == 0);
    }
  }
}

static gmem_status_t fill_nothing(void *user, gmem_buffer_t id, void *dst,
                                  uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)id, (void)dst, (void)size, (void)diag;
  return GMEM_OK;
}

// Memory that the CPU cannot see: no fills, no zeroing, no host addresses.
static void test_device_only_memory(void) {
  static const gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 64, 128, 64};
  gmem_buffer_info_t buffer = {.name = "b",
                               .offset = 64,
                               .size = 64,
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
  device_t device = {.no_host = true};
  gmem_provider_t provider = provider_of(&device);
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  things_t it = {0};
  gmem_lease_t *lease = NULL;
  void *ptr = &it;
  uint64_t address = 0;
  CHECK(gmem_plan_write(&desc, NULL, &it.data, &it.size, NULL) == GMEM_OK);
  CHECK(gmem_plan_load_memory(it.data, it.size, 0, NULL, &it.plan, NULL) ==
        GMEM_OK);
  CHECK(gmem_model_create(it.plan, &provider, NULL, NULL, &it.model, NULL) ==
        GMEM_OK);
  CHECK(gmem_pool_create(it.model, &provider, &options, NULL, &it.pool, NULL) ==
        GMEM_OK);
  CHECK(gmem_lease_acquire(it.pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
  CHECK(gmem_lease_host(lease, 0, &ptr) == GMEM_ERR_UNSUPPORTED && !ptr);
  ptr = &it;
  CHECK(gmem_lease_region(lease, 0, &ptr) == GMEM_ERR_UNSUPPORTED && !ptr);
  CHECK(gmem_lease_device(lease, 0, &address) == GMEM_OK);
  CHECK(address == 0x100000 + 64);
  gmem_lease_release(lease);
  free_things(&it, NULL);
  CHECK(device.live_ranges == 0);
}

static void test_device_only_refusals(const char *path) {
  device_t device = {.no_host = true};
  gmem_provider_t provider = provider_of(&device);
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .user = NULL,
                                  .weight = fill_nothing,
                                  .work = NULL};
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_OK);
  CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(gmem_model_create(plan, &provider, NULL, NULL, &model, NULL) ==
        GMEM_OK);
  CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_ERR_UNSUPPORTED); // there are bytes to be zeroed
  gmem_model_release(model);
  gmem_plan_release(plan);
  CHECK(device.live_ranges == 0);
}

// A provider is asked for multiples of its granularity only. It was not.
static void test_granularity(const char *path) {
  device_t device = {.granularity = 1024};
  gmem_provider_t provider = provider_of(&device);
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_OK);
  CHECK(gmem_model_create(plan, &provider, NULL, NULL, &model, NULL) ==
        GMEM_OK);
  CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_OK);
  gmem_pool_release(pool);
  const uint64_t wrong[] = {0, 3, 1025};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    provider.granularity = wrong[i];
    CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
          GMEM_ERR_INVALID_ARGUMENT);
  }
  gmem_model_release(model);
  gmem_plan_release(plan);
  CHECK(device.live_ranges == 0);
}

int main(int argc, char **argv) {
  (void)argc;
  char path[4096];
  snprintf(path, sizeof path, "%s.XXXXXX", argv[0]);
  write_sample(path);
  test_every_allocation_fails_once(path, false);
  test_every_allocation_fails_once(path, true);
  test_every_provider_call_fails_once(path);
  test_provider_breaks_its_word(path);
  test_device_only_memory();
  test_device_only_refusals(path);
  test_granularity(path);
  remove(path);
  return CHECK_RESULT();
}
