// npy.c - reads and writes .npy files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is "\x93NUMPY", a version (two bytes), the length of the header (two
// bytes; four from version 2 on), the header, and the elements. The header is a
// Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4),
// } and blanks.

#include "npy.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "files.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, PREFIX_1 = 10, PREFIX_2 = 12 };

// State of the header parser.
typedef struct header_s {
  const char *at, *end;
  char descr[16];
  bool fortran, has_descr, has_order, has_shape;
  bool swapped; // the file has the other byte order
  gmem_array_t *array;
  gmem_diag_t *diag;
} header_t;

static gmem_status_t bad_header(const header_t *header, const char *what) {
  return gmem_fail(header->diag, GMEM_ERR_PARSE,
                   "the header of the .npy file %s", what);
}

//===--- the dictionary ---------------------------------------------------===//

static void skip_blanks(header_t *header) {
  while (header->at < header->end &&
         (*header->at == ' ' || *header->at == '\t' || *header->at == '\n' ||
          *header->at == '\r'))
    ++header->at;
}

static bool is_next(const header_t *header, char c) {
  return header->at < header->end && *header->at == c;
}

// Skips |text| if it is next; returns whether it was.
static bool accept(header_t *header, const char *text) {
  size_t length = strlen(text);
  skip_blanks(header);
  if ((size_t)(header->end - header->at) < length ||
      memcmp(header->at, text, length) != 0)
    return false;
  header->at += length;
  return true;
}

// Parses a quoted string of at most |size| - 1 printable characters.
static bool read_string(header_t *header, char *string, size_t size) {
  skip_blanks(header);
  if (!is_next(header, '\'') && !is_next(header, '"'))
    return false;
  char quote = *header->at++;
  size_t length = 0;
  while (header->at < header->end && *header->at != quote &&
         *header->at >= ' ' && *header->at <= '~' && length + 1 < size)
    string[length++] = *header->at++;
  string[length] = '\0';
  return header->at < header->end && *header->at++ == quote;
}

static bool read_size(header_t *header, int64_t *out_size) {
  int64_t size = 0;
  skip_blanks(header);
  const char *first = header->at;
  for (; header->at < header->end && *header->at >= '0' && *header->at <= '9';
       ++header->at)
    if (__builtin_mul_overflow(size, 10, &size) ||
        __builtin_add_overflow(size, *header->at - '0', &size))
      return false;
  *out_size = size;
  bool is_number = header->at > first;
  (void)accept(header, "L"); // suffix of Python 2
  return is_number;
}

// Parses "()", "(3,)", "(3, 4)".
static bool read_shape(header_t *header) {
  gmem_array_t *array = header->array;
  array->rank = 0;
  if (!accept(header, "("))
    return false;
  while (!accept(header, ")")) {
    if (array->rank == GMEM_ARRAY_MAX_RANK ||
        !read_size(header, &array->sizes[array->rank++]))
      return false;
    if (!accept(header, ",") && !is_next(header, ')'))
      return false;
  }
  return true;
}

static bool read_order(header_t *header) {
  header->fortran = accept(header, "True");
  return header->fortran || accept(header, "False");
}

static bool read_entry(header_t *header) {
  char key[24];
  if (!read_string(header, key, sizeof key) || !accept(header, ":"))
    return false;
  if (strcmp(key, "descr") == 0)
    return header->has_descr =
               read_string(header, header->descr, sizeof header->descr);
  if (strcmp(key, "fortran_order") == 0)
    return header->has_order = read_order(header);
  if (strcmp(key, "shape") == 0)
    return header->has_shape = read_shape(header);
  return false;
}

static gmem_status_t read_dictionary(header_t *header) {
  if (!accept(header, "{"))
    return bad_header(header, "is not a dictionary");
  while (!accept(header, "}")) {
    if (!read_entry(header))
      return bad_header(header, "has an unknown or malformed entry");
    if (!accept(header, ",") && !is_next(header, '}'))
      return bad_header(header, "is not terminated");
  }
  skip_blanks(header);
  if (header->at != header->end)
    return bad_header(header, "has text after the dictionary");
  if (!header->has_descr || !header->has_order || !header->has_shape)
    return bad_header(header, "lacks one of descr, fortran_order and shape");
  return GMEM_OK;
}

