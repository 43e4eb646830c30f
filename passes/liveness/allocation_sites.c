// allocation_sites.c - allocation sites of memrefs by value, and the texts of
// reasons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "allocation_sites.h"

static const char *const reasons[GMEM_MEMREF_FATE_COUNT] = {
    [GMEM_MEMREF_PLANNED] = "it is planned",
    [GMEM_MEMREF_UNWANTED] = "memrefs are not to be planned",
    [GMEM_MEMREF_DYNAMIC] = "its size is not known, nor a bound of it",
    [GMEM_MEMREF_LAYOUT] = "its layout has no static strides",
    [GMEM_MEMREF_ELEMENT] = "its elements have no known size",
    [GMEM_MEMREF_STACK] = "it is on the stack, which allocas=true plans",
    [GMEM_MEMREF_RETURNED] = "it is returned",
    [GMEM_MEMREF_STORED] = "it is stored in memory",
    [GMEM_MEMREF_CALLED] = "it is given to a function that is not known",
    [GMEM_MEMREF_HANDLE] = "something that is no memref is made of it",
    [GMEM_MEMREF_CARRIED] = "several of it may be wanted at once",
    [GMEM_MEMREF_LAPPED] =
        "a stream may still use it when it is allocated again",
    [GMEM_MEMREF_FUNCTION] = "it is in a function that is no func.func",
    [GMEM_MEMREF_PARALLEL] = "it is in code that may run several times at once",
    [GMEM_MEMREF_FREED] = "what frees it may free what is not planned",
};

static const char *const cause[GMEM_MEMREF_FATE_COUNT] = {
    [GMEM_MEMREF_PLANNED] = "",
    [GMEM_MEMREF_UNWANTED] = "",
    [GMEM_MEMREF_DYNAMIC] = "",
    [GMEM_MEMREF_LAYOUT] = "",
    [GMEM_MEMREF_ELEMENT] = "",
    [GMEM_MEMREF_STACK] = "",
    [GMEM_MEMREF_RETURNED] = "returned here",
    [GMEM_MEMREF_STORED] = "stored here",
    [GMEM_MEMREF_CALLED] = "called here",
    [GMEM_MEMREF_HANDLE] = "made here",
    [GMEM_MEMREF_CARRIED] = "one of before is still wanted by this name",
    [GMEM_MEMREF_LAPPED] = "what may still run: nothing waits for it in time",
    [GMEM_MEMREF_FUNCTION] = "",
    [GMEM_MEMREF_PARALLEL] = "what may run several times at once",
    [GMEM_MEMREF_FREED] = "freed here",
};

const char *gmem_unplanned_text(gmem_unplanned_t reason) {
  return reasons[reason];
}

const char *gmem_unplanned_cause_text(gmem_unplanned_t reason) {
  return cause[reason];
}

size_t gmem_allocation_sites_from(const gmem_memrefs_t *memrefs,
                                  uint32_t value) {
  size_t low = 0, high = memrefs->root_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (memrefs->roots[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const gmem_allocation_site_t *
gmem_allocation_site_of(const gmem_memrefs_t *memrefs, uint32_t value) {
  size_t i = gmem_allocation_sites_from(memrefs, value);
  return i < memrefs->root_count && memrefs->roots[i].value == value
             ? &memrefs->roots[i]
             : NULL;
}
