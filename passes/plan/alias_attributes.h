// alias_attributes.h - the aliases that a plan uses, as gmem.alias attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_ATTRIBUTES_H_
#define GMEM_PASSES_ALIAS_ATTRIBUTES_H_

#include "plan_attributes.h"
#include "sharing_finder.h"

// Returns whether |places|, one per value, has the child at the alias's offset
// in the parent.
bool gmem_alias_holds(const gmem_alias_t *alias,
                      const gmem_value_place_t *places);

// Sets |*out_attributes| to gmem.alias of each op of the program: the aliases
// that hold in |places|, and inserts that go on with a chain; null without any.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_aliases_attributes(const gmem_liveness_t *liveness,
                                      const gmem_aliases_t *aliases,
                                      const gmem_value_place_t *places,
                                      gmem_bump_t *arena,
                                      MlirAttribute **out_attributes,
                                      gmem_diag_t *diag);

// Checks that gmem.alias lists exactly the aliases that hold. Fails with
// OUT_OF_MEMORY or, reported at the op, CORRUPT.
gmem_status_t gmem_aliases_verify(const gmem_liveness_t *liveness,
                                  const gmem_aliases_t *aliases,
                                  const gmem_value_place_t *places,
                                  gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIAS_ATTRIBUTES_H_
