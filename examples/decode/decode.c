// decode.c IMAGE - decodes token by token in the memory of a plan. The caches
// are states, kept in one lease from step to step; each conversation has a
// lease of its own. What the plan computes is compared with caches in arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "gmem/runtime.h"

enum { CHANNELS = 8, TOKENS = 16 };

//===--- kernels ----------------------------------------------------------===//

static void project(const float *token, float factor, float *out) {
  for (int i = 0; i < CHANNELS; ++i)
    out[i] = factor * token[i] + token[(i + 1) % CHANNELS];
}

static void append(float *cache, const float *row, int at) {
  memcpy(cache + at * CHANNELS, row, CHANNELS * sizeof *row);
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

//===--- a step in planned memory -----------------------------------------===//

// Marks the step at which the op |name| runs, for pools that check.
static void begin(gmem_lease_t *lease, const gmem_plan_t *plan,
                  const char *name) {
  gmem_lease_begin_op(lease, gmem_plan_find_op(plan, name));
}

static void *at_buffer(gmem_lease_t *lease, const gmem_plan_t *plan,
                       const char *name) {
  void *host = NULL;
  (void)gmem_lease_host(lease, gmem_plan_find(plan, name), &host);
  return host; // NULL: there is none of this name
}

static int run_step(gmem_lease_t *lease, const gmem_plan_t *plan,
                    const float *input, int number, float *output) {
  static const char *const names[] = {"token", "at", "keys",   "values",
                                      "k",     "v",  "scores", "mixed"};
  float *of[8];
  for (int i = 0; i < 8; ++i)
    if (!(of[i] = at_buffer(lease, plan, names[i])))
      return 0;
  float *token = of[0], *keys = of[2], *values = of[3];
  begin(lease, plan, "step");
  memcpy(token, input, CHANNELS * sizeof *input);
  memcpy(of[1], &number, sizeof number);
  begin(lease, plan, "k");
  project(token, 0.5f, of[4]);
  begin(lease, plan, "v");
  project(token, 0.25f, of[5]);
  begin(lease, plan, "all_keys");
  append(keys, of[4], number);
  begin(lease, plan, "all_values");
  append(values, of[5], number);
  begin(lease, plan, "scores");
  score(token, keys, number, of[6]);
  begin(lease, plan, "mixed");
  mix(of[6], values, number, of[7]);
  begin(lease, plan, "step/func.return#0");
  memcpy(output, of[7], CHANNELS * sizeof *output);
  return 1;
}

// Between two steps: the other function of the program, in the same slot.
static int run_other(gmem_lease_t *lease, const gmem_plan_t *plan) {
  float *x = at_buffer(lease, plan, "x"), *y = at_buffer(lease, plan, "y");
  if (!x || !y)
    return 0;
  begin(lease, plan, "other");
  memset(x, 0xAB, 512 * sizeof *x);
  begin(lease, plan, "y");
  memset(y, 0xCD, 512 * sizeof *y);
  begin(lease, plan, "other/func.return#0");
  return 1;
}

//===--- conversations ----------------------------------------------------===//

// Steps of a conversation; |seed| selects its tokens. Returns the number of
// steps whose result is that of the arrays, or -1.
static int converse(gmem_pool_t *pool, const gmem_plan_t *plan, int seed,
                    int steps) {
  float keys[TOKENS * CHANNELS] = {0}, values[TOKENS * CHANNELS] = {0};
  gmem_diag_t diag = {.text = ""};
  gmem_lease_t *lease;
  int equal = 0;
  if (gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) != GMEM_OK)
    return -1;
  for (int i = 0; i < steps; ++i) {
    float token[CHANNELS], row[CHANNELS], scores[TOKENS], expected[CHANNELS];
    float got[CHANNELS];
    for (int k = 0; k < CHANNELS; ++k)
      token[k] = (float)((seed * 7 + i * 3 + k * 5) % 11) - 5;
    project(token, 0.5f, row);
    append(keys, row, i);
    project(token, 0.25f, row);
    append(values, row, i);
    score(token, keys, i, scores);
    mix(scores, values, i, expected);
    if (!run_step(lease, plan, token, i, got) || !run_other(lease, plan)) {
      gmem_lease_release(lease);
      return -1;
    }
    equal += memcmp(got, expected, sizeof got) == 0;
  }
  if (gmem_lease_check(lease, &diag) != GMEM_OK)
    printf("%s\n", diag.text);
  gmem_lease_release(lease);
  return equal;
}

int main(int argc, char **argv) {
  gmem_plan_t *plan = NULL;
  gmem_provider_t provider = {0};
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_diag_t diag = {.text = ""};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1,
                                 .flags = GMEM_POOL_CHECK};
  if (argc != 2 ||
      gmem_plan_load_file(argv[1], 0, NULL, &plan, &diag) != GMEM_OK ||
      gmem_provider_mmap(NULL, NULL, &provider) != GMEM_OK ||
      gmem_model_create(plan, &provider, NULL, NULL, &model, &diag) !=
          GMEM_OK ||
      gmem_pool_create(model, &provider, &options, NULL, &pool, &diag) !=
          GMEM_OK) {
    fprintf(stderr, "decode: %s\n", diag.text);
    return 1;
  }
  int failed = 0;
  for (int seed = 1; seed <= 3; ++seed) {
    int steps = 2 * seed, equal = converse(pool, plan, seed, steps);
    printf("conversation %d: %d of %d steps as expected\n", seed, equal, steps);
    failed |= equal != steps;
  }
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
  return failed;
}
