// report_text.c - a report as human-readable tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_facts.h"

enum {
  MAX_AT_PEAK = 10,    // buffers listed there
  MAX_PER_REASON = 10, // values listed
  MAX_SHARERS = 3,     // names listed
};

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

//===--- summary of a pool ------------------------------------------------===//

static void print_size(const gmem_planned_pool_t *pool, gmem_text_t *text) {
  gmem_text_print(text, "pool %s: ", pool->name);
  gmem_text_number(text, pool->size);
  gmem_text_print(text, " bytes");
  if (pool->constant)
    gmem_text_print(text, " of constants");
  else if (pool->size == pool->lower_bound)
    gmem_text_print(text, ", equal to the lower bound");
  else {
    gmem_text_print(text, ", ");
    gmem_text_number(text, pool->size - pool->lower_bound);
    gmem_text_print(text, " above the lower bound of ");
    gmem_text_number(text, pool->lower_bound);
  }
  if (pool->capacity != GMEM_UNLIMITED) {
    gmem_text_print(text, ", capacity ");
    gmem_text_number(text, pool->capacity);
  }
  gmem_text_print(text, "\n");
}

// Prints preferences that the plan could not fulfil.
static void print_preferences(const gmem_planned_pool_t *pool,
                              gmem_text_t *text) {
  if (pool->size_hint != GMEM_UNLIMITED) {
    gmem_text_print(text, "  size hint ");
    gmem_text_number(text, pool->size_hint);
    gmem_text_print(text, pool->size > pool->size_hint
                              ? " exceeded: no room in other pools\n"
                              : "\n");
  }
  if (pool->spilled) {
    gmem_text_print(text, "  %" PRIu64 " buffer%s, ", pool->spilled,
                    plural(pool->spilled));
    gmem_text_number(text, pool->spilled_bytes);
    gmem_text_print(text, " bytes, spilled from other pools\n");
  }
}

static void print_sum(const gmem_planned_pool_t *pool,
                      const gmem_report_pool_t *figures, gmem_text_t *text) {
  gmem_text_print(text, "  %zu buffer%s, ", figures->buffers,
                  plural(figures->buffers));
  gmem_text_number(text, figures->sum);
  gmem_text_print(text, " bytes in total");
  // Integer arithmetic prints the same digits on every machine.
  uint64_t hundredths = pool->size && figures->sum <= UINT64_MAX / 100
                            ? figures->sum * 100 / pool->size
                            : 0;
  if (!pool->constant && hundredths)
    gmem_text_print(text, "; reuse %" PRIu64 ".%02" PRIu64, hundredths / 100,
                    hundredths % 100);
  if (figures->views)
    gmem_text_print(text, "; %zu view%s", figures->views,
                    plural(figures->views));
  gmem_text_print(text, "; alignment %" PRIu64 "\n", pool->alignment);
}

//===--- the peak ---------------------------------------------------------===//

typedef struct size_key_s {
  uint64_t size;
  uint32_t buffer;
} size_key_t;

