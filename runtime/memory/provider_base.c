// provider_base.c - state, errors and destruction of the built-in providers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider_base.h"

#include <errno.h>
#include <inttypes.h>

#include "runtime_support.h"

void *gmem_provider_state(const gmem_allocator_t *allocator, size_t size,
                          void (*close)(void *state)) {
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_provider_base_t *base = gmem_rt_alloc(&own, 1, size);
  if (base)
    *base = (gmem_provider_base_t){own, size, close};
  return base;
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
