// provider_base.c - state, errors and destruction of the built-in providers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider_base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "runtime_support.h"

void *gmem_provider_state(const gmem_allocator_t *allocator, size_t size) {
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_provider_base_t *base = gmem_rt_alloc(&own, 1, size);
  if (base)
    *base = (gmem_provider_base_t){.allocator = own, .size = size};
  return base;
}

gmem_status_t gmem_provider_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed_device, uint32_t flags,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  const gmem_provider_base_t *base = user;
  const gmem_memory_request_t request = {size, align, fixed_device, flags};
  *out_range = (gmem_range_t){0};
  if (!gmem_rt_is_power_of_two(align))
    return gmem_rt_invalid(diag, "the alignment is not a power of two");
  GMEM_TRY(base->acquire(user, &request, out_range, diag));
  GMEM_ASSERT(out_range->size >= size && out_range->device % align == 0);
  return GMEM_OK;
}

void gmem_provider_destroy(gmem_provider_t *provider) {
  if (!provider || !provider->user)
    return;
  gmem_provider_base_t *base = provider->user;
  gmem_allocator_t allocator = base->allocator;
  if (base->close)
    base->close(base);
  gmem_rt_free(&allocator, base, 1, base->size);
  *provider = (gmem_provider_t){0};
}

static gmem_status_t status_of(int error) {
  switch (error) {
  case EAGAIN: // locked memory
  case EEXIST: // a fixed address
  case EFAULT: // prefault failed; the access would raise a signal
  case EFBIG:
  case ENOMEM:
  case ENOSPC:
    return GMEM_ERR_OUT_OF_MEMORY;
  case EINVAL:
  case ENODEV:
  case ENOSYS:
  case ENOTTY:
    return GMEM_ERR_UNSUPPORTED;
  default:
    return GMEM_ERR_IO;
  }
}

gmem_status_t gmem_provider_os_error(gmem_diag_t *diag, const char *what,
                                     uint64_t size) {
  return gmem_rt_fail_os(diag, status_of(errno),
                         "cannot %s %" PRIu64 " bytes of memory", what, size);
}

gmem_status_t gmem_provider_duplicate(int file, const gmem_range_t *range,
                                      int *out_fd, gmem_diag_t *diag) {
  *out_fd = fcntl(file, F_DUPFD_CLOEXEC, 0);
  return *out_fd >= 0
             ? GMEM_OK
             : gmem_provider_os_error(diag, "duplicate the file descriptor of",
                                      range->size);
}
