// random_bits.h - numbers that look random, the same ones for a seed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_RANDOM_BITS_H_
#define SERVE_RANDOM_BITS_H_

#include <stdint.h>

// A step of SplitMix64 (Steele, Lea and Flood 2014); any seed will do.
static inline uint64_t random_bits(uint64_t *state) {
  uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return bits ^ bits >> 31;
}

#endif // SERVE_RANDOM_BITS_H_
