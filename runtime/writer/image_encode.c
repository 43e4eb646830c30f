// image_encode.c - encodes a plan image except the data section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_encode.h"

#include <string.h>

#include "id_sort.h"
#include "image_codec.h"
#include "image_open.h"
#include "image_writer.h"
#include "runtime_support.h"
#include "sha256.h"
#include "transform_chain.h"

static uint8_t *entry(const gmem_image_writer_t *writer,
                      gmem_image_section_id_t section, uint32_t id) {
  return writer->data + writer->offsets[section] +
         (uint64_t)id * gmem_image_entry_size(section);
}

// Writes entry |id| of the section, a struct in memory.
static void put(const gmem_image_writer_t *writer,
                gmem_image_section_id_t section, uint32_t id,
                const void *value) {
  const gmem_image_kind_t *kind = gmem_image_kind(section);
  GMEM_ASSERT(id < writer->counts[section]);
  gmem_image_convert(kind->fields, value, entry(writer, section, id),
                     kind->entry_size);
}

// Writes a name at offset |*next| of the names, advances |*next|, and returns
// the offset of the name.
static uint32_t put_name(const gmem_image_writer_t *writer, const char *name,
                         uint32_t *next) {
  uint32_t at = *next;
  size_t size = strlen(name) + 1;
  memcpy(entry(writer, GMEM_IMAGE_NAMES, at), name, size);
  *next += (uint32_t)size;
  return at;
}

static void put_regions(const gmem_image_writer_t *writer,
                        uint32_t *next_name) {
  for (uint32_t i = 0; i < writer->desc->region_count; ++i) {
    const gmem_region_info_t *info = &writer->desc->regions[i];
    gmem_image_region_t region = {
        .base = info->base,
        .size = info->size,
        .align = (uint32_t)info->align,
        .space = (uint32_t)info->space,
        .name_offset = put_name(writer, info->name, next_name),
        .name_length = (uint32_t)strlen(info->name),
    };
    put(writer, GMEM_IMAGE_REGIONS, i, &region);
  }
}

// Writes the ranges of one buffer, beginning at entry |first|.
static void put_ranges(const gmem_image_writer_t *writer,
                       const gmem_buffer_info_t *info, uint32_t first) {
  for (uint32_t i = 0; i < info->range_count; ++i)
    put(writer, GMEM_IMAGE_RANGES, first + i, &info->ranges[i]);
}

static void put_buffers(const gmem_image_writer_t *writer,
                        uint32_t *next_name) {
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
        .name_offset = put_name(writer, info->name, next_name),
        .name_length = (uint32_t)strlen(info->name),
    };
    put(writer, GMEM_IMAGE_BUFFERS, i, &buffer);
    put_ranges(writer, info, next_range);
    next_range += info->range_count;
  }
}

static void put_ops(const gmem_image_writer_t *writer, uint32_t *next_name) {
  for (uint32_t i = 0; i < writer->desc->op_count; ++i) {
    const char *name = gmem_image_op_name(writer, i);
    if (name[0] == '\0')
      continue; // both fields stay zero
    gmem_image_op_t op = {put_name(writer, name, next_name),
                          (uint32_t)strlen(name)};
    put(writer, GMEM_IMAGE_OPS, i, &op);
  }
}

static bool name_after(const void *context, uint32_t a, uint32_t b) {
  const gmem_buffer_info_t *buffers = context;
  return strcmp(buffers[a].name, buffers[b].name) > 0;
}

static bool span_after(const void *context, uint32_t a, uint32_t b) {
  const gmem_op_span_t *spans = context;
  return strcmp(spans[a].name, spans[b].name) > 0;
}

static void put_order(const gmem_image_writer_t *writer, const uint32_t *ids) {
  for (uint32_t i = 0; i < writer->desc->buffer_count; ++i)
    put(writer, GMEM_IMAGE_NAME_ORDER, i, &ids[i]);
}

static void put_spans(const gmem_image_writer_t *writer, const uint32_t *ids) {
  uint32_t next_name = 0;
  for (uint32_t i = 0; i < writer->desc->span_count; ++i) {
    const gmem_op_span_t *info = &writer->desc->spans[i];
    gmem_image_span_t span = {.begin = info->begin,
                              .end = info->end,
                              .name_offset = next_name,
                              .name_length = (uint32_t)strlen(info->name),
                              .by_name = ids[i]};
    put(writer, GMEM_IMAGE_SPANS, i, &span);
    memcpy(entry(writer, GMEM_IMAGE_SPAN_NAMES, next_name), info->name,
           span.name_length);
    next_name += span.name_length + 1;
  }
}

