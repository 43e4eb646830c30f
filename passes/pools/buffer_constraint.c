// buffer_constraint.c - the leader of buffers that share one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_constraint.h"

uint32_t gmem_tied_head(const gmem_boundary_t *classes, uint32_t class) {
  while (classes[class].tied_to != class)
    class = classes[class].tied_to;
  return class;
}
