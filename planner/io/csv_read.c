// csv_read.c - reads a problem, and a plan if present, from CSV text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text is untrusted. The first pass finds the longest row, the second one
// reads. Every error has a line number and quotes at most a short printable
// excerpt of the text.

#include <assert.h>
#include <stdio.h>

#include "csv_fields.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "scratch.h"

typedef enum column_e {
  COLUMN_ID,
  COLUMN_LOWER,
  COLUMN_UPPER,
  COLUMN_SIZE, // the last required column
  COLUMN_ALIGNMENT,
  COLUMN_GAPS,
  COLUMN_POOLS,
  COLUMN_FIXED,
  COLUMN_USES,
  COLUMN_OFFSET,
  COLUMN_POOL,
  COLUMN_HINT, // minimalloc's: a hint for its search, ignored
  COLUMN_KIND, // OmniMalloc's: the purpose of a buffer
  COLUMN_COUNT,
} column_t;

// The accepted column names; the first of each column is canonical, the others
// are minimalloc's.
typedef struct column_name_s {
  const char *name;
  column_t column;
  bool is_last; // upper is inclusive: the last time of the live range
} column_name_t;

static const column_name_t column_names[] = {
    {"id", COLUMN_ID, false},
    {"lower", COLUMN_LOWER, false},
    {"upper", COLUMN_UPPER, false},
    {"size", COLUMN_SIZE, false},
    {"alignment", COLUMN_ALIGNMENT, false},
    {"gaps", COLUMN_GAPS, false},
    {"pools", COLUMN_POOLS, false},
    {"fixed", COLUMN_FIXED, false},
    {"uses", COLUMN_USES, false},
    {"offset", COLUMN_OFFSET, false},
    {"pool", COLUMN_POOL, false},
    {"hint", COLUMN_HINT, false},
    {"kind", COLUMN_KIND, false},
    {"buffer", COLUMN_ID, false},
    {"buffer_id", COLUMN_ID, false},
    {"begin", COLUMN_LOWER, false},
    {"start", COLUMN_LOWER, false},
    {"end", COLUMN_UPPER, true},
};
enum { COLUMN_NAMES = sizeof column_names / sizeof *column_names };

typedef struct reader_s {
  gmem_csv_lines_t lines;
  gmem_scratch_t memory;          // of the arrays below; and the diagnostic
  column_t columns[COLUMN_COUNT]; // from left to right
  size_t column_count;
  const char *names[COLUMN_COUNT]; // as in the header; NULL: absent
  bool upper_is_last;
  bool wants_plan;
  gmem_csv_span_t fields[COLUMN_COUNT]; // of the current row, by column
  gmem_problem_t *problem;
  // Scratch for the current row, with room for the longest.
  char *id, *list;              // texts, NUL-terminated
  gmem_live_range_t *gaps;      // in text order
  gmem_order_t *order;          // to sort the gaps: twice as many
  gmem_live_range_t *ranges;    // without the gaps: one more
  uint32_t *pools;              // candidates
  gmem_placement_t *placements; // of the rows so far
} reader_t;

//===--- messages ---------------------------------------------------------===//

typedef struct excerpt_s {
  char text[48];
} excerpt_t;

// A printable prefix of |span|.
static excerpt_t excerpt(gmem_csv_span_t span) {
  excerpt_t result;
  size_t length = (size_t)(span.end - span.begin), used = 0;
  for (; used < length && used < sizeof result.text - 4; ++used) {
    char c = span.begin[used];
    result.text[used] = c >= ' ' && c <= '~' ? c : '?';
  }
  const char *rest = used < length ? "..." : "";
  assert(used + strlen(rest) < sizeof result.text);
  strcpy(result.text + used, rest);
  return result;
}

static gmem_csv_span_t span_of(const char *text) {
  return (gmem_csv_span_t){text, text + strlen(text), false};
}

// Adds the current line to the diagnostic.
static gmem_status_t at_line(reader_t *reader, gmem_status_t status) {
  if (reader->memory.diag)
    reader->memory.diag->line = reader->lines.line;
  return status;
}

