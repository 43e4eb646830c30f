// array.h - arrays of numbers in memory: of which type, where each element is;
// filling, comparing and printing them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ARRAY_H_
#define GMEM_TOOLS_ARRAY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array_elements.h"

// Element (i, j, ...) is at first + (i * strides[0] + j * strides[1] + ...) *
// element.size. The memory is not the array's.
typedef struct gmem_array_s {
  gmem_element_t element;
  uint32_t rank;
  int64_t sizes[GMEM_ARRAY_MAX_RANK];
  int64_t strides[GMEM_ARRAY_MAX_RANK]; // elements
  uint8_t *first;
} gmem_array_t;

//===--- elements ---------------------------------------------------------===//

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
