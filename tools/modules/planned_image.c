// planned_image.c - converts the plan of a module to a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planned_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

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
  bool is_computed = buffer->flags & GMEM_PLANNED_COMPUTED;
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
      // What is computed once is initialised at load, as workbuffers are.
      .space = is_computed      ? GMEM_SPACE_SHARED_WORK
               : pool->constant ? GMEM_SPACE_WEIGHT
               : is_io          ? GMEM_SPACE_IO
                                : GMEM_SPACE_ACTIVATION,
      .ranges = ranges,
      .range_count = pool->constant ? 0 : (uint32_t)buffer->owned_count,
      .parent =
          buffer->alias_of == GMEM_NO_BUFFER ? GMEM_NONE : buffer->alias_of,
      .threads = 1,
      .flags =
          (buffer->flags & GMEM_PLANNED_INPUT ? GMEM_BUFFER_INPUT : 0u) |
          (buffer->flags & GMEM_PLANNED_OUTPUT ? GMEM_BUFFER_OUTPUT : 0u) |
          (buffer->flags & GMEM_PLANNED_SENSITIVE ? GMEM_BUFFER_SENSITIVE : 0u),
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
    if ((buffers[i].flags & io) && buffers[root].space != GMEM_SPACE_WEIGHT &&
        buffers[root].space != GMEM_SPACE_SHARED_WORK)
      buffers[root].flags |= GMEM_BUFFER_IMPORTABLE;
  }
  for (size_t i = 0; i < gmem_planned_alias_count(planned); ++i) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(planned, i);
    buffers[alias->child].flags &= ~(uint32_t)GMEM_BUFFER_IMPORTABLE;
    buffers[alias->parent].flags &= ~(uint32_t)GMEM_BUFFER_IMPORTABLE;
  }
}

//===--- states -----------------------------------------------------------===//

// What is in the bytes of a state at any time is the state after a run, or a
// part of it: an alias in the image, because a state is always live.
static void add_parts(const gmem_planned_t *planned, uint32_t state,
                      gmem_buffer_info_t *buffers) {
  gmem_buffer_info_t *root = &buffers[state];
  root->space = GMEM_SPACE_STATE;
  root->flags &= ~(uint32_t)(GMEM_BUFFER_INPUT | GMEM_BUFFER_IMPORTABLE);
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    gmem_buffer_info_t *part = &buffers[i];
    if (i == state || part->region != root->region || part->size == 0 ||
        part->offset < root->offset ||
        part->offset + part->size > root->offset + root->size)
      continue;
    part->parent = state;
    part->flags &= ~(uint32_t)GMEM_BUFFER_IMPORTABLE;
  }
}

static void mark_states(const gmem_planned_t *planned,
                        gmem_buffer_info_t *buffers) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if ((buffer->flags & GMEM_PLANNED_STATE) && buffer->size)
      add_parts(planned,
                buffer->alias_of == GMEM_NO_BUFFER ? i : buffer->alias_of,
                buffers);
  }
}

//===--- groups -----------------------------------------------------------===//

// A buffer and the name of its group.
typedef struct member_s {
  const char *name;
  uint32_t buffer;
} member_t;

