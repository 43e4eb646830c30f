// planned_image.c - see gmem/planned_image.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/planned_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bump.h"
#include "diag.h"
#include "image_weights.h"

struct gmem_planned_image_s {
  gmem_bump_t arena; // owns everything, including this struct
  gmem_image_weights_t weights;
  gmem_plan_desc_t desc;
};

// How many entries there are of what is listed once per step or range.
typedef struct counts_s {
  size_t ranges, workbuffers, copies, dimensions;
} counts_t;

// The arrays of a description in the making.
typedef struct image_s {
  const gmem_planned_t *planned;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  counts_t counts;
  gmem_region_info_t *regions;
  gmem_buffer_info_t *buffers;
  gmem_op_range_t *ranges;
  gmem_workbuffer_t *workbuffers;
  gmem_plan_copy_t *copies;
  gmem_plan_dimension_t *dimensions;
  gmem_op_span_t *spans;
  gmem_group_info_t *groups;
  uint32_t group_count;
  gmem_reloc_t *relocs;
} image_t;

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
    uint32_t root = buffer->alias_of == GMEM_NO_BUFFER ? i : buffer->alias_of;
    if (!(buffer->flags & GMEM_PLANNED_STATE) || !buffer->size)
      continue;
    buffers[i].flags &= ~(uint32_t)GMEM_BUFFER_INPUT;
    if (buffers[root].parent == GMEM_NONE) // else functions share it
      add_parts(planned, root, buffers);
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
static gmem_status_t add_groups(image_t *image) {
  uint32_t buffers = gmem_planned_buffer_count(image->planned);
  size_t count = 0;
  member_t *all;
  gmem_buffer_t *members;
  GMEM_TRY_ALLOC(all, image->arena, buffers, image->diag);
  GMEM_TRY_ALLOC(members, image->arena, buffers, image->diag);
  GMEM_TRY_ALLOC(image->groups, image->arena, buffers, image->diag);
  for (uint32_t i = 0; i < buffers; ++i)
    if (gmem_planned_buffer(image->planned, i)->group)
      all[count++] =
          (member_t){gmem_planned_buffer(image->planned, i)->group, i};
  qsort(all, count, sizeof *all, compare_members);
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || strcmp(all[i - 1].name, all[i].name) != 0)
      image->groups[image->group_count++] =
          (gmem_group_info_t){.name = all[i].name, .members = members + i};
    members[i] = all[i].buffer;
    ++image->groups[image->group_count - 1].member_count;
  }
  return GMEM_OK;
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
static gmem_status_t add_workbuffers(image_t *image) {
  const gmem_planned_t *planned = image->planned;
  size_t count = 0;
  GMEM_TRY_ALLOC(image->workbuffers, image->arena, image->counts.workbuffers,
                 image->diag);
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i) {
    const gmem_planned_workbuffer_t *entry =
        gmem_planned_workbuffer(planned, i);
    image->buffers[entry->buffer].threads = entry->threads;
    if (entry->immutable)
      image->buffers[entry->buffer].space = GMEM_SPACE_SHARED_WORK;
    for (size_t k = 0; k < entry->step_count; ++k)
      image->workbuffers[count++] =
          (gmem_workbuffer_t){(gmem_op_t)entry->steps[k], entry->buffer};
  }
  qsort(image->workbuffers, count, sizeof *image->workbuffers,
        compare_workbuffers);
  return GMEM_OK;
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
static gmem_status_t add_copies(image_t *image) {
  const gmem_planned_t *planned = image->planned;
  placed_copy_t *all;
  size_t count = 0;
  GMEM_TRY_ALLOC(all, image->arena, image->counts.copies, image->diag);
  GMEM_TRY_ALLOC(image->copies, image->arena, image->counts.copies,
                 image->diag);
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
  assert(count == image->counts.copies);
  qsort(all, count, sizeof *all, compare_copies);
  for (size_t i = 0; i < count; ++i)
    image->copies[i] = all[i].copy;
  return GMEM_OK;
}

//===--- the other arrays -------------------------------------------------===//

