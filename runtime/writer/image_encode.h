// image_encode.h - encodes a plan image except the data section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_ENCODE_H_
#define GMEM_RUNTIME_IMAGE_ENCODE_H_

#include "image_writer.h"

// Encodes everything except the data section. All other members of |writer|
// must be set. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_image_encode(gmem_image_writer_t *writer,
                                const gmem_allocator_t *allocator);

#endif // GMEM_RUNTIME_IMAGE_ENCODE_H_
