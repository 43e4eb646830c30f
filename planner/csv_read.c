// csv_read.c - a problem, and a plan if there is one, from CSV text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text is not trusted. It is read once, front to back; every message names
// a line, and shows only a short printable part of what it found there.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "planner_internal.h"

typedef enum column_e {
  COLUMN_ID,
  COLUMN_LOWER,
  COLUMN_UPPER,
  COLUMN_SIZE, // the last of those that must be there
  COLUMN_ALIGNMENT,
  COLUMN_GAPS,
  COLUMN_OFFSET,
  COLUMN_HINT, // minimalloc's: a hint for its search, of no use here
  COLUMN_COUNT,
} column_t;

static const char *const column_names[COLUMN_COUNT] = {
    "id", "lower", "upper", "size", "alignment", "gaps", "offset", "hint"};

typedef struct span_s {
  const char *begin, *end;
} span_t;

typedef struct reader_s {
  const char *cursor, *end; // what is left of the text
  uint64_t line;            // of the row at hand, 1-based
  gmem_diag_t *diag;
  gmem_allocator_t allocator;
  column_t columns[COLUMN_COUNT]; // from left to right
  size_t column_count;
  bool has_column[COLUMN_COUNT];
  span_t fields[COLUMN_COUNT]; // of the row at hand, by column
  gmem_problem_t *problem;
  char *name; // scratch: the id of the row, NUL-terminated
  size_t name_capacity;
  gmem_live_range_t *gaps; // scratch: of the row, as they come
  size_t gap_capacity;
  gmem_live_range_t *ranges; // scratch: the life of the row without its gaps
  size_t range_capacity;
  gmem_order_t *order; // scratch: to sort the gaps
  size_t order_capacity;
  uint64_t *offsets; // of the rows so far
  size_t offset_capacity;
} reader_t;

// Room for |needed| elements in a scratch array; false when there is no memory.
static bool reserve(reader_t *reader, void **array, size_t *capacity,
                    size_t needed, size_t element_size) {
  while (*capacity < needed)
    if (!gmem_planner_grow(&reader->allocator, array, *capacity, capacity,
                           element_size))
      return false;
  return true;
}

//===--- messages ---------------------------------------------------------===//

typedef struct excerpt_s {
  char text[48];
} excerpt_t;

// A printable beginning of |span|.
static excerpt_t excerpt(span_t span) {
  excerpt_t result;
  size_t length = (size_t)(span.end - span.begin), used = 0;
  for (; used < length && used < sizeof result.text - 4; ++used) {
    char c = span.begin[used];
    result.text[used] = c >= ' ' && c <= '~' ? c : '?';
  }
  const char *rest = used < length ? "..." : "";
  strcpy(result.text + used, rest);
  return result;
}

// "COLUMN 'VALUE' COMPLAINT" at the line at hand.
static gmem_status_t fail_field(reader_t *reader, gmem_status_t status,
                                const char *column, span_t value,
                                const char *complaint) {
  excerpt_t shown = excerpt(value);
  gmem_planner_fail(reader->diag, status, GMEM_NO_BUFFER, "%s '%s' %s", column,
                    shown.text, complaint);
  if (reader->diag)
    reader->diag->line = reader->line;
  return status;
}

static gmem_status_t fail_line(reader_t *reader, const char *text) {
  gmem_planner_fail(reader->diag, GMEM_ERR_PARSE, GMEM_NO_BUFFER, "%s", text);
  if (reader->diag)
    reader->diag->line = reader->line;
  return GMEM_ERR_PARSE;
}

//===--- lines and fields -------------------------------------------------===//

// The next line that is not blank, without its end of line.
static bool next_line(reader_t *reader, span_t *line) {
  while (reader->cursor < reader->end) {
    size_t left = (size_t)(reader->end - reader->cursor);
    const char *stop = memchr(reader->cursor, '\n', left);
    *line = (span_t){reader->cursor, stop ? stop : reader->end};
    reader->cursor = stop ? stop + 1 : reader->end;
    ++reader->line;
    if (line->end > line->begin && line->end[-1] == '\r')
      --line->end;
    if (line->end > line->begin)
      return true;
  }
  return false;
}

