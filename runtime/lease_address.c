// lease_address.c - where a buffer is in a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slot_pool.h"

gmem_status_t gmem_lease_host(const gmem_lease_t *lease, gmem_buffer_t id,
                              void **out_ptr) {
  if (!out_ptr)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  const gmem_plan_t *plan = lease->pool->model->plan;
  if (id >= gmem_plan_buffer_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  uint8_t *host = lease->regions[buffer.region].place.host;
  if (!host)
    return GMEM_ERR_UNSUPPORTED;
  *out_ptr = host + buffer.offset;
  return GMEM_OK;
}

gmem_status_t gmem_lease_region(const gmem_lease_t *lease, gmem_region_t id,
                                void **out_ptr) {
  if (!out_ptr)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_ptr = NULL;
  const gmem_plan_t *plan = lease->pool->model->plan;
  if (id >= gmem_plan_region_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  uint8_t *host = lease->regions[id].place.host;
  if (!host)
    return GMEM_ERR_UNSUPPORTED;
  *out_ptr = host;
  return GMEM_OK;
}

gmem_status_t gmem_lease_device(const gmem_lease_t *lease, gmem_buffer_t id,
                                uint64_t *out_address) {
  if (!out_address)
    return GMEM_ERR_INVALID_ARGUMENT;
  *out_address = 0;
  const gmem_plan_t *plan = lease->pool->model->plan;
  if (id >= gmem_plan_buffer_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  *out_address = lease->regions[buffer.region].place.device + buffer.offset;
  return GMEM_OK;
}
