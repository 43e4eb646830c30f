// jit_guard.c - runs untrusted code and turns crashes into errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // sigaltstack, SIGBUS

#include "jit_guard.h"

#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK = 64 * 1024 };

typedef struct guard_s {
  sigjmp_buf back;
  char *reason;
  char said[GMEM_GUARD_TEXT / 2];
  struct guard_s *outer;
} guard_t;

// Signal handlers and functions called by compiled code receive no context.
static _Thread_local guard_t *current;

static const struct {
  int number;
  const char *text;
} signals[] = {
    {SIGSEGV, "invalid memory access (SIGSEGV)"},
    {SIGBUS, "access to unmapped or misaligned memory (SIGBUS)"},
    {SIGFPE, "arithmetic error, such as division by zero (SIGFPE)"},
    {SIGILL, "illegal instruction (SIGILL)"},
    {SIGALRM, "time limit exceeded"},
};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static const char *text_of(int number) {
  for (int i = 0; i < SIGNALS; ++i)
    if (signals[i].number == number)
      return signals[i].text;
  return "a signal";
}

static void on_signal(int number) {
  guard_t *guard = current;
  if (!guard) { // not in guarded code: default action
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  // Only async-signal-safe operations.
  const char *text = text_of(number);
  assert(strlen(text) < GMEM_GUARD_TEXT);
  memcpy(guard->reason, text, strlen(text) + 1);
  siglongjmp(guard->back, 1);
}

void gmem_guard_install(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < SIGNALS; ++i)
    sigaction(signals[i].number, &action, NULL);
}

void *gmem_guard_begin(void) {
  stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
  if (stack.ss_sp)
    sigaltstack(&stack, NULL);
  return stack.ss_sp;
}

void gmem_guard_end(void *stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  if (stack)
    sigaltstack(&none, NULL);
  free(stack);
}

bool gmem_guard_run(void (*run)(void *user), void *user, unsigned seconds,
                    char reason[GMEM_GUARD_TEXT]) {
  guard_t guard = {.reason = reason, .outer = current};
  assert(run && reason);
  reason[0] = '\0';
  // Not modified after sigsetjmp, so its value is defined after siglongjmp.
  const unsigned limit = seconds;
  volatile bool ended = false; // modified after sigsetjmp
  if (sigsetjmp(guard.back, 1) == 0) {
    current = &guard;
    if (limit)
      alarm(limit);
    run(user);
    ended = true;
  }
  if (limit)
    alarm(0);
  current = guard.outer;
  return ended;
}

void gmem_guard_stop(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!current) {
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
  }
  int used = vsnprintf(current->reason, GMEM_GUARD_TEXT, format, arguments);
  va_end(arguments);
  if (current->said[0] && used >= 0 && used < GMEM_GUARD_TEXT)
    snprintf(current->reason + used, (size_t)(GMEM_GUARD_TEXT - used), ": %s",
             current->said);
  siglongjmp(current->back, 1);
}

void gmem_guard_say(const char *text) {
  if (current)
    snprintf(current->said, sizeof current->said, "%s", text);
}
