// image_open.c - verifies the header, checksums and section table of a plan
// image. Each step relies only on properties verified before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_open.h"

#include <inttypes.h>
#include <string.h>

#include "image_codec.h"
#include "plan_image.h"
#include "runtime_support.h"
#include "sha256.h"

enum {
  HEADER_SIZE = sizeof(gmem_image_header_t),
  SECTION_SIZE = sizeof(gmem_image_section_t),
};

static gmem_status_t corrupt(gmem_diag_t *diag, uint64_t offset,
                             const char *text) {
  return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, offset, 0, "%s", text);
}

gmem_status_t gmem_image_check_header(const uint8_t *data, uint64_t file_size,
                                      gmem_diag_t *diag) {
  if (file_size < HEADER_SIZE)
    return corrupt(diag, file_size, "shorter than the header of a plan image");
  if (file_size > GMEM_PLAN_MAX_FILE)
    return corrupt(diag, 0, "larger than the limit of a plan image");
  gmem_image_header_t header = gmem_image_header_at(data);
  if (memcmp(header.magic, GMEM_IMAGE_MAGIC, GMEM_IMAGE_MAGIC_SIZE) != 0)
    return corrupt(diag, 0, "not a plan image (the magic number is wrong)");
  if (header.major != GMEM_IMAGE_MAJOR)
    return gmem_rt_fail_at(diag, GMEM_ERR_VERSION,
                           offsetof(gmem_image_header_t, major), header.major,
                           "format version %u is not supported, only %u",
                           header.major, GMEM_IMAGE_MAJOR);
  if (header.header_size != HEADER_SIZE)
    return corrupt(diag, offsetof(gmem_image_header_t, header_size),
                   "the header size is not 64");
  if (header.file_size != file_size)
    return gmem_rt_fail_at(
        diag, GMEM_ERR_CORRUPT, offsetof(gmem_image_header_t, file_size), 0,
        "the file has %" PRIu64 " bytes, but its header specifies %" PRIu64,
        file_size, header.file_size);
  if (header.reserved != 0)
    return corrupt(diag, offsetof(gmem_image_header_t, reserved),
                   "a reserved field is not zero");
  if (header.section_count > GMEM_IMAGE_MAX_SECTIONS ||
      header.section_count * SECTION_SIZE > file_size - HEADER_SIZE)
    return corrupt(diag, offsetof(gmem_image_header_t, section_count),
                   "the section table is larger than the file or the limit");
  return GMEM_OK;
}

size_t gmem_image_head_size(const uint8_t *data) {
  return HEADER_SIZE +
         (size_t)gmem_image_header_at(data).section_count * SECTION_SIZE;
}

static gmem_status_t check_crc(const uint8_t *data, gmem_diag_t *diag) {
  if (gmem_image_crc(data, gmem_image_head_size(data)) !=
      gmem_image_header_at(data).crc)
    return corrupt(diag, offsetof(gmem_image_header_t, crc),
                   "the checksum of header and section table is wrong");
  return GMEM_OK;
}

// |size| is the number of bytes before the data section.
static gmem_status_t check_digest(const uint8_t *data, uint64_t size,
                                  gmem_diag_t *diag) {
  gmem_image_header_t header = gmem_image_header_at(data);
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
  gmem_sha256(data + HEADER_SIZE, (size_t)(size - HEADER_SIZE), digest);
  if (memcmp(digest, header.sha256, sizeof digest) != 0)
    return corrupt(diag, offsetof(gmem_image_header_t, sha256),
                   "the SHA-256 of the content is wrong");
  return GMEM_OK;
}

static gmem_status_t check_padding(const uint8_t *data, uint64_t begin,
                                   uint64_t end, gmem_diag_t *diag) {
  for (uint64_t at = begin; at < end; ++at)
    if (data[at] != 0)
      return corrupt(diag, at, "padding between sections is not zero");
  return GMEM_OK;
}

// A section begins at |previous_end| rounded up to its alignment.
static gmem_status_t check_bounds(uint64_t file_size,
                                  const gmem_image_section_t *section,
                                  uint64_t previous_end, uint64_t at,
                                  gmem_diag_t *diag) {
  if (!gmem_rt_is_power_of_two(section->align) ||
      section->align < GMEM_IMAGE_ALIGN ||
      section->align > GMEM_IMAGE_MAX_SECTION_ALIGN)
    return corrupt(diag, at, "the alignment of a section is invalid");
  if (section->offset != gmem_rt_round_up(previous_end, section->align))
    return corrupt(diag, at,
                   "a section does not begin at the end of the previous one");
  if (section->offset > file_size ||
      section->size > file_size - section->offset)
    return corrupt(diag, at, "a section extends past the end of the file");
  if (section->entry_size == 0 || section->size % section->entry_size != 0)
    return corrupt(diag, at,
                   "the size of a section is not a multiple of its entry size");
  return GMEM_OK;
}

