// transform_chain.c - see transform_chain.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "transform_chain.h"

#include <string.h>

#include "gmem/weight_store.h"
#include "image_codec.h"
#include "sha256.h"

uint64_t gmem_image_chain_number(const gmem_image_view_t *view, uint32_t begin,
                                 uint32_t end) {
  uint8_t digest[GMEM_SHA256_SIZE], size[8];
  gmem_sha256_t sha;
  gmem_sha256_begin(&sha);
  for (uint32_t id = begin; id < end; ++id) {
    gmem_image_transform_t step = gmem_image_transform(view, id);
    const char *name = gmem_image_transform_name(view, id);
    gmem_sha256_add(&sha, name, strlen(name) + 1);
    for (int i = 0; i < 8; ++i)
      size[i] = (uint8_t)(step.size >> 8 * i);
    gmem_sha256_add(&sha, size, sizeof size);
  }
  gmem_sha256_end(&sha, digest);
  uint64_t number = 0;
  for (int i = 0; i < 8; ++i)
    number |= (uint64_t)digest[i] << 8 * i;
  return number % (GMEM_TRANSFORM_COMPUTED - 1) + 1;
}
