// fold_search.c - the other searches on fewer, larger items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "fold.h"
#include "search.h"

// Rectangles that are all alike in time are put together in an instant; a
// packing in which hardly any are is left as it is.
static bool is_worth_it(const gmem_fold_t *fold) {
  return fold->root_count <= fold->whole->count - fold->whole->count / 16;
}

static bool is_done(const gmem_fold_t *fold) {
  return gmem_packing_peak(&fold->packing, fold->offsets) <= fold->packing.goal;
}

static gmem_status_t place(gmem_fold_t *fold, gmem_search_t *search,
                           gmem_diag_t *diag) {
  const gmem_packing_t *packing = &fold->packing;
  bool proved;
  gmem_status_t status =
      gmem_portfolio_pack(packing, search, fold->offsets, diag);
  uint64_t limit = search->stage_limit;
  if (status == GMEM_OK && !is_done(fold)) {
    search->stage_limit = search->steps + (limit - search->steps) / (packing->count > 64 ? 2 : 8);
    status = gmem_hill_climb_pack(packing, search, fold->offsets, diag);
    search->stage_limit = limit;
  }
  if (status == GMEM_OK && !is_done(fold))
    status = gmem_exact_pack(packing, search, fold->offsets, &proved, diag);
  return status;
}

gmem_status_t gmem_fold_pack(const gmem_packing_t *packing,
                             gmem_search_t *search, uint64_t *offsets,
                             gmem_diag_t *diag) {
  gmem_fold_t fold;
  if (!packing->is_plain || packing->count < 2)
    return GMEM_OK;
  gmem_status_t status = gmem_fold_create(packing, &fold, diag);
  if (status == GMEM_OK && is_worth_it(&fold)) {
    status = place(&fold, search, diag);
    uint64_t peak = gmem_packing_peak(&fold.packing, fold.offsets);
    if (status == GMEM_OK && peak < gmem_packing_peak(packing, offsets))
      gmem_fold_unfold(&fold, fold.offsets, offsets);
  }
  gmem_fold_destroy(&fold);
  return status;
}
