// c_transforms.c - runs the network of c_transforms.mlir through its
// description (gmem/model_desc.h), whatever memory it owns, and compares the
// constants that its operator reads with those that plain loops make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

#ifndef FACTOR
#define FACTOR 2 // of transform narrow
#endif

static int calls, fail_at = -1, wrong;

static void check(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(1);
}

static int32_t begin(const net_transform *transform, void *user) {
  check(user == &calls, "user");
  check((uintptr_t)transform->source % 16 == 0 &&
            (uintptr_t)transform->result % 16 == 0,
        "alignment");
  for (size_t i = 0; i < transform->result_size; ++i)
    check(transform->result[i] == 0, "the result is zeroed");
  return calls++ == fail_at ? 77 : 0;
}

int32_t net_transform_negate(const net_transform *transform, void *user) {
  for (size_t i = 0; i < transform->source_size; ++i)
    check(transform->source_size == transform->result_size, "sizes");
  int32_t status = begin(transform, user);
  for (size_t i = 0; i < transform->source_size; ++i)
    transform->result[i] = (uint8_t)-transform->source[i];
  return status;
}

int32_t net_transform_widen(const net_transform *transform, void *user) {
  check(4 * transform->source_size == transform->result_size, "sizes");
  int32_t status = begin(transform, user);
  for (size_t i = 0; i < transform->source_size; ++i) {
    float value = (float)(int8_t)transform->source[i];
    memcpy(transform->result + 4 * i, &value, 4);
  }
  return status;
}

int32_t net_transform_narrow(const net_transform *transform, void *user) {
  check(transform->source_size == 4 * transform->result_size, "sizes");
  int32_t status = begin(transform, user);
  for (size_t i = 0; i < transform->result_size; ++i) {
    float value;
    memcpy(&value, transform->source + 4 * i, 4);
    transform->result[i] = (uint8_t)(int8_t)(FACTOR * value);
  }
  return status;
}

int32_t net_op_tosa_add(const net_call *call, void *user) {
  (void)user;
  for (size_t i = 0; i < call->outputs[0].size / 4; ++i) {
    float sum = ((const float *)(const void *)call->inputs[0].data)[i] +
                ((const float *)(const void *)call->inputs[1].data)[i];
    memcpy(call->outputs[0].data + 4 * i, &sum, 4);
  }
  return 0;
}

int32_t net_op_npu_conv(const net_call *call, void *user) {
  const float *in[5];
  (void)user;
  for (int i = 0; i < 5; ++i)
    in[i] = (const float *)(const void *)call->inputs[i].data;
  check(in[1] == in[3], "one constant");
  wrong = 0;
  for (int i = 0; i < 16; ++i)
    wrong += (in[1][i] != (float)(-2 * (i + 1))) +
             (in[2][i] != (float)(i + 1)) +
             (in[4][i] != (float)(i + 1) + 0.25f);
  for (int i = 0; i < 8; ++i)
    wrong += (int8_t)call->inputs[5].data[i] != -3;
  memset(call->outputs[0].data, 0, call->outputs[0].size);
  return 0;
}

// Memory for each entry of the list that the model has not itself.
static uint8_t **new_memory(const gmem_model_memories_t *list) {
  uint8_t **at = calloc(list->count + 1, sizeof *at);
  for (size_t i = 0; i < list->count; ++i) {
    const gmem_model_memory_t *entry = &list->at[i];
    size_t unit = entry->alignment < 64 ? 64 : entry->alignment;
    if (entry->flags & GMEM_MODEL_OWN)
      continue;
    at[i] = aligned_alloc(unit, (entry->size / unit + 1) * unit);
    memset(at[i], 0xA5, entry->size);
    if (entry->contents)
      memcpy(at[i], entry->contents, entry->size);
  }
  return at;
}

// Gives memory back, overwritten.
static void drop_memory(uint8_t **at, const gmem_model_memories_t *list) {
  for (size_t i = 0; i < list->count; ++i) {
    if (at[i])
      memset(at[i], 0xEE, list->at[i].size);
    free(at[i]);
  }
  free(at);
}

int main(void) {
  const gmem_model_desc_t *model = &net_model;
  const gmem_model_memories_t *lists[] = {
      &model->inputs,     &model->outputs,         &model->workspaces,
      &model->parameters, &model->init_workspaces, &model->init_parameters};
  uint8_t **own[6];
  for (int i = 0; i < 6; ++i)
    own[i] = new_memory(lists[i]);
  const gmem_model_call_t call = {(const uint8_t *const *)own[0],
                                  own[1],
                                  own[2],
                                  (const uint8_t *const *)own[3],
                                  own[4],
                                  (const uint8_t *const *)own[5],
                                  &calls};
#ifdef HAS_FLAG
  check(model->run(&call) == NET_UNINITIALISED, "a run before init");
#endif
  for (fail_at = 0; fail_at < 6; ++fail_at) {
    calls = 0;
    check(model->init(&call) == 77 && calls == fail_at + 1,
          "a transform ends init");
#ifdef HAS_FLAG
    check(model->run(&call) == NET_UNINITIALISED, "a run after a failure");
#endif
  }
  calls = 0;
  check(model->init(&call) == NET_OK && calls == 6, "init");
  drop_memory(own[4], lists[4]);
  drop_memory(own[5], lists[5]);
  for (int i = 0; i < 2; ++i)
    check(model->run(&call) == NET_OK, "run");
  printf("%d transforms, %d elements wrong\n", calls, wrong);
  for (int i = 0; i < 4; ++i)
    drop_memory(own[i], lists[i]);
  return wrong != 0;
}
