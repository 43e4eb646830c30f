// lease_import.c - imports: caller memory in place of buffers of a lease.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lease_import.h"

#include <inttypes.h>
#include <string.h>

#include "image_codec.h"
#include "lease_address.h"
#include "runtime_support.h"
#include "slot_pool.h"

//===--- which buffers can be imported ------------------------------------===//

static const gmem_image_view_t *view_of(const gmem_pool_t *pool) {
  return &pool->model->plan->view;
}

// The index of |id| among the importable buffers, or GMEM_NONE.
static uint32_t number_of(const gmem_pool_t *pool, gmem_buffer_t id) {
  const gmem_importable_t *all = pool->importables;
  uint32_t count = pool->importable_count;
  uint32_t at =
      count ? gmem_rt_search(&all->buffer, count, sizeof *all, id) : 0;
  return at < count && all[at].buffer == id ? at : GMEM_NONE;
}

static bool is_importable(const gmem_image_buffer_t *buffer) {
  return (buffer->flags & GMEM_BUFFER_IMPORTABLE) &&
         buffer->parent == GMEM_NONE && !gmem_image_shared(buffer->space);
}

// An alias may have a larger alignment than its parent.
static void align_for_aliases(gmem_pool_t *pool) {
  const gmem_image_view_t *view = view_of(pool);
  for (uint32_t i = 0; i < view->section[GMEM_IMAGE_BUFFERS].count; ++i) {
    gmem_image_buffer_t alias = gmem_image_buffer(view, i);
    uint32_t number =
        alias.parent == GMEM_NONE ? GMEM_NONE : number_of(pool, alias.parent);
    if (number != GMEM_NONE && pool->importables[number].align < alias.align)
      pool->importables[number].align = alias.align;
  }
  // The planned address is aligned for all aliases, and so is every address
  // congruent to it.
  for (uint32_t i = 0; i < pool->importable_count; ++i) {
    gmem_importable_t *importable = &pool->importables[i];
    gmem_image_buffer_t buffer = gmem_image_buffer(view, importable->buffer);
    importable->lead =
        (gmem_image_region(view, buffer.region).base + buffer.offset) &
        (importable->align - 1);
  }
}

gmem_status_t gmem_imports_prepare(gmem_pool_t *pool, gmem_diag_t *diag) {
  const gmem_image_view_t *view = view_of(pool);
  uint32_t buffer_count = view->section[GMEM_IMAGE_BUFFERS].count, count = 0;
  for (uint32_t i = 0; i < buffer_count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    count += is_importable(&buffer);
  }
  if (count == 0)
    return GMEM_OK;
  GMEM_RT_ALLOC(pool->importables, &pool->allocator, count, diag);
  for (uint32_t i = 0; i < buffer_count; ++i) {
    gmem_image_buffer_t buffer = gmem_image_buffer(view, i);
    if (is_importable(&buffer))
      pool->importables[pool->importable_count++] =
          (gmem_importable_t){.buffer = i, .align = buffer.align};
  }
  GMEM_ASSERT(pool->importable_count == count);
  align_for_aliases(pool);
  return GMEM_OK;
}

void gmem_imports_release(gmem_pool_t *pool) {
  GMEM_RT_FREE(&pool->allocator, pool->importables, pool->importable_count);
  pool->importables = NULL;
}

//===--- the imports of a lease -------------------------------------------===//

gmem_status_t gmem_lease_imports_make(gmem_lease_t *slot, gmem_diag_t *diag) {
  gmem_pool_t *pool = slot->pool;
  if (pool->importable_count == 0)
    return GMEM_OK;
  slot->imports = gmem_rt_alloc(&pool->allocator, pool->importable_count,
                                sizeof *slot->imports);
  return slot->imports ? GMEM_OK : gmem_rt_out_of_memory(diag);
}

void gmem_lease_imports_free(gmem_lease_t *slot) {
  GMEM_RT_FREE(&slot->pool->allocator, slot->imports,
               slot->pool->importable_count);
  slot->imports = NULL;
}

void gmem_lease_imports_clear(gmem_lease_t *lease) {
  lease->begun = false;
  if (lease->import_count == 0)
    return;
  memset(lease->imports, 0,
         lease->pool->importable_count * sizeof *lease->imports);
  lease->import_count = 0;
}

const gmem_import_t *gmem_lease_import_of(const gmem_lease_t *lease,
                                          gmem_buffer_t id) {
  uint32_t number = number_of(lease->pool, id);
  if (number == GMEM_NONE || !lease->imports[number].present)
    return NULL;
  return &lease->imports[number];
}

//===--- importing --------------------------------------------------------===//

static bool share_bytes(uint64_t a, uint64_t a_size, uint64_t b,
                        uint64_t b_size) {
  return a_size > 0 && b_size > 0 && (a - b < b_size || b - a < a_size);
}

// Whether |import| overlaps the |size| bytes at |place| in host or device
// addresses. |place| may have no device address.
static bool overlaps(const gmem_import_t *import, gmem_place_t place,
                     bool has_device, uint64_t size) {
  if (place.host && import->place.host &&
      share_bytes((uintptr_t)import->place.host, import->size,
                  (uintptr_t)place.host, size))
    return true;
  return has_device && import->place.device != 0 &&
         share_bytes(import->place.device, import->size, place.device, size);
}