// Cuts the first field off |rest|; |rest->begin| is NULL after the last.
static span_t cut_field(span_t *rest) {
  size_t left = (size_t)(rest->end - rest->begin);
  const char *comma = memchr(rest->begin, ',', left);
  span_t field = {rest->begin, comma ? comma : rest->end};
  rest->begin = comma ? comma + 1 : NULL;
  return field;
}

static bool span_is(span_t span, const char *text) {
  size_t length = strlen(text);
  return (size_t)(span.end - span.begin) == length &&
         memcmp(span.begin, text, length) == 0;
}

//===--- header -----------------------------------------------------------===//

static gmem_status_t add_column(reader_t *reader, span_t name) {
  int column = 0;
  while (column < COLUMN_COUNT && !span_is(name, column_names[column]))
    ++column;
  if (column == COLUMN_COUNT)
    return fail_field(reader, GMEM_ERR_PARSE, "column", name,
                      "is unknown (known: id, lower, upper, size, alignment, "
                      "gaps, offset, hint)");
  if (reader->has_column[column])
    return fail_field(reader, GMEM_ERR_PARSE, "column", name, "is there twice");
  reader->has_column[column] = true;
  reader->columns[reader->column_count++] = (column_t)column;
  return GMEM_OK;
}

static gmem_status_t read_header(reader_t *reader) {
  span_t line;
  if (!next_line(reader, &line)) {
    reader->line = reader->line ? reader->line : 1;
    return fail_line(reader, "there is no header line that names the columns");
  }
  while (line.begin) {
    gmem_status_t status = add_column(reader, cut_field(&line));
    if (status != GMEM_OK)
      return status;
  }
  for (int column = 0; column <= COLUMN_SIZE; ++column) {
    const char *name = column_names[column];
    if (!reader->has_column[column])
      return fail_field(reader, GMEM_ERR_PARSE, "column",
                        (span_t){name, name + strlen(name)}, "is missing");
  }
  return GMEM_OK;
}

//===--- numbers ----------------------------------------------------------===//

typedef enum number_e { NUMBER_OK, NUMBER_NONE, NUMBER_TOO_LARGE } number_t;

// Reads the digits at the start of |*span| and moves it behind them.
static number_t read_digits(span_t *span, uint64_t limit, uint64_t *out) {
  uint64_t value = 0;
  const char *digit = span->begin;
  for (; digit < span->end && *digit >= '0' && *digit <= '9'; ++digit) {
    unsigned next = (unsigned)(*digit - '0');
    if (value > (limit - next) / 10)
      return NUMBER_TOO_LARGE;
    value = value * 10 + next;
  }
  bool any = digit > span->begin;
  span->begin = digit;
  *out = value;
  return any ? NUMBER_OK : NUMBER_NONE;
}

// The same for a time, which may be negative.
static number_t read_time(span_t *span, int64_t *out) {
  bool negative = span->begin < span->end && *span->begin == '-';
  span->begin += negative;
  uint64_t limit = (uint64_t)INT64_MAX + negative, value = 0;
  number_t result = read_digits(span, limit, &value);
  *out = (int64_t)(negative ? 0 - value : value);
  return result;
}

static gmem_status_t fail_too_large(reader_t *reader, const char *name,
                                    span_t value) {
  bool negative = value.begin < value.end && *value.begin == '-';
  return fail_field(reader, GMEM_ERR_OUT_OF_RANGE, name, value,
                    negative ? "is out of range" : "is too large");
}

static gmem_status_t finish_number(reader_t *reader, column_t column,
                                   number_t result, span_t rest) {
  span_t whole = reader->fields[column];
  const char *name = column_names[column];
  if (result == NUMBER_TOO_LARGE)
    return fail_too_large(reader, name, whole);
  if (result == NUMBER_NONE || rest.begin != rest.end)
    return fail_field(reader, GMEM_ERR_PARSE, name, whole, "is not a number");
  return GMEM_OK;
}

static gmem_status_t read_bytes_field(reader_t *reader, column_t column,
                                      uint64_t *out) {
  span_t field = reader->fields[column];
  if (field.end - field.begin > 1 && *field.begin == '-')
    return fail_field(reader, GMEM_ERR_PARSE, column_names[column], field,
                      "is negative");
  number_t result = read_digits(&field, GMEM_MAX_ADDRESS, out);
  return finish_number(reader, column, result, field);
}