static int compare_members(const void *a, const void *b) {
  const member_t *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order
             ? order
             : (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

// Lists the groups by name, with their members.
static void add_groups(const gmem_planned_t *planned, gmem_group_info_t *groups,
                       gmem_buffer_t *members, uint32_t *out_count) {
  uint32_t buffers = gmem_planned_buffer_count(planned);
  member_t *all = gmem_need(calloc(buffers + 1u, sizeof *all));
  size_t count = 0;
  for (uint32_t i = 0; i < buffers; ++i)
    if (gmem_planned_buffer(planned, i)->group)
      all[count++] = (member_t){gmem_planned_buffer(planned, i)->group, i};
  qsort(all, count, sizeof *all, compare_members);
  *out_count = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || strcmp(all[i - 1].name, all[i].name) != 0)
      groups[(*out_count)++] =
          (gmem_group_info_t){.name = all[i].name, .members = members + i};
    members[i] = all[i].buffer;
    ++groups[*out_count - 1].member_count;
  }
  free(all);
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

//===--- copies -----------------------------------------------------------===//

// A copy and its place among those of its step.
typedef struct placed_copy_s {
  gmem_plan_copy_t copy;
  size_t place;
} placed_copy_t;

static int compare_copies(const void *a, const void *b) {
  const placed_copy_t *left = a, *right = b;
  const gmem_plan_copy_t *one = &left->copy, *other = &right->copy;
  if (one->op != other->op)
    return one->op < other->op ? -1 : 1;
  if (one->edge != other->edge)
    return one->edge < other->edge ? -1 : 1;
  if (one->number != other->number)
    return one->number < other->number ? -1 : 1;
  return (left->place > right->place) - (left->place < right->place);
}

// Lists the copies of every step. Those of one edge keep their order.
static void add_copies(const gmem_planned_t *planned, gmem_plan_copy_t *copies,
                       size_t total) {
  placed_copy_t *all = gmem_need(calloc(total + 1, sizeof *all));
  size_t count = 0;
  for (size_t i = 0; i < gmem_planned_flow_copy_count(planned); ++i) {
    const gmem_planned_flow_copy_t *entry = gmem_planned_flow_copy(planned, i);
    for (size_t k = 0; k < entry->step_count; ++k, ++count)
      all[count] =
          (placed_copy_t){{.op = (gmem_op_t)entry->steps[k],
                           .from = entry->from_buffer,
                           .to = entry->to_buffer,
                           .number = (uint32_t)entry->number,
                           .size = entry->size,
                           .edge = (uint16_t)entry->edge,
                           .flags = entry->cycle ? GMEM_COPY_CYCLE : 0},
                          count};
  }
  assert(count == total);
  qsort(all, count, sizeof *all, compare_copies);
  for (size_t i = 0; i < count; ++i)
    copies[i] = all[i].copy;
  free(all);
}

//===--- the image --------------------------------------------------------===//

// The description of an image, and the arrays to which it refers.
typedef struct image_s {
  gmem_region_info_t *regions;
  gmem_buffer_info_t *buffers;
  gmem_op_range_t *ranges;
  gmem_workbuffer_t *workbuffers;
  gmem_plan_copy_t *copies;
  gmem_op_span_t *spans;
  gmem_group_info_t *groups;
  gmem_buffer_t *members;
  gmem_reloc_t *relocs;
  gmem_plan_desc_t desc;
} image_t;

static void fill_arrays(const gmem_planned_t *planned, image_t *image) {
  gmem_op_range_t *next = image->ranges;
  for (uint32_t i = 0; i < image->desc.region_count; ++i)
    image->regions[i] = region_of(gmem_planned_pool(planned, i));
  for (uint32_t i = 0; i < image->desc.buffer_count; ++i) {
    image->buffers[i] = image_buffer(planned, i, next);
    next += gmem_planned_buffer(planned, i)->owned_count;
  }
  mark_importable(planned, image->buffers);
  mark_states(planned, image->buffers);
  add_groups(planned, image->groups, image->members, &image->desc.group_count);
  add_workbuffers(planned, image->buffers, image->workbuffers);
  add_copies(planned, image->copies, image->desc.copy_count);
  for (uint32_t i = 0; i < image->desc.span_count; ++i) {
    const gmem_planned_span_t *span = gmem_planned_span(planned, i);
    image->spans[i] = (gmem_op_span_t){span->name, (gmem_op_t)span->begin,
                                       (gmem_op_t)span->end};
  }
  for (uint32_t i = 0; i < image->desc.reloc_count; ++i) {
    const gmem_planned_relocation_t *relocation =
        gmem_planned_relocation(planned, i);
    image->relocs[i] = (gmem_reloc_t){relocation->where, relocation->addend,
                                      relocation->buffer, relocation->kind,
                                      relocation->stream};
  }
}

// How many entries there are of what is listed once per step.
typedef struct step_counts_s {
  size_t workbuffers, copies;
} step_counts_t;

static step_counts_t count_steps(const gmem_planned_t *planned) {
  step_counts_t counts = {0, 0};
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i)
    counts.workbuffers += gmem_planned_workbuffer(planned, i)->step_count;
  for (size_t i = 0; i < gmem_planned_flow_copy_count(planned); ++i)
    counts.copies += gmem_planned_flow_copy(planned, i)->step_count;
  return counts;
}

