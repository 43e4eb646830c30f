// interrupt.c - SIGINT: the first one is recorded, the second one ends the
// process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

// A signal handler can only communicate through a global.
static atomic_bool was_interrupted;

// The previous action of SIGINT.
static struct sigaction before;
static bool is_caught;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  atomic_store(&was_interrupted, true);
}

void gmem_interrupt_catch(void) {
  // SA_RESETHAND: the second signal has the default action and ends the
  // process. SA_RESTART: interrupted reads and writes are restarted.
  struct sigaction action = {.sa_handler = on_interrupt,
                             .sa_flags = (int)SA_RESETHAND | SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    is_caught = sigaction(SIGINT, &action, NULL) == 0;
}

void gmem_interrupt_release(void) {
  if (is_caught)
    sigaction(SIGINT, &before, NULL);
  is_caught = false;
}

bool gmem_interrupted(void) { return atomic_load(&was_interrupted); }
