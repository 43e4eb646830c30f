// plan_query.h - internal queries of a loaded plan. Only ids passed by the
// caller are checked; the image was verified when it was loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_PLAN_QUERY_H_
#define GMEM_RUNTIME_PLAN_QUERY_H_

#include "plan_object.h"

// Finds the content of a region; returns false if the image has none.
bool gmem_plan_stored_content(const gmem_plan_t *plan, gmem_region_t region,
                              gmem_stored_content_t *out_content);

#endif // GMEM_RUNTIME_PLAN_QUERY_H_
