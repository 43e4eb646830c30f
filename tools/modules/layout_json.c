// layout_json.c - see layout_json.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout_json.h"

static void put_sizes(gmem_json_t *json, const char *key, const int64_t *sizes,
                      uint32_t rank) {
  gmem_json_open(json, key, '[');
  for (uint32_t i = 0; i < rank; ++i)
    gmem_json_signed(json, NULL, sizes[i]);
  gmem_json_close(json);
}

void gmem_layout_json_put(gmem_json_t *json,
                          const gmem_planned_layout_t *layout) {
  static const char *const borders[] = {"undefined", "constant", "replicate"};
  if (!layout) {
    gmem_json_null(json, "layout");
    return;
  }
  gmem_json_open(json, "layout", '{');
  gmem_json_number(json, "element", layout->element);
  put_sizes(json, "sizes", layout->sizes, layout->rank);
  put_sizes(json, "strides", layout->strides, layout->rank);
  put_sizes(json, "before", layout->before, layout->rank);
  put_sizes(json, "after", layout->after, layout->rank);
  put_sizes(json, "valid_begin", layout->valid_begin, layout->rank);
  put_sizes(json, "valid_end", layout->valid_end, layout->rank);
  gmem_json_text(json, "border", borders[layout->border]);
  gmem_json_close(json);
}
