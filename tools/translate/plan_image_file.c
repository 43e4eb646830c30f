// plan_image_file.c - writes a plan as an image (docs/plan-image.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "formats.h"
#include "planned_image.h"

// The output records write errors; the commit reports them.
static gmem_status_t write_piece(void *output, const void *bytes, size_t size,
                                 gmem_diag_t *diag) {
  (void)diag;
  (void)gmem_output_write(output, bytes, size);
  return GMEM_OK;
}

gmem_status_t gmem_write_image(gmem_translation_t *translation,
                               gmem_diag_t *diag) {
  gmem_image_weights_t weights;
  gmem_status_t status = gmem_image_weights_read(
      translation->planned, translation->options->weights, translation->init,
      &weights, diag);
  if (status == GMEM_OK)
    status = gmem_planned_image_write(
        translation->planned, &weights, write_piece,
        gmem_output_files_last(&translation->files), diag);
  translation->unknown = weights.unknown;
  gmem_image_weights_free(&weights);
  return status;
}
