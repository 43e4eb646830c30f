// lost_file.c - a mapped file that becomes shorter while it is in use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the weights instead of mapping them would need no signal, but then
// processes would not share them.

#define _DEFAULT_SOURCE // SIGBUS, siginfo_t

#include "lost_file.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "run_messages.h"

// A signal handler has no other way to know it.
static const char *lost_path;

static atomic_flag told = ATOMIC_FLAG_INIT;

static void say(const char *text) {
  ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  (void)ignored;
}

// Does only what is safe in a handler: what standard output was still to get
// is lost, as none of it can be relied on.
static void on_lost(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code <= 0) { // somebody has sent it: die of it
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  // Several threads may miss the bytes at once: one of them tells.
  while (atomic_flag_test_and_set(&told))
    pause();
  say("gmem-run: error: ");
  say(lost_path);
  say(": bytes that were mapped are gone: the file has become shorter, or "
      "cannot be read\n");
  _exit(GMEM_RUN_PROBLEM);
}

void gmem_lost_file_catch(const char *path) {
  struct sigaction action = {.sa_sigaction = on_lost, .sa_flags = SA_SIGINFO};
  lost_path = path;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}
