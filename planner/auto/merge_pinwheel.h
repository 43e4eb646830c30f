// merge_pinwheel.h - merges the five rectangles of a pinwheel into one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_MERGE_PINWHEEL_H_
#define GMEM_PLANNER_MERGE_PINWHEEL_H_

#include "merge_rectangles.h"

// merge_pinwheel.c: merges the five rectangles of each pinwheel. Returns the
// number of pinwheels.
uint32_t gmem_merge_pinwheels(gmem_merge_t *merge);

#endif // GMEM_PLANNER_MERGE_PINWHEEL_H_
