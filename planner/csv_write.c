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

//===--- rows -------------------------------------------------------------===//

typedef struct columns_s {
  bool alignment, gaps, offset;
} columns_t;

static void put_header(writer_t *writer, columns_t columns) {
  put_text(writer, "id,lower,upper,size");
  if (columns.alignment)
    put_text(writer, ",alignment");
  if (columns.gaps)
    put_text(writer, ",gaps");
  if (columns.offset)
    put_text(writer, ",offset");
  put_text(writer, "\n");
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

static void put_row(writer_t *writer, const gmem_buffer_spec_t *spec,
                    uint32_t buffer, columns_t columns, uint64_t offset) {
  if (*spec->name)
    put_text(writer, spec->name);
  else
    put_unsigned(writer, buffer);
  put_text(writer, ",");
  put_time(writer, spec->ranges[0].begin);
  put_text(writer, ",");
  put_time(writer, spec->ranges[spec->range_count - 1].end);
  put_text(writer, ",");
  put_unsigned(writer, spec->size);
  if (columns.alignment) {
    put_text(writer, ",");
    put_unsigned(writer, spec->alignment);
  }
  if (columns.gaps) {
    put_text(writer, ",");
    put_gaps(writer, spec);
  }
  if (columns.offset) {
    put_text(writer, ",");
    put_unsigned(writer, offset);
  }
  put_text(writer, "\n");
}

//===--- which rows, which columns ----------------------------------------===//

static bool belongs(const gmem_problem_t *problem, const gmem_placement_t *plan,
                    uint32_t buffer, uint32_t pool) {
  if (plan)
    return plan[buffer].pool == pool;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  for (size_t i = 0; i < spec->pool_count; ++i)
    if (spec->pools[i] == pool)
      return true;
  return false;
}

static bool has_gap(const gmem_buffer_spec_t *spec) {
  for (size_t i = 1; i < spec->range_count; ++i)
    if (spec->ranges[i - 1].end < spec->ranges[i].begin)
      return true;
  return false;
}

// A name is one field of CSV as it is: nothing in it needs quotes.
static bool is_field(const char *name) {
  for (; *name; ++name)
    if (*name == ',' || *name == '"' || (unsigned char)*name < ' ')
      return false;
  return true;
}

static gmem_status_t choose_columns(const gmem_problem_t *problem,
                                    const gmem_placement_t *plan, uint32_t pool,
                                    columns_t *columns, gmem_diag_t *diag) {
  *columns = (columns_t){.offset = plan != NULL};
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (!belongs(problem, plan, i, pool))
      continue;
    if (!is_field(spec->name))
      return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, i,
                               "the name of buffer %" PRIu32
                               " has a comma, a quote or a control character",
                               i);
    columns->alignment = columns->alignment || spec->alignment > 1;
    columns->gaps = columns->gaps || has_gap(spec);
  }
  return GMEM_OK;
}

gmem_status_t gmem_csv_write(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool,
                             gmem_write_fn write, void *user,
                             gmem_diag_t *diag) {
  columns_t columns;
  gmem_status_t status = choose_columns(problem, plan, pool, &columns, diag);
  if (status != GMEM_OK)
    return status;
  writer_t writer = {.write = write, .user = user};
  put_header(&writer, columns);
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count && writer.status == GMEM_OK; ++i)
    if (belongs(problem, plan, i, pool))
      put_row(&writer, gmem_problem_buffer(problem, i), i, columns,
              plan ? plan[i].offset : 0);
  flush(&writer);
  if (writer.status != GMEM_OK)
    return gmem_planner_fail(diag, writer.status, GMEM_NO_BUFFER,
                             "the CSV text could not be written");
  return GMEM_OK;
}