// Sorts |count| ids by |after| and passes them to |put_ids|.
static gmem_status_t put_sorted(
    const gmem_image_writer_t *writer, uint32_t count,
    bool (*after)(const void *context, uint32_t a, uint32_t b),
    const void *context,
    void (*put_ids)(const gmem_image_writer_t *writer, const uint32_t *ids),
    const gmem_allocator_t *allocator) {
  uint32_t *ids = gmem_rt_alloc(allocator, count, 2 * sizeof *ids);
  if (!ids)
    return gmem_rt_out_of_memory(writer->diag);
  for (uint32_t i = 0; i < count; ++i)
    ids[i] = i;
  gmem_rt_sort_ids(ids, ids + count, count, after, context);
  put_ids(writer, ids);
  gmem_rt_free(allocator, ids, count, 2 * sizeof *ids);
  return GMEM_OK;
}

//===--- optional sections ------------------------------------------------===//

static void put_groups(const gmem_image_writer_t *writer) {
  uint32_t next_member = 0, next_name = 0;
  for (uint32_t i = 0; i < writer->desc->group_count; ++i) {
    const gmem_group_info_t *info = &writer->desc->groups[i];
    gmem_image_group_t group = {
        .name_offset = next_name,
        .name_length = (uint32_t)strlen(info->name),
        .first_member = next_member,
        .member_count = info->member_count,
    };
    put(writer, GMEM_IMAGE_GROUPS, i, &group);
    memcpy(entry(writer, GMEM_IMAGE_GROUP_NAMES, next_name), info->name,
           group.name_length);
    next_name += group.name_length + 1;
    for (uint32_t k = 0; k < info->member_count; ++k)
      put(writer, GMEM_IMAGE_MEMBERS, next_member++, &info->members[k]);
  }
}

static void put_transforms(const gmem_image_writer_t *writer) {
  uint32_t next_name = 0;
  for (uint32_t i = 0; i < writer->desc->transform_count; ++i) {
    const gmem_plan_transform_t *info = &writer->desc->transforms[i];
    gmem_image_transform_t step = {.buffer = info->buffer,
                                   .name_offset = next_name,
                                   .name_length = (uint32_t)strlen(info->name),
                                   .size = info->size};
    put(writer, GMEM_IMAGE_TRANSFORMS, i, &step);
    memcpy(entry(writer, GMEM_IMAGE_TRANSFORM_NAMES, next_name), info->name,
           step.name_length);
    next_name += step.name_length + 1;
  }
}

// The number of the chain of |buffer|, whose transforms were put; 0: it has
// none.
static uint64_t chain_number(const gmem_image_writer_t *writer,
                             gmem_buffer_t buffer) {
  gmem_image_view_t view = {.data = writer->data};
  uint32_t end;
  for (uint32_t id = GMEM_IMAGE_TRANSFORMS; id <= GMEM_IMAGE_TRANSFORM_NAMES;
       ++id) {
    view.section[id].offset = writer->offsets[id];
    view.section[id].count = (uint32_t)writer->counts[id];
  }
  uint32_t begin = gmem_image_chain(&view, buffer, &end);
  return begin == end ? 0 : gmem_image_chain_number(&view, begin, end);
}

static void put_weights(const gmem_image_writer_t *writer) {
  for (uint32_t i = 0; i < writer->desc->weight_count; ++i) {
    const gmem_weight_info_t *info = &writer->desc->weights[i];
    gmem_image_weight_t weight = {.buffer = info->buffer,
                                  .source_size = info->source_size,
                                  .transform = info->transform};
    uint64_t chain = chain_number(writer, info->buffer);
    if (chain)
      weight.transform = chain;
    memcpy(weight.digest, info->digest, sizeof weight.digest);
    put(writer, GMEM_IMAGE_WEIGHTS, i, &weight);
  }
}

static void put_contents(const gmem_image_writer_t *writer) {
  uint64_t next = 0;
  for (uint32_t i = 0; i < writer->desc->content_count; ++i) {
    uint32_t region = writer->desc->contents[i].region;
    gmem_image_content_t content = {
        .region = region,
        .offset = next,
        .size = gmem_rt_round_up(writer->desc->regions[region].size,
                                 GMEM_IMAGE_PAGE),
    };
    put(writer, GMEM_IMAGE_CONTENTS, i, &content);
    next += content.size;
  }
}

static void put_payloads(const gmem_image_writer_t *writer) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < writer->desc->buffer_count; ++i) {
    gmem_image_payload_t payload = {
        .buffer = i, .offset = writer->desc->buffers[i].payload_offset};
    if (payload.offset)
      put(writer, GMEM_IMAGE_PAYLOADS, next++, &payload);
  }
}

