// runtime_support.c - host memory and diagnostics of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime_support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The strictest alignment of any object of the runtime.
enum { ALIGNMENT = _Alignof(max_align_t) };

static void *libc_alloc(void *user, size_t size, size_t align) {
  (void)user;
  (void)align; // never above ALIGNMENT, which malloc honours
  return malloc(size);
}

static void libc_free(void *user, void *ptr, size_t size, size_t align) {
  (void)user;
  (void)size;
  (void)align;
  free(ptr);
}

gmem_allocator_t gmem_rt_allocator(const gmem_allocator_t *allocator) {
  if (allocator)
    return *allocator;
  return (gmem_allocator_t){NULL, libc_alloc, libc_free};
}

// The size of an array, or 0 when it does not fit in a size_t.
static size_t array_size(uint64_t count, size_t size) {
  if (count == 0)
    count = 1;
  return count > SIZE_MAX / size ? 0 : (size_t)count * size;
}

void *gmem_rt_alloc_raw(const gmem_allocator_t *allocator, uint64_t count,
                        size_t size) {
  size_t bytes = array_size(count, size);
  return bytes ? allocator->alloc(allocator->user, bytes, ALIGNMENT) : NULL;
}

void *gmem_rt_alloc(const gmem_allocator_t *allocator, uint64_t count,
                    size_t size) {
  void *ptr = gmem_rt_alloc_raw(allocator, count, size);
  return ptr ? memset(ptr, 0, array_size(count, size)) : NULL;
}

void gmem_rt_free(const gmem_allocator_t *allocator, void *ptr, uint64_t count,
                  size_t size) {
  if (ptr)
    allocator->free(allocator->user, ptr, array_size(count, size), ALIGNMENT);
}

static void fill_diag(gmem_diag_t *diag, gmem_status_t status, uint64_t offset,
                      uint64_t object, const char *format, va_list arguments) {
  if (!diag)
    return;
  memset(diag, 0, sizeof *diag);
  diag->status = status;
  diag->offset = offset;
  diag->object = object;
  vsnprintf(diag->text, sizeof diag->text, format, arguments);
}

gmem_status_t gmem_rt_fail(gmem_diag_t *diag, gmem_status_t status,
                           const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fill_diag(diag, status, 0, 0, format, arguments);
  va_end(arguments);
  return status;
}

gmem_status_t gmem_rt_fail_at(gmem_diag_t *diag, gmem_status_t status,
                              uint64_t offset, uint64_t object,
                              const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fill_diag(diag, status, offset, object, format, arguments);
  va_end(arguments);
  return status;
}

gmem_status_t gmem_rt_fail_os(gmem_diag_t *diag, gmem_status_t status,
                              const char *format, ...) {
  int error = errno;
  char reason[80];
  va_list arguments;
  if (!diag)
    return status;
  va_start(arguments, format);
  fill_diag(diag, status, 0, 0, format, arguments);
  va_end(arguments);
  diag->os_error = error;
  if (strerror_r(error, reason, sizeof reason) == 0) {
    size_t length = strlen(diag->text);
    snprintf(diag->text + length, sizeof diag->text - length, ": %s", reason);
  }
  return status;
}

gmem_status_t gmem_rt_out_of_memory(gmem_diag_t *diag) {
  return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
}

gmem_status_t gmem_rt_invalid(gmem_diag_t *diag, const char *text) {
  return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s", text);
}

gmem_status_t gmem_rt_unsupported(gmem_diag_t *diag, const char *text) {
  return gmem_rt_fail(diag, GMEM_ERR_UNSUPPORTED, "%s", text);
}

int gmem_rt_shown(const char *name) {
  size_t shown = strlen(name);
  if (shown <= 48)
    return (int)shown;
  shown = 48;
  while (shown > 0 && ((unsigned char)name[shown] & 0xC0) == 0x80)
    --shown; // name[shown] is inside a character: leave all of it out
  return (int)shown;
}
