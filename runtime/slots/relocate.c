// relocate.c - addresses in command streams: patches those of a lease, and
// checks the planned ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables and streams are untrusted input: the whole table is checked before the
// first byte is written.

#include <inttypes.h>

#include "image_codec.h"
#include "lease_address.h"
#include "runtime_support.h"
#include "slot_pool.h"

// A relocation table, its stream, and the source of the addresses.
typedef struct patch_s {
  const gmem_plan_t *plan;
  const gmem_lease_t *lease; // NULL: the planned addresses
  const gmem_reloc_t *relocs;
  size_t count;
  uint64_t stream_size; // bytes
  gmem_diag_t *diag;
} patch_t;

static gmem_status_t fail(const patch_t *patch, size_t at, gmem_status_t status,
                          const char *what) {
  return gmem_rt_fail_at(patch->diag, status, patch->relocs[at].where, at,
                         "relocation %zu, at byte %" PRIu64 ": %s", at,
                         patch->relocs[at].where, what);
}

// Size in bytes of an address, or of a half, in the stream.
static unsigned width_of(const gmem_reloc_t *reloc) {
  return reloc->kind == GMEM_RELOC_ABS64 ? 8 : 4;
}

// The end of the previous relocation, before which |at| must not begin.
static uint64_t free_from(const patch_t *patch, size_t at) {
  if (at == 0)
    return 0;
  const gmem_reloc_t *last = &patch->relocs[at - 1];
  return last->where + width_of(last); // checked to be in the stream
}

// The buffer's address in the lease, or in the plan.
static gmem_status_t base_of(const patch_t *patch, gmem_buffer_t id,
                             uint64_t *out_base, uint64_t *out_size) {
  if (patch->lease) {
    gmem_found_t found;
    GMEM_TRY(gmem_lease_find(patch->lease, id, &found));
    *out_base = found.spot.place.device;
    *out_size = found.buffer.size;
    return found.spot.imported && *out_base == 0 ? GMEM_ERR_UNSUPPORTED
                                                 : GMEM_OK;
  }
  if (id >= gmem_plan_buffer_count(patch->plan))
    return GMEM_ERR_OUT_OF_RANGE;
  gmem_image_buffer_t buffer = gmem_image_buffer(&patch->plan->view, id);
  *out_base = gmem_image_region(&patch->plan->view, buffer.region).base +
              buffer.offset; // verified not to wrap around
  *out_size = buffer.size;
  return GMEM_OK;
}

// The value to be stored for relocation |at|: the address or its half.
static gmem_status_t value_of(const patch_t *patch, size_t at,
                              uint64_t *out_value) {
  const gmem_reloc_t *reloc = &patch->relocs[at];
  uint64_t base, size;
  gmem_status_t status = base_of(patch, reloc->buffer, &base, &size);
  if (status == GMEM_ERR_UNSUPPORTED)
    return fail(patch, at, status, "the buffer has no device address");
  if (status != GMEM_OK || reloc->addend > size)
    return fail(patch, at, GMEM_ERR_OUT_OF_RANGE,
                "the buffer or the addend is out of range");
  if (reloc->addend > UINT64_MAX - base)
    return fail(patch, at, GMEM_ERR_OUT_OF_RANGE,
                "the address does not fit in 64 bits");
  uint64_t address = base + reloc->addend;
  *out_value = reloc->kind == GMEM_RELOC_HI32 ? address >> 32 : address;
  return GMEM_OK;
}

static gmem_status_t check_one(const patch_t *patch, size_t at) {
  const gmem_reloc_t *reloc = &patch->relocs[at];
  uint64_t value;
  if (reloc->kind > GMEM_RELOC_HI32)
    return fail(patch, at, GMEM_ERR_INVALID_ARGUMENT, "the kind is unknown");
  if (reloc->where > patch->stream_size ||
      patch->stream_size - reloc->where < width_of(reloc))
    return fail(patch, at, GMEM_ERR_OUT_OF_RANGE,
                "the place is outside of the stream");
  if (reloc->where < free_from(patch, at))
    return fail(patch, at, GMEM_ERR_OVERLAP,
                "the place overlaps or precedes the previous one");
  return value_of(patch, at, &value);
}

static gmem_status_t check_all(const patch_t *patch, const void *stream) {
  if ((!patch->plan && !patch->lease) ||
      ((!patch->relocs || !stream) && patch->count > 0))
    return gmem_rt_invalid(patch->diag,
                           "lease, plan, relocs or stream is NULL");
  for (size_t i = 0; i < patch->count; ++i)
    GMEM_TRY(check_one(patch, i));
  return GMEM_OK;
}

gmem_status_t gmem_lease_relocate(const gmem_lease_t *lease,
                                  const gmem_reloc_t *relocs, size_t count,
                                  void *stream, uint64_t stream_size,
                                  gmem_diag_t *diag) {
  patch_t patch = {NULL, lease, relocs, count, stream_size, diag};
  GMEM_TRY(check_all(&patch, stream));
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    (void)value_of(&patch, i, &value); // checked above
    uint8_t *bytes = (uint8_t *)stream + relocs[i].where;
    for (unsigned k = 0; k < width_of(&relocs[i]); ++k)
      bytes[k] = (uint8_t)(value >> 8 * k);
  }
  return GMEM_OK;
}

gmem_status_t gmem_plan_check_stream(const gmem_plan_t *plan,
                                     const gmem_reloc_t *relocs, size_t count,
                                     const void *stream, uint64_t stream_size,
                                     gmem_diag_t *diag) {
  patch_t patch = {plan, NULL, relocs, count, stream_size, diag};
  GMEM_TRY(check_all(&patch, stream));
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    (void)value_of(&patch, i, &value); // checked above
    const uint8_t *bytes = (const uint8_t *)stream + relocs[i].where;
    for (unsigned k = 0; k < width_of(&relocs[i]); ++k)
      if (bytes[k] != (uint8_t)(value >> 8 * k))
        return fail(&patch, i, GMEM_ERR_CORRUPT,
                    "the stream does not hold the planned address");
  }
  return GMEM_OK;
}
