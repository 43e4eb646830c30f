// order_allocation_failure_test.c - every allocation fails once: no leak, no
// crash, OUT_OF_MEMORY.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/order_allocation_failure_test

#include <string.h>

#include "failing_heap.h"
#include "order_reference.h"

static gmem_status_t work(const spec_t *spec, gmem_allocator_t *allocator,
                          size_t algorithm) {
  gmem_order_graph_t *graph = NULL;
  gmem_diag_t diag = {0};
  uint32_t order[SPEC_OPS];
  gmem_order_options_t options = {.algorithm =
                                      gmem_order_algorithm_at(algorithm)};
  gmem_status_t status = spec_build(spec, allocator, &graph, &diag);
  if (status == GMEM_OK)
    status = gmem_order_solve(graph, &options, order, NULL, &diag);
  if (status == GMEM_OK)
    status = gmem_order_verify(graph, order, NULL, &diag);
  CHECK(status == GMEM_OK || (status == GMEM_ERR_OUT_OF_MEMORY &&
                              strstr(diag.text, "out of memory")));
  gmem_order_graph_destroy(graph);
  return status;
}

int main(void) {
  uint64_t seed = 11;
  spec_t spec;
  // A graph in which every stage of a search runs: two parts of one, with a
  // gain that the simple orders miss.
  do {
    spec_of_edges(&spec, 12, 0, &seed);
    for (uint32_t b = 1; b < 12; ++b)
      for (uint32_t a = 0; a < b; ++a)
        if (spec_random(&seed) % 12 < 3)
          spec.tensor[a].users |= 1u << b;
    spec_decorate(&spec, &seed);
  } while (spec.reuses < 6);
  for (size_t i = 0; i < gmem_order_algorithm_count(); ++i) {
    gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
    size_t fail_at = 1;
    for (; status != GMEM_OK && fail_at < 100000; ++fail_at) {
      heap_t heap = {.fail_at = fail_at};
      gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
      status = work(&spec, &allocator, i);
      CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    }
    CHECK(status == GMEM_OK && fail_at > 50);
  }
  return CHECK_RESULT();
}
