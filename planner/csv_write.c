// csv_write.c - a problem, and a plan if there is one, as CSV text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "planner_internal.h"

enum { BUFFERED = 4096 };

typedef struct writer_s {
  gmem_write_fn write;
  void *user;
  gmem_status_t status; // the first failure: nothing is written after it
  size_t used;
  char bytes[BUFFERED];
} writer_t;

//===--- bytes ------------------------------------------------------------===//

static void flush(writer_t *writer) {
  if (writer->status == GMEM_OK && writer->used)
    writer->status = writer->write(writer->user, writer->bytes, writer->used);
  writer->used = 0;
}

static void put(writer_t *writer, const char *text, size_t length) {
  while (length) {
    if (writer->used == BUFFERED)
      flush(writer);
    size_t room = BUFFERED - writer->used;
    size_t part = length < room ? length : room;
    memcpy(writer->bytes + writer->used, text, part);
    writer->used += part;
    text += part;
    length -= part;
  }
}

static void put_text(writer_t *writer, const char *text) {
  put(writer, text, strlen(text));
}

static void put_unsigned(writer_t *writer, uint64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  put(writer, digits + first, sizeof digits - first);
}

static void put_time(writer_t *writer, int64_t time) {
  if (time < 0)
    put_text(writer, "-");
  put_unsigned(writer, time < 0 ? 0 - (uint64_t)time : (uint64_t)time);
}

//===--- which rows, which columns ----------------------------------------===//

// What is written, and the columns that say something.
typedef struct table_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan; // or NULL
  uint32_t pool;                // or GMEM_ALL_POOLS
  bool alignment, gaps, pools, fixed, uses, placed_pool;
} table_t;

// A fixed offset is one in the first candidate.
static size_t candidate_count(const gmem_buffer_spec_t *spec) {
  return spec->has_fixed_offset ? 1 : spec->pool_count;
}

static bool belongs(const table_t *table, uint32_t buffer) {
  if (table->pool == GMEM_ALL_POOLS)
    return true;
  if (table->plan)
    return table->plan[buffer].pool == table->pool;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, buffer);
  for (size_t i = 0; i < candidate_count(spec); ++i)
    if (spec->pools[i] == table->pool)
      return true;
  return false;
}

static bool has_gap(const gmem_buffer_spec_t *spec) {
  for (size_t i = 1; i < spec->range_count; ++i)
    if (spec->ranges[i - 1].end < spec->ranges[i].begin)
      return true;
  return false;
}

// Its candidates are those of a buffer that was added without any.
static bool may_go_anywhere(const table_t *table,
                            const gmem_buffer_spec_t *spec) {
  for (size_t i = 0; i < spec->pool_count; ++i)
    if (spec->pools[i] != i)
      return false;
  return spec->pool_count == gmem_problem_pool_count(table->problem);
}

static bool is_fixed_here(const table_t *table,
                          const gmem_buffer_spec_t *spec) {
  return spec->has_fixed_offset &&
         (table->pool == GMEM_ALL_POOLS || spec->pools[0] == table->pool);
}

static void note_columns(table_t *table, const gmem_buffer_spec_t *spec) {
  table->alignment = table->alignment || spec->alignment > 1;
  table->gaps = table->gaps || has_gap(spec);
  table->fixed = table->fixed || is_fixed_here(table, spec);
  table->uses = table->uses || spec->uses > 1;
  if (table->pool == GMEM_ALL_POOLS)
    table->pools = table->pools || !may_go_anywhere(table, spec);
}

static bool has_control(const char *text) {
  for (; *text; ++text)
    if ((unsigned char)*text < ' ')
      return true;
  return false;
}

static gmem_status_t choose_columns(table_t *table, gmem_diag_t *diag) {
  uint32_t pools = gmem_problem_pool_count(table->problem);
  table->placed_pool =
      table->plan && table->pool == GMEM_ALL_POOLS && pools > 1;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(table->problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, i);
    if (!belongs(table, i))
      continue;
    if (has_control(spec->name))
      return gmem_planner_fail(
          diag, GMEM_ERR_INVALID_ARGUMENT, i,
          "the name of buffer %" PRIu32 " has a control character", i);
    note_columns(table, spec);
  }
  return GMEM_OK;
}

// Pools are named in lists, separated by spaces.
static gmem_status_t check_pool_names(const table_t *table, gmem_diag_t *diag) {
  if (!table->pools && !table->placed_pool)
    return GMEM_OK;
  for (uint32_t i = 0; i < gmem_problem_pool_count(table->problem); ++i) {
    const char *name = gmem_problem_pool(table->problem, i)->name;
    if (has_control(name) || (table->pools && strchr(name, ' ')))
      return gmem_planner_fail(
          diag, GMEM_ERR_INVALID_ARGUMENT, i,
          "the name of pool %" PRIu32 " has a space or a control character", i);
  }
  return GMEM_OK;
}

//===--- rows -------------------------------------------------------------===//

