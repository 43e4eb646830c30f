// lease_address.c - addresses of buffers in a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lease_address.h"

#include "image_codec.h"
#include "lease_import.h"
#include "model.h"
#include "runtime_support.h"
#include "slot_pool.h"

static const gmem_plan_t *plan_of(const gmem_lease_t *lease) {
  return lease->pool->model->plan;
}

static bool is_in_group(const gmem_lease_t *lease, gmem_buffer_t id) {
  gmem_group_info_t group = {.member_count = 0};
  gmem_status_t status = gmem_plan_group(plan_of(lease), lease->group, &group);
  GMEM_ASSERT(status == GMEM_OK); // the group was checked on acquire
  (void)status;
  uint32_t at = gmem_rt_search(group.members, group.member_count,
                               sizeof *group.members, id);
  return at < group.member_count && group.members[at] == id;
}

// |place| plus |offset| bytes; missing addresses stay missing.
static gmem_place_t moved(gmem_place_t place, uint64_t offset) {
  return (gmem_place_t){place.host ? place.host + offset : NULL,
                        place.device + offset};
}

// Finds buffer |id| in an import of itself or of its parent.
static bool find_imported(const gmem_lease_t *lease, gmem_buffer_t id,
                          const gmem_image_buffer_t *buffer,
                          gmem_spot_t *out_spot) {
  bool alias = buffer->parent != GMEM_NONE;
  const gmem_import_t *import =
      gmem_lease_import_of(lease, alias ? buffer->parent : id);
  if (!import)
    return false;
  const gmem_image_view_t *view = &plan_of(lease)->view;
  uint64_t offset =
      alias ? buffer->offset - gmem_image_buffer(view, buffer->parent).offset
            : 0;
  *out_spot = (gmem_spot_t){moved(import->place, offset), true};
  if (import->place.device == 0)
    out_spot->place.device = 0;
  return true;
}

// Finds |buffer| outside of the planned layout of its region.
static void find_elsewhere(const gmem_lease_t *lease, gmem_buffer_t id,
                           const gmem_image_buffer_t *buffer,
                           gmem_spot_t *spot) {
  const gmem_model_t *model = lease->pool->model;
  if (lease->import_count > 0 && find_imported(lease, id, buffer, spot))
    return;
  // Scattered shared buffers: the region has no place.
  if (gmem_image_shared(buffer->space))
    spot->place = gmem_model_place(model, id);
  else if (lease->buffers)
    spot->place = lease->buffers[id].place;
}

// Every address is computed here.
static inline __attribute__((always_inline)) gmem_status_t
find(const gmem_lease_t *lease, gmem_buffer_t id, gmem_spot_t *out_spot) {
  const gmem_plan_t *plan = plan_of(lease);
  if (id >= gmem_plan_buffer_count(plan) ||
      (lease->group != GMEM_NONE && !is_in_group(lease, id)))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  gmem_place_t place =
      moved(lease->regions[buffer.region].place, buffer.offset);
  *out_spot = (gmem_spot_t){place, false};
  if (lease->import_count == 0 && place.host)
    return GMEM_OK;
  find_elsewhere(lease, id, &buffer, out_spot);
  return GMEM_OK;
}

gmem_status_t gmem_lease_find(const gmem_lease_t *lease, gmem_buffer_t id,
                              gmem_found_t *out_found) {
  GMEM_TRY(find(lease, id, &out_found->spot));
  out_found->buffer = gmem_image_buffer(&plan_of(lease)->view, id);
  return GMEM_OK;
}

gmem_status_t gmem_lease_host(const gmem_lease_t *lease, gmem_buffer_t id,
                              void **out_ptr) {
  gmem_spot_t spot;
  if (!out_ptr)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  GMEM_TRY(find(lease, id, &spot));
  *out_ptr = spot.place.host;
  return spot.place.host ? GMEM_OK : GMEM_ERR_UNSUPPORTED;
}

