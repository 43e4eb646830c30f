// assign_and_advise.c - gmem-assign-tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires, produces: as assign_tensors.c.
// fails:    as assign_tensors.c. Where no plan fits the capacities, remarks
//           name changes with which one does: each was planned and verified on
//           a copy.

#include "assign_and_advise.h"

#include "assign_passes.h"
#include "report.h"

gmem_status_t gmem_assign_and_advise(MlirOperation top,
                                     const gmem_plan_options_t *options,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag) {
  gmem_status_t status = gmem_assign_tensors(top, options, allocator, diag);
  // That no plan fits is known; memory that is out during the search for
  // advice says no more.
  if (status == GMEM_ERR_OVER_BUDGET && !options->quiet)
    (void)gmem_report_fitting(top, options, allocator);
  return status;
}
