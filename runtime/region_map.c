// region_map.c - regions of a plan on memory of a provider.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region_map.h"

#include <inttypes.h>

#include "runtime_support.h"

// A provider is foreign code: what it returns is checked.
static gmem_status_t check_range(const gmem_range_t *range, uint64_t size,
                                 uint64_t align, gmem_diag_t *diag) {
  if (range->size < size)
    return gmem_rt_fail(diag, GMEM_ERR_TOO_SMALL,
                        "the provider gave %" PRIu64
                        " bytes instead of %" PRIu64,
                        range->size, size);
  if ((uintptr_t)range->host % align != 0 || range->device % align != 0)
    return gmem_rt_fail(diag, GMEM_ERR_ALIGNMENT,
                        "the provider gave memory that is not aligned to "
                        "%" PRIu64 " bytes",
                        align);
  return GMEM_OK;
}

uint64_t gmem_region_bytes(const gmem_provider_t *provider,
                           const gmem_region_layout_t *layout) {
  uint64_t size = layout->lead + layout->size;
  if (size == 0)
    size = 1; // an empty region, too, has an address
  // Proven on loading: base + size, which is no less, is at most
  // GMEM_PLAN_MAX_ADDRESS. So no power of two makes this wrap.
  return gmem_rt_round_up(size, provider->granularity);
}

gmem_status_t gmem_region_map(const gmem_provider_t *provider,
                              const gmem_region_layout_t *layout,
                              uint32_t flags, gmem_mapped_region_t *out_region,
                              gmem_diag_t *diag) {
  uint64_t granularity = provider->granularity;
  uint64_t align = layout->align > granularity ? layout->align : granularity;
  uint64_t size = gmem_region_bytes(provider, layout);
  gmem_range_t range = {0};
  GMEM_RT_TRY(provider->acquire(provider->user, size, align, GMEM_ANY_ADDRESS,
                                flags, &range, diag));
  gmem_status_t status = check_range(&range, size, align, diag);
  if (status != GMEM_OK) {
    provider->release(provider->user, &range);
    return status;
  }
  out_region->range = range;
  out_region->place.host =
      range.host ? (uint8_t *)range.host + layout->lead : NULL;
  out_region->place.device = range.device + layout->lead;
  return GMEM_OK;
}

void gmem_region_unmap(const gmem_provider_t *provider,
                       gmem_mapped_region_t *region) {
  if (region->range.size == 0)
    return;
  provider->release(provider->user, &region->range);
  *region = (gmem_mapped_region_t){0};
}

bool gmem_provider_is_complete(const gmem_provider_t *provider) {
  return provider && provider->acquire && provider->release &&
         gmem_rt_is_power_of_two(provider->granularity);
}
