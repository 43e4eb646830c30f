// runtime_dma_heap_test.c - DMA heaps: of a fake kernel, and of the real one
// where there is any.
// RUN: %unit/runtime_dma_heap_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // see fake_system.h

#include "fake_system.h"
#include "gmem/provider.h"

enum { PAGE = 4096 };

static gmem_status_t make(const char *name, gmem_dma_address_fn to_device,
                          void *user, gmem_provider_t *provider,
                          gmem_diag_t *diag) {
  return gmem_provider_dma_heap(name, to_device, user, NULL, provider, diag);
}

static gmem_status_t get(gmem_provider_t *provider, uint64_t size,
                         uint64_t align, gmem_range_t *range) {
  return provider->acquire(provider->user, size, align, GMEM_ANY_ADDRESS,
                           GMEM_RANGE_SHAREABLE | GMEM_RANGE_NO_DUMP, range,
                           NULL);
}

// What a device answers.
typedef struct device_s {
  uint64_t address;
  gmem_status_t status;
  int fd; // of the last call
} device_t;

static gmem_status_t to_device(void *user, int fd, uint64_t size,
                               uint64_t *out_device) {
  device_t *device = user;
  CHECK(size % PAGE == 0);
  device->fd = fd;
  *out_device = device->address;
  return device->status;
}

