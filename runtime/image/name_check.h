// name_check.h - verifies the names of a plan image: layout, contents, and
// uniqueness among buffers, regions and groups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_NAME_CHECK_H_
#define GMEM_RUNTIME_NAME_CHECK_H_

#include "plan_image.h"

// Position in a section of names.
typedef struct gmem_image_names_s {
  const gmem_image_view_t *view;
  gmem_image_section_id_t section;
  uint64_t next; // expected offset of the next name
  gmem_diag_t *diag;
} gmem_image_names_t;

// Checks one name, of |kind| |id|, which must be at the expected offset.
gmem_status_t gmem_image_check_name(gmem_image_names_t *names, uint32_t offset,
                                    uint32_t length, const char *kind,
                                    uint32_t id);

// Checks the names of ops, which follow those of regions and buffers in the
// section, that names of regions are distinct, and the name order of buffers.
// Requires that the name order has one entry per buffer.
gmem_status_t gmem_image_check_names(gmem_image_names_t *names);

// Checks the names of the groups.
gmem_status_t gmem_image_check_group_names(const gmem_image_view_t *view,
                                           const gmem_allocator_t *allocator,
                                           gmem_diag_t *diag);

// Verifies the names of spans and their order: OK, CORRUPT or OUT_OF_RANGE.
gmem_status_t gmem_image_check_span_names(const gmem_image_view_t *view,
                                          gmem_diag_t *diag);

// Checks the names of transforms, which need not be unique.
gmem_status_t gmem_image_check_transform_names(const gmem_image_view_t *view,
                                               gmem_diag_t *diag);

#endif // GMEM_RUNTIME_NAME_CHECK_H_
