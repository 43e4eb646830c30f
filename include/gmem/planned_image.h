// planned_image.h - the plan image of a planned module. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_planned_image_write(planned, NULL, &data, &size, &diag);
//   ... write |size| bytes to a file, or pass them to gmem_plan_load_memory ...
//   gmem_plan_data_free(NULL, data, size);
//
// or, to stream large images, gmem_planned_image_create and gmem_plan_write_to
// (gmem/plan.h). The functions are those of gmem::passes; writing also needs
// gmem::plan_writer. Thread-safety is that of the planned module.

#ifndef GMEM_PLANNED_IMAGE_H_
#define GMEM_PLANNED_IMAGE_H_

#include "gmem/passes.h"
#include "gmem/plan.h"

GMEM_BEGIN_C

// The constants that an image contains.
typedef enum gmem_image_weights_mode_e {
  GMEM_IMAGE_WEIGHTS_NONE,    // offsets only
  GMEM_IMAGE_WEIGHTS_DIGESTS, // and digests of constants whose bytes are known
  GMEM_IMAGE_WEIGHTS_KNOWN,   // and bytes of pools that are completely known
  GMEM_IMAGE_WEIGHTS_ALL,     // and bytes of all constants, or fail
} gmem_image_weights_mode_t;

// Zero-initialise except |struct_size|; new fields are appended.
typedef struct gmem_planned_image_options_s {
  uint32_t struct_size;              // sizeof(gmem_planned_image_options_t)
  gmem_image_weights_mode_t weights; // NONE is 0
  // 32 bytes that identify what computes constants (gmem.init), for programs
  // that share them, or NULL. Not owned; read while the image is created.
  const uint8_t *computed_digest;
} gmem_planned_image_options_t;

// The description of an image, with the arrays and bytes that it refers to.
typedef struct gmem_planned_image_s gmem_planned_image_t;

// Describes the image of |planned|, which must outlive it: one region per pool
// and one buffer per buffer, with the same indices, the steps and names of all
// ops, copies, workbuffers, relocations, and constants as |options| say (NULL:
// ALL). Inputs and outputs whose bytes are shared only with their must-alias
// set are importable. Modes with bytes allocate as much memory as all constant
// pools, from |allocator| (NULL: libc). A module with gmem.init has an image of
// its requests only: call gmem_planned_drop_init before it is read. Fails with
// INVALID_ARGUMENT (|options|), OUT_OF_RANGE (more than an image can hold),
// OUT_OF_MEMORY, and for ALL as gmem_planned_contents does; *out_image is then
// NULL.
GMEM_MUST_USE gmem_status_t gmem_planned_image_create(
    const gmem_planned_t *planned, const gmem_planned_image_options_t *options,
    const gmem_allocator_t *allocator, gmem_planned_image_t **out_image,
    gmem_diag_t *diag);
void gmem_planned_image_destroy(gmem_planned_image_t *image); // or NULL

// For gmem_plan_write and gmem_plan_write_to; owned by the image.
const gmem_plan_desc_t *
gmem_planned_image_desc(const gmem_planned_image_t *image);

// The number of constants whose bytes the module does not contain.
uint32_t gmem_planned_image_unknown(const gmem_planned_image_t *image);

// Creates the bytes of the image of |planned|, as gmem_planned_image_create
// describes it. *out_data is freed with gmem_plan_data_free and no allocator.
// Fails as gmem_planned_image_create and gmem_plan_write do; *out_data is then
// NULL, *out_size 0. Inline, so that gmem::passes alone does not need the plan
// writer.
GMEM_MUST_USE static inline gmem_status_t
gmem_planned_image_write(const gmem_planned_t *planned,
                         const gmem_planned_image_options_t *options,
                         void **out_data, size_t *out_size, gmem_diag_t *diag) {
  gmem_planned_image_t *image;
  *out_data = NULL;
  *out_size = 0;
  GMEM_TRY(gmem_planned_image_create(planned, options, NULL, &image, diag));
  gmem_status_t status = gmem_plan_write(gmem_planned_image_desc(image), NULL,
                                         out_data, out_size, diag);
  gmem_planned_image_destroy(image);
  return status;
}

GMEM_END_C
#endif // GMEM_PLANNED_IMAGE_H_