static bool overlaps_range(const gmem_import_t *import,
                           const gmem_range_t *range) {
  return overlaps(import, (gmem_place_t){range->host, range->device}, true,
                  range->size);
}

static bool overlaps_slot(const gmem_lease_t *lease,
                          const gmem_import_t *import) {
  for (uint32_t r = 0; r < lease->pool->region_count; ++r)
    if (overlaps_range(import, &lease->regions[r].range))
      return true;
  const gmem_pool_memory_t *memory = &lease->pool->memory;
  for (uint32_t i = 0; lease->buffers && i < memory->area_count; ++i)
    if (overlaps_range(import, &gmem_slot_area(lease, i)->range))
      return true;
  return false;
}

// Shared buffers are in their regions, or individually placed if scattered.
static bool overlaps_shared(const gmem_lease_t *lease,
                            const gmem_import_t *import) {
  const gmem_model_t *model = lease->pool->model;
  const gmem_region_layout_t *layout = model->plan->layout;
  for (uint32_t r = 0; !model->places && r < lease->pool->region_count; ++r)
    if (layout[r].shared &&
        overlaps(import, lease->regions[r].place, true, layout[r].size))
      return true;
  for (uint32_t id = 0; model->places && id < model->held_count; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
    if (gmem_image_shared(buffer.space) &&
        overlaps(import, model->places[id], true, buffer.size))
      return true;
  }
  return false;
}

static bool overlaps_imports(const gmem_lease_t *lease,
                             const gmem_import_t *import) {
  for (uint32_t i = 0; lease->import_count && i < lease->pool->importable_count;
       ++i) {
    const gmem_import_t *other = &lease->imports[i];
    if (other->present &&
        overlaps(import, other->place, other->place.device != 0, other->size))
      return true;
  }
  return false;
}

// Checks that |address| and the |size| bytes from it, up to |last|, can hold
// the buffer.
static gmem_status_t check_address(uint64_t address, uint64_t size,
                                   uint64_t last,
                                   const gmem_importable_t *importable,
                                   gmem_diag_t *diag) {
  if ((address & (importable->align - 1)) != importable->lead)
    return gmem_rt_fail_at(diag, GMEM_ERR_ALIGNMENT, 0, importable->buffer,
                           "the address of an import of buffer %" PRIu32
                           " must be congruent to %" PRIu64 " modulo %" PRIu64,
                           importable->buffer, importable->lead,
                           importable->align);
  if (size > last - address)
    return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, 0, importable->buffer,
                           "the import of buffer %" PRIu32
                           " exceeds the address space",
                           importable->buffer);
  return GMEM_OK;
}

// Checks that do not depend on the imported memory.
static gmem_status_t check_importable(const gmem_lease_t *lease,
                                      gmem_buffer_t id, uint32_t *out_number,
                                      gmem_diag_t *diag) {
  gmem_found_t found;
  if (gmem_lease_find(lease, id, &found) != GMEM_OK ||
      found.buffer.parent != GMEM_NONE)
    return gmem_rt_fail_at(
        diag, GMEM_ERR_OUT_OF_RANGE, 0, id,
        "buffer %" PRIu32 " is not in the lease, or is an alias", id);
  *out_number = number_of(lease->pool, id);
  if (*out_number == GMEM_NONE || found.spot.imported || lease->begun)
    return gmem_rt_fail_at(
        diag, GMEM_ERR_STATE, 0, id,
        "buffer %" PRIu32
        " is not importable or already imported, or a step has begun",
        id);
  return GMEM_OK;
}

gmem_status_t gmem_lease_import(gmem_lease_t *lease, gmem_buffer_t id,
                                void *host, uint64_t device, uint64_t size,
                                gmem_diag_t *diag) {
  uint32_t number = 0;
  if (!lease || (!host && device == 0))
    return gmem_rt_invalid(diag,
                           "lease is NULL, or both addresses are missing");
  GMEM_TRY(check_importable(lease, id, &number, diag));
  const gmem_importable_t *importable = &lease->pool->importables[number];
  uint64_t needed = gmem_image_buffer(view_of(lease->pool), id).size;
  if (size < needed)
    return gmem_rt_fail_at(
        diag, GMEM_ERR_TOO_SMALL, 0, id,
        "buffer %" PRIu32 " needs %" PRIu64
        " bytes including padding, but the import has %" PRIu64,
        id, needed, size);
  if (host)
    GMEM_TRY(
        check_address((uintptr_t)host, needed, UINTPTR_MAX, importable, diag));
  if (device != 0)
    GMEM_TRY(check_address(device, needed, UINT64_MAX, importable, diag));
  gmem_import_t import = {true, {host, device}, needed};
  if (overlaps_slot(lease, &import) || overlaps_shared(lease, &import) ||
      overlaps_imports(lease, &import))
    return gmem_rt_fail_at(
        diag, GMEM_ERR_OVERLAP, 0, id,
        "the memory imported as buffer %" PRIu32
        " overlaps the slot, shared memory or another import",
        id);
  GMEM_ASSERT(!lease->imports[number].present);
  lease->imports[number] = import;
  ++lease->import_count;
  GMEM_ASSERT(lease->import_count <= lease->pool->importable_count);
  return GMEM_OK;
}
