// alias_attributes.h - which aliases a plan has taken, as attributes of the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_ATTRIBUTES_H_
#define GMEM_PASSES_ALIAS_ATTRIBUTES_H_

#include "plan_attributes.h"
#include "sharing_finder.h"

// Whether |places|, one per value, put the child where the alias says.
bool gmem_alias_holds(const gmem_alias_t *alias,
                      const gmem_value_place_t *places);

// Writes gmem.alias to every op at which an alias holds, and removes it from
// all others. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_aliases_write(const gmem_program_t *program,
                                 const gmem_aliases_t *aliases,
                                 const gmem_value_place_t *places,
                                 gmem_bump_t *arena, gmem_diag_t *diag);

// Compares what the ops state with what holds. Fails with CORRUPT, reported at
// the op.
gmem_status_t gmem_aliases_verify(const gmem_program_t *program,
                                  const gmem_aliases_t *aliases,
                                  const gmem_value_place_t *places,
                                  gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIAS_ATTRIBUTES_H_
