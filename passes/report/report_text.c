// report_text.c - a report as human-readable tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_facts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "partition_point.h"
#include "report_curve.h"
#include "report_map.h"
#include "report_sums.h"

enum {
  MAX_AT_PEAK = 10,     // buffers listed there
  MAX_PER_REASON = 10,  // values listed
  MAX_SHARERS = 3,      // names listed
  MAX_OVER_BUDGET = 10, // parts of the program listed
  MAX_SUMS = 10,        // names of ops listed
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

// Headlines: the pools that exceed their capacity.
static void print_over(const gmem_report_t *report, gmem_text_t *text) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    const gmem_report_pool_t *figures = &report->pools[i];
    if (figures->over == 0)
      continue;
    gmem_text_print(text, "over capacity: pool %s", pool->name);
    print_number(text, " needs ", pool->size, " bytes");
    print_number(text, ", has ", figures->capacity, "");
    print_number(text, ": over by ", figures->over, "\n");
  }
}

static void print_size(const gmem_planned_pool_t *pool,
                       const gmem_report_pool_t *figures, gmem_text_t *text) {
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
  if (figures->capacity != GMEM_UNLIMITED)
    print_number(text, ", capacity ", figures->capacity, "");
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
  gmem_text_print(text, "; alignment %" PRIu64, pool->alignment);
  uint64_t padding = gmem_report_padding(pool, figures);
  if (padding)
    print_number(text, " costs ", padding, " bytes");
  gmem_text_print(text, "\n");
}

//===--- the peak ---------------------------------------------------------===//

static const gmem_planned_buffer_t *buffer_at(const gmem_report_t *report,
                                              uint32_t index) {
  return gmem_planned_buffer(report->planned, index);
}

// A buffer, with its number to make the order of equally large ones total.
typedef struct sized_s {
  const gmem_planned_buffer_t *buffer;
  uint32_t number;
} sized_t;

static int largest_first(const void *a, const void *b) {
  const sized_t *left = a, *right = b;
  if (left->buffer->size != right->buffer->size)
    return left->buffer->size < right->buffer->size ? 1 : -1;
  return (left->number > right->number) - (left->number < right->number);
}

static size_t list_live(const gmem_report_t *report, uint32_t pool,
                        sized_t *live) {
  size_t count = 0;
  for (uint32_t i = 0; i < report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer = buffer_at(report, i);
    if (gmem_report_is_listed(buffer, pool) &&
        gmem_report_owns_at(buffer, report->pools[pool].peak_step))
      live[count++] = (sized_t){buffer, i};
  }
  qsort(live, count, sizeof *live, largest_first);
  return count;
}

static const char *format_number(gmem_bump_t *arena, uint64_t number) {
  gmem_text_t text = {.arena = arena};
  gmem_text_number(&text, number);
  const char *formatted = gmem_text_get(&text);
  return formatted ? formatted : ""; // the arena knows
}

static int width_of(const char *cell, int width) {
  int length = (int)strlen(cell);
  return length > width ? length : width;
}

// Lists the largest buffers with their sizes, ops and locations.
static void print_live(const gmem_report_t *report, const sized_t *live,
                       size_t count, gmem_text_t *text) {
  size_t listed = count < MAX_AT_PEAK ? count : MAX_AT_PEAK;
  const char *sizes[MAX_AT_PEAK];
  int width = 0, name_width = 0;
  uint64_t rest = 0;
  for (size_t i = 0; i < listed; ++i) {
    sizes[i] = format_number(report->arena, live[i].buffer->size);
    width = width_of(sizes[i], width);
    name_width = width_of(live[i].buffer->name, name_width);
  }
  for (size_t i = 0; i < listed; ++i) {
    const gmem_planned_buffer_t *buffer = live[i].buffer;
    gmem_text_print(text, "    %*s  %-*s  %s (", width, sizes[i], name_width,
                    buffer->name, buffer->op);
    gmem_text_place(text, report->locations.at[live[i].number], true);
    gmem_text_print(text, ")\n");
  }
  for (size_t i = listed; i < count; ++i)
    rest += live[i].buffer->size;
  if (count > listed) {
    gmem_text_print(text, "    and %zu more", count - listed);
    print_number(text, ", ", rest, " bytes\n");
  }
}

