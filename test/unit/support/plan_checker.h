// plan_checker.h - whether a plan that was accepted is true: what the document
// of the image promises, checked again in quadratic time, without a clever
// thought, and sharing no code with the loader.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_PLAN_CHECKER_H_
#define GMEM_TEST_UNIT_PLAN_CHECKER_H_

#include <string.h>

#include "gmem/layouts.h"
#include "plan_object.h"
#include "plan_query.h"

static inline bool kept(const gmem_buffer_info_t *b) {
  return b->space != GMEM_SPACE_ACTIVATION && b->space != GMEM_SPACE_IO;
}

static inline bool live_at(const gmem_buffer_info_t *b, uint32_t step) {
  if (kept(b))
    return true;
  for (uint32_t i = 0; i < b->range_count; ++i)
    if (b->ranges[i].begin <= step && step < b->ranges[i].end)
      return true;
  return false;
}

static inline bool live_together(const gmem_buffer_info_t *a,
                                 const gmem_buffer_info_t *b, uint32_t steps) {
  if (kept(a) && kept(b))
    return true;
  for (uint32_t step = 0; step < steps; ++step)
    if (live_at(a, step) && live_at(b, step))
      return true;
  return false;
}

// Whether |a| and |b| share bytes that both own.
static inline bool clash(const gmem_buffer_info_t *a,
                         const gmem_buffer_info_t *b, uint32_t steps) {
  if (a->parent != GMEM_NONE || b->parent != GMEM_NONE)
    return false;
  return a->size > 0 && b->size > 0 && a->region == b->region &&
         a->offset < b->offset + b->size && b->offset < a->offset + a->size &&
         live_together(a, b, steps);
}

static inline bool child_is_covered(const gmem_plan_t *plan,
                                    const gmem_buffer_info_t *child) {
  gmem_buffer_info_t parent;
  if (gmem_plan_buffer(plan, child->parent, &parent) != GMEM_OK ||
      parent.parent != GMEM_NONE || parent.region != child->region ||
      child->offset < parent.offset ||
      child->offset + child->size > parent.offset + parent.size)
    return false;
  for (uint32_t step = 0; step < gmem_plan_op_count(plan); ++step)
    if (live_at(child, step) && !live_at(&parent, step))
      return false;
  return true;
}

static inline bool buffer_is_placed(const gmem_plan_t *plan,
                                    const gmem_buffer_info_t *b) {
  gmem_region_info_t region;
  if (gmem_plan_region(plan, b->region, &region) != GMEM_OK)
    return false;
  return b->offset + b->size <= region.size && b->align > 0 &&
         (b->align & (b->align - 1)) == 0 &&
         (region.base + b->offset) % b->align == 0 && b->payload <= b->size;
}

static inline bool buffers_are_true(const gmem_plan_t *plan) {
  uint32_t steps = gmem_plan_op_count(plan);
  for (uint32_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_info_t a, b;
    if (gmem_plan_buffer(plan, i, &a) != GMEM_OK ||
        gmem_plan_find(plan, a.name) != i || !buffer_is_placed(plan, &a) ||
        (a.parent != GMEM_NONE && !child_is_covered(plan, &a)))
      return false;
    for (uint32_t k = 0; k < i; ++k)
      if (gmem_plan_buffer(plan, k, &b) != GMEM_OK || clash(&a, &b, steps))
        return false;
  }
  return true;
}

static inline bool groups_are_true(const gmem_plan_t *plan) {
  gmem_group_info_t group;
  for (uint32_t i = 0; gmem_plan_group(plan, i, &group) == GMEM_OK; ++i) {
    // The first of that name, so that no two have the same.
    if (group.name[0] == '\0' || gmem_plan_find_group(plan, group.name) != i)
      return false;
    for (uint32_t k = 0; k < group.member_count; ++k)
      if (group.members[k] >= gmem_plan_buffer_count(plan) ||
          (k > 0 && group.members[k] <= group.members[k - 1]))
        return false;
  }
  return true;
}

