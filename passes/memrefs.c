// memrefs.c - see memrefs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memrefs.h"

static const char *const fates[GMEM_MEMREF_FATE_COUNT] = {
    [GMEM_MEMREF_PLANNED] = "it is planned",
    [GMEM_MEMREF_DYNAMIC] = "its size is not known, nor a bound of it",
    [GMEM_MEMREF_LAYOUT] = "its layout has no static strides",
    [GMEM_MEMREF_ELEMENT] = "its elements have no known size",
    [GMEM_MEMREF_STACK] = "it is on the stack, which allocas=true plans",
    [GMEM_MEMREF_RETURNED] = "it is returned",
    [GMEM_MEMREF_STORED] = "it is stored in memory",
    [GMEM_MEMREF_CALLED] = "it is given to a function that is not known",
    [GMEM_MEMREF_HANDLE] = "something that is no memref is made of it",
    [GMEM_MEMREF_CARRIED] = "several of it may be wanted at once",
    [GMEM_MEMREF_PARALLEL] = "it is in code that runs several times at once",
    [GMEM_MEMREF_FREED] = "what frees it may free what is not planned",
};

const char *gmem_memref_fate_text(gmem_memref_fate_t fate) {
  return fates[fate];
}