static void print_peak(const gmem_report_t *report, uint32_t pool,
                       gmem_text_t *text) {
  const gmem_report_pool_t *figures = &report->pools[pool];
  if (figures->peak_step < 0)
    return;
  sized_t *live =
      gmem_bump_alloc(report->arena, figures->buffers, sizeof *live);
  if (!live)
    return;
  size_t count = list_live(report, pool, live);
  gmem_text_print(text, "  peak liveness at step %" PRId64 ", ",
                  figures->peak_step);
  gmem_report_op(text, report->ops.at[figures->peak_step]);
  if (figures->peak_steps > 1)
    gmem_text_print(text, " and %" PRId64 " more", figures->peak_steps - 1);
  print_number(text, ": ", figures->peak_live, "");
  gmem_text_print(text, " bytes in %zu buffer%s\n", count, plural(count));
  print_live(report, live, count, text);
}

// The steps with more live bytes than the budget.
static void print_excess(const gmem_report_t *report, uint32_t pool,
                         gmem_text_t *text) {
  const gmem_report_pool_t *figures = &report->pools[pool];
  gmem_report_excess_t excess;
  int64_t steps = 0;
  size_t parts = 0, listed = 0;
  if (report->budget == GMEM_UNLIMITED)
    return;
  for (size_t at = 0;
       gmem_report_next_excess(figures, report->budget, &at, &excess); ++parts)
    steps += excess.end - excess.begin;
  print_number(text, "  budget ", report->budget, ": ");
  gmem_text_print(text, "%" PRId64 " of %" PRId64 " steps need more\n", steps,
                  gmem_planned_figures(report->planned)->step_count);
  for (size_t at = 0;
       listed < MAX_OVER_BUDGET &&
       gmem_report_next_excess(figures, report->budget, &at, &excess);
       ++listed) {
    gmem_text_print(text, "    [%" PRId64 ", %" PRId64 ")", excess.begin,
                    excess.end);
    print_number(text, "  ", excess.bytes, " bytes at ");
    gmem_report_op(text, report->ops.at[excess.step]);
    gmem_text_print(text, "\n");
  }
  if (parts > listed)
    gmem_text_print(text, "    and %zu more\n", parts - listed);
}

//===--- the table --------------------------------------------------------===//

enum { NAME, SIZE, OFFSET, STEPS, FIRST, LAST, NOTES, COLUMNS };

typedef struct row_s {
  const char *cells[COLUMNS];
} row_t;

// Sorted offsets.
typedef struct offsets_s {
  uint64_t *at;
  size_t count;
} offsets_t;

// The table of one pool.
typedef struct table_s {
  const gmem_report_t *report;
  uint32_t pool;
  row_t *rows; // the head, and one per buffer
  // Of the buffers: first offsets, ends, and offsets of those of size 0. They
  // give the number of buffers that share bytes without a scan.
  offsets_t begins, ends, empty;
  uint32_t *first_alias; // by buffer: its first alias as a child, plus one
  uint32_t *next_alias;  // by alias: the next one of the same child, plus one
} table_t;

static const char *const heads[COLUMNS] = {
    "buffer", "bytes", "offset", "steps", "from", "to", "memory shared with"};

