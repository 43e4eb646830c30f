// fold_pinwheel.h - joins the five arms of a pinwheel to one rectangle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_FOLD_PINWHEEL_H_
#define GMEM_PLANNER_FOLD_PINWHEEL_H_

#include "fold_rectangles.h"

// fold_pinwheel.c: joins the five arms of each pinwheel. Returns how many.
uint32_t gmem_fold_pinwheels(gmem_fold_t *fold);

#endif // GMEM_PLANNER_FOLD_PINWHEEL_H_