static int largest_first(const void *a, const void *b) {
  const size_key_t *left = a, *right = b;
  if (left->size != right->size)
    return left->size < right->size ? 1 : -1;
  return (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

static size_t list_live(const gmem_report_t *report, uint32_t pool,
                        size_key_t *live) {
  size_t count = 0;
  for (uint32_t i = 0; i < report->buffer_count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (gmem_report_is_listed(buffer, pool) &&
        gmem_report_owns_at(buffer, report->pools[pool].peak_step))
      live[count++] = (size_key_t){buffer->size, i};
  }
  qsort(live, count, sizeof *live, largest_first);
  return count;
}

static void print_peak(const gmem_report_t *report, uint32_t pool,
                       gmem_text_t *text) {
  const gmem_report_pool_t *figures = &report->pools[pool];
  if (figures->peak_step < 0)
    return;
  size_key_t *live =
      gmem_bump_alloc(report->arena, figures->buffers, sizeof *live);
  text->out_of_memory |= !live;
  if (!live)
    return;
  size_t count = list_live(report, pool, live);
  gmem_text_print(text, "  peak liveness at step %" PRId64 ", ",
                  figures->peak_step);
  gmem_report_op(text, report->ops[figures->peak_step]);
  if (figures->peak_steps > 1)
    gmem_text_print(text, " and %" PRId64 " more", figures->peak_steps - 1);
  gmem_text_print(text, ": ");
  gmem_text_number(text, figures->peak_live);
  gmem_text_print(text, " bytes in %zu buffer%s\n", count, plural(count));
  for (size_t i = 0; i < count && i < MAX_AT_PEAK; ++i) {
    gmem_text_print(text, "    ");
    gmem_text_number(text, live[i].size);
    gmem_text_print(text, "  %s\n",
                    gmem_planned_buffer(report->planned, live[i].buffer)->name);
  }
  if (count > MAX_AT_PEAK)
    gmem_text_print(text, "    and %zu more\n", count - MAX_AT_PEAK);
}

//===--- the table --------------------------------------------------------===//

enum { NAME, SIZE, OFFSET, STEPS, FIRST, LAST, NOTES, COLUMNS };

typedef struct row_s {
  const char *cells[COLUMNS];
} row_t;

static const char *const heads[COLUMNS] = {
    "buffer", "bytes", "offset", "steps", "from", "to", "memory shared with"};

static bool shares_bytes(const gmem_planned_buffer_t *a,
                         const gmem_planned_buffer_t *b) {
  return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

// Lists the first buffers that use bytes of |index| at other times, and the
// number of the rest.
static void print_sharers(const gmem_report_t *report, uint32_t index,
                          gmem_text_t *text) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(report->planned, index);
  size_t count = 0;
  for (uint32_t i = 0; i < report->buffer_count; ++i) {
    const gmem_planned_buffer_t *other =
        gmem_planned_buffer(report->planned, i);
    if (i == index || !gmem_report_is_listed(other, buffer->pool) ||
        !shares_bytes(buffer, other))
      continue;
    if (count++ < MAX_SHARERS)
      gmem_text_print(text, "%s%s", count > 1 ? ", " : "", other->name);
  }
  if (count > MAX_SHARERS)
    gmem_text_print(text, " and %zu more", count - MAX_SHARERS);
}

// Lists the optional sharing of |index| with buffers that are live at the same
// time.
static void print_aliases(const gmem_report_t *report, uint32_t index,
                          gmem_text_t *text) {
  for (size_t i = 0; i < gmem_planned_alias_count(report->planned); ++i) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(report->planned, i);
    if (alias->child == index)
      gmem_text_print(
          text, "; %s of %s", gmem_sharing_name(alias->kind),
          gmem_planned_buffer(report->planned, alias->parent)->name);
  }
}

static void print_notes(const gmem_report_t *report, uint32_t index,
                        gmem_text_t *text) {
  uint32_t flags = gmem_planned_buffer(report->planned, index)->flags;
  print_sharers(report, index, text);
  print_aliases(report, index, text);
  if (flags & GMEM_PLANNED_INPUT)
    gmem_text_print(text, "; input");
  if (flags & GMEM_PLANNED_OUTPUT)
    gmem_text_print(text, "; output");
}

static void print_cell(const gmem_report_t *report, uint32_t index, int column,
                       gmem_text_t *cell) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(report->planned, index);
  int64_t begin = gmem_report_begin(buffer), end = gmem_report_end(buffer);
  switch (column) {
  case NAME:
    gmem_text_print(cell, "%s", buffer->name);
    break;
  case SIZE:
    gmem_text_number(cell, buffer->size);
    break;
  case OFFSET:
    gmem_text_number(cell, buffer->offset);
    break;
  case STEPS:
    gmem_text_print(cell, "[%" PRId64 ", %" PRId64 ")%s", begin, end,
                    buffer->range_count > 1 ? "*" : "");
    break;
  case FIRST:
    gmem_report_op(cell, report->ops[begin]);
    break;
  case LAST:
    gmem_report_op(cell, report->ops[end - 1]);
    break;
  default:
    print_notes(report, index, cell);
  }
}

static void fill_row(const gmem_report_t *report, uint32_t index, row_t *row,
                     gmem_text_t *text) {
  for (int i = 0; i < COLUMNS; ++i) {
    gmem_text_t cell = {.arena = report->arena};
    print_cell(report, index, i, &cell);
    text->out_of_memory |= cell.out_of_memory;
    row->cells[i] = gmem_text_get(&cell);
  }
  const char *notes = row->cells[NOTES];
  if (notes && strncmp(notes, "; ", 2) == 0)
    row->cells[NOTES] += 2;
}

