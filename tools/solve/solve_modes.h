// solve_modes.h - what gmem-solve does, one function each. They print, and
// return the exit status.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_MODES_H_
#define GMEM_TOOLS_SOLVE_MODES_H_

#endif // GMEM_TOOLS_SOLVE_MODES_H_
