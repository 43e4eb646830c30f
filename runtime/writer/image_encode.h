// image_encode.h - the bytes of a plan image, all but the data section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_ENCODE_H_
#define GMEM_RUNTIME_IMAGE_ENCODE_H_

#include "image_writer.h"

// Writes all but the data section (image_encode.c). Needs everything else in
// |writer|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_image_encode(gmem_image_writer_t *writer,
                                const gmem_allocator_t *allocator);

#endif // GMEM_RUNTIME_IMAGE_ENCODE_H_