static void put_header(writer_t *writer, const table_t *table) {
  const struct {
    bool is_there;
    const char *name;
  } columns[] = {
      {true, "id,lower,upper,size"}, {table->alignment, ",alignment"},
      {table->gaps, ",gaps"},        {table->pools, ",pools"},
      {table->fixed, ",fixed"},      {table->uses, ",uses"},
      {table->placed_pool, ",pool"}, {table->plan, ",offset"}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i)
    if (columns[i].is_there)
      put_text(writer, columns[i].name);
  put_text(writer, "\n");
}

// |text| inside of quotes, in which quotes are doubled.
static void put_inside_quotes(writer_t *writer, const char *text) {
  for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
    put(writer, text, (size_t)(quote - text) + 1);
    put_text(writer, "\"");
  }
  put_text(writer, text);
}

static void put_field(writer_t *writer, const char *text) {
  if (!strpbrk(text, ",\"")) {
    put_text(writer, text);
    return;
  }
  put_text(writer, "\"");
  put_inside_quotes(writer, text);
  put_text(writer, "\"");
}

static void put_gaps(writer_t *writer, const gmem_buffer_spec_t *spec) {
  const char *separator = "";
  for (size_t i = 1; i < spec->range_count; ++i) {
    if (spec->ranges[i - 1].end == spec->ranges[i].begin)
      continue;
    put_text(writer, separator);
    put_time(writer, spec->ranges[i - 1].end);
    put_text(writer, "-");
    put_time(writer, spec->ranges[i].begin);
    separator = " ";
  }
}

static void put_pools(writer_t *writer, const table_t *table,
                      const gmem_buffer_spec_t *spec) {
  if (may_go_anywhere(table, spec))
    return;
  bool needs_quotes = false;
  for (size_t i = 0; i < spec->pool_count; ++i) {
    const char *name = gmem_problem_pool(table->problem, spec->pools[i])->name;
    needs_quotes = needs_quotes || strpbrk(name, ",\"");
  }
  const char *quotes = needs_quotes ? "\"" : "";
  put_text(writer, quotes);
  for (size_t i = 0; i < spec->pool_count; ++i) {
    put_text(writer, i ? " " : "");
    put_inside_quotes(writer,
                      gmem_problem_pool(table->problem, spec->pools[i])->name);
  }
  put_text(writer, quotes);
}

// The columns of minimalloc but for the last, the offset.
static void put_buffer(writer_t *writer, const table_t *table,
                       const gmem_buffer_spec_t *spec, uint32_t buffer) {
  if (*spec->name)
    put_field(writer, spec->name);
  else
    put_unsigned(writer, buffer);
  put_text(writer, ",");
  put_time(writer, spec->ranges[0].begin);
  put_text(writer, ",");
  put_time(writer, spec->ranges[spec->range_count - 1].end);
  put_text(writer, ",");
  put_unsigned(writer, spec->size);
  if (table->alignment) {
    put_text(writer, ",");
    put_unsigned(writer, spec->alignment);
  }
  if (table->gaps) {
    put_text(writer, ",");
    put_gaps(writer, spec);
  }
}

// Where it may go, and where it is.
static void put_place(writer_t *writer, const table_t *table,
                      const gmem_buffer_spec_t *spec, uint32_t buffer) {
  if (table->pools) {
    put_text(writer, ",");
    put_pools(writer, table, spec);
  }
  if (table->fixed) {
    put_text(writer, ",");
    if (is_fixed_here(table, spec))
      put_unsigned(writer, spec->fixed_offset);
  }
  if (table->uses) {
    put_text(writer, ",");
    put_unsigned(writer, spec->uses);
  }
  if (table->placed_pool) {
    put_text(writer, ",");
    uint32_t pool = table->plan[buffer].pool;
    put_field(writer, gmem_problem_pool(table->problem, pool)->name);
  }
  if (table->plan) {
    put_text(writer, ",");
    put_unsigned(writer, table->plan[buffer].offset);
  }
}

static void put_row(writer_t *writer, const table_t *table, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(table->problem, buffer);
  put_buffer(writer, table, spec, buffer);
  put_place(writer, table, spec, buffer);
  put_text(writer, "\n");
}

gmem_status_t gmem_csv_write(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool,
                             gmem_write_fn write, void *user,
                             gmem_diag_t *diag) {
  table_t table = {.problem = problem, .plan = plan, .pool = pool};
  gmem_status_t status = choose_columns(&table, diag);
  if (status == GMEM_OK)
    status = check_pool_names(&table, diag);
  if (status != GMEM_OK)
    return status;
  writer_t writer = {.write = write, .user = user};
  put_header(&writer, &table);
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count && writer.status == GMEM_OK; ++i)
    if (belongs(&table, i))
      put_row(&writer, &table, i);
  flush(&writer);
  if (writer.status != GMEM_OK)
    return gmem_planner_fail(diag, writer.status, GMEM_NO_BUFFER,
                             "the CSV text could not be written");
  return GMEM_OK;
}
