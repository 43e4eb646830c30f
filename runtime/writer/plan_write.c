// plan_write.c - writes plan images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the properties that the layout depends on are checked first; then the
// image is encoded and verified with the loader's checks before it is returned.

#include <inttypes.h>
#include <string.h>

#include "content_check.h"
#include "dimension_check.h"
#include "image_codec.h"
#include "image_encode.h"
#include "image_open.h"
#include "image_writer.h"
#include "plan_verify.h"
#include "runtime_support.h"

typedef gmem_image_writer_t writer_t;

//===--- layout -----------------------------------------------------------===//

// Adds the |count| entries at |entries| to a section.
static gmem_status_t add(writer_t *writer, gmem_image_section_id_t section,
                         uint32_t count, const void *entries) {
  const gmem_image_kind_t *kind = gmem_image_kind(section);
  if (count > kind->max_count - writer->counts[section])
    return gmem_rt_fail(writer->diag, GMEM_ERR_OUT_OF_RANGE,
                        "more than %" PRIu32 " %s", kind->max_count,
                        kind->name);
  if (count && !entries)
    return gmem_rt_fail(writer->diag, GMEM_ERR_INVALID_ARGUMENT,
                        "the %s are NULL", kind->name);
  writer->counts[section] += count;
  return GMEM_OK;
}

// Adds one name to a section of names.
static gmem_status_t add_name(writer_t *writer, gmem_image_section_id_t section,
                              const char *name, const char *kind, uint32_t id) {
  size_t length = name ? strnlen(name, GMEM_PLAN_MAX_NAME + 1) : 0;
  if (!name || length > GMEM_PLAN_MAX_NAME)
    return gmem_rt_fail_at(writer->diag, GMEM_ERR_INVALID_ARGUMENT, 0, id,
                           "the name of %s %" PRIu32
                           " is NULL or longer than 255 bytes",
                           kind, id);
  return add(writer, section, (uint32_t)length + 1, name);
}

static gmem_status_t check_align(writer_t *writer, uint64_t align,
                                 const char *kind, uint32_t id) {
  if (align > GMEM_PLAN_MAX_ALIGNMENT)
    return gmem_rt_fail_at(writer->diag, GMEM_ERR_ALIGNMENT, 0, id,
                           "the alignment of %s %" PRIu32 " is above 2^30",
                           kind, id);
  return GMEM_OK;
}

static gmem_status_t measure_region(writer_t *writer, uint32_t id) {
  const gmem_region_info_t *region = &writer->desc->regions[id];
  GMEM_TRY(check_align(writer, region->align, "region", id));
  return add_name(writer, GMEM_IMAGE_NAMES, region->name, "region", id);
}

static gmem_status_t measure_buffer(writer_t *writer, uint32_t id) {
  const gmem_buffer_info_t *buffer = &writer->desc->buffers[id];
  GMEM_TRY(check_align(writer, buffer->align, "buffer", id));
  GMEM_TRY(add(writer, GMEM_IMAGE_RANGES, buffer->range_count, buffer->ranges));
  // At most one per buffer, and there may be as many as buffers: cannot fail.
  writer->counts[GMEM_IMAGE_PAYLOADS] += buffer->payload_offset != 0;
  return add_name(writer, GMEM_IMAGE_NAMES, buffer->name, "buffer", id);
}

static gmem_status_t measure_group(writer_t *writer, uint32_t id) {
  const gmem_group_info_t *group = &writer->desc->groups[id];
  GMEM_TRY(
      add(writer, GMEM_IMAGE_MEMBERS, group->member_count, group->members));
  return add_name(writer, GMEM_IMAGE_GROUP_NAMES, group->name, "group", id);
}

static gmem_status_t measure_content(writer_t *writer, uint32_t id) {
  const gmem_plan_desc_t *desc = writer->desc;
  const gmem_content_t *content = &desc->contents[id];
  if (content->region >= desc->region_count ||
      desc->regions[content->region].size > GMEM_PLAN_MAX_FILE)
    return gmem_rt_fail_at(
        writer->diag, GMEM_ERR_OUT_OF_RANGE, 0, id,
        "content %" PRIu32
        " refers to a region that does not exist, or is too large",
        id);
  uint64_t size = desc->regions[content->region].size;
  return add(
      writer, GMEM_IMAGE_DATA,
      (uint32_t)(gmem_rt_round_up(size, GMEM_IMAGE_PAGE) / GMEM_IMAGE_PAGE),
      content->bytes);
}

