// plan_write.c - makes plan images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what must be known to lay the bytes out is checked first; then the image
// is encoded, and the loader's own proof decides whether it is handed out.

#include <inttypes.h>
#include <string.h>

#include "id_sort.h"
#include "plan_image.h"
#include "runtime_support.h"
#include "sha256.h"

// An image in the making.
typedef struct writer_s {
  const gmem_plan_desc_t *desc;
  gmem_diag_t *diag;
  uint64_t counts[GMEM_IMAGE_SECTION_END];  // entries of each section
  uint64_t offsets[GMEM_IMAGE_SECTION_END]; // from the start of the image
  uint8_t *data;
  uint64_t size;
  uint32_t next_name; // where the next name goes in the names section
} writer_t;

enum {
  SECTION_COUNT = GMEM_IMAGE_SECTION_END - 1,
  TABLE_END =
      sizeof(gmem_image_header_t) + SECTION_COUNT * sizeof(gmem_image_section_t)
};

static gmem_status_t invalid(gmem_diag_t *diag, const char *text) {
  return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s", text);
}

static const char *op_name(const gmem_plan_desc_t *desc, uint32_t op) {
  const char *name = desc->op_names ? desc->op_names[op] : NULL;
  return name ? name : "";
}

//===--- measuring --------------------------------------------------------===//

static gmem_status_t check_counts(const gmem_plan_desc_t *desc,
                                  gmem_diag_t *diag) {
  if (desc->region_count > GMEM_PLAN_MAX_REGIONS)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE, "more than %u regions",
                        GMEM_PLAN_MAX_REGIONS);
  if (desc->buffer_count > GMEM_PLAN_MAX_BUFFERS)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE, "more than %u buffers",
                        GMEM_PLAN_MAX_BUFFERS);
  if (desc->op_count > GMEM_PLAN_MAX_OPS)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE, "more than %u ops",
                        GMEM_PLAN_MAX_OPS);
  if ((desc->region_count && !desc->regions) ||
      (desc->buffer_count && !desc->buffers))
    return invalid(diag, "regions or buffers are NULL");
  return GMEM_OK;
}

// Adds one name to the size of the names section.
static gmem_status_t measure_name(writer_t *writer, const char *name,
                                  const char *kind, uint32_t id) {
  if (!name || strnlen(name, GMEM_PLAN_MAX_NAME + 1) > GMEM_PLAN_MAX_NAME)
    return gmem_rt_fail_at(writer->diag, GMEM_ERR_INVALID_ARGUMENT, 0, id,
                           "the name of %s %" PRIu32
                           " is NULL or longer than 255 bytes",
                           kind, id);
  writer->counts[GMEM_IMAGE_NAMES] += strlen(name) + 1;
  return GMEM_OK;
}

static gmem_status_t measure_align(writer_t *writer, uint64_t align,
                                   const char *kind, uint32_t id) {
  if (align > GMEM_PLAN_MAX_ALIGNMENT)
    return gmem_rt_fail_at(writer->diag, GMEM_ERR_ALIGNMENT, 0, id,
                           "the alignment of %s %" PRIu32 " is above 2^30",
                           kind, id);
  return GMEM_OK;
}

static gmem_status_t measure_region(writer_t *writer, uint32_t id) {
  const gmem_region_info_t *region = &writer->desc->regions[id];
  GMEM_RT_TRY(measure_align(writer, region->align, "region", id));
  return measure_name(writer, region->name, "region", id);
}

static gmem_status_t measure_buffer(writer_t *writer, uint32_t id) {
  const gmem_buffer_info_t *buffer = &writer->desc->buffers[id];
  GMEM_RT_TRY(measure_align(writer, buffer->align, "buffer", id));
  if (buffer->range_count && !buffer->ranges)
    return gmem_rt_fail_at(writer->diag, GMEM_ERR_INVALID_ARGUMENT, 0, id,
                           "the ranges of buffer %" PRIu32 " are NULL", id);
  writer->counts[GMEM_IMAGE_RANGES] += buffer->range_count;
  if (writer->counts[GMEM_IMAGE_RANGES] > GMEM_PLAN_MAX_RANGES)
    return gmem_rt_fail(writer->diag, GMEM_ERR_OUT_OF_RANGE,
                        "more than %u live ranges", GMEM_PLAN_MAX_RANGES);
  return measure_name(writer, buffer->name, "buffer", id);
}

