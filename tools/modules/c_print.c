// c_print.c - prints C in the LLVM style of clang-format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // vasprintf

#include "c_print.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

enum { COLUMNS = 80 };

//===--- lines ------------------------------------------------------------===//

// Prints the words of a comment that begins at column |indent| with "//".
static void wrap_comment(FILE *file, size_t indent, const char *words) {
  size_t column = 2 * COLUMNS; // forces a new line for the first word
  while (*words) {
    size_t length = strcspn(words, " ");
    bool is_new = column + 1 + length > COLUMNS;
    if (is_new)
      fprintf(file, "%s%*s//", column == 2 * COLUMNS ? "" : "\n", (int)indent,
              "");
    column = (is_new ? indent + strlen("//") : column) + 1 + length;
    fprintf(file, " %.*s", (int)length, words);
    words += length + (words[length] == ' ');
  }
}

// Prints a macro with its value on a second line.
static void wrap_macro(FILE *file, const char *line) {
  int name = (int)(strlen("#define ") + strcspn(line + 8, " "));
  fprintf(file, "%-*.*s\\\n  %s", COLUMNS - 1, name, line, line + name + 1);
}

// The length of the element of a list at |text|, up to its comma or the closing
// bracket of the list.
static size_t element_length(const char *text) {
  int depth = 0;
  bool is_quoted = false;
  size_t length = 0;
  for (; text[length]; ++length) {
    char c = text[length];
    is_quoted ^= c == '"';
    if (is_quoted)
      continue;
    if (depth == 0 && strchr(",)}", c))
      break;
    depth += (c == '(' || c == '{') - (c == ')' || c == '}');
  }
  assert(text[length] && "the brackets of a wrapped line are not balanced");
  return length;
}

// Returns the element after the one at |text|, or NULL.
static const char *next_element(const char *text) {
  text += element_length(text);
  return *text == ',' ? text + strlen(", ") : NULL;
}

// Whether every element fits on a line of its own from |column| on, the last
// one with the |tail| characters of its line behind it.
static bool fits_at(const char *elements, size_t column) {
  for (const char *at = elements; at; at = next_element(at)) {
    size_t length = element_length(at);
    size_t after = at[length] == ',' ? 1 : strlen(at + length);
    if (column + length + after > COLUMNS)
      return false;
  }
  return true;
}

// Prints a line of more than 80 columns. Like clang-format, hangs the elements
// below the head if one does not fit beside it, or if all fit on one line after
// a brace.
static void wrap_list(FILE *file, const char *line) {
  size_t indent = strspn(line, " "), head = strcspn(line, "({");
  const char *elements = line + head + 1;
  bool is_block = line[head] == '{' && head > indent &&
                  indent + 4 + strlen(elements) <= COLUMNS;
  bool is_hanging = is_block || !fits_at(elements, head + 1);
  size_t below = is_hanging ? indent + 4 : head + 1;
  size_t column = is_hanging ? COLUMNS : below;
  fprintf(file, "%.*s", (int)head + 1, line);
  for (const char *at = elements; at; at = next_element(at)) {
    size_t length = element_length(at);
    bool is_last = at[length] != ',', is_first = at == elements && !is_hanging;
    size_t after = is_last ? strlen(at + length) : 1;
    if (!is_first && column + 1 + length + after > COLUMNS) {
      fprintf(file, "\n%*s", (int)below, "");
      column = below;
    } else if (!is_first) {
      fputc(' ', file);
      ++column;
    }
    fprintf(file, "%.*s", (int)(length + after), at);
    column += length + 1;
  }
}

static void print_line(FILE *file, const char *line) {
  bool is_wrapped = line[0] == '^';
  line += is_wrapped;
  size_t indent = strspn(line, " "), length = strlen(line);
  if (is_wrapped && strncmp(line + indent, "// ", 3) == 0)
    wrap_comment(file, indent, line + indent + 3);
  else if (!is_wrapped || length <= COLUMNS)
    fputs(line, file);
  else if (strncmp(line, "#define ", 8) == 0)
    wrap_macro(file, line);
  else
    wrap_list(file, line);
  fputc('\n', file);
}

// Appends to the line, and prints each line that is complete.
static void append(gmem_c_text_t *out, const char *text) {
  for (; *text; ++text) {
    if (out->length == out->room) {
      out->room = out->room ? 2 * out->room : 256;
      out->line = gmem_need(realloc(out->line, out->room));
    }
    bool is_end = *text == '\n';
    out->line[out->length++] = is_end ? '\0' : *text;
    if (is_end) {
      print_line(out->file, out->line);
      out->length = 0;
    }
  }
}

gmem_c_text_t gmem_c_text_begin(FILE *file, const char *name) {
  gmem_c_text_t out = {.file = file, .name = name};
  gmem_c_capitals(name, out.capitals);
  return out;
}

void gmem_c_text_end(gmem_c_text_t *out) {
  assert(out->length == 0 && "the last line is open");
  free(out->line);
  fclose(out->file);
}

//===--- text -------------------------------------------------------------===//

// Returns |format| with the names in place of '@' and '$'.
static char *insert_names(const gmem_c_text_t *out, const char *format) {
  size_t room = strlen(format) + 1, length = 0;
  for (const char *c = format; *c; ++c)
    room += *c == '@' || *c == '$' ? strlen(out->name) : 0;
  char *text = gmem_need(malloc(room));
  for (; *format; ++format) {
    const char *name = *format == '@'   ? out->name
                       : *format == '$' ? out->capitals
                                        : NULL;
    size_t size = name ? strlen(name) : 1;
    memcpy(text + length, name ? name : format, size);
    length += size;
  }
  text[length] = '\0';
  return text;
}

static void print_all(gmem_c_text_t *out, const char *format,
                      va_list arguments) {
  char *text, *full = insert_names(out, format);
  int length = vasprintf(&text, full, arguments);
  append(out, gmem_need(length < 0 ? NULL : text));
  free(full);
  free(text);
}

void gmem_c_print(gmem_c_text_t *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_all(out, format, arguments);
  va_end(arguments);
}

void gmem_c_define_bytes(gmem_c_text_t *out, uint64_t bytes, const char *format,
                         ...) {
  va_list arguments;
  append(out, "^#define ");
  va_start(arguments, format);
  print_all(out, format, arguments);
  va_end(arguments);
  gmem_c_print(out, " UINT%s_C(%" PRIu64 ")\n",
               bytes > UINT32_MAX ? "64" : "32", bytes);
}

// The trigraph "??/" is a backslash, and a backslash at the end of a line
// continues it on the next.
void gmem_c_print_name(gmem_c_text_t *out, const char *before, const char *name,
                       const char *after) {
  gmem_c_print(out, "%s\"", before);
  for (size_t i = 0; name[i]; ++i) {
    bool is_printable = name[i] >= ' ' && name[i] <= '~';
    bool is_trigraph = name[i] == '?' && i && name[i - 1] == '?';
    bool is_harmless = is_printable && !is_trigraph && name[i] != '\\';
    append(out, (char[]){is_harmless ? name[i] : '.', '\0'});
  }
  gmem_c_print(out, "\"%s", after);
}

void gmem_c_print_string(gmem_c_text_t *out, const char *text) {
  append(out, "\"");
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
      gmem_c_print(out, "\\%03o", c);
    else
      append(out, (char[]){*text, '\0'});
  }
  append(out, "\"");
}