static gmem_status_t add_entries(writer_t *writer) {
  const gmem_plan_desc_t *desc = writer->desc;
  GMEM_TRY(add(writer, GMEM_IMAGE_REGIONS, desc->region_count, desc->regions));
  GMEM_TRY(add(writer, GMEM_IMAGE_BUFFERS, desc->buffer_count, desc->buffers));
  writer->counts[GMEM_IMAGE_NAME_ORDER] = desc->buffer_count;
  GMEM_TRY(add(writer, GMEM_IMAGE_OPS, desc->op_count, desc));
  GMEM_TRY(add(writer, GMEM_IMAGE_GROUPS, desc->group_count, desc->groups));
  GMEM_TRY(add(writer, GMEM_IMAGE_WEIGHTS, desc->weight_count, desc->weights));
  GMEM_TRY(add(writer, GMEM_IMAGE_RELOCS, desc->reloc_count, desc->relocs));
  GMEM_TRY(add(writer, GMEM_IMAGE_COPIES, desc->copy_count, desc->copies));
  GMEM_TRY(add(writer, GMEM_IMAGE_DIMENSIONS, desc->dimension_count,
               desc->dimensions));
  GMEM_TRY(add(writer, GMEM_IMAGE_WORKBUFFERS, desc->workbuffer_count,
               desc->workbuffers));
  return add(writer, GMEM_IMAGE_CONTENTS, desc->content_count, desc->contents);
}

// Spans are checked when the image is; only their names are needed before.
static gmem_status_t measure_spans(writer_t *writer) {
  const gmem_plan_desc_t *desc = writer->desc;
  GMEM_TRY(add(writer, GMEM_IMAGE_SPANS, desc->span_count, desc->spans));
  for (uint32_t i = 0; i < desc->span_count; ++i)
    GMEM_TRY(add_name(writer, GMEM_IMAGE_SPAN_NAMES, desc->spans[i].name,
                      "span", i));
  return GMEM_OK;
}

static gmem_status_t measure_transforms(writer_t *writer) {
  const gmem_plan_desc_t *desc = writer->desc;
  GMEM_TRY(add(writer, GMEM_IMAGE_TRANSFORMS, desc->transform_count,
               desc->transforms));
  for (uint32_t i = 0; i < desc->transform_count; ++i)
    GMEM_TRY(add_name(writer, GMEM_IMAGE_TRANSFORM_NAMES,
                      desc->transforms[i].name, "transform", i));
  return GMEM_OK;
}

static gmem_status_t measure(writer_t *writer) {
  const gmem_plan_desc_t *desc = writer->desc;
  GMEM_TRY(add_entries(writer));
  for (uint32_t i = 0; i < desc->region_count; ++i)
    GMEM_TRY(measure_region(writer, i));
  for (uint32_t i = 0; i < desc->buffer_count; ++i)
    GMEM_TRY(measure_buffer(writer, i));
  for (uint32_t i = 0; i < desc->op_count; ++i)
    if (gmem_image_op_name(writer, i)[0] != '\0')
      GMEM_TRY(add_name(writer, GMEM_IMAGE_NAMES, gmem_image_op_name(writer, i),
                        "op", i));
  for (uint32_t i = 0; i < desc->group_count; ++i)
    GMEM_TRY(measure_group(writer, i));
  for (uint32_t i = 0; i < desc->content_count; ++i)
    GMEM_TRY(measure_content(writer, i));
  GMEM_TRY(measure_spans(writer));
  return measure_transforms(writer);
}

static gmem_status_t lay_out(writer_t *writer) {
  for (uint32_t id = 0; id < GMEM_IMAGE_SECTION_END; ++id)
    writer->section_count += gmem_image_has_section(writer, id);
  uint64_t end = sizeof(gmem_image_header_t) +
                 writer->section_count * sizeof(gmem_image_section_t);
  for (uint32_t id = 0; id < GMEM_IMAGE_SECTION_END; ++id) {
    if (!gmem_image_has_section(writer, id))
      continue;
    const gmem_image_kind_t *kind = gmem_image_kind(id);
    writer->offsets[id] = gmem_rt_round_up(end, kind->align);
    end = writer->offsets[id] + writer->counts[id] * kind->entry_size;
  }
  writer->size = gmem_rt_round_up(end, GMEM_IMAGE_ALIGN);
  writer->meta_size = gmem_image_has_section(writer, GMEM_IMAGE_DATA)
                          ? writer->offsets[GMEM_IMAGE_DATA]
                          : writer->size;
  GMEM_ASSERT(writer->meta_size <= writer->size);
  if (writer->size > GMEM_PLAN_MAX_FILE)
    return gmem_rt_fail(writer->diag, GMEM_ERR_OUT_OF_RANGE,
                        "the image is larger than 2^40 bytes");
  return GMEM_OK;
}

//===--- verification -----------------------------------------------------===//

