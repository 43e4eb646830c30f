// text_json_test.c - the JSON writer: layout, escapes, and bytes that are not
// UTF-8.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/text_json_test

#include <string.h>

#include "check.h"
#include "json_writer.h"

typedef struct text_s {
  char bytes[1 << 16];
  size_t length;
  size_t limit; // fails when there would be more bytes; 0: no limit
} text_t;

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  size_t limit = text->limit ? text->limit : sizeof text->bytes - 1;
  if (length > limit - text->length)
    return GMEM_ERR_IO;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
  return GMEM_OK;
}

static void expect(gmem_json_t *json, const text_t *text,
                   const char *expected) {
  CHECK(gmem_json_end(json, "it", NULL) == GMEM_OK);
  CHECK(strcmp(text->bytes, expected) == 0);
  if (strcmp(text->bytes, expected) != 0)
    fprintf(stderr, "%s", text->bytes);
}

static void put_all(gmem_json_t *json) {
  gmem_json_open(json, NULL, '{');
  gmem_json_number(json, "most", UINT64_MAX);
  gmem_json_signed(json, "least", INT64_MIN);
  gmem_json_bool(json, "yes", true);
  gmem_json_text(json, "none", NULL);
  gmem_json_number_or_null(json, "missing", 7, 7);
  gmem_json_open(json, "empty", '[');
  gmem_json_close(json);
  gmem_json_open(json, "list", '[');
  gmem_json_pair(json, NULL, -1, 2);
  gmem_json_open(json, NULL, '{');
  gmem_json_close(json);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void writes_one_line(void) {
  static text_t text;
  gmem_json_t json;
  gmem_json_start(&json, append, &text);
  put_all(&json);
  expect(&json, &text,
         "{\"most\": 18446744073709551615, \"least\": -9223372036854775808, "
         "\"yes\": true, \"none\": null, \"missing\": null, \"empty\": [], "
         "\"list\": [[-1, 2], {}]}\n");
}

static void indents(void) {
  static text_t text;
  gmem_json_t json;
  gmem_json_start(&json, append, &text);
  json.is_indented = true;
  put_all(&json);
  expect(&json, &text,
         "{\n  \"most\": 18446744073709551615,\n"
         "  \"least\": -9223372036854775808,\n  \"yes\": true,\n"
         "  \"none\": null,\n  \"missing\": null,\n  \"empty\": [],\n"
         "  \"list\": [\n    [\n      -1,\n      2\n    ],\n    {}\n  ]\n}\n");
}

static void begins_lines_where_told(void) {
  static text_t text;
  gmem_json_t json;
  gmem_json_start(&json, append, &text);
  gmem_json_open(&json, NULL, '[');
  gmem_json_number(&json, NULL, 1);
  gmem_json_line(&json, 3);
  gmem_json_number(&json, NULL, 2);
  gmem_json_line(&json, 0);
  gmem_json_close(&json);
  expect(&json, &text, "[1,\n   2\n]\n");
}

static void writes_reals(void) {
  static text_t text;
  gmem_json_t json;
  gmem_json_start(&json, append, &text);
  gmem_json_open(&json, NULL, '[');
  gmem_json_real(&json, NULL, 0, -1);
  gmem_json_real(&json, NULL, 0.5, -1);
  gmem_json_real(&json, NULL, 1e30, -1);
  gmem_json_real(&json, NULL, 2.0 / 3, 6);
  gmem_json_close(&json);
  expect(&json, &text, "[0.0, 0.5, 1e+30, 0.666667]\n");
}

static void expect_string(const char *bytes, size_t length,
                          const char *expected) {
  static text_t text;
  gmem_json_t json;
  text.length = 0;
  gmem_json_start(&json, append, &text);
  gmem_json_bytes(&json, NULL, bytes, length);
  expect(&json, &text, expected);
}

static void escapes(void) {
  expect_string("", 0, "\"\"\n");
  expect_string("a\0b", 3, "\"a\\u0000b\"\n");
  expect_string("\"\\/\x7f", 4, "\"\\\"\\\\/\x7f\"\n");
  expect_string("\b\f\n\r\t\x1f", 6, "\"\\b\\f\\n\\r\\t\\u001F\"\n");
}

// As RFC 3629 defines it: characters of up to four bytes, no overlong form, no
// surrogate, nothing above U+10FFFF.
static void replaces_what_is_not_utf8(void) {
  static const char *const good[] = {
      "\x7f",         "\xc2\x80",         "\xe0\xa0\x80",
      "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
  static const char *const bad[] = {
      "\x80",         "\xbf",         "\xc0\x80",         "\xc1\xbf",
      "\xc2",         "\xe0\x9f\xbf", "\xe0\xa0",         "\xed\xa0\x80",
      "\xf0\x8f\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
      "\xff"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    char expected[16];
    snprintf(expected, sizeof expected, "\"%s\"\n", good[i]);
    CHECK(gmem_is_utf8(good[i]));
    expect_string(good[i], strlen(good[i]), expected);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    char expected[16];
    snprintf(expected, sizeof expected, "\"%.*s\"\n", (int)strlen(bad[i]),
             "????");
    CHECK(!gmem_is_utf8(bad[i]));
    expect_string(bad[i], strlen(bad[i]), expected);
  }
  expect_string("a\xe9z", 3, "\"a?z\"\n");
  expect_string("\xc3\xa9\xe9\xc3\xa9", 5, "\"\xc3\xa9?\xc3\xa9\"\n");
  expect_string("\xc3\xa9", 1, "\"?\"\n"); // cut within a character
}

static void reports_the_first_failure(void) {
  static text_t text = {.limit = 10};
  gmem_json_t json;
  gmem_diag_t diag;
  gmem_json_start(&json, append, &text);
  gmem_json_open(&json, NULL, '[');
  for (int i = 0; i < 3000; ++i)
    gmem_json_number(&json, NULL, 1000);
  gmem_json_close(&json);
  CHECK(gmem_json_end(&json, "the list", &diag) == GMEM_ERR_IO);
  CHECK(strcmp(diag.text, "cannot write the list") == 0);
}

int main(void) {
  writes_one_line();
  indents();
  begins_lines_where_told();
  writes_reals();
  escapes();
  replaces_what_is_not_utf8();
  reports_the_first_failure();
  return CHECK_RESULT();
}
