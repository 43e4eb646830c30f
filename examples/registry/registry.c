// registry.c - a firmware that runs every model of a list in one memory. It
// knows nothing of them but their descriptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "registry.h"

#include <stdio.h>
#include <string.h>

enum {
  MEMORY = 1 << 16, // bytes, of each of the two memories below
  MOST = 8          // inputs, outputs or pools of a model
};

// Constants that models compute stay; everything else lasts for one run.
static _Alignas(4096) uint8_t kept[MEMORY], shared[MEMORY];
static size_t kept_bytes;

// The pointers of one list.
typedef struct places_s {
  uint8_t *at[MOST];
} places_t;

// Places the entries of |list| in |memory| from |*used| on; those that the
// model has itself get none. Returns whether there was room.
static int place(gmem_model_memories_t list, uint8_t *memory, size_t *used,
                 places_t *places) {
  if (list.count > MOST)
    return 0;
  for (size_t i = 0; i < list.count; ++i) {
    size_t align = list.at[i].alignment;
    size_t begin = (*used + align - 1) / align * align;
    if (list.at[i].flags & GMEM_MODEL_OWN)
      continue;
    if (begin > MEMORY || list.at[i].size > MEMORY - begin)
      return 0;
    places->at[i] = memory + begin;
    *used = begin + list.at[i].size;
  }
  return 1;
}

// Constants are read where they are linked, but for those that init writes.
static int place_constants(gmem_model_memories_t list, places_t *places) {
  for (size_t i = 0; i < list.count && list.count <= MOST; ++i) {
    const gmem_model_memory_t *entry = &list.at[i];
    gmem_model_memories_t one = {entry, 1};
    places_t own = {{NULL}};
    if (entry->flags & GMEM_MODEL_OWN)
      continue;
    if (entry->contents && !(entry->flags & GMEM_MODEL_COMPUTED)) {
      places->at[i] = (uint8_t *)(uintptr_t)entry->contents;
      continue;
    }
    if (!place(one, kept, &kept_bytes, &own))
      return 0;
    places->at[i] = own.at[0];
    if (entry->contents)
      memcpy(own.at[0], entry->contents, entry->size);
  }
  return list.count <= MOST;
}

static void fill(const gmem_model_desc_t *model, const places_t *inputs) {
  for (size_t i = 0; i < model->inputs.count; ++i)
    for (size_t k = 0; k < model->inputs.at[i].size; ++k)
      inputs->at[i][k] = (uint8_t)(k * 7 + i + 1);
}

static void report(const gmem_model_desc_t *model, const places_t *outputs) {
  unsigned long sum = 0;
  for (size_t i = 0; i < model->outputs.count; ++i)
    for (size_t k = 0; k < model->outputs.at[i].size; ++k)
      sum = (sum * 31 + outputs->at[i][k]) & 0xFFFFFF;
  printf("%s: %zu inputs, %zu outputs, sum %06lx\n", model->name,
         model->inputs.count, model->outputs.count, sum);
}

static int32_t run_model(const gmem_model_desc_t *model, void *device) {
  places_t inputs = {{NULL}}, outputs = inputs, workspaces = inputs,
           parameters = inputs, init_workspaces = inputs,
           init_parameters = inputs;
  size_t used = 0, used_by_init;
  gmem_model_call_t call = {(const uint8_t *const *)inputs.at,
                            outputs.at,
                            workspaces.at,
                            (const uint8_t *const *)parameters.at,
                            init_workspaces.at,
                            (const uint8_t *const *)init_parameters.at,
                            device};
  if (!place(model->workspaces, shared, &used, &workspaces) ||
      !place_constants(model->parameters, &parameters) ||
      !place_constants(model->init_parameters, &init_parameters))
    return GMEM_MODEL_TOO_SMALL;
  used_by_init = used;
  if (!place(model->init_workspaces, shared, &used_by_init, &init_workspaces))
    return GMEM_MODEL_TOO_SMALL;
  int32_t status = model->init ? model->init(&call) : GMEM_MODEL_OK;
  if (status != GMEM_MODEL_OK)
    return status;
  if (model->map)
    status = model->map(&call, inputs.at, (const uint8_t **)outputs.at);
  else if (!place(model->inputs, shared, &used, &inputs) ||
           !place(model->outputs, shared, &used, &outputs))
    status = GMEM_MODEL_TOO_SMALL;
  if (status != GMEM_MODEL_OK)
    return status;
  fill(model, &inputs);
  status = model->run(&call);
  if (status == GMEM_MODEL_OK)
    report(model, &outputs);
  return status;
}

int main(void) {
  int device = 0; // the handle that operators get: here it counts calls
  int failed = 0;
  for (size_t i = 0; i < registry_count; ++i) {
    int32_t status = run_model(registry[i], &device);
    if (status != GMEM_MODEL_OK)
      printf("%s: status %d\n", registry[i]->name, (int)status);
    failed |= status != GMEM_MODEL_OK;
  }
  printf("%zu models, %d calls of operators\n", registry_count, device);
  return failed;
}
