// layout_json.h - the layout of a buffer in plan JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LAYOUT_JSON_H_
#define GMEM_TOOLS_LAYOUT_JSON_H_

#include "gmem/passes.h"
#include "json_writer.h"

// Writes the member "layout" of a buffer (docs/plan-json.md): null if |layout|
// is NULL.
void gmem_layout_json_put(gmem_json_t *json,
                          const gmem_planned_layout_t *layout);

#endif // GMEM_TOOLS_LAYOUT_JSON_H_
