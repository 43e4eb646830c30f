// slot_memory.h - memory of a slot: mapping, and contents between leases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An *area* is a range that a slot maps as a whole: a region or, with
// GMEM_POOL_UNSHARED, a cluster of buffers that must stay together
// (buffer_cluster.h). Offsets are counted from the start of the region in both
// cases.

#ifndef GMEM_RUNTIME_SLOT_MEMORY_H_
#define GMEM_RUNTIME_SLOT_MEMORY_H_

#include "model.h"
#include "region_map.h"

typedef struct gmem_area_s {
  gmem_region_t region;
  uint64_t begin;              // first byte, from the start of the region
  gmem_region_layout_t layout; // of the mapping
  uint64_t base;               // required device address, or GMEM_ANY_ADDRESS
  uint32_t flags;              // GMEM_RANGE_*
  uint32_t first, last;        // its owners: [first, last) of pool's |owners|
} gmem_area_t;

// A buffer that owns bytes: not an alias, a view or empty.
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

// Layout of the memory of a pool's slots. Immutable except |corruptions|.
typedef struct gmem_pool_memory_s {
  uint32_t area_count, area_room;
  gmem_area_t *areas;
  uint32_t *area_of; // with GMEM_POOL_UNSHARED, by buffer; GMEM_NONE if shared
  uint32_t region_area[GMEM_PLAN_MAX_REGIONS]; // without GMEM_POOL_UNSHARED
  uint32_t owner_count, owner_room;
  gmem_owner_t *owners; // with CHECK and ZERO, ascending by (area, begin, id)
  // STATE first, then SENSITIVE, then (with ZERO) everything except STATE.
  uint32_t state_end, sensitive_end, span_end, span_room;
  gmem_slot_span_t *spans;
  atomic_ullong corruptions; // of gmem_pool_stats_t
} gmem_pool_memory_t;

// Memory of a slot.
typedef struct gmem_slot_memory_s {
  gmem_mapped_region_t *areas; // with GMEM_POOL_UNSHARED, else NULL
  gmem_op_t op;                // current step; GMEM_NONE before the first one
  // With GMEM_POOL_CHECK: the first byte found in this lease that was written
  // where no buffer is live.
  bool corrupt;
  gmem_op_t corrupt_op; // current step when it was found
  uint32_t corrupt_area;
  uint64_t corrupt_at; // byte of the region; wraps around if before it
} gmem_slot_memory_t;

//===--- of a slot (slot_memory.c) ----------------------------------------===//

// Maps the memory of a slot whose |pool| and |regions| are set, and stores its
// size in |node|. gmem_slot_unmap must be called even on failure. No lock is
// held.
gmem_status_t gmem_slot_map(gmem_lease_t *slot, gmem_diag_t *diag);
void gmem_slot_unmap(gmem_lease_t *slot);

// The range of an area of a mapped slot, and the place of its first byte.
gmem_mapped_region_t *gmem_slot_area(const gmem_lease_t *slot, uint32_t area);

// Called before the owner of a new lease, and after the last owner of an old
// one, uses the slot: establish the contents that the pool's flags guarantee.
// No lock is held.
void gmem_slot_begin(gmem_lease_t *slot);
void gmem_slot_end(gmem_lease_t *slot); // keeps STATE if |keep_state|

// Zeroes the STATE of a slot whose reservation has ended. No lock is held.
void gmem_slot_clear_state(gmem_lease_t *slot);

#endif // GMEM_RUNTIME_SLOT_MEMORY_H_
