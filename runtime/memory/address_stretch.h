// address_stretch.h - aligned address ranges with guard pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_ADDRESS_STRETCH_H_
#define GMEM_RUNTIME_ADDRESS_STRETCH_H_

#include "provider_base.h"

// Sets a range for |request| in pages of |page| bytes. Fails with OUT_OF_MEMORY
// if size or alignment are above a quarter of the address space, which leaves
// room for rounding, slack and guards.
gmem_status_t gmem_stretch_make(const gmem_memory_request_t *request,
                                uint64_t page, uint64_t guard,
                                gmem_stretch_t *out_stretch, gmem_diag_t *diag);

// Reserves the address range without access. Returns the address after the
// first guard, or NULL with errno set.
uint8_t *gmem_stretch_reserve(const gmem_stretch_t *stretch);

// Reserves the address range and maps the part between the guards. Returns as
// gmem_stretch_reserve does. Never replaces another mapping, even if mmap
// fails.
uint8_t *gmem_stretch_map(const gmem_stretch_t *stretch, int protection,
                          int flags, int fd, uint64_t offset);

// Unmaps |size| bytes at |host| and the guards. Preserves errno.
void gmem_stretch_unmap(void *host, uint64_t size, uint64_t guard);

#endif // GMEM_RUNTIME_ADDRESS_STRETCH_H_
