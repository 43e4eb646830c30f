// planned_memory.c - the memory of a planned module, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planned_memory.h"

#include <string.h>

#include "gmem/passes.h"
#include "planned_image.h"
#include "run_messages.h"

//===--- weights ----------------------------------------------------------===//

// Constants that the program gets by their symbols have bytes; those of others
// stay zero: nothing that runs uses them.
static gmem_status_t fill_weight(void *user, gmem_buffer_t id, void *dst,
                                 uint64_t size, gmem_diag_t *diag) {
  const gmem_planned_t *planned = user;
  (void)size;
  if (strcmp(gmem_planned_buffer(planned, id)->op, "memref.get_global") != 0)
    return GMEM_OK;
  return gmem_planned_contents(planned, id, dst, diag);
}

//===--- mapping ----------------------------------------------------------===//

static gmem_status_t load_plan(const gmem_planned_t *planned,
                               gmem_planned_memory_t *memory,
                               gmem_diag_t *diag) {
  void *data;
  size_t size;
  gmem_status_t status = gmem_planned_image(planned, NULL, &data, &size, diag);
  if (status == GMEM_OK)
    status = gmem_plan_load_memory(data, size, 0, NULL, &memory->plan, diag);
  gmem_plan_data_free(NULL, data, size);
  return status;
}

static gmem_status_t map_all(gmem_planned_t *planned, uint32_t slots,
                             gmem_planned_memory_t *memory, gmem_diag_t *diag) {
  gmem_model_sources_t sources = {
      .struct_size = sizeof sources, .user = planned, .weight = fill_weight};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = slots};
  gmem_status_t status = load_plan(planned, memory, diag);
  if (status == GMEM_OK)
    status = gmem_provider_mmap(NULL, NULL, &memory->provider);
  if (status == GMEM_OK)
    status = gmem_model_create(memory->plan, &memory->provider, &sources, NULL,
                               &memory->model, diag);
  if (status == GMEM_OK)
    status = gmem_pool_create(memory->model, &memory->provider, &options, NULL,
                              &memory->pool, diag);
  return status;
}

int gmem_planned_memory_create(MlirModule module, uint32_t slots,
                               gmem_planned_memory_t *out_memory) {
  gmem_diag_t diag = {0};
  gmem_planned_t *planned;
  *out_memory = (gmem_planned_memory_t){0};
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, &diag);
  if (status == GMEM_OK)
    status = map_all(planned, slots, out_memory, &diag);
  gmem_planned_destroy(planned);
  if (status == GMEM_OK)
    return 0;
  return gmem_run_error("the memory of the plan cannot be mapped: %s",
                        diag.text[0] ? diag.text : gmem_status_name(status));
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