// Fails with "COLUMN 'VALUE' COMPLAINT" at the current line.
static gmem_status_t fail_field(reader_t *reader, gmem_status_t status,
                                const char *column, gmem_csv_span_t value,
                                const char *complaint) {
  excerpt_t shown = excerpt(value);
  return at_line(reader, gmem_planner_fail(reader->memory.diag, status,
                                           GMEM_NO_BUFFER, "%s '%s' %s", column,
                                           shown.text, complaint));
}

// The same for a field of the current row.
static gmem_status_t fail_column(reader_t *reader, column_t column,
                                 const char *complaint) {
  return fail_field(reader, GMEM_ERR_PARSE, reader->names[column],
                    reader->fields[column], complaint);
}

static gmem_status_t fail_line(reader_t *reader, const char *text) {
  return at_line(reader, gmem_planner_fail(reader->memory.diag, GMEM_ERR_PARSE,
                                           GMEM_NO_BUFFER, "%s", text));
}

//===--- header -----------------------------------------------------------===//

static gmem_status_t add_column(reader_t *reader, gmem_csv_span_t name) {
  size_t i = 0;
  while (i < COLUMN_NAMES && !gmem_csv_span_is(name, column_names[i].name))
    ++i;
  if (i == COLUMN_NAMES)
    return fail_field(reader, GMEM_ERR_PARSE, "column", name,
                      "is unknown (known: id, lower, upper, size, alignment, "
                      "gaps, pools, fixed, uses, offset, pool)");
  const column_name_t *known = &column_names[i];
  if (reader->names[known->column])
    return fail_field(reader, GMEM_ERR_PARSE, "column", name, "is duplicated");
  reader->names[known->column] = known->name;
  reader->upper_is_last = reader->upper_is_last || known->is_last;
  reader->columns[reader->column_count++] = known->column;
  return GMEM_OK;
}

static gmem_status_t fail_missing(reader_t *reader, column_t column,
                                  const char *complaint) {
  return fail_field(reader, GMEM_ERR_PARSE, "column",
                    span_of(column_names[column].name), complaint);
}

static gmem_status_t check_columns(reader_t *reader) {
  for (int column = 0; column <= COLUMN_SIZE; ++column)
    if (!reader->names[column])
      return fail_missing(reader, (column_t)column, "is missing");
  bool has_offset = reader->names[COLUMN_OFFSET];
  if (reader->names[COLUMN_POOL] && !has_offset)
    return fail_missing(reader, COLUMN_POOL,
                        "requires a column 'offset' (candidate pools are in "
                        "the column 'pools')");
  if (reader->wants_plan && has_offset && !reader->names[COLUMN_POOL] &&
      gmem_problem_pool_count(reader->problem) > 1)
    return fail_missing(reader, COLUMN_POOL,
                        "is missing: with several pools, offsets require it");
  return GMEM_OK;
}

static gmem_status_t read_header(reader_t *reader) {
  gmem_csv_span_t line, name;
  if (!gmem_csv_next_line(&reader->lines, &line)) {
    reader->lines.line = reader->lines.line ? reader->lines.line : 1;
    return fail_line(reader, "missing header line with the column names");
  }
  while (line.begin) {
    const char *complaint = gmem_csv_cut_field(&line, &name);
    GMEM_TRY(complaint ? fail_line(reader, complaint)
                       : add_column(reader, name));
  }
  return check_columns(reader);
}

//===--- numbers ----------------------------------------------------------===//

static gmem_status_t fail_too_large(reader_t *reader, const char *name,
                                    gmem_csv_span_t value) {
  bool negative = value.begin < value.end && *value.begin == '-';
  return fail_field(reader, GMEM_ERR_OUT_OF_RANGE, name, value,
                    negative ? "is out of range" : "is too large");
}

static gmem_status_t finish_number(reader_t *reader, column_t column,
                                   gmem_digits_t result, gmem_csv_span_t rest) {
  if (result == GMEM_DIGITS_TOO_LARGE)
    return fail_too_large(reader, reader->names[column],
                          reader->fields[column]);
  if (result == GMEM_DIGITS_NONE || rest.begin != rest.end)
    return fail_column(reader, column, "is not a number");
  return GMEM_OK;
}

