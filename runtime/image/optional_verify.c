// optional_verify.c - verifies the optional sections of an image: groups,
// workbuffers, weights, contents, payloads, relocations, copies, spans,
// transforms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An absent section has no entries, so the same checks apply. Most rules relate
// an entry to the previous one: a function checks entry |id|, given that all
// entries before it are valid.

#include "optional_verify.h"

#include <inttypes.h>

#include "image_codec.h"
#include "name_check.h"
#include "plan_image.h"
#include "runtime_support.h"
#include "transform_chain.h"

typedef const char *(*problem_fn)(const gmem_image_view_t *view, uint32_t id);

static gmem_status_t entry_error(const gmem_image_view_t *view,
                                 gmem_image_section_id_t section, uint32_t id,
                                 const char *problem, gmem_diag_t *diag) {
  return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE,
                         view->section[section].offset +
                             (uint64_t)id * gmem_image_entry_size(section),
                         id, "entry %" PRIu32 " of the %s %s", id,
                         gmem_image_kind(section)->name, problem);
}

static gmem_status_t check_each(const gmem_image_view_t *view,
                                gmem_image_section_id_t section,
                                problem_fn problem_of, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < view->section[section].count; ++i) {
    const char *problem = problem_of(view, i);
    if (problem)
      return entry_error(view, section, i, problem, diag);
  }
  return GMEM_OK;
}

// The entries of |section| must refer to exactly |count| items; |used| is the
// number that they refer to.
static gmem_status_t check_all_used(const gmem_image_view_t *view,
                                    gmem_image_section_id_t section,
                                    uint64_t used, uint64_t count,
                                    gmem_diag_t *diag) {
  if (used == count)
    return GMEM_OK;
  return gmem_rt_fail_at(
      diag, GMEM_ERR_CORRUPT, view->section[section].offset, used,
      "the number of %s does not match the entries that refer to them",
      gmem_image_kind(section)->name);
}

static bool buffer_exists(const gmem_image_view_t *view, uint32_t id) {
  return id < view->section[GMEM_IMAGE_BUFFERS].count;
}

//===--- groups -----------------------------------------------------------===//

// The end of the members of the groups before |id|, which were verified.
static uint32_t next_member(const gmem_image_view_t *view, uint32_t id) {
  if (id == 0)
    return 0;
  gmem_image_group_t before = gmem_image_group(view, id - 1);
  return before.first_member + before.member_count;
}

static const char *group_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_group_t group = gmem_image_group(view, id);
  uint32_t first = next_member(view, id);
  if (group.first_member != first ||
      group.member_count > view->section[GMEM_IMAGE_MEMBERS].count - first)
    return "has members of another group";
  for (uint32_t i = 0; i < group.member_count; ++i) {
    uint32_t member = gmem_image_member(view, first + i);
    if (!buffer_exists(view, member))
      return "refers to a buffer that does not exist";
    if (i > 0 && gmem_image_member(view, first + i - 1) >= member)
      return "has members that are not in ascending order";
  }
  return NULL;
}

static gmem_status_t check_groups(const gmem_image_view_t *view,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  uint32_t count = view->section[GMEM_IMAGE_GROUPS].count;
  GMEM_TRY(check_each(view, GMEM_IMAGE_GROUPS, group_problem, diag));
  GMEM_TRY(check_all_used(view, GMEM_IMAGE_MEMBERS, next_member(view, count),
                          view->section[GMEM_IMAGE_MEMBERS].count, diag));
  return gmem_image_check_group_names(view, allocator, diag);
}

//===--- workbuffers ------------------------------------------------------===//

static const char *workbuffer_problem(const gmem_image_view_t *view,
                                      uint32_t id) {
  gmem_workbuffer_t work = gmem_image_workbuffer(view, id);
  if (work.op >= view->section[GMEM_IMAGE_OPS].count)
    return "refers to a step that does not exist";
  if (id > 0 && gmem_image_workbuffer(view, id - 1).op > work.op)
    return "is not in ascending order of steps";
  if (!buffer_exists(view, work.buffer))
    return "refers to a buffer that does not exist";
  gmem_image_buffer_t buffer = gmem_image_buffer(view, work.buffer);
  if (buffer.space == GMEM_SPACE_WEIGHT || buffer.space == GMEM_SPACE_IO)
    return "has a buffer of a space that cannot hold workbuffers";
  if (buffer.space == GMEM_SPACE_ACTIVATION &&
      gmem_image_range_at(view, &buffer, work.op) == GMEM_NONE)
    return "has a buffer that is not live at its step";
  return NULL;
}

