// image_weights.c - the constants of a planned module, for its plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_weights.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/weight_store.h"
#include "messages.h"
#include "sha256.h"

// Whether the program computes the constant, and it owns its bytes.
static bool is_computed(const gmem_planned_t *planned, uint32_t index) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  return (buffer->flags & GMEM_PLANNED_COMPUTED) &&
         buffer->alias_of == GMEM_NO_BUFFER && buffer->size > 0;
}

// Whether a buffer is a constant that owns its bytes. Workbuffers and constants
// that the program computes are excluded: their bytes are produced when the
// image is opened.
static bool is_weight(const gmem_planned_t *planned, uint32_t index) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  return gmem_planned_pool(planned, buffer->pool)->constant &&
         !(buffer->flags & (GMEM_PLANNED_WORKBUFFER | GMEM_PLANNED_COMPUTED)) &&
         buffer->alias_of == GMEM_NO_BUFFER && buffer->size > 0;
}

//===--- memory for the bytes ---------------------------------------------===//

// Makes a content for each pool, with zeroed bytes if it is a constant one.
static bool add_contents(const gmem_planned_t *planned, bool has_bytes,
                         gmem_image_weights_t *weights) {
  uint32_t count = gmem_planned_pool_count(planned);
  weights->contents = gmem_need(calloc(count + 1u, sizeof(gmem_content_t)));
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    bool is_kept = has_bytes && pool->constant && pool->size > 0;
    void *bytes = is_kept ? calloc(1, (size_t)pool->size) : NULL;
    weights->contents[weights->content_count++] =
        (gmem_content_t){.region = i, .bytes = bytes};
    if (is_kept && !bytes)
      return false;
  }
  return true;
}

// Allocates memory for the largest constant, for modes that keep digests only.
static uint8_t *make_scratch(const gmem_planned_t *planned) {
  uint64_t most = 1;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    if (is_weight(planned, i) && gmem_planned_buffer(planned, i)->size > most)
      most = gmem_planned_buffer(planned, i)->size;
  return malloc((size_t)most);
}

// Leaves out the contents without bytes.
static void drop_empty(gmem_image_weights_t *weights) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < weights->content_count; ++i)
    if (weights->contents[i].bytes)
      weights->contents[kept++] = weights->contents[i];
  weights->content_count = kept;
}

//===--- reading ----------------------------------------------------------===//

// What functions make is known by what they read and by their names; its bytes
// are not in the image.
static gmem_status_t read_source(const gmem_planned_t *planned, uint32_t index,
                                 gmem_image_weights_t *weights,
                                 gmem_diag_t *diag) {
  gmem_weight_info_t *weight = &weights->weights[weights->weight_count];
  *weight = (gmem_weight_info_t){.buffer = index};
  GMEM_TRY(
      gmem_planned_source(planned, index, &weight->source_size, NULL, diag));
  uint8_t *bytes = malloc((size_t)weight->source_size + 1);
  if (!bytes)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_MEMORY,
                     "out of memory for the sources of constants");
  gmem_status_t status =
      gmem_planned_source(planned, index, &weight->source_size, bytes, diag);
  if (status == GMEM_OK) {
    gmem_sha256(bytes, (size_t)weight->source_size, weight->digest);
    ++weights->weight_count;
  }
  free(bytes);
  return status;
}

// The chains of the constants, which all have digests.
static void add_transforms(const gmem_planned_t *planned,
                           gmem_image_weights_t *weights) {
  size_t count = gmem_planned_transform_count(planned);
  weights->transforms =
      gmem_need(calloc(count + 1, sizeof *weights->transforms));
  weights->transform_count = (uint32_t)count;
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_transform_t *step = gmem_planned_transform(planned, i);
    weights->transforms[i] =
        (gmem_plan_transform_t){step->name, step->buffer, step->size};
  }
}

