// slot_memory.h - the memory of a slot: its mapping, its bytes between leases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An *area* is what a slot maps as one range: a region, or, with
// GMEM_POOL_UNSHARED, a cluster of buffers that must stay together
// (buffer_cluster.h). Bytes are counted from the start of the region in both.

#ifndef GMEM_RUNTIME_SLOT_MEMORY_H_
#define GMEM_RUNTIME_SLOT_MEMORY_H_

#include "model.h"
#include "region_map.h"

typedef struct gmem_area_s {
  gmem_region_t region;
  uint64_t begin;              // bytes of the region: its first byte
  gmem_region_layout_t layout; // of the mapping
  uint64_t base;               // its device address, or GMEM_ANY_ADDRESS
  uint32_t flags;              // GMEM_RANGE_*
  uint32_t first, last;        // its owners: [first, last) of the pool's
} gmem_area_t;

// A buffer that owns bytes: no alias, no view, not empty.
typedef struct gmem_owner_s {
  uint64_t begin, end; // bytes of the region
  gmem_buffer_t id;
  uint32_t first_range, range_count;
  bool always; // STATE: live at every step
} gmem_owner_t;

// Bytes that are zeroed together.
typedef struct gmem_slot_span_s {
  uint32_t area;
  uint64_t begin, end; // bytes of the region
} gmem_slot_span_t;

// What a pool knows of the memory of its slots. Never changes but for
// |corruptions|.
typedef struct gmem_pool_memory_s {
  uint32_t area_count, area_room;
  gmem_area_t *areas;
  uint32_t *area_of; // by buffer, with GMEM_POOL_UNSHARED: GMEM_NONE if shared
  uint32_t region_area[GMEM_PLAN_MAX_REGIONS]; // without
  uint32_t owner_count, owner_room;
  gmem_owner_t *owners; // with CHECK and ZERO, ascending by (area, begin, id)
  // STATE first, then SENSITIVE, then (with ZERO) all that is not STATE.
  uint32_t state_end, sensitive_end, span_end, span_room;
  gmem_slot_span_t *spans;
  atomic_ullong corruptions; // of gmem_pool_stats_t
} gmem_pool_memory_t;

// Of a slot.
typedef struct gmem_slot_memory_s {
  gmem_mapped_region_t *areas; // with GMEM_POOL_UNSHARED, else NULL
  gmem_op_t op;                // step that has begun; GMEM_NONE: none yet
  // With GMEM_POOL_CHECK: the first byte of this lease that was found to be
  // written where no buffer lives.
  bool corrupt;
  gmem_op_t corrupt_op; // step that was going on then
  uint32_t corrupt_area;
  uint64_t corrupt_at; // byte of the region; wraps when it is before that
} gmem_slot_memory_t;

//===--- of a pool (slot_areas.c) -----------------------------------------===//

//===--- of a slot (slot_memory.c) ----------------------------------------===//

// Maps the memory of a slot whose |pool| and |regions| are set, and counts its
// bytes in |node|. On failure some may be mapped: gmem_slot_unmap is called in
// any case. No lock is held.
gmem_status_t gmem_slot_map(gmem_lease_t *slot, gmem_diag_t *diag);
void gmem_slot_unmap(gmem_lease_t *slot);

// The range and place of an area of a mapped slot: the place is that of the
// area's first byte.
gmem_mapped_region_t *gmem_slot_area(const gmem_lease_t *slot, uint32_t area);

// Before the owner of a new lease, and after the last of an old one, has the
// slot: brings its bytes into the state that the pool promises. No lock is
// held.
void gmem_slot_begin(gmem_lease_t *slot);
void gmem_slot_end(gmem_lease_t *slot); // leaves STATE alone if |keep_state|

// Zeroes the STATE of a slot whose reservation is over. No lock is held.
void gmem_slot_clear_state(gmem_lease_t *slot);

#endif // GMEM_RUNTIME_SLOT_MEMORY_H_
