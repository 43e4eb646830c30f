// interrupt.h - SIGINT: the first one is recorded, the second one ends the
// process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_INTERRUPT_H_
#define GMEM_TOOLS_INTERRUPT_H_

#include <stdbool.h>

// Starts recording: the first SIGINT is recorded, the second one ends the
// process. Does nothing if SIGINT is ignored (background jobs).
void gmem_interrupt_catch(void);

// Restores the previous action of SIGINT. A recorded SIGINT stays recorded.
void gmem_interrupt_release(void);

// Whether a SIGINT was recorded.
bool gmem_interrupted(void);

#endif // GMEM_TOOLS_INTERRUPT_H_
