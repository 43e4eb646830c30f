// RUN: %unit/tools_array_test
// tools_array_test.c - numbers and arrays of gmem-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "npy.h"

static const gmem_element_t f16 = {GMEM_ELEMENT_FLOAT, 16, 2, "f16"};
static const gmem_element_t f32 = {GMEM_ELEMENT_FLOAT, 32, 4, "f32"};
static const gmem_element_t bf16 = {GMEM_ELEMENT_BFLOAT, 16, 2, "bf16"};
static const gmem_element_t i4 = {GMEM_ELEMENT_SIGNED, 4, 1, "i4"};
static const gmem_element_t i64 = {GMEM_ELEMENT_SIGNED, 64, 8, "i64"};

// Every half, but for those that are no number, comes back as it was.
static void test_round_trips(const gmem_element_t *element) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    uint16_t half = (uint16_t)bits, again;
    double value = gmem_element_get_float(element, &half);
    gmem_element_set_float(element, &again, value);
    CHECK(isnan(value) || again == half);
  }
}

static uint16_t rounded(const gmem_element_t *element, double value) {
  uint16_t half;
  gmem_element_set_float(element, &half, value);
  return half;
}

// To the nearest, ties to even; what is too large is infinite.
static void test_rounding(void) {
  CHECK(rounded(&f16, 1.0) == 0x3C00);
  CHECK(rounded(&f16, 1.0 + 1.0 / 2048) == 0x3C00);
  CHECK(rounded(&f16, 1.0 + 3.0 / 2048) == 0x3C02);
  CHECK(rounded(&f16, 65504) == 0x7BFF);
  CHECK(rounded(&f16, 65520) == 0x7C00);
  CHECK(rounded(&f16, -1e9) == 0xFC00);
  CHECK(rounded(&f16, ldexp(1, -24)) == 1);
  CHECK(rounded(&f16, ldexp(1, -25)) == 0);
  CHECK(rounded(&f16, ldexp(3, -26)) == 1);
  CHECK(rounded(&bf16, 1.0) == 0x3F80);
  CHECK(rounded(&bf16, 1.0 + 1.0 / 256) == 0x3F80);
  CHECK(rounded(&bf16, 1.0 + 3.0 / 256) == 0x3F82);
}

static void test_integers(void) {
  uint8_t bytes[8];
  for (int64_t i = -8; i < 8; ++i) {
    gmem_element_set_int(&i4, bytes, i);
    CHECK(gmem_element_get_int(&i4, bytes) == i);
  }
  gmem_element_set_int(&i64, bytes, INT64_MIN);
  CHECK(gmem_element_get_int(&i64, bytes) == INT64_MIN);
}

// Inputs are in the ranges that are promised, and not all the same.
static void test_random(void) {
  gmem_random_t random = {1};
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    float value;
    int64_t wide;
    uint8_t small;
    gmem_element_set_random(&f32, &value, false, &random);
    CHECK(value >= -1 && value < 1);
    sum += (double)value;
    gmem_element_set_random(&f32, &value, true, &random);
    CHECK(value >= 0.5f && value < 1.5f);
    gmem_element_set_random(&i64, &wide, false, &random);
    CHECK(wide >= 0 && wide <= 9);
    gmem_element_set_random(&i4, &small, false, &random);
    int64_t number = gmem_element_get_int(&i4, &small);
    CHECK(number >= -7 && number <= 7);
  }
  CHECK(fabs(sum) < 300);
}

// The digest is of the elements, not of how they lie; it tells types, shapes
// and values apart.
static void test_digests(void) {
  float rows[6] = {1, 2, 3, 4, 5, 6}, columns[6] = {1, 4, 2, 5, 3, 6};
  gmem_array_t a = {f32, 2, {2, 3}, {3, 1}, (uint8_t *)rows};
  gmem_array_t b = {f32, 2, {2, 3}, {1, 2}, (uint8_t *)columns};
  gmem_array_t c = {f32, 2, {3, 2}, {2, 1}, (uint8_t *)rows};
  uint8_t digests[3][32];
  gmem_array_digest(&a, digests[0]);
  gmem_array_digest(&b, digests[1]);
  gmem_array_digest(&c, digests[2]);
  CHECK(memcmp(digests[0], digests[1], 32) == 0);
  CHECK(memcmp(digests[0], digests[2], 32) != 0);
  CHECK(gmem_array_equal(&a, &b));
  columns[5] = -6;
  gmem_array_digest(&b, digests[1]);
  CHECK(memcmp(digests[0], digests[1], 32) != 0);
  CHECK(!gmem_array_equal(&a, &b));
  gmem_array_copy(&a, &b);
  CHECK(columns[5] == 6 && columns[1] == 4);
}

static void test_counts(void) {
  int64_t count;
  gmem_array_t huge = {f32, 2, {INT64_MAX, 2}, {0}, NULL};
  CHECK(!gmem_array_count(&huge, &count));
  huge.sizes[1] = 0; // nothing, however often
  CHECK(gmem_array_count(&huge, &count) && count == 0);
  huge = (gmem_array_t){f32, 1, {INT64_MAX / 2}, {0}, NULL};
  CHECK(!gmem_array_count(&huge, &count)); // its bytes are too many
  gmem_array_t number = {f32, 0, {0}, {0}, NULL};
  CHECK(gmem_array_count(&number, &count) && count == 1);
}

// No beginning of a file, and no file with a changed byte, is read beyond its
// end; a sanitizer would see it.
static void test_npy_damage(void) {
  static const char whole[] =
      "\x93NUMPY\x01\x00\x37\x00{'descr': '<i2', 'fortran_order': True, "
      "'shape': (2,),}\x01\x00\x02\x00";
  enum { SIZE = sizeof whole - 1 };
  gmem_array_t array;
  gmem_diag_t diag;
  for (size_t size = 0; size <= SIZE; ++size) {
    char *copy = malloc(size + 1);
    CHECK(copy != NULL);
    memcpy(copy, whole, size);
    gmem_status_t status = gmem_npy_parse(copy, size, &array, &diag);
    CHECK((status == GMEM_OK) == (size == SIZE));
    free(copy);
  }
  for (size_t at = 0; at < SIZE; ++at)
    for (int byte = 0; byte < 256; ++byte) {
      char copy[SIZE];
      memcpy(copy, whole, SIZE);
      copy[at] = (char)byte;
      diag.text[0] = '\0';
      CHECK(gmem_npy_parse(copy, SIZE, &array, &diag) == GMEM_OK ||
            diag.text[0]);
    }
}

int main(void) {
  test_round_trips(&f16);
  test_round_trips(&bf16);
  test_rounding();
  test_integers();
  test_random();
  test_digests();
  test_counts();
  test_npy_damage();
  return CHECK_RESULT();
}
