// tools_interrupt_test.c - one Ctrl-C is remembered, the second ends the
// process, and none is caught where they are ignored,
// or no longer.
// RUN: %unit/tools_interrupt_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// Raises |count| interrupts in a process of its own, where before they were
// handled by |before|. Returns how it ended, as waitpid tells it; its exit
// status is whether an interrupt was noticed.
static int interrupt(int count, void (*before)(int)) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, before);
    gmem_interrupt_catch();
    for (int i = 0; i < count; ++i)
      raise(SIGINT);
    _exit(gmem_interrupted());
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return status;
}

// Raises an interrupt while they are caught and one after. Returns as above.
static int interrupt_released(void (*before)(int)) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, before);
    gmem_interrupt_catch();
    if (before != SIG_IGN)
      raise(SIGINT);
    gmem_interrupt_release();
    raise(SIGINT);
    _exit(gmem_interrupted());
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return status;
}

static void ignore_one(int number) { (void)number; }

static bool exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

int main(void) {
  CHECK(exited_with(interrupt(0, SIG_DFL), 0));
  CHECK(exited_with(interrupt(1, SIG_DFL), 1));
  int status = interrupt(2, SIG_DFL);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  CHECK(exited_with(interrupt(2, SIG_IGN), 0));
  status = interrupt_released(SIG_DFL);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  CHECK(exited_with(interrupt_released(SIG_IGN), 0));
  CHECK(exited_with(interrupt_released(ignore_one), 1));
  return CHECK_RESULT();
}
