// check_internal.h - what the files of the checker share. None of it is shared
// with the algorithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_INTERNAL_H_
#define GMEM_PLANNER_CHECK_INTERNAL_H_

#endif // GMEM_PLANNER_CHECK_INTERNAL_H_