static inline bool workbuffers_are_true(const gmem_plan_t *plan) {
  uint32_t total = 0;
  for (uint32_t op = 0; op < gmem_plan_op_count(plan); ++op) {
    const gmem_workbuffer_t *work = NULL;
    uint32_t count = gmem_plan_workbuffers(plan, op, &work);
    total += count;
    for (uint32_t i = 0; i < count; ++i) {
      gmem_buffer_info_t buffer;
      if (work[i].op != op ||
          gmem_plan_buffer(plan, work[i].buffer, &buffer) != GMEM_OK ||
          buffer.space == GMEM_SPACE_WEIGHT || buffer.space == GMEM_SPACE_IO ||
          !live_at(&buffer, op))
        return false;
      for (uint32_t k = 0; k < i; ++k)
        if (work[k].buffer == work[i].buffer)
          return false;
    }
  }
  return total == plan->view.section[GMEM_IMAGE_WORKBUFFERS].count;
}

static inline bool weights_are_true(const gmem_plan_t *plan) {
  uint32_t total = 0;
  gmem_buffer_info_t buffer;
  for (uint32_t i = 0; gmem_plan_buffer(plan, i, &buffer) == GMEM_OK; ++i) {
    gmem_weight_info_t weight;
    bool is_weight = buffer.space == GMEM_SPACE_WEIGHT &&
                     buffer.parent == GMEM_NONE && buffer.size > 0;
    bool is_work = buffer.space == GMEM_SPACE_SHARED_WORK &&
                   buffer.parent == GMEM_NONE && buffer.size > 0;
    bool known = gmem_plan_weight(plan, i, &weight) == GMEM_OK;
    total += known;
    if (known &&
        (!(is_weight || (is_work && weight.transform != 0)) ||
         weight.buffer != i || weight.source_size > INT64_MAX ||
         (weight.transform == 0 && weight.source_size != buffer.payload)))
      return false;
    if (!known && is_weight && gmem_plan_has_content(plan, buffer.region))
      return false;
  }
  return total == plan->view.section[GMEM_IMAGE_WEIGHTS].count;
}

// Contents are whole pages, one after the other, up to the end of the image.
static inline bool contents_are_true(const gmem_plan_t *plan) {
  uint64_t next = plan->view.meta_size;
  gmem_region_info_t region;
  for (uint32_t i = 0; gmem_plan_region(plan, i, &region) == GMEM_OK; ++i) {
    gmem_stored_content_t content;
    if (!gmem_plan_stored_content(plan, i, &content))
      continue;
    if ((region.space != GMEM_SPACE_WEIGHT &&
         region.space != GMEM_SPACE_SHARED_WORK) ||
        region.size == 0 || content.offset != next ||
        content.offset % 4096 != 0 || content.size % 4096 != 0 ||
        content.size < region.size || content.size - region.size >= 4096 ||
        (content.file < 0) == (content.bytes == NULL))
      return false;
    next += content.size;
  }
  return next == plan->view.size;
}

static inline bool relocs_are_true(const gmem_plan_t *plan) {
  uint32_t count = plan->view.section[GMEM_IMAGE_RELOCS].count;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_reloc_t *reloc = &plan->relocs[i], *first = NULL;
    uint64_t width = reloc->kind == GMEM_RELOC_ABS64 ? 8 : 4;
    gmem_buffer_info_t buffer;
    if (gmem_plan_relocs(plan, reloc->stream, &first) > count || !first ||
        first > reloc || first->stream != reloc->stream ||
        reloc->kind > GMEM_RELOC_HI32 ||
        gmem_plan_buffer(plan, reloc->buffer, &buffer) != GMEM_OK ||
        reloc->addend > buffer.size)
      return false;
    for (uint32_t k = 0; k < count; ++k)
      if (k != i && plan->relocs[k].stream == reloc->stream &&
          plan->relocs[k].where >= reloc->where &&
          plan->relocs[k].where - reloc->where < width)
        return false;
  }
  return true;
}

