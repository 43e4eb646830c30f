// planned.h - a plan as it is read: what is behind gmem_planned_t
// (gmem/plan_reader.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLANNED_H_
#define GMEM_PASSES_PLANNED_H_

#include "plan_copies.h"
#include "plan_lookup.h"
#include "plan_ops.h"
#include "plan_relocations.h"
#include "plan_spans.h"
#include "plan_transforms.h"
#include "verify_plan.h"

// A buffer, with what is needed to name it and to write its contents.
typedef struct gmem_planned_entry_s {
  gmem_planned_buffer_t buffer;
  const char *location_name; // "": its location has none
  MlirType type;             // of the value, if it is a constant; else null
  MlirAttribute elements;    // null if not in the IR
  MlirValue value;           // null: a workbuffer
} gmem_planned_entry_t;

// While it is read, failures to allocate are seen by gmem_bump_status only.
struct gmem_planned_s {
  gmem_bump_t arena; // owns everything, including this struct
  gmem_planned_figures_t figures;
  GMEM_LIST(gmem_planned_pool_t) pools;
  GMEM_LIST(gmem_planned_entry_t) buffers;
  GMEM_LIST(gmem_planned_alias_t) aliases;
  GMEM_LIST(gmem_planned_workbuffer_t) workbuffers;
  gmem_planned_ops_t ops;
  gmem_planned_flow_copies_t copies;
  gmem_planned_spans_t spans;
  gmem_planned_relocations_t relocations;
  gmem_planned_transforms_t transforms;
  gmem_plan_lookup_t lookup;
  size_t scope_count, scopes_read;
  const gmem_plan_visit_t *visit; // while it is read
  gmem_diag_t *diag;              // the same
};

// Of |offset| in |pool|; GMEM_NO_BASE if the pool has no base address.
static inline uint64_t gmem_planned_address(const gmem_planned_t *planned,
                                            uint32_t pool, uint64_t offset) {
  uint64_t base = planned->pools.at[pool].base;
  return base == GMEM_NO_BASE ? GMEM_NO_BASE : base + offset;
}

// Gives each buffer a name that is unique and valid in all file formats.
gmem_status_t gmem_planned_choose_names(gmem_planned_t *planned);

#endif // GMEM_PASSES_PLANNED_H_
