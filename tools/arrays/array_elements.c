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

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Drops the lower |cut| bits of |bits|, rounding to nearest, ties to even.
static uint32_t round_off(uint32_t bits, uint32_t cut) {
  uint32_t kept = bits >> cut, rest = bits & ((1u << cut) - 1);
  assert(cut >= 1 && cut < 32);
  uint32_t half = 1u << (cut - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

static uint16_t bfloat_of(float value) {
  return isnan(value) ? 0x7FC0 : (uint16_t)round_off(bits_of_float(value), 16);
}

static uint16_t half_of(float value) {
  uint32_t bits = bits_of_float(value);
  uint16_t sign = (uint16_t)((bits >> 16) & 0x8000);
  int exponent = (int)((bits >> 23) & 0xFF) - 127 + 15;
  uint32_t fraction = bits & 0x7FFFFF;
  if (isnan(value))
    return sign | 0x7E00;
  if (exponent >= 31)
    return sign | 0x7C00;
  if (exponent <= -11)
    return sign;     // less than half of the smallest subnormal
  if (exponent <= 0) // subnormal: the leading one becomes explicit
    return sign |
           (uint16_t)round_off(fraction | 0x800000, (uint32_t)(14 - exponent));
  // A carry out of the fraction correctly increments the exponent.
  return (uint16_t)(sign + round_off((uint32_t)exponent << 23 | fraction, 13));
}

static double double_of_half(uint16_t half) {
  int exponent = (half >> 10) & 31;
  double fraction = half & 0x3FF, sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0)
    return sign * ldexp(fraction, -24);
  return sign * ldexp(1024 + fraction, exponent - 25);
}

//===--- elements ---------------------------------------------------------===//

void gmem_element_set_float(const gmem_element_t *element, void *bytes,
                            double value) {
  float single = (float)value;
  uint16_t half;
  switch (element->size) {
  case 8:
    memcpy(bytes, &value, 8);
    return;
  case 4:
    memcpy(bytes, &single, 4);
    return;
  default:
    half = element->kind == GMEM_ELEMENT_BFLOAT ? bfloat_of(single)
                                                : half_of(single);
    memcpy(bytes, &half, 2);
  }
}

double gmem_element_get_float(const gmem_element_t *element,
                              const void *bytes) {
  double value = 0;
  float single;
  uint16_t half;
  switch (element->size) {
  case 8:
    memcpy(&value, bytes, 8);
    return value;
  case 4:
    memcpy(&single, bytes, 4);
    return (double)single;
  default:
    memcpy(&half, bytes, 2);
    return element->kind == GMEM_ELEMENT_BFLOAT
               ? (double)float_of_bits((uint32_t)half << 16)
               : double_of_half(half);
  }
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
  gmem_element_t part = *element;
  switch (element->kind) {
  case GMEM_ELEMENT_FLOAT:
  case GMEM_ELEMENT_BFLOAT: {
    double value = gmem_random_from(random, positive ? 0.5 : 0.0);
    gmem_element_set_float(element, bytes, positive ? value : 2 * value - 1);
    return;
  }
  case GMEM_ELEMENT_COMPLEX:
    part.kind = GMEM_ELEMENT_FLOAT;
    part.size = element->size / 2;
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
