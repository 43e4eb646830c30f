// lost_file.c - handles truncation of a mapped file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the weights instead of mapping them would need no signal handler, but
// processes could not share them.

#define _DEFAULT_SOURCE // SIGBUS, siginfo_t

#include "lost_file.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"

// A signal handler receives no context.
static const char *lost_path;

static atomic_flag is_reported = ATOMIC_FLAG_INIT;

static void print(const char *text) {
  ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  (void)ignored;
}

// Async-signal-safe. Discards buffered standard output, which may be based on
// lost bytes.
static void on_lost(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code <= 0) { // sent by a process: default action
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  // Several threads may fault at once; only one prints.
  while (atomic_flag_test_and_set(&is_reported))
    pause();
  print("gmem-run: error: ");
  print(lost_path);
  print(": mapped bytes are no longer accessible: the file was truncated or "
        "cannot be read\n");
  _exit(GMEM_EXIT_PROBLEM);
}

void gmem_lost_file_catch(const char *path) {
  struct sigaction action = {.sa_sigaction = on_lost, .sa_flags = SA_SIGINFO};
  lost_path = path;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}
