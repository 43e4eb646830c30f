// address_stretch.c - aligned address ranges with guard pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // MAP_ANONYMOUS, MAP_FIXED_NOREPLACE

#include "address_stretch.h"

#include <errno.h>
#include <sys/mman.h>

#include "provider_base.h"
#include "runtime_support.h"

// Limit of retries when another thread maps the addresses first.
enum { MAX_ATTEMPTS = 16 };

gmem_status_t gmem_stretch_make(const gmem_memory_request_t *request,
                                uint64_t page, uint64_t guard,
                                gmem_stretch_t *out_stretch,
                                gmem_diag_t *diag) {
  errno = ENOMEM;
  if (request->size == 0 || request->size > SIZE_MAX / 4 ||
      request->align > SIZE_MAX / 4)
    return gmem_provider_os_error(diag, "map", request->size);
  *out_stretch =
      (gmem_stretch_t){.page = page,
                       .guard = guard,
                       .size = gmem_rt_round_up(request->size, page),
                       .align = request->align > page ? request->align : page,
                       .fixed = request->fixed};
  return GMEM_OK;
}

static void unmap(void *address, uint64_t size) {
  int error = errno;
  if (size > 0)
    munmap(address, (size_t)size);
  errno = error;
}

void gmem_stretch_unmap(void *host, uint64_t size, uint64_t guard) {
  unmap((uint8_t *)host - guard, size + 2 * guard);
}

// mmap at exactly |address|, or NULL. Before Linux 4.17 MAP_FIXED_NOREPLACE is
// ignored and |address| is only a hint.
static uint8_t *map_at(uint64_t address, uint64_t size, int protection,
                       int flags, int fd, uint64_t offset) {
  void *wanted =
      (void *)(uintptr_t)address; // NOLINT(performance-no-int-to-ptr)
  void *got = mmap(wanted, (size_t)size, protection,
                   flags | MAP_FIXED_NOREPLACE, fd, (off_t)offset);
  if (got == MAP_FAILED)
    return NULL;
  if (got == wanted)
    return got;
  unmap(got, size);
  errno = EEXIST;
  return NULL;
}

// Reserves enough for the range with its guards at any alignment:
//     | slack | guard | size, aligned | guard | slack |
//
// and unmaps the slack.
static uint8_t *reserve_anywhere(const gmem_stretch_t *stretch) {
  uint64_t guard = stretch->guard, size = stretch->size;
  uint64_t slack =
      stretch->align > stretch->page ? stretch->align - stretch->page : 0;
  uint8_t *all = mmap(NULL, (size_t)(size + slack + 2 * guard), PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    return NULL;
  uint64_t start = (uint64_t)(uintptr_t)all + guard;
  uint64_t head = gmem_rt_round_up(start, stretch->align) - start;
  GMEM_ASSERT(head <= slack);
  unmap(all, head);
  unmap(all + head + size + 2 * guard, slack - head);
  return all + head + guard;
}

uint8_t *gmem_stretch_reserve(const gmem_stretch_t *stretch) {
  if (stretch->fixed == GMEM_ANY_ADDRESS)
    return reserve_anywhere(stretch);
  uint8_t *all = map_at(stretch->fixed - stretch->guard,
                        stretch->size + 2 * stretch->guard, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return all ? all + stretch->guard : NULL;
}

// One attempt. mmap with MAP_FIXED may unmap the old mapping and then fail;
// another thread may then map the addresses, which could not be distinguished
// from the reservation. So the reservation is unmapped first, and the addresses
// are mapped only if they are still free.
static uint8_t *map_once(const gmem_stretch_t *stretch, int protection,
                         int flags, int fd, uint64_t offset) {
  uint64_t guard = stretch->guard, size = stretch->size;
  uint8_t *host = gmem_stretch_reserve(stretch);
  if (!host)
    return NULL;
  if (munmap(host, (size_t)size) != 0) {
    gmem_stretch_unmap(host, size, guard);
    return NULL;
  }
  if (map_at((uint64_t)(uintptr_t)host, size, protection, flags, fd, offset))
    return host;
  unmap(host - guard, guard);
  unmap(host + size, guard);
  return NULL;
}

uint8_t *gmem_stretch_map(const gmem_stretch_t *stretch, int protection,
                          int flags, int fd, uint64_t offset) {
  for (int i = 0; i < MAX_ATTEMPTS; ++i) {
    uint8_t *host = map_once(stretch, protection, flags, fd, offset);
    if (host || errno != EEXIST)
      return host;
  }
  return NULL;
}