// Numbers are right-aligned. The last column has no width, and lines have no
// trailing spaces.
static void print_row(const row_t *row, const int *widths, gmem_text_t *text) {
  bool has_notes = row->cells[NOTES][0] != '\0';
  for (int i = 0; i < NOTES; ++i) {
    bool is_number = i == SIZE || i == OFFSET;
    int width = i == LAST && !has_notes ? 0 : widths[i];
    gmem_text_print(text, "  %*s", is_number ? width : -width, row->cells[i]);
  }
  gmem_text_print(text, "%s%s\n", has_notes ? "  " : "", row->cells[NOTES]);
}

static void print_rows(const row_t *rows, size_t count, gmem_text_t *text) {
  int widths[COLUMNS] = {0};
  for (size_t i = 0; i < count; ++i)
    for (int k = 0; k < COLUMNS; ++k)
      if ((int)strlen(rows[i].cells[k]) > widths[k])
        widths[k] = (int)strlen(rows[i].cells[k]);
  bool has_gaps = false;
  for (size_t i = 0; i < count; ++i) {
    print_row(&rows[i], widths, text);
    has_gaps |= strchr(rows[i].cells[STEPS], '*') != NULL;
  }
  if (has_gaps)
    gmem_text_print(text, "  (*: the live range has gaps)\n");
}

static void print_table(const gmem_report_t *report, uint32_t pool,
                        gmem_text_t *text) {
  size_t count = 1;
  row_t *rows = gmem_bump_alloc(report->arena, report->pools[pool].buffers + 1,
                                sizeof *rows);
  text->out_of_memory |= !rows;
  if (!rows)
    return;
  memcpy(rows[0].cells, heads, sizeof heads);
  for (uint32_t i = 0; i < report->buffer_count; ++i)
    if (gmem_report_is_listed(gmem_planned_buffer(report->planned, i), pool))
      fill_row(report, i, &rows[count++], text);
  if (!text->out_of_memory)
    print_rows(rows, count, text);
}

//===--- unplanned values -------------------------------------------------===//

static void print_value(const gmem_report_unplanned_t *value,
                        gmem_text_t *text) {
  gmem_text_print(text, "    %s", value->value);
  if (!strchr(value->value, '@')) // names of arguments include the function
    gmem_text_print(text, " in @%s", value->function);
  gmem_text_print(text, ", ");
  gmem_text_place(text, value->location, true);
  if (!mlirOperationIsNull(value->cause)) {
    gmem_text_print(text, ": see ");
    gmem_report_op(text, value->cause);
  }
  gmem_text_print(text, "\n");
}

static bool is_first_of_reason(const gmem_report_t *report, size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (strcmp(report->unplanned[i].reason, report->unplanned[index].reason) ==
        0)
      return false;
  return true;
}

static void print_reason(const gmem_report_t *report, size_t first,
                         gmem_text_t *text) {
  const char *reason = report->unplanned[first].reason;
  size_t count = 0;
  for (size_t i = first; i < report->unplanned_count; ++i)
    count += strcmp(report->unplanned[i].reason, reason) == 0;
  gmem_text_print(text, "  %s: %zu\n", reason, count);
  size_t listed = 0;
  for (size_t i = first; i < report->unplanned_count && listed < MAX_PER_REASON;
       ++i)
    if (strcmp(report->unplanned[i].reason, reason) == 0) {
      print_value(&report->unplanned[i], text);
      ++listed;
    }
  if (count > listed)
    gmem_text_print(text, "    and %zu more\n", count - listed);
}

void gmem_report_to_text(const gmem_report_t *report, gmem_text_t *text) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    if (report->pools[i].buffers == 0)
      continue;
    print_size(pool, text);
    print_sum(pool, &report->pools[i], text);
    print_preferences(pool, text);
    if (pool->constant)
      continue;
    print_peak(report, i, text);
    print_table(report, i, text);
  }
  gmem_text_print(text, "not planned: %zu value%s\n", report->unplanned_count,
                  plural(report->unplanned_count));
  for (size_t i = 0; i < report->unplanned_count; ++i)
    if (is_first_of_reason(report, i))
      print_reason(report, i, text);
}