// Checks that no step has a workbuffer twice, by recording for each buffer the
// last step that uses it.
static gmem_status_t check_work_distinct(const gmem_image_view_t *view,
                                         const gmem_allocator_t *allocator,
                                         gmem_diag_t *diag) {
  uint32_t buffer_count = view->section[GMEM_IMAGE_BUFFERS].count;
  uint32_t count = view->section[GMEM_IMAGE_WORKBUFFERS].count;
  if (count == 0)
    return GMEM_OK;
  uint32_t *last;
  GMEM_RT_ALLOC(last, allocator, buffer_count, diag);
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < count && status == GMEM_OK; ++i) {
    gmem_workbuffer_t work = gmem_image_workbuffer(view, i);
    if (last[work.buffer] == work.op + 1)
      status = entry_error(view, GMEM_IMAGE_WORKBUFFERS, i,
                           "repeats a buffer of the same step", diag);
    last[work.buffer] = work.op + 1; // 0: none
  }
  GMEM_RT_FREE(allocator, last, buffer_count);
  return status;
}

//===--- weights and contents ---------------------------------------------===//

static const char *weight_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_weight_t weight = gmem_image_weight(view, id);
  if (!buffer_exists(view, weight.buffer))
    return "refers to a buffer that does not exist";
  if (id > 0 && gmem_image_weight(view, id - 1).buffer >= weight.buffer)
    return "is not in ascending order of buffers";
  if (weight.reserved != 0)
    return "has a reserved field that is not zero";
  gmem_image_buffer_t buffer = gmem_image_buffer(view, weight.buffer);
  bool is_work =
      buffer.space == GMEM_SPACE_SHARED_WORK && weight.transform != 0;
  if ((buffer.space != GMEM_SPACE_WEIGHT && !is_work) ||
      buffer.parent != GMEM_NONE || buffer.size == 0)
    return "refers to a buffer that is not a weight, is an alias or is empty";
  if (weight.source_size > GMEM_PLAN_MAX_ADDRESS ||
      (weight.transform == 0 && weight.source_size != buffer.payload))
    return "has a wrong source size";
  return NULL;
}

// The end of the contents before |id|, which were verified.
static uint64_t next_data(const gmem_image_view_t *view, uint32_t id) {
  if (id == 0)
    return 0;
  gmem_image_content_t before = gmem_image_content(view, id - 1);
  return before.offset + before.size;
}

static const char *content_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_content_t content = gmem_image_content(view, id);
  if (content.region >= view->section[GMEM_IMAGE_REGIONS].count)
    return "refers to a region that does not exist";
  if (id > 0 && gmem_image_content(view, id - 1).region >= content.region)
    return "is not in ascending order of regions";
  if (content.reserved != 0)
    return "has a reserved field that is not zero";
  gmem_image_region_t region = gmem_image_region(view, content.region);
  if (!gmem_image_shared(region.space) || region.size == 0)
    return "refers to a region that is empty or not shared";
  if (content.offset != next_data(view, id) ||
      content.size != gmem_rt_round_up(region.size, GMEM_IMAGE_PAGE))
    return "is not at its expected offset, or does not have the size of its "
           "region";
  return NULL;
}

static bool has_content(const gmem_image_view_t *view, uint32_t region) {
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_CONTENTS].count; ++i)
    if (gmem_image_content(view, i).region == region)
      return true;
  return false;
}

// Each weight in a region with content must have a digest: its bytes cannot be
// verified otherwise.
static gmem_status_t check_weights_known(const gmem_image_view_t *view,
                                         gmem_diag_t *diag) {
  uint64_t with_content = 0; // bit i: region i
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_REGIONS].count; ++i)
    with_content |= (uint64_t)has_content(view, i) << i;
  if (with_content == 0)
    return GMEM_OK;
  uint32_t next = 0; // first weight entry at or after the buffer
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    if (next < view->section[GMEM_IMAGE_WEIGHTS].count &&
        gmem_image_weight(view, next).buffer == i)
      ++next;
    else if (buffer.space == GMEM_SPACE_WEIGHT && buffer.parent == GMEM_NONE &&
             buffer.size > 0 && (with_content >> buffer.region & 1))
      return entry_error(view, GMEM_IMAGE_BUFFERS, i,
                         "is a weight with content but without a digest", diag);
  }
  return GMEM_OK;
}

