// none.c - no reuse: every buffer has bytes of its own, in order of addition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other algorithms are compared with, and how weights are laid out: they
// live as long as the model, so there is nothing to reuse.

#include "cursor.h"

typedef struct none_s {
  const gmem_problem_t *problem;
  gmem_cursors_t cursors;
} none_t;

static bool take_next_bytes(void *state, uint32_t buffer, uint32_t pool,
                            uint64_t *out_offset) {
  none_t *none = state;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(none->problem, buffer);
  gmem_cursor_t *cursor = &none->cursors.pools[pool];
  return gmem_cursor_take(cursor, spec->size,
                          gmem_alignment_in(spec, cursor->pool), out_offset);
}

gmem_status_t gmem_none_run(const gmem_problem_t *problem,
                            gmem_search_t *search, gmem_placement_t *plan,
                            void *user, gmem_diag_t *diag) {
  (void)user;
  none_t none = {.problem = problem};
  gmem_status_t status = gmem_cursors_create(problem, &none.cursors, diag);
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; status == GMEM_OK && i < count; ++i) {
    gmem_search_spend(search, 1);
    status =
        gmem_place_buffer(problem, i, take_next_bytes, &none, &plan[i], diag);
  }
  gmem_cursors_destroy(&none.cursors);
  return status;
}
