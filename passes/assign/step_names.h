// step_names.h - names of ops and arguments that outlast the printing of the
// program without locations: gmem.name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_STEP_NAMES_H_
#define GMEM_PASSES_STEP_NAMES_H_

#include "analysis.h"
#include "plan_attributes.h"

// Sets gmem.name on every op that has a place, of a result or a workbuffer, and
// on every argument that has one, unless it is there: the name of its location,
// or an attribute such as "name" or "onnx_node_name". Names are unique in the
// scope, as identifiers of generated C as well ("a/b" and "a_b" are one): a
// number is appended to those that are taken. What has neither stays without.
// |places|: by value. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_step_names_write(const gmem_analysis_t *analysis,
                                    const gmem_value_place_t *places,
                                    gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_STEP_NAMES_H_