static void test_names(void) {
  static const char *const wrong[] = {NULL, "", ".", "..", "a/b", "/system"};
  char longest[257];
  gmem_provider_t provider;
  gmem_diag_t diag;
  memset(longest, 'n', 256);
  longest[256] = '\0';
  fake_reset();
  fake.armed = fake.has_heap = true;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    CHECK(make(wrong[i], NULL, NULL, &provider, NULL) ==
          GMEM_ERR_INVALID_ARGUMENT);
  CHECK(make(longest, NULL, NULL, &provider, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(fake.calls <= 7); // none of them opened anything: only page sizes
  CHECK(make(longest + 1, NULL, NULL, &provider, NULL) == GMEM_OK);
  gmem_provider_destroy(&provider);
  CHECK(make("system", NULL, NULL, NULL, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  fake.has_heap = false;
  CHECK(make("system", NULL, NULL, &provider, &diag) == GMEM_ERR_UNSUPPORTED);
  fake.has_heap_folder = true;
  CHECK(make("system", NULL, NULL, &provider, &diag) == GMEM_ERR_NOT_FOUND);
  CHECK(diag.os_error == ENOENT && strstr(diag.text, "\"system\""));
  CHECK(provider.user == NULL && provider.acquire == NULL);
  fake.fail_at = fake.calls + 2; // behind the page size
  fake.error = EACCES;
  CHECK(make("system", NULL, NULL, &provider, &diag) == GMEM_ERR_IO);
  CHECK(diag.os_error == EACCES);
  fake.fail_at = 0;
  memset(longest, 0x80, 256); // no characters at all: nothing to be shown
  CHECK(make(longest + 1, NULL, NULL, &provider, &diag) == GMEM_ERR_NOT_FOUND);
  CHECK(strstr(diag.text, "\"\""));
  fake.armed = false;
}

static void test_memory(void) {
  device_t device = {.address = 1 << 20};
  gmem_provider_t provider;
  gmem_range_t range;
  int copy = -1;
  fake_reset();
  fake.armed = fake.has_heap = true;
  unsigned files = open_files();
  CHECK(make("system", to_device, &device, &provider, NULL) == GMEM_OK);
  CHECK(provider.seal == NULL && provider.map_fd == NULL);
  CHECK(provider.granularity == PAGE);
  CHECK(get(&provider, 5 * PAGE - 1, 8 * PAGE, &range) == GMEM_OK);
  CHECK(range.size == 5 * PAGE && range.device == 1 << 20);
  CHECK((uintptr_t)range.host % (8 * PAGE) == 0);
  memset(range.host, 'm', range.size);
  CHECK(provider.export_fd(provider.user, &range, &copy, NULL) == GMEM_OK);
  CHECK(copy >= 0 && copy != device.fd);
  CHECK(__real_fcntl(copy, F_GETFD, 0) == FD_CLOEXEC);
  uint8_t *other = __real_mmap(NULL, PAGE, PROT_READ, MAP_SHARED, copy, 0);
  CHECK(other != MAP_FAILED && other[PAGE - 1] == 'm');
  __real_munmap(other, PAGE);
  close(copy);
  provider.release(provider.user, &range);
  gmem_provider_destroy(&provider);
  CHECK(fake.mapped_count == 0 && open_files() == files);
  fake.armed = false;
}

// The CPU's turn begins with the memory, and each sync tells whose it is.
static void test_turns(void) {
  static const uint64_t expected[] = {
      DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW,
      DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW};
  gmem_provider_t provider;
  gmem_range_t range;
  fake_reset();
  fake.armed = fake.has_heap = true;
  CHECK(make("system", NULL, NULL, &provider, NULL) == GMEM_OK);
  CHECK(get(&provider, PAGE, 1, &range) == GMEM_OK);
  CHECK(range.device == 0);
  CHECK(provider.sync(provider.user, &range, 0, PAGE, true) == GMEM_OK);
  CHECK(provider.sync(provider.user, &range, 0, PAGE, false) == GMEM_OK);
  provider.release(provider.user, &range);
  CHECK(fake.sync_count == 4);
  CHECK(memcmp(fake.syncs, expected, sizeof expected) == 0);
  gmem_provider_destroy(&provider);
  fake.armed = false;
}

// An interrupted sync is made again, but not for ever.
static void test_interrupted_sync(void) {
  gmem_provider_t provider;
  gmem_range_t range;
  fake_reset();
  fake.armed = fake.has_heap = true;
  CHECK(make("system", NULL, NULL, &provider, NULL) == GMEM_OK);
  CHECK(get(&provider, PAGE, 1, &range) == GMEM_OK);
  static const int errors[] = {EINTR, EAGAIN, EINVAL};
  for (int i = 0; i < 3; ++i)
    for (int for_ever = 0; for_ever <= 1; ++for_ever) {
      fake.fail_at = fake.calls + 1;
      fake.error = errors[i];
      fake.for_ever = for_ever;
      CHECK(provider.sync(provider.user, &range, 0, 1, true) ==
            (for_ever || errors[i] == EINVAL ? GMEM_ERR_IO : GMEM_OK));
    }
  fake.fail_at = 0;
  provider.release(provider.user, &range);
  gmem_provider_destroy(&provider);
  fake.armed = false;
}

static void test_refusals(void) {
  device_t device = {.address = PAGE};
  gmem_provider_t provider;
  gmem_range_t range;
  fake_reset();
  fake.armed = fake.has_heap = true;
  CHECK(make("system", to_device, &device, &provider, NULL) == GMEM_OK);
  unsigned files = open_files();
  CHECK(get(&provider, PAGE, 2 * PAGE, &range) == GMEM_ERR_UNSUPPORTED);
  device.status = GMEM_ERR_BUSY;
  CHECK(get(&provider, PAGE, PAGE, &range) == GMEM_ERR_BUSY);
  device.status = GMEM_OK;
  CHECK(get(&provider, PAGE, 3, &range) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(get(&provider, 0, 1, &range) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(get(&provider, UINT64_MAX, 1, &range) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(get(&provider, 1, UINT64_C(1) << 63, &range) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(provider.acquire(provider.user, PAGE, 1, PAGE, 0, &range, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  fake.fail_at = fake.calls + 1; // it is no heap
  fake.error = ENOTTY;
  CHECK(get(&provider, PAGE, 1, &range) == GMEM_ERR_UNSUPPORTED);
  CHECK(range.host == NULL && range.size == 0);
  CHECK(fake.mapped_count == 0 && open_files() == files);
  gmem_provider_destroy(&provider);
  fake.armed = false;
}

// Everything once on the real device.
static void test_real_heap(void) {
  gmem_provider_t provider;
  gmem_range_t range;
  if (make("system", NULL, NULL, &provider, NULL) != GMEM_OK) {
    fprintf(stderr, "skipped: there is no /dev/dma_heap/system to be used\n");
    return;
  }
  CHECK(get(&provider, 3 * PAGE, 8 * PAGE, &range) == GMEM_OK);
  uint8_t *bytes = range.host;
  CHECK(bytes[0] == 0 && bytes[3 * PAGE - 1] == 0);
  memset(bytes, 1, 3 * PAGE);
  CHECK(provider.sync(provider.user, &range, 0, PAGE, true) == GMEM_OK);
  CHECK(provider.sync(provider.user, &range, 0, PAGE, false) == GMEM_OK);
  provider.release(provider.user, &range);
  gmem_provider_destroy(&provider);
}

int main(void) {
  test_names();
  test_memory();
  test_turns();
  test_interrupted_sync();
  test_refusals();
  test_real_heap();
  return CHECK_RESULT();
}