static gmem_status_t read_number_field(reader_t *reader, column_t column,
                                       uint64_t limit, uint64_t *out) {
  gmem_csv_span_t field = reader->fields[column];
  if (field.end - field.begin > 1 && *field.begin == '-')
    return fail_column(reader, column, "is negative");
  gmem_digits_t result = gmem_csv_read_digits(&field, limit, out);
  return finish_number(reader, column, result, field);
}

static gmem_status_t read_time_field(reader_t *reader, column_t column,
                                     int64_t *out) {
  gmem_csv_span_t field = reader->fields[column];
  gmem_digits_t result = gmem_csv_read_time(&field, out);
  return finish_number(reader, column, result, field);
}

static bool is_filled(const reader_t *reader, column_t column) {
  return reader->names[column] &&
         reader->fields[column].begin < reader->fields[column].end;
}

//===--- gaps -------------------------------------------------------------===//

// Returns the error in a gap that was parsed, or NULL.
static const char *gap_error(gmem_live_range_t gap,
                             gmem_live_range_t live_range) {
  if (gap.begin >= gap.end)
    return "is empty";
  if (gap.begin < live_range.begin || gap.end > live_range.end)
    return "is not inside [lower, upper)";
  // A buffer stores only its ranges: lower and upper could not be recovered.
  if (gap.begin == live_range.begin || gap.end == live_range.end)
    return "touches lower or upper, at which the buffer must be live";
  return NULL;
}

// Reads one "l-u" and advances |*rest|.
static gmem_status_t read_gap(reader_t *reader, gmem_csv_span_t *rest,
                              gmem_live_range_t live_range,
                              gmem_live_range_t *gap) {
  gmem_csv_span_t whole = *rest;
  const char *space =
      memchr(rest->begin, ' ', (size_t)(rest->end - rest->begin));
  whole.end = space ? space : rest->end;
  gmem_csv_span_t text = whole;
  gmem_digits_t first = gmem_csv_read_time(&text, &gap->begin);
  bool dash = text.begin < text.end && *text.begin == '-';
  text.begin += dash;
  gmem_digits_t last =
      dash ? gmem_csv_read_time(&text, &gap->end) : GMEM_DIGITS_NONE;
  rest->begin = whole.end;
  bool is_pair = first == GMEM_DIGITS_NUMBER && last == GMEM_DIGITS_NUMBER;
  bool has_rest = text.begin != text.end;
  const char *complaint = NULL;
  if (first == GMEM_DIGITS_TOO_LARGE || last == GMEM_DIGITS_TOO_LARGE ||
      (is_pair && !has_rest && reader->upper_is_last && gap->end == INT64_MAX))
    return fail_too_large(reader, "gap", whole);
  if (is_pair && has_rest && *text.begin == '@') {
    complaint = "has byte ranges, which are not supported: a gap "
                "applies to the whole buffer";
  } else if (!is_pair || has_rest) {
    complaint = "is not LOWER-UPPER";
  } else {
    gap->end += reader->upper_is_last;
    complaint = gap_error(*gap, live_range);
  }
  return complaint ? fail_field(reader, GMEM_ERR_PARSE, "gap", whole, complaint)
                   : GMEM_OK;
}

static gmem_status_t read_gaps(reader_t *reader, gmem_live_range_t live_range,
                               size_t *out_count) {
  gmem_csv_span_t rest = reader->fields[COLUMN_GAPS];
  for (size_t count = 0;; ++count) {
    while (rest.begin < rest.end && *rest.begin == ' ')
      ++rest.begin;
    *out_count = count;
    if (rest.begin == rest.end)
      return GMEM_OK;
    GMEM_TRY(read_gap(reader, &rest, live_range, &reader->gaps[count]));
  }
}

