// array.h - strided arrays of scalars in memory: filling, comparing, printing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ARRAY_H_
#define GMEM_TOOLS_ARRAY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array_elements.h"

// A size or stride of a type that is not static.
#define GMEM_DYNAMIC INT64_MIN

// Element (i, j, ...) is at first + (i * strides[0] + j * strides[1] + ...) *
// element.size. The array does not own its memory.
typedef struct gmem_array_s {
  gmem_element_t element;
  uint32_t rank;
  int64_t sizes[GMEM_ARRAY_MAX_RANK];
  int64_t strides[GMEM_ARRAY_MAX_RANK]; // elements
  uint8_t *first;
} gmem_array_t;

//===--- arrays -----------------------------------------------------------===//

// Stores the number of elements in *out_count. Returns false if it or the size
// in bytes overflows int64_t, or a size is negative.
bool gmem_array_count(const gmem_array_t *array, int64_t *out_count);

// Sets dense row-major strides.
void gmem_array_set_dense_strides(gmem_array_t *array);

// The elements of two arrays of equal sizes in row-major order, as rows of
// elements that are adjacent in both. Each call of gmem_array_next_row moves to
// the next row, the first call to the first; it returns false after the last.
typedef struct gmem_array_rows_s {
  const gmem_array_t *arrays[2];
  uint8_t *at[2];                       // the row in each array
  int64_t count;                        // elements of a row
  int64_t left;                         // rows
  uint32_t rank;                        // the dimensions outside of rows
  int64_t indices[GMEM_ARRAY_MAX_RANK]; // of the next row in these
} gmem_array_rows_t;

gmem_array_rows_t gmem_array_rows(const gmem_array_t *a, const gmem_array_t *b);
bool gmem_array_next_row(gmem_array_rows_t *rows);

// SHA-256 of type, shape and elements in row-major order, independent of
// strides.
void gmem_array_digest(const gmem_array_t *array, uint8_t digest[32]);

// Fills the array by gmem_element_set_random.
void gmem_array_fill(const gmem_array_t *array, bool positive,
                     gmem_random_t *random);

// Copies the elements of |from| to |to|, which must have equal sizes.
void gmem_array_copy(const gmem_array_t *from, const gmem_array_t *to);

// Whether the elements of two arrays of equal sizes have the same bytes.
bool gmem_array_equal(const gmem_array_t *a, const gmem_array_t *b);

// The number of infinities and NaNs.
int64_t gmem_array_count_not_finite(const gmem_array_t *array);

// Formats the type as "f32 1x10", or "f32" for rank 0; a dynamic size as "?".
void gmem_array_type_text(const gmem_array_t *array, char *text, size_t size);
// Formats the first elements as "0.25 -1 3 ...".
void gmem_array_values_text(const gmem_array_t *array, char *text, size_t size);

#endif // GMEM_TOOLS_ARRAY_H_
