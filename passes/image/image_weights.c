// image_weights.c - the constants of a planned module, for its plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_weights.h"

#include <assert.h>
#include <string.h>

#include "gmem/weight_store.h"
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

typedef struct reader_s {
  const gmem_planned_t *planned;
  const gmem_planned_image_options_t *options;
  gmem_bump_t *arena;   // of the result
  gmem_bump_t *scratch; // of what is read for its digest only
  uint8_t *largest;     // room for any constant, for modes without bytes
  gmem_image_weights_t *weights;
  gmem_diag_t *diag;
} reader_t;

//===--- memory for the bytes ---------------------------------------------===//

// Makes a content for each pool, with zeroed bytes if it is a constant one.
static gmem_status_t add_contents(const reader_t *reader) {
  gmem_image_weights_t *weights = reader->weights;
  uint32_t count = gmem_planned_pool_count(reader->planned);
  bool has_bytes = reader->options->weights != GMEM_IMAGE_WEIGHTS_DIGESTS;
  GMEM_TRY_ALLOC(weights->contents, reader->arena, count, reader->diag);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(reader->planned, i);
    uint8_t *bytes = NULL;
    if (has_bytes && pool->constant && pool->size > 0)
      GMEM_TRY_ALLOC(bytes, reader->arena, pool->size, reader->diag);
    weights->contents[weights->content_count++] =
        (gmem_content_t){.region = i, .bytes = bytes};
  }
  return GMEM_OK;
}

// Allocates memory for the largest constant.
static gmem_status_t make_scratch(reader_t *reader) {
  uint64_t most = 1;
  for (uint32_t i = 0; i < gmem_planned_buffer_count(reader->planned); ++i)
    if (is_weight(reader->planned, i) &&
        gmem_planned_buffer(reader->planned, i)->size > most)
      most = gmem_planned_buffer(reader->planned, i)->size;
  GMEM_TRY_ALLOC(reader->largest, reader->scratch, most, reader->diag);
  return GMEM_OK;
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

// A transformed weight is identified by the names of its functions and by its
// source; its bytes are not in the image.
static gmem_status_t read_source(const reader_t *reader, uint32_t index) {
  gmem_image_weights_t *weights = reader->weights;
  gmem_weight_info_t *weight = &weights->weights[weights->weight_count];
  uint8_t *bytes;
  *weight = (gmem_weight_info_t){.buffer = index};
  GMEM_TRY(gmem_planned_source(reader->planned, index, &weight->source_size,
                               NULL, reader->diag));
  GMEM_TRY_ALLOC(bytes, reader->scratch, weight->source_size + 1, reader->diag);
  GMEM_TRY(gmem_planned_source(reader->planned, index, &weight->source_size,
                               bytes, reader->diag));
  gmem_sha256(bytes, (size_t)weight->source_size, weight->digest);
  ++weights->weight_count;
  return GMEM_OK;
}

// The chains of the constants, which all have digests.
static gmem_status_t add_transforms(const reader_t *reader) {
  gmem_image_weights_t *weights = reader->weights;
  size_t count = gmem_planned_transform_count(reader->planned);
  GMEM_TRY_ALLOC(weights->transforms, reader->arena, count, reader->diag);
  weights->transform_count = (uint32_t)count;
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_transform_t *step =
        gmem_planned_transform(reader->planned, i);
    weights->transforms[i] =
        (gmem_plan_transform_t){step->name, step->buffer, step->size};
  }
  return GMEM_OK;
}

static gmem_status_t read_weight(const reader_t *reader, uint32_t index) {
  const gmem_planned_t *planned = reader->planned;
  gmem_image_weights_t *weights = reader->weights;
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  assert(buffer->offset + buffer->size <=
         gmem_planned_pool(planned, buffer->pool)->size);
  if (buffer->flags & GMEM_PLANNED_TRANSFORMED)
    return read_source(reader, index);
  gmem_content_t *content = &weights->contents[buffer->pool];
  uint8_t *bytes = content->bytes ? (uint8_t *)content->bytes + buffer->offset
                                  : reader->largest;
  gmem_status_t status =
      gmem_planned_contents(planned, index, bytes, reader->diag);
  if (status != GMEM_OK) {
    // An image stores the bytes of all constants of a region, or of none.
    ++weights->unknown;
    content->bytes = NULL;
    return reader->options->weights == GMEM_IMAGE_WEIGHTS_ALL ? status
                                                              : GMEM_OK;
  }
  gmem_weight_info_t *weight = &weights->weights[weights->weight_count++];
  *weight = (gmem_weight_info_t){.buffer = index, .source_size = buffer->size};
  gmem_sha256(bytes, (size_t)buffer->size, weight->digest);
  return GMEM_OK;
}

// A computed constant is identified by the digest of its init function and by
// its address.
static void add_computed(const reader_t *reader, uint32_t index) {
  gmem_image_weights_t *weights = reader->weights;
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(reader->planned, index);
  const char *pool = gmem_planned_pool(reader->planned, buffer->pool)->name;
  gmem_weight_info_t *weight = &weights->weights[weights->weight_count++];
  *weight = (gmem_weight_info_t){.buffer = index,
                                 .source_size = buffer->size,
                                 .transform = GMEM_TRANSFORM_COMPUTED};
  gmem_sha256_t sha;
  gmem_sha256_begin(&sha);
  gmem_sha256_add(&sha, reader->options->computed_digest, GMEM_SHA256_SIZE);
  gmem_sha256_add(&sha, pool, strlen(pool) + 1);
  for (unsigned i = 0; i < 64; i += 8)
    gmem_sha256_add(&sha, &(uint8_t){(uint8_t)(buffer->offset >> i)}, 1);
  gmem_sha256_end(&sha, weight->digest);
}

static gmem_status_t read_all(reader_t *reader) {
  uint32_t count = gmem_planned_buffer_count(reader->planned);
  GMEM_TRY_ALLOC(reader->weights->weights, reader->arena, count, reader->diag);
  GMEM_TRY(make_scratch(reader));
  GMEM_TRY(add_contents(reader));
  for (uint32_t i = 0; i < count; ++i)
    if (is_weight(reader->planned, i))
      GMEM_TRY(read_weight(reader, i));
    else if (reader->options->computed_digest &&
             is_computed(reader->planned, i))
      add_computed(reader, i);
  drop_empty(reader->weights);
  return add_transforms(reader);
}

gmem_status_t gmem_image_weights_read(
    const gmem_planned_t *planned, const gmem_planned_image_options_t *options,
    gmem_bump_t *arena, gmem_image_weights_t *out_weights, gmem_diag_t *diag) {
  *out_weights = (gmem_image_weights_t){0};
  if (options->weights == GMEM_IMAGE_WEIGHTS_NONE)
    return GMEM_OK;
  gmem_bump_t scratch;
  gmem_bump_init(&scratch, &arena->allocator);
  reader_t reader = {.planned = planned,
                     .options = options,
                     .arena = arena,
                     .scratch = &scratch,
                     .weights = out_weights,
                     .diag = diag};
  gmem_status_t status = read_all(&reader);
  gmem_bump_destroy(&scratch);
  return status;
}
