// interrupt.h - Ctrl-C: once to stop a search, twice to die.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_INTERRUPT_H_
#define GMEM_TOOLS_INTERRUPT_H_

#include <stdbool.h>

// From now on the first SIGINT is remembered and the second ends the process.
// Where SIGINT is ignored (a job in the background) it stays so.
void gmem_interrupt_catch(void);

// SIGINT does again what it did before. A caught one stays remembered.
void gmem_interrupt_release(void);

// Whether there was one.
bool gmem_interrupted(void);

#endif // GMEM_TOOLS_INTERRUPT_H_
