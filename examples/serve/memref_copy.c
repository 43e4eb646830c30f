// memref_copy.c - the one function that compiled networks want beside libc: the
// copy of an array into another whose elements may lie apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices are as wide as pointers, and a libc is not needed but for memcpy:
// firmware uses it too.

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);

// An array of any rank: |ranked| has two pointers, an offset in elements,
// |rank| sizes and |rank| strides.
typedef struct any_array_s {
  intptr_t rank;
  void *ranked;
} any_array_t;

enum { ALIGNED = 1, OFFSET, SIZES }; // words of what |ranked| points to

// The name is MLIR's.
void memrefCopy(intptr_t element_size, any_array_t *from, any_array_t *to);

static char *first_of(const intptr_t *words, intptr_t element_size) {
  return (char *)words[ALIGNED] + words[OFFSET] * element_size;
}

// Elements before the one with the number |index|, that are not its neighbours.
static intptr_t place_of(const intptr_t *words, intptr_t rank, intptr_t index) {
  intptr_t place = 0;
  for (intptr_t d = rank - 1; d >= 0; --d) {
    place += index % words[SIZES + d] * words[SIZES + rank + d];
    index /= words[SIZES + d];
  }
  return place;
}

void memrefCopy(intptr_t element_size, any_array_t *from, any_array_t *to) {
  const intptr_t *source = from->ranked, *target = to->ranked;
  intptr_t rank = from->rank, row = 1, count = 1;
  for (intptr_t d = 0; d < rank; ++d)
    count *= source[SIZES + d];
  // Elements of the last dimension are copied together where they can be.
  if (rank > 0 && source[SIZES + 2 * rank - 1] == 1 &&
      target[SIZES + 2 * rank - 1] == 1 && count > 0)
    row = source[SIZES + rank - 1];
  for (intptr_t i = 0; i < count; i += row)
    memcpy(first_of(target, element_size) +
               place_of(target, rank, i) * element_size,
           first_of(source, element_size) +
               place_of(source, rank, i) * element_size,
           (size_t)(row * element_size));
}
