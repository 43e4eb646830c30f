// fold.h - fewer and larger items: those that fit together to a rectangle move
// as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_fold_t fold;
//   status = gmem_fold_create(packing, search, &fold, diag);
//   ... place the items of fold.packing: fold.offsets ...
//   gmem_fold_unfold(&fold, fold.offsets, offsets);
//   gmem_fold_destroy(&fold);

#ifndef GMEM_PLANNER_FOLD_H_
#define GMEM_PLANNER_FOLD_H_

#include "fold_rectangles.h"
#include "gmem/planner.h"
#include "items.h"

// Folds |packing|, which must be plain and outlive |fold|, as far as it
// goes and the steps of |search| last.
// O(n log n) in all practical cases. Fails with OUT_OF_MEMORY; destroying is
// harmless in every case.
gmem_status_t gmem_fold_create(const gmem_packing_t *packing,
                               gmem_search_t *search, gmem_fold_t *fold,
                               gmem_diag_t *diag);
void gmem_fold_destroy(gmem_fold_t *fold);

// Fills |offsets| of fold->whole from those of fold->packing.
void gmem_fold_unfold(const gmem_fold_t *fold, const uint64_t *folded,
                      uint64_t *offsets);

#endif // GMEM_PLANNER_FOLD_H_