static gmem_status_t read_time_field(reader_t *reader, column_t column,
                                     int64_t *out) {
  span_t field = reader->fields[column];
  number_t result = read_time(&field, out);
  return finish_number(reader, column, result, field);
}

//===--- gaps -------------------------------------------------------------===//

// Reads one "l-u" and moves |*rest| behind it.
static gmem_status_t read_gap(reader_t *reader, span_t *rest,
                              gmem_live_range_t life, gmem_live_range_t *gap) {
  span_t whole = *rest;
  const char *space =
      memchr(rest->begin, ' ', (size_t)(rest->end - rest->begin));
  whole.end = space ? space : rest->end;
  span_t text = whole;
  number_t first = read_time(&text, &gap->begin);
  bool dash = text.begin < text.end && *text.begin == '-';
  text.begin += dash;
  number_t last = dash ? read_time(&text, &gap->end) : NUMBER_NONE;
  rest->begin = whole.end;
  if (first == NUMBER_TOO_LARGE || last == NUMBER_TOO_LARGE)
    return fail_too_large(reader, "gap", whole);
  if (first != NUMBER_OK || last != NUMBER_OK || text.begin != text.end)
    return fail_field(reader, GMEM_ERR_PARSE, "gap", whole,
                      "is not LOWER-UPPER");
  if (gap->begin >= gap->end)
    return fail_field(reader, GMEM_ERR_PARSE, "gap", whole, "is empty");
  if (gap->begin < life.begin || gap->end > life.end)
    return fail_field(reader, GMEM_ERR_PARSE, "gap", whole,
                      "is not inside [lower, upper)");
  // A buffer keeps its ranges only: lower and upper would be lost.
  if (gap->begin == life.begin || gap->end == life.end)
    return fail_field(
        reader, GMEM_ERR_PARSE, "gap", whole,
        "touches lower or upper, at which the buffer must be live");
  return GMEM_OK;
}

static gmem_status_t read_gaps(reader_t *reader, gmem_live_range_t life,
                               size_t *out_count) {
  span_t rest = reader->fields[COLUMN_GAPS];
  for (size_t count = 0;; ++count) {
    while (rest.begin < rest.end && *rest.begin == ' ')
      ++rest.begin;
    *out_count = count;
    if (rest.begin == rest.end)
      return GMEM_OK;
    if (!reserve(reader, (void **)&reader->gaps, &reader->gap_capacity,
                 count + 1, sizeof *reader->gaps))
      return gmem_planner_out_of_memory(reader->diag);
    gmem_status_t status = read_gap(reader, &rest, life, &reader->gaps[count]);
    if (status != GMEM_OK)
      return status;
  }
}

// Sorts |order|, the indices of the gaps, by where the gaps begin.
static gmem_status_t sort_gaps(reader_t *reader, size_t count) {
  if (count > UINT32_MAX ||
      !reserve(reader, (void **)&reader->order, &reader->order_capacity,
               2 * count, sizeof *reader->order))
    return gmem_planner_out_of_memory(reader->diag);
  for (size_t i = 0; i < count; ++i)
    reader->order[i] =
        (gmem_order_t){gmem_time_key(reader->gaps[i].begin), (uint32_t)i};
  gmem_order_sort(reader->order, reader->order + count, count);
  return GMEM_OK;
}

// Cuts the |count| sorted gaps, none of which touches its ends, out of |life|.
static gmem_status_t cut_gaps(reader_t *reader, gmem_live_range_t life,
                              size_t count, size_t *out_ranges) {
  size_t ranges = 0;
  int64_t position = life.begin;
  for (size_t i = 0; i < count; ++i) {
    gmem_live_range_t gap = reader->gaps[reader->order[i].index];
    if (gap.begin < position)
      return fail_field(reader, GMEM_ERR_PARSE, "gaps",
                        reader->fields[COLUMN_GAPS], "overlap");
    if (gap.begin > position)
      reader->ranges[ranges++] = (gmem_live_range_t){position, gap.begin};
    position = gap.end;
  }
  reader->ranges[ranges++] = (gmem_live_range_t){position, life.end};
  *out_ranges = ranges;
  return GMEM_OK;
}

