// op_texts.h - the text of each op of a plan that is shown, and its operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_OP_TEXTS_H_
#define GMEM_TOOLS_OP_TEXTS_H_

#include "gmem/passes.h"
#include "shown_plan.h"

// The storage of texts and operands of the ops of a shown plan.
// Zero-initialise.
typedef struct gmem_op_texts_s {
  char *text;
  size_t length, room; // of |text|
  uint32_t *operands;
} gmem_op_texts_t;

// Sets the texts and operands of plan->ops, which are the spans of |planned|,
// unless there are more than 10,000. Removes the gmem.* attributes of the ops:
// the page shows what they say. Call gmem_op_texts_free in any case, when the
// plan is not used any more. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_op_texts_fill(const gmem_planned_t *planned,
                                               gmem_shown_plan_t *plan,
                                               gmem_op_texts_t *texts,
                                               gmem_diag_t *diag);
void gmem_op_texts_free(gmem_op_texts_t *texts);

#endif // GMEM_TOOLS_OP_TEXTS_H_