gmem_status_t gmem_lease_device(const gmem_lease_t *lease, gmem_buffer_t id,
                                uint64_t *out_address) {
  gmem_spot_t spot;
  if (!out_address)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_address = 0;
  GMEM_TRY(find(lease, id, &spot));
  if (spot.imported && spot.place.device == 0)
    return GMEM_ERR_UNSUPPORTED;
  *out_address = spot.place.device;
  return GMEM_OK;
}

// Whether a buffer of |region| is imported.
static bool has_imports(const gmem_lease_t *lease, gmem_region_t region) {
  const gmem_pool_t *pool = lease->pool;
  for (uint32_t i = 0; lease->import_count && i < pool->importable_count; ++i)
    if (lease->imports[i].present &&
        gmem_image_buffer(&plan_of(lease)->view, pool->importables[i].buffer)
                .region == region)
      return true;
  return false;
}

gmem_status_t gmem_lease_region(const gmem_lease_t *lease, gmem_region_t id,
                                void **out_ptr) {
  if (!out_ptr)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  if (id >= gmem_plan_region_count(plan_of(lease)))
    return GMEM_ERR_OUT_OF_RANGE;
  uint8_t *host = lease->regions[id].place.host;
  if (!host || lease->group != GMEM_NONE || has_imports(lease, id))
    return GMEM_ERR_UNSUPPORTED;
  *out_ptr = host;
  return GMEM_OK;
}

gmem_status_t gmem_lease_thread_scratch(const gmem_lease_t *lease,
                                        gmem_buffer_t id, uint32_t thread,
                                        void **out_ptr, uint64_t *out_size) {
  gmem_found_t found;
  if (!out_ptr || !out_size)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  *out_size = 0;
  GMEM_TRY(gmem_lease_find(lease, id, &found));
  if (thread >= found.buffer.threads)
    return GMEM_ERR_OUT_OF_RANGE;
  if (!found.spot.place.host)
    return GMEM_ERR_UNSUPPORTED;
  *out_size = found.buffer.size / found.buffer.threads; // divides evenly
  *out_ptr = found.spot.place.host + *out_size * thread;
  return GMEM_OK;
}

gmem_status_t gmem_lease_workbuffers(const gmem_lease_t *lease, gmem_op_t op,
                                     uint32_t capacity, void **out_ptrs,
                                     uint32_t *out_count) {
  if (!out_count)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_count = 0;
  if (!out_ptrs && capacity > 0)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (op >= gmem_plan_op_count(plan_of(lease)))
    return GMEM_ERR_OUT_OF_RANGE;
  const gmem_workbuffer_t *work = NULL;
  uint32_t count = gmem_plan_workbuffers(plan_of(lease), op, &work);
  if (count > capacity) {
    *out_count = count;
    return GMEM_ERR_TOO_SMALL;
  }
  for (uint32_t i = 0; i < count; ++i) {
    GMEM_TRY(gmem_lease_host(lease, work[i].buffer, &out_ptrs[i]));
  }
  *out_count = count;
  return GMEM_OK;
}

gmem_status_t gmem_lease_sync(const gmem_lease_t *lease, gmem_buffer_t id,
                              bool to_device) {
  gmem_found_t found;
  if (!lease)
    return GMEM_ERR_INVALID_ARGUMENT;
  GMEM_TRY(gmem_lease_find(lease, id, &found));
  if (found.spot.imported || found.buffer.size == 0)
    return GMEM_OK;
  // Shared memory was synchronised when the model was created and is read-only.
  const gmem_provider_t *provider = &lease->pool->provider;
  uint32_t region = found.buffer.region;
  if (plan_of(lease)->layout[region].shared || !provider->sync)
    return GMEM_OK;
  const gmem_range_t *range = lease->buffers ? &lease->buffers[id].range
                                             : &lease->regions[region].range;
  return provider->sync(provider->user, range,
                        found.spot.place.device - range->device,
                        found.buffer.size, to_device);
}
