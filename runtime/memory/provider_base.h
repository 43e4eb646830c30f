// provider_base.h - common to the built-in providers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PROVIDER_BASE_H_
#define GMEM_RUNTIME_PROVIDER_BASE_H_

#include "gmem/provider.h"

// The arguments of an acquire.
typedef struct gmem_memory_request_s {
  uint64_t size;  // bytes
  uint64_t align; // a power of two
  uint64_t fixed; // required device address, or GMEM_ANY_ADDRESS
  uint32_t flags; // GMEM_RANGE_*
} gmem_memory_request_t;

// First member of the object that |user| of a provider points to.
typedef struct gmem_provider_base_s {
  gmem_allocator_t allocator;
  size_t size; // bytes of the whole state
  // *out_range is zero on entry.
  gmem_status_t (*acquire)(void *state, const gmem_memory_request_t *request,
                           gmem_range_t *out_range, gmem_diag_t *diag);
  void (*close)(void *state); // frees everything except the state, or NULL
} gmem_provider_base_t;

// Allocates a state of |size| bytes, all zero except its base (without
// functions), or NULL.
void *gmem_provider_state(const gmem_allocator_t *allocator, size_t size);

// The |acquire| of a provider whose state has that of its base.
gmem_status_t gmem_provider_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed_device, uint32_t flags,
                                    gmem_range_t *out_range, gmem_diag_t *diag);

// Duplicates the descriptor |file| of the memory of |range|.
gmem_status_t gmem_provider_duplicate(int file, const gmem_range_t *range,
                                      int *out_fd, gmem_diag_t *diag);

// Reports "cannot |what| |size| bytes of memory" with the text of errno, and
// returns the status for errno: OUT_OF_MEMORY, UNSUPPORTED (the system lacks
// the feature) or IO.
gmem_status_t gmem_provider_os_error(gmem_diag_t *diag, const char *what,
                                     uint64_t size);

//===--- the address space ------------------------------------------------===//

// An address range with inaccessible guard pages around it if |guard| is not 0.
// All members except |align| are in bytes and multiples of |page|; no sum wraps
// around.
typedef struct gmem_stretch_s {
  uint64_t page;
  uint64_t guard; // on each side
  uint64_t size;  // without guards, not 0
  uint64_t align; // of the address after the first guard, a power of two
  uint64_t fixed; // required value of that address, or GMEM_ANY_ADDRESS
} gmem_stretch_t;

#endif // GMEM_RUNTIME_PROVIDER_BASE_H_