static gmem_status_t check_contents(const gmem_image_view_t *view,
                                    gmem_diag_t *diag) {
  GMEM_TRY(check_each(view, GMEM_IMAGE_CONTENTS, content_problem, diag));
  GMEM_TRY(
      check_all_used(view, GMEM_IMAGE_DATA,
                     next_data(view, view->section[GMEM_IMAGE_CONTENTS].count),
                     view->size - view->meta_size, diag));
  return check_weights_known(view, diag);
}

//===--- payloads ---------------------------------------------------------===//

// Payload offsets are not allowed for weights, whose digests cover the bytes
// from the start of the buffer.
static const char *payload_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_payload_t payload = gmem_image_payload(view, id);
  if (!buffer_exists(view, payload.buffer))
    return "refers to a buffer that does not exist";
  if (id > 0 && gmem_image_payload(view, id - 1).buffer >= payload.buffer)
    return "is not in ascending order of buffers";
  if (payload.reserved != 0)
    return "has a reserved field that is not zero";
  gmem_image_buffer_t buffer = gmem_image_buffer(view, payload.buffer);
  if (buffer.space == GMEM_SPACE_WEIGHT || payload.offset == 0 ||
      payload.offset > buffer.size - buffer.payload)
    return "refers to a weight, or is not inside of its buffer";
  return NULL;
}

//===--- relocations ------------------------------------------------------===//

static uint64_t reloc_width(const gmem_reloc_t *reloc) {
  return reloc->kind == GMEM_RELOC_ABS64 ? 8 : 4;
}

static const char *reloc_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_reloc_t reloc = gmem_image_reloc(view, id);
  if (reloc.kind > GMEM_RELOC_HI32)
    return "has an unknown kind";
  if (reloc.where > GMEM_PLAN_MAX_ADDRESS - reloc_width(&reloc))
    return "is past the end of any stream";
  if (!buffer_exists(view, reloc.buffer) ||
      reloc.addend > gmem_image_buffer(view, reloc.buffer).size)
    return "refers to a buffer that does not exist, or exceeds its size";
  if (id == 0)
    return NULL;
  gmem_reloc_t before = gmem_image_reloc(view, id - 1);
  if (before.stream > reloc.stream ||
      (before.stream == reloc.stream &&
       before.where + reloc_width(&before) > reloc.where))
    return "overlaps or precedes the previous one";
  return NULL;
}

//===--- copies -----------------------------------------------------------===//

// Whether two payloads begin at the same byte.
static bool is_one_place(const gmem_image_view_t *view, uint32_t left,
                         uint32_t right) {
  gmem_image_buffer_t one = gmem_image_buffer(view, left);
  gmem_image_buffer_t other = gmem_image_buffer(view, right);
  return one.region == other.region &&
         one.offset + gmem_image_payload_offset(view, left) ==
             other.offset + gmem_image_payload_offset(view, right);
}

// Whether copy |right| may follow |left|.
static bool is_in_order(const gmem_plan_copy_t *left,
                        const gmem_plan_copy_t *right) {
  if (left->op != right->op)
    return left->op < right->op;
  if (left->edge != right->edge)
    return left->edge < right->edge;
  return left->number <= right->number;
}

static const char *copy_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_plan_copy_t copy = gmem_image_copy(view, id);
  if (copy.op >= view->section[GMEM_IMAGE_OPS].count)
    return "refers to a step that does not exist";
  if (copy.edge >= GMEM_COPY_EDGES || (copy.flags & ~GMEM_COPY_CYCLE) ||
      copy.reserved != 0)
    return "has an unknown edge or flag, or a reserved field that is not zero";
  if (id > 0) {
    gmem_plan_copy_t before = gmem_image_copy(view, id - 1);
    if (!is_in_order(&before, &copy))
      return "is not in ascending order of steps, edges and numbers";
  }
  if (!buffer_exists(view, copy.from) || !buffer_exists(view, copy.to))
    return "refers to a buffer that does not exist";
  gmem_image_buffer_t from = gmem_image_buffer(view, copy.from);
  gmem_image_buffer_t to = gmem_image_buffer(view, copy.to);
  if (copy.size == 0 || copy.size > from.payload || copy.size > to.payload)
    return "is empty, or larger than a payload";
  if (gmem_image_shared(to.space))
    return "writes to a buffer that is shared by all requests";
  if (is_one_place(view, copy.from, copy.to))
    return "copies a payload to its own place";
  return NULL;
}

