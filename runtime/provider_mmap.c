// provider_mmap.c - memory from anonymous private mappings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // MAP_ANONYMOUS, madvise

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gmem/runtime.h"
#include "runtime_support.h"

enum { HUGE_PAGE_SIZE = 2 << 20 }; // bytes; what huge pages are aligned to

// What |user| of the provider points to.
typedef struct mmap_state_s {
  gmem_allocator_t allocator;
  uint64_t page;  // bytes
  uint64_t guard; // bytes of guard on each side, 0 or |page|
  bool advise_huge_pages;
} mmap_state_t;

static gmem_status_t system_error(gmem_diag_t *diag, gmem_status_t status,
                                  const char *what, uint64_t size) {
  int error = errno;
  char reason[80];
  if (strerror_r(error, reason, sizeof reason) != 0)
    reason[0] = '\0';
  gmem_rt_fail(diag, status, "cannot %s %" PRIu64 " bytes of memory: %s", what,
               size, reason);
  if (diag)
    diag->os_error = error;
  return status;
}

static void unmap(void *address, uint64_t size) {
  if (size > 0)
    munmap(address, (size_t)size);
}

// Reserves |size| bytes at a multiple of |align|, with guards around them, and
// no access to any of it:
//
//     | guard | size, aligned | guard |     what is left on the sides is
//     unmapped
static uint8_t *reserve(const mmap_state_t *state, uint64_t size,
                        uint64_t align) {
  uint64_t slack = align > state->page ? align - state->page : 0;
  uint64_t total = size + slack + 2 * state->guard;
  uint8_t *all =
      mmap(NULL, (size_t)total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    return NULL;
  uintptr_t start = (uintptr_t)all + state->guard;
  uint64_t head = gmem_rt_round_up(start, align) - start;
  unmap(all, head);
  unmap(all + head + 2 * state->guard + size, slack - head);
  return all + head + state->guard;
}

// The bytes to map for |size|, or 0 when there can be no such mapping.
static uint64_t mapped_size(const mmap_state_t *state, uint64_t size,
                            uint64_t align) {
  // Half the address space leaves room for rounding, slack and guards.
  if (size == 0 || size > SIZE_MAX / 4 || align > SIZE_MAX / 4)
    return 0;
  return gmem_rt_round_up(size, state->page);
}

static gmem_status_t mmap_acquire(void *user, uint64_t size, uint64_t align,
                                  uint64_t fixed_device, uint32_t flags,
                                  gmem_range_t *out_range, gmem_diag_t *diag) {
  const mmap_state_t *state = user;
  *out_range = (gmem_range_t){0};
  if (fixed_device != GMEM_ANY_ADDRESS ||
      (flags & ~(uint32_t)GMEM_RANGE_SEALABLE))
    return gmem_rt_fail(diag, GMEM_ERR_UNSUPPORTED,
                        "mmap gives no fixed address and no such memory");
  if (!gmem_rt_is_power_of_two(align))
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "the alignment is no power of two");
  uint64_t bytes = mapped_size(state, size, align);
  bool huge = state->advise_huge_pages && bytes >= HUGE_PAGE_SIZE;
  if (huge && align < HUGE_PAGE_SIZE)
    align = HUGE_PAGE_SIZE;
  errno = ENOMEM;
  uint8_t *host = bytes ? reserve(state, bytes, align) : NULL;
  if (!host)
    return system_error(diag, GMEM_ERR_OUT_OF_MEMORY, "map", size);
  // Only now does the system account for the memory, without the slack.
  if (mprotect(host, (size_t)bytes, PROT_READ | PROT_WRITE) != 0) {
    gmem_status_t status =
        system_error(diag, GMEM_ERR_OUT_OF_MEMORY, "map", size);
    unmap(host - state->guard, bytes + 2 * state->guard);
    return status;
  }
  if (huge)
    (void)madvise(host, (size_t)bytes, MADV_HUGEPAGE); // advice may be declined
  *out_range = (gmem_range_t){
      .host = host, .device = (uint64_t)(uintptr_t)host, .size = bytes};
  return GMEM_OK;
}

static void mmap_release(void *user, const gmem_range_t *range) {
  const mmap_state_t *state = user;
  unmap((uint8_t *)range->host - state->guard, range->size + 2 * state->guard);
}

static gmem_status_t mmap_seal(void *user, gmem_range_t *range,
                               gmem_diag_t *diag) {
  (void)user;
  if (mprotect(range->host, (size_t)range->size, PROT_READ) != 0)
    return system_error(diag, GMEM_ERR_IO, "seal", range->size);
  return GMEM_OK;
}

gmem_status_t gmem_provider_mmap(const gmem_mmap_options_t *options,
                                 const gmem_allocator_t *allocator,
                                 gmem_provider_t *out_provider) {
  static const gmem_mmap_options_t defaults = GMEM_MMAP_OPTIONS_INIT;
  if (!out_provider)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_provider = (gmem_provider_t){0};
  if (!options)
    options = &defaults;
  if (options->huge_pages > GMEM_HUGE_PAGES_PREFER)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (options->huge_pages > GMEM_HUGE_PAGES_ADVISE ||
      options->numa_node != -1 || options->shared)
    return GMEM_ERR_UNSUPPORTED;
  long page = sysconf(_SC_PAGESIZE);
  if (page <= 0)
    return GMEM_ERR_UNSUPPORTED;
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  mmap_state_t *state = gmem_rt_alloc(&own, 1, sizeof *state);
  if (!state)
    return GMEM_ERR_OUT_OF_MEMORY;
  *state = (mmap_state_t){
      .allocator = own,
      .page = (uint64_t)page,
      .guard = options->guard_pages ? (uint64_t)page : 0,
      .advise_huge_pages = options->huge_pages == GMEM_HUGE_PAGES_ADVISE,
  };
  *out_provider = (gmem_provider_t){.user = state,
                                    .granularity = (uint64_t)page,
                                    .acquire = mmap_acquire,
                                    .release = mmap_release,
                                    .seal = mmap_seal};
  return GMEM_OK;
}

void gmem_provider_destroy(gmem_provider_t *provider) {
  if (!provider || !provider->user)
    return;
  mmap_state_t *state = provider->user;
  gmem_allocator_t allocator = state->allocator;
  gmem_rt_free(&allocator, state, 1, sizeof *state);
  *provider = (gmem_provider_t){0};
}
