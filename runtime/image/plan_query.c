// plan_query.c - queries of a loaded plan. Only ids passed by the caller are
// checked; the image was verified when it was loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_query.h"

#include <string.h>

#include "image_codec.h"
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

// The first entry of the section whose key is at least |key|.
static uint32_t first_at_least(const gmem_image_view_t *view,
                               gmem_image_section_id_t section,
                               gmem_image_key_fn key_of, uint32_t key) {
  return gmem_image_first_at_least(view, 0, view->section[section].count,
                                   key_of, key);
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
      .payload_offset = gmem_image_payload_offset(&plan->view, id),
  };
  return GMEM_OK;
}

static uint32_t begin_of_span(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_span(view, id).begin;
}

// The first span that begins at step |op|, or GMEM_NONE.
static uint32_t span_at(const gmem_image_view_t *view, gmem_op_t op) {
  uint32_t id = first_at_least(view, GMEM_IMAGE_SPANS, begin_of_span, op);
  return id < view->section[GMEM_IMAGE_SPANS].count &&
                 begin_of_span(view, id) == op
             ? id
             : GMEM_NONE;
}

const char *gmem_plan_op_name(const gmem_plan_t *plan, gmem_op_t op) {
  if (op >= gmem_plan_op_count(plan))
    return "";
  gmem_image_op_t entry = gmem_image_op(&plan->view, op);
  if (entry.name_length)
    return gmem_image_name(&plan->view, entry.name_offset);
  uint32_t span = span_at(&plan->view, op);
  return span == GMEM_NONE ? "" : gmem_image_span_name(&plan->view, span);
}

uint32_t gmem_plan_span_count(const gmem_plan_t *plan) {
  return plan->view.section[GMEM_IMAGE_SPANS].count;
}

