// lease_address.c - where a buffer is in a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slot_pool.h"

static const gmem_plan_t *plan_of(const gmem_lease_t *lease) {
  return lease->pool->model->plan;
}

static bool is_in_group(const gmem_lease_t *lease, gmem_buffer_t id) {
  gmem_group_info_t group;
  if (gmem_plan_group(plan_of(lease), lease->group, &group) != GMEM_OK)
    return false;
  uint32_t low = 0, high = group.member_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (group.members[middle] == id)
      return true;
    if (group.members[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

// |place| and |offset| bytes; what it has no address for stays so.
static gmem_place_t moved(gmem_place_t place, uint64_t offset) {
  return (gmem_place_t){place.host ? place.host + offset : NULL,
                        place.device + offset};
}

// Finds a buffer in an import of itself or of its parent.
static bool find_imported(const gmem_lease_t *lease, gmem_buffer_t id,
                          gmem_found_t *found) {
  gmem_buffer_t parent = found->buffer.parent;
  const gmem_import_t *import =
      gmem_lease_import_of(lease, parent == GMEM_NONE ? id : parent);
  if (!import)
    return false;
  uint64_t offset = 0;
  if (parent != GMEM_NONE)
    offset = found->buffer.offset -
             gmem_image_buffer(&plan_of(lease)->view, parent).offset;
  found->imported = true;
  found->place = moved(import->place, offset);
  if (import->place.device == 0)
    found->place.device = 0;
  return true;
}

gmem_status_t gmem_lease_find(const gmem_lease_t *lease, gmem_buffer_t id,
                              gmem_found_t *found) {
  const gmem_model_t *model = lease->pool->model;
  if (id >= gmem_plan_buffer_count(model->plan) ||
      (lease->group != GMEM_NONE && !is_in_group(lease, id)))
    return GMEM_ERR_OUT_OF_RANGE;
  found->buffer = gmem_image_buffer(&model->plan->view, id);
  found->imported = false;
  if (lease->import_count > 0 && find_imported(lease, id, found))
    return GMEM_OK;
  uint32_t region = found->buffer.region;
  found->place = moved(lease->regions[region].place, found->buffer.offset);
  // Shared buffers that are not together: the region has no place.
  if (!found->place.host && model->plan->layout[region].shared &&
      !gmem_model_place(model, id, &found->place))
    return GMEM_ERR_OUT_OF_RANGE;
  return GMEM_OK;
}

gmem_status_t gmem_lease_host(const gmem_lease_t *lease, gmem_buffer_t id,
                              void **out_ptr) {
  gmem_found_t found;
  if (!out_ptr)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  gmem_status_t status = gmem_lease_find(lease, id, &found);
  if (status != GMEM_OK)
    return status;
  *out_ptr = found.place.host;
  return found.place.host ? GMEM_OK : GMEM_ERR_UNSUPPORTED;
}

gmem_status_t gmem_lease_device(const gmem_lease_t *lease, gmem_buffer_t id,
                                uint64_t *out_address) {
  gmem_found_t found;
  if (!out_address)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_address = 0;
  gmem_status_t status = gmem_lease_find(lease, id, &found);
  if (status != GMEM_OK)
    return status;
  if (found.imported && found.place.device == 0)
    return GMEM_ERR_UNSUPPORTED;
  *out_address = found.place.device;
  return GMEM_OK;
}

// Whether a buffer of |region| is elsewhere, in memory of the caller's.
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
  gmem_status_t status = gmem_lease_find(lease, id, &found);
  if (status != GMEM_OK)
    return status;
  if (thread >= found.buffer.threads)
    return GMEM_ERR_OUT_OF_RANGE;
  if (!found.place.host)
    return GMEM_ERR_UNSUPPORTED;
  *out_size = found.buffer.size / found.buffer.threads; // without remainder
  *out_ptr = found.place.host + *out_size * thread;
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
    gmem_status_t status = gmem_lease_host(lease, work[i].buffer, &out_ptrs[i]);
    if (status != GMEM_OK)
      return status;
  }
  *out_count = count;
  return GMEM_OK;
}

gmem_status_t gmem_lease_sync(const gmem_lease_t *lease, gmem_buffer_t id,
                              bool to_device) {
  gmem_found_t found;
  gmem_status_t status = gmem_lease_find(lease, id, &found);
  if (status != GMEM_OK || found.imported || found.buffer.size == 0)
    return status;
  // Shared memory became visible to the device when the model was made, and
  // nobody has written to it since.
  const gmem_provider_t *provider = &lease->pool->provider;
  uint32_t region = found.buffer.region;
  if (plan_of(lease)->layout[region].shared || !provider->sync)
    return GMEM_OK;
  const gmem_range_t *range = &lease->regions[region].range;
  return provider->sync(provider->user, range,
                        found.place.device - range->device, found.buffer.size,
                        to_device);
}
