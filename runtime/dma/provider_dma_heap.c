// provider_dma_heap.c - memory of Linux DMA heaps: dma-bufs, mapped for the
// CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // MADV_DONTDUMP

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "address_stretch.h"
#include "provider_base.h"
#include "runtime_support.h"

#define HEAP_FOLDER "/dev/dma_heap"

// The object that |user| of the provider points to.
typedef struct heap_state_s {
  gmem_provider_base_t base;
  uint64_t page; // bytes
  int heap;      // descriptor
  gmem_dma_address_fn to_device;
  void *user; // of |to_device|
} heap_state_t;

// |token| of a range is the descriptor of its dma-buf.
static int buffer_of(const gmem_range_t *range) { return (int)range->token; }

// Begins or ends CPU access. The call may be interrupted and is then repeated a
// limited number of times.
static bool sync_buffer(int buffer, uint64_t flags) {
  enum { MAX_ATTEMPTS = 1000 };
  struct dma_buf_sync sync = {.flags = flags};
  int result = -1;
  for (int i = 0; i < MAX_ATTEMPTS && result != 0; ++i) {
    result = ioctl(buffer, DMA_BUF_IOCTL_SYNC, &sync);
    if (result != 0 && errno != EINTR && errno != EAGAIN)
      return false;
  }
  return result == 0;
}

static gmem_status_t device_address(const heap_state_t *state, int buffer,
                                    const gmem_stretch_t *stretch,
                                    uint64_t *out_device, gmem_diag_t *diag) {
  *out_device = 0;
  if (!state->to_device)
    return GMEM_OK;
  gmem_status_t status =
      state->to_device(state->user, buffer, stretch->size, out_device);
  if (status != GMEM_OK)
    return gmem_rt_fail(diag, status, "the device rejected the dma-buf");
  if (*out_device % stretch->align != 0)
    return gmem_rt_unsupported(
        diag, "the device address of the dma-buf is misaligned");
  return GMEM_OK;
}

// Maps a new dma-buf. The mapping exists until the dma-buf is released; sync
// only transfers access between CPU and device.
static gmem_status_t map_buffer(const heap_state_t *state, int buffer,
                                const gmem_stretch_t *stretch,
                                gmem_range_t *out_range, gmem_diag_t *diag) {
  uint64_t device = 0;
  GMEM_TRY(device_address(state, buffer, stretch, &device, diag));
  uint8_t *host =
      gmem_stretch_map(stretch, PROT_READ | PROT_WRITE, MAP_SHARED, buffer, 0);
  if (!host)
    return gmem_provider_os_error(diag, "map", stretch->size);
  if (!sync_buffer(buffer, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW)) {
    gmem_stretch_unmap(host, stretch->size, 0);
    return gmem_provider_os_error(diag, "begin CPU access to", stretch->size);
  }
  *out_range = (gmem_range_t){.host = host,
                              .device = device,
                              .size = stretch->size,
                              .token = (uint64_t)buffer};
  return GMEM_OK;
}

static gmem_status_t heap_acquire(void *user,
                                  const gmem_memory_request_t *request,
                                  gmem_range_t *out_range, gmem_diag_t *diag) {
  const heap_state_t *state = user;
  if (request->fixed != GMEM_ANY_ADDRESS)
    return gmem_rt_unsupported(diag,
                               "a DMA heap does not support fixed addresses");
  gmem_stretch_t stretch;
  GMEM_TRY(gmem_stretch_make(request, state->page, 0, &stretch, diag));
  struct dma_heap_allocation_data data = {.len = stretch.size,
                                          .fd_flags = O_RDWR | O_CLOEXEC};
  if (ioctl(state->heap, DMA_HEAP_IOCTL_ALLOC, &data) != 0)
    return gmem_provider_os_error(diag, "allocate from the DMA heap",
                                  stretch.size);
  int buffer = (int)data.fd;
  gmem_status_t status = map_buffer(state, buffer, &stretch, out_range, diag);
  if (status != GMEM_OK) {
    close(buffer);
    return status;
  }
  if (request->flags & GMEM_RANGE_NO_DUMP)
    (void)madvise(out_range->host, (size_t)stretch.size, MADV_DONTDUMP);
  return GMEM_OK;
}

static void heap_release(void *user, const gmem_range_t *range) {
  (void)user;
  (void)sync_buffer(buffer_of(range), DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW);
  gmem_stretch_unmap(range->host, range->size, 0);
  close(buffer_of(range));
}

// The kernel synchronises whole dma-bufs only.
static gmem_status_t heap_sync(void *user, const gmem_range_t *range,
                               uint64_t offset, uint64_t size, bool to_device) {
  (void)user, (void)offset, (void)size;
  uint64_t turn = to_device ? DMA_BUF_SYNC_END : DMA_BUF_SYNC_START;
  return sync_buffer(buffer_of(range), turn | DMA_BUF_SYNC_RW) ? GMEM_OK
                                                               : GMEM_ERR_IO;
}

static gmem_status_t heap_export_fd(void *user, const gmem_range_t *range,
                                    int *out_fd, gmem_diag_t *diag) {
  (void)user;
  return gmem_provider_duplicate(buffer_of(range), range, out_fd, diag);
}

static void close_heap(void *state) { close(((heap_state_t *)state)->heap); }

static gmem_status_t open_heap(const char *name, int *out_heap,
                               gmem_diag_t *diag) {
  char path[sizeof HEAP_FOLDER "/" + 255];
  size_t length = name ? strnlen(name, 256) : 0;
  if (length == 0 || length > 255 || strchr(name, '/') || name[0] == '.')
    return gmem_rt_invalid(diag, "the name of the DMA heap is invalid");
  snprintf(path, sizeof path, HEAP_FOLDER "/%s", name);
  *out_heap = open(path, O_RDONLY | O_CLOEXEC);
  if (*out_heap >= 0)
    return GMEM_OK;
  int error = errno;
  gmem_status_t status = GMEM_ERR_IO;
  if (error == ENOENT)
    status = access(HEAP_FOLDER, F_OK) == 0 ? GMEM_ERR_NOT_FOUND
                                            : GMEM_ERR_UNSUPPORTED;
  errno = error;
  return gmem_rt_fail_os(diag, status, "cannot open the DMA heap \"%.*s\"",
                         gmem_rt_shown(name), name);
}

gmem_status_t gmem_provider_dma_heap(const char *heap_name,
                                     gmem_dma_address_fn to_device, void *user,
                                     const gmem_allocator_t *allocator,
                                     gmem_provider_t *out_provider,
                                     gmem_diag_t *diag) {
  int heap = -1;
  if (!out_provider)
    return gmem_rt_invalid(diag, "out_provider is NULL");
  *out_provider = (gmem_provider_t){0};
  long page = sysconf(_SC_PAGESIZE);
  if (page <= 0)
    return gmem_rt_unsupported(diag, "the page size is unknown");
  GMEM_TRY(open_heap(heap_name, &heap, diag));
  heap_state_t *state = gmem_provider_state(allocator, sizeof *state);
  if (!state) {
    close(heap);
    return gmem_rt_out_of_memory(diag);
  }
  state->base.acquire = heap_acquire;
  state->base.close = close_heap;
  state->page = (uint64_t)page;
  state->heap = heap;
  state->to_device = to_device;
  state->user = user;
  *out_provider = (gmem_provider_t){.user = state,
                                    .granularity = state->page,
                                    .acquire = gmem_provider_acquire,
                                    .release = heap_release,
                                    .sync = heap_sync,
                                    .export_fd = heap_export_fd};
  return GMEM_OK;
}
