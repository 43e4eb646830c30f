// image_open.h - verifies the header, checksums and section table of a plan
// image. Each step relies only on properties verified before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_IMAGE_OPEN_H_
#define GMEM_RUNTIME_IMAGE_OPEN_H_

#include "plan_image.h"

// Checks the header of a file of |file_size| bytes, whose first 64 bytes (or
// all, if it has fewer) are at |data|.
gmem_status_t gmem_image_check_header(const uint8_t *data, uint64_t file_size,
                                      gmem_diag_t *diag);

// Size of a header and its section table. Requires a checked header.
size_t gmem_image_head_size(const uint8_t *data);

// Checks CRC and section table of a file of |file_size| bytes whose header and
// table are at |data|, and fills |out_view|. Requires a checked header.
gmem_status_t gmem_image_check_head(const uint8_t *data, uint64_t file_size,
                                    gmem_image_view_t *out_view,
                                    gmem_diag_t *diag);

// Checks header, CRC, SHA-256 and section table of an image of |size| bytes,
// and fills |out_view|. Does not read past its |meta_size| bytes.
gmem_status_t gmem_image_open(const uint8_t *data, uint64_t size,
                              gmem_image_view_t *out_view, gmem_diag_t *diag);

#endif // GMEM_RUNTIME_IMAGE_OPEN_H_
