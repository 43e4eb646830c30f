// c_transforms_compiled.c - makes the constants of a compiled network, and
// prints what it computes. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

int32_t net_transform_widen(const net_transform *transform, void *user) {
  *(int *)user += 1;
  for (size_t i = 0; i < transform->source_size; ++i) {
    float value = (float)(int8_t)transform->source[i];
    memcpy(transform->result + 4 * i, &value, 4);
  }
  return *(int *)user == 1 ? 77 : NET_OK; // the first time
}

// The contents of the only pool of the list, if the model has it not itself.
static uint8_t *new_memory(const gmem_model_memories_t *list) {
  if (list->count != 1 || list->at->flags & GMEM_MODEL_OWN)
    return NULL;
  uint8_t *memory = aligned_alloc(4096, (list->at->size / 4096 + 1) * 4096);
  memcpy(memory, list->at->contents, list->at->size);
  return memory;
}

int main(void) {
  static _Alignas(16) float output[4];
  int calls = 0;
  uint8_t *outputs[] = {(uint8_t *)output};
  uint8_t *parameters = new_memory(&net_model.parameters);
  uint8_t *sources = new_memory(&net_model.init_parameters);
  const uint8_t *const given[] = {parameters}, *const read[] = {sources};
  const gmem_model_call_t call = {.outputs = outputs,
                                  .parameters = given,
                                  .init_parameters = read,
                                  .user = &calls};
  int32_t status = net_model.init(&call);
  if (status == 77)
    status = net_model.init(&call);
  free(sources);
  if (status == NET_OK)
    status = net_model.run(&call);
  printf("%g %g %g %g\n", (double)output[0], (double)output[1],
         (double)output[2], (double)output[3]);
  free(parameters);
  return status != NET_OK || calls != 2;
}