//===--- spans ------------------------------------------------------------===//

static const char *span_problem(const gmem_image_view_t *view, uint32_t id) {
  gmem_image_span_t span = gmem_image_span(view, id);
  if (span.begin >= span.end || span.end > view->section[GMEM_IMAGE_OPS].count)
    return "is empty, or has a step that does not exist";
  if (id > 0 && gmem_image_span(view, id - 1).begin > span.begin)
    return "is not in ascending order of steps";
  return NULL;
}

//===--- transforms -------------------------------------------------------===//

static uint32_t buffer_of_weight(const gmem_image_view_t *view, uint32_t id) {
  return gmem_image_weight(view, id).buffer;
}

// What is wrong with the chain [begin, end) of |buffer|.
static const char *chain_problem(const gmem_image_view_t *view, uint32_t buffer,
                                 uint32_t begin, uint32_t end) {
  uint32_t count = view->section[GMEM_IMAGE_WEIGHTS].count;
  uint32_t at =
      gmem_image_first_at_least(view, 0, count, buffer_of_weight, buffer);
  if (at == count || buffer_of_weight(view, at) != buffer ||
      gmem_image_buffer(view, buffer).space != GMEM_SPACE_WEIGHT)
    return "refers to a buffer that is not a weight with a digest";
  if (gmem_image_transform(view, end - 1).size !=
      gmem_image_buffer(view, buffer).payload)
    return "ends a chain whose result is not as large as its weight";
  if (gmem_image_weight(view, at).transform !=
      gmem_image_chain_number(view, begin, end))
    return "ends a chain whose number is not that of its weight";
  return NULL;
}

static const char *transform_problem(const gmem_image_view_t *view,
                                     uint32_t id) {
  gmem_image_transform_t step = gmem_image_transform(view, id);
  uint32_t begin = id, end = id + 1;
  bool is_last = end == view->section[GMEM_IMAGE_TRANSFORMS].count;
  uint32_t next = is_last ? 0 : gmem_image_transform(view, end).buffer;
  if (!is_last && next < step.buffer)
    return "is followed by one that breaks the ascending order of buffers";
  if (step.reserved != 0)
    return "has a reserved field that is not zero";
  if (step.size == 0 || step.size > GMEM_PLAN_MAX_ADDRESS)
    return "has a result that is empty or too large";
  if (!is_last && next == step.buffer)
    return NULL; // the last one of a chain answers for it
  while (begin > 0 &&
         gmem_image_transform(view, begin - 1).buffer == step.buffer)
    --begin;
  return chain_problem(view, step.buffer, begin, end);
}

gmem_status_t gmem_image_check_optional(const gmem_image_view_t *view,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag) {
  GMEM_TRY(check_groups(view, allocator, diag));
  GMEM_TRY(check_each(view, GMEM_IMAGE_WORKBUFFERS, workbuffer_problem, diag));
  GMEM_TRY(check_work_distinct(view, allocator, diag));
  GMEM_TRY(check_each(view, GMEM_IMAGE_WEIGHTS, weight_problem, diag));
  GMEM_TRY(check_contents(view, diag));
  GMEM_TRY(check_each(view, GMEM_IMAGE_PAYLOADS, payload_problem, diag));
  GMEM_TRY(check_each(view, GMEM_IMAGE_RELOCS, reloc_problem, diag));
  GMEM_TRY(check_each(view, GMEM_IMAGE_COPIES, copy_problem, diag));
  GMEM_TRY(check_each(view, GMEM_IMAGE_SPANS, span_problem, diag));
  GMEM_TRY(gmem_image_check_span_names(view, diag));
  GMEM_TRY(gmem_image_check_transform_names(view, diag));
  return check_each(view, GMEM_IMAGE_TRANSFORMS, transform_problem, diag);
}