gmem_status_t gmem_plan_span(const gmem_plan_t *plan, uint32_t id,
                             gmem_op_span_t *out_span) {
  if (!out_span)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (id >= gmem_plan_span_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_span_t span = gmem_image_span(&plan->view, id);
  *out_span = (gmem_op_span_t){gmem_image_span_name(&plan->view, id),
                               span.begin, span.end};
  return GMEM_OK;
}

// The item of that name, of |count| sorted by name: |item_at| returns the one
// of a rank, |name_of| its name. GMEM_NONE if there is none.
static uint32_t find_name(
    const gmem_image_view_t *view, uint32_t count, const char *name,
    uint32_t (*item_at)(const gmem_image_view_t *view, uint32_t rank),
    const char *(*name_of)(const gmem_image_view_t *view, uint32_t item)) {
  uint32_t low = 0, high = name ? count : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, item = item_at(view, middle);
    int order = strcmp(name, name_of(view, item));
    if (order == 0)
      return item;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return GMEM_NONE;
}

static uint32_t span_of_rank(const gmem_image_view_t *view, uint32_t rank) {
  return gmem_image_span(view, rank).by_name;
}

gmem_op_t gmem_plan_find_op(const gmem_plan_t *plan, const char *name) {
  uint32_t span = find_name(&plan->view, gmem_plan_span_count(plan), name,
                            span_of_rank, gmem_image_span_name);
  return span == GMEM_NONE ? GMEM_NONE : begin_of_span(&plan->view, span);
}

gmem_op_t gmem_plan_op_end(const gmem_plan_t *plan, gmem_op_t op) {
  uint32_t span = span_at(&plan->view, op);
  return span == GMEM_NONE ? GMEM_NONE : gmem_image_span(&plan->view, span).end;
}

static const char *name_of_buffer(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_name(view, gmem_image_buffer(view, id).name_offset);
}

gmem_buffer_t gmem_plan_find(const gmem_plan_t *plan, const char *name) {
  return find_name(&plan->view, gmem_plan_buffer_count(plan), name,
                   gmem_image_name_order, name_of_buffer);
}

uint32_t gmem_plan_group_count(const gmem_plan_t *plan) {
  return plan->view.section[GMEM_IMAGE_GROUPS].count;
}

gmem_status_t gmem_plan_group(const gmem_plan_t *plan, gmem_group_t id,
                              gmem_group_info_t *out_info) {
  if (!out_info)
    return GMEM_ERR_INVALID_ARGUMENT;
  if (id >= gmem_plan_group_count(plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_group_t group = gmem_image_group(&plan->view, id);
  *out_info = (gmem_group_info_t){
      .name = gmem_image_group_name(&plan->view, id),
      .members = plan->members + group.first_member,
      .member_count = group.member_count,
  };
  return GMEM_OK;
}

gmem_group_t gmem_plan_find_group(const gmem_plan_t *plan, const char *name) {
  for (uint32_t i = 0; name && i < gmem_plan_group_count(plan); ++i)
    if (strcmp(gmem_image_group_name(&plan->view, i), name) == 0)
      return i;
  return GMEM_NONE;
}

static uint32_t op_of_workbuffer(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_workbuffer(view, id).op;
}

uint32_t gmem_plan_workbuffers(const gmem_plan_t *plan, gmem_op_t op,
                               const gmem_workbuffer_t **out_first) {
  const gmem_image_view_t *view = &plan->view;
  if (op >= gmem_plan_op_count(plan))
    return 0;
  uint32_t begin =
      first_at_least(view, GMEM_IMAGE_WORKBUFFERS, op_of_workbuffer, op);
  uint32_t end =
      first_at_least(view, GMEM_IMAGE_WORKBUFFERS, op_of_workbuffer, op + 1);
  if (out_first && end > begin)
    *out_first = plan->workbuffers + begin;
  return end - begin;
}

static uint32_t op_of_copy(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_copy(view, id).op;
}

uint32_t gmem_plan_copies(const gmem_plan_t *plan, gmem_op_t op,
                          const gmem_plan_copy_t **out_first) {
  const gmem_image_view_t *view = &plan->view;
  if (op >= gmem_plan_op_count(plan))
    return 0;
  uint32_t begin = first_at_least(view, GMEM_IMAGE_COPIES, op_of_copy, op);
  uint32_t end = first_at_least(view, GMEM_IMAGE_COPIES, op_of_copy, op + 1);
  if (out_first && end > begin)
    *out_first = plan->copies + begin;
  return end - begin;
}

static uint32_t buffer_of_weight(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_weight(view, id).buffer;
}

gmem_status_t gmem_plan_weight(const gmem_plan_t *plan, gmem_buffer_t buffer,
                               gmem_weight_info_t *out_info) {
  const gmem_image_view_t *view = &plan->view;
  if (!out_info)
    return GMEM_ERR_INVALID_ARGUMENT;
  uint32_t at =
      first_at_least(view, GMEM_IMAGE_WEIGHTS, buffer_of_weight, buffer);
  if (at == view->section[GMEM_IMAGE_WEIGHTS].count ||
      buffer_of_weight(view, at) != buffer)
    return GMEM_ERR_NOT_FOUND;
  gmem_image_weight_t weight = gmem_image_weight(view, at);
  *out_info = (gmem_weight_info_t){.buffer = buffer,
                                   .source_size = weight.source_size,
                                   .transform = weight.transform};
  memcpy(out_info->digest, weight.digest, sizeof weight.digest);
  return GMEM_OK;
}

gmem_status_t gmem_plan_transform(const gmem_plan_t *plan, gmem_buffer_t buffer,
                                  uint32_t index,
                                  gmem_plan_transform_t *out_transform) {
  if (!plan || !out_transform)
    return GMEM_ERR_INVALID_ARGUMENT;
  uint32_t end;
  uint32_t begin = gmem_image_chain(&plan->view, buffer, &end);
  if (index >= end - begin)
    return GMEM_ERR_OUT_OF_RANGE;
  *out_transform = (gmem_plan_transform_t){
      .name = gmem_image_transform_name(&plan->view, begin + index),
      .buffer = buffer,
      .size = gmem_image_transform(&plan->view, begin + index).size};
  return GMEM_OK;
}

bool gmem_plan_stored_content(const gmem_plan_t *plan, gmem_region_t region,
                              gmem_stored_content_t *out_content) {
  const gmem_image_view_t *view = &plan->view;
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_CONTENTS].count; ++i) {
    gmem_image_content_t content = gmem_image_content(view, i);
    if (content.region != region)
      continue;
    uint64_t offset = view->meta_size + content.offset;
    *out_content = (gmem_stored_content_t){
        .bytes = plan->file < 0 ? view->data + offset : NULL,
        .file = plan->file,
        .offset = offset,
        .size = content.size,
    };
    return true;
  }
  return false;
}

bool gmem_plan_has_content(const gmem_plan_t *plan, gmem_region_t region) {
  gmem_stored_content_t content;
  return gmem_plan_stored_content(plan, region, &content);
}

static uint32_t stream_of_reloc(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_reloc(view, id).stream;
}

uint32_t gmem_plan_relocs(const gmem_plan_t *plan, uint16_t stream,
                          const gmem_reloc_t **out_first) {
  const gmem_image_view_t *view = &plan->view;
  uint32_t begin =
      first_at_least(view, GMEM_IMAGE_RELOCS, stream_of_reloc, stream);
  uint32_t end = first_at_least(view, GMEM_IMAGE_RELOCS, stream_of_reloc,
                                stream + UINT32_C(1));
  if (out_first && end > begin)
    *out_first = plan->relocs + begin;
  return end - begin;
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
