// interrupt.c - Ctrl-C: once to stop a search, twice to die.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

// A signal handler has no other way to tell: the one global of the tool.
static atomic_bool was_interrupted;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  atomic_store(&was_interrupted, true);
}

void gmem_interrupt_catch(void) {
  struct sigaction old;
  // SA_RESETHAND: the second one finds the system's own action, which ends the
  // process. SA_RESTART: files are read and written as if nothing were.
  struct sigaction action = {.sa_handler = on_interrupt,
                             .sa_flags = (int)SA_RESETHAND | SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    sigaction(SIGINT, &action, NULL);
}

bool gmem_interrupted(void) { return atomic_load(&was_interrupted); }
