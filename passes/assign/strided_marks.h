// strided_marks.h - gmem.strides of a scope: which values are laid out as views
// with strides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_STRIDED_MARKS_H_
#define GMEM_PASSES_STRIDED_MARKS_H_

#include "plan_attributes.h"
#include "strided_views.h"

// Removes those of an earlier plan.
void gmem_strided_marks_clear(MlirOperation scope);

// Writes those of the parts. When memory is out it writes none, to be seen by
// gmem_bump_status.
void gmem_strided_marks_write(const gmem_program_t *program,
                              const gmem_strided_parts_t *parts,
                              gmem_bump_t *arena);

// Removes from the list the parts that |places|, by value, has elsewhere than
// in their tensors.
void gmem_strided_parts_keep(gmem_strided_parts_t *parts,
                             const gmem_live_value_t *live,
                             const gmem_value_place_t *places);

#endif // GMEM_PASSES_STRIDED_MARKS_H_
