// plan_query.c - what a plan tells about its regions, buffers and ops. Nothing
// is checked here but the ids that the caller gives: the image was proven when
// it was loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "plan_object.h"

uint32_t gmem_plan_region_count(const gmem_plan_t *plan) {
  return plan->view.section[GMEM_IMAGE_REGIONS].count;
}

uint32_t gmem_plan_buffer_count(const gmem_plan_t *plan) {
  return plan->view.section[GMEM_IMAGE_BUFFERS].count;
}

uint32_t gmem_plan_op_count(const gmem_plan_t *plan) {
  return plan->view.section[GMEM_IMAGE_OPS].count;
}

gmem_status_t gmem_plan_region(const gmem_plan_t *plan, gmem_region_t id,
                               gmem_region_info_t *out_info) {
  if (!out_info)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (id >= gmem_plan_region_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_region_t region = gmem_image_region(&plan->view, id);
  *out_info = (gmem_region_info_t){
      .name = gmem_image_name(&plan->view, region.name_offset),
      .space = (gmem_space_t)region.space,
      .base = region.base,
      .size = region.size,
      .align = region.align,
  };
  return GMEM_OK;
}

gmem_status_t gmem_plan_buffer(const gmem_plan_t *plan, gmem_buffer_t id,
                               gmem_buffer_info_t *out_info) {
  if (!out_info)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (id >= gmem_plan_buffer_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  const gmem_op_range_t *ranges = plan->ranges + buffer.first_range;
  bool any = buffer.range_count > 0;
  *out_info = (gmem_buffer_info_t){
      .name = gmem_image_name(&plan->view, buffer.name_offset),
      .offset = buffer.offset,
      .size = buffer.size,
      .payload = buffer.payload,
      .align = buffer.align,
      .region = buffer.region,
      .space = (gmem_space_t)buffer.space,
      .first_op = any ? ranges[0].begin : GMEM_NONE,
      .last_op = any ? ranges[buffer.range_count - 1].end - 1 : GMEM_NONE,
      .ranges = ranges,
      .range_count = buffer.range_count,
      .parent = buffer.parent,
      .threads = buffer.threads,
      .flags = buffer.flags,
  };
  return GMEM_OK;
}

const char *gmem_plan_op_name(const gmem_plan_t *plan, gmem_op_t op) {
  if (op >= gmem_plan_op_count(plan))
    return "";
  gmem_image_op_t entry = gmem_image_op(&plan->view, op);
  if (entry.name_length == 0)
    return "";
  return gmem_image_name(&plan->view, entry.name_offset);
}

gmem_buffer_t gmem_plan_find(const gmem_plan_t *plan, const char *name) {
  uint32_t low = 0, high = name ? gmem_plan_buffer_count(plan) : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    gmem_buffer_t id = gmem_image_name_order(&plan->view, middle);
    uint32_t offset = gmem_image_buffer(&plan->view, id).name_offset;
    int order = strcmp(name, gmem_image_name(&plan->view, offset));
    if (order == 0)
      return id;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return GMEM_NONE;
}

uint64_t gmem_plan_slot_size(const gmem_plan_t *plan) {
  return plan->slot_size;
}

uint64_t gmem_plan_shared_size(const gmem_plan_t *plan) {
  return plan->shared_size;
}

const uint8_t *gmem_plan_digest(const gmem_plan_t *plan) {
  return plan->view.data + offsetof(gmem_image_header_t, sha256);
}