static void put_optional(const gmem_image_writer_t *writer) {
  const gmem_plan_desc_t *desc = writer->desc;
  put_groups(writer);
  put_transforms(writer);
  put_weights(writer);
  put_contents(writer);
  put_payloads(writer);
  for (uint32_t i = 0; i < desc->workbuffer_count; ++i)
    put(writer, GMEM_IMAGE_WORKBUFFERS, i, &desc->workbuffers[i]);
  for (uint32_t i = 0; i < desc->reloc_count; ++i)
    put(writer, GMEM_IMAGE_RELOCS, i, &desc->relocs[i]);
  for (uint32_t i = 0; i < desc->copy_count; ++i)
    put(writer, GMEM_IMAGE_COPIES, i, &desc->copies[i]);
  for (uint32_t i = 0; i < desc->dimension_count; ++i)
    put(writer, GMEM_IMAGE_DIMENSIONS, i, &desc->dimensions[i]);
}

//===--- table and header -------------------------------------------------===//

static void put_table(const gmem_image_writer_t *writer) {
  uint8_t *at = writer->data + sizeof(gmem_image_header_t);
  for (uint32_t id = GMEM_IMAGE_REGIONS; id < GMEM_IMAGE_SECTION_END; ++id) {
    if (!gmem_image_has_section(writer, id))
      continue;
    const gmem_image_kind_t *kind = gmem_image_kind(id);
    gmem_image_section_t section = {
        .id = id,
        .flags = kind->flags,
        .offset = writer->offsets[id],
        .size = writer->counts[id] * kind->entry_size,
        .entry_size = kind->entry_size,
        .align = kind->align,
    };
    gmem_image_convert(GMEM_IMAGE_SECTION_FIELDS, &section, at, sizeof section);
    at += sizeof section;
  }
  GMEM_ASSERT(at == writer->data + sizeof(gmem_image_header_t) +
                        writer->section_count * sizeof(gmem_image_section_t));
}

// The lowest minor version that supports all sections of the image.
static uint16_t minor_of(const gmem_image_writer_t *writer) {
  bool optional = writer->section_count > GMEM_IMAGE_NAMES;
  if (writer->counts[GMEM_IMAGE_DIMENSIONS])
    return GMEM_IMAGE_MINOR_DIMENSIONS;
  if (writer->counts[GMEM_IMAGE_TRANSFORMS])
    return GMEM_IMAGE_MINOR_TRANSFORMS;
  if (writer->counts[GMEM_IMAGE_SPANS])
    return GMEM_IMAGE_MINOR_SPANS;
  if (writer->counts[GMEM_IMAGE_COPIES])
    return GMEM_IMAGE_MINOR_COPIES;
  if (writer->counts[GMEM_IMAGE_PAYLOADS])
    return GMEM_IMAGE_MINOR_PAYLOADS;
  return optional ? GMEM_IMAGE_MINOR : 0;
}

static void store_header(const gmem_image_writer_t *writer,
                         const gmem_image_header_t *header) {
  gmem_image_convert(GMEM_IMAGE_HEADER_FIELDS, header, writer->data,
                     sizeof *header);
}

// Called last: the header contains the checksums of the rest.
static void put_header(const gmem_image_writer_t *writer) {
  gmem_image_header_t header = {
      .major = GMEM_IMAGE_MAJOR,
      .minor = minor_of(writer),
      .header_size = sizeof header,
      .section_count = (uint16_t)writer->section_count,
      .file_size = writer->size,
  };
  memcpy(header.magic, GMEM_IMAGE_MAGIC, sizeof header.magic);
  gmem_sha256(writer->data + sizeof header,
              (size_t)(writer->meta_size - sizeof header), header.sha256);
  store_header(writer, &header);
  header.crc = gmem_image_crc(writer->data, gmem_image_head_size(writer->data));
  store_header(writer, &header);
}

gmem_status_t gmem_image_encode(gmem_image_writer_t *writer,
                                const gmem_allocator_t *allocator) {
  uint32_t next_name = 0;
  put_regions(writer, &next_name);
  put_buffers(writer, &next_name);
  put_ops(writer, &next_name);
  GMEM_ASSERT(next_name == writer->counts[GMEM_IMAGE_NAMES]);
  GMEM_TRY(put_sorted(writer, writer->desc->buffer_count, name_after,
                      writer->desc->buffers, put_order, allocator));
  if (writer->desc->span_count)
    GMEM_TRY(put_sorted(writer, writer->desc->span_count, span_after,
                        writer->desc->spans, put_spans, allocator));
  put_optional(writer);
  put_table(writer);
  put_header(writer);
  return GMEM_OK;
}
