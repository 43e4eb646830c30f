// array.c - strided arrays of scalars in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "array_elements.h"
#include "sha256.h"

bool gmem_array_count(const gmem_array_t *array, int64_t *out_count) {
  int64_t count = 1, bytes;
  bool empty = false;
  for (uint32_t i = 0; i < array->rank; ++i) {
    if (array->sizes[i] < 0)
      return false;
    empty |= array->sizes[i] == 0;
  }
  for (uint32_t i = 0; i < array->rank && !empty; ++i)
    if (__builtin_mul_overflow(count, array->sizes[i], &count))
      return false;
  *out_count = empty ? 0 : count;
  return !__builtin_mul_overflow(*out_count, (int64_t)array->element.size,
                                 &bytes);
}

void gmem_array_set_dense_strides(gmem_array_t *array) {
  int64_t stride = 1;
  for (uint32_t i = array->rank; i-- > 0;) {
    array->strides[i] = stride;
    // The strides of an empty array are irrelevant.
    if (__builtin_mul_overflow(stride, array->sizes[i], &stride))
      stride = 0;
  }
}

static int64_t count_of(const gmem_array_t *array) {
  int64_t count;
  return gmem_array_count(array, &count) ? count : 0;
}

//===--- rows -------------------------------------------------------------===//

gmem_array_rows_t gmem_array_rows(const gmem_array_t *a,
                                  const gmem_array_t *b) {
  gmem_array_rows_t rows = {.arrays = {a, b}, .count = 1, .left = count_of(a)};
  assert(rows.left == count_of(b) && a->element.size == b->element.size);
  uint32_t rank = rows.left > 0 ? a->rank : 0;
  for (; rank > 0; rows.count *= a->sizes[--rank])
    if (a->sizes[rank - 1] > 1 && (a->strides[rank - 1] != rows.count ||
                                   b->strides[rank - 1] != rows.count))
      break;
  rows.rank = rank;
  rows.left /= rows.count;
  return rows;
}

bool gmem_array_next_row(gmem_array_rows_t *rows) {
  if (rows->left == 0)
    return false;
  --rows->left;
  assert(rows->rank <= rows->arrays[0]->rank && rows->count > 0);
  for (int k = 0; k < 2; ++k) {
    int64_t at = 0;
    for (uint32_t i = 0; i < rows->rank; ++i)
      at += rows->indices[i] * rows->arrays[k]->strides[i];
    rows->at[k] =
        rows->arrays[k]->first + at * (int64_t)rows->arrays[k]->element.size;
  }
  for (uint32_t i = rows->rank;
       i-- > 0 && ++rows->indices[i] == rows->arrays[0]->sizes[i];)
    rows->indices[i] = 0;
  return true;
}

static size_t row_bytes(const gmem_array_rows_t *rows) {
  return (size_t)rows->count * rows->arrays[0]->element.size;
}

//===--- arrays -----------------------------------------------------------===//

void gmem_array_digest(const gmem_array_t *array, uint8_t digest[32]) {
  gmem_sha256_t sha;
  char type[512];
  gmem_sha256_begin(&sha);
  gmem_array_type_text(array, type, sizeof type);
  gmem_sha256_add(&sha, type, strlen(type) + 1);
  gmem_array_rows_t rows = gmem_array_rows(array, array);
  while (gmem_array_next_row(&rows))
    gmem_sha256_add(&sha, rows.at[0], row_bytes(&rows));
  gmem_sha256_end(&sha, digest);
}

void gmem_array_fill(const gmem_array_t *array, bool positive,
                     gmem_random_t *random) {
  gmem_array_rows_t rows = gmem_array_rows(array, array);
  while (gmem_array_next_row(&rows))
    for (size_t i = 0; i < row_bytes(&rows); i += array->element.size)
      gmem_element_set_random(&array->element, rows.at[0] + i, positive,
                              random);
}

void gmem_array_copy(const gmem_array_t *from, const gmem_array_t *to) {
  gmem_array_rows_t rows = gmem_array_rows(from, to);
  while (gmem_array_next_row(&rows))
    memmove(rows.at[1], rows.at[0], row_bytes(&rows));
}

bool gmem_array_equal(const gmem_array_t *a, const gmem_array_t *b) {
  gmem_array_rows_t rows = gmem_array_rows(a, b);
  while (gmem_array_next_row(&rows))
    if (memcmp(rows.at[0], rows.at[1], row_bytes(&rows)) != 0)
      return false;
  return true;
}

static bool is_finite(const gmem_element_t *element, const uint8_t *bytes) {
  if (element->kind == GMEM_ELEMENT_COMPLEX) {
    gmem_element_t part = gmem_element_part(element);
    return is_finite(&part, bytes) && is_finite(&part, bytes + part.size);
  }
  return !gmem_element_is_float(element) ||
         isfinite(gmem_element_get_float(element, bytes));
}

int64_t gmem_array_count_not_finite(const gmem_array_t *array) {
  int64_t found = 0;
  gmem_array_rows_t rows = gmem_array_rows(array, array);
  while (gmem_array_next_row(&rows))
    for (size_t i = 0; i < row_bytes(&rows); i += array->element.size)
      found += !is_finite(&array->element, rows.at[0] + i);
  return found;
}

//===--- text -------------------------------------------------------------===//

void gmem_array_type_text(const gmem_array_t *array, char *text, size_t size) {
  int used = snprintf(text, size, "%s", array->element.name);
  for (uint32_t i = 0; i < array->rank && used >= 0 && (size_t)used < size;
       ++i) {
    char number[24] = "?";
    if (array->sizes[i] != GMEM_DYNAMIC)
      snprintf(number, sizeof number, "%" PRId64, array->sizes[i]);
    used += snprintf(text + used, size - (size_t)used, "%s%s", i ? "x" : " ",
                     number);
  }
}

static void element_text(const gmem_element_t *element, const uint8_t *bytes,
                         char *text, size_t size) {
  gmem_element_t part = gmem_element_part(element);
  switch (element->kind) {
  case GMEM_ELEMENT_FLOAT:
  case GMEM_ELEMENT_BFLOAT:
    snprintf(text, size, "%.6g", gmem_element_get_float(element, bytes));
    return;
  case GMEM_ELEMENT_COMPLEX:
    snprintf(text, size, "%.6g%+.6gi", gmem_element_get_float(&part, bytes),
             gmem_element_get_float(&part, bytes + part.size));
    return;
  case GMEM_ELEMENT_FLOAT8:
    snprintf(text, size, "0x%02x", bytes[0]);
    return;
  default:
    snprintf(text, size, "%" PRId64, gmem_element_get_int(element, bytes));
  }
}

void gmem_array_values_text(const gmem_array_t *array, char *text,
                            size_t size) {
  enum { SHOWN = 6 };
  size_t used = 0, shown = 0;
  text[0] = '\0';
  gmem_array_rows_t rows = gmem_array_rows(array, array);
  while (gmem_array_next_row(&rows) && shown <= SHOWN)
    for (int64_t i = 0; i < rows.count && shown <= SHOWN && used < size; ++i) {
      char value[64] = "...";
      if (shown < SHOWN)
        element_text(&array->element,
                     rows.at[0] + (size_t)i * array->element.size, value,
                     sizeof value);
      used += (size_t)snprintf(text + used, size - used, "%s%s",
                               shown++ ? " " : "", value);
    }
}
