// image_writer.h - state of writing a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_WRITER_H_
#define GMEM_RUNTIME_IMAGE_WRITER_H_

#include "plan_image.h"

typedef struct gmem_image_writer_s {
  const gmem_plan_desc_t *desc;
  gmem_diag_t *diag;
  uint64_t counts[GMEM_IMAGE_SECTION_END];  // entries of each section
  uint64_t offsets[GMEM_IMAGE_SECTION_END]; // from the start of the image
  uint32_t section_count;
  uint64_t size;      // bytes of the image
  uint64_t meta_size; // bytes before the data section
  uint8_t *data;      // at least |meta_size| bytes, all zero
} gmem_image_writer_t;

// Whether the image has this section.
static inline bool gmem_image_has_section(const gmem_image_writer_t *writer,
                                          uint32_t id) {
  return (id >= GMEM_IMAGE_REGIONS && id <= GMEM_IMAGE_NAMES) ||
         writer->counts[id] > 0;
}

static inline const char *gmem_image_op_name(const gmem_image_writer_t *writer,
                                             uint32_t op) {
  const char *const *names = writer->desc->op_names;
  return names && names[op] ? names[op] : "";
}

#endif // GMEM_RUNTIME_IMAGE_WRITER_H_