// Checks the id, flags and entry size of a section. Unknown sections are
// skipped unless they are mandatory.
static gmem_status_t check_kind(const gmem_image_section_t *section,
                                uint32_t previous_id, uint64_t at,
                                gmem_diag_t *diag) {
  if (section->id <= previous_id)
    return corrupt(diag, at, "the section ids are not in ascending order");
  const gmem_image_kind_t *kind = gmem_image_kind(section->id);
  if (section->flags & ~(kind ? kind->flags : (uint32_t)GMEM_IMAGE_MANDATORY))
    return corrupt(diag, at, "a section has unknown flags");
  if (!kind && section->flags)
    return gmem_rt_fail_at(diag, GMEM_ERR_VERSION, at, section->id,
                           "mandatory section %" PRIu32 " is not supported",
                           section->id);
  if (!kind)
    return GMEM_OK;
  if (section->flags != kind->flags || section->align != kind->align ||
      section->entry_size != kind->entry_size ||
      (section->size == 0 && section->id > GMEM_IMAGE_NAMES))
    return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, at, section->id,
                           "the table entry of section %s is invalid",
                           kind->name);
  if (section->size / section->entry_size > kind->max_count)
    return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, at, section->id,
                           "section %s has more than %" PRIu32 " entries",
                           kind->name, kind->max_count);
  return GMEM_OK;
}

// Reads only the section table.
static gmem_status_t check_table(gmem_image_view_t *view, gmem_diag_t *diag) {
  uint32_t section_count = gmem_image_header_at(view->data).section_count;
  uint64_t end = gmem_image_head_size(view->data);
  uint32_t previous_id = 0;
  for (uint32_t i = 0; i < section_count; ++i) {
    uint64_t at = HEADER_SIZE + (uint64_t)i * SECTION_SIZE;
    gmem_image_section_t section = gmem_image_section_at(view->data + at);
    if (view->section[GMEM_IMAGE_DATA].count != 0)
      return corrupt(diag, at, "a section follows the data");
    GMEM_TRY(check_bounds(view->size, &section, end, at, diag));
    GMEM_TRY(check_kind(&section, previous_id, at, diag));
    end = section.offset + section.size;
    previous_id = section.id;
    if (!gmem_image_kind(section.id))
      continue;
    view->section[section.id].offset = section.offset;
    view->section[section.id].count =
        (uint32_t)(section.size / section.entry_size);
  }
  if (gmem_rt_round_up(end, GMEM_IMAGE_ALIGN) != view->size)
    return corrupt(diag, end, "the file does not end with its last section");
  if (view->section[GMEM_IMAGE_DATA].count != 0)
    view->meta_size = view->section[GMEM_IMAGE_DATA].offset;
  GMEM_ASSERT(view->meta_size <= view->size);
  return GMEM_OK;
}

// Checks padding between sections and after the last one. Requires a checked
// table. The data section is the last one and is not read.
static gmem_status_t check_all_padding(const uint8_t *data, uint64_t size,
                                       gmem_diag_t *diag) {
  uint32_t section_count = gmem_image_header_at(data).section_count;
  uint64_t end = gmem_image_head_size(data);
  for (uint32_t i = 0; i < section_count; ++i) {
    gmem_image_section_t section =
        gmem_image_section_at(data + HEADER_SIZE + (size_t)i * SECTION_SIZE);
    GMEM_TRY(check_padding(data, end, section.offset, diag));
    end = section.offset + section.size;
  }
  return check_padding(data, end, size, diag);
}

static gmem_status_t check_all_present(const gmem_image_view_t *view,
                                       gmem_diag_t *diag) {
  for (uint32_t id = GMEM_IMAGE_REGIONS; id <= GMEM_IMAGE_NAMES; ++id)
    if (view->section[id].offset == 0)
      return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, HEADER_SIZE, id,
                             "section %s is missing",
                             gmem_image_kind(id)->name);
  if (view->section[GMEM_IMAGE_NAME_ORDER].count !=
      view->section[GMEM_IMAGE_BUFFERS].count)
    return corrupt(diag, view->section[GMEM_IMAGE_NAME_ORDER].offset,
                   "the name order does not have one entry per buffer");
  return GMEM_OK;
}

gmem_status_t gmem_image_check_head(const uint8_t *data, uint64_t size,
                                    gmem_image_view_t *out_view,
                                    gmem_diag_t *diag) {
  GMEM_TRY(check_crc(data, diag));
  gmem_image_view_t view = {.data = data, .size = size, .meta_size = size};
  GMEM_TRY(check_table(&view, diag));
  GMEM_TRY(check_all_present(&view, diag));
  *out_view = view;
  return GMEM_OK;
}

gmem_status_t gmem_image_open(const uint8_t *data, uint64_t size,
                              gmem_image_view_t *out_view, gmem_diag_t *diag) {
  gmem_image_view_t view;
  GMEM_TRY(gmem_image_check_header(data, size, diag));
  GMEM_TRY(gmem_image_check_head(data, size, &view, diag));
  GMEM_TRY(check_digest(data, view.meta_size, diag));
  GMEM_TRY(check_all_padding(data, size, diag));
  *out_view = view;
  return GMEM_OK;
}
