// jit_guard.h - running code that may go wrong, such as a compiled program: a
// crash of it is an error to report, not the end of the tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JIT_GUARD_H_
#define GMEM_TOOLS_JIT_GUARD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GMEM_GUARD_TEXT = 256 };

// Catches the signals of a crash from now on. Once per process.
void gmem_guard_install(void);

// A stack for what is left to do after a crash; one per thread that runs
// guarded code, until gmem_guard_end on that thread. Returns NULL when there is
// no memory.
void *gmem_guard_begin(void);
void gmem_guard_end(void *stack);

// Calls |run|. Returns false when it crashed, was stopped by gmem_guard_stop,
// or took more than |seconds| (0: no limit; only one thread at a time may have
// a limit). |reason| then says why. What |run| held is lost.
bool gmem_guard_run(void (*run)(void *user), void *user, unsigned seconds,
                    char reason[GMEM_GUARD_TEXT]);

// Ends the guarded code of this thread; outside of any, the process.
_Noreturn void gmem_guard_stop(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Text that the guarded code wanted to print before it stops.
void gmem_guard_say(const char *text);

#endif // GMEM_TOOLS_JIT_GUARD_H_
