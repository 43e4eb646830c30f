// plan_object.h - definition of a loaded plan, internal to the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PLAN_OBJECT_H_
#define GMEM_RUNTIME_PLAN_OBJECT_H_

#include <stdatomic.h>

#include "plan_image.h"

// Mapping of a region that aligns every buffer in it: map |lead| + size bytes
// at a multiple of |align|; the region begins after |lead| bytes and is
// congruent to its planned base modulo |align|.
typedef struct gmem_region_layout_s {
  uint64_t align; // largest alignment of the region and its buffers
  uint64_t lead;  // planned base modulo |align|
  uint64_t size;  // bytes of the region
  bool shared;    // once per model, not per slot
} gmem_region_layout_t;

struct gmem_plan_s {
  atomic_uint references;
  gmem_allocator_t allocator;
  uint8_t *owned;         // copy of the image, or NULL if borrowed
  uint64_t owned_size;    // bytes of the copy
  int file;               // holds the data section; -1: it is in memory
  gmem_image_view_t view; // verified
  // Sections in host byte order.
  gmem_op_range_t *ranges;
  gmem_buffer_t *members;
  gmem_workbuffer_t *workbuffers;
  gmem_reloc_t *relocs;
  gmem_plan_copy_t *copies;
  gmem_region_layout_t layout[GMEM_PLAN_MAX_REGIONS];
  uint64_t slot_size;   // bytes
  uint64_t shared_size; // bytes
};

// Location of the contents of a region: in memory, or in the image file.
typedef struct gmem_stored_content_s {
  const uint8_t *bytes; // in memory, any alignment; NULL: in the file
  int file;             // for pread, owned by the plan; or -1
  uint64_t offset;      // bytes from the start of the file, a multiple of 4096
  uint64_t size;        // bytes, at least the region's; the rest is zero
} gmem_stored_content_t;

#endif // GMEM_RUNTIME_PLAN_OBJECT_H_
