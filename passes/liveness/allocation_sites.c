// allocation_sites.c - lookup of allocation sites by value, and the texts of
// reasons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "allocation_sites.h"

#include <assert.h>

#include "partition_point.h"

// Per reason: the clause, the text of the note at the cause, and what would
// help, if anything is known.
static const struct {
  const char *reason, *cause, *help;
} texts[GMEM_UNPLANNED_COUNT] = {
    [GMEM_MEMREF_PLANNED] = {"it is planned", "", NULL},
    [GMEM_MEMREF_UNWANTED] = {"planning of memrefs is disabled (memrefs=false)",
                              "", NULL},
    [GMEM_MEMREF_DYNAMIC] = {"its size is dynamic and has no known bound", "",
                             "dynamic-bound= bounds it"},
    [GMEM_MEMREF_LAYOUT] = {"its layout has no static, non-negative strides",
                            "", "MLIR's normalize-memrefs makes it plain"},
    [GMEM_MEMREF_ELEMENT] = {"its element type has no known size", "", NULL},
    [GMEM_MEMREF_STACK] =
        {"it is a stack allocation (allocas=true plans these)", "", NULL},
    [GMEM_MEMREF_RETURNED] = {"it is returned", "returned here",
                              "MLIR's buffer-results-to-out-params{"
                              "hoist-static-allocs=true} has the caller "
                              "allocate it"},
    [GMEM_MEMREF_STORED] = {"it is stored in memory", "stored here", NULL},
    [GMEM_MEMREF_CALLED] = {"it is passed to an unknown function",
                            "called here",
                            "a body of the function, or its inlining"},
    [GMEM_MEMREF_HANDLE] = {"it escapes through a value that is not a memref",
                            "escapes here", NULL},
    [GMEM_MEMREF_KEPT] = {"an op may go on accessing it after its step",
                          "by this op, which nothing is known to wait for",
                          NULL},
    [GMEM_MEMREF_CARRIED] = {"several instances of it may be live at once",
                             "an earlier instance is still live here", NULL},
    [GMEM_MEMREF_LAPPED] =
        {"a stream may still access it when it is allocated again",
         "this may still run then: nothing synchronizes with it in between",
         "a gmem.wait before that"},
    [GMEM_MEMREF_FUNCTION] = {"its function is not a func.func", "", NULL},
    [GMEM_MEMREF_PARALLEL] =
        {"it is in code that may run concurrently with itself",
         "this may run concurrently with itself", NULL},
    [GMEM_MEMREF_FREED] =
        {"a deallocation of it may also free memory that is not planned",
         "freed here", NULL},
};

const char *gmem_unplanned_text(gmem_unplanned_t reason) {
  assert(reason < GMEM_UNPLANNED_COUNT);
  return texts[reason].reason;
}

const char *gmem_unplanned_cause_text(gmem_unplanned_t reason) {
  assert(reason < GMEM_UNPLANNED_COUNT);
  return texts[reason].cause;
}

const char *gmem_unplanned_help_text(gmem_unplanned_t reason) {
  assert(reason < GMEM_UNPLANNED_COUNT);
  return texts[reason].help;
}

static bool site_is_less(const void *site, const void *value) {
  return ((const gmem_allocation_site_t *)site)->value <
         *(const uint32_t *)value;
}

const gmem_allocation_site_t *
gmem_allocation_site_of(const gmem_memrefs_t *memrefs, uint32_t value) {
  size_t i = gmem_partition_point(&value, memrefs->sites, memrefs->site_count,
                                  sizeof *memrefs->sites, site_is_less);
  return i < memrefs->site_count && memrefs->sites[i].value == value
             ? &memrefs->sites[i]
             : NULL;
}