static int by_offset(const void *a, const void *b) {
  const uint64_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

static bool is_below(const void *element, const void *limit) {
  return *(const uint64_t *)element < *(const uint64_t *)limit;
}

static size_t count_below(const offsets_t *offsets, uint64_t limit) {
  return gmem_partition_point(&limit, offsets->at, offsets->count,
                              sizeof *offsets->at, is_below);
}

static bool shares_bytes(const gmem_planned_buffer_t *a,
                         const gmem_planned_buffer_t *b) {
  return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

// The number of other buffers that share bytes with |buffer|.
static size_t count_sharers(const table_t *table,
                            const gmem_planned_buffer_t *buffer) {
  uint64_t begin = buffer->offset, end = begin + buffer->size;
  size_t all =
      count_below(&table->begins, end) - count_below(&table->ends, begin + 1);
  if (buffer->size)
    return all - 1; // itself
  // Those of size 0 at the same offset end there, but do not begin below it.
  return all + count_below(&table->empty, begin + 1) -
         count_below(&table->empty, begin);
}

// Lists the first buffers that use bytes of |index| at other times, and the
// number of the rest.
static void print_sharers(const table_t *table, uint32_t index,
                          gmem_text_t *text) {
  const gmem_planned_buffer_t *buffer = buffer_at(table->report, index);
  size_t count = count_sharers(table, buffer), shown = 0;
  for (uint32_t i = 0; shown < count && shown < MAX_SHARERS; ++i) {
    assert(i < table->report->locations.count);
    const gmem_planned_buffer_t *other = buffer_at(table->report, i);
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
                    buffer_at(table->report, alias->parent)->name);
  }
}

// Of a run that was measured: what it has not written.
static void print_written(const gmem_report_t *report, uint32_t index,
                          gmem_text_t *text) {
  uint64_t written = report->measured.written[index];
  if (written == 0)
    gmem_text_print(text, "; a run writes nothing of it");
  else if (written < buffer_at(report, index)->size)
    print_number(text, "; a run writes ", written, " bytes of it");
}

static void print_notes(const table_t *table, uint32_t index,
                        gmem_text_t *text) {
  uint32_t flags = buffer_at(table->report, index)->flags;
  print_sharers(table, index, text);
  print_aliases(table, index, text);
  if (flags & GMEM_PLANNED_INPUT)
    gmem_text_print(text, "; input");
  if (flags & GMEM_PLANNED_OUTPUT)
    gmem_text_print(text, "; output");
  if (table->report->has_measured)
    print_written(table->report, index, text);
}

static void fill_row(const table_t *table, uint32_t index, row_t *row) {
  const gmem_report_t *report = table->report;
  const gmem_planned_buffer_t *buffer = buffer_at(report, index);
  int64_t begin = gmem_report_begin(buffer), end = gmem_report_end(buffer);
  gmem_text_t cells[COLUMNS];
  assert(begin < end && (size_t)end <= report->ops.count);
  for (int i = 0; i < COLUMNS; ++i)
    cells[i] = (gmem_text_t){.arena = report->arena};
  gmem_text_print(&cells[NAME], "%s", buffer->name);
  gmem_text_number(&cells[SIZE], buffer->size);
  gmem_text_number(&cells[OFFSET], buffer->offset);
  gmem_text_print(&cells[STEPS], "[%" PRId64 ", %" PRId64 ")%s", begin, end,
                  buffer->range_count > 1 ? "*" : "");
  gmem_report_op(&cells[FIRST], report->ops.at[begin]);
  gmem_report_op(&cells[LAST], report->ops.at[end - 1]);
  print_notes(table, index, &cells[NOTES]);
  for (int i = 0; i < COLUMNS; ++i)
    row->cells[i] = gmem_text_get(&cells[i]);
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

static void add_offset(const table_t *table, offsets_t *offsets,
                       uint64_t offset) {
  assert(offsets->count < table->report->pools[table->pool].buffers);
  offsets->at[offsets->count++] = offset;
}

static void sort(offsets_t *offsets) {
  qsort(offsets->at, offsets->count, sizeof *offsets->at, by_offset);
}

static void list_extents(table_t *table) {
  for (uint32_t i = 0; i < table->report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer = buffer_at(table->report, i);
    if (!gmem_report_is_listed(buffer, table->pool))
      continue;
    add_offset(table, &table->begins, buffer->offset);
    add_offset(table, &table->ends, buffer->offset + buffer->size);
    if (buffer->size == 0)
      add_offset(table, &table->empty, buffer->offset);
  }
  sort(&table->begins);
  sort(&table->ends);
  sort(&table->empty);
}

// |table| has the aliases by child, and no rows yet.
static void print_table(table_t table, uint32_t pool, gmem_text_t *text) {
  const gmem_report_t *report = table.report;
  size_t most = report->pools[pool].buffers, count = 1;
  table.pool = pool;
  table.rows = gmem_bump_alloc(report->arena, most + 1, sizeof(row_t));
  table.begins.at = gmem_bump_alloc(report->arena, most, sizeof(uint64_t));
  table.ends.at = gmem_bump_alloc(report->arena, most, sizeof(uint64_t));
  table.empty.at = gmem_bump_alloc(report->arena, most, sizeof(uint64_t));
  if (report->arena->out_of_memory)
    return;
  list_extents(&table);
  memcpy(table.rows[0].cells, heads, sizeof heads);
  for (uint32_t i = 0; i < report->locations.count; ++i)
    if (gmem_report_is_listed(buffer_at(report, i), pool))
      fill_row(&table, i, &table.rows[count++]);
  if (!report->arena->out_of_memory)
    print_rows(table.rows, count, text);
}

// Lists the aliases by child, in their order.
static bool list_aliases(table_t *table) {
  const gmem_report_t *report = table->report;
  size_t count = gmem_planned_alias_count(report->planned);
  table->first_alias =
      gmem_bump_alloc(report->arena, report->locations.count, sizeof(uint32_t));
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

//===--- details ----------------------------------------------------------===//

static void print_sums(const gmem_report_t *report, bool by_dialect,
                       gmem_text_t *text) {
  gmem_report_sums_t sums;
  if (gmem_report_sum_ops(report, by_dialect, &sums, NULL) != GMEM_OK)
    return; // the arena knows
  gmem_text_print(text, "bytes by %s, at the peak and in all\n",
                  by_dialect ? "dialect" : "op");
  for (size_t i = 0; i < sums.count && i < MAX_SUMS; ++i) {
    const gmem_report_sum_t *sum = &sums.at[i];
    gmem_text_print(text, "  %15s %15s  %.*s, %zu buffer%s\n",
                    format_number(report->arena, sum->at_peak),
                    format_number(report->arena, sum->bytes), (int)sum->length,
                    sum->name, sum->buffers, plural(sum->buffers));
  }
  if (sums.count > MAX_SUMS)
    gmem_text_print(text, "  and %zu more\n", sums.count - MAX_SUMS);
}

// By kind of alias.
static void print_savings(const gmem_report_t *report, gmem_text_t *text) {
  size_t count = gmem_planned_alias_count(report->planned);
  gmem_text_print(text, "sharing at the peak\n");
  for (uint32_t kind = 1; kind < GMEM_SHARE_ALL; kind <<= 1) {
    size_t aliases = 0, live = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i)
      if (gmem_planned_alias(report->planned, i)->kind == kind) {
        uint64_t saved = gmem_report_alias_saves(report, i);
        ++aliases;
        live += saved > 0;
        bytes += saved;
      }
    if (aliases) {
      gmem_text_print(text, "  %s: %zu of %zu aliases",
                      gmem_sharing_name((gmem_sharing_t)kind), live, aliases);
      print_number(text, ", ", bytes, " bytes\n");
    }
  }
}

static void print_details(const gmem_report_t *report, gmem_text_t *text) {
  print_sums(report, false, text);
  print_sums(report, true, text);
  if (gmem_planned_alias_count(report->planned))
    print_savings(report, text);
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

// Prints the values that have the reason of value |first|, unless an earlier
// one has it.
static void print_reason(const gmem_report_t *report, size_t first,
                         gmem_text_t *text) {
  const char *reason = report->unplanned.at[first].reason;
  size_t count = 0, listed = 0;
  for (size_t i = 0; i < report->unplanned.count; ++i) {
    bool is_same = strcmp(report->unplanned.at[i].reason, reason) == 0;
    if (is_same && i < first)
      return;
    count += is_same;
  }
  const char *help = report->unplanned.at[first].help;
  gmem_text_print(text, "  %s: %zu%s%s\n", reason, count, help ? "; " : "",
                  help ? help : "");
  for (size_t i = first; i < report->unplanned.count && listed < MAX_PER_REASON;
       ++i)
    if (strcmp(report->unplanned.at[i].reason, reason) == 0) {
      print_value(&report->unplanned.at[i], text);
      ++listed;
    }
  if (count > listed)
    gmem_text_print(text, "    and %zu more\n", count - listed);
}

static void print_high_water(const gmem_report_t *report, uint32_t index,
                             gmem_text_t *text) {
  if (!report->has_measured || !report->measured.pools[index].is_known)
    return;
  const gmem_report_measured_pool_t *pool = &report->measured.pools[index];
  print_number(text, "  a run writes ", pool->written, " bytes, ");
  print_number(text, "the last of them ends at ", pool->high_water, "\n");
}

static void print_pool(const table_t *aliases, uint32_t index,
                       gmem_text_t *text) {
  const gmem_report_t *report = aliases->report;
  const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, index);
  if (report->pools[index].buffers == 0)
    return;
  print_size(pool, &report->pools[index], text);
  print_sum(pool, &report->pools[index], text);
  print_preferences(pool, text);
  if (pool->constant)
    return;
  print_peak(report, index, text);
  print_excess(report, index, text);
  print_high_water(report, index, text);
  if (report->has_details)
    gmem_report_map(report, index, text);
  print_table(*aliases, index, text);
}

static void print_order(const gmem_report_t *report, gmem_text_t *text) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(report->planned);
  if (figures->order_bound == GMEM_UNLIMITED)
    return;
  if (figures->order_bound == figures->peak) {
    gmem_text_print(text, "order: no order of the ops needs less\n");
    return;
  }
  print_number(text, "order: every order of the ops needs ",
               figures->order_bound, " bytes, ");
  print_number(text, "", figures->peak - figures->order_bound, " less");
  if (figures->order_gave_up)
    gmem_text_print(text, "; gave up: %s", figures->order_gave_up);
  gmem_text_print(text, "\n");
}

static void print_penalty(const gmem_report_t *report, gmem_text_t *text) {
  uint64_t penalty = gmem_planned_figures(report->planned)->penalty;
  if (penalty != GMEM_UNLIMITED)
    gmem_text_print(text, "penalty of gmem.constraints: %llu\n",
                    (unsigned long long)penalty);
}

//===--- what-ifs ---------------------------------------------------------===//

static uint64_t constant_bytes(const gmem_report_t *report) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    bytes += pool->constant ? pool->size : 0;
  }
  return bytes;
}

