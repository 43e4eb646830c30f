// array_elements.h - scalar types: reading, writing and random values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ARRAY_ELEMENTS_H_
#define GMEM_TOOLS_ARRAY_ELEMENTS_H_

#include <stdbool.h>
#include <stdint.h>

enum { GMEM_ARRAY_MAX_RANK = 32, GMEM_ELEMENT_NAME = 16 };

typedef enum gmem_element_kind_e {
  GMEM_ELEMENT_FLOAT,  // IEEE, of 16, 32 or 64 bits
  GMEM_ELEMENT_BFLOAT, // bfloat16: the upper half of a float
  GMEM_ELEMENT_FLOAT8, // 8-bit float of any format, treated as a byte
  GMEM_ELEMENT_SIGNED,
  GMEM_ELEMENT_UNSIGNED,
  GMEM_ELEMENT_BOOL,    // a byte, 0 or 1
  GMEM_ELEMENT_COMPLEX, // two floats of |bits| bits
} gmem_element_kind_t;

typedef struct gmem_element_s {
  gmem_element_kind_t kind;
  uint32_t bits;                // width; of one component if complex
  uint32_t size;                // bytes in memory
  char name[GMEM_ELEMENT_NAME]; // MLIR syntax: "f32", "i8", "index"
} gmem_element_t;

static inline bool gmem_element_is_float(const gmem_element_t *element) {
  return element->kind == GMEM_ELEMENT_FLOAT ||
         element->kind == GMEM_ELEMENT_BFLOAT;
}

// One of the two floats of a COMPLEX.
static inline gmem_element_t gmem_element_part(const gmem_element_t *element) {
  return (gmem_element_t){GMEM_ELEMENT_FLOAT, element->bits, element->size / 2,
                          ""};
}

// A pseudo-random generator with reproducible values.
typedef struct gmem_random_s {
  uint64_t state;
} gmem_random_t;

uint64_t gmem_random_bits(gmem_random_t *random);

// A multiple of 2^-24 in [low, low + 1).
double gmem_random_from(gmem_random_t *random, double low);

// A number in [low, high]; high - low must be less than 2^31.
int64_t gmem_random_between(gmem_random_t *random, int64_t low, int64_t high);

// Writes |value| as a FLOAT or BFLOAT, rounded to the nearest.
void gmem_element_set_float(const gmem_element_t *element, void *bytes,
                            double value);

double gmem_element_get_float(const gmem_element_t *element, const void *bytes);

// The same for SIGNED, UNSIGNED and BOOL; truncates the upper bits.
void gmem_element_set_int(const gmem_element_t *element, void *bytes,
                          int64_t value);

int64_t gmem_element_get_int(const gmem_element_t *element, const void *bytes);

// Writes a random input value. Floats are in [-1, 1), with |positive| in
// [0.5, 1.5). Integers of up to 16 bits, usually data, are in [-100, 100]
// clamped to the type; wider ones, often indices, in [0, 9].
void gmem_element_set_random(const gmem_element_t *element, void *bytes,
                             bool positive, gmem_random_t *random);

// Whether values of |from| can be reinterpreted as |to|: same size and
// category.
bool gmem_element_fits(const gmem_element_t *from, const gmem_element_t *to);

#endif // GMEM_TOOLS_ARRAY_ELEMENTS_H_