// Sets |ranges| to |live_range| without the |count| gaps, none of which touches
// its ends.
static gmem_status_t cut_gaps(reader_t *reader, gmem_live_range_t live_range,
                              size_t count, size_t *out_ranges) {
  size_t ranges = 0;
  int64_t position = live_range.begin;
  for (size_t i = 0; i < count; ++i)
    reader->order[i] =
        (gmem_order_t){gmem_time_key(reader->gaps[i].begin), (uint32_t)i};
  gmem_sort_order(reader->order, reader->order + count, count);
  for (size_t i = 0; i < count; ++i) {
    gmem_live_range_t gap = reader->gaps[reader->order[i].index];
    assert(gap.begin < gap.end && gap.end < live_range.end);
    if (gap.begin < position)
      return fail_column(reader, COLUMN_GAPS, "overlap");
    if (gap.begin > position)
      reader->ranges[ranges++] = (gmem_live_range_t){position, gap.begin};
    position = gap.end;
  }
  reader->ranges[ranges++] = (gmem_live_range_t){position, live_range.end};
  *out_ranges = ranges;
  return GMEM_OK;
}

//===--- pools ------------------------------------------------------------===//

// Copies the text of a field.
static gmem_status_t copy_text(reader_t *reader, column_t column, char *to) {
  return gmem_csv_unquote(reader->fields[column], to)
             ? GMEM_OK
             : fail_column(reader, column,
                           "has a quote or a control character");
}

static gmem_status_t find_pool(reader_t *reader, const char *name,
                               uint32_t *out_pool) {
  uint32_t count = gmem_problem_pool_count(reader->problem);
  for (*out_pool = 0; *out_pool < count; ++*out_pool)
    if (strcmp(gmem_problem_pool(reader->problem, *out_pool)->name, name) == 0)
      return GMEM_OK;
  return fail_field(reader, GMEM_ERR_PARSE, "pool", span_of(name),
                    "is unknown");
}

// Reads the candidates; an empty field means all pools.
static gmem_status_t read_pools(reader_t *reader, gmem_buffer_spec_t *spec) {
  if (!is_filled(reader, COLUMN_POOLS))
    return GMEM_OK;
  GMEM_TRY(copy_text(reader, COLUMN_POOLS, reader->list));
  char *next = reader->list;
  while (*(next += strspn(next, " "))) {
    size_t length = strcspn(next, " ");
    char *behind = next + length + (next[length] == ' ');
    next[length] = '\0';
    GMEM_TRY(find_pool(reader, next, &reader->pools[spec->pool_count++]));
    next = behind;
  }
  spec->pools = spec->pool_count ? reader->pools : NULL;
  return GMEM_OK;
}

//===--- rows -------------------------------------------------------------===//

static bool may_be_empty(const reader_t *reader, column_t column) {
  bool is_placement = column == COLUMN_OFFSET || column == COLUMN_POOL;
  if (is_placement) // OmniMalloc leaves it empty if unplaced
    return !reader->wants_plan;
  return column > COLUMN_ALIGNMENT;
}

static gmem_status_t split_row(reader_t *reader, gmem_csv_span_t line) {
  size_t count = 0;
  while (line.begin && count < reader->column_count) {
    column_t column = reader->columns[count++];
    gmem_csv_span_t *field = &reader->fields[column];
    const char *complaint = gmem_csv_cut_field(&line, field);
    if (complaint)
      return fail_line(reader, complaint);
    if (field->begin == field->end && !may_be_empty(reader, column))
      return fail_column(reader, column, "is empty");
  }
  if (line.begin || count < reader->column_count)
    return fail_line(reader, line.begin
                                 ? "the row has more fields than the header"
                                 : "the row has fewer fields than the header");
  return GMEM_OK;
}

static gmem_status_t read_live_range(reader_t *reader,
                                     gmem_live_range_t *live_range) {
  GMEM_TRY(read_time_field(reader, COLUMN_LOWER, &live_range->begin));
  GMEM_TRY(read_time_field(reader, COLUMN_UPPER, &live_range->end));
  if (reader->upper_is_last && live_range->end == INT64_MAX)
    return fail_too_large(reader, reader->names[COLUMN_UPPER],
                          reader->fields[COLUMN_UPPER]);
  live_range->end += reader->upper_is_last;
  if (live_range->begin >= live_range->end)
    return fail_column(reader, COLUMN_LOWER,
                       reader->upper_is_last ? "is above end"
                                             : "is not below upper");
  return GMEM_OK;
}