// Runs the loader's checks. File offsets and the status CORRUPT are removed
// from failures, because there is no file yet.
static gmem_status_t verify_metadata(const writer_t *writer,
                                     gmem_image_view_t *out_view,
                                     const gmem_allocator_t *allocator) {
  gmem_image_facts_t facts;
  gmem_status_t status =
      gmem_image_open(writer->data, writer->size, out_view, writer->diag);
  if (status == GMEM_OK)
    status = gmem_image_verify(out_view, allocator, &facts, writer->diag);
  for (uint32_t i = 0; status == GMEM_OK && i < writer->desc->dimension_count;
       ++i)
    status = gmem_image_check_dimension(out_view, i, writer->diag);
  if (status == GMEM_ERR_CORRUPT)
    status = GMEM_ERR_INVALID_ARGUMENT;
  if (status != GMEM_OK && writer->diag) {
    writer->diag->status = status;
    writer->diag->offset = 0;
  }
  return status;
}

static gmem_status_t verify_image(const writer_t *writer,
                                  const gmem_allocator_t *allocator) {
  gmem_image_view_t view;
  GMEM_TRY(verify_metadata(writer, &view, allocator));
  for (uint32_t i = 0; i < writer->desc->content_count; ++i) {
    const gmem_content_t *content = &writer->desc->contents[i];
    GMEM_TRY(gmem_image_check_content(&view, content->region, content->bytes,
                                      writer->diag));
  }
  return GMEM_OK;
}

// Encodes and verifies the image. writer->data has |size| bytes, the size of
// the image or of the part before the data section, and is freed on failure.
static gmem_status_t encode(writer_t *writer, const uint64_t *size,
                            const gmem_allocator_t *allocator) {
  GMEM_TRY(measure(writer));
  GMEM_TRY(lay_out(writer));
  writer->data = gmem_rt_alloc(allocator, *size, 1);
  if (!writer->data)
    return gmem_rt_out_of_memory(writer->diag);
  gmem_status_t status = gmem_image_encode(writer, allocator);
  if (status == GMEM_OK)
    status = verify_image(writer, allocator);
  if (status != GMEM_OK)
    gmem_rt_free(allocator, writer->data, *size, 1);
  return status;
}

//===--- entry points -----------------------------------------------------===//

// Passes the data section to |sink| piece by piece.
static gmem_status_t put_data(const writer_t *writer, gmem_plan_sink_fn sink,
                              void *user) {
  static const uint8_t zeros[256] = {0};
  for (uint32_t i = 0; i < writer->desc->content_count; ++i) {
    const gmem_content_t *content = &writer->desc->contents[i];
    uint64_t size = writer->desc->regions[content->region].size;
    GMEM_TRY(sink(user, content->bytes, (size_t)size, writer->diag));
    uint64_t padding = gmem_rt_round_up(size, GMEM_IMAGE_PAGE) - size;
    while (padding > 0) {
      size_t piece = padding < sizeof zeros ? (size_t)padding : sizeof zeros;
      GMEM_TRY(sink(user, zeros, piece, writer->diag));
      padding -= piece;
    }
  }
  return GMEM_OK;
}

gmem_status_t gmem_plan_write_to(const gmem_plan_desc_t *desc,
                                 const gmem_allocator_t *allocator,
                                 gmem_plan_sink_fn sink, void *user,
                                 gmem_diag_t *diag) {
  if (!desc || !sink)
    return gmem_rt_invalid(diag, "desc or sink is NULL");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  writer_t writer = {.desc = desc, .diag = diag};
  GMEM_TRY(encode(&writer, &writer.meta_size, &own));
  gmem_status_t status =
      sink(user, writer.data, (size_t)writer.meta_size, diag);
  gmem_rt_free(&own, writer.data, writer.meta_size, 1);
  return status == GMEM_OK ? put_data(&writer, sink, user) : status;
}

// |user| points to the destination of the next bytes.
static gmem_status_t append(void *user, const void *bytes, size_t size,
                            gmem_diag_t *diag) {
  uint8_t **next = user;
  (void)diag;
  memcpy(*next, bytes, size);
  *next += size;
  return GMEM_OK;
}

gmem_status_t gmem_plan_write(const gmem_plan_desc_t *desc,
                              const gmem_allocator_t *allocator,
                              void **out_data, size_t *out_size,
                              gmem_diag_t *diag) {
  if (!out_data || !out_size)
    return gmem_rt_invalid(diag, "an output pointer is NULL");
  *out_data = NULL;
  *out_size = 0;
  if (!desc)
    return gmem_rt_invalid(diag, "desc is NULL");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  writer_t writer = {.desc = desc, .diag = diag};
  GMEM_TRY(encode(&writer, &writer.size, &own));
  uint8_t *next = writer.data + writer.meta_size;
  (void)put_data(&writer, append, &next); // |append| cannot fail
  *out_data = writer.data;
  *out_size = (size_t)writer.size;
  return GMEM_OK;
}

void gmem_plan_data_free(const gmem_allocator_t *allocator, void *data,
                         size_t size) {
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_rt_free(&own, data, size, 1);
}
