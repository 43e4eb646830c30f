// llvm_passes.h - the passes of the lowering; their contracts are at the top of
// their source files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LLVM_PASSES_H_
#define GMEM_PASSES_LLVM_PASSES_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_alias_scopes, gmem_align_arguments, gmem_check_index_width,
    gmem_remove_op_models, gmem_check_memory_spaces, gmem_check_transforms;

#endif // GMEM_PASSES_LLVM_PASSES_H_