static gmem_status_t read_place(reader_t *reader, gmem_buffer_spec_t *spec) {
  GMEM_TRY(read_pools(reader, spec));
  spec->has_fixed_offset = is_filled(reader, COLUMN_FIXED);
  if (spec->has_fixed_offset)
    GMEM_TRY(read_number_field(reader, COLUMN_FIXED, GMEM_MAX_ADDRESS,
                               &spec->fixed_offset));
  if (is_filled(reader, COLUMN_USES))
    GMEM_TRY(read_number_field(reader, COLUMN_USES, UINT64_MAX, &spec->uses));
  return GMEM_OK;
}

static gmem_status_t read_spec(reader_t *reader, gmem_buffer_spec_t *spec) {
  gmem_live_range_t live_range;
  size_t gaps = 0;
  GMEM_TRY(copy_text(reader, COLUMN_ID, reader->id));
  GMEM_TRY(read_live_range(reader, &live_range));
  GMEM_TRY(
      read_number_field(reader, COLUMN_SIZE, GMEM_MAX_ADDRESS, &spec->size));
  if (reader->names[COLUMN_ALIGNMENT])
    GMEM_TRY(read_number_field(reader, COLUMN_ALIGNMENT, GMEM_MAX_ADDRESS,
                               &spec->alignment));
  if (reader->names[COLUMN_GAPS])
    GMEM_TRY(read_gaps(reader, live_range, &gaps));
  GMEM_TRY(cut_gaps(reader, live_range, gaps, &spec->range_count));
  GMEM_TRY(read_place(reader, spec));
  spec->name = reader->id;
  spec->ranges = reader->ranges;
  return GMEM_OK;
}

static gmem_status_t read_placement(reader_t *reader, uint32_t buffer) {
  if (!is_filled(reader, COLUMN_OFFSET))
    return GMEM_OK; // not requested, or absent
  gmem_placement_t *placement = &reader->placements[buffer];
  *placement = (gmem_placement_t){0, 0};
  GMEM_TRY(read_number_field(reader, COLUMN_OFFSET, GMEM_MAX_ADDRESS,
                             &placement->offset));
  if (!is_filled(reader, COLUMN_POOL))
    return GMEM_OK;
  GMEM_TRY(copy_text(reader, COLUMN_POOL, reader->list));
  return find_pool(reader, reader->list, &placement->pool);
}

// Reports an invalid buffer as an error at the line of its row.
static gmem_status_t add_row(reader_t *reader, const gmem_buffer_spec_t *spec,
                             uint32_t *out_buffer) {
  gmem_diag_t *diag = reader->memory.diag;
  gmem_status_t status =
      gmem_problem_add_buffer(reader->problem, spec, out_buffer, diag);
  if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status == GMEM_ERR_INVALID_ARGUMENT)
    status = GMEM_ERR_PARSE;
  if (diag)
    diag->status = status;
  return at_line(reader, status);
}

static gmem_status_t read_row(reader_t *reader, gmem_csv_span_t line) {
  gmem_buffer_spec_t spec = {.alignment = 1};
  uint32_t buffer = 0;
  GMEM_TRY(split_row(reader, line));
  GMEM_TRY(read_spec(reader, &spec));
  GMEM_TRY(add_row(reader, &spec, &buffer));
  return read_placement(reader, buffer);
}

//===--- the whole text ---------------------------------------------------===//

static gmem_status_t refuse_nul(reader_t *reader) {
  const gmem_csv_lines_t *lines = &reader->lines;
  size_t left = (size_t)(lines->end - lines->cursor);
  const char *nul = left ? memchr(lines->cursor, '\0', left) : NULL;
  if (!nul)
    return GMEM_OK;
  uint64_t line = 1;
  for (const char *c = lines->cursor; c < nul; ++c)
    line += *c == '\n';
  reader->lines.line = line;
  return fail_line(reader, "unexpected NUL byte");
}

