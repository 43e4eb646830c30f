// pool_names.h - names of the pools of programs without gmem.memories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOL_NAMES_H_
#define GMEM_PASSES_POOL_NAMES_H_

#define GMEM_POOL_WEIGHTS "weights"

#define GMEM_POOL_TENSORS "tensors"

#define GMEM_POOL_MEMORY "memory" // and "memory.1", ...: memory_spaces.h

#define GMEM_POOL_IO                                                           \
  "io" // and "io.0", "io.1", ...: see placement_constraints.h

// Memory that only functions with gmem.init use: tensors, memrefs of the
// default memory space, constants.
#define GMEM_POOL_INIT "init"
#define GMEM_POOL_INIT_MEMORY "init.memory"
#define GMEM_POOL_INIT_WEIGHTS "init.weights"

#endif // GMEM_PASSES_POOL_NAMES_H_
