// planned_memory.c - the memory of a planned module, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planned_memory.h"

#include <stdio.h>
#include <string.h>

#include "gmem/passes.h"
#include "plan_difference.h"
#include "planned_image.h"
#include "run_messages.h"

//===--- weights ----------------------------------------------------------===//

// Only memref.get_global constants have bytes; others stay zero, since no
// compiled code reads them.
static gmem_status_t fill_weight(void *user, gmem_buffer_t id, void *dst,
                                 uint64_t size, gmem_diag_t *diag) {
  const gmem_planned_t *planned = user;
  (void)size;
  if (strcmp(gmem_planned_buffer(planned, id)->op, "memref.get_global") != 0)
    return GMEM_OK;
  return gmem_planned_contents(planned, id, dst, diag);
}

//===--- mapping ----------------------------------------------------------===//

// Opens the plan of |planned|, converted to an image in memory.
static gmem_status_t open_own(const gmem_planned_t *planned,
                              gmem_image_weights_mode_t mode,
                              gmem_plan_t **out_plan, gmem_diag_t *diag) {
  gmem_image_weights_t weights;
  void *data = NULL;
  size_t size = 0;
  gmem_status_t status = gmem_image_weights_read(planned, mode, &weights, diag);
  if (status == GMEM_OK)
    status = gmem_planned_image(planned, &weights, &data, &size, diag);
  if (status == GMEM_OK)
    status = gmem_plan_load_memory(data, size, 0, NULL, out_plan, diag);
  gmem_plan_data_free(NULL, data, size);
  gmem_image_weights_free(&weights);
  return status;
}

static gmem_status_t set_error(gmem_diag_t *diag, const char *what,
                               const char *name) {
  *diag = (gmem_diag_t){.status = GMEM_ERR_INVALID_ARGUMENT};
  snprintf(diag->text, sizeof diag->text, "%s%s%s%s", what, name ? " ('" : "",
           name ? name : "", name ? "')" : "");
  return diag->status;
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
  const char *name, *difference;
  gmem_plan_t *own = NULL;
  gmem_status_t status = gmem_plan_load_file(image, 0, NULL, out_plan, diag);
  if (status != GMEM_OK)
    return status;
  if (!has_bytes(*out_plan))
    return set_error(diag, "it contains no constants", NULL);
  status = open_own(planned, GMEM_IMAGE_WEIGHTS_DIGESTS, &own, diag);
  if (status == GMEM_OK &&
      (difference = gmem_plan_difference(own, *out_plan, &name)))
    status = set_error(diag, difference, name);
  gmem_plan_release(own);
  return status;
}

// Verifies the digests if all bytes come from the file; weights from
// fill_weight have no digest to compare with.
static uint32_t model_flags(const gmem_plan_t *plan) {
  gmem_weight_info_t weight;
  gmem_buffer_info_t info;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    if (gmem_plan_weight(plan, i, &weight) == GMEM_OK &&
        gmem_plan_buffer(plan, i, &info) == GMEM_OK &&
        !gmem_plan_has_content(plan, info.region))
      return 0;
  return GMEM_MODEL_VERIFY;
}

static gmem_status_t map_all(gmem_planned_t *planned, uint32_t slots,
                             gmem_planned_memory_t *memory, gmem_diag_t *diag) {
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = model_flags(memory->plan),
                                  .user = planned,
                                  .weight = fill_weight};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = slots};
  GMEM_TRY(gmem_provider_mmap(NULL, NULL, &memory->provider));
  GMEM_TRY(gmem_model_create(memory->plan, &memory->provider, &sources, NULL,
                             &memory->model, diag));
  return gmem_pool_create(memory->model, &memory->provider, &options, NULL,
                          &memory->pool, diag);
}

static int report(gmem_status_t status, const gmem_diag_t *diag,
                  const char *image) {
  const char *text = diag->text[0] ? diag->text : gmem_status_name(status);
  return image ? gmem_run_error("%s: not a plan image of this program: %s",
                                image, text)
               : gmem_run_error("cannot map the memory of the plan: %s", text);
}

int gmem_planned_memory_create(MlirModule module,
                               const gmem_planned_memory_options_t *options,
                               gmem_planned_memory_t *out_memory) {
  gmem_diag_t diag = {0};
  gmem_planned_t *planned;
  int code = 0;
  *out_memory = (gmem_planned_memory_t){0};
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, &diag);
  if (status != GMEM_OK)
    return report(status, &diag, NULL);
  status = options->image
               ? open_image(planned, options->image, &out_memory->plan, &diag)
               : open_own(planned, GMEM_IMAGE_WEIGHTS_NONE, &out_memory->plan,
                          &diag);
  if (status != GMEM_OK)
    code = report(status, &diag, options->image);
  else if ((status = map_all(planned, options->slots, out_memory, &diag)) !=
           GMEM_OK)
    code = report(status, &diag,
                  status == GMEM_ERR_CORRUPT ? options->image : NULL);
  gmem_planned_destroy(planned);
  return code;
}

int gmem_planned_memory_zeroed(const gmem_planned_memory_t *memory,
                               uint32_t slots,
                               gmem_planned_memory_t *out_zeroed) {
  gmem_diag_t diag = {0};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = slots,
                                 .flags = GMEM_POOL_ZERO_ON_ACQUIRE |
                                          GMEM_POOL_ZERO_ON_RELEASE};
  *out_zeroed = *memory;
  gmem_status_t status =
      gmem_pool_create(memory->model, &memory->provider, &options, NULL,
                       &out_zeroed->pool, &diag);
  return status == GMEM_OK ? 0 : report(status, &diag, NULL);
}

void gmem_planned_memory_destroy(gmem_planned_memory_t *memory) {
  gmem_pool_release(memory->pool);
  gmem_model_release(memory->model);
  gmem_provider_destroy(&memory->provider);
  gmem_plan_release(memory->plan);
  *memory = (gmem_planned_memory_t){0};
}

gmem_region_t gmem_planned_memory_region(const gmem_planned_memory_t *memory,
                                         const char *pool) {
  gmem_region_info_t region;
  for (gmem_region_t i = 0; i < gmem_plan_region_count(memory->plan); ++i)
    if (gmem_plan_region(memory->plan, i, &region) == GMEM_OK &&
        strcmp(region.name, pool) == 0)
      return i;
  return GMEM_NONE;
}
