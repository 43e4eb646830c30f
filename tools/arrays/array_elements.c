// array_elements.c - scalar types: reading, writing and random values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array_elements.h"

#include <assert.h>
#include <math.h>
#include <string.h>

//===--- random numbers ---------------------------------------------------===//

// SplitMix64 (Steele, Lea, Flood 2014).
uint64_t gmem_random_bits(gmem_random_t *random) {
  uint64_t bits = random->state += UINT64_C(0x9E3779B97F4A7C15);
  bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
  return bits ^ (bits >> 31);
}

double gmem_random_from(gmem_random_t *random, double low) {
  return low + (double)(gmem_random_bits(random) >> 40) / 16777216.0;
}

int64_t gmem_random_between(gmem_random_t *random, int64_t low, int64_t high) {
  assert(low <= high);
  uint64_t values = (uint64_t)(high - low) + 1;
  return low + (int64_t)(((gmem_random_bits(random) >> 32) * values) >> 32);
}

//===--- 16-bit floats ----------------------------------------------------===//

// Conversions round to nearest, ties to even.
__extension__ typedef _Float16 half_t;

static uint16_t bfloat_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  // Adds half of the last bit that is kept, or less if that bit is 0.
  return isnan(value) ? 0x7FC0
                      : (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static float float_of(uint16_t bfloat) {
  uint32_t bits = (uint32_t)bfloat << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

//===--- elements ---------------------------------------------------------===//

void gmem_element_set_float(const gmem_element_t *element, void *bytes,
                            double value) {
  float single = (float)value;
  half_t half = (half_t)single;
  uint16_t bfloat = bfloat_of(single);
  const void *converted = element->size == 8   ? (void *)&value
                          : element->size == 4 ? (void *)&single
                          : element->kind == GMEM_ELEMENT_BFLOAT
                              ? (void *)&bfloat
                              : (void *)&half;
  memcpy(bytes, converted, element->size);
}

double gmem_element_get_float(const gmem_element_t *element,
                              const void *bytes) {
  double value = 0;
  float single;
  half_t half;
  uint16_t bfloat;
  if (element->size == 8) {
    memcpy(&value, bytes, sizeof value);
    return value;
  }
  if (element->size == 4) {
    memcpy(&single, bytes, sizeof single);
    return (double)single;
  }
  memcpy(&half, bytes, sizeof half);
  memcpy(&bfloat, bytes, sizeof bfloat);
  return element->kind == GMEM_ELEMENT_BFLOAT ? (double)float_of(bfloat)
                                              : (double)half;
}

void gmem_element_set_int(const gmem_element_t *element, void *bytes,
                          int64_t value) {
  uint8_t *at = bytes;
  for (uint32_t i = 0; i < element->size; ++i) // little endian, as npy files
    at[i] = (uint8_t)((uint64_t)value >> (8 * i));
}

int64_t gmem_element_get_int(const gmem_element_t *element, const void *bytes) {
  const uint8_t *at = bytes;
  uint64_t value = 0;
  for (uint32_t i = 0; i < element->size; ++i)
    value |= (uint64_t)at[i] << (8 * i);
  if (element->kind != GMEM_ELEMENT_SIGNED || element->bits >= 64)
    return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (element->bits - 1);
  value &= (sign << 1) - 1;
  return (int64_t)((value ^ sign) - sign);
}

static void set_random_int(const gmem_element_t *element, void *bytes,
                           gmem_random_t *random) {
  int64_t high = element->bits > 16 ? 9 : 100;
  int64_t most = element->bits >= 32 ? high
                 : element->kind == GMEM_ELEMENT_SIGNED
                     ? (INT64_C(1) << (element->bits - 1)) - 1
                     : (INT64_C(1) << element->bits) - 1;
  if (most < high)
    high = most;
  int64_t low =
      element->bits > 16 || element->kind != GMEM_ELEMENT_SIGNED ? 0 : -high;
  gmem_element_set_int(element, bytes, gmem_random_between(random, low, high));
}

void gmem_element_set_random(const gmem_element_t *element, void *bytes,
                             bool positive, gmem_random_t *random) {
  gmem_element_t part = gmem_element_part(element);
  switch (element->kind) {
  case GMEM_ELEMENT_FLOAT:
  case GMEM_ELEMENT_BFLOAT: {
    double value = gmem_random_from(random, positive ? 0.5 : 0.0);
    gmem_element_set_float(element, bytes, positive ? value : 2 * value - 1);
    return;
  }
  case GMEM_ELEMENT_COMPLEX:
    gmem_element_set_random(&part, bytes, positive, random);
    gmem_element_set_random(&part, (uint8_t *)bytes + part.size, positive,
                            random);
    return;
  case GMEM_ELEMENT_FLOAT8: // small exponents in every 8-bit format
    *(uint8_t *)bytes = (uint8_t)(gmem_random_bits(random) >> 56) & 0xBF;
    return;
  case GMEM_ELEMENT_BOOL:
    *(uint8_t *)bytes = (uint8_t)(gmem_random_bits(random) >> 63);
    return;
  default:
    set_random_int(element, bytes, random);
  }
}

static bool is_int(const gmem_element_t *element) {
  return element->kind == GMEM_ELEMENT_SIGNED ||
         element->kind == GMEM_ELEMENT_UNSIGNED;
}

bool gmem_element_fits(const gmem_element_t *from, const gmem_element_t *to) {
  if (from->size != to->size)
    return false;
  return from->kind == to->kind || (is_int(from) && is_int(to)) ||
         (to->kind == GMEM_ELEMENT_FLOAT8 && is_int(from));
}
