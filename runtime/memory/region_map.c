// region_map.c - maps the regions of a plan to memory of a provider.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region_map.h"

#include <inttypes.h>

#include "image_codec.h"
#include "runtime_support.h"

// Providers may be user code, so their results are checked.
static gmem_status_t check_range(const gmem_range_t *range, uint64_t size,
                                 uint64_t align, gmem_diag_t *diag) {
  uint64_t last = range->size - 1;
  if (range->size < size || last > UINT64_MAX - range->device ||
      (range->host && last > UINTPTR_MAX - (uintptr_t)range->host))
    return gmem_rt_fail(diag, GMEM_ERR_TOO_SMALL,
                        "the provider returned %" PRIu64
                        " bytes, which are less than the requested %" PRIu64
                        " or exceed the address space",
                        range->size, size);
  if ((uintptr_t)range->host % align != 0 || range->device % align != 0)
    return gmem_rt_fail(diag, GMEM_ERR_ALIGNMENT,
                        "the provider returned memory that is not aligned to "
                        "%" PRIu64 " bytes",
                        align);
  return GMEM_OK;
}

uint64_t gmem_region_bytes(const gmem_provider_t *provider,
                           const gmem_region_layout_t *layout) {
  uint64_t size = layout->lead + layout->size;
  GMEM_ASSERT(size >= layout->size);
  if (size == 0)
    size = 1; // an empty region has an address as well
  // Verified on loading: base + size is at most GMEM_PLAN_MAX_ADDRESS, so
  // rounding up to a power of two does not wrap around.
  return gmem_rt_round_up(size, provider->granularity);
}

gmem_region_layout_t gmem_region_whole(const gmem_provider_t *provider,
                                       const gmem_region_layout_t *layout,
                                       uint64_t base) {
  gmem_region_layout_t result = *layout;
  if (result.align < provider->granularity)
    result.align = provider->granularity;
  // The distance to an aligned address depends on |base| itself.
  GMEM_ASSERT(gmem_rt_is_power_of_two(result.align));
  if (base != GMEM_ANY_ADDRESS)
    result.lead = base % result.align;
  return result;
}

// Stores |range| in |out_region|, or releases it if it violates the request.
static gmem_status_t take(const gmem_provider_t *provider,
                          const gmem_region_layout_t *layout,
                          const gmem_range_t *range,
                          gmem_mapped_region_t *out_region, gmem_diag_t *diag) {
  gmem_status_t status = check_range(range, gmem_region_bytes(provider, layout),
                                     layout->align, diag);
  if (status != GMEM_OK) {
    provider->release(provider->user, range);
    return status;
  }
  out_region->range = *range;
  out_region->place.host =
      range->host ? (uint8_t *)range->host + layout->lead : NULL;
  out_region->place.device = range->device + layout->lead;
  return GMEM_OK;
}

gmem_status_t gmem_region_map_at(const gmem_provider_t *provider,
                                 const gmem_region_layout_t *layout,
                                 uint64_t base, uint32_t flags,
                                 gmem_mapped_region_t *out_region,
                                 gmem_diag_t *diag) {
  bool fixed = base != GMEM_ANY_ADDRESS;
  gmem_region_layout_t whole = gmem_region_whole(provider, layout, base);
  uint64_t size = gmem_region_bytes(provider, &whole);
  gmem_range_t range = {0};
  GMEM_TRY(provider->acquire(provider->user, size, whole.align,
                             fixed ? base - whole.lead : base, flags, &range,
                             diag));
  GMEM_TRY(take(provider, &whole, &range, out_region, diag));
  if (!fixed || out_region->place.device == base)
    return GMEM_OK;
  gmem_region_unmap(provider, out_region);
  return gmem_rt_unsupported(
      diag,
      "the provider returned memory that is not at the planned device address");
}

gmem_status_t gmem_region_failed(const gmem_plan_t *plan, gmem_region_t region,
                                 gmem_status_t status, const gmem_diag_t *cause,
                                 gmem_diag_t *diag) {
  gmem_image_region_t info = gmem_image_region(&plan->view, region);
  const char *name = gmem_image_name(&plan->view, info.name_offset);
  (void)gmem_rt_fail(diag, status, "region '%.*s' of %" PRIu64 " bytes: %s",
                     gmem_rt_shown(name), name, info.size,
                     cause->text[0] ? cause->text : "the provider failed");
  if (diag)
    diag->os_error = cause->os_error;
  return status;
}

gmem_status_t gmem_region_map_file(const gmem_provider_t *provider,
                                   const gmem_region_layout_t *layout,
                                   const gmem_file_part_t *part,
                                   gmem_mapped_region_t *out_region,
                                   gmem_diag_t *diag) {
  gmem_region_layout_t whole =
      gmem_region_whole(provider, layout, GMEM_ANY_ADDRESS);
  uint64_t size = gmem_region_bytes(provider, &whole);
  gmem_range_t range = {0};
  GMEM_ASSERT(layout->lead == 0 && layout->size > 0);
  GMEM_TRY(provider->map_fd(provider->user, part->fd, part->offset, size,
                            whole.align, part->writable, &range, diag));
  return take(provider, &whole, &range, out_region, diag);
}

gmem_status_t gmem_region_finish(const gmem_provider_t *provider,
                                 uint64_t align, gmem_mapped_region_t *region,
                                 bool seal, gmem_diag_t *diag) {
  gmem_range_t *range = &region->range;
  uint64_t lead = region->place.device - range->device, size = range->size;
  if (provider->sync && range->host) {
    gmem_status_t status =
        provider->sync(provider->user, range, 0, range->size, true);
    if (status != GMEM_OK)
      return gmem_rt_fail(diag, status,
                          "the provider failed to synchronise memory");
  }
  if (!seal || !provider->seal)
    return GMEM_OK;
  GMEM_TRY(provider->seal(provider->user, range, diag));
  GMEM_TRY(check_range(range, size, align, diag));
  region->place.host = range->host ? (uint8_t *)range->host + lead : NULL;
  region->place.device = range->device + lead;
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