// Makes room for the rows, which are not read yet. Lists take at least two
// characters for each pool and, but for the last, four for each gap.
static gmem_status_t make_room(reader_t *reader) {
  gmem_scratch_t *memory = &reader->memory;
  gmem_csv_lines_t lines = reader->lines;
  gmem_csv_span_t line;
  size_t rows = 0, longest = 0;
  for (; gmem_csv_next_line(&lines, &line); ++rows)
    if ((size_t)(line.end - line.begin) > longest)
      longest = (size_t)(line.end - line.begin);
  size_t gaps = reader->names[COLUMN_GAPS] ? longest / 4 + 1 : 0;
  if (gaps > UINT32_MAX)
    return gmem_planner_out_of_memory(memory->diag);
  GMEM_TRY_NEW(reader->id, memory, longest + 1);
  GMEM_TRY_NEW(reader->list, memory, longest + 1);
  GMEM_TRY_NEW(reader->gaps, memory, gaps);
  GMEM_TRY_NEW(reader->order, memory, 2 * gaps);
  GMEM_TRY_NEW(reader->ranges, memory, gaps + 1);
  GMEM_TRY_NEW(reader->pools, memory,
               reader->names[COLUMN_POOLS] ? longest / 2 + 1 : 0);
  GMEM_TRY_NEW(reader->placements, memory,
               reader->names[COLUMN_OFFSET] ? rows : 0);
  return GMEM_OK;
}

static gmem_status_t read_text(reader_t *reader) {
  gmem_csv_lines_t *lines = &reader->lines;
  gmem_csv_span_t line;
  GMEM_TRY(refuse_nul(reader));
  if (lines->end - lines->cursor >= 3 &&
      memcmp(lines->cursor, "\xEF\xBB\xBF", 3) == 0) // byte order mark
    lines->cursor += 3;
  GMEM_TRY(read_header(reader));
  GMEM_TRY(make_room(reader));
  while (gmem_csv_next_line(lines, &line))
    GMEM_TRY(read_row(reader, line));
  return GMEM_OK;
}

static gmem_status_t read_all(reader_t *reader, const gmem_pool_spec_t *pools,
                              size_t pool_count, gmem_placement_t **out_plan) {
  gmem_diag_t *diag = reader->memory.diag;
  uint32_t index;
  for (size_t i = 0; i < pool_count; ++i)
    GMEM_TRY(gmem_problem_add_pool(reader->problem, &pools[i], &index, diag));
  GMEM_TRY(read_text(reader));
  if (!out_plan || !reader->names[COLUMN_OFFSET])
    return GMEM_OK;
  GMEM_TRY(gmem_plan_create(reader->problem, out_plan, diag));
  memcpy(*out_plan, reader->placements,
         gmem_problem_buffer_count(reader->problem) * sizeof **out_plan);
  return GMEM_OK;
}

gmem_status_t gmem_csv_read(const char *text, size_t length,
                            const gmem_pool_spec_t *pools, size_t pool_count,
                            const gmem_allocator_t *allocator,
                            gmem_problem_t **out_problem,
                            gmem_placement_t **out_plan, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED((text || length == 0) && out_problem, diag);
  *out_problem = NULL;
  if (out_plan)
    *out_plan = NULL;
  const gmem_allocator_t source = gmem_planner_allocator(allocator);
  reader_t reader = {.lines = {.cursor = length ? text : ""},
                     .wants_plan = out_plan != NULL,
                     .memory = {.allocator = &source, .diag = diag}};
  reader.lines.end = reader.lines.cursor + length;
  GMEM_TRY(gmem_problem_create(allocator, &reader.problem, diag));
  gmem_status_t status = read_all(&reader, pools, pool_count, out_plan);
  gmem_scratch_free(&reader.memory);
  if (status == GMEM_OK)
    *out_problem = reader.problem;
  else
    gmem_problem_destroy(reader.problem);
  return status;
}
