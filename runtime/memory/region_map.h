// region_map.h - regions of a plan on memory of a provider.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_REGION_MAP_H_
#define GMEM_RUNTIME_REGION_MAP_H_

#include "gmem/runtime.h"
#include "plan_object.h"

// Where offset 0 of a region is. |host| is NULL when the CPU cannot see it.
typedef struct gmem_place_s {
  uint8_t *host;
  uint64_t device;
} gmem_place_t;

// A mapped region: what the provider gave, and the place in it.
typedef struct gmem_mapped_region_s {
  gmem_range_t range; // size 0: not mapped
  gmem_place_t place;
} gmem_mapped_region_t;

// The bytes that gmem_region_map_at asks for.
uint64_t gmem_region_bytes(const gmem_provider_t *provider,
                           const gmem_region_layout_t *layout);

// |layout| in whole units of the provider, for offset 0 at the device address
// |base| or GMEM_ANY_ADDRESS.
gmem_region_layout_t gmem_region_whole(const gmem_provider_t *provider,
                                       const gmem_region_layout_t *layout,
                                       uint64_t base);

// Maps one region so that every buffer in it is aligned; asks for multiples of
// the provider's granularity only. Offset 0 of it is at the device address
// |base|, which is congruent to |layout->lead| modulo |layout->align|;
// GMEM_ANY_ADDRESS: where the provider likes. Checks what the provider returns:
// UNSUPPORTED when it is elsewhere. On failure nothing is mapped.
gmem_status_t gmem_region_map_at(const gmem_provider_t *provider,
                                 const gmem_region_layout_t *layout,
                                 uint64_t base, uint32_t flags,
                                 gmem_mapped_region_t *out_region,
                                 gmem_diag_t *diag);

// The same for a region (of lead 0, not empty) whose bytes are in the file |fd|
// from |offset| on, a multiple of the granularity. The provider has map_fd.
gmem_status_t gmem_region_map_file(const gmem_provider_t *provider,
                                   const gmem_region_layout_t *layout, int fd,
                                   uint64_t offset, bool writable,
                                   gmem_mapped_region_t *out_region,
                                   gmem_diag_t *diag);

// Hands the bytes of a mapped region to the device and, if |seal|, makes them
// read-only; as far as the provider can. The region may move, and go out of the
// CPU's sight; it stays aligned to |align|.
gmem_status_t gmem_region_finish(const gmem_provider_t *provider,
                                 uint64_t align, gmem_mapped_region_t *region,
                                 bool seal, gmem_diag_t *diag);

// Gives the memory back; nothing when it is not mapped.
void gmem_region_unmap(const gmem_provider_t *provider,
                       gmem_mapped_region_t *region);

// Whether |provider| has the functions that everyone needs, and a granularity
// that is a power of two.
bool gmem_provider_is_complete(const gmem_provider_t *provider);

#endif // GMEM_RUNTIME_REGION_MAP_H_