static gmem_status_t add_buffers(image_t *image) {
  const gmem_planned_t *planned = image->planned;
  uint32_t pools = gmem_planned_pool_count(planned);
  uint32_t count = gmem_planned_buffer_count(planned);
  GMEM_TRY_ALLOC(image->regions, image->arena, pools, image->diag);
  GMEM_TRY_ALLOC(image->buffers, image->arena, count, image->diag);
  GMEM_TRY_ALLOC(image->ranges, image->arena, image->counts.ranges,
                 image->diag);
  gmem_op_range_t *next = image->ranges;
  for (uint32_t i = 0; i < pools; ++i)
    image->regions[i] = region_of(gmem_planned_pool(planned, i));
  for (uint32_t i = 0; i < count; ++i) {
    image->buffers[i] = image_buffer(planned, i, next);
    next += gmem_planned_buffer(planned, i)->owned_count;
  }
  mark_importable(planned, image->buffers);
  mark_states(planned, image->buffers);
  return GMEM_OK;
}

// The layouts of buffers whose elements are not contiguous, or not all valid.
static gmem_status_t add_dimensions(image_t *image) {
  static_assert((int)GMEM_BORDER_CONSTANT == (int)GMEM_PLAN_BORDER_CONSTANT &&
                    (int)GMEM_BORDER_REPLICATE ==
                        (int)GMEM_PLAN_BORDER_REPLICATE,
                "the borders of images have the numbers of those of plans");
  size_t count = 0;
  GMEM_TRY_ALLOC(image->dimensions, image->arena, image->counts.dimensions,
                 image->diag);
  for (uint32_t i = 0; i < gmem_planned_buffer_count(image->planned); ++i) {
    const gmem_planned_layout_t *layout =
        gmem_planned_buffer(image->planned, i)->layout;
    for (uint32_t k = 0; layout && k < layout->rank; ++k)
      image->dimensions[count++] = (gmem_plan_dimension_t){
          .buffer = i,
          .border = (uint16_t)layout->border,
          .element = layout->element,
          .size = (uint64_t)layout->sizes[k],
          .stride = (uint64_t)layout->strides[k],
          .before = (uint64_t)layout->before[k],
          .after = (uint64_t)layout->after[k],
          .valid_begin = (uint64_t)layout->valid_begin[k],
          .valid_end = (uint64_t)layout->valid_end[k]};
  }
  return GMEM_OK;
}

static gmem_status_t add_spans(image_t *image) {
  size_t count = gmem_planned_span_count(image->planned);
  GMEM_TRY_ALLOC(image->spans, image->arena, count, image->diag);
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_span_t *span = gmem_planned_span(image->planned, i);
    image->spans[i] = (gmem_op_span_t){span->name, (gmem_op_t)span->begin,
                                       (gmem_op_t)span->end};
  }
  return GMEM_OK;
}

static gmem_status_t add_relocs(image_t *image) {
  size_t count = gmem_planned_relocation_count(image->planned);
  GMEM_TRY_ALLOC(image->relocs, image->arena, count, image->diag);
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_relocation_t *relocation =
        gmem_planned_relocation(image->planned, i);
    image->relocs[i] = (gmem_reloc_t){relocation->where, relocation->addend,
                                      relocation->buffer, relocation->kind,
                                      relocation->stream};
  }
  return GMEM_OK;
}

//===--- the description --------------------------------------------------===//

static counts_t count_entries(const gmem_planned_t *planned) {
  counts_t counts = {0};
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    counts.ranges += buffer->owned_count;
    counts.dimensions += buffer->layout ? buffer->layout->rank : 0;
  }
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i)
    counts.workbuffers += gmem_planned_workbuffer(planned, i)->step_count;
  for (size_t i = 0; i < gmem_planned_flow_copy_count(planned); ++i)
    counts.copies += gmem_planned_flow_copy(planned, i)->step_count;
  return counts;
}

static gmem_status_t check_limits(const gmem_planned_t *planned,
                                  counts_t counts, gmem_diag_t *diag) {
  const struct {
    const char *what;
    uint64_t count, most;
  } limits[] = {
      {"steps", (uint64_t)gmem_planned_figures(planned)->step_count,
       GMEM_PLAN_MAX_OPS},
      {"workbuffers", counts.workbuffers, GMEM_PLAN_MAX_WORKBUFFERS},
      {"copies", counts.copies, GMEM_PLAN_MAX_COPIES},
      {"dimensions", counts.dimensions, GMEM_PLAN_MAX_DIMENSIONS},
      {"ops", gmem_planned_span_count(planned), GMEM_PLAN_MAX_SPANS},
      {"relocations", gmem_planned_relocation_count(planned),
       GMEM_PLAN_MAX_RELOCS},
      {"transforms", gmem_planned_transform_count(planned),
       GMEM_PLAN_MAX_TRANSFORMS},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
    if (limits[i].count > limits[i].most)
      return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                       "the plan has more %s than an image can hold",
                       limits[i].what);
  return GMEM_OK;
}

