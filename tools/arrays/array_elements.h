// array_elements.h - elements of arrays: their types, reading, writing and
// random ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ARRAY_ELEMENTS_H_
#define GMEM_TOOLS_ARRAY_ELEMENTS_H_

#include <stdbool.h>
#include <stdint.h>

enum { GMEM_ARRAY_MAX_RANK = 32, GMEM_ELEMENT_NAME = 16 };

typedef enum gmem_element_kind_e {
  GMEM_ELEMENT_FLOAT,  // IEEE, of 16, 32 or 64 bits
  GMEM_ELEMENT_BFLOAT, // the upper half of a float
  GMEM_ELEMENT_FLOAT8, // a byte whose meaning nobody here needs
  GMEM_ELEMENT_SIGNED,
  GMEM_ELEMENT_UNSIGNED,
  GMEM_ELEMENT_BOOL,    // a byte, 0 or 1
  GMEM_ELEMENT_COMPLEX, // two floats of |bits| bits
} gmem_element_kind_t;

typedef struct gmem_element_s {
  gmem_element_kind_t kind;
  uint32_t bits;                // of the value; of one part of a complex one
  uint32_t size;                // bytes in memory
  char name[GMEM_ELEMENT_NAME]; // as MLIR writes it: "f32", "i8", "index"
} gmem_element_t;

// Pseudo-random numbers that are the same on every machine.
typedef struct gmem_random_s {
  uint64_t state;
} gmem_random_t;

uint64_t gmem_random_bits(gmem_random_t *random);

// A multiple of 2^-24 in [low, low + 1).
double gmem_random_from(gmem_random_t *random, double low);

// A number of [low, high], which are less than 2^31 apart.
int64_t gmem_random_between(gmem_random_t *random, int64_t low, int64_t high);

// Writes |value| as a FLOAT or BFLOAT, rounded to the nearest.
void gmem_element_set_float(const gmem_element_t *element, void *bytes,
                            double value);

double gmem_element_get_float(const gmem_element_t *element, const void *bytes);

// The same for SIGNED, UNSIGNED and BOOL; the upper bits are cut off.
void gmem_element_set_int(const gmem_element_t *element, void *bytes,
                          int64_t value);

int64_t gmem_element_get_int(const gmem_element_t *element, const void *bytes);

// A value of an input. Floats lie in [-1, 1), those of |positive| ones in [0.5,
// 1.5). Integers of up to 16 bits, which are data, lie in [-100, 100] as far as
// they can; wider ones, which are often indices, in [0, 9].
void gmem_element_set_random(const gmem_element_t *element, void *bytes,
                             bool positive, gmem_random_t *random);

// Whether the bits of one can stand for the other's: same size and sort.
bool gmem_element_fits(const gmem_element_t *from, const gmem_element_t *to);

#endif // GMEM_TOOLS_ARRAY_ELEMENTS_H_
