// c_states.c - decodes with generated C: the caches of keys and values are
// states of the model. Each step is compared with caches in arrays. GIVEN: two
// conversations take turns, each in a workspace of its own; MAPPED: inputs and
// outputs are in the workspace; FORGET: the model is not reset between two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "net.h"

enum { CHANNELS = 8, TOKENS = 16, STEPS = 4 };

//===--- operators --------------------------------------------------------===//

static void project(const float *token, float factor, float *out) {
  for (int i = 0; i < CHANNELS; ++i)
    out[i] = factor * token[i] + token[(i + 1) % CHANNELS];
}

static void score(const float *token, const float *keys, int at, float *out) {
  for (int t = 0; t <= at; ++t) {
    out[t] = 0;
    for (int i = 0; i < CHANNELS; ++i)
      out[t] += token[i] * keys[t * CHANNELS + i];
  }
}

static void mix(const float *scores, const float *values, int at, float *out) {
  for (int i = 0; i < CHANNELS; ++i) {
    out[i] = 0;
    for (int t = 0; t <= at; ++t)
      out[i] += scores[t] * values[t * CHANNELS + i];
  }
}

static const float *input(const net_call *call, int number) {
  return (const float *)(const void *)call->inputs[number].data;
}

static float *output(const net_call *call) {
  return (float *)(void *)call->outputs[0].data;
}

static int position(const net_call *call) {
  int at;
  memcpy(&at, call->inputs[2].data, sizeof at);
  return at;
}

int32_t net_op_npu_project(const net_call *call, void *user) {
  (void)user;
  project(input(call, 0), call->number == 0 ? 0.5f : 0.25f, output(call));
  return 0;
}

// The cache is the output already.
int32_t net_op_npu_append(const net_call *call, void *user) {
  (void)user;
  if (call->inputs[0].data != call->outputs[0].data)
    return 1;
  memcpy(output(call) + position(call) * CHANNELS, input(call, 1),
         CHANNELS * sizeof(float));
  return 0;
}

int32_t net_op_npu_scores(const net_call *call, void *user) {
  (void)user;
  score(input(call, 0), input(call, 1), position(call), output(call));
  return 0;
}

// Fails at the position that |user| points to.
int32_t net_op_npu_mix(const net_call *call, void *user) {
  if (user && *(int *)user == position(call))
    return 7;
  mix(input(call, 0), input(call, 1), position(call), output(call));
  return 0;
}

//===--- calls of the model -----------------------------------------------===//

#ifdef GIVEN
static _Alignas(NET_TENSORS_WORKSPACE_ALIGNMENT)
    uint8_t memory[2][NET_TENSORS_WORKSPACE_SIZE];
static const net_workspaces workspaces[] = {{memory[0]}, {memory[1]}};
#define TAKE(talk) &workspaces[talk]
#define AND_TAKE(talk) &workspaces[talk],
#else
#define TAKE(talk)
#define AND_TAKE(talk)
#endif

static int32_t step(int talk, const float *token, int at, void *user,
                    float *out) {
  (void)talk;
#ifdef MAPPED
  net_inputs inputs = net_map_inputs(TAKE(talk));
  memcpy(inputs.token, token, NET_TOKEN_SIZE);
  memcpy(inputs.at, &at, NET_AT_SIZE);
  int32_t status = net_run(AND_TAKE(talk) user);
  memcpy(out, net_map_outputs(TAKE(talk)).mixed, NET_MIXED_SIZE);
  int32_t cleared = net_clear(TAKE(talk));
  return status ? status : cleared;
#else
  const net_inputs inputs = {(const uint8_t *)token, (const uint8_t *)&at};
  const net_outputs outputs = {(uint8_t *)out};
  return net_run(&inputs, &outputs, AND_TAKE(talk) user);
#endif
}

// Whether all that is sensitive is zero; known only of memory that is given.
static int is_clear(int talk) {
  int is_zero = 1;
  (void)talk;
#ifdef GIVEN
  for (size_t i = 0; i < NET_SCORES_SIZE; ++i)
    is_zero &= memory[talk][NET_SCORES_OFFSET + i] == 0;
#endif
  return is_zero;
}

//===--- conversations ----------------------------------------------------===//

typedef struct talk_s {
  float keys[TOKENS * CHANNELS], values[TOKENS * CHANNELS];
} talk_t;

// A step of conversation |number|: whether it is that of the arrays.
static int compare_step(talk_t *talk, int number, int at) {
  float token[CHANNELS], scores[TOKENS], expected[CHANNELS], got[CHANNELS];
  for (int k = 0; k < CHANNELS; ++k)
    token[k] = (float)((number * 7 + at * 3 + k * 5) % 11) - 5;
  project(token, 0.5f, talk->keys + at * CHANNELS);
  project(token, 0.25f, talk->values + at * CHANNELS);
  score(token, talk->keys, at, scores);
  mix(scores, talk->values, at, expected);
  int32_t status = step(number % 2, token, at, NULL, got);
  return status == NET_OK && is_clear(number % 2) &&
         memcmp(got, expected, sizeof got) == 0;
}

// Begins a conversation. The second one of a pair reads two rows that it has
// not written.
static int begin(int number) {
  int32_t status = NET_OK;
#ifndef FORGET
  status = net_reset(TAKE(number));
#endif
  (void)number;
  return status == NET_OK;
}

int main(void) {
  int equal = 0, fails_at = 0;
  float token[CHANNELS] = {1}, got[CHANNELS];
  for (int pair = 0; pair < 2; ++pair) {
    talk_t talks[2] = {{{0}, {0}}, {{0}, {0}}};
#ifdef GIVEN
    if (!begin(0) || !begin(1))
      return 1;
    for (int at = 0; at < STEPS; ++at)
      for (int number = 0; number < 2; ++number)
        equal += compare_step(&talks[number], number, 2 * number + at);
#else
    for (int number = 0; number < 2; ++number) {
      if (!begin(number))
        return 1;
      for (int at = 0; at < STEPS; ++at)
        equal += compare_step(&talks[number], number, 2 * number + at);
    }
#endif
  }
  printf("%d of %d steps as expected\n", equal, 4 * STEPS);
  int32_t status = step(0, token, 0, &fails_at, got);
  printf("a step that fails: %d, %s\n", (int)status,
         is_clear(0) ? "nothing sensitive left" : "scores are left");
  return 0;
}