static inline bool copies_are_true(const gmem_plan_t *plan) {
  uint32_t total = 0;
  for (uint32_t op = 0; op < gmem_plan_op_count(plan); ++op) {
    const gmem_plan_copy_t *copies = NULL;
    uint32_t count = gmem_plan_copies(plan, op, &copies);
    total += count;
    for (uint32_t i = 0; i < count; ++i) {
      gmem_buffer_info_t from, to;
      if (copies[i].op != op || copies[i].edge > GMEM_COPY_RESULTS ||
          copies[i].flags > 1 || copies[i].reserved ||
          gmem_plan_buffer(plan, copies[i].from, &from) != GMEM_OK ||
          gmem_plan_buffer(plan, copies[i].to, &to) != GMEM_OK ||
          copies[i].size == 0 || copies[i].size > from.payload ||
          copies[i].size > to.payload || to.space == GMEM_SPACE_WEIGHT ||
          to.space == GMEM_SPACE_SHARED_WORK ||
          (from.region == to.region &&
           from.offset + from.payload_offset == to.offset + to.payload_offset))
        return false;
      for (uint32_t k = 0; k < i; ++k)
        if (copies[k].edge > copies[i].edge ||
            (copies[k].edge == copies[i].edge &&
             copies[k].number > copies[i].number))
          return false;
    }
  }
  return total == plan->view.section[GMEM_IMAGE_COPIES].count;
}

// The chains of transforms end at payloads, and belong to transformed weights.
static inline bool transforms_are_true(const gmem_plan_t *plan) {
  for (uint32_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_plan_transform_t step;
    gmem_weight_info_t weight;
    gmem_buffer_info_t buffer;
    uint32_t count = 0;
    for (; gmem_plan_transform(plan, i, count, &step) == GMEM_OK; ++count)
      if (step.buffer != i || step.size == 0 || step.name[0] == '\0')
        return false;
    if (count && (gmem_plan_weight(plan, i, &weight) != GMEM_OK ||
                  weight.transform == 0 ||
                  gmem_plan_buffer(plan, i, &buffer) != GMEM_OK ||
                  step.size != buffer.payload))
      return false;
  }
  return true;
}

static inline bool spans_are_true(const gmem_plan_t *plan) {
  gmem_op_span_t span, before = {.begin = 0};
  for (uint32_t i = 0; gmem_plan_span(plan, i, &span) == GMEM_OK; ++i) {
    if (span.begin < before.begin || span.begin >= span.end ||
        span.end > gmem_plan_op_count(plan) || span.name[0] == '\0' ||
        gmem_plan_find_op(plan, span.name) != span.begin ||
        gmem_plan_op_end(plan, span.begin) == GMEM_NONE)
      return false;
    for (uint32_t k = 0; k < i; ++k) {
      gmem_op_span_t other;
      if (gmem_plan_span(plan, k, &other) != GMEM_OK ||
          strcmp(other.name, span.name) == 0)
        return false;
    }
    before = span;
  }
  return true;
}

// The last element ends with the payload, the borders are in the buffer, and
// the valid region is in the layout.
static inline bool layouts_are_true(const gmem_plan_t *plan) {
  for (uint32_t i = 0; i < gmem_plan_buffer_count(plan); ++i) {
    gmem_buffer_layout_t layout;
    gmem_buffer_info_t buffer;
    double before = 0, last = 0, after = 0; // do not wrap
    if (gmem_layouts_read(plan, i, &layout, NULL) != GMEM_OK)
      continue;
    for (uint32_t k = 0; k < layout.rank; ++k) {
      double stride = (double)layout.strides[k];
      if (!layout.sizes[k] || !layout.strides[k] ||
          layout.valid_begin[k] >= layout.valid_end[k] ||
          layout.valid_end[k] > layout.sizes[k])
        return false;
      before += (double)layout.before[k] * stride;
      last += (double)(layout.sizes[k] - 1) * stride;
      after += (double)layout.after[k] * stride;
    }
    double element = (double)layout.element;
    if (gmem_plan_buffer(plan, i, &buffer) != GMEM_OK || !layout.element ||
        layout.border >= GMEM_PLAN_BORDERS ||
        (last + 1) * element != (double)buffer.payload ||
        before * element > (double)buffer.payload_offset ||
        (last + 1 + after) * element >
            (double)(buffer.size - buffer.payload_offset))
      return false;
  }
  return true;
}

static inline bool plan_is_true(const gmem_plan_t *plan) {
  return buffers_are_true(plan) && groups_are_true(plan) &&
         workbuffers_are_true(plan) && weights_are_true(plan) &&
         contents_are_true(plan) && relocs_are_true(plan) &&
         copies_are_true(plan) && spans_are_true(plan) &&
         transforms_are_true(plan) && layouts_are_true(plan);
}

#endif // GMEM_TEST_UNIT_PLAN_CHECKER_H_