static image_t make_image(const gmem_planned_t *planned,
                          const gmem_image_weights_t *weights,
                          step_counts_t counts) {
  static const gmem_image_weights_t none;
  uint32_t pools = gmem_planned_pool_count(planned);
  uint32_t buffers = gmem_planned_buffer_count(planned);
  size_t ranges = 0, spans = gmem_planned_span_count(planned);
  size_t relocs = gmem_planned_relocation_count(planned);
  for (uint32_t i = 0; i < buffers; ++i)
    ranges += gmem_planned_buffer(planned, i)->owned_count;
  image_t image = {
      .regions = gmem_need(calloc(pools + 1u, sizeof *image.regions)),
      .buffers = gmem_need(calloc(buffers + 1u, sizeof *image.buffers)),
      .ranges = gmem_need(calloc(ranges + 1, sizeof *image.ranges)),
      .workbuffers =
          gmem_need(calloc(counts.workbuffers + 1, sizeof *image.workbuffers)),
      .copies = gmem_need(calloc(counts.copies + 1, sizeof *image.copies)),
      .spans = gmem_need(calloc(spans + 1, sizeof *image.spans)),
      .groups = gmem_need(calloc(buffers + 1u, sizeof *image.groups)),
      .members = gmem_need(calloc(buffers + 1u, sizeof *image.members)),
      .relocs = gmem_need(calloc(relocs + 1, sizeof *image.relocs))};
  weights = weights ? weights : &none;
  image.desc = (gmem_plan_desc_t){
      .regions = image.regions,
      .region_count = pools,
      .buffers = image.buffers,
      .buffer_count = buffers,
      .op_count = (uint32_t)gmem_planned_figures(planned)->step_count,
      .workbuffers = image.workbuffers,
      .workbuffer_count = (uint32_t)counts.workbuffers,
      .copies = image.copies,
      .copy_count = (uint32_t)counts.copies,
      .spans = image.spans,
      .groups = image.groups,
      .span_count = (uint32_t)spans,
      .relocs = image.relocs,
      .reloc_count = (uint32_t)relocs,
      .weights = weights->weights,
      .weight_count = weights->weight_count,
      .transforms = weights->transforms,
      .transform_count = weights->transform_count,
      .contents = weights->contents,
      .content_count = weights->content_count};
  fill_arrays(planned, &image);
  return image;
}

// The caller frees |out_image| if this succeeds.
static gmem_status_t describe(const gmem_planned_t *planned,
                              const gmem_image_weights_t *weights,
                              image_t *out_image, gmem_diag_t *diag) {
  step_counts_t counts = count_steps(planned);
  if (gmem_planned_figures(planned)->step_count > (int64_t)GMEM_PLAN_MAX_OPS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more steps than an image can hold");
  if (counts.workbuffers > GMEM_PLAN_MAX_WORKBUFFERS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more workbuffers than an image can hold");
  if (counts.copies > GMEM_PLAN_MAX_COPIES)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more copies than an image can hold");
  if (gmem_planned_span_count(planned) > GMEM_PLAN_MAX_SPANS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more ops than an image can hold");
  if (gmem_planned_relocation_count(planned) > GMEM_PLAN_MAX_RELOCS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more relocations than an image can hold");
  if (gmem_planned_transform_count(planned) > GMEM_PLAN_MAX_TRANSFORMS)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the plan has more transforms than an image can hold");
  *out_image = make_image(planned, weights, counts);
  return GMEM_OK;
}

static void free_image(image_t *image) {
  free(image->relocs);
  free(image->members);
  free(image->groups);
  free(image->spans);
  free(image->copies);
  free(image->workbuffers);
  free(image->ranges);
  free(image->buffers);
  free(image->regions);
}

gmem_status_t gmem_planned_image(const gmem_planned_t *planned,
                                 const gmem_image_weights_t *weights,
                                 void **out_data, size_t *out_size,
                                 gmem_diag_t *diag) {
  image_t image;
  *out_data = NULL;
  *out_size = 0;
  GMEM_TRY(describe(planned, weights, &image, diag));
  gmem_status_t status =
      gmem_plan_write(&image.desc, NULL, out_data, out_size, diag);
  free_image(&image);
  return status;
}

gmem_status_t gmem_planned_image_write(const gmem_planned_t *planned,
                                       const gmem_image_weights_t *weights,
                                       gmem_plan_sink_fn sink, void *user,
                                       gmem_diag_t *diag) {
  image_t image;
  GMEM_TRY(describe(planned, weights, &image, diag));
  gmem_status_t status =
      gmem_plan_write_to(&image.desc, NULL, sink, user, diag);
  free_image(&image);
  return status;
}
