// check_index_width.h - the pass gmem-check-index-width; its contract is at
// the top of its source file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CHECK_INDEX_WIDTH_H_
#define GMEM_PASSES_CHECK_INDEX_WIDTH_H_

#include "gmem/passes.h"
#include "gmem/status.h"

gmem_status_t gmem_check_index_width(MlirOperation top,
                                     const gmem_plan_options_t *options,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_CHECK_INDEX_WIDTH_H_
