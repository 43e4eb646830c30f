// edit_distance.h - how far two names are apart, for "did you mean".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEXT_EDIT_DISTANCE_H_
#define GMEM_TEXT_EDIT_DISTANCE_H_

#include <stddef.h>

// The least number of bytes to insert, delete or replace that makes |left| the
// same as |right|; SIZE_MAX when one of them is longer than 127 bytes.
// Thread-safe.
size_t gmem_edit_distance(const char *left, size_t left_length,
                          const char *right, size_t right_length);

#endif // GMEM_TEXT_EDIT_DISTANCE_H_
