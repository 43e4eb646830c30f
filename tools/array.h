// array.h - arrays of numbers in memory: of which type, where each element is;
// filling, comparing and printing them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ARRAY_H_
#define GMEM_TOOLS_ARRAY_H_

#include <stdbool.h>
#include <stddef.h>
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

// Element (i, j, ...) is at first + (i * strides[0] + j * strides[1] + ...) *
// element.size. The memory is not the array's.
typedef struct gmem_array_s {
  gmem_element_t element;
  uint32_t rank;
  int64_t sizes[GMEM_ARRAY_MAX_RANK];
  int64_t strides[GMEM_ARRAY_MAX_RANK]; // elements
  uint8_t *first;
} gmem_array_t;

// Pseudo-random numbers that are the same on every machine.
typedef struct gmem_random_s {
  uint64_t state;
} gmem_random_t;
uint64_t gmem_random_bits(gmem_random_t *random);
// A multiple of 2^-24 in [low, low + 1).
double gmem_random_from(gmem_random_t *random, double low);
// A number of [low, high], which are less than 2^31 apart.
int64_t gmem_random_between(gmem_random_t *random, int64_t low, int64_t high);

//===--- elements ---------------------------------------------------------===//

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

//===--- arrays -----------------------------------------------------------===//

// The number of elements into *out_count; false when it, or the bytes of so
// many, are no int64_t, or a size is negative.
bool gmem_array_count(const gmem_array_t *array, int64_t *out_count);

// Sets the strides of an array whose elements follow one another.
void gmem_array_set_dense_strides(gmem_array_t *array);

// Of elements in the order of their indices: the address of the first, and the
// next one's from the last one's indices (all 0 to begin with). Returns false
// behind the last.
uint8_t *gmem_array_at(const gmem_array_t *array, const int64_t *indices);
bool gmem_array_next(const gmem_array_t *array, int64_t *indices);

// SHA-256 of type, shape and elements in order; strides do not matter.
void gmem_array_digest(const gmem_array_t *array, uint8_t digest[32]);

// Fills the array with values of gmem_element_set_random.
void gmem_array_fill(const gmem_array_t *array, bool positive,
                     gmem_random_t *random);

// Copies the elements of |from| to those of |to|, of equal sizes.
void gmem_array_copy(const gmem_array_t *from, const gmem_array_t *to);

// Whether the elements of two arrays of equal sizes have the same bytes.
bool gmem_array_equal(const gmem_array_t *a, const gmem_array_t *b);

// Floats that are infinite or no number.
int64_t gmem_array_count_not_finite(const gmem_array_t *array);

// "f32 1x10" into |text|; "f32" for one without dimensions.
void gmem_array_type_text(const gmem_array_t *array, char *text, size_t size);
// The first elements, "0.25 -1 3 ...".
void gmem_array_values_text(const gmem_array_t *array, char *text, size_t size);

#endif // GMEM_TOOLS_ARRAY_H_
