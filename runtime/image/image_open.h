// image_open.h - the envelope of a plan image: header, checksums and section
// table. Each step uses only what the steps before it have proven.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_OPEN_H_
#define GMEM_RUNTIME_IMAGE_OPEN_H_

#include "plan_image.h"

// Checks a header of a file of |file_size| bytes, of which the first 64 are at
// |data| (image_open.c). Needs nothing.
gmem_status_t gmem_image_check_header(const uint8_t *data, uint64_t file_size,
                                      gmem_diag_t *diag);

// Bytes of a header and its section table (image_open.c). Needs a header that
// was checked.
size_t gmem_image_head_size(const uint8_t *data);

// Checks CRC and section table of a file of |file_size| bytes, of which the
// head is at |data|, and fills |out_view| (image_open.c). Needs a header that
// was checked.
gmem_status_t gmem_image_check_head(const uint8_t *data, uint64_t file_size,
                                    gmem_image_view_t *out_view,
                                    gmem_diag_t *diag);

// Checks header, CRC, SHA-256 and section table of an image of |size| bytes,
// and fills |out_view| (image_open.c). Looks at nothing after its |meta_size|
// bytes. Needs nothing.
gmem_status_t gmem_image_open(const uint8_t *data, uint64_t size,
                              gmem_image_view_t *out_view, gmem_diag_t *diag);

#endif // GMEM_RUNTIME_IMAGE_OPEN_H_
