// region_map.h - maps the regions of a plan to memory of a provider.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_REGION_MAP_H_
#define GMEM_RUNTIME_REGION_MAP_H_

#include "gmem/runtime.h"
#include "plan_object.h"

// The addresses of offset 0 of a region. |host| is NULL if the CPU cannot
// access it.
typedef struct gmem_place_s {
  uint8_t *host;
  uint64_t device;
} gmem_place_t;

// A mapped region: the provider's range, and the region's place in it.
typedef struct gmem_mapped_region_s {
  gmem_range_t range; // size 0: not mapped
  gmem_place_t place;
} gmem_mapped_region_t;

// The number of bytes that gmem_region_map_at requests.
uint64_t gmem_region_bytes(const gmem_provider_t *provider,
                           const gmem_region_layout_t *layout);

// |layout| rounded to the provider's granularity, for offset 0 at the device
// address |base| or GMEM_ANY_ADDRESS.
gmem_region_layout_t gmem_region_whole(const gmem_provider_t *provider,
                                       const gmem_region_layout_t *layout,
                                       uint64_t base);

// Maps a region so that every buffer in it is aligned; requests multiples of
// the provider's granularity. Offset 0 is at the device address |base|, which
// is congruent to |layout->lead| modulo |layout->align|, or anywhere for
// GMEM_ANY_ADDRESS. Checks the provider's result: UNSUPPORTED if the address
// differs. On failure nothing is mapped.
gmem_status_t gmem_region_map_at(const gmem_provider_t *provider,
                                 const gmem_region_layout_t *layout,
                                 uint64_t base, uint32_t flags,
                                 gmem_mapped_region_t *out_region,
                                 gmem_diag_t *diag);

// Fills |diag|, if it is not NULL, with |cause|, which the mapping of a region
// of |plan| failed with, and with the region's name and size. Returns |status|.
gmem_status_t gmem_region_failed(const gmem_plan_t *plan, gmem_region_t region,
                                 gmem_status_t status, const gmem_diag_t *cause,
                                 gmem_diag_t *diag);

// Bytes of a file.
typedef struct gmem_file_part_s {
  int fd;
  uint64_t offset; // a multiple of the provider's granularity
  bool writable;   // in memory, not in the file
} gmem_file_part_t;

// As gmem_region_map_at, for a non-empty region of lead 0 whose bytes are those
// of |part|. The provider must have map_fd.
gmem_status_t gmem_region_map_file(const gmem_provider_t *provider,
                                   const gmem_region_layout_t *layout,
                                   const gmem_file_part_t *part,
                                   gmem_mapped_region_t *out_region,
                                   gmem_diag_t *diag);

// Makes the bytes of a mapped region visible to the device and, if |seal|,
// read-only, as far as the provider supports it. The region may move or lose
// its host address; it stays aligned to |align|.
gmem_status_t gmem_region_finish(const gmem_provider_t *provider,
                                 uint64_t align, gmem_mapped_region_t *region,
                                 bool seal, gmem_diag_t *diag);

// Releases the memory; no effect if it is not mapped.
void gmem_region_unmap(const gmem_provider_t *provider,
                       gmem_mapped_region_t *region);

// Whether |provider| has the mandatory functions, and a granularity that is a
// power of two.
bool gmem_provider_is_complete(const gmem_provider_t *provider);

#endif // GMEM_RUNTIME_REGION_MAP_H_
