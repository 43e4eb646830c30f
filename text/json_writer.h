// json_writer.h - writes JSON (RFC 8259) piece by piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_json_t json;
//   gmem_json_start(&json, write, user);
//   gmem_json_open(&json, NULL, '{');
//   gmem_json_number(&json, "size", 64);
//   gmem_json_open(&json, "names", '[');
//   gmem_json_text(&json, NULL, "x");
//   gmem_json_close(&json);
//   gmem_json_close(&json); // {"size": 64, "names": ["x"]}
//   status = gmem_json_end(&json, "the sizes", &diag);
//
// |key| is the name of a member in an object, and NULL for an element of an
// array and for the outermost value. Failures of |write| are sticky.

#ifndef GMEM_TEXT_JSON_WRITER_H_
#define GMEM_TEXT_JSON_WRITER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text_out.h"

typedef struct gmem_json_s {
  gmem_text_out_t out;
  bool is_indented;    // every element on a line, indented by its depth
  bool has_element;    // the innermost open container is not empty
  unsigned line_begin; // spaces before the next element, plus one; 0: no line
  unsigned depth;      // open containers
  uint64_t objects;    // bit d: the container at depth d is an object
} gmem_json_t;

// Values of one line, separated by ", ". Set |is_indented| for lines.
void gmem_json_start(gmem_json_t *json, gmem_write_fn write, void *user);

// Opens an object '{' or an array '['; containers nest up to 64 deep.
void gmem_json_open(gmem_json_t *json, const char *key, char bracket);
void gmem_json_close(gmem_json_t *json);

// The next element or closing bracket begins a line, after |spaces|.
void gmem_json_line(gmem_json_t *json, unsigned spaces);

// A string. Every byte that is not part of valid UTF-8 becomes '?'. NULL is
// written as null.
void gmem_json_text(gmem_json_t *json, const char *key, const char *text);
void gmem_json_bytes(gmem_json_t *json, const char *key, const char *text,
                     size_t length);

void gmem_json_number(gmem_json_t *json, const char *key, uint64_t number);
void gmem_json_signed(gmem_json_t *json, const char *key, int64_t number);
void gmem_json_bool(gmem_json_t *json, const char *key, bool value);
void gmem_json_null(gmem_json_t *json, const char *key);

// null if |number| is |missing|.
void gmem_json_number_or_null(gmem_json_t *json, const char *key,
                              uint64_t number, uint64_t missing);

// A finite number with |digits| after the point, or, if |digits| is negative,
// with as many as are needed to read the same value again.
void gmem_json_real(gmem_json_t *json, const char *key, double number,
                    int digits);

// |value| is JSON, of one line.
void gmem_json_verbatim(gmem_json_t *json, const char *key, const char *value);

// [first, second]
void gmem_json_pair(gmem_json_t *json, const char *key, int64_t first,
                    int64_t second);

// Ends the text with a line break, unless nothing was written, and flushes it.
// Returns OK or the first failure of |write|, with "cannot write |what|".
gmem_status_t gmem_json_end(gmem_json_t *json, const char *what,
                            gmem_diag_t *diag);

// Whether |text| is valid UTF-8 (RFC 3629: no overlong forms, no surrogates).
bool gmem_is_utf8(const char *text);

#endif // GMEM_TEXT_JSON_WRITER_H_
