// edit_distance.h - how far two names are apart, for "did you mean".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEXT_EDIT_DISTANCE_H_
#define GMEM_TEXT_EDIT_DISTANCE_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The nearest of the names that were tried. Begins with |found| NULL and the
// number of edits in |least| that no longer look like a slip.
typedef struct gmem_nearest_s {
  const char *found;
  size_t least;
} gmem_nearest_t;

// The number of edits that no longer look like a slip in a name of |length|
// bytes: 1 to 4.
static inline size_t gmem_slip_limit(size_t length) {
  return length < 6 ? 1 + length / 2 : 4;
}

// The least number of bytes to insert, delete or replace that makes |left| the
// same as |right|; SIZE_MAX when one of them is longer than 127 bytes.
// Thread-safe.
size_t gmem_edit_distance(const char *left, size_t left_length,
                          const char *right, size_t right_length);

// Takes |known|, which must outlive |nearest|, if it is nearer to |name| than
// the names that were tried before.
void gmem_nearest_try(gmem_nearest_t *nearest, const char *name, size_t length,
                      const char *known);

#ifdef __cplusplus
}
#endif
#endif // GMEM_TEXT_EDIT_DISTANCE_H_
