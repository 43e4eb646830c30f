// aliases.c - see aliases.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "aliases.h"

gmem_status_t gmem_aliases_find(const gmem_liveness_t *liveness,
                                const gmem_model_options_t *options,
                                gmem_arena_t *arena,
                                gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag) {
  (void)liveness;
  (void)options;
  (void)arena;
  (void)diag;
  *out_aliases = (gmem_aliases_t){NULL, 0, 0};
  return GMEM_OK;
}
