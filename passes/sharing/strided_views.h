// strided_views.h - values that can be parts of a tensor along an inner axis:
// slices and operands of concatenations whose ops take strides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part without gaps needs nothing of the ops that use it
// (subtensor_views.h). One with gaps is laid out otherwise than its type says,
// so that every op that makes or reads it must take strides
// (strided_operands, strided_results in its model), and the layout is settled
// before the planner chooses: gmem.strides on the op that makes it. Its buffer
// is that of the rows of the tensor which it has elements in, as a whole.

#ifndef GMEM_PASSES_STRIDED_VIEWS_H_
#define GMEM_PASSES_STRIDED_VIEWS_H_

#include "padded_layout.h"
#include "sharing_finder.h"

typedef struct gmem_strided_part_s {
  gmem_alias_t alias; // a slice or a concat; child: the part
  gmem_strides_t strides;
} gmem_strided_part_t;

typedef GMEM_LIST(gmem_strided_part_t) gmem_strided_parts_t;

// Appends the operands or the result of op |op| that are parts with gaps of the
// other, by their types and the layout of the tensor alone. When memory is out
// it appends none, to be seen by gmem_bump_status.
void gmem_strided_parts_at(const gmem_liveness_t *liveness, uint32_t op,
                           gmem_bump_t *arena, gmem_strided_parts_t *parts);

// Whether gmem.strides lays out the part as such.
bool gmem_strided_part_is_stated(const gmem_liveness_t *liveness,
                                 const gmem_strided_part_t *part);

// Lists the values that can be views with strides, each once. None is a part of
// another one. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_strided_views_find(const gmem_liveness_t *liveness,
                                      const gmem_model_options_t *options,
                                      gmem_bump_t *arena,
                                      gmem_strided_parts_t *out_parts,
                                      gmem_diag_t *diag);

// Checks that every value with gmem.strides can be such a view, whatever the
// options. Fails with OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT.
gmem_status_t gmem_strided_views_check(const gmem_liveness_t *liveness,
                                       gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_STRIDED_VIEWS_H_
