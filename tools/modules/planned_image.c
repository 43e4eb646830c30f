// planned_image.c - converts the plan of a module to a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planned_image.h"

#include <assert.h>
#include <stdlib.h>

#include "diag.h"

static gmem_region_info_t region_of(const gmem_planned_pool_t *pool) {
  return (gmem_region_info_t){
      .name = pool->name,
      .space = pool->constant ? GMEM_SPACE_WEIGHT : GMEM_SPACE_ACTIVATION,
      .base = pool->base == GMEM_NO_BASE ? 0 : pool->base,
      .size = pool->size,
      .align = pool->alignment};
}

// Images only support aliases of a whole live range, so in an image a buffer is
// live while it owns its bytes. Appends these ranges to |ranges|.
static gmem_buffer_info_t image_buffer(const gmem_planned_t *planned,
                                       uint32_t index,
                                       gmem_op_range_t *ranges) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
  bool is_io = buffer->flags & (GMEM_PLANNED_INPUT | GMEM_PLANNED_OUTPUT);
  for (size_t i = 0; i < buffer->owned_count; ++i)
    ranges[i] = (gmem_op_range_t){(gmem_op_t)buffer->owned[i].begin,
                                  (gmem_op_t)buffer->owned[i].end};
  return (gmem_buffer_info_t){
      .name = buffer->name,
      .offset = buffer->offset,
      .size = buffer->size,
      .payload = buffer->payload_size,
      .align = buffer->alignment,
      .region = buffer->pool,
      .space = pool->constant ? GMEM_SPACE_WEIGHT
               : is_io        ? GMEM_SPACE_IO
                              : GMEM_SPACE_ACTIVATION,
      .ranges = ranges,
      .range_count = pool->constant ? 0 : (uint32_t)buffer->owned_count,
      .parent =
          buffer->alias_of == GMEM_NO_BUFFER ? GMEM_NONE : buffer->alias_of,
      .threads = 1,
      .flags = (buffer->flags & GMEM_PLANNED_INPUT ? GMEM_BUFFER_INPUT : 0u) |
               (buffer->flags & GMEM_PLANNED_OUTPUT ? GMEM_BUFFER_OUTPUT : 0u),
      .payload_offset = buffer->payload_offset - buffer->offset};
}

//===--- importable buffers -----------------------------------------------===//

// Imported memory contains one must-alias set, so an input or output is
// importable only if no other buffer ever uses its bytes.
static void mark_importable(const gmem_planned_t *planned,
                            gmem_buffer_info_t *buffers) {
  const uint32_t io = GMEM_BUFFER_INPUT | GMEM_BUFFER_OUTPUT;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    gmem_buffer_t root = buffers[i].parent == GMEM_NONE ? i : buffers[i].parent;
    assert(buffers[root].parent == GMEM_NONE);
    if ((buffers[i].flags & io) && buffers[root].space != GMEM_SPACE_WEIGHT)
      buffers[root].flags |= GMEM_BUFFER_IMPORTABLE;
  }
  for (size_t i = 0; i < gmem_planned_alias_count(planned); ++i) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(planned, i);
    buffers[alias->child].flags &= ~(uint32_t)GMEM_BUFFER_IMPORTABLE;
    buffers[alias->parent].flags &= ~(uint32_t)GMEM_BUFFER_IMPORTABLE;
  }
}

//===--- workbuffers ------------------------------------------------------===//

