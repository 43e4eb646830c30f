// json_writer.c - writes JSON piece by piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "json_writer.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

//===--- strings ----------------------------------------------------------===//

// The length of the UTF-8 character at |text|, of which |left| > 0 bytes are
// left; 0 when invalid.
static size_t utf8_length(const char *text, size_t left) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80)
    return 1;
  size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
  if (c[0] < 0xc2 || c[0] > 0xf4 || length > left)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  bool is_bad = (c[0] == 0xe0 && c[1] < 0xa0) ||
                (c[0] == 0xed && c[1] > 0x9f) ||
                (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
  return is_bad ? 0 : length;
}

bool gmem_is_utf8(const char *text) {
  for (size_t length, left = strlen(text); left > 0; left -= length)
    if ((length = utf8_length(text, left)) == 0)
      return false;
    else
      text += length;
  return true;
}

static void put_control(gmem_text_out_t *out, char c) {
  static const char short_forms[] = "\b\f\n\r\t", letters[] = "bfnrt";
  const char *found = strchr(short_forms, c);
  char text[8];
  if (found && c)
    snprintf(text, sizeof text, "\\%c", letters[found - short_forms]);
  else
    snprintf(text, sizeof text, "\\u%04X", (unsigned)c);
  gmem_put_text(out, text);
}

// How many bytes at |text| stand for themselves.
static size_t plain_length(const char *text, size_t left) {
  size_t length = 0;
  while (length < left && text[length] >= ' ' && text[length] <= '~' &&
         text[length] != '"' && text[length] != '\\')
    ++length;
  return length;
}

// Writes the character at |text| and returns its length in bytes.
static size_t put_character(gmem_text_out_t *out, const char *text,
                            size_t left) {
  size_t length = utf8_length(text, left);
  if (length == 1 && (unsigned char)*text < ' ') {
    put_control(out, *text);
    return 1;
  }
  if (*text == '"' || *text == '\\')
    gmem_put_text(out, "\\");
  gmem_put_bytes(out, length ? text : "?", length ? length : 1);
  return length ? length : 1;
}

static void put_string(gmem_text_out_t *out, const char *text, size_t left) {
  gmem_put_text(out, "\"");
  for (size_t length; left > 0; text += length, left -= length) {
    length = plain_length(text, left);
    if (length > 0)
      gmem_put_bytes(out, text, length);
    else
      length = put_character(out, text, left);
  }
  gmem_put_text(out, "\"");
}

//===--- structure --------------------------------------------------------===//

void gmem_json_start(gmem_json_t *json, gmem_write_fn write, void *user) {
  *json = (gmem_json_t){.out = {.write = write, .user = user}};
}

static bool is_in_object(const gmem_json_t *json) {
  return json->depth && json->objects >> (json->depth - 1) & 1;
}

// Begins the line of an element or of a closing bracket, if it has one.
static bool put_line(gmem_json_t *json, bool is_own_line) {
  if (!json->line_begin && !(json->is_indented && is_own_line))
    return false;
  gmem_put_text(&json->out, "\n");
  unsigned spaces = json->line_begin ? json->line_begin - 1 : 2 * json->depth;
  for (; spaces > 0; --spaces)
    gmem_put_text(&json->out, " ");
  json->line_begin = 0;
  return true;
}

// Writes what precedes the value of an element.
static gmem_text_out_t *begin_value(gmem_json_t *json, const char *key) {
  assert((key != NULL) == is_in_object(json));
  if (json->has_element)
    gmem_put_text(&json->out, ",");
  if (!put_line(json, json->depth > 0) && json->has_element)
    gmem_put_text(&json->out, " ");
  if (key) {
    put_string(&json->out, key, strlen(key));
    gmem_put_text(&json->out, ": ");
  }
  json->has_element = true;
  return &json->out;
}

void gmem_json_open(gmem_json_t *json, const char *key, char bracket) {
  assert((bracket == '{' || bracket == '[') && json->depth < 64);
  gmem_put_bytes(begin_value(json, key), &bracket, 1);
  uint64_t bit = UINT64_C(1) << json->depth++;
  json->objects = bracket == '{' ? json->objects | bit : json->objects & ~bit;
  json->has_element = false;
}

void gmem_json_close(gmem_json_t *json) {
  assert(json->depth > 0);
  const char *bracket = is_in_object(json) ? "}" : "]";
  --json->depth;
  put_line(json, json->has_element);
  gmem_put_text(&json->out, bracket);
  json->has_element = true;
}

void gmem_json_line(gmem_json_t *json, unsigned spaces) {
  json->line_begin = spaces + 1;
}

gmem_status_t gmem_json_end(gmem_json_t *json, const char *what,
                            gmem_diag_t *diag) {
  assert(json->depth == 0);
  if (json->has_element)
    gmem_put_text(&json->out, "\n");
  return gmem_text_out_end(&json->out, what, diag);
}

//===--- values -----------------------------------------------------------===//

void gmem_json_bytes(gmem_json_t *json, const char *key, const char *text,
                     size_t length) {
  put_string(begin_value(json, key), text, length);
}

void gmem_json_text(gmem_json_t *json, const char *key, const char *text) {
  if (text)
    gmem_json_bytes(json, key, text, strlen(text));
  else
    gmem_json_null(json, key);
}

void gmem_json_verbatim(gmem_json_t *json, const char *key, const char *value) {
  gmem_put_text(begin_value(json, key), value);
}

void gmem_json_number(gmem_json_t *json, const char *key, uint64_t number) {
  gmem_put_unsigned(begin_value(json, key), number);
}

void gmem_json_signed(gmem_json_t *json, const char *key, int64_t number) {
  gmem_put_signed(begin_value(json, key), number);
}

void gmem_json_bool(gmem_json_t *json, const char *key, bool value) {
  gmem_put_text(begin_value(json, key), value ? "true" : "false");
}

void gmem_json_null(gmem_json_t *json, const char *key) {
  gmem_put_text(begin_value(json, key), "null");
}

void gmem_json_number_or_null(gmem_json_t *json, const char *key,
                              uint64_t number, uint64_t missing) {
  if (number == missing)
    gmem_json_null(json, key);
  else
    gmem_json_number(json, key, number);
}

void gmem_json_real(gmem_json_t *json, const char *key, double number,
                    int digits) {
  char text[400]; // the largest double has 309 digits before the point
  assert(isfinite(number) && digits < 64);
  if (digits >= 0)
    snprintf(text, sizeof text, "%.*f", digits, number);
  else
    snprintf(text, sizeof text, "%.17g", number);
  gmem_put_text(begin_value(json, key), text);
  if (digits < 0 && !strpbrk(text, ".e"))
    gmem_put_text(&json->out, ".0");
}

void gmem_json_pair(gmem_json_t *json, const char *key, int64_t first,
                    int64_t second) {
  gmem_json_open(json, key, '[');
  gmem_json_signed(json, NULL, first);
  gmem_json_signed(json, NULL, second);
  gmem_json_close(json);
}
