// liveness_dump.c - see liveness_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness_dump.h"

#include <inttypes.h>

#include "program_dump.h"

static const char *const storage_names[] = {
    [GMEM_STORAGE_TENSOR] = "tensor", [GMEM_STORAGE_WEIGHT] = "weight",
    [GMEM_STORAGE_LOCAL] = "local",   [GMEM_STORAGE_HOST] = "host",
    [GMEM_STORAGE_NONE] = "none",     [GMEM_STORAGE_UNPLANNED] = "unplanned",
};

static void dump_ranges(const gmem_live_range_t *ranges, size_t count,
                        gmem_text_t *text) {
  for (size_t i = 0; i < count; ++i)
    gmem_dump_range(text, ranges[i].begin, ranges[i].end);
}

static void dump_value(const gmem_liveness_t *liveness, uint32_t value,
                       gmem_text_t *text) {
  const gmem_live_value_t *live = &liveness->live_values[value];
  gmem_text_print(text, "value %u: %s", value, storage_names[live->storage]);
  if (live->root != value)
    gmem_text_print(text, ", same memory as %u", live->root);
  gmem_text_print(text, "%s%s%s, steps", live->input ? ", input" : "",
                  live->output ? ", output" : "",
                  live->is_escaping ? ", escapes" : "");
  dump_ranges(live->ranges, live->range_count, text);
  gmem_text_print(text, "\n");
}

static void dump_set(const gmem_liveness_t *liveness, size_t index,
                     gmem_text_t *text) {
  const gmem_alias_set_t *set = &liveness->sets[index];
  gmem_text_print(text,
                  "alias set %zu: value %u, %" PRIu64 " bytes, %" PRIu32
                  " uses%s, times",
                  index, set->root, liveness->program->values[set->root].size,
                  set->uses, set->is_written ? ", written" : "");
  dump_ranges(set->ranges, set->range_count, text);
  gmem_text_print(text, "\n");
}

void gmem_liveness_dump(const gmem_liveness_t *liveness, gmem_text_t *text) {
  const gmem_memrefs_t *memrefs = &liveness->memrefs;
  const gmem_happens_before_t *order = &liveness->order;
  for (uint32_t i = 0; i < liveness->program->value_count; ++i)
    dump_value(liveness, i, text);
  for (size_t i = 0; i < memrefs->site_count; ++i)
    gmem_text_print(text, "allocation of value %u: %s, denoted by %zu values\n",
                    memrefs->sites[i].value,
                    gmem_unplanned_text(memrefs->sites[i].reason),
                    memrefs->sites[i].alias_count);
  for (size_t i = 0; i < liveness->set_count; ++i)
    dump_set(liveness, i, text);
  for (size_t i = 0; i < order->count; ++i)
    gmem_text_print(text, "unordered: buffers %u and %u, at ops %u and %u\n",
                    order->pairs[i].low, order->pairs[i].high,
                    order->pairs[i].use_of_low.op,
                    order->pairs[i].use_of_high.op);
}
