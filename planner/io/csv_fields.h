// csv_fields.h - splits CSV text into lines, fields and numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields follow RFC 4180, except that a field cannot contain a line break.
// Nothing is copied.

#ifndef GMEM_PLANNER_CSV_FIELDS_H_
#define GMEM_PLANNER_CSV_FIELDS_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "numbers.h"

// A part of the text. For a quoted field: the bytes between its quotes, in
// which a doubled quote stands for one.
typedef struct gmem_csv_span_s {
  const char *begin, *end;
  bool is_quoted;
} gmem_csv_span_t;

typedef struct gmem_csv_lines_s {
  const char *cursor, *end; // the unread rest of the text
  uint64_t line;            // 1-based number of the last line read; 0: none
} gmem_csv_lines_t;

// The next line that is not blank, without its end of line; false at the end.
bool gmem_csv_next_line(gmem_csv_lines_t *lines, gmem_csv_span_t *line);

// Reads the quoted field at the start of |*rest|. Returns an error text, or
// NULL.
const char *gmem_csv_cut_quoted(gmem_csv_span_t *rest, gmem_csv_span_t *field);

// Removes the first field from |*rest|; |rest->begin| is NULL after the last.
// Returns an error text, or NULL.
static inline const char *gmem_csv_cut_field(gmem_csv_span_t *rest,
                                             gmem_csv_span_t *field) {
  if (rest->begin < rest->end && *rest->begin == '"')
    return gmem_csv_cut_quoted(rest, field);
  size_t left = (size_t)(rest->end - rest->begin);
  const char *comma = memchr(rest->begin, ',', left);
  *field = (gmem_csv_span_t){rest->begin, comma ? comma : rest->end, false};
  rest->begin = comma ? comma + 1 : NULL;
  return NULL;
}

// Writes the decoded text of |field| and a NUL to |out|, which has room for one
// byte more than the field. Returns false for control characters, and for
// quotes in an unquoted field.
bool gmem_csv_unquote(gmem_csv_span_t field, char *out);

bool gmem_csv_span_is(gmem_csv_span_t span, const char *text);

// Reads the digits at the start of |*span| and advances it.
static inline gmem_digits_t
gmem_csv_read_digits(gmem_csv_span_t *span, uint64_t limit, uint64_t *out) {
  return gmem_read_digits(&span->begin, span->end, 10, limit, out);
}
// The same for a time, which may be negative.
gmem_digits_t gmem_csv_read_time(gmem_csv_span_t *span, int64_t *out);

#endif // GMEM_PLANNER_CSV_FIELDS_H_
