// report_text.c - a report as human-readable tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_text.h"

#include <assert.h>
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

// |number| with commas, between two texts.
static void print_number(gmem_text_t *text, const char *before, uint64_t number,
                         const char *after) {
  gmem_text_print(text, "%s", before);
  gmem_text_number(text, number);
  gmem_text_print(text, "%s", after);
}

//===--- summary of a pool ------------------------------------------------===//

static void print_size(const gmem_planned_pool_t *pool, gmem_text_t *text) {
  gmem_text_print(text, "pool %s", pool->name);
  print_number(text, ": ", pool->size, " bytes");
  if (pool->constant) {
    gmem_text_print(text, " of constants");
  } else if (pool->size == pool->lower_bound) {
    gmem_text_print(text, ", equal to the lower bound");
  } else {
    print_number(text, ", ", pool->size - pool->lower_bound, "");
    print_number(text, " above the lower bound of ", pool->lower_bound, "");
  }
  if (pool->capacity != GMEM_UNLIMITED)
    print_number(text, ", capacity ", pool->capacity, "");
  gmem_text_print(text, "\n");
}

// Prints preferences that the plan could not fulfil.
static void print_preferences(const gmem_planned_pool_t *pool,
                              gmem_text_t *text) {
  if (pool->size_hint != GMEM_UNLIMITED)
    print_number(text, "  size hint ", pool->size_hint,
                 pool->size > pool->size_hint
                     ? " exceeded: no room in other pools\n"
                     : "\n");
  if (pool->spilled) {
    gmem_text_print(text, "  %" PRIu64 " buffer%s", pool->spilled,
                    plural(pool->spilled));
    print_number(text, ", ", pool->spilled_bytes,
                 " bytes, spilled from other pools\n");
  }
}