static gmem_status_t read_weight(const gmem_planned_t *planned, uint32_t index,
                                 bool needs_all, uint8_t *scratch,
                                 gmem_image_weights_t *weights,
                                 gmem_diag_t *diag) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  assert(buffer->offset + buffer->size <=
         gmem_planned_pool(planned, buffer->pool)->size);
  if (buffer->flags & GMEM_PLANNED_TRANSFORMED)
    return read_source(planned, index, weights, diag);
  gmem_content_t *content = &weights->contents[buffer->pool];
  uint8_t *bytes =
      content->bytes ? (uint8_t *)content->bytes + buffer->offset : scratch;
  gmem_status_t status = gmem_planned_contents(planned, index, bytes, diag);
  if (status != GMEM_OK) {
    // An image stores the bytes of all constants of a region, or of none.
    ++weights->unknown;
    free((void *)content->bytes);
    content->bytes = NULL;
    return needs_all ? status : GMEM_OK;
  }
  gmem_weight_info_t *weight = &weights->weights[weights->weight_count++];
  *weight = (gmem_weight_info_t){.buffer = index, .source_size = buffer->size};
  gmem_sha256(bytes, (size_t)buffer->size, weight->digest);
  return GMEM_OK;
}

// What is computed is known by what computes it, and by its place.
static void add_computed(const gmem_planned_t *planned, uint32_t index,
                         const uint8_t *init, gmem_image_weights_t *weights) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  const char *pool = gmem_planned_pool(planned, buffer->pool)->name;
  gmem_weight_info_t *weight = &weights->weights[weights->weight_count++];
  *weight = (gmem_weight_info_t){.buffer = index,
                                 .source_size = buffer->size,
                                 .transform = GMEM_TRANSFORM_COMPUTED};
  gmem_sha256_t sha;
  gmem_sha256_begin(&sha);
  gmem_sha256_add(&sha, init, GMEM_SHA256_SIZE);
  gmem_sha256_add(&sha, pool, strlen(pool) + 1);
  for (unsigned i = 0; i < 64; i += 8)
    gmem_sha256_add(&sha, &(uint8_t){(uint8_t)(buffer->offset >> i)}, 1);
  gmem_sha256_end(&sha, weight->digest);
}

static gmem_status_t read_all(const gmem_planned_t *planned, bool needs_all,
                              const uint8_t *init, uint8_t *scratch,
                              gmem_image_weights_t *weights,
                              gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    if (is_weight(planned, i))
      GMEM_TRY(read_weight(planned, i, needs_all, scratch, weights, diag));
    else if (init && is_computed(planned, i))
      add_computed(planned, i, init, weights);
  add_transforms(planned, weights);
  return GMEM_OK;
}

gmem_status_t gmem_image_weights_read(const gmem_planned_t *planned,
                                      gmem_image_weights_mode_t mode,
                                      const uint8_t *init,
                                      gmem_image_weights_t *out_weights,
                                      gmem_diag_t *diag) {
  *out_weights = (gmem_image_weights_t){0};
  if (mode == GMEM_IMAGE_WEIGHTS_NONE)
    return GMEM_OK;
  bool has_bytes = mode != GMEM_IMAGE_WEIGHTS_DIGESTS;
  uint8_t *scratch = make_scratch(planned);
  out_weights->weights = gmem_need(calloc(
      gmem_planned_buffer_count(planned) + 1u, sizeof *out_weights->weights));
  gmem_status_t status =
      scratch && add_contents(planned, has_bytes, out_weights)
          ? read_all(planned, mode == GMEM_IMAGE_WEIGHTS_ALL, init, scratch,
                     out_weights, diag)
          : gmem_fail(diag, GMEM_ERR_OUT_OF_MEMORY,
                      "out of memory for the bytes of the constants");
  drop_empty(out_weights);
  free(scratch);
  return status;
}

void gmem_image_weights_free(gmem_image_weights_t *weights) {
  for (uint32_t i = 0; i < weights->content_count; ++i)
    free((void *)weights->contents[i].bytes);
  free(weights->contents);
  free(weights->transforms);
  free(weights->weights);
  *weights = (gmem_image_weights_t){0};
}
