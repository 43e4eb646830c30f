// plan_dump.h - prints the placements of a scope as text, for the phase "plan"
// of the option debug=.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_DUMP_H_
#define GMEM_PASSES_PLAN_DUMP_H_

#include "analysis.h"
#include "plan_attributes.h"

// Prints the pools and the placements, by value and by workbuffer, to standard
// error. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_plan_dump(const gmem_analysis_t *analysis,
                             const gmem_pool_table_t *table,
                             const gmem_value_place_t *places,
                             const gmem_value_place_t *work_places,
                             gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_DUMP_H_