static gmem_status_t read_ranges(reader_t *reader, gmem_live_range_t life,
                                 size_t *out_ranges) {
  size_t gaps = 0;
  gmem_status_t status = GMEM_OK;
  if (reader->has_column[COLUMN_GAPS])
    status = read_gaps(reader, life, &gaps);
  if (status == GMEM_OK && gaps > 0)
    status = sort_gaps(reader, gaps);
  if (status != GMEM_OK)
    return status;
  // So many gaps cut a life in one range more at most.
  if (!reserve(reader, (void **)&reader->ranges, &reader->range_capacity,
               gaps + 1, sizeof *reader->ranges))
    return gmem_planner_out_of_memory(reader->diag);
  return cut_gaps(reader, life, gaps, out_ranges);
}

//===--- rows -------------------------------------------------------------===//

static gmem_status_t split_row(reader_t *reader, span_t line) {
  size_t count = 0;
  while (line.begin && count < reader->column_count) {
    column_t column = reader->columns[count++];
    span_t field = cut_field(&line);
    reader->fields[column] = field;
    bool may_be_empty = column == COLUMN_GAPS || column == COLUMN_HINT;
    if (field.begin == field.end && !may_be_empty)
      return fail_field(reader, GMEM_ERR_PARSE, column_names[column], field,
                        "is empty");
  }
  if (line.begin || count < reader->column_count)
    return fail_line(reader, line.begin
                                 ? "the row has more fields than the header"
                                 : "the row has fewer fields than the header");
  return GMEM_OK;
}

// Quotes would mean something to other readers of CSV, so they are refused.
static bool is_plain(span_t span) {
  for (const char *c = span.begin; c < span.end; ++c)
    if (*c == '"' || (unsigned char)*c < ' ')
      return false;
  return true;
}

static gmem_status_t copy_name(reader_t *reader) {
  span_t id = reader->fields[COLUMN_ID];
  if (!is_plain(id))
    return fail_field(reader, GMEM_ERR_PARSE, "id", id,
                      "has a quote or a control character");
  size_t length = (size_t)(id.end - id.begin);
  if (!reserve(reader, (void **)&reader->name, &reader->name_capacity,
               length + 1, 1))
    return gmem_planner_out_of_memory(reader->diag);
  memcpy(reader->name, id.begin, length);
  reader->name[length] = '\0';
  return GMEM_OK;
}

static gmem_status_t read_life(reader_t *reader, gmem_live_range_t *life) {
  gmem_status_t status = read_time_field(reader, COLUMN_LOWER, &life->begin);
  if (status == GMEM_OK)
    status = read_time_field(reader, COLUMN_UPPER, &life->end);
  if (status == GMEM_OK && life->begin >= life->end)
    status = fail_field(reader, GMEM_ERR_PARSE, "lower",
                        reader->fields[COLUMN_LOWER], "is not below upper");
  return status;
}

// Fills all of |spec| but the candidate pools: there is only one pool.
static gmem_status_t read_spec(reader_t *reader, gmem_buffer_spec_t *spec) {
  gmem_live_range_t life;
  gmem_status_t status = copy_name(reader);
  if (status == GMEM_OK)
    status = read_life(reader, &life);
  if (status == GMEM_OK)
    status = read_bytes_field(reader, COLUMN_SIZE, &spec->size);
  if (status == GMEM_OK && reader->has_column[COLUMN_ALIGNMENT])
    status = read_bytes_field(reader, COLUMN_ALIGNMENT, &spec->alignment);
  if (status == GMEM_OK)
    status = read_ranges(reader, life, &spec->range_count);
  spec->name = reader->name;
  spec->ranges = reader->ranges;
  return status;
}

static gmem_status_t read_offset(reader_t *reader, uint32_t buffer) {
  if (!reader->has_column[COLUMN_OFFSET])
    return GMEM_OK;
  if (!reserve(reader, (void **)&reader->offsets, &reader->offset_capacity,
               (size_t)buffer + 1, sizeof *reader->offsets))
    return gmem_planner_out_of_memory(reader->diag);
  return read_bytes_field(reader, COLUMN_OFFSET, &reader->offsets[buffer]);
}

