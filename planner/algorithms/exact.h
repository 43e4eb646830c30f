// exact.h - branch and bound with restarts, for peaks between the lower bound
// and the best placement so far.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_EXACT_H_
#define GMEM_PLANNER_EXACT_H_

#include "gmem/planner.h"
#include "items.h"

// *out_proved: no placement has a lower peak than the resulting |offsets|.
gmem_status_t gmem_exact_pack(const gmem_packing_t *packing,
                              gmem_search_t *search, uint64_t *offsets,
                              bool *out_proved, gmem_diag_t *diag);

#endif // GMEM_PLANNER_EXACT_H_
