// address_stretch.h - aligned and guarded stretches of the address space.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_ADDRESS_STRETCH_H_
#define GMEM_RUNTIME_ADDRESS_STRETCH_H_

#include "provider_base.h"

// Takes the addresses, without access to them. Returns the one behind the first
// guard, or NULL with errno set.
uint8_t *gmem_stretch_reserve(const gmem_stretch_t *stretch);

// Takes the addresses and calls mmap for what is between the guards. Returns as
// reserve does. Never touches a mapping of others, however mmap fails.
uint8_t *gmem_stretch_map(const gmem_stretch_t *stretch, int protection,
                          int flags, int fd, uint64_t offset);

// Gives back |size| bytes at |host| and the guards. Leaves errno alone.
void gmem_stretch_unmap(void *host, uint64_t size, uint64_t guard);

#endif // GMEM_RUNTIME_ADDRESS_STRETCH_H_
