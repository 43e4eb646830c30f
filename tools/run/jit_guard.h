// jit_guard.h - runs untrusted code, such as a compiled program, and turns its
// crashes into errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JIT_GUARD_H_
#define GMEM_TOOLS_JIT_GUARD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GMEM_GUARD_TEXT = 256 };

// Installs the handlers of fatal signals. Call once per process.
void gmem_guard_install(void);

// Allocates and installs a signal stack for this thread; required on each
// thread that runs guarded code, until gmem_guard_end. Returns NULL if out of
// memory.
void *gmem_guard_begin(void);
void gmem_guard_end(void *stack);

// Calls |run|. Returns false, with an explanation in |reason|, if it crashed,
// was stopped by gmem_guard_stop or exceeded |seconds| (0: no limit; only one
// thread at a time may use a limit). Resources held by |run| are then leaked.
bool gmem_guard_run(void (*run)(void *user), void *user, unsigned seconds,
                    char reason[GMEM_GUARD_TEXT]);

// Ends the guarded code of this thread; outside of guarded code, the process.
_Noreturn void gmem_guard_stop(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Records text of the guarded code (puts), which gmem_guard_stop appends to the
// reason.
void gmem_guard_say(const char *text);

#endif // GMEM_TOOLS_JIT_GUARD_H_