//===--- types ------------------------------------------------------------===//

// The supported types: NumPy descriptor and element.
static const struct {
  const char *descr; // without byte order
  gmem_element_t element;
} types[] = {
    {"f2", {GMEM_ELEMENT_FLOAT, 16, 2, "f16"}},
    {"f4", {GMEM_ELEMENT_FLOAT, 32, 4, "f32"}},
    {"f8", {GMEM_ELEMENT_FLOAT, 64, 8, "f64"}},
    {"V2", {GMEM_ELEMENT_BFLOAT, 16, 2, "bf16"}},
    {"V1", {GMEM_ELEMENT_FLOAT8, 8, 1, "f8"}},
    {"i1", {GMEM_ELEMENT_SIGNED, 8, 1, "i8"}},
    {"i2", {GMEM_ELEMENT_SIGNED, 16, 2, "i16"}},
    {"i4", {GMEM_ELEMENT_SIGNED, 32, 4, "i32"}},
    {"i8", {GMEM_ELEMENT_SIGNED, 64, 8, "i64"}},
    {"u1", {GMEM_ELEMENT_UNSIGNED, 8, 1, "ui8"}},
    {"u2", {GMEM_ELEMENT_UNSIGNED, 16, 2, "ui16"}},
    {"u4", {GMEM_ELEMENT_UNSIGNED, 32, 4, "ui32"}},
    {"u8", {GMEM_ELEMENT_UNSIGNED, 64, 8, "ui64"}},
    {"b1", {GMEM_ELEMENT_BOOL, 1, 1, "i1"}},
    {"c8", {GMEM_ELEMENT_COMPLEX, 32, 8, "complex<f32>"}},
    {"c16", {GMEM_ELEMENT_COMPLEX, 64, 16, "complex<f64>"}},
};
enum { TYPES = sizeof types / sizeof types[0] };

static gmem_status_t read_type(header_t *header) {
  char order = header->descr[0];
  for (int i = 0; i < TYPES; ++i) {
    if (strchr("<>|=", order) == NULL || order == '\0' ||
        strcmp(header->descr + 1, types[i].descr) != 0)
      continue;
    header->array->element = types[i].element;
    header->swapped = order == '>';
    return GMEM_OK;
  }
  return gmem_fail(header->diag, GMEM_ERR_UNSUPPORTED,
                   "unsupported element type '%s'", header->descr);
}

static const char *descr_of(const gmem_element_t *element) {
  for (int i = 0; i < TYPES; ++i)
    if (types[i].element.kind == element->kind &&
        types[i].element.size == element->size)
      return types[i].descr;
  return "V1";
}

//===--- elements ---------------------------------------------------------===//

static void set_fortran_strides(gmem_array_t *array) {
  int64_t stride = 1;
  for (uint32_t i = 0; i < array->rank; ++i) {
    array->strides[i] = stride;
    if (__builtin_mul_overflow(stride, array->sizes[i], &stride))
      stride = 0; // no elements
  }
}

static void swap_numbers(gmem_array_t *array, int64_t count) {
  size_t size = array->element.size;
  if (array->element.kind == GMEM_ELEMENT_COMPLEX) {
    size /= 2;
    count *= 2;
  }
  for (int64_t n = 0; n < count; ++n) {
    uint8_t *number = array->first + (size_t)n * size;
    for (size_t i = 0; i < size / 2; ++i) {
      uint8_t byte = number[i];
      number[i] = number[size - 1 - i];
      number[size - 1 - i] = byte;
    }
  }
}

