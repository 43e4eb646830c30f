// sweep_window.h - the window of a repair: the items live around a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_WINDOW_H_
#define GMEM_PLANNER_SWEEP_WINDOW_H_

#include "repair_window.h"

// sweep_window.c: the tree of ends, which finds the items live at a time: its
// size, then its values.
void gmem_repair_size_tree(gmem_repair_t *repair);

void gmem_repair_fill_tree(gmem_repair_t *repair);

// A lower bound, from whole nodes of the tree, on how many items before number
// |position| of by_begin end at or before |section|.
uint32_t gmem_repair_skip_ended(const gmem_repair_t *repair, uint32_t position,
                                uint32_t section);

// Makes a window around |item| in which about |count| items begin. False when
// it would have too many items.
bool gmem_repair_open_window(gmem_repair_t *repair, uint32_t item,
                             uint32_t count);

// The highest end of the free items of the window.
uint64_t gmem_repair_window_peak(const gmem_repair_t *repair);

#endif // GMEM_PLANNER_SWEEP_WINDOW_H_
