// rank_passes.h - the passes for programs on several ranks; their contracts are
// at the top of their source files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_RANK_PASSES_H_
#define GMEM_PASSES_RANK_PASSES_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_check_sharding, gmem_simplify_partition, gmem_remove_sharding,
    gmem_lower_messages, gmem_expand_collectives, gmem_constants_to_arguments;

extern const char *const gmem_message_dialects[];
extern const char *const gmem_collective_dialects[];

#endif // GMEM_PASSES_RANK_PASSES_H_