static gmem_status_t find_elements(header_t *header, char *data, size_t size) {
  gmem_array_t *array = header->array;
  int64_t count;
  if (!gmem_array_count(array, &count))
    return bad_header(header, "has a shape that is too large");
  uint64_t bytes = (uint64_t)count * array->element.size;
  if (bytes != size)
    return gmem_fail(header->diag, GMEM_ERR_PARSE,
                     "the shape requires %" PRIu64
                     " bytes, but the file contains %zu bytes of elements",
                     bytes, size);
  array->first = (uint8_t *)data;
  if (header->fortran)
    set_fortran_strides(array);
  else
    gmem_array_set_dense_strides(array);
  if (header->swapped)
    swap_numbers(array, count);
  return GMEM_OK;
}

gmem_status_t gmem_npy_parse(char *file, size_t size, gmem_array_t *out_array,
                             gmem_diag_t *diag) {
  *out_array = (gmem_array_t){0};
  if (size < PREFIX_1 || memcmp(file, magic, MAGIC) != 0)
    return gmem_fail(diag, GMEM_ERR_PARSE, "not a .npy file");
  const uint8_t *bytes = (const uint8_t *)file;
  if (bytes[6] < 1 || bytes[6] > 3)
    return gmem_fail(diag, GMEM_ERR_PARSE, "unsupported .npy version %d",
                     bytes[6]);
  size_t prefix = bytes[6] == 1 ? PREFIX_1 : PREFIX_2;
  size_t length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
  if (prefix == PREFIX_2 && size >= PREFIX_2)
    length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (size < prefix || size - prefix < length)
    return gmem_fail(diag, GMEM_ERR_PARSE,
                     "the header of the .npy file is truncated");
  header_t header = {.at = file + prefix,
                     .end = file + prefix + length,
                     .array = out_array,
                     .diag = diag};
  GMEM_TRY(read_dictionary(&header));
  GMEM_TRY(read_type(&header));
  return find_elements(&header, file + prefix + length, size - prefix - length);
}

gmem_status_t gmem_npy_read(const char *path, gmem_array_t *out_array,
                            void **out_data, gmem_diag_t *diag) {
  char *file;
  size_t size;
  *out_data = NULL;
  GMEM_TRY(gmem_read_file(path, &file, &size, diag));
  gmem_status_t status = gmem_npy_parse(file, size, out_array, diag);
  if (status == GMEM_OK)
    *out_data = file;
  else
    free(file);
  return status;
}

//===--- writing ----------------------------------------------------------===//

// Formats magic, version and header (version 1), padded to a multiple of 64
// bytes.
static size_t make_beginning(const gmem_array_t *array, char *text,
                             size_t size) {
  const char *descr = descr_of(&array->element);
  char order = array->element.size == 1 || descr[0] == 'V' ? '|' : '<';
  size_t used = PREFIX_1;
  used += (size_t)snprintf(text + used, size - used,
                           "{'descr': '%c%s', 'fortran_order': False, "
                           "'shape': (",
                           order, descr);
  for (uint32_t i = 0; i < array->rank; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRId64 "%s",
                             i ? ", " : "", array->sizes[i],
                             array->rank == 1 ? "," : "");
  used += (size_t)snprintf(text + used, size - used, "), }");
  while (used % 64 != 63)
    text[used++] = ' ';
  text[used++] = '\n';
  assert(used <= size && used % 64 == 0);
  memcpy(text, magic, MAGIC);
  text[6] = 1;
  text[7] = 0;
  text[8] = (char)((used - PREFIX_1) & 0xFF);
  text[9] = (char)((used - PREFIX_1) >> 8);
  return used;
}

gmem_status_t gmem_npy_write(const char *path, const gmem_array_t *array,
                             gmem_diag_t *diag) {
  char beginning[1024]; // 32 dimensions of 19 digits
  gmem_output_t *output;
  GMEM_TRY(gmem_output_open(path, &output, diag));
  // The output records write errors; the commit reports them.
  (void)gmem_output_write(output, beginning,
                          make_beginning(array, beginning, sizeof beginning));
  gmem_array_rows_t rows = gmem_array_rows(array, array);
  while (gmem_array_next_row(&rows))
    (void)gmem_output_write(output, (const char *)rows.at[0],
                            (size_t)rows.count * array->element.size);
  return gmem_output_commit(output, diag);
}