static gmem_status_t measure(writer_t *writer) {
  const gmem_plan_desc_t *desc = writer->desc;
  writer->counts[GMEM_IMAGE_REGIONS] = desc->region_count;
  writer->counts[GMEM_IMAGE_BUFFERS] = desc->buffer_count;
  writer->counts[GMEM_IMAGE_OPS] = desc->op_count;
  writer->counts[GMEM_IMAGE_NAME_ORDER] = desc->buffer_count;
  for (uint32_t i = 0; i < desc->region_count; ++i)
    GMEM_RT_TRY(measure_region(writer, i));
  for (uint32_t i = 0; i < desc->buffer_count; ++i)
    GMEM_RT_TRY(measure_buffer(writer, i));
  for (uint32_t i = 0; i < desc->op_count; ++i)
    if (op_name(desc, i)[0] != '\0')
      GMEM_RT_TRY(measure_name(writer, op_name(desc, i), "op", i));
  if (writer->counts[GMEM_IMAGE_NAMES] > UINT32_MAX)
    return gmem_rt_fail(writer->diag, GMEM_ERR_OUT_OF_RANGE,
                        "the names have more than 2^32 - 1 bytes");
  return GMEM_OK;
}

static void lay_out(writer_t *writer) {
  uint64_t end = TABLE_END;
  for (uint32_t id = GMEM_IMAGE_REGIONS; id < GMEM_IMAGE_SECTION_END; ++id) {
    uint64_t at = gmem_rt_round_up(end, GMEM_IMAGE_ALIGN);
    writer->offsets[id] = at;
    end = at + writer->counts[id] *
                   gmem_image_entry_size((gmem_image_section_id_t)id);
  }
  writer->size = gmem_rt_round_up(end, GMEM_IMAGE_ALIGN);
}

//===--- encoding ---------------------------------------------------------===//

static uint8_t *entry(const writer_t *writer, gmem_image_section_id_t section,
                      uint32_t id) {
  return writer->data + writer->offsets[section] +
         (uint64_t)id * gmem_image_entry_size(section);
}

// Appends a name; returns where it is in the names section.
static uint32_t put_name(writer_t *writer, const char *name) {
  uint32_t at = writer->next_name;
  size_t size = strlen(name) + 1;
  memcpy(entry(writer, GMEM_IMAGE_NAMES, at), name, size);
  writer->next_name += (uint32_t)size;
  return at;
}

static void put_regions(writer_t *writer) {
  for (uint32_t i = 0; i < writer->desc->region_count; ++i) {
    const gmem_region_info_t *info = &writer->desc->regions[i];
    gmem_image_region_t region = {
        .base = info->base,
        .size = info->size,
        .align = (uint32_t)info->align,
        .space = (uint32_t)info->space,
        .name_offset = put_name(writer, info->name),
        .name_length = (uint32_t)strlen(info->name),
    };
    gmem_image_put_region(entry(writer, GMEM_IMAGE_REGIONS, i), &region);
  }
}

// Writes the ranges of one buffer from entry |first| on.
static void put_ranges(writer_t *writer, const gmem_buffer_info_t *info,
                       uint32_t first) {
  for (uint32_t i = 0; i < info->range_count; ++i) {
    uint8_t *bytes = entry(writer, GMEM_IMAGE_RANGES, first + i);
    gmem_image_store_u32(bytes, info->ranges[i].begin);
    gmem_image_store_u32(bytes + 4, info->ranges[i].end);
  }
}

static void put_buffers(writer_t *writer) {
  uint32_t next_range = 0;
  for (uint32_t i = 0; i < writer->desc->buffer_count; ++i) {
    const gmem_buffer_info_t *info = &writer->desc->buffers[i];
    gmem_image_buffer_t buffer = {
        .offset = info->offset,
        .size = info->size,
        .payload = info->payload,
        .align = (uint32_t)info->align,
        .region = info->region,
        .space = (uint32_t)info->space,
        .flags = info->flags,
        .parent = info->parent,
        .threads = info->threads,
        .first_range = next_range,
        .range_count = info->range_count,
        .name_offset = put_name(writer, info->name),
        .name_length = (uint32_t)strlen(info->name),
    };
    gmem_image_put_buffer(entry(writer, GMEM_IMAGE_BUFFERS, i), &buffer);
    put_ranges(writer, info, next_range);
    next_range += info->range_count;
  }
}

static void put_ops(writer_t *writer) {
  for (uint32_t i = 0; i < writer->desc->op_count; ++i) {
    const char *name = op_name(writer->desc, i);
    if (name[0] == '\0')
      continue; // both fields stay zero
    uint8_t *bytes = entry(writer, GMEM_IMAGE_OPS, i);
    gmem_image_store_u32(bytes, put_name(writer, name));
    gmem_image_store_u32(bytes + 4, (uint32_t)strlen(name));
  }
}

static bool name_after(const void *context, uint32_t a, uint32_t b) {
  const gmem_buffer_info_t *buffers = context;
  return strcmp(buffers[a].name, buffers[b].name) > 0;
}