static void print_sum(const gmem_planned_pool_t *pool,
                      const gmem_report_pool_t *figures, gmem_text_t *text) {
  gmem_text_print(text, "  %zu buffer%s", figures->buffers,
                  plural(figures->buffers));
  print_number(text, ", ", figures->sum, " bytes in total");
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
  print_number(text, ": ", figures->peak_live, "");
  gmem_text_print(text, " bytes in %zu buffer%s\n", count, plural(count));
  for (size_t i = 0; i < count && i < MAX_AT_PEAK; ++i) {
    print_number(text, "    ", live[i].size, "");
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

// The table of one pool.
typedef struct table_s {
  const gmem_report_t *report;
  uint32_t pool;
  size_t count; // buffers
  row_t *rows;  // the head, and one per buffer
  // Of the buffers, each sorted: first offsets, ends, and offsets of those of
  // size 0. They give the number of buffers that share bytes without a scan.
  uint64_t *begins, *ends, *empty;
  size_t empty_count;
  uint32_t *first_alias; // by buffer: its first alias as a child, plus one
  uint32_t *next_alias;  // by alias: the next one of the same child, plus one
} table_t;

static const char *const heads[COLUMNS] = {
    "buffer", "bytes", "offset", "steps", "from", "to", "memory shared with"};

static int by_offset(const void *a, const void *b) {
  const uint64_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

// How many of the sorted offsets are below |limit|.
static size_t count_below(const uint64_t *offsets, size_t count,
                          uint64_t limit) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (offsets[middle] < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool shares_bytes(const gmem_planned_buffer_t *a,
                         const gmem_planned_buffer_t *b) {
  return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

// The number of other buffers that share bytes with |buffer|.
static size_t count_sharers(const table_t *table,
                            const gmem_planned_buffer_t *buffer) {
  uint64_t begin = buffer->offset, end = begin + buffer->size;
  size_t all = count_below(table->begins, table->count, end) -
               count_below(table->ends, table->count, begin + 1);
  if (buffer->size)
    return all - 1; // itself
  // Those of size 0 at the same offset end there, but do not begin below it.
  return all + count_below(table->empty, table->empty_count, begin + 1) -
         count_below(table->empty, table->empty_count, begin);
}

// Lists the first buffers that use bytes of |index| at other times, and the
// number of the rest.
static void print_sharers(const table_t *table, uint32_t index,
                          gmem_text_t *text) {
  const gmem_planned_t *planned = table->report->planned;
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  size_t count = count_sharers(table, buffer), shown = 0;
  for (uint32_t i = 0; shown < count && shown < MAX_SHARERS; ++i) {
    assert(i < table->report->buffer_count);
    const gmem_planned_buffer_t *other = gmem_planned_buffer(planned, i);
    if (i != index && gmem_report_is_listed(other, table->pool) &&
        shares_bytes(buffer, other))
      gmem_text_print(text, "%s%s", shown++ ? ", " : "", other->name);
  }
  if (count > MAX_SHARERS)
    gmem_text_print(text, " and %zu more", count - MAX_SHARERS);
}

// Lists the optional sharing of |index| with buffers that are live at the same
// time.
static void print_aliases(const table_t *table, uint32_t index,
                          gmem_text_t *text) {
  const gmem_planned_t *planned = table->report->planned;
  for (uint32_t i = table->first_alias[index]; i;
       i = table->next_alias[i - 1]) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(planned, i - 1);
    assert(alias->child == index);
    gmem_text_print(text, "; %s of %s", gmem_sharing_name(alias->kind),
                    gmem_planned_buffer(planned, alias->parent)->name);
  }
}

static void print_notes(const table_t *table, uint32_t index,
                        gmem_text_t *text) {
  uint32_t flags = gmem_planned_buffer(table->report->planned, index)->flags;
  print_sharers(table, index, text);
  print_aliases(table, index, text);
  if (flags & GMEM_PLANNED_INPUT)
    gmem_text_print(text, "; input");
  if (flags & GMEM_PLANNED_OUTPUT)
    gmem_text_print(text, "; output");
}

static void print_cell(const table_t *table, uint32_t index, int column,
                       gmem_text_t *cell) {
  const gmem_report_t *report = table->report;
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
    print_notes(table, index, cell);
  }
}

static void fill_row(const table_t *table, uint32_t index, row_t *row,
                     gmem_text_t *text) {
  for (int i = 0; i < COLUMNS; ++i) {
    gmem_text_t cell = {.arena = text->arena};
    print_cell(table, index, i, &cell);
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

static bool allocate(table_t *table) {
  const gmem_report_t *report = table->report;
  gmem_bump_t *arena = report->arena;
  size_t count = report->pools[table->pool].buffers;
  table->rows = gmem_bump_alloc(arena, count + 1, sizeof(row_t));
  table->begins = gmem_bump_alloc(arena, count, sizeof(uint64_t));
  table->ends = gmem_bump_alloc(arena, count, sizeof(uint64_t));
  table->empty = gmem_bump_alloc(arena, count, sizeof(uint64_t));
  return table->rows && table->begins && table->ends && table->empty;
}

static void list_extents(table_t *table) {
  const gmem_report_t *report = table->report;
  for (uint32_t i = 0; i < report->buffer_count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (!gmem_report_is_listed(buffer, table->pool))
      continue;
    table->begins[table->count] = buffer->offset;
    table->ends[table->count++] = buffer->offset + buffer->size;
    if (buffer->size == 0)
      table->empty[table->empty_count++] = buffer->offset;
  }
  assert(table->count == report->pools[table->pool].buffers);
  qsort(table->begins, table->count, sizeof *table->begins, by_offset);
  qsort(table->ends, table->count, sizeof *table->ends, by_offset);
  qsort(table->empty, table->empty_count, sizeof *table->empty, by_offset);
}

// |aliases| has the aliases by child.
static void print_table(const table_t *aliases, uint32_t pool,
                        gmem_text_t *text) {
  const gmem_report_t *report = aliases->report;
  table_t table = *aliases;
  size_t count = 1;
  table.pool = pool;
  if (!allocate(&table)) {
    text->out_of_memory = true;
    return;
  }
  list_extents(&table);
  memcpy(table.rows[0].cells, heads, sizeof heads);
  for (uint32_t i = 0; i < report->buffer_count; ++i)
    if (gmem_report_is_listed(gmem_planned_buffer(report->planned, i), pool))
      fill_row(&table, i, &table.rows[count++], text);
  if (!text->out_of_memory)
    print_rows(table.rows, count, text);
}

// Lists the aliases by child, in their order.
static bool list_aliases(table_t *table) {
  const gmem_report_t *report = table->report;
  size_t count = gmem_planned_alias_count(report->planned);
  table->first_alias =
      gmem_bump_alloc(report->arena, report->buffer_count, sizeof(uint32_t));
  table->next_alias = gmem_bump_alloc(report->arena, count, sizeof(uint32_t));
  if (!table->first_alias || !table->next_alias)
    return false;
  for (size_t i = count; i > 0; --i) {
    uint32_t child = gmem_planned_alias(report->planned, i - 1)->child;
    table->next_alias[i - 1] = table->first_alias[child];
    table->first_alias[child] = (uint32_t)i;
  }
  return true;
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

static void print_pool(const table_t *aliases, uint32_t index,
                       gmem_text_t *text) {
  const gmem_report_t *report = aliases->report;
  const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, index);
  if (report->pools[index].buffers == 0)
    return;
  print_size(pool, text);
  print_sum(pool, &report->pools[index], text);
  print_preferences(pool, text);
  if (pool->constant)
    return;
  print_peak(report, index, text);
  print_table(aliases, index, text);
}

void gmem_report_to_text(const gmem_report_t *report, gmem_text_t *text) {
  table_t aliases = {.report = report};
  text->out_of_memory |= !list_aliases(&aliases);
  if (text->out_of_memory)
    return;
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i)
    print_pool(&aliases, i, text);
  gmem_text_print(text, "not planned: %zu value%s\n", report->unplanned_count,
                  plural(report->unplanned_count));
  for (size_t i = 0; i < report->unplanned_count; ++i)
    if (is_first_of_reason(report, i))
      print_reason(report, i, text);
}
