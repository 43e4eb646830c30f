// content_check.c - verifies the contents of a region against the digests of a
// plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "content_check.h"

#include <inttypes.h>
#include <string.h>

#include "image_codec.h"
#include "plan_image.h"
#include "runtime_support.h"
#include "sha256.h"

static uint64_t count_not_zero(const uint8_t *bytes, uint64_t size) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < size; ++i)
    count += bytes[i] != 0;
  return count;
}

// Weights are disjoint, so counting suffices: any nonzero byte of the region
// that is not counted in a weight is outside of all weights.
gmem_status_t gmem_image_check_content(const gmem_image_view_t *view,
                                       uint32_t region, const uint8_t *bytes,
                                       gmem_diag_t *diag) {
  uint64_t left = count_not_zero(bytes, gmem_image_region(view, region).size);
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_WEIGHTS].count; ++i) {
    gmem_image_weight_t weight = gmem_image_weight(view, i);
    gmem_image_buffer_t buffer = gmem_image_buffer(view, weight.buffer);
    if (buffer.region != region || weight.transform != 0)
      continue;
    uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
    gmem_sha256(bytes + buffer.offset, (size_t)buffer.payload, digest);
    if (memcmp(digest, weight.digest, sizeof digest) != 0)
      return gmem_rt_fail_at(
          diag, GMEM_ERR_CORRUPT, buffer.offset, weight.buffer,
          "the bytes of weight %" PRIu32 " do not match its digest",
          weight.buffer);
    left -= count_not_zero(bytes + buffer.offset, buffer.payload);
  }
  if (left != 0)
    return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, 0, region,
                           "region %" PRIu32 " has %" PRIu64
                           " nonzero bytes that no digest covers",
                           region, left);
  return GMEM_OK;
}