static gmem_status_t fill_arrays(image_t *image) {
  GMEM_TRY(add_buffers(image));
  GMEM_TRY(add_groups(image));
  GMEM_TRY(add_workbuffers(image));
  GMEM_TRY(add_copies(image));
  GMEM_TRY(add_dimensions(image));
  GMEM_TRY(add_spans(image));
  return add_relocs(image);
}

static gmem_plan_desc_t describe(const image_t *image,
                                 const gmem_image_weights_t *weights) {
  const gmem_planned_t *planned = image->planned;
  return (gmem_plan_desc_t){
      .regions = image->regions,
      .region_count = gmem_planned_pool_count(planned),
      .buffers = image->buffers,
      .buffer_count = gmem_planned_buffer_count(planned),
      .op_count = (uint32_t)gmem_planned_figures(planned)->step_count,
      .workbuffers = image->workbuffers,
      .workbuffer_count = (uint32_t)image->counts.workbuffers,
      .copies = image->copies,
      .copy_count = (uint32_t)image->counts.copies,
      .dimensions = image->dimensions,
      .dimension_count = (uint32_t)image->counts.dimensions,
      .spans = image->spans,
      .span_count = (uint32_t)gmem_planned_span_count(planned),
      .groups = image->groups,
      .group_count = image->group_count,
      .relocs = image->relocs,
      .reloc_count = (uint32_t)gmem_planned_relocation_count(planned),
      .weights = weights->weights,
      .weight_count = weights->weight_count,
      .transforms = weights->transforms,
      .transform_count = weights->transform_count,
      .contents = weights->contents,
      .content_count = weights->content_count};
}

static gmem_status_t fill(const gmem_planned_t *planned,
                          const gmem_planned_image_options_t *options,
                          gmem_planned_image_t *made, gmem_diag_t *diag) {
  image_t image = {.planned = planned,
                   .arena = &made->arena,
                   .diag = diag,
                   .counts = count_entries(planned)};
  GMEM_TRY(check_limits(planned, image.counts, diag));
  GMEM_TRY(gmem_image_weights_read(planned, options, &made->arena,
                                   &made->weights, diag));
  GMEM_TRY(fill_arrays(&image));
  made->desc = describe(&image, &made->weights);
  return GMEM_OK;
}

gmem_status_t
gmem_planned_image_create(const gmem_planned_t *planned,
                          const gmem_planned_image_options_t *options,
                          const gmem_allocator_t *allocator,
                          gmem_planned_image_t **out_image, gmem_diag_t *diag) {
  GMEM_NEED(planned && out_image, diag);
  static const gmem_planned_image_options_t all = {
      .struct_size = sizeof all, .weights = GMEM_IMAGE_WEIGHTS_ALL};
  gmem_bump_t arena;
  gmem_planned_image_t *image;
  *out_image = NULL;
  options = options ? options : &all;
  if (options->struct_size != sizeof *options ||
      options->weights > GMEM_IMAGE_WEIGHTS_ALL)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "options.struct_size is %u, not %zu, or options.weights "
                     "is unknown",
                     (unsigned)options->struct_size, sizeof *options);
  gmem_bump_init(&arena, allocator);
  GMEM_TRY_ALLOC(image, &arena, 1, diag);
  image->arena = arena;
  gmem_status_t status = fill(planned, options, image, diag);
  if (status == GMEM_OK)
    *out_image = image;
  else
    gmem_planned_image_destroy(image);
  return status;
}

void gmem_planned_image_destroy(gmem_planned_image_t *image) {
  if (!image)
    return;
  gmem_bump_t arena = image->arena; // the arena owns *image
  gmem_bump_destroy(&arena);
}

const gmem_plan_desc_t *
gmem_planned_image_desc(const gmem_planned_image_t *image) {
  return &image->desc;
}

uint32_t gmem_planned_image_unknown(const gmem_planned_image_t *image) {
  return image->weights.unknown;
}