static gmem_status_t put_name_order(writer_t *writer,
                                    const gmem_allocator_t *allocator) {
  uint32_t count = writer->desc->buffer_count;
  uint32_t *ids = gmem_rt_alloc(allocator, count, 2 * sizeof *ids);
  if (!ids)
    return gmem_rt_out_of_memory(writer->diag);
  for (uint32_t i = 0; i < count; ++i)
    ids[i] = i;
  gmem_rt_sort_ids(ids, ids + count, count, name_after, writer->desc->buffers);
  for (uint32_t i = 0; i < count; ++i)
    gmem_image_store_u32(entry(writer, GMEM_IMAGE_NAME_ORDER, i), ids[i]);
  gmem_rt_free(allocator, ids, count, 2 * sizeof *ids);
  return GMEM_OK;
}

static void put_table(writer_t *writer) {
  for (uint32_t id = GMEM_IMAGE_REGIONS; id < GMEM_IMAGE_SECTION_END; ++id) {
    uint32_t entry_size = gmem_image_entry_size((gmem_image_section_id_t)id);
    gmem_image_section_t section = {
        .id = id,
        .flags = GMEM_IMAGE_MANDATORY,
        .offset = writer->offsets[id],
        .size = writer->counts[id] * entry_size,
        .entry_size = entry_size,
        .align = GMEM_IMAGE_ALIGN,
    };
    gmem_image_put_section(writer->data + sizeof(gmem_image_header_t) +
                               (id - 1) * sizeof section,
                           &section);
  }
}

// Last, as it has the checksums of all the rest.
static void put_header(writer_t *writer) {
  gmem_image_header_t header = {
      .major = GMEM_IMAGE_MAJOR,
      .minor = GMEM_IMAGE_MINOR,
      .header_size = sizeof header,
      .section_count = SECTION_COUNT,
      .file_size = writer->size,
  };
  memcpy(header.magic, GMEM_IMAGE_MAGIC, sizeof header.magic);
  gmem_sha256(writer->data + sizeof header,
              (size_t)(writer->size - sizeof header), header.sha256);
  gmem_image_put_header(writer->data, &header);
  header.crc = gmem_image_crc(writer->data, TABLE_END);
  gmem_image_put_header(writer->data, &header);
}

static gmem_status_t encode(writer_t *writer,
                            const gmem_allocator_t *allocator) {
  put_regions(writer);
  put_buffers(writer);
  put_ops(writer);
  GMEM_RT_TRY(put_name_order(writer, allocator));
  put_table(writer);
  put_header(writer);
  return GMEM_OK;
}

// The loader's proof. Its offsets and the word "corrupt" are about a file, and
// there is none yet.
static gmem_status_t prove(const writer_t *writer,
                           const gmem_allocator_t *allocator) {
  gmem_image_view_t view;
  gmem_status_t status =
      gmem_image_open(writer->data, writer->size, &view, writer->diag);
  if (status == GMEM_OK)
    status = gmem_image_verify(&view, allocator, writer->diag);
  if (status == GMEM_ERR_CORRUPT)
    status = GMEM_ERR_INVALID_ARGUMENT;
  if (status != GMEM_OK && writer->diag) {
    writer->diag->status = status;
    writer->diag->offset = 0;
  }
  return status;
}

//===--- entry points -----------------------------------------------------===//

gmem_status_t gmem_plan_write(const gmem_plan_desc_t *desc,
                              const gmem_allocator_t *allocator,
                              void **out_data, size_t *out_size,
                              gmem_diag_t *diag) {
  if (!out_data || !out_size)
    return invalid(diag, "an output pointer is NULL");
  *out_data = NULL;
  *out_size = 0;
  if (!desc)
    return invalid(diag, "desc is NULL");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  writer_t writer = {.desc = desc, .diag = diag};
  GMEM_RT_TRY(check_counts(desc, diag));
  GMEM_RT_TRY(measure(&writer));
  lay_out(&writer);
  writer.data = gmem_rt_alloc(&own, writer.size, 1);
  if (!writer.data)
    return gmem_rt_out_of_memory(diag);
  gmem_status_t status = encode(&writer, &own);
  if (status == GMEM_OK)
    status = prove(&writer, &own);
  if (status != GMEM_OK) {
    gmem_rt_free(&own, writer.data, writer.size, 1);
    return status;
  }
  *out_data = writer.data;
  *out_size = (size_t)writer.size;
  return GMEM_OK;
}

void gmem_plan_data_free(const gmem_allocator_t *allocator, void *data,
                         size_t size) {
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_rt_free(&own, data, size, 1);
}
