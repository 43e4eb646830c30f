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

uint8_t *gmem_array_at(const gmem_array_t *array, const int64_t *indices) {
  int64_t at = 0;
  assert(array->rank <= GMEM_ARRAY_MAX_RANK);
  for (uint32_t i = 0; i < array->rank; ++i)
    at += indices[i] * array->strides[i];
  return array->first + at * (int64_t)array->element.size;
}

bool gmem_array_next(const gmem_array_t *array, int64_t *indices) {
  for (uint32_t i = array->rank; i-- > 0;) {
    if (++indices[i] < array->sizes[i])
      return true;
    indices[i] = 0;
  }
  return false;
}

static bool is_dense(const gmem_array_t *array) {
  gmem_array_t dense = *array;
  gmem_array_set_dense_strides(&dense);
  for (uint32_t i = 0; i < array->rank; ++i)
    if (array->sizes[i] > 1 && array->strides[i] != dense.strides[i])
      return false;
  return true;
}

static int64_t count_of(const gmem_array_t *array) {
  int64_t count;
  return gmem_array_count(array, &count) ? count : 0;
}

void gmem_array_digest(const gmem_array_t *array, uint8_t digest[32]) {
  gmem_sha256_t sha;
  char type[512];
  int64_t count = count_of(array), indices[GMEM_ARRAY_MAX_RANK] = {0};
  gmem_sha256_begin(&sha);
  gmem_array_type_text(array, type, sizeof type);
  gmem_sha256_add(&sha, type, strlen(type) + 1);
  if (is_dense(array)) {
    gmem_sha256_add(&sha, array->first, (size_t)count * array->element.size);
  } else if (count > 0) {
    do
      gmem_sha256_add(&sha, gmem_array_at(array, indices), array->element.size);
    while (gmem_array_next(array, indices));
  }
  gmem_sha256_end(&sha, digest);
}

void gmem_array_fill(const gmem_array_t *array, bool positive,
                     gmem_random_t *random) {
  int64_t indices[GMEM_ARRAY_MAX_RANK] = {0};
  if (count_of(array) == 0)
    return;
  do
    gmem_element_set_random(&array->element, gmem_array_at(array, indices),
                            positive, random);
  while (gmem_array_next(array, indices));
}

void gmem_array_copy(const gmem_array_t *from, const gmem_array_t *to) {
  int64_t indices[GMEM_ARRAY_MAX_RANK] = {0};
  int64_t count = count_of(from);
  assert(count == count_of(to) && from->element.size == to->element.size);
  if (count == 0)
    return;
  if (is_dense(from) && is_dense(to)) {
    memcpy(to->first, from->first, (size_t)count * from->element.size);
    return;
  }
  do
    memcpy(gmem_array_at(to, indices), gmem_array_at(from, indices),
           from->element.size);
  while (gmem_array_next(from, indices));
}

bool gmem_array_equal(const gmem_array_t *a, const gmem_array_t *b) {
  int64_t indices[GMEM_ARRAY_MAX_RANK] = {0};
  int64_t count = count_of(a);
  if (count == 0)
    return true;
  if (is_dense(a) && is_dense(b))
    return memcmp(a->first, b->first, (size_t)count * a->element.size) == 0;
  do
    if (memcmp(gmem_array_at(a, indices), gmem_array_at(b, indices),
               a->element.size) != 0)
      return false;
  while (gmem_array_next(a, indices));
  return true;
}

static bool is_finite(const gmem_element_t *element, const uint8_t *bytes) {
  gmem_element_t part = *element;
  switch (element->kind) {
  case GMEM_ELEMENT_FLOAT:
  case GMEM_ELEMENT_BFLOAT:
    return isfinite(gmem_element_get_float(element, bytes));
  case GMEM_ELEMENT_COMPLEX:
    part.kind = GMEM_ELEMENT_FLOAT;
    part.size /= 2;
    return is_finite(&part, bytes) && is_finite(&part, bytes + part.size);
  default:
    return true;
  }
}

int64_t gmem_array_count_not_finite(const gmem_array_t *array) {
  int64_t indices[GMEM_ARRAY_MAX_RANK] = {0}, found = 0;
  if (count_of(array) == 0)
    return 0;
  do
    found += !is_finite(&array->element, gmem_array_at(array, indices));
  while (gmem_array_next(array, indices));
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
  gmem_element_t part = *element;
  switch (element->kind) {
  case GMEM_ELEMENT_FLOAT:
  case GMEM_ELEMENT_BFLOAT:
    snprintf(text, size, "%.6g", gmem_element_get_float(element, bytes));
    return;
  case GMEM_ELEMENT_COMPLEX:
    part.kind = GMEM_ELEMENT_FLOAT;
    part.size /= 2;
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
  int64_t indices[GMEM_ARRAY_MAX_RANK] = {0}, count = count_of(array);
  size_t used = 0;
  text[0] = '\0';
  for (int64_t i = 0; i < count && i < SHOWN && used < size; ++i) {
    char value[64];
    element_text(&array->element, gmem_array_at(array, indices), value,
                 sizeof value);
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", value);
    gmem_array_next(array, indices);
  }
  if (count > SHOWN && used < size)
    snprintf(text + used, size - used, " ...");
}
