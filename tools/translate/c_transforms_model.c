// c_transforms_model.c - see c_transforms_model.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "c_transforms_model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

// Bytes; of sources and of intermediate results.
enum { ALIGNMENT = 16 };

// Adds |size| to |*sum|, rounded up. False: the memory of this machine ends
// before.
static bool add_aligned(uint64_t size, uint64_t *sum) {
  if (size > SIZE_MAX - ALIGNMENT || *sum > SIZE_MAX - ALIGNMENT - size)
    return false;
  *sum = (*sum + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return true;
}

//===--- chains -----------------------------------------------------------===//

// Lists the chains, whose sources have no place yet.
static gmem_status_t list_chains(const gmem_planned_t *planned,
                                 gmem_c_transforms_t *transforms,
                                 gmem_diag_t *diag) {
  size_t count = gmem_planned_transform_count(planned);
  transforms->chains = calloc(count + 1, sizeof *transforms->chains);
  transforms->names = calloc(count + 1, sizeof *transforms->names);
  if (!transforms->chains || !transforms->names)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i) {
    const gmem_planned_transform_t *step = gmem_planned_transform(planned, i);
    if (i == 0 ||
        gmem_planned_transform(planned, i - 1)->buffer != step->buffer)
      transforms->chains[transforms->count++] =
          (gmem_c_chain_t){.buffer = step->buffer, .first = i};
    gmem_c_chain_t *chain = &transforms->chains[transforms->count - 1];
    chain->end = i + 1;
    transforms->names[transforms->name_count++] = step->name;
    GMEM_TRY(gmem_planned_source(planned, chain->buffer, &chain->source_size,
                                 NULL, diag));
  }
  transforms->name_count =
      gmem_c_sort_unique(transforms->names, transforms->name_count);
  return GMEM_OK;
}

//===--- sources ----------------------------------------------------------===//

// The place of the bytes at |bytes|, the source of |chain|: that of an earlier
// chain with the same source, or the end of all sources.
static uint64_t place_of(const gmem_c_transforms_t *transforms,
                         const gmem_c_chain_t *chain, const uint8_t *bytes) {
  for (const gmem_c_chain_t *other = transforms->chains; other < chain; ++other)
    if (other->source_size == chain->source_size &&
        memcmp(transforms->sources + other->source, bytes,
               (size_t)chain->source_size) == 0)
      return other->source;
  return transforms->pools[GMEM_C_SOURCES].size;
}

static gmem_status_t read_sources(const gmem_planned_t *planned,
                                  gmem_c_transforms_t *transforms,
                                  gmem_diag_t *diag) {
  uint64_t all = 0, *size = &transforms->pools[GMEM_C_SOURCES].size, next;
  for (size_t i = 0; i < transforms->count; ++i)
    if (!add_aligned(transforms->chains[i].source_size, &all))
      return gmem_out_of_memory(diag);
  transforms->sources = calloc((size_t)all + 1, 1);
  if (!transforms->sources)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < transforms->count; ++i) {
    gmem_c_chain_t *chain = &transforms->chains[i];
    uint8_t *bytes = transforms->sources + *size;
    GMEM_TRY(gmem_planned_source(planned, chain->buffer, &chain->source_size,
                                 bytes, diag));
    chain->source = place_of(transforms, chain, bytes);
    next = *size;
    (void)add_aligned(chain->source_size, &next); // |all| did not overflow
    if (chain->source == *size)
      *size = next;
    else
      memset(bytes, 0, (size_t)chain->source_size);
  }
  return GMEM_OK;
}

//===--- memory between the functions -------------------------------------===//

// The results of a chain are in turns in the first and in the second part of
// the memory; the last one is the constant.
static gmem_status_t measure(const gmem_planned_t *planned,
                             gmem_c_transforms_t *transforms,
                             gmem_diag_t *diag) {
  uint64_t parts[2] = {0, 0}, *size = &transforms->pools[GMEM_C_RESULTS].size;
  for (size_t i = 0; i < transforms->count; ++i) {
    const gmem_c_chain_t *chain = &transforms->chains[i];
    for (size_t k = chain->first; k + 1 < chain->end; ++k) {
      uint64_t bytes = gmem_planned_transform(planned, k)->size;
      uint64_t *part = &parts[(k - chain->first) % 2];
      *part = bytes > *part ? bytes : *part;
    }
  }
  if (!add_aligned(parts[0], size))
    return gmem_out_of_memory(diag);
  transforms->second = *size;
  return parts[1] && !add_aligned(parts[1], size) ? gmem_out_of_memory(diag)
                                                  : GMEM_OK;
}

gmem_status_t gmem_c_transforms_read(const gmem_planned_t *planned,
                                     gmem_c_transforms_t *out_transforms,
                                     gmem_diag_t *diag) {
  *out_transforms = (gmem_c_transforms_t){
      .pools = {[GMEM_C_SOURCES] = {.name = "transform_sources",
                                    .constant = true,
                                    .base = GMEM_NO_BASE,
                                    .alignment = ALIGNMENT,
                                    .is_init = true},
                [GMEM_C_RESULTS] = {.name = "transform_results",
                                    .base = GMEM_NO_BASE,
                                    .alignment = ALIGNMENT,
                                    .is_init = true}}};
  GMEM_TRY(list_chains(planned, out_transforms, diag));
  GMEM_TRY(read_sources(planned, out_transforms, diag));
  return measure(planned, out_transforms, diag);
}

void gmem_c_transforms_free(gmem_c_transforms_t *transforms) {
  free(transforms->chains);
  free(transforms->names);
  free(transforms->sources);
}

//===--- the pools --------------------------------------------------------===//

gmem_status_t gmem_c_transforms_mark(gmem_c_model_t *model, gmem_diag_t *diag) {
  const gmem_c_transforms_t *transforms = &model->transforms;
  for (size_t i = 0; i < transforms->count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(model->planned, transforms->chains[i].buffer);
    gmem_c_pool_t *pool = &model->pools[buffer->pool];
    if (model->options.entry == GMEM_C_ENTRY_NONE)
      return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                       "functions make the constant '%.80s' (gmem.transform): "
                       "--entry=none writes no init function, which calls them",
                       buffer->name);
    if (!gmem_c_pool_is_used(pool))
      return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                       "functions make the constant '%.80s' (gmem.transform), "
                       "but pool '%.80s' is no argument of what run calls",
                       buffer->name, pool->plan->name);
    pool->serves_init = true;
  }
  for (uint32_t i = gmem_planned_pool_count(model->planned);
       i < model->pool_count; ++i)
    model->pools[i].serves_init = true;
  return GMEM_OK;
}
