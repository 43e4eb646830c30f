// plan_image_file.c - writes a plan as an image (docs/plan-image.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "formats.h"

// The output records write errors; the commit reports them.
static gmem_status_t write_piece(void *output, const void *bytes, size_t size,
                                 gmem_diag_t *diag) {
  (void)diag;
  (void)gmem_output_write(output, bytes, size);
  return GMEM_OK;
}

gmem_status_t gmem_write_image(gmem_translation_t *translation,
                               gmem_diag_t *diag) {
  const gmem_planned_image_options_t options = {
      .struct_size = sizeof options,
      .weights = translation->options->weights,
      .computed_digest = translation->init};
  gmem_planned_image_t *image;
  GMEM_TRY(gmem_planned_image_create(translation->planned, &options, NULL,
                                     &image, diag));
  gmem_status_t status =
      gmem_plan_write_to(gmem_planned_image_desc(image), NULL, write_piece,
                         gmem_output_files_last(&translation->files), diag);
  translation->unknown = gmem_planned_image_unknown(image);
  gmem_planned_image_destroy(image);
  return status;
}
