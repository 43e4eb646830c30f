// plan_dump.c - see plan_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_dump.h"

#include <assert.h>
#include <inttypes.h>

#include "mlir_seam.h"
#include "pass_options.h"
#include "text.h"

static void dump_pool(const gmem_pool_entry_t *pool, uint32_t index,
                      gmem_text_t *text) {
  gmem_text_print(text,
                  "pool %" PRIu32 ": %.*s, %s, %" PRIu64 " bytes of at least "
                  "%" PRIu64 ", alignment %" PRIu64,
                  index, (int)pool->name.length, pool->name.data,
                  pool->constant ? "constant" : "workspace", pool->size,
                  pool->lower_bound, pool->alignment);
  if (pool->base != GMEM_NO_BASE)
    gmem_text_print(text, ", base %" PRIu64, pool->base);
  gmem_text_print(text, "\n");
}

static void dump_places(const gmem_pool_table_t *table, const char *what,
                        const gmem_value_place_t *places, size_t count,
                        gmem_text_t *text) {
  for (size_t i = 0; i < count; ++i) {
    const gmem_value_place_t *place = &places[i];
    if (!gmem_has_place(place))
      continue;
    assert(place->pool < table->count && place->offset >= 0);
    gmem_text_print(
        text, "%s %zu: pool %" PRIu32 ", bytes [%" PRId64 ", %" PRId64 ")",
        what, i, place->pool, place->offset, place->offset + place->size);
    if (place->payload > place->offset)
      gmem_text_print(text, ", payload from %" PRId64, place->payload);
    gmem_text_print(text, "\n");
  }
}

gmem_status_t gmem_plan_dump(const gmem_analysis_t *analysis,
                             const gmem_pool_table_t *table,
                             const gmem_value_place_t *places,
                             const gmem_value_place_t *work_places,
                             gmem_diag_t *diag) {
  gmem_text_t text = {.arena = analysis->arena};
  gmem_text_print(&text, "== %s\n", gmem_debug_name(GMEM_DEBUG_PLAN));
  for (uint32_t i = 0; i < table->count; ++i)
    dump_pool(&table->entries[i], i, &text);
  dump_places(table, "value", places, analysis->program.value_count, &text);
  dump_places(table, "workbuffer", work_places, analysis->workbuffers.count,
              &text);
  GMEM_TRY(gmem_bump_status(analysis->arena, diag));
  gmem_print(gmem_text_get(&text), text.length);
  return GMEM_OK;
}
