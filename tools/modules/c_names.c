// c_names.c - converts names of a plan to C identifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // vasprintf

#include "c_names.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool gmem_c_identifier(const char *name, char out[GMEM_C_NAME]) {
  size_t length = 0;
  bool is_gap = false; // other characters since the last letter or digit
  for (; *name; ++name) {
    if (!is_letter(*name) && !is_digit(*name)) {
      is_gap = true;
      continue;
    }
    if (length + (length && is_gap) + 1 >= GMEM_C_NAME)
      return false;
    if (length == 0 && is_digit(*name))
      out[length++] = 'n';
    else if (length && is_gap)
      out[length++] = '_';
    out[length++] = *name;
    is_gap = false;
  }
  out[length] = '\0';
  return length > 0;
}

void gmem_c_capitals(const char *identifier, char out[GMEM_C_NAME]) {
  assert(strlen(identifier) < GMEM_C_NAME);
  size_t i = 0;
  for (; identifier[i] && i + 1 < GMEM_C_NAME; ++i) {
    bool is_small = identifier[i] >= 'a' && identifier[i] <= 'z';
    out[i] = is_small ? (char)(identifier[i] - 'a' + 'A') : identifier[i];
  }
  out[i] = '\0';
}

//===--- reserved words ---------------------------------------------------===//

// Keywords up to C23 and C++23, and predefined macros of compilers. Names with
// a leading '_' or "__" cannot occur.
static const char reserved[] =
    "NULL alignas alignof and and_eq asm assert auto bitand bitor bool "
    "break case catch char char16_t char32_t char8_t class co_await co_return "
    "co_yield compl complex concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else "
    "enum errno explicit export extern false float for fortran friend goto "
    "i386 if imaginary inline int linux long max_align_t mutable namespace "
    "new noexcept noreturn not not_eq nullptr nullptr_t offsetof operator or "
    "or_eq private protected ptrdiff_t public register reinterpret_cast "
    "requires restrict return short signed size_t sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename typeof typeof_unqual union unix unreachable "
    "unsigned using virtual void volatile wchar_t while xor xor_eq";

static const char headers[] =
    "assert complex ctype errno fenv float inttypes iso646 limits locale math "
    "setjmp signal stdalign stdarg stdatomic stdbit stdbool stdckdint stddef "
    "stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar "
    "wctype";

// Whether |word| is one of |words|, which are separated by spaces.
static bool is_one_of(const char *word, const char *words) {
  size_t length = strlen(word);
  for (const char *at = words; *at; at += strspn(at, " ")) {
    size_t size = strcspn(at, " ");
    if (size == length && memcmp(at, word, length) == 0)
      return true;
    at += size;
  }
  return false;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

// Names defined by or reserved for <stdint.h>: INT8_MAX, UINT_FAST16_C,
// SIZE_WIDTH, int_least8_t...
static bool is_of_stdint(const char *identifier) {
  static const char *const starts[] = {"INT",  "UINT",  "PTRDIFF",   "SIZE",
                                       "WINT", "WCHAR", "SIG_ATOMIC"};
  static const char *const ends[] = {"_MAX", "_MIN", "_C", "_WIDTH"};
  if (ends_with(identifier, "_t") &&
      (begins_with(identifier, "int") || begins_with(identifier, "uint")))
    return true;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i)
    for (size_t j = 0; j < sizeof ends / sizeof *ends; ++j)
      if (begins_with(identifier, starts[i]) && ends_with(identifier, ends[j]))
        return true;
  return false;
}

bool gmem_c_is_taken(const char *identifier) {
  return is_one_of(identifier, reserved) || is_of_stdint(identifier);
}

bool gmem_c_is_model_name(const char *name) {
  char identifier[GMEM_C_NAME];
  return gmem_c_identifier(name, identifier) && strcmp(identifier, name) == 0 &&
         !gmem_c_is_taken(name) && !is_one_of(name, headers);
}

//===--- clashes ----------------------------------------------------------===//

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t gmem_c_sort_unique(const char **names, size_t count) {
  size_t kept = 0;
  if (count)
    qsort(names, count, sizeof *names, compare_texts);
  for (size_t i = 0; i < count; ++i)
    if (kept == 0 || strcmp(names[kept - 1], names[i]) != 0)
      names[kept++] = names[i];
  return kept;
}

void gmem_c_names_add(gmem_c_names_t *names, const char *kind,
                      const char *owner, const char *format, ...) {
  if (names->count == names->room) {
    names->room = names->room ? 2 * names->room : 64;
    names->names =
        gmem_need(realloc(names->names, names->room * sizeof *names->names));
  }
  gmem_c_name_t *name = &names->names[names->count++];
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&name->identifier, format, arguments) < 0)
    name->identifier = gmem_need(NULL);
  va_end(arguments);
  name->kind = kind;
  name->owner = owner;
}

static int compare_names(const void *a, const void *b) {
  const gmem_c_name_t *left = a, *right = b;
  int order = strcmp(left->identifier, right->identifier);
  if (order == 0)
    order = strcmp(left->kind, right->kind);
  return order ? order : strcmp(left->owner, right->owner);
}

static gmem_status_t check_sorted(const gmem_c_names_t *names,
                                  gmem_diag_t *diag) {
  for (size_t i = 1; i < names->count; ++i) {
    const gmem_c_name_t *a = &names->names[i - 1], *b = &names->names[i];
    if (strcmp(a->identifier, b->identifier) == 0)
      return gmem_fail(
          diag, GMEM_ERR_INVALID_ARGUMENT,
          "in C, %s '%.50s' and %s '%.50s' would both be %.70s; use "
          "--names=numbers to number tensors",
          a->kind, a->owner, b->kind, b->owner, a->identifier);
  }
  return GMEM_OK;
}

gmem_status_t gmem_c_names_check(gmem_c_names_t *names, gmem_diag_t *diag) {
  if (names->count)
    qsort(names->names, names->count, sizeof *names->names, compare_names);
  gmem_status_t status = check_sorted(names, diag);
  for (size_t i = 0; i < names->count; ++i)
    free(names->names[i].identifier);
  free(names->names);
  *names = (gmem_c_names_t){0};
  return status;
}
