// planned_memory.c - the memory of a planned module, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planned_memory.h"

#include <assert.h>
#include <string.h>

#include "gmem/planned_image.h"
#include "made_constants.h"
#include "messages.h"
#include "plan_difference.h"

//===--- weights ----------------------------------------------------------===//

// What the callbacks read from.
typedef struct weight_source_s {
  const gmem_planned_t *planned;
  gmem_init_memory_t *computed;
  const gmem_text_list_t *libraries;
} weight_source_t;

// Only memref.get_global constants have bytes, unless the program computes
// them; others stay zero, since no compiled code reads them.
static gmem_status_t fill_weight(void *user, gmem_buffer_t id, void *dst,
                                 uint64_t size, gmem_diag_t *diag) {
  const weight_source_t *source = user;
  const gmem_planned_t *planned = source->planned;
  (void)size;
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, id);
  if (strcmp(buffer->op, "memref.get_global") != 0 ||
      (buffer->flags & GMEM_PLANNED_COMPUTED))
    return GMEM_OK;
  return buffer->flags & GMEM_PLANNED_TRANSFORMED
             ? gmem_made_constant_write(planned, id, source->libraries, dst,
                                        diag)
             : gmem_planned_contents(planned, id, dst, diag);
}

// The initialisation runs now, or has run. Constants that remain in the
// program, and workbuffers, which no compiled code reads, stay zero.
static gmem_status_t fill_computed(void *user, gmem_buffer_t id, void *dst,
                                   uint64_t size, gmem_diag_t *diag) {
  const weight_source_t *source = user;
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(source->planned, id);
  (void)diag;
  return (buffer->flags & GMEM_PLANNED_COMPUTED) && source->computed->planned
             ? gmem_init_memory_copy(
                   source->computed,
                   gmem_planned_pool(source->planned, buffer->pool)->name,
                   buffer->offset, size, dst)
             : GMEM_OK;
}

//===--- mapping ----------------------------------------------------------===//

// Opens the plan of |planned|, converted to an image. |init|, or NULL, is the
// digest of what computes constants.
static gmem_status_t open_own(const gmem_planned_t *planned,
                              gmem_image_weights_mode_t mode,
                              const uint8_t *init, gmem_plan_t **out_plan,
                              gmem_diag_t *diag) {
  const gmem_planned_image_options_t options = {
      .struct_size = sizeof options, .weights = mode, .computed_digest = init};
  void *data;
  size_t size;
  GMEM_TRY(gmem_planned_image_write(planned, &options, &data, &size, diag));
  gmem_status_t status =
      gmem_plan_load_memory(data, size, 0, NULL, out_plan, diag);
  gmem_plan_data_free(NULL, data, size);
  return status;
}

static bool has_bytes(const gmem_plan_t *plan) {
  for (gmem_region_t i = 0; i < gmem_plan_region_count(plan); ++i)
    if (gmem_plan_has_content(plan, i))
      return true;
  return false;
}

// Opens the plan in the file |image|, which must equal that of |planned|,
// including the digests of constants.
static gmem_status_t open_image(const gmem_planned_t *planned,
                                const char *image, gmem_plan_t **out_plan,
                                gmem_diag_t *diag) {
  gmem_plan_t *own = NULL;
  GMEM_TRY(gmem_plan_load_file(image, 0, NULL, out_plan, diag));
  if (!has_bytes(*out_plan))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "it contains no constants");
  GMEM_TRY(open_own(planned, GMEM_IMAGE_WEIGHTS_DIGESTS, NULL, &own, diag));
  gmem_status_t status = gmem_plan_compare(own, *out_plan, diag);
  gmem_plan_release(own);
  return status;
}

// Verifies the digests if all bytes come from the file; weights from
// fill_weight have no digest to compare with.
static uint32_t model_flags(const gmem_plan_t *plan) {
  gmem_weight_info_t weight;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    if (gmem_plan_weight(plan, i, &weight) == GMEM_OK &&
        !gmem_plan_has_content(plan, gmem_plan_buffer_at(plan, i).region))
      return 0;
  return GMEM_MODEL_VERIFY;
}

static gmem_status_t map_all(weight_source_t *source,
                             const gmem_run_options_t *options,
                             gmem_weight_exchange_t *exchange,
                             gmem_mapped_plan_t *memory, gmem_diag_t *diag) {
  const char *socket = options->program.weight_store;
  if (socket)
    GMEM_TRY(gmem_weight_exchange_open(exchange, socket, memory->plan, diag));
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = model_flags(memory->plan),
                                  .user = source,
                                  .weight = fill_weight,
                                  .work = fill_computed,
                                  .weights = exchange->weights};
  GMEM_TRY(gmem_mapped_plan_model(memory, NULL, &sources, diag));
  if (socket)
    GMEM_TRY(gmem_weight_exchange_serve(exchange, diag));
  // Requests do not pay for the first touch of their memory.
  return gmem_mapped_plan_pool(memory, gmem_run_slots(options), 0,
                               GMEM_POOL_PREFAULT, &memory->pool, diag);
}

// Reports a failure.
static gmem_status_t report(gmem_status_t status, const gmem_diag_t *diag,
                            const char *image) {
  return image ? gmem_tool_check(status, diag,
                                 "%s: not a plan image of this program", image)
               : gmem_tool_check(status, diag,
                                 "cannot map the memory of the plan");
}

gmem_status_t gmem_planned_memory_map(MlirModule module,
                                      const gmem_run_options_t *options,
                                      gmem_init_memory_t *computed,
                                      gmem_weight_exchange_t *exchange,
                                      gmem_planned_t **out_planned,
                                      gmem_mapped_plan_t *out_memory) {
  const char *image = options->program.image;
  bool has_store = options->program.weight_store != NULL;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_planned_read_verified(
      mlirModuleGetOperation(module), NULL, out_planned, &diag);
  GMEM_TRY(report(status, &diag, NULL));
  status = image ? open_image(*out_planned, image, &out_memory->plan, &diag)
                 : open_own(*out_planned,
                            has_store ? GMEM_IMAGE_WEIGHTS_DIGESTS
                                      : GMEM_IMAGE_WEIGHTS_NONE,
                            computed->has_digest ? computed->digest : NULL,
                            &out_memory->plan, &diag);
  GMEM_TRY(report(status, &diag, image));
  weight_source_t source = {*out_planned, computed,
                            &options->program.libraries};
  status = map_all(&source, options, exchange, out_memory, &diag);
  return report(status, &diag, status == GMEM_ERR_CORRUPT ? image : NULL);
}

gmem_status_t gmem_planned_memory_zeroed(const gmem_mapped_plan_t *memory,
                                         uint32_t slots,
                                         gmem_mapped_plan_t *out_zeroed) {
  gmem_diag_t diag = {0};
  assert(memory->model);
  *out_zeroed = *memory;
  gmem_status_t status = gmem_mapped_plan_pool(
      memory, slots, 0, GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE,
      &out_zeroed->pool, &diag);
  return report(status, &diag, NULL);
}

gmem_region_t gmem_planned_memory_region(const gmem_mapped_plan_t *memory,
                                         const char *pool) {
  gmem_region_info_t region;
  for (gmem_region_t i = 0; i < gmem_plan_region_count(memory->plan); ++i)
    if (gmem_plan_region(memory->plan, i, &region) == GMEM_OK &&
        strcmp(region.name, pool) == 0)
      return i;
  return GMEM_NONE;
}
