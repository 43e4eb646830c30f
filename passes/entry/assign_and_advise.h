// assign_and_advise.h - see assign_and_advise.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ASSIGN_AND_ADVISE_H_
#define GMEM_PASSES_ASSIGN_AND_ADVISE_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_assign_and_advise;

#endif // GMEM_PASSES_ASSIGN_AND_ADVISE_H_