// Sorts by step, then in the order in which the op requests them: buffers are
// numbered in that order.
static int compare_workbuffers(const void *a, const void *b) {
  const gmem_workbuffer_t *left = a, *right = b;
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  return (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

// Lists the steps at which workbuffers are used and the purpose of the buffers.
static void add_workbuffers(const gmem_planned_t *planned,
                            gmem_buffer_info_t *buffers,
                            gmem_workbuffer_t *workbuffers) {
  size_t count = 0;
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i) {
    const gmem_planned_workbuffer_t *entry =
        gmem_planned_workbuffer(planned, i);
    buffers[entry->buffer].threads = entry->threads;
    if (entry->immutable)
      buffers[entry->buffer].space = GMEM_SPACE_SHARED_WORK;
    for (size_t k = 0; k < entry->step_count; ++k)
      workbuffers[count++] =
          (gmem_workbuffer_t){(gmem_op_t)entry->steps[k], entry->buffer};
  }
  qsort(workbuffers, count, sizeof *workbuffers, compare_workbuffers);
}

//===--- all parts --------------------------------------------------------===//

// The arrays of an image description; all NULL if out of memory.
typedef struct parts_s {
  gmem_region_info_t *regions;
  gmem_buffer_info_t *buffers;
  gmem_op_range_t *ranges;
  gmem_workbuffer_t *workbuffers;
  size_t workbuffer_count;
} parts_t;

static bool make_parts(const gmem_planned_t *planned, parts_t *parts) {
  uint32_t region_count = gmem_planned_pool_count(planned);
  uint32_t buffer_count = gmem_planned_buffer_count(planned);
  size_t range_count = 0, work_count = gmem_planned_workbuffer_count(planned);
  for (uint32_t i = 0; i < buffer_count; ++i)
    range_count += gmem_planned_buffer(planned, i)->owned_count;
  for (size_t i = 0; i < work_count; ++i)
    parts->workbuffer_count += gmem_planned_workbuffer(planned, i)->step_count;
  parts->regions = calloc(region_count + 1u, sizeof *parts->regions);
  parts->buffers = calloc(buffer_count + 1u, sizeof *parts->buffers);
  parts->ranges = calloc(range_count + 1, sizeof *parts->ranges);
  parts->workbuffers =
      calloc(parts->workbuffer_count + 1, sizeof *parts->workbuffers);
  if (!parts->regions || !parts->buffers || !parts->ranges ||
      !parts->workbuffers)
    return false;
  gmem_op_range_t *next = parts->ranges;
  for (uint32_t i = 0; i < region_count; ++i)
    parts->regions[i] = region_of(gmem_planned_pool(planned, i));
  for (uint32_t i = 0; i < buffer_count; ++i) {
    parts->buffers[i] = image_buffer(planned, i, next);
    next += gmem_planned_buffer(planned, i)->owned_count;
  }
  assert(next == parts->ranges + range_count);
  mark_importable(planned, parts->buffers);
  add_workbuffers(planned, parts->buffers, parts->workbuffers);
  return true;
}

//===--- the image --------------------------------------------------------===//

// Describes the image; the caller frees |parts| in any case.
static gmem_status_t describe(const gmem_planned_t *planned,
                              const gmem_image_weights_t *weights,
                              parts_t *parts, gmem_plan_desc_t *desc,
                              gmem_diag_t *diag) {
  static const gmem_image_weights_t none;
  int64_t steps = gmem_planned_figures(planned)->step_count;
  *parts = (parts_t){0};
  if (steps > (int64_t)GMEM_PLAN_MAX_OPS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more steps than an image can hold");
  if (!make_parts(planned, parts))
    return gmem_out_of_memory(diag);
  if (parts->workbuffer_count > GMEM_PLAN_MAX_WORKBUFFERS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more workbuffers than an image can hold");
  if (!weights)
    weights = &none;
  *desc =
      (gmem_plan_desc_t){.regions = parts->regions,
                         .region_count = gmem_planned_pool_count(planned),
                         .buffers = parts->buffers,
                         .buffer_count = gmem_planned_buffer_count(planned),
                         .op_count = (uint32_t)steps,
                         .workbuffers = parts->workbuffers,
                         .workbuffer_count = (uint32_t)parts->workbuffer_count,
                         .weights = weights->weights,
                         .weight_count = weights->weight_count,
                         .contents = weights->contents,
                         .content_count = weights->content_count};
  return GMEM_OK;
}

static void free_parts(parts_t *parts) {
  free(parts->workbuffers);
  free(parts->ranges);
  free(parts->buffers);
  free(parts->regions);
}

gmem_status_t gmem_planned_image(const gmem_planned_t *planned,
                                 const gmem_image_weights_t *weights,
                                 void **out_data, size_t *out_size,
                                 gmem_diag_t *diag) {
  parts_t parts;
  gmem_plan_desc_t desc;
  *out_data = NULL;
  *out_size = 0;
  gmem_status_t status = describe(planned, weights, &parts, &desc, diag);
  if (status == GMEM_OK)
    status = gmem_plan_write(&desc, NULL, out_data, out_size, diag);
  free_parts(&parts);
  return status;
}

gmem_status_t gmem_planned_image_write(const gmem_planned_t *planned,
                                       const gmem_image_weights_t *weights,
                                       gmem_plan_sink_fn sink, void *user,
                                       gmem_diag_t *diag) {
  parts_t parts;
  gmem_plan_desc_t desc;
  gmem_status_t status = describe(planned, weights, &parts, &desc, diag);
  if (status == GMEM_OK)
    status = gmem_plan_write_to(&desc, NULL, sink, user, diag);
  free_parts(&parts);
  return status;
}
