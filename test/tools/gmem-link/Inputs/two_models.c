// two_models.c - runs two generated models in the memory that gmem-link has
// made for both: one after the other, or op by op in turns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _XOPEN_SOURCE 700 // ucontext.h

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "a.h"
#include "b.h"
#include "shared_memory.h"

_Alignas(SHARED_TENSORS_WORKSPACE_ALIGNMENT) static uint8_t
    shared[SHARED_TENSORS_WORKSPACE_SIZE];
_Alignas(A_TENSORS_WORKSPACE_ALIGNMENT) static uint8_t
    own_a[A_TENSORS_WORKSPACE_SIZE];
_Alignas(B_TENSORS_WORKSPACE_ALIGNMENT) static uint8_t
    own_b[B_TENSORS_WORKSPACE_SIZE];

static uint8_t input_a[A_MAIN_ARG0_SIZE], input_b[B_MAIN_ARG0_SIZE];

// Who runs: each op of a model lets the other go on.
static ucontext_t back, fibers[2];
static int is_in_turns, is_done[2], current;

static void give_turn(void) {
  int other = 1 - current;
  if (!is_in_turns || is_done[other])
    return;
  int self = current;
  current = other;
  swapcontext(&fibers[self], &fibers[other]);
}

// Something that depends on every byte of the inputs, and on the op.
static int32_t compute(const uint8_t *left, const uint8_t *right, uint8_t *out,
                       size_t size, uint32_t factor) {
  give_turn();
  for (size_t i = 0; i < size; ++i)
    out[i] = (uint8_t)(left[i] + factor * right[i] + 1u);
  return 0;
}

#define OPERATOR(model, op, factor)                                            \
  int32_t model##_op_tosa_##op(const model##_call *call, void *user) {         \
    (void)user;                                                                \
    return compute(call->inputs[0].data, call->inputs[1].data,                 \
                   call->outputs[0].data, call->outputs[0].size, factor);      \
  }
OPERATOR(a, add, 3)
OPERATOR(a, sub, 5)
OPERATOR(b, add, 3)
OPERATOR(b, sub, 5)

static int run_a(uint8_t *workspace, uint8_t *out) {
  return a_run(&(a_inputs){input_a}, &(a_outputs){out},
               &(a_workspaces){workspace}, NULL);
}

static int run_b(uint8_t *workspace, uint8_t *out) {
  return b_run(&(b_inputs){input_b}, &(b_outputs){out},
               &(b_workspaces){workspace}, NULL);
}

static uint8_t want_a[A_MAIN_ARG0_SIZE], want_b[B_MAIN_ARG0_SIZE];
static uint8_t got_a[A_MAIN_ARG0_SIZE], got_b[B_MAIN_ARG0_SIZE];

static void shared_a(void) {
  (void)run_a(shared + SHARED_A_TENSORS_WORKSPACE_OFFSET, got_a);
}

static void shared_b(void) {
  (void)run_b(shared + SHARED_B_TENSORS_WORKSPACE_OFFSET, got_b);
}

static void fiber(void) {
  int self = current;
  self == 0 ? shared_a() : shared_b();
  is_done[self] = 1;
  current = 1 - self;
  setcontext(is_done[current] ? &back : &fibers[current]);
}

static void run_in_turns(void) {
  static uint8_t stacks[2][1 << 16];
  for (int i = 0; i < 2; ++i) {
    getcontext(&fibers[i]);
    fibers[i].uc_stack.ss_sp = stacks[i];
    fibers[i].uc_stack.ss_size = sizeof stacks[i];
    makecontext(&fibers[i], fiber, 0);
  }
  is_in_turns = 1;
  current = 0;
  swapcontext(&back, &fibers[0]);
}

static int compare(void) {
  int good = memcmp(want_a, got_a, sizeof want_a) == 0 &&
             memcmp(want_b, got_b, sizeof want_b) == 0;
  memset(got_a, 0, sizeof got_a);
  memset(got_b, 0, sizeof got_b);
  return good;
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof input_a; ++i)
    input_a[i] = (uint8_t)(7 * i);
  for (size_t i = 0; i < sizeof input_b; ++i)
    input_b[i] = (uint8_t)(11 * i + 5);
  if (run_a(own_a, want_a) || run_b(own_b, want_b))
    return 2;
  int good = 1;
  if (argc == 2 && strcmp(argv[1], "turns") == 0) {
    run_in_turns();
    good = compare();
  } else {
    for (int i = 0; i < 3; ++i) {
      shared_a();
      shared_b();
      good &= compare();
    }
  }
  printf("%s\n", good ? "equal" : "different");
  return 0;
}
