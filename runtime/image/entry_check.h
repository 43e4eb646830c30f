// entry_check.h - verifies the fields, names and placements of regions and
// buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_ENTRY_CHECK_H_
#define GMEM_RUNTIME_ENTRY_CHECK_H_

#include "name_check.h"

// Properties of the buffers of an image.
typedef struct gmem_image_facts_s {
  uint32_t align[GMEM_PLAN_MAX_REGIONS]; // largest of a region and its buffers
  bool has_aliases;
  bool in_order; // live ranges begin in ascending order, except those of
                 // buffers that are aliases or live at every step
} gmem_image_facts_t;

// Checks regions, then buffers with their live ranges. Their names are the
// first ones of |names|. The parents of aliases exist, no more.
gmem_status_t gmem_image_check_entries(gmem_image_names_t *names,
                                       gmem_image_facts_t *out_facts);

#endif // GMEM_RUNTIME_ENTRY_CHECK_H_
