// output.h - the callback that receives text which the planner writes. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_OUTPUT_H_
#define GMEM_PLANNER_OUTPUT_H_

#include "gmem/status.h"

GMEM_BEGIN_C

// Receives |length| bytes of output. A status other than GMEM_OK stops the
// writing function, which returns that status.
typedef gmem_status_t (*gmem_write_fn)(void *user, const char *bytes,
                                       size_t length);

GMEM_END_C
#endif // GMEM_PLANNER_OUTPUT_H_