static void print_what_if(const gmem_report_t *report, size_t index,
                          gmem_text_t *text) {
  const gmem_what_if_t *what_if = &report->what_ifs.at[index];
  uint64_t given = gmem_planned_figures(report->planned)->peak;
  gmem_text_print(text, "    %2zu  %s", index + 1, what_if->text);
  if (*what_if->means)
    gmem_text_print(text, " [%s]", what_if->means);
  print_number(text, ": ", what_if->peak, " bytes");
  if (what_if->peak < given)
    print_number(text, ", ", given - what_if->peak, " less");
  else if (what_if->peak > given)
    print_number(text, ", ", what_if->peak - given, " more");
  if (what_if->over)
    print_number(text, ", over by ", what_if->over, "");
  if (what_if->constants != constant_bytes(report))
    print_number(text, ", constants ", what_if->constants, " bytes");
  gmem_text_print(text, "\n");
}

static bool is_over(const gmem_report_t *report) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i)
    if (report->pools[i].over)
      return true;
  return false;
}

// What the last lines are about: the changes with which the plan fits.
static void print_fitting(const gmem_report_t *report, gmem_text_t *text) {
  const gmem_what_ifs_t *ifs = &report->what_ifs;
  size_t fitting = 0;
  for (size_t i = 0; i < ifs->count; ++i)
    fitting += ifs->at[i].over == 0;
  gmem_text_print(text, fitting ? "it fits with each of:\n"
                                : "it fits with none of these changes\n");
  for (size_t i = 0; i < ifs->count; ++i)
    if (ifs->at[i].over == 0)
      print_what_if(report, i, text);
}

