// c_print.c - prints C in the LLVM style of clang-format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_print.h"

#include <string.h>

enum { COLUMNS = 80 };

void gmem_c_print(FILE *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)vfprintf(out, format, arguments);
  va_end(arguments);
}

void gmem_c_comment(FILE *out, size_t indent, const char *text) {
  size_t column = 2 * COLUMNS; // forces a new line for the first word
  while (*text) {
    size_t length = strcspn(text, " ");
    bool is_new = column + 1 + length > COLUMNS;
    if (is_new)
      gmem_c_print(out, "%s%*s//", column == 2 * COLUMNS ? "" : "\n",
                   (int)indent, "");
    column = (is_new ? indent + strlen("//") : column) + 1 + length;
    gmem_c_print(out, " %.*s", (int)length, text);
    text += length + (text[length] == ' ');
  }
  gmem_c_print(out, "\n");
}

//===--- macros -----------------------------------------------------------===//

void gmem_c_define(FILE *out, const char *name, const char *value) {
  if (strlen("#define ") + strlen(name) + 1 + strlen(value) <= COLUMNS)
    gmem_c_print(out, "#define %s %s\n", name, value);
  else
    gmem_c_print(out, "#define %-*s\\\n  %s\n",
                 (int)(COLUMNS - 1 - strlen("#define ")), name, value);
}

void gmem_c_define_bytes(FILE *out, uint64_t bytes, const char *format, ...) {
  char name[512], value[64];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  snprintf(value, sizeof value, "UINT%s_C(%" PRIu64 ")",
           bytes > UINT32_MAX ? "64" : "32", bytes);
  gmem_c_define(out, name, value);
}

//===--- lists ------------------------------------------------------------===//

void gmem_c_list_begin(gmem_c_list_t *list, FILE *out, size_t indent,
                       const char *format, ...) {
  list->out = out;
  list->indent = indent;
  list->count = 0;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(list->head, sizeof list->head, format, arguments);
  va_end(arguments);
}

void gmem_c_list_add(gmem_c_list_t *list, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(list->parts[list->count++], sizeof *list->parts, format, arguments);
  va_end(arguments);
}

static bool fits_below(const gmem_c_list_t *list, size_t column, size_t tail) {
  for (size_t i = 0; i < list->count; ++i)
    if (column + strlen(list->parts[i]) +
            (i + 1 == list->count ? tail : strlen(",")) >
        COLUMNS)
      return false;
  return true;
}

// Whether clang-format would put all parts on one line below a head that ends
// with a brace, instead of wrapping them beside it.
static bool is_one_line_below(const gmem_c_list_t *list, size_t below,
                              size_t tail) {
  size_t length = tail, head = strlen(list->head);
  for (size_t i = 0; i < list->count; ++i)
    length += strlen(list->parts[i]) + (i ? strlen(", ") : 0);
  return head > 1 && list->head[head - 1] == '{' && below + length > COLUMNS &&
         list->indent + 4 + length <= COLUMNS;
}

void gmem_c_list_end(gmem_c_list_t *list, const char *tail) {
  size_t below = list->indent + strlen(list->head);
  // A first part that does not fit starts a new line.
  bool is_hanging = !fits_below(list, below, strlen(tail)) ||
                    is_one_line_below(list, below, strlen(tail));
  gmem_c_print(list->out, "%*s%s", (int)list->indent, "", list->head);
  if (is_hanging)
    below = list->indent + 4;
  size_t column = is_hanging ? COLUMNS : below;
  for (size_t i = 0; i < list->count; ++i) {
    size_t length = strlen(list->parts[i]);
    size_t end = i + 1 == list->count ? strlen(tail) : strlen(",");
    bool is_first = i == 0 && !is_hanging;
    if (!is_first && column + 1 + length + end > COLUMNS) {
      gmem_c_print(list->out, "\n%*s", (int)below, "");
      column = below;
    } else if (!is_first) {
      gmem_c_print(list->out, " ");
      ++column;
    }
    gmem_c_print(list->out, "%s%s", list->parts[i],
                 i + 1 == list->count ? "" : ",");
    column += length + 1;
  }
  gmem_c_print(list->out, "%s\n", tail);
}

//===--- names ------------------------------------------------------------===//

// The trigraph "??/" is a backslash, and a backslash at the end of a line
// continues it on the next.
static char harmless(const char *text, size_t i) {
  bool is_printable = text[i] >= ' ' && text[i] <= '~';
  bool is_trigraph = text[i] == '?' && i && text[i - 1] == '?';
  return !is_printable || is_trigraph || text[i] == '\\' ? '.' : text[i];
}

void gmem_c_print_name(FILE *out, const char *name) {
  gmem_c_print(out, "\"");
  for (size_t i = 0; name[i]; ++i)
    gmem_c_print(out, "%c", harmless(name, i));
  gmem_c_print(out, "\"");
}

void gmem_c_quote(char *out, size_t room, const char *text) {
  size_t used = 0;
  out[used++] = '"';
  for (; *text && used + 6 < room; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
      used += (size_t)snprintf(out + used, room - used, "\\%03o", c);
    else
      out[used++] = (char)c;
  }
  out[used++] = '"';
  out[used] = '\0';
}
