// merge_pinwheel.h - joins the five arms of a pinwheel to one rectangle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_MERGE_PINWHEEL_H_
#define GMEM_PLANNER_MERGE_PINWHEEL_H_

#include "merge_rectangles.h"

// merge_pinwheel.c: joins the five arms of each pinwheel. Returns how many.
uint32_t gmem_merge_pinwheels(gmem_merge_t *merge);

#endif // GMEM_PLANNER_MERGE_PINWHEEL_H_
