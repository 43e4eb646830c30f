// csv_fields.c - splits CSV text into lines, fields and numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "csv_fields.h"

#include <assert.h>

bool gmem_csv_next_line(gmem_csv_lines_t *lines, gmem_csv_span_t *line) {
  while (lines->cursor < lines->end) {
    size_t left = (size_t)(lines->end - lines->cursor);
    const char *stop = memchr(lines->cursor, '\n', left);
    *line = (gmem_csv_span_t){lines->cursor, stop ? stop : lines->end, false};
    lines->cursor = stop ? stop + 1 : lines->end;
    assert(lines->cursor <= lines->end);
    ++lines->line;
    if (line->end > line->begin && line->end[-1] == '\r')
      --line->end;
    if (line->end > line->begin)
      return true;
  }
  return false;
}

const char *gmem_csv_cut_quoted(gmem_csv_span_t *rest, gmem_csv_span_t *field) {
  const char *c = rest->begin + 1;
  assert(*rest->begin == '"');
  for (; c < rest->end; ++c)
    if (*c == '"') {
      if (c + 1 == rest->end || c[1] != '"')
        break;
      ++c; // the second of a pair
    }
  *field = (gmem_csv_span_t){rest->begin + 1, c, true};
  if (c == rest->end)
    return "unterminated quoted field";
  if (++c < rest->end && *c != ',')
    return "unexpected text after a quoted field";
  rest->begin = c < rest->end ? c + 1 : NULL;
  return NULL;
}

bool gmem_csv_unquote(gmem_csv_span_t field, char *out) {
  for (const char *c = field.begin; c < field.end; ++c) {
    if ((unsigned char)*c < ' ' || (*c == '"' && !field.is_quoted))
      return false;
    *out++ = *c;
    c += *c == '"'; // the second of a pair
  }
  *out = '\0';
  return true;
}

bool gmem_csv_span_is(gmem_csv_span_t span, const char *text) {
  size_t length = strlen(text);
  return (size_t)(span.end - span.begin) == length &&
         memcmp(span.begin, text, length) == 0;
}

gmem_digits_t gmem_csv_read_time(gmem_csv_span_t *span, int64_t *out) {
  bool negative = span->begin < span->end && *span->begin == '-';
  span->begin += negative;
  uint64_t limit = (uint64_t)INT64_MAX + negative, value = 0;
  gmem_digits_t result = gmem_csv_read_digits(span, limit, &value);
  *out = (int64_t)(negative ? 0 - value : value);
  return result;
}
