// plan_file.h - the buffers of a plan in plan JSON or in a plan image, for the
// option previous= of the passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLAN_FILE_H_
#define GMEM_TOOLS_PLAN_FILE_H_

#include "gmem/passes.h"

// A gmem_plan_reader_fn. The memory of JSON is jansson's.
GMEM_MUST_USE gmem_status_t
gmem_plan_file_read(const char *path, const gmem_allocator_t *allocator,
                    gmem_earlier_buffer_fn *add, void *user, gmem_diag_t *diag);

#endif // GMEM_TOOLS_PLAN_FILE_H_
