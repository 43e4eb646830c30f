// plan_query.h - what a plan tells about what is in it. Nothing is checked
// here but the ids that the caller gives: the image was proven when it was
// loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PLAN_QUERY_H_
#define GMEM_RUNTIME_PLAN_QUERY_H_

#include "plan_object.h"

// Finds the content of a region; false when the image has none
// (plan_query.c).
bool gmem_plan_stored_content(const gmem_plan_t *plan, gmem_region_t region,
                              gmem_stored_content_t *out_content);

#endif // GMEM_RUNTIME_PLAN_QUERY_H_