// What the problem says of a row is an error of the text, at this line.
static gmem_status_t add_row(reader_t *reader, const gmem_buffer_spec_t *spec,
                             uint32_t *out_buffer) {
  gmem_status_t status =
      gmem_problem_add_buffer(reader->problem, spec, out_buffer, reader->diag);
  if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status == GMEM_ERR_INVALID_ARGUMENT)
    status = GMEM_ERR_PARSE;
  if (reader->diag) {
    reader->diag->status = status;
    reader->diag->line = reader->line;
  }
  return status;
}

static gmem_status_t read_row(reader_t *reader, span_t line) {
  gmem_buffer_spec_t spec = {.alignment = 1};
  uint32_t buffer = 0;
  gmem_status_t status = split_row(reader, line);
  if (status == GMEM_OK)
    status = read_spec(reader, &spec);
  if (status == GMEM_OK)
    status = add_row(reader, &spec, &buffer);
  if (status == GMEM_OK)
    status = read_offset(reader, buffer);
  return status;
}

//===--- the whole text ---------------------------------------------------===//

static gmem_status_t refuse_nul(reader_t *reader) {
  size_t left = (size_t)(reader->end - reader->cursor);
  const char *nul = left ? memchr(reader->cursor, '\0', left) : NULL;
  if (!nul)
    return GMEM_OK;
  reader->line = 1;
  for (const char *c = reader->cursor; c < nul; ++c)
    reader->line += *c == '\n';
  return fail_line(reader, "there is a NUL byte");
}

static void skip_byte_order_mark(reader_t *reader) {
  if (reader->end - reader->cursor >= 3 &&
      memcmp(reader->cursor, "\xEF\xBB\xBF", 3) == 0)
    reader->cursor += 3;
}

static gmem_status_t read_text(reader_t *reader) {
  gmem_status_t status = refuse_nul(reader);
  skip_byte_order_mark(reader);
  if (status == GMEM_OK)
    status = read_header(reader);
  span_t line;
  while (status == GMEM_OK && next_line(reader, &line))
    status = read_row(reader, line);
  return status;
}

static gmem_status_t make_plan(reader_t *reader, gmem_placement_t **out_plan) {
  if (!out_plan || !reader->has_column[COLUMN_OFFSET])
    return GMEM_OK;
  size_t count = gmem_problem_buffer_count(reader->problem);
  gmem_placement_t *plan =
      gmem_planner_alloc(&reader->allocator, count, sizeof *plan);
  if (!plan)
    return gmem_planner_out_of_memory(reader->diag);
  for (size_t i = 0; i < count; ++i)
    plan[i] = (gmem_placement_t){reader->offsets[i], 0};
  *out_plan = plan;
  return GMEM_OK;
}

static void free_scratch(reader_t *reader) {
  const gmem_allocator_t *allocator = &reader->allocator;
  gmem_planner_free(allocator, reader->name, reader->name_capacity, 1);
  gmem_planner_free(allocator, reader->gaps, reader->gap_capacity,
                    sizeof *reader->gaps);
  gmem_planner_free(allocator, reader->ranges, reader->range_capacity,
                    sizeof *reader->ranges);
  gmem_planner_free(allocator, reader->order, reader->order_capacity,
                    sizeof *reader->order);
  gmem_planner_free(allocator, reader->offsets, reader->offset_capacity,
                    sizeof *reader->offsets);
}

gmem_status_t gmem_csv_read(const char *text, size_t length,
                            const gmem_pool_spec_t *pool,
                            const gmem_allocator_t *allocator,
                            gmem_problem_t **out_problem,
                            gmem_placement_t **out_plan, gmem_diag_t *diag) {
  *out_problem = NULL;
  if (out_plan)
    *out_plan = NULL;
  reader_t reader = {.cursor = length ? text : "",
                     .diag = diag,
                     .allocator = gmem_planner_allocator(allocator)};
  reader.end = reader.cursor + length;
  uint32_t index;
  gmem_status_t status = gmem_problem_create(allocator, &reader.problem, diag);
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(reader.problem, pool, &index, diag);
  if (status == GMEM_OK)
    status = read_text(&reader);
  if (status == GMEM_OK)
    status = make_plan(&reader, out_plan);
  free_scratch(&reader);
  if (status == GMEM_OK)
    *out_problem = reader.problem;
  else
    gmem_problem_destroy(reader.problem);
  return status;
}