static void print_what_ifs(const gmem_report_t *report, gmem_text_t *text) {
  const gmem_what_ifs_t *ifs = &report->what_ifs;
  bool was_kept = false;
  if (!report->has_what_ifs)
    return;
  gmem_text_print(text, "what if: %zu of %zu changes planned and verified, %s",
                  ifs->tried, ifs->listed,
                  ifs->count ? "the best are" : "none needs less");
  gmem_text_print(text, "\n");
  for (size_t i = 0; i < ifs->count; ++i) {
    bool keeps = gmem_change_keeps_bits(ifs->at[i].change.kind);
    if (i == 0 || keeps != was_kept)
      gmem_text_print(text, keeps
                                ? "  the results stay the same, bit for bit:\n"
                                : "  other hardware, kernels or callers are "
                                  "needed:\n");
    was_kept = keeps;
    print_what_if(report, i, text);
  }
  if (is_over(report))
    print_fitting(report, text);
}

void gmem_report_to_text(const gmem_report_t *report, gmem_text_t *text) {
  table_t aliases = {.report = report};
  if (!list_aliases(&aliases))
    return;
  print_over(report, text);
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i)
    print_pool(&aliases, i, text);
  print_order(report, text);
  print_penalty(report, text);
  if (report->has_details)
    print_details(report, text);
  gmem_text_print(text, "not planned: %zu value%s\n", report->unplanned.count,
                  plural(report->unplanned.count));
  for (size_t i = 0; i < report->unplanned.count; ++i)
    print_reason(report, i, text);
  print_what_ifs(report, text);
}
