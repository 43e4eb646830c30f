// provider_base.h - what the providers of this library have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PROVIDER_BASE_H_
#define GMEM_RUNTIME_PROVIDER_BASE_H_

#include "gmem/provider.h"

// What |user| of a provider points to begins with this.
typedef struct gmem_provider_base_s {
  gmem_allocator_t allocator;
  size_t size;                // bytes of the whole state
  void (*close)(void *state); // gives back all but the state itself, or NULL
} gmem_provider_base_t;

// A new state of |size| bytes, all zero but for its base, or NULL.
void *gmem_provider_state(const gmem_allocator_t *allocator, size_t size,
                          void (*close)(void *state));

// "cannot |what| |size| bytes of memory", with the reason and the status that
// errno stands for: OUT_OF_MEMORY, UNSUPPORTED when the system knows no such
// thing, or IO.
gmem_status_t gmem_provider_os_error(gmem_diag_t *diag, const char *what,
                                     uint64_t size);

//===--- the address space ------------------------------------------------===//

// A stretch of addresses, with inaccessible pages around it if |guard| is not
// 0. All but |align| are in bytes and multiples of |page|; nothing wraps.
typedef struct gmem_stretch_s {
  uint64_t page;
  uint64_t guard; // on each side
  uint64_t size;  // without guards, not 0
  uint64_t align; // of the address behind the first guard, a power of two
  uint64_t fixed; // that address, if it must be this one, or GMEM_ANY_ADDRESS
} gmem_stretch_t;

#endif // GMEM_RUNTIME_PROVIDER_BASE_H_
